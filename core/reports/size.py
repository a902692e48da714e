"""How large a report will be and how long writing it takes, measured on some of its pairs.

    bytes = what is always there + rows · bytes a row + pairs with passages · bytes of one

Each part is measured by writing small reports: without pairs, with rows, with rows and passages.
The pairs measured are spread evenly over the list, as those at its top share most and are longest.
"""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

from core.base.arrays import IntegerArray
from core.base.tasks import Cancelled, never
from core.reports.formats import write_report
from core.reports.model import Report

ROWS = 200  # that are written to measure a row
FEW_PASSAGES = 6  # whose passages are written


class ReportSize(NamedTuple):
    """The size of a report.

    Attributes:
        size: Bytes of its file.
        seconds: That writing takes.
        is_exact: Whether all of it was written to know that.
    """

    size: int
    seconds: float
    is_exact: bool


def first_pairs(report: Report, count: int, passages: int) -> Report:
    """The same report of its first pairs, with the passages of some of these."""
    return _some_pairs(report, np.arange(min(count, len(report.pairs))), passages)


def measure(report: Report, ending: str, folder: Path, cancelled: Cancelled = never) -> ReportSize:
    """Measure what a report will be as a file with this ending.

    Args:
        report: The whole one.
        ending: One of `core.reports.formats.EXPORTS`.
        folder: Where small reports may be written; they are removed.
        cancelled: Polled while they are written.

    Raises:
        ExportError: They could not be written.
        ScanCancelledError: `cancelled` said so.
    """
    pairs = len(report.pairs)
    full = min(pairs, report.choice.most_passages)
    if pairs <= FEW_PASSAGES:
        _written(report, ending, folder, cancelled)  # what is loaded at first takes no time again
        return ReportSize(*_written(report, ending, folder, cancelled), is_exact=True)

    def written(rows: int, passages: int) -> tuple[int, float]:
        chosen = np.linspace(0, pairs - 1, rows).astype(np.int64)
        return _written(_some_pairs(report, chosen, passages), ending, folder, cancelled)

    rows, shown = min(ROWS, pairs), min(FEW_PASSAGES, full)
    written(0, 0)
    always, of_rows = np.array(written(0, 0)), np.array(written(rows, 0))
    total = always + np.maximum(of_rows - always, 0) / rows * pairs
    if shown:
        few = np.array(written(shown, 0))
        of_passages = np.array(written(shown, shown)) - few
        total += np.maximum(of_passages, 0) / shown * full
    return ReportSize(int(total[0]), float(total[1]), is_exact=False)


def _some_pairs(report: Report, rows: IntegerArray, passages: int) -> Report:
    choice = replace(report.choice, most_passages=passages)
    ranks = [report.rank_of(int(row)) for row in rows]
    return replace(report, pairs=report.pairs.take(rows), ranks=ranks, choice=choice)


def _written(report: Report, ending: str, folder: Path, cancelled: Cancelled) -> tuple[int, float]:
    """Bytes and seconds of a report that is written and removed."""
    path = folder / f"measured{ending}"
    began = time.perf_counter()
    write_report(path, report, cancelled=cancelled)
    seconds = time.perf_counter() - began
    size = path.stat().st_size
    path.unlink()
    return size, seconds
