"""What the threshold panel shows."""
