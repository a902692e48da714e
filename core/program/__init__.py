"""The running program: what it needs of the system, how it starts, prepares and ends."""
