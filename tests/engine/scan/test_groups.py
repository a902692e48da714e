"""Groups: every member is itself in a listed pair with the centre."""

from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.documents.model import Document
from core.scan.copies import COPIES_SPELLED_OUT, expand_copies, group_copies, pairs_within
from core.scan.groups import group_documents, group_pairs
from core.scan.judgements import EarlierText, Judgements
from tests.pairs import pairs_with

quick = settings(derandomize=True, max_examples=200)


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
            expected += [(group[0], copy) for copy in group[1:]]

    a, b = pairs_within(group_copies(representative))

    assert sorted(zip(a.tolist(), b.tolist(), strict=True)) == sorted(expected)


@quick
@given(representatives(), st.data())
def test_pairs_of_representatives_become_pairs_of_all_copies(representative, data):
    groups = members_of(representative)
    possible = list(combinations(sorted(groups), 2))
    chosen = data.draw(st.lists(st.sampled_from(possible), max_size=4)) if possible else []
    x, y = np.array(chosen, dtype=np.int64).reshape(-1, 2).T

    expanded = expand_copies(group_copies(representative), x, y)

    expected = Counter(
        (min(a, b), max(a, b), row, a > b)
        for row, (first, second) in enumerate(chosen)
        for a in spread(groups[first])
        for b in spread(groups[second])
    )
    assert Counter(zip(*(column.tolist() for column in expanded), strict=True)) == expected


def keys_of(documents):
    """What documents are known by; in another order than their numbers."""
    return [f"{(7 * number) % 101:03}-{number}" for number in range(documents)]


def group(rows, documents, chosen=()):
    """The groups of {(a, b): score}; a score of 2 stands for the same words."""
    keys = keys_of(documents)
    return group_pairs(make_pairs(rows), keys, [keys[number] for number in chosen])


def around(group):
    """The scores of a group by member."""
    return {member.document: member.score for member in group.members}


def make_pairs(rows):
    """Pairs from {(a, b): resemblance}; 2 stands for the same words."""
    values = np.array(list(rows.values()), dtype=np.float64)
    both = np.array(list(rows), dtype=np.int32).reshape(-1, 2).T
    return pairs_with(*both, resemblance=np.minimum(values, 1), exact_duplicate=values > 1)


numbers = st.integers(0, 11)
pairs_of_numbers = st.tuples(numbers, numbers).filter(lambda pair: pair[0] < pair[1])
listed = st.dictionaries(
    pairs_of_numbers, st.sampled_from([0.1, 0.25, 0.5, 0.75, 0.9, 1.0]), max_size=30
)
choices = st.sets(numbers, max_size=4)


@st.composite
def listed_with_copies(draw):
    """Pairs as a scan lists them: of some documents there are copies, in pairs like them."""
    rows = draw(listed)
    copied = draw(st.dictionaries(numbers, st.integers(1, 3), max_size=3))
    same, last = {}, 12
    for number, count in copied.items():
        same[number] = [number, *range(last, last + count)]
        last += count
    spread = {}
    for (a, b), resemblance in rows.items():
        for copy_a in same.get(a, [a]):
            for copy_b in same.get(b, [b]):
                spread[min(copy_a, copy_b), max(copy_a, copy_b)] = resemblance
    for copies in same.values():
        spread |= {(a, b): 2 for a in copies for b in copies if a < b}
    return spread, last


@quick
@given(listed_with_copies(), choices)
def test_every_member_is_in_a_listed_pair_with_its_centre(drawn, chosen):
    rows, documents = drawn

    groups = group(rows, documents, chosen)

    everyone = [number for group in groups for number in group.documents]
    assert len(everyone) == len(set(everyone))
    for member_group in groups:
        assert member_group.size == len(member_group.documents) > 1
        for member in member_group.members:
            for copy in (member.document, *member.copies):
                pair = min(copy, member_group.centre), max(copy, member_group.centre)
                assert rows[pair] == member.score
            assert all(rows[member.document, copy] == 2 for copy in member.copies)
        assert all(rows[member_group.centre, copy] == 2 for copy in member_group.copies)
        scores = [member.score for member in member_group.members]
        assert scores == sorted(scores, reverse=True)
    sizes = [group.size for group in groups]
    assert sizes == sorted(sizes, reverse=True)


@quick
@given(listed_with_copies(), choices, st.randoms(use_true_random=False))
def test_the_order_of_the_files_does_not_matter(drawn, chosen, random):
    rows, documents = drawn
    keys = keys_of(documents)
    order = list(range(documents))
    random.shuffle(order)
    moved = {
        (min(order[a], order[b]), max(order[a], order[b])): value for (a, b), value in rows.items()
    }
    moved = dict(random.sample(list(moved.items()), len(moved)))
    moved_keys = [keys[order.index(number)] for number in range(documents)]
    chosen_keys = [keys[number] for number in chosen]

    def seen(groups, keys):
        return {
            (
                frozenset(keys[number] for number in (group.centre, *group.copies)),
                frozenset(keys[number] for number in group.documents),
                tuple(member.score for member in group.members),
                group.is_chosen,
            )
            for group in groups
        }

    before = group_pairs(make_pairs(rows), keys, chosen_keys)
    after = group_pairs(make_pairs(moved), moved_keys, chosen_keys)

    assert seen(before, keys) == seen(after, moved_keys)


@quick
@given(listed_with_copies())
def test_every_document_of_a_pair_is_in_a_group(drawn):
    rows, documents = drawn

    grouped = {number for group in group(rows, documents) for number in group.documents}

    assert grouped == {number for pair in rows for number in pair}


