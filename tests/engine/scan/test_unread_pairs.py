"""What judged pairs say of unread ones: against counting, and against truth that is known."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.scan.unread_pairs import (
    FEWEST_JUDGED,
    cross_validated,
    fit_confirmed,
    random_check,
    unread_range,
)

JUDGED = st.lists(
    st.tuples(st.sampled_from([0.1, 0.2, 0.25, 0.4, 0.6, 0.8, 1.0]), st.booleans()),
    min_size=FEWEST_JUDGED,
    max_size=60,
)


def columns(judged: list[tuple[float, bool]]) -> tuple[np.ndarray, np.ndarray]:
    resemblance, confirmed = zip(*judged, strict=True)
    return np.array(resemblance), np.array(confirmed)


@given(JUDGED)
def test_the_curve_rises_and_keeps_the_sum(judged: list[tuple[float, bool]]) -> None:
    resemblance, confirmed = columns(judged)
    curve = fit_confirmed(resemblance, confirmed)
    if curve is None:
        assert confirmed.all() or not confirmed.any()
        return
    assert (np.diff(curve.chance) > 0).all()
    assert (np.diff(curve.starts) > 0).all()
    assert curve.at(resemblance).sum() == pytest.approx(confirmed.sum())


@given(JUDGED)
def test_no_rising_steps_are_nearer_to_the_judged_pairs(judged: list[tuple[float, bool]]) -> None:
    resemblance, confirmed = columns(judged)
    curve = fit_confirmed(resemblance, confirmed)
    if curve is None:
        return
    values = np.unique(resemblance)
    means = [confirmed[resemblance == value].mean() for value in values]
    weights = [int((resemblance == value).sum()) for value in values]
    assert curve.at(values) == pytest.approx(_by_minimax(means, weights))


def _by_minimax(means: list[float], weights: list[int]) -> list[float]:
    """Isotonic regression by its definition: the largest of the least averages (Robertson 1988)."""
    count = len(means)

    def average(low: int, high: int) -> float:
        part = slice(low, high + 1)
        total = sum(mean * weight for mean, weight in zip(means[part], weights[part], strict=True))
        return total / sum(weights[part])

    return [
        max(min(average(low, high) for high in range(at, count)) for low in range(at + 1))
        for at in range(count)
    ]


def test_too_few_or_all_alike_give_no_curve() -> None:
    few = np.linspace(0, 1, FEWEST_JUDGED - 1)
    many = np.linspace(0, 1, FEWEST_JUDGED)
    assert fit_confirmed(few, few > 0.5) is None
    assert fit_confirmed(many, many >= 0) is None
    assert fit_confirmed(many, many > 0.5) is not None


def read_from_the_top(seed):
    """A list of which some pairs are read, as people do; the truth rises with the resemblance."""
    random = np.random.default_rng(seed)
    resemblance = np.sort(random.random(300) ** 2)[::-1]
    confirmed = random.random(300) < np.clip((resemblance - 0.2) * 1.5, 0, 1)
    return resemblance, confirmed, int(random.integers(60, 250))


def test_unread_pairs_are_seldom_confirmed_more_or_less_often_than_said() -> None:
    wrong = rounds = 0
    for seed in range(100):
        resemblance, confirmed, read = read_from_the_top(seed)
        said = unread_range(resemblance[:read], confirmed[:read], resemblance[read:])
        if said is not None:
            assert said.pairs == 300 - read
            wrong += not said.least <= confirmed[read:].sum() <= said.most
            rounds += 1
    assert rounds > 40
    assert wrong <= 0.05 * rounds


def test_two_verdicts_more_do_not_leave_a_range() -> None:
    compared = 0
    for seed in range(100):
        resemblance, confirmed, read = read_from_the_top(seed)
        before, after = (
            unread_range(resemblance[:end], confirmed[:end], resemblance[end:])
            for end in (read, read + 2)
        )
        if before and after:
            assert before.least <= after.most
            assert after.least <= before.most
            assert abs(after.most - before.most) <= 3 + 0.15 * before.pairs
            compared += 1
    assert compared > 40


def test_nothing_is_said_of_unread_pairs_above_the_judged_ones() -> None:
    resemblance = np.linspace(0, 0.5, 40)
    assert unread_range(resemblance, resemblance > 0.3, np.array([0.9] * 20)) is None
    assert unread_range(resemblance, resemblance > 0.3, np.array([])) is None


def test_what_holds_for_pairs_that_were_left_out() -> None:
    resemblance = np.linspace(0, 1, 100)
    clear = cross_validated(resemblance, resemblance > 0.5)
    assert clear.right >= 97
    assert (clear.of, clear.by_rule) == (100, 50)
    confirmed = np.random.default_rng(3).random(100) < 0.5
    assert cross_validated(resemblance, confirmed).right < 70


def test_many_falling_blocks_are_pooled_as_they_are_one_by_one() -> None:
    """Blocks that rise slowly, then one that falls below all of them."""
    resemblance = np.linspace(0.1, 0.9, 4000)
    confirmed = np.random.default_rng(2).random(4000) < resemblance
    confirmed[-2000:] = False
    curve = fit_confirmed(resemblance, confirmed)
    assert curve is not None
    ends = np.cumsum(curve.judged)
    sums = np.r_[0, np.cumsum(confirmed)]
    assert curve.chance == pytest.approx(np.diff(sums[np.r_[0, ends]]) / curve.judged)
    assert (np.diff(curve.chance) > 0).all()
    # No line from the origin of a step to a later pair lies below it: the greatest convex minorant.
    for start, end, chance in zip(np.r_[0, ends[:-1]], ends, curve.chance, strict=True):
        inside = np.arange(start, end + 1)
        assert (sums[inside] >= sums[start] + chance * (inside - start) - 1e-9).all()


def test_a_random_check_draws_each_as_often() -> None:
    drawn = np.zeros(20, dtype=int)
    for seed in range(400):
        check = random_check(5, 20, seed)
        assert all(one < other for one, other in pairwise(check.tolist()))
        drawn[check] += 1
    assert len(random_check(30, 7, 1)) == 7
    assert 60 < drawn.min() <= drawn.max() < 150
