"""What is shown of a report before it is written, and how large it will be."""

from __future__ import annotations

from dataclasses import dataclass

from core.base.wording import counted, readable_size
from neardup_gui.models.words.numbers import duration


@dataclass(frozen=True, slots=True)
class Page:
    """A picture of a page: `pixels` are red, green and blue of each, row by row."""

    width: int
    height: int
    pixels: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportPreview:
    """What is known of a report; the most telling of pages, rows and text is shown.

    Attributes:
        pairs: How many are in it.
        documents: How many documents these are of.
        pages: Its first pages.
        rows: Its first rows, below the titles of their columns.
        text: How its file begins.
        is_measured: Whether it was tried to measure it.
        size: Bytes of the file; None where they are not known.
        seconds: How long writing takes.
        is_exact: Whether the whole of it was written to measure it.
        problems: Sentences: what of the choice cannot be had.
    """

    pairs: int = 0
    documents: int = 0
    pages: tuple[Page, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    text: str = ""
    is_measured: bool = False
    size: int | None = None
    seconds: float = 0.0
    is_exact: bool = False
    problems: tuple[str, ...] = ()

    @property
    def summary(self) -> str:
        """How many pairs and documents, how large, how long."""
        if not self.pairs:
            what = "No pairs: the report says what was compared, and that nothing was found"
        else:
            what = f"{counted(self.pairs, 'pair')} of {counted(self.documents, 'document')}"
        return f"{what} · {self._cost}".removesuffix(" · ")

    @property
    def _cost(self) -> str:
        if self.size is None:
            return "" if self.is_measured else "measuring …"
        about = "" if self.is_exact else "about "
        return f"{about}{readable_size(self.size)}, {duration(self.seconds)}"
