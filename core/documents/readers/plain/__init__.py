"""Plain text, source code and notebooks."""
