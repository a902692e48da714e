"""What two documents share, as it is shown: passages with their spans and numbers."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

from core.evidence.shared_words import PairOverlap
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
    """Words of one text in the place of words of the other; character spans, ends excluded.

    `near` says that it is one word in another form, or a number in the place of a number.
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
        a_start: Where it begins in A.
        a_end: Where it ends there.
        b_start: Where it begins in B.
        b_end: Where it ends there.
        tokens: How many words of it are the same in both.
        runs: The stretches inside that are word for word the same, in the order of A.
        moved: Whether it stands in another order in B than its neighbours do.
        bits: What it tells: the information of its words, less what those that differ cost.
        a_tokens: Words from its beginning to its end in A, with those that differ.
        b_tokens: The same in B.
        unit: What its words are: "char" where most are letters of a script without spaces.
        near: How many words stand for another form of the same word, or for another number.
        exchanged: How many stand in the place of another word.
        moved_words: How many of those that are the same stand in another order inside of it.
        exchanges: Where they are, near and exchanged ones, in the order of A. What is neither in
            these nor in a run stands in one text only. Empty where words were not compared.
        chance: How many other pairs of the folder have as strong a passage, in words; empty
            where not known.
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
        """Words of it that A has alone."""
        return self.a_tokens - self.tokens - self.near - self.exchanged

    @property
    def only_b(self) -> int:
        """Words of it that B has alone."""
        return self.b_tokens - self.tokens - self.near - self.exchanged

    @property
    def length(self) -> int:
        """Words from its beginning to its end, in the text where these are more."""
        return max(self.tokens, self.a_tokens, self.b_tokens)

    @property
    def longest_run(self) -> int:
        """The most words in a row that are the same."""
        return max((run.tokens for run in self.runs), default=0)


class Floor(NamedTuple):
    """From where on what two texts share is more than chance.

    Attributes:
        bits: Information that a passage needs.
        tokens: About how many words of these texts that are.
        unit: What most words of these texts are.
    """

    bits: float
    tokens: int
    unit: Unit


class SharedText(NamedTuple):
    """The passages of two texts, in reading order of the first.

    Attributes:
        passages: Those.
        floor: What is too little for one.
        overlap: How much of both texts stands in them.
    """

    passages: list[Passage]
    floor: Floor
    overlap: PairOverlap
