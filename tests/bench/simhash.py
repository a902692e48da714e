"""SimHash: do the bits follow the angle, the candidates the curve, and how quick is the search?

Bits: for random pairs of sets, of equal and of unequal size, the share of the 64 bits that differ
against θ/π in points of a hundred, the variance of the distance over that of a binomial, and how
far the rate of pairs within 3 and 8 bits is from the curve, in points. Sets of 100 and more have to
pass within 0.5 points, 10 % of the variance and 3 points (chance may add 4 standard errors); what
smaller ones do is printed, for their sums are not normal yet.

Frequencies: the weights of cells against those of exact document frequencies, where six shingles
fall on a cell as in a folder of 400,000 job ads.

Search: all pairs within 3 and 8 bits among random and clustered fingerprints. Every neighbour that
was planted has to be found.

    python tests/bench/simhash.py [--pairs 10000] [--counts 50000 400000 1000000]
"""

from __future__ import annotations

import argparse
import math
import time
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from core.frequencies import WEIGHT_OF_ONE, DocumentFrequencies, weigh
from core.hamming import HammingSearch
from core.settings import ScanSettings
from core.shingling import Shingles
from core.simhash import hamming_distance, simhash
from core.simhash_curve import cosine_of_containments, probability_at_cosine

UInt64Array = npt.NDArray[np.uint64]

SIZES = (5, 20, 100, 300, 1000)
RATIOS = (1, 3)  # of the sizes of the two sets
CONTAINMENTS = (0.2, 0.5, 0.8, 0.9, 0.95, 0.99)  # share of the smaller set that is shared
DISTANCES = (3, 8)
JUDGED = 100  # elements from which the bounds hold
LARGEST_SHIFT = 0.005
LARGEST_VARIANCE = 0.10
LARGEST_OFF = 0.03
LARGEST_WEIGHT_ERROR = 0.20  # of a weight, on average
COUNTS = (50_000, 400_000, 1_000_000)
FAMILY_BITS = 6


class Line(NamedTuple):
    """What was measured for pairs of one kind."""

    cosine: float
    shift: float
    variance: float
    off: list[float]
    passed: bool


def measure(smaller: int, ratio: int, shared: int, pairs: int) -> Line:
    """Sign pairs of random sets and compare with the angle between them."""
    larger = smaller * ratio
    cosine = float(cosine_of_containments(shared / smaller, shared / larger))
    share = math.acos(cosine) / math.pi
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
    expected = [float(probability_at_cosine(cosine, most)) for most in DISTANCES]
    off = [float((distance <= d).mean()) - p for d, p in zip(DISTANCES, expected, strict=True)]
    chance = [4 * math.sqrt(p * (1 - p) / pairs) for p in expected]
    shift = float(distance.mean()) / 64 - share
    error = 4 * math.sqrt(share * (1 - share) / (64 * pairs))
    variance = float(distance.var()) / (64 * share * (1 - share))
    passed = (
        abs(shift) <= LARGEST_SHIFT + error
        and abs(variance - 1) <= LARGEST_VARIANCE + 4 * math.sqrt(2 / pairs)
        and all(abs(o) <= LARGEST_OFF + c for o, c in zip(off, chance, strict=True))
    )
    return Line(cosine, shift, variance, off, passed)


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
    """Print how bits follow the angle; whether every line that is judged passed."""
    print(f"\nSIMHASH: {pairs:,} random pairs of sets a line, unweighted, 64 bits")
    print(f"{'':<27}{'differing bits':>16}{'variance':>10}   points off the curve")
    columns = "".join(f"{f'd = {d}':>9}" for d in DISTANCES)
    print(f"{'elements':>15}{'shared':>8}{'c':>8}{'points':>12}{'/ binomial':>10}{columns}")
    passed = True
    for smaller in SIZES:
        for ratio in RATIOS:
            for shared in sorted({round(share * smaller) for share in CONTAINMENTS} - {smaller}):
                line = measure(smaller, ratio, shared, pairs)
                verdict = ("PASS" if line.passed else "FAIL") if smaller >= JUDGED else ""
                off = "".join(f"{100 * value:>+9.2f}" for value in line.off)
                print(
                    f"{smaller:>7,}{smaller * ratio:>8,}{shared:>8,}{line.cosine:>8.3f}"
                    f"{100 * line.shift:>+12.2f}{line.variance:>10.3f}{off}   {verdict}",
                    flush=True,
                )
                passed &= line.passed or smaller < JUDGED
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
    found = weigh(values, rarity.cells, rarity.weights) / WEIGHT_OF_ONE
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
    print("\nSEARCH for pairs within d bits, one thread")
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
                search = HammingSearch(halves.astype(np.uint32), np.arange(count), distance)
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
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--pairs", type=int, default=10_000)
    parser.add_argument("--counts", type=int, nargs="+", default=COUNTS)
    arguments = parser.parse_args()
    passed = [
        run_bits(arguments.pairs),
        run_frequencies(),
        run_search(tuple(arguments.counts)),
    ]
    raise SystemExit(not all(passed))


if __name__ == "__main__":
    main()
