"""One reader per format: it recognises a file and turns its bytes into text.

To add one, write its module and its line in `READERS` of `core.documents.recognition`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from pathlib import Path
from typing import NamedTuple

from core.base.assets import tables_in
from core.base.messages import N_, gettext, ngettext
from core.base.patterns import lazy_pattern
from core.base.wording import count
from core.documents.encoding import Decoded, decode
from core.documents.model import ProblemCode, UnreadableError
from core.documents.reading_settings import ReadingSettings

_HALF = lazy_pattern("[\ud800-\udfff]")


class Extracted(NamedTuple):
    """The text of a document.

    Line ends are LF, a blank line stands between paragraphs, a tab between cells, and a form feed
    (U+000C) between pages, so that the page of a place is one more than the form feeds before it.
    `encoding` is the character encoding, "" where the format leaves no choice. `remarks` are
    sentences on what is not in the text although it is in the file, or was not sure.
    """

    text: str
    encoding: str = ""
    remarks: tuple[str, ...] = ()


def _no_step() -> None:
    """Does nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading(ReadingSettings):
    """Under which conditions one file is read.

    Attributes:
        suffix: Lower-case suffix of its name, ".pdf", or "".
        step: Called whenever the reader has got on, with a page, a part or a mail: who does not
            call for long is stopped.
    """

    suffix: str = ""
    step: Callable[[], None] = _no_step


def reading_of(
    settings: ReadingSettings, suffix: str, step: Callable[[], None] = _no_step
) -> Reading:
    """How to read one file under some settings."""
    given = {field.name: getattr(settings, field.name) for field in fields(ReadingSettings)}
    return Reading(**given, suffix=suffix, step=step)


class Part(NamedTuple):
    """A document inside a file: an attachment, a mail in a mailbox, a file in an archive.

    `name` is its path inside the file, with "/", as it is written there; `data` its bytes, or why
    they cannot be had.
    """

    name: str
    data: bytes | UnreadableError


class PageWords(NamedTuple):
    """What form feeds part: "p. 12", "pp. 12–13", "12 pages"; messages."""

    one: str
    several: str
    number: Callable[[int], str]

    def cite(self, first: int, last: int) -> str:
        """One of them, or some in a row, from 1 on."""
        if last == first:
            return gettext(self.one, number=count(first))
        return gettext(self.several, first=count(first), last=count(last))


PAGES = PageWords(
    N_("p. {number}"),
    N_("pp. {first}–{last}"),
    lambda number: ngettext("{n} page", "{n} pages", number),
)
SLIDES = PageWords(
    N_("slide {number}"),
    N_("slides {first}–{last}"),
    lambda number: ngettext("{n} slide", "{n} slides", number),
)
SHEETS = PageWords(
    N_("sheet {number}"),
    N_("sheets {first}–{last}"),
    lambda number: ngettext("{n} sheet", "{n} sheets", number),
)


class Reader(NamedTuple):
    """One format: all that the program knows of it.

    Attributes:
        kind: Its name in `Document.kind`, "pdf".
        label: What a file of it is, in a sentence: "a PDF file".
        short_label: The same beside the name of a document, "PDF"; "" where the name says enough,
            or a file of this format has no text of its own.
        suffixes: Lower-case endings of names that promise it.
        recognises: Takes the bytes of a file and the lower-case suffix of its name.
        read: Makes the text; raises `UnreadableError` for a file it cannot read. None: a file of
            this format has no text of its own, only parts.
        parts: The documents inside the file, in their order; None where there are none.
        isolated: It runs in a process of its own, because a file made to do harm, or a fault in a
            library, may crash it, hang it, or eat all memory.
        is_archive: It is opened only when archives are asked for.
        is_picture: It is read only when text recognition is asked for.
        has_scans: It may have pages to recognise.
        never_text: No file of it can be read in an editor: a text under its suffix is damaged.
        pages: What its pages are called.
        is_paged: Every file of it has pages: a text without form feeds is one.
        libraries: Modules outside of the standard library that it imports when it reads.
    """

    kind: str
    label: str
    short_label: str
    suffixes: frozenset[str]
    recognises: Callable[[bytes, str], bool]
    read: Callable[[bytes, Reading], Extracted] | None = None
    parts: Callable[[bytes, Reading], Iterator[Part]] | None = None
    isolated: bool = True
    is_archive: bool = False
    is_picture: bool = False
    has_scans: bool = False
    never_text: bool = False
    pages: PageWords = PAGES
    is_paged: bool = False
    libraries: tuple[str, ...] = ()

    def extracted(self, data: bytes, reading: Reading) -> Extracted:
        """The text of a file; of a format that has some of its own."""
        if self.read is None:
            raise TypeError(self.kind)
        return self.read(data, reading)

    @property
    def may_be_scanned(self) -> bool:
        """Whether it may have pages to recognise, itself or in its parts, which take long."""
        return self.has_scans or self.parts is not None


def decoded(data: bytes) -> Decoded:
    """The bytes of a file of text as text.

    Raises:
        UnreadableError: The bytes are no text.
    """
    result = decode(data)
    if result is None:
        raise UnreadableError(
            ProblemCode.BINARY, "This file holds no text: its bytes fit no character encoding."
        )
    return result


def whole_characters(text: str) -> str:
    """A text without halves of characters (lone surrogates), which UTF-8 cannot encode."""
    return _HALF.sub("\ufffd", text)


def joined_halves(text: str) -> str:
    """Halves of a character, as UTF-16 has them, put together; a lone one becomes U+FFFD."""
    if not _HALF.search(text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def tables_of(reader: str) -> dict[str, list[str]]:
    """The words of the tables in `tables/`, each below what it is called."""
    path = Path(__file__).with_name("tables") / f"{reader}.txt"
    return {name: words.split() for name, words in tables_in(path).items()}
