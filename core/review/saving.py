"""Saves the state of a scan to a review file, writing only what the file does not hold yet.

Also plans the rows of a save: existing rows keep their numbers.
"""

from __future__ import annotations

import os
import sqlite3
from collections import defaultdict
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import Generic, NamedTuple, TypeVar

import numpy as np

from core import __version__
from core.base.arrays import Int64Array
from core.base.tasks import (
    Progress,
    ProgressReport,
    Stage,
    WorkerPool,
    batches,
    ignore,
    results_of,
    stop_if_cancelled,
    worker_count,
)
from core.documents.model import Document, FolderRoles, Problem
from core.documents.reading_settings import plain_reading
from core.evidence.pairs import split_codes
from core.review import header
from core.review.database import create, format_of
from core.review.decisions import carried_out
from core.review.integrity import note_verified, verify_once
from core.review.loading import StoredScan
from core.review.lock import commit, database_to_save
from core.review.log import insert_entries, load_entries
from core.review.mac import is_ours, mac_of
from core.review.packing import checksum_of, encoded, pack_text, unpack_text
from core.review.rows import (
    DocumentRow,
    FolderRow,
    PathSplitter,
    Reading,
    document_rows,
    folder_rows,
    packed_absence,
    packed_list,
    packed_role,
    problem_rows,
    reading_of,
)
from core.review.sidecar_files import DAMAGE, explained, undamaged, unreadable
from core.review.stored_exclusions import save_exclusions
from core.review.stored_pairs import (
    FORECAST,
    LISTED,
    OVERLAP,
    save_pairs,
    save_reworked,
    save_value,
)
from core.review.stored_signatures import save_signed, signed_rows
from core.review.validation import plain_values, watched
from core.scan.history import common_beginning, renumbered
from core.scan.part_of_run import PartOfRun
from core.scan.state import ScanState

Key = TypeVar("Key")


ROWS_AT_ONCE = 4096


class StoredRows(NamedTuple):
    """The rows of a file.

    Attributes:
        documents: Its documents.
        texts: The numbers of its texts, by their origins, of those that today's scan
            has as well.
        last_id: The highest id that a document ever had.
        last_text: The highest number that a text ever had: who reads along must not find another
            text under it.
    """

    documents: Sequence[DocumentRow]
    texts: dict[Reading, int]
    last_id: int
    last_text: int


class SavePlan(NamedTuple):
    """The rows of `documents` after a save, and the rows that other tables need.

    Attributes:
        rows: By position of the document.
        stored: The existing rows, by id.
        new_texts: Number and position of the missing texts.
        last_text: The highest number that a text ever had.
        new_signed: Number and position of the missing signed rows.
    """

    rows: list[DocumentRow]
    stored: dict[int, DocumentRow]
    new_texts: list[tuple[int, int]]
    last_text: int
    new_signed: list[tuple[int, int]]


def make_plan(state: ScanState, folders: Sequence[FolderRow], stored: StoredRows) -> SavePlan:
    """Compare a scan with the stored rows.

    Args:
        state: The scan.
        folders: The rows of its folders.
        stored: The stored rows.
    """
    ids = _ids(state.documents, stored.documents, stored.last_id)
    splitter = PathSplitter(folders)
    texts = _Numbers(stored.texts, stored.last_text)
    last_signed = max((row.signed for row in stored.documents), default=0)
    signatures = {row.signed_checksum: row.signed for row in stored.documents}
    signed_numbers = _Numbers(signatures, last_signed)
    signed = signed_rows(state.signed, np.arange(len(state.documents)))
    rows = []
    occurrences: defaultdict[str, int] = defaultdict(lambda: -1)
    for position, (document, signed_row) in enumerate(zip(state.documents, signed, strict=True)):
        if position % ROWS_AT_ONCE == 0:
            stop_if_cancelled()
        checksum = signed_row.checksum
        occurrences[document.location] += 1
        folder, path = splitter.split(document.location)
        row = DocumentRow(
            id=ids[position],
            folder=folder,
            size=document.size,
            modified_ns=document.modified_ns,
            characters=document.characters,
            text=texts.of(reading_of(document), position),
            signed=signed_numbers.of(checksum, position),
            signed_checksum=checksum,
            shingles=int(state.evidence.sizes[position]),
            place=occurrences[document.location],
            path=path,
            name=encoded(document.name),
            file_hash=encoded(document.file_hash),
            kind=encoded(document.kind),
            encoding=encoded(document.encoding),
            part=encoded(document.part),
            remarks=packed_list(document.remarks),
            absence=packed_absence(document),
            text_hash=encoded(document.text_hash),
            members=packed_list(document.members),
            language=encoded(document.language),
            sha256=bytes.fromhex(document.sha256),
        )
        rows.append(row)
    by_id = {row.id: row for row in stored.documents}
    return SavePlan(rows, by_id, texts.new, texts.last, signed_numbers.new)


