"""SimHash: do the bits follow the angle, the candidates the curve, and how quick is the search?

Bits: for random pairs of sets, of equal and of unequal size, the share of the 64 bits that differ
beside the exact share for sets of that size and beside θ/π, the variance of the distance over that
of a binomial, and how far the rate of pairs within 3 and 8 bits is from the curve. Bits are
independent and differ with the exact share: a line passes within 4 standard errors of both. The
curve stands for many shingles; in sets of 100 and more up to c = 0.95 it may be 2 points off.

Frequencies: the weights of cells against those of exact document frequencies, where six shingles
fall on a cell as in a folder of 400,000 job ads.

Speed: to count frequencies and to sign texts of 288 shingles, on one core.

Search: all pairs within 3 and 8 bits among random and clustered fingerprints. Every neighbour that
was planted has to be found.

    python tests/bench/simhash.py [--pairs 10000] [--counts 50000 400000 1000000]
"""

from __future__ import annotations

import math
import time
import timeit
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np
from options import read_options

from core.base.arrays import Float64Array, Int64Array, UInt64Array
from core.base.setting import settings_of
from core.candidates.hamming import HammingSearch
from core.candidates.scurve import cosine_of_containments, probability_at_cosine
from core.settings import ScanSettings
from core.signatures.methods import WEIGHT_OF_ONE, DocumentFrequencies, hamming_distance, weigh
from core.signatures.methods import sign as simhash
from core.text.shingling import Shingles

SIZES = (5, 20, 100, 300, 1000)
RATIOS = (1, 3)  # of the sizes of the two sets
CONTAINMENTS = (0.2, 0.5, 0.8, 0.9, 0.95, 0.99)  # share of the smaller set that is shared
DISTANCES = (3, 8)
CURVE_FROM, CURVE_UP_TO = 100, 0.96  # elements and cosine where the curve has to hold
LARGEST_OFF = 0.02
LARGEST_WEIGHT_ERROR = 0.20  # of a weight, on average
COUNTS = (50_000, 400_000, 1_000_000)
FAMILY_BITS = 6


class Line(NamedTuple):
    """What was measured for pairs of one kind; shares and rates as fractions."""

    cosine: float
    share: float
    exact: float
    angle: float
    variance: float
    off: list[float]
    passed: bool


