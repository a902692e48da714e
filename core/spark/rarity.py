"""Fingerprints weighted by rarity: counted over all documents, then signed.

The two passes are those of `core.signatures.methods`. Each task counts in cells of its own, and
blocks of these are added up one by one: whole numbers, in whatever order.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pyarrow as pa

from core.base.arrays import UInt32Array, UInt64Array
from core.base.tasks import batches as parts_of
from core.settings import ScanSettings
from core.signatures.methods import CELLS, DocumentFrequencies, rarity_of, sign
from core.spark.columns import SIGNED, int64s, packed, texts_of, unpacked
from core.spark.partitions import mapped, side_by_side
from core.text.shingling import Shingles

if TYPE_CHECKING:
    from pyspark.core.broadcast import Broadcast
    from pyspark.sql import DataFrame

    from core.spark.file_system import Stages

# Documents counted in the cells of a block side by side, of one, two, four or eight bytes each, as
# the largest of them needs; in that after the last block, how many documents there are.
COUNTS = "block INT, counts BINARY"
TEXTS = ("text", "aside")
CELLS_A_BLOCK = 1 << 14
NUMBER_OF_DOCUMENTS = CELLS // CELLS_A_BLOCK
MOST = np.uint64(0xFFFFFFFF)


class Counted(NamedTuple):
    """uint32, documents by cell (see `core.signatures.methods`), and how many in all.

    64 MiB, whatever there was to count.
    """

    cells: UInt32Array
    documents: int


def with_rarity(
    stages: Stages, rows: DataFrame, documents: DataFrame, settings: ScanSettings
) -> DataFrame:
    """Documents with complete signatures: `columns.SIGNED`.

    Args:
        stages: Keep what was counted.
        rows: `columns.SIGNED` of some documents, and where the settings depend on all of them
            `TEXTS`; else they are as they should be.
        documents: `columns.DOCUMENTS`, all of them.
        settings: Of the scan.
    """
    if not settings.depends_on_all:
        return rows
    texts = documents.select(*TEXTS)

    def count() -> DataFrame:
        counted = mapped(texts, partial(counts_of, settings=settings), COUNTS)
        return mapped(side_by_side(counted, ["block"]), sums_of, COUNTS)

    counted = counted_in(stages.table("_shingle_counts", count).toArrow())
    known = stages.session.sparkContext.broadcast(counted)
    return mapped(rows, SigningByRarity(settings, known), SIGNED)


def counts_of(
    batches: Iterator[pa.RecordBatch], settings: ScanSettings
) -> Iterator[pa.RecordBatch]:
    """Texts to `COUNTS`: in how many of them the shingles of each cell stand."""
    frequencies = DocumentFrequencies()
    for batch in batches:
        for shingles in _shingled(batch, settings):
            frequencies.add(shingles)
    blocks = frequencies.rarity().cells.reshape(-1, CELLS_A_BLOCK)
    for block in np.flatnonzero(blocks.any(axis=1)).tolist():
        yield _row(block, blocks[block])
    yield _row(NUMBER_OF_DOCUMENTS, np.array([frequencies.documents]))


def _shingled(batch: pa.RecordBatch, settings: ScanSettings) -> Iterator[Shingles]:
    """The shingles of half a million characters at a time."""
    texts = texts_of(batch)
    for part in parts_of(texts.lengths.tolist()):
        yield texts.shingles(part, settings)


def sums_of(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """A sorted partition of `COUNTS` to those of each block added up; holds one of them."""
    block, total = -1, np.zeros(1, dtype=np.uint64)
    for batch in batches:
        for row in range(batch.num_rows):
            own, counts = _counts_in(batch.slice(row, 1))
            if own == block:
                total += counts
                continue
            if block >= 0:
                yield _row(block, total)
            block, total = own, counts
    if block >= 0:
        yield _row(block, total)


def _counts_in(row: pa.RecordBatch) -> tuple[int, UInt64Array]:
    """The block of a row of `COUNTS`, and what is counted there."""
    block = int(int64s(row.column("block"))[0])
    data, sizes = unpacked(row.column("counts"), "<u1")
    cells = 1 if block == NUMBER_OF_DOCUMENTS else CELLS_A_BLOCK
    return block, data.view(f"<u{sizes[0] // cells}").astype(np.uint64)


def counted_in(counts: pa.Table) -> Counted:
    """What `COUNTS` says, each block once."""
    cells, documents = np.zeros(CELLS, dtype=np.uint32), 0
    for row in counts.to_batches(max_chunksize=1):
        block, own = _counts_in(row)
        if block == NUMBER_OF_DOCUMENTS:
            documents = int(own[0])
        else:
            cells[block * CELLS_A_BLOCK :][:CELLS_A_BLOCK] = np.minimum(own, MOST)
    return Counted(cells, documents)


@dataclass(frozen=True)
class SigningByRarity:
    """Signs the rows of `with_rarity`: `columns.SIGNED`."""

    settings: ScanSettings
    counted: Broadcast[Counted]

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """One batch after the other."""
        rarity = rarity_of(*self.counted.value)
        for batch in batches:
            signed = [
                sign(shingles, self.settings, rarity).reshape(-1)
                for shingles in _shingled(batch, self.settings)
            ]
            widths = np.full(batch.num_rows, self.settings.signature_width)
            place = batch.schema.get_field_index("signature")
            column = packed(np.concatenate([np.empty(0, np.uint32), *signed]), widths)
            yield batch.set_column(place, "signature", column).drop_columns(list(TEXTS))


def _row(block: int, counts: UInt32Array | UInt64Array) -> pa.RecordBatch:
    narrow = counts.astype(np.min_scalar_type(counts.max()))
    column = packed(narrow, np.array([len(narrow)]))
    return pa.record_batch({"block": pa.array([block], pa.int32()), "counts": column})
