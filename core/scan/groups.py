"""Pairs to groups that do not daisy-chain.

Star clustering (Aslam, Pelekhov, Rus 2004): the document with the most similar documents around it
becomes the centre of a group, and every member of the group is itself in a listed pair with the
centre. So A like B and B like C never puts A and C together unless one document is like both.

Documents belong together where they share a good part of their text: a pair below a rank score of
.10, which shares a passage in two long texts or a formula, is listed and makes no group. Measured
where the families are known, members of another family than their centre: terms of service 80 of
159 with all pairs, 42 of 145 so; Chinese laws 36 of unknown families, 3 so, and 43 of the same law
instead of 37; of 57 answers on one text each 0.

Documents with the same words go together, all of them as one member of one group: of many copies a
list pairs only the first with other documents, so that the first stands for all here.

Documents that somebody chose are centres before all others. Where the pairs do not say which of two
documents comes first, their keys do, and not their numbers in the list: files that have other names
or come in another order make the same groups.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import chain
from typing import NamedTuple, TypeAlias

import numpy as np

from core.base.arrays import BoolArray, Float64Array, Int64Array, begins_run
from core.base.tasks import stoppable
from core.documents.model import Document, text_key
from core.evidence.pairs import Pairs
from core.scan.copies import CopyGroups, group_copies
from core.scan.judgements import Judgements, earlier_texts

Assigned: TypeAlias = tuple[Int64Array, Int64Array, Float64Array]  # members, centres, score
Likeness: TypeAlias = tuple[int, float]  # a document, and how much another is like it

FINE = 1 << 20  # scores are added as whole numbers: the sum is the same in any order


class Edges(NamedTuple):
    """Pairs of different documents, each once, with their rank score (`Pairs.rank_score`)."""

    a: Int64Array
    b: Int64Array
    score: Float64Array


class StarNeighbours(NamedTuple):
    """The neighbours of each document, whichever documents are centres.

    Attributes:
        starts: int64, by document: where its neighbours begin.
        neighbours: int64, those in a pair with each.
        score: float64, of the pair with each neighbour.
        weight: int64, by document: how much is around it; 0 for one that is in no pair.
        rank: int64, by document: which of two comes first where nothing else decides.
    """

    starts: Int64Array
    neighbours: Int64Array
    score: Float64Array
    weight: Int64Array
    rank: Int64Array

    @staticmethod
    def of(edges: Edges, copies: Int64Array, rank: Int64Array) -> StarNeighbours:
        """Make the stars of all pairs.

        Args:
            edges: Pairs of documents.
            copies: int64, by document: how many others it stands for.
            rank: See the attributes.
        """
        starts, neighbours, score = _adjacency(edges, len(rank))
        worth = np.rint(FINE * score).astype(np.int64) * (1 + copies[neighbours])
        total = np.concatenate([[0], np.cumsum(worth)])
        weight = total[starts[1:]] - total[starts[:-1]] + FINE * copies
        return StarNeighbours(starts, neighbours, score, weight, rank)

    def assigned(self, chosen: Collection[int] = ()) -> Assigned:
        """Members, the centre that each is most like, and how much; ties to the earlier centre.

        A document whose neighbours are all around other centres is not left out: it goes with the
        neighbour that it is most like (see `star_for_each`).

        Args:
            chosen: Documents that are centres before all others, the first one first.
        """
        turn = self._turns(chosen)
        owners = np.repeat(np.arange(len(turn), dtype=np.int64), np.diff(self.starts))
        around = (turn[owners] >= 0) & (turn[self.neighbours] < 0)
        if chosen:
            around &= ~(self._left_over(turn, chosen)[owners] & self._near(chosen)[self.neighbours])
        centres, members = owners[around], self.neighbours[around]
        scores = self.score[around]
        order = np.lexsort((turn[centres], -scores, members))
        members = members[order]
        best = begins_run(members)
        return self._star_for_each(
            turn, chosen, (members[best], centres[order][best], scores[order][best])
        )

    def _star_for_each(
        self, turn: Int64Array, chosen: Collection[int], assigned: Assigned
    ) -> Assigned:
        """Put the documents that are in no star into one, by `star_for_each`."""
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
        changed = stars | star_for_each(
            left_out.tolist(), self._most_alike_first, stars, sizes, chosen
        )
        rows = [(member, *star) for member, star in sorted(changed.items()) if star]
        table = np.array(rows, dtype=np.float64).reshape(-1, 3)
        return table[:, 0].astype(np.int64), table[:, 1].astype(np.int64), table[:, 2]

    def _most_alike_first(self, number: int) -> list[Likeness]:
        around = slice(self.starts[number], self.starts[number + 1])
        neighbours, score = self.neighbours[around], self.score[around]
        order = np.lexsort((self.rank[neighbours], -self.weight[neighbours], -score))
        return list(zip(neighbours[order].tolist(), score[order].tolist(), strict=True))

    def _turns(self, chosen: Collection[int]) -> Int64Array:
        """By document: 0 for the first centre, 1 for the next, -1 for a document that is none."""
        taken = np.zeros(len(self.rank), dtype=np.bool_)
        centres = list(chosen)
        for number in centres:
            taken[number] = True
            taken[self._around(number)] = True
        order = np.lexsort((self.rank, -self.weight))
        for number in stoppable(order[self.weight[order] > 0].tolist()):
            if not taken[number]:
                taken[number] = True
                taken[self._around(number)] = True
                centres.append(number)
        turn = np.full(len(self.rank), -1, dtype=np.int64)
        turn[centres] = np.arange(len(centres))
        return turn

    def _left_over(self, turn: Int64Array, chosen: Collection[int]) -> BoolArray:
        """Centres only because the centre of their star is none: they get what others leave."""
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


def star_for_each(
    left_out: Sequence[int],
    around: Callable[[int], Sequence[Likeness]],
    stars: Mapping[int, Likeness],
    sizes: Mapping[int, int],
    chosen: Collection[int] = (),
) -> dict[int, Likeness | None]:
    """Changes the stars so that each document that is in a pair is in a star.

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
    members_left, waiting = dict(sizes), deque(left_out)
    while waiting:
        document = waiting.popleft()
        for neighbour, score in around(document):
            star = changed.get(neighbour, stars.get(neighbour))
            if star is None:  # a centre
                if neighbour in chosen or document in chosen:
                    continue
                changed[document] = neighbour, score
                break
            centre, centre_score = star
            if centre in chosen:
                continue
            if members_left[centre] > 1 or document in chosen:
                changed[neighbour] = document, score
                members_left[centre] -= 1
                members_left[document] = 1
                if not members_left[centre]:
                    waiting.append(centre)
            else:
                changed[neighbour] = None
                changed[centre], changed[document] = (neighbour, centre_score), (neighbour, score)
            break
    return changed


