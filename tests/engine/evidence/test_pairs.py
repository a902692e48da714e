"""The columns of listed pairs."""

from dataclasses import FrozenInstanceError

import numpy as np
import pytest

from core.evidence.pairs import FoundBy, Pairs


def make_pairs(rows):
    """Pairs from (a, b, resemblance, longest run)."""
    a, b, resemblance, longest = zip(*rows, strict=True)
    nothing = np.zeros(len(rows))
    return Pairs(
        a=np.array(a, dtype=np.int32),
        b=np.array(b, dtype=np.int32),
        resemblance=np.array(resemblance, dtype=np.float64),
        containment_a=nothing.astype(np.float64),
        containment_b=nothing.astype(np.float64),
        estimate=nothing.astype(np.float32),
        shared_shingles=nothing.astype(np.int32),
        longest_run=np.array(longest, dtype=np.int32),
        exact_duplicate=nothing.astype(np.bool_),
        found_by=nothing.astype(np.uint8),
    )


ROWS = [(0, 1, 0.2, 9), (0, 2, 0.9, 3), (1, 2, 0.9, 7), (0, 3, 0.9, 3), (2, 3, 1.0, 1)]


def keys(pairs):
    return list(zip(pairs.a.tolist(), pairs.b.tolist(), strict=True))


def test_ranking_is_by_resemblance_then_run_then_names():
    ranked = make_pairs(ROWS).ranked()

    assert keys(ranked) == [(2, 3), (1, 2), (0, 2), (0, 3), (0, 1)]
    assert ranked.resemblance.tolist() == [1.0, 0.9, 0.9, 0.9, 0.2]
    assert ranked.longest_run.tolist() == [1, 7, 3, 3, 9]


def test_ranking_does_not_depend_on_the_order_before():
    pairs = make_pairs(ROWS)

    assert keys(pairs.take(np.array([4, 2, 0, 1, 3])).ranked()) == keys(pairs.ranked())


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        (np.array([3, 1]), [(0, 3), (0, 2)]),
        (np.array([True, False, False, False, True]), [(0, 1), (2, 3)]),
        (np.array([], dtype=np.int64), []),
    ],
)
def test_rows_are_taken_by_number_or_mask(rows, expected):
    taken = make_pairs(ROWS).take(rows)

    assert keys(taken) == expected
    assert {len(column) for column in vars(taken).values()} == {len(expected)}


def test_tables_are_joined_in_their_order():
    pairs = make_pairs(ROWS)

    joined = Pairs.concatenate([pairs, Pairs.empty(), pairs])

    assert keys(joined) == keys(pairs) * 2
    types = {name: column.dtype for name, column in vars(joined).items()}
    assert types == {name: column.dtype for name, column in vars(pairs).items()}


def test_no_tables_make_an_empty_one():
    nothing = Pairs.concatenate([])

    assert len(nothing) == len(nothing.ranked()) == 0
    types = {name: column.dtype for name, column in vars(nothing).items()}
    assert types == {name: column.dtype for name, column in vars(make_pairs(ROWS)).items()}


def test_columns_are_replaced_in_a_copy():
    pairs = make_pairs(ROWS)

    changed = pairs.with_columns(a=pairs.b, b=pairs.a)

    assert keys(changed)[0] == (1, 0)
    assert keys(pairs)[0] == (0, 1)
    with pytest.raises(FrozenInstanceError):
        pairs.a = pairs.b


@pytest.mark.parametrize(
    ("ways", "label"),
    [
        (FoundBy.EXACT, "exact"),
        (FoundBy.EXACT | FoundBy.LSH, "exact"),
        (FoundBy.LSH, "lsh"),
        (FoundBy.PASSAGE, "passage"),
        (FoundBy.LSH | FoundBy.PASSAGE, "lsh+passage"),
    ],
)
def test_ways_are_named_as_in_the_exported_column(ways, label):
    assert ways.label == label
