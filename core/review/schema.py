"""The tables of a review file.

`PRAGMA application_id` tells a review from other databases, `PRAGMA user_version` which tables it
has. A review of other tables is refused (`core.review.database`): while no version was released,
nothing reads what an earlier commit wrote.

Text is stored as UTF-8 bytes in which lone surrogates are allowed, because paths have them (bytes
that are no UTF-8) and texts may; SQLite's own TEXT could not hold them. Verdicts, notes and roles
can refer to `documents.id`, which stays with a file that is renamed and is never given again, and
to `documents.file_hash`, which stays with the bytes.
"""

from __future__ import annotations

import sqlite3
from contextlib import suppress

APPLICATION_ID = 0x4E656172  # "Near"
FORMAT = 15  # raised whenever the tables change

TABLES = (
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
        role BLOB NOT NULL DEFAULT x'', -- as in `core.documents.model`; nothing: to review
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
        data BLOB NOT NULL,         -- units, digest, signature, fingerprints
        skip_grams BLOB NOT NULL    -- as in `core.signatures.skip_grams`, or nothing
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
        place INTEGER NOT NULL,     -- which of the documents in its file it is, from 0
        path BLOB NOT NULL,         -- relative to the folder, with "/"
        name BLOB NOT NULL,
        file_hash BLOB NOT NULL,    -- XXH3-128 of the bytes, hexadecimal
        sha256 BLOB NOT NULL,       -- 32 bytes; nothing where a run on a cluster gave none
        kind BLOB NOT NULL,
        encoding BLOB NOT NULL,
        part BLOB NOT NULL,         -- the path inside the file
        remarks BLOB NOT NULL,      -- a list in JSON, or nothing
        absence BLOB NOT NULL,      -- nothing for a document that is there: `core.review.rows`
        text_hash BLOB NOT NULL,    -- as in `core.text.identity`
        members BLOB NOT NULL,      -- the files of a submission, a list in JSON, or nothing
        language BLOB NOT NULL,     -- a code of ISO 639; nothing where it was not looked at
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
        limit_met BLOB NOT NULL,    -- the field of `ReadingLimits`, or nothing
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
    """
    CREATE TABLE reworked (         -- as `pairs`
        first INTEGER PRIMARY KEY,
        count INTEGER NOT NULL,
        checksum INTEGER NOT NULL,
        data BLOB NOT NULL          -- later, earlier, the numbers of passages, by bytes, zlib
    )
    """,
    """
    CREATE TABLE run_pairs (        -- as `pairs`, where a review is a part of a run on a cluster
        first INTEGER PRIMARY KEY,
        count INTEGER NOT NULL,
        checksum INTEGER NOT NULL,
        data BLOB NOT NULL          -- later, earlier, found by, estimate, by bytes, zlib
    )
    """,
    """
    CREATE TABLE word_model (       -- how rare words are, by which `reworked` was measured
        id INTEGER PRIMARY KEY CHECK (id = 1),
        size INTEGER NOT NULL,      -- bytes of the model
        checksum INTEGER NOT NULL,
        data BLOB NOT NULL          -- zlib
    )
    """,
    """
    CREATE TABLE aside (            -- what is set aside in documents, and by which rules
        id INTEGER PRIMARY KEY,     -- that of a document; 0 for the rules
        size INTEGER NOT NULL,      -- bytes of its JSON
        checksum INTEGER NOT NULL,
        data BLOB NOT NULL          -- zlib
    )
    """,
    """
    CREATE TABLE log (              -- what was decided; nothing is ever changed or deleted
        id INTEGER PRIMARY KEY,     -- 1, 2, 3 and so on
        reverses INTEGER NOT NULL,  -- the entry that it undoes, or 0
        time BLOB NOT NULL,         -- ISO 8601, UTC
        who BLOB NOT NULL,
        command BLOB NOT NULL,      -- JSON: its kind, the version of that, and what it needs
        inverse BLOB NOT NULL,      -- the command that undoes it, or nothing
        checksum INTEGER NOT NULL   -- with that of the entry before: see `core.review.log`
    )
    """,
)


def format_of(connection: sqlite3.Connection) -> int:
    """Which tables a file has; 0 for one that is new."""
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def create(connection: sqlite3.Connection) -> None:
    """Make the tables, all of them or, when anything fails, none.

    Inside a transaction it becomes part of that one.
    """
    connection.execute("SAVEPOINT tables")
    try:
        for statement in TABLES:
            connection.execute(statement)
        # Pragmas take no parameters.
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {FORMAT}")
    except BaseException:
        with suppress(sqlite3.Error):  # without memory or room, SQLite has undone more already
            connection.execute("ROLLBACK TO tables")
            connection.execute("RELEASE tables")
        raise
    connection.execute("RELEASE tables")
