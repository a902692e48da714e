"""The window of the guided tour."""
