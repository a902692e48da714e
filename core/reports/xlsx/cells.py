"""What a cell may hold: text that is nothing but text, and numbers and times as such.

Limits are those of Excel 2007 and later: ECMA-376, part 1, 18.3.1.96 and 18.4.12 for the text of a
cell, and "Excel specifications and limits" for how much there may be.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import NamedTuple, TypeAlias

from core.reports.visible import visible

Value: TypeAlias = str | int | float | datetime | None

LONGEST = 32_767  # units of UTF-16 in a cell
MOST_ROWS = 1_048_576  # of a sheet, the head included
MOST_LINKS = 65_530  # of a sheet
ROOM = 80  # units for the words about what is left out
EARLIEST = datetime(1900, 3, 1, tzinfo=UTC)  # before it the days of Excel are not those of others


class CellText(NamedTuple):
    """A text as a cell holds it, and whether that is not all of it."""

    text: str
    is_cut: bool

    @staticmethod
    def of(value: str) -> CellText:
        """What cannot be in XML is made visible; what is too long ends with a mark."""
        value = visible(value)
        if len(value) <= LONGEST // 2 or units(value) <= LONGEST:
            return CellText(value, is_cut=False)
        kept = value.encode("utf-16-le")[: 2 * (LONGEST - ROOM)].decode("utf-16-le", "ignore")
        left_out = f"[… {len(value) - len(kept):,} characters left out]"
        return CellText(f"{kept} {left_out}", is_cut=True)


def units(value: str) -> int:
    """Length in units of UTF-16, in which spreadsheets count."""
    return len(value.encode("utf-16-le")) // 2


def moment(time: str | datetime) -> Value:
    """A time as cells hold it, in UTC without a zone; what is no such time stays as it is."""
    if isinstance(time, str):
        try:
            given = datetime.fromisoformat(time)
        except ValueError:
            return time
    else:
        given = time
    if given.tzinfo is None:
        return given.isoformat() if isinstance(time, datetime) else time
    try:
        in_utc = given.astimezone(UTC)
    except OverflowError:
        return given.isoformat()
    return in_utc if in_utc >= EARLIEST else in_utc.isoformat(timespec="seconds")
