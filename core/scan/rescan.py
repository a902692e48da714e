"""Matches the documents of an earlier scan: unchanged, changed, moved, or missing.

Documents are recognised by the location of their file and, where that is another, by their bytes
or, in a file that was written again or converted, by their text (see `core.text.identity`):

    same location, same bytes            ─▶ unchanged      other bytes ─▶ changed
    other location, same bytes or text   ─▶ moved          no location ─▶ gone, or not read

A document that was not met is never dropped: it stays with its text, marked with the day on which
it was first missed. A folder that is not there or a file that is locked says nothing about what is
in it, so its documents count as not read, not as gone. A file that is now read as a part of a
submission, or no longer as one, is another document: the earlier one is missed only if somebody has
judged it. What is known of an earlier scan is not read again (`KnownDocuments`).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Hashable, Iterable, Sequence
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from core.base.wording import printable_name
from core.documents.model import (
    Absence,
    AbsenceKind,
    Document,
    FoundFile,
    Problem,
    ReadDocument,
    text_key,
)

if TYPE_CHECKING:
    from core.documents.reading_settings import ReadingSettings
    from core.scan.state import ScanState
    from core.settings import ScanSettings

Key = tuple[str, str]  # location of the file, part of it


class AbsolutePaths:
    """Absolute locations of files."""

    def __init__(self) -> None:
        self._folders: dict[str, str] = {}

    def key(self, document: Document) -> Key:
        """Identifies a document within its scan."""
        return self.of(document.location), document.part

    def of(self, location: str) -> str:
        """The absolute path, links as they are; quick for many files of one folder."""
        name_start = location.rfind(os.sep) + 1
        folder = location[:name_start]
        if folder not in self._folders:
            self._folders[folder] = os.path.join(os.path.abspath(folder), "")
        return self._folders[folder] + location[name_start:]

    @staticmethod
    def inside(folder: Path) -> str:
        """The start that the locations of the files in a folder have in common."""
        return os.path.join(os.path.abspath(folder), "")


class KeptDocument(NamedTuple):
    """A document of the earlier scan that stays, as it is now, and its number there."""

    document: Document
    number: int


class Matched(NamedTuple):
    """Two scans compared, by numbers of their documents.

    Attributes:
        unchanged: Earlier and present number of documents with the same bytes at one location.
        changed: As above, of those with other bytes.
        moved: As above, of those with the same bytes, or else the same text, at another location.
        added: Present numbers of all others.
        missed: The earlier documents that were not met, those that were removed among them.
        were_at: Where the files of the earlier documents were (see `AbsolutePaths`).
        are_at: Where those of the present ones are.
    """

    unchanged: list[tuple[int, int]]
    changed: list[tuple[int, int]]
    moved: list[tuple[int, int]]
    added: list[int]
    missed: list[KeptDocument]
    were_at: list[str]
    are_at: list[str]


class ReadFiles(NamedTuple):
    """Files that a rescan has read, where some were or are read together.

    Attributes:
        alone: Locations of those that are each a document, and of the folders they are in.
        together: Locations of those that are parts of submissions.
        judged: Keys of texts with a judgement (see `core.documents.model.text_key`).
    """

    alone: Collection[str] = ()
    together: Collection[str] = ()
    judged: Collection[str] = ()

    def hold(self, document: Document, location: str) -> bool:
        """Whether an earlier document consists of files that are now read in the other way."""
        if document.is_removed or text_key(document) in self.judged:
            return False
        return location in (self.alone if document.members else self.together)


class SearchedFolders(NamedTuple):
    """Where a rescan has looked.

    Attributes:
        folders: Those it could look into.
        problems: What it could not read.
        today: The day.
        outdated: Whether the earlier texts are those of older readers.
        files: What it has read in another way than the scan before.
    """

    folders: Sequence[Path]
    problems: Sequence[Problem]
    today: date
    outdated: bool
    files: ReadFiles = ReadFiles()


def match_documents(
    before: Sequence[Document], now: Sequence[Document], searched: SearchedFolders
) -> Matched:
    """Match the documents of an earlier scan with those of the present one.

    Args:
        before: The earlier documents, also absent ones.
        now: The documents that were met.
        searched: Where they were looked for.
    """
    file_locations = AbsolutePaths()
    # What was not read again is the very same value, and most of a folder is.
    same = {id(document): number for number, document in enumerate(before)}
    known = [same.get(id(document), -1) for document in now]
    earlier = [file_locations.key(document) for document in before]
    keys = [
        earlier[number] if number >= 0 else file_locations.key(document)
        for document, number in zip(now, known, strict=True)
    ]
    blocked = _UnreadableFiles(searched)
    matching = _Matching(before, earlier, now, keys, blocked)
    unchanged = matching.by_value(known)
    unchanged += matching.by_location_and_content(_bytes_of)
    moved = matching.by_content(_bytes_of)
    rewritten = matching.by_location_and_content(_text_of)
    moved += matching.by_content(_text_of)
    changed = matching.by_location() + rewritten
    names = {document.name for document in now}  # each document of a list has its own
    # What was missed before keeps the name it had then.
    left = sorted(
        (item for item in matching.left() if not searched.files.hold(before[item[0]], item[1][0])),
        key=lambda item: before[item[0]].absence is None,
    )
    missed = [
        KeptDocument(_with_free_name(blocked.missed(before[number], location), names), number)
        for number, (location, _) in left
    ]
    locations_of = ([location for location, _ in scan_keys] for scan_keys in (earlier, keys))
    return Matched(unchanged, changed, moved, matching.rest, missed, *locations_of)


def are_unchanged(present_files: Sequence[FoundFile], documents: Sequence[Document]) -> bool:
    """Whether no file came, went or was changed since a scan that could read all of them."""
    files = {file.location: file for file in present_files}
    read = set()
    for document in documents:
        location = document.location
        file = files.get(location)
        if file is None or document.absence is not None or document.members:
            return False
        if (file.size, file.modified_ns) != (document.size, document.modified_ns):
            return False
        if file.name != document.file_name:
            return False
        read.add(location)
    return len(read) == len(present_files)


def today() -> date:
    """The local date."""
    return datetime.now(UTC).astimezone().date()


Matches = list[tuple[int, int]]  # earlier and present numbers


class _Matching:
    """The documents of two scans that are not accounted for yet.

    Attributes:
        rest: The present ones, by number.
    """

    def __init__(
        self,
        before: Sequence[Document],
        earlier_keys: Sequence[Key],
        now: Sequence[Document],
        keys: Sequence[Key],
        blocked: _UnreadableFiles,
    ) -> None:
        self._before, self._earlier_keys = before, earlier_keys
        self._now, self._keys = now, keys
        self._blocked = blocked
        self._left = set(range(len(before)))
        self.rest = list(range(len(now)))

    def by_value(self, known: Sequence[int]) -> Matches:
        """Documents that are values of the earlier scan, by their number there, else -1."""
        matches = [(number, index) for index, number in enumerate(known) if number >= 0]
        self._left.difference_update(number for number, _ in matches)
        self.rest = [index for index, number in enumerate(known) if number < 0]
        return matches

    def by_location_and_content(self, content_of: Callable[[Document], Hashable]) -> Matches:
        """Documents with the same location and content."""
        numbers = {
            (self._earlier_keys[number], content_of(self._before[number])): number
            for number in self._ordered()
        }
        return self._matched(
            lambda index: numbers.get((self._keys[index], content_of(self._now[index])))
        )

    def by_content(self, content_of: Callable[[Document], Hashable]) -> Matches:
        """Documents with the same content at another location.

        One whose file is no longer there comes before one whose file has another content now, and
        one of the same file name before others. A file that cannot be read did not move.
        """
        present_keys = set(self._keys)
        unmatched: dict[Hashable, list[int]] = {}
        for number in sorted(self._left):
            if not self._blocked.is_unreadable(self._before[number]):
                unmatched.setdefault(content_of(self._before[number]), []).append(number)

        def nearest(index: int) -> int | None:
            numbers = unmatched.get(content_of(self._now[index]))
            if not numbers:
                return None
            name = self._now[index].path.name
            number = min(
                numbers,
                key=lambda candidate: (
                    self._before[candidate].is_removed,
                    self._earlier_keys[candidate] in present_keys,
                    self._before[candidate].path.name != name,
                ),
            )
            numbers.remove(number)
            return number

        return self._matched(nearest)

    def by_location(self) -> Matches:
        """Documents with the same location and another text."""
        numbers = {self._earlier_keys[number]: number for number in self._ordered()}
        return self._matched(lambda index: numbers.get(self._keys[index]))

    def _matched(self, number_of: Callable[[int], int | None]) -> Matches:
        matches, unmatched = [], []
        for index in self.rest:
            number = number_of(index)
            if number in self._left:
                self._left.remove(number)
                matches.append((number, index))
            else:
                unmatched.append(index)
        self.rest = unmatched
        return matches

    def _ordered(self) -> list[int]:
        """Present ones last: one may have come to the location that an absent one had."""
        return sorted(self._left, key=lambda number: self._before[number].absence is None)

    def left(self) -> Iterable[tuple[int, Key]]:
        """The earlier documents that were not found, with their earlier locations."""
        return ((number, self._earlier_keys[number]) for number in sorted(self._left))


class _UnreadableFiles:
    """The files and folders that a rescan could not read."""

    def __init__(self, searched: SearchedFolders) -> None:
        self._searched = searched
        self._unreadable = {problem.name for problem in searched.problems}
        self._folders = [(folder, os.path.abspath(folder)) for folder in searched.folders]

    def is_unreadable(self, document: Document) -> bool:
        """Whether the document, its file or a folder it is in is there and could not be read."""
        name = document.name
        while name:
            if name in self._unreadable:
                return True
            name = name.rpartition("/")[0]
        return False

    def missed(self, document: Document, location: str) -> Document:
        """A document that was not met; the first day on which it was missed stays."""
        path = self._path(location)
        before, searched = document.absence, self._searched
        outdated = searched.outdated or (before is not None and before.outdated)
        unreadable = self.is_unreadable(document)
        seen = path is not None and not unreadable
        kind = AbsenceKind.GONE if seen else AbsenceKind.NOT_READ
        absence = Absence(kind, searched.today, outdated)
        # Where nobody looked, a file that was gone is not back.
        if before is not None and (before.removed or before.kind is kind or path is None):
            absence = before._replace(outdated=outdated)
        return document._replace(location=str(path or Path(location)), absence=absence)

    def _path(self, location: str) -> Path | None:
        """The path of a location in a searched folder, starting as that folder was given."""
        for folder, top in self._folders:
            if location == top:
                return folder
            start = os.path.join(top, "")
            if location.startswith(start):
                return folder / location[len(start) :]
        return None


def _with_free_name(document: Document, taken: set[str]) -> Document:
    """A document under its name, or, if that is taken, under a longer one, which is taken then."""
    name, number = document.name, 1
    while name in taken:
        suffix = f" ({number})" if number > 1 else ""
        name = f"{printable_name(document.path.parent.name)}{suffix}/{document.name}"
        number += 1
    taken.add(name)
    return document if name == document.name else document._replace(name=name)


def _text_of(document: Document) -> str:
    """The hash of its text, whatever its bytes."""
    return document.text_hash


def _bytes_of(document: Document) -> tuple[str, str]:
    """What its text follows from: its bytes and the reader."""
    return document.file_hash, document.kind


class KnownDocuments:
    """The documents of an earlier scan, by path and by the hash of their bytes.

    A file counts as unchanged when its path, size and time of modification are those of a known
    document; any other file with the bytes of a known one is read, but its text is not made again.
    With other limits, or with OCR, files with remarks on anything in them are read again.

    Attributes:
        by_content: The documents by the hash of their bytes and the kind of their reader, which
            the name of a file may decide.
        keeps_archives: Whether documents from archives stay although archives are not opened: they
            came with a review, and archives were not turned off since.
        are_signed: Whether the signatures are those of the new settings; if not, texts are known,
            but have to be signed again.
    """

    def __init__(
        self, state: ScanState | None, settings: ScanSettings, reading: ReadingSettings
    ) -> None:
        self._state = state
        documents = (
            [document for document in state.documents if _is_current(document)] if state else []
        )
        if state and state.reading and _reads_more(reading, state.reading):
            remarked = {document.location for document in documents if document.remarks}
            documents = [document for document in documents if document.location not in remarked]
        self.by_content = {
            (document.file_hash, document.kind): _as_present(document) for document in documents
        }
        self._files = _by_location(documents)
        self._troubled = _with_problems(state.problems) if state else frozenset()
        self._numbers: dict[tuple[str, str], int] = {}
        for number, document in enumerate(state.documents if state else ()):
            if _is_current(document):  # of copies the first: evidence is of that one
                self._numbers.setdefault((document.file_hash, document.kind), number)
        self.keeps_archives = not (state and state.reading and state.reading.archives)
        self.are_signed = bool(
            state
            and state.settings.same_but_passages(settings)
            and state.settings.passage_length == settings.passage_length
            and state.settings.same_skip_grams(settings)
            and not settings.depends_on_all
        )

    def unchanged(self, file: FoundFile) -> Sequence[Document]:
        """The documents of a file that has not changed, under its present name.

        None of a file in which something could not be read: it is tried again.
        """
        if self._state is None:
            return ()
        documents = self._files.get(file.location)
        if not documents or self.had_problems(documents[0].file_name):
            return ()
        first = documents[0]
        if any(
            (document.size, document.modified_ns) != (file.size, file.modified_ns)
            for document in documents
        ):
            return ()
        if first.file_name == file.name:
            return documents
        return [
            document._replace(name=file.name + document.name.removeprefix(document.file_name))
            for document in documents
        ]

    def had_problems(self, name: str | None) -> bool:
        """Whether something of a file could not be read; with None, of any file."""
        return bool(self._troubled) if name is None else name in self._troubled

    def with_text(self, document: Document) -> ReadDocument:
        """One of the documents, with the text that it had."""
        return ReadDocument(document, self.text_of(document))

    def at(self, location: str) -> Sequence[Document]:
        """The documents at a location, whether or not its file has changed."""
        return self._files.get(location, ())

    def number_of(self, document: Document) -> int:
        """The number that the bytes of a document had."""
        return self._numbers[document.file_hash, document.kind]

    def text_of(self, document: Document) -> str:
        """The text of a document, which was made from these bytes before."""
        if self._state is None:
            raise LookupError(document.name)
        return self._state.texts[self.number_of(document)]


def _is_current(document: Document) -> bool:
    """Whether the text of a document is what today's readers make."""
    return document.absence is None or not document.absence.outdated


