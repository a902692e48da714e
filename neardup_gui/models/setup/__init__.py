"""What the setup panel shows."""
