"""How full buckets are, against a dictionary of bands."""

import threading
from collections import defaultdict
from contextlib import contextmanager
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.base.tasks import cancelled_by
from core.candidates import bands, lsh
from core.candidates.bands import LISTED_BUCKETS, least_of_class
from core.candidates.sorted_keys import BUCKET_LIMIT
from core.errors import ScanCancelledError
from core.scan.buckets import bucket_fill, text_of_bucket
from core.settings import ScanSettings
from core.signatures.methods import join_halves
from tests.pairs import candidate_pairs, corpus_of, listed

quick = settings(derandomize=True, max_examples=150)


@st.composite
def banded_signatures(draw):
    """A small matrix of few values, its bands and rows, and the rows in use."""
    bands, rows = draw(st.integers(1, 5)), draw(st.integers(1, 3))
    width = bands * rows + draw(st.integers(0, 2))
    row = st.lists(st.integers(0, 2), min_size=width, max_size=width)
    matrix = draw(st.lists(row, max_size=25))
    use = [index for index in range(len(matrix)) if draw(st.integers(0, 4))]
    return np.array(matrix, dtype=np.uint32).reshape(len(matrix), width), bands, rows, use


def agree(x, y, bands, rows):
    """Whether two signatures agree in a whole band."""
    return any((x[i * rows :][:rows] == y[i * rows :][:rows]).all() for i in range(bands))


def brute_force(signatures, use, bands, rows):
    pairs = combinations(use, 2)
    return {(x, y) for x, y in pairs if agree(signatures[x], signatures[y], bands, rows)}


@quick
@given(banded_signatures())
def test_every_pair_that_agrees_in_a_band_is_found_once(case):
    signatures, bands, rows, use = case

    chunks = list(candidate_pairs(signatures, np.array(use, dtype=np.int64), bands, rows))

    found = listed(chunks)
    assert len(found) == len(set(found))
    assert set(found) == brute_force(signatures, use, bands, rows)
    assert [chunk.band for chunk in chunks] == sorted(chunk.band for chunk in chunks)
    assert all(chunk.leader == -1 and not len(chunk.followers) for chunk in chunks)


@quick
@given(banded_signatures(), st.data())
def test_at_least_one_document_of_a_pair_is_to_review(case, data):
    signatures, bands, rows, use = case
    reviewed = np.array(
        data.draw(st.lists(st.booleans(), min_size=len(signatures), max_size=len(signatures))),
        dtype=np.bool_,
    )
    chunks = candidate_pairs(signatures, np.array(use, dtype=int), bands, rows, to_review=reviewed)

    found = listed(chunks)
    every = brute_force(signatures, use, bands, rows)
    assert len(found) == len(set(found))
    assert set(found) == {(x, y) for x, y in every if reviewed[x] or reviewed[y]}


