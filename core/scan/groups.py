"""Pairs to groups that do not daisy-chain.

Star clustering (Aslam, Pelekhov, Rus 2004): the document with the most similar documents around it
becomes the centre of a group, and every member of the group is itself in a listed pair with the
centre. So A like B and B like C never puts A and C together unless one document is like both.

Documents belong together where they share a good part of their text: a pair below a rank score of
.10, which shares a passage in two long texts or a formula, is listed and makes no group. Measured
where the families are known, members that are of another one than their centre: terms of service 80
of 159 with all pairs, 42 of 145 so; Chinese laws 36 that nobody knows, 3 so, and 43 of the same law
instead of 37; of 57 answers on one text each 0.

Documents with the same words go together, all of them as one member of one group: of many copies a
list pairs only the first with other documents, so that the first stands for all here.

Documents that somebody chose are centres before all others. Where the pairs do not say which of two
documents comes first, what they are known by does, and not their place in the list: files that
have other names or come in another order make the same groups.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np

from core.base.arrays import Int64Array
from core.documents import Document
from core.documents.keys import text_key
from core.evidence.pairs import Pairs
from core.scan.duplicates import CopyGroups, group_copies
from core.scan.judgements import Judgements
from core.scan.stars import Edges, Stars
from core.scan.text_history import earlier_texts

LEAST_RANK_SCORE = 0.1


class Member(NamedTuple):
    """A document of a group.

    Attributes:
        document: Its number; of copies that of the first.
        resemblance: To the centre.
        copies: The other documents with the same words.
    """

    document: int
    resemblance: float
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
        others = ((one.document, *one.copies) for one in self.members)
        return (self.centre, *self.copies, *chain.from_iterable(others))

    @property
    def size(self) -> int:
        """Number of its documents."""
        return 1 + len(self.copies) + sum(1 + len(one.copies) for one in self.members)


def group_documents(
    pairs: Pairs, documents: Sequence[Document], judgements: Judgements
) -> list[Group]:
    """The groups of the documents of a list, around the centres that were chosen."""
    keys = [text_key(one) for one in documents]
    return group_pairs(pairs, keys, set(_chosen(keys, judgements)))


def _chosen(keys: Sequence[str], judgements: Judgements) -> Iterator[str]:
    """The texts that were chosen, also where they were edited since."""
    wanted = set(judgements.centres.values())
    for key in keys if wanted else ():
        before = earlier_texts(judgements.earlier, key) if key in judgements.earlier else ()
        if key in wanted or any(one.text in wanted for one in before):
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
    found: dict[str, int] = {}
    for number, key in enumerate(keys):
        if key in wanted and stars.weight[copies.first[number]] > 0:
            found.setdefault(key, int(copies.first[number]))
    return sorted(
        set(found.values()), key=lambda number: (-stars.weight[number], stars.rank[number])
    )


class _Copies(NamedTuple):
    """Documents with the same words, and the stars around the first ones.

    Attributes:
        first: int64, by document: the first of its copies.
        copies: The groups of these.
        stars: Who is around each first copy, whoever is a centre.
    """

    first: Int64Array
    copies: CopyGroups
    stars: Stars

    @staticmethod
    def of(pairs: Pairs, keys: Sequence[str]) -> _Copies:
        """Look at all pairs once."""
        documents = len(keys)
        first = _first_copies(pairs, documents)
        copies = group_copies(first)
        own = first == np.arange(documents)
        rank = np.empty(documents, dtype=np.int64)
        rank[sorted(range(documents), key=keys.__getitem__)] = np.arange(documents)
        np.minimum.at(rank, first, rank.copy())  # of copies, whichever is the first of the list
        others = np.where(own, copies.sizes - 1, 0)
        stars = Stars.of(_between_first(pairs, first), others, rank)
        return _Copies(first, copies, stars)

    def groups(self, chosen: Collection[int]) -> list[Group]:
        """The groups around some chosen centres and those that the pairs make."""
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
            for centre, start, end in zip(around.tolist(), low, high, strict=True)
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
    fresh = np.ones(len(a), dtype=np.bool_)
    fresh[1:] = (a[1:] != a[:-1]) | (b[1:] != b[:-1])
    return Edges(a[fresh], b[fresh], pairs.resemblance[order][fresh])
