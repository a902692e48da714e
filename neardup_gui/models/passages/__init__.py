"""What the list of passages shows."""
