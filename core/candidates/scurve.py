"""The mathematics of bands and rows.

A pair of resemblance s becomes a candidate of b bands with r rows with probability
P(s) = 1 - (1 - s^r)^b, the S-curve (Leskovec, Rajaraman, Ullman, Mining of Massive Datasets,
section 3.4). Everything here is a pure function of numbers and arrays.

The mathematics of signatures of bits: the probability to differ in at most d of the 64.

Two texts at the angle θ differ in a bit with probability θ/π, and independently in every bit
(Charikar, STOC 2002), so the distance is binomial, and a pair is a candidate with probability
P = sum over i <= d of C(64, i) p^i (1 - p)^(64 - i), p = θ/π. It is the counterpart of the S-curve.

The angle is that of the texts' weights. For sets its cosine is |A ∩ B| / sqrt(|A| |B|), the
geometric mean of the containments; for sets of equal size that is c = 2s / (1 + s) of the
resemblance s. Where sizes differ, c is larger at the same s, up to sqrt(s) where one set holds the
other. Weights by occurrence or rarity shift it either way.

θ/π stands for random planes in all directions; those of signs ±1 come close to it where the
shingles that differ are many. Where they are few, it matters whether their number is odd: their
signs cannot cancel then, and more bits differ. So the curve holds for sets of equal size in which
many shingles differ. At d = 3, in sets of 100, it is up to 4 points off where five or more differ,
in both together; where one is replaced .74 are found and the curve says .67; where one is added
.75 and the curve says .85 (`tests/engine/candidates/test_scurve.py` computes the exact share). The
bits are independent at any size.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from core.base.arrays import BoolArray, Estimate, Float64Array, Int64Array, UInt32Array, around
from core.errors import SettingsError
from core.evidence.pairs import PairFigures
from core.settings import ScanSettings, SignatureKind

BITS = 64
STEPS = 60  # of bisection: more than a float has bits


@dataclass(frozen=True, slots=True)
class BitCurve:
    """The curve of the largest distance d, for sets of equal size.

    Attributes:
        distance: d, how many of the 64 bits may differ.
    """

    distance: int

    def probability(self, resemblance: npt.ArrayLike) -> Float64Array:
        """P for every resemblance of sets in which many shingles differ, 0 to 1.

        1 - c = (1 - s) / (1 + s), so nothing cancels near s = 1.
        """
        s = np.clip(np.asarray(resemblance, dtype=np.float64), 0.0, 1.0)
        return bits_within(differing_share((1 - s) / (1 + s)), self.distance)

    def probability_contained(self, resemblance: npt.ArrayLike) -> Float64Array:
        """P where one set holds the other, so that c = sqrt(s); other sets lie between the two."""
        s = np.clip(np.asarray(resemblance, dtype=np.float64), 0.0, 1.0)
        return probability_at_cosine(np.sqrt(s), self.distance)

    @property
    def midpoint(self) -> float:
        """The resemblance at which half of the pairs are candidates."""
        low, high = 0.0, 1.0
        for _ in range(STEPS):
            middle = (low + high) / 2
            if self.probability(middle) < 0.5:
                low = middle
            else:
                high = middle
        return (low + high) / 2

    @property
    def steepest(self) -> float:
        """The resemblance where the curve rises fastest.

        The slope has one summit, found by ternary search; with d = 0 and 1 it lies at s = 1.
        """
        if self.distance <= 1:
            return 1.0
        low, high = 0.0, 1.0
        for _ in range(STEPS):
            lower, upper = low + (high - low) / 3, high - (high - low) / 3
            if _log_slope(lower, self.distance) < _log_slope(upper, self.distance):
                low = lower
            else:
                high = upper
        return (low + high) / 2


def probability_at_cosine(cosine: npt.ArrayLike, distance: int) -> Float64Array:
    """P for every cosine, 0 to 1: exact where the cosine of the weights is known."""
    c = np.clip(np.asarray(cosine, dtype=np.float64), 0.0, 1.0)
    return bits_within(differing_share(1 - c), distance)


def cosine_of_containments(in_a: npt.ArrayLike, in_b: npt.ArrayLike) -> Float64Array:
    """The cosine of two sets from the share of each that the other holds; float64.

    |A ∩ B| / sqrt(|A| |B|) is the geometric mean of |A ∩ B| / |A| and |A ∩ B| / |B|.
    """
    return np.asarray(np.sqrt(np.asarray(in_a, dtype=np.float64) * np.asarray(in_b)))


def _log_slope(s: float, distance: int) -> float:
    """Logarithm of dP/ds, without terms that do not depend on s.

    dP/dp is -64 C(63, d) p^d (1 - p)^(63 - d), and dp/ds = -2 / (π (1 + s) sqrt((1 - s)(1 + 3s))).
    """
    p = float(differing_share(np.asarray((1 - s) / (1 + s))))
    binomial = distance * math.log(p) + (BITS - 1 - distance) * math.log1p(-p)
    return binomial - math.log1p(s) - (math.log1p(-s) + math.log1p(3 * s)) / 2


def differing_share(rest: Float64Array) -> Float64Array:
    """θ/π of the cosine 1 - rest: without the loss of digits that arccos has near 1."""
    return np.asarray(2 / np.pi * np.arcsin(np.sqrt(rest / 2)))


def bits_within(share: Float64Array, distance: int) -> Float64Array:
    """Probability that at most so many bits differ, each with probability `share`."""
    total = np.zeros_like(share)
    for differing in range(distance + 1):
        total += math.comb(BITS, differing) * share**differing * (1 - share) ** (BITS - differing)
    return np.minimum(total, 1.0)


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


class Wishes(NamedTuple):
    """Find `catch` of the pairs at one resemblance, let through `at_most` at another.

    Attributes:
        catch: Smallest acceptable probability at `catch_at`, 0 to 1.
        catch_at: The resemblance of the first wish, 0 to 1.
        at_most: Largest acceptable probability at `at_most_at`, 0 to 1.
        at_most_at: The resemblance of the second wish, below `catch_at`.
    """

    catch: float = 0.99
    catch_at: float = 0.50
    at_most: float = 0.01
    at_most_at: float = 0.05

    def check(self) -> None:
        """Whether they can be wished.

        Raises:
            SettingsError: A wish is not a probability, or the wishes are in the wrong order.
        """
        for value in self:
            if not 0 <= value <= 1:
                raise SettingsError("A wish is a number between 0 and 1, not {value}.", value=value)
        if self.at_most_at >= self.catch_at:
            raise SettingsError(
                "The resemblance to leave out ({lower}) must be below the one to catch ({upper}).",
                lower=self.at_most_at,
                upper=self.catch_at,
            )


class Suggestion(NamedTuple):
    """Bands and rows that keep two wishes, and their probabilities."""

    bands: int
    rows: int
    caught: float
    let_through: float


def suggest(signature_size: int, wishes: Wishes) -> Suggestion | None:
    """The bands and rows for two wishes: P(catch_at) >= catch and P(at_most_at) <= at_most.

    Of all settings that keep both, the cheapest: the one that makes candidates of the fewest pairs
    of resemblance `at_most_at`, as an example of unlike pairs. So for each number of rows there are
    only as many bands as the first wish needs.

    Args:
        signature_size: K; b times r is at most K.
        wishes: What is wished.

    Returns:
        The suggestion, or None when no b and r keep both wishes.

    Raises:
        SettingsError: As `Wishes.check`.
    """
    least = least_let_through(signature_size, wishes)
    return least if least and least.let_through <= wishes.at_most else None


def smallest_signature(largest: int, wishes: Wishes) -> Suggestion | None:
    """The bands and rows that keep both wishes with the fewest signature values, b times r.

    Args:
        largest: The largest signature size to think of.
        wishes: What is wished.

    Raises:
        SettingsError: As `suggest`.
    """
    kept = [wish for wish in _catching(largest, wishes) if wish.let_through <= wishes.at_most]
    return min(kept, key=lambda wish: wish.bands * wish.rows, default=None)


def least_let_through(signature_size: int, wishes: Wishes) -> Suggestion | None:
    """The bands and rows that keep the first wish and let through least at `at_most_at`.

    Of several that let through equally little, the ones that find most.

    Raises:
        SettingsError: As `suggest`.
    """
    kept = _catching(signature_size, wishes)
    return min(kept, key=lambda wish: (wish.let_through, -wish.caught), default=None)


def _catching(signature_size: int, wishes: Wishes) -> list[Suggestion]:
    """For each number of rows the fewest bands that keep the first wish, where K allows any."""
    wishes.check()
    kept = []
    for rows in range(1, signature_size + 1):
        limit = signature_size // rows
        if candidate_probability(wishes.catch_at, limit, rows) >= wishes.catch:
            below = math.nextafter(wishes.catch, -1)
            bands = 1 + _most_bands(limit - 1, rows, below, wishes.catch_at)
            points = [wishes.catch_at, wishes.at_most_at]
            caught, let_through = candidate_probability(points, bands, rows)
            kept.append(Suggestion(bands, rows, float(caught), float(let_through)))
    return kept


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
    """The bands and rows whose curve separates best at a threshold, as in Zhu et al. 2016.

    (LSH Ensemble, VLDB 9.) They minimise the sum of two areas: under the curve below the threshold,
    which is compared in vain, and between the curve and 1 above it, which is missed.

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

    # Another band shifts the weight of the areas downwards: each loss falls, then rises.
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


