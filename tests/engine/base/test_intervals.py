"""Intervals and bounds: as published, as counted one by one, and where the whole is very large."""

from __future__ import annotations

import math
from itertools import combinations

import pytest

from core.base.arrays import around, highest_share, most_drawn, most_of_rest, wilson


@pytest.mark.parametrize(
    ("hits", "cases", "low", "high"),
    [
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0000, 0.1611),
        (1, 29, 0.0061, 0.1718),
        (20, 20, 1 - 0.1611, 1.0),
    ],
)
def test_wilson_interval_is_the_published_one(
    hits: int, cases: int, low: float, high: float
) -> None:
    assert wilson(hits, cases) == pytest.approx((hits / cases, low, high), abs=5e-5)


@pytest.mark.parametrize(("hits", "cases"), [(0, 0), (3, 2), (-1, 2)])
def test_what_is_no_share_is_refused(hits: int, cases: int) -> None:
    with pytest.raises(ValueError, match="is not a share"):
        wilson(hits, cases)


@pytest.mark.parametrize(("checked", "confirmed", "rest"), [(3, 0, 5), (4, 1, 4), (2, 2, 5)])
def test_the_bound_after_a_random_check_is_that_of_counting(
    checked: int, confirmed: int, rest: int
) -> None:
    total = checked + rest

    def chance(special: int) -> float:
        draws = list(combinations(range(total), checked))
        few = sum(sum(one < special for one in draw) <= confirmed for draw in draws)
        return few / len(draws)

    counted = max(more for more in range(rest + 1) if chance(more + confirmed) > 0.05)
    assert most_of_rest(checked, confirmed, rest, 0.05) == counted


def test_nothing_is_left_to_expect_where_all_were_checked() -> None:
    assert most_of_rest(30, 4, 0, 0.05) == 0


def test_the_rest_of_a_very_large_whole_is_bounded() -> None:
    """None of 30: the share of the rest is at most that of 30 draws with replacement."""
    rest = 10**15
    most = most_of_rest(30, 0, rest, 0.05)
    assert most / rest == pytest.approx(1 - 0.05 ** (1 / 30), rel=1e-6)
    assert most_of_rest(30, 30, rest, 0.05) == rest


def test_a_part_that_is_nearly_the_whole_bounds_the_rest() -> None:
    assert [most_of_rest(98, hits, 2, 0.05) for hits in (0, 10, 90, 98)] == [0, 1, 2, 2]


@pytest.mark.parametrize(("hits", "cases"), [(0, 60), (3, 10), (59, 60), (60, 60)])
def test_the_highest_share_is_where_so_few_hits_are_as_rare_as_said(hits: int, cases: int) -> None:
    share = highest_share(hits, cases, 0.025)
    chances = [math.comb(cases, k) * share**k * (1 - share) ** (cases - k) for k in range(hits + 1)]
    assert sum(chances) == pytest.approx(1.0 if hits == cases else 0.025)


@pytest.mark.parametrize("share", [0.0, 0.01, 0.3, 0.9, 1.0])
def test_more_are_drawn_no_more_often_than_said(share: float) -> None:
    most = most_drawn(50, share, 0.025)
    chances = [math.comb(50, k) * share**k * (1 - share) ** (50 - k) for k in range(51)]
    assert sum(chances[most + 1 :]) <= 0.025 + 1e-12
    assert most == 0 or sum(chances[most:]) > 0.025


def test_a_number_that_cannot_be_negative_has_no_interval_below_zero() -> None:
    assert around(2.0, 10.0) == pytest.approx((2.0, 0.0, 21.6))
