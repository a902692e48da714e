"""Pairs to groups that do not daisy-chain.

Star clustering (Aslam, Pelekhov, Rus 2004): the document with the most similar documents around it
becomes the centre of a group, and every member of the group is itself in a listed pair with the
centre. So A like B and B like C never puts A and C together unless one document is like both.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from core.pairs import Pairs

__all__ = ["Group", "group_pairs"]


class Group(NamedTuple):
    """A centre and its members, most similar to the centre first; the centre is not repeated."""

    center: int
    members: tuple[int, ...]


def group_pairs(pairs: Pairs, documents: int) -> list[Group]:
    """The groups of two or more documents, largest first; every document is in at most one.

    Args:
        pairs: Listed pairs.
        documents: Number of documents the indices of the pairs refer to.
    """
    starts, neighbours, resemblance = _adjacency(pairs, documents)
    weight = np.zeros(documents)
    np.add.at(weight, pairs.a, pairs.resemblance)
    np.add.at(weight, pairs.b, pairs.resemblance)
    taken = np.zeros(documents, dtype=np.bool_)
    centers: list[int] = []
    for document in np.argsort(-weight, kind="stable"):
        if weight[document] == 0:
            break
        if not taken[document]:
            taken[document] = True
            taken[neighbours[starts[document] : starts[document + 1]]] = True
            centers.append(int(document))
    return _gather(centers, starts, neighbours, resemblance)


def _adjacency(
    pairs: Pairs, documents: int
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int32], npt.NDArray[np.float64]]:
    """Both directions of all pairs, by document."""
    here = np.concatenate([pairs.a, pairs.b])
    there = np.concatenate([pairs.b, pairs.a])
    order = np.argsort(here, kind="stable")
    starts = np.zeros(documents + 1, dtype=np.int64)
    np.cumsum(np.bincount(here, minlength=documents), out=starts[1:])
    return starts, there[order], np.tile(pairs.resemblance, 2)[order]


def _gather(
    centers: list[int],
    starts: npt.NDArray[np.int64],
    neighbours: npt.NDArray[np.int32],
    resemblance: npt.NDArray[np.float64],
) -> list[Group]:
    """Give every document to the centre it is most like; ties go to the earlier centre."""
    best: dict[int, tuple[float, int]] = {}
    is_center = set(centers)
    for center in centers:
        own = slice(starts[center], starts[center + 1])
        for member, score in zip(neighbours[own].tolist(), resemblance[own].tolist(), strict=True):
            if member not in is_center and score > best.get(member, (-1.0, 0))[0]:
                best[member] = (score, center)
    members: dict[int, list[tuple[float, int]]] = {center: [] for center in centers}
    for member, (score, center) in best.items():
        members[center].append((-score, member))
    groups = [
        Group(center, tuple(member for _, member in sorted(found)))
        for center, found in members.items()
        if found
    ]
    return sorted(groups, key=lambda group: (-len(group.members), group.center))
