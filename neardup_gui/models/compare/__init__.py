"""What the compare view shows."""
