"""What an audit finds out of edited copies and reworked passages that it planted."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from core.base.intervals import Share, wilson


class Edit(StrEnum):
    """The kinds of edits, as the user reads them."""

    WORDS_10 = "10 % of words changed"
    WORDS_25 = "25 % of words changed"
    WORDS_50 = "50 % of words changed"
    SHUFFLED = "paragraphs shuffled"
    PASTED = "one page pasted"

    @property
    def share(self) -> float:
        """The share of words that it changes."""
        return {Edit.WORDS_10: 0.10, Edit.WORDS_25: 0.25, Edit.WORDS_50: 0.50}.get(self, 0.0)


class EditRecall(NamedTuple):
    """How many planted copies of one kind were found.

    Attributes:
        edit: The kind.
        planted: Number of copies; 0 where no document was long enough.
        resemblance: Smallest, median and largest exact resemblance of a copy and its source.
        wanted: How many copies reach the threshold or share a passage with their source.
        listed: How many of these are listed with their source.
        expected: How many of the wanted ones bands find on average; None without a curve.
        by_bands: How many they found.
        by_passages: How many shared passages found; `both` of them bands found, too.
        both: How many were found both ways.
    """

    edit: Edit
    planted: int
    resemblance: tuple[float, float, float]
    wanted: int
    listed: int
    expected: float | None
    by_bands: int
    by_passages: int
    both: int

    @property
    def found(self) -> Share | None:
        """The share of all planted copies that should be listed and are."""
        return wilson(self.listed, self.planted) if self.planted else None

    @property
    def recall(self) -> Share | None:
        """The listed share of the copies that should be listed."""
        return wilson(self.listed, self.wanted) if self.wanted else None


class MissedCopy(NamedTuple):
    """A planted copy that should be listed with its source, which has this number, and is not."""

    source: int
    edit: Edit
    resemblance: float


class Planting(NamedTuple):
    """The recall of each kind of edit.

    Attributes:
        sources: From how many different documents copies were made.
        edits: The kinds.
        missed: Copies that should be listed and are not, most similar first; of an audit that is
            kept, the first.
    """

    sources: int
    edits: tuple[EditRecall, ...]
    missed: tuple[MissedCopy, ...] = ()

    @property
    def missing(self) -> int:
        """How many copies should be listed and are not."""
        return sum(row.wanted - row.listed for row in self.edits)


class ReworkedRecall(NamedTuple):
    """Planted passages of one length of which one share was changed.

    Attributes:
        words: The length before it was reworked.
        changed: The share of its words that was exchanged, dropped or inserted.
        planted: How many.
        listed: How many of these are listed with their sources, however found.
        reworked: How many were found as reworked passages.
        promised: The share that is promised for this folder.
    """

    words: int
    changed: float
    planted: int
    listed: int
    reworked: int
    promised: float

    @property
    def found(self) -> Share | None:
        """The listed share."""
        return wilson(self.listed, self.planted) if self.planted else None


class MissedPassage(NamedTuple):
    """A passage whose reworked copy was not listed: its document, first word and length."""

    document: int
    first: int
    words: int
    changed: float


class ReworkedPlanting(NamedTuple):
    """What was found of reworked passages of so many different documents.

    Of an audit that is kept, `missed` are the first.
    """

    sources: int
    cells: tuple[ReworkedRecall, ...]
    missed: tuple[MissedPassage, ...]

    @property
    def missing(self) -> int:
        """How many were not listed."""
        return sum(row.planted - row.listed for row in self.cells)

    @property
    def longest_missed(self) -> list[MissedPassage]:
        """The longest passages first, of one length those of which least was changed."""
        return sorted(self.missed, key=lambda one: (-one.words, one.changed, one.document))
