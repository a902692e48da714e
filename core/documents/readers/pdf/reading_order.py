"""In which order the lines of a page are read.

Lines that follow each other downwards make a run. Runs keep the order of the file, except that what
stands above comes before what it overlaps from above: writers of PDF files draw columns one after
the other, but titles and boxes at any time.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Sequence

from core.documents.readers.pdf.backwards import forwards
from core.documents.readers.pdf.columns import columns_apart, rows_joined
from core.documents.readers.pdf.lines import Box, Line

_MOST_RUNS = 500  # to compare each with each


def in_reading_order(lines: Sequence[Line]) -> list[list[Line]]:
    """The lines in runs, each from top to bottom."""
    ordered: list[list[Line]] = []
    for turn in dict.fromkeys(line.turn for line in lines):
        turned = rows_joined(line for line in lines if line.turn == turn)
        if turn >= 0:
            turned = rows_joined(forwards(turned))
        runs = _runs(columns_apart(turned))
        if turn >= 0:
            runs = _runs(line for run in _sorted(runs) for line in run)
        ordered += runs
    return ordered


def _runs(lines: Iterable[Line]) -> list[list[Line]]:
    """Stretches of lines, each below the one before."""
    runs: list[list[Line]] = []
    for line in lines:
        if runs and _follows(runs[-1][-1], line):
            runs[-1].append(line)
        else:
            runs.append([line])
    return runs


def _follows(above: Line, below: Line) -> bool:
    """Whether a line stands right below another, or goes on in the same row."""
    height = max(above.height, below.height)
    gap = above.bottom - below.top
    overlap = min(above.right, below.right) - max(above.left, below.left)
    return -0.6 * height < gap < 1.2 * height and overlap > 0


def _sorted(runs: list[list[Line]]) -> list[list[Line]]:
    """Put above before below where they overlap; else the order stays."""
    if len(runs) > _MOST_RUNS or len(runs) == 1:
        return runs
    boxes = [_box(run) for run in runs]
    later: list[list[int]] = [[] for _ in runs]
    waiting = [0] * len(runs)
    for index, box in enumerate(boxes):
        for other in range(index):
            if _is_above(box, boxes[other]):
                later[index].append(other)
                waiting[other] += 1
            elif _is_above(boxes[other], box):
                later[other].append(index)
                waiting[index] += 1
    ready = [index for index, count in enumerate(waiting) if not count]
    order = []
    while ready:
        index = heapq.heappop(ready)
        order.append(index)
        for other in later[index]:
            waiting[other] -= 1
            if not waiting[other]:
                heapq.heappush(ready, other)
    return [runs[index] for index in order]


def _box(run: Sequence[Line]) -> Box:
    return Box(
        min(line.left for line in run),
        min(line.bottom for line in run),
        max(line.right for line in run),
        max(line.top for line in run),
    )


def _is_above(box: Box, other: Box) -> bool:
    """Whether a box stands above another, and over a good part of it."""
    if box[1] < other[3] - 0.3 * min(box[3] - box[1], other[3] - other[1], 20.0):
        return False
    overlap = min(box[2], other[2]) - max(box[0], other[0])
    return overlap > 0.3 * min(box[2] - box[0], other[2] - other[0])
