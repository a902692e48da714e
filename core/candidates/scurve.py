"""The mathematics of bands and rows.

A pair of resemblance s becomes a candidate of b bands with r rows with probability
P(s) = 1 - (1 - s^r)^b, the S-curve (Leskovec, Rajaraman, Ullman, Mining of Massive Datasets,
section 3.4). Everything here is a pure function of numbers and arrays.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from core.base.arrays import Float64Array, Int64Array
from core.base.intervals import Estimate, around
from core.errors import SettingsError

FIT_POINTS = 200  # steps of the areas that `fit` weighs


def candidate_probability(
    resemblance: npt.ArrayLike, bands: int | Int64Array, rows: int | Int64Array
) -> Float64Array:
    """P(s) = 1 - (1 - s^r)^b for every s, computed without cancellation near 0 and 1."""
    s = np.clip(np.asarray(resemblance, dtype=np.float64), 0.0, 1.0)
    with np.errstate(divide="ignore"):
        missed = np.exp(bands * np.log1p(-(s**rows)))
        small = -np.expm1(bands * np.log1p(-(s**rows)))
    return np.asarray(np.where(s < 1.0, np.where(missed > 0.5, small, 1.0 - missed), 1.0))


@dataclass(frozen=True, slots=True)
class BandCurve:
    """The S-curve of b bands with r rows."""

    bands: int
    rows: int

    def probability(self, resemblance: npt.ArrayLike) -> Float64Array:
        """P(s) for every s, 0 to 1."""
        return candidate_probability(resemblance, self.bands, self.rows)

    @property
    def steepest(self) -> float:
        """The resemblance where the curve rises fastest: ((1 - 1/r) / (b - 1/r))^(1/r).

        The second derivative of P is zero there. With one row the curve is steepest at 0; with one
        band it is s^r, steepest at 1.
        """
        if self.rows == 1:
            return 0.0
        if self.bands == 1:
            return 1.0
        return float(((1 - 1 / self.rows) / (self.bands - 1 / self.rows)) ** (1 / self.rows))

    @property
    def midpoint(self) -> float:
        """The usual approximation of the curve's threshold: (1/b)^(1/r)."""
        return float((1 / self.bands) ** (1 / self.rows))


class Suggestion(NamedTuple):
    """Bands and rows that keep two wishes, and what they really give."""

    bands: int
    rows: int
    caught: float
    let_through: float


def suggest(
    signature_size: int,
    *,
    catch: float,
    catch_at: float,
    at_most: float,
    at_most_at: float,
) -> Suggestion | None:
    """The bands and rows for two wishes: P(catch_at) >= catch and P(at_most_at) <= at_most.

    Of all settings that keep both, the cheapest: the one that makes candidates of the fewest pairs
    of resemblance `at_most_at`, which stand for all that are unlike. So of each number of rows
    there are only as many bands as the first wish needs.

    Args:
        signature_size: K; b times r is at most K.
        catch: Smallest acceptable probability at `catch_at`, 0 to 1.
        catch_at: The resemblance of the first wish, 0 to 1.
        at_most: Largest acceptable probability at `at_most_at`, 0 to 1.
        at_most_at: The resemblance of the second wish, below `catch_at`.

    Returns:
        The suggestion, or None when no b and r keep both wishes.

    Raises:
        SettingsError: A wish is not a probability, or the wishes are in the wrong order.
    """
    _check_wishes(catch, catch_at, at_most, at_most_at)
    least = least_let_through(signature_size, catch=catch, catch_at=catch_at, at_most_at=at_most_at)
    return least if least and least.let_through <= at_most else None


def smallest_signature(
    largest: int, *, catch: float, catch_at: float, at_most: float, at_most_at: float
) -> Suggestion | None:
    """The bands and rows that keep both wishes with the fewest signature values, b times r.

    Args:
        largest: The largest signature size to think of.
        catch: As for `suggest`, and so are the other wishes.
        catch_at: See `suggest`.
        at_most: See `suggest`.
        at_most_at: See `suggest`.

    Raises:
        SettingsError: As `suggest`.
    """
    _check_wishes(catch, catch_at, at_most, at_most_at)
    kept = [
        wish
        for wish in _catching(largest, catch, catch_at, at_most_at)
        if wish.let_through <= at_most
    ]
    return min(kept, key=lambda wish: wish.bands * wish.rows, default=None)


