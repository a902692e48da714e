"""Groups: every member is itself in a listed pair with the centre."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.evidence.pairs import Pairs
from core.scan.duplicates import expand_copies, group_copies, pairs_within
from core.scan.groups import group_pairs

quick = settings(deadline=None, derandomize=True, max_examples=200)


def make_pairs(rows):
    """Pairs from {(a, b): resemblance}."""
    count = len(rows)
    a, b = np.array(list(rows), dtype=np.int32).reshape(-1, 2).T
    return Pairs(
        a=a,
        b=b,
        resemblance=np.array(list(rows.values()), dtype=np.float64),
        containment_a=np.zeros(count),
        containment_b=np.zeros(count),
        estimate=np.zeros(count, dtype=np.float32),
        shared_shingles=np.zeros(count, dtype=np.int32),
        longest_run=np.zeros(count, dtype=np.int32),
        exact_duplicate=np.zeros(count, dtype=np.bool_),
        found_by=np.zeros(count, dtype=np.uint8),
    )


numbers = st.integers(0, 11)
places = st.tuples(numbers, numbers).filter(lambda pair: pair[0] < pair[1])
listed = st.dictionaries(places, st.sampled_from([0.1, 0.25, 0.5, 0.75, 0.9, 1.0]), max_size=30)


@quick
@given(listed)
def test_every_member_is_in_a_listed_pair_with_its_centre(rows):
    groups = group_pairs(make_pairs(rows), 12)

    everyone = [number for group in groups for number in (group.center, *group.members)]
    assert len(everyone) == len(set(everyone))
    for group in groups:
        assert group.members
        own = [rows[min(m, group.center), max(m, group.center)] for m in group.members]
        assert own == sorted(own, reverse=True)
    sizes = [len(group.members) for group in groups]
    assert sizes == sorted(sizes, reverse=True)


@quick
@given(listed)
def test_a_pair_is_split_only_when_one_of_it_has_a_closer_group(rows):
    groups = group_pairs(make_pairs(rows), 12)
    grouped = {number for group in groups for number in (group.center, *group.members)}
    center = {member: group.center for group in groups for member in group.members}

    for (a, b), resemblance in rows.items():
        assert a in grouped or b in grouped
        for alone, other in ((a, b), (b, a)):
            if alone not in grouped and other in center:
                there = center[other]
                assert rows[min(other, there), max(other, there)] >= resemblance


@quick
@given(listed)
def test_centres_are_in_no_pair_with_each_other(rows):
    centers = {group.center for group in group_pairs(make_pairs(rows), 12)}

    assert not any(a in centers and b in centers for a, b in rows)


def test_a_chain_is_no_group():
    chain = {(0, 1): 0.8, (1, 2): 0.8, (2, 3): 0.8}

    groups = group_pairs(make_pairs(chain), 4)

    assert [len(group.members) for group in groups] == [2]
    assert groups[0].center in {1, 2}


def test_a_long_chain_falls_into_links():
    chain = {(number, number + 1): 0.9 for number in range(99)}

    groups = group_pairs(make_pairs(chain), 100)

    assert max(len(group.members) for group in groups) == 2
    assert all(abs(m - group.center) == 1 for group in groups for m in group.members)


def test_all_alike_are_one_group():
    alike = {(a, b): 0.9 for a in range(6) for b in range(a + 1, 6)}

    [group] = group_pairs(make_pairs(alike), 8)

    assert (group.center, group.members) == (0, (1, 2, 3, 4, 5))


def test_a_document_goes_to_the_centre_it_is_most_like():
    star = {(0, 1): 0.7, (0, 2): 0.7, (0, 3): 0.3, (3, 4): 0.9, (4, 5): 0.6}

    groups = {group.center: group.members for group in group_pairs(make_pairs(star), 6)}

    assert groups == {0: (1, 2), 4: (3, 5)}


@pytest.mark.parametrize("copies", [2, 30, 31, 35, 1000])
def test_all_copies_of_a_member_are_in_its_group(copies):
    """A hub with 200 near copies, one of them with many files of the same words."""
    rows = {(0, near): 0.9 for near in range(1, 201)}
    same = [200, *range(201, 200 + copies)]
    identical = group_copies(np.array([*range(200), *(200 for _ in same)], dtype=np.int64))
    exact = list(zip(*(ends.tolist() for ends in pairs_within(identical)), strict=True))
    spread = expand_copies(identical, np.array([0]), np.array([200]))
    rows |= dict.fromkeys(zip(spread.a.tolist(), spread.b.tolist(), strict=True), 0.9)
    rows |= dict.fromkeys(exact, 1.0)
    pairs = make_pairs(rows)
    duplicate = np.array([pair in set(exact) for pair in rows])

    [group] = group_pairs(pairs.with_columns(exact_duplicate=duplicate), 200 + copies)

    assert group.center == 0
    assert sorted(group.members) == list(range(1, 200 + copies))


@pytest.mark.parametrize("copies", [5, 35, 1000])
def test_copies_of_the_centre_stand_first(copies):
    identical = group_copies(np.array([0] * copies + [copies, copies + 1]))
    exact = list(zip(*(ends.tolist() for ends in pairs_within(identical)), strict=True))
    rows = dict.fromkeys(exact, 1.0) | {(0, copies): 0.5, (0, copies + 1): 0.7}
    pairs = make_pairs(rows).with_columns(
        exact_duplicate=np.array([pair in set(exact) for pair in rows])
    )

    [group] = group_pairs(pairs, copies + 2)

    assert (group.center, group.members) == (0, (*range(1, copies), copies + 1, copies))
    assert group.resemblance == (*(1.0 for _ in range(1, copies)), 0.7, 0.5)


@pytest.mark.parametrize("documents", [0, 5])
def test_without_pairs_there_are_no_groups(documents):
    assert group_pairs(Pairs.empty(), documents) == []
