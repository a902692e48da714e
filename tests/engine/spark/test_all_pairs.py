"""All pairs compared on a cluster: as one machine does, and only where it does."""

import random
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pyarrow as pa
from hypothesis import given, settings
from hypothesis import strategies as st

from core.base.tasks import never
from core.candidates.all_pairs import MODERATE, AllPairsLimits, count_shared
from core.candidates.shared_fingerprints import document_bits
from core.evidence.pairs import split_codes
from core.settings import ScanSettings
from core.spark import all_pairs
from core.spark.all_pairs import affordable_pairs
from core.text.shingling import Fingerprints, shingle
from tests.engine.spark.tables import number_of, row_of

SETTINGS = ScanSettings(reworked="off")


def ranges_counted(texts, options, reviewed, ranges, size, limits=MODERATE):
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
    rows = pa.Table.from_batches(all_pairs._count_runs(options.bag, limits, batches))
    found, told, counted = {}, [0, 0], set()
    for row in rows.to_pylist():
        if row["x"] is None:
            told = [told[0] + row["shingles"], told[1] + row["steps"]]
            counted.add(row["shared"])
        else:
            pair = tuple(row[name] for name in ("x", "y", "size_x", "size_y"))
            found[pair] = found.get(pair, 0) + row["shared"]
    return found, told, counted


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

    found, (count, _), _ = ranges_counted(texts, options, reviewed, ranges, size)

    assert count == len(own.values)
    assert {(row_of(x), row_of(y)): n for (x, y, *_), n in found.items()} == expected
    for x, y, size_x, size_y in found:
        for number, counted in ((x, size_x), (y, size_y)):
            units = texts[row_of(number)].split()
            assert counted == (len(units) if bag else len(set(units)))


def test_too_many_pairs_are_told_of_and_not_made():
    texts = [" ".join("abcdefgh"[row % 3 :]) for row in range(30)]
    options, everyone = ScanSettings(k=1, reworked="off"), np.ones(30, dtype=np.bool_)

    for limits in (AllPairsLimits(1 << 62, 100, 10**6), AllPairsLimits(200, 10**6, 10**6)):
        found, (shared, steps), counted = ranges_counted(texts, options, everyone, 2, 9, limits)
        assert not found
        assert counted == {-1}
        assert shared == sum(len(text.split()) for text in texts)
        assert steps > 200


def test_nothing_is_counted_where_bands_are_asked_for():
    options = SETTINGS.with_changes(compare="bands")
    assert affordable_pairs(None, None, None, options) is None