def least_let_through(
    signature_size: int, *, catch: float, catch_at: float, at_most_at: float
) -> Suggestion | None:
    """The bands and rows that keep the first wish and let through least at `at_most_at`.

    Of several that let through equally little, the ones that find most.

    Raises:
        SettingsError: As `suggest`.
    """
    _check_wishes(catch, catch_at, 1.0, at_most_at)
    kept = _catching(signature_size, catch, catch_at, at_most_at)
    return min(kept, key=lambda wish: (wish.let_through, -wish.caught), default=None)


def _catching(
    signature_size: int, catch: float, catch_at: float, at_most_at: float
) -> list[Suggestion]:
    """For each number of rows the fewest bands that keep the first wish, where K allows any."""
    kept = []
    for rows in range(1, signature_size + 1):
        limit = signature_size // rows
        if candidate_probability(catch_at, limit, rows) >= catch:
            bands = 1 + _most_bands(limit - 1, rows, math.nextafter(catch, -1), catch_at)
            kept.append(_suggestion(bands, rows, catch_at, at_most_at))
    return kept


def _check_wishes(catch: float, catch_at: float, at_most: float, at_most_at: float) -> None:
    for value in (catch, catch_at, at_most, at_most_at):
        if not 0 <= value <= 1:
            raise SettingsError(f"A wish is a number between 0 and 1, not {value}.")
    if at_most_at >= catch_at:
        raise SettingsError(
            f"The resemblance to leave out ({at_most_at}) must be below the one to catch "
            f"({catch_at})."
        )


def _suggestion(bands: int, rows: int, catch_at: float, at_most_at: float) -> Suggestion:
    caught, let_through = candidate_probability([catch_at, at_most_at], bands, rows)
    return Suggestion(bands, rows, float(caught), float(let_through))


def _most_bands(limit: int, rows: int, at_most: float, at_most_at: float) -> int:
    """The largest b up to `limit` with P(at_most_at) <= at_most; 0 when there is none."""
    low, high = 0, limit
    while low < high:
        middle = (low + high + 1) // 2
        if candidate_probability(at_most_at, middle, rows) <= at_most:
            low = middle
        else:
            high = middle - 1
    return low


def fit(signature_size: int, threshold: float) -> tuple[int, int]:
    """The bands and rows whose curve separates best at a threshold, as Zhu et al. 2016 choose them.

    (LSH Ensemble, VLDB 9.) They make two areas together smallest: under the curve below the
    threshold, which is checked for nothing, and between curve and 1 above it, which is missed.

    Args:
        signature_size: K; b times r is at most K.
        threshold: The resemblance from which pairs are wanted, 0 to 1.
    """
    s = (np.arange(FIT_POINTS) + 0.5) / FIT_POINTS
    weight = np.where(s < threshold, 1.0, -1.0)
    rows = np.arange(1, signature_size + 1)
    log_q = np.log1p(-(s ** rows[:, None]))

    def loss(bands: Int64Array) -> Float64Array:
        return np.asarray(-(np.exp(bands[:, None] * log_q) @ weight))

    # One band more shifts the weight of the areas downwards: each loss falls, then rises.
    low, high = np.ones_like(rows), signature_size // rows
    while (low < high).any():
        middle = (low + high) // 2
        falls = (loss(middle + 1) < loss(middle)) & (low < high)
        low, high = np.where(falls, middle + 1, low), np.where(falls, high, middle)
    best = int(loss(low).argmin())
    return int(low[best]), int(rows[best])


def expected_candidates(background: Float64Array, pairs: int, bands: int, rows: int) -> Estimate:
    """How many of a folder's pairs become candidates, from a random sample of its pairs.

    Args:
        background: Resemblances of pairs drawn at random.
        pairs: How many there are in the folder.
        bands: b.
        rows: r.
    """
    if len(background) == 0:
        return Estimate(0.0, 0.0, 0.0)
    p = candidate_probability(background, bands, rows)
    return around(float(p.mean()) * pairs, float(p.std()) / math.sqrt(len(p)) * pairs)
