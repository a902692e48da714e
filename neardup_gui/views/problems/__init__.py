"""The page of problems."""
