"""Who sits in which seat, who is connected, and who may change the seats."""
