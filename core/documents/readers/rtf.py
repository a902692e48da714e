"""Rich Text Format."""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from core.base.messages import N_
from core.base.patterns import lazy_pattern
from core.documents.readers import Extracted, Reader, Reading, joined_halves, tables_of
from core.documents.readers.shared.story import (
    DAMAGED,
    PALE_PART,
    Gap,
    OmissionCounts,
    Tally,
    TextFlow,
)

FALLBACK_CODEC = "cp1252"


_TABLES = tables_of("rtf")


def _words(table: str) -> frozenset[bytes]:
    return frozenset(word.encode() for word in _TABLES[table])


def _codecs(table: str) -> dict[int, str]:
    """Python's codec by the number that RTF has for it."""
    names = _TABLES[table]
    return dict(zip(map(int, names[::2]), names[1::2], strict=True))


# Groups that are not shown, whether or not they are marked as such with \*.
SKIPPED = _words("skipped")
# Groups that are shown although they are marked with \*, or that only hold some that are.
TRANSPARENT = _words("transparent")
HEADINGS = _words("headings")
CHARACTERS = {
    b"tab": "\t",
    b"line": "\n",
    b"lbr": "\n",
    b"emdash": "\u2014",
    b"endash": "\u2013",
    b"emspace": " ",
    b"enspace": " ",
    b"qmspace": " ",
    b"bullet": "\u2022",
    b"lquote": "\u2018",
    b"rquote": "\u2019",
    b"ldblquote": "\u201c",
    b"rdblquote": "\u201d",
    b"zwj": "\u200d",
    b"zwnj": "\u200c",
}
SYMBOLS = {b"~": "\u00a0", b"_": "\u2011", b"-": "\u00ad"}

# By \fcharset; 77 and over up to 89 are those of the Macintosh. None: that of the document.
_CHARSETS = _codecs("charsets")
_PAGES = _codecs("code pages")


def codec_of_page(page: int) -> str | None:
    """Python's codec for a code page of Windows or DOS, None where there is none."""
    name = _PAGES.get(page) or f"cp{page}"
    try:
        return codecs.lookup(name).name
    except LookupError:
        return None


_PADDING = " \t\n"


class RtfStory:
    """Paragraphs and rows of cells; RTF marks only the end of a cell."""

    def __init__(self) -> None:
        self._flow = TextFlow()
        self._pieces: list[str] = []
        self._boxes: list[str] = []
        self._is_after_row = False

    def write(self, text: str) -> None:
        """Text of the open paragraph."""
        self._pieces.append(text)

    def add_box(self, text: str) -> None:
        """A text box: it is read after the paragraph it is anchored in."""
        if text:
            self._boxes.append(text)

    def end_paragraph(self, *, in_table: bool) -> None:
        """The open paragraph ends; in a table, its paragraphs are lines."""
        if not in_table:
            self._leave_table()
        gap = Gap.LINE if in_table else Gap.PARAGRAPH
        if self._write_pieces():
            self._flow.separate(gap)
        boxes, self._boxes = self._boxes, []
        for box in boxes:
            self._flow.separate(gap)
            self._flow.write_verbatim(box)
            self._flow.separate(gap)

    def end_cell(self) -> None:
        """A cell ends, and the open paragraph in it."""
        self._write_pieces()
        self._flow.separate(Gap.CELL)

    def end_row(self) -> None:
        """A row of cells ends."""
        self._write_pieces()
        self._flow.separate(Gap.LINE)
        self._is_after_row = True

    def text(self) -> str:
        """The whole story."""
        self.end_paragraph(in_table=False)
        return self._flow.text()

    def _leave_table(self) -> None:
        if self._is_after_row:
            self._flow.separate(Gap.PARAGRAPH)
            self._is_after_row = False

    def _write_pieces(self) -> bool:
        text = joined_halves("".join(self._pieces)).strip(_PADDING)
        self._pieces.clear()
        self._flow.write_verbatim(text)
        return bool(text)


USUAL_SIZE = 24  # half points


