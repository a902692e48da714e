"""The columns of the tables that stages hand to each other, as Spark's DDL.

A document goes by its number. Numbers are not dense: only their order means something, which is
the order of the documents of a scan on one machine. Spark has no unsigned integers: 64 bits of a
hash are the LONG with the same bits.
"""

from __future__ import annotations

import numpy as np

from core.evidence.measures import PASSAGE_COLUMNS
from core.evidence.pairs import column_types

# A binary column holds little-endian values side by side: uint32 of a signature, uint64 of
# fingerprints and skip-grams. A digest is 16 bytes, most significant first: it sorts as bytes.
SIGNED = (
    "number LONG, reviewed BOOLEAN, characters LONG, units LONG, digest BINARY, "
    "signature BINARY, fingerprints BINARY, skip_grams BINARY"
)

# `id` is what the user knows the document by, different for each; `document` is the rest of what
# is known of it, as JSON. `aside` is what does not count.
DOCUMENTS = (
    "id STRING, text STRING, language STRING, document STRING, "
    "aside ARRAY<STRUCT<start: LONG, end: LONG, reason: STRING>>, " + SIGNED
)

PROBLEMS = "id STRING, code STRING, detail STRING, limit STRING"

# Documents with words, each with the first of those with the same digest. `reviewed` is its own.
COPIES = "number LONG, representative LONG, reviewed BOOLEAN"

# Pairs x < y of representatives, each once. Of several tables the ways are joined with or.
CANDIDATES = "x LONG, y LONG"

# The columns of core.evidence.pairs.Pairs, with the numbers of the documents.
TYPES: dict[type[np.generic], str] = {
    np.int32: "INT",
    np.float64: "DOUBLE",
    np.float32: "FLOAT",
    np.bool_: "BOOLEAN",
    np.uint8: "TINYINT",
    np.int64: "LONG",
    np.str_: "STRING",
}
# One passage that both texts of a pair share; spans are code points.
PASSAGES = (
    f"STRUCT<{', '.join(f'{column.name}: {TYPES[column.type]}' for column in PASSAGE_COLUMNS)}>"
)
NUMBERS = ", ".join(
    f"{name} {'LONG' if name in {'a', 'b'} else TYPES[dtype]}"
    for name, dtype in column_types().items()
)
LISTED = f"{NUMBERS}, passages ARRAY<{PASSAGES}>"

# One row on what only all documents together tell: how many pairs of different documents there are
# of which one at least is to review, whether all of them were compared, and what `WordModel` writes
# of their words; empty where nothing reworked was looked for.
COLLECTION = "pairs LONG, compared_all BOOLEAN, model BINARY"

# A row for each document of a group, its centre among them, whose number is that of the group.
# Resemblance is to the centre. A document with the words of another one before it is a copy of it.
GROUPS = "centre LONG, member LONG, resemblance DOUBLE, copy_of LONG"
