"""Overfull buckets give the pairs, and the note, that they give on one machine."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.base import memory
from core.candidates import lsh
from core.candidates.lsh import candidate_pairs
from core.errors import StorageError
from core.evidence.pairs import pair_codes
from core.scan.corpus import Corpus
from core.scan.lister import PairLister
from core.settings import ScanSettings
from core.signatures.signing import sign_texts
from core.spark import bands as crowd_rows_module
from core.spark import bands as on_spark
from core.spark.bands import (
    A_PAIR,
    CrowdsOfParts,
    band_candidates,
    crowd_cap,
    crowd_rows,
    members_of,
)
from core.spark.columns import digest_column, int64s, packed, unpacked
from core.spark.file_system import Stages
from core.spark.scan import copies, distinct
from tests.engine.spark.tables import WORDS, documents, number_of, row_of, texts_with_copies
from tests.engine.spark.test_bands import banded_signatures, buckets_in, pairs_of, quick


@pytest.fixture(scope="module", autouse=True)
def small_crowds():
    """More than three documents are a crowd, which is split until two are left."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lsh, "BUCKET_LIMIT", 3)
        patch.setattr(lsh, "PART_LIMIT", 2)
        patch.setattr(on_spark, "FOLLOWERS_A_ROW", 2)
        yield


def crowded_members(buckets):
    """What `crowd_members` says of some buckets, as lists by key."""
    overfull, members = {}, {}
    for row in buckets.to_pylist():
        own = np.frombuffer(row["members"], dtype="<i8").tolist()
        members.setdefault(row["key"], []).extend(own)
        overfull[row["key"]] = row["overfull"]
    crowded = {one for key, own in members.items() if overfull[key] for one in own}
    return {
        key: own
        for key, own in members.items()
        if overfull[key] or (len(own) > 2 and crowded.issuperset(own))
    }


def found_in(members, signatures, bands, rows, reviewed, order, size):
    """What `CrowdsOfParts` makes of all documents of some buckets, as if they were one part."""
    numbers = sorted({one for own in members.values() for one in own})
    if not numbers:
        return []
    of = row_of(np.array(numbers))
    digests = np.stack([np.zeros(len(of)), np.asarray(order)[of]], axis=1).astype(np.uint64)
    width = np.full(len(of), signatures.shape[1])
    first = {key: min(own) for key, own in members.items()}
    table = pa.table(
        {
            "documents": np.full(len(of), len(of)),
            "number": np.array(numbers),
            "reviewed": reviewed[of],
            "signature": packed(signatures[of].reshape(-1), width),
            "digest": digest_column(digests),
            "keys": [
                [key for key, head in first.items() if head == one] or None for one in numbers
            ],
        }
    )
    return list(CrowdsOfParts(bands, rows)(iter(table.to_batches(max_chunksize=size))))


@quick
@given(banded_signatures(), st.randoms(use_true_random=False), st.integers(1, 40))
def test_crowds_give_the_pairs_and_leaders_of_one_machine(case, random, size):
    signatures, bands, rows, reviewed = case
    order = list(range(len(signatures)))
    random.shuffle(order)

    buckets = buckets_in(signatures, bands, rows, reviewed, size)
    members = crowded_members(buckets)
    found = found_in(members, signatures, bands, rows, reviewed, order, size)
    whole = pc.is_in(buckets.column("key"), pa.array(list(members), pa.int64()))
    paired = [one.filter(pc.equal(one.column("band"), A_PAIR)) for one in found]
    meetings = [one.drop_columns(["band"]) for one in paired if one.num_rows]
    pairs = pairs_of(buckets.filter(pc.invert(whole)), size, meetings)
    followers = set()
    for one in found:
        led = one.filter(pc.not_equal(one.column("band"), A_PAIR))
        others, counts = unpacked(led.column("others"), "<i8")
        leaders = np.repeat(int64s(led.column("first")), counts)
        followers |= set(zip(row_of(leaders).tolist(), row_of(others).tolist(), strict=True))

    digests = np.stack([np.zeros(len(order)), order], axis=1).astype(np.uint64)
    use = np.arange(len(signatures))
    chunks = list(candidate_pairs(signatures, digests, use, bands, rows, to_review=reviewed))
    wanted = {pair for one in chunks for pair in zip(one.x.tolist(), one.y.tolist(), strict=True)}
    assert sorted(pairs) == sorted(wanted)
    assert followers == {(one.leader, other) for one in chunks for other in one.crowd.tolist()}


def test_a_crowd_that_has_no_room_is_refused_with_its_size(monkeypatch):
    signatures, reviewed = np.zeros((9, 6), dtype=np.uint32), np.ones(9, dtype=np.bool_)
    members = crowded_members(buckets_in(signatures, 2, 3, reviewed))
    monkeypatch.setattr(memory, "available_memory", lambda: 9 * (6 * 4 + 2 * 2 + 170) - 1)

    with pytest.raises(StorageError, match="A crowd of 9 documents that share text needs"):
        found_in(members, signatures, 2, 3, reviewed, range(9), 4)


