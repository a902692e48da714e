"""What the window says: messages, sentences, numbers."""
