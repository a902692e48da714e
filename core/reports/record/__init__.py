"""The record of a report: what makes its numbers checkable, as JSON, and the seal over a file."""
