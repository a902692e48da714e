"""The documents of a review, and whether a scan of their folders would change nothing in it.

Kept apart from `loading`: most scans of a folder that has a review find every file as it was, and
are done in less time than it takes to import the search and the lists.

Also whether a review is intact: checked before a save builds on rows that it does not read.

A save keeps the texts, signatures and pairs that it does not write again. A damaged
one would be noticed when it is needed, long after the save was reported as successful.
"""

from __future__ import annotations

import os
import sqlite3
from array import array
from collections.abc import Iterator, MutableSequence, Sequence
from contextlib import contextmanager, suppress
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
from core.review.header import READING, SIGNING, is_ours, load_facts, settings_of, state_of
from core.review.packing import LISTED, OVERLAP, REWORKED, SignedRow, checksum_of, verify_pairs
from core.review.rows import (
    document_of,
    document_rows,
    folder_rows,
    prefix_of,
    role_of,
    verify_values,
)
from core.review.sidecar_files import DAMAGE, changed, explained, file_state, shown, undamaged
from core.review.validation import ReadBudget, at_most, check_numbers, rows_of, size_of, watched
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


SOUND = [(b"ok",)]
# The state in which this process has verified each file, or that it made of a verified one, with
# what the system says of the file: another program may damage it and leave its state.
_verified: dict[Path, tuple[str, int, int, int]] = {}


def verify_once(path: Path, connection: sqlite3.Connection, *, is_loaded: bool = False) -> None:
    """Verify all of a review, unless this process has verified this state before.

    Args:
        path: The file.
        connection: In a transaction, and watched.
        is_loaded: Whether signatures and pairs were read already, and so were verified.

    Raises:
        ValueError: Something is not as it was written.
    """
    state = state_of(connection)
    if not is_verified(path, state):
        verify_all(connection, is_loaded=is_loaded)
        note_verified(path, state)


def is_verified(path: Path, state: str) -> bool:
    """Whether this process has verified a file in this state, and nobody wrote to it since."""
    return _verified.get(path) == (state, *_stamp(path))


def note_verified(path: Path, state: str) -> None:
    """Note that a file was verified, or that this state was made of a verified one."""
    with suppress(OSError):  # moved away at this moment: then another is verified
        _verified[path] = (state, *_stamp(path))


def _stamp(path: Path) -> tuple[int, int, int]:
    status = path.stat()
    return status.st_ino, status.st_size, status.st_mtime_ns


def verify_all(connection: sqlite3.Connection, *, is_loaded: bool = False) -> None:
    """Verify all of a review but its documents; arguments and errors as `verify_once`."""
    with at_most(connection, size_of(connection)):
        needed = connection.execute("SELECT DISTINCT text FROM documents")
        if {number for (number,) in needed} - _checked(connection, "texts"):
            raise ValueError("A text is missing.")
        _checked(connection, "aside")
        if not is_loaded:
            _signed(connection)
    if not is_loaded:
        facts = load_facts(connection)
        verify_pairs(connection, OVERLAP, facts.documents, facts.pairs)
        verify_pairs(connection, REWORKED, facts.documents, facts.reworked)
        verify_pairs(connection, LISTED, facts.documents, facts.listed)
        verify_values(connection)
    stop_if_cancelled()
    if connection.execute("PRAGMA integrity_check(1)").fetchall() != SOUND:
        raise ValueError("The structure of the database is damaged.")


def _checked(connection: sqlite3.Connection, table: str) -> set[int]:
    """The numbers of the rows, which are looked at as they are stored, without unpacking."""
    room, numbers = ReadBudget(connection), set[int]()
    for number, checksum, data in connection.execute(f"SELECT id, checksum, data FROM {table}"):
        room.take(len(data))
        if checksum_of(data, seed=number) != checksum:
            raise ValueError(f"A row of {table} is damaged.")
        numbers.add(number)
    return numbers


def _signed(connection: sqlite3.Connection) -> None:
    needed = dict(connection.execute("SELECT signed, signed_checksum FROM documents"))
    room = ReadBudget(connection)
    for number, data, grams in connection.execute("SELECT id, data, skip_grams FROM signed"):
        room.take(len(data) + len(grams))
        if needed.pop(number, None) != SignedRow(data, grams).checksum:
            raise ValueError("Signatures are damaged.")
    if needed:
        raise ValueError("Signatures are missing.")
