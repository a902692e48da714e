"""A story of a Word 97 to 2003 document: its characters, those that are marks acted on."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from typing import NamedTuple

from core.documents.readers.doc.pieces import DocPiece, Ranges, units
from core.documents.readers.doc.properties import Character, Paragraph
from core.documents.readers.shared.remarks import Tally
from core.documents.readers.shared.story import WordStory
from core.documents.readers.shared.symbol_fonts import symbols
from core.documents.readers.shared.word_fields import Fields

_TOKENS = re.compile("[\x00-\x08\x0a-\x1f]|[^\x00-\x08\x0a-\x1f]+")
_SURROGATES = re.compile("[\ud800-\udfff]")
_PLAIN = Character()
_COMMENT, _CELL, _BOX = "\x05", "\x07", "\x08"
_FIELD, _RESULT, _FIELD_END = "\x13", "\x14", "\x15"
_FIELDS = frozenset({_FIELD, _RESULT, _FIELD_END})
_STRUCTURE = _FIELDS | {_CELL}
_TEXTS = {"\x0a": "\n", "\x0b": "\n", "\x1e": "\u2011"}
_PARAGRAPH_ENDS = frozenset({"\r", "\x0c", "\x0e"})


class Segment(NamedTuple):
    """Characters that look alike, from a position in the text, at a place in the stream."""

    position: int
    place: int
    width: int
    text: str
    look: Character


def segments(
    stream: bytes,
    pieces: list[DocPiece],
    characters: Ranges[Character],
    first: int,
    last: int,
    encoding: str,
) -> Iterator[Segment]:
    """The text from one position to another."""
    for piece in pieces[bisect_right(pieces, first, key=_last) :]:
        start, end = max(piece.first, first), min(piece.last, last)
        if start >= end:
            return
        place = piece.start + (start - piece.first) * piece.width
        stop = piece.start + (end - piece.first) * piece.width
        stop = min(stop, len(stream))
        for low, high, look in _stretches(characters, place, stop, piece.look):
            position = start + (low - place) // piece.width
            text = units(stream[low:high], piece.width, encoding)
            yield Segment(position, low, piece.width, text, look)


def _stretches(
    characters: Ranges[Character], place: int, stop: int, of_piece: Character
) -> Iterator[tuple[int, int, Character]]:
    """The whole way from one place to another, in stretches that look alike."""
    for low, high, look in characters.between(place, stop):
        if low > place:
            yield place, low, of_piece
        if high > max(low, place):
            yield (
                max(low, place),
                high,
                _with_changes(look, of_piece),
            )
        place = max(place, high)
    if place < stop:
        yield place, stop, of_piece


def _with_changes(look: Character, of_piece: Character) -> Character:
    """A look with what was changed in the whole piece afterwards."""
    if of_piece.is_hidden or not of_piece.follows_style:
        look = look._replace(is_hidden=of_piece.is_hidden, follows_style=of_piece.follows_style)
    return look._replace(is_deleted=look.is_deleted or of_piece.is_deleted)


def _last(piece: DocPiece) -> int:
    return piece.last


class StoryReader:
    """Puts one story together from its segments."""

    def __init__(
        self,
        paragraphs: Ranges[Paragraph],
        hiding: Ranges[bool],
        tally: Tally,
        font: Callable[[int], str],
        box: Callable[[int], str] | None,
    ) -> None:
        """With what gives the name of a font, and a text box by where it is anchored.

        In a box itself there are none, and what is behind the text is not known.
        """
        self._paragraphs = paragraphs
        self._hiding = hiding
        self._tally = tally
        self._font = font
        self._box = box
        self._story = WordStory()
        self._fields = Fields()
        self._begins = True
        self._in_table = False
        self._in_cell = False
        self._passage = ""

    def read(self, stretches: Iterator[Segment]) -> str:
        """The text of the story."""
        for segment in stretches:
            look = segment.look
            for found in _TOKENS.finditer(segment.text):
                place = segment.place + found.start() * segment.width
                is_mark = found[0] in _PARAGRAPH_ENDS  # no style joins two paragraphs
                is_hidden = look.is_hidden ^ (not is_mark and self._is_hiding(look, place))
                if not (look.is_deleted or is_hidden) or found[0] in _STRUCTURE:
                    self._take(found[0], place, segment.position + found.start(), look)
                else:
                    self._pass("deletions" if look.is_deleted else "hidden", found[0])
        text = self._story.text()
        if _SURROGATES.search(text):
            return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
        return text

    def _is_hiding(self, look: Character, place: int) -> bool:
        """Whether the style of the paragraph turns round what characters look like."""
        return look.follows_style and self._hiding.at(place) is not None

    def _take(self, text: str, place: int, position: int, look: Character) -> None:
        """Act on a mark, or add characters."""
        if text in _FIELDS:
            self._field(text)
            return
        if self._begins:
            self._begin_paragraph(place)
        if text == _CELL:
            self._end_cell(place)
        elif text in _PARAGRAPH_ENDS:
            self._end_paragraph(place)
        elif self._fields.in_code:
            self._fields.add(text)
        else:
            self._add(text, position, look)

    def _field(self, mark: str) -> None:
        """A field has a code, and after a separator its result."""
        if mark == _FIELD:
            self._fields.begin()
        elif mark == _RESULT:
            self._fields.separate()
        elif shown := self._fields.end():
            self._story.pieces.append(shown)

    def _add(self, text: str, position: int, look: Character) -> None:
        if text == _BOX:
            self._story.add_box(self._box(position) if self._box else "")
        elif text == _COMMENT:
            self._tally.comments += 1
        elif text < " " and text[0] != "\t":
            self._story.pieces.append(_TEXTS.get(text, ""))
        else:
            self._pass("", text)
            if look.symbol:
                font = self._font(look.symbol & 0xFFFF)
                text = symbols(chr(look.symbol >> 16), font) * len(text)
            self._story.pieces.append(self._seen(text, look))

    def _seen(self, text: str, look: Character) -> str:
        """What a reader sees of characters; what is behind those in a table is not known."""
        if look.is_faint and not self._in_table and self._box is not None:
            return self._tally.faint.add(text, is_tiny=look.is_tiny)
        self._tally.faint.end()
        return text

    def _pass(self, passage: str, text: str) -> None:
        """Count what is left out or not seen, neighbours as one."""
        if passage == self._passage or not text.strip():
            return
        self._passage = passage
        if passage:
            setattr(self._tally, passage, getattr(self._tally, passage) + 1)

    def _begin_paragraph(self, place: int) -> None:
        """See whether it is in a table."""
        self._begins = False
        self._tally.faint.end()
        paragraph = self._paragraphs.at(place)
        if paragraph is None:
            if self._in_table:
                self._close_cell()
                self._story.end_table()
            self._in_table = False
            return
        if not self._in_table:
            self._in_table = True
            self._story.start_table()
        if not paragraph.ends_row and not self._in_cell:
            self._in_cell = True
            self._story.start_cell()

    def _close_cell(self) -> None:
        if self._in_cell:
            self._story.end_cell()
        self._in_cell = False

    def _end_cell(self, place: int) -> None:
        self._begins = True
        paragraph = self._paragraphs.at(place)
        if paragraph is None and not self._in_cell:
            self._story.end_loose_cell()
            return
        self._close_cell()
        if paragraph is not None and paragraph.ends_row:
            self._story.end_row()

    def _end_paragraph(self, place: int) -> None:
        """Of a table in a cell, cells and rows end with paragraphs."""
        self._begins = True
        self._story.end_paragraph()
        paragraph = self._paragraphs.at(place) if self._in_cell else None
        if paragraph is not None and paragraph.ends_inner_cell:
            self._story.end_cell()
            self._story.start_cell()
        elif paragraph is not None and paragraph.ends_row:
            self._story.end_row()
