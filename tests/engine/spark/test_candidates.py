"""Candidates of a run: bands, bits, all pairs and skip-grams are those of one machine."""

import random
from collections import Counter
from itertools import combinations, pairwise

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.candidates import lsh
from core.candidates.all_pairs import MODERATE, AllPairsLimits
from core.candidates.reworked import pair_by_skip_grams
from core.settings import ScanSettings
from core.spark import scan as spark_scan
from core.spark import signatures as on_spark
from core.spark import skip_grams
from core.spark.columns import int64s, packed
from core.spark.file_system import Stages
from core.spark.groups import connected_parts
from core.spark.scan import affordable_pairs
from core.spark.signatures import (
    TableCells,
    buckets_of,
    cells_for,
    compare_cells,
    cut_by_tables,
    keys_of_bands,
    leaders_of,
    meetings_of,
    pairs_of_meetings,
)
from core.spark.skip_grams import AgreementFinder, pairs_in_buckets, spread
from core.text.shingling import Fingerprints
from tests.engine.spark.tables import number_of, row_of
from tests.pairs import candidate_pairs, listed


def parts_of(edges):
    """By document the smallest one that can be reached from it."""
    part = {}
    for edge in edges:
        joined = {part.get(end, end) for end in edge}
        for end in edge:
            part.setdefault(end, end)
        part = {number: min(joined) if end in joined else end for number, end in part.items()}
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

    expected = parts_of(edges)
    del expected[7]  # it hangs together with nobody
    assert dict(map(tuple, rows)) == expected
    assert len(rows) == len({row.number for row in rows})


quick = settings(derandomize=True, max_examples=100)


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
    keyed = keys_of_bands(bands, rows, size, iter(signed(signatures, reviewed, size)))
    ordered = shuffled(keyed, ["range"], size)
    schema = {"crowd": pa.int64(), "reviewed": pa.int32(), "members": pa.binary()}
    return pa.Table.from_batches(buckets_of(ordered), pa.schema(schema))


def pairs_of(buckets, size=7):
    meetings = list(meetings_of(iter(buckets.to_batches(max_chunksize=size))))
    if not meetings:
        return []
    made = list(pairs_of_meetings(shuffled(meetings, ["first"], size)))
    columns = [
        row_of(np.concatenate([int64s(table.column(name)) for table in made])) for name in "xy"
    ]
    return list(zip(*(column.tolist() for column in columns), strict=True))


def by_bands_on_single_machine(signatures, bands, rows, reviewed):
    use = np.arange(len(signatures))
    return listed(candidate_pairs(signatures, use, bands, rows, to_review=reviewed))


@quick
@given(banded_signatures(), st.integers(1, 40))
def test_pairs_of_bands_are_those_of_one_machine(case, size):
    signatures, bands, rows, reviewed = case
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(on_spark, "BANDS_AT_ONCE", 9)
        patch.setattr(on_spark, "MEETINGS_AT_ONCE", 5)
        patch.setattr(on_spark, "ROWS_OF_MEETINGS", 3)
        pairs = pairs_of(buckets_in(signatures, bands, rows, reviewed, size), size)

    assert len(pairs) == len(set(pairs))
    assert sorted(pairs) == sorted(by_bands_on_single_machine(signatures, bands, rows, reviewed))


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
    assert sorted(pairs_of(buckets)) == [(0, 1), *((1, row) for row in range(2, 9)), (9, 10)]


fewer_examples = settings(derandomize=True, max_examples=60)


def near_pairs_by_brute_force(values, distance):
    x, y = np.triu_indices(len(values), 1)
    near = np.bitwise_count(values[x] ^ values[y]) <= distance
    return sorted(zip(values[x[near]].tolist(), values[y[near]].tolist(), strict=True))


def batches_of(values, size):
    return pa.table({"fingerprint": values.view(np.int64)}).to_batches(max_chunksize=size)


