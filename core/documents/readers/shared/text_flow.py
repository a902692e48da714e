"""Pieces of text put together: what separates two is decided by the widest gap asked for."""

from __future__ import annotations

import re
from enum import IntEnum

# White space in the sense of HTML: a no-break space is none.
_SPACES = re.compile(r"[ \t\n\f\r]+")


class Gap(IntEnum):
    """What stands between two pieces of text; of several, the widest counts."""

    NOTHING = 0
    SPACE = 1
    CELL = 2
    LINE = 3
    PARAGRAPH = 4


_SEPARATORS = ("", " ", "\t", "\n", "\n\n")


class TextFlow:
    """Collects pieces of text and decides what separates them."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._gap: Gap = Gap.NOTHING

    def separate(self, gap: Gap) -> None:
        """Have at least this gap before the next piece."""
        self._gap = max(self._gap, gap)

    def break_line(self) -> None:
        """End the line; twice in a row makes an empty one."""
        self._gap = Gap.PARAGRAPH if self._gap >= Gap.LINE else Gap.LINE

    def write(self, text: str) -> None:
        """Add running text, its white space collapsed."""
        words = _SPACES.sub(" ", text)
        if words.startswith(" "):
            self.separate(Gap.SPACE)
        if words != " " and words:
            self.write_verbatim(words.strip(" "))
            if words.endswith(" "):
                self.separate(Gap.SPACE)

    def write_verbatim(self, text: str) -> None:
        """Add text as it is."""
        if text:
            if self._parts:
                ended = self._gap >= Gap.LINE and self._parts[-1].endswith("\n")  # as "pre" does
                self._parts.append(_SEPARATORS[self._gap][ended:])
            self._parts.append(text)
            self._gap = Gap.NOTHING

    def text(self) -> str:
        """Everything written."""
        return "".join(self._parts)
