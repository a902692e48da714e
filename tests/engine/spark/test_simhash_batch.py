"""A batch of queries against a table of fingerprints, compared with every two of them."""

import numpy as np
import pyarrow as pa
import pytest

from core.spark import bits
from core.spark.bits import _LookUp, fingerprints_near


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


def brute_force(fingerprints, queries, distance):
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
    assert sorted(one_by_one) == brute_force(fingerprints, queries, distance)


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
    assert rows == brute_force(fingerprints, queries, 3)
    assert len({tuple(row) for row in rows}) == len(rows) > 50


def test_no_queries_are_no_answers():
    nothing = Sent(np.empty(0, dtype=np.uint64))
    rows = pa.table({"id": [1], "fingerprint": [5]})

    found = list(_LookUp(nothing, 3)(iter(rows.to_batches())))

    assert sum(one.num_rows for one in found) == 0
    assert list(_LookUp(nothing, 3)(iter([]))) == []
