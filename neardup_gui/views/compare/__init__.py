"""The compare view: one pair side by side."""
