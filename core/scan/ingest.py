"""Turns read documents into signed documents, known by the hash of their texts.

Texts are signed within bounds: one with more words than `ReadingLimits.words`, or than there is
memory for, is refused before it has taken that memory. Memory that is used at the same time is
claimed from `core.base.tasks`.
"""

from __future__ import annotations

import sys
import threading
from collections import deque
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import NamedTuple, cast

import numpy as np

from core.base.arrays import Int64Array
from core.base.compiling import load_numba
from core.base.memory import available_memory
from core.base.messages import in_english, stored
from core.base.tasks import ROOM, Claim, batches, result_of, stop_if_cancelled, worker_count
from core.base.wording import readable_count, readable_size
from core.documents.isolation.processes import ReaderProcesses
from core.documents.model import Document, FoundFile, Problem, ProblemCode, ReadDocument, own_text
from core.documents.readers import plain
from core.documents.reading import read_file, suffix_of
from core.documents.reading_settings import ReadingLimits
from core.documents.submissions import FoundSubmission
from core.errors import LongTextError
from core.program import preparation
from core.scan.rescan import KeptDocument, KnownDocuments
from core.scan.submissions import file_name_spans, read_submission
from core.settings import ScanSettings
from core.signatures.signing import SignedTexts, sign_texts
from core.text.characters import BYTES_PER_WORD, has_long, text_bytes
from core.text.disguise_marks import sentences_on_disguises
from core.text.disguises import noticing
from core.text.identity import text_hashes
from core.text.languages import detect_all
from core.text.shingling import NO_EXCLUSIONS

LEFT_ALONE = 2  # half of what is free may be taken by one text


class Refusal(NamedTuple):
    """Why a text is not compared, and the field of `ReadingLimits` that it exceeds, if any."""

    detail: str
    limit: str = ""


def sign_within(
    texts: Sequence[str],
    settings: ScanSettings,
    limits: ReadingLimits,
    claim: Claim,
    set_aside: Mapping[int, Int64Array] = NO_EXCLUSIONS,
) -> tuple[SignedTexts, dict[int, Refusal]]:
    """The signatures of texts, about half a million characters at a time.

    Args:
        texts: The texts.
        settings: How they are signed.
        limits: Of which `words` counts.
        claim: Grows while they are signed.
        set_aside: What does not count, by index (see `core.text.set_aside.merged`).

    Returns:
        The signatures, without units where a text was refused; and why, by index.
    """
    held, parts = claim.size, []
    refused: dict[int, Refusal] = {}
    for part in batches([*map(len, texts)]):
        claim.grow(held + sum(map(text_bytes, texts[part])))
        numbers = range(part.start, part.stop)
        exclusions = {n - part.start: set_aside[n] for n in numbers if n in set_aside}
        signed, why = _sign(texts[part], settings, limits, exclusions)
        parts.append(signed)
        refused |= {part.start + index: refusal for index, refusal in why.items()}
    return SignedTexts.join(parts or [sign_texts([], settings)]), refused


