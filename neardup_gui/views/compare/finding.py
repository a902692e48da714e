"""Finding a phrase in both texts: white space in it stands for any white space."""

from __future__ import annotations

import re
from typing import NamedTuple

from PySide6.QtCore import QObject, Signal

from neardup_gui.models.compare.comparison import Comparison

__all__ = ["Finder", "FoundPhrase"]


class FoundPhrase(NamedTuple):
    """A place where the phrase stands: the text, 0 or 1, and code points of its source."""

    side: int
    start: int
    end: int


class Finder(QObject):
    """Goes round all places of a phrase, text A first."""

    found = Signal(object)
    counted = Signal(int, int)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._comparison: Comparison | None = None
        self._phrase = ""
        self._places: list[FoundPhrase] = []
        self._at = -1

    def set_comparison(self, comparison: Comparison | None) -> None:
        """Search this pair from now on; the phrase is kept."""
        self._comparison = comparison
        self._search()

    def find(self, phrase: str) -> None:
        """Go to the first place of a phrase; say which of how many it is."""
        self._phrase = phrase
        self._search()
        self.step(1)

    def step(self, by: int) -> None:
        """Go to the next place, or back with -1; after the last comes the first."""
        if not self._places:
            self.counted.emit(0, 0)
            return
        self._at = (self._at + by) % len(self._places)
        self.found.emit(self._places[self._at])
        self.counted.emit(self._at + 1, len(self._places))

    def _search(self) -> None:
        self._places, self._at = [], -1
        words = self._phrase.split()
        if self._comparison is None or not words:
            return
        pattern = re.compile(r"\s+".join(re.escape(word) for word in words), re.IGNORECASE)
        self._places = [
            FoundPhrase(index, *match.span())
            for index, side in enumerate(self._comparison.sides)
            for match in pattern.finditer(side.text.source)
        ]
