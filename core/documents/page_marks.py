"""Where in a document a place is: on page 12, slide 3, sheet 2.

Readers put a form feed between pages, so the page of a place is one more than those before it. It
is the number of the page in the file; what is printed on it may differ.
"""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["Leaf", "cite_place", "leaf_of"]

_MARK = "\f"


class Leaf(NamedTuple):
    """What form feeds part: "p. 12", "pp. 12–13", "12 pages"."""

    one: str
    several: str
    singular: str
    plural: str

    def cite(self, first: int, last: int) -> str:
        """One of them, or some in a row, from 1 on."""
        if last == first:
            return f"{self.one} {first:,}"
        return f"{self.several} {first:,}–{last:,}"


_PAGE = Leaf("p.", "pp.", "page", "pages")
_SLIDE = Leaf("slide", "slides", "slide", "slides")
_SHEET = Leaf("sheet", "sheets", "sheet", "sheets")
_LEAVES = {"odp": _SLIDE, "pptx": _SLIDE, "ods": _SHEET, "xlsx": _SHEET}


def leaf_of(kind: str) -> Leaf:
    """What the form feeds in the texts of a reader part."""
    return _LEAVES.get(kind, _PAGE)


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
    return leaf_of(kind).cite(first, first + text.count(_MARK, start, end))
