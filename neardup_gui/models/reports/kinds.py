"""The kinds of files a report can be, in words; which they are says `core.reports.formats`."""

from __future__ import annotations

from typing import NamedTuple

from core.reports.formats import EXPORTS

SENTENCES = {
    ".html": "One file that opens in every browser: to be read, searched, sorted and printed.",
    ".pdf": "Pages to print, to sign and to keep, with bookmarks; read aloud by screen readers.",
    ".xlsx": "Sheets of pairs, groups, passages, documents and problems, with numbers to sort.",
    ".csv": "The table of pairs, for spreadsheets and scripts.",
    ".json": "Everything that was measured and decided, for programs.",
    ".graphml": "Documents and pairs as a network, for programs that draw it.",
    ".zip": "The passages by their places in the texts, as the PAN evaluations write them.",
}
OF_PAGES = (".html", ".pdf")
ON_PAPER = (*OF_PAGES, ".xlsx")
WITHOUT_PASSAGES = (".csv", ".graphml")


class ReportKind(NamedTuple):
    """A kind of file.

    Attributes:
        ending: Of its names.
        words: What it is for.
        sentence: What is in it; "" where `words` say all.
        has_pages: Whether it is to be read, page by page.
        is_printed: Whether it has a head with the institution, and is for paper of a size.
        has_passages: Whether passages can be in it.
    """

    ending: str
    words: str
    sentence: str
    has_pages: bool
    is_printed: bool
    has_passages: bool


KINDS = tuple(
    ReportKind(
        ending,
        one.words,
        SENTENCES.get(ending, ""),
        ending in OF_PAGES,
        ending in ON_PAPER,
        ending not in WITHOUT_PASSAGES,
    )
    for one in EXPORTS
    for ending in one.endings[:1]
)


def kind_of(ending: str) -> ReportKind:
    """The kind that an ending says; the usual one for an ending of none."""
    for one, kind in zip(EXPORTS, KINDS, strict=True):
        if ending.lower() in one.endings:
            return kind
    return KINDS[0]
