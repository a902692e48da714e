"""The list of groups."""
