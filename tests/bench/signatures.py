"""Are the signatures unbiased, and do their bands follow the S-curve?

For random pairs of sets of several sizes and resemblances, by method: the bias of the estimate in
standard errors, the mean squared error over J (1 - J) / K of independent draws, and how far the
rate of candidates is from 1 - (1 - J^r)^b, in points of a hundred. A line passes within 4 standard
errors, 1.1 times the variance, and 2 points; with fewer than 10,000 pairs chance may add to these.

    python tests/bench/signatures.py [--pairs 10000] [--sizes 5 20 100 1000]
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from options import read_options

from core.base.arrays import BoolArray
from core.candidates.scurve import candidate_probability
from core.settings import METHODS, ScanSettings, SignatureKind
from core.signatures.methods import share_of_equal_values, sign
from core.text.shingling import Shingles

# Bits have no bands: tests hold them against their exact share.
BY_BANDS = [name for name, made in METHODS.items() if made.kind is SignatureKind.BANDS]
SIZES = (5, 20, 100, 1000)
RESEMBLANCES = tuple(tenth / 10 for tenth in range(1, 10))
BANDS_AND_ROWS = ((42, 3), (20, 5), (64, 2))
PAIRS = 10_000
LARGEST_BIAS = 4.0  # standard errors
LARGEST_ERROR = 1.04  # of the variance of independent draws, and 4 standard errors more
LARGEST_DISTANCE = 0.02  # from the curve
HASHES_AT_ONCE = 2_000_000


class Line(NamedTuple):
    """What was measured for one method, size and resemblance."""

    resemblance: float
    bias: float
    error: float
    distances: list[float]
    largest_error: float
    largest_distances: list[float]

    @property
    def passed(self) -> bool:
        """Whether all figures are within their bounds."""
        near = all(
            abs(distance) <= most
            for distance, most in zip(self.distances, self.largest_distances, strict=True)
        )
        return abs(self.bias) <= LARGEST_BIAS and self.error <= self.largest_error and near


def measure(method: str, size: int, shared: int, pairs: int, seed: int) -> Line:
    """Sign pairs of random sets of one size that share a number of elements."""
    options = ScanSettings(signature=method)
    total = options.signature_size
    rng = np.random.default_rng(seed)
    estimates, hits = [], []
    at_once = max(1, HASHES_AT_ONCE // (2 * size))
    for first in range(0, pairs, at_once):
        sets = _random_pairs(rng, size, shared, min(at_once, pairs - first))
        signatures = sign(sets, options)
        rows = np.arange(0, len(signatures), 2)
        estimates.append(share_of_equal_values(signatures, rows, rows + 1).astype(np.float64))
        equal = signatures[0::2] == signatures[1::2]
        hits.append([_agree(equal, bands, rows) for bands, rows in BANDS_AND_ROWS])
    values = np.concatenate(estimates)
    resemblance = shared / (2 * size - shared)
    variance = resemblance * (1 - resemblance) / total
    rates = np.sum(hits, axis=0) / pairs
    curve = [float(candidate_probability(resemblance, b, r)) for b, r in BANDS_AND_ROWS]
    chance = [4 * np.sqrt(p * (1 - p) / pairs) if pairs < PAIRS else 0 for p in curve]
    return Line(
        resemblance,
        float((values.mean() - resemblance) / (values.std() / np.sqrt(pairs))),
        float(((values - resemblance) ** 2).mean() / variance),
        (rates - curve).tolist(),
        LARGEST_ERROR + 4 * float(np.sqrt(2 / pairs)),
        [LARGEST_DISTANCE + extra for extra in chance],
    )


def _random_pairs(rng: np.random.Generator, size: int, shared: int, pairs: int) -> Shingles:
    drawn = rng.integers(0, 2**64, (pairs, 2 * size - shared), dtype=np.uint64)
    hashes = np.stack([drawn[:, :size], drawn[:, -size:]], axis=1).reshape(-1)
    offsets = np.arange(0, len(hashes) + 1, size, dtype=np.int64)
    return Shingles(hashes, offsets, np.diff(offsets), np.zeros((2 * pairs, 2), dtype=np.uint64))


def _agree(equal: BoolArray, bands: int, rows: int) -> int:
    agreed = equal[:, : bands * rows].reshape(len(equal), bands, rows).all(axis=2)
    return int(agreed.any(axis=1).sum())


def shared_elements(size: int) -> list[int]:
    """How many elements two sets of a size share at each resemblance, as near as can be."""
    near = {round(2 * size * j / (1 + j)) for j in RESEMBLANCES}
    return sorted(near - {0, size})


def run(pairs: int = PAIRS, sizes: tuple[int, ...] = SIZES) -> bool:
    """Print the table; whether every line passed."""
    print(f"\nSIGNATURES: {pairs:,} random pairs of sets a line, K = 128")
    curves = "".join(f"{f'{b} x {r}':>9}" for b, r in BANDS_AND_ROWS)
    print(f"{'':<22}{'':>9}{'bias':>9}{'error of':>10}   points off the S-curve")
    print(f"{'method':<10}{'elements':>12}{'J':>9}{'s.e.':>9}{'J(1-J)/K':>10}{curves}")
    passed = True
    for method in BY_BANDS:
        for size in sizes:
            for number, shared in enumerate(shared_elements(size)):
                line = measure(method, size, shared, pairs, seed=1000 * size + number)
                distances = "".join(f"{100 * distance:>+9.2f}" for distance in line.distances)
                print(
                    f"{method:<10}{size:>12,}{line.resemblance:>9.3f}{line.bias:>+9.2f}"
                    f"{line.error:>10.3f}{distances}   {'PASS' if line.passed else 'FAIL'}",
                    flush=True,
                )
                passed &= line.passed
    return passed


def main() -> None:
    """Read the command line."""
    arguments = read_options(__doc__, pairs=PAIRS, sizes=SIZES)
    raise SystemExit(not run(arguments.pairs, tuple(arguments.sizes)))


if __name__ == "__main__":
    main()
