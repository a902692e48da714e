"""SimHash, its weights by tf-idf, and the document frequencies that these need."""

import math
from collections import Counter
from concurrent.futures import ThreadPoolExecutor, wait

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.base import tasks
from core.base.hashing import mix
from core.base.tasks import cancelled_by
from core.candidates.scurve import probability_at_cosine
from core.errors import ScanCancelledError
from core.settings import ScanSettings
from core.signatures.methods import (
    UNIT_WEIGHT,
    DocumentFrequencies,
    hamming_distance,
    join_halves,
    sign_by_rarity,
    weigh,
)
from core.signatures.methods import resemblance_by_distance as estimate_resemblance
from core.signatures.methods import sign as simhash
from core.text.shingling import shingle
from core.text.store import TextStore
from tests.engine.signatures.test_minhash import as_shingles

quick = settings(derandomize=True, max_examples=100)

WEIGHTS = ("unweighted", "tf", "tf-idf")
HASHES = st.sampled_from([0, 1, 2, 2**63 + 3, 2**64 - 1, 77, (5 << 40) + 4, 12345678901234567])
DOCUMENTS = st.lists(st.lists(HASHES, max_size=12), min_size=1, max_size=4)


def options(weights, **changes):
    return ScanSettings(signature="simhash", weights=weights, **changes)


def rarity_of(shingles, cells=1 << 16):
    frequencies = DocumentFrequencies(cells)
    frequencies.add(shingles)
    return frequencies.rarity()


def weights_of(document, documents, weights):
    """The vector of a document: weight by shingle, in whole multiples of 2^-16 for tf-idf."""
    counts = Counter(document)
    if weights == "unweighted":
        return dict.fromkeys(counts, 1)
    if weights == "tf":
        return dict(counts)
    filled = sum(1 for document in documents if document)
    idf = {
        value: math.log((1 + filled) / (1 + sum(value in document for document in documents))) + 1
        for value in counts
    }
    return {value: n * round(idf[value] * UNIT_WEIGHT) for value, n in counts.items()}


def by_definition(vector, seed):
    """64 signs of scalar products with vectors of +1 and -1; a coin breaks ties."""
    salt = np.random.default_rng(seed).integers(0, 2**64, dtype=np.uint64)
    signs = {value: int(mix(np.uint64(value) ^ salt)) for value in vector}
    fingerprint = 0
    for bit in range(64):
        sign_of = {value: 1 if signs[value] >> bit & 1 else -1 for value in vector}
        product = sum(weight * sign_of[value] for value, weight in vector.items())
        factor = 0x9E3779B97F4A7C15 + 2 * bit
        coin = int(mix(np.uint64(min(value * factor % 2**64 for value in vector)) ^ salt))
        if product > 0 or (product == 0 and coin >> bit & 1):
            fingerprint |= 1 << bit
    return fingerprint


@quick
@given(DOCUMENTS, st.sampled_from(WEIGHTS), st.integers(0, 2**63 - 1))
def test_fingerprints_are_signs_of_projections(documents, weights, seed):
    shingles = as_shingles(documents)

    fingerprints = join_halves(simhash(shingles, options(weights, seed=seed), rarity_of(shingles)))

    for document, fingerprint in zip(documents, fingerprints.tolist(), strict=True):
        if document:
            vector = weights_of(document, documents, weights)
            assert fingerprint == by_definition(vector, seed)


@pytest.mark.parametrize("weights", WEIGHTS)
@pytest.mark.parametrize("length", [254, 255, 256, 1000, 5000])
def test_long_texts_are_counted_in_blocks(weights, length):
    """Nearly all shingles repeat, so that counters of whole blocks are full."""
    rng = np.random.default_rng(length)
    pool = rng.integers(0, 2**64, 40, dtype=np.uint64)
    documents = [rng.choice(pool, length).tolist(), [int(pool[0])] * length]
    shingles = as_shingles(documents)

    fingerprints = join_halves(simhash(shingles, options(weights), rarity_of(shingles)))

    assert fingerprints.tolist() == [
        by_definition(weights_of(d, documents, weights), 1) for d in documents
    ]


def test_the_heaviest_weights_fit():
    """A million documents and shingles that one of them holds: 14.1, 255 times in a block."""
    rarity = rarity_of(as_shingles([[1]]))._replace(
        cells=np.zeros(1, dtype=np.uint32), weights=np.array([(1 << 23) - 1], dtype=np.uint32)
    )
    shingles = as_shingles([[9] * 5000 + [7] * 4999])

    fingerprints = join_halves(simhash(shingles, options("tf-idf"), rarity))

    assert fingerprints.tolist() == [by_definition({9: 5000, 7: 4999}, 1)]


