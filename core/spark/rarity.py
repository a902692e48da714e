"""Fingerprints weighted by rarity: counted over all documents, then signed.

The two passes are those of `core.signatures.tfidf`. Each task counts in cells of its own, and
blocks of these are added up: whole numbers, in whatever order.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pyarrow as pa

from core.base.arrays import UInt32Array
from core.settings import ScanSettings
from core.signatures.document_frequencies import CELLS, DocumentFrequencies, rarity_of
from core.signatures.method import sign
from core.spark.columns import int64s, packed, texts_of, unpacked
from core.spark.partitions import mapped, side_by_side, whole_runs

if TYPE_CHECKING:
    from pyspark.core.broadcast import Broadcast
    from pyspark.sql import DataFrame

    from core.spark.stages import Stages

__all__ = ["with_rarity"]

# Documents counted in the cells of a block, uint64 side by side; in that after the last block, how
# many documents there are.
COUNTS = "block INT, counts BINARY"
CELLS_A_BLOCK = 1 << 14
NUMBER_OF_DOCUMENTS = CELLS // CELLS_A_BLOCK
MOST = np.uint64(0xFFFFFFFF)


class Counted(NamedTuple):
    """uint32, documents by cell (see `core.signatures.document_frequencies`), and how many in all.

    64 MiB, whatever there was to count.
    """

    cells: UInt32Array
    documents: int


def with_rarity(
    stages: Stages, rows: DataFrame, documents: DataFrame, settings: ScanSettings
) -> DataFrame:
    """Documents with complete signatures: `schemas.SIGNED`.

    Args:
        stages: Keep what was counted.
        rows: `schemas.SIGNED` of some documents; as they are where the settings do not depend on
            all of them.
        documents: `schemas.DOCUMENTS`, all of them.
        settings: Of the scan.
    """
    if not settings.depends_on_all:
        return rows
    texts = documents.select("number", "text", "aside")

    def count() -> DataFrame:
        counted = mapped(texts, partial(counts_of, settings=settings), COUNTS)
        return mapped(side_by_side(counted, ["block"]), sums_of, COUNTS)

    counted = counted_in(stages.table("_shingle_counts", count).toArrow())
    known = stages.session.sparkContext.broadcast(counted)
    signed = mapped(texts, SigningByRarity(settings, known), "number LONG, signature BINARY")
    return rows.drop("signature").join(signed, "number").select(*rows.columns)


def counts_of(
    batches: Iterator[pa.RecordBatch], settings: ScanSettings
) -> Iterator[pa.RecordBatch]:
    """Texts to `COUNTS`: in how many of them the shingles of each cell stand."""
    frequencies = DocumentFrequencies()
    for batch in batches:
        texts = texts_of(batch)
        frequencies.add(texts.shingles(slice(0, len(texts)), settings))
    blocks = frequencies.rarity().cells.reshape(-1, CELLS_A_BLOCK)
    for block in np.flatnonzero(blocks.any(axis=1)).tolist():
        yield _row(block, blocks[block])
    yield _row(NUMBER_OF_DOCUMENTS, np.array([frequencies.documents]))


def sums_of(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """A sorted partition of `COUNTS` to those of each block added up."""
    for table in whole_runs(batches, ["block"], 1):
        blocks = int64s(table.column("block"))
        counts, sizes = unpacked(table.column("counts"), "<u8")
        starts = np.flatnonzero(np.append(True, blocks[1:] != blocks[:-1]))
        ends = np.cumsum(sizes)
        for start, end in zip(starts, np.append(starts[1:], len(blocks)), strict=True):
            own = counts[ends[start] - sizes[start] : ends[end - 1]]
            yield _row(int(blocks[start]), own.reshape(end - start, -1).sum(axis=0))


def counted_in(counts: pa.Table) -> Counted:
    """What `COUNTS` says, each block once."""
    cells, documents = np.zeros(CELLS, dtype=np.uint32), 0
    for row in counts.to_batches(max_chunksize=1):
        block = int(int64s(row.column("block"))[0])
        own, _ = unpacked(row.column("counts"), "<u8")
        if block == NUMBER_OF_DOCUMENTS:
            documents = int(own[0])
        else:
            cells[block * CELLS_A_BLOCK :][:CELLS_A_BLOCK] = np.minimum(own, MOST)
    return Counted(cells, documents)


@dataclass(frozen=True)
class SigningByRarity:
    """Signs texts: number and signature of each."""

    settings: ScanSettings
    counted: Broadcast[Counted]

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        rarity = rarity_of(*self.counted.value)
        for batch in batches:
            texts = texts_of(batch)
            shingles = texts.shingles(slice(0, len(texts)), self.settings)
            signatures = sign(shingles, self.settings, rarity)
            widths = np.full(len(texts), signatures.shape[1])
            column = packed(signatures.reshape(-1), widths)
            yield pa.record_batch({"number": batch.column("number"), "signature": column})


def _row(block: int, counts: UInt32Array) -> pa.RecordBatch:
    column = packed(counts.astype(np.uint64), np.array([len(counts)]))
    return pa.record_batch({"block": pa.array([block], pa.int32()), "counts": column})
