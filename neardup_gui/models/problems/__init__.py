"""What the page of problems shows."""
