"""The passages of a whole folder: which text stands in which documents."""
