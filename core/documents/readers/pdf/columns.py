"""Rows and columns of a page: what stands side by side is one row, or two columns of prose.

Some programs write a page row by row across its columns. Whether a row with a wide gap belongs to a
table or to two columns is seen from the text on either side: columns have lines of prose.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from statistics import fmean

from core.documents.readers.pdf.lines import Line, LineCell

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
