"""XML read element by element, with nothing declared and nothing fetched."""

from __future__ import annotations

import re
from xml.parsers import expat

from core.documents.model import ProblemCode, UnreadableError
from core.documents.readers.reader import Reading, decoded

_STEP = 1 << 20  # bytes
# What the parser knows itself. For any other encoding it would ask Python, and fail for those with
# more than one byte to a character.
_NATIVE = frozenset({"utf-8", "utf-16", "utf-16le", "utf-16be", "iso-8859-1", "us-ascii"})
# A mark, a declaration, comments, a document type: each taken as a whole or not at all.
_PROLOG = (
    rb"(?:\xef\xbb\xbf)?\s{0,99}+(?:(?><\?[^>]{0,999}>|<!--.{0,2000}?-->"
    rb"|<!DOCTYPE[^>\[]{0,999}(?:\[[^\]]{0,2000}\][^>]{0,99})?>)\s{0,99}+){0,9}+"
)


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


class Elements(Handler):
    """Collects the elements of a short document: names and attributes, in their order."""

    def __init__(self) -> None:
        self.found: list[tuple[str, dict[str, str]]] = []

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """An element begins."""
        self.found.append((name, attributes))


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
