"""A story as a reader puts it together, and remarks on what a document has and its text has not.

What separates two pieces of text is decided by the widest gap asked for.

Text that a reader does not see, white letters and letters of 1 point, is part of the file, so it is
read, but not where it stands: among the words that are seen it would part them. So it follows the
whole text. What is no longer than two letters is no text but stands in the place of spaces, and
becomes one; letters that are tiny take no room at all.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import IntEnum

from core.base.messages import N_, nstored
from core.base.patterns import lazy_pattern
from core.documents.readers import Extracted
from core.documents.readers.shared.packed_files import without_text

# Colours that nobody sees on white: each part is 240 of 255 or more, in figures or in hexadecimal.
PALE_PART, PALE = "(?:24[0-9]|25[0-5])", "(?:[Ff][0-9A-Fa-f]){3}"
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


_LETTERS_FOR_A_SPACE = 2


class FaintText:
    """Takes the faint passages of a document out of its text."""

    def __init__(self) -> None:
        self._passages: list[str] = []
        self._goes_on = False

    def add(self, text: str, *, is_tiny: bool) -> str:
        """Record invisible characters; returns their replacement."""
        if text.isspace():
            if self._goes_on:
                self._passages[-1] += text
            return "" if is_tiny else text
        if self._goes_on:
            self._passages[-1] += text
            return ""
        self._passages.append(text)
        self._goes_on = True
        return "" if is_tiny else " "

    def end(self) -> None:
        """Something follows that is seen, or another paragraph."""
        self._goes_on = False

    @property
    def passages(self) -> int:
        """How many are longer than letters that stand for a space."""
        return sum(len(passage.strip()) > _LETTERS_FOR_A_SPACE for passage in self._passages)

    @property
    def letters(self) -> int:
        """How many letters stand for spaces, or for nothing."""
        lengths = (len(passage.strip()) for passage in self._passages)
        return sum(length for length in lengths if length <= _LETTERS_FOR_A_SPACE)

    def after(self, text: str) -> str:
        """The text with its invisible text as the last paragraph."""
        parts = (" ".join(passage.split()) for passage in self._passages)
        hidden = " ".join(part for part in parts if len(part) > _LETTERS_FOR_A_SPACE)
        return "\n\n".join(part for part in (text, hidden) if part)


DAMAGED = N_("The file is damaged; its text may be incomplete.")


def as_far_as_whole(text: str, remarks: Sequence[str] = (), *, is_damaged: bool) -> Extracted:
    """What was read of a file; a damaged one has a remark on that, and is refused without text.

    Raises:
        UnreadableError: DAMAGED.
    """
    if is_damaged and not text.strip():
        raise without_text()
    return Extracted(text, remarks=(DAMAGED, *remarks) if is_damaged else tuple(remarks))


def refused_parts(count: int) -> str:
    """The remark on parts that declare a document type."""
    return nstored(
        "A part of this file declares entities (a DOCTYPE), through which it could read other "
        "files; that was not read.",
        "{n} parts of this file declare entities (a DOCTYPE), through which it could read other "
        "files; that was not read.",
        count,
    )


def comments(count: int) -> str:
    """The remark on comments that are left out."""
    return nstored(
        "{n} comment is not part of the text.", "{n} comments are not part of the text.", count
    )


@dataclass(slots=True)
class Tally:
    """Counts what a document has beside its text; `refusals` are parts that declare entities."""

    refusals: int = 0
    deletions: int = 0
    hidden: int = 0
    comments: int = 0
    inserted: int = 0
    linked: int = 0
    objects: int = 0
    hidden_slides: int = 0
    hidden_sheets: int = 0
    hidden_rows: int = 0
    faint: FaintText = field(default_factory=FaintText)

    def count(self, what: str) -> None:
        """There was one more of something, by the name of its attribute."""
        setattr(self, what, getattr(self, what) + 1)

    def remarks(self) -> tuple[str, ...]:
        """A sentence for everything that was counted."""
        sentences = [
            refused_parts(self.refusals),
            nstored(
                "{n} tracked deletion is not part of the text.",
                "{n} tracked deletions are not part of the text.",
                self.deletions,
            ),
            nstored(
                "{n} passage of hidden text is not part of the text.",
                "{n} passages of hidden text are not part of the text.",
                self.hidden,
            ),
            comments(self.comments),
            nstored(
                "{n} document inserted as a whole is not part of the text.",
                "{n} documents inserted as a whole are not part of the text.",
                self.inserted,
            ),
            nstored(
                "{n} linked file is not part of the text.",
                "{n} linked files are not part of the text.",
                self.linked,
            ),
            nstored(
                "{n} embedded object is not part of the text.",
                "{n} embedded objects are not part of the text.",
                self.objects,
            ),
            nstored(
                "{n} hidden slide is not part of the text.",
                "{n} hidden slides are not part of the text.",
                self.hidden_slides,
            ),
            nstored(
                "{n} hidden sheet is not part of the text.",
                "{n} hidden sheets are not part of the text.",
                self.hidden_sheets,
            ),
            nstored(
                "{n} hidden row or column is not part of the text.",
                "{n} hidden rows and columns are not part of the text.",
                self.hidden_rows,
            ),
            nstored(
                "{n} passage is written in white or in letters of 1 point: a reader does not see "
                "that. It stands at the end of the text.",
                "{n} passages are written in white or in letters of 1 point: a reader does not see "
                "that. It stands at the end of the text.",
                self.faint.passages,
            ),
            nstored(
                "{n} letter is written in white or of 1 point between words: a reader sees none "
                "there, nor is any read.",
                "{n} letters are written in white or of 1 point between words: a reader sees none "
                "there, nor is any read.",
                self.faint.letters,
            ),
        ]
        # Of what there is none, nothing is said.
        return tuple(sentence for sentence in sentences if not sentence.startswith("0 "))


class OmissionCounts:
    """Counts passages of one story that are left out, neighbours of a kind as one."""

    def __init__(self, tally: Tally) -> None:
        self._tally = tally
        self._kind = ""

    def add(self, kind: str, text: str) -> None:
        """A piece of text: "deletions" or "hidden", as the tally names it; "" for what is seen."""
        if kind != self._kind and text.strip():
            self._kind = kind
            if kind:
                self._tally.count(kind)
