"""Numbers and sentences as the user reads them; those of pairs and lists are the engine's."""

from __future__ import annotations

import html
from pathlib import PurePath

from PySide6.QtCore import QLocale

from core.base.wording import (
    counted,
    exact_name,
    printable_path,
    printable_text,
)


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
        return f"about {counted(max(minutes, 1), 'minute')} left"
    return f"about {counted(round(minutes / 60), 'hour')} left"


def full_name(name: str) -> str:
    """A name and, on a line of its own, what it hides: by that names differ that look alike.

    The folders that hide nothing are not said twice.
    """
    parts = name.split("/")
    first = next((place for place, part in enumerate(parts) if exact_name(part) != part), None)
    return name if first is None else f"{name}\nwritten {exact_name('/'.join(parts[first:]))}"


def shown_path(path: PurePath) -> str:
    """A path with nothing in it that cannot be seen."""
    return printable_path(path)


def tool_tip(text: str) -> str:
    """Plain text for a tool tip: a file name is never read as markup."""
    lines = "<br>".join(html.escape(line) for line in printable_text(text).split("\n"))
    return f"<qt>{lines}</qt>"
