"""What was changed between the texts of a pair, as the compare view draws it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.evidence.hunks import ChangeKind
from neardup_gui.models.compare.alignment import Alignment
from neardup_gui.models.compare.comparison import Comparison
from neardup_gui.models.compare.passage_mark import AWAY, PassageMark
from neardup_gui.models.compare.side import Side, lay_out

if TYPE_CHECKING:
    from core.evidence.differences import Change, Differences
    from core.settings import Unit

LETTERS = 28  # of the words of a change that are said on its chip
NO_ROOM = ""


def compare_changes(shared: Comparison, differences: Differences) -> Comparison:
    """The pair of a comparison with its changes in the place of its passages.

    Nothing is numbered: only words that were moved or repeated carry a sign in the text.
    """
    changes = differences.changes
    signs = [PassageMark.sign_of(one.kind) if one.kind in AWAY else NO_ROOM for one in changes]
    spans_a = [(one.a_start, one.a_end) for one in changes]
    spans_b = [(one.b_start, one.b_end) for one in changes]
    sides = (
        _side(shared.sides[0], spans_a, signs, changes, ChangeKind.REPEATED_B),
        _side(shared.sides[1], spans_b, signs, changes, ChangeKind.REPEATED_A),
    )
    marks = tuple(
        _mark(number, one, sides, differences.unit) for number, one in enumerate(changes, 1)
    )
    ends = (sides[0].text.length, sides[1].text.length)
    corners = [
        ((a[0], b[0]), (a[1], b[1]))
        for a, b in zip(sides[0].extents, sides[1].extents, strict=True)
    ]
    in_place = [
        corner
        for change, both in zip(changes, corners, strict=True)
        if change.kind not in AWAY
        for corner in both
    ]
    within = tuple(Alignment(both) for both in corners)
    return Comparison(
        sides, shared.numbers, marks, Alignment.through(in_place, ends), within, shows_changes=True
    )


def _side(
    side: Side,
    spans: list[tuple[int, int]],
    signs: list[str],
    changes: list[Change],
    kept: ChangeKind,
) -> Side:
    """A text with its changes; words of the kind that is `kept` have their place in this one."""
    runs = [
        (start, end, owner)
        for owner, (change, (start, end)) in enumerate(zip(changes, spans, strict=True))
        if end > start and change.kind is not kept
    ]
    laid = lay_out(side.name, side.text.source, spans, runs, signs, side.origin, side.set_aside)
    return laid.with_marks(side.marked)


def _mark(number: int, change: Change, sides: tuple[Side, Side], unit: Unit) -> PassageMark:
    spans = ((change.a_start, change.a_end), (change.b_start, change.b_end))
    words = [
        _beginning(side.text.source, start, end)
        for side, (start, end) in zip(sides, spans, strict=True)
    ]
    pages = [side.cite(start, end) for side, (start, end) in zip(sides, spans, strict=True)]
    return PassageMark(
        number=number,
        hue=0,
        underline=0,
        length=max(change.a_words, change.b_words),
        tokens=max(change.a_words, change.b_words),
        unit=unit,
        moved=change.kind is ChangeKind.MOVED,
        pages=(pages[0], pages[1]),
        kind=change.kind,
        words=(words[0], words[1]),
        counts=(change.a_words, change.b_words),
    )


def _beginning(source: str, start: int, end: int) -> str:
    """The first words of a span on one line, cut where they are long."""
    words = " ".join(source[start : min(end, start + 2 * LETTERS)].split())
    if len(words) <= LETTERS and end <= start + 2 * LETTERS:
        return words
    return f"{words[: LETTERS - 1].rstrip()}…"
