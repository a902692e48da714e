"""The documents of a review, and whether a scan of their folders would change nothing in it.

Kept apart from `loading`: most scans of a folder that has a review find every file as it was, and
are done in less time than it takes to import the search and the lists.
"""

from __future__ import annotations

import os
import sqlite3
from array import array
from collections.abc import Iterator, MutableSequence, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import NamedTuple

import numpy as np

from core.base.arrays import Int64Array
from core.base.memory import collector_paused
from core.base.messages import N_, gettext
from core.base.tasks import Progress, ProgressReport, Stage, ignore, stop_if_cancelled
from core.documents.discovery import find_documents
from core.documents.model import Document, FolderRoles, FoundFile, Role
from core.errors import ReviewError, SettingsError
from core.review import database
from core.review.header import READING, SIGNING, load_facts, settings_of
from core.review.integrity import verify_all
from core.review.mac import is_ours
from core.review.rows import document_of, document_rows, folder_rows, prefix_of, role_of
from core.review.sidecar_files import DAMAGE, changed, explained, file_state, shown, undamaged
from core.review.validation import check_numbers, rows_of, watched
from core.scan.rescan import are_unchanged
from core.settings import ScanSettings

BY_OTHER_SETTINGS = N_(
    "What this review knew of its documents was made with other settings. It was made again from "
    "the texts, and pairs are measured again."
)
BY_OTHER_VERSION = N_(
    "Another version of Neardup made what this review knew of its documents. It was made again "
    "from the texts, and pairs are measured again. Some numbers may differ from before."
)
NOT_OURS = N_(
    "This review was saved on another computer or by another user, or changed by another program. "
    "None of its numbers was used: all pairs are measured again from its texts. Once you have "
    "saved it, it opens without that."
)


ROWS_AT_ONCE = 4096


class StoredDocuments:
    """What a review that is being read, in a transaction, says of its documents.

    Attributes:
        folders: The scanned folders.
        is_measured: Whether signatures and numbers of pairs are used as they are stored.
    """

    def __init__(
        self,
        path: Path,
        connection: sqlite3.Connection,
        notes: MutableSequence[str],
        progress: Progress,
        *,
        just_written: bool = False,
    ) -> None:
        """Read the facts and the documents.

        A file that this process just wrote is read as it is, also where no key can be kept.

        Raises:
            ReviewError: This version does not have its settings.
            ValueError: Something is not as it was written.
        """
        self._path, self._connection = path, connection
        self._notes, self._progress = notes, progress
        self._facts = load_facts(connection)
        progress(ProgressReport(Stage.OPEN, 0, self._facts.documents))
        try:
            self._settings = settings_of(self._facts.settings)
        except SettingsError as error:
            raise ReviewError(
                "{name} was scanned with settings that this version of Neardup does not have: "
                "{why} Scan its folders again, into another review.",
                name=shown(path),
                why=error,
            ) from error
        self._folders = folder_rows(connection)
        prefixes = {0: ""} | {folder.id: prefix_of(str(folder.path())) for folder in self._folders}
        self._roles = tuple(map(role_of, self._folders))
        self.folders = [folder.path() for folder in self._folders]
        rows = _documents(connection, prefixes)
        roles = FolderRoles(self.folders, self._roles)
        self._rows = rows._replace(documents=list(roles.assigned(rows.documents)))
        note = "" if just_written else self._why_measured_again()
        self.is_measured = not note
        notes.extend(filter(None, [note]))

    def _why_measured_again(self) -> str:
        if self._facts.settings != asdict(self._settings):
            return gettext(BY_OTHER_SETTINGS)
        if self._is_of_other_version():
            return gettext(BY_OTHER_VERSION)
        return "" if is_ours(self._connection, self._facts) else gettext(NOT_OURS)

    def _is_of_other_version(self) -> bool:
        return self._facts.signing != SIGNING

    def would_stay(
        self, folders: Sequence[Path], roles: Sequence[Role], settings: ScanSettings
    ) -> bool:
        """Whether another scan of these folders changes nothing if all files are unchanged.

        In doubt it says no.
        """
        facts = self._facts
        requested = list(zip(map(str, folders), roles, strict=True))
        stored = list(zip(map(str, self.folders), self._roles, strict=True))
        return (
            self.is_measured
            and settings == self._settings
            and facts.reading == READING
            and facts.contained == facts.log
            and facts.run is None
            and not facts.problems
            and requested == stored[: len(requested)]
            # References and templates stay, also where they are not named.
            and all(role is not Role.REVIEW for _, role in stored[len(requested) :])
        )

    @property
    def documents(self) -> Sequence[Document]:
        """The documents as they are stored."""
        return self._rows.documents


