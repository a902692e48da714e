"""Stretches of words between those that two texts have in common, as indices in both."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import NamedTuple

import numpy as np

from core.base.arrays import BoolArray, Int64Array
from core.base.messages import N_

LEAST_MOVED = 4  # words


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


def rising(parts: list[Int64Array]) -> Int64Array:
    """Concatenate pairs, without those that would step back in either text."""
    kept = [np.empty((0, 2), dtype=np.int64)]
    last = np.array([-1, -1], dtype=np.int64)
    for pairs in parts:
        onward = pairs[(pairs > last).all(axis=1)]
        if len(onward):
            kept.append(onward)
            last = onward[-1]
    return np.concatenate(kept)


def blocks(
    pairs: Int64Array, taken: tuple[BoolArray, BoolArray]
) -> Iterator[tuple[ChangeKind, Int64Array]]:
    """The parts of a passage that are not paired elsewhere yet, with their kind of change."""
    free = np.stack([~used[indices] for used, indices in zip(taken, pairs.T, strict=True)])
    if not free.any():
        return
    before = [
        np.cumsum(used[indices[0] : indices[-1] + 1])[indices - indices[0]]
        for used, indices in zip(taken, pairs.T, strict=True)
    ]
    parted = (np.diff(free, axis=1) != 0).any(axis=0)
    for is_free, steps in zip(free, before, strict=True):
        parted |= is_free[1:] & (np.diff(steps) > 0)
    for block in np.split(np.arange(len(pairs)), np.flatnonzero(parted) + 1):
        in_a, in_b = free[:, block[0]].tolist()
        if len(block) >= LEAST_MOVED and (in_a or in_b):
            kind = ChangeKind.REPEATED_A if in_a else ChangeKind.REPEATED_B
            yield ChangeKind.MOVED if in_a and in_b else kind, pairs[block]


def between(pairs: Int64Array, box: Sequence[int] | Int64Array) -> Int64Array:
    """int64 (n + 1, 4): the gaps before, between and after n pairs within a part of both texts.

    Like the part itself, each is the first index and the end in A, and the same in B.
    """
    first_a, end_a, first_b, end_b = box
    starts = np.concatenate([[[first_a, first_b]], pairs + 1])
    ends = np.concatenate([pairs, [[end_a, end_b]]])
    return np.stack([starts[:, 0], ends[:, 0], starts[:, 1], ends[:, 1]], axis=1)


def parted(gap: Hunk, stay_a: Int64Array, stay_b: Int64Array) -> Iterator[Hunk]:
    """A gap as indices of the text, split where words in it were moved away.

    The first parts of both texts correspond, then the second ones, and so on.
    """
    in_a, in_b = _stretches(stay_a, gap.a, gap.a_end), _stretches(stay_b, gap.b, gap.b_end)
    for number in range(max(len(in_a), len(in_b))):
        a, a_end = in_a[number] if number < len(in_a) else (in_a[-1][1],) * 2
        b, b_end = in_b[number] if number < len(in_b) else (in_b[-1][1],) * 2
        yield Hunk(a, a_end, b, b_end)


def _stretches(stay: Int64Array, first: int, end: int) -> list[tuple[int, int]]:
    """Stretches of words without a gap: at least one, which may be empty."""
    words = stay[first:end]
    if not len(words):
        return [(int(stay[first]),) * 2]
    if words[-1] - words[0] == len(words) - 1:
        return [(int(words[0]), int(words[-1]) + 1)]
    parts = np.split(words, np.flatnonzero(np.diff(words) > 1) + 1)
    return [(int(part[0]), int(part[-1]) + 1) for part in parts]
