"""A review file, opened: read as a whole, without keeping anybody from saving it."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Self

from core.base.tasks import Cancelled, Progress, ignore, never
from core.documents.discovery import find_documents
from core.documents.model import FoundFile, Role
from core.errors import ReviewError
from core.review.database import check_version, connect, is_lock_free, refuse_foreign
from core.review.refusals import DAMAGE, changed, explained, file_state, undamaged
from core.review.sqlite_bounds import rows_of, watched
from core.review.stored_scan import StoredScan
from core.review.texts import StoredTexts
from core.review.verifying import verify_once, verify_whole
from core.scan.rescan import are_as_they_were
from core.scan.state import ScanState
from core.settings import ScanSettings


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

    def __exit__(self, *_: object) -> None:
        self.close()


def open_review(
    path: Path,
    *,
    verify: bool = False,
    progress: Progress = ignore,
    cancelled: Cancelled = never,
) -> Review:
    """Open a review: everything but the texts is read now, the texts when they are asked for.

    Args:
        path: The file.
        verify: Whether to look at all of it, the texts too, because it will be saved.
        progress: Told the number of documents.
        cancelled: Polled between documents.

    Raises:
        ReviewError: It is no review, damaged, of another format, or may not be read.
        ScanCancelledError: `cancelled` said so.
    """
    path, notes = Path(os.path.realpath(path)), list[str]()
    with _reading(path, notes, cancelled) as connection:
        stored = StoredScan(path, connection, notes, progress, cancelled)
        review = Review(path, stored.load(), notes, stored.texts)
        if verify:
            verify_once(path, connection, cancelled, is_loaded=stored.is_measured)
    review.let_go()
    return review


def is_up_to_date(
    path: Path,
    folders: Sequence[Path],
    roles: Sequence[Role],
    settings: ScanSettings,
    cancelled: Cancelled = never,
) -> bool:
    """Whether a scan of these folders would change nothing in a review of them.

    No document is read. The review is looked at as a whole: a scan is no success beside a review
    that is damaged.

    Raises:
        ReviewError, ScanCancelledError: As from `open_review`.
    """
    path = Path(os.path.realpath(path))
    found = _files_in(folders, cancelled)
    if found is None:
        return False
    with _reading(path, [], cancelled) as connection:
        if not _were_there(connection, found):  # told without reading all documents
            is_unchanged = False
        else:
            stored = StoredScan(path, connection, [], ignore, cancelled)
            is_unchanged = stored.would_stay(folders, roles, settings)
            if is_unchanged and stored.folders != list(folders):
                found = _files_in(stored.folders, cancelled)
            is_unchanged &= found is not None and are_as_they_were(found, stored.documents)
        if is_unchanged:
            verify_whole(connection, cancelled)
    connection.close()
    return is_unchanged


def _files_in(folders: Sequence[Path], cancelled: Cancelled) -> list[FoundFile] | None:
    """The files in some folders; None where one cannot be read."""
    unusable: dict[Path, str] = {}
    found, problems = find_documents(folders, cancelled=cancelled, unusable=unusable)
    return None if unusable or problems else found


def _were_there(connection: sqlite3.Connection, found: Sequence[FoundFile]) -> bool:
    """Whether for each file there is a document of its size and time."""
    query = "SELECT id, size, modified_ns, 0 FROM documents ORDER BY id"
    known = {(size, changed_ns) for _, size, changed_ns, _ in rows_of(connection, query, 3)}
    return all((file.size, file.modified_ns) in known for file in found)


@contextmanager
def _reading(path: Path, notes: list[str], cancelled: Cancelled) -> Iterator[sqlite3.Connection]:
    """A review in a transaction; who reads it closes the connection."""
    with explained(path, "opened"), undamaged(path):
        refuse_foreign(path)
        connection = connect(path, write=False, notes=notes)
        try:
            with _unchanged(path, connection):
                check_version(connection, path)
                connection.execute("BEGIN")  # the state is that of the first read
                with watched(connection, cancelled):
                    yield connection
        except BaseException:
            connection.close()
            raise


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
