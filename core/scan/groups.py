"""Pairs to groups that do not daisy-chain.

Star clustering (Aslam, Pelekhov, Rus 2004): the document with the most similar documents around it
becomes the centre of a group, and every member of the group is itself in a listed pair with the
centre. So A like B and B like C never puts A and C together unless one document is like both.

Documents with the same words go together, all of them as members of one group: of many copies a
list pairs only the first with other documents, so that the first stands for all here.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from core.base.arrays import Float64Array, Int64Array
from core.evidence.pairs import Pairs
from core.scan.duplicates import CopyGroups, group_copies

__all__ = ["Group", "group_pairs"]


class Group(NamedTuple):
    """A centre and its members, most similar to the centre first; the centre is not repeated.

    `resemblance` is that of each member, or of the first document with its words, to the centre.
    """

    center: int
    members: tuple[int, ...]
    resemblance: tuple[float, ...]


def group_pairs(pairs: Pairs, documents: int) -> list[Group]:
    """The groups of two or more documents, largest first; every document is in at most one.

    Args:
        pairs: Listed pairs.
        documents: Number of documents the indices of the pairs refer to.
    """
    first = _first_copies(pairs, documents)
    copies = group_copies(first)
    edges = _between_first(pairs, first)
    starts, neighbours, resemblance = _adjacency(edges, documents)
    weight = np.zeros(documents)
    np.add.at(weight, edges.a, edges.resemblance * copies.sizes[edges.b])
    np.add.at(weight, edges.b, edges.resemblance * copies.sizes[edges.a])
    own = first == np.arange(documents)
    weight[own] += copies.sizes[own] - 1
    taken = np.zeros(documents, dtype=np.bool_)
    centers: list[int] = []
    for document in np.argsort(-weight, kind="stable"):
        if weight[document] == 0:
            break
        if not taken[document]:
            taken[document] = True
            taken[neighbours[starts[document] : starts[document + 1]]] = True
            centers.append(int(document))
    return _gather(centers, starts, neighbours, resemblance, copies)


def _first_copies(pairs: Pairs, documents: int) -> Int64Array:
    """For each document the first one that pairs of identical documents join it with."""
    first = np.arange(documents, dtype=np.int64)
    same = pairs.exact_duplicate
    low = np.minimum(pairs.a, pairs.b)[same]
    high = np.maximum(pairs.a, pairs.b)[same]
    while True:
        before = first.copy()
        least = np.minimum(first[low], first[high])
        np.minimum.at(first, low, least)
        np.minimum.at(first, high, least)
        first = first[first]
        if np.array_equal(first, before):
            return first


class _PairEdges(NamedTuple):
    """Pairs of the first ones of different copies, each once, with their resemblance."""

    a: Int64Array
    b: Int64Array
    resemblance: Float64Array


def _between_first(pairs: Pairs, first: Int64Array) -> _PairEdges:
    a = np.minimum(first[pairs.a], first[pairs.b])
    b = np.maximum(first[pairs.a], first[pairs.b])
    order = np.lexsort((b, a))
    order = order[a[order] != b[order]]
    a, b = a[order], b[order]
    fresh = np.ones(len(a), dtype=np.bool_)
    fresh[1:] = (a[1:] != a[:-1]) | (b[1:] != b[:-1])
    return _PairEdges(a[fresh], b[fresh], pairs.resemblance[order][fresh])


def _adjacency(pairs: _PairEdges, documents: int) -> tuple[Int64Array, Int64Array, Float64Array]:
    here = np.concatenate([pairs.a, pairs.b])
    there = np.concatenate([pairs.b, pairs.a])
    order = np.argsort(here, kind="stable")
    starts = np.zeros(documents + 1, dtype=np.int64)
    np.cumsum(np.bincount(here, minlength=documents), out=starts[1:])
    return starts, there[order], np.tile(pairs.resemblance, 2)[order]


def _gather(
    centers: list[int],
    starts: Int64Array,
    neighbours: Int64Array,
    resemblance: Float64Array,
    copies: CopyGroups,
) -> list[Group]:
    """Give every document, with its copies, to the centre it is most like; ties to the earlier."""
    best: dict[int, tuple[float, int]] = {}
    is_center = set(centers)
    for center in centers:
        own = slice(starts[center], starts[center + 1])
        for member, score in zip(neighbours[own].tolist(), resemblance[own].tolist(), strict=True):
            if member not in is_center and score > best.get(member, (-1.0, 0))[0]:
                best[member] = (score, center)
    members: dict[int, list[tuple[float, int]]] = {
        center: [(-1.0, copy) for copy in copies.of(center)[1:].tolist()] for center in centers
    }
    for member, (score, center) in best.items():
        members[center] += [(-score, copy) for copy in copies.of(member).tolist()]
    groups = [_group(center, sorted(found)) for center, found in members.items() if found]
    return sorted(groups, key=lambda group: (-len(group.members), group.center))


def _group(center: int, members: list[tuple[float, int]]) -> Group:
    scores, documents = zip(*members, strict=True)
    return Group(center, documents, tuple(-score for score in scores))
