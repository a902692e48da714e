"""The shared passages of one pair of documents, as spans."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

__all__ = ["Passage", "Run"]


class Run(NamedTuple):
    """A stretch of text that is word for word the same; character spans, ends excluded."""

    a_start: int
    a_end: int
    b_start: int
    b_end: int
    tokens: int


@dataclass(frozen=True, slots=True)
class Passage:
    """A passage that both documents share, with small differences allowed inside.

    The spans are offsets in code points of the two texts, ends excluded. `runs` are the stretches
    inside that are word for word the same, in reading order of A; `tokens` is their total length in
    words; `moved` says that the passage stands in another order in B than its neighbours do.
    """

    a_start: int
    a_end: int
    b_start: int
    b_end: int
    tokens: int
    runs: tuple[Run, ...]
    moved: bool = False
