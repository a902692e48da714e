"""A text as a text widget can show it, with a position for every code point.

A text goes through six steps on its way to the screen.

1. Lines that were broken to a fixed width run on, so that they are not broken twice.
2. Characters that a text widget would swallow or change (controls, line and paragraph separators,
   lone surrogates) are replaced one for one.
3. Every form feed, which stands between two pages, gets a line of its own for the page mark.
4. Very long lines are broken, because a line is laid out as a whole.
5. Before every passage a little room is made for its number, before what is set aside for why.
6. Code points are mapped to positions in the widget, which counts UTF-16 units.

Nothing is ever read back from a widget: a copied selection is cut from the source.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.base.arrays import Int32Array, Int64Array, UInt32Array
from core.text.line_ends import run_on

LONGEST_LINE = 4_000
LONGEST_WITHOUT_SPACES = 1_000
BREAK_WITHIN = 400
NO_BREAK_SPACE = "\u00a0"
LINE_FEED, FORM_FEED = 0x0A, 0x0C
# Letters, and the marks that turn others round.
RIGHT_TO_LEFT = (
    (0x0590, 0x08FF), (0xFB1D, 0xFDFF), (0xFE70, 0xFEFC), (0x10800, 0x10FFF),
    (0x200F, 0x200F), (0x202A, 0x202E), (0x2066, 0x2069),
)  # fmt: skip
UNKNOWN = 0xFFFD

Positions = Int32Array
Codes = UInt32Array


@dataclass(frozen=True, slots=True)
class DisplayText:
    """A text and what the widget shows of it, with positions in UTF-16 units.

    `starts[i]` is the display position of code point i, and one more for the end;
    `bidirectional` says that some of it runs from right to left. `feeds` are the code points that
    are form feeds; `page_marks` maps where their lines begin on the display to the page that
    begins there.
    """

    source: str
    shown: str
    starts: Positions
    bidirectional: bool
    feeds: Int64Array
    page_marks: dict[int, int]

    @property
    def pages(self) -> int:
        """How many pages there are: one where the text knows of none."""
        return len(self.feeds) + 1

    def page_of(self, place: int) -> int:
        """The page of a code point, counted from 1."""
        return int(np.searchsorted(self.feeds, place)) + 1

    def page_at(self, position: int) -> int:
        """The page of a display position, counted from 1."""
        return self.page_of(self.source_span(position, position)[0])

    @property
    def length(self) -> int:
        """Length of the shown text in display positions."""
        return int(self.starts[-1])

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The display positions of source[start:end]."""
        if end <= start:
            return int(self.starts[start]), int(self.starts[start])
        width = 2 if ord(self.source[end - 1]) > 0xFFFF else 1
        return int(self.starts[start]), int(self.starts[end - 1]) + width

    def source_span(self, start: int, end: int) -> tuple[int, int]:
        """The code points whose display positions lie in [start, end)."""
        # Numbers of another width would make numpy convert every position of the text first.
        places = np.array((start, end), dtype=self.starts.dtype)
        first, last = np.searchsorted(self.starts[:-1], places)
        return int(first), int(last)


def display(
    source: str, wanted: Sequence[tuple[int, int]]
) -> tuple[DisplayText, list[tuple[int, int]]]:
    """The shown text, and the display spans of the rooms made in it.

    `wanted` are the code points before which something is to stand, and how many letters wide, in
    the order of the text.
    """
    feeds = np.array([found.start() for found in re.finditer("\f", source)], dtype=np.int64)
    # A page ends a line, whatever its reader put before the form feed.
    read = run_on(source.replace("\f", "\n"))
    codes = np.frombuffer(read.encode("utf-32-le", "surrogatepass"), dtype="<u4").copy()
    codes[feeds] = FORM_FEED
    inserted: dict[int, str] = defaultdict(str)
    for index in {*_breaks(read, codes), *_around(codes, feeds)}:
        inserted[index] += "\n"
    own_lines = {int(feed): len(inserted.get(int(feed), "")) for feed in feeds}
    rooms = []
    for index, letters in wanted:
        rooms.append((index, len(inserted[index]), letters))
        inserted[index] += NO_BREAK_SPACE * letters
    starts, added = _positions(codes, inserted)
    page_marks = {
        int(starts[feed] - added[feed]) + line_end: page
        for page, (feed, line_end) in enumerate(own_lines.items(), 2)
    }
    shown = _shown(codes, inserted)
    text = DisplayText(source, shown, starts, _is_bidirectional(codes), feeds, page_marks)
    spans = []
    for index, offset, letters in rooms:
        first = int(starts[index] - added[index]) + offset
        spans.append((first, first + letters))
    return text, spans


