"""Shared passages of a cluster are those of one machine, beside common text, too."""

from __future__ import annotations

import random
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.base.arrays import UInt64Array
from core.candidates.references import pairs_of, pairs_of_all
from core.candidates.shared_fingerprints import (
    common_among,
    keys_of,
    pair_by_fingerprints,
)
from core.candidates.sorted_keys import DOCUMENT_LIMIT
from core.evidence.pairs import split_codes
from core.settings import ScanSettings
from core.signatures.signing import sign_texts
from core.signatures.winnowing import find_grams
from core.spark import partitions, passages
from core.spark.columns import int64s, packed, signed_columns, unpacked
from core.spark.passages import (
    REVIEWED,
    Choose,
    CountBeside,
    Spread,
    dropped_bits,
    holders,
    paired_runs,
)
from core.text.shingling import Fingerprints, shingle
from tests.engine.spark.tables import number_of, row_of

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


@pytest.mark.parametrize(
    ("settings", "han", "share"),
    [(SETTINGS, 0.0, 1.0), (SETTINGS, 0.3, 0.4), (WEIGHED, 0.0, 1.0)],
)
@pytest.mark.parametrize("tasks", [1, 4])
def test_a_window_that_documents_share_pairs_them_beside_common_text(
    settings, han, share, tasks, monkeypatch
):
    """Every window of which a gram is not common has the same fingerprint in all documents."""
    monkeypatch.setattr(passages, "CHARACTERS_AT_ONCE", 20_000)
    rng = random.Random(5)
    texts = rewinnowing_layered(rng, 280, han)
    reviewed = np.array([rng.random() < share for _ in texts])
    columns = signed_columns(sign_texts(texts, settings))
    numbers = [number_of(row) for row in range(len(texts))]
    aside = pa.nulls(len(texts), pa.list_(pa.string()))
    own = {"number": numbers, "text": texts, "aside": aside, "reviewed": reviewed}
    table = pa.table({**own, "fingerprints": columns["fingerprints"]})
    cuts = np.array_split(np.arange(len(table)), tasks)
    parts = [table.slice(cut[0], len(cut)).to_batches(max_chunksize=40) for cut in cuts]

    def mapped(work):
        return pa.Table.from_batches([batch for part in parts for batch in work(part)])

    keys, rows = keys_in(table)
    avoided = common_among(*holders(keys, rows), reviewed)
    counted = mapped(CountBeside(settings, BITS, Known(avoided))).group_by("key")
    counted = counted.aggregate([("documents", "sum"), ("reviewed", "sum")]).to_pydict()
    documents, of_review = (np.array(counted[f"{one}_sum"]) for one in ("documents", "reviewed"))
    common = pairs_of(of_review, documents) > pairs_of_all(DOCUMENT_LIMIT)
    counted = np.array(counted["key"]).view(np.uint64)[common]
    avoided = np.union1d(avoided, counted)
    more, places = keys_in(mapped(Choose(settings, BITS, Known(avoided))), by="number")

    assert len(avoided) > 20
    assert len(more) > 20
    common = set(avoided.tolist())
    chosen = [set() for _ in texts]
    for key, row in zip(keys.tolist(), rows.tolist(), strict=True):
        chosen[row].add(key)
    for key, row in zip(more.tolist(), places.tolist(), strict=True):
        assert key not in chosen[row]
        chosen[row].add(key)
    for row, text in enumerate(texts):
        grams = find_grams(shingle([text], settings), settings)
        own, hashes = keys_of(grams.hashes, BITS).tolist(), grams.hashes.tolist()
        ends = grams.ends_of_windows(np.arange(len(own))).tolist()
        for start, end in enumerate(ends):
            left = [place for place in range(start, min(end, len(own))) if own[place] not in common]
            if end <= len(own) and left:
                assert own[min(left, key=hashes.__getitem__)] in chosen[row]


def keys_in(table, by=None):
    """The keys of the fingerprints of a table, and the row of each."""
    values, counts = unpacked(table.column("fingerprints"), "<u8")
    rows = row_of(int64s(table.column(by))) if by else np.arange(len(counts))
    return keys_of(values, BITS), np.repeat(rows, counts)


def test_bits_are_those_of_one_machine_while_one_pairs_so_many():
    assert [dropped_bits(count) for count in (0, 1, 1 << 24, (1 << 24) + 1)] == [24, 24, 24, 0]