def _adjacency(edges: Edges, documents: int) -> tuple[Int64Array, Int64Array, Float64Array]:
    sources = np.concatenate([edges.a, edges.b])
    targets = np.concatenate([edges.b, edges.a])
    order = np.argsort(sources, kind="stable")
    starts = np.zeros(documents + 1, dtype=np.int64)
    np.cumsum(np.bincount(sources, minlength=documents), out=starts[1:])
    return starts, targets[order], np.tile(edges.score, 2)[order]


LEAST_RANK_SCORE = 0.1


class Member(NamedTuple):
    """A document of a group.

    Attributes:
        document: Its number; of copies that of the first.
        score: Of its pair with the centre (`Pairs.rank_score`): the overlap, where it was measured.
        copies: The other documents with the same words.
    """

    document: int
    score: float
    copies: tuple[int, ...] = ()


class Group(NamedTuple):
    """A centre and its members, most similar to the centre first; the centre is not repeated.

    Attributes:
        centre: The number of the document; of copies that of the first.
        copies: The other documents with the words of the centre.
        members: All others.
        is_chosen: Whether somebody chose the centre.
    """

    centre: int
    copies: tuple[int, ...]
    members: tuple[Member, ...]
    is_chosen: bool = False

    @property
    def documents(self) -> tuple[int, ...]:
        """All of its documents, with the copies."""
        of_members = ((member.document, *member.copies) for member in self.members)
        return (self.centre, *self.copies, *chain.from_iterable(of_members))

    @property
    def size(self) -> int:
        """Number of its documents."""
        return 1 + len(self.copies) + sum(1 + len(member.copies) for member in self.members)


def group_documents(
    pairs: Pairs, documents: Sequence[Document], judgements: Judgements
) -> list[Group]:
    """The groups of the documents of a list, around the centres that were chosen."""
    keys = [text_key(document) for document in stoppable(documents)]
    return group_pairs(pairs, keys, set(_chosen(keys, judgements)))


