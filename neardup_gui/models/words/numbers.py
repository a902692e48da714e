"""Numbers and sentences as the user reads them; those of pairs and lists are the engine's."""

from __future__ import annotations

import html

from core.base.messages import gettext, localized
from core.base.wording import exact_name, printable_text


def duration(seconds: float) -> str:
    """How long something took: "0.4 s", "12 s", "3 min 5 s"."""
    if seconds < 0.1:
        return gettext("under {seconds} s", seconds=localized("0.1"))
    if seconds < 9.95:
        return gettext("{seconds} s", seconds=localized(f"{seconds:.1f}"))
    minutes, rest = divmod(round(seconds), 60)
    if minutes:
        return gettext("{minutes} min {seconds} s", minutes=minutes, seconds=rest)
    return gettext("{seconds} s", seconds=rest)


def full_name(name: str) -> str:
    """A name and, on a line of its own, what it hides: by that names differ that look alike.

    The folders that hide nothing are not said twice.
    """
    parts = name.split("/")
    first = next((index for index, part in enumerate(parts) if exact_name(part) != part), None)
    if first is None:
        return name
    written = exact_name("/".join(parts[first:]))
    return "\n".join((name, gettext("written {name}", name=written)))


def tool_tip(text: str) -> str:
    """Plain text for a tool tip: a file name is never read as markup."""
    lines = "<br>".join(html.escape(line) for line in printable_text(text).split("\n"))
    return f"<qt>{lines}</qt>"
