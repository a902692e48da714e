"""Rounds of choosing again end with the common grams of one machine, however work is cut."""

import random
from functools import partial

import numpy as np
import pyarrow as pa
import pytest

from core.candidates.shared_fingerprints import Chooser, common_among, find_passages
from core.settings import ScanSettings
from core.signatures.signing import sign_texts
from core.spark import passages
from core.spark.columns import int64s, signed_columns
from core.spark.passages import Around, Choose, CommonInWindows, holders, own_keys
from core.text.store import TextStore
from tests.engine.spark.test_fingerprint_runs import Known

BITS = np.uint64(24)
SETTINGS = ScanSettings(min_passage=12, reworked="off")
WEIGHED = ScanSettings(unit="char", min_passage=12, reworked="off")


def words(rng, count, han=0.0):
    """Words of which some are so many Chinese characters."""
    return [
        chr(rng.randrange(0x4E00, 0x9FA5)) * 2 if rng.random() < han else f"w{rng.randrange(10**6)}"
        for _ in range(count)
    ]


def layered(rng, count, han):
    """Texts that share many pieces, each with a number of documents around the limit."""
    pieces = [words(rng, rng.randrange(8, 45), han) for _ in range(9)]
    texts = []
    for _ in range(count):
        chosen = [piece for piece in pieces if rng.random() < 0.4]
        rng.shuffle(chosen)
        parts = [words(rng, rng.randrange(15), han) + piece for piece in chosen]
        texts.append(" ".join(sum(parts, words(rng, 10, han))))
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
    texts = layered(rng, 300, han)
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
