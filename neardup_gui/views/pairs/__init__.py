"""The table of pairs."""