@quick
@given(banded_signatures())
def test_chunks_may_end_after_any_bucket(case):
    signatures, bands, rows, use = case
    largest = max(1, len(use) * (len(use) - 1) // 2)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lsh, "CHUNK_PAIRS", largest)
        chunks = list(candidate_pairs(signatures, np.array(use, dtype=np.int64), bands, rows))

    assert all(len(chunk.x) <= largest for chunk in chunks)
    assert sorted(listed(chunks)) == sorted(brute_force(signatures, use, bands, rows))


def test_the_largest_ordinary_bucket_fits_into_the_buffer():
    assert BUCKET_LIMIT * (BUCKET_LIMIT - 1) // 2 <= lsh.CHUNK_PAIRS

    signatures = np.repeat(np.arange(3, dtype=np.uint32), BUCKET_LIMIT).reshape(-1, 1)
    chunks = list(candidate_pairs(signatures, np.arange(len(signatures)), 1, 1))

    assert [len(chunk.x) for chunk in chunks] == [999_000, 499_500]
    assert all(chunk.leader == -1 for chunk in chunks)


def crowded(alike, unlike, width=8):
    """Documents that all agree in the first value: some nearly equal, some in nothing else."""
    rng = np.random.default_rng(6)
    signatures = rng.integers(1, 2**32, (alike + unlike, width), dtype=np.uint32)
    signatures[:alike, : width - 1] = 7
    signatures[:, 0] = 7
    return signatures


def test_everyone_in_an_overfull_bucket_is_compared_with_its_leader_once():
    signatures = crowded(BUCKET_LIMIT + 50, 100)

    chunks = list(candidate_pairs(signatures, np.arange(len(signatures)), 8, 1))

    found = listed(chunks)
    assert len(found) == len(set(found))
    crowds = [chunk for chunk in chunks if len(chunk.followers)]
    assert [chunk.leader for chunk in crowds] == [0]
    assert crowds[0].followers.tolist() == list(range(1, len(signatures)))
    assert {(0, y) for y in range(1, len(signatures))} <= set(found)


def test_a_crowd_that_is_only_a_crowd_does_not_give_all_its_pairs():
    count = 3 * BUCKET_LIMIT
    signatures = crowded(0, count)

    assert not list(candidate_pairs(signatures, np.arange(count), 4, 2))
    found = listed(candidate_pairs(signatures, np.arange(count), 8, 1))
    assert found == [(0, y) for y in range(1, count)]


def test_smaller_buckets_of_a_crowd_are_split_unless_somebody_else_is_in_them():
    """Documents 0 to 1,499 are one bucket of the first band, and with one other three of the next.

    Of the pairs that meet there, those with equal signatures are wanted and all of the stranger's.
    """
    count, stranger = 1500, 1500
    signatures = np.random.default_rng(7).integers(10, 2**32, (count + 1, 8), dtype=np.uint32)
    signatures[:count, 0] = 1
    signatures[:count, 1] = np.arange(count) % 3
    signatures[stranger, 1] = 2
    signatures[6:900:6] = signatures[3:897:6]

    found = listed(candidate_pairs(signatures, np.arange(count + 1), 2, 1))

    assert len(found) == len(set(found))
    third = [n for n in range(count) if n % 3 == 2]
    expected = {(0, y) for y in range(1, count)} | {*combinations(third, 2)}
    expected |= {(x, stranger) for x in third} | {(x, x + 3) for x in range(3, 897, 6)}
    assert set(found) == expected


def test_a_part_that_agrees_in_everything_has_a_leader_of_its_own():
    size = BUCKET_LIMIT + 1
    signatures = np.repeat(np.arange(3, dtype=np.uint32), size).reshape(-1, 1) + np.zeros(
        8, dtype=np.uint32
    )
    signatures[:, 0] = 9

    found = listed(candidate_pairs(signatures, np.arange(3 * size), 8, 1))

    assert len(found) == len(set(found))
    stars = {(leader, leader + n) for leader in (0, size, 2 * size) for n in range(1, size)}
    assert set(found) == stars | {(0, y) for y in range(1, 3 * size)}


@contextmanager
def small_crowds():
    """More than three documents are a crowd, which is split until two are left."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lsh, "BUCKET_LIMIT", 3)
        patch.setattr(lsh, "PART_LIMIT", 2)
        yield


@quick
@given(banded_signatures())
def test_crowds_give_each_pair_once(case):
    signatures, bands, rows, use = case
    with small_crowds():
        found = listed(candidate_pairs(signatures, np.array(use, dtype=np.int64), bands, rows))

    assert len(found) == len(set(found))
    assert set(found) <= brute_force(signatures, use, bands, rows)


@quick
@given(banded_signatures(), st.integers(0, 6))
def test_hashes_that_begin_alike_make_no_bucket(case, left):
    """Of the hash no bit is left, or a few: the buckets are those of equal values all the same."""
    signatures, bands_, rows, use = case
    bits = np.uint64(63 - left)
    use = np.array(use, dtype=np.int64)
    for band in range(bands_):
        keys = np.sort(bands._band_keys(signatures, use, band, band + 1, rows, bits)[0])
        found = bands.Buckets(*bands._buckets(keys, bits, signatures, band, rows))
        expected = [own for own in buckets(signatures, use, band, rows) if len(own) > 1]
        assert sorted(own.tolist() for own in found.each()) == sorted(expected)
        assert found.sizes.tolist() == [len(own) for own in found.each()]


def buckets(signatures, use, band, rows):
    """The members of every bucket of a band."""
    together = {}
    for row in use.tolist():
        part = signatures[row, band * rows : band * rows + rows]
        together.setdefault(part.tobytes(), []).append(row)
    return list(together.values())


@pytest.mark.parametrize(("at_once", "worth"), [(1, 0), (100, 7), (1 << 22, 1 << 20)])
def test_buckets_of_all_bands_come_in_order(at_once, worth, monkeypatch):
    signatures = np.random.default_rng(8).integers(0, 3, (50, 24), dtype=np.uint32)
    use = np.arange(0, 50, 2)

    monkeypatch.setattr("core.candidates.bands.KEYS_AT_ONCE", at_once)
    monkeypatch.setattr("core.candidates.bands.ROWS_WORTH_A_THREAD", worth)
    by_band = list(bands.sorted_buckets(signatures, use, 12, 2))

    for band, found in enumerate(by_band):
        expected = [own for own in buckets(signatures, use, band, 2) if len(own) > 1]
        assert sorted(own.tolist() for own in found.each()) == sorted(expected)
    assert len(by_band) == 12


def test_a_search_that_is_given_up_leaves_no_thread(monkeypatch):
    monkeypatch.setattr("core.candidates.bands.ROWS_WORTH_A_THREAD", 0)
    signatures = np.zeros((10, 64), dtype=np.uint32)
    found = bands.sorted_buckets(signatures, np.arange(10), 64, 1)
    next(found)
    found.close()

    assert not [one for one in threading.enumerate() if one.name.startswith("neardup-bands")]


@pytest.mark.parametrize("documents", [20, 2 * BUCKET_LIMIT])
def test_a_search_can_be_cancelled_between_chunks(documents):
    stop = []
    signatures = crowded(0, documents)
    chunks = candidate_pairs(signatures, np.arange(documents), 8, 1)
    with cancelled_by(lambda: bool(stop)):
        next(chunks)
        stop.append(True)

        with pytest.raises(ScanCancelledError):
            next(chunks)


BANDS = ScanSettings(k=1, bands=20, rows=2, signature_size=40)
BITS = ScanSettings(k=1, signature="simhash", max_distance=3)
FORM = "the form that everybody has to fill in before the end of the month begins here and ends"


def texts_with_a_form(count, forms, seed=3):
    """So many texts of their own, and some that are one form with a name."""
    rng = np.random.default_rng(seed)
    own = [" ".join(f"w{word}" for word in rng.integers(0, 9_000, 30)) for _ in range(count)]
    return [*own, *(f"{FORM} {name}" for name in rng.integers(0, 10**9, forms))]


def by_dictionary(signatures, bands, rows):
    """The buckets of two and more, band by band, as sets."""
    every = []
    for band in range(bands):
        found = defaultdict(set)
        for number, values in enumerate(signatures[:, band * rows : band * rows + rows]):
            found[tuple(values.tolist())].add(number)
        every.append([one for one in found.values() if len(one) > 1])
    return every


@pytest.mark.parametrize(("place", "least"), [(0, 2), (1, 3), (2, 5), (3, 9), (9, 513)])
def test_classes_of_sizes_double(place, least):
    assert least_of_class(place) == least


def test_buckets_are_counted_by_size(pool):
    corpus = corpus_of(texts_with_a_form(60, 25), BANDS, pool)

    fill = bucket_fill(corpus, BANDS)

    every = by_dictionary(corpus.signed.signatures, 20, 2)
    sizes = [len(one) for band in every for one in band]
    assert fill.bands == 20
    assert fill.documents == 85
    assert fill.largest == max(sizes)
    assert fill.classes[-1].least <= max(sizes) <= fill.classes[-1].most
    for one in fill.classes:
        own = [size for size in sizes if one.least <= size <= one.most]
        assert one.buckets == len(own)
        assert one.pairs == sum(size * (size - 1) // 2 for size in own)
    assert fill.buckets == len(sizes)


def test_the_form_is_reported_once_however_many_bands_it_fills(pool):
    corpus = corpus_of(texts_with_a_form(60, 25), BANDS, pool)

    fullest = bucket_fill(corpus, BANDS).fullest

    first = fullest[0]
    assert set(first.members.tolist()) <= set(range(60, 85))
    assert first.bands > 5
    once = len(first.members) * (len(first.members) - 1) // 2
    assert once < first.pairs <= min(once * 20, bucket_fill(corpus, BANDS).pairs)
    assert len(fullest) <= LISTED_BUCKETS
    sizes = [len(one.members) for one in fullest]
    assert sizes == sorted(sizes, reverse=True)
    told = [set(one.members.tolist()) for one in fullest]
    assert all(len(a & b) < 0.8 * len(b) for a, b in combinations(told, 2))
    shared = text_of_bucket(corpus, first.members, BANDS)
    assert shared.text.startswith("the form that everybody")
    assert shared.words == len(FORM.split())


def test_pairs_of_references_are_not_counted(pool):
    reviewed = np.zeros(20, dtype=bool)
    reviewed[:2] = True
    corpus = corpus_of(texts_with_a_form(0, 20), BANDS, pool, reviewed)

    fill = bucket_fill(corpus, BANDS)

    own = [
        (len(one & {0, 1}), len(one))
        for band in by_dictionary(corpus.signed.signatures, 20, 2)
        for one in band
    ]
    assert fill.pairs == sum(few * (2 * size - few - 1) // 2 for few, size in own)
    assert fill.buckets == sum(few > 0 for few, _ in own)


@pytest.mark.parametrize("distance", [0, 1, 3])
def test_buckets_of_bits_are_the_runs_of_tables(pool, distance):
    options = BITS.with_changes(max_distance=distance)
    corpus = corpus_of(texts_with_a_form(40, 25), options, pool)

    fill = bucket_fill(corpus, options)

    assert fill.bands >= 1
    assert fill.documents == 65
    if distance == 0:
        _, sizes = np.unique(join_halves(corpus.signed.signatures), return_counts=True)
        assert fill.buckets == (sizes > 1).sum()
    elif fill.fullest:
        assert fill.largest <= 65
        for one in fill.fullest:
            assert len(set(one.members.tolist())) == len(one.members)


def test_equal_texts_and_no_texts_fill_buckets(pool):
    signatures = np.zeros((3, 40), dtype=np.uint32)
    corpus = corpus_of(["a b", "c d", "e f"], BANDS, pool)
    corpus.signed.signatures[:] = signatures

    fill = bucket_fill(corpus, BANDS)

    assert (fill.largest, fill.buckets, fill.pairs) == (3, 20, 60)
    assert [(len(one.members), one.bands) for one in fill.fullest] == [(3, 20)]
    empty = bucket_fill(corpus_of([], BANDS, pool), BANDS)
    assert (empty.largest, empty.documents, empty.fullest) == (0, 0, ())
    alone = bucket_fill(corpus_of(["only one"], BITS, pool), BITS)
    assert (alone.largest, alone.documents, alone.fullest) == (0, 1, ())
    unlike = text_of_bucket(corpus_of(["a b c", "d e f"], BANDS, pool), np.array([0, 1]), BANDS)
    assert unlike is None