def _chosen(keys: Sequence[str], judgements: Judgements) -> Iterator[str]:
    """The texts that were chosen, also where they were edited since."""
    wanted = set(judgements.centres.values())
    for key in keys if wanted else ():
        before = earlier_texts(judgements.earlier, key) if key in judgements.earlier else ()
        if key in wanted or any(earlier.text in wanted for earlier in before):
            yield key


def group_pairs(pairs: Pairs, keys: Sequence[str], chosen: Collection[str] = ()) -> list[Group]:
    """The groups of two or more documents, largest first; every document is in at most one.

    Args:
        pairs: Listed pairs.
        keys: What each document is known by, one for each number that the pairs refer to.
        chosen: The keys of documents that are to be centres; one that is in no pair is none.
    """
    copies = _Copies.of(pairs, keys)
    numbers = _numbers_of(keys, chosen, copies)
    while True:
        groups = copies.groups(numbers)
        centres = {group.centre for group in groups}
        kept = [number for number in numbers if number in centres]
        if len(kept) == len(numbers):
            return groups
        numbers = kept  # all around this one are closer to other centres: it is a member there


def _numbers_of(keys: Sequence[str], chosen: Collection[str], copies: _Copies) -> list[int]:
    """One document for each key that was chosen: the first copy, if it is in a pair."""
    if not chosen:
        return []
    wanted, stars = set(chosen), copies.stars
    numbers: dict[str, int] = {}
    for number, key in enumerate(keys):
        if key in wanted and stars.weight[copies.first[number]] > 0:
            numbers.setdefault(key, int(copies.first[number]))
    return sorted(
        set(numbers.values()), key=lambda number: (-stars.weight[number], stars.rank[number])
    )


class _Copies(NamedTuple):
    """Documents with the same words, and the stars around the first ones.

    Attributes:
        first: int64, by document: the first of its copies.
        copies: The groups of these.
        stars: The neighbours of each first copy.
    """

    first: Int64Array
    copies: CopyGroups
    stars: StarNeighbours

    @staticmethod
    def of(pairs: Pairs, keys: Sequence[str]) -> _Copies:
        """Make the stars of all pairs."""
        documents = len(keys)
        first = _first_copies(pairs, documents)
        copies = group_copies(first)
        is_first = first == np.arange(documents)
        rank = np.empty(documents, dtype=np.int64)
        rank[sorted(range(documents), key=keys.__getitem__)] = np.arange(documents)
        np.minimum.at(rank, first, rank.copy())  # of copies, whichever is the first of the list
        copy_counts = np.where(is_first, copies.sizes - 1, 0)
        stars = StarNeighbours.of(_between_first(pairs, first), copy_counts, rank)
        return _Copies(first, copies, stars)

    def groups(self, chosen: Collection[int]) -> list[Group]:
        """The groups around the chosen centres and those that the pairs make."""
        members, centres, scores = self.stars.assigned(chosen)
        order = np.lexsort((members, -scores, centres))
        members, centres, scores = members[order], centres[order], scores[order]
        alone = np.flatnonzero((self.first == np.arange(len(self.first))) & (self.copies.sizes > 1))
        alone = alone[~np.isin(alone, members)]
        around = np.union1d(centres, alone)
        low = np.searchsorted(centres, around).tolist()
        high = np.searchsorted(centres, around, side="right").tolist()
        groups = [
            Group(
                centre,
                self._other_copies(centre),
                tuple(
                    Member(member, score, self._other_copies(member))
                    for member, score in zip(
                        members[start:end].tolist(), scores[start:end].tolist(), strict=True
                    )
                ),
                centre in chosen,
            )
            for centre, start, end in stoppable(zip(around.tolist(), low, high, strict=True))
        ]
        return sorted(groups, key=lambda group: (-group.size, group.centre))

    def _other_copies(self, document: int) -> tuple[int, ...]:
        if self.copies.sizes[document] == 1:
            return ()
        return tuple(self.copies.of(document)[1:].tolist())


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


def _between_first(pairs: Pairs, first: Int64Array) -> Edges:
    a = np.minimum(first[pairs.a], first[pairs.b])
    b = np.maximum(first[pairs.a], first[pairs.b])
    order = np.lexsort((b, a))
    makes_group = (a != b) & (pairs.rank_score >= LEAST_RANK_SCORE)
    order = order[makes_group[order]]
    a, b = a[order], b[order]
    is_first = begins_run(a, b)
    return Edges(a[is_first], b[is_first], pairs.rank_score[order][is_first])
