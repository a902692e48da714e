"""Candidates put together to be measured, and pairs collected as they are found."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from core.base.arrays import Int32Array
from core.base.memory import require_memory
from core.candidates.lsh import CandidateChunk
from core.evidence.pairs import Pairs

Crowds = list[tuple[int, Int32Array]]  # leaders, and who follows each

PAIRS_AT_ONCE = 1 << 19  # measured together
PAIRS_A_CHECK = 1 << 20  # the memory is looked at whenever so many more are listed
BYTES_PER_PAIR = 3 * 64  # collected, joined, ordered


class Gathered(NamedTuple):
    """Candidate pairs of several chunks, the last of which is of `band`, and their crowds."""

    band: int
    x: Int32Array
    y: Int32Array
    crowds: Crowds


def gathered(chunks: Iterator[CandidateChunk]) -> Iterator[Gathered]:
    """Join small chunks: pairs with one first document cost least when they are measured together.

    The first chunks come as they are, so that cancelling and progress do not wait for more.
    """
    waiting: list[CandidateChunk] = []
    count, enough = 0, 1
    for chunk in chunks:
        waiting.append(chunk)
        count += len(chunk.x)
        if count >= enough:
            yield _join(waiting)
            waiting, count, enough = [], 0, min(PAIRS_AT_ONCE, 4 * enough)
    if waiting:
        yield _join(waiting)


def _join(chunks: list[CandidateChunk]) -> Gathered:
    return Gathered(
        chunks[-1].band,
        np.concatenate([chunk.x for chunk in chunks]),
        np.concatenate([chunk.y for chunk in chunks]),
        [(chunk.leader, chunk.crowd) for chunk in chunks if len(chunk.crowd)],
    )


class CollectedPairs:
    """Pairs as they are found, as long as there is memory for their list."""

    def __init__(self) -> None:
        self._parts: list[Pairs] = []
        self._count = 0
        self._next_check = PAIRS_A_CHECK

    def add(self, pairs: Pairs) -> None:
        """Take some more."""
        self._parts.append(pairs)
        self._count += len(pairs)
        if self._count >= self._next_check:
            self._next_check = self._count + PAIRS_A_CHECK
            require_memory(
                BYTES_PER_PAIR * self._count,
                f"A list of more than {self._count:,} pairs",
                "Raise the resemblance from which pairs are listed.",
            )

    def joined(self) -> Pairs:
        """All of them."""
        return Pairs.concatenate(self._parts)
