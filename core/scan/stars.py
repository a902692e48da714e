"""Stars of documents that are all different: which are centres, and who is around each.

See `core.scan.groups`, which puts documents with the same words together before.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np

from core.base.arrays import BoolArray, Float64Array, Int64Array

Assigned: TypeAlias = tuple[Int64Array, Int64Array, Float64Array]  # members, centres, resemblance
Likeness: TypeAlias = tuple[int, float]  # a document, and how much another is like it

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

    def assigned(self, chosen: Collection[int] = ()) -> Assigned:
        """Members, the centre that each is most like, and how much; ties to the earlier centre.

        A document whose neighbours are all around other centres is not left out: it goes with the
        neighbour that it is most like (see `with_everyone`).

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
        return self._with_everyone(
            turn, chosen, (members[best], centres[order][best], scores[order][best])
        )

    def _with_everyone(
        self, turn: Int64Array, chosen: Collection[int], assigned: Assigned
    ) -> Assigned:
        """Bring those who are in no star into one, by `with_everyone`."""
        members, centres, scores = assigned
        is_left_out = (turn >= 0) & (np.diff(self.starts) > 0)
        is_left_out[centres] = False
        left_out = np.flatnonzero(is_left_out)
        if not len(left_out):
            return assigned
        left_out = left_out[np.argsort(turn[left_out])]
        likeness = zip(centres.tolist(), scores.tolist(), strict=True)
        stars = dict(zip(members.tolist(), likeness, strict=True))
        sizes = dict(enumerate(np.bincount(centres, minlength=len(turn)).tolist()))
        changed = stars | with_everyone(
            left_out.tolist(), self._most_alike_first, stars, sizes, chosen
        )
        rows = [(member, *star) for member, star in sorted(changed.items()) if star]
        table = np.array(rows, dtype=np.float64).reshape(-1, 3)
        return table[:, 0].astype(np.int64), table[:, 1].astype(np.int64), table[:, 2]

    def _most_alike_first(self, number: int) -> list[Likeness]:
        around = slice(self.starts[number], self.starts[number + 1])
        neighbours, resemblance = self.neighbours[around], self.resemblance[around]
        order = np.lexsort((self.rank[neighbours], -self.weight[neighbours], -resemblance))
        return list(zip(neighbours[order].tolist(), resemblance[order].tolist(), strict=True))

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


def with_everyone(
    left_out: Sequence[int],
    around: Callable[[int], Sequence[Likeness]],
    stars: Mapping[int, Likeness],
    sizes: Mapping[int, int],
    chosen: Collection[int] = (),
) -> dict[int, Likeness | None]:
    """What changes so that a document that is in a pair is in a star.

    A document that is left out goes with the neighbour that it is most like: it takes it away from
    a star that has other members, and of a star of two the neighbour becomes the centre of all
    three. A star around a chosen document loses nobody, and a chosen document stays a centre.

    Args:
        left_out: Documents without a star, in the order in which they may take one.
        around: The neighbours of a document, the most similar one first.
        stars: Of each of these neighbours its centre.
        sizes: Of each of these centres the number of its members.
        chosen: Documents that were chosen as centres.

    Returns:
        The new centre of each document that has one, None for one that is a centre now.
    """
    changed: dict[int, Likeness | None] = {}
    left, waiting = dict(sizes), deque(left_out)
    while waiting:
        document = waiting.popleft()
        for neighbour, resemblance in around(document):
            star = changed.get(neighbour, stars.get(neighbour))
            if star is None:  # a centre
                if neighbour in chosen or document in chosen:
                    continue
                changed[document] = neighbour, resemblance
                break
            centre, own = star
            if centre in chosen:
                continue
            if left[centre] > 1 or document in chosen:
                changed[neighbour] = document, resemblance
                left[centre] -= 1
                left[document] = 1
                if not left[centre]:
                    waiting.append(centre)
            else:
                changed[neighbour] = None
                changed[centre], changed[document] = (neighbour, own), (neighbour, resemblance)
            break
    return changed


def _adjacency(edges: Edges, documents: int) -> tuple[Int64Array, Int64Array, Float64Array]:
    here = np.concatenate([edges.a, edges.b])
    there = np.concatenate([edges.b, edges.a])
    order = np.argsort(here, kind="stable")
    starts = np.zeros(documents + 1, dtype=np.int64)
    np.cumsum(np.bincount(here, minlength=documents), out=starts[1:])
    return starts, there[order], np.tile(edges.resemblance, 2)[order]
