"""What somebody wants in a report: of which pairs, with which texts, with names or without."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class Scope(StrEnum):
    """Of which pairs a report is."""

    SHOWN = "shown"  # all that the table shows
    CONFIRMED = "confirmed"  # all that were judged to be confirmed
    PAIR = "pair"
    DOCUMENT = "document"  # all pairs of one document: of one person
    GROUP = "group"  # the pairs between the documents of one group


class Paper(StrEnum):
    """The size of the pages."""

    A4 = "a4"
    LETTER = "us-letter"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportChoice:
    """What is in a report, and how.

    Attributes:
        scope: Of which pairs it is.
        documents: Numbers of the documents that `scope` is about: two of a pair, one person's, the
            members of a group; empty for others.
        passages: Whether the shared passages are shown; without, the report holds no text of a
            document.
        most_passages: Of how many pairs, from the top, the passages are shown at most.
        names: Whether names are told; otherwise each is a label as A-17.
        institution: Stands at the head of each page; "" for nothing.
        logo: The bytes of a PNG, JPEG or SVG picture beside it; empty for none.
        paper: The size of the pages.
        created: When, with a time zone; None for now.
    """

    scope: Scope = Scope.SHOWN
    documents: tuple[int, ...] = ()
    passages: bool = True
    most_passages: int = 200
    names: bool = True
    institution: str = ""
    logo: bytes = b""
    paper: Paper = Paper.A4
    created: datetime | None = None


NO_CHOICE = ReportChoice()  # what is written where nobody was asked
