-- The tables of a review; see schema.py. A blank line parts the statements.

CREATE TABLE review (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    facts BLOB NOT NULL,        -- JSON: settings, and how much the other tables hold
    checksum INTEGER NOT NULL
);

CREATE TABLE folders (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    position INTEGER NOT NULL,  -- in the order they were given
    given BLOB NOT NULL,        -- the path as it was given, and without regard to where from
    absolute BLOB NOT NULL,
    role BLOB NOT NULL DEFAULT x'', -- as in `core.documents.model`; nothing: to review
    checksum INTEGER NOT NULL
);

CREATE TABLE texts (            -- one for all files with the same bytes, read in the same way
    id INTEGER PRIMARY KEY,
    size INTEGER NOT NULL,      -- bytes of its UTF-8
    checksum INTEGER NOT NULL,
    data BLOB NOT NULL          -- zlib
);

CREATE TABLE signed (           -- one for all documents with the same words
    id INTEGER PRIMARY KEY,
    data BLOB NOT NULL,         -- units, digest, signature, fingerprints
    skip_grams BLOB NOT NULL    -- as in `core.signatures.signing`, or nothing
);

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
);

CREATE INDEX documents_by_text ON documents (text);

CREATE INDEX documents_by_signed ON documents (signed);

CREATE TABLE problems (
    id INTEGER PRIMARY KEY,
    name BLOB NOT NULL,
    code BLOB NOT NULL,
    detail BLOB NOT NULL,
    limit_met BLOB NOT NULL,    -- the field of `ReadingLimits`, or nothing
    sha256 BLOB NOT NULL,       -- of the bytes of the file, where they were read
    checksum INTEGER NOT NULL
);

CREATE TABLE pairs (            -- some thousand pairs a row, by the later of their documents
    first INTEGER PRIMARY KEY,
    count INTEGER NOT NULL,
    checksum INTEGER NOT NULL,
    data BLOB NOT NULL          -- later, earlier, shared, longest, words, by bytes, zlib
);

CREATE TABLE reworked (         -- as `pairs`
    first INTEGER PRIMARY KEY,
    count INTEGER NOT NULL,
    checksum INTEGER NOT NULL,
    data BLOB NOT NULL          -- later, earlier, the numbers of passages, by bytes, zlib
);

CREATE TABLE listed (           -- as `pairs`: those of the last list, or of a run on a cluster
    first INTEGER PRIMARY KEY,
    count INTEGER NOT NULL,
    checksum INTEGER NOT NULL,
    data BLOB NOT NULL          -- later, earlier, found by, estimate, by bytes, zlib
);

CREATE TABLE forecast (         -- what is known of pairs, to forecast what the last list misses
    id INTEGER PRIMARY KEY CHECK (id = 1),
    size INTEGER NOT NULL,      -- bytes of it
    checksum INTEGER NOT NULL,
    data BLOB NOT NULL          -- zlib
);

CREATE TABLE word_model (       -- how rare words are, by which `reworked` was measured
    id INTEGER PRIMARY KEY CHECK (id = 1),
    size INTEGER NOT NULL,      -- bytes of the model
    checksum INTEGER NOT NULL,
    data BLOB NOT NULL          -- zlib
);

CREATE TABLE aside (            -- what is set aside in documents, and by which rules
    id INTEGER PRIMARY KEY,     -- that of a document; 0 for the rules
    size INTEGER NOT NULL,      -- bytes of its JSON
    checksum INTEGER NOT NULL,
    data BLOB NOT NULL          -- zlib
);

CREATE TABLE log (              -- what was decided; nothing is ever changed or deleted
    id INTEGER PRIMARY KEY,     -- 1, 2, 3 and so on
    reverses INTEGER NOT NULL,  -- the entry that it undoes, or 0
    time BLOB NOT NULL,         -- ISO 8601, UTC
    who BLOB NOT NULL,
    command BLOB NOT NULL,      -- JSON: its kind, the version of that, and what it needs
    inverse BLOB NOT NULL,      -- the command that undoes it, or nothing
    checksum INTEGER NOT NULL   -- with that of the entry before: see `core.review.log`
);