class _Numbers(Generic[Key]):
    """Numbers of things that are stored once; those that come up for the first time get new ones.

    Attributes:
        new: Number and position of each that was not stored.
        last: The highest number that was ever given.
    """

    def __init__(self, known: dict[Key, int], last: int) -> None:
        self.new: list[tuple[int, int]] = []
        self._known = known
        self.last = last

    def of(self, key: Key, position: int) -> int:
        """The number of a key; a new key gets the next one, with its position."""
        if key not in self._known:
            self.last += 1
            self._known[key] = self.last
            self.new.append((self.last, position))
        return self._known[key]


def _ids(documents: Sequence[Document], stored: Sequence[DocumentRow], last_id: int) -> list[int]:
    """Ids by position: that of the same name, else of the same bytes or text under a lost name."""
    by_name = {row.name: row.id for row in stored}
    ids = [by_name.pop(encoded(document.name), 0) for document in documents]
    gone = set(by_name.values())
    lost = [row for row in stored if row.id in gone]
    for name in ("file_hash", "text_hash"):
        taken = set(ids)
        _take_ids(ids, documents, [row for row in lost if row.id not in taken], name)
    last = max([last_id, *(row.id for row in stored)])
    fresh = count(last + 1)
    return [number or next(fresh) for number in ids]


def _take_ids(
    ids: list[int], documents: Sequence[Document], lost: Sequence[DocumentRow], name: str
) -> None:
    """Give documents without an id that of a lost document with the same hash."""
    by_hash: dict[bytes, list[int]] = {}
    for row in lost:
        by_hash.setdefault(getattr(row, name), []).append(row.id)
    for position, document in enumerate(documents):
        if not ids[position] and (numbers := by_hash.get(encoded(getattr(document, name)))):
            ids[position] = numbers.pop()


PackedText = tuple[int, int, int, bytes]


def forget(
    connection: sqlite3.Connection,
    plan: SavePlan,
    folders: set[int],
    kept_folders: Sequence[FolderRow],
) -> None:
    """Delete rows that nothing refers to any more; `folders` are the ids of the stored folders."""
    before, now = plan.stored.values(), plan.rows
    gone = {
        "documents": {row.id for row in before} - {row.id for row in now},
        "texts": {row.text for row in before} - {row.text for row in now},
        "signed": {row.signed for row in before} - {row.signed for row in now},
        "folders": folders - {row.id for row in kept_folders},
    }
    for table, numbers in gone.items():
        parameters = [(number,) for number in sorted(numbers)]  # neighbours after one another
        connection.executemany(f"DELETE FROM {table} WHERE id = ?", parameters)


