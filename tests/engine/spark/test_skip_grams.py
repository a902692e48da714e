"""Candidates for reworked passages are what they are on one machine, where none is too common."""

import random

import numpy as np
import pyarrow as pa
import pytest

from core.candidates.reworked import pair_by_skip_grams
from core.spark import skip_grams
from core.spark.columns import int64s, packed
from core.spark.skip_grams import Agree, Spread, pairs_in_buckets
from core.text.shingling import Fingerprints
from tests.engine.spark.tables import number_of


def some_grams(rng, count, hashes, longest, span):
    """Skip-grams of random documents, of which some are in most of these, or often in one."""
    pool = [rng.getrandbits(40) for _ in range(hashes)]
    values, counts = [], []
    for _ in range(count):
        own = [
            (rng.choice(pool[: rng.choice([3, hashes, hashes])]), rng.randrange(span))
            for _ in range(rng.randrange(longest))
        ]
        own.sort(key=lambda gram: gram[1])
        values += [key << 24 | place for key, place in own]
        counts.append(len(own))
    return Fingerprints(np.array(values, dtype=np.uint64), np.array(counts, dtype=np.int64))


def taking_part_of(grams, to_review, size):
    """Batches of number, reviewed and skip_grams, in any order."""
    rows = np.random.default_rng(len(grams.values)).permutation(len(grams.counts))
    own = grams.take(rows)
    columns = {"number": number_of(rows), "reviewed": to_review[rows], "skip_grams": packed(*own)}
    return pa.table(columns).to_batches(max_chunksize=size)


def side_by_side(batches, key, rng):
    """What Spark's shuffle makes of rows: those with one key together, in any order."""
    rows = [batch.slice(row, 1) for batch in batches for row in range(batch.num_rows)]
    rng.shuffle(rows)
    rows.sort(key=lambda row: row.column(key)[0].as_py())
    table = pa.Table.from_batches(rows).combine_chunks() if rows else None
    return table.to_batches(max_chunksize=rng.choice([1, 3, 1000])) if rows else []


def found_in_streams(grams, to_review, rng, budget=1 << 40, most=1 << 40):
    """The pairs, how many were left out, and what is told of each range."""
    spread = Spread(rng.choice([1, 7, 300]))(iter(taking_part_of(grams, to_review, 3)))
    agree = Agree(budget, len(grams.counts), rng.choice([1, 5, 200]))
    agreed = list(agree(iter(side_by_side(spread, "range", rng))))
    told = [row for batch in agreed for row in batch.to_pylist() if row["bucket"] is None]
    rows = [batch for batch in agreed if not batch.column("bucket").null_count]
    found = pairs_in_buckets(most, iter(side_by_side(rows, "bucket", rng)))
    found = [row for batch in found for row in batch.to_pylist()]
    pairs = [(row["x"], row["y"]) for row in found if row["left_out"] is None]
    assert len(pairs) == len(set(pairs))
    return set(pairs), sum(row["left_out"] or 0 for row in found), told


def drawn(seed, monkeypatch):
    rng = random.Random(seed)
    monkeypatch.setattr(skip_grams, "SETTLED_AT_ONCE", rng.choice([1, 100, 1 << 22]))
    monkeypatch.setattr(skip_grams, "SPREAD_AT_ONCE", rng.choice([1, 500]))
    monkeypatch.setattr(skip_grams, "SENT_AT_ONCE", rng.choice([1, 200, 1 << 21]))
    shape = rng.choice([20, 60, 200]), rng.choice([40, 150, 400]), rng.choice([100, 400, 2000])
    grams = some_grams(rng, rng.randrange(2, 40), *shape)
    everyone = np.ones(len(grams.counts), dtype=np.bool_)
    to_review = np.array([rng.random() < 0.6 for _ in everyone]) if rng.random() < 0.5 else everyone
    codes = pair_by_skip_grams(grams, everyone, to_review).codes
    expected = {(number_of(int(code) >> 32), number_of(int(code) & 0xFFFFFFFF)) for code in codes}
    return rng, grams, to_review, expected


@pytest.mark.parametrize("seed", range(25))
def test_streams_give_what_one_machine_gives(seed, monkeypatch):
    rng, grams, to_review, expected = drawn(seed, monkeypatch)

    pairs, left_out, told = found_in_streams(grams, to_review, rng)

    assert pairs == expected
    assert left_out == 0
    assert {row["size"] for row in told} <= {0}


@pytest.mark.parametrize("seed", range(25))
def test_what_is_left_out_is_told(seed, monkeypatch):
    rng, grams, to_review, expected = drawn(seed, monkeypatch)
    holders = {}
    numbers = number_of(np.repeat(np.arange(len(grams.counts)), grams.counts))
    for value, number in zip((grams.values >> np.uint64(24)).tolist(), numbers, strict=True):
        holders.setdefault(value, set()).add(int(number))

    pairs, _, told = found_in_streams(grams, to_review, rng, budget=rng.choice([0, 20, 200]))
    assert pairs <= expected or not told
    for row in told:
        if row["size"]:
            common = [own for own in holders.values() if len(own) == row["size"]]
            assert row["document"] in {min(own) for own in common}
    assert pairs or any(row["size"] for row in told) or not expected

    some, left_out, _ = found_in_streams(grams, to_review, rng, most=1)
    assert some <= expected
    assert len(some) + left_out == len(expected)
    assert bool(some) == bool(expected)


@pytest.mark.parametrize(("weights", "are_enough"), [((11, 11, 11), True), ((11, 11, 10), False)])
def test_three_skip_grams_suffice_that_weigh_just_enough(weights, are_enough):
    marks = [
        place | place << skip_grams.EARLIER | weight << skip_grams.WEIGHT
        for place, weight in enumerate(weights)
    ]
    first = [mark | 1 << skip_grams.FIRST for mark in marks]
    columns = {"x": [1] * 4, "y": [2] * 4, "marks": [first[0], marks[0], *first[1:]]}
    batch = {name: packed(np.array(own), np.array([4])) for name, own in columns.items()}

    found = pairs_in_buckets(9, iter([pa.record_batch({"bucket": [0], **batch})]))

    pairs = [(row["x"], row["y"]) for batch in found for row in batch.to_pylist()]
    assert pairs == [(1, 2)] * are_enough


def test_what_is_in_every_document_does_not_pile_up(monkeypatch):
    monkeypatch.setattr(skip_grams, "SETTLED_AT_ONCE", 500)
    grams = Fingerprints(np.full(100, 7 << 24 | 3, dtype=np.uint64), np.ones(100, dtype=np.int64))
    everyone, sizes = np.ones(100, dtype=np.bool_), []
    join = skip_grams.Grams.join

    def joined(parts):
        sizes.append(sum(len(one.hashes) for one in parts))
        return join(parts)

    monkeypatch.setattr(skip_grams.Grams, "join", joined)

    def in_every_document():
        for part in range(60):
            (batch,) = taking_part_of(grams, everyone, 1000)
            numbers = pa.array(int64s(batch.column("number")) + part * 10_000)
            yield from Spread(1)(iter([batch.set_column(0, "number", numbers)]))

    (told,) = Agree(1000, 6000, 4)(in_every_document())

    assert told.column("size").to_pylist() == [6000]
    assert told.column("document").to_pylist() == [number_of(0)]
    assert max(sizes) < 1200
