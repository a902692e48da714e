"""Copies of documents against brute force."""

from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.scan.groups import COPIES_SPELLED_OUT, expand_copies, group_copies, pairs_within

quick = settings(deadline=None, derandomize=True, max_examples=200)


@st.composite
def representatives(draw, largest=35):
    """For each document the first with the same words; groups around the limit among them."""
    sizes = draw(st.lists(st.one_of(st.integers(1, 4), st.integers(29, largest)), max_size=6))
    labels = [label for label, size in enumerate(sizes) for _ in range(size)]
    labels = draw(st.permutations(labels))
    return np.array([labels.index(label) for label in labels], dtype=np.int64)


def members_of(representative):
    groups = {}
    for document, first in enumerate(representative.tolist()):
        groups.setdefault(first, []).append(document)
    return groups


def spread(group):
    return group if len(group) <= COPIES_SPELLED_OUT else group[:1]


@quick
@given(representatives())
def test_groups_are_those_with_the_same_representative(representative):
    copies = group_copies(representative)
    groups = members_of(representative)

    for document, first in enumerate(representative.tolist()):
        start, size = copies.starts[document], copies.sizes[document]
        assert copies.members[start : start + size].tolist() == groups[first]
    assert copies.oversized().tolist() == [
        first for first, group in groups.items() if len(group) > COPIES_SPELLED_OUT
    ]


@quick
@given(representatives())
def test_pairs_of_copies(representative):
    expected = []
    for group in members_of(representative).values():
        if len(group) <= COPIES_SPELLED_OUT:
            expected += combinations(group, 2)
        else:
            expected += [(group[0], other) for other in group[1:]]

    a, b = pairs_within(group_copies(representative))

    assert sorted(zip(a.tolist(), b.tolist(), strict=True)) == sorted(expected)


@quick
@given(representatives(), st.data())
def test_pairs_of_representatives_become_pairs_of_all_copies(representative, data):
    groups = members_of(representative)
    possible = list(combinations(sorted(groups), 2))
    chosen = data.draw(st.lists(st.sampled_from(possible), max_size=4)) if possible else []
    x, y = np.array(chosen, dtype=np.int64).reshape(-1, 2).T

    found = expand_copies(group_copies(representative), x, y)

    expected = Counter(
        (min(one, other), max(one, other), row, one > other)
        for row, (first, second) in enumerate(chosen)
        for one in spread(groups[first])
        for other in spread(groups[second])
    )
    assert Counter(zip(*(column.tolist() for column in found), strict=True)) == expected


@pytest.mark.parametrize(
    ("count", "within", "across"), [(1, 0, 1), (2, 1, 2), (30, 435, 30), (31, 30, 1), (100, 99, 1)]
)
def test_the_limit_is_30_copies(count, within, across):
    copies = group_copies(np.array([0] + [1] * count, dtype=np.int64))

    assert len(pairs_within(copies)[0]) == within
    assert len(expand_copies(copies, np.array([0]), np.array([1])).a) == across
    assert len(copies.oversized()) == (count > 30)


def test_nothing_to_group():
    copies = group_copies(np.empty(0, dtype=np.int64))

    assert len(copies.members) == len(copies.oversized()) == len(pairs_within(copies)[0]) == 0
