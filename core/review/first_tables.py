"""The tables that the first version of a review had."""

from __future__ import annotations

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
