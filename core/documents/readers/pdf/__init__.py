"""PDF: characters on pages to paragraphs in reading order."""
