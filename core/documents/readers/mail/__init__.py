"""Messages, mailboxes and saved web pages (MIME)."""
