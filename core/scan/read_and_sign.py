"""Files to signed texts, batch by batch on all cores, in the order of the files."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from typing import NamedTuple, cast

from core.base.memory_claims import ROOM, Claim
from core.base.parallel import batches, result_of, worker_count
from core.base.progress import Cancelled, stop_if
from core.documents import (
    Document,
    FoundFile,
    Problem,
    ReadDocument,
    ReaderProcesses,
    read_file,
)
from core.documents.readers.plain import text
from core.documents.reading import suffix_of, with_sha256
from core.documents.submissions import FoundSubmission
from core.scan.earlier_scan import KnownDocuments
from core.scan.signed_documents import sign_documents
from core.scan.submissions import read_submission
from core.settings import ScanSettings
from core.signatures.signing import SignedTexts
from core.text.languages import detect

Found = FoundFile | FoundSubmission

PLAIN_SUFFIXES = text.READER.suffixes | {""}
FOREIGN_FILE = 1 << 16  # bytes of text that are read and signed in the time of a small document
# Texts that were read wait for those before them, in memory. Small files may hold long texts.
CHARACTERS_AHEAD = 1 << 25  # of all batches together
BYTES_AHEAD = 1 << 24  # of large files of plain text, for each core
LARGE_FILE = 1 << 20
COPIES = 3  # of a text, and of the bytes it is in, while it is read
CLAIMED = 1 << 20  # bytes that are claimed at a time: thousands of small texts share a claim


class KeptDocument(NamedTuple):
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
    kept: list[KeptDocument]


def take_in(
    found: Sequence[Found],
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

    def begun(files: Sequence[Found], turn: threading.Event) -> _StartedFiles:
        read = _ReadingTask(files, settings, known, processes, turn, cancelled)
        return _StartedFiles(files, turn, pool.submit(read.batch))

    parts = _Batches(found)
    waiting: deque[_StartedFiles] = deque()
    try:
        while True:
            while part := parts.next([begun.files for begun in waiting]):
                waiting.append(begun(part, threading.Event()))
            if not waiting:
                return
            stop_if(cancelled)
            waiting[0].turn.set()
            batch = result_of(waiting[0].future, cancelled)
            files, turn, _ = waiting.popleft()
            if batch.files < len(files):
                waiting.appendleft(begun(files[batch.files :], turn))
            yield batch
            del batch  # its texts are not kept while the next is waited for
    finally:
        for one in waiting:
            one.future.cancel()


class _StartedFiles(NamedTuple):
    """Files that are read: when it is their turn to be long, and what comes of them."""

    files: Sequence[Found]
    turn: threading.Event
    future: Future[Batch]


class _Batches:
    """Files cut in batches, as many as may be under way at once."""

    def __init__(self, found: Sequence[Found]) -> None:
        self._found = found
        self._parts = batches([_weight(file) for file in found])
        self._next = next(self._parts, None)

    def next(self, under_way: Sequence[Sequence[Found]]) -> Sequence[Found]:
        """The next batch beside these; none where that would be too many, or too much text.

        What was read waits, in memory, until all before it is done: so does a large text, which is
        therefore not begun too early.
        """
        if self._next is None or len(under_way) > 2 * worker_count():
            return ()
        files = self._found[self._next]
        ahead = sum(_large_text(file) for some in under_way for file in some)
        own = sum(map(_large_text, files))
        if ahead and own and ahead + own > BYTES_AHEAD * worker_count():
            return ()
        self._next = next(self._parts, None)
        return files


def _large_text(file: Found) -> int:
    """The size of a file of plain text that is large; 0 for any other."""
    return file.size if file.size > LARGE_FILE and _is_plain(file) else 0


def _is_plain(file: Found) -> bool:
    return suffix_of(file.location) in PLAIN_SUFFIXES


def _bytes_to_read(file: Found) -> int:
    """What reading a file takes here: its bytes, and the text where it is made of them here."""
    return COPIES * file.size if _is_plain(file) else file.size


def _claimed(size: int) -> int:
    """So many bytes, rounded up."""
    return -(-size // CLAIMED) * CLAIMED


def _weight(file: Found) -> int:
    """How long a file takes, in bytes of plain text that take as long.

    Folders of small documents would otherwise be one batch, on one of the cores.
    """
    if _is_plain(file):
        return file.size
    return FOREIGN_FILE + file.size


class _ReadingTask(NamedTuple):
    """Files to read and sign, and with what; `turn` is set when all before them are done."""

    files: Sequence[Found]
    settings: ScanSettings
    known: KnownDocuments
    processes: ReaderProcesses
    turn: threading.Event
    cancelled: Cancelled

    def batch(self) -> Batch:
        with ROOM.claim() as claim:
            return self._signed(*self._taken(claim), claim)

    def _taken(self, claim: Claim) -> tuple[int, _FileContents]:
        """Read files until their texts are very long; how many were read, and what they hold."""
        taken, length = _FileContents([], [], [], []), 0
        most = CHARACTERS_AHEAD // (2 * worker_count() + 1)
        for count, file in enumerate(self.files):
            stop_if(self.cancelled)
            if length > most:
                return count, taken
            before, own = taken.counts(), 0
            claim.grow(_claimed(COPIES * length + _bytes_to_read(file)), self.cancelled)
            for result in _results(file, self.known, self.processes, self.cancelled):
                own += taken.add(result, self.known)
                claim.grow(_claimed(COPIES * (length + own)), self.cancelled)
                if own > most and not self.turn.is_set():
                    taken.cut(before)
                    return count, taken
            length += own
        return len(self.files), taken

    def _signed(self, count: int, taken: _FileContents, claim: Claim) -> Batch:
        signed = sign_documents(
            taken.documents,
            taken.texts,
            self.settings,
            self.processes.settings.limits,
            claim,
            self.cancelled,
        )
        problems = [*taken.problems, *signed.problems]
        return Batch(count, signed.documents, signed.texts, signed.signed, problems, taken.kept)


class _FileContents(NamedTuple):
    """What some files hold, by what is to be done with it; texts belong to documents."""

    documents: list[Document]
    texts: list[str]
    problems: list[Problem]
    kept: list[KeptDocument]

    def add(self, result: ReadDocument | Document | Problem, known: KnownDocuments) -> int:
        if isinstance(result, Problem):
            self.problems.append(result)
            return 0
        if isinstance(result, Document) and known.are_signed:
            number = known.number_of(result)
            if not result.language:  # of a review of an older version
                result = replace(result, language=detect(known.text_of(result)))
            self.kept.append(KeptDocument(result, number))
            return 0
        if isinstance(result, Document):
            result = known.with_text(result)
        self.documents.append(result.document)
        self.texts.append(result.text)
        return len(result.text)

    def counts(self) -> list[int]:
        return [len(some) for some in self]

    def cut(self, counts: list[int]) -> None:
        """Let go of what came after there were so many."""
        for some, count in zip(self, counts, strict=True):
            cast("list[object]", some)[count:] = []


def _results(
    file: Found, known: KnownDocuments, processes: ReaderProcesses, cancelled: Cancelled
) -> Iterable[ReadDocument | Document | Problem]:
    if isinstance(file, FoundSubmission):
        return read_submission(file, known, processes, cancelled)
    unchanged = known.unchanged(file)
    opened = processes.settings.archives or known.keeps_archives
    if unchanged and (opened or not unchanged[0].part):
        if all(one.is_hashed for one in unchanged):
            return unchanged
        unchanged = with_sha256(file, unchanged, processes.settings.limits)
        if unchanged:
            return unchanged
    return read_file(
        file, processes, known=known.by_content, unchanged=unchanged, cancelled=cancelled
    )
