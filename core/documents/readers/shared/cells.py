"""Workbooks: what formats of cells make of numbers, the lines that rows become, the sheets.

The same for all three forms in which Excel stores them: xlsx, xlsb and xls.
"""

from __future__ import annotations

import re
import struct
from abc import ABC, abstractmethod
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Generic, TypeVar

from core.base.patterns import lazy_pattern
from core.base.wording import readable_count
from core.documents.model import ProblemCode, UnreadableError
from core.documents.readers import Reading
from core.documents.readers.shared.story import Tally

_Place = TypeVar("_Place")

PLAIN, DATE, PERCENT = "", "date", "percent"

# Numbers of formats that are built in (ECMA-376 part 1, 18.8.30), some only in East Asia.
_DATES = frozenset({*range(14, 23), *range(27, 37), 45, 46, 47, *range(50, 59)})
_PERCENTS = frozenset({9, 10})
_NO_CODE = lazy_pattern(r'"[^"]*"|\\.|_.|\*.|\[(?!h+\]|m+\]|s+\])[^\]]*\]', re.IGNORECASE)
_DATE_CODE = lazy_pattern(r"[ymdhs]", re.IGNORECASE)
_EPOCH, _EPOCH_1904 = datetime(1899, 12, 30), datetime(1904, 1, 1)  # noqa: DTZ001 - have no zone
_LAST_DAY = 2_958_465.99999  # 9999-12-31


def format_kind(number: int, code: str) -> str:
    """What a format makes of numbers.

    Args:
        number: Of the format.
        code: "yyyy-mm-dd", "" for a format that is built in.
    """
    if not code:
        return DATE if number in _DATES else PERCENT if number in _PERCENTS else PLAIN
    positive = _NO_CODE.sub("", code.partition(";")[0])
    if "general" in positive.lower():
        return PLAIN
    if _DATE_CODE.search(positive):
        return DATE
    return PERCENT if "%" in positive else PLAIN


def shown(value: float | str, kind: str, *, from_1904: bool = False) -> str:
    """A number as it is read: "0.1" for "0.10000000000000001", a date for 44197."""
    try:
        number = float(value)
    except ValueError:
        return str(value).strip()
    if kind == DATE and 0 <= number <= _LAST_DAY:
        return _date(number, _EPOCH_1904 if from_1904 else _EPOCH)
    if kind == PERCENT:
        return f"{_shortest(round(number * 100, 10))}%"
    return _shortest(number)


def _shortest(number: float) -> str:
    """Fifteen digits count in a workbook."""
    text = f"{number:.15g}"
    return f"{number:.0f}" if "e+" in text and abs(number) < 1e21 else text


def _date(number: float, epoch: datetime) -> str:
    """The day, and the time where it is not midnight; less than a day is a time."""
    try:
        moment = epoch + timedelta(seconds=round(number * 86_400))
    except OverflowError:
        return _shortest(number)
    if number < 1:
        return f"{moment:%H:%M:%S}".removesuffix(":00")
    day = f"{moment.year:04}-{moment:%m-%d}"
    return f"{day} {moment:%H:%M:%S}".removesuffix(":00") if number % 1 else day


class Cells:
    """What the cells of a workbook show, by what all its sheets share.

    Attributes:
        strings: That cells share.
        from_1904: Days are counted from then.
    """

    def __init__(self) -> None:
        self.strings: list[str] = []
        self.from_1904 = False
        self._codes: dict[int, str] = {}  # of formats that are not built in
        self._kinds: list[str] = []  # of numbers, by style

    def name_format(self, number: int, code: str) -> None:
        """A format that is not built in."""
        self._codes[number] = code

    def add_style(self, number: int) -> None:
        """The next style, with a format."""
        self._kinds.append(format_kind(number, self._codes.get(number, "")))

    def string(self, index: int) -> str:
        """A string that cells share."""
        return self.strings[index] if 0 <= index < len(self.strings) else ""

    def number(self, number: float | str, style: int) -> str:
        """A number in a cell with a style, as it is stored or written."""
        kind = self._kinds[style] if 0 <= style < len(self._kinds) else PLAIN
        return shown(number, kind, from_1904=self.from_1904)


