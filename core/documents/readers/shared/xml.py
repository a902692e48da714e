"""XML read element by element, with nothing declared and nothing fetched.

Elements and attributes are written here with the prefixes that specifications give them, "w:p"; the
parser has "namespace local". The two editions of Office Open XML (transitional, strict) have
namespaces of their own; Word 2003, before there was a standard, has the same names in a third.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import Any, Generic, TypeAlias, TypeVar
from xml.parsers import expat

from core.documents.model import ProblemCode, UnreadableError
from core.documents.readers import Reading, decoded
from core.documents.readers.shared.story import Story

_STEP = 1 << 20  # bytes
# What the parser knows itself. For any other encoding it would ask Python, and fail for those with
# more than one byte to a character.
_NATIVE = frozenset({"utf-8", "utf-16", "utf-16le", "utf-16be", "iso-8859-1", "us-ascii"})
# A mark, a declaration, comments, a document type: each taken as a whole or not at all.
_PROLOG = (
    rb"(?:\xef\xbb\xbf)?\s{0,99}+(?:(?><\?[^>]{0,999}>|<!--.{0,2000}?-->"
    rb"|<!DOCTYPE[^>\[]{0,999}(?:\[[^\]]{0,2000}\][^>]{0,99})?>)\s{0,99}+){0,9}+"
)


Starts: TypeAlias = dict[str, Callable[[dict[str, str]], None]]
Ends: TypeAlias = dict[str, Callable[[], None]]
_Value = TypeVar("_Value")
_Story = TypeVar("_Story", bound=Story)

_OPEN = "http://schemas.openxmlformats.org"
_STRICT = "http://purl.oclc.org/ooxml"
_OPEN_DOCUMENT = "urn:oasis:names:tc:opendocument:xmlns"
_NAMESPACES = {
    "w": (
        f"{_OPEN}/wordprocessingml/2006/main",
        f"{_STRICT}/wordprocessingml/main",
        "http://schemas.microsoft.com/office/word/2003/wordml",
    ),
    "r": (f"{_OPEN}/officeDocument/2006/relationships", f"{_STRICT}/officeDocument/relationships"),
    "m": (f"{_OPEN}/officeDocument/2006/math", f"{_STRICT}/officeDocument/math"),
    "aml": ("http://schemas.microsoft.com/aml/2001/core",),
    "mc": (f"{_OPEN}/markup-compatibility/2006",),
    "a": (f"{_OPEN}/drawingml/2006/main", f"{_STRICT}/drawingml/main"),
    "p": (f"{_OPEN}/presentationml/2006/main", f"{_STRICT}/presentationml/main"),
    "x": (f"{_OPEN}/spreadsheetml/2006/main", f"{_STRICT}/spreadsheetml/main"),
    "c": (f"{_OPEN}/drawingml/2006/chart", f"{_STRICT}/drawingml/chart"),
    "dgm": (f"{_OPEN}/drawingml/2006/diagram", f"{_STRICT}/drawingml/diagram"),
    # The one of OpenDocument that is not named like its prefix, and what it takes from others.
    "draw": (f"{_OPEN_DOCUMENT}:drawing:1.0",),
    "math": ("http://www.w3.org/1998/Math/MathML",),
    "xlink": ("http://www.w3.org/1999/xlink",),
    "loext": ("urn:org:documentfoundation:names:experimental:office:xmlns:loext:1.0",),
}


@cache
def _expanded(names: str) -> tuple[str, ...]:
    """The full names of "w:a w:b"; a prefix that is not known is one of OpenDocument."""
    return tuple(
        f"{namespace} {local}"
        for prefix, _, local in (name.partition(":") for name in names.split())
        for namespace in _NAMESPACES.get(prefix) or (f"{_OPEN_DOCUMENT}:{prefix}:1.0",)
    )


def names_of(names: str) -> frozenset[str]:
    """Names as the parser gives them, of elements written as "w:a w:b"."""
    return frozenset(_expanded(names))


def named(values: dict[str, _Value]) -> dict[str, _Value]:
    """The same under the names that the parser gives; "w:a w:b" stands for two elements."""
    return {name: value for names, value in values.items() for name in _expanded(names)}


def attribute(attributes: dict[str, str], name: str) -> str:
    """The value of the attribute "w:val", "" where there is none."""
    for full in _expanded(name):
        if full in attributes:
            return attributes[full]
    return ""


class _OtherEncodingError(Exception):
    """The document declares an encoding that the parser does not know."""


class Handler:
    """What is told of the elements, and ignores it; names are "namespace local" or "local"."""

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """An element begins."""

    def end(self, name: str) -> None:
        """An element ends."""

    def text(self, text: str) -> None:
        """Characters, in pieces of any length."""


class ElementHandler(Handler):
    """Does what is written down for the start and the end of an element, unless that is skipped."""

    def __init__(self, starts: Starts, ends: Ends) -> None:
        self._starts = named(starts)
        self._ends = named(ends)
        self._skipped = 0  # elements open in one that is not read

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """An element begins."""
        if self._skipped:
            self._skipped += 1
        elif action := self._starts.get(name):
            action(attributes)

    def end(self, name: str) -> None:
        """An element ends."""
        if self._skipped:
            self._skipped -= 1
        elif action := self._ends.get(name):
            action()

    def _skip(self, _attributes: dict[str, str]) -> None:
        self._skipped = 1

    def _set(self, **values: object) -> Callable[..., None]:
        """What gives attributes of this reader these values, whatever an element says."""
        return lambda *_: vars(self).update(values)


class StoryHandler(ElementHandler, Generic[_Story]):
    """Reads a story, and others that begin in the midst of it."""

    def __init__(self, story: _Story, starts: Starts, ends: Ends) -> None:
        super().__init__(starts, ends)
        self._stories = [story]

    def _call_story(self, what: Callable[[_Story], Any]) -> Callable[..., None]:
        """A method of the story that is open when an element begins or ends."""
        return lambda *_: what(self._stories[-1])


class Elements(Handler):
    """Collects the elements of a short document: names and attributes, in their order."""

    def __init__(self) -> None:
        self.elements: list[tuple[str, dict[str, str]]] = []

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """An element begins."""
        self.elements.append((name, attributes))


def root_pattern(name: bytes) -> re.Pattern[bytes]:
    """What matches the start of a document whose root has this name, before a prefix is known."""
    return re.compile(_PROLOG + rb"<" + name + rb"(?=[\s>/])", re.DOTALL | re.IGNORECASE)


def parse_xml(
    data: bytes, handler: Handler, reading: Reading, *, tolerates_doctype: bool = False
) -> str:
    """Parse a document of XML; returns its encoding, "" for one that the parser knows itself.

    A document type declaration is refused: through it a file can include others, or grow without
    end ("billion laughs"). Books name their type by custom: where that is tolerated, nothing is
    fetched, entities it might define stand for nothing, and declaring one is refused.

    Raises:
        UnreadableError: DAMAGED, BINARY or DTD_REFUSED.
    """
    try:
        _parse(data, None, handler, reading, tolerates_doctype=tolerates_doctype)
    except _OtherEncodingError:
        text, name = decoded(data)
        utf8 = text.encode("utf-8", "replace")
        _parse(utf8, "utf-8", handler, reading, tolerates_doctype=tolerates_doctype)
        return name
    return ""


def _parse(
    data: bytes,
    encoding: str | None,
    handler: Handler,
    reading: Reading,
    *,
    tolerates_doctype: bool,
) -> None:
    """Parse a document in the encoding given, or in the one it declares."""
    parser = expat.ParserCreate(encoding, namespace_separator=" ")
    parser.buffer_text = True
    parser.StartElementHandler = handler.start
    parser.EndElementHandler = handler.end
    parser.CharacterDataHandler = handler.text
    if tolerates_doctype:
        parser.EntityDeclHandler = _refuse
    else:
        parser.StartDoctypeDeclHandler = _refuse
    if encoding is None:
        parser.XmlDeclHandler = _check_encoding
    try:
        for start in range(0, len(data), _STEP):
            parser.Parse(data[start : start + _STEP], False)
            reading.step()
        parser.Parse(b"", True)
    except expat.ExpatError as error:
        raise UnreadableError(
            ProblemCode.DAMAGED,
            "This file is damaged: its XML ends or breaks in line {line}. Open it in the "
            "program it was made with and save it again.",
            line=f"{error.lineno:,}",
        ) from error


def _check_encoding(_version: str, encoding: str | None, _standalone: int) -> None:
    """Called with the declaration, before any element."""
    if encoding is not None and encoding.lower() not in _NATIVE:
        raise _OtherEncodingError


def _refuse(*_declaration: object) -> None:
    raise UnreadableError(
        ProblemCode.DTD_REFUSED,
        "This file declares entities (a DOCTYPE), through which it could read other files. "
        "Documents do not need that; it was not read.",
    )
