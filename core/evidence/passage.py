"""What is shown of two documents: the passages that both share, and what was changed between."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import NamedTuple

from core.base.messages import N_
from core.settings import Unit


class Run(NamedTuple):
    """A stretch of text that is word for word the same; character spans, ends excluded."""

    a_start: int
    a_end: int
    b_start: int
    b_end: int
    tokens: int

    def turned(self) -> Run:
        """The same with A and B exchanged."""
        return Run(self.b_start, self.b_end, self.a_start, self.a_end, self.tokens)


class Exchange(NamedTuple):
    """Words of one text that replace words of the other; character spans, ends excluded.

    `near` says that it is another form of the same word.
    """

    a_start: int
    a_end: int
    b_start: int
    b_end: int
    near: bool = False

    def turned(self) -> Exchange:
        """The same with A and B exchanged."""
        return Exchange(self.b_start, self.b_end, self.a_start, self.a_end, self.near)


@dataclass(frozen=True, slots=True)
class Passage:
    """A passage that both documents share, with differences allowed inside.

    The spans are offsets in code points of the two texts, ends excluded.

    Attributes:
        a_start: Its start in A.
        a_end: Its end in A.
        b_start: Its start in B.
        b_end: Its end in B.
        tokens: The number of its words that are the same in both.
        runs: The stretches inside that are word for word the same, in the order of A.
        moved: Whether its order relative to its neighbours differs in B.
        bits: The information of its words, less the cost of those that differ.
        a_tokens: Words from its start to its end in A, including those that differ.
        b_tokens: The same in B.
        unit: The unit of its words: "char" if most are letters of a script without spaces.
        near: How many words correspond to another form of the same word.
        exchanged: How many correspond to another word.
        moved_words: How many of the equal words are in another order inside the passage.
        exchanges: The spans of near and exchanged words, in the order of A. Words that are neither
            in these nor in a run are in one text only. Empty if words were not compared.
        chance: How many other pairs of the folder have as strong a passage, in words; empty if
            not known.
    """

    a_start: int
    a_end: int
    b_start: int
    b_end: int
    tokens: int
    runs: tuple[Run, ...]
    moved: bool = False
    bits: float = 0.0
    a_tokens: int = 0
    b_tokens: int = 0
    unit: Unit = "word"
    near: int = 0
    exchanged: int = 0
    moved_words: int = 0
    exchanges: tuple[Exchange, ...] = ()
    chance: str = ""

    def turned(self) -> Passage:
        """The same with A and B exchanged."""
        return replace(
            self,
            a_start=self.b_start,
            a_end=self.b_end,
            b_start=self.a_start,
            b_end=self.a_end,
            a_tokens=self.b_tokens,
            b_tokens=self.a_tokens,
            runs=tuple(sorted(run.turned() for run in self.runs)),
            exchanges=tuple(sorted(exchange.turned() for exchange in self.exchanges)),
        )

    @property
    def only_a(self) -> int:
        """Its words that only A has."""
        return self.a_tokens - self.tokens - self.near - self.exchanged

    @property
    def only_b(self) -> int:
        """Its words that only B has."""
        return self.b_tokens - self.tokens - self.near - self.exchanged

    @property
    def length(self) -> int:
        """Words from its start to its end, in the text with more of them."""
        return max(self.tokens, self.a_tokens, self.b_tokens)

    @property
    def longest_run(self) -> int:
        """The most words in a row that are the same."""
        return max((run.tokens for run in self.runs), default=0)


class ChanceThreshold(NamedTuple):
    """The limit from which shared text is more than chance.

    Attributes:
        bits: Information that a passage needs.
        tokens: About how many words of these texts have that.
        unit: The unit of most words of these texts.
    """

    bits: float
    tokens: int
    unit: Unit


class PairOverlap(NamedTuple):
    """The shared words of a single pair."""

    overlap: float
    overlap_a: float
    overlap_b: float
    shared_words: int

    def turned(self) -> PairOverlap:
        """The same with A and B exchanged."""
        return self._replace(overlap_a=self.overlap_b, overlap_b=self.overlap_a)


class SharedText(NamedTuple):
    """The passages of two texts, in reading order of the first.

    Attributes:
        passages: The passages.
        floor: The limit below which shared text is no passage.
        overlap: How much of both texts is in them.
    """

    passages: list[Passage]
    floor: ChanceThreshold
    overlap: PairOverlap


class ChangeKind(StrEnum):
    """What happened to words on the way from A to B; in words."""

    ONLY_A = N_("only in A")
    ONLY_B = N_("only in B")
    EXCHANGED = N_("exchanged")
    MOVED = N_("moved")
    REPEATED_A = N_("once more in A")
    REPEATED_B = N_("once more in B")


class Hunk(NamedTuple):
    """Words of A that replace words of B: their first ones and ends."""

    a: int
    a_end: int
    b: int
    b_end: int