def save_texts(
    connection: sqlite3.Connection,
    state: ScanState,
    fresh: Sequence[tuple[int, int]],
    pool: ThreadPoolExecutor,
    progress: Progress,
) -> None:
    """Compress texts on all cores and write them in order, a few batches under way at once.

    Args:
        connection: The review.
        state: The scan.
        fresh: Number and position of each.
        pool: The cores.
        progress: Told how many are written.
    """

    def packed(batch: Sequence[tuple[int, int]]) -> list[PackedText]:
        return [_packed(state, *fresh_text) for fresh_text in batch]

    done = 0
    progress(ProgressReport(Stage.SAVE, 0, len(fresh)))
    parts = batches([state.documents[position].characters for _, position in fresh])
    tasks = (pool.submit(packed, fresh[part]) for part in parts)
    for rows in results_of(tasks, 2 * worker_count() + 1):
        connection.executemany("INSERT INTO texts VALUES (?, ?, ?, ?)", rows)
        done += len(rows)
        progress(ProgressReport(Stage.SAVE, done, len(fresh)))


def _packed(state: ScanState, number: int, position: int) -> PackedText:
    """The row of a text; runs on any thread."""
    stop_if_cancelled()
    text, document = state.texts[position], state.documents[position]
    if len(text) != document.characters:
        raise ValueError(f"The length of {document.name} is not that of its text.")
    size, data = pack_text(text)
    return number, size, checksum_of(data, seed=number), data


def save_documents(connection: sqlite3.Connection, plan: SavePlan) -> None:
    """Insert the documents that are new and update those that are not as they were."""
    names = (*DocumentRow._fields, "checksum")
    marks = ("nullif(?, 0)" if name == "folder" else "?" for name in names)
    updates = (f"{name} = excluded.{name}" for name in names[1:])
    connection.executemany(
        f"INSERT INTO documents ({', '.join(names)}) VALUES ({', '.join(marks)}) "
        f"ON CONFLICT (id) DO UPDATE SET {', '.join(updates)}",
        ((*row, row.checksum) for row in plan.rows if plan.stored.get(row.id) != row),
    )


def save_problems(connection: sqlite3.Connection, problems: Sequence[Problem]) -> None:
    """Replace the problems, unless they are the same."""
    rows = problem_rows(problems)
    columns = "id, name, code, detail, limit_met, sha256, checksum"
    if connection.execute(f"SELECT {columns} FROM problems ORDER BY id").fetchall() != rows:
        connection.execute("DELETE FROM problems")
        statement = f"INSERT INTO problems ({columns}) VALUES (?, ?, ?, ?, ?, ?, ?)"
        connection.executemany(statement, rows)


def save_list(
    connection: sqlite3.Connection, state: ScanState, ids: Int64Array, pool: ThreadPoolExecutor
) -> PartOfRun | None:
    """Replace the rows by those of the last list, or of the part of a run.

    Args:
        connection: The review.
        state: The scan.
        ids: Those of the documents in order.
        pool: Threads to compress with.

    Returns:
        The part as it is kept; None for a scan.
    """
    part = state.part and state.part.among([document.name for document in state.documents])
    listed = part or state.known_list
    codes = listed.codes if listed else np.empty(0, dtype=np.uint64)
    columns = (
        listed.found_by if listed else codes,
        part.estimate if part else np.zeros(len(codes)),
    )
    save_pairs(connection, LISTED, codes, columns, ids, pool)
    forecast = state.known_list and state.known_list.forecast
    save_value(connection, FORECAST, forecast.to_bytes() if forecast else b"")
    return part


FACTS = 1  # a row that every save writes, as it does those of the folders


