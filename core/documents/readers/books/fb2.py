"""FictionBook 2: bodies of sections with paragraphs, poems and notes, in one file of XML."""

from __future__ import annotations

from itertools import islice

from core.documents.readers.reader import Extracted, Reader, Reading
from core.documents.readers.shared.text_flow import Gap, TextFlow
from core.documents.readers.shared.xml import parse_xml, root_pattern
from core.documents.readers.shared.zip_directory import entry_names
from core.documents.readers.shared.zip_package import Package

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


def _recognises(data: bytes, suffix: str) -> bool:
    """By its root, wherever that can be read, or by the only name in an archive."""
    if data.startswith(b"PK\x03\x04"):
        return _only_name(data).endswith(b".fb2")
    return _START.match(data) is not None or (suffix == ".fb2" and _is_wide(data))


def _is_wide(data: bytes) -> bool:
    return data.startswith((b"\xff\xfe", b"\xfe\xff"))


def _only_name(data: bytes) -> bytes:
    """The name of the only file in an archive, in lower case; b"" where there are several."""
    names = list(islice(entry_names(data), 2))
    return names[0].lower() if len(names) == 1 else b""


class _Fb2Book:
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


def _read(data: bytes, reading: Reading) -> Extracted:
    """The bodies, notes last, as they stand in the file."""
    if data.startswith(b"PK"):
        package = Package(data, reading)
        data = package.read(package.infos[0])
    book = _Fb2Book()
    encoding = parse_xml(data, book, reading, tolerates_doctype=True)
    return Extracted(book.flow.text(), encoding)


READER = Reader("fb2", "a FictionBook (fb2)", "e-book (FB2)", _SUFFIXES, _recognises, _read)
