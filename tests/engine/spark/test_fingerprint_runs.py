"""Runs of equal fingerprints give the pairs of one machine, in whatever parts they come."""

from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.base.arrays import UInt64Array
from core.candidates.shared_fingerprints import keys_of, pair_by_fingerprints
from core.evidence.pairs import split_codes
from core.spark import partitions, passages
from core.spark.columns import int64s, packed
from core.spark.passages import REVIEWED, Spread, paired_runs
from core.text.shingling import Fingerprints
from tests.engine.spark.tables import number_of

BITS = np.uint64(24)


class Known(NamedTuple):
    """A broadcast."""

    value: UInt64Array


def table_of(fingerprints, reviewed):
    return pa.table(
        {
            "number": [number_of(row) for row in range(len(reviewed))],
            "reviewed": reviewed,
            "fingerprints": packed(*fingerprints),
        }
    )


def spread(table, size, avoided=(), dropped=BITS):
    """The rows HELD, of parts of a table that are worked on by different tasks."""
    work = Spread(dropped, Known(np.array(avoided, dtype=np.uint64)))
    tasks = [table.slice(0, len(table) // 3), table.slice(len(table) // 3)]
    rows = [batch for task in tasks for batch in work(task.to_batches(max_chunksize=size))]
    return pa.Table.from_batches(rows).sort_by([("key", "ascending"), ("kind", "ascending")])


def pairs_of(held, size):
    found = pa.Table.from_batches(paired_runs(held.to_batches(max_chunksize=size)))
    pairs = found.filter(pa.compute.is_null(found.column("common"))).select(["x", "y"])
    common = found.filter(pa.compute.is_valid(found.column("common"))).column("common")
    numbers = {tuple(row.values()) for row in pairs.to_pylist()}
    return numbers, np.unique(int64s(common).view(np.uint64)).tolist()


def random_fingerprints(rng, documents, values, most):
    own = [rng.integers(0, values, rng.integers(0, most)) for _ in range(documents)]
    hashes = np.concatenate(own).astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    return Fingerprints(hashes, np.array([len(one) for one in own], dtype=np.int64))


@settings(deadline=None, derandomize=True, max_examples=30)
@given(
    seed=st.integers(0, 2**32),
    values=st.sampled_from([3, 40, 400]),
    share=st.sampled_from([0.0, 0.02, 0.5, 1.0]),
    size=st.sampled_from([1, 7, 1000]),
    dropped=st.sampled_from([np.uint64(0), BITS]),
)
def test_pairs_and_common_keys_are_those_of_one_machine(seed, values, share, size, dropped):
    rng = np.random.default_rng(seed)
    fingerprints = random_fingerprints(rng, 300, values, 12)
    reviewed = rng.random(300) < share
    everyone = np.ones(300, dtype=np.bool_)
    alone = pair_by_fingerprints(fingerprints, everyone, to_review=reviewed)
    x, y = split_codes(alone.codes)
    expected = {(number_of(a), number_of(b)) for a, b in zip(x.tolist(), y.tolist(), strict=True)}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(passages, "ROWS_AT_ONCE", 50)
        patch.setattr(passages, "FINGERPRINTS_AT_ONCE", 500)

        held = spread(table_of(fingerprints, reviewed), size, dropped=dropped)
        pairs, common = pairs_of(held, size)

    assert pairs == expected
    if dropped:
        assert common == alone.common.keys.tolist()
    assert len(common) == len(alone.common.keys)


def test_what_is_common_in_a_task_makes_one_row_and_what_is_avoided_none():
    hashes = np.tile(np.arange(1, 4, dtype=np.uint64), 5000)
    fingerprints = Fingerprints(hashes, np.full(5000, 3))
    table = table_of(fingerprints, np.ones(5000, dtype=np.bool_))
    first = keys_of(hashes[:1], BITS)

    assert len(spread(table, 100)) == 2 * 3  # of each task
    assert len(spread(table, 100, avoided=first)) == 2 * 2


def test_a_run_takes_no_more_room_than_its_documents_matter(monkeypatch):
    """One document to review and very many references are common; references alone are nothing."""
    monkeypatch.setattr(passages, "ROWS_AT_ONCE", 6000)
    count = 200_000
    kinds = np.full(2 * count, 2, dtype=np.int8)
    kinds[0] = REVIEWED
    keys = np.repeat(np.arange(2), count)
    held = pa.table({"key": keys, "number": np.arange(2 * count), "kind": kinds})

    sizes = []
    shortened = partitions._shortened
    monkeypatch.setattr(
        partitions,
        "_shortened",
        lambda table, *more: sizes.append(len(table)) or shortened(table, *more),
    )
    pairs, common = pairs_of(held, 2000)

    assert (pairs, common) == (set(), [0])
    assert max(sizes) < 3 * 6000
