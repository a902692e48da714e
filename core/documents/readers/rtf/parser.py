"""What the control words of RTF do (Rich Text Format Specification 1.9.1)."""

from __future__ import annotations

import re
from collections.abc import Callable

from core.documents.model import ProblemCode
from core.documents.readers.reader import Reading
from core.documents.readers.rtf.control_words import (
    CHARACTERS,
    HEADINGS,
    SKIPPED,
    SYMBOLS,
    TRANSPARENT,
    codec_of_page,
)
from core.documents.readers.rtf.looks import RtfLooks
from core.documents.readers.rtf.state import Fonts, RtfGroup
from core.documents.readers.rtf.story import RtfStories
from core.documents.readers.rtf.tokens import RtfTokens
from core.documents.unreadable import UnreadableError

_PAGE_FIELD = re.compile(rb"\b(?:PAGE|NUMPAGES|SECTIONPAGES)\b", re.IGNORECASE)


class RtfParser:
    """Reads a file.

    Attributes:
        body: The text itself.
        stories: With those beside it.
        hidden, deletions, comments: How often there was something that is not in the text.
        looks: Text that nobody sees.
        is_whole: Whether the last group was closed.

    Raises:
        UnreadableError: TOO_DEEP.
    """

    def __init__(self, data: bytes, reading: Reading) -> None:
        self._tokens = RtfTokens(data, reading)
        self._nesting = reading.limits.nesting
        self._fonts = Fonts()
        self._group = RtfGroup(self._fonts.codec)
        self._groups: list[RtfGroup] = []
        self.stories = RtfStories()
        self._bytes = bytearray()  # of text in the codec of the group
        self._to_drop = 0
        self._is_marked = False
        self._shows_page = False
        self._gone = ""
        self.looks = RtfLooks()
        self.hidden = self.deletions = self.comments = 0
        self._words = self._make_words()
        self._parse()
        self.is_whole = not self._groups
        self._flush()
        while self._groups:
            self._close_group()
        self.body = self.stories.last.text()

    def _parse(self) -> None:
        """Token by token until the outermost group ends."""
        for kind, found in self._tokens:
            if kind == "text":
                self._text(found[0])
            elif kind in {"word", "number"}:
                self._word(found["word"], found["number"])
            elif kind == "byte":
                self._text(bytes.fromhex(found["byte"].decode("ascii")))
            elif kind == "symbol":
                self._symbol(found["symbol"])
            elif found[0] == b"{":
                self._open_group()
            else:
                self._close_group()
                if not self._groups:
                    break

    # Groups.

    def _open_group(self) -> None:
        self._flush()
        self._to_drop = 0
        self._is_marked = False
        if len(self._groups) >= self._nesting:
            raise UnreadableError(
                ProblemCode.TOO_DEEP,
                f"The groups of this file are nested more than {self._nesting:,} deep.",
                "nesting",
            )
        self._groups.append(self._group)
        self._group = self._group.inner()

    def _close_group(self) -> None:
        self._flush()
        self._to_drop = 0
        self._is_marked = False
        if self._groups:
            if self._group.close is not None:
                self._group.close()
            self._group = self._groups.pop()

    def _start_story(self, close: Callable[[], None]) -> None:
        """Until the end of the group, what comes is a text of its own."""
        self._group.in_table = False
        self._group.close = close

    # Text.

    def _text(self, text: bytes) -> None:
        if self._to_drop:
            dropped = min(self._to_drop, len(text))
            self._to_drop -= dropped
            text = text[dropped:]
        self._bytes += text

    def _flush(self) -> None:
        if self._bytes:
            data = bytes(self._bytes)
            self._bytes.clear()
            if not self._group.in_fonts:
                self._write(data.decode(self._group.codec, "replace"))

    def _write(self, text: str) -> None:
        """Add text, unless it is not to be seen."""
        gone = "deleted" if self._group.is_deleted else "hidden" if self._group.is_hidden else ""
        if not gone:
            self._gone = "" if not text.isspace() else self._gone
            self.stories.last.write(self.looks.seen(text, self._group))
        elif not text.isspace() and gone != self._gone:
            self._gone = gone
            self.deletions += gone == "deleted"
            self.hidden += gone == "hidden"

    def _symbol(self, symbol: bytes) -> None:
        if symbol == b"*":
            self._is_marked = self._tokens.is_first()
        elif symbol in b"\\{}":
            self._text(symbol)
        elif symbol in b"\r\n":
            self._end_paragraph()
        elif symbol in SYMBOLS:
            self._put(SYMBOLS[symbol])
        elif symbol == b"\t":
            self._put("\t")

    def _put(self, text: str) -> None:
        self._flush()
        if self._to_drop:
            self._to_drop -= 1
        else:
            self._write(text)

    # Control words.

    def _word(self, word: bytes, digits: bytes | None) -> None:
        is_marked, self._is_marked = self._is_marked, False
        if is_marked and word not in self._words and word not in TRANSPARENT:
            self._tokens.skip_group()
            return
        if word in SKIPPED and (is_marked or self._tokens.is_first()):
            self.looks.learn(word, self._tokens.skip_group())
        elif character := CHARACTERS.get(word):
            self._put(character)
        elif handle := self._words.get(word):
            self._flush()
            handle(None if digits is None else int(digits))
        elif word in HEADINGS:
            self._start_story(self.stories.start_heading(is_footer=word.startswith(b"footer")))

    def _make_words(self) -> dict[bytes, Callable[[int | None], None]]:
        """What control words do, by their name; each takes its number."""
        words: dict[bytes, Callable[[int | None], None]] = {
            b"ansi": lambda _: self._use_codec("cp1252"),
            b"mac": lambda _: self._use_codec("mac_roman"),
            b"pc": lambda _: self._use_codec("cp437"),
            b"pca": lambda _: self._use_codec("cp850"),
            b"ansicpg": lambda page: self._use_codec(codec_of_page(page or 0)),
            b"fonttbl": lambda _: self._start_fonts(),
            b"deff": self._set_default_font,
            b"f": self._use_font,
            b"fcharset": lambda charset: self._describe(charset=charset or 0),
            b"cpg": lambda page: self._describe(page=page or 0),
            b"plain": lambda _: self._plain(),
            b"v": self._hide,
            b"deleted": self._delete,
            b"uc": self._set_fallbacks,
            b"u": self._unicode,
            b"bin": self._skip_bytes,
            b"pard": lambda _: self._set_in_table(value=False),
            b"intbl": lambda _: self._set_in_table(value=True),
            b"upr": lambda _: self._tokens.skip_inner_group(),
            b"annotation": lambda _: self._start_comment(),
            b"footnote": lambda _: self._start_story(self.stories.start_note()),
            b"ftnalt": lambda _: self.stories.mark_endnote(),
            b"fldinst": lambda _: self._start_instruction(),
            b"fldrslt": lambda _: self._start_result(),
            b"shptxt": lambda _: self._start_story(self.stories.start_box()),
            b"dptxbxtext": lambda _: self._start_story(self.stories.start_box()),
            b"cell": lambda _: self.stories.last.end_cell(),
            b"nestcell": lambda _: self.stories.last.end_cell(),
            b"row": lambda _: self.stories.last.end_row(),
            b"nestrow": lambda _: self.stories.last.end_row(),
        }
        for name in (b"par", b"sect", b"page", b"column"):
            words[name] = lambda _: self._end_paragraph()
        return words | self.looks.words(lambda: self._group)

    def _end_paragraph(self) -> None:
        self._flush()
        self.looks.faint.end()
        self.stories.last.end_paragraph(in_table=self._group.in_table)

    def _use_codec(self, codec: str | None) -> None:
        self._fonts.codec = self._group.codec = codec or self._fonts.codec

    def _start_fonts(self) -> None:
        self._group.in_fonts = True

    def _set_default_font(self, number: int | None) -> None:
        self._fonts.default = number or 0

    def _use_font(self, number: int | None) -> None:
        if self._group.in_fonts:
            self._fonts.start(number or 0)
        else:
            self._group.codec = self._fonts.codec_of(number or 0)

    def _describe(self, *, charset: int | None = None, page: int | None = None) -> None:
        if self._group.in_fonts:
            self._fonts.describe(charset=charset, page=page)

    def _plain(self) -> None:
        self._group.be_plain()
        self._group.codec = self._fonts.codec_of(self._fonts.default)

    def _hide(self, number: int | None) -> None:
        self._group.is_hidden = number != 0

    def _delete(self, number: int | None) -> None:
        self._group.is_deleted = number != 0

    def _set_fallbacks(self, number: int | None) -> None:
        self._group.fallbacks = max(0, number or 0)

    def _unicode(self, number: int | None) -> None:
        if number is not None and not self._group.in_fonts:
            self._write(chr(number & 0xFFFF))
        self._to_drop = self._group.fallbacks

    def _skip_bytes(self, number: int | None) -> None:
        self._tokens.skip_bytes(number or 0)

    def _set_in_table(self, *, value: bool) -> None:
        self._group.in_table = value

    # Groups that are a text of their own, or none.

    def _start_comment(self) -> None:
        self.comments += 1
        self._tokens.skip_group()

    def _start_instruction(self) -> None:
        self._shows_page = _PAGE_FIELD.search(self._tokens.skip_group()) is not None

    def _start_result(self) -> None:
        """In a header, the number of the page says nothing."""
        if self._shows_page and self.stories.in_heading:
            self._tokens.skip_group()
        self._shows_page = False
