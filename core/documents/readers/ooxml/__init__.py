"""Office Open XML: docx, pptx, xlsx, and Word in a single file of XML."""
