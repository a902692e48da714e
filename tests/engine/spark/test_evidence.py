"""Numbers and passages of a run, and copies spelled out, are those of one machine."""

import random
import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields
from functools import partial
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.base.arrays import UInt64Array
from core.candidates.references import pairs_of, pairs_of_all
from core.candidates.shared_fingerprints import common_among, keys_of, pair_by_fingerprints
from core.candidates.sorted_keys import DOCUMENT_LIMIT
from core.evidence.pairs import FoundBy, Pairs, pair_codes, split_codes
from core.scan.corpus import Corpus
from core.scan.lister import PairLister
from core.scan.measured_pairs import affordable_pairs
from core.settings import ScanSettings
from core.signatures.signing import sign_texts
from core.signatures.winnowing import find_grams
from core.spark import partitions, passages
from core.spark.columns import (
    COPIES,
    NUMBERS,
    digests_of,
    int64s,
    packed,
    signed_columns,
    signed_of,
    texts_of,
    unpacked,
)
from core.spark.evidence import CellLimits, Measuring, ReworkedRule, placed
from core.spark.groups import spelled_out
from core.spark.passages import Choose, CountBeside, dropped_bits, held_keys, holders, paired_runs
from core.text.set_aside import SetAside, merged
from core.text.shingling import Fingerprints, shingle
from tests.engine.spark.tables import documents_table, number_of, row_of, texts_with_copies

WAYS = ("in_all", "in_bands", "in_shared", "in_skip_grams")
SPANS = {3: [SetAside(0, 90)], 7: [SetAside(40, 200), SetAside(300, 320)]}


class OneMachine:
    """A corpus on one machine: what its search meets, and what it lists."""

    def __init__(self, texts, settings, *, set_aside=None, reference=()):
        set_aside = set_aside or {}
        self.settings = settings
        with ThreadPoolExecutor(2) as pool:
            self.corpus = Corpus(settings, pool)
            signed = sign_texts(
                texts, settings, set_aside={n: merged(s) for n, s in set_aside.items()}
            )
            self.corpus.add(texts, signed, ~np.isin(np.arange(len(texts)), reference))
            self.corpus.texts.exclude_spans(set_aside)
            self.listed = PairLister(self.corpus).list_pairs(settings).every
            self.candidates = self._candidates()
            self.reworked = None
            if settings.reworked != "off":
                reworked = self.corpus.reworked
                bits = reworked.threshold(settings.reworked)
                self.reworked = ReworkedRule(reworked.words().to_bytes(), bits)

    def _candidates(self):
        """The pairs of different documents as a table, and those of copies with themselves."""
        corpus, codes = self.corpus, dict.fromkeys(WAYS, np.empty(0, dtype=np.uint64))
        every = affordable_pairs(corpus, self.settings)
        if every is not None:
            codes["in_all"] = every.reaching(self.settings.min_resemblance)
        else:
            chunks = list(corpus.search(self.settings).chunks())
            codes["in_bands"] = np.concatenate([pair_codes(chunk.x, chunk.y) for chunk in chunks])
        codes["in_shared"] = corpus.shared_passages().codes
        if self.settings.reworked != "off":
            codes["in_skip_grams"] = corpus.reworked.candidates().codes
        copied = np.flatnonzero(np.bincount(corpus.representatives()) > 1)
        copied = copied[corpus.signed.units[copied] > 0]
        union = np.unique(np.concatenate([*codes.values(), pair_codes(copied, copied)]))
        x, y = split_codes(union)
        ways = {name: np.isin(union, codes_of_way) for name, codes_of_way in codes.items()}
        return pa.table({"x": number_of(x), "y": number_of(y), **ways})

    def with_complete_signatures(self, documents):
        """A table of these documents with signatures that may depend on all of them."""
        signatures = self.corpus.signed.signatures[row_of(documents["number"].to_numpy())]
        column = packed(signatures.reshape(-1), np.full(len(signatures), signatures.shape[1]))
        index = documents.column_names.index("signature")
        return documents.set_column(index, "signature", column)

    def wanted(self):
        """What is listed of different documents; a copy with the first one is (first, first)."""
        pairs, first = self.listed, self.corpus.representatives()
        exact = pairs.exact_duplicate
        b = np.where(exact, first[pairs.b], pairs.b)
        pairs = pairs.with_columns(b=b)
        pairs = pairs.take(np.where(exact, pairs.a == b, (first[pairs.a] == pairs.a)))
        pairs = pairs.take(first[pairs.b] == pairs.b)
        return pairs.take(np.unique(pair_codes(pairs.a, pairs.b), return_index=True)[1])


