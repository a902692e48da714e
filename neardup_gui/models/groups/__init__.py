"""What the list of groups shows."""
