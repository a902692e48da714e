"""Presentations of PowerPoint 97 to 2003 (ppt, pps, pot), [MS-PPT]: slides, each with its notes."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass, field

from core.base.messages import N_
from core.documents.readers import SLIDES, Extracted, Reader, Reading
from core.documents.readers.shared.packed_files import OleFile, root_names, unlocked
from core.documents.readers.shared.story import Tally, as_far_as_whole

# Numbers of records (2.13.24).
_DOCUMENT, _SLIDE, _SLIDE_FACTS, _NOTES, _SHOW = 1000, 1006, 1007, 1008, 1017
_LIST, _LISTED, _OUTLINE = 4080, 1011, 3998
_TEXT_KIND, _WIDE_TEXT, _TEXT, _PLACEHOLDER = 3999, 4000, 4008, 3011
_EDIT, _PERSIST_DIRECTORY, _SHAPE = 4085, 6002, 0xF004
_MASTERS_LIST, _NOTES_LIST = 1, 2
_TITLES = frozenset({0, 6})  # kinds of text
_BOILERPLATE = frozenset({7, 8, 9, 10})  # placeholders: date, number, footer, header
_LOCKED = 0xF3D1C4DF
_HIDDEN = 0x4
_STEP = 1 << 12  # records


@dataclass(slots=True)
class _Listed:
    """A slide, or notes, in the list of them: where it is, and text that is not in its shapes.

    `texts` have a rank before them: 0 a title, 1 what is no title.
    """

    offset: int
    number: int
    texts: list[tuple[int, str]] = field(default_factory=list)


@dataclass(slots=True)
class _Page:
    """What stands on a slide, or in notes; `texts` as in the list."""

    notes: int = 0
    is_hidden: bool = False
    texts: list[tuple[int, str]] = field(default_factory=list)

    def text(self) -> str:
        texts = sorted(self.texts, key=lambda it: it[0])
        return "\n\n".join(text for _, text in texts if text)


class _Presentation:
    def __init__(self, file: OleFile, reading: Reading) -> None:
        self._stream = file.stream("PowerPoint Document")
        self._reading = reading
        user = file.stream("Current User").ljust(20, b"\0")
        token, edit = struct.unpack_from("<II", user, 12)
        self.is_locked = token == _LOCKED
        self.is_damaged = False
        self.tally = Tally()
        self._offsets: dict[int, int] = {}
        self._document = self._read_directory(edit)
        self._read: set[int] = set()

    def _record(self, at: int) -> tuple[int, int, int, int]:
        """Version, instance and number of a record, and where it ends; number 0 for none."""
        if not 0 <= at <= len(self._stream) - 8:
            return 0, 0, 0, at
        head, kind, size = struct.unpack_from("<HHI", self._stream, at)
        return head & 0xF, head >> 4, kind, min(at + 8 + size, len(self._stream))

    def _walk(self, at: int) -> Iterator[tuple[int, int, bytes]]:
        """All records in the one at a place: instance, number, and content of what holds none."""
        _, _, _, end = self._record(at)
        at += 8
        count = 0
        while at + 8 <= end:
            version, instance, kind, after = self._record(at)
            is_container = version == 0xF
            yield instance, kind, b"" if is_container else self._stream[at + 8 : after]
            at = at + 8 if is_container else after
            count += 1
            if not count % _STEP:
                self._reading.step()

    def _read_directory(self, edit: int) -> int:
        """Where the parts are, the newest of each (2.3.4); returns the number of the document."""
        document = 0
        while edit and self._record(edit)[2] == _EDIT and edit + 28 <= len(self._stream):
            before, table, number = struct.unpack_from("<III", self._stream, edit + 16)
            document = document or number
            for key, offset in self._listed_offsets(table):
                self._offsets.setdefault(key, offset)
            edit = before if before < edit else 0  # an edit follows those before it
        return document

    def _listed_offsets(self, at: int) -> Iterator[tuple[int, int]]:
        _, _, kind, end = self._record(at)
        at += 8
        while kind == _PERSIST_DIRECTORY and at + 4 <= end:
            (head,) = struct.unpack_from("<I", self._stream, at)
            first, count = head & 0xFFFFF, head >> 20
            at += 4
            for number in range(min(count, (end - at) // 4)):
                yield first + number, struct.unpack_from("<I", self._stream, at + 4 * number)[0]
            at += 4 * count

    def pages(self) -> list[str]:
        """The slides in their order; one that is not shown is an empty page."""
        start = self._offsets.get(self._document, -1)
        if self._record(start)[2] != _DOCUMENT:
            return self._pages_without_list()
        slides, notes = self._lists(start)
        notes_by_number = {it.number: it for it in notes}
        pages = []
        for listed in slides:
            page = self._page(listed, _SLIDE)
            self.tally.hidden_slides += page.is_hidden
            remarks = notes_by_number.get(page.notes) if page.notes else None
            below = self._page(remarks, _NOTES).text() if remarks else ""
            texts = () if page.is_hidden else (page.text(), below)
            pages.append("\n\n".join(text for text in texts if text))
        return pages

    def _pages_without_list(self) -> list[str]:
        """Of a damaged file, all slides that are found."""
        self.is_damaged = True
        pages = []
        at = 0
        while at + 8 <= len(self._stream):
            _, _, kind, end = self._record(at)
            if kind == _SLIDE:
                pages.append(self._page(_Listed(at, 0), _SLIDE).text())
            at = end
        return pages

    def _lists(self, start: int) -> tuple[list[_Listed], list[_Listed]]:
        """The slides, and the notes, that the document lists."""
        slides: list[_Listed] = []
        notes: list[_Listed] = []
        inside: list[_Listed] | None = None
        rank = 1
        for instance, kind, content in self._walk(start):
            if kind == _LIST:
                inside = {_MASTERS_LIST: None, _NOTES_LIST: notes}.get(instance, slides)
            elif inside is None:
                continue
            elif kind == _LISTED and len(content) >= 16:
                reference, number = struct.unpack_from("<I8xI", content)
                inside.append(_Listed(self._offsets.get(reference, -1), number))
            elif kind == _TEXT_KIND:
                rank = _rank(content)
            elif inside and kind in {_WIDE_TEXT, _TEXT}:
                inside[-1].texts.append((rank, _shown(kind, content)))
        return slides, notes

    def _page(self, listed: _Listed, wanted: int) -> _Page:
        """A slide or notes, shape by shape."""
        page = _Page()
        if self._record(listed.offset)[2] != wanted or listed.offset in self._read:
            self.is_damaged = True
            page.texts = listed.texts
            return page
        self._read.add(listed.offset)
        self._reading.step()
        left = dict(enumerate(listed.texts))
        rank, is_boilerplate = 1, False
        for _, kind, content in self._walk(listed.offset):
            text = ""
            if kind == _SHAPE:
                rank, is_boilerplate = 1, False
            elif kind == _PLACEHOLDER:
                is_boilerplate = content[4:5] != b"" and content[4] in _BOILERPLATE
            elif kind == _TEXT_KIND:
                rank = _rank(content)
            elif kind in {_WIDE_TEXT, _TEXT}:
                text = _shown(kind, content)
            elif kind == _OUTLINE:
                rank, text = left.pop(int.from_bytes(content[:4], "little"), (1, ""))
            else:
                _take_facts(page, kind, content)
            if text and not is_boilerplate:
                page.texts.append((rank, text))
        page.texts[:0] = left.values()
        return page


def _take_facts(page: _Page, kind: int, content: bytes) -> None:
    if kind == _SLIDE_FACTS:
        page.notes = int.from_bytes(content[16:20], "little")
    elif kind == _SHOW:
        page.is_hidden = bool(int.from_bytes(content[10:12], "little") & _HIDDEN)


def _rank(content: bytes) -> int:
    return 0 if int.from_bytes(content[:4], "little") in _TITLES else 1


def _shown(kind: int, content: bytes) -> str:
    """Paragraphs as lines; fields, such as the number of the slide, stand as a star."""
    text = content.decode("utf-16-le" if kind == _WIDE_TEXT else "latin-1", "replace")
    text = text.replace("\r", "\n").replace("\v", "\n").replace("\0", "").strip()
    return "" if text == "*" else text


def _read(data: bytes, reading: Reading) -> Extracted:
    """Slide by slide."""
    presentation = _Presentation(OleFile(data), reading)
    if presentation.is_locked:
        presentation = _Presentation(OleFile(unlocked(data, reading)), reading)
    text = "\f".join(presentation.pages())
    remarks = presentation.tally.remarks()
    return as_far_as_whole(text, remarks, is_damaged=presentation.is_damaged)


READER = Reader(
    "ppt",
    N_("a presentation of PowerPoint 97 to 2003 (ppt)"),
    N_("slides (ppt)"),
    frozenset({".ppt", ".pps", ".pot"}),
    lambda data, _suffix: "POWERPOINT DOCUMENT" in root_names(data),
    _read,
    pages=SLIDES,
    libraries=("msoffcrypto", "olefile"),
)