@dataclass(slots=True)
class RtfGroup:
    """What holds until the end of a group.

    Attributes:
        fallbacks: Bytes after a Unicode character, for programs that do not know it.
        is_shaded: Letters have a background of their own.
        colour: Theirs, by its place in the table.
        size: Theirs in half points.
        close: Called at the end.
    """

    codec: str
    fallbacks: int = 1
    in_fonts: bool = False
    in_table: bool = False
    is_deleted: bool = False
    is_hidden: bool = False
    is_shaded: bool = False
    colour: int = 0
    size: int = USUAL_SIZE
    close: Callable[[], None] | None = None

    def inner(self) -> RtfGroup:
        """The state at the start of a group in this one."""
        seen = self.is_deleted, self.is_hidden, self.is_shaded, self.colour, self.size
        return RtfGroup(self.codec, self.fallbacks, self.in_fonts, self.in_table, *seen)


_TOKEN = lazy_pattern(
    rb"(?P<text>[^\\{}\r\n\0]+)"
    rb"|\\(?P<word>[a-zA-Z]{1,32})(?P<number>-?[0-9]{1,10})? ?"
    rb"|\\'(?P<byte>[0-9a-fA-F]{2})"
    rb"|\\(?P<symbol>.)"
    rb"|(?P<brace>[{}])"
    rb"|[\r\n\0]+"
    rb"|\\",
    re.DOTALL,
)
# What counts in a group that is not shown; \bin is followed by bytes of any kind.
_IN_SKIPPED = lazy_pattern(rb"\\bin(?P<length>[0-9]{1,10}) ?|\\.|(?P<brace>[{}])", re.DOTALL)
_STEP = 1 << 20  # bytes
_BEFORE = 8  # bytes between the brace of a group and its first word, with line ends and a star


class RtfTokens:
    """Goes through a file; the caller may have some passed over."""

    def __init__(self, data: bytes, reading: Reading) -> None:
        self._data = data
        self._step = reading.step
        self._start = self._at = 0

    def __iter__(self) -> Iterator[tuple[str, re.Match[bytes]]]:
        """The kind of each token and what was matched; line ends and stray signs are left out."""
        match = _TOKEN.match
        next_step = _STEP
        while token := match(self._data, self._at):
            self._start, self._at = token.span()
            if token.lastgroup is not None:
                yield token.lastgroup, token
            if self._at >= next_step:
                next_step += _STEP
                self._step()

    def is_first(self) -> bool:
        """Whether the token is the first of a group: only there it says what the group is."""
        return self._data[max(0, self._start - _BEFORE) : self._start].rstrip().endswith(b"{")

    def skip_group(self) -> bytes:
        """Go to the brace that ends the open group; returns what was before it."""
        depth = 1
        start = self._at
        while match := _IN_SKIPPED.search(self._data, self._at):
            self._at = match.end()
            if match["length"]:
                self._at += int(match["length"])
            elif match["brace"]:
                depth += 1 if match[0] == b"{" else -1
                if not depth:
                    self._at = match.start()
                    return self._data[start : self._at]
        self._at = len(self._data)
        return self._data[start:]

    def skip_inner_group(self) -> None:
        """Pass over a group if one begins here: the first of two versions of a text."""
        if self._data[self._at : self._at + 1] == b"{":
            self._at += 1
            self.skip_group()
            self._at += 1

    def skip_bytes(self, count: int | None) -> None:
        """Pass over bytes that are no RTF."""
        self._at += max(0, count or 0)


_WHITE = lazy_pattern(rb"\s*\\red%b\s*\\green%b\s*\\blue%b\s*" % (3 * (PALE_PART.encode(),)))
_TINY = 2  # half points


_PAGE_FIELD = lazy_pattern(rb"\b(?:PAGE|NUMPAGES|SECTIONPAGES)\b", re.IGNORECASE)


