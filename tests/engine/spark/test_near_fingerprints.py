"""Cells of permuted tables find every near pair of fingerprints once, however they are cut."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.spark import bits as near_fingerprints
from core.spark.bits import TableCells, _Compare, _Cut, cells_for

quick = settings(deadline=None, derandomize=True, max_examples=60)


def clustered(count, seed):
    """Different fingerprints, half of them 0 to 10 bits from another one."""
    rng = np.random.default_rng(seed)
    values = rng.integers(0, 2**64, count, dtype=np.uint64)
    for near in range(count // 2, count):
        for bit in rng.choice(64, rng.integers(0, 11), replace=False):
            values[near] = values[rng.integers(0, near)] ^ np.uint64(1 << int(bit))
    return np.unique(values)


def brute_force(values, distance):
    x, y = np.triu_indices(len(values), 1)
    near = np.bitwise_count(values[x] ^ values[y]) <= distance
    return sorted(zip(values[x[near]].tolist(), values[y[near]].tolist(), strict=True))


def batches_of(values, size):
    return pa.table({"fingerprint": values.view(np.int64)}).to_batches(max_chunksize=size)


def shuffled(parts, seed):
    """Blocks of several tasks, as Spark sorts them for another one."""
    rows = pa.Table.from_batches(parts)
    rows = rows.take(pa.array(np.random.default_rng(seed).permutation(rows.num_rows)))
    return rows.sort_by([("table", "ascending"), ("cell", "ascending")])


def found(values, cells, *, tasks=3, size=50, seed=1):
    parts = [
        p for task in range(tasks) for p in _Cut(cells)(iter(batches_of(values[task::tasks], size)))
    ]
    blocks = shuffled(parts, seed)
    rows = list(_Compare(cells)(iter(blocks.to_batches(max_chunksize=7))))
    pairs = [
        (one, other)
        for row in rows
        for one, other in zip(
            np.asarray(row.column("one")).view(np.uint64).tolist(),
            np.asarray(row.column("other")).view(np.uint64).tolist(),
            strict=True,
        )
    ]
    return sorted(pairs)


@pytest.mark.parametrize("distance", range(1, 9))
@pytest.mark.parametrize("more", [0, 1, 2])
def test_every_near_pair_is_found_once(distance, more, monkeypatch):
    monkeypatch.setattr(near_fingerprints, "BLOCK", 5)
    values = clustered(400, distance)
    expected = brute_force(values, distance)

    for bits in (0, 3):
        assert found(values, TableCells(distance, distance + more, bits)) == expected
    assert len(expected) > 20


@quick
@given(
    st.lists(st.integers(0, 2**64 - 1), min_size=1, max_size=30, unique=True),
    st.integers(1, 8),
    st.integers(0, 16),
    st.integers(1, 4),
)
def test_any_fingerprints_in_any_cells(values, distance, bits, tasks):
    values = np.array(sorted({v ^ (1 << n % 64) for n, v in enumerate(values)} | set(values)), "u8")

    pairs = found(values, TableCells(distance, distance + 1, bits), tasks=tasks)

    assert pairs == brute_force(values, distance)


def test_more_fingerprints_take_more_blocks_and_cells():
    sampled = np.random.default_rng(1).integers(0, 2**64, 1 << 12, dtype=np.uint64)
    sampled.sort()

    plans = [cells_for(sampled, 10**zeros, 3) for zeros in (3, 7, 10)]

    assert [plan.bits for plan in plans] == [0, 4, 14]
    assert plans[0].blocks == 3  # a single task compares all
    assert 3 < plans[1].blocks <= plans[2].blocks


def test_fingerprints_of_one_family_take_more_blocks():
    """Bits that mostly agree make runs long; comparisons decide, not the number of documents."""
    rng = np.random.default_rng(3)
    bits = rng.random((1 << 13, 64)) < 0.2
    family = (bits << np.arange(64, dtype=np.uint64)).sum(axis=1, dtype=np.uint64)
    alone = rng.integers(0, 2**64, 1 << 13, dtype=np.uint64)

    assert cells_for(family, 10**7, 3).blocks > cells_for(alone, 10**7, 3).blocks


def test_no_fingerprints_are_no_pairs():
    cells = cells_for(np.empty(0, dtype=np.uint64), 0, 3)

    assert list(_Cut(cells)(iter([]))) == []
    assert list(_Compare(cells)(iter([]))) == []
