"""Pictures of pages, read with Tesseract."""