def shuffled_blocks(parts, seed):
    """Blocks of several tasks, as Spark sorts them for another one."""
    rows = pa.Table.from_batches(parts)
    rows = rows.take(pa.array(np.random.default_rng(seed).permutation(rows.num_rows)))
    return rows.sort_by("cell")


def pairs_found_by_tables(values, cells, *, tasks=3, size=50, seed=1):
    parts = [
        p
        for task in range(tasks)
        for p in cut_by_tables(cells, iter(batches_of(values[task::tasks], size)))
    ]
    blocks = shuffled_blocks(parts, seed)
    rows = list(compare_cells(cells, iter(blocks.to_batches(max_chunksize=7))))
    pairs = [
        (first, second)
        for row in rows
        for first, second in zip(
            np.asarray(row.column("one")).view(np.uint64).tolist(),
            np.asarray(row.column("other")).view(np.uint64).tolist(),
            strict=True,
        )
    ]
    return sorted(pairs)


@fewer_examples
@given(
    st.lists(st.integers(0, 2**64 - 1), min_size=1, max_size=30, unique=True),
    st.integers(1, 8),
    st.integers(0, 16),
    st.integers(1, 4),
)
def test_any_fingerprints_in_any_cells(values, distance, bits, tasks):
    values = np.array(sorted({v ^ (1 << n % 64) for n, v in enumerate(values)} | set(values)), "u8")

    pairs = pairs_found_by_tables(values, TableCells(distance, distance + 1, bits), tasks=tasks)

    assert pairs == near_pairs_by_brute_force(values, distance)


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


EXACT_ONLY = ScanSettings(reworked="off")


def shared_by_all(texts, options, reviewed, size, limits=MODERATE):
    """The rows of the one task that counts, of documents that come in several batches."""
    table = pa.table(
        {
            "number": [number_of(row) for row in range(len(texts))],
            "reviewed": reviewed,
            "text": texts,
            "aside": pa.nulls(len(texts), pa.list_(pa.string())),
        }
    )
    parts = pa.Table.from_batches(
        spark_scan.shingled(options, table.to_batches(max_chunksize=size))
    )
    ordered = parts.sort_by([("other", "ascending"), ("number", "ascending")])
    batches = ordered.to_batches(max_chunksize=size)
    rows = pa.Table.from_batches(spark_scan.shared_by_all(options.bag, limits, iter(batches)))
    return [tuple(row.values()) for row in rows.to_pylist()]


@settings(derandomize=True, max_examples=25)
@given(seed=st.integers(0, 2**32), bag=st.booleans(), size=st.sampled_from([1, 5, 100]))
def test_all_pairs_are_those_of_one_machine(seed, bag, size):
    rng = random.Random(seed)
    options = ScanSettings(k=1, bag=bag, reworked="off")
    texts = [" ".join(rng.choices("abcdefgh", k=rng.randrange(1, 9))) for _ in range(30)]
    reviewed = np.array([rng.random() < 0.6 for _ in texts])
    expected = {}
    for x, y in combinations(range(len(texts)), 2):
        bag_a, bag_b = (Counter(texts[row].split()) for row in (x, y))
        if not bag:
            bag_a, bag_b = Counter(set(bag_a)), Counter(set(bag_b))
        shared = (bag_a & bag_b).total()
        if shared and (reviewed[x] or reviewed[y]):
            expected[number_of(x), number_of(y)] = shared / (bag_a | bag_b).total()

    rows = shared_by_all(texts, options, reviewed, size)

    assert {(x, y): resemblance for x, y, resemblance in rows} == expected
    assert len(rows) == len(expected)


def test_too_many_pairs_are_reported_and_not_made():
    texts = [" ".join("abcdefgh"[row % 3 :]) for row in range(30)]
    options, everyone = ScanSettings(k=1, reworked="off"), np.ones(30, dtype=np.bool_)

    for limits in (AllPairsLimits(1 << 62, 100, 10**6), AllPairsLimits(200, 10**6, 10**6)):
        assert shared_by_all(texts, options, everyone, 9, limits) == [(None, None, None)]


