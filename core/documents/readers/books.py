"""E-books: EPUB, FictionBook, those of Mobipocket and Kindle (mobi, azw, azw3, prc) and of Palm.

EPUB 2 and 3: the parts of the spine, one after the other, each a page of XHTML.

Mobipocket, Kindle and Palm: their pages of HTML. The MobileRead wiki describes the format
(wiki.mobileread.com, "MOBI", "PDB", "KF8"): a database of records, of which the first says how
those behind it are packed, and who made the book (EXTH). A file may hold the book twice, for old
devices and for new ones (KF8): the first is read. How a page of KF8 is put together of its parts
changes nothing of the order of its words.
"""

from __future__ import annotations

import posixpath
import re
import struct
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from urllib.parse import unquote, urlsplit

from core.base.messages import N_, nstored
from core.base.patterns import lazy_pattern
from core.documents.model import ProblemCode, UnreadableError
from core.documents.readers import Extracted, Reader, Reading, decoded
from core.documents.readers.shared import packed_files
from core.documents.readers.shared.story import Gap, TextFlow, as_far_as_whole
from core.documents.readers.shared.xml import Elements, Handler, parse_xml, root_pattern
from core.documents.readers.web import visible_text

_START = root_pattern(b"FictionBook")
_SUFFIXES = frozenset({".fb2", ".fbz"})
_SKIPPED = frozenset({"binary", "description", "stylesheet"})
_GAPS = {
    **dict.fromkeys(
        ("annotation", "body", "cite", "epigraph", "p", "poem", "section", "stanza"), Gap.PARAGRAPH
    ),
    **dict.fromkeys(("empty-line", "subtitle", "table", "text-author", "title"), Gap.PARAGRAPH),
    **dict.fromkeys(("date", "tr", "v"), Gap.LINE),
    **dict.fromkeys(("td", "th"), Gap.CELL),
}


def _fb2_recognises(data: bytes, suffix: str) -> bool:
    """By its root, wherever that can be read, or by the only name in an archive."""
    if data.startswith(b"PK\x03\x04"):
        names = packed_files.names_in(data)
        return len(names) == 1 and names[0].lower().endswith(".fb2")
    return _START.match(data) is not None or (
        suffix == ".fb2" and data.startswith((b"\xff\xfe", b"\xfe\xff"))
    )


class _Fb2Book(Handler):
    def __init__(self) -> None:
        self.flow = TextFlow()
        self._skipped = 0

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """An element begins; the mark of a note is none of the words before it."""
        local = name.rpartition(" ")[2]
        is_mark = local == "a" and attributes.get("type") == "note"
        if self._skipped or local in _SKIPPED or is_mark:
            self._skipped += 1
        else:
            self.flow.separate(_GAPS.get(local, Gap.NOTHING))

    def end(self, name: str) -> None:
        if self._skipped:
            self._skipped -= 1
        else:
            self.flow.separate(_GAPS.get(name.rpartition(" ")[2], Gap.NOTHING))

    def text(self, text: str) -> None:
        if not self._skipped:
            self.flow.write(text)


def _fb2_read(data: bytes, reading: Reading) -> Extracted:
    """The bodies, notes last, as they stand in the file."""
    if data.startswith(b"PK"):
        package = packed_files.Package(data, reading)
        data = package.read(package.infos[0])
    book = _Fb2Book()
    encoding = parse_xml(data, book, reading, tolerates_doctype=True)
    return Extracted(book.flow.text(), encoding)


FB2 = Reader(
    "fb2", N_("a FictionBook (fb2)"), N_("e-book (FB2)"), _SUFFIXES, _fb2_recognises, _fb2_read
)


_PAGES = frozenset({"application/xhtml+xml", "text/html", "text/x-oeb1-document", "image/svg+xml"})
# These scramble fonts, which are no text (EPUB 3.3, 4.4).
_OBFUSCATION = frozenset({"http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC"})


LocalElements = list[tuple[str, dict[str, str]]]  # local names and attributes, in their order


