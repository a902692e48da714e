"""All pairs compared on a cluster: as one machine does, and only where it does."""

import random
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.base.tasks import never
from core.candidates.all_pairs import FEASIBLE, MODERATE, AllPairsLimits, count_shared
from core.candidates.shared_fingerprints import document_bits
from core.errors import TooManyCandidatesError
from core.evidence.pairs import split_codes
from core.scan.corpus import Corpus
from core.scan.measured_pairs import affordable_pairs as affordable_alone
from core.settings import ScanSettings
from core.signatures.signing import sign_texts
from core.spark import all_pairs
from core.spark.all_pairs import affordable_pairs, background
from core.spark.columns import int64s
from core.spark.file_system import Stages
from core.spark.scan import copies, distinct
from core.text.set_aside import SetAside, merged
from core.text.shingling import Fingerprints, shingle
from tests.engine.spark.tables import documents, number_of, row_of, texts_with_copies

SETTINGS = ScanSettings(reworked="off")


def corpus_of(texts, options, pool, reference=(), aside=None):
    corpus = Corpus(options, pool)
    spans = {row: merged(own) for row, own in (aside or {}).items()}
    to_review = np.array([row not in reference for row in range(len(texts))])
    corpus.add(texts, sign_texts(texts, options, set_aside=spans), to_review)
    corpus.texts.put_aside(aside or {})
    return corpus


def ranges_counted(texts, options, reviewed, ranges, size):
    """What tasks count, each of other documents, then of other ranges, summed."""
    table = pa.table(
        {
            "number": [number_of(row) for row in range(len(texts))],
            "reviewed": reviewed,
            "text": texts,
            "aside": pa.nulls(len(texts), pa.list_(pa.string())),
        }
    )
    cut = all_pairs._Cut(options, document_bits(len(texts)), ranges, ranges)
    parts = pa.Table.from_batches(cut(table.to_batches(max_chunksize=size)))
    keys = [(name, "ascending") for name in ("range", "other", "number")]
    batches = parts.sort_by(keys).to_batches(max_chunksize=size)
    rows = pa.Table.from_batches(all_pairs._count_runs(options.bag, 10**6, batches))
    found, told = {}, [0, 0]
    for row in rows.to_pylist():
        if row["x"] is None:
            told = [told[0] + row["shingles"], told[1] + row["steps"]]
        else:
            pair = tuple(row[name] for name in ("x", "y", "size_x", "size_y"))
            found[pair] = found.get(pair, 0) + row["shared"]
    return found, told


@settings(deadline=None, derandomize=True, max_examples=25)
@given(
    seed=st.integers(0, 2**32),
    bag=st.booleans(),
    ranges=st.sampled_from([1, 2, 7]),
    size=st.sampled_from([1, 5, 100]),
)
def test_counts_are_those_of_one_machine(seed, bag, ranges, size):
    rng = random.Random(seed)
    options = ScanSettings(k=1, bag=bag, reworked="off")
    texts = [" ".join(rng.choices("abcdefgh", k=rng.randrange(1, 9))) for _ in range(30)]
    reviewed = np.array([rng.random() < 0.6 for _ in texts])
    rows = np.concatenate([np.flatnonzero(reviewed), np.flatnonzero(~reviewed)])
    shingles = shingle([texts[row] for row in rows], options)
    own = Fingerprints(shingles.hashes, np.diff(shingles.offsets))
    to_review = int(reviewed.sum())
    with ThreadPoolExecutor(1) as pool:
        alone = count_shared(
            own, bag=bag, to_review=to_review, limits=MODERATE, pool=pool, cancelled=never
        )
    x, y = (rows[places] for places in split_codes(alone.codes))
    pairs = zip(np.minimum(x, y).tolist(), np.maximum(x, y).tolist(), strict=True)
    expected = dict(zip(pairs, alone.shared.tolist(), strict=True))

    found, (count, _) = ranges_counted(texts, options, reviewed, ranges, size)

    assert count == len(own.values)
    assert {(row_of(x), row_of(y)): n for (x, y, *_), n in found.items()} == expected
    for x, y, size_x, size_y in found:
        for number, counted in ((x, size_x), (y, size_y)):
            units = texts[row_of(number)].split()
            assert counted == (len(units) if bag else len(set(units)))