class RtfParser:
    """Reads a file.

    Attributes:
        body: The text itself.
        headers, footers, footnotes, endnotes: The texts beside it.
        tally: What is not in the text, or not seen.
        is_whole: Whether the last group was closed.
    """

    def __init__(self, data: bytes, reading: Reading) -> None:
        self._tokens = RtfTokens(data, reading)
        self._codec = FALLBACK_CODEC  # of the document, where no font says otherwise
        self._font_codecs: dict[int, str | None] = {}
        self._font = self._default_font = 0
        self._white: set[int] = set()  # places in the table of colours
        self._has_background = False
        self._group = RtfGroup(self._codec)
        self._groups: list[RtfGroup] = []
        self._stories = [RtfStory()]  # the text, and one beside it, maybe in another
        self._is_endnote = False
        self._headings = 0
        self.headers: list[str] = []
        self.footers: list[str] = []
        self.footnotes: list[str] = []
        self.endnotes: list[str] = []
        self._bytes = bytearray()  # of text in the codec of the group
        self._to_drop = 0
        self._is_marked = False
        self._shows_page = False
        self.tally = Tally()
        self._left_out = OmissionCounts(self.tally)
        self._words = self._make_words()
        self._parse()
        self.is_whole = not self._groups
        self._flush()
        while self._groups:
            self._close_group()
        self.body = self._stories[-1].text()

    def _parse(self) -> None:
        """Token by token until the outermost group ends."""
        for kind, match in self._tokens:
            if kind == "text":
                self._text(match[0])
            elif kind in {"word", "number"}:
                self._word(match["word"], match["number"])
            elif kind == "byte":
                self._text(bytes.fromhex(match["byte"].decode("ascii")))
            elif kind == "symbol":
                self._symbol(match["symbol"])
            elif match[0] == b"{":
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

    def _start_story(self, take: Callable[[str], None]) -> None:
        """Until the end of the group, what comes is a text of its own, which is taken then."""
        self._stories.append(RtfStory())
        self._group.in_table = False
        self._group.close = lambda: take(self._stories.pop().text())

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
        gone = "deletions" if self._group.is_deleted else "hidden" if self._group.is_hidden else ""
        self._left_out.add(gone, text)
        if not gone:
            self._stories[-1].write(self._seen(text))

    def _seen(self, text: str) -> str:
        """What a reader sees of characters; what is behind those in a table is not known."""
        group, faint = self._group, self.tally.faint
        is_tiny = group.size <= _TINY
        is_white = group.colour in self._white and not (group.is_shaded or group.in_table)
        if is_tiny or (is_white and not self._has_background):
            return faint.add(text, is_tiny=is_tiny)
        faint.end()
        return text

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
            self._learn(word, self._tokens.skip_group())
        elif character := CHARACTERS.get(word):
            self._put(character)
        elif handle := self._words.get(word):
            self._flush()
            handle(None if digits is None else int(digits))
        elif word in HEADINGS:
            self._start_heading(self.footers if word.startswith(b"footer") else self.headers)

    def _learn(self, word: bytes, content: bytes) -> None:
        """Take what a group that is not shown says of the looks of text."""
        if word == b"colortbl":
            colours = enumerate(content.split(b";"))
            self._white = {number for number, colour in colours if _WHITE.fullmatch(colour)}
        self._has_background |= word == b"background"

    def _make_words(self) -> dict[bytes, Callable[[int | None], None]]:
        """What control words do, by their name; each takes its number."""
        words: dict[bytes, Callable[[int | None], None]] = {
            b"ansi": lambda _: self._use_codec("cp1252"),
            b"mac": lambda _: self._use_codec("mac_roman"),
            b"pc": lambda _: self._use_codec("cp437"),
            b"pca": lambda _: self._use_codec("cp850"),
            b"ansicpg": lambda page: self._use_codec(codec_of_page(page or 0)),
            b"fonttbl": lambda _: self._set(in_fonts=True),
            b"deff": lambda number: setattr(self, "_default_font", number or 0),
            b"f": self._use_font,
            b"fcharset": lambda charset: self._describe_font(_CHARSETS.get(charset or 0)),
            b"cpg": lambda page: self._describe_font(codec_of_page(page or 0)),
            b"plain": lambda _: self._be_plain(),
            b"v": lambda number: self._set(is_hidden=number != 0),
            b"deleted": lambda number: self._set(is_deleted=number != 0),
            b"cf": lambda number: self._set(colour=number or 0),
            b"fs": lambda number: self._set(size=USUAL_SIZE if number is None else number),
            b"uc": lambda number: self._set(fallbacks=max(0, number or 0)),
            b"u": self._unicode,
            b"bin": self._tokens.skip_bytes,
            b"pard": lambda _: self._set(in_table=False),
            b"intbl": lambda _: self._set(in_table=True),
            b"upr": lambda _: self._tokens.skip_inner_group(),
            b"annotation": lambda _: self._start_comment(),
            b"footnote": lambda _: self._start_note(),
            b"ftnalt": lambda _: setattr(self, "_is_endnote", True),
            b"fldinst": lambda _: self._start_instruction(),
            b"fldrslt": lambda _: self._start_result(),
        }
        for name in (b"shptxt", b"dptxbxtext"):
            words[name] = lambda _: self._start_story(self._stories[-1].add_box)
        for name in (b"cell", b"nestcell"):
            words[name] = lambda _: self._stories[-1].end_cell()
        for name in (b"row", b"nestrow"):
            words[name] = lambda _: self._stories[-1].end_row()
        for name in (b"par", b"sect", b"page", b"column"):
            words[name] = lambda _: self._end_paragraph()
        for name in (b"cb", b"cbpat", b"chcbpat", b"highlight"):
            words[name] = lambda number: self._set(is_shaded=number != 0)
        return words

    def _set(self, **looks: bool | int) -> None:
        for name, value in looks.items():
            setattr(self._group, name, value)

    def _end_paragraph(self) -> None:
        self._flush()
        self.tally.faint.end()
        self._stories[-1].end_paragraph(in_table=self._group.in_table)

    def _use_codec(self, codec: str | None) -> None:
        self._codec = self._group.codec = codec or self._codec

    def _use_font(self, number: int | None) -> None:
        """In the table of fonts, what follows describes this one."""
        if self._group.in_fonts:
            self._font = number or 0
            self._font_codecs[self._font] = None
        else:
            self._group.codec = self._font_codecs.get(number or 0) or self._codec

    def _describe_font(self, codec: str | None) -> None:
        """The encoding of the font that is described, by its character set or code page."""
        if self._group.in_fonts and codec is not None:
            self._font_codecs[self._font] = codec

    def _be_plain(self) -> None:
        codec = self._font_codecs.get(self._default_font) or self._codec
        self._set(is_deleted=False, is_hidden=False, is_shaded=False, colour=0, size=USUAL_SIZE)
        self._group.codec = codec

    def _unicode(self, number: int | None) -> None:
        if number is not None and not self._group.in_fonts:
            self._write(chr(number & 0xFFFF))
        self._to_drop = self._group.fallbacks

    # Groups that are a text of their own, or none.

    def _start_note(self) -> None:
        """A footnote, unless it says otherwise."""
        self._is_endnote = False

        def take(text: str) -> None:
            (self.endnotes if self._is_endnote else self.footnotes).append(text)
            self._is_endnote = False

        self._start_story(take)

    def _start_heading(self, headings: list[str]) -> None:
        def take(text: str) -> None:
            self._headings -= 1
            headings.append(text)

        self._headings += 1
        self._start_story(take)

    def _start_comment(self) -> None:
        self.tally.comments += 1
        self._tokens.skip_group()

    def _start_instruction(self) -> None:
        self._shows_page = _PAGE_FIELD.search(self._tokens.skip_group()) is not None

    def _start_result(self) -> None:
        """In a header, the number of the page says nothing."""
        if self._shows_page and self._headings:
            self._tokens.skip_group()
        self._shows_page = False


_SUFFIXES = frozenset({".rtf"})
_START = lazy_pattern(rb"(?:\xef\xbb\xbf)?[\s\0]{0,999}\{\s{0,99}\\rt(?:f|[^a-z])")


def _recognises(data: bytes, _suffix: str) -> bool:
    """By its first word; some programs write "rt" for "rtf"."""
    return _START.match(data) is not None


def read_rtf(data: bytes, reading: Reading) -> Extracted:
    """Headers, body, notes and footers: each once, the running ones apart from the text."""
    file = RtfParser(data[data.index(b"{") :], reading)
    headers, footers = dict.fromkeys(file.headers), dict.fromkeys(file.footers)
    parts = [*headers, file.body, *file.footnotes, *file.endnotes, *footers]
    text = file.tally.faint.after("\n\n".join(part for part in parts if part))
    remarks = file.tally.remarks()
    return Extracted(text, remarks=remarks if file.is_whole else (*remarks, DAMAGED))


READER = Reader("rtf", N_("an RTF file"), "RTF", _SUFFIXES, _recognises, read_rtf)
