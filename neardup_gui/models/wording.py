"""Numbers and sentences as the user reads them."""

from __future__ import annotations

import html

from PySide6.QtCore import QLocale

__all__ = [
    "count",
    "counted",
    "duration",
    "percent",
    "resemblance",
    "time_left",
    "tool_tip",
]


def count(number: int) -> str:
    """A whole number with its thousands apart: 1,630."""
    return QLocale().toString(int(number))


def counted(number: int, singular: str, plural: str) -> str:
    """A number and its noun: "1 pair", "64 pairs"."""
    return f"{count(number)} {singular if number == 1 else plural}"


def resemblance(value: float) -> str:
    """Three decimals; 1.000 only for sets that are equal."""
    return QLocale().toString(min(value, 0.999) if value < 1 else 1.0, "f", 3)


def percent(share: float) -> str:
    """A share in whole percent; 100% and 0% only when they are exact."""
    if 0 < share < 0.005:
        return "<1%"
    return f"{round(min(share, 0.99) * 100) if share < 1 else 100}%"


def duration(seconds: float) -> str:
    """How long something took: "0.4 s", "12 s", "3 min 5 s"."""
    if seconds < 0.1:
        return "under 0.1 s"
    if seconds < 9.95:
        return f"{QLocale().toString(seconds, 'f', 1)} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"


def time_left(seconds: float) -> str:
    """How long it will still take, in words no more exact than the estimate."""
    if seconds < 1.5:
        return "about a second left"
    if seconds < 50:
        step = 1 if seconds < 10 else 5
        return f"about {round(seconds / step) * step} s left"
    minutes = round(seconds / 60)
    if minutes < 60:
        return f"about {counted(max(minutes, 1), 'minute', 'minutes')} left"
    return f"about {counted(round(minutes / 60), 'hour', 'hours')} left"


def tool_tip(text: str) -> str:
    """Plain text for a tool tip: a file name is never read as markup."""
    lines = "<br>".join(html.escape(line) for line in text.split("\n"))
    return f"<qt>{lines}</qt>"
