"""The properties of a file besides its text: author, times, editing sessions, pictures.

Programs write such properties into a file and keep them when it is passed on and its words are
exchanged. They are what a computer believed, and anybody can change them: facts of the file, never
proof of who wrote a text.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from core.base.messages import N_
from core.base.patterns import lazy_pattern

MOST_BYTES = 4 << 20  # of all values of a file, as JSON
MOST_CHARACTERS = 200  # of a value
# And halves of characters, which UTF-8 cannot encode.
_UNPRINTABLE = lazy_pattern(
    "[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]+"
)
_EARLIEST = datetime(1987, 1, 1, tzinfo=UTC)  # the first word processor of a format here
# Some programs write no seconds, others no time zone.
_ROUNDED, UNSURE = timedelta(seconds=30), timedelta(days=1)
_MINUTES_MOST = 10 * 365 * 24 * 60
_REVISIONS_MOST = 1_000_000


class PropertyKind(NamedTuple):
    """One kind of property.

    Attributes:
        code: Its name in files for programs.
        label: Its name for people, a message.
        joins: Whether two files with the same value have something in common by that: a time of
            editing that is the same by chance has not.
        is_id: The value is a number for machines, of which how many there are is told.
        most: So many values are taken from a file.
    """

    code: str
    label: str
    joins: bool = True
    is_id: bool = False
    most: int = 100

    def is_shown_in_report(self, *, names: bool) -> bool:
        """Whether a report shows the values; of identifiers it shows only how many there are.

        Without names only numbers are told: whoever has the files knows them by a date, and names
        of people stand in titles, paths of templates and names of programs.
        """
        return not self.is_id and (names or self in {REVISION, MINUTES})


CREATED_BY = PropertyKind("created_by", N_("Created by"))
SAVED_BY = PropertyKind("saved_by", N_("Last saved by"))
COMMENTED_BY = PropertyKind("commented_by", N_("Comments and changes by"))
COMPANY = PropertyKind("company", N_("Company"))
TITLE = PropertyKind("title", N_("Title in the file"))
CREATED = PropertyKind("created", N_("Created"))
SAVED = PropertyKind("saved", N_("Last saved"))
PRINTED = PropertyKind("printed", N_("Last printed"))
REVISION = PropertyKind("revision", N_("Times saved"), joins=False)
MINUTES = PropertyKind("minutes", N_("Minutes of editing"), joins=False)
PROGRAM = PropertyKind("program", N_("Program"), joins=False)
TEMPLATE = PropertyKind("template", N_("Made from the template"), joins=False)
SESSIONS = PropertyKind("sessions", N_("Editing sessions"), is_id=True, most=20_000)
SESSION_TEXTS = PropertyKind(
    "session_texts", N_("Editing sessions in the text"), joins=False, is_id=True, most=20_000
)
PARAGRAPHS = PropertyKind("paragraphs", N_("Paragraph numbers"), is_id=True, most=20_000)
FILE_IDS = PropertyKind("file_ids", N_("File identifiers"), is_id=True, most=1_000)
EARLIER_IDS = PropertyKind(
    "earlier_ids", N_("Earlier identifiers"), joins=False, is_id=True, most=1_000
)
VERSIONS = PropertyKind("versions", N_("Versions in the file"), joins=False, is_id=True, most=1_000)
FONTS = PropertyKind("fonts", N_("Font subsets"), joins=False)
PICTURES = PropertyKind("pictures", N_("Pictures and files"), is_id=True, most=2_000)

KINDS = (
    *(CREATED_BY, SAVED_BY, CREATED, SAVED, PRINTED, MINUTES, REVISION, PROGRAM, TEMPLATE),
    *(COMPANY, TITLE, COMMENTED_BY, SESSIONS, SESSION_TEXTS, PARAGRAPHS),
    *(FILE_IDS, EARLIER_IDS, VERSIONS, FONTS, PICTURES),
)
KIND = {kind.code: kind for kind in KINDS}
DATES = frozenset({CREATED, SAVED, PRINTED})

Properties = Mapping[str, tuple[str, ...]]  # values by code of the kind, without repetition, sorted

# What programs write into every file until somebody says something else.
_USUAL = {
    CREATED_BY: {"", "-", "user", "admin", "administrator", "author", "unknown", "unknown author"}
    | {"python-docx"},
    TITLE: {"", "-", "untitled", "microsoft word", "powerpoint presentation", "title"},
    CREATED: {"2013-12-23T23:15:00Z", "2006-09-16T00:00:00Z", "2006-08-16T00:00:00Z"},
    SESSIONS: {"00000000"},
    PARAGRAPHS: {"00000000"},
}
_USUAL |= {SAVED_BY: _USUAL[CREATED_BY], COMMENTED_BY: _USUAL[CREATED_BY]}


def collected(found: Iterable[tuple[PropertyKind, str | None]]) -> Properties:
    """The properties that a reader collected: values on one line, without empty ones."""
    values: dict[str, set[str]] = {}
    for kind, value in found:
        shown = clean(value or "")
        known = values.setdefault(kind.code, set())
        if shown and len(known) < kind.most:
            known.add(shown)
    return {code: tuple(sorted(known)) for code, known in values.items() if known}


def clean(value: str) -> str:
    """A value on one line, of bounded length, that moves no cursor and turns no text round."""
    line = " ".join(_UNPRINTABLE.sub(" ", value[: 4 * MOST_CHARACTERS]).split())
    return line if len(line) <= MOST_CHARACTERS else line[: MOST_CHARACTERS - 1] + "…"


def checked(values: object) -> Properties:
    """Properties as a process sent them, which a file may have taken over.

    Raises:
        ValueError: No reader says that; TypeError also means that.
    """
    if not isinstance(values, dict) or not KIND.keys() >= values.keys():
        raise ValueError("no properties")
    for code, of_kind in values.items():
        if not isinstance(of_kind, list) or len(of_kind) > KIND[code].most:
            raise TypeError("no values")
        if any(not isinstance(value, str) or clean(value) != value for value in of_kind):
            raise ValueError("no values")
    return {code: tuple(sorted(set(of_kind))) for code, of_kind in values.items() if of_kind}


def united(properties: Iterable[Properties]) -> Properties:
    """The properties of several files that are one document.

    Without the shares of their texts that sessions wrote, which are of each file.
    """
    files = [*properties]
    pairs = (
        (KIND[code], value)
        for file_properties in files
        for code, of in file_properties.items()
        for value in of
        if code != SESSION_TEXTS.code or len(files) == 1
    )
    return collected(pairs)


def is_possible(kind: PropertyKind, value: str) -> bool:
    """Whether a value can be true; one that cannot is shown and never used."""
    if kind in DATES:
        moment = moment_of(value)
        tomorrow = datetime.now(UTC) + timedelta(days=1)
        return moment is not None and _EARLIEST <= moment <= tomorrow
    if kind in {MINUTES, REVISION}:
        most = _MINUTES_MOST if kind is MINUTES else _REVISIONS_MOST
        return value.isdecimal() and value.isascii() and int(value) <= most
    return True


def contradicting(properties: Properties) -> Mapping[PropertyKind, PropertyKind]:
    """The properties of a file that contradict each other.

    What was printed before the file was created may be what it was made from.
    """
    contradicted: dict[PropertyKind, PropertyKind] = {}
    edited = _longest_between(properties, CREATED, SAVED)
    if edited < timedelta():
        contradicted |= {CREATED: SAVED, SAVED: CREATED}
    elif any(
        is_possible(MINUTES, minutes) and timedelta(minutes=int(minutes)) > edited
        for minutes in properties.get(MINUTES.code, ())
    ):
        contradicted[MINUTES] = CREATED
    if _longest_between(properties, CREATED, PRINTED) < timedelta():
        contradicted[PRINTED] = CREATED
    return contradicted


def _longest_between(
    properties: Properties, first: PropertyKind, second: PropertyKind
) -> timedelta:
    """How long there can have been between two dates of a file; any time where one is unknown."""
    moments, unsure = [], timedelta()
    for kind in (first, second):
        dates = properties.get(kind.code, ())
        moment = moment_of(dates[0]) if len(dates) == 1 and is_possible(kind, dates[0]) else None
        if moment is None:
            return timedelta.max
        moments.append(moment)
        unsure += _ROUNDED if datetime.fromisoformat(dates[0]).tzinfo else UNSURE
    return moments[1] - moments[0] + unsure


_SESSION_TEXT = lazy_pattern(r"([0-9A-F]{8}) (\d{1,10})/(\d{1,10})")


def share_written(texts: Iterable[str], sessions: Container[str]) -> float | None:
    """How much of a text was written in some sessions, by `SESSION_TEXTS`; None if unknown."""
    matches = [match for text in texts if (match := _SESSION_TEXT.fullmatch(text))]
    total = max((int(match[3]) for match in matches), default=0)
    written = sum(int(match[2]) for match in matches if match[1] in sessions)
    return min(written / total, 1.0) if total else None


def joins(kind: PropertyKind, value: str) -> bool:
    """Whether two files that both have a value have something in common by that."""
    usual = value in _USUAL.get(kind, ()) or value.casefold() in _USUAL.get(kind, ())
    return kind.joins and not usual and is_possible(kind, value)


def moment_of(value: str) -> datetime | None:
    """A date of a file (ISO 8601, as `iso_date` writes it); None for what is none.

    One without a time zone is taken for UTC: it only has to be in order within a day.
    """
    try:
        moment = datetime.fromisoformat(value)
    except ValueError:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


_PDF_DATE = lazy_pattern(
    r"D?:?(\d{4})(\d{2})?(\d{2})?(\d{2})?(\d{2})?(\d{2})?(?:(Z)|([+-])(\d{2})'?(\d{2})?)?"
)


def pdf_date(value: str) -> str:
    """A date of PDF (ISO 32000-2, 7.9.4) as ISO 8601; as it is where it is none."""
    match = _PDF_DATE.match(value)
    if match is None:
        return value
    year, month, day, hour, minute, second, utc, sign, hours, minutes = match.groups()
    date = f"{year}-{month or '01'}-{day or '01'}T{hour or '00'}:{minute or '00'}:{second or '00'}"
    zone = "Z" if utc else f"{sign}{hours}:{minutes or '00'}" if sign else ""
    return date + zone


_DURATION = lazy_pattern(
    r"P(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)(?:\.\d*)?S)?)?"
)


def minutes_of(duration: str) -> str:
    """A duration of XML Schema ("PT2H5M3S") in whole minutes; as it is where it is none."""
    match = _DURATION.fullmatch(duration)
    if match is None:
        return duration
    years, months, days, hours, minutes, seconds = (
        int(group[:9] or 0) for group in match.groups("0")
    )
    total = ((years * 365 + months * 30 + days) * 24 + hours) * 60 + minutes + seconds // 60
    return str(total)