class _Rows(NamedTuple):
    """The documents in the order of the names of their files, and the keys of other tables."""

    documents: list[Document]
    ids: Int64Array
    texts: Int64Array
    signed: Int64Array
    checksums: Int64Array
    shingles: Int64Array


def _documents(connection: sqlite3.Connection, folders: dict[int, str]) -> _Rows:
    documents: list[Document] = []
    columns = array("q")
    with collector_paused():
        for row in document_rows(connection):
            if len(documents) % ROWS_AT_ONCE == 0:
                stop_if_cancelled()
            documents.append(document_of(row, folders))
            columns.extend(row[:10])
    numbers = np.array(columns, dtype=np.int64).reshape(-1, 10)
    check_numbers(numbers)
    occurrences = numbers[:, 9].tolist()
    order = sorted(
        range(len(documents)), key=lambda row: (documents[row].file_name, occurrences[row])
    )
    ids, _, _, _, _, texts, signed, checksums, shingles, _ = numbers[order].T.copy()
    ordered = [documents[index] for index in order]
    return _Rows(ordered, ids, texts, signed, checksums, shingles)


def is_up_to_date(
    path: Path, folders: Sequence[Path], roles: Sequence[Role], settings: ScanSettings
) -> bool:
    """Whether a scan of these folders would change nothing in a review of them.

    No document is read. All of the review is checked: a scan is no success beside a
    damaged review.

    Raises:
        ReviewError, ScanCancelledError: As from `open_review`.
    """
    path = Path(os.path.realpath(path))
    files = _files_in(folders)
    if files is None:
        return False
    with reading(path, []) as connection:
        if not _were_known(connection, files):  # decided without reading all documents
            is_unchanged = False
        else:
            stored = StoredDocuments(path, connection, [], ignore)
            is_unchanged = stored.would_stay(folders, roles, settings)
            if is_unchanged and stored.folders != list(folders):
                files = _files_in(stored.folders)
            is_unchanged &= files is not None and are_unchanged(files, stored.documents)
        if is_unchanged:
            verify_all(connection)
    connection.close()
    return is_unchanged


def _files_in(folders: Sequence[Path]) -> list[FoundFile] | None:
    """The files in folders; None where a folder or file cannot be read."""
    unusable: dict[Path, str] = {}
    files, problems = find_documents(folders, unusable=unusable)
    return None if unusable or problems else files


def _were_known(connection: sqlite3.Connection, files: Sequence[FoundFile]) -> bool:
    """Whether for each file there is a document of its size and time."""
    query = "SELECT id, size, modified_ns, 0 FROM documents ORDER BY id"
    known = {(size, changed_ns) for _, size, changed_ns, _ in rows_of(connection, query, 3)}
    return all((file.size, file.modified_ns) in known for file in files)


@contextmanager
def reading(path: Path, notes: list[str]) -> Iterator[sqlite3.Connection]:
    """A review in a transaction; who reads it closes the connection."""
    with explained(path, "opened"), undamaged(path):
        database.refuse_foreign(path)
        connection = database.connect(path, write=False, notes=notes)
        try:
            with _unchanged(path, connection):
                database.check_version(connection, path)
                connection.execute("BEGIN")  # the state is that of the first read
                with watched(connection):
                    yield connection
        except BaseException:
            connection.close()
            raise


@contextmanager
def _unchanged(path: Path, connection: sqlite3.Connection) -> Iterator[None]:
    """While a file is read without locks, distinguish changes by others from damage."""
    if not database.is_lock_free(connection):
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
