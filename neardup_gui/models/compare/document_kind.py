"""Where a text comes from: its format in words, its pages, what was remarked on it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from core import documents
from core.base.wording import count
from neardup_gui.models.words.document_mark import mark_of

if TYPE_CHECKING:
    from core.documents.model import Document


@dataclass(frozen=True, slots=True)
class Origin:
    """A document apart from its text."""

    kind: str = "text"
    remarks: tuple[str, ...] = ()
    mark: str = ""  # what it is for, since when it is not there
    members: tuple[int, ...] = ()  # where the text of each file of a submission begins

    @staticmethod
    def of(document: Document) -> Origin:
        """What is known of a document."""
        members = tuple(one.start for one in document.members)
        return Origin(document.kind, document.remarks, mark_of(document), members)

    @property
    def short_mark(self) -> str:
        """The mark without the date: "gone"."""
        return self.mark.partition(" since ")[0]

    def cite(self, first: int, last: int | None = None) -> str:
        """A page, or some in a row: "p. 12", "pp. 12–13", "slide 3"."""
        return documents.page_words(self.kind).cite(first, first if last is None else last)

    def describe(self, pages: int, page: int) -> str:
        """The format, and the page that is read: "PDF, p. 3 of 12"; "" when there is none to say.

        Args:
            pages: How many there are.
            page: The one in sight.
        """
        reader = documents.reader_of(self.kind)
        words = reader.short_label if reader else self.kind
        if pages < 2:
            return f"{words}, 1 {reader.pages.singular}" if reader and reader.is_paged else words
        where = f"{self.cite(page)} of {count(pages)}"
        return f"{words}, {where}" if words else where


NOWHERE = Origin()
