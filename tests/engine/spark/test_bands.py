"""Candidates of bands: the pairs that the search of one machine finds, each once."""

from __future__ import annotations

import random
from itertools import pairwise

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.candidates import lsh
from core.candidates.bands import band_hashes
from core.candidates.lsh import candidate_pairs
from core.spark import bands as on_spark
from core.spark.bands import (
    KeysOfBands,
    buckets_of,
    leaders_of,
    meetings_of,
    pairs_of_meetings,
)
from core.spark.columns import int64s, packed
from core.spark.file_system import Stages
from core.spark.partitions import connected_parts
from tests.engine.spark.tables import number_of, row_of


def parts_of(edges):
    """By document the smallest one that can be reached from it."""
    part = {}
    for edge in edges:
        joined = {part.get(one, one) for one in edge}
        for one in edge:
            part.setdefault(one, one)
        part = {one: min(joined) if of in joined else of for one, of in part.items()}
    return part


def test_parts_are_found_in_chains_stars_and_chance(spark, tmp_path):
    rng = random.Random(4)
    chain = list(range(1000, 1012))
    rng.shuffle(chain)
    edges = [*pairwise(chain), (1000, 1000), (7, 7)]
    edges += [(5000, 5000 - n) for n in range(1, 30)]
    edges += [(rng.randrange(2000, 2100), rng.randrange(2000, 2100)) for _ in range(60)] * 2

    frame = spark.createDataFrame(edges, "x LONG, y LONG").repartition(3)
    rows = connected_parts(Stages(spark, str(tmp_path)), "_parts", frame).collect()

    wanted = parts_of(edges)
    del wanted[7]  # it hangs together with nobody
    assert dict(map(tuple, rows)) == wanted
    assert len(rows) == len({row.number for row in rows})


quick = settings(deadline=None, derandomize=True, max_examples=100)


@st.composite
def banded_signatures(draw):
    """A small matrix of few values, its bands and rows, and who is to review."""
    bands, rows = draw(st.integers(1, 5)), draw(st.integers(1, 3))
    width = bands * rows + draw(st.integers(0, 2))
    row = st.lists(st.integers(0, 2), min_size=width, max_size=width)
    matrix = draw(st.lists(row, min_size=1, max_size=25))
    reviewed = draw(st.lists(st.booleans(), min_size=len(matrix), max_size=len(matrix)))
    return np.array(matrix, dtype=np.uint32), bands, rows, np.array(reviewed)


def signed(signatures, reviewed, size):
    """Batches of documents, those with high numbers first."""
    count, width = signatures.shape
    table = pa.table(
        {
            "number": np.array([number_of(row) for row in range(count)]),
            "reviewed": reviewed,
            "signature": packed(signatures.reshape(-1), np.full(count, width)),
        }
    )
    return table.take(pa.array(np.arange(count)[::-1])).to_batches(max_chunksize=size)


def shuffled(batches, keys, size):
    """One sorted partition, in batches of any size."""
    table = pa.Table.from_batches(list(batches))
    return iter(table.sort_by([(key, "ascending") for key in keys]).to_batches(max_chunksize=size))


def buckets_in(signatures, bands, rows, reviewed, size=7):
    keyed = KeysOfBands(bands, rows)(iter(signed(signatures, reviewed, size)))
    ordered = shuffled(keyed, ["key", "reference", "number"], size)
    return pa.Table.from_batches(list(buckets_of(ordered)))


def pairs_of(buckets, size=7):
    meetings = list(meetings_of(iter(buckets.to_batches(max_chunksize=size))))
    if not meetings:
        return []
    made = list(pairs_of_meetings(shuffled(meetings, ["first"], size)))
    columns = [row_of(np.concatenate([int64s(one.column(name)) for one in made])) for name in "xy"]
    return list(zip(*(column.tolist() for column in columns), strict=True))


def on_one_machine(signatures, bands, rows, reviewed):
    digests = np.zeros((len(signatures), 2), dtype=np.uint64)
    digests[:, 1] = np.arange(len(signatures))
    use = np.arange(len(signatures))
    return [
        pair
        for chunk in candidate_pairs(signatures, digests, use, bands, rows, to_review=reviewed)
        for pair in zip(chunk.x.tolist(), chunk.y.tolist(), strict=True)
    ]


@quick
@given(banded_signatures(), st.integers(1, 40))
def test_pairs_of_bands_are_those_of_one_machine(case, size):
    signatures, bands, rows, reviewed = case
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(on_spark, "PAIRS_AT_ONCE", 5)
        patch.setattr(on_spark, "ROWS_OF_MEETINGS", 3)
        found = pairs_of(buckets_in(signatures, bands, rows, reviewed, size), size)

    assert len(found) == len(set(found))
    assert sorted(found) == sorted(on_one_machine(signatures, bands, rows, reviewed))


def test_of_an_overfull_bucket_everybody_is_paired_with_the_first_to_review(monkeypatch):
    monkeypatch.setattr(lsh, "BUCKET_LIMIT", 3)
    monkeypatch.setattr(on_spark, "MEMBERS_A_ROW", 4)
    signatures = np.zeros((11, 1), dtype=np.uint32)
    signatures[9:] = 7
    reviewed = np.arange(11) % 3 > 0

    buckets = buckets_in(signatures, 1, 1, reviewed)

    crowded = buckets.filter(pc.greater(buckets.column("crowd"), 0))
    led = pa.Table.from_batches(leaders_of(iter(crowded.to_batches())))
    assert set(map(tuple, zip(*led.to_pydict().values(), strict=True))) == {(number_of(1), 9)}
    assert len(crowded) == 2
    assert sorted(pairs_of(buckets)) == [(0, 1), *((1, other) for other in range(2, 9)), (9, 10)]


def test_bands_hash_alike_where_they_are_equal_and_only_there():
    rng = np.random.default_rng(3)
    signatures = rng.integers(0, 2, (200, 12)).astype(np.uint32)

    hashes = np.stack([band_hashes(signatures, band, 3) for band in range(4)], axis=1)

    rows = signatures.tolist()
    values = [(band, *row[3 * band : 3 * band + 3]) for row in rows for band in range(4)]
    of_hash = dict(zip(hashes.reshape(-1).tolist(), values, strict=True))
    assert len(of_hash) == len(set(of_hash.values())) == len(set(values))
