"""What the user wants in a report, and what is shown of it before it is written."""
