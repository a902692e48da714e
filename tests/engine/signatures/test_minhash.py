"""Signatures: exact arithmetic, estimates without bias, and banding that follows the S-curve.

The statistical tests draw with fixed seeds. Their bounds are far enough out for a right method,
and the same bounds catch wrong ones: the last tests show it for two.
"""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.base.hashing import mix
from core.candidates.scurve import candidate_probability
from core.settings import METHODS, ScanSettings, SignatureKind
from core.signatures import methods
from core.signatures.methods import count_repeats, share_of_equal_values, sign
from core.text.shingling import Shingles, shingle

quick = settings(derandomize=True, max_examples=200)

P = 2**61 - 1
KERNELS = ("fss", "minhash")
# Every method of bands has to keep what its kind promises.
BY_BANDS = [name for name, made in METHODS.items() if made.kind is SignatureKind.BANDS]
SIZES = (
    (5, 1),
    (5, 3),
    (20, 4),
    (20, 13),
    (100, 67),
    (100, 95),
    (1000, 667),
)  # of a set, and of the overlap


def as_shingles(documents):
    """Shingles of documents given as sequences of 64-bit hashes."""
    offsets = np.cumsum([0, *map(len, documents)], dtype=np.int64)
    hashes = np.array([], np.uint64)
    if len(documents):
        hashes = np.concatenate([np.asarray(d, dtype=np.uint64) for d in documents])
    return Shingles(hashes, offsets, np.diff(offsets), np.zeros((len(documents), 2), np.uint64))


def random_set_pairs(size, shared, count, seed):
    """2 count sets of random hashes; sets 2i and 2i + 1 have `shared` in common."""
    rng = np.random.default_rng(seed)
    drawn = rng.integers(0, 2**64, (count, 2 * size - shared), dtype=np.uint64)
    both = np.stack([drawn[:, :size], drawn[:, -size:]], axis=1)
    return as_shingles(both.reshape(2 * count, size))


def pair_estimates(signatures):
    first = np.arange(0, len(signatures), 2)
    return share_of_equal_values(signatures, first, first + 1).astype(np.float64)


def bias_in_standard_errors(estimates, resemblance):
    return (estimates.mean() - resemblance) / (estimates.std() / np.sqrt(len(estimates)))


def variance_ratio(estimates, resemblance, size):
    """Mean squared error over that of K independent draws."""
    return ((estimates - resemblance) ** 2).mean() / (resemblance * (1 - resemblance) / size)


def candidate_rate(signatures, bands, rows):
    equal = signatures[0::2, : bands * rows] == signatures[1::2, : bands * rows]
    return equal.reshape(-1, bands, rows).all(axis=2).any(axis=1).mean()


@pytest.mark.parametrize("kinds", [1, 2, 127, 128, 129, 500])
def test_a_text_that_repeats_few_shingles_has_the_signature_of_its_set(kinds):
    """Beyond 8 × 16 shingles repetitions are dropped."""
    options = ScanSettings(signature_size=16, bands=8)
    values = np.random.default_rng(kinds).integers(0, 2**64, kinds, dtype=np.uint64)
    repeated = np.tile(values, 300)

    both = sign(as_shingles([values, repeated, np.sort(repeated)]), options)

    assert both[1].tolist() == both[0].tolist() == both[2].tolist()


below_p = st.integers(0, P - 1) | st.sampled_from(
    [0, 1, 2, 2**29 - 1, 2**29, 2**32 - 1, 2**32, 2**32 + 1, 2**60, P - 2, P - 1]
)


@settings(quick, max_examples=500)
@given(below_p, below_p, below_p)
def test_affine_maps_are_exact(a, x, b):
    assert int(methods.affine(np.uint64(a), np.uint64(x), np.uint64(b))) == (a * x + b) % P


@quick
@given(st.lists(st.integers(0, 2**64 - 1), min_size=1, max_size=20))
def test_classic_minhash_is_the_minimum_of_universal_hashes(hashes):
    options = ScanSettings(signature="minhash", signature_size=8, bands=4, seed=3)
    rng = np.random.default_rng(3)
    factors = rng.integers(1, P, size=8, dtype=np.uint64).tolist()
    terms = rng.integers(0, P, size=8, dtype=np.uint64).tolist()

    expected = [
        min((a * (x % P) + b) % P for x in hashes) & 0xFFFFFFFF
        for a, b in zip(factors, terms, strict=True)
    ]

    assert sign(as_shingles([hashes]), options)[0].tolist() == expected


def reference_fss(hashes, seeds):
    """Fast Similarity Sketching, figure 1 of the paper, with values ordered by round first."""
    size = len(seeds) // 2
    sketch = {}
    for turn, seed in enumerate(seeds):
        drawn = [int(mix(np.uint64(x) ^ np.uint64(seed))) for x in hashes]
        filled = set(sketch)
        for value in drawn:
            bin_number = ((value >> 40) * size) >> 24 if turn < size else turn - size
            if bin_number not in filled:
                sketch[bin_number] = min(sketch.get(bin_number, 2**64), value & (2**40 - 1))
        if len(sketch) == size:
            break
    return [sketch[bin_number] & 0xFFFFFFFF for bin_number in range(size)]


