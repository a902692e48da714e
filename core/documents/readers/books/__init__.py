"""Electronic books: EPUB and FictionBook."""
