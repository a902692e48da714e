"""The first pages of a report as pictures, before it is written."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import islice

from core.base.progress import Cancelled, ignore, never
from core.reports.blocks import Section
from core.reports.model import Report
from core.reports.pdf.block_data import section_data
from core.reports.pdf.process import typeset
from core.reports.pdf.writer import LIMITS, task_of
from core.reports.sections import sections

PAIR = 3  # level of a section
ROWS = 60  # of each table, which is more than fit on a page


def preview_pages(
    report: Report,
    first_pairs: int = 3,
    pages: int = 4,
    width_px: int = 800,
    *,
    cancelled: Cancelled = never,
) -> list[tuple[int, int, bytes]]:
    """The first pages as they will be printed; how many there will be, they do not tell.

    Args:
        report: What is to be written.
        first_pairs: So many sections of pairs are set at most.
        pages: So many pages are given at most.
        width_px: Of each picture.
        cancelled: Polled while the pages are set.

    Returns:
        Of each page the width and the height in pixels, and these row by row, three bytes each:
        red, green, blue.

    Raises:
        ExportError: The pages could not be set; the sentence says why.
        ScanCancelledError: `cancelled` said so.
    """
    task = task_of(report) | {"pages": pages, "width": width_px}
    task["head"]["numbered"] = False
    first = _first(sections(report, LIMITS, ignore, cancelled), first_pairs)
    data = (json.dumps(section_data(one, ROWS), ensure_ascii=False) for one in first)
    told, pixels = typeset(task, data, cancelled)
    pictures = []
    start = 0
    for width, height in told["sizes"]:
        end = start + 3 * width * height
        pictures.append((width, height, bytes(pixels[start:end])))
        start = end
    return pictures


def _first(told: Iterator[Section], pairs: int) -> Iterator[Section]:
    """The sections up to that of so many pairs."""
    for section in told:
        if section.level != PAIR:
            yield section
            continue
        yield from islice((section, *islice(told, pairs - 1)), pairs)
        return