def spine(package: LocalElements, folder: str) -> list[str]:
    """The pages that a package document in a folder lists; those that are not linear come last."""
    items = {attributes.get("id", ""): attributes for name, attributes in package if name == "item"}
    is_auxiliary: dict[str, bool] = {}
    for name, attributes in package:
        item = items.get(attributes.get("idref", "")) if name == "itemref" else None
        if item is not None and item.get("media-type", "").lower() in _PAGES:
            page = resolved(folder, item.get("href", ""))
            is_auxiliary.setdefault(page, attributes.get("linear") == "no")
    return sorted(is_auxiliary, key=is_auxiliary.__getitem__)


def resolved(folder: str, href: str) -> str:
    """The name in the package that a reference means."""
    try:
        path = unquote(urlsplit(href).path)
    except ValueError:
        path = href
    return posixpath.normpath(posixpath.join("/", folder, path)).lstrip("/")


LOCKED = N_(
    "Protected by DRM: only the shop's own program can open this book. Get a copy "
    "without protection."
)
_CONTAINER = "META-INF/container.xml"
_ENCRYPTION = "META-INF/encryption.xml"
_OF_ONE_PART = frozenset({ProblemCode.DAMAGED, ProblemCode.BINARY})
_EMPTY_ELEMENT = lazy_pattern(r"<([A-Za-z][\w:.-]*+)([^<>]*?)/>")
_VOID = frozenset(
    {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track"}
    | {"wbr", "param"}
)
_TITLE = lazy_pattern(r"<title\b[^<>]*+>[^<]*+</title\s*+>", re.IGNORECASE)

# The mark of a note: none of the words before it.
_NOTE_MARK = lazy_pattern(
    r"<a\b(?=[^<>]*\bepub:type=[\"'][^\"'<>]*\bnoteref\b)[^<>]*>"
    r"[^<]{0,20}(?:<su[bp]\b[^<>]*>[^<]{0,20}</su[bp]\s*>[^<]{0,20})?</a\s*>",
    re.IGNORECASE,
)


def _read(data: bytes, reading: Reading) -> Extracted:
    """Chapter by chapter; what the spine calls not linear comes last."""
    package = packed_files.Package(data, reading)
    name = _package_document(package, reading)
    elements = _elements(package, name, reading)
    pages = spine(elements, posixpath.dirname(name))
    _refuse_locked(package, frozenset(pages), reading)
    chapters = [page for page in pages if page in package]
    texts: list[str] = []
    failures: list[UnreadableError] = []
    for chapter in chapters:
        try:
            page = package.read(chapter)
            texts.append(shown_in(decoded(page).text) if page.strip() else "")
        except UnreadableError as error:
            if error.code not in _OF_ONE_PART:
                raise
            failures.append(error)
    if failures and not texts:
        raise failures[0]
    remarks = (
        nstored(
            "{n} part of this book is missing in the file: its text is not read.",
            "{n} parts of this book are missing in the file: their text is not read.",
            len(pages) - len(chapters),
        ),
        nstored(
            "{n} part of this book is damaged and not in the text.",
            "{n} parts of this book are damaged and not in the text.",
            len(failures),
        ),
    )
    text = "\n\n".join(text for text in texts if text)
    return Extracted(text, remarks=tuple(it for it in remarks if not it.startswith("0 ")))


def _package_document(package: packed_files.Package, reading: Reading) -> str:
    """The name of the part that lists the others; without a container, the only one there is."""
    container = _elements(package, _CONTAINER, reading)
    listed = (
        resolved("", attributes["full-path"])
        for name, attributes in container
        if name == "rootfile" and attributes.get("full-path")
    )
    name = next(listed, None)
    if name is None or name not in package:
        name = next((it for it in package.names if it.lower().endswith(".opf")), None)
    if name is None:
        raise UnreadableError(
            ProblemCode.DAMAGED,
            "This book is damaged: the list of its chapters is missing. Get another copy.",
        )
    return name


def _elements(package: packed_files.Package, name: str, reading: Reading) -> LocalElements:
    """What a part says; nothing where it is missing."""
    elements = Elements()
    if name in package:
        parse_xml(package.read(name), elements, reading, tolerates_doctype=True)
    return [(element.rpartition(" ")[2], attributes) for element, attributes in elements.elements]


def _refuse_locked(package: packed_files.Package, pages: frozenset[str], reading: Reading) -> None:
    """A book bought with a copy protection has its chapters encrypted.

    Only the shop's own program opens them.
    """
    algorithm = ""
    for name, attributes in _elements(package, _ENCRYPTION, reading):
        if name == "EncryptionMethod":
            algorithm = attributes.get("Algorithm", "")
        is_locked = name == "CipherReference" and algorithm not in _OBFUSCATION
        if is_locked and resolved("", attributes.get("URI", "")) in pages:
            raise UnreadableError(ProblemCode.ENCRYPTED, LOCKED)


def shown_in(source: str) -> str:
    """What pages of a book show; their titles are for the tab of a browser only."""
    source = _NOTE_MARK.sub("", _EMPTY_ELEMENT.sub(_opened, source))
    return visible_text(_TITLE.sub("", source))


def _opened(element: re.Match[str]) -> str:
    """In XML any element can close itself; to HTML, <title/> would be the start of one."""
    name, attributes = element.groups()
    return element[0] if name.lower() in _VOID else f"<{name}{attributes}></{name}>"


EPUB = Reader(
    "epub",
    N_("an e-book (epub)"),
    N_("e-book (EPUB)"),
    frozenset({".epub"}),
    lambda data, _suffix: packed_files.media_type(data) == "application/epub+zip",
    _read,
    never_text=True,
)


_MAGIC_AT, _MAGIC = 60, (b"BOOKMOBI", b"TEXtREAd")
_STORED, _HUFFMAN = 1, 17480
_UTF_8, _WINDOWS = 65001, "cp1252"
_RECORD_MOST = 1 << 16  # bytes that a record of text unpacks to; 4,096 are usual
_DEEPEST = 32  # words of the dictionary within others
_MOST_FACTS = 10_000
_PICTURES = (b"\xff\xd8\xff", b"\x89PNG", b"GIF8")
_MAC = datetime(1904, 1, 1, tzinfo=UTC)
_UNIX = datetime(1970, 1, 1, tzinfo=UTC)
TITLE, AUTHOR, CONTRIBUTOR, IDENTIFIERS = 503, 100, 108, (104, 112, 113)  # numbers of facts


class _Words:
    """The words of HUFF/CDIC compression, by codes of up to 32 bits.

    A record "HUFF" has for each first byte of a code its length and what the code is subtracted
    from to get the number of its word; for longer ones the same by length, and the first code of
    that length. Records "CDIC" have the words, which may be packed themselves.
    """

    def __init__(self, huff: bytes, dictionaries: list[bytes]) -> None:
        at, bounds_at = struct.unpack_from(">II", huff, 8)
        self._by_byte = struct.unpack_from(">256I", huff, at)
        self._bounds = struct.unpack_from(">64I", huff, bounds_at)
        self._words: list[tuple[bytes | memoryview, bool] | None] = []
        for record in dictionaries:
            total, bits = struct.unpack_from(">II", record, 8)
            count = min(1 << min(bits, 16), total - len(self._words))
            whole = memoryview(record)  # words may be said to lie in each other: none is copied
            for offset in struct.unpack_from(f">{max(0, count)}H", record, 16):
                (head,) = struct.unpack_from(">H", record, 16 + offset)
                word = whole[18 + offset : 18 + offset + (head & 0x7FFF)]
                self._words.append((word, bool(head & 0x8000)))

    def unpack(self, data: bytes | memoryview, depth: int = 0) -> bytes:
        """A record, or a word that is packed.

        Raises:
            ValueError: It leads nowhere; or IndexError.
        """
        if depth > _DEEPEST:
            raise ValueError("words within words")
        bits, left = int.from_bytes(data) << 32, 8 * len(data)
        unpacked = bytearray()
        while left > 0:
            code = bits >> left & 0xFFFFFFFF
            length, most = self._length_of(code)
            left -= length
            if left < 0:
                break
            unpacked += self._word(most - code >> 32 - length, depth)
            if len(unpacked) > _RECORD_MOST:
                raise ValueError("too long")
        return bytes(unpacked)

    def _length_of(self, code: int) -> tuple[int, int]:
        """How many bits a code has that 32 bits begin with, and what these are subtracted from."""
        entry = self._by_byte[code >> 24]
        length, most = entry & 0x1F, entry >> 8
        if not entry & 0x80:
            while length < 32 and code < self._bounds[2 * length - 2] << 32 - length:
                length += 1
            most = self._bounds[2 * length - 1]
        if not length:
            raise ValueError("no code")
        return length, (most + 1 << 32 - length) - 1

    def _word(self, number: int, depth: int) -> bytes | memoryview:
        entry = self._words[number] if number >= 0 else None
        if entry is None:
            raise ValueError("no word, or one within itself")
        word, is_plain = entry
        if not is_plain:
            self._words[number] = None
            word = self.unpack(word, depth + 1)
            self._words[number] = word, True
        return word


def _unpacked(data: bytes) -> bytes:
    """PalmDOC compression: letters, a space and a letter in one byte, and repeats of what was."""
    text = bytearray()
    at = 0
    while at < len(data):
        byte = data[at]
        at += 1
        if 1 <= byte <= 8:
            text += data[at : at + byte]
            at += byte
        elif byte < 0x80:
            text.append(byte)
        elif byte >= 0xC0:
            text += bytes((32, byte ^ 0x80))
        else:
            pair = (byte << 8 | data[at]) & 0x3FFF
            at += 1
            back, length = pair >> 3, (pair & 7) + 3
            if not 0 < back <= len(text):
                raise ValueError("no text so far back")
            repeated = text[-back:]
            text += (repeated * (length // back + 1))[:length]
    return bytes(text)


class Book:
    """A database of records.

    Attributes:
        starts: Where each record should begin; of a cut file beyond its end.
        records: All of them.
        head: The first, 256 bytes at least.
        created: When its file was made, ISO 8601; "" where it does not say.
        saved: The same of the last change.

    Raises:
        UnreadableError: DAMAGED, for a file without a record.
    """

    def __init__(self, data: bytes) -> None:
        count = int.from_bytes(data[76:78])
        self.starts = [int.from_bytes(data[at : at + 4]) for at in range(78, 78 + 8 * count, 8)]
        starts = [min(start, len(data)) for start in self.starts]
        ends = [*starts[1:], len(data)]
        if not starts or sorted(ends) != ends or not starts[0] < ends[0]:
            raise packed_files.damaged_file()
        whole = memoryview(data)
        self.records = [whole[start:end] for start, end in zip(starts, ends, strict=True)]
        self.head = bytes(self.records[0]).ljust(256, b"\0")
        self.created = _date(int.from_bytes(data[36:40]))
        self.saved = _date(int.from_bytes(data[40:44]))

    def number(self, at: int, size: int = 4) -> int:
        """What stands in the first record."""
        return int.from_bytes(self.head[at : at + size])

    @property
    def is_mobi(self) -> bool:
        """Whether it is more than a text of Palm."""
        return self.head[16:20] == b"MOBI"

    @property
    def encoding(self) -> str:
        """Of its text."""
        return "utf-8" if self.is_mobi and self.number(28) == _UTF_8 else _WINDOWS

    def trailing(self, record: bytes) -> int:
        """How many bytes behind a record of text are none of it (the wiki: "Trailing entries")."""
        flags = self.number(242, 2) if self.is_mobi and self.number(20) >= 228 else 0
        count = 0
        for _ in range((flags >> 1).bit_count()):
            size = shift = 0
            for byte in reversed(record[max(0, len(record) - count - 4) : len(record) - count]):
                size |= (byte & 0x7F) << shift
                shift += 7
                if byte & 0x80:
                    break
            count += size
        rest = record[: max(0, len(record) - count)]
        return count + (rest[-1] & 3) + 1 if flags & 1 and rest else count

    def words(self) -> _Words:
        """With which its text is packed."""
        first, count = self.number(112), self.number(116)
        huff, *dictionaries = map(bytes, self.records[first : first + count])
        return _Words(huff, dictionaries)

    def main_flow(self, text: bytes) -> bytes:
        """Of KF8 the pages, without style sheets and drawings behind them."""
        at = self.number(192)
        record = self.records[at] if self.number(36) == 8 and at < len(self.records) else b""
        end = int.from_bytes(record[16:20]) if record[:4] == b"FDST" else 0
        return text[:end] if end else text

    def facts(self) -> dict[int, list[str]]:
        """What it says of itself (EXTH), by number of the kind; the title is one."""
        facts: dict[int, list[str]] = {}
        record = bytes(self.records[0])
        at = 16 + self.number(20)
        has_header = self.is_mobi and self.number(128) & 0x40 and record[at : at + 4] == b"EXTH"
        count = int.from_bytes(record[at + 8 : at + 12]) if has_header else 0
        at += 12
        for _ in range(min(count, _MOST_FACTS)):
            kind, size = (int.from_bytes(record[offset : offset + 4]) for offset in (at, at + 4))
            if size < 8 or at + size > len(record):
                break
            text = record[at + 8 : at + size].decode(self.encoding, "replace")
            facts.setdefault(kind, []).append(text)
            at += size
        if self.is_mobi and TITLE not in facts:
            at, size = self.number(84), self.number(88)
            facts[TITLE] = [record[at : at + size].decode(self.encoding, "replace")]
        return facts

    def pictures(self) -> Iterator[memoryview]:
        """The records that are pictures."""
        return (it for it in self.records if bytes(it[:4]).startswith(_PICTURES))


def _date(seconds: int) -> str:
    """From 1904 where the first bit is set, else from 1970 (the wiki: "PDB")."""
    if not seconds:
        return ""
    moment = (_MAC if seconds >> 31 else _UNIX) + timedelta(seconds=seconds)
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


def _read_mobi(data: bytes, reading: Reading) -> Extracted:
    book = Book(data)
    if book.is_mobi and book.number(12, 2):  # of Palm this is how far it has been read
        raise UnreadableError(ProblemCode.ENCRYPTED, LOCKED)
    packed_how, count = book.number(0, 2), book.number(8, 2)
    packed_text, behind = book.records[1 : 1 + count], book.starts[1 + count : 2 + count]
    text = bytearray()
    is_damaged = len(packed_text) < count or not all(packed_text) or behind > [len(data)]
    try:
        words = book.words() if packed_how == _HUFFMAN else None
        for record in packed_text:
            whole = bytes(record)
            packed = whole[: max(0, len(whole) - book.trailing(whole))]
            if words is not None:
                text += words.unpack(packed)
            else:
                text += packed if packed_how == _STORED else _unpacked(packed)
            packed_files.check_part(len(text), reading.limits)
            reading.step()
    except (ValueError, IndexError, struct.error):
        is_damaged = True
    source = book.main_flow(bytes(text)).decode(book.encoding, "replace")
    shown = shown_in(source) if book.is_mobi else source.replace("\r\n", "\n").replace("\r", "\n")
    return as_far_as_whole(shown, is_damaged=is_damaged)


MOBI = Reader(
    "mobi",
    N_("a Kindle or Mobipocket e-book (mobi, azw3)"),
    N_("e-book (MOBI)"),
    frozenset({".mobi", ".azw", ".azw3", ".prc"}),
    lambda data, _suffix: data[_MAGIC_AT : _MAGIC_AT + 8] in _MAGIC,
    _read_mobi,
    never_text=True,
    libraries=("selectolax.lexbor",),
)