@settings(quick, max_examples=40)
@given(st.lists(st.integers(0, 2**64 - 1), min_size=1, max_size=30), st.integers(1, 12))
def test_fast_similarity_sketching_is_what_the_paper_says(hashes, size):
    options = ScanSettings(signature_size=size, bands=1, rows=1, seed=9)
    seeds = np.random.default_rng(9).integers(0, 2**64, size=2 * size, dtype=np.uint64)

    assert sign(as_shingles([hashes]), options)[0].tolist() == reference_fss(hashes, seeds)


@pytest.mark.parametrize("method", BY_BANDS)
@pytest.mark.parametrize(("size", "shared"), SIZES)
def test_estimates_have_no_bias_and_at_most_the_variance_of_minhash(method, size, shared):
    resemblance = shared / (2 * size - shared)
    options = ScanSettings(signature=method)

    estimates = pair_estimates(sign(random_set_pairs(size, shared, 2000, seed=11), options))

    assert abs(bias_in_standard_errors(estimates, resemblance)) < 4
    assert variance_ratio(estimates, resemblance, 128) < 1.15


@pytest.mark.parametrize("method", BY_BANDS)
@pytest.mark.parametrize(("bands", "rows"), [(42, 3), (20, 5), (64, 2)])
@pytest.mark.parametrize(("size", "shared"), [(20, 4), (20, 13), (100, 67)])
def test_candidates_follow_the_curve(method, bands, rows, size, shared):
    resemblance = shared / (2 * size - shared)
    signatures = sign(random_set_pairs(size, shared, 2000, seed=12), ScanSettings(signature=method))

    expected = float(candidate_probability(resemblance, bands, rows))
    chance = 4 * np.sqrt(expected * (1 - expected) / 2000)
    assert abs(candidate_rate(signatures, bands, rows) - expected) < 0.02 + chance


@pytest.mark.parametrize("method", BY_BANDS)
@pytest.mark.parametrize(
    ("a", "b"),
    [("ad", "c"), ("ad", "bde"), ("ad", "acd"), ("c", "acd"), ("bde", "acd"), ("abcde", "acd")],
)
def test_the_sets_of_the_textbook(method, a, b):
    """Mining of Massive Datasets, figure 3.2: S1 = {a, d}, S2 = {c}, S3 = {b, d, e}, S4 = acd."""
    options = ScanSettings(unit="char", k=1, signature=method, signature_size=1024)
    shingles = shingle([" ".join(a), " ".join(b)], options)
    matrices = [sign(shingles, options.with_changes(seed=seed)) for seed in range(20)]
    agreement = np.mean([(matrix[0] == matrix[1]).mean() for matrix in matrices])

    assert agreement == pytest.approx(len({*a} & {*b}) / len({*a} | {*b}), abs=0.015)


@pytest.mark.parametrize("method", KERNELS)
def test_the_same_seed_gives_the_same_result_everywhere(method):
    pinned = {"fss": [1314201611, 3274364876], "minhash": [2674277464, 332565349]}
    options = ScanSettings(signature=method, signature_size=2, bands=1)

    assert sign(as_shingles([range(1, 10)]), options)[0].tolist() == pinned[method]


hash_lists = st.lists(st.sampled_from([0, 1, 2, 2**63, 2**64 - 1, 77]), min_size=1, max_size=12)


@quick
@given(hash_lists, hash_lists)
def test_repeats_make_a_bag_a_set(a, b):
    repeats = count_repeats(*as_shingles([a, b])[:2]).tolist()
    repeats_a, repeats_b = repeats[: len(a)], repeats[len(a) :]

    assert len(set(repeats_a)) == len(a)
    assert all(repeats_a[a.index(value)] == value for value in a)
    assert len({*repeats_a} & {*repeats_b}) == (Counter(a) & Counter(b)).total()
    assert len({*repeats_a} | {*repeats_b}) == (Counter(a) | Counter(b)).total()


@pytest.mark.parametrize(("bag", "expected"), [(False, 2 / 3), (True, 3 / 6)])
def test_bags_estimate_the_weighted_resemblance(bag, expected):
    """Bags as in Mining of Massive Datasets, example 3.2: {a, a, a, b} and {a, a, b, b, c}."""
    options = ScanSettings(unit="char", k=1, bag=bag, signature_size=1024)
    shingles = shingle(["aaab", "aabbc"], options)

    estimates = [
        share_of_equal_values(
            sign(shingles, options.with_changes(seed=seed)), np.array([0]), np.array([1])
        )
        for seed in range(20)
    ]

    assert np.mean(estimates) == pytest.approx(expected, abs=0.015)


def test_estimates_are_shares_of_equal_values():
    signatures = np.array([[1, 2, 3, 4], [1, 2, 0, 0], [4, 3, 2, 1]], dtype=np.uint32)

    estimates = share_of_equal_values(signatures, np.array([0, 0, 1, 2]), np.array([1, 2, 2, 2]))

    assert estimates.tolist() == [0.5, 0.0, 0.0, 1.0]
    assert estimates.dtype == np.float32
