"""Packages of Office Open XML (ECMA-376, ISO/IEC 29500): parts that point to each other."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterator
from itertools import islice
from typing import NamedTuple, TypeVar
from urllib.parse import unquote

from core.documents.model import ProblemCode, UnreadableError
from core.documents.readers import Extracted, Reading
from core.documents.readers.shared import xml
from core.documents.readers.shared.packed_files import (
    HEADER,
    LOCAL,
    Package,
    beginning_of,
    check_part,
    inflated,
    open_zip,
)
from core.documents.readers.shared.story import WordStory, as_far_as_whole, refused_parts

_Word = TypeVar("_Word", bound=WordStory)
_OFF = frozenset({"0", "false", "off"})


def is_yes(value: str) -> bool:
    """The value of an attribute that is on or off; it is off where it is missing."""
    return value != "" and value not in _OFF


def is_on(attributes: dict[str, str]) -> bool:
    """The value of a property that is on or off; its mere presence turns it on."""
    return xml.attribute(attributes, "w:val") not in _OFF


class OfficeHandler(xml.StoryHandler[_Word]):
    """Reads text that may be there in several ways (`mc:AlternateContent`): the first counts.

    Attributes:
        written: How often there was text.
    """

    def __init__(
        self, story: _Word, graphic: Callable[[str], str], starts: xml.Starts, ends: xml.Ends
    ) -> None:
        """With what reads a chart or a diagram, by the relation to it."""
        more: xml.Starts = {
            "mc:AlternateContent": lambda _: self._alternatives.append(self.written),
            "mc:Choice mc:Fallback": self._start_alternative,
            "c:chart": lambda it: self._add_graphic(xml.attribute(it, "r:id")),
            "dgm:relIds": lambda it: self._add_graphic(xml.attribute(it, "r:dm")),
        }
        super().__init__(
            story, starts | more, ends | {"mc:AlternateContent": self._end_alternatives}
        )
        self.written = 0
        self._graphic = graphic
        self._alternatives: list[int] = []

    def _write(self, text: str) -> None:
        self._stories[-1].pieces.append(text)
        self.written += 1

    def _add_graphic(self, relation: str) -> None:
        if text := self._graphic(relation):
            self._stories[-1].add_box(text)
            self.written += 1

    def _start_alternative(self, attributes: dict[str, str]) -> None:
        """Of several ways to say a thing, the first with text is read."""
        if self._alternatives and self.written > self._alternatives[-1]:
            self._skip(attributes)

    def _end_alternatives(self) -> None:
        if self._alternatives:
            self._alternatives.pop()


_STORED, _DEFLATED = 0, 8
_AFTER_MEMBER = (LOCAL, b"PK\x01\x02", b"PK\x07\x08", b"PK\x06\x08")
_LOCKED = 0x1
_SIZE_LATER = 0x8
_UNKNOWN = 0xFFFFFFFF
_LONGEST_NAME = 4_096  # bytes that are looked at
_MOST_MEMBERS = 10_000  # each may have a name of 64 KB


class _Member(NamedTuple):
    """A part by its own header; its `size` is -1 where the header does not tell it."""

    name: str
    start: int
    method: int
    is_locked: bool
    size: int


def _members(data: bytes, most: int) -> Iterator[_Member]:
    """The parts of a ZIP file by their own headers, without what is inside of them.

    Args:
        data: The file.
        most: Bytes that may be unpacked to find where parts end that do not tell their size.
    """
    at = data.find(LOCAL)
    while 0 <= at <= len(data) - HEADER.size:
        _, _, flags, method, _, _, _, size, _, name_length, extra = HEADER.unpack_from(data, at)
        start = at + HEADER.size + name_length
        name = data[at + HEADER.size : min(start, at + HEADER.size + _LONGEST_NAME)]
        start += extra
        is_known = size not in {0, _UNKNOWN} or not flags & _SIZE_LATER
        is_locked = bool(flags & _LOCKED)
        yield _Member(
            name.decode("utf-8", "replace"), start, method, is_locked, size if is_known else -1
        )
        end = start + size
        if not is_known:
            content, end = inflated(data, start, most) if method == _DEFLATED else (b"", start)
            most -= len(content)
        if not data.startswith(_AFTER_MEMBER, end):  # its size is a lie
            if end > len(data):
                return
            end = at + len(LOCAL)
        at = data.find(LOCAL, end)


class SalvagedPackage:
    """The parts of a damaged ZIP file, each as far as it can be unpacked."""

    def __init__(self, data: bytes, reading: Reading) -> None:
        self._data = data
        self._reading = reading
        self._members: dict[str, _Member] = {}  # the first of a name counts
        for member in _members(data, reading.limits.part_bytes):
            reading.step()
            if member.method in {_STORED, _DEFLATED} and not member.is_locked:
                self._members.setdefault(member.name, member)
        self.names = list(self._members)

    def read(self, name: str) -> bytes:
        """A part, to where it breaks; empty where it is missing.

        Raises:
            UnreadableError: TOO_BIG_UNPACKED.
        """
        member = self._members.get(name)
        if member is None:
            return b""
        self._reading.step()
        if member.method == _STORED:
            return self._data[member.start : member.start + max(member.size, 0)]
        limits = self._reading.limits
        content, _ = inflated(self._data, member.start, limits.part_bytes + 1)
        check_part(len(content), limits)
        return content


_LOOK = 1 << 16  # bytes of the list of types that are looked at
_TYPES_PART = "[Content_Types].xml"
_FOLDERS = {"word": "docx", "ppt": "pptx", "xl": "xlsx"}
_MOST_UNPACKED = 1 << 22  # bytes, to see what a file is that broke off
_TYPES = (
    (b"wordprocessingml", "docx"),
    (b"presentationml", "pptx"),
    (b"spreadsheetml", "xlsx"),
    (b"ms-word", "docx"),
    (b"ms-powerpoint", "pptx"),
    (b"ms-excel", "xlsx"),
)
_PACKAGE = "http://schemas.openxmlformats.org/package/2006/"
_RELATIONSHIP = f"{_PACKAGE}relationships Relationship"


def office_kind(data: bytes) -> str | None:
    """Whether a file is a "docx", "pptx" or "xlsx", from the names of its parts; never raises."""
    if not data.startswith(LOCAL):
        return None
    archive = open_zip(data)
    parts = (
        archive.namelist() if archive else (part.name for part in _members(data, _MOST_UNPACKED))
    )
    names = [_normal(name) for name in islice(parts, _MOST_MEMBERS)]
    if archive and _TYPES_PART.lower() not in names:  # one that broke off may have lost the types
        return None
    kinds = {_FOLDERS[folder] for name in names if (folder := name.partition("/")[0]) in _FOLDERS}
    if len(kinds) == 1:
        return kinds.pop()
    types = beginning_of(archive, _TYPES_PART, _LOOK) if archive else b""
    declared = [(types.find(name), kind) for name, kind in _TYPES if name in types]
    return min(declared)[1] if declared else None


class Relation(NamedTuple):
    """What a part points to: the last word of its type, and another part."""

    kind: str
    target: str


class OfficeFile:
    """The parts of a document. One that is damaged is read as far as it goes.

    Attributes:
        is_damaged: Something could not be read. It becomes known while reading.

    Raises:
        UnreadableError: DAMAGED where nothing can be unpacked.
    """

    def __init__(self, data: bytes, reading: Reading) -> None:
        self._data = data
        self._reading = reading
        self.is_damaged = False
        self._main = ""
        self._refused: UnreadableError | None = None
        self._refusals: set[str] = set()
        self._salvaged: SalvagedPackage | None = None
        self._package: Package | SalvagedPackage
        try:
            self._package = Package(data, reading)
        except UnreadableError as error:
            if error.code is not ProblemCode.DAMAGED:
                raise
            self._package = self._without_directory()
            if not self._package.names:
                raise
        self._names = {_normal(name): name for name in self._package.names}

    def _without_directory(self) -> SalvagedPackage:
        """The parts by their own headers, in place of the directory of the package."""
        self.is_damaged = True
        self._salvaged = self._salvaged or SalvagedPackage(self._data, self._reading)
        return self._salvaged

    def step(self) -> None:
        """Tell that the reader gets on."""
        self._reading.step()

    def __contains__(self, part: str) -> bool:
        return _normal(part) in self._names

    def parts(self, beginning: str) -> list[str]:
        """Names of all parts that begin so."""
        return [name for name in self._names if name.startswith(beginning)]

    def read(self, part: str) -> bytes | None:
        """A part, None where it is missing.

        Raises:
            UnreadableError: TOO_BIG_UNPACKED, ENCRYPTED, UNSUPPORTED.
        """
        name = self._names.get(_normal(part))
        if name is None:
            return None
        try:
            return self._package.read(name)
        except UnreadableError as error:
            if error.code is not ProblemCode.DAMAGED:
                raise
            return self._without_directory().read(name)

    def parse(self, part: str, handler: xml.Handler) -> bool:
        """Parse a part, to where it breaks; false where it is missing.

        A part with a document type declaration is refused, and of the main part the whole file.

        Raises:
            UnreadableError: As of `read`; DTD_REFUSED.
        """
        data = self.read(part)
        if data is None:
            return False
        try:
            xml.parse_xml(data, handler, self._reading)
        except UnreadableError as error:
            if error.code is ProblemCode.DTD_REFUSED and part != self._main:
                self._refused = error
                self._refusals.add(part)
            elif error.code is ProblemCode.DAMAGED:
                self.is_damaged = True
            else:
                raise
        return True

    def elements(self, part: str) -> list[tuple[str, dict[str, str]]]:
        """The names and attributes of all elements of a short part, to where it breaks."""
        elements = xml.Elements()
        self.parse(part, elements)
        return elements.elements

    def extracted(self, text: str, remarks: tuple[str, ...]) -> Extracted:
        """What was read.

        Raises:
            UnreadableError: DAMAGED where it is damaged and has no text, DTD_REFUSED where what was
                refused may be all of it.
        """
        if self._refused is not None:
            if not text.strip():
                raise self._refused
            remarks = (refused_parts(len(self._refusals)), *remarks)
        return as_far_as_whole(text, remarks, is_damaged=self.is_damaged)

    def main_part(self, otherwise: str) -> str:
        """The part that is the document: the package points to it; otherwise its usual name."""
        targets = (
            relation.target
            for relation in self.relations("").values()
            if relation.kind == "officeDocument"
        )
        self._main = next((target for target in targets if target in self), otherwise)
        return self._main

    def relations(self, part: str) -> dict[str, Relation]:
        """What a part points to in the package, by its identifiers; "" is the whole package."""
        folder, name = posixpath.split(part)
        relations = {}
        for element, attributes in self.elements(posixpath.join(folder, "_rels", f"{name}.rels")):
            is_external = attributes.get("TargetMode", "").lower() == "external"
            if element == _RELATIONSHIP and not is_external:
                kind = attributes.get("Type", "").rpartition("/")[2]
                target = posixpath.join("/", folder, attributes.get("Target", ""))
                target = posixpath.normpath(target).lstrip("/")
                relations[attributes.get("Id", "")] = Relation(kind, target)
        return relations


def _normal(name: str) -> str:
    """Names of parts are compared without case; some programs write them with a backslash."""
    return unquote(name).replace("\\", "/").lstrip("/").lower()


_KINDS = frozenset({"chart", "diagramData", "drawing"})
_TEXT = xml.names_of("a:t")
_PARAGRAPHS = xml.names_of("a:p")
_VALUES = xml.names_of("c:v")
_NUMBERS = xml.names_of("c:numCache c:numLit")


def graphic_text(file: OfficeFile, relation: Relation | None) -> str:
    """The titles and labels of a chart, or the boxes of a diagram, a line each."""
    if relation is None or relation.kind not in _KINDS:
        return ""
    graphic = _Graphic()
    file.parse(relation.target, graphic)
    return "\n".join(dict.fromkeys(line for line in graphic.lines if line))


def drawings(file: OfficeFile, sheet: str) -> Iterator[str]:
    """The words in the drawings of a sheet, and in the charts in them."""
    for drawing in file.relations(sheet).values():
        if drawing.kind == "drawing":
            yield graphic_text(file, drawing)
            for chart in file.relations(drawing.target).values():
                yield graphic_text(file, chart)


class _Graphic(xml.Handler):
    """Collects the lines of text; the numbers behind a chart are not shown in it."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._pieces: list[str] = []
        self._reads = False
        self._numbers = 0

    def start(self, name: str, _attributes: dict[str, str]) -> None:
        self._numbers += name in _NUMBERS
        self._reads = name in _TEXT or (name in _VALUES and not self._numbers)

    def end(self, name: str) -> None:
        self._numbers -= name in _NUMBERS
        self._reads = False
        if name in _PARAGRAPHS or name in _VALUES:
            self.lines.append("".join(self._pieces).strip())
            self._pieces.clear()

    def text(self, text: str) -> None:
        if self._reads:
            self._pieces.append(text)
