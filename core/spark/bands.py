"""Signatures to candidate pairs: what agrees in a band, shuffled by the hash of the band.

All 64 bits of the hash are the key. Among 10^10 documents some pairs have a key in common by
chance: `core.spark.evidence` drops them, which has the signatures of each pair.

A pair that meets in thirty bands is in thirty buckets. What is shuffled to find it once is, for
each document of a bucket, those it is paired with there.

A bucket with too many documents, form letters, say, pairs each of them with its first one only.
One machine goes on to split such a bucket by more rows of the signature; here that is left out and
said.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pyarrow as pa

from core.base.arrays import Int64Array
from core.candidates.bands import band_hashes
from core.candidates.lsh import are_overfull
from core.settings import ScanSettings
from core.spark.columns import CANDIDATES, bools, int64s, packed, unpacked
from core.spark.file_system import Stages
from core.spark.partitions import mapped, side_by_side, starts_of_runs, whole_runs

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

# A document in a band; `reference` says that it is not to review: those that are come first.
KEYED = "key LONG, number LONG, reference BOOLEAN"
# A bucket of two or more: LONGs side by side, those to review first. Of an overfull one, several
# rows that begin with its first document, the only one that counts as to review there; `crowd` is
# how many documents it has, 0 for others.
BUCKETS = "crowd LONG, reviewed INT, members BINARY"
# A document to review, and LONGs side by side: references, and others to review that follow it.
MEETINGS = "first LONG, others BINARY"

MEMBERS_A_ROW = 1 << 16
PAIRS_AT_ONCE = 1 << 20
ROWS_OF_MEETINGS = 1 << 13  # each has up to a thousand others, and of every band


class BandCandidates(NamedTuple):
    """What a search by bands finds.

    Attributes:
        pairs: `columns.CANDIDATES`.
        crowds: size LONG, document LONG: the largest overfull bucket that each document leads.
    """

    pairs: DataFrame
    crowds: DataFrame


def band_candidates(stages: Stages, distinct: DataFrame, settings: ScanSettings) -> BandCandidates:
    """The pairs that agree in a band, each once.

    Args:
        stages: Keep the buckets.
        distinct: Different documents with words, `columns.SIGNED`, with complete signatures.
        settings: With signatures that are compared by bands.
    """
    from pyspark.sql import functions as F

    buckets = stages.table("_buckets", partial(_shared_buckets, distinct, settings))
    meetings = mapped(buckets.select("reviewed", "members"), meetings_of, MEETINGS)
    pairs = mapped(side_by_side(meetings, ["first"]), pairs_of_meetings, CANDIDATES)
    led = mapped(buckets.where("crowd > 0"), leaders_of, "document LONG, crowd LONG")
    crowds = led.groupBy("document").agg(F.max("crowd").alias("size"))
    return BandCandidates(pairs, crowds.select("size", "document"))


def _shared_buckets(distinct: DataFrame, settings: ScanSettings) -> DataFrame:
    """The buckets of all bands: `BUCKETS`."""
    signed = distinct.select("number", "reviewed", "signature")
    keyed = mapped(signed, KeysOfBands(settings.bands, settings.rows), KEYED)
    return mapped(side_by_side(keyed, ["key"], ["reference", "number"]), buckets_of, BUCKETS)


@dataclass(frozen=True)
class KeysOfBands:
    """Documents to their bands, `KEYED`."""

    bands: int
    rows: int

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """One batch after the other."""
        for batch in batches:
            if not batch.num_rows:
                continue
            signatures, _ = unpacked(batch.column("signature"), "<u4")
            signatures = signatures.reshape(batch.num_rows, -1)
            by_band = [band_hashes(signatures, band, self.rows) for band in range(self.bands)]
            reference = ~bools(batch.column("reviewed"))
            yield pa.record_batch(
                {
                    "key": np.stack(by_band, axis=1).reshape(-1).view(np.int64),
                    "number": np.repeat(int64s(batch.column("number")), self.bands),
                    "reference": np.repeat(reference, self.bands),
                }
            )


def buckets_of(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """A sorted partition of `KEYED` to `BUCKETS`."""
    for table in whole_runs(batches, ["key"]):
        starts = starts_of_runs(int64s(table.column("key")))
        sizes = np.diff(np.append(starts, table.num_rows))
        reviewed = np.add.reduceat(~bools(table.column("reference")), starts, dtype=np.int64)
        numbers = int64s(table.column("number"))
        overfull = are_overfull(reviewed, sizes)
        ordinary = (sizes > 1) & (reviewed > 0) & ~overfull
        members = numbers[np.repeat(ordinary, sizes)]
        none = np.zeros(int(ordinary.sum()), dtype=np.int64)
        yield _buckets(none, reviewed[ordinary], members, sizes[ordinary])
        for start, size in zip(starts[overfull].tolist(), sizes[overfull].tolist(), strict=True):
            first, followers = numbers[start], numbers[start + 1 : start + size]
            parts = np.split(followers, range(MEMBERS_A_ROW, size - 1, MEMBERS_A_ROW))
            members = np.concatenate([np.append(first, part) for part in parts])
            lengths = np.array([1 + len(part) for part in parts])
            ones = np.ones(len(parts), dtype=np.int64)
            yield _buckets(size * ones, ones, members, lengths)


def _buckets(
    crowd: Int64Array, reviewed: Int64Array, members: Int64Array, sizes: Int64Array
) -> pa.RecordBatch:
    columns = {"crowd": crowd, "reviewed": reviewed.astype(np.int32)}
    return pa.record_batch({**columns, "members": packed(members, sizes)})


def leaders_of(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Overfull buckets to the document that each is led by, and how many documents it has."""
    for batch in batches:
        members, sizes = unpacked(batch.column("members"), "<i8")
        first = members[np.cumsum(sizes) - sizes]
        yield pa.record_batch({"document": first, "crowd": batch.column("crowd")})


