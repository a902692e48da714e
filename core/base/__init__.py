"""The base of every part of the engine, which knows nothing of documents."""
