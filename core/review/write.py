"""The rows of a review that a save writes: what is new, and what is not as it was."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor

from core.base.parallel import batches, results_of, worker_count
from core.base.progress import Cancelled, Progress, ProgressReport, Stage, stop_if
from core.documents import Problem
from core.review.packing import checksum_of, pack_text
from core.review.plan import SavePlan
from core.review.rows import DocumentRow, FolderRow, problem_rows
from core.scan.state import ScanState

PackedText = tuple[int, int, int, bytes]


def forget(
    connection: sqlite3.Connection, plan: SavePlan, folders: set[int], own: Sequence[FolderRow]
) -> None:
    """Delete what nothing refers to any more; `folders` are the ids of those there were."""
    before, now = plan.stored.values(), plan.rows
    gone = {
        "documents": {row.id for row in before} - {row.id for row in now},
        "texts": {row.text for row in before} - {row.text for row in now},
        "signed": {row.signed for row in before} - {row.signed for row in now},
        "folders": folders - {row.id for row in own},
    }
    for table, numbers in gone.items():
        one_by_one = [(number,) for number in sorted(numbers)]  # neighbours after one another
        connection.executemany(f"DELETE FROM {table} WHERE id = ?", one_by_one)


def save_texts(
    connection: sqlite3.Connection,
    state: ScanState,
    fresh: Sequence[tuple[int, int]],
    pool: ThreadPoolExecutor,
    progress: Progress,
    cancelled: Cancelled,
) -> None:
    """Compress texts on all cores and write them in order, a few batches under way at once.

    Args:
        connection: The review.
        state: The scan.
        fresh: Number and position of each.
        pool: The cores.
        progress: Told how many are written.
        cancelled: Polled between texts.
    """

    def packed(some: Sequence[tuple[int, int]]) -> list[PackedText]:
        return [_packed(state, *one, cancelled) for one in some]

    done = 0
    progress(ProgressReport(Stage.SAVE, 0, len(fresh)))
    parts = batches([state.documents[position].characters for _, position in fresh])
    begun = (pool.submit(packed, fresh[part]) for part in parts)
    for rows in results_of(begun, cancelled, 2 * worker_count() + 1):
        connection.executemany("INSERT INTO texts VALUES (?, ?, ?, ?)", rows)
        done += len(rows)
        progress(ProgressReport(Stage.SAVE, done, len(fresh)))


def _packed(state: ScanState, number: int, position: int, cancelled: Cancelled) -> PackedText:
    """The row of a text; runs on any thread."""
    stop_if(cancelled)
    text, document = state.texts[position], state.documents[position]
    if len(text) != document.characters:
        raise ValueError(f"The length of {document.name} is not that of its text.")
    size, data = pack_text(text)
    return number, size, checksum_of(data, seed=number), data


def save_signed(connection: sqlite3.Connection, plan: SavePlan, cancelled: Cancelled) -> None:
    """Insert the signed rows that are new."""

    def rows() -> Iterator[tuple[int, bytes, bytes]]:
        for number, position in plan.new_signed:
            stop_if(cancelled)
            yield number, *plan.signed[position]

    connection.executemany("INSERT INTO signed VALUES (?, ?, ?)", rows())


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
    columns = "id, name, code, detail, limit_met, checksum"
    if connection.execute(f"SELECT {columns} FROM problems ORDER BY id").fetchall() != rows:
        connection.execute("DELETE FROM problems")
        statement = f"INSERT INTO problems ({columns}) VALUES (?, ?, ?, ?, ?, ?)"
        connection.executemany(statement, rows)
