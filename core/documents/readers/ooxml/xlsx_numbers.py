"""Numbers of a workbook as they are shown, as far as that helps to read them: dates, per cent."""

from __future__ import annotations

import re
from datetime import datetime, timedelta

PLAIN, DATE, PERCENT = "", "date", "percent"

# Numbers of formats that are built in (ECMA-376 part 1, 18.8.30), some only in East Asia.
_DATES = frozenset({*range(14, 23), *range(27, 37), 45, 46, 47, *range(50, 59)})
_PERCENTS = frozenset({9, 10})
_NO_CODE = re.compile(r'"[^"]*"|\\.|_.|\*.|\[(?!h+\]|m+\]|s+\])[^\]]*\]', re.IGNORECASE)
_DATE_CODE = re.compile(r"[ymdhs]", re.IGNORECASE)
_EPOCH, _EPOCH_1904 = datetime(1899, 12, 30), datetime(1904, 1, 1)  # noqa: DTZ001 - have no zone
_LAST_DAY = 2_958_465.99999  # 9999-12-31


def whole(text: str) -> int:
    """A number that counts something, -1 for what is none."""
    return int(text) if text.isdecimal() and len(text) < 10 else -1


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


def shown(value: str, kind: str, *, from_1904: bool = False) -> str:
    """A number as it is read: "0.1" for "0.10000000000000001", a date for 44197."""
    try:
        number = float(value)
    except ValueError:
        return value.strip()
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