Curve: TypeAlias = BandCurve | BitCurve


def curve_of(bands: int, rows: int, distance: int | None) -> Curve:
    """The curve of the largest distance, if there is one, else of bands and rows."""
    return BandCurve(bands, rows) if distance is None else BitCurve(distance)


class Collision(NamedTuple):
    """How two signatures agree, and how likely that was.

    Attributes:
        agree: bool (b, r), which values are equal; of signatures of bits (8, 8), which bits.
        bands: The bands in which all rows agree, from 0; none for bits.
        collided: Whether the pair is a candidate: a band agrees, or few enough bits differ.
        chance: Probability that a pair with these exact numbers is a candidate, 0 to 1.
        equal: How many values of the whole signature are equal.
        values: How many it has; b × r may be fewer.
    """

    agree: BoolArray
    bands: tuple[int, ...]
    collided: bool
    chance: float
    equal: int
    values: int


def collision_of(
    a: UInt32Array, b: UInt32Array, figures: PairFigures, settings: ScanSettings
) -> Collision:
    """Compare two signatures value by value.

    Args:
        a: A signature, uint32 (K,).
        b: Another signature.
        figures: The exact numbers of the pair.
        settings: Decide how signatures are compared.
    """
    same = agreeing_values(a, b, settings)
    equal, values = int(same.sum()), len(same)
    if settings.method.kind is SignatureKind.BITS:
        cosine = cosine_of_containments(figures.containment_a, figures.containment_b)
        chance = probability_at_cosine(cosine, settings.max_distance)
        collided = values - equal <= settings.max_distance
        return Collision(same.reshape(8, 8), (), collided, float(chance), equal, values)
    agree = cut_into_bands(same, settings.bands, settings.rows)
    bands = tuple(np.flatnonzero(agree.all(axis=1)).tolist())
    chance = candidate_probability(figures.resemblance, settings.bands, settings.rows)
    return Collision(agree, bands, bool(bands), float(chance), equal, values)


def agreeing_values(a: UInt32Array, b: UInt32Array, settings: ScanSettings) -> BoolArray:
    """Which values of two signatures, uint32 (K,), are equal, bool (K,); or which bits: (64,)."""
    if settings.method.kind is SignatureKind.BITS:
        differing = (a ^ b).astype("<u4").view(np.uint8)
        return np.asarray(np.unpackbits(differing, bitorder="little") == 0)
    return np.asarray(a == b)


def cut_into_bands(same: BoolArray, bands: int, rows: int) -> BoolArray:
    """The values that bands are made of, bool (b, r); b times r is at most K."""
    return same[: bands * rows].reshape(bands, rows)
