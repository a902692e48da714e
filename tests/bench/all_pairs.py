"""Compare all pairs, or what bands and passages meet: time, and what is listed.

    python tests/bench/all_pairs.py [--documents 1000 3000 10000] [--repeat 3]

Texts in memory to verified pairs from a resemblance of 0.10, 3-word shingles, 42 × 3, by
`core.find_pairs`. `auto` compares all pairs where that takes about a second, else what bands meet;
both run in turns.
"""

from __future__ import annotations

import argparse
import statistics
import time
from typing import Final

from corpus import generate

from core.scan.in_memory import find_pairs
from core.settings import Compare, ScanSettings

SETTINGS = ScanSettings(k=3, bands=42, rows=3)
WAYS: Final[tuple[Compare, ...]] = ("bands", "auto")


def measure(documents: int, repeat: int) -> None:
    """Print the median of each way, and their ratio."""
    texts = generate(documents).texts
    seconds: dict[Compare, list[float]] = {way: [] for way in WAYS}
    listed: dict[Compare, int] = {}
    for _ in range(repeat):
        for way in WAYS:
            began = time.perf_counter()
            pairs = find_pairs(texts, SETTINGS.with_changes(compare=way))
            seconds[way].append(time.perf_counter() - began)
            listed[way] = len(pairs)
    bands, auto = (statistics.median(seconds[way]) for way in WAYS)
    print(
        f"{documents:>9,}{bands:>9.2f} s{auto:>9.2f} s{auto / bands:>8.1f} ×"
        f"{listed['bands']:>12,}{listed['auto']:>12,}",
        flush=True,
    )


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--documents", type=int, nargs="+", default=(1_000, 3_000, 10_000))
    parser.add_argument("--repeat", type=int, default=3)
    options = parser.parse_args()
    find_pairs(generate(50).texts, SETTINGS)  # load the kernels
    print("documents      bands       auto   ratio   by bands        auto")
    for documents in options.documents:
        measure(documents, options.repeat)


if __name__ == "__main__":
    main()
