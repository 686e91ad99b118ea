"""HTTP and WebSocket around the tables: identity, lobby, limits, wiring."""
