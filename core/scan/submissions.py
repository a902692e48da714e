"""Makes one document of the files of a submission; of a known one, only what changed is read."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from core.base.arrays import Int64Array
from core.base.messages import N_, in_english, nstored, stored
from core.base.wording import printable_name, readable_count
from core.documents.model import (
    Document,
    FilePiece,
    FolderRoles,
    FoundFile,
    Problem,
    ProblemCode,
    ReadDocument,
    Role,
    headings,
    merge,
    piece_of,
    pieces_of,
)
from core.documents.reading_settings import ReadingSettings
from core.documents.submissions import FoundSubmission, gather, group
from core.scan.state import ScanState
from core.settings import ScanSettings
from core.text.set_aside import Reason, SetAside, merged

if TYPE_CHECKING:
    from core.documents.isolation.processes import ReaderProcesses


def roles_of(state: ScanState) -> tuple[Role, ...]:
    """The role of each folder."""
    return FolderRoles(state.folders, state.roles).roles


def folder_number(state: ScanState, folder: Path) -> int | None:
    """The index of a folder, however its path is written; None where it is none of them."""
    locations = [os.path.abspath(path) for path in state.folders]
    location = os.path.abspath(folder)
    return locations.index(location) if location in locations else None


def with_folders(state: ScanState, folders: Sequence[Path], roles: Sequence[Role]) -> ScanState:
    """The state with these folders, and its documents with the roles they have in them."""
    folder_roles = FolderRoles(folders, roles)
    return state._replace(
        folders=tuple(folders),
        roles=folder_roles.roles,
        documents=tuple(folder_roles.assigned(state.documents)),
    )


def with_earlier_roles(
    folders: Sequence[Path], roles: Sequence[Role], previous: ScanState | None
) -> tuple[list[Path], list[Role]]:
    """Folders with those of an earlier scan that are not to review, which keep their roles."""
    given = {os.path.realpath(folder) for folder in folders}
    earlier = zip(previous.folders, roles_of(previous), strict=True) if previous else ()
    kept = [
        (folder, role)
        for folder, role in earlier
        if role is not Role.REVIEW and os.path.realpath(folder) not in given
    ]
    return [*folders, *(path for path, _ in kept)], [*roles, *(kept_role for _, kept_role in kept)]


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
            remarked = {document.path for document in documents if document.remarks}
            documents = [document for document in documents if document.path not in remarked]
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
            replace(document, name=file.name + document.name.removeprefix(document.file_name))
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
            files.setdefault(str(document.path), []).append(document)
    gone: dict[str, list[Document]] = {}
    for document in documents:
        if document.absence is not None and str(document.path) not in files:
            gone.setdefault(str(document.path), []).append(document)
    for inside in files.values():
        if len(inside) > 1:
            inside.sort(key=lambda document: document.part != "")
    for location, inside in gone.items():
        if len(inside) == 1 and not inside[0].part:
            files[location] = [_as_present(inside[0])]
    return files


def _as_present(document: Document) -> Document:
    """The document without its absence."""
    return replace(document, absence=None) if document.absence else document


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


Result = ReadDocument | Document | Problem

NO_SUBMISSIONS = N_("No folder of a submission was found: each file is a document by itself.")


def as_submissions(
    files: Sequence[FoundFile],
    folders: Sequence[Path],
    reading: ReadingSettings,
    previous: ScanState | None,
) -> Sequence[FoundFile | FoundSubmission]:
    """The files of a scan, as submissions where requested, or where a review has them so."""
    earlier = previous.documents if previous and previous.reading is None else ()
    if reading.submissions or any(document.members for document in earlier):
        return gather(files, folders, archives=reading.archives)
    return files


def submissions_in_words(
    documents: Sequence[Document], reading: ReadingSettings | None
) -> Iterator[str]:
    """A sentence on what was taken for submissions, for each location that has some.

    Args:
        documents: The documents.
        reading: How they were read; where submissions were requested and there are none, a sentence
            says so.
    """
    by_location: dict[Path, list[int]] = {}
    for document in documents:
        if document.members and document.absence is None:
            location = document.path if document.part else document.path.parent
            by_location.setdefault(location, []).append(len(document.members))
    if reading and reading.submissions and documents and not by_location:
        yield NO_SUBMISSIONS
    for location, files in by_location.items():
        yield submissions_at(location, sum(files), len(files))


def submissions_at(location: Path, files: int, documents: int) -> str:
    """The sentence on one location in which so many files are so many submissions."""
    return nstored(
        "One folder is one submission: {n} file in “{folder}” is {documents}.",
        "One folder is one submission: {n} files in “{folder}” are {documents}.",
        files,
        folder=printable_name(location.name),
        documents=nstored("{n} document", "{n} documents", documents),
    )


def file_names(document: Document) -> tuple[SetAside, ...]:
    """Where the names of its files stand in a submission, which are no text of the person."""
    return tuple(SetAside(start, end, Reason.FILE_NAME) for start, end in headings(document))


def file_name_spans(documents: Sequence[Document]) -> dict[int, Int64Array]:
    """The file names in several documents, by index, as `core.text.set_aside.merged` makes them."""
    return {
        index: merged(file_names(document))
        for index, document in enumerate(documents)
        if document.members
    }


def read_submission(
    submission: FoundSubmission, known: KnownDocuments, processes: ReaderProcesses
) -> Iterator[Result]:
    """The document of a submission, of an archive those of all; files without text are problems."""
    if submission.is_archive:
        yield from _of_archive(submission.file, known, processes)
        return
    earlier = _Earlier(known, submission)
    pieces: list[FilePiece] = []
    for file, title in zip(submission.files, submission.titles, strict=True):
        kept = earlier.pieces(file, printable_name(title))
        if kept:
            pieces += kept
            continue
        for read, part in _read(file, known, processes):
            if isinstance(read, Problem):
                yield read
            else:
                pieces.append(piece_of(read, f"{printable_name(title)}{part and '/'}{part}"))
    if pieces:
        yield earlier.same(pieces, submission.file) or _within(
            merge(pieces, submission.file), processes
        )


class _Earlier:
    """A submission as an earlier scan read it."""

    def __init__(self, known: KnownDocuments, submission: FoundSubmission) -> None:
        at = [
            document
            for document in known.at(submission.location)
            if document.members and not document.part
        ]
        self._known = known
        self._document = at[0] if len(at) == 1 else None
        # Under another name its files had other names, too, and problems go by names.
        self._is_renamed = bool(self._document and self._document.name != submission.name)
        text = known.text_of(self._document) if self._document else ""
        self._pieces = list(pieces_of(self._document, text)) if self._document else []

    def pieces(self, file: FoundFile, title: str) -> list[FilePiece]:
        """The known pieces of a file, if it has not changed.

        None of a file in which something could not be read: it is tried again.
        """
        if self._known.had_problems(None if self._is_renamed else file.name):
            return []
        pieces = [
            piece
            for piece in self._pieces
            if piece.member.name == title or piece.member.name.startswith(f"{title}/")
        ]
        as_it_was = (file.size, file.modified_ns)
        known_states = {(piece.member.size, piece.member.modified_ns) for piece in pieces}
        return pieces if known_states <= {as_it_was} else []

    def same(self, pieces: Sequence[FilePiece], file: FoundFile) -> Document | None:
        """The document, if it has these files and no others."""
        before = self._document
        if before is None or list(pieces) != self._pieces:
            return None
        if (before.name, before.size) == (file.name, file.size):
            return before
        return replace(before, name=file.name, size=file.size, modified_ns=file.modified_ns)


def _read(
    file: FoundFile, known: KnownDocuments, processes: ReaderProcesses
) -> Iterator[tuple[ReadDocument | Problem, str]]:
    """The documents in a file, and the part of the file that each is."""
    from core.documents.reading import read_file  # noqa: PLC0415 - a review opens without readers

    for result in read_file(file, processes, known=known.by_content):
        if isinstance(result, Problem):
            yield result, ""
            continue
        read = known.with_text(result) if isinstance(result, Document) else result
        yield read, printable_name(read.document.part)


def _of_archive(
    file: FoundFile, known: KnownDocuments, processes: ReaderProcesses
) -> Iterator[Result]:
    """The submissions in an archive, which is read as a whole."""
    unchanged = known.unchanged(file)
    if unchanged and all(document.members for document in unchanged):
        yield from unchanged
        return
    read: list[ReadDocument] = []
    for result, _ in _read(file, known, processes):
        if isinstance(result, Problem):
            yield result
        else:
            read.append(result)
    for submission in group([result.document.part for result in read], archives=True):
        results = [read[number] for number, _ in submission.members]
        if not submission.name:
            yield results[0]
            continue
        titles = [printable_name(title) for _, title in submission.members]
        pieces = [piece_of(*both) for both in zip(results, titles, strict=True)]
        hashed = file._replace(sha256=results[0].document.sha256)
        yield _within(merge(pieces, hashed, printable_name(submission.name)), processes)


def _within(read: ReadDocument, processes: ReaderProcesses) -> ReadDocument | Problem:
    """A submission, if it is not longer than a text may be."""
    most = processes.settings.limits.characters
    if len(read.text) <= most:
        return read
    with in_english():
        numbers = {"number": readable_count(len(read.text)), "most": readable_count(most)}
    detail = stored(
        "The files of this submission have {number} characters. Over {most} are not read.",
        **numbers,
    )
    return Problem(read.document.name, ProblemCode.TOO_BIG, detail, "characters")
