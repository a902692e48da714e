"""In which order the lines of a page are read.

Lines that follow each other downwards make a run. Runs keep the order of the file, except that what
stands above comes before what it overlaps from above: writers of PDF files draw columns one after
the other, but titles and boxes at any time.

Rows and columns of a page: what stands side by side is one row, or two columns of prose.

Some programs write a page row by row across its columns. Whether a row with a wide gap belongs to a
table or to two columns is seen from the text on either side: columns have lines of prose.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise
from statistics import fmean

from core.documents.readers.pdf.lines import Box, Line, LineCell

_ROWS = 6  # with the same gap at least
_LETTERS = 24  # on average on either side
_GAP = 1.6  # of the height of a line, as between words of one line


def rows_joined(lines: Iterable[Line]) -> list[Line]:
    """Put lines that PDFium has cut although they stand side by side together."""
    joined: list[Line] = []
    for line in lines:
        if joined and _is_beside(joined[-1], line):
            joined[-1] = _row(joined[-1], line)
        else:
            joined.append(line)
    return joined


def _is_beside(line: Line, following: Line) -> bool:
    height = max(line.height, following.height)
    return (
        line.turn == following.turn >= 0
        and not line.hyphenated
        and abs(line.bottom - following.bottom) < 0.2 * height
        and following.left > line.right
        and height < 1.5 * min(line.height, following.height)
    )


def _row(line: Line, following: Line) -> Line:
    cells = (*_cells(line), *_cells(following))
    is_wide = following.left - line.right > _GAP * line.height
    return replace(
        line,
        text=("\t" if is_wide else " ").join((line.text, following.text)),
        bottom=min(line.bottom, following.bottom),
        right=following.right,
        top=max(line.top, following.top),
        hyphenated=following.hyphenated,
        cells=cells if is_wide else (),
    )


def _cells(line: Line) -> tuple[LineCell, ...]:
    return line.cells or (LineCell(line.left, line.right, line.text),)


def columns_apart(lines: list[Line]) -> list[Line]:
    """Put two columns that were written row by row one after the other."""
    rows = [line for line in lines if len(line.cells) == 2]
    if len(rows) < _ROWS:
        return lines
    lefts = sorted(row.cells[0].right for row in rows)
    rights = sorted(row.cells[1].left for row in rows)
    low, high = lefts[len(rows) * 4 // 5], rights[len(rows) // 5]
    rows = [row for row in rows if row.cells[0].right <= low and row.cells[1].left >= high]
    if low >= high or len(rows) < _ROWS or not _are_prose(rows):
        return lines
    return _apart(lines, {id(row) for row in rows}, (low + high) / 2)


def _are_prose(rows: Sequence[Line]) -> bool:
    sides = zip(*(row.cells for row in rows), strict=True)
    return all(fmean(len(cell.text) for cell in side) > _LETTERS for side in sides)


def _apart(lines: list[Line], rows: set[int], middle: float) -> list[Line]:
    """The left halves of successive rows before their right halves."""
    ordered: list[Line] = []
    right: list[Line] = []
    for line in lines:
        if id(line) in rows:
            ordered.append(_half(line, line.cells[0], hyphenated=False))
            right.append(_half(line, line.cells[1], hyphenated=line.hyphenated))
        elif right and line.left > middle:
            right.append(line)
        elif right and line.right < middle:
            ordered.append(line)
        else:
            ordered += [*right, line]
            right = []
    return ordered + right


def _half(line: Line, cell: LineCell, *, hyphenated: bool) -> Line:
    """One side of a row; a hyphen at the end of the left one is still in its text."""
    first = (cell.right - cell.left) * len(cell.text.split()[0]) / len(cell.text)
    return replace(
        line,
        text=cell.text,
        left=cell.left,
        right=cell.right,
        first=first,
        hyphenated=hyphenated,
        cells=(),
    )


_LEAST = 4  # steps back, before a page is taken for one that is written backwards
_SHARE = 0.75  # of all steps up or down
_SAME_ROW = 0.2  # of the height of a line


def forwards(lines: Sequence[Line]) -> list[Line]:
    """The lines as they are; those of a page that is written backwards the other way round.

    Columns may all the same follow each other from left to right: each stretch that goes back is
    turned round for itself, and their order only where the right one comes first.
    """
    rises = [line.bottom - before.bottom for before, line in pairwise(lines)]
    up, down = sum(rise > 0 for rise in rises), sum(rise < 0 for rise in rises)
    if up < _LEAST or up < _SHARE * (up + down):
        return list(lines)
    back = [_goes_back(before, line) for before, line in pairwise(lines)]
    stretches = [[lines[0]]]
    for line, goes_back in zip(lines[1:], back, strict=True):
        if goes_back:
            stretches[-1].append(line)
        else:
            stretches.append([line])
    if _left(stretches[0]) > _left(stretches[-1]):
        stretches.reverse()
    return [line for stretch in stretches for line in reversed(stretch)]


def _goes_back(before: Line, line: Line) -> bool:
    """Whether a line stands above the one before, or to the left of it in its row."""
    rise = line.bottom - before.bottom
    if abs(rise) < _SAME_ROW * max(line.height, before.height):
        return line.right <= before.left
    return rise > 0


def _left(lines: Sequence[Line]) -> float:
    return min(line.left for line in lines)


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
