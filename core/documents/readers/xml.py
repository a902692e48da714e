"""XML read element by element, with nothing declared, nothing fetched and a limit to its depth."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol
from xml.parsers import expat

from core.documents.model import ProblemCode
from core.documents.readers.base import Reading, UnreadableError

__all__ = ["Handler", "parse_xml"]

_STEP = 1 << 20  # bytes


class Handler(Protocol):
    """What is told of the elements; names are "namespace local" or "local"."""

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """An element begins."""

    def end(self, name: str) -> None:
        """An element ends."""

    def text(self, text: str) -> None:
        """Characters, in pieces of any length."""


def parse_xml(data: bytes, handler: Handler, reading: Reading) -> None:
    """Parse a document of XML.

    A document type declaration is refused: through it a file can include others, or grow without
    end ("billion laughs").

    Raises:
        UnreadableError: DAMAGED, DTD_REFUSED or TOO_DEEP.
    """
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.buffer_text = True
    depth = 0

    def start(name: str, attributes: dict[str, str]) -> None:
        nonlocal depth
        depth += 1
        if depth > reading.limits.nesting:
            raise UnreadableError(
                ProblemCode.TOO_DEEP,
                f"The elements of this file are nested more than {reading.limits.nesting:,} deep.",
            )
        handler.start(name, attributes)

    def end(name: str) -> None:
        nonlocal depth
        depth -= 1
        handler.end(name)

    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = handler.text
    parser.StartDoctypeDeclHandler = _refuse
    _feed(parser.Parse, data, reading)


def _feed(parse: Callable[[bytes, bool], int], data: bytes, reading: Reading) -> None:
    try:
        for start in range(0, len(data), _STEP):
            parse(data[start : start + _STEP], False)
            reading.step()
        parse(b"", True)
    except expat.ExpatError as error:
        raise UnreadableError(
            ProblemCode.DAMAGED,
            f"This file is damaged: its XML ends or breaks in line {error.lineno:,}. Open it in "
            f"the program it was made with and save it again.",
        ) from error


def _refuse(*_declaration: object) -> None:
    raise UnreadableError(
        ProblemCode.DTD_REFUSED,
        "This file declares entities (a DOCTYPE), through which it could read other files. "
        "Office documents do not need that; it was not read.",
    )
