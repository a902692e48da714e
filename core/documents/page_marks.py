"""Where in a document a place is: on page 12, slide 3, sheet 2.

Readers put a form feed between pages, so the page of a place is one more than those before it. It
is the number of the page in the file; what is printed on it may differ.
"""

from __future__ import annotations

from core.documents.readers import reader_of
from core.documents.readers.reader import PAGES, PageWords

_MARK = "\f"


def page_words(kind: str) -> PageWords:
    """What the form feeds in the texts of a reader part."""
    reader = reader_of(kind)
    return reader.pages if reader else PAGES


def cite_place(text: str, kind: str, start: int, end: int) -> str:
    """The pages of a passage, "pp. 12–13"; "" in a text without pages.

    Args:
        text: The text of the document.
        kind: The reader it came from.
        start: First character of the passage.
        end: Behind its last character.
    """
    if _MARK not in text:
        return ""
    first = 1 + text.count(_MARK, 0, start)
    return page_words(kind).cite(first, first + text.count(_MARK, start, end))
