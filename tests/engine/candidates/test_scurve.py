"""The S-curve against the textbook, against numerical analysis and against simulated scans."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.candidates.scurve import (
    BandCurve,
    candidate_probability,
    expected_candidates,
    fit,
    least_let_through,
    smallest_signature,
    suggest,
)
from core.errors import SettingsError

BANDS = st.integers(1, 128)
ROWS = st.integers(1, 32)
ROUNDING = 1e-12  # of a probability that is a wish to the last digit
SHARES = st.floats(0, 1)


def test_textbook_table():
    """Mining of Massive Datasets, figure 3.8: b = 20, r = 5."""
    s = [0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8]

    found = candidate_probability(s, 20, 5)

    table = [0.006, 0.047, 0.186, 0.470, 0.802, 0.975, 0.9996]
    np.testing.assert_allclose(found, table, atol=5e-4)


def test_textbook_threshold():
    """The same section: 16 bands of 4 rows have their threshold at about 1/2."""
    assert BandCurve(16, 4).midpoint == pytest.approx(0.5)


@settings(deadline=None)
@given(bands=BANDS, rows=ROWS)
def test_curve_runs_from_nothing_to_certainty(bands, rows):
    p = candidate_probability(np.linspace(0, 1, 500), bands, rows)

    assert p[0] == 0
    assert p[-1] == 1
    assert (np.diff(p) >= 0).all()


@settings(deadline=None)
@given(s=SHARES, bands=BANDS, rows=ROWS)
def test_more_bands_find_more_and_more_rows_less(s, bands, rows):
    p = candidate_probability(s, bands, rows)

    assert candidate_probability(s, bands + 1, rows) >= p
    assert candidate_probability(s, bands, rows + 1) <= p


def test_small_probabilities_keep_their_digits():
    assert candidate_probability(1e-5, 10, 4) == pytest.approx(1e-19, rel=1e-9)


@settings(deadline=None)
@given(bands=st.integers(2, 128), rows=st.integers(2, 32))
def test_steepest_point_has_the_largest_derivative(bands, rows):
    s = np.linspace(0, 1, 20_001)
    slope = np.gradient(candidate_probability(s, bands, rows), s)

    here = np.interp(BandCurve(bands, rows).steepest, s, slope)

    assert here == pytest.approx(slope.max(), rel=1e-3)


def test_steepest_point_at_the_ends():
    assert BandCurve(64, 1).steepest == 0
    assert BandCurve(1, 4).steepest == 1


def test_suggest_takes_no_more_bands_than_it_needs():
    found = suggest(128, catch=0.99, catch_at=0.5, at_most=0.0053, at_most_at=0.05)

    assert (found.bands, found.rows) == (35, 3)
    assert found.caught == pytest.approx(0.99066, abs=1e-5)
    assert found.let_through == pytest.approx(0.00437, abs=1e-5)


def test_suggest_says_when_there_is_none():
    wishes = {"catch": 0.99, "catch_at": 0.5, "at_most": 0.001, "at_most_at": 0.05}

    assert suggest(128, **wishes) is None
    larger = smallest_signature(1024, **wishes)
    assert (larger.bands, larger.rows) == (72, 4)
    assert suggest(72 * 4, **wishes)[:2] == (72, 4)
    assert suggest(72 * 4 - 1, **wishes) is None
    nearest = least_let_through(128, catch=0.99, catch_at=0.5, at_most_at=0.05)
    assert (nearest.bands, nearest.rows) == (35, 3)


@settings(deadline=None)
@given(
    size=st.integers(1, 256), catch=SHARES, at_most=SHARES,
    places=st.lists(st.floats(0.01, 0.99), min_size=2, max_size=2, unique=True),
)  # fmt: skip
def test_suggestions_keep_wishes_and_k(size, catch, at_most, places):
    below, above = sorted(places)
    wishes = {"catch": catch, "catch_at": above, "at_most": at_most, "at_most_at": below}
    for found in (suggest(size, **wishes), smallest_signature(size, **wishes)):
        assert (found is None) == (suggest(size, **wishes) is None)
        if found:
            assert found.bands * found.rows <= size
            assert candidate_probability(above, found.bands, found.rows) >= catch - ROUNDING
            assert candidate_probability(below, found.bands, found.rows) <= at_most + ROUNDING


@settings(deadline=None)
@given(size=st.integers(2, 48), catch=SHARES, at_most=SHARES)
def test_suggest_is_the_cheapest(size, catch, at_most):
    found = suggest(size, catch=catch, catch_at=0.6, at_most=at_most, at_most_at=0.2)

    keeping = [
        float(candidate_probability(0.2, bands, rows))
        for rows in range(1, size + 1)
        for bands in range(1, size // rows + 1)
        if candidate_probability(0.6, bands, rows) >= catch
        and candidate_probability(0.2, bands, rows) <= at_most
    ]
    assert (found is None) == (not keeping)
    if found:
        assert found.let_through == pytest.approx(min(keeping), rel=1e-12)


@pytest.mark.parametrize("wrong", [{"catch": 1.5}, {"at_most": -0.1}, {"at_most_at": 0.5}])
def test_wishes_must_make_sense(wrong):
    wishes = {"catch": 0.9, "catch_at": 0.5, "at_most": 0.1, "at_most_at": 0.1} | wrong

    with pytest.raises(SettingsError):
        suggest(128, **wishes)
    with pytest.raises(SettingsError):
        smallest_signature(128, **wishes)


@settings(deadline=None)
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
