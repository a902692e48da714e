"""What surrounds the work: start page, message bar, status line, help, dialogs for files."""
