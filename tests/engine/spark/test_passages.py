"""Shared passages of a cluster are those of one machine, beside common text, too."""

from __future__ import annotations

import random
from functools import partial
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.base.arrays import UInt64Array
from core.candidates.shared_fingerprints import (
    Chooser,
    common_among,
    find_passages,
    keys_of,
    pair_by_fingerprints,
)
from core.errors import ClusterError
from core.evidence.pairs import split_codes
from core.scan.corpus import Corpus
from core.settings import ScanSettings
from core.signatures.signing import sign_texts
from core.spark import partitions, passages
from core.spark.columns import int64s, packed, signed_columns, unpacked
from core.spark.file_system import Stages
from core.spark.passages import (
    REVIEWED,
    Around,
    Choose,
    CommonInWindows,
    Spread,
    dropped_bits,
    holders,
    own_keys,
    paired_runs,
    shared_passages,
)
from core.spark.scan import copies, distinct
from core.text.set_aside import SetAside, merged
from core.text.shingling import Fingerprints
from core.text.store import TextStore
from tests.engine.spark.tables import documents, number_of, row_of, texts_with_copies

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


def fingerprint_runs_pairs_of(held, size):
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
        pairs, common = fingerprint_runs_pairs_of(held, size)

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
    pairs, common = fingerprint_runs_pairs_of(held, 2000)

    assert (pairs, common) == (set(), [0])
    assert max(sizes) < 3 * 6000


SETTINGS = ScanSettings(min_passage=12, reworked="off")
WEIGHED = ScanSettings(unit="char", min_passage=12, reworked="off")


def rewinnowing_words(rng, count, han=0.0):
    """Words of which some are so many Chinese characters."""
    return [
        chr(rng.randrange(0x4E00, 0x9FA5)) * 2 if rng.random() < han else f"w{rng.randrange(10**6)}"
        for _ in range(count)
    ]


def rewinnowing_layered(rng, count, han):
    """Texts that share many pieces, each with a number of documents around the limit."""
    pieces = [rewinnowing_words(rng, rng.randrange(8, 45), han) for _ in range(9)]
    texts = []
    for _ in range(count):
        chosen = [piece for piece in pieces if rng.random() < 0.4]
        rng.shuffle(chosen)
        parts = [rewinnowing_words(rng, rng.randrange(15), han) + piece for piece in chosen]
        texts.append(" ".join(sum(parts, rewinnowing_words(rng, 10, han))))
    return texts


class Rounds:
    """What `core.spark.passages` does, with tasks of some documents each."""

    def __init__(self, texts, settings, reviewed, tasks):
        columns = signed_columns(sign_texts(texts, settings))
        lengths = pa.array([len(text) for text in texts], pa.int64())
        aside = pa.nulls(len(texts), pa.list_(pa.string()))
        self.table = pa.table(
            {"text": texts, "aside": aside, "characters": lengths, "reviewed": reviewed, **columns}
        )
        self.settings = settings
        self.reviewed = reviewed
        self.tasks = tasks
        self.rows = {digest: row for row, digest in enumerate(columns["digest"].to_pylist())}
        self.more = None
        self.rounds = 0

    def mapped(self, work):
        cuts = np.array_split(np.arange(len(self.table)), self.tasks)
        parts = [self.table.slice(cut[0], len(cut)).to_batches(max_chunksize=40) for cut in cuts]
        return pa.Table.from_batches([batch for part in parts for batch in work(part)])

    def common(self, avoided):
        keys, rows = own_keys(self.table, BITS)
        if self.more is not None:
            more, places = own_keys(self.more, BITS)
            places = np.array([self.rows[one] for one in self.more["digest"].to_pylist()])[places]
            keys, rows = np.concatenate([keys, more]), np.concatenate([rows, places])
        order = np.argsort(rows, kind="stable")
        found = common_among(*holders(keys[order], rows[order]), self.reviewed)
        return np.setdiff1d(found, avoided)

    def around(self, avoided, fresh):
        rows = self.mapped(Around(self.settings, BITS, Known(avoided), Known(fresh)))
        rows = rows.sort_by([("key", "ascending"), ("other", "ascending")])
        work = CommonInWindows(BITS, Known(avoided))
        found = pa.Table.from_batches(work(rows.to_batches(max_chunksize=60)))
        return int64s(found.column("key")).view(np.uint64)

    def run(self, *, look_around):
        avoided = np.empty(0, dtype=np.uint64)
        while len(fresh := self.common(avoided)):
            avoided = np.union1d(avoided, fresh)
            if look_around:
                avoided = np.union1d(avoided, self.around(avoided, fresh))
            self.more = self.mapped(Choose(self.settings, BITS, Known(avoided)))
            self.rounds += 1
        return avoided