def test_nothing_is_counted_where_bands_are_asked_for():
    options = EXACT_ONLY.with_changes(compare="bands")
    assert affordable_pairs(None, None, None, options) is None


def random_skip_grams(rng, count, hashes, longest, span):
    """Skip-grams of random documents, of which some are in most of these, or often in one."""
    pool = [rng.getrandbits(40) for _ in range(hashes)]
    values, counts = [], []
    for _ in range(count):
        grams = [
            (rng.choice(pool[: rng.choice([3, hashes, hashes])]), rng.randrange(span))
            for _ in range(rng.randrange(longest))
        ]
        grams.sort(key=lambda gram: gram[1])
        values += [key << 24 | position for key, position in grams]
        counts.append(len(grams))
    return Fingerprints(np.array(values, dtype=np.uint64), np.array(counts, dtype=np.int64))


def taking_part_of(grams, to_review, size):
    """Batches of number, reviewed and skip_grams, in any order."""
    rows = np.random.default_rng(len(grams.values)).permutation(len(grams.counts))
    grams_of_rows = grams.take(rows)
    columns = {
        "number": number_of(rows),
        "reviewed": to_review[rows],
        "skip_grams": packed(*grams_of_rows),
    }
    return pa.table(columns).to_batches(max_chunksize=size)


def side_by_side(batches, key, rng):
    """What Spark's shuffle makes of rows: those with one key together, in any order."""
    rows = [batch.slice(row, 1) for batch in batches for row in range(batch.num_rows)]
    rng.shuffle(rows)
    rows.sort(key=lambda row: row.column(key)[0].as_py())
    table = pa.Table.from_batches(rows).combine_chunks() if rows else None
    return table.to_batches(max_chunksize=rng.choice([1, 3, 1000])) if rows else []


def pair_in_streams(grams, to_review, rng, budget=1 << 40, most=1 << 40):
    """The pairs, how many were left out, and the common grams of each range."""
    ranged = spread(rng.choice([1, 7, 300]), iter(taking_part_of(grams, to_review, 3)))
    agree = AgreementFinder(budget, len(grams.counts), rng.choice([1, 5, 200]))
    agreed = list(agree(iter(side_by_side(ranged, "range", rng))))
    common_grams = [row for batch in agreed for row in batch.to_pylist() if row["bucket"] is None]
    rows = [batch for batch in agreed if not batch.column("bucket").null_count]
    batches = pairs_in_buckets(most, iter(side_by_side(rows, "bucket", rng)))
    batches = [row for batch in batches for row in batch.to_pylist()]
    pairs = [(row["x"], row["y"]) for row in batches if row["left_out"] is None]
    assert len(pairs) == len(set(pairs))
    return set(pairs), sum(row["left_out"] or 0 for row in batches), common_grams


def drawn(seed, monkeypatch):
    rng = random.Random(seed)
    monkeypatch.setattr(skip_grams, "SETTLED_AT_ONCE", rng.choice([1, 100, 1 << 22]))
    monkeypatch.setattr(skip_grams, "SPREAD_AT_ONCE", rng.choice([1, 500]))
    monkeypatch.setattr(skip_grams, "SENT_AT_ONCE", rng.choice([1, 200, 1 << 21]))
    shape = rng.choice([20, 60, 200]), rng.choice([40, 150, 400]), rng.choice([100, 400, 2000])
    grams = random_skip_grams(rng, rng.randrange(2, 40), *shape)
    everyone = np.ones(len(grams.counts), dtype=np.bool_)
    to_review = np.array([rng.random() < 0.6 for _ in everyone]) if rng.random() < 0.5 else everyone
    codes = pair_by_skip_grams(grams, everyone, to_review).codes
    expected = {(number_of(int(code) >> 32), number_of(int(code) & 0xFFFFFFFF)) for code in codes}
    return rng, grams, to_review, expected


