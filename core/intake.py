"""Files to signed texts, batch by batch on all cores, in the order of the files."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import islice
from typing import NamedTuple

import numpy as np

from core import preparation
from core.documents import (
    Document,
    FoundFile,
    Problem,
    ProblemCode,
    ReadDocument,
    ReaderProcesses,
    read_file,
)
from core.documents.names import readable_count
from core.documents.readers import text
from core.documents.reading import suffix_of
from core.errors import StorageError
from core.known import KnownDocuments
from core.memory import require_memory
from core.progress import Cancelled, result_of, stop_if
from core.settings import ScanSettings
from core.signing import SignedTexts, batches, sign_texts, worker_count

__all__ = ["Batch", "Kept", "take_in"]


PLAIN_SUFFIXES = text.READER.suffixes | {""}
FOREIGN_FILE = 1 << 16  # bytes of text that are read and signed in the time of a small document
LONG_TEXT = 1 << 22  # characters
MUCH_TEXT = 1 << 24  # characters: a batch with so many ends, though its files are small on disk
BYTES_PER_CHARACTER = 64  # while its shingles are made


class Kept(NamedTuple):
    """A document that is known with its text and signature, and under which number."""

    document: Document
    number: int


class Batch(NamedTuple):
    """Some files, read and signed.

    Attributes:
        files: How many files it stands for, from the first of those that were asked for.
        documents: Those that were read, row for row with texts and signed.
        texts: Their texts.
        signed: Their signatures.
        problems: Files that gave no text.
        kept: Documents that were known.
    """

    files: int
    documents: list[Document]
    texts: list[str]
    signed: SignedTexts
    problems: list[Problem]
    kept: list[Kept]


_Begun = tuple[Sequence[FoundFile], Future[Batch]]


def take_in(
    found: Sequence[FoundFile],
    settings: ScanSettings,
    known: KnownDocuments,
    processes: ReaderProcesses,
    pool: ThreadPoolExecutor,
    cancelled: Cancelled,
) -> Iterator[Batch]:
    """Batches in the order of the files, a few of them under way at once.

    Raises:
        ScanCancelledError: `cancelled` said so.
    """

    def begun(files: Sequence[FoundFile]) -> _Begun:
        return files, pool.submit(_read_batch, files, settings, known, processes, cancelled)

    parts = batches([_weight(file) for file in found])
    waiting: deque[_Begun] = deque()
    try:
        while True:
            few = max(0, 2 * worker_count() + 1 - len(waiting))
            waiting.extend(begun(found[part]) for part in islice(parts, few))
            if not waiting:
                return
            stop_if(cancelled)
            files, future = waiting.popleft()
            batch = result_of(future, cancelled)
            if batch.files < len(files):
                waiting.appendleft(begun(files[batch.files :]))
            yield batch
    finally:
        for _, future in waiting:
            future.cancel()


def _weight(file: FoundFile) -> int:
    """How long a file takes, in bytes of plain text that take as long.

    Folders of small documents would otherwise be one batch, on one of the cores.
    """
    if suffix_of(file.location) in PLAIN_SUFFIXES:
        return file.size
    return FOREIGN_FILE + file.size


def _read_batch(
    files: Sequence[FoundFile],
    settings: ScanSettings,
    known: KnownDocuments,
    processes: ReaderProcesses,
    cancelled: Cancelled,
) -> Batch:
    """Read some files and sign their texts; stops after the file that makes them very long."""
    taken = _Taken([], [], [], [])
    count = length = 0
    for file in files:
        stop_if(cancelled)
        for result in _results(file, known, processes, cancelled):
            length += taken.add(result, known)
        count += 1
        if length > MUCH_TEXT:
            break
    documents, texts, problems, kept = taken
    preparation.wait(cancelled)
    signed = sign_texts(texts, settings)
    wordless = np.flatnonzero(signed.units == 0)
    for index in wordless[::-1]:
        problems.append(_no_words(documents.pop(index), settings))
        texts.pop(index)
    return Batch(count, documents, texts, signed.take(signed.units > 0), problems, kept)


class _Taken(NamedTuple):
    """What some files hold, by what is to be done with it; texts belong to documents."""

    documents: list[Document]
    texts: list[str]
    problems: list[Problem]
    kept: list[Kept]

    def add(self, result: ReadDocument | Document | Problem, known: KnownDocuments) -> int:
        """Take in one document; returns how long the text is that it brings."""
        if isinstance(result, ReadDocument):
            result = _too_long(result.document) or result
        if isinstance(result, Problem):
            self.problems.append(result)
            return 0
        if isinstance(result, Document) and known.are_signed:
            self.kept.append(Kept(result, known.number_of(result)))
            return 0
        if isinstance(result, Document):
            result = ReadDocument(result, known.text_of(result))
        self.documents.append(result.document)
        self.texts.append(result.text)
        return len(result.text)


def _results(
    file: FoundFile, known: KnownDocuments, processes: ReaderProcesses, cancelled: Cancelled
) -> Iterable[ReadDocument | Document | Problem]:
    """What a file holds, one document after the other."""
    unchanged = known.unchanged(file)
    opened = processes.settings.archives or known.keeps_archives
    if unchanged and (opened or not unchanged[0].part):
        return unchanged
    return read_file(
        file, processes, known=known.by_content, unchanged=unchanged, cancelled=cancelled
    )


def _too_long(document: Document) -> Problem | None:
    """A problem where there is not enough memory to make shingles of a text."""
    if document.characters < LONG_TEXT:
        return None
    try:
        require_memory(
            BYTES_PER_CHARACTER * document.characters,
            f"This text of {readable_count(document.characters)} characters",
            "Close other programs and scan again.",
        )
    except StorageError as error:
        return Problem(document.name, ProblemCode.TOO_BIG, str(error))
    return None


def _no_words(document: Document, settings: ScanSettings) -> Problem:
    unit = "word" if settings.unit == "word" else "character"
    return Problem(
        document.name,
        ProblemCode.NO_WORDS,
        f"The file has text, but no {unit} that counts under these settings.",
    )
