"""A review file to the state of a scan."""

from __future__ import annotations

import os
import sqlite3
from array import array
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Self

import numpy as np

from core.base.arrays import Int64Array
from core.base.parallel import batches, results_of, worker_count
from core.base.progress import Cancelled, Progress, ProgressReport, Stage, ignore, never, stop_if
from core.documents import Document
from core.errors import ReviewError
from core.evidence.store import Evidence
from core.review import schema
from core.review.believable import check_counts, check_evidence, check_numbers
from core.review.companions import file_state
from core.review.database import check_version, configure, connect, is_lock_free, refuse_foreign
from core.review.header import READING, SIGNING, load_facts, state_of, stored_settings
from core.review.pair_chunks import load_pairs
from core.review.refusals import DAMAGE, changed, explained, undamaged
from core.review.rows import (
    document_of,
    document_rows,
    folder_rows,
    prefix_of,
    problems_of,
)
from core.review.sample import agrees_with_texts
from core.review.settings_repair import settings_of, signed_alike
from core.review.signed_rows import Wanted, load_signed
from core.review.sqlite_bounds import watched
from core.review.texts import StoredTexts
from core.review.verifying import verify_once
from core.scan.state import ScanState
from core.settings import ScanSettings
from core.signatures.signing import SignedTexts, sign_texts

__all__ = ["Review", "open_review"]


ROWS_AT_ONCE = 4096
SIGNED_AGAIN = "It was made again from the texts, and pairs are measured again."
BY_OTHER_SETTINGS = (
    f"What this review knew of its documents was made with other settings. {SIGNED_AGAIN}"
)
BY_OTHER_VERSION = (
    "Another version of Neardup made what this review knew of its documents. "
    f"{SIGNED_AGAIN} Some numbers may differ from before."
)
NOT_OF_TEXTS = (
    "Numbers in this review are not those that its texts give: they were changed, or another "
    "program measured them. All pairs were measured again from the texts."
)


class Review:
    """An open review; close it when its texts are no longer needed.

    Attributes:
        path: The file.
        state: The scan. Its texts are read from the file when they are asked for.
        notes: What was changed to open it, in sentences.
    """

    def __init__(
        self, path: Path, state: ScanState, notes: Sequence[str], texts: StoredTexts
    ) -> None:
        self.path = path
        self.state = state
        self.notes = tuple(notes)
        self._texts = texts

    def let_go(self) -> None:
        """Keep nothing of the file open or locked: texts are looked for when they are asked for."""
        self._texts.let_go()

    def close(self) -> None:
        """Let go of the file; texts cannot be read any more."""
        self._texts.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def open_review(
    path: Path,
    *,
    verify: bool = False,
    progress: Progress = ignore,
    cancelled: Cancelled = never,
) -> Review:
    """Open a review: everything but the texts is read now, the texts when they are asked for.

    A file that may not be written is opened all the same. One of an older version is brought up to
    date in a temporary copy: only who saves a review changes it, and others may have it open.

    Args:
        path: The file.
        verify: Whether to look at all of it, the texts too, because it will be saved.
        progress: Told the number of documents.
        cancelled: Polled between documents.

    Raises:
        ReviewError: It is no review, damaged, of a newer version, or may not be read.
        ScanCancelledError: `cancelled` said so.
    """
    path = Path(os.path.realpath(path))
    with explained(path, "opened"), undamaged(path):
        refuse_foreign(path)
        notes: list[str] = []
        connection = connect(path, write=False, notes=notes)
        try:
            with _unchanged(path, connection):
                check_version(connection, path)
                is_old = schema.version_of(connection) < len(schema.MIGRATIONS)
                if is_old:
                    connection = _brought_up_to_date(connection)
                connection.execute("BEGIN")  # the state is that of the first read
                with watched(connection, cancelled):
                    review = _load(path, connection, notes, progress, cancelled)
                if verify:
                    with watched(connection, cancelled):
                        verify_once(path, connection, cancelled, is_loaded=not review.notes)
                if not is_old:
                    review.let_go()
        except BaseException:
            connection.close()
            raise
        return review


@contextmanager
def _unchanged(path: Path, connection: sqlite3.Connection) -> Iterator[None]:
    """While a file is read without locks, tell what was changed meanwhile from what is damaged.

    Raises:
        ReviewError: Another program has saved it.
    """
    if not is_lock_free(connection):
        yield
        return
    before = file_state(path)
    try:
        yield
    except (ReviewError, sqlite3.Error, *DAMAGE) as error:
        if file_state(path) != before:
            raise changed(path) from error
        raise
    if file_state(path) != before:
        raise changed(path)


