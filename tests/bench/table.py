"""Measure the table of pairs: sorting and filtering a million rows.

    python tests/bench/table.py [--rows 1000000] [--documents 200000] [--repeat 5]

The time of each is the best of the repetitions, in milliseconds. The budgets are 150 ms for sorting
by any column and 100 ms for filtering.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import numpy as np
from PySide6.QtCore import QCoreApplication, Qt

from core.documents.model import Document
from core.evidence.pairs import FoundBy, Pairs
from neardup_gui.models.pairs.columns import Column, PairFilter
from neardup_gui.models.pairs.table import PairsModel
from neardup_gui.models.scan_result import DocumentNames

FOLDERS = 50


def names_of(documents: int, rng: np.random.Generator) -> DocumentNames:
    """Names as a folder of folders has them."""
    folders = rng.integers(0, FOLDERS, documents).tolist()
    names = [f"folder {folder}/doc_{number:06d}.txt" for number, folder in enumerate(folders)]
    return DocumentNames(
        [Document(Path("/folder", name), name, 1, 1, "", "text", "utf-8", 1) for name in names]
    )


def pairs_of(rows: int, documents: int, rng: np.random.Generator) -> Pairs:
    """Pairs of neighbours with random numbers."""
    first = rng.integers(0, documents - 1, rows)
    return Pairs(
        a=first.astype(np.int32),
        b=(first + 1).astype(np.int32),
        resemblance=rng.random(rows).round(2),
        containment_a=rng.random(rows).round(2),
        containment_b=rng.random(rows).round(2),
        estimate=rng.random(rows).astype(np.float32),
        shared_shingles=rng.integers(1, 2000, rows).astype(np.int32),
        longest_run=rng.integers(1, 50, rows).astype(np.int32),
        exact_duplicate=np.zeros(rows, dtype=np.bool_),
        found_by=rng.integers(1, int(FoundBy.PASSAGE | FoundBy.LSH) + 1, rows).astype(np.uint8),
    ).ranked()


def best(work: Callable[[], object], repeat: int) -> float:
    """The shortest time of some work, in milliseconds."""
    times = []
    for _ in range(repeat):
        began = time.perf_counter()
        work()
        times.append(time.perf_counter() - began)
    return 1000 * min(times)


def main() -> int:
    """Sort by every column, filter, and read a page of cells."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--documents", type=int, default=200_000)
    parser.add_argument("--repeat", type=int, default=5)
    options = parser.parse_args()
    _application = QCoreApplication([])
    rng = np.random.default_rng(1)
    model = PairsModel()
    model.set_pairs(
        pairs_of(options.rows, options.documents, rng), names_of(options.documents, rng)
    )
    print(f"{options.rows:,} pairs of {options.documents:,} documents; best of {options.repeat}")
    for column in Column:
        took = best(lambda c=column: model.sort(c, Qt.SortOrder.DescendingOrder), options.repeat)
        print(f"sort by {column.words.title:<20}{took:>8.0f} ms")

    def filter_rows() -> None:
        model.set_filter(PairFilter("99", 0.2))
        model.set_filter(PairFilter())

    print(f"filter, and show all again  {best(filter_rows, options.repeat):>8.0f} ms")

    def read_page() -> None:
        for row in range(40):
            for column in Column:
                model.index(row, column).data()

    print(f"40 rows of cells            {best(read_page, options.repeat):>8.1f} ms")
    return 0


if __name__ == "__main__":
    sys.exit(main())
