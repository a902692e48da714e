"""Fields of a Word document: a code that is not shown, and mostly a result that is."""

from __future__ import annotations

import re

# Phonetic guides are formulas: \o\ad(\s\up 10(how it is said),what is written).
_GUIDE = re.compile(
    r"\s*EQ\s.*?\\o[^(]*\(\s*\\s\\up[\s\d]*\([^()]*\)\s*[,;](?P<shown>.*)\)\s*", re.DOTALL
)
_BUTTON = re.compile(r"\s*(?:MACROBUTTON|GOTOBUTTON)\s+\S+\s(?P<shown>.*)", re.DOTALL)
_LONGEST = 4_000  # characters of a code that is looked at


class Fields:
    """The fields that have begun at a place and not ended, one in another."""

    def __init__(self) -> None:
        self._codes: list[list[str] | None] = []  # None: the result is being read
        self._unread = 0  # of them, those whose code is being read

    @property
    def in_code(self) -> bool:
        """Whether what comes is part of a code, and not shown."""
        return self._unread > 0

    def change(self, mark: str) -> str:
        """A mark of a field is met ("begin", "separate", "end"); returns what it shows."""
        if mark == "begin":
            self.begin()
        elif mark == "separate":
            self.separate()
        return self.end() if mark == "end" else ""

    def begin(self) -> None:
        """A field begins with its code."""
        self._codes.append([])
        self._unread += 1

    def add(self, code: str) -> None:
        """A piece of code."""
        if self._codes and (pieces := self._codes[-1]) is not None:
            pieces.append(code)

    def separate(self) -> None:
        """The code ends, the result begins."""
        if self._codes and self._codes[-1] is not None:
            self._codes[-1] = None
            self._unread -= 1

    def end(self) -> str:
        """A field ends; what is shown of it where it has no result of its own."""
        if not self._codes:
            return ""
        pieces = self._codes.pop()
        if pieces is None:
            return ""
        self._unread -= 1
        if self.in_code:
            return ""
        code = "".join(pieces)[:_LONGEST]
        shown = _GUIDE.fullmatch(code) or _BUTTON.fullmatch(code)
        return shown["shown"] if shown else ""
