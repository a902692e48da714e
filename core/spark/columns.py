"""The columns of the tables that stages pass to each other, as Spark's DDL and as arrays.

A document goes by its number. Numbers are not dense: only their order means something, which is
the order of the documents of a scan on one machine. Spark has no unsigned integers: 64 bits of a
hash are the LONG with the same bits.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from core.base.arrays import AnyArray, BoolArray, Int64Array, UInt64Array
from core.base.tasks import batches
from core.evidence.measures import PASSAGE_COLUMNS
from core.evidence.pairs import column_types
from core.settings import ScanSettings
from core.signatures.signing import SignedTexts
from core.text.set_aside import Reason, SetAside
from core.text.shingling import Fingerprints, Shingles
from core.text.store import TextStore

Batches = Iterator[pa.RecordBatch]  # rows of a partition, a few at a time

# A binary column holds little-endian values side by side: uint32 of a signature, uint64 of
# fingerprints and skip-grams. A digest is 16 bytes, most significant first: it sorts as bytes.
SIGNED = (
    "number LONG, reviewed BOOLEAN, characters LONG, units LONG, digest BINARY, "
    "signature BINARY, fingerprints BINARY, skip_grams BINARY"
)

# `id` is the name of the document for the user, different for each; `document` has its other
# properties, as JSON. `exclusions` has the spans that do not count.
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

# One row of values that only all documents together give: how many pairs of different documents
# there are of which one at least is to review, whether all of them were compared, and the
# `WordModel` of their words; empty where nothing reworked was searched.
COLLECTION = "pairs LONG, compared_all BOOLEAN, model BINARY"

# A row for each document of a group, its centre among them, whose number is that of the group.
# Resemblance is to the centre. A document with the words of another one before it is a copy of it.
GROUPS = "centre LONG, member LONG, score DOUBLE, copy_of LONG"


def int64s(column: Any) -> Int64Array:  # noqa: ANN401 - Arrow's columns have no common type
    """A column of LONG without nulls, int64 (n)."""
    return np.asarray(column.to_numpy(zero_copy_only=False), dtype=np.int64)


def bools(column: Any) -> BoolArray:  # noqa: ANN401
    """A column of BOOLEAN without nulls, bool (n)."""
    return np.asarray(column.to_numpy(zero_copy_only=False), dtype=np.bool_)


def packed(values: AnyArray, counts: Int64Array) -> pa.Array:
    """Values, as many for each row as it has, as a column of BINARY."""
    size = values.dtype.itemsize
    offsets = np.concatenate([[0], np.cumsum(counts * size)]).astype(np.int64)
    data = np.ascontiguousarray(values.astype(values.dtype.newbyteorder("<"), copy=False))
    buffers = [None, pa.py_buffer(offsets), pa.py_buffer(data)]
    return pa.Array.from_buffers(pa.large_binary(), len(counts), buffers).cast(pa.binary())


def unpacked(column: Any, dtype: str) -> tuple[AnyArray, Int64Array]:  # noqa: ANN401
    """The values in a column of BINARY, one row after the other, and how many each row has.

    Args:
        column: The column, without nulls.
        dtype: Of a value, as NumPy writes it: "<u8".
    """
    chunks = column.chunks if isinstance(column, pa.ChunkedArray) else [column]
    bounds = [_bounds(chunk) for chunk in chunks]
    values = np.empty(sum(int(bound[-1] - bound[0]) for bound in bounds), dtype=np.uint8)
    filled = 0
    for chunk, bound in zip(chunks, bounds, strict=True):  # together they may have more than 2 GiB
        end = filled + int(bound[-1] - bound[0])
        if end > filled:
            values[filled:end] = np.frombuffer(chunk.buffers()[2], np.uint8)[bound[0] : bound[-1]]
        filled = end
    counts = np.concatenate([np.empty(0, np.int64), *map(np.diff, bounds)])
    numbers = values.view(dtype).astype(np.dtype(dtype).newbyteorder("="), copy=False)
    return numbers, counts // np.dtype(dtype).itemsize


def _bounds(array: pa.Array) -> Int64Array:
    """The offsets in its data at which rows of an array of BINARY begin, and the last one's end."""
    offsets = array.buffers()[1]
    kind = np.int64 if pa.types.is_large_binary(array.type) else np.int32
    if offsets is None or not len(array):
        return np.zeros(1, dtype=np.int64)
    all_offsets = np.frombuffer(offsets, dtype=kind)
    return all_offsets[array.offset : array.offset + len(array) + 1].astype(np.int64)


def digest_column(digests: UInt64Array) -> pa.Array:
    """Digests uint64 (n, 2) as a column of 16 bytes each that sorts as they do."""
    ordered = np.ascontiguousarray(digests.astype(">u8"))
    fixed = pa.FixedSizeBinaryArray.from_buffers(
        pa.binary(16), len(digests), [None, pa.py_buffer(ordered)]
    )
    return fixed.cast(pa.binary())


def digests_of(column: Any) -> UInt64Array:  # noqa: ANN401
    """The digests in a column of `digest_column`, uint64 (n, 2)."""
    values, _ = unpacked(column, ">u8")
    return values.reshape(-1, 2)


def signed_columns(signed: SignedTexts) -> dict[str, pa.Array]:
    """The columns units to skip_grams of `columns.SIGNED`."""
    width = signed.signatures.shape[1]
    widths = np.full(len(signed.units), width, dtype=np.int64)
    return {
        "units": pa.array(signed.units),
        "digest": digest_column(signed.digests),
        "signature": packed(signed.signatures.reshape(-1), widths),
        "fingerprints": packed(*signed.fingerprints),
        "skip_grams": packed(*signed.skip_grams),
    }


def signed_of(batch: pa.RecordBatch | pa.Table, settings: ScanSettings) -> SignedTexts:
    """The signed texts in the columns of `signed_columns`."""
    signatures, _ = unpacked(batch.column("signature"), "<u4")
    return SignedTexts(
        int64s(batch.column("units")),
        digests_of(batch.column("digest")),
        signatures.reshape(-1, settings.signature_width),
        Fingerprints(*unpacked(batch.column("fingerprints"), "<u8")),
        Fingerprints(*unpacked(batch.column("skip_grams"), "<u8")),
    )


def texts_of(batch: pa.RecordBatch | pa.Table) -> TextStore:
    """The texts of documents with what is set aside in them, in the order of the rows."""
    texts = TextStore()
    texts.extend(batch.column("text").to_pylist())
    exclusions: Sequence[list[dict[str, Any]] | None] = batch.column("aside").to_pylist()
    texts.exclude_spans(
        {
            row: [SetAside(span["start"], span["end"], Reason(span["reason"])) for span in spans]
            for row, spans in enumerate(exclusions)
            if spans
        }
    )
    return texts


def shingles_of(
    rows: pa.RecordBatch | pa.Table, settings: ScanSettings
) -> Iterator[tuple[Any, Shingles]]:
    """Documents with text and aside, in parts of half a million characters, with their shingles."""
    texts = texts_of(rows)
    for part in batches(texts.lengths.tolist()):
        yield rows.slice(part.start, part.stop - part.start), texts.shingles(part, settings)
