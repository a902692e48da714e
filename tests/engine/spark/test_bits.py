"""The candidates of a scan by bits are those of one machine, crowds and references included."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.spark import bits
from core.spark import bits as near_fingerprints
from core.spark.bits import (
    TableCells,
    _Compare,
    _Cut,
    _LookUp,
    cells_for,
    fingerprints_near,
)

quick = settings(deadline=None, derandomize=True, max_examples=60)


def clustered(count, seed):
    """Different fingerprints, half of them 0 to 10 bits from another one."""
    rng = np.random.default_rng(seed)
    values = rng.integers(0, 2**64, count, dtype=np.uint64)
    for near in range(count // 2, count):
        for bit in rng.choice(64, rng.integers(0, 11), replace=False):
            values[near] = values[rng.integers(0, near)] ^ np.uint64(1 << int(bit))
    return np.unique(values)


def near_fingerprints_brute_force(values, distance):
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
    expected = near_fingerprints_brute_force(values, distance)

    for cell_bits in (0, 3):
        assert found(values, TableCells(distance, distance + more, cell_bits)) == expected
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

    assert pairs == near_fingerprints_brute_force(values, distance)


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


class Sent:
    """A broadcast variable that is here already."""

    def __init__(self, value):
        self.value = value


def planted(seed, count=600, asked=80):
    """Fingerprints of which some are equal or near, and queries at 0 to 10 bits from them."""
    rng = np.random.default_rng(seed)
    fingerprints = rng.integers(0, 2**64, count, dtype=np.uint64)
    fingerprints[:40] = fingerprints[40:80]
    queries = rng.choice(fingerprints[:200], asked)
    for row in range(20, asked):
        for bit in rng.choice(64, rng.integers(0, 11), replace=False):
            queries[row] ^= np.uint64(1 << int(bit))
    return fingerprints, queries


def simhash_batch_brute_force(fingerprints, queries, distance):
    apart = np.bitwise_count(fingerprints[:, None] ^ queries[None, :])
    rows, asked = np.nonzero(apart <= distance)
    return sorted(zip(asked.tolist(), rows.tolist(), apart[rows, asked].tolist(), strict=True))


@pytest.mark.parametrize("distance", range(9))
def test_a_part_of_the_table_is_looked_through(distance, monkeypatch):
    monkeypatch.setattr(bits, "LOOKED_UP_AT_ONCE", 100)
    fingerprints, queries = planted(distance)
    queries = np.unique(queries)
    rows = pa.table({"id": range(len(fingerprints)), "fingerprint": fingerprints.view(np.int64)})

    found = list(_LookUp(Sent(queries), distance)(iter(rows.to_batches(max_chunksize=33))))

    table = pa.Table.from_batches(found)
    near = np.searchsorted(queries, table.column("near").to_numpy().view(np.uint64)).tolist()
    one_by_one = zip(
        near, table.column("id").to_pylist(), table.column("distance").to_pylist(), strict=True
    )
    assert sorted(one_by_one) == simhash_batch_brute_force(fingerprints, queries, distance)


def test_ids_of_any_kind_and_several_rounds(spark, monkeypatch):
    """Equal queries and equal fingerprints are all told of."""
    monkeypatch.setattr(bits, "QUERIES_AT_ONCE", 50)
    fingerprints, queries = planted(1)
    table = pa.table(
        {
            "id": [f"document {row}" for row in range(len(fingerprints))],
            "fingerprint": fingerprints.view(np.int64),
        }
    )
    batch = pa.table({"query": range(len(queries)), "fingerprint": queries.view(np.int64)})

    found = fingerprints_near(
        spark.createDataFrame(table).repartition(3), spark.createDataFrame(batch), 3
    ).collect()

    rows = sorted((one["query"], int(one["id"].split()[1]), one["distance"]) for one in found)
    assert rows == simhash_batch_brute_force(fingerprints, queries, 3)
    assert len({tuple(row) for row in rows}) == len(rows) > 50


def test_no_queries_are_no_answers():
    nothing = Sent(np.empty(0, dtype=np.uint64))
    rows = pa.table({"id": [1], "fingerprint": [5]})

    found = list(_LookUp(nothing, 3)(iter(rows.to_batches())))

    assert sum(one.num_rows for one in found) == 0
    assert list(_LookUp(nothing, 3)(iter([]))) == []
