"""The tables of a review file, and how an older file gets those of today.

`PRAGMA application_id` tells a review from other databases, `PRAGMA user_version` which migrations
it has had. A migration that was released is never changed: a new one is added below it.

Text is stored as UTF-8 bytes in which lone surrogates are allowed, because paths have them (bytes
that are no UTF-8) and texts may; SQLite's own TEXT could not hold them. Verdicts, notes and roles
can refer to `documents.id`, which stays with a file that is renamed and is never given again, and
to `documents.file_hash`, which stays with the bytes.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from contextlib import suppress

from core.review.packing import row_checksum
from core.review.sqlite_bounds import rows_of

VERSION_1 = (
    """
    CREATE TABLE review (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        facts BLOB NOT NULL,        -- JSON: settings, and how much the other tables hold
        checksum INTEGER NOT NULL
    )
    """,
    """
    CREATE TABLE folders (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        position INTEGER NOT NULL,  -- in the order they were given
        given BLOB NOT NULL,        -- the path as it was given, and without regard to where from
        absolute BLOB NOT NULL,
        checksum INTEGER NOT NULL
    )
    """,
    """
    CREATE TABLE texts (            -- one for all files with the same bytes, read in the same way
        id INTEGER PRIMARY KEY,
        size INTEGER NOT NULL,      -- bytes of its UTF-8
        checksum INTEGER NOT NULL,
        data BLOB NOT NULL          -- zlib
    )
    """,
    """
    CREATE TABLE signed (           -- one for all documents with the same words
        id INTEGER PRIMARY KEY,
        data BLOB NOT NULL          -- units, digest, signature, fingerprints
    )
    """,
    """
    CREATE TABLE documents (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        folder INTEGER REFERENCES folders (id),
        size INTEGER NOT NULL,
        modified_ns INTEGER NOT NULL,
        characters INTEGER NOT NULL,
        text INTEGER NOT NULL REFERENCES texts (id),
        signed INTEGER NOT NULL REFERENCES signed (id),
        signed_checksum INTEGER NOT NULL,
        shingles INTEGER NOT NULL,  -- how many count, -1 while it is not known
        path BLOB NOT NULL,         -- relative to the folder, with "/"
        name BLOB NOT NULL,
        file_hash BLOB NOT NULL,    -- XXH3-128 of the bytes, hexadecimal
        kind BLOB NOT NULL,
        encoding BLOB NOT NULL,
        checksum INTEGER NOT NULL
    )
    """,
    "CREATE INDEX documents_by_text ON documents (text)",
    "CREATE INDEX documents_by_signed ON documents (signed)",
    """
    CREATE TABLE problems (
        id INTEGER PRIMARY KEY,
        name BLOB NOT NULL,
        code BLOB NOT NULL,
        detail BLOB NOT NULL,
        checksum INTEGER NOT NULL
    )
    """,
    """
    CREATE TABLE pairs (            -- some thousand pairs a row, by the later of their documents
        first INTEGER PRIMARY KEY,
        count INTEGER NOT NULL,
        checksum INTEGER NOT NULL,
        data BLOB NOT NULL          -- later, earlier, shared, longest, words, by bytes, zlib
    )
    """,
)


# Until version 3 only the sentence said which limit was met, where it was not the code's usual one.
USUAL_LIMITS = {
    b"timeout": b"seconds",
    b"too_big": b"file_bytes",
    b"too_big_unpacked": b"unpacked_bytes",
    b"too_many_members": b"members",
    b"too_deep": b"nesting",
    b"out_of_memory": b"memory_bytes",
}
NAMED_LIMITS = {
    b"got nowhere": b"stall_seconds",
    b"as large as it is packed": b"ratio",
    b"A part of": b"part_bytes",
    b"This text has": b"characters",
    b"This text is longer": b"words",
}


def limit_met(code: bytes, detail: bytes) -> bytes:
    """The field of `ReadingLimits`; nothing for a problem that is no limit."""
    usual = USUAL_LIMITS.get(code, b"")
    return next(
        (limit for words, limit in NAMED_LIMITS.items() if usual and words in detail), usual
    )


APPLICATION_ID = 0x4E656172  # "Near"

Migration = Callable[[sqlite3.Connection], None]

NUMBERS_1 = (
    *("id", "ifnull(folder, 0)", "size", "modified_ns", "characters"),
    *("text", "signed", "signed_checksum", "shingles"),
)
BLOBS_1 = ("path", "name", "file_hash", "kind", "encoding")


def _create(connection: sqlite3.Connection) -> None:
    """Version 1: a scan."""
    for statement in VERSION_1:
        connection.execute(statement)


def _add_parts(connection: sqlite3.Connection) -> None:
    """Version 2: documents inside files, and remarks on documents."""
    # The path inside the file, and a list in JSON or nothing.
    connection.execute("ALTER TABLE documents ADD COLUMN part BLOB NOT NULL DEFAULT x''")
    connection.execute("ALTER TABLE documents ADD COLUMN remarks BLOB NOT NULL DEFAULT x''")
    _sign_documents(connection, NUMBERS_1, BLOBS_1, blobs=(b"", b""))


def _add_absences(connection: sqlite3.Connection) -> None:
    """Version 3: documents that a rescan did not meet, and the order of those in a file."""
    # Nothing for a document that is there; see `core.review.rows`.
    connection.execute("ALTER TABLE documents ADD COLUMN absence BLOB NOT NULL DEFAULT x''")
    # Which of the documents in its file it is, from 0; in older reviews all are the first.
    connection.execute("ALTER TABLE documents ADD COLUMN place INTEGER NOT NULL DEFAULT 0")
    _sign_documents(
        connection, NUMBERS_1, (*BLOBS_1, "part", "remarks"), numbers=(0,), blobs=(b"",)
    )


def _add_limits(connection: sqlite3.Connection) -> None:
    """Version 4: which limit a file met."""
    # The field of `ReadingLimits`, or nothing.
    connection.execute("ALTER TABLE problems ADD COLUMN limit_met BLOB NOT NULL DEFAULT x''")
    query = "SELECT id, name, code, detail, checksum FROM problems ORDER BY id"
    rows = list(rows_of(connection, query, 1))
    connection.executemany(
        "UPDATE problems SET limit_met = ?, checksum = ? WHERE id = ?",
        (
            (limit, row_checksum(row[:1], (*row[1:4], limit)), row[0])
            for row, limit in ((row, limit_met(*row[2:4])) for row in rows)
            if row_checksum(row[:1], row[1:4]) == row[4]  # a damaged row stays one
        ),
    )


def _add_text_hashes(connection: sqlite3.Connection) -> None:
    """Version 5: who the text of a document is, and what the user decided, entry by entry."""
    # As in `core.text.identity`; nothing where it is not known yet: see `core.review.stored_scan`.
    connection.execute("ALTER TABLE documents ADD COLUMN text_hash BLOB NOT NULL DEFAULT x''")
    _sign_documents(
        connection,
        (*NUMBERS_1, "place"),
        (*BLOBS_1, "part", "remarks", "absence"),
        blobs=(b"",),
    )
    connection.execute(
        """
        CREATE TABLE log (          -- what was decided; nothing is ever changed or deleted
            id INTEGER PRIMARY KEY, -- 1, 2, 3 and so on
            reverses INTEGER NOT NULL,  -- the entry that it undoes, or 0
            time BLOB NOT NULL,     -- ISO 8601, UTC
            who BLOB NOT NULL,
            command BLOB NOT NULL,  -- JSON: its kind, the version of that, and what it needs
            inverse BLOB NOT NULL,  -- the command that undoes it, or nothing
            checksum INTEGER NOT NULL   -- with that of the entry before: see `core.review.log`
        )
        """
    )


def _add_aside(connection: sqlite3.Connection) -> None:
    """Version 6: what is set aside in documents, and by which rules."""
    connection.execute(
        """
        CREATE TABLE aside (
            id INTEGER PRIMARY KEY, -- that of a document; 0 for the rules
            size INTEGER NOT NULL,  -- bytes of its JSON
            checksum INTEGER NOT NULL,
            data BLOB NOT NULL      -- zlib
        )
        """
    )


def _add_roles(connection: sqlite3.Connection) -> None:
    """Version 7: what folders are for."""
    # As in `core.documents.model`; nothing for those to review.
    connection.execute("ALTER TABLE folders ADD COLUMN role BLOB NOT NULL DEFAULT x''")
    query = "SELECT id, position, given, absolute, checksum FROM folders ORDER BY id"
    rows = list(rows_of(connection, query, 2))
    connection.executemany(
        "UPDATE folders SET checksum = ? WHERE id = ?",
        (
            (row_checksum(row[:2], (*row[2:4], b"")), row[0])
            for row in rows
            if row_checksum(row[:2], row[2:4]) == row[4]  # a damaged row stays one
        ),
    )


def _add_members(connection: sqlite3.Connection) -> None:
    """Version 8: submissions, which are documents made of files."""
    # A list in JSON, or nothing; see `core.review.rows`.
    connection.execute("ALTER TABLE documents ADD COLUMN members BLOB NOT NULL DEFAULT x''")
    _sign_documents(
        connection,
        (*NUMBERS_1, "place"),
        (*BLOBS_1, "part", "remarks", "absence", "text_hash"),
        blobs=(b"",),
    )


def _add_languages(connection: sqlite3.Connection) -> None:
    """Version 9: in which language documents are."""
    # A code of ISO 639; nothing where it was not looked at.
    connection.execute("ALTER TABLE documents ADD COLUMN language BLOB NOT NULL DEFAULT x''")
    _sign_documents(
        connection,
        (*NUMBERS_1, "place"),
        (*BLOBS_1, "part", "remarks", "absence", "text_hash", "members"),
        blobs=(b"",),
    )


def _add_reworked(connection: sqlite3.Connection) -> None:
    """Version 10: what is known of passages in other words."""
    # As in `core.signatures.skip_grams`; nothing where these passages are not looked for.
    connection.execute("ALTER TABLE signed ADD COLUMN skip_grams BLOB NOT NULL DEFAULT x''")
    connection.execute(
        """
        CREATE TABLE reworked (     -- as `pairs`
            first INTEGER PRIMARY KEY,
            count INTEGER NOT NULL,
            checksum INTEGER NOT NULL,
            data BLOB NOT NULL      -- later, earlier, words, bits, share, by bytes, zlib
        )
        """
    )
    connection.execute(
        """
        CREATE TABLE word_model (   -- how rare words are, by which `reworked` was measured
            id INTEGER PRIMARY KEY CHECK (id = 1),
            size INTEGER NOT NULL,  -- bytes of the model
            checksum INTEGER NOT NULL,
            data BLOB NOT NULL      -- zlib
        )
        """
    )


def _add_sha256(connection: sqlite3.Connection) -> None:
    """Version 11: the SHA-256 of the files of documents."""
    # 32 bytes; nothing where an older version read the file.
    connection.execute("ALTER TABLE documents ADD COLUMN sha256 BLOB NOT NULL DEFAULT x''")
    _sign_documents(
        connection,
        (*NUMBERS_1, "place"),
        (*BLOBS_1, "part", "remarks", "absence", "text_hash", "members", "language"),
        blobs=(b"",),
    )


def _add_run_pairs(connection: sqlite3.Connection) -> None:
    """Version 12: the pairs of a run on a cluster, where a review is a part of one."""
    connection.execute(
        """
        CREATE TABLE run_pairs (    -- as `pairs`
            first INTEGER PRIMARY KEY,
            count INTEGER NOT NULL,
            checksum INTEGER NOT NULL,
            data BLOB NOT NULL      -- later, earlier, found by, estimate, by bytes, zlib
        )
        """
    )


def _sign_documents(
    connection: sqlite3.Connection,
    number_columns: Sequence[str],
    blob_columns: Sequence[str],
    *,
    numbers: tuple[int, ...] = (),
    blobs: tuple[bytes, ...],
) -> None:
    """Give the rows of documents the checksum that they have with some columns more.

    Args:
        connection: The review.
        number_columns: The columns there were, those of numbers, beginning with the id.
        blob_columns: The others.
        numbers: The values of the new columns of numbers.
        blobs: Those of the others.
    """
    count = len(number_columns)
    columns = ", ".join([*number_columns, *blob_columns, "checksum"])
    query = f"SELECT {columns} FROM documents ORDER BY id"
    rows = list(rows_of(connection, query, count))
    connection.executemany(
        "UPDATE documents SET checksum = ? WHERE id = ?",
        (
            (row_checksum((*row[:count], *numbers), (*row[count:-1], *blobs)), row[0])
            for row in rows
            if row_checksum(row[:count], row[count:-1]) == row[-1]  # a damaged row stays one
        ),
    )


MIGRATIONS: tuple[Migration, ...] = (
    _create,
    _add_parts,
    _add_absences,
    _add_limits,
    _add_text_hashes,
    _add_aside,
    _add_roles,
    _add_members,
    _add_languages,
    _add_reworked,
    _add_sha256,
    _add_run_pairs,
)


def version_of(connection: sqlite3.Connection) -> int:
    """The number of migrations a file has had."""
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def migrate(connection: sqlite3.Connection) -> None:
    """Bring the tables up to date, all of them or, when anything fails, none.

    Inside a transaction it becomes part of that one.
    """
    done = version_of(connection)
    if done >= len(MIGRATIONS):
        return
    connection.execute("SAVEPOINT migration")
    try:
        for migration in MIGRATIONS[done:]:
            migration(connection)
        # Pragmas take no parameters.
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")
    except BaseException:
        with suppress(sqlite3.Error):  # without memory or room, SQLite has undone more already
            connection.execute("ROLLBACK TO migration")
            connection.execute("RELEASE migration")
        raise
    connection.execute("RELEASE migration")
