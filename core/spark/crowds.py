"""Crowds: buckets with very many documents, by the rule of `core.candidates.crowds`.

That rule goes band after band, but only over the documents that are in some overfull bucket. Where
a bucket also holds another document, it is an ordinary one on one machine, too. What is left are
buckets of crowded documents alone: those that hang together by them are brought to one place, where
the very code of one machine makes their pairs. A document of such a part takes about 2 KB there; a
sentence says where a part is too large for the memory of a process.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from core.base.arrays import BoolArray, Int64Array, UInt32Array, UInt64Array
from core.base.memory import require_memory
from core.candidates.bands import Buckets, band_hashes
from core.candidates.crowds import PART_LIMIT
from core.candidates.lsh import CandidateChunk, pairs_of_buckets
from core.scan.caps import Cap, CapKind
from core.settings import ScanSettings
from core.spark.columns import bools, digests_of, int64s, packed, unpacked
from core.spark.partitions import mapped, side_by_side, whole_runs
from core.spark.parts import connected_parts

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from core.spark.stages import Stages

__all__ = ["A_PAIR", "crowd_cap", "crowd_members", "crowd_pairs"]

MEMBERS = "key LONG, number LONG"
# LONGs side by side that are paired with `first` (`bands.MEETINGS`), or follow it from a band on.
FOUND = "band INT, first LONG, others BINARY"
A_PAIR = -1  # in the place of a band
FOLLOWERS_A_ROW = 1 << 16
BYTES_A_BAND = 24  # of a document: its key, twice while keys are sorted, and the depth of its part


def crowd_members(stages: Stages, buckets: DataFrame) -> DataFrame:
    """The members of buckets that hold documents of overfull ones alone: `MEMBERS`.

    Of those that are not overfull themselves only the larger ones, which crowds may split.
    """

    def make() -> DataFrame:
        from pyspark.sql import functions as F

        overfull = mapped(buckets.where("overfull"), members_of, MEMBERS)
        crowded = overfull.select("number").distinct()
        others = buckets.where(f"NOT overfull AND size > {PART_LIMIT}")
        members = mapped(others, members_of, MEMBERS).join(crowded, "number")
        counted = members.groupBy("key").agg(F.count("number").alias("crowded"))
        whole = others.join(counted, "key").where("size = crowded").select("key")
        return overfull.unionByName(members.join(whole, "key").select("key", "number"))

    return stages.table("_crowded", make)


def crowd_pairs(
    stages: Stages, members: DataFrame, distinct: DataFrame, settings: ScanSettings
) -> DataFrame:
    """The pairs of such buckets, and who follows whom: `FOUND`.

    Args:
        stages: Keep what is found.
        members: See `crowd_members`.
        distinct: `schemas.SIGNED`, with complete signatures.
        settings: With signatures that are compared by bands.
    """
    from pyspark.sql import functions as F

    first = members.groupBy("key").agg(F.min("number").alias("x"))
    edges = members.join(first, "key").select("x", F.col("number").alias("y"))
    parts = connected_parts(stages, "_crowd_parts", edges)
    keys = members.groupBy("number").agg(F.collect_list("key").alias("keys"))  # one a band
    signed = distinct.select("number", "reviewed", "digest", "signature")
    rows = signed.join(parts, "number").join(keys, "number")
    work = CrowdsOfParts(settings.bands, settings.rows)
    return stages.table(
        "_crowd_pairs", lambda: mapped(side_by_side(rows, ["part"], ["number"]), work, FOUND)
    )


def crowd_cap(crowds: DataFrame, settings: ScanSettings) -> Cap | None:
    """What is left out of the list for the crowds, as one machine says it.

    Args:
        crowds: Rows of `FOUND` that say who follows whom.
        settings: Of the scan.
    """
    from pyspark.sql import functions as F

    followers = F.sum(F.octet_length("others") / 8).alias("followers")
    sizes = crowds.groupBy("band", "first").agg(followers)
    largest = sizes.orderBy(F.desc("followers"), "first").first()
    if largest is None:
        return None
    numbers = mapped(crowds.select("first", "others"), everybody_of, "number LONG").distinct()
    return Cap(CapKind.CROWD, numbers.count(), largest["first"], settings.method.name)


def members_of(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Buckets to `MEMBERS`."""
    for batch in batches:
        members, sizes = unpacked(batch.column("members"), "<i8")
        yield pa.record_batch(
            {"key": np.repeat(int64s(batch.column("key")), sizes), "number": members}
        )


