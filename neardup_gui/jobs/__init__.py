"""What is done off the window's thread."""
