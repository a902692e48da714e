"""Runs that always follow each other, joined: what several documents hold is made of these.

Where a run and the next one stand at equally many places, and at each of these one follows the
other, they are one stretch (in assembled genomes: a unitig). A stretch ends where documents part.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from core.base.arrays import BoolArray, Int64Array, UInt64Array
from core.passages.shared_runs import RunPlaces


class Stretches(NamedTuple):
    """The places of stretches that at least two documents hold, ascending by document and unit.

    Attributes:
        documents: int64, by place: the number of its text.
        firsts: int64, the unit of the text with which it begins.
        ends: int64, the unit behind its last one; the stretch behind it may begin before that.
        goes_on: bool, whether the next place has the stretch that follows.
        stretch: int64, which stretch it is.
        order: int64, the places of the first stretch, ascending, of the second, ...
        starts: int64, stretch i has the places `order[starts[i]:starts[i + 1]]`.
        holders: int64, by stretch: how many documents hold it.
    """

    documents: Int64Array
    firsts: Int64Array
    ends: Int64Array
    goes_on: BoolArray
    stretch: Int64Array
    order: Int64Array
    starts: Int64Array
    holders: Int64Array


class _Groups(NamedTuple):
    """Places by what stands there: as in `Stretches`, by the run or stretch."""

    order: Int64Array
    starts: Int64Array

    @property
    def sizes(self) -> Int64Array:
        return np.diff(self.starts)

    @property
    def of_places(self) -> Int64Array:
        """The group of every place."""
        group = np.empty(len(self.order), dtype=np.int64)
        group[self.order] = np.repeat(np.arange(len(self.sizes)), self.sizes)
        return group

    def among(self, places: BoolArray, groups: BoolArray) -> _Groups:
        """The same of some groups only, with all of their places."""
        kept = self.order[np.repeat(groups, self.sizes)]
        renumbered = np.cumsum(places) - 1
        return _Groups(renumbered[kept], np.append(0, np.cumsum(self.sizes[groups])))


def join_runs(runs: RunPlaces, copies: Int64Array, reviewed: BoolArray) -> Stretches:
    """The stretches of the runs that at least two documents hold, one of them to review.

    Args:
        runs: Places of runs.
        copies: int64, by text: how many documents it counts for.
        reviewed: bool, by text: whether one of these is to review.
    """
    groups = _grouped(runs.hashes)
    holders = _holders(groups, runs.documents, copies)
    wide = holders > 1
    if len(wide):
        own = reviewed[runs.documents[groups.order]]
        wide &= np.logical_or.reduceat(own, groups.starts[:-1])
    kept = wide[groups.of_places]
    groups, holders, runs = groups.among(kept, wide), holders[wide], runs.take(kept)
    follows = np.zeros(len(runs.firsts), dtype=np.bool_)  # whether the next run begins a unit on
    follows[:-1] = np.diff(runs.firsts) == 1
    follows[:-1] &= runs.documents[1:] == runs.documents[:-1]
    heads = _heads(groups, follows)
    begins = heads[groups.of_places]
    groups = groups.among(begins, heads)
    first = np.flatnonzero(begins)
    last = np.append(first[1:], len(begins))[: len(first)] - 1
    return Stretches(
        runs.documents[first],
        runs.firsts[first],
        runs.firsts[last] + runs.sizes[last],
        follows[last],
        groups.of_places,
        groups.order,
        groups.starts,
        holders[heads],
    )


def _grouped(hashes: UInt64Array) -> _Groups:
    order = np.argsort(hashes, kind="stable")
    ordered = hashes[order]
    fresh = np.ones(len(order), dtype=np.bool_)
    fresh[1:] = ordered[1:] != ordered[:-1]
    return _Groups(order, np.append(np.flatnonzero(fresh), len(order)))


def _holders(groups: _Groups, documents: Int64Array, copies: Int64Array) -> Int64Array:
    """How many documents hold each group; a document counts once, however many places it has."""
    own = documents[groups.order]
    counts = copies[own]
    counts[1:][own[1:] == own[:-1]] = 0
    starts = groups.starts[:-1]
    counts[starts] = copies[own[starts]]
    return np.add.reduceat(counts, starts) if len(starts) else counts


def _heads(groups: _Groups, follows: BoolArray) -> BoolArray:
    """Which runs begin a stretch: the others always follow one that stands as often."""
    group, starts, sizes = groups.of_places, groups.starts[:-1], groups.sizes
    heads = np.ones(len(sizes), dtype=np.bool_)
    if not len(starts):
        return heads
    behind = np.where(follows, np.append(group[1:], 0), -1)[groups.order]
    least, most = np.minimum.reduceat(behind, starts), np.maximum.reduceat(behind, starts)
    joined = (least == most) & (least >= 0)
    joined &= sizes[least] == sizes
    heads[least[joined]] = False
    return heads
