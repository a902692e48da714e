"""The list of documents, and the text of one of them."""
