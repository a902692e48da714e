"""The whole flow, stage by stage: a folder in, ranked pairs out.

    find_documents ─▶ read and sign, in batches on all cores ─▶ Scan
    Scan.pairs: core.listing, from signatures over candidates and evidence to a ranked table

`Scan` keeps texts, signatures and evidence, so `pairs` can be asked again with other bands, rows
or threshold at once.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from core.corpus import Corpus, SignedTexts, batches, sign_texts, worker_count
from core.documents import (
    Document,
    FoundFile,
    Problem,
    ProblemCode,
    ReadDocument,
    find_documents,
    read_document,
)
from core.errors import SettingsError
from core.listing import PairLister
from core.pairs import Pairs
from core.progress import (
    Cancelled,
    Progress,
    ProgressReport,
    Stage,
    ignore,
    never,
    result_of,
    stop_if,
)
from core.settings import ScanSettings

__all__ = ["Scan", "find_pairs", "scan"]

FIRST_PREVIEW = 500  # documents; previews follow at every doubling


def scan(
    folders: Sequence[Path],
    settings: ScanSettings,
    *,
    progress: Progress = ignore,
    cancelled: Cancelled = never,
    preview: Callable[[Scan], None] | None = None,
) -> Scan:
    """Read the documents of some folders and sign them; ask the result for its pairs.

    Args:
        folders: Folders (or single files) to read.
        settings: What to compare and how.
        progress: Told the stage and the number of documents.
        cancelled: Polled between documents, and while threads work.
        preview: Called, while documents are still being read, with what is there so far.

    Raises:
        FolderError: A folder cannot be used at all.
        ScanCancelledError: `cancelled` said so.
    """
    progress(ProgressReport(Stage.DISCOVER, 0, 0))
    found, problems = find_documents(folders, cancelled=cancelled)
    result = Scan(settings, tuple(folders), problems)
    next_preview = FIRST_PREVIEW
    done = 0
    progress(ProgressReport(Stage.READ, 0, len(found)))
    try:
        for batch in _read_and_sign(found, settings, result.pool, cancelled):
            result.add(batch)
            done += batch.files
            progress(ProgressReport(Stage.READ, done, len(found)))
            if preview and len(result.documents) >= next_preview and done < len(found):
                preview(result)
                next_preview = 2 * len(result.documents)
    except BaseException:
        result.close()
        raise
    return result


def find_pairs(texts: Sequence[str], settings: ScanSettings) -> Pairs:
    """The pairs among texts in memory, ordered by a and b; indices are those of `texts`.

    Args:
        texts: Any texts; empty ones match nothing.
        settings: What to compare and how.

    Raises:
        TooManyCandidatesError: Bands and rows would compare more than 20 million pairs.
    """
    with ThreadPoolExecutor(worker_count()) as pool:
        corpus = Corpus(settings, pool)
        parts = [texts[part] for part in batches([len(text) for text in texts])]
        for part, signed in zip(
            parts, pool.map(lambda some: sign_texts(some, settings), parts), strict=True
        ):
            corpus.add(part, signed)
        return PairLister(corpus).list_pairs(settings).pairs


class Scan:
    """The documents of one scan and everything needed to list their pairs.

    Attributes:
        settings: The settings the documents were read and signed with.
        folders: What was scanned.
        documents: The documents with text, in the order of their names.
        problems: Files that gave no text, and why.
        notes: What the last list of pairs left out or could not find, in sentences.
    """

    def __init__(
        self, settings: ScanSettings, folders: tuple[Path, ...], problems: list[Problem]
    ) -> None:
        self.settings = settings
        self.folders = folders
        self.documents: list[Document] = []
        self.problems = problems
        self.notes: list[str] = []
        self.pool = ThreadPoolExecutor(worker_count(), thread_name_prefix="neardup-engine")
        self._corpus = Corpus(settings, self.pool)

    @property
    def texts(self) -> Sequence[str]:
        """The text of each document; line ends are LF, nothing else is changed."""
        return self._corpus.texts

    def add(self, batch: _Batch) -> None:
        """Take in documents that were read and signed."""
        self.documents.extend(batch.documents)
        self.problems.extend(batch.problems)
        self._corpus.add(batch.texts, batch.signed)

    def pairs(
        self,
        settings: ScanSettings | None = None,
        *,
        progress: Progress = ignore,
        cancelled: Cancelled = never,
    ) -> Pairs:
        """The pairs, most similar first, for these bands, rows and threshold.

        Raises:
            SettingsError: The settings make other shingles or signatures than the scan's.
            TooManyCandidatesError: Bands and rows would compare more than 20 million pairs.
            ScanCancelledError: `cancelled` said so.
        """
        wanted = settings or self.settings
        if not self.settings.same_signatures(wanted):
            raise SettingsError("These settings need a new scan: they make other signatures.")
        lister = PairLister(self._corpus)
        listing = lister.list_pairs(wanted, progress=progress, cancelled=cancelled)
        self.notes = [
            *self._notes_on_length(),
            *(cap.sentence(self.documents[cap.document].name) for cap in listing.caps),
        ]
        return listing.pairs.ranked()

    @property
    def background(self) -> npt.NDArray[np.float64]:
        """Exact resemblances of about 2,000 pairs of documents drawn at random."""
        return self._corpus.background()

    def _notes_on_length(self) -> list[str]:
        """What cannot be found because there is too little text."""
        if not self.documents:
            return ["No document with text was found."]
        short = int((self._corpus.signed.units < self.settings.k).sum())
        if not short:
            return []
        unit = "words" if self.settings.unit == "word" else "characters"
        which = f"{short:,} of {len(self.documents):,} documents"
        reason = f"too short for a shingle of {self.settings.k} {unit}"
        return [f"{which}: {reason}; they only match documents with the same words."]

    def close(self) -> None:
        """Stop the threads; documents, texts and what was listed stay readable.

        Does not wait: a thread in the midst of a long document ends with it.
        """
        self.pool.shutdown(wait=False, cancel_futures=True)


class _Batch(NamedTuple):
    """Some files, read and signed."""

    files: int
    documents: list[Document]
    texts: list[str]
    problems: list[Problem]
    signed: SignedTexts


def _read_and_sign(
    found: list[FoundFile],
    settings: ScanSettings,
    pool: ThreadPoolExecutor,
    cancelled: Cancelled,
) -> Iterator[_Batch]:
    """Batches in the order of the files, a few of them under way at once."""
    waiting: deque[Future[_Batch]] = deque()
    try:
        for part in batches([file.size for file in found]):
            waiting.append(pool.submit(_read_batch, found[part], settings, cancelled))
            if len(waiting) > 2 * worker_count():
                stop_if(cancelled)
                yield result_of(waiting.popleft(), cancelled)
        while waiting:
            stop_if(cancelled)
            yield result_of(waiting.popleft(), cancelled)
    finally:
        for future in waiting:
            future.cancel()


def _read_batch(files: list[FoundFile], settings: ScanSettings, cancelled: Cancelled) -> _Batch:
    documents, texts, problems = [], [], []
    for file in files:
        stop_if(cancelled)
        result = read_document(file)
        if isinstance(result, ReadDocument):
            documents.append(result.document)
            texts.append(result.text)
        else:
            problems.append(result)
    signed = sign_texts(texts, settings)
    wordless = np.flatnonzero(signed.units == 0)
    for index in wordless[::-1]:
        problems.append(_no_words(documents.pop(index), settings))
        texts.pop(index)
    return _Batch(len(files), documents, texts, problems, signed.take(signed.units > 0))


def _no_words(document: Document, settings: ScanSettings) -> Problem:
    unit = "word" if settings.unit == "word" else "character"
    return Problem(
        document.name,
        ProblemCode.NO_WORDS,
        f"The file has text, but no {unit} that counts under these settings.",
    )