@quick
@given(listed, numbers)
def test_a_chosen_member_becomes_the_centre_and_keeps_the_former_one(rows, chosen):
    before = group(rows, 12)
    groups_with_chosen = [group for group in before if chosen in group.documents]
    after = {group.centre: group for group in group(rows, 12, [chosen])}

    if groups_with_chosen:
        assert after[chosen].is_chosen
        assert groups_with_chosen[0].centre in after[chosen].documents


@pytest.mark.parametrize("documents", [*range(2, 12), 100])
def test_a_chain_falls_into_links_and_nobody_is_left_out(documents):
    chain = {(number, number + 1): 0.327 for number in range(documents - 1)}

    groups = group(chain, documents)

    assert max(len(group.members) for group in groups) <= 2
    assert all(abs(m.document - group.centre) == 1 for group in groups for m in group.members)
    assert sum(group.size for group in groups) == documents


STAR = {(0, 1): 0.9, (0, 2): 0.8, (0, 3): 0.7, (1, 2): 0.6, (3, 4): 0.5}
TRIANGLE = {(0, 1): 0.9, (0, 2): 0.8, (1, 2): 0.7}


@pytest.mark.parametrize(
    ("rows", "chosen", "expected"),
    [
        # 1 is most like 3, which has no other member, and 0 has nobody but 1.
        ({(0, 1): 0.1, (1, 2): 0.1, (1, 3): 0.25, (2, 4): 0.5}, [], {1: [3, 0], 2: [4]}),
        # Each goes to the centre that it is most like.
        (
            {(0, 1): 0.7, (0, 2): 0.7, (0, 3): 0.3, (3, 4): 0.9, (4, 5): 0.6},
            [],
            {0: [1, 2], 4: [3, 5]},
        ),
        (STAR, [], {0: [1, 2], 4: [3]}),
        (STAR, [1], {1: [0, 2], 3: [4]}),
        # Two that were chosen are centres though they are a pair; without neighbours, one is.
        ({(0, 1): 0.9, (0, 2): 0.8, (1, 3): 0.7}, [0, 1], {0: [2], 1: [3]}),
        (TRIANGLE, [0, 1], {0: [1, 2]}),
    ],
)
def test_a_document_is_in_the_group_of_the_centre_it_is_most_like(rows, chosen, expected):
    documents = 1 + max(number for pair in rows for number in pair)

    assert {one.centre: list(around(one)) for one in group(rows, documents, chosen)} == expected


def test_incidental_overlap_makes_no_group():
    rows = {(0, 1): 0.02, (1, 2): 0.04, (2, 3): 0.3}
    pairs = make_pairs(rows).with_columns(overlap=np.array([0.02, 0.15, 0.4]))

    [only_group] = group_pairs(pairs, keys_of(4))

    assert sorted(only_group.documents) == [1, 2, 3]


def test_equal_scores_make_one_group_around_the_first_key():
    alike = {(a, b): 0.9 for a in range(6) for b in range(a + 1, 6)}

    [only_group] = group_pairs(make_pairs(alike), ["f", "e", "d", "a", "c", "b", "g", "h"])

    assert only_group.centre == 3
    assert [member.document for member in only_group.members] == [0, 1, 2, 4, 5]


def test_a_text_that_was_edited_stays_the_centre_that_was_chosen():
    documents = [Document(key, key, 1, 0, key, "text", "utf-8", 1, text_hash=key) for key in "abc"]
    chosen = Judgements(centres={"a": "old"}, earlier={"c": EarlierText("old", 0.04)})

    [only_group] = group_documents(make_pairs(TRIANGLE), documents, chosen)

    assert (only_group.centre, only_group.is_chosen) == (2, True)


@pytest.mark.parametrize("copies", [2, 30, 31, 35, 1000])
def test_all_copies_of_a_member_are_folded_in_its_group(copies):
    """A hub with 200 near copies, one of them with many files of the same words."""
    rows = {(0, near): 0.9 for near in range(1, 201)}
    same = [200, *range(201, 200 + copies)]
    identical = group_copies(np.array([*range(200), *(200 for _ in same)], dtype=np.int64))
    exact = list(zip(*(ends.tolist() for ends in pairs_within(identical)), strict=True))
    spread = expand_copies(identical, np.array([0]), np.array([200]))
    rows |= dict.fromkeys(zip(spread.a.tolist(), spread.b.tolist(), strict=True), 0.9)
    rows |= dict.fromkeys(exact, 2)

    [only_group] = group(rows, 200 + copies)

    assert (only_group.centre, only_group.copies, only_group.size) == (0, (), 200 + copies)
    assert [member.document for member in only_group.members] == list(range(1, 201))
    assert only_group.members[-1].copies == tuple(same[1:])


@pytest.mark.parametrize("copies", [5, 35, 1000])
def test_copies_of_the_centre_are_folded_there(copies):
    identical = group_copies(np.array([0] * copies + [copies, copies + 1]))
    exact = list(zip(*(ends.tolist() for ends in pairs_within(identical)), strict=True))
    rows = dict.fromkeys(exact, 2) | {(0, copies): 0.5, (0, copies + 1): 0.7}

    [only_group] = group(rows, copies + 2)

    assert (only_group.centre, only_group.copies) == (0, tuple(range(1, copies)))
    assert around(only_group) == {copies + 1: 0.7, copies: 0.5}
