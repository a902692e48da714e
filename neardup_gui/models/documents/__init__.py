"""What the list of documents shows."""
