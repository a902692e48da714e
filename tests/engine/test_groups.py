"""Groups: every member is itself in a listed pair with the centre."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.groups import group_pairs
from core.pairs import Pairs

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


@pytest.mark.parametrize("documents", [0, 5])
def test_without_pairs_there_are_no_groups(documents):
    assert group_pairs(Pairs.empty(), documents) == []
