"""The window where a report is chosen, looked at and written."""
