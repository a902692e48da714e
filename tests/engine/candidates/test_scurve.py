"""The S-curve against the textbook, against numerical analysis and against simulated scans."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.candidates.bands import agree_in_a_band
from core.candidates.scurve import (
    BandCurve,
    BitCurve,
    Wishes,
    candidate_probability,
    collision_of,
    cosine_of_containments,
    expected_candidates,
    fit,
    least_let_through,
    probability_at_cosine,
    smallest_signature,
    suggest,
)
from core.errors import SettingsError
from core.evidence.pairs import FoundBy
from core.reports.why_words import chance_of_collision, grid_caption, why_listed
from core.settings import ScanSettings
from tests.pairs import figures

DISTANCES = range(9)


def binomial_by_fractions(share, distance):
    p = Fraction(share)
    return float(sum(math.comb(64, i) * p**i * (1 - p) ** (64 - i) for i in range(distance + 1)))


@pytest.mark.parametrize("distance", DISTANCES)
@pytest.mark.parametrize(("cosine", "share"), [(0.5, Fraction(1, 3)), (0, Fraction(1, 2))])
def test_known_angles(distance, cosine, share):
    """Cosine 1/2 is 60 degrees, a third of the straight angle; cosine 0 is a half of it."""
    expected = binomial_by_fractions(share, distance)

    assert probability_at_cosine(cosine, distance) == pytest.approx(expected, rel=1e-9)
    resemblance = cosine / (2 - cosine)
    assert BitCurve(distance).probability(resemblance) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("distance", DISTANCES)
def test_curve_runs_from_next_to_nothing_to_certainty(distance):
    p = BitCurve(distance).probability(np.linspace(0, 1, 2001))

    assert p[0] < 1e-9
    assert p[-1] == 1
    assert (np.diff(p) > 0).all()


def test_a_larger_distance_finds_more():
    s = np.linspace(0.01, 0.99, 50)
    for distance in range(8):
        assert (BitCurve(distance + 1).probability(s) > BitCurve(distance).probability(s)).all()


@pytest.mark.parametrize("rest", [1e-3, 1e-6, 1e-12])
def test_no_digits_are_lost_near_one(rest):
    """Close to s = 1 the angle is sqrt(2 (1 - c)), and 1 - c half of 1 - s."""
    missed = 1 - float(BitCurve(0).probability(1 - rest))

    assert missed == pytest.approx(
        -math.expm1(64 * math.log1p(-math.sqrt(rest) / math.pi)), rel=2e-3
    )


@pytest.mark.parametrize("distance", DISTANCES)
def test_midpoint_is_where_half_is_found(distance):
    curve = BitCurve(distance)
    assert curve.probability(curve.midpoint) == pytest.approx(0.5, abs=1e-9)


@pytest.mark.parametrize("distance", DISTANCES)
def test_steepest_point_has_the_largest_derivative_of_bit_curve(distance):
    s = np.linspace(0, 1, 200_001)
    slope = np.diff(BitCurve(distance).probability(s)) / np.diff(s)
    middle = (s[1:] + s[:-1]) / 2

    assert middle[slope.argmax()] == pytest.approx(BitCurve(distance).steepest, abs=2e-4)


@settings(derandomize=True)
@given(st.integers(1, 50), st.integers(0, 50), st.integers(0, 50), st.integers(0, 8))
def test_equal_sizes_are_the_lower_bound(shared, only_a, only_b, distance):
    """The cosine of sets is the geometric mean of their containments, at least 2s / (1 + s)."""
    size_a, size_b = shared + only_a, shared + only_b
    s = shared / (shared + only_a + only_b)

    cosine = float(cosine_of_containments(shared / size_a, shared / size_b))

    assert cosine == pytest.approx(shared / math.sqrt(size_a * size_b))
    assert cosine >= 2 * s / (1 + s) - 1e-12
    assert probability_at_cosine(cosine, distance) >= BitCurve(distance).probability(s) - 1e-6
    if only_a == only_b:
        assert cosine == pytest.approx(2 * s / (1 + s))
    if only_a == 0:
        assert cosine == pytest.approx(math.sqrt(s))


def signs(count):
    """The probability of each sum of `count` signs."""
    return {2 * plus - count: math.comb(count, plus) / 2**count for plus in range(count + 1)}


def exact_share(shared, only_a, only_b):
    """The share of bits that differ between two sets with these numbers of shingles.

    A sum of 0 is decided by a coin; two sets throw alike as often as their resemblance says.
    """
    resemblance = shared / (shared + only_a + only_b)
    share = 0.0
    for both, chance in signs(shared).items():
        for sum_a, chance_a in signs(only_a).items():
            for sum_b, chance_b in signs(only_b).items():
                total_a, total_b = both + sum_a, both + sum_b
                differ = float((total_a > 0) != (total_b > 0))
                if total_a == 0 or total_b == 0:
                    differ = 0.5 if total_a or total_b else (1 - resemblance) / 2
                share += chance * chance_a * chance_b * differ
    return resemblance, share


@pytest.mark.parametrize(
    ("sets", "differing", "curve"),
    [((100, 0, 1), 0.750, 0.854), ((99, 1, 1), 0.744, 0.674), ((300, 0, 1), 0.940, 0.970)],
)
def test_where_few_shingles_differ_the_curve_is_off_as_it_says(sets, differing, curve):
    resemblance, share = exact_share(*sets)

    assert binomial_by_fractions(share, 3) == pytest.approx(differing, abs=5e-4)
    assert BitCurve(3).probability(resemblance) == pytest.approx(curve, abs=5e-4)


@pytest.mark.parametrize("apart", [(0, 5), (2, 3), (3, 3), (0, 6), (4, 5), (5, 5)])
@pytest.mark.parametrize("shared", [100, 300])
@pytest.mark.parametrize("distance", [3, 8])
def test_where_five_or_more_differ_it_is_at_most_four_points_off(shared, apart, distance):
    resemblance, share = exact_share(shared, *apart)

    exact = binomial_by_fractions(share, distance)
    assert BitCurve(distance).probability(resemblance) == pytest.approx(exact, abs=0.04)


MEETING = ScanSettings(bands=20, rows=5, min_resemblance=0.5)
BITS = ScanSettings(signature="simhash", max_distance=3)


def test_the_bands_that_met_are_those_of_the_search() -> None:
    random = np.random.default_rng(5)
    for _ in range(200):
        a = random.integers(0, 2**32, 128, dtype=np.uint32)
        b = np.where(random.random(128) < 0.8, a, a + np.uint32(1))
        collision = collision_of(a, b, figures(0.8), MEETING)
        both = np.stack([a, b])
        first, second = np.array([0]), np.array([1])
        assert collision.collided == bool(agree_in_a_band(both, first, second, 20, 5)[0])
        assert collision.agree.shape == (20, 5)
        assert collision.bands == tuple(i for i in range(20) if collision.agree[i].all())
        assert collision.equal == int((a == b).sum())
        assert collision.chance == pytest.approx(float(BandCurve(20, 5).probability(0.8)))


def test_bits_are_counted_in_both_halves() -> None:
    a = np.array([0b1011, 0], dtype=np.uint32)
    b = np.array([0b0010, 1 << 31], dtype=np.uint32)
    collision = collision_of(a, b, figures(0.9), BITS)
    assert (collision.equal, collision.values, collision.collided) == (61, 64, True)
    assert np.argwhere(~collision.agree).tolist() == [[0, 0], [0, 3], [7, 7]]
    further = collision_of(a, b ^ np.uint32(1 << 9), figures(0.9), BITS)
    assert not further.collided
    assert "63" not in grid_caption(further, BITS)
    assert "59 of 64 bits the same" in grid_caption(further, BITS)


def test_a_pair_says_which_bands_led_to_it() -> None:
    a = np.arange(128, dtype=np.uint32)
    b = a.copy()
    b[3] += 1  # in band 1
    b[5:100] += 1
    collision = collision_of(a, b, figures(0.3), MEETING)
    assert not collision.collided
    reasons = " ".join(why_listed(FoundBy.LSH | FoundBy.PASSAGE, figures(0.3), collision, MEETING))
    assert "No band of the two signatures is the same." in reasons
    assert "both hold the same run of words" in reasons
    b[10:15] = a[10:15]
    reasons = " ".join(
        why_listed(FoundBy.LSH, figures(0.6), collision_of(a, b, figures(0.6), MEETING), MEETING)
    )
    assert "Band 3 of 20 is the same" in reasons


def test_no_chance_is_rounded_to_none_or_all() -> None:
    a = np.arange(128, dtype=np.uint32)
    rare, sure = (collision_of(a, a, figures(s), MEETING) for s in (0.05, 0.95))
    assert "<1%" in chance_of_collision(rare, figures(0.05), MEETING)
    assert ">99%" in chance_of_collision(sure, figures(0.95), MEETING)


def test_same_texts_needed_no_search() -> None:
    (reason,) = why_listed(FoundBy.EXACT | FoundBy.LSH, figures(1.0), None, MEETING)
    assert "same words throughout" in reason


BANDS = st.integers(1, 128)
ROWS = st.integers(1, 32)
ROUNDING = 1e-12  # of a probability that is a wish to the last digit
SHARES = st.floats(0, 1)


def test_textbook_table():
    """Mining of Massive Datasets, figure 3.8: b = 20, r = 5."""
    s = [0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8]

    probability = candidate_probability(s, 20, 5)

    table = [0.006, 0.047, 0.186, 0.470, 0.802, 0.975, 0.9996]
    np.testing.assert_allclose(probability, table, atol=5e-4)


def test_textbook_threshold():
    """The same section: 16 bands of 4 rows have their threshold at about 1/2."""
    assert BandCurve(16, 4).midpoint == pytest.approx(0.5)


@given(bands=BANDS, rows=ROWS)
def test_curve_runs_from_nothing_to_certainty(bands, rows):
    p = candidate_probability(np.linspace(0, 1, 500), bands, rows)

    assert p[0] == 0
    assert p[-1] == 1
    assert (np.diff(p) >= 0).all()


@given(s=SHARES, bands=BANDS, rows=ROWS)
def test_more_bands_find_more_and_more_rows_less(s, bands, rows):
    p = candidate_probability(s, bands, rows)

    assert candidate_probability(s, bands + 1, rows) >= p
    assert candidate_probability(s, bands, rows + 1) <= p


def test_small_probabilities_keep_their_digits():
    assert candidate_probability(1e-5, 10, 4) == pytest.approx(1e-19, rel=1e-9)


@given(bands=st.integers(2, 128), rows=st.integers(2, 32))
def test_steepest_point_has_the_largest_derivative(bands, rows):
    s = np.linspace(0, 1, 20_001)
    slope = np.gradient(candidate_probability(s, bands, rows), s)

    slope_there = np.interp(BandCurve(bands, rows).steepest, s, slope)

    assert slope_there == pytest.approx(slope.max(), rel=1e-3)


def test_steepest_point_at_the_ends():
    assert BandCurve(64, 1).steepest == 0
    assert BandCurve(1, 4).steepest == 1


def test_suggest_takes_no_more_bands_than_it_needs():
    suggestion = suggest(128, Wishes(at_most=0.0053))

    assert (suggestion.bands, suggestion.rows) == (35, 3)
    assert suggestion.caught == pytest.approx(0.99066, abs=1e-5)
    assert suggestion.let_through == pytest.approx(0.00437, abs=1e-5)


def test_suggest_says_when_there_is_none():
    wishes = Wishes(at_most=0.001)

    assert suggest(128, wishes) is None
    larger = smallest_signature(1024, wishes)
    assert (larger.bands, larger.rows) == (72, 4)
    assert suggest(72 * 4, wishes)[:2] == (72, 4)
    assert suggest(72 * 4 - 1, wishes) is None
    nearest = least_let_through(128, Wishes())
    assert (nearest.bands, nearest.rows) == (35, 3)


@given(
    size=st.integers(1, 256), catch=SHARES, at_most=SHARES,
    bounds=st.lists(st.floats(0.01, 0.99), min_size=2, max_size=2, unique=True),
)  # fmt: skip
def test_suggestions_keep_wishes_and_k(size, catch, at_most, bounds):
    below, above = sorted(bounds)
    wishes = Wishes(catch, above, at_most, below)
    for best in (suggest(size, wishes), smallest_signature(size, wishes)):
        assert (best is None) == (suggest(size, wishes) is None)
        if best:
            assert best.bands * best.rows <= size
            assert candidate_probability(above, best.bands, best.rows) >= catch - ROUNDING
            assert candidate_probability(below, best.bands, best.rows) <= at_most + ROUNDING


@given(size=st.integers(2, 48), catch=SHARES, at_most=SHARES)
def test_suggest_is_the_cheapest(size, catch, at_most):
    suggestion = suggest(size, Wishes(catch, 0.6, at_most, 0.2))

    keeping = [
        float(candidate_probability(0.2, bands, rows))
        for rows in range(1, size + 1)
        for bands in range(1, size // rows + 1)
        if candidate_probability(0.6, bands, rows) >= catch
        and candidate_probability(0.2, bands, rows) <= at_most
    ]
    assert (suggestion is None) == (not keeping)
    if suggestion:
        assert suggestion.let_through == pytest.approx(min(keeping), rel=1e-12)


@pytest.mark.parametrize("wrong", [{"catch": 1.5}, {"at_most": -0.1}, {"at_most_at": 0.5}])
def test_wishes_must_make_sense(wrong):
    wishes = Wishes(0.9, 0.5, 0.1, 0.1)._replace(**wrong)

    for wish in (suggest, smallest_signature, least_let_through):
        with pytest.raises(SettingsError):
            wish(128, wishes)


@given(size=st.integers(1, 40), threshold=st.floats(0.01, 0.99))
def test_fit_has_the_smallest_areas(size, threshold):
    s = (np.arange(200) + 0.5) / 200

    def areas(bands, rows):
        p = candidate_probability(s, bands, rows)
        return np.where(s < threshold, p, 1 - p).mean()

    best = min(
        areas(bands, rows) for rows in range(1, size + 1) for bands in range(1, size // rows + 1)
    )
    bands, rows = fit(size, threshold)
    assert bands * rows <= size
    assert areas(bands, rows) == pytest.approx(best, rel=1e-9)


def test_expected_candidates_of_a_folder():
    rng = np.random.default_rng(3)
    everywhere = rng.beta(1, 12, 100 * 99 // 2)
    truth = candidate_probability(everywhere, 64, 2).sum()

    estimate = expected_candidates(rng.choice(everywhere, 2000), 100 * 99 // 2, 64, 2)

    assert estimate.low < truth < estimate.high
    assert estimate.high < 1.2 * truth


def test_expected_candidates_without_a_sample():
    assert expected_candidates(np.empty(0), 0, 64, 2) == (0, 0, 0)
