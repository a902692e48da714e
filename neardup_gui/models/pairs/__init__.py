"""What the table of pairs shows."""