@pytest.mark.parametrize("bag", [False, True])
def test_all_pairs_of_a_folder_are_those_of_one_machine(spark, pool, tmp_path, bag, monkeypatch):
    options = SETTINGS.with_changes(bag=bag, k=1 if bag else 3, min_resemblance=0.2)
    texts = [*texts_with_copies(50, words=60), "", "ab", "ab cd"]
    reference, aside = set(range(5, 20)), {30: [SetAside(20, 90)]}
    corpus = corpus_of(texts, options, pool, reference, aside)
    alone = affordable_alone(corpus, options)
    table = documents(spark, texts, options, aside=aside, reference=reference, partitions=3)
    own = distinct(table, copies(table)).cache()
    if not bag:
        monkeypatch.setattr(all_pairs, "SHINGLES_AT_ONCE", 300)  # many ranges
    stages = Stages(spark, str(tmp_path))

    found = affordable_pairs(stages, own, table, options)

    assert found.compared == alone.pairs
    rows = found.sharing.sort("x", "y").toArrow()
    x, y = split_codes(alone.codes)
    assert row_of(int64s(rows.column("x"))).tolist() == x.tolist()
    assert row_of(int64s(rows.column("y"))).tolist() == y.tolist()
    assert rows.column("resemblance").to_pylist() == alone.resemblance.tolist()
    assert found.reach(0.2) == len(alone.reaching(0.2)) > 3


def test_pairs_drawn_at_random_are_those_of_one_machine(spark, pool, monkeypatch):
    monkeypatch.setattr("core.scan.comparing_all.BACKGROUND_CHARACTERS", 40_000)  # not all texts
    texts = texts_with_copies(150, seed=4)
    reference = set(range(60, 100))
    alone = corpus_of(texts, SETTINGS, pool, reference).background_pairs()
    table = documents(spark, texts, SETTINGS, reference=reference)

    drawn = background(distinct(table, copies(table)), table, SETTINGS)

    assert drawn.share == alone.share < 1
    assert drawn.shared.tolist() == alone.shared.tolist()
    assert drawn.resemblance.tolist() == alone.resemblance.tolist()
    assert drawn.shared.sum() > 0


def answer(function, options):
    try:
        every = function(options)
    except TooManyCandidatesError as error:
        return str(error)
    return every and every.reach(options.min_resemblance)


def test_all_are_compared_where_one_machine_does(spark, pool, tmp_path, monkeypatch):
    words = SETTINGS.with_changes(k=1)  # of which all texts have many in common
    texts = texts_with_copies(130, words=300)
    corpus = corpus_of(texts, words, pool)
    table = documents(spark, texts, words)
    own = distinct(table, copies(table)).cache()
    few_steps, few_pairs = AllPairsLimits(10, 10**6, 10**6), AllPairsLimits(1 << 62, 3, 10**6)
    answers = set()
    for number, (compare, bands, moderate, feasible) in enumerate(
        [
            ("auto", 4, few_steps, FEASIBLE),  # the candidates of the bands are few
            ("auto", 128, few_steps, FEASIBLE),  # they are many, so all are compared
            ("all", 4, few_steps, few_pairs),
        ]
    ):
        for name in ("MODERATE", "FEASIBLE"):
            value = {"MODERATE": moderate, "FEASIBLE": feasible}[name]
            monkeypatch.setattr(f"core.scan.measured_pairs.{name}", value)
        options = words.with_changes(compare=compare, bands=bands, rows=128 // bands)
        corpus._all_pairs.clear()
        stages = Stages(spark, str(tmp_path / str(number)))

        alone = answer(partial(affordable_alone, corpus), options)
        found = answer(partial(affordable_pairs, stages, own, table), options)

        assert found == alone
        answers.add(str(alone)[:9])
    assert len(answers) == 3 > len(answers - {"None", "More than"}) > 0


def test_nothing_is_counted_where_bands_are_asked_for():
    options = SETTINGS.with_changes(compare="bands")
    assert affordable_pairs(None, None, None, options) is None