def rows_of(table):
    """A table of NUMBERS as pairs of rows, ordered."""
    columns = {field.name: table.column(field.name).to_numpy() for field in fields(Pairs)}
    columns |= {name: row_of(columns[name]) for name in ("a", "b")}
    pairs = Pairs(**columns)
    return pairs.take(np.lexsort((pairs.b, pairs.a)))


def assert_same(pairs, expected):
    for field in fields(Pairs):
        np.testing.assert_array_equal(
            getattr(pairs, field.name), getattr(expected, field.name), err_msg=field.name
        )


OF_TEXTS = ("number", "text", "aside", "units", "signature")


def cells_of(candidates, documents, cells):
    """The rows of candidates and their texts as a partition holds them."""
    home = np.sort(np.random.default_rng(3).integers(0, cells, len(candidates)))
    work = pa.array(np.full(len(candidates), 100))
    candidates = candidates.append_column("work", work)
    number, parts = documents.column("number").to_numpy(), []
    texts = documents.select(OF_TEXTS)
    for cell in range(cells):
        pairs = candidates.filter(pa.array(home == cell))
        used = np.isin(number, np.concatenate([pairs["x"].to_numpy(), pairs["y"].to_numpy()]))
        for part in (pairs, texts.filter(pa.array(used))):
            repeated = pa.array(np.full(len(part), cell))
            parts.append(part.append_column("home", repeated).append_column("part", repeated))
    return pa.concat_tables(parts, promote_options="default").combine_chunks()


NUMBERS_SETTINGS = {
    "all pairs": ScanSettings(),
    "bands": ScanSettings(compare="bands", min_resemblance=0.3),
    "no reworked": ScanSettings(compare="bands", reworked="off"),
    "thorough, bag": ScanSettings(compare="bands", reworked="thorough", bag=True),
    "characters": ScanSettings(compare="bands", unit="char", k=7),
    "bits": ScanSettings(compare="bands", signature="simhash", max_distance=8),
    "tf-idf": ScanSettings(compare="bands", signature="simhash", max_distance=8, weights="tf-idf"),
}


@pytest.mark.parametrize("name", NUMBERS_SETTINGS)
@pytest.mark.parametrize(("cells", "size"), [(1, 1000), (9, 7)])
def test_the_pairs_and_numbers_are_those_of_one_machine(name, cells, size):
    settings, texts = NUMBERS_SETTINGS[name], [*texts_with_copies(70, words=90), "", "one two"]
    machine = OneMachine(texts, settings, set_aside=SPANS, reference=[2, 9, 25])  # without copies
    documents = machine.with_complete_signatures(documents_table(texts, settings, set_aside=SPANS))
    batches = cells_of(machine.candidates, documents, cells).to_batches(max_chunksize=size)

    measured_table = pa.Table.from_batches(Measuring(settings, machine.reworked)(iter(batches)))

    measured_table, expected = rows_of(measured_table), machine.wanted()
    assert_same(measured_table, expected)
    assert len({int(value) for value in expected.found_by}) > 2