def _by_location(documents: Sequence[Document]) -> dict[str, list[Document]]:
    """The documents in each file, the file itself first.

    A file that was gone is known as well, unless it has several documents: the user may have
    decided differently on some, and their order is no longer known.
    """
    files: dict[str, list[Document]] = {}
    for document in documents:
        if document.absence is None:
            files.setdefault(document.location, []).append(document)
    gone: dict[str, list[Document]] = {}
    for document in documents:
        if document.absence is not None and document.location not in files:
            gone.setdefault(document.location, []).append(document)
    for inside in files.values():
        if len(inside) > 1:
            inside.sort(key=lambda document: document.part != "")
    for location, inside in gone.items():
        if len(inside) == 1 and not inside[0].part:
            files[location] = [_as_present(inside[0])]
    return files


def _as_present(document: Document) -> Document:
    """The document without its absence."""
    return document._replace(absence=None) if document.absence else document


def _reads_more(now: ReadingSettings, before: ReadingSettings) -> bool:
    """Whether other limits or OCR may read more of a file that has a remark."""
    return (now.limits, now.ocr, now.ocr_languages) != (
        before.limits,
        before.ocr,
        before.ocr_languages,
    )


def _with_problems(problems: Sequence[Problem]) -> frozenset[str]:
    """The names of files that could not be read, wholly or in part; folders may be among them."""
    return frozenset(
        "/".join(steps[:count])
        for steps in (problem.name.split("/") for problem in problems)
        for count in range(1, len(steps) + 1)
    )
