"""Pieces of text put together: what separates two is decided by the widest gap asked for."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from enum import IntEnum

from core.base.patterns import lazy_pattern

# Phonetic guides are formulas: \o\ad(\s\up 10(how it is said),what is written).
_GUIDE = lazy_pattern(
    r"\s*EQ\s.*?\\o[^(]*\(\s*\\s\\up[\s\d]*\([^()]*\)\s*[,;](?P<shown>.*)\)\s*", re.DOTALL
)
_BUTTON = lazy_pattern(r"\s*(?:MACROBUTTON|GOTOBUTTON)\s+\S+\s(?P<shown>.*)", re.DOTALL)
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
        """A mark of a field was read: "begin" before its code, "separate" before its result, "end".

        Returns:
            At the end what is shown of it where it has no result of its own.
        """
        if mark == "begin":
            self._codes.append([])
            self._unread += 1
        elif mark == "separate" and self._codes and self._codes[-1] is not None:
            self._codes[-1] = None
            self._unread -= 1
        return self._end() if mark == "end" else ""

    def add(self, code: str) -> None:
        """A piece of code."""
        if self._codes and (pieces := self._codes[-1]) is not None:
            pieces.append(code)

    def _end(self) -> str:
        pieces = self._codes.pop() if self._codes else None
        if pieces is None:
            return ""
        self._unread -= 1
        if self.in_code:
            return ""
        code = "".join(pieces)[:_LONGEST]
        shown = _GUIDE.fullmatch(code) or _BUTTON.fullmatch(code)
        return shown["shown"] if shown else ""


# Adobe's encoding of Symbol (PDF Reference, D.5).
_SYMBOL = {
    0x20: " !∀#∃%&∋()∗+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_",
    0x61: "αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼",
    0xA0: "€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…",
    0xBF: "↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊〈®©™∑",
    0xF1: "〉∫⌠",
    0xF5: "⌡",
}
_WINGDINGS = {
    0x6C: "●",
    0x6E: "■",
    0x6F: "□",
    0x71: "❑",
    0x75: "◆",
    0x76: "❖",
    0xA7: "▪",
    0xA8: "◻",
    0xD8: "➢",
    0xDF: "←↑→↓↖↗↙↘",
    0xE8: "➔",
    0xEF: "⇦⇨⇧⇩⬄",
    0xFB: "✗✓☒☑",
}


def _places(runs: dict[int, str]) -> dict[int, str]:
    return {start + i: char for start, run in runs.items() for i, char in enumerate(run)}


_FONTS = {"symbol": _places(_SYMBOL), "wingdings": _places(_WINGDINGS)}
_PRIVATE = lazy_pattern("[\uf020-\uf0ff]")


def symbol(font: str, code: str) -> str:
    """The character at a place, "F0B7", of a font; "" where it is only a picture."""
    try:
        character = chr(int(code, 16))
    except (ValueError, OverflowError):
        return ""
    return symbols(character, font) if character.isprintable() or _PRIVATE.match(character) else ""


def is_symbol_font(font: str) -> bool:
    """Whether the characters of a font are known by their places in it."""
    return font.lower() in _FONTS


def symbols(text: str, font: str) -> str:
    """A text in which places of a font have become characters."""
    if text.isascii() or not _PRIVATE.search(text):
        return text
    known = _FONTS.get(font.lower())
    if known is None:
        return text
    return _PRIVATE.sub(lambda match: known.get(ord(match[0]) - 0xF000, ""), text)


# White space in the sense of HTML: a no-break space is none.
_SPACES = lazy_pattern(r"[ \t\n\f\r]+")


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


_PADDING = " \t\n"


class Story(ABC):
    """Paragraphs, tables and the text boxes anchored in them: cells by tabs and rows by lines.

    Attributes:
        pieces: Of the paragraph that is being read, which is each format's own.
    """

    def __init__(self) -> None:
        self.pieces: list[str] = []
        self._boxes: list[str] = []
        self._flow = TextFlow()
        self._cells: list[bool] = []  # for each open cell, whether it has text already

    @abstractmethod
    def end_paragraph(self) -> None:
        """What was written is a paragraph."""

    def start_table(self) -> None:
        """A table begins; in a cell, one inside of it."""
        self.end_paragraph()
        self._flow.separate(Gap.LINE if self._cells else Gap.PARAGRAPH)

    end_table = start_table

    def start_cell(self) -> None:
        """A cell begins."""
        self._cells.append(False)

    def end_cell(self) -> None:
        """A cell ends."""
        self.end_paragraph()
        if self._cells and self._cells.pop() and self._cells:
            self._cells[-1] = True
        self._flow.separate(Gap.CELL)

    @property
    def is_in_cell(self) -> bool:
        """Whether a cell is open."""
        return bool(self._cells)

    def end_row(self) -> None:
        """A row of a table ends."""
        self._flow.separate(Gap.LINE)

    def text(self) -> str:
        """The whole story."""
        self.end_paragraph()
        return self._flow.text()

    def _write_pieces(self, gap: Gap) -> None:
        """Write the paragraph after a gap."""
        if self.pieces:
            self._write("".join(self.pieces).strip(_PADDING), gap)
            self.pieces.clear()

    def _write_boxes(self, gap: Gap) -> None:
        """Write the text boxes, which follow the paragraph that they are anchored in."""
        if self._boxes:
            boxes, self._boxes = self._boxes, []
            for box in boxes:
                self._write(box, gap)

    def _write(self, text: str, gap: Gap) -> None:
        """Write a paragraph after a gap; in a cell, paragraphs are lines."""
        if not text:
            return
        if not self._cells:
            self._flow.separate(gap)
        elif self._cells[-1]:
            self._flow.separate(Gap.LINE)
        else:
            self._cells[-1] = True
        self._flow.write_verbatim(text)


class WordStory(Story):
    """A story of Microsoft Office."""

    def __init__(self, gap: Gap = Gap.PARAGRAPH) -> None:
        """With what stands between two paragraphs."""
        super().__init__()
        self._gap = gap
        self._in_loose_row = False

    def end_paragraph(self) -> None:
        """What was written is a paragraph; text boxes anchored in it follow it."""
        self._in_loose_row = False
        self._write_pieces(self._gap)
        self._write_boxes(self._gap)

    def end_loose_cell(self) -> None:
        """A cell ends without a table having begun; two marks in a row end the row."""
        if not "".join(self.pieces).strip(_PADDING):
            self.end_row()
            return
        self._flow.separate(Gap.NOTHING if self._in_loose_row else Gap.PARAGRAPH)
        self.start_cell()
        self.end_cell()
        self._in_loose_row = True

    def add_box(self, text: str) -> None:
        """A text box, to be read after the paragraph it is anchored in."""
        if text:
            self._boxes.append(text)