@pytest.mark.parametrize("seed", range(25))
def test_streams_give_what_one_machine_gives(seed, monkeypatch):
    rng, grams, to_review, expected = drawn(seed, monkeypatch)

    pairs, left_out, common_grams = pair_in_streams(grams, to_review, rng)

    assert pairs == expected
    assert left_out == 0
    assert {row["size"] for row in common_grams} <= {0}


@pytest.mark.parametrize("seed", range(25))
def test_what_is_left_out_is_reported(seed, monkeypatch):
    rng, grams, to_review, expected = drawn(seed, monkeypatch)
    holders = {}
    numbers = number_of(np.repeat(np.arange(len(grams.counts)), grams.counts))
    for value, number in zip((grams.values >> np.uint64(24)).tolist(), numbers, strict=True):
        holders.setdefault(value, set()).add(int(number))

    pairs, _, common_grams = pair_in_streams(grams, to_review, rng, budget=rng.choice([0, 20, 200]))
    assert pairs <= expected or not common_grams
    for row in common_grams:
        if row["size"]:
            common = [holder for holder in holders.values() if len(holder) == row["size"]]
            assert row["document"] in {min(documents) for documents in common}
    assert pairs or any(row["size"] for row in common_grams) or not expected

    pairs_within, left_out, _ = pair_in_streams(grams, to_review, rng, most=1)
    assert pairs_within <= expected
    assert len(pairs_within) + left_out == len(expected)
    assert bool(pairs_within) == bool(expected)


@pytest.mark.parametrize(("weights", "are_enough"), [((11, 11, 11), True), ((11, 11, 10), False)])
def test_three_skip_grams_suffice_that_weigh_just_enough(weights, are_enough):
    marks = [
        position | position << skip_grams.EARLIER | weight << skip_grams.WEIGHT
        for position, weight in enumerate(weights)
    ]
    first = [mark | 1 << skip_grams.FIRST for mark in marks]
    columns = {"x": [1] * 4, "y": [2] * 4, "marks": [first[0], marks[0], *first[1:]]}
    batch = {name: packed(np.array(values), np.array([4])) for name, values in columns.items()}

    batches = pairs_in_buckets(9, iter([pa.record_batch({"bucket": [0], **batch})]))

    pairs = [(row["x"], row["y"]) for batch in batches for row in batch.to_pylist()]
    assert pairs == [(1, 2)] * are_enough


def test_skip_grams_of_every_document_do_not_pile_up(monkeypatch):
    monkeypatch.setattr(skip_grams, "SETTLED_AT_ONCE", 500)
    grams = Fingerprints(np.full(100, 7 << 24 | 3, dtype=np.uint64), np.ones(100, dtype=np.int64))
    everyone, sizes = np.ones(100, dtype=np.bool_), []
    join = skip_grams.Grams.join

    def joined(parts):
        sizes.append(sum(len(part.hashes) for part in parts))
        return join(parts)

    monkeypatch.setattr(skip_grams.Grams, "join", joined)

    def in_every_document():
        for part in range(60):
            (batch,) = taking_part_of(grams, everyone, 1000)
            numbers = pa.array(int64s(batch.column("number")) + part * 10_000)
            yield from spread(1, iter([batch.set_column(0, "number", numbers)]))

    (counted,) = AgreementFinder(1000, 6000, 4)(in_every_document())

    assert counted.column("size").to_pylist() == [6000]
    assert counted.column("document").to_pylist() == [number_of(0)]
    assert max(sizes) < 1200


def test_what_was_left_out_is_said_of_one_pair_and_of_several():
    rows = [
        {"place": 2, "kind": "uncompared", "size": size, "document": 0, "id": "a"}
        for size in (1, 2_000)
    ]
    (batch,) = spark_scan.in_words("MinHash", [pa.RecordBatch.from_pylist(rows)])

    one, several = batch.column("sentence").to_pylist()
    assert one.startswith("1 pair of documents with some wording in common was not looked at")
    assert several.startswith("2,000 pairs of documents with some wording in common were not")