def _sign(
    texts: Sequence[str],
    settings: ScanSettings,
    limits: ReadingLimits,
    set_aside: Mapping[int, Int64Array],
) -> tuple[SignedTexts, dict[int, Refusal]]:
    """As `sign_within`, for few texts."""
    most = limits.words
    if has_long(texts):  # as many as there is memory for, here and now
        most = min(most, available_memory() // LEFT_ALONE // BYTES_PER_WORD)
    try:
        signed = sign_texts(texts, settings, most, set_aside)
    except LongTextError as error:
        if len(texts) == 1:
            why = Refusal(str(error)) if str(error) else _why(most, limits, settings)
            return sign_texts([""], settings), {0: why}
        by_text = [
            _sign([text], settings, limits, {0: set_aside[n]} if n in set_aside else {})
            for n, text in enumerate(texts)
        ]
        refused = {index: why[0] for index, (_, why) in enumerate(by_text) if why}
        return SignedTexts.join([signed_text for signed_text, _ in by_text]), refused
    long = np.flatnonzero(signed.units > most).tolist()
    signed.units[long] = 0
    return signed, dict.fromkeys(long, _why(most, limits, settings))


@in_english()
def _why(most: int, limits: ReadingLimits, settings: ScanSettings) -> Refusal:
    number = readable_count(most)
    length = stored("{number} characters that count", number=number)
    if settings.unit == "word":
        length = stored("{number} words", number=number)
    if most < limits.words:
        return Refusal(
            stored(
                "This text is longer than {length}. To compare it needs more than {size} of "
                "memory, half of what is free. Close other programs and scan again.",
                length=length,
                size=readable_size(most * BYTES_PER_WORD),
            )
        )
    return Refusal(
        stored(
            "This text is longer than {length}. Such a text is not compared, because that takes "
            "much memory. Split it, or raise the limit in the settings.",
            length=length,
        ),
        "characters",
    )


def known_by_text(
    documents: Sequence[Document], texts: Sequence[str], noticed: Container[str]
) -> list[Document]:
    """The documents with the hash, the language and the remarks that follow from their texts.

    Args:
        documents: The documents.
        texts: Theirs.
        noticed: The texts in which there may be something in disguise.
    """
    known: list[Document] = []
    for part in batches([len(text) for text in texts]):  # an archive may have given ten thousand
        both = list(zip(documents[part], texts[part], strict=True))
        hashes, languages = text_hashes([own_text(*pair) for pair in both]), detect_all(texts[part])
        for (document, text), text_hash, language in zip(both, hashes, languages, strict=True):
            sentences = sentences_on_disguises(text) if text in noticed else ()
            more = (sentence for sentence in sentences if sentence not in document.remarks)
            remarks = (*document.remarks, *more)
            known.append(document._replace(text_hash=text_hash, language=language, remarks=remarks))
    return known


class Batch(NamedTuple):
    """Documents that were read and signed.

    Attributes:
        documents: Those with words, row for row with texts and signed, as `known_by_text` returns
            them.
        texts: Their texts.
        signed: Their signatures.
        problems: Files that gave no text, no word that counts, or more than one text may have.
        kept: Documents that were known.
        files: How many files it stands for, from the first of those that were to be read.
    """

    documents: list[Document]
    texts: list[str]
    signed: SignedTexts
    problems: list[Problem]
    kept: Sequence[KeptDocument] = ()
    files: int = 0


def sign_documents(
    documents: list[Document],
    texts: list[str],
    settings: ScanSettings,
    limits: ReadingLimits,
    claim: Claim,
    thing: str = "file",
) -> Batch:
    """Sign the texts of documents; the lists are changed.

    Args:
        documents: The documents.
        texts: Theirs.
        settings: How they are signed.
        limits: Of which `words` counts.
        claim: Grows while they are signed.
        thing: What the text of a document is in, for the sentence on one without words.
    """
    preparation.wait()
    problems: list[Problem] = []
    exclusions = file_name_spans(documents)
    with noticing() as noticed:
        signed, refused = sign_within(texts, settings, limits, claim, exclusions)
    wordless = np.flatnonzero(signed.units == 0)
    for index in wordless[::-1].tolist():
        document = documents.pop(index)
        if index in refused:
            problem = Problem(document.name, ProblemCode.TOO_BIG, *refused[index])
        else:
            problem = _no_words(document, settings, thing)
        problems.append(problem._replace(sha256=document.sha256))
        texts.pop(index)
    known = known_by_text(documents, texts, noticed)
    if len(wordless):
        signed = signed.take(signed.units > 0)
    return Batch(known, texts, signed, problems)


def _no_words(document: Document, settings: ScanSettings, thing: str) -> Problem:
    detail = stored(
        "The {thing} has text, but no character that counts under these settings.", thing=thing
    )
    if settings.unit == "word":
        detail = stored(
            "The {thing} has text, but no word that counts under these settings.", thing=thing
        )
    return Problem(document.name, ProblemCode.NO_WORDS, detail)


FoundUnit = FoundFile | FoundSubmission

PLAIN_SUFFIXES = plain.TEXT.suffixes | {""}
FOREIGN_FILE = 1 << 16  # bytes of text that are read and signed in the time of a small document
# Texts that were read wait for those before them, in memory. Small files may hold long texts.
TEXTS_AHEAD = 1 << 25  # bytes of all batches together
BYTES_AHEAD = 1 << 24  # of large files of plain text, for each core
LARGE_FILE = 1 << 20
COPIES = 3  # of a text, and of the bytes it is in, while it is read
CLAIMED = 1 << 20  # memory is claimed in steps of so many bytes: small texts share a step


def ingest_files(
    all_files: Sequence[FoundUnit],
    settings: ScanSettings,
    known: KnownDocuments,
    processes: ReaderProcesses,
    pool: ThreadPoolExecutor,
) -> Iterator[Batch]:
    """Batches in the order of the files, a few of them under way at once."""

    def start_reading(files: Sequence[FoundUnit], turn: threading.Event) -> _StartedFiles:
        read = _ReadingTask(files, settings, known, processes, turn)
        return _StartedFiles(files, turn, pool.submit(read.batch))

    parts = _Batches(all_files)
    waiting: deque[_StartedFiles] = deque()
    try:
        while True:
            while part := parts.next([started.files for started in waiting]):
                waiting.append(start_reading(part, threading.Event()))
            if not waiting:
                return
            if not known.are_signed:  # texts will be: now, while the processes of readers start
                load_numba()
            stop_if_cancelled()
            waiting[0].turn.set()
            batch = result_of(waiting[0].future)
            first = waiting.popleft()
            if batch.files < len(first.files):
                waiting.appendleft(start_reading(first.files[batch.files :], first.turn))
            del first  # which has the batch, too: it is not kept while the next is waited for
            yield batch
            del batch
    finally:
        for started in waiting:
            started.future.cancel()


class _StartedFiles(NamedTuple):
    """Files that are being read; `turn` is set when long texts may be read, too."""

    files: Sequence[FoundUnit]
    turn: threading.Event
    future: Future[Batch]


class _Batches:
    """Files cut in batches, as many as may be under way at once."""

    def __init__(self, files: Sequence[FoundUnit]) -> None:
        self._files = files
        self._parts = batches([_weight(file) for file in files])
        self._next = next(self._parts, None)

    def next(self, under_way: Sequence[Sequence[FoundUnit]]) -> Sequence[FoundUnit]:
        """The next batch beside these; none where that would be too many, or too much text.

        What was read waits, in memory, until all before it is done: a large text, too, so that
        reading it must not begin too early.
        """
        if self._next is None or len(under_way) > 2 * worker_count():
            return ()
        files = self._files[self._next]
        ahead = sum(_large_text(file) for batch in under_way for file in batch)
        size = sum(map(_large_text, files))
        if ahead and size and ahead + size > BYTES_AHEAD * worker_count():
            return ()
        self._next = next(self._parts, None)
        return files


def _large_text(file: FoundUnit) -> int:
    """The size of a file of plain text that is large; 0 for any other."""
    return file.size if file.size > LARGE_FILE and _is_plain(file) else 0


def _is_plain(file: FoundUnit) -> bool:
    return suffix_of(file.location) in PLAIN_SUFFIXES


def _claimed(size: int) -> int:
    """So many bytes, rounded up."""
    return -(-size // CLAIMED) * CLAIMED


def _weight(file: FoundUnit) -> int:
    """How long a file takes, in bytes of plain text that take as long.

    Folders of small documents would otherwise be one batch, on one of the cores.
    """
    if _is_plain(file):
        return file.size
    return FOREIGN_FILE + file.size


class _ReadingTask(NamedTuple):
    """Files to read and sign, and with what; `turn` is set when all before them are done."""

    files: Sequence[FoundUnit]
    settings: ScanSettings
    known: KnownDocuments
    processes: ReaderProcesses
    turn: threading.Event

    def batch(self) -> Batch:
        with ROOM.claim() as claim:
            return self._signed(*self._taken(claim), claim)

    def _taken(self, claim: Claim) -> tuple[int, _FileContents]:
        """Read files until their texts are very long; how many were read, and what they hold."""
        taken, size = _FileContents([], [], [], []), 0
        most = TEXTS_AHEAD // (2 * worker_count() + 1)
        for count, file in enumerate(self.files):
            stop_if_cancelled()
            if size > most:
                return count, taken
            before, added = taken.counts(), 0
            # The bytes of the file, and its text where it is made in this process.
            needed = COPIES * file.size if _is_plain(file) else file.size
            claim.grow(_claimed(COPIES * size + needed))
            for result in read_found(file, self.known, self.processes):
                added += taken.add(result, self.known)
                claim.grow(_claimed(COPIES * (size + added)))
                if added > most and not self.turn.is_set():
                    taken.cut(before)
                    return count, taken
            size += added
        return len(self.files), taken

    def _signed(self, count: int, taken: _FileContents, claim: Claim) -> Batch:
        limits = self.processes.settings.limits
        batch = sign_documents(taken.documents, taken.texts, self.settings, limits, claim)
        problems = [*taken.problems, *batch.problems]
        return batch._replace(problems=problems, kept=taken.kept, files=count)


class _FileContents(NamedTuple):
    """The contents of files, by what is to be done with them; texts belong to documents."""

    documents: list[Document]
    texts: list[str]
    problems: list[Problem]
    kept: list[KeptDocument]

    def add(self, result: ReadDocument | Document | Problem, known: KnownDocuments) -> int:
        """Add what was read; returns how many bytes its text takes."""
        if isinstance(result, Problem):
            self.problems.append(result)
            return 0
        if isinstance(result, Document) and known.are_signed:
            number = known.number_of(result)
            self.kept.append(KeptDocument(result, number))
            return 0
        if isinstance(result, Document):
            result = known.with_text(result)
        self.documents.append(result.document)
        self.texts.append(result.text)
        return sys.getsizeof(result.text)

    def counts(self) -> list[int]:
        return [len(column) for column in self]

    def cut(self, counts: list[int]) -> None:
        """Drop what was added after there were so many."""
        for column, count in zip(self, counts, strict=True):
            cast("list[object]", column)[count:] = []


def read_found(
    file: FoundUnit, known: KnownDocuments, processes: ReaderProcesses
) -> Iterable[ReadDocument | Document | Problem]:
    """What is in a file or a submission: documents; known ones may be without text."""
    if isinstance(file, FoundSubmission):
        return read_submission(file, known, processes)
    unchanged = known.unchanged(file)
    opened = processes.settings.archives or known.keeps_archives
    if unchanged and (opened or not unchanged[0].part):
        return unchanged
    return read_file(file, processes, known=known.by_content, unchanged=unchanged)