def meetings_of(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Buckets to `MEETINGS`: each document to review with those after it in its bucket."""
    for batch in batches:
        reviewed = int64s(batch.column("reviewed"))
        members, sizes = unpacked(batch.column("members"), "<i8")
        inside = _places(sizes)
        to_review = inside < np.repeat(reviewed, sizes)
        others = (np.repeat(sizes, sizes) - inside - 1)[to_review]
        firsts = np.flatnonzero(to_review)[others > 0]  # the last of a bucket has none
        others = others[others > 0]
        ends = np.cumsum(others)
        start = 0
        while start < len(firsts):  # a thousand full buckets are not expanded at once
            done = ends[start - 1] if start else 0
            end = max(start + 1, int(np.searchsorted(ends, done + PAIRS_AT_ONCE, "right")))
            some, counts = firsts[start:end], others[start:end]
            place = np.repeat(some + 1, counts) + _places(counts)
            yield pa.record_batch(
                {"first": members[some], "others": packed(members[place], counts)}
            )
            start = end


def pairs_of_meetings(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """A sorted partition of `MEETINGS` to pairs, each once: `columns.CANDIDATES`."""
    for table in whole_runs(batches, ["first"], ROWS_OF_MEETINGS):
        others, counts = unpacked(table.column("others"), "<i8")
        first = np.repeat(int64s(table.column("first")), counts)
        order = np.lexsort((others, first))
        first, others = first[order], others[order]
        fresh = np.append(True, (first[1:] != first[:-1]) | (others[1:] != others[:-1]))
        first, others = first[fresh], others[fresh]
        yield pa.record_batch({"x": np.minimum(first, others), "y": np.maximum(first, others)})


def _places(counts: Int64Array) -> Int64Array:
    """0, 1, ... of each of some runs, one run after the other."""
    ends = np.cumsum(counts)
    return np.arange(ends[-1] if len(ends) else 0) - np.repeat(ends - counts, counts)