def rows_of(sizes, batch, read=None):
    """Parts of so many documents as `crowd_rows` reads them, in batches of so many rows."""
    part = np.repeat(np.arange(len(sizes)), sizes)
    numbers = np.arange(len(part))
    signatures = (numbers[:, np.newaxis] * np.arange(1, 4)).astype(np.uint32)
    table = pa.table(
        {
            "documents": np.repeat(sizes, sizes),
            "number": numbers,
            "reviewed": numbers % 3 > 0,
            "signature": packed(signatures.reshape(-1), np.full(len(part), 3)),
            "digest": digest_column(np.stack([numbers, numbers + 7], axis=1).astype(np.uint64)),
            "keys": [[int(one) + 5, int(one) - 5] if one % 4 == 0 else None for one in numbers],
        }
    )
    for one in table.to_batches(max_chunksize=batch):
        if read is not None:
            read.append(one.num_rows)
        yield one


@pytest.mark.parametrize("batch", [1, 3, 8, 100])
@pytest.mark.parametrize("at_least", [1, 9, 1000])
def test_parts_are_read_whole_and_in_order(monkeypatch, batch, at_least):
    monkeypatch.setattr(crowd_rows_module, "AT_LEAST", at_least)
    sizes = [2, 5, 3, 30, 4, 2]

    found = list(crowd_rows(rows_of(sizes, batch), lambda *_: None))

    numbers = np.concatenate([one.numbers for one in found])
    np.testing.assert_array_equal(numbers, np.arange(46))
    ends = {int(one.numbers[-1]) + 1 for one in found}
    assert ends <= set(np.cumsum(sizes).tolist())
    assert (len(found) == 1) == (at_least == 1000)
    for one in found:
        np.testing.assert_array_equal(one.reviewed, one.numbers % 3 > 0)
        np.testing.assert_array_equal(one.digests[:, 1], one.numbers + 7)
        np.testing.assert_array_equal(one.signatures[:, 2], one.numbers * 3)
        own = one.numbers[one.numbers % 4 == 0]
        keys = np.concatenate([own + 5, own - 5]).view(np.uint64)
        np.testing.assert_array_equal(one.keys, np.sort(keys))


def test_room_is_asked_for_before_a_crowd_is_read():
    read = []

    def require(documents, width):
        assert width == 3
        if documents > 40:
            raise StorageError("no")

    with pytest.raises(StorageError):
        list(crowd_rows(rows_of([50], 5, read), require))
    assert read == [5]


def test_members_of_buckets_go_by_their_key():
    buckets = pa.record_batch({"key": [5, 9], "members": packed(np.arange(5), np.array([2, 3]))})

    (members,) = members_of(iter([buckets]))

    assert members.column("key").to_pylist() == [5, 5, 9, 9, 9]
    assert members.column("number").to_pylist() == [0, 1, 2, 3, 4]


def form_letters(count):
    """Letters of two forms, alike but for one word, and other texts."""
    rng = np.random.default_rng(8)
    letters = []
    for form in rng.choice(WORDS, (2, 120)):
        for _ in range(count):
            own = form.copy()
            own[rng.integers(120)] = rng.choice(WORDS)
            letters.append(" ".join(own))
    return letters + texts_with_copies(60)


def test_form_letters_are_led_as_on_one_machine(spark, tmp_path):
    """A thousand in a bucket are needed: what runs in Spark's workers cannot be made smaller."""
    settings = ScanSettings(signature_size=8, bands=4, rows=2, reworked="off")
    texts, reference = form_letters(1200), set(range(0, 2400, 50))
    to_review = np.array([row not in reference for row in range(len(texts))])
    with pytest.MonkeyPatch.context() as patch, ThreadPoolExecutor(1) as pool:
        patch.setattr(lsh, "BUCKET_LIMIT", 1000)
        patch.setattr(lsh, "PART_LIMIT", 10)
        corpus = Corpus(settings, pool)
        corpus.add(texts, sign_texts(texts, settings), to_review)
        chunks = list(corpus.search(settings).chunks())
        crowds = [(one.leader, one.crowd) for one in chunks if len(one.crowd)]
        cap = PairLister(corpus)._caps(crowds, settings)[-1]
    wanted = np.sort(np.concatenate([pair_codes(one.x, one.y) for one in chunks]))

    table = documents(spark, texts, settings, reference=reference).cache()
    alone = distinct(table, copies(table).cache()).cache()
    found = band_candidates(Stages(spark, str(tmp_path)), alone, settings)
    pairs = found.pairs.toArrow()

    x, y = (row_of(int64s(pairs.column(name))) for name in "xy")
    np.testing.assert_array_equal(np.sort(pair_codes(x, y)), wanted)
    assert found.crowds is not None
    of_spark = crowd_cap(found.crowds, settings)
    assert of_spark == cap._replace(document=number_of(cap.document))