def save_review(path: Path, state: ScanState, *, progress: Progress = ignore) -> tuple[str, ...]:
    """Create or update a review file: then the one file is complete.

    Existing rows are not written again, nor read; that they are intact is checked once.

    Args:
        path: The file; anything else than a review is refused.
        state: The state to save; of documents with the same bytes, read alike, one text.
        progress: Told how many texts are written, of those to write.

    Returns:
        Sentences on a save that succeeded.

    Raises:
        ReviewError: It cannot be written, is no review, or what is to be saved could not be opened
            again; it is as before.
    """
    path, notes = Path(os.path.realpath(path)), list[str]()
    with explained(path, "saved"), database_to_save(path, notes) as connection:
        connection.execute("BEGIN IMMEDIATE")
        is_new, before = not format_of(connection), ""
        if is_new:
            create(connection)
        else:
            with undamaged(path), watched(connection):
                verify_once(path, connection)
                before = header.state_of(connection)
        saving = _Save(connection, state, progress)
        with undamaged(path):
            folders, changes = folder_rows(connection), connection.total_changes
            stored = saving.stored(is_new=is_new)
            saving.join_logs(is_new=is_new)
        after = saving.run(folders, stored, before)
        # The facts of a run on a cluster are in the row of facts, and were written by others.
        if state.part or connection.total_changes - changes > len(state.folders) + FACTS:
            _require_readable(path, connection)
        notes += filter(None, [commit(path, connection)])
    note_verified(path, after)
    return tuple(notes)


def _require_readable(path: Path, connection: sqlite3.Connection) -> None:
    """Read the rows as when the file is opened, while they can still be taken back."""
    try:
        with watched(connection):
            StoredScan(path, connection, [], ignore, just_written=True).read()
    except DAMAGE as error:
        raise unreadable(path) from error


