"""Makes one document of the files of a submission; of a known one, only what changed is read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from core.base.arrays import Int64Array
from core.base.messages import N_, in_english, nstored, stored
from core.base.wording import printable_name, readable_count
from core.documents.model import (
    Document,
    FilePiece,
    FoundFile,
    Problem,
    ProblemCode,
    ReadDocument,
    headings,
    merge,
    piece_of,
    pieces_of,
)
from core.documents.reading_settings import ReadingSettings
from core.documents.submissions import FoundSubmission, gather, group
from core.scan.rescan import KnownDocuments
from core.scan.state import ScanState
from core.text.set_aside import Reason, SetAside, merged

if TYPE_CHECKING:
    from core.documents.isolation.processes import ReaderProcesses


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
        return before._replace(name=file.name, size=file.size, modified_ns=file.modified_ns)


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
