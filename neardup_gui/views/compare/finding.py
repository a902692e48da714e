"""Finding a phrase in both texts: white space in it stands for any white space.

Texts are searched part by part on the UI thread, with the event loop between, so that 5 MB hold
nothing up.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from typing import NamedTuple

from PySide6.QtCore import QObject, QTimer, Signal

from neardup_gui.models.compare.comparison import Comparison
from neardup_gui.models.compare.found import FoundSpans
from neardup_gui.models.compare.side import Side

AT_ONCE = 0.008  # seconds without the event loop
PART = 1 << 15  # code points that are searched without a look at the clock


class FoundPhrase(NamedTuple):
    """A place where the phrase stands: the text, 0 or 1, and code points of its source."""

    side: int
    start: int
    end: int


class Finder(QObject):
    """Goes round all places of a phrase, text A first.

    Signals:
        found: A `FoundPhrase` to go to.
        counted: Which place it is, of how many so far, and whether these are all.
        marked: The `FoundSpans` of both texts.
    """

    found = Signal(object)
    counted = Signal(int, int, bool)
    marked = Signal(object)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._comparison: Comparison | None = None
        self._phrase = ""
        self._starts: tuple[list[int], list[int]] = ([], [])
        self._ends: tuple[list[int], list[int]] = ([], [])
        self._shown: tuple[list[FoundSpans], list[FoundSpans]] = ([], [])
        self._at = -1
        self._steps = 0  # that are due when the first place is found
        self._search: Iterator[None] | None = None
        self._timer = QTimer(self, interval=0)
        self._timer.timeout.connect(self._go_on)

    def set_comparison(self, comparison: Comparison | None) -> None:
        """Search this pair from now on; the phrase is kept."""
        self._comparison = comparison
        self._begin()

    def find(self, phrase: str) -> None:
        """Go to the first place of a phrase; say which of how many it is."""
        self._phrase = phrase
        self._begin(steps=1)

    def step(self, by: int) -> None:
        """Go to the next place, or back with -1; after the last comes the first."""
        places = self._count
        if places:
            self._at = (self._at + by) % places
            self.found.emit(self._place(self._at))
        elif self._search is not None:
            self._steps = by
            return
        self._tell()

    @property
    def _count(self) -> int:
        return len(self._starts[0]) + len(self._starts[1])

    def _place(self, at: int) -> FoundPhrase:
        side = int(at >= len(self._starts[0]))
        at -= side * len(self._starts[0])
        return FoundPhrase(side, self._starts[side][at], self._ends[side][at])

    def _tell(self) -> None:
        places = self._count
        self.counted.emit(self._at % places + 1 if places else 0, places, self._search is None)

    def _begin(self, steps: int = 0) -> None:
        self._starts, self._ends, self._shown = ([], []), ([], []), ([], [])
        self._at, self._steps = -1, steps
        self._search = None
        words = self._phrase.split()
        if self._comparison is not None and words:
            self._search = self._run(self._comparison, words)
        self._go_on()

    def _go_on(self) -> None:
        """Search for a while."""
        until = time.monotonic() + AT_ONCE
        while self._search is not None:
            if next(self._search, self) is self:
                self._search = None
            elif time.monotonic() >= until:
                break
        if self._search is None:
            self._timer.stop()
            self._mark()
        elif not self._timer.isActive():
            self._timer.start()
        if self._steps and (self._count or self._search is None):
            steps, self._steps = self._steps, 0
            self.step(steps)
        elif self._at >= 0:
            self._tell()

    def _run(self, comparison: Comparison, words: list[str]) -> Iterator[None]:
        """Search both texts, part by part."""
        pattern = re.compile(r"\s+".join(re.escape(word) for word in words), re.IGNORECASE)
        # As many letters as the phrase has, however much white space is between.
        reach = re.compile(rf"(?:\s*\S){{0,{len(''.join(words))}}}")
        for index, side in enumerate(comparison.sides):
            source, place = side.text.source, 0
            while place < len(source):
                end = place + PART
                behind = reach.match(source, end)
                found = []
                for match in pattern.finditer(source, place, behind.end() if behind else end):
                    if match.start() >= end:
                        break
                    found.append(match.span())
                    end = max(end, match.end())
                self._add(index, side, found)
                place = end
                yield

    def _add(self, index: int, side: Side, found: list[tuple[int, int]]) -> None:
        if found:
            starts, ends = zip(*found, strict=True)
            self._starts[index].extend(starts)
            self._ends[index].extend(ends)
            self._shown[index].append(FoundSpans.of(side.text, starts, ends))

    def _mark(self) -> None:
        self.marked.emit([FoundSpans.joined(parts) for parts in self._shown])