def _around(codes: Codes, feeds: Int64Array) -> list[int]:
    """The places before and after form feeds where no line ends yet."""
    after = feeds[feeds + 1 < len(codes)] + 1
    after = after[codes[after] != LINE_FEED]
    before = feeds[feeds > 0]
    before = before[codes[before - 1] != LINE_FEED]
    places: list[int] = np.concatenate((before, after)).tolist()
    return places


def _positions(codes: Codes, inserted: dict[int, str]) -> tuple[Positions, Positions]:
    added = np.zeros(len(codes) + 1, dtype=np.int32)
    for index, letters in inserted.items():
        added[index] = len(letters)
    widths = added.copy()
    widths[1:] += 1
    widths[1:] += codes > 0xFFFF
    return np.cumsum(widths, dtype=np.int32, out=widths), added


def _is_bidirectional(codes: Codes) -> bool:
    later = codes[codes >= RIGHT_TO_LEFT[0][0]]  # of a text in Latin letters next to nothing
    return any(bool(((later >= first) & (later <= last)).any()) for first, last in RIGHT_TO_LEFT)


def _shown(codes: Codes, inserted: dict[int, str]) -> str:
    letters = _visible(codes).tobytes().decode("utf-32-le")
    parts = []
    previous = 0
    for place in sorted(inserted):
        parts += [letters[previous:place], inserted[place]]
        previous = place
    return "".join([*parts, letters[previous:]])


def _visible(codes: Codes) -> Codes:
    """Replace, one for one, what a text widget would swallow, change or take as its own."""
    shown = codes.copy()
    places = np.flatnonzero((codes < 0x20) | (codes >= 0x7F))  # few in most texts
    shown[places] = _replaced(codes[places])
    return shown


def _replaced(codes: Codes) -> Codes:
    shown = codes.copy()
    control = (codes < 0x20) & (codes != 0x09) & (codes != LINE_FEED)
    shown[control] = codes[control] + 0x2400
    shown[codes == FORM_FEED] = ord(NO_BREAK_SPACE)
    shown[codes == 0x7F] = 0x2421
    shown[(codes >= 0x80) & (codes < 0xA0)] = UNKNOWN
    shown[(codes >= 0xD800) & (codes < 0xE000)] = UNKNOWN
    shown[(codes == 0xFFFC) | ((codes >= 0xFDD0) & (codes <= 0xFDEF))] = UNKNOWN
    shown[(codes == 0xFFFE) | (codes == 0xFFFF)] = UNKNOWN
    shown[codes == 0x2028] = ord("↵")
    shown[codes == 0x2029] = ord("¶")
    return shown


def _breaks(source: str, codes: Codes) -> list[int]:
    """Where lines beyond the longest are broken: after a space if there is one near."""
    line_ends = np.flatnonzero((codes == LINE_FEED) | (codes == FORM_FEED))
    ends = np.concatenate(([-1], line_ends, [len(codes)]))
    breaks = []
    for line in np.flatnonzero(np.diff(ends) > LONGEST_LINE + 1):
        place, end = int(ends[line]) + 1, int(ends[line + 1])
        while end - place > LONGEST_LINE:
            limit = place + LONGEST_LINE
            space = source.rfind(" ", limit - BREAK_WITHIN, limit)
            place = space + 1 if space >= 0 else place + LONGEST_WITHOUT_SPACES
            breaks.append(place)
    return breaks
