"""Pages whose lines are in the file from the last to the first, as some programs write them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from core.documents.readers.pdf.lines import Line

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
