"""Candidates for reworked passages are on Spark what they are on one machine."""

import random

import numpy as np
import pyarrow as pa
import pytest

from core.candidates import reworked
from core.candidates.reworked import pair_by_skip_grams
from core.scan import reworked as scan_reworked
from core.scan.corpus import Corpus
from core.settings import ScanSettings
from core.signatures.signing import sign_texts
from core.spark import skip_gram_pairs, skip_gram_units
from core.spark.columns import int64s, packed
from core.spark.file_system import Stages
from core.spark.scan import copies, distinct
from core.spark.skip_gram_pairs import Shared, Spread, skip_gram_candidates
from core.spark.skip_gram_units import Agree, Units, lasting_pairs
from core.text.set_aside import SetAside, merged
from core.text.shingling import Fingerprints
from tests.engine.spark.tables import documents, number_of, row_of, texts_with_copies

SETTINGS = ScanSettings(reworked="careful")


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


def classes_in(shared):
    """The classes of hashes, as Spark groups them."""
    own = {}
    for batch in skip_gram_pairs._classes(iter(shared)):
        for row in batch.to_pylist():
            key = row["documents"], row["reviewed"]
            hashes, firsts = own.setdefault(key, ([], []))
            hashes.append(row["hashes"])
            firsts.append((row["hash"], row["number"], row["word"]))
    documents, reviewed = np.array(list(own), dtype=np.int64).reshape(-1, 2).T
    return skip_gram_pairs._Classes(
        documents,
        np.array([sum(hashes) for hashes, _ in own.values()], dtype=np.int64),
        skip_gram_units.pairs_within(documents, reviewed),
        np.array([min(firsts) for _, firsts in own.values()], dtype=np.int64).reshape(-1, 3),
    )


def found_in_streams(grams, to_review, rng):
    """Classes, shared skip-grams, the limit, and candidates by the halvings that they last."""
    spread = Spread(rng.choice([1, 7, 300]))(iter(taking_part_of(grams, to_review, 3)))
    budget = reworked.most_pairs(len(grams.values))
    shared = list(Shared(budget)(iter(side_by_side(spread, "range", rng))))
    classes = classes_in(shared)
    limit, _ = classes.limit(budget)
    units = side_by_side(Units(limit, len(grams.counts))(iter(shared)), "unit", rng)
    agreed = side_by_side(Agree(rng.choice([1, 5, 200]))(iter(units)), "bucket", rng)
    lasting = [row for batch in lasting_pairs(iter(agreed)) for row in batch.to_pylist()]
    return classes, shared, limit, lasting


def told(classes, shared, limit, halvings):
    """As `CommonSkipGrams`, with the holders counted in streams."""
    holders = {
        number
        for batch in skip_gram_pairs._holders(limit >> halvings, iter(shared))
        for number in batch.column("number").to_pylist()
    }
    first = next(
        filter(None, (classes.most_common(limit >> times) for times in range(halvings + 1))), None
    )
    grams = int(classes.hashes[classes.pairs > limit >> halvings].sum())
    return (
        (grams, len(holders), first[0], row_of(first[2]), first[3]) if first else (0, 0, 0, -1, -1)
    )


@pytest.mark.parametrize("seed", range(40))
def test_streams_give_what_one_machine_gives(seed, monkeypatch):
    rng = random.Random(seed)
    monkeypatch.setattr(skip_gram_units, "OCCURRENCES_A_ROW", rng.choice([1, 40, 1 << 16]))
    monkeypatch.setattr(skip_gram_pairs, "SETTLED_AT_ONCE", rng.choice([1, 100, 1 << 22]))
    monkeypatch.setattr(skip_gram_pairs, "SPREAD_AT_ONCE", rng.choice([1, 500]))
    monkeypatch.setattr(skip_gram_units, "AGREEMENTS_A_UNIT", rng.choice([1, 30, 1 << 20]))
    monkeypatch.setattr(skip_gram_units, "SENT_AT_ONCE", rng.choice([1, 200, 1 << 21]))
    monkeypatch.setattr(reworked, "FEWEST_PAIRS", rng.choice([0, 300, 2000, 20_000_000]))
    monkeypatch.setattr(reworked, "PAIRS_A_GRAM", 0 if rng.random() < 0.5 else 1)
    monkeypatch.setattr(reworked, "FEWEST_COMPARED", rng.choice([0, 1 << 26]))
    shape = rng.choice([20, 60, 200]), rng.choice([40, 150, 400]), rng.choice([100, 400, 2000])
    grams = some_grams(rng, rng.randrange(2, 40), *shape)
    everyone = np.ones(len(grams.counts), dtype=np.bool_)
    to_review = np.array([rng.random() < 0.6 for _ in everyone]) if rng.random() < 0.5 else everyone

    expected = pair_by_skip_grams(grams, everyone, to_review)
    classes, shared, limit, lasting = found_in_streams(grams, to_review, rng)

    halvings = next(times for times in range(64) if limit >> times <= max(expected.limit, 0))
    assert limit >> halvings == expected.limit
    pairs = {(row["x"], row["y"]) for row in lasting if row["halvings"] >= halvings}
    assert pairs == {
        (number_of(int(code) >> 32), number_of(int(code) & 0xFFFFFFFF)) for code in expected.codes
    }
    assert len(lasting) == len({(row["x"], row["y"]) for row in lasting})
    assert told(classes, shared, limit, halvings) == tuple(expected.common)


