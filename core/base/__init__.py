"""What every part of the engine stands on and that knows nothing of documents."""
