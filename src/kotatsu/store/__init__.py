"""The durable log and the house's memory."""