def test_of_too_many_pairs_the_most_alike_are_measured():
    settings, texts = NUMBERS_SETTINGS["bands"], texts_with_copies(40, words=90)
    machine = OneMachine(texts, settings)
    candidates = machine.candidates.set_column(
        5, "in_skip_grams", pa.array([False] * len(machine.candidates))
    )
    cells = cells_of(candidates, documents_table(texts, settings), 1).to_batches()
    measuring = Measuring(settings, machine.reworked, share=0.02)

    measured_pairs = rows_of(pa.Table.from_batches(measuring(iter(cells))))

    measured_pairs = measured_pairs.take(~measured_pairs.exact_duplicate)
    measured = measured_pairs.overlap >= 0
    assert 0 < measured.sum() <= 0.02 * len(candidates) < len(measured_pairs)
    assert measured_pairs.resemblance[measured].min() >= measured_pairs.resemblance[~measured].max()


def test_candidates_that_meet_in_no_band_after_all_are_dropped():
    settings, texts = NUMBERS_SETTINGS["bands"], texts_with_copies(40, words=90)
    machine = OneMachine(texts, settings)
    x, y = np.triu_indices(len(texts), 1)
    ways = {name: np.zeros(len(x), dtype=np.bool_) for name in WAYS}
    takes_part = machine.corpus.taking_part()
    every = pa.table({"x": number_of(x), "y": number_of(y), **ways, "in_bands": ~ways["in_all"]})
    every = every.filter(pa.array(takes_part[x] & takes_part[y]))
    cells = cells_of(every, documents_table(texts, settings), 2)

    measured = Measuring(settings, None)(iter(cells.to_batches()))

    expected = machine.wanted().take(~machine.wanted().exact_duplicate)
    expected = expected.take((expected.found_by & FoundBy.LSH) > 0)
    expected = expected.take(expected.resemblance >= settings.min_resemblance)
    measured = rows_of(pa.Table.from_batches(measured))
    np.testing.assert_array_equal(
        pair_codes(measured.a, measured.b), pair_codes(expected.a, expected.b)
    )
    assert 0 < len(measured) < len(every)


TEXTS = ["one two three four five six seven eight nine ten " * 20, "", "four five six seven", "ab"]


def test_signed_texts_come_back():
    settings = ScanSettings()
    signed = sign_texts(TEXTS, settings)

    batch = pa.record_batch(signed_columns(signed))
    back = signed_of(batch, settings)
    part = signed_of(batch.slice(1, 2), settings)

    for first, second in ((signed, back), (signed.take(np.array([1, 2])), part)):
        np.testing.assert_array_equal(first.units, second.units)
        np.testing.assert_array_equal(first.digests, second.digests)
        np.testing.assert_array_equal(first.signatures, second.signatures)
        for name in ("fingerprints", "skip_grams"):
            np.testing.assert_array_equal(getattr(first, name).values, getattr(second, name).values)
            np.testing.assert_array_equal(getattr(first, name).counts, getattr(second, name).counts)


def test_chunks_are_not_put_into_one_which_has_2_gib_at_most():
    rng = np.random.default_rng(3)
    values, counts = rng.integers(0, 2**32, 3000, dtype=np.uint32), np.full(300, 10)
    packed_values = packed(values, counts)
    sliced = [
        packed_values[0:0],
        packed_values[:7],
        packed_values[7:200],
        packed_values[200:].cast(pa.large_binary()),
    ]
    column = pa.chunked_array([*sliced[:3], *(chunk.cast(pa.binary()) for chunk in sliced[3:])])
    before = pa.default_memory_pool()
    pool = pa.proxy_memory_pool(before)
    pa.set_memory_pool(pool)
    try:
        unpacked_column = unpacked(column, "<u4")
    finally:
        pa.set_memory_pool(before)

    assert pool.max_memory() < values.nbytes
    for array, (unpacked_values, sizes) in (
        (column, unpacked_column),
        (sliced[3], unpacked(sliced[3], "<u4")),
    ):
        start = len(values) - len(unpacked_values)
        np.testing.assert_array_equal(unpacked_values, values[start:])
        np.testing.assert_array_equal(sizes, counts[: len(array)])
    assert not len(unpacked(pa.chunked_array([], pa.binary()), "<u8")[0])


