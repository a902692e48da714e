"""Where a text comes from: its format in words, its pages, what was remarked on it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from neardup_gui.models.wording import count, counted

if TYPE_CHECKING:
    from core.documents.model import Document

__all__ = ["NOWHERE", "Origin", "format_words"]

FORMATS = {
    "text": "",  # the name says what it is
    "csv": "CSV",
    "doc": "Word (doc)",
    "docx": "Word (docx)",
    "eml": "mail",
    "epub": "e-book (EPUB)",
    "fb2": "e-book (FB2)",
    "html": "web page",
    "ipynb": "notebook",
    "latex": "LaTeX",
    "mail": "mail",
    "markdown": "Markdown",
    "mbox": "mail",
    "mhtml": "web page (MHTML)",
    "notebook": "notebook",
    "odp": "slides (odp)",
    "ods": "spreadsheet (ods)",
    "odt": "OpenDocument (odt)",
    "pdf": "PDF",
    "ppt": "slides (ppt)",
    "pptx": "slides (pptx)",
    "rst": "reStructuredText",
    "rtf": "RTF",
    "xls": "spreadsheet (xls)",
    "xlsx": "spreadsheet (xlsx)",
}


class Leaf(NamedTuple):
    """What a form feed parts: "p. 12", "pp. 12–13", "12 pages"."""

    one: str
    several: str
    singular: str
    plural: str


PAGE = Leaf("p.", "pp.", "page", "pages")
SLIDE = Leaf("slide", "slides", "slide", "slides")
SHEET = Leaf("sheet", "sheets", "sheet", "sheets")
LEAVES = {"odp": SLIDE, "ppt": SLIDE, "pptx": SLIDE, "ods": SHEET, "xls": SHEET, "xlsx": SHEET}


def format_words(kind: str) -> str:
    """The format of a document in words; empty where its name says it well enough."""
    return FORMATS.get(kind, kind)


@dataclass(frozen=True, slots=True)
class Origin:
    """A document apart from its text."""

    kind: str = "text"
    remarks: tuple[str, ...] = ()

    @staticmethod
    def of(document: Document) -> Origin:
        """What is known of a document."""
        return Origin(document.kind, document.remarks)

    @property
    def leaf(self) -> Leaf:
        """What its form feeds part."""
        return LEAVES.get(self.kind, PAGE)

    def cite(self, first: int, last: int | None = None) -> str:
        """A page, or some in a row: "p. 12", "pp. 12–13", "slide 3"."""
        if last is None or last == first:
            return f"{self.leaf.one} {count(first)}"
        return f"{self.leaf.several} {count(first)}–{count(last)}"

    def describe(self, pages: int, page: int) -> str:
        """The format, and the page that is read: "PDF, p. 3 of 12"; "" when there is none to say.

        Args:
            pages: How many there are.
            page: The one in sight.
        """
        words = format_words(self.kind)
        if pages < 2:
            only = counted(1, self.leaf.singular, self.leaf.plural) if self.kind == "pdf" else ""
            return ", ".join(part for part in (words, only) if part)
        where = f"{self.cite(page)} of {count(pages)}"
        return f"{words}, {where}" if words else where


NOWHERE = Origin()
