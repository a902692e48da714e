"""How full buckets are, against a dictionary of bands."""

from collections import defaultdict
from itertools import combinations

import numpy as np
import pytest

from core.candidates.bands import CLASSES, TOLD, fill_of, least_of_class
from core.errors import ScanCancelledError
from core.scan.buckets import bucket_fill, text_of_bucket
from core.scan.corpus import Corpus
from core.settings import ScanSettings
from core.signatures.methods import join_halves
from core.signatures.signing import sign_texts

BANDS = ScanSettings(k=1, bands=20, rows=2, signature_size=40)
BITS = ScanSettings(k=1, signature="simhash", max_distance=3)
FORM = "the form that everybody has to fill in before the end of the month begins here and ends"


def texts_with_a_form(count, forms, seed=3):
    """So many texts of their own, and some that are one form with a name."""
    rng = np.random.default_rng(seed)
    own = [" ".join(f"w{word}" for word in rng.integers(0, 9_000, 30)) for _ in range(count)]
    return [*own, *(f"{FORM} {name}" for name in rng.integers(0, 10**9, forms))]


def make_corpus(texts, pool, options, to_review=None):
    corpus = Corpus(options, pool)
    corpus.add(texts, sign_texts(texts, options), to_review)
    return corpus


def by_dictionary(signatures, bands, rows):
    """The buckets of two and more, band by band, as sets."""
    every = []
    for band in range(bands):
        found = defaultdict(set)
        for number, values in enumerate(signatures[:, band * rows : band * rows + rows]):
            found[tuple(values.tolist())].add(number)
        every.append([one for one in found.values() if len(one) > 1])
    return every


def in_class(size):
    return next(place for place in range(CLASSES) if size < least_of_class(place + 1))


@pytest.mark.parametrize(("place", "least"), [(0, 2), (1, 3), (2, 5), (3, 9), (9, 513)])
def test_classes_of_sizes_double(place, least):
    assert least_of_class(place) == least
    assert in_class(least) == place


def test_buckets_are_counted_by_size(pool):
    corpus = make_corpus(texts_with_a_form(60, 25), pool, BANDS)

    fill = bucket_fill(corpus, BANDS)

    every = by_dictionary(corpus.signed.signatures, 20, 2)
    sizes = [len(one) for band in every for one in band]
    assert fill.bands == 20
    assert fill.documents == 85
    assert fill.largest == max(sizes)
    for place in range(CLASSES):
        own = [size for size in sizes if in_class(size) == place]
        assert fill.buckets[place] == len(own)
        assert fill.pairs[place] == sum(size * (size - 1) // 2 for size in own)


def test_the_form_is_told_once_however_many_bands_it_fills(pool):
    corpus = make_corpus(texts_with_a_form(60, 25), pool, BANDS)

    fullest = bucket_fill(corpus, BANDS).fullest

    first = fullest[0]
    assert set(first.members.tolist()) <= set(range(60, 85))
    assert first.bands > 5
    once = len(first.members) * (len(first.members) - 1) // 2
    assert once < first.pairs <= min(once * 20, int(bucket_fill(corpus, BANDS).pairs.sum()))
    assert len(fullest) <= TOLD
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
    corpus = make_corpus(texts_with_a_form(0, 20), pool, BANDS, reviewed)

    fill = bucket_fill(corpus, BANDS)

    own = [
        (len(one & {0, 1}), len(one))
        for band in by_dictionary(corpus.signed.signatures, 20, 2)
        for one in band
    ]
    assert fill.pairs.sum() == sum(few * (2 * size - few - 1) // 2 for few, size in own)
    assert fill.buckets.sum() == sum(few > 0 for few, _ in own)


@pytest.mark.parametrize("distance", [0, 1, 3])
def test_buckets_of_bits_are_the_runs_of_tables(pool, distance):
    options = BITS.with_changes(max_distance=distance)
    corpus = make_corpus(texts_with_a_form(40, 25), pool, options)

    fill = bucket_fill(corpus, options)

    assert fill.bands >= 1
    assert fill.documents == 65
    if distance == 0:
        _, sizes = np.unique(join_halves(corpus.signed.signatures), return_counts=True)
        assert fill.buckets.sum() == (sizes > 1).sum()
    elif fill.fullest:
        assert fill.largest <= 65
        for one in fill.fullest:
            assert len(set(one.members.tolist())) == len(one.members)


def test_all_alike_and_none_at_all(pool):
    signatures = np.zeros((3, 40), dtype=np.uint32)
    corpus = make_corpus(["a b", "c d", "e f"], pool, BANDS)
    corpus.signed.signatures[:] = signatures

    fill = bucket_fill(corpus, BANDS)

    assert (fill.largest, fill.buckets.sum(), fill.pairs.sum()) == (3, 20, 60)
    assert [(len(one.members), one.bands) for one in fill.fullest] == [(3, 20)]
    empty = bucket_fill(make_corpus([], pool, BANDS), BANDS)
    assert (empty.largest, empty.documents, empty.fullest) == (0, 0, ())
    alone = bucket_fill(make_corpus(["only one"], pool, BITS), BITS)
    assert (alone.largest, alone.documents, alone.fullest) == (0, 1, ())
    unlike = text_of_bucket(make_corpus(["a b c", "d e f"], pool, BANDS), np.array([0, 1]), BANDS)
    assert unlike is None


def test_cancelling_stops(pool):
    corpus = make_corpus(texts_with_a_form(20, 5), pool, BANDS)
    with pytest.raises(ScanCancelledError):
        bucket_fill(corpus, BANDS, lambda: True)
    with pytest.raises(ScanCancelledError):
        fill_of([None], np.ones(1, dtype=bool), 1, lambda: True)