class _Save:
    def __init__(
        self, connection: sqlite3.Connection, state: ScanState, progress: Progress
    ) -> None:
        self._connection = connection
        known = state.known_list
        if known and (split_codes(known.codes)[1] >= len(state.documents)).any():
            state = state._replace(known_list=None)  # of documents that are not all present
        self._state = state
        self._progress = progress

    def stored(self, *, is_new: bool) -> StoredRows:
        """The rows of the file.

        Raises:
            ValueError: A row is damaged.
        """
        if is_new:
            return StoredRows((), {}, 0, 0)
        rows = list(document_rows(self._connection))
        facts = header.load_facts(self._connection)
        if len(rows) != facts.documents:
            raise ValueError("Some rows are missing.")
        texts = {row.reading: row.text for row in rows}
        # Another version, or a stranger, may have read another text from the same bytes.
        if facts.reading != _reading(self._state) or not is_ours(self._connection, facts):
            texts = self._same_texts(texts)
        last_text = max((row.text for row in rows), default=0)
        query = "SELECT max(seq) FROM sqlite_sequence WHERE name = 'documents'"
        last_id = self._connection.execute(query).fetchone()[0] or 0
        return StoredRows(rows, texts, last_id, max(facts.last_text, last_text))

    def join_logs(self, *, is_new: bool) -> None:
        """Append entries that the file lacks; carry out those that the scan lacks.

        Raises:
            ValueError: The log is damaged.
        """
        log, logged, contained = self._state.log, [], 0
        if not is_new:
            facts = header.load_facts(self._connection)
            logged, contained = load_entries(self._connection, facts.log), facts.contained
        common = common_beginning(log, logged)
        fresh = renumbered(log[common:], after=len(logged))
        insert_entries(self._connection, fresh)
        missed = logged[max(common, contained) :]
        self._state = carried_out(self._state, missed)._replace(log=(*logged, *fresh))

    def run(self, folders: Sequence[FolderRow], stored: StoredRows, before: str) -> str:
        """Write new rows, given the stored ones; returns the number of the new state."""
        state = self._state
        state_folders = self._folders(folders)
        plan = make_plan(state, state_folders, stored)
        with WorkerPool() as pool:
            # Deleted rows make room for new ones; in between, documents refer to missing rows.
            self._connection.execute("PRAGMA defer_foreign_keys = ON")
            stop_if_cancelled()
            forget(self._connection, plan, {row.id for row in folders}, state_folders)
            save_texts(self._connection, state, plan.new_texts, pool, self._progress)
            save_signed(self._connection, state.signed, plan.new_signed)
            save_documents(self._connection, plan)
            ids = np.fromiter((row.id for row in plan.rows), np.int64, len(plan.rows))
            evidence = state.evidence
            save_pairs(self._connection, OVERLAP, evidence.codes, evidence.overlap, ids, pool)
            models = save_reworked(self._connection, evidence.reworked, ids, pool)
            state = state._replace(part=save_list(self._connection, state, ids, pool))
        save_problems(self._connection, state.problems)
        aside = save_exclusions(self._connection, state, ids.tolist())
        signatures = state.signed.signatures
        facts = header.Facts(
            state=header.next_state(before),
            seal="",
            last_text=plan.last_text,
            settings=asdict(state.settings),
            program=__version__,
            saved=datetime.now(UTC).isoformat(timespec="seconds"),
            signing=header.SIGNING,
            reading=_reading(state),
            signature_type=signatures.dtype.newbyteorder("<").str,
            signature_width=signatures.shape[1],
            models=models,
            aside=aside,
            run=plain_values(state.part.run) if state.part else None,
            list=plain_values(state.known_list.facts) if state.known_list else None,
            read_with=plain_reading(state.read_with) if state.read_with else None,
            **_counts(state),
        )
        header.save_facts(self._connection, facts._replace(seal=mac_of(self._connection, facts)))
        self._shrink()
        return header.state_of(self._connection)

    def _same_texts(self, numbers: dict[Reading, int]) -> dict[Reading, int]:
        """Of texts that another version read, those that are the same, with their numbers."""
        same = {}
        for position, document in enumerate(self._state.documents):
            stop_if_cancelled()
            number = numbers.get(reading_of(document))
            if number is not None and reading_of(document) not in same:
                query = "SELECT size, data FROM texts WHERE id = ?"
                size, data = self._connection.execute(query, (number,)).fetchone()
                if unpack_text(size, data) == self._state.texts[position]:
                    same[reading_of(document)] = number
        return same

    def _shrink(self) -> None:
        """Give pages back when a quarter of the file is empty."""
        (free,) = self._connection.execute("PRAGMA freelist_count").fetchone()
        (pages,) = self._connection.execute("PRAGMA page_count").fetchone()
        for _ in range(free if 4 * free > pages else 0):
            self._connection.execute("PRAGMA incremental_vacuum")  # a single step moves one page

    def _folders(self, stored: Sequence[FolderRow]) -> list[FolderRow]:
        known = {(row.given, row.absolute): row for row in stored}
        rows = []
        roles = map(packed_role, FolderRoles(self._state.folders, self._state.roles).roles)
        for position, (folder, role) in enumerate(zip(self._state.folders, roles, strict=True)):
            given, absolute = encoded(str(folder)), encoded(os.path.abspath(folder))
            if (given, absolute) in known:
                number = known[given, absolute].id
            else:
                columns = "position, given, absolute, checksum"
                query = f"INSERT INTO folders ({columns}) VALUES (0, ?, ?, 0)"
                number = self._connection.execute(query, (given, absolute)).lastrowid or 0
            row = FolderRow(number, position, given, absolute, role)
            self._connection.execute(
                "UPDATE folders SET position = ?, role = ?, checksum = ? WHERE id = ?",
                (position, row.role, row.checksum, number),
            )
            rows.append(row)
        return rows


def _counts(state: ScanState) -> dict[str, int]:
    """The numbers of rows that the facts of a review have."""
    listed = state.part or state.known_list
    return {
        "folders": len(state.folders),
        "documents": len(state.documents),
        "problems": len(state.problems),
        "pairs": len(state.evidence.codes),
        "reworked": len(state.evidence.reworked.codes),
        "listed": len(listed.codes) if listed else 0,
        "log": len(state.log),
        "contained": len(state.log),
    }


def _reading(state: ScanState) -> int:
    """The version of the readers that made the texts; 0 where it is not known any more."""
    return header.READING if state.texts_are_current else 0
