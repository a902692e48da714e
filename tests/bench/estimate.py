"""Hold the estimate of missed pairs against exact truth.

    python tests/bench/estimate.py --data FOLDER [--seeds 40]

FOLDER holds corpora as NAME/docs. Of every corpus all pairs are compared exactly; then, for several
bands, rows and thresholds and many seeds, bands alone find some of them, and what they miss is
estimated from these. "Covered" is the share of seeds whose 95 % interval holds the true number, for
the interval that takes pairs as independent and for the one that sets bands against each other.
"""

from __future__ import annotations

import argparse
import math
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from core.audit.searching import sole_bands
from core.audit.truth import ExactPairs, Truth
from core.minhash import SignatureMatrix, sign
from core.scan import scan
from core.scurve import Estimate, estimate_missed
from core.settings import ScanSettings
from core.shingling import shingle
from core.signing import worker_count

CORPORA = {
    "bills": {},
    "clough": {},
    "contracts": {},
    "terms": {},
    "licenses": {},
    "progit_ru": {},
    "laws_zh": {"unit": "char", "k": 8},
    "udhr": {"unit": "char", "k": 6},
}
CURVES = ((64, 2, 0.1), (42, 3, 0.2), (16, 4, 0.3), (20, 5, 0.5), (14, 8, 0.6))
LOWEST = min(least for _, _, least in CURVES)


class Row(NamedTuple):
    """One corpus under one curve: pairs from s0 on, and for each seed truth and two estimates."""

    pairs: int
    truth: list[int]
    independent: list[Estimate]
    together: list[Estimate]


def read_corpus(folder: Path, settings: ScanSettings) -> list[str]:
    """The texts of a corpus; of documents with the same words the first."""
    result = scan([folder], settings)
    result.close()
    digests = shingle(list(result.texts), settings).digests.tolist()
    first = {tuple(digest): text for digest, text in zip(digests, result.texts, strict=True)}
    return list(first.values())


def measure(
    exact: ExactPairs, signatures: list[SignatureMatrix], bands: int, rows: int, least: float
) -> Row:
    """Truth and estimates for every seed."""
    pairs = exact.take(exact.resemblance >= least)
    row = Row(len(pairs.x), [], [], [])
    for matrix in signatures:
        met = meetings(matrix, pairs, bands, rows)
        caught = met.any(axis=1)
        found = pairs.resemblance[caught]
        row.truth.append(int((~caught).sum()))
        row.independent.append(estimate_missed(found, bands, rows))
        row.together.append(estimate_missed(found, bands, rows, sole=sole_bands(met[caught])))
    return row


def meetings(
    matrix: SignatureMatrix, pairs: ExactPairs, bands: int, rows: int
) -> npt.NDArray[np.bool_]:
    """Whether each pair agrees in each band."""
    used = matrix[:, : bands * rows]
    agree = used[pairs.x] == used[pairs.y]
    return np.asarray(agree.reshape(len(agree), bands, rows).all(axis=2))


def covered(estimates: list[Estimate], truth: list[int]) -> float:
    """How often the interval, in whole pairs, holds the true number."""
    hits = [
        math.floor(one.low) <= missed <= math.ceil(one.high)
        for one, missed in zip(estimates, truth, strict=True)
    ]
    return sum(hits) / len(hits)


def half_width(estimates: list[Estimate]) -> float:
    """The mean distance from estimate to upper end."""
    return float(np.mean([one.high - one.expected for one in estimates]))


def print_row(name: str, bands: int, rows: int, least: float, row: Row) -> None:
    """One line of the table."""
    expected = np.array([one.expected for one in row.independent])
    error = math.sqrt(float(np.mean((expected - np.array(row.truth)) ** 2)))
    print(
        f"{name:<10} {f'{bands} × {rows}':>7} {least:5.1f} {row.pairs:6,} "
        f"{np.mean(row.truth):8.1f} {expected.mean():9.1f} {error:7.1f}   "
        f"{half_width(row.independent):7.1f} {covered(row.independent, row.truth):8.0%}   "
        f"{half_width(row.together):7.1f} {covered(row.together, row.truth):8.0%}",
        flush=True,
    )


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--data", type=Path, required=True, help="a folder of corpora NAME/docs")
    parser.add_argument("--seeds", type=int, default=40)
    options = parser.parse_args()
    print(f"pairs missed by bands alone, {options.seeds} seeds")
    print(f"{'':49}{'error':>6}   {'independent':>16}   {'bands together':>16}")
    print(
        f"{'corpus':<10} {'b × r':>7} {'s0':>5} {'pairs':>6} {'missed':>8} {'estimate':>9} "
        f"{'(rms)':>7}   {'± 95 %':>7} {'covered':>8}   {'± 95 %':>7} {'covered':>8}"
    )
    intervals: list[list[float]] = [[], []]
    for name, changes in CORPORA.items():
        settings = ScanSettings(min_resemblance=LOWEST, **changes)
        texts = read_corpus(options.data / name / "docs", settings)
        with ThreadPoolExecutor(worker_count()) as pool:
            exact = Truth(texts, settings).all_wanted(pool)
        shingles = shingle(texts, settings)
        signatures = [
            sign(shingles, settings.with_changes(seed=seed + 1)) for seed in range(options.seeds)
        ]
        for bands, rows, least in CURVES:
            row = measure(exact, signatures, bands, rows, least)
            print_row(name, bands, rows, least, row)
            intervals[0].append(covered(row.independent, row.truth))
            intervals[1].append(covered(row.together, row.truth))
    print(
        f"covered on average: pairs as independent {np.mean(intervals[0]):.0%}, at least "
        f"{min(intervals[0]):.0%}; bands together {np.mean(intervals[1]):.0%}, at least "
        f"{min(intervals[1]):.0%}"
    )


if __name__ == "__main__":
    main()