@pytest.mark.parametrize(
    ("settings", "han", "share"),
    [(SETTINGS, 0.0, 1.0), (SETTINGS, 0.3, 0.4), (WEIGHED, 0.0, 1.0)],
)
@pytest.mark.parametrize("tasks", [1, 4])
def test_the_common_grams_are_those_of_one_machine(settings, han, share, tasks, monkeypatch):
    monkeypatch.setattr(passages, "CHARACTERS_AT_ONCE", 20_000)
    monkeypatch.setattr(passages, "WINDOWS_AT_ONCE", 500)
    rng = random.Random(5)
    texts = rewinnowing_layered(rng, 300, han)
    reviewed = np.array([rng.random() < share for _ in texts])
    store = TextStore()
    store.extend(texts)
    chooser = Chooser(store, settings, BITS, to_review=reviewed)
    fingerprints = sign_texts(texts, settings).fingerprints
    alone = find_passages(fingerprints, np.ones(len(texts), dtype=np.bool_), chooser)
    of = partial(Rounds, texts, settings, reviewed)

    many, few = of(tasks), of(tasks)
    results = [many.run(look_around=False), few.run(look_around=True)]

    for avoided in results:
        assert avoided.tolist() == alone.avoided.tolist()
    assert len(alone.avoided) > 50
    assert few.rounds < many.rounds / 2
    for one in (many, few):
        keys, places = own_keys(one.more, BITS)
        rows = np.array([one.rows[digest] for digest in one.more["digest"].to_pylist()])[places]
        more = np.sort(keys << BITS | rows.astype(np.uint64))
        assert more.tolist() == alone.more.tolist()


def words(rng, count):
    return [f"w{rng.randrange(10**9)}" for _ in range(count)]


def layered(rng, count):
    """Texts that share many pieces, each with a number of documents around the limit."""
    pieces = [words(rng, rng.randrange(8, 45)) for _ in range(9)]
    pieces += ["".join(chr(rng.randrange(0x4E00, 0x9FA5)) for _ in range(60)).split()]
    texts = []
    for _ in range(count):
        chosen = [piece for piece in pieces if rng.random() < 0.4]
        rng.shuffle(chosen)
        parts = [words(rng, rng.randrange(15)) + piece for piece in chosen]
        texts.append(" ".join(sum(parts, words(rng, 10))))
    return texts


def alone(pool, texts, settings, aside, reference):
    corpus = Corpus(settings, pool)
    spans = {row: merged(own) for row, own in aside.items()}
    to_review = np.array([row not in reference for row in range(len(texts))])
    corpus.add(texts, sign_texts(texts, settings, set_aside=spans), to_review)
    corpus.texts.put_aside(aside)
    return corpus


def pairs_of(frame):
    found = frame.toArrow()
    x, y = row_of(int64s(found.column("x"))), row_of(int64s(found.column("y")))
    return sorted(zip(x.tolist(), y.tolist(), strict=True))


def keys_by_row(frame):
    found = frame.toArrow()
    values, counts = unpacked(found.column("fingerprints"), "<u8")
    rows = np.repeat(row_of(int64s(found.column("number"))), counts)
    return sorted(zip(keys_of(values, np.uint64(24)).tolist(), rows.tolist(), strict=True))


def test_passages_beside_common_text_are_those_of_one_machine(spark, pool, tmp_path, monkeypatch):
    rng = random.Random(3)
    texts = layered(rng, 300)
    texts += [texts[0], texts[7].upper(), *texts[20:50], "", "one two"]
    reference = set(range(10, 60))
    aside = {row: [SetAside(40, 300)] for row in range(60, 64)}
    corpus = alone(pool, texts, SETTINGS, aside, reference)
    expected = corpus.shared_passages()
    table = documents(spark, texts, SETTINGS, aside=aside, reference=reference).cache()
    own = distinct(table, copies(table)).cache()

    stages = Stages(spark, str(tmp_path))

    found = shared_passages(stages, own, table, SETTINGS)

    x, y = split_codes(expected.codes)
    assert pairs_of(found.pairs) == sorted(zip(x.tolist(), y.tolist(), strict=True))
    assert len(x) > 10
    assert found.common == (len(expected.holders), number_of(int(expected.holders[0])))
    assert found.avoided.tolist() == expected.avoided.tolist()
    more = [divmod(key, 1 << 24) for key in expected.more.tolist()]
    assert keys_by_row(found.more) == more
    assert len(more) > 20
    again = shared_passages(stages, own, table, SETTINGS)  # from the tables that are there
    assert again[1:2] == found[1:2]
    assert again.avoided.tolist() == found.avoided.tolist()

    monkeypatch.setattr(passages, "COMMON_AT_MOST", 10)
    with pytest.raises(ClusterError, match="More than 10 different runs of words"):
        shared_passages(stages, own, table, SETTINGS)


def test_passages_without_common_text(spark, pool, tmp_path):
    texts = texts_with_copies(60)
    expected = alone(pool, texts, SETTINGS, {}, ()).shared_passages()
    table = documents(spark, texts, SETTINGS, partitions=7).cache()
    own = distinct(table, copies(table))
    stages = Stages(spark, str(tmp_path))

    found = shared_passages(stages, own, table, SETTINGS)

    x, y = split_codes(expected.codes)
    assert pairs_of(found.pairs) == list(zip(x.tolist(), y.tolist(), strict=True))
    assert len(x) > 10
    assert found.common == (0, -1)
    assert found.more is None


def test_bits_are_those_of_one_machine_while_one_pairs_so_many():
    assert [dropped_bits(count) for count in (0, 1, 1 << 24, (1 << 24) + 1)] == [24, 24, 24, 0]
