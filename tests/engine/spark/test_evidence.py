"""Candidates measured on Spark: the same pairs and numbers, however the work is cut."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields

import numpy as np
import pyarrow as pa
import pytest

from core.evidence.pairs import FoundBy, Pairs, pair_codes, split_codes
from core.evidence.passages import find_shared_text
from core.evidence.reworked_store import learn_words
from core.evidence.word_model import WordModel
from core.scan.corpus import Corpus
from core.scan.lister import PairLister
from core.scan.measured_pairs import affordable_pairs
from core.settings import ScanSettings
from core.signatures.signing import sign_texts
from core.spark import evidence
from core.spark.columns import digests_of, packed, signed_columns, signed_of, texts_of, unpacked
from core.spark.evidence import (
    CellLimits,
    FindingPassages,
    Measuring,
    ReworkedRule,
    placed,
)
from core.text.languages import detect
from core.text.set_aside import SetAside, merged
from core.text.shingling import word_beginnings
from tests.engine.spark.tables import (
    documents_table,
    number_of,
    row_of,
    texts_with_copies,
)

WAYS = ("in_all", "in_bands", "in_shared", "in_skip_grams")
ASIDE = {3: [SetAside(0, 90)], 7: [SetAside(40, 200), SetAside(300, 320)]}


class OneMachine:
    """A corpus on one machine: what its search meets, and what it lists."""

    def __init__(self, texts, settings, *, aside=None, reference=()):
        aside = aside or {}
        self.settings = settings
        with ThreadPoolExecutor(2) as pool:
            self.corpus = Corpus(settings, pool)
            signed = sign_texts(texts, settings, set_aside={n: merged(s) for n, s in aside.items()})
            self.corpus.add(texts, signed, ~np.isin(np.arange(len(texts)), reference))
            self.corpus.texts.put_aside(aside)
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
            codes["in_bands"] = np.concatenate([pair_codes(one.x, one.y) for one in chunks])
        codes["in_shared"] = corpus.shared_passages().codes
        if self.settings.reworked != "off":
            codes["in_skip_grams"] = corpus.reworked.candidates().codes
        own = np.flatnonzero(np.bincount(corpus.representatives()) > 1)
        own = own[corpus.signed.units[own] > 0]
        union = np.unique(np.concatenate([*codes.values(), pair_codes(own, own)]))
        x, y = split_codes(union)
        ways = {name: np.isin(union, one) for name, one in codes.items()}
        return pa.table({"x": number_of(x), "y": number_of(y), **ways})

    def with_complete_signatures(self, documents):
        """A table of these documents with signatures that may depend on all of them."""
        own = self.corpus.signed.signatures[row_of(documents["number"].to_numpy())]
        column = packed(own.reshape(-1), np.full(len(own), own.shape[1]))
        place = documents.column_names.index("signature")
        return documents.set_column(place, "signature", column)

    def wanted(self):
        """What is listed of different documents; a copy with the first one is (first, first)."""
        pairs, first = self.listed, self.corpus.representatives()
        exact = pairs.exact_duplicate
        b = np.where(exact, first[pairs.b], pairs.b)
        pairs = pairs.with_columns(b=b)
        pairs = pairs.take(np.where(exact, pairs.a == b, (first[pairs.a] == pairs.a)))
        pairs = pairs.take(first[pairs.b] == pairs.b)
        codes = pair_codes(pairs.a, pairs.b)
        return pairs.take(np.unique(codes, return_index=True)[1])


def pairs_of(table):
    """A table of NUMBERS as pairs of rows, ordered."""
    columns = {one.name: table.column(one.name).to_numpy() for one in fields(Pairs)}
    columns |= {name: row_of(columns[name]) for name in ("a", "b")}
    pairs = Pairs(**columns)
    return pairs.take(np.lexsort((pairs.b, pairs.a)))


def assert_same(found, wanted):
    for one in fields(Pairs):
        np.testing.assert_array_equal(
            getattr(found, one.name), getattr(wanted, one.name), err_msg=one.name
        )


OF_TEXTS = ("number", "text", "aside", "units", "signature")


def cells_of(candidates, documents, cells, of_texts=OF_TEXTS):
    """The rows of candidates and their texts as a partition holds them."""
    home = np.sort(np.random.default_rng(3).integers(0, cells, len(candidates)))
    work = pa.array(np.full(len(candidates), 100))
    candidates = candidates.append_column("work", work)
    number, parts = documents.column("number").to_numpy(), []
    texts = documents.select(of_texts)
    for cell in range(cells):
        pairs = candidates.filter(pa.array(home == cell))
        used = np.isin(number, np.concatenate([pairs["x"].to_numpy(), pairs["y"].to_numpy()]))
        for part in (pairs, texts.filter(pa.array(used))):
            own = pa.array(np.full(len(part), cell))
            parts.append(part.append_column("home", own).append_column("part", own))
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
    one = OneMachine(texts, settings, aside=ASIDE, reference=[2, 9, 25])  # without copies
    documents = one.with_complete_signatures(documents_table(texts, settings, aside=ASIDE))
    batches = cells_of(one.candidates, documents, cells).to_batches(max_chunksize=size)

    found = pa.Table.from_batches(Measuring(settings, one.reworked)(iter(batches)))

    found, wanted = pairs_of(found), one.wanted()
    assert_same(found, wanted)
    assert len({int(way) for way in wanted.found_by}) > 2


def test_of_too_many_pairs_the_most_alike_are_measured():
    settings, texts = NUMBERS_SETTINGS["bands"], texts_with_copies(40, words=90)
    one = OneMachine(texts, settings)
    candidates = one.candidates.set_column(
        5, "in_skip_grams", pa.array([False] * len(one.candidates))
    )
    cells = cells_of(candidates, documents_table(texts, settings), 1).to_batches()
    rule = one.reworked._replace(share=0.02)

    found = pairs_of(pa.Table.from_batches(Measuring(settings, rule)(iter(cells))))

    found = found.take(~found.exact_duplicate)
    measured = found.reworked_words >= 0
    assert 0 < measured.sum() <= 0.02 * len(candidates) < len(found)
    assert found.resemblance[measured].min() >= found.resemblance[~measured].max()


def test_candidates_that_meet_in_no_band_after_all_are_dropped():
    settings, texts = NUMBERS_SETTINGS["bands"], texts_with_copies(40, words=90)
    one = OneMachine(texts, settings)
    x, y = np.triu_indices(len(texts), 1)
    ways = {name: np.zeros(len(x), dtype=np.bool_) for name in WAYS}
    own = one.corpus.taking_part()
    every = pa.table({"x": number_of(x), "y": number_of(y), **ways, "in_bands": ~ways["in_all"]})
    every = every.filter(pa.array(own[x] & own[y]))
    cells = cells_of(every, documents_table(texts, settings), 2)

    found = Measuring(settings, None)(iter(cells.to_batches()))

    wanted = one.wanted().take(~one.wanted().exact_duplicate)
    wanted = wanted.take((wanted.found_by & FoundBy.LSH) > 0)
    wanted = wanted.take(wanted.resemblance >= settings.min_resemblance)
    found = pairs_of(pa.Table.from_batches(found))
    np.testing.assert_array_equal(pair_codes(found.a, found.b), pair_codes(wanted.a, wanted.b))
    assert 0 < len(found) < len(every)


NAMES = [one.name for one in evidence.PASSAGE]
CHINESE = "春眠不觉晓处处闻啼鸟夜来风雨声花落知多少床前明月光疑是地上霜举头望明月低头思故乡"


def texts_of_all_kinds():
    texts = texts_with_copies(24, words=100)
    return [*texts, texts[0].upper(), texts[4], CHINESE * 3, f"白日依山尽{CHINESE}", ""]


def model_of(texts, settings):
    words = word_beginnings(texts, settings, {})
    return learn_words(words.values, words.offsets).to_bytes()


def wanted_passages(texts, settings, model, a, b):
    """What the record of a report says of a pair (`core.reports.record.writing`)."""
    shared = find_shared_text(
        texts[a],
        texts[b],
        settings,
        set_aside=(ASIDE.get(a, ()), ASIDE.get(b, ())),
        folder=model and WordModel.from_bytes(model),
        languages=(detect(texts[a]) or None, detect(texts[b]) or None),
    )
    return [
        tuple(one.moved_words if name == "moved" else getattr(one, name) for name in NAMES)
        for one in shared.passages
    ]


@pytest.mark.parametrize("settings", [ScanSettings(), ScanSettings(reworked="off")])
@pytest.mark.parametrize(("cells", "size"), [(1, 1000), (5, 3)])
def test_spans_and_words_are_those_of_a_report(settings, cells, size):
    texts = texts_of_all_kinds()
    model = None if settings.reworked == "off" else model_of(texts, settings)
    x, y = [0, 0, 1, 3, 25, 26, 7, 5, 4], [24, 1, 2, 7, 4, 27, 7, 20, 0]
    pairs = pa.table({"x": [number_of(one) for one in x], "y": [number_of(one) for one in y]})
    table = documents_table(texts, settings, aside=ASIDE)
    rows = cells_of(pairs, table, cells, ["number", "text", "aside", "language"])

    found = FindingPassages(settings, model)(iter(rows.to_batches(max_chunksize=size)))

    found = pa.Table.from_batches(found).to_pylist()
    assert len(found) == len(x)
    for row in found:
        a, b = row_of(row["x"]), row_of(row["y"])
        wanted = wanted_passages(texts, settings, model, a, b)
        assert [tuple(one[name] for name in NAMES) for one in row["passages"]] == wanted
    assert sum(map(len, (row["passages"] for row in found))) > 5


TEXTS = ["one two three four five six seven eight nine ten " * 20, "", "four five six seven", "ab"]


def test_signed_texts_come_back():
    settings = ScanSettings()
    signed = sign_texts(TEXTS, settings)

    batch = pa.record_batch(signed_columns(signed))
    back = signed_of(batch, settings)
    part = signed_of(batch.slice(1, 2), settings)

    for one, other in ((signed, back), (signed.take(np.array([1, 2])), part)):
        np.testing.assert_array_equal(one.units, other.units)
        np.testing.assert_array_equal(one.digests, other.digests)
        np.testing.assert_array_equal(one.signatures, other.signatures)
        for name in ("fingerprints", "skip_grams"):
            np.testing.assert_array_equal(getattr(one, name).values, getattr(other, name).values)
            np.testing.assert_array_equal(getattr(one, name).counts, getattr(other, name).counts)


def test_chunks_are_not_put_into_one_which_has_2_gib_at_most():
    rng = np.random.default_rng(3)
    values, counts = rng.integers(0, 2**32, 3000, dtype=np.uint32), np.full(300, 10)
    whole = packed(values, counts)
    sliced = [whole[0:0], whole[:7], whole[7:200], whole[200:].cast(pa.large_binary())]
    column = pa.chunked_array([*sliced[:3], *(one.cast(pa.binary()) for one in sliced[3:])])
    before = pa.default_memory_pool()
    pool = pa.proxy_memory_pool(before)
    pa.set_memory_pool(pool)
    try:
        found = unpacked(column, "<u4")
    finally:
        pa.set_memory_pool(before)

    assert pool.max_memory() < values.nbytes
    for one, (own, sizes) in ((column, found), (sliced[3], unpacked(sliced[3], "<u4"))):
        place = len(values) - len(own)
        np.testing.assert_array_equal(own, values[place:])
        np.testing.assert_array_equal(sizes, counts[: len(one)])
    assert not len(unpacked(pa.chunked_array([], pa.binary()), "<u8")[0])


def test_digests_sort_in_spark_as_in_the_engine(spark):
    rng = np.random.default_rng(5)
    digests = rng.integers(0, 2**64, (200, 2), dtype=np.uint64)
    digests[50:100, 0] = digests[0, 0]
    column = signed_columns(sign_texts(["a"], ScanSettings()))["digest"]
    assert column.type == pa.binary()

    from core.spark.columns import digest_column

    frame = spark.createDataFrame(pa.table({"digest": digest_column(digests)}))
    ordered = digests_of(frame.sort("digest").toArrow().column("digest"))

    np.testing.assert_array_equal(ordered, digests[np.lexsort((digests[:, 1], digests[:, 0]))])


def test_what_is_set_aside_comes_with_the_texts():
    aside = [None, [{"start": 2, "end": 5, "reason": "quotation"}]]
    texts = texts_of(pa.table({"text": ["abc", "abcdefg"], "aside": aside}))

    assert list(texts) == ["abc", "abcdefg"]
    assert [tuple(one) for one in texts.set_aside[1]] == [(2, 5, "quotation")]


def test_a_document_that_is_like_very_many_is_no_long_task(spark):
    """A long document with 400 short ones, and 20 that are all alike."""
    hub = [(0, y, 1_000_000, 5000) for y in range(1, 401)]
    alike = [(x, y, 5000, 5000) for x in range(900, 920) for y in range(x + 1, 920)]
    pairs = spark.createDataFrame([one[:2] for one in hub + alike], "x LONG, y LONG")
    lengths = {
        one: length for row in hub + alike for one, length in ((row[0], row[2]), (row[1], row[3]))
    }
    known = spark.createDataFrame(list(lengths.items()), "number LONG, characters LONG")

    rows = placed(pairs, known, CellLimits(text=1 << 22, work=500_000)).collect()

    cells = {}
    for row in rows:
        cells.setdefault((row.home, row.part), []).append((row.x, row.y))
    assert sorted(pair for own in cells.values() for pair in own) == sorted(
        one[:2] for one in hub + alike
    )
    work = [sum(min(lengths[x], lengths[y]) for x, y in own) for own in cells.values()]
    assert max(work) < 1_000_000
    assert len(cells) < 40
    for home in (0, 900):  # each text but the hub's is in one cell
        seconds = [{y for _, y in own} for key, own in cells.items() if key[0] == home]
        assert sum(map(len, seconds)) == len(set().union(*seconds))