def measure(smaller: int, ratio: int, shared: int, pairs: int) -> Line:
    """Sign pairs of random sets and compare with the angle between them."""
    larger = smaller * ratio
    cosine = float(cosine_of_containments(shared / smaller, shared / larger))
    settings = ScanSettings(signature="simhash", weights="unweighted")
    rng = np.random.default_rng([smaller, ratio, shared])
    found = []
    at_once = max(1, 1_000_000 // (smaller + larger))
    for first in range(0, pairs, at_once):
        count = min(at_once, pairs - first)
        signatures = simhash(_random_pairs(rng, smaller, larger, shared, count), settings)
        one = np.arange(0, 2 * count, 2)
        found.append(hamming_distance(signatures, one, one + 1))
    distance = np.concatenate(found)
    rates = [float((distance <= most).mean()) for most in DISTANCES]
    curve = [float(probability_at_cosine(cosine, most)) for most in DISTANCES]
    off = [rate - expected for rate, expected in zip(rates, curve, strict=True)]
    exact = exact_share(shared, smaller - shared, larger - shared)
    spread = exact * (1 - exact)
    share = float(distance.mean()) / 64
    variance = float(distance.var()) / (64 * spread)
    holds = smaller < CURVE_FROM or cosine > CURVE_UP_TO
    passed = (
        abs(share - exact) <= 4 * math.sqrt(spread / (64 * pairs))
        and abs(variance - 1) <= 4 * math.sqrt((2 + 1 / (64 * spread)) / pairs)
        and all(
            _near(rate, float(probability_at_cosine(math.cos(math.pi * exact), most)), pairs)
            for rate, most in zip(rates, DISTANCES, strict=True)
        )
        and (
            holds
            or all(
                _near(rate, expected, pairs, LARGEST_OFF)
                for rate, expected in zip(rates, curve, strict=True)
            )
        )
    )
    return Line(cosine, share, exact, math.acos(cosine) / math.pi, variance, off, passed)


def _near(rate: float, expected: float, pairs: int, slack: float = 0.0) -> bool:
    """Whether a rate is within 4 standard errors, 2 events and some slack of what is expected."""
    error = math.sqrt(expected * (1 - expected) / pairs)
    return abs(rate - expected) <= 4 * error + 2 / pairs + slack


def exact_share(shared: int, own_a: int, own_b: int) -> float:
    """Probability that signs of sums of +1 and -1 differ that have `shared` terms in common.

    Sums of zero are decided by coins that are the same as often as the sets resemble each other.
    """
    common, chance = _sum_of_signs(shared)
    above_a, zero_a = _above_and_at(own_a, -common)
    above_b, zero_b = _above_and_at(own_b, -common)

    def differ(coin_a: float, coin_b: float) -> float:
        a, b = above_a + coin_a * zero_a, above_b + coin_b * zero_b
        return float((chance * (a * (1 - b) + b * (1 - a))).sum())

    same = shared / (shared + own_a + own_b)
    return same * (differ(0, 0) + differ(1, 1)) / 2 + (1 - same) * differ(0.5, 0.5)


def _sum_of_signs(count: int) -> tuple[Int64Array, Float64Array]:
    """The values of a sum of so many signs, and their probabilities."""
    ones = np.arange(count + 1)
    logs = [math.lgamma(count + 1) - math.lgamma(k + 1) - math.lgamma(count - k + 1) for k in ones]
    return 2 * ones - count, np.exp(np.array(logs) - count * math.log(2))


def _above_and_at(count: int, at: Int64Array) -> tuple[Float64Array, Float64Array]:
    """For a sum of so many signs the probabilities of being above, and exactly at, some values."""
    values, chance = _sum_of_signs(count)
    from_here = np.append(np.cumsum(chance[::-1])[::-1], 0.0)
    above = from_here[np.searchsorted(values, at, side="right")]
    return above, from_here[np.searchsorted(values, at, side="left")] - above


def _random_pairs(
    rng: np.random.Generator, smaller: int, larger: int, shared: int, pairs: int
) -> Shingles:
    drawn = rng.integers(0, 2**64, (pairs, smaller + larger - shared), dtype=np.uint64)
    both = [drawn[:, :smaller], drawn[:, :shared], drawn[:, smaller:]]
    sizes = np.tile([smaller, larger], pairs)
    offsets = np.concatenate([[0], np.cumsum(sizes)])
    return Shingles(
        np.concatenate(both, axis=1).reshape(-1),
        offsets,
        sizes,
        np.zeros((2 * pairs, 2), dtype=np.uint64),
    )


def run_bits(pairs: int) -> bool:
    """Print how bits follow the angle; whether every line passed."""
    print(f"\nSIMHASH: {pairs:,} random pairs of sets a line, unweighted, 64 bits")
    print(f"{'':<31}{'bits that differ, %':^27}{'variance':>10}   points off the curve")
    columns = "".join(f"{f'd = {d}':>9}" for d in DISTANCES)
    print(
        f"{'elements':>15}{'shared':>8}{'c':>8}{'measured':>9}{'exact':>9}{'angle':>9}"
        f"{'/ binomial':>11}{columns}"
    )
    passed = True
    for smaller in SIZES:
        for ratio in RATIOS:
            for shared in sorted({round(share * smaller) for share in CONTAINMENTS} - {smaller}):
                line = measure(smaller, ratio, shared, pairs)
                shares = "".join(
                    f"{100 * share:>9.2f}" for share in (line.share, line.exact, line.angle)
                )
                off = "".join(f"{100 * value:>+9.2f}" for value in line.off)
                print(
                    f"{smaller:>7,}{smaller * ratio:>8,}{shared:>8,}{line.cosine:>8.3f}{shares}"
                    f"{line.variance:>11.3f}{off}   {'PASS' if line.passed else 'FAIL'}",
                    flush=True,
                )
                passed &= line.passed
    return passed


def run_frequencies() -> bool:
    """Print how far the weights of cells are from exact ones, with six shingles a cell."""
    cells, documents = 1 << 14, 4_000
    rng = np.random.default_rng(3)
    own = rng.integers(0, 2**64, 6 * cells, dtype=np.uint64)  # each in one document
    common = rng.integers(0, 2**64, 2_000, dtype=np.uint64)
    often = np.maximum(2, documents / np.arange(1, len(common) + 1)).astype(int)
    sets = [list(part) for part in np.array_split(own, documents)]
    for value, count in zip(common, often, strict=True):
        for document in rng.choice(documents, count, replace=False):
            sets[document].append(value)
    offsets = np.cumsum([0, *map(len, sets)], dtype=np.int64)
    hashes = np.array([value for part in sets for value in part], dtype=np.uint64)
    frequencies = DocumentFrequencies(cells)
    frequencies.add(
        Shingles(hashes, offsets, np.diff(offsets), np.zeros((documents, 2), np.uint64))
    )
    rarity = frequencies.rarity()
    print(f"\nWEIGHTS of cells against exact ones: {documents:,} documents, six shingles a cell")
    print(f"{'df':>12}{'shingles':>10}{'exact':>8}{'cells':>8}{'error':>8}")
    values = np.concatenate([own, common])
    exact = np.log((1 + documents) / (1 + np.concatenate([np.ones(len(own)), often]))) + 1
    found = weigh(values, rarity) / WEIGHT_OF_ONE
    passed = True
    df = np.concatenate([np.ones(len(own), dtype=int), often])
    for low, high in ((1, 2), (2, 10), (10, 100), (100, documents + 1)):
        rows = (df >= low) & (df < high)
        error = float(np.abs(found[rows] / exact[rows] - 1).mean())
        print(
            f"{f'{low} to {high - 1}':>12}{rows.sum():>10,}{exact[rows].mean():>8.2f}"
            f"{found[rows].mean():>8.2f}{100 * error:>7.1f}%"
        )
        passed &= error <= LARGEST_WEIGHT_ERROR
    return passed


def run_speed() -> None:
    """Print the cost of a shingle."""
    texts, size = 20_000, 288
    hashes = np.random.default_rng(4).integers(0, 2**64, texts * size, dtype=np.uint64)
    offsets = np.arange(0, len(hashes) + 1, size, dtype=np.int64)
    shingles = Shingles(hashes, offsets, np.diff(offsets), np.zeros((texts, 2), dtype=np.uint64))
    frequencies = DocumentFrequencies()
    frequencies.add(shingles)
    rarity = frequencies.rarity()
    print("\nSPEED, ns a shingle")
    tasks: dict[str, Callable[[], object]] = {"frequencies": lambda: frequencies.add(shingles)}
    for weights in settings_of(ScanSettings)["weights"].choices:
        settings = ScanSettings(signature="simhash", weights=weights)
        tasks[weights] = partial(simhash, shingles, settings, rarity)
    for name, task in tasks.items():
        seconds = min(timeit.repeat(task, number=1, repeat=4))
        print(f"{name:>14}{1e9 * seconds / len(hashes):>8.2f}")


def fingerprints(count: int, *, clustered: bool) -> tuple[UInt64Array, UInt64Array]:
    """Random fingerprints; clustered: half of them up to 6 bits from another. And from which."""
    rng = np.random.default_rng(count)
    values = rng.integers(0, 2**64, count, dtype=np.uint64)
    origin = np.arange(count, dtype=np.uint64)
    if clustered:
        half = count // 2
        origin[half:] = rng.integers(0, half, count - half)
        values[half:] = values[origin[half:].astype(np.int64)]
        for _ in range(FAMILY_BITS):
            bit = np.uint64(1) << rng.integers(0, 64, count - half).astype(np.uint64)
            values[half:] ^= np.where(rng.random(count - half) < 0.5, bit, np.uint64(0))
    return values, origin


def run_search(counts: tuple[int, ...]) -> bool:
    """Print the cost of searches; whether each found what was planted."""
    print("\nSEARCH for pairs within d bits")
    print(
        f"{'fingerprints':>14}{'':>11}{'d':>3}{'m':>4}{'tables':>8}{'comparisons':>14}"
        f"{'plan s':>8}{'search s':>10}{'pairs':>11}"
    )
    passed = True
    for count in (1000, *counts):  # the first compiles
        for clustered in (False, True):
            values, origin = fingerprints(count, clustered=clustered)
            halves = np.stack([values & np.uint64(2**32 - 1), values >> np.uint64(32)], axis=1)
            for distance in DISTANCES:
                began = time.perf_counter()
                search = HammingSearch(
                    halves.astype(np.uint32), np.zeros_like(halves), np.arange(count), distance
                )
                planned = time.perf_counter()
                codes = [chunk.x.astype(np.uint64) * count + chunk.y for chunk in search.pairs()]
                ended = time.perf_counter()
                found = np.sort(np.concatenate([np.empty(0, dtype=np.uint64), *codes]))
                own = np.arange(count, dtype=np.uint64)
                apart = np.bitwise_count(values ^ values[origin.astype(np.int64)])
                planted = (origin * np.uint64(count) + own)[(own != origin) & (apart <= distance)]
                missed = np.isin(planted, found, assume_unique=True, invert=True).sum()
                verdict = "PASS" if not missed else f"FAIL: {missed:,} missed"
                print(
                    f"{count:>14,}{'clustered' if clustered else 'random':>11}{distance:>3}"
                    f"{search.plan.blocks:>4}{search.plan.tables:>8,}"
                    f"{search.plan.comparisons:>14,.0f}{planned - began:>8.2f}"
                    f"{ended - planned:>10.2f}{len(found):>11,}   {verdict}",
                    flush=True,
                )
                passed &= not missed
    return passed


def main() -> None:
    """Read the command line."""
    arguments = read_options(__doc__, pairs=10_000, counts=COUNTS)
    run_speed()
    passed = [
        run_bits(arguments.pairs),
        run_frequencies(),
        run_search(tuple(arguments.counts)),
    ]
    raise SystemExit(not all(passed))


if __name__ == "__main__":
    main()
