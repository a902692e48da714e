"""Stars of documents that are all different: which are centres, and who is around each.

See `core.scan.groups`, which puts documents with the same words together before.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

import numpy as np

from core.base.arrays import BoolArray, Float64Array, Int64Array

__all__ = ["Edges", "Stars"]

FINE = 1 << 20  # resemblances are added as whole numbers: the sum is the same in any order


class Edges(NamedTuple):
    """Pairs of different documents, each once, with their resemblance."""

    a: Int64Array
    b: Int64Array
    resemblance: Float64Array


class Stars(NamedTuple):
    """Who is around each document, whoever is a centre.

    Attributes:
        starts: int64, by document: where its neighbours begin.
        neighbours: int64, those in a pair with each.
        resemblance: float64, to each neighbour.
        weight: int64, by document: how much is around it; 0 for one that is in no pair.
        rank: int64, by document: which of two comes first where nothing else decides.
    """

    starts: Int64Array
    neighbours: Int64Array
    resemblance: Float64Array
    weight: Int64Array
    rank: Int64Array

    @staticmethod
    def of(edges: Edges, copies: Int64Array, rank: Int64Array) -> Stars:
        """Look at all pairs once.

        Args:
            edges: Pairs of documents.
            copies: int64, by document: how many others it stands for.
            rank: See the attributes.
        """
        starts, neighbours, resemblance = _adjacency(edges, len(rank))
        worth = np.rint(FINE * resemblance).astype(np.int64) * (1 + copies[neighbours])
        total = np.concatenate([[0], np.cumsum(worth)])
        weight = total[starts[1:]] - total[starts[:-1]] + FINE * copies
        return Stars(starts, neighbours, resemblance, weight, rank)

    def assigned(self, chosen: Collection[int] = ()) -> tuple[Int64Array, Int64Array, Float64Array]:
        """Members, the centre that each is most like, and how much; ties to the earlier centre.

        Args:
            chosen: Documents that are centres before all others, the first one first.
        """
        turn = self._turns(chosen)
        here = np.repeat(np.arange(len(turn), dtype=np.int64), np.diff(self.starts))
        around = (turn[here] >= 0) & (turn[self.neighbours] < 0)
        if chosen:
            around &= ~(self._left_over(turn, chosen)[here] & self._near(chosen)[self.neighbours])
        centres, members = here[around], self.neighbours[around]
        scores = self.resemblance[around]
        order = np.lexsort((turn[centres], -scores, members))
        members = members[order]
        best = np.ones(len(members), dtype=np.bool_)
        best[1:] = members[1:] != members[:-1]
        return members[best], centres[order][best], scores[order][best]

    def _turns(self, chosen: Collection[int]) -> Int64Array:
        """By document: 0 for the first centre, 1 for the next, -1 for who is none."""
        taken = np.zeros(len(self.rank), dtype=np.bool_)
        centres = list(chosen)
        for number in centres:
            taken[number] = True
            taken[self._around(number)] = True
        order = np.lexsort((self.rank, -self.weight))
        for number in order[self.weight[order] > 0].tolist():
            if not taken[number]:
                taken[number] = True
                taken[self._around(number)] = True
                centres.append(number)
        turn = np.full(len(self.rank), -1, dtype=np.int64)
        turn[centres] = np.arange(len(centres))
        return turn

    def _left_over(self, turn: Int64Array, chosen: Collection[int]) -> BoolArray:
        """Centres only because the one they would be around is not: they get what others leave."""
        left: BoolArray = (turn >= 0) & (self._turns(()) < 0)
        left[list(chosen)] = False
        return left

    def _near(self, chosen: Collection[int]) -> BoolArray:
        near = np.zeros(len(self.rank), dtype=np.bool_)
        for number in chosen:
            near[self._around(number)] = True
        return near

    def _around(self, number: int) -> Int64Array:
        """The neighbours of a document."""
        return self.neighbours[self.starts[number] : self.starts[number + 1]]


def _adjacency(edges: Edges, documents: int) -> tuple[Int64Array, Int64Array, Float64Array]:
    here = np.concatenate([edges.a, edges.b])
    there = np.concatenate([edges.b, edges.a])
    order = np.argsort(here, kind="stable")
    starts = np.zeros(documents + 1, dtype=np.int64)
    np.cumsum(np.bincount(here, minlength=documents), out=starts[1:])
    return starts, there[order], np.tile(edges.resemblance, 2)[order]
