"""The curve of SimHash against closed forms, fractions and numerical analysis."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.candidates.scurve import (
    BitCurve,
    cosine_of_containments,
    probability_at_cosine,
)

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
def test_steepest_point_has_the_largest_derivative(distance):
    s = np.linspace(0, 1, 200_001)
    slope = np.diff(BitCurve(distance).probability(s)) / np.diff(s)
    middle = (s[1:] + s[:-1]) / 2

    assert middle[slope.argmax()] == pytest.approx(BitCurve(distance).steepest, abs=2e-4)


@settings(deadline=None, derandomize=True)
@given(st.integers(1, 50), st.integers(0, 50), st.integers(0, 50), st.integers(0, 8))
def test_equal_sizes_are_the_lower_bound(shared, own_a, own_b, distance):
    """The cosine of sets is the geometric mean of their containments, at least 2s / (1 + s)."""
    size_a, size_b = shared + own_a, shared + own_b
    s = shared / (shared + own_a + own_b)

    cosine = float(cosine_of_containments(shared / size_a, shared / size_b))

    assert cosine == pytest.approx(shared / math.sqrt(size_a * size_b))
    assert cosine >= 2 * s / (1 + s) - 1e-12
    assert probability_at_cosine(cosine, distance) >= BitCurve(distance).probability(s) - 1e-6
    if own_a == own_b:
        assert cosine == pytest.approx(2 * s / (1 + s))
    if own_a == 0:
        assert cosine == pytest.approx(math.sqrt(s))


def signs(count):
    """How likely each sum of so many signs is."""
    return {2 * plus - count: math.comb(count, plus) / 2**count for plus in range(count + 1)}


def exact_share(shared, own, others):
    """The share of bits that differ between two sets with so many shingles in common and apart.

    A sum of 0 is decided by a coin; two sets throw alike as often as their resemblance says.
    """
    resemblance = shared / (shared + own + others)
    share = 0.0
    for both, chance in signs(shared).items():
        for one, one_chance in signs(own).items():
            for other, other_chance in signs(others).items():
                here, there = both + one, both + other
                differ = float((here > 0) != (there > 0))
                if here == 0 or there == 0:
                    differ = 0.5 if here or there else (1 - resemblance) / 2
                share += chance * one_chance * other_chance * differ
    return resemblance, share


@pytest.mark.parametrize(
    ("sets", "found", "curve"),
    [((100, 0, 1), 0.750, 0.854), ((99, 1, 1), 0.744, 0.674), ((300, 0, 1), 0.940, 0.970)],
)
def test_where_few_shingles_differ_the_curve_is_off_as_it_says(sets, found, curve):
    resemblance, share = exact_share(*sets)

    assert binomial_by_fractions(share, 3) == pytest.approx(found, abs=5e-4)
    assert BitCurve(3).probability(resemblance) == pytest.approx(curve, abs=5e-4)


@pytest.mark.parametrize("apart", [(0, 5), (2, 3), (3, 3), (0, 6), (4, 5), (5, 5)])
@pytest.mark.parametrize("shared", [100, 300])
@pytest.mark.parametrize("distance", [3, 8])
def test_where_five_or_more_differ_it_is_at_most_four_points_off(shared, apart, distance):
    resemblance, share = exact_share(shared, *apart)

    exact = binomial_by_fractions(share, distance)
    assert BitCurve(distance).probability(resemblance) == pytest.approx(exact, abs=0.04)