def test_bags_count_repetitions_as_elements_of_their_own():
    plain, bag = options("unweighted"), options("unweighted", bag=True)
    repeated, single = as_shingles([[5, 5, 5, 6]]), as_shingles([[5, 6]])

    assert simhash(repeated, plain).tolist() == simhash(single, plain).tolist()
    assert simhash(repeated, bag).tolist() != simhash(single, bag).tolist()
    for weights in ("tf", "tf-idf"):
        rarity = rarity_of(repeated)
        assert np.array_equal(
            simhash(repeated, options(weights), rarity),
            simhash(repeated, options(weights, bag=True), rarity),
        )


def test_tf_idf_needs_frequencies():
    with pytest.raises(ValueError, match="document frequencies"):
        simhash(as_shingles([[1]]), options("tf-idf"))


def test_the_same_seed_gives_the_same_result_everywhere():
    signature = simhash(shingle(["The quick brown fox jumps over the lazy dog"], options("tf")),
                    options("tf"))  # fmt: skip

    assert signature.tolist() == [[3471060432, 776219760]]


def test_texts_without_shingles_have_a_row():
    shingles = as_shingles([[], [1], []])
    for weights in WEIGHTS:
        assert simhash(shingles, options(weights), rarity_of(shingles)).shape == (3, 2)
    assert simhash(shingle([], options("tf")), options("tf")).shape == (0, 2)


def random_set_pairs(shared, only_a, only_b, count, seed):
    """2 count sets of random hashes; sets 2i and 2i + 1 have `shared` in common."""
    rng = np.random.default_rng(seed)
    drawn = rng.integers(0, 2**64, (count, shared + only_a + only_b), dtype=np.uint64)
    sets = []
    for row in drawn:
        sets += [row[: shared + only_a], np.concatenate([row[:shared], row[shared + only_a :]])]
    return as_shingles(sets)


def distances(signatures):
    first = np.arange(0, len(signatures), 2)
    return hamming_distance(signatures, first, first + 1)


@pytest.mark.parametrize(
    ("shared", "only_a", "only_b"), [(150, 50, 50), (190, 10, 10), (95, 5, 105), (0, 100, 100)]
)
def test_bits_differ_by_the_angle(shared, only_a, only_b):
    """64 bits of 2,000 pairs: a share of θ/π differs, and the distances spread like a binomial."""
    cosine = shared / math.sqrt((shared + only_a) * (shared + only_b))
    share = math.acos(cosine) / math.pi

    pairs = random_set_pairs(shared, only_a, only_b, 2000, seed=shared)
    bits_apart = distances(simhash(pairs, options("unweighted")))

    error = math.sqrt(share * (1 - share) / (64 * 2000))
    assert abs(bits_apart.mean() / 64 - share) < 4 * error + 0.003
    assert bits_apart.var() == pytest.approx(64 * share * (1 - share), rel=0.15)
    for distance in (3, 8):
        expected = float(probability_at_cosine(cosine, distance))
        chance = 4 * math.sqrt(expected * (1 - expected) / 2000)
        assert abs((bits_apart <= distance).mean() - expected) < 0.03 + chance


def test_estimates_come_from_the_angle():
    signatures = np.array([[0, 0], [1, 0], [0xFFFF, 0], [2**32 - 1, 0], [2**32 - 1, 2**32 - 1]],
                          dtype=np.uint32)  # fmt: skip

    estimates = estimate_resemblance(signatures, np.zeros(5, dtype=np.int64), np.arange(5))

    near, middle = math.cos(math.pi / 64), math.cos(math.pi / 4)
    expected = [1, near / (2 - near), middle / (2 - middle), 0, 0]
    np.testing.assert_allclose(estimates, expected, rtol=1e-6)
    assert estimates.dtype == np.float32


@quick
@given(st.lists(st.integers(0, 2**64 - 1), min_size=2, max_size=2))
def test_distances_count_differing_bits(pair):
    rows = np.array([[v & 0xFFFFFFFF, v >> 32] for v in pair], dtype=np.uint32)

    assert (
        hamming_distance(rows, np.array([0]), np.array([1]))[0] == (pair[0] ^ pair[1]).bit_count()
    )
    assert join_halves(rows).tolist() == pair


OPTIONS = ScanSettings(signature="simhash", weights="tf-idf", k=2)


def random_texts(count):
    rng = np.random.default_rng(count)
    words = ["alpha", "beta", "gamma", "delta", "épsilon", "zeta", "eta", "theta"]
    return [" ".join(rng.choice(words, rng.integers(0, 40))) for _ in range(count)]


def signed(texts, threads=2, **options):
    with ThreadPoolExecutor(threads) as pool:
        store = TextStore()
        store.extend(texts)
        return sign_by_rarity(store, OPTIONS, pool, **options).signatures