def everybody_of(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Crowds to the numbers of all leaders and followers."""
    for batch in batches:
        followers, _ = unpacked(batch.column("others"), "<i8")
        yield pa.record_batch({"number": np.append(int64s(batch.column("first")), followers)})


@dataclass(frozen=True)
class CrowdsOfParts:
    """Documents of whole parts to `FOUND`: number, reviewed, digest, signature, and keys."""

    bands: int
    rows: int

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for table in whole_runs(batches, ["part"]):
            self._check_memory(table)
            numbers, reviewed = int64s(table.column("number")), bools(table.column("reviewed"))
            signatures, _ = unpacked(table.column("signature"), "<u4")
            signatures = signatures.reshape(table.num_rows, -1)
            digests = digests_of(table.column("digest"))
            keys = np.sort(int64s(pc.list_flatten(table.column("keys"))).view(np.uint64))
            del table  # before the work: signatures are most of it
            buckets = self._buckets(signatures, keys)
            for chunk in pairs_of_buckets(
                signatures, digests, reviewed, buckets, self.bands, self.rows
            ):
                yield _pairs(chunk, numbers, reviewed)
                if len(chunk.crowd):
                    yield _followers(chunk, numbers)

    def _check_memory(self, table: pa.Table) -> None:
        """Raise `StorageError` where there is no room for so many documents of one crowd."""
        signatures = int(pc.sum(pc.binary_length(table.column("signature"))).as_py())
        require_memory(
            signatures + table.num_rows * self.bands * BYTES_A_BAND,
            f"A crowd of {table.num_rows:,} documents that share text",
            "Give the processes of Spark more, set the shared text aside, or take more rows in a "
            "band.",
        )

    def _buckets(self, signatures: UInt32Array, keys: UInt64Array) -> Iterator[Buckets]:
        """The buckets of each band that have one of these keys, which ascend."""
        for band in range(self.bands):
            hashes = band_hashes(signatures, band, self.rows)
            place = np.minimum(np.searchsorted(keys, hashes), len(keys) - 1)
            members = np.flatnonzero(keys[place] == hashes)
            members = members[np.argsort(hashes[members], kind="stable")]
            own = hashes[members]
            starts = np.flatnonzero(np.append(True, own[1:] != own[:-1])[: len(own)])
            yield Buckets(members.astype(np.int32), np.append(starts, len(own)))


def _pairs(chunk: CandidateChunk, numbers: Int64Array, reviewed: BoolArray) -> pa.RecordBatch:
    """Pairs as `bands.MEETINGS` has them: first one to review, the smaller one of two."""
    x, y = numbers[chunk.x], numbers[chunk.y]
    turned = np.where(reviewed[chunk.x] & reviewed[chunk.y], x > y, ~reviewed[chunk.x])
    first, other = np.where(turned, y, x), np.where(turned, x, y)
    ones = np.ones(len(first), dtype=np.int64)
    band = np.full(len(first), A_PAIR, dtype=np.int32)
    return pa.record_batch({"band": band, "first": first, "others": packed(other, ones)})


def _followers(chunk: CandidateChunk, numbers: Int64Array) -> pa.RecordBatch:
    """Who follows whom, in rows that are not too long."""
    followers = numbers[chunk.crowd]
    starts = np.arange(0, len(followers), FOLLOWERS_A_ROW)
    counts = np.diff(np.append(starts, len(followers)))
    return pa.record_batch(
        {
            "band": np.full(len(counts), chunk.band, dtype=np.int32),
            "first": np.full(len(counts), numbers[chunk.leader]),
            "others": packed(followers, counts),
        }
    )