@pytest.mark.parametrize(("weights", "are_enough"), [((11, 11, 11), True), ((11, 11, 10), False)])
def test_three_skip_grams_suffice_that_weigh_just_enough(weights, are_enough):
    marks = [
        place | place << skip_gram_units.EARLIER | (weight | 4 << 5) << skip_gram_units.WORTH
        for place, weight in enumerate(weights)
    ]
    first = [mark | 1 << skip_gram_units.FIRST for mark in marks]
    columns = {"x": [1] * 4, "y": [2] * 4, "marks": [first[0], marks[0], *first[1:]]}
    batch = {name: packed(np.array(own), np.array([4])) for name, own in columns.items()}

    found = lasting_pairs(iter([pa.record_batch({"bucket": [0], **batch})]))

    expected = [{"x": 1, "y": 2, "halvings": 4}] if are_enough else []
    assert [row for batch in found for row in batch.to_pylist()] == expected


def test_what_is_in_every_document_does_not_pile_up(monkeypatch):
    monkeypatch.setattr(skip_gram_pairs, "SETTLED_AT_ONCE", 500)
    grams = Fingerprints(np.full(100, 7 << 24 | 3, dtype=np.uint64), np.ones(100, dtype=np.int64))
    everyone, taken = np.ones(100, dtype=np.bool_), []

    def in_every_document():
        for part in range(60):
            taken.append(part)
            (batch,) = taking_part_of(grams, everyone, 1000)
            numbers = pa.array(int64s(batch.column("number")) + part * 10_000)
            yield from Spread(1)(iter([batch.set_column(0, "number", numbers)]))

    shared = Shared(1000)(in_every_document())
    first = next(shared)
    taken_at_first, rest = len(taken), list(shared)

    assert taken_at_first == 6
    assert all(len(row.column("numbers")[0].as_py()) <= 8 for row in rest)
    holders = skip_gram_pairs._holders(1000, iter([first, *rest]))
    assert len({n for batch in holders for n in batch.column("number").to_pylist()}) == 6000
    assert classes_in(rest).documents.tolist() == [6000]


def worded_in_fours(rng, words=200):
    """A text of which every fifth word is set aside: it has no shingle, but skip-grams."""
    text, spans = "", []
    for place in range(words):
        word = "".join(rng.choices("abcdefgh", k=7))
        if place % 5 == 4:
            spans.append(SetAside(len(text), len(text) + len(word)))
        text += f"{word} "
    return text, spans


@pytest.mark.parametrize("kind", ["all pairs", "halved, with references"])
def test_candidates_are_those_of_one_machine(spark, pool, tmp_path, monkeypatch, kind):
    rng = random.Random(5)
    texts, aside, reference = texts_with_copies(90), {}, set()
    for row in (20, 91):
        texts[row:row], aside[row] = [worded_in_fours(rng)[0]], worded_in_fours(rng)[1]
    if kind == "halved, with references":
        monkeypatch.setattr(scan_reworked, "MEASURED_ALL", {})
        reference = set(range(0, len(texts), 3))
        monkeypatch.setattr(reworked, "FEWEST_PAIRS", 100)
        monkeypatch.setattr(reworked, "FEWEST_COMPARED", 0)
        monkeypatch.setattr(reworked, "PAIRS_A_GRAM", 1)
    corpus = Corpus(SETTINGS, pool)
    spans = {row: merged(own) for row, own in aside.items()}
    to_review = np.array([row not in reference for row in range(len(texts))])
    corpus.add(texts, sign_texts(texts, SETTINGS, set_aside=spans), to_review)
    expected = corpus.reworked.candidates()
    frame = documents(spark, texts, SETTINGS, aside=aside, reference=reference)
    different = distinct(frame, copies(frame)).cache()

    found = skip_gram_candidates(Stages(spark, str(tmp_path)), different, frame, SETTINGS)

    pairs = {(row_of(row["x"]), row_of(row["y"])) for row in found.pairs.collect()}
    assert pairs == {(int(code) >> 32, int(code) & 0xFFFFFFFF) for code in expected.codes}
    assert found.limit == expected.limit
    common = found.common
    assert common._replace(document=row_of(common.document)) == expected.common
    assert kind == "all pairs" or (len(pairs) > 10 and common.grams > 100)
    different.unpersist()
