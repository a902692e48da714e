"""The window of Neardup."""
