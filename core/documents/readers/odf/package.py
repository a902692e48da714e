"""The parts of an OpenDocument package (ODF 1.3, part 2), or the one part of a flat file."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from contextlib import contextmanager

from core.documents.model import ProblemCode
from core.documents.readers.odf.locks import Lock, Manifest, unlocked
from core.documents.readers.odf.names import short_name
from core.documents.readers.reader import Reading
from core.documents.readers.shared.xml import Handler, parse_xml
from core.documents.readers.shared.zip_package import Package
from core.documents.unreadable import UnreadableError

_MANIFEST = "META-INF/manifest.xml"
_WHOLE = "encrypted-package"


class OpenDocument:
    """What a reader asks of a file: its styles, its content, its embedded formulas.

    Attributes:
        refusals: How many parts beside the content declare entities, and were not read.

    Raises:
        UnreadableError: DAMAGED, or what unpacking and decrypting raise.
    """

    def __init__(self, data: bytes, reading: Reading) -> None:
        self._reading = reading
        self.refusals = 0
        self._flat = b"" if data.startswith(b"PK") else data
        self._package = None if self._flat else Package(data, reading)
        self._locks = self._read_locks()
        if _WHOLE in self._locks:  # as LibreOffice does since 24.2: a package in a package
            self._package = Package(self._read(_WHOLE), reading)
            self._locks = {}

    def _read_locks(self) -> dict[str, Lock]:
        if self._package is None or _MANIFEST not in self._package:
            return {}
        source = self._package.read(_MANIFEST)
        if b"encryption-data" not in source:
            return {}
        manifest = Manifest()
        parse_xml(source, manifest, self._reading, tolerates_doctype=True)
        return {name: lock for name, lock in manifest.locks.items() if name in self._package}

    def _read(self, name: str) -> bytes:
        if self._package is None:
            return b""
        data = self._package.read(name)
        lock = self._locks.get(name)
        return data if lock is None else unlocked(data, lock, self._reading)

    def parse_styles(self, handler: Handler) -> None:
        """Tell the handler of the part with the styles; a flat file has them in its content."""
        if self._package is not None and "styles.xml" in self._package:
            with self._refusing_a_part():
                parse_xml(self._read("styles.xml"), handler, self._reading)

    @contextmanager
    def _refusing_a_part(self) -> Iterator[None]:
        """What a part declares costs only that part."""
        try:
            yield
        except UnreadableError as error:
            if error.code is not ProblemCode.DTD_REFUSED:
                raise
            self.refusals += 1

    def parse_content(self, handler: Handler) -> None:
        """Tell the handler of the content."""
        if self._package is None:
            parse_xml(self._flat, handler, self._reading)
        elif "content.xml" in self._package:
            parse_xml(self._read("content.xml"), handler, self._reading)
        else:
            raise UnreadableError(
                ProblemCode.DAMAGED,
                "This file is damaged: the part with its text is missing. Get another copy.",
            )

    def formula(self, href: str) -> str:
        """The signs of an embedded formula; "" for any other object, or a damaged one.

        The formula editor of OpenOffice.org names the type of its documents; that is tolerated.
        """
        name = posixpath.normpath(f"{href}/content.xml")
        if self._package is None or name not in self._package:
            return ""
        handler = _Formula()
        with self._refusing_a_part(), _keeping_what_is_whole():
            source = self._read(name)
            parse_xml(source, handler, self._reading, tolerates_doctype=True)
        return "".join(handler.signs)


@contextmanager
def _keeping_what_is_whole() -> Iterator[None]:
    """A part that is damaged is read to where it breaks."""
    try:
        yield
    except UnreadableError as error:
        if error.code is not ProblemCode.DAMAGED:
            raise


class _Formula:
    """Collects the signs of MathML, without its annotations."""

    def __init__(self) -> None:
        self.signs: list[str] = []
        self._open: list[str] = []

    def start(self, name: str, _attributes: dict[str, str]) -> None:
        self._open.append(short_name(name))

    def end(self, _name: str) -> None:
        self._open.pop()

    def text(self, text: str) -> None:
        """Characters of an identifier, a number, an operator or a text."""
        if self._open[0] == "math:math" and self._open[-1] in _TOKENS:
            self.signs.append(text.strip())


_TOKENS = frozenset(f"math:{name}" for name in ("mi", "mn", "mo", "ms", "mtext"))