def _brought_up_to_date(connection: sqlite3.Connection) -> sqlite3.Connection:
    """A connection to a temporary copy with today's tables."""
    copy = sqlite3.connect("", isolation_level=None, check_same_thread=False)
    try:
        connection.backup(copy)
        configure(copy)
        schema.migrate(copy)
    except BaseException:
        copy.close()
        raise
    connection.close()
    return copy


class _Rows(NamedTuple):
    """The documents in the order of the names of their files, and what other tables ask by."""

    documents: list[Document]
    ids: Int64Array
    texts: Int64Array
    signed: Int64Array
    checksums: Int64Array
    shingles: Int64Array


def _load(
    path: Path,
    connection: sqlite3.Connection,
    notes: list[str],
    progress: Progress,
    cancelled: Cancelled,
) -> Review:
    facts = load_facts(connection)
    progress(ProgressReport(Stage.OPEN, 0, facts.documents))
    settings, repaired = settings_of(stored_settings(facts))
    notes += repaired
    folders = folder_rows(connection)
    prefixes = {0: ""} | {folder.id: prefix_of(str(folder.path())) for folder in folders}
    rows = _documents(connection, prefixes, cancelled)
    problems = problems_of(connection)
    if (len(folders), len(rows.documents), len(problems)) != (
        facts.folders,
        facts.documents,
        facts.problems,
    ):
        raise ValueError("Some rows are missing.")
    number = state_of(connection).number
    texts = StoredTexts(path, number, rows.texts, rows.documents, connection)
    alike = signed_alike(facts.settings, settings)
    as_stored = alike and facts.signing == SIGNING
    if as_stored:
        wanted = Wanted(rows.signed, rows.checksums)
        width = settings.signature_width
        signed = load_signed(connection, wanted, facts, width, progress, cancelled)
        check_counts(signed, texts.lengths, rows.shingles, settings.k)
        evidence = load_pairs(connection, rows.ids, facts.pairs)._replace(sizes=rows.shingles)
        check_evidence(evidence, signed.units, settings)
    else:
        notes.append(BY_OTHER_VERSION if alike else BY_OTHER_SETTINGS)
        signed = _sign_again(texts, settings, progress, cancelled)
        evidence = Evidence.none(len(texts))
    progress(ProgressReport(Stage.OPEN, facts.documents, facts.documents))
    state = ScanState(
        settings=settings,
        folders=tuple(folder.path() for folder in folders),
        documents=rows.documents,
        problems=problems,
        signed=signed,
        texts=texts,
        evidence=evidence,
        texts_are_current=facts.reading == READING,
    )
    if as_stored and not agrees_with_texts(state, cancelled):
        notes.append(NOT_OF_TEXTS)
        signed = _sign_again(texts, settings, progress, cancelled)
        state = state._replace(signed=signed, evidence=Evidence.none(len(texts)))
    return Review(path, state, notes, texts)


def _documents(
    connection: sqlite3.Connection, folders: dict[int, str], cancelled: Cancelled
) -> _Rows:
    """All documents, in the order of the names of their files."""
    documents: list[Document] = []
    columns = array("q")
    for row in document_rows(connection):
        if len(documents) % ROWS_AT_ONCE == 0:
            stop_if(cancelled)
        documents.append(document_of(row, folders))
        columns.extend(row[:10])
    numbers = np.array(columns, dtype=np.int64).reshape(-1, 10)
    check_numbers(numbers)
    places = numbers[:, 9].tolist()
    order = sorted(range(len(documents)), key=lambda row: (documents[row].file_name, places[row]))
    numbers = numbers[order]
    return _Rows(
        documents=[documents[place] for place in order],
        ids=numbers[:, 0].copy(),
        texts=numbers[:, 5].copy(),
        signed=numbers[:, 6].copy(),
        checksums=numbers[:, 7].copy(),
        shingles=numbers[:, 8].copy(),
    )


def _sign_again(
    texts: StoredTexts, settings: ScanSettings, progress: Progress, cancelled: Cancelled
) -> SignedTexts:
    """Sign all texts with other settings than those they were signed with."""
    if not len(texts):
        return sign_texts([], settings)
    parts = list(batches(texts.lengths.tolist()))
    signed = []
    with ThreadPoolExecutor(worker_count(), thread_name_prefix="neardup-engine") as pool:
        tasks = [pool.submit(_sign, texts, part, settings) for part in parts]
        for part, result in zip(parts, results_of(tasks, cancelled), strict=True):
            signed.append(result)
            progress(ProgressReport(Stage.OPEN, part.stop, len(texts)))
    return SignedTexts.join(signed)


def _sign(texts: StoredTexts, part: slice, settings: ScanSettings) -> SignedTexts:
    return sign_texts(texts[part], settings)