def test_all_texts_are_counted_before_the_first_is_signed(monkeypatch):
    texts = random_texts(57)
    shingles = shingle(texts, OPTIONS)
    frequencies = DocumentFrequencies()
    frequencies.add(shingles)

    expected = simhash(shingles, OPTIONS, frequencies.rarity())

    assert np.array_equal(signed(texts), expected)
    monkeypatch.setattr(tasks, "BATCH_TEXTS", 10)
    assert np.array_equal(signed(texts, threads=4), expected)


def test_a_folder_without_texts():
    assert signed([]).shape == (0, 2)


def test_signing_can_be_cancelled():
    with pytest.raises(ScanCancelledError):
        cancelled_by(lambda: True)(signed)(random_texts(5))


COUNTED_HASHES = st.sampled_from(
    [0, 1, 2, 2**63, 2**64 - 1, 77, 5 << 40, 12345678901234567, 1 << 16]
)
COUNTED_DOCUMENTS = st.lists(st.lists(COUNTED_HASHES, max_size=40), max_size=6)


def count_all(batches, cells):
    frequencies = DocumentFrequencies(cells)
    for batch in batches:
        frequencies.add(as_shingles(batch))
    return frequencies


@quick
@given(COUNTED_DOCUMENTS, st.sampled_from([1, 2, 1 << 20]))
def test_cells_hold_the_sum_of_document_frequencies(documents, cells):
    rarity = count_all([documents], cells).rarity()

    expected = Counter()
    for document in documents:
        expected.update(value % cells for value in set(document))
    assert {cell: int(rarity.cells[cell]) for cell in expected} == dict(expected)
    assert rarity.cells.sum() == expected.total()


@quick
@given(COUNTED_DOCUMENTS, st.randoms(use_true_random=False))
def test_batches_may_come_in_any_order(documents, random):
    shuffled = list(documents)
    random.shuffle(shuffled)

    at_once = count_all([documents], 64)
    in_batches = count_all([[document] for document in shuffled], 64)

    assert at_once.documents == in_batches.documents == sum(map(bool, documents))
    for a, b in zip(at_once.rarity(), in_batches.rarity(), strict=True):
        assert np.array_equal(a, b)


def test_nothing_is_counted_while_another_thread_counts():
    """Lost counts are too rare to wait for; what keeps them out is seen directly."""
    frequencies = DocumentFrequencies(64)
    frequencies.add(as_shingles([[1]]))
    with ThreadPoolExecutor(1) as pool:
        with frequencies._lock:
            adding = pool.submit(frequencies.add, as_shingles([[1], [2]]))
            assert not wait([adding], 0.2).done
            assert frequencies._cells.sum() == frequencies.documents == 1
        adding.result()

    assert frequencies.rarity().cells[:3].tolist() == [0, 2, 1]


def test_weights_are_the_smooth_inverse_document_frequency():
    """As scikit-learn computes it: ln((1 + n) / (1 + df)) + 1."""
    documents = [[1, 2], [1, 3], [1, 3, 3], []]
    rarity = count_all([documents], 1 << 20).rarity()

    weights = weigh(np.array([1, 2, 3, 4], dtype=np.uint64), rarity)

    expected = [math.log(4 / (1 + df)) + 1 for df in (3, 1, 2, 0)]
    np.testing.assert_allclose(weights / UNIT_WEIGHT, expected, atol=1 / UNIT_WEIGHT)
    assert weights.dtype == np.uint32


def test_full_cells_weigh_as_much_as_what_everyone_holds():
    rarity = count_all([[list(range(100)), list(range(100))]], 1).rarity()

    weights = weigh(np.arange(3, dtype=np.uint64), rarity)

    assert rarity.cells.tolist() == [200]
    assert weights.tolist() == [UNIT_WEIGHT] * 3


def test_what_is_added_later_does_not_change_a_rarity():
    frequencies = count_all([[[1]]], 4)
    before = frequencies.rarity()
    cells = before.cells.copy()
    frequencies.add(as_shingles([[1], [2]]))

    assert np.array_equal(before.cells, cells)
    assert len(before.weights) == 2
    assert frequencies.rarity().cells.tolist() == [0, 2, 1, 0]


def test_companions_by_chance_are_as_many_as_expected():
    """10,000 documents with 5 shingles of their own in 2^12 cells: 12.2 beside each."""
    rng = np.random.default_rng(1)
    documents = rng.integers(0, 2**64, (10_000, 5), dtype=np.uint64)
    rarity = count_all([documents.tolist()], 1 << 12).rarity()

    counted = rarity.cells[documents.ravel() & np.uint64((1 << 12) - 1)]

    assert counted.min() >= 1
    assert counted.mean() == pytest.approx(1 + 50_000 / (1 << 12), rel=0.02)
