"""OpenDocument: text, presentations and sheets."""
