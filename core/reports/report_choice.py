"""What a user wants in a report: which pairs, which texts, with names or without."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from pathlib import Path

from core.base.files import beginning_of, raised_as
from core.base.messages import N_
from core.base.patterns import lazy_pattern
from core.base.wording import comma_list, count, excerpt, printable_name, quoted, readable_size
from core.documents.model import Document
from core.documents.submissions import person_in
from core.errors import ExportError, SettingsError

MOST_ROWS = 10_000  # pairs of a table that a browser is asked to show
MOST_BYTES = 2_000_000  # it stands in every report
PNG, JPEG = b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff"
# What may stand before the first element of an SVG file; a document type may hold entities.
_SVG = lazy_pattern(
    rb"(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]{0,200}\?>\s*)?(?:<!--(?:(?!-->).){0,2000}-->\s*)*<svg[\s>]",
    re.DOTALL,
)


def media_type(picture: bytes) -> str:
    """The media type of a picture: "image/png", "image/jpeg", "image/svg+xml"; "" if unknown."""
    if picture.startswith(PNG):
        return "image/png"
    if picture.startswith(JPEG):
        return "image/jpeg"
    return "image/svg+xml" if _SVG.match(picture) else ""


def read_logo(path: Path) -> bytes:
    """The bytes of a picture.

    Raises:
        SettingsError: It cannot be read, is too large, or is no PNG, JPEG or SVG.
    """
    shown = printable_name(path.as_posix())
    unread = N_("{name} cannot be read: {why}.")
    with raised_as(SettingsError, unread, name=shown):
        picture = beginning_of(path, MOST_BYTES + 1)
    if len(picture) > MOST_BYTES:
        raise SettingsError(
            "{name} is too large for a logo: over {size} are not taken.",
            name=shown,
            size=readable_size(MOST_BYTES),
        )
    if not media_type(picture):
        raise SettingsError(
            "{name} is no picture for a report: it must be PNG, JPEG or SVG.", name=shown
        )
    return picture


def logo_type(logo: bytes) -> str:
    """The media type of the logo of a report; "" where it has none.

    Raises:
        ExportError: It is no picture.
    """
    kind = media_type(logo)
    if logo and not kind:
        raise ExportError("The logo is no picture that a report can show: PNG, JPEG and SVG are.")
    return kind


MOST_NAMED = 3


def document_named(documents: Sequence[Document], name: str) -> int:
    """The number of the one document with a name, with a name that ends with it, or at a path.

    Raises:
        SettingsError: There is none, or there are several.
    """
    numbers = _named(documents, name)
    if len(numbers) == 1:
        return numbers[0]
    if not numbers:
        raise SettingsError("There is no document “{name}”.", name=excerpt(name))
    first_names = comma_list([quoted(documents[number].name) for number in numbers[:MOST_NAMED]])
    raise SettingsError(
        "“{name}” may be {number} documents: {names}. Give more of the name.",
        name=excerpt(name),
        number=count(len(numbers)),
        names=f"{first_names}, …" if len(numbers) > MOST_NAMED else first_names,
    )


def documents_named(documents: Sequence[Document], name: str) -> tuple[int, ...]:
    """The numbers of the document with a name, of those in a folder, or of one person.

    A person is known where a learning platform has named the files (`core.documents.submissions`).

    Raises:
        SettingsError: There is none, or a file's name without its folder is that of several.
    """
    folder = name.rstrip("/") + "/"
    inside = [n for n, document in enumerate(documents) if document.name.startswith(folder)]
    if inside and not any(document.name == name for document in documents):
        return tuple(inside)
    persons = [n for n, document in enumerate(documents) if _is_of(document.name, name)]
    return tuple(persons) or (document_named(documents, name),)


def _named(documents: Sequence[Document], name: str) -> list[int]:
    exact = [n for n, document in enumerate(documents) if document.name == name]
    ending = [n for n, document in enumerate(documents) if document.name.endswith(f"/{name}")]
    return exact or ending or _at(documents, name)


def _at(documents: Sequence[Document], path: str) -> list[int]:
    """The numbers of the documents at a path, as a shell completes it."""
    paths = [str(document.path / document.part) for document in documents]
    for resolved in (os.path.abspath, os.path.realpath):  # the latter takes a look at each file
        location = os.path.normcase(resolved(path))
        numbers = [n for n, at in enumerate(paths) if os.path.normcase(resolved(at)) == location]
        if numbers:
            return numbers
    return []


def _is_of(name: str, person: str) -> bool:
    people = (person_in(step) for step in name.split("/"))
    return any(owner.name == person for owner in people if owner)


class Scope(StrEnum):
    """Of which pairs a report is."""

    SHOWN = "shown"  # all that the table shows
    CONFIRMED = "confirmed"  # all that were judged to be confirmed
    SUSPECTED = "suspected"  # all that were judged to be confirmed or suspicious
    PAIR = "pair"
    DOCUMENT = "document"  # all pairs of one document, or of one person
    GROUP = "group"  # the pairs between the documents of one group


class Texts(StrEnum):
    """The parts of the two texts of a pair that a report shows."""

    PASSAGES = "passages"
    CHANGES = "changes"
    FULL = "full"
    NONE = "none"


class Paper(StrEnum):
    """The size of the pages."""

    A4 = "a4"
    LETTER = "us-letter"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportChoice:
    """The content and form of a report.

    Attributes:
        scope: Which pairs are in it.
        documents: Numbers of the documents that `scope` is about: two of a pair, one person's, the
            members of a group; empty for others.
        texts: The parts of both texts that are shown: shared passages, differences, or both in
            full beside each other; with `Texts.NONE` the report holds no text of a document.
        most_passages: The most pairs, from the top, whose passages are shown.
        weak_traces: Whether weak traces are in it that nobody judged (`Pairs.weak_trace`), unless
            it is about requested pairs.
        file_properties: Whether it has the properties of files. They name people and computers
            that no text names, so they are left out by default.
        by_document: Whether the pairs of one document stand together.
        names: Whether names are shown; otherwise each is a label as A-17.
        institution: A line at the head of each page; "" for none.
        logo: The bytes of a PNG, JPEG or SVG picture beside it; empty for none.
        paper: The size of the pages.
        created: When, with a time zone; None for now.
    """

    scope: Scope = Scope.SHOWN
    documents: tuple[int, ...] = ()
    texts: Texts = Texts.PASSAGES
    most_passages: int = 200
    weak_traces: bool = True
    file_properties: bool = False
    by_document: bool = False
    names: bool = True
    institution: str = ""
    logo: bytes = b""
    paper: Paper = Paper.A4
    created: datetime | None = None

    @property
    def quotes(self) -> bool:
        """Whether words of texts are shown as they are."""
        return self.names and self.shows_text

    @property
    def shows_text(self) -> bool:
        """Whether any text of a document is in the report."""
        return self.texts is not Texts.NONE


CAUTION = N_(
    "Properties are what a program wrote into the file. They can be wrong, or forged: they do not "
    "prove who wrote a text."
)
NO_CHOICE = ReportChoice()  # the default


if sys.platform == "win32":
    import ctypes

# Unicode CLDR, supplemental measurement data, paperSize: all others print on A4.
LETTER = frozenset(
    ("BZ", "CA", "CL", "CO", "CR", "GT", "MX", "NI", "PA", "PH", "PR", "SV", "US", "VE")
)
_COUNTRY = lazy_pattern(r"[a-z]{2,3}(?:[_-][A-Za-z]{4})?[_-](?P<country>[A-Z]{2})\b")
LONGEST_LOCALE = 85  # characters, LOCALE_NAME_MAX_LENGTH of Windows


def paper_of_country(country: str) -> Paper:
    """The paper of a country by its code of ISO 3166, as "US"; A4 where that is not known."""
    return Paper.LETTER if country in LETTER else Paper.A4


def usual_paper(environment: Mapping[str, str] = os.environ) -> Paper:
    """The paper of the country that the system is set to: LC_ALL, LC_PAPER or LANG."""
    names = (environment.get(name, "") for name in ("LC_ALL", "LC_PAPER", "LANG"))
    match = _COUNTRY.match(next(filter(None, names), "") or _locale_of_windows())
    return paper_of_country(match["country"] if match else "")


def _locale_of_windows() -> str:
    """As "en-US"; "" on other systems."""
    if sys.platform == "win32":
        name = ctypes.create_unicode_buffer(LONGEST_LOCALE)
        ctypes.windll.kernel32.GetUserDefaultLocaleName(name, LONGEST_LOCALE)
        return name.value
    return ""
