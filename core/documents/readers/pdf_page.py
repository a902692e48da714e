"""The lines of a page of a PDF file: their words and where they stand, as PDFium knows them."""

from __future__ import annotations

import ctypes
import math
import re
from dataclasses import dataclass, field
from itertools import pairwise
from types import ModuleType
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

    from pypdfium2 import PdfTextPage

__all__ = ["HYPHEN", "Line", "Word", "page_lines", "turned_back"]

HYPHEN = "\ufffe"  # how PDFium writes a hyphen at the end of a line, and what it does for the end
_LINE = re.compile(r"[^\r\n\ufffe]+\ufffe?")
_WORD = re.compile(r"[^\s\ufffe]+")
_CELL_GAP = 1.6  # of the height of a line: wider than any space between words
_STEPS = 4  # quarters of a full turn


class Word(NamedTuple):
    """A word and its extent along its line."""

    left: float
    right: float
    text: str


@dataclass(slots=True)
class Line:
    """A line of text, in points from the lower left corner of the page as a person turns it.

    Attributes:
        words: In reading order.
        left, bottom, right, top: The box that holds it, ascenders and descenders included.
        turn: Quarters of a full turn counter-clockwise it is written at; -1 for any other angle.
        start, end: Indexes of its first and its last character in PDFium's text of the page.
        hyphenated: It ends in the middle of a word; the hyphen is not in its text.
    """

    words: list[Word]
    left: float
    bottom: float
    right: float
    top: float
    turn: int = 0
    start: int = 0
    end: int = 0
    hyphenated: bool = False
    text: str = field(default="", init=False)

    def __post_init__(self) -> None:
        self.text = self._joined()

    @property
    def height(self) -> float:
        """From the descenders to the ascenders."""
        return self.top - self.bottom

    def _joined(self) -> str:
        """Its words with spaces, or tabs where the gap is as wide as between cells."""
        words = self.words
        limit = _CELL_GAP * (self.top - self.bottom)
        parts = [words[0].text]
        for before, word in pairwise(words):
            gap = max(word.left - before.right, before.left - word.right)
            parts.append("\t" if gap > limit else " ")
            parts.append(word.text)
        return "".join(parts)


class _Boxes:
    """Asks PDFium for the boxes of characters; buffers are made once, calls are the cost."""

    def __init__(
        self, raw: ModuleType, text_page: PdfTextPage, index_of: Callable[[int], int]
    ) -> None:
        self._call = raw.FPDFText_GetLooseCharBox
        self._page = text_page
        self._rectangle = raw.FS_RECTF()
        self._reference = ctypes.byref(self._rectangle)
        self._index_of = index_of

    def __call__(self, position: int) -> tuple[float, float, float, float]:
        """Left, bottom, right and top of the character at a position of the text."""
        box = self._rectangle
        if not self._call(self._page, self._index_of(position), self._reference):
            return 0.0, 0.0, 0.0, 0.0
        return box.left, box.bottom, box.right, box.top


def page_lines(raw: ModuleType, text_page: PdfTextPage) -> list[Line]:
    """The lines of text of a page, in the order in which they were written to the file.

    Args:
        raw: The module `pypdfium2.raw`.
        text_page: A handle `FPDF_TEXTPAGE`.
    """
    text, index_of = _text(raw, text_page)
    boxes = _Boxes(raw, text_page, index_of)
    lines = []
    for match in _LINE.finditer(text):
        line = _line(match, boxes, raw.FPDFText_GetCharAngle, text_page, index_of)
        if line is not None:
            lines.append(line)
    return lines


def _text(raw: ModuleType, text_page: PdfTextPage) -> tuple[str, Callable[[int], int]]:
    """The text of a page, and what makes an index of PDFium's of a position in it."""
    count = raw.FPDFText_CountChars(text_page)
    if count <= 0:
        return "", int
    buffer = (ctypes.c_ushort * (2 * count + 2))()
    units = max(0, raw.FPDFText_GetText(text_page, 0, count, buffer) - 1)
    text = bytes(memoryview(buffer).cast("B")[: 2 * units]).decode("utf-16-le", "replace")
    if units == count == len(text):
        return text, int
    starts = _unit_starts(text)

    def index_of(position: int) -> int:
        return int(raw.FPDFText_GetCharIndexFromTextIndex(text_page, starts[position]))

    return text, index_of


def _unit_starts(text: str) -> list[int]:
    """For every character the number of UTF-16 units before it."""
    starts = []
    units = 0
    for character in text:
        starts.append(units)
        units += 1 + (character > "\uffff")
    return starts


def _line(
    match: re.Match[str],
    boxes: _Boxes,
    angle_of: Callable[[PdfTextPage, int], float],
    text_page: PdfTextPage,
    index_of: Callable[[int], int],
) -> Line | None:
    """One line of PDFium's text; None where it has no words."""
    source = match.string
    words = []
    turn = None
    start = end = 0
    low, high = math.inf, -math.inf
    for word in _WORD.finditer(source, match.start(), match.end()):
        if turn is None:
            start = word.start()
            turn = _turn(angle_of(text_page, index_of(start)))
        first = _turned(boxes(word.start()), turn)
        end = word.end() - 1
        last = _turned(boxes(end), turn)
        low = min(low, first[1], last[1])
        high = max(high, first[3], last[3])
        words.append(Word(min(first[0], last[0]), max(first[2], last[2]), word[0]))
    if turn is None:
        return None
    return Line(
        words,
        min(word.left for word in words),
        low,
        max(word.right for word in words),
        high,
        turn,
        index_of(start),
        index_of(end),
        source[match.end() - 1] == HYPHEN,
    )


def _turn(angle: float) -> int:
    """The quarter turn nearest to an angle in radians, -1 where none is near."""
    quarters = angle / (math.pi / 2)
    nearest = round(quarters)
    return nearest % _STEPS if abs(quarters - nearest) < 0.1 else -1


def _turned(box: tuple[float, float, float, float], turn: int) -> tuple[float, float, float, float]:
    """A box as it stands when the text in it is turned upright."""
    left, bottom, right, top = box
    if turn == 1:
        return bottom, -right, top, -left
    if turn == 2:
        return -right, -top, -left, -bottom
    if turn == 3:
        return -top, left, -bottom, right
    return box


def turned_back(line: Line) -> tuple[float, float, float, float]:
    """The box of a line on the page as it lies: left, bottom, right, top."""
    box = line.left, line.bottom, line.right, line.top
    return _turned(box, -line.turn % _STEPS) if line.turn > 0 else box