ERRORS = {
    0x00: "#NULL!",
    0x07: "#DIV/0!",
    0x0F: "#VALUE!",
    0x17: "#REF!",
    0x1D: "#NAME?",
    0x24: "#NUM!",
    0x2A: "#N/A",
}


def packed_number(value: int) -> float:
    """A number in 30 bits ([MS-XLS] 2.5.217, RkNumber)."""
    if value & 2:
        number = float((value >> 2) - ((value >> 31) << 30))
    else:
        (number,) = struct.unpack("<d", struct.pack("<Q", (value & ~3) << 32))
    return number / 100 if value & 1 else number


_BLANKS = lazy_pattern(r"\s+")
_MOST_COLUMNS = 16_384


class SheetLines:
    """The rows of a sheet as lines, their cells separated by tabs; then of the next one.

    Args:
        most: Characters of all sheets.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._length = 0
        self._lines: list[str] = []
        self._hidden_columns: set[int] = set()
        self._last_column = 0
        self._met_columns: set[int] = set()
        self._hidden_rows = 0
        self._cells: list[str] = []
        self._row_hides = False

    @property
    def hides_columns(self) -> bool:
        """Whether any column is not shown."""
        return bool(self._hidden_columns)

    def hide_columns(self, first: int, last: int) -> None:
        """Some columns, counted from 1, are not shown."""
        if 0 < first <= last <= _MOST_COLUMNS:
            start = max(first, self._last_column + 1)  # they do not overlap
            self._hidden_columns.update(range(start, last + 1))
            self._last_column = max(last, self._last_column)

    def start_row(self, *, is_hidden: bool) -> None:
        """What comes is in another row."""
        self.end_row()
        self._row_hides = is_hidden

    def add(self, column: int, text: str) -> None:
        """What a cell shows is one field of a line; an empty one leaves nothing.

        Raises:
            UnreadableError: TOO_BIG.
        """
        text = _BLANKS.sub(" ", text).strip()
        if not text:
            return
        if column in self._hidden_columns:
            self._met_columns.add(column)
            return
        self._cells.append(text)
        self._length += len(text) + 1
        if self._length > self._most:
            raise UnreadableError(
                ProblemCode.TOO_BIG,
                "This workbook has more than {most} characters. Split it.",
                "characters",
                most=readable_count(self._most),
            )

    def end_row(self) -> None:
        """The row is complete."""
        if self._cells and self._row_hides:
            self._hidden_rows += 1
        elif self._cells:
            self._lines.append("\t".join(self._cells))
        self._cells.clear()

    def take(self) -> tuple[str, int]:
        """The sheet, and how many rows and columns with something in them are not shown."""
        self.end_row()
        taken = "\n".join(self._lines), self._hidden_rows + len(self._met_columns)
        self._lines.clear()
        self._hidden_columns.clear()
        self._met_columns.clear()
        self._last_column = self._hidden_rows = 0
        self._row_hides = False
        return taken


class Workbook(ABC, Generic[_Place]):
    """A workbook, whatever it is stored as: its sheets are its pages.

    Attributes:
        tally: What is not in the text.
    """

    def __init__(self, reading: Reading) -> None:
        self.tally = Tally()
        self._reading = reading
        self._lines = SheetLines(reading.limits.characters)
        self._cells = Cells()
        self._sheets: list[tuple[_Place, bool]] = []  # where each is, whether it is hidden

    @abstractmethod
    def _read_sheet(self, place: _Place) -> Iterable[str]:
        """Read the rows of a sheet; returns the words in its drawings."""

    def pages(self) -> list[str]:
        """The sheets, each with the words in its drawings; a hidden one is an empty page."""
        pages = []
        for place, is_hidden in self._sheets:
            self._reading.step()
            self.tally.hidden_sheets += is_hidden
            drawn = () if is_hidden else self._read_sheet(place)
            text, hidden = self._lines.take()
            self.tally.hidden_rows += hidden
            pages.append("\n\n".join(part for part in (text, *drawn) if part))
        return pages