def test_digests_sort_in_spark_as_in_the_engine(spark):
    rng = np.random.default_rng(5)
    digests = rng.integers(0, 2**64, (200, 2), dtype=np.uint64)
    digests[50:100, 0] = digests[0, 0]
    assert signed_columns(sign_texts(["a"], ScanSettings()))["digest"].type == pa.binary()

    from core.spark.columns import digest_column

    frame = spark.createDataFrame(pa.table({"digest": digest_column(digests)}))
    ordered = digests_of(frame.sort("digest").toArrow().column("digest"))

    np.testing.assert_array_equal(ordered, digests[np.lexsort((digests[:, 1], digests[:, 0]))])


def test_what_is_set_aside_comes_with_the_texts():
    spans = [None, [{"start": 2, "end": 5, "reason": "quotation"}]]
    texts = texts_of(pa.table({"text": ["abc", "abcdefg"], "aside": spans}))

    assert list(texts) == ["abc", "abcdefg"]
    assert [tuple(span) for span in texts.set_aside[1]] == [(2, 5, "quotation")]


def test_a_document_that_is_like_very_many_is_no_long_task(spark):
    """A long document with 400 short ones, and 20 that are all alike."""
    hub = [(0, y, 1_000_000, 5000) for y in range(1, 401)]
    alike = [(x, y, 5000, 5000) for x in range(900, 920) for y in range(x + 1, 920)]
    pairs = spark.createDataFrame([row[:2] for row in hub + alike], "x LONG, y LONG")
    lengths = {
        document: length
        for row in hub + alike
        for document, length in ((row[0], row[2]), (row[1], row[3]))
    }
    known = spark.createDataFrame(list(lengths.items()), "number LONG, characters LONG")

    rows = placed(pairs, known, CellLimits(text=1 << 22, work=500_000)).collect()

    cells = {}
    for row in rows:
        cells.setdefault((row.home, row.part), []).append((row.x, row.y))
    assert sorted(pair for cell in cells.values() for pair in cell) == sorted(
        row[:2] for row in hub + alike
    )
    work = [sum(min(lengths[x], lengths[y]) for x, y in cell) for cell in cells.values()]
    assert max(work) < 1_000_000
    assert len(cells) < 40
    for home in (0, 900):  # each text but the hub's is in one cell
        seconds = [
            {y for _, y in pairs_of_cell} for key, pairs_of_cell in cells.items() if key[0] == home
        ]
        assert sum(map(len, seconds)) == len(set().union(*seconds))


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
    work = partial(held_keys, dropped, 5, Known(np.array(avoided, dtype=np.uint64)))
    tasks = [table.slice(0, len(table) // 3), table.slice(len(table) // 3)]
    rows = [batch for task in tasks for batch in work(task.to_batches(max_chunksize=size))]
    return pa.Table.from_batches(rows).sort_by("range")


def keys_sent(held):
    return unpacked(held.column("keys"), "<u8")[1].sum()


def pairs_and_common_keys(held, size):
    paired = pa.Table.from_batches(paired_runs(held.to_batches(max_chunksize=size)))
    pairs = paired.filter(pa.compute.is_null(paired.column("common"))).select(["x", "y"])
    common = paired.filter(pa.compute.is_valid(paired.column("common"))).column("common")
    numbers = {tuple(row.values()) for row in pairs.to_pylist()}
    return numbers, np.unique(int64s(common).view(np.uint64)).tolist()


def random_fingerprints(rng, documents, values, most):
    hashes_of = [rng.integers(0, values, rng.integers(0, most)) for _ in range(documents)]
    hashes = np.concatenate(hashes_of).astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    return Fingerprints(
        hashes,
        np.array([len(hashes_of_document) for hashes_of_document in hashes_of], dtype=np.int64),
    )


@settings(derandomize=True, max_examples=30)
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
        patch.setattr(partitions, "ROWS_AT_ONCE", 50)
        patch.setattr(partitions, "SETTLED_AT_ONCE", 90)
        patch.setattr(passages, "FINGERPRINTS_AT_ONCE", 500)

        held = spread(table_of(fingerprints, reviewed), size, dropped=dropped)
        pairs, common = pairs_and_common_keys(held, size)

    assert pairs == expected
    if dropped:
        assert common == alone.common.keys.tolist()
    assert len(common) == len(alone.common.keys)


def test_what_is_common_in_a_task_makes_one_row_and_what_is_avoided_none():
    hashes = np.tile(np.arange(1, 4, dtype=np.uint64), 5000)
    fingerprints = Fingerprints(hashes, np.full(5000, 3))
    table = table_of(fingerprints, np.ones(5000, dtype=np.bool_))
    first = keys_of(hashes[:1], BITS)

    assert keys_sent(spread(table, 100)) == 2 * 3  # of each task
    assert keys_sent(spread(table, 100, avoided=first)) == 2 * 2


def test_a_run_takes_no_more_room_than_its_documents_matter(monkeypatch):
    """One document to review and very many references are common; references alone are nothing."""
    monkeypatch.setattr(partitions, "SETTLED_AT_ONCE", 6000)
    keys = np.repeat(np.arange(2, dtype=np.uint64), 200_000)
    documents = partitions.holders_of(np.arange(400_000), np.arange(400_000) == 0)
    columns = {"keys": keys, "holders": documents}
    sent = {name: packed(column, np.full(200, 2000)) for name, column in columns.items()}
    held = pa.table({"range": np.zeros(200, np.int32), **sent})

    sizes = []
    sort = partitions._first_holders
    monkeypatch.setattr(
        partitions,
        "_first_holders",
        lambda most, keys, holders: sizes.append(len(keys)) or sort(most, keys, holders),
    )
    pairs, common = pairs_and_common_keys(held, 20)

    assert (pairs, common) == (set(), [0])
    assert max(sizes) < 5 * 6000


SETTINGS = ScanSettings(min_passage=12, reworked="off")
WEIGHED = ScanSettings(unit="char", min_passage=12, reworked="off")


def random_words(rng, count, han=0.0):
    """Words, a share `han` of which are Chinese characters."""
    return [
        chr(rng.randrange(0x4E00, 0x9FA5)) * 2 if rng.random() < han else f"w{rng.randrange(10**6)}"
        for _ in range(count)
    ]


def texts_of_shared_pieces(rng, count, han):
    """Texts that share many pieces, each with a number of documents around the limit."""
    pieces = [random_words(rng, rng.randrange(8, 45), han) for _ in range(9)]
    texts = []
    for _ in range(count):
        chosen = [piece for piece in pieces if rng.random() < 0.4]
        rng.shuffle(chosen)
        parts = [random_words(rng, rng.randrange(15), han) + piece for piece in chosen]
        texts.append(" ".join(sum(parts, random_words(rng, 10, han))))
    return texts


@pytest.mark.parametrize(
    ("settings", "han", "share"), [(SETTINGS, 0.0, 1.0), (SETTINGS, 0.3, 0.4), (WEIGHED, 0.0, 1.0)]
)
@pytest.mark.parametrize("tasks", [1, 4])
def test_a_shared_window_pairs_beside_common_text(settings, han, share, tasks, monkeypatch):
    """Every window of which a gram is not common has the same fingerprint in all documents."""
    monkeypatch.setattr(passages, "CHARACTERS_AT_ONCE", 20_000)
    rng = random.Random(5)
    texts = texts_of_shared_pieces(rng, 280, han)
    reviewed = np.array([rng.random() < share for _ in texts])
    columns = signed_columns(sign_texts(texts, settings))
    numbers = [number_of(row) for row in range(len(texts))]
    spans = pa.nulls(len(texts), pa.list_(pa.string()))
    columns_of_texts = {"number": numbers, "text": texts, "aside": spans, "reviewed": reviewed}
    table = pa.table({**columns_of_texts, "fingerprints": columns["fingerprints"]})
    cuts = np.array_split(np.arange(len(table)), tasks)
    parts = [table.slice(cut[0], len(cut)).to_batches(max_chunksize=40) for cut in cuts]

    def mapped(work):
        return pa.Table.from_batches([batch for part in parts for batch in work(part)])

    keys, rows = keys_in(table)
    avoided = common_among(*holders(keys, rows), reviewed)
    counted = mapped(CountBeside(settings, BITS, Known(avoided))).group_by("key")
    counted = counted.aggregate([("documents", "sum"), ("reviewed", "sum")]).to_pydict()
    documents, of_review = (np.array(counted[f"{name}_sum"]) for name in ("documents", "reviewed"))
    common = pairs_of(of_review, documents) > pairs_of_all(DOCUMENT_LIMIT)
    counted = np.array(counted["key"]).view(np.uint64)[common]
    avoided = np.union1d(avoided, counted)
    more, more_rows = keys_in(
        mapped(Choose(settings, BITS, Known(avoided))), number_column="number"
    )

    assert len(avoided) > 20
    assert len(more) > 20
    common = set(avoided.tolist())
    chosen = [set() for _ in texts]
    for key, row in zip(keys.tolist(), rows.tolist(), strict=True):
        chosen[row].add(key)
    for key, row in zip(more.tolist(), more_rows.tolist(), strict=True):
        assert key not in chosen[row]
        chosen[row].add(key)
    for row, text in enumerate(texts):
        grams = find_grams(shingle([text], settings), settings)
        columns_of_texts, hashes = keys_of(grams.hashes, BITS).tolist(), grams.hashes.tolist()
        ends = grams.ends_of_windows(np.arange(len(columns_of_texts))).tolist()
        for start, end in enumerate(ends):
            left = [
                index
                for index in range(start, min(end, len(columns_of_texts)))
                if columns_of_texts[index] not in common
            ]
            if end <= len(columns_of_texts) and left:
                assert columns_of_texts[min(left, key=hashes.__getitem__)] in chosen[row]


def keys_in(table, number_column=None):
    """The keys of the fingerprints of a table, and the row of each."""
    values, counts = unpacked(table.column("fingerprints"), "<u8")
    rows = row_of(int64s(table.column(number_column))) if number_column else np.arange(len(counts))
    return keys_of(values, BITS), np.repeat(rows, counts)


def test_dropped_bits_are_those_of_one_machine_up_to_its_limit():
    assert [dropped_bits(count) for count in (0, 1, 1 << 24, (1 << 24) + 1)] == [24, 24, 24, 0]


# Rules that leave nothing of a plan over tables without rows.
NOTHING_IS_EMPTY = ",".join(
    f"org.apache.spark.sql.catalyst.optimizer.{name}"
    for name in ("PropagateEmptyRelation", "ConvertToLocalRelation")
)


def test_copies_are_never_the_side_that_is_held_in_memory(spark):
    listed = spark.createDataFrame([], NUMBERS)
    copies = spark.createDataFrame([], COPIES)
    spark.conf.set("spark.sql.autoBroadcastJoinThreshold", "-1")
    spark.conf.set("spark.sql.optimizer.excludedRules", NOTHING_IS_EMPTY)
    try:
        plan = spelled_out(listed, copies)._jdf.queryExecution().executedPlan().toString()
    finally:
        spark.conf.unset("spark.sql.autoBroadcastJoinThreshold")
        spark.conf.unset("spark.sql.optimizer.excludedRules")

    merged = re.findall(r"SortMergeJoin \[(\w+)#\d+L\], \[(\w+)#\d+L\], Inner", plan)
    assert merged.count(("representative", "a")) == 2
    assert ("a", "representative") not in merged
