"""The properties of the files of a folder besides their texts, and those that two files share.

A property that many files have is common, like common text: the form of a university, a converter,
the person who made the template. It says nothing of two of them, nor does one that a template has.
What counts is a property that few files have; how many is always said. Copies of a file, byte for
byte, count as one.

That shared numbers of sessions show copies of one file, and that anybody can change them, is known
from S. Garfinkel and J. Migletz (New XML-Based Files: Implications for Forensics, IEEE Security &
Privacy 7, 2009). How many values make one rare is our own assumption.

Numbers that are drawn at random are the same by chance now and then: of 1,000 Word files with 100
sessions each, 300 pairs share one. So many must be the same that one folder in 100 has a pair by
chance. Two people also begin in the same minute, to which Word tells a date: that alone is not
called rare. Nor is the second of a date in a minute that other files have, too: whoever prints a
folder to PDF makes several in each second.

Properties are read from the files when they are needed. No review keeps them, and a report has them
only on request.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from core.base.messages import as_shown, gettext, stored
from core.base.patterns import lazy_pattern
from core.base.tasks import (
    Progress,
    ProgressReport,
    Stage,
    WorkerPool,
    ignore,
    results_of,
    stop_if_cancelled,
    stoppable,
    worker_count,
)
from core.documents.discovery import find_documents
from core.documents.extraction import DocumentProperties, Failure, failure_of
from core.documents.isolation.processes import ReaderProcesses
from core.documents.model import Document, FoundFile, Role, UnreadableError
from core.documents.problems import from_os_error
from core.documents.properties import (
    CREATED,
    DATES,
    KIND,
    KINDS,
    PARAGRAPHS,
    SAVED,
    SESSION_TEXTS,
    SESSIONS,
    Properties,
    PropertyKind,
    contradicting,
    joins,
    share_written,
    united,
)
from core.documents.readers.properties import KINDS_WITH_PROPERTIES
from core.documents.reading import read_bytes, suffix_of, with_either_line_ends
from core.documents.reading_settings import ReadingSettings
from core.documents.recognition import is_plain_text
from core.errors import FolderError

if TYPE_CHECKING:
    from core.scan.scan import Scan

RARE_SHARE = 0.05  # of the files: so many may have a property that is called rare
# But two in any case, and no more than these: the pairs of a large folder that share one of a
# class or a department would grow with the square of its files, and tell nothing.
RARE_LEAST, RARE_MOST = 2, 20
FAMILY = 10  # files of a group that came from each other; what more of it have is of a form
CHANCE = 0.01  # of a folder to have a pair that shares as many numbers drawn at random
_TO_THE_MINUTE = 16  # characters of a date
_WHOLE_MINUTE = lazy_pattern(r":00(?:\.0*)?(?:Z|[+-][\d:]*)?$")
# Word draws sessions of 24 bits, as its files show, and paragraph numbers of 31 ([MS-DOCX] 2.2.4).
# LibreOffice draws the first below 2**21 and adds a number below 2**17 for each of the others.
_BITS = {SESSIONS: 24, PARAGRAPHS: 31}
_OF_LIBREOFFICE, _ITS_BITS = 1 << 20, 17


def _beats_chance(kind: PropertyKind, values: Sequence[str], chances: int, documents: int) -> bool:
    """Whether two documents share more than chance would; always true where nothing is random.

    Args:
        kind: Of the values.
        values: Those that are the same.
        chances: How many values A has, times those of B.
        documents: How many documents there are.
    """
    surprise = sum(_bits(kind, value) - math.log2(chances) for value in values)
    return kind not in _BITS or surprise >= math.log2(documents**2 / 2 / CHANCE)


def _bits(kind: PropertyKind, value: str) -> int:
    """How many bits of a value are random."""
    may_be_small = kind is SESSIONS and int(value, 16) < _OF_LIBREOFFICE
    return _ITS_BITS if may_be_small else _BITS.get(kind, 0)


class FileProperties(NamedTuple):
    """The properties of the file of a document.

    Attributes:
        properties: Those of its file; empty where it has none.
        identity: The SHA-256 of its file, and of a part where it is in there; "" where the file was
            not read, and for the files of a submission.
        is_template: Whether its properties are not rare in other files.
        why_none: Why its file could not be read, a sentence; "" where it was.
    """

    properties: Properties
    identity: str = ""
    is_template: bool = False
    why_none: str = ""


class SharedProperty(NamedTuple):
    """Values of one kind that two documents have.

    Attributes:
        kind: Which.
        values: These, those that fewest others have first.
        of_a: How many values A has.
        of_b: How many values B has.
        files: In how many files each of them is, A and B among them.
        is_rare: Whether one of them is in few.
        texts: How much of the texts of A and B was written in those editing sessions that few files
            have, 0 to 1; empty for other kinds, and where that is not known of both.
    """

    kind: PropertyKind
    values: tuple[str, ...]
    of_a: int
    of_b: int
    files: tuple[int, ...]
    is_rare: bool
    texts: tuple[float, ...] = ()

    @property
    def alone(self) -> int:
        """How many of the values are in no other file."""
        return sum(number <= 2 for number in self.files)


class FolderProperties:
    """The properties of documents, counted.

    Attributes:
        documents: Those of each, by its number.
        rare_most: In how many files a property may be that is called rare.
    """

    def __init__(self, documents: Sequence[FileProperties]) -> None:
        self.documents = documents
        self._rarest: dict[str, dict[str, int]] | None = None  # by file and other file
        self._holders: dict[tuple[str, str], list[int]] = {}
        for number, document in enumerate(stoppable(documents)):
            for value in _all_of(document.properties):
                self._holders.setdefault(value, []).append(number)
        identities = [document.identity or str(n) for n, document in enumerate(documents)]
        self._identities = identities
        self._copies: dict[str, list[int]] = {}  # those with properties, by file
        for number, document in enumerate(stoppable(documents)):
            if document.properties:
                self._copies.setdefault(identities[number], []).append(number)
        self._files = {
            value: len({identities[number] for number in holders}) if len(holders) > 1 else 1
            for value, holders in stoppable(self._holders.items())
        }
        minutes: dict[tuple[str, str], set[str]] = {}
        for code, date in self._holders:
            if KIND[code] in DATES:
                minutes.setdefault((code, date[:_TO_THE_MINUTE]), set()).add(date)
        self._seconds = {minute: len(dates) for minute, dates in minutes.items()}
        self._of_templates = {
            value
            for properties in stoppable(documents)
            if properties.is_template
            for value in _all_of(properties.properties)
        }
        share = int(RARE_SHARE * len({*identities}))
        self.rare_most = min(RARE_MOST, max(RARE_LEAST, share))

    def files_with(self, kind: PropertyKind, value: str) -> int:
        """In how many files a value is."""
        return self._files.get((kind.code, value), 0)

    def shared(self, a: int, b: int) -> tuple[SharedProperty, ...]:
        """What two documents share, rare properties first; nothing for copies of one file."""
        return tuple(
            sorted(self._shared(a, b), key=lambda shared_property: not shared_property.is_rare)
        )

    def _shared(self, a: int, b: int) -> Iterator[SharedProperty]:
        both = self.documents[a], self.documents[b]
        if both[0].identity and both[0].identity == both[1].identity:
            return
        for kind in KINDS:
            of_a, of_b = (file.properties.get(kind.code, ()) for file in both)
            values = [value for value in {*of_a} & {*of_b} if joins(kind, value)]
            # A date of printing may be that of an earlier file: it is marked, and joins.
            is_dated = values and kind in {CREATED, SAVED}
            if is_dated and any(kind in contradicting(file.properties) for file in both):
                values = []
            if values:
                values.sort(key=lambda value: (self.files_with(kind, value), value))
                is_telling = self._is_significant(kind, values, len(of_a) * len(of_b))
                yield SharedProperty(
                    kind,
                    tuple(values),
                    len(of_a),
                    len(of_b),
                    tuple(self.files_with(kind, value) for value in values),
                    is_telling,
                    self._texts(both, values) if is_telling and kind is SESSIONS else (),
                )

    def _texts(self, both: Iterable[FileProperties], sessions: Iterable[str]) -> tuple[float, ...]:
        rare = {value for value in sessions if self._is_rare((SESSIONS.code, value))}
        shares = (share_written(file.properties.get(SESSION_TEXTS.code, ()), rare) for file in both)
        known = tuple(share for share in shares if share is not None)
        return known if len(known) == 2 else ()

    def linked(self, kind: PropertyKind, documents: Iterable[int]) -> list[tuple[int, int]]:
        """The pairs of these documents that share values which no other has, nor a template.

        More of them than chance gives, and none that more than `FAMILY` have: that is of a form.
        """
        values_of = {
            document: self.documents[document].properties.get(kind.code, ())
            for document in documents
        }
        shared: dict[tuple[int, int], list[str]] = {}
        for value in dict.fromkeys(value for values in values_of.values() for value in values):
            holders = self._holders[kind.code, value]
            is_exclusive = 1 < len(holders) <= FAMILY and values_of.keys() >= {*holders}
            if is_exclusive and joins(kind, value) and (kind.code, value) not in self._of_templates:
                for pair in combinations(holders, 2):
                    shared.setdefault(pair, []).append(value)
        return sorted(
            (a, b)
            for (a, b), values in shared.items()
            if _beats_chance(kind, values, len(values_of[a]) * len(values_of[b]), len(values_of))
        )

    def in_order(self, numbers: Sequence[int]) -> FolderProperties:
        """The same documents in another order, by the numbers that they have in this one."""
        return FolderProperties([self.documents[number] for number in numbers])

    def _is_significant(self, kind: PropertyKind, values: Sequence[str], chances: int) -> bool:
        """Whether two files share more than chance would, and properties that few files have."""
        rare = [value for value in values if self._is_rare((kind.code, value))]
        if kind in DATES:
            return any(
                not _WHOLE_MINUTE.search(value)
                and self._seconds[kind.code, value[:_TO_THE_MINUTE]] == 1
                for value in rare
            )
        return bool(rare) and _beats_chance(kind, rare, chances, len(self.documents))

    def _is_rare(self, value: tuple[str, str]) -> bool:
        return self._files[value] <= self.rare_most and value not in self._of_templates

    def pairs(self) -> list[tuple[int, int]]:
        """The pairs of documents of different files that share a rare property, rarest first.

        Of copies each is in pairs of its own: their number grows with the square of the copies.
        """
        self._find_rarest()
        pairs = sorted(
            (files, a, b)
            for a in stoppable(range(len(self.documents)))
            for files, b in self._sharing_with(a)
            if a < b
        )
        return [(a, b) for _, a, b in pairs]

    def rare_among(self, pairs: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
        """Those of these pairs that `pairs` returns, in their order. Raises as it does."""
        rarest, file_of = self._find_rarest(), self._identities
        return [
            (a, b)
            for a, b in pairs
            if self.documents[a].properties
            and self.documents[b].properties
            and file_of[b] in rarest.get(file_of[a], ())
        ]

    def sharing_with(self, document: int) -> list[int]:
        """The documents that share a rare property with this one, rarest first."""
        return [number for _, number in sorted(self._sharing_with(document))]

    def _sharing_with(self, document: int) -> Iterator[tuple[int, int]]:
        """In how many files the rarest property is that another document shares, and that one."""
        if self.documents[document].properties:
            counts = self._find_rarest().get(self._identities[document], {})
            for file, files in counts.items():
                for copy in self._copies[file]:
                    yield files, copy

    def _find_rarest(self) -> dict[str, dict[str, int]]:
        """By two files, in how many files the rarest property is that they share; computed once."""
        if self._rarest is not None:
            return self._rarest
        file_of, rarest = self._identities, dict[str, dict[str, int]]()
        groups = {
            tuple(dict.fromkeys(file_of[number] for number in numbers))
            for (code, value), numbers in self._holders.items()
            if len(numbers) > 1 and self._is_rare((code, value)) and joins(KIND[code], value)
        }
        # The first copies of both files are compared: the others have the same properties.
        for a, b in {pair for files in groups for pair in combinations(files, 2)}:
            stop_if_cancelled()
            if rare := [
                shared_property.files[0]
                for shared_property in self._shared(self._copies[a][0], self._copies[b][0])
                if shared_property.is_rare
            ]:
                rarest.setdefault(a, {})[b] = rarest.setdefault(b, {})[a] = min(rare)
        self._rarest = rarest
        return rarest


def _all_of(properties: Properties) -> Iterator[tuple[str, str]]:
    return ((code, value) for code, values in properties.items() for value in values)


class NamedProperties(NamedTuple):
    """A document in a folder that was not scanned, and its properties."""

    name: str
    properties: FileProperties


def properties_of_folders(
    folders: Sequence[Path],
    templates: Sequence[Path] = (),
    *,
    reading: ReadingSettings,
    progress: Progress = ignore,
) -> list[NamedProperties]:
    """The properties of every file in these folders, and every document in an archive or a mail.

    Raises:
        FolderError: A folder cannot be read, or there is no file.
    """
    listed_files, problems = find_documents([*folders, *templates])
    if not listed_files:
        raise FolderError(
            as_shown(problems[0].detail) if problems else gettext("There is no file to look at.")
        )
    of_template = {file.location for file in find_documents(templates)[0]}
    files = _read(listed_files, reading, progress)
    return [
        NamedProperties(
            f"{file.name}/{result.part}" if result.part else file.name,
            FileProperties(
                result.properties if isinstance(result, DocumentProperties) else {},
                sha256 and sha256 + result.part,
                file.location in of_template,
                result.detail if isinstance(result, Failure) else "",
            ),
        )
        for file, (sha256, results) in zip(listed_files, files, strict=True)
        for result in results
    ]


def properties_of_documents(
    documents: Sequence[Document], *, reading: ReadingSettings, progress: Progress = ignore
) -> FolderProperties:
    """The properties of the files of scanned documents, as long as these have not changed.

    A file with other line ends counts as unchanged.
    """
    wanted = dict.fromkeys(
        document.location for document in stoppable(documents) if _may_have_properties(document)
    )
    files, _ = find_documents([Path(path) for path in wanted], unusable={})
    known = set[str]()
    for document in stoppable(documents):
        known.update([document.sha256], (member.sha256 for member in document.members))
    read = _read(files, reading, progress, known)
    by_hash = {sha256: results for sha256, results in read if sha256 in known}
    return FolderProperties([_of_document(document, by_hash) for document in stoppable(documents)])


def properties_of_scan(
    scan: Scan, *, reading: ReadingSettings | None = None, progress: Progress = ignore
) -> FolderProperties:
    """The properties of all documents of a scan, which are read once."""
    if scan.file_properties is None:
        reading = reading or scan.reading or ReadingSettings()
        scan.file_properties = properties_of_documents(
            scan.documents, reading=reading, progress=progress
        )
    return scan.file_properties


def _may_have_properties(document: Document) -> bool:
    """Whether the file of a document may have properties."""
    may = document.kind in KINDS_WITH_PROPERTIES or bool(document.members)
    return may and not document.is_removed


def _of_document(
    document: Document, by_hash: dict[str, tuple[DocumentProperties | Failure, ...]]
) -> FileProperties:
    """The properties of the file of a document, or of the files of a submission together."""
    hashes = (
        [document.sha256] if document.sha256 else [member.sha256 for member in document.members]
    )
    results = [
        failure
        for sha256 in hashes
        for failure in by_hash.get(sha256, ())
        if not document.sha256 or _is_of(failure.part, document)
    ]
    why_none = next((result.detail for result in results if isinstance(result, Failure)), "")
    if _may_have_properties(document) and not by_hash.keys() >= {*hashes}:
        why_none = why_none or stored("This file is gone, or was changed since it was read.")
    return FileProperties(
        united(result.properties for result in results if isinstance(result, DocumentProperties)),
        document.sha256 and document.sha256 + document.part,
        document.role is Role.TEMPLATE,
        why_none,
    )


def _is_of(part: str, document: Document) -> bool:
    """Whether a part of a file is a document, or one of the files of a submission in an archive."""
    of_submission = bool(document.members) and part.startswith(f"{document.part}/".lstrip("/"))
    return part == document.part or of_submission


def _read(
    files: Sequence[FoundFile],
    reading: ReadingSettings,
    progress: Progress,
    known: Collection[str] = (),
) -> Iterator[tuple[str, tuple[DocumentProperties | Failure, ...]]]:
    """The SHA-256 of each file, and the properties of its documents; several files at a time.

    With other line ends it may be one of those that are `known`: then that is given.
    """
    progress(ProgressReport(Stage.PROPERTIES, 0, len(files)))
    with ReaderProcesses(reading) as processes, WorkerPool() as pool:
        tasks = (pool.submit(_properties_of_file, file, processes, known) for file in files)
        for number, result in enumerate(results_of(tasks, 2 * worker_count() + 1)):
            yield result
            progress(ProgressReport(Stage.PROPERTIES, number + 1, len(files)))


def _properties_of_file(
    file: FoundFile, processes: ReaderProcesses, known: Collection[str]
) -> tuple[str, tuple[DocumentProperties | Failure, ...]]:
    try:
        data, _ = read_bytes(file.location, processes.settings.limits, file.real)
    except OSError as error:
        problem = from_os_error(file.name, error)
        return "", (Failure("", problem.code, problem.detail),)
    except (UnreadableError, MemoryError) as error:
        return "", (failure_of(error, ""),)
    suffix = suffix_of(file.location)
    sha256 = hashlib.sha256(data).hexdigest()
    if known and sha256 not in known:
        hashes = (hashlib.sha256(end).hexdigest() for end in with_either_line_ends(data))
        sha256 = next((digest for digest in hashes if digest in known), sha256)
    if is_plain_text(data, suffix):
        return sha256, (DocumentProperties("", {}),)
    return sha256, tuple(processes.properties(data, suffix))
