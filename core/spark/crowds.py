"""Crowds: buckets with very many documents, by the rule of `core.candidates.crowds`.

That rule goes band after band, but only over the documents that are in some overfull bucket. Where
a bucket also holds another document, it is an ordinary one on one machine, too. What is left are
buckets of crowded documents alone: those that hang together by them are brought to one place, where
the very code of one machine makes their pairs. A document takes its signature and 300 bytes there:
ten million, 8 GB. A sentence says where a part is too large for the memory of a process, before it
is read.

The documents of crowds read into arrays: each row is kept once, whatever their number.

Of a part it is known beforehand how many documents it has. So memory is asked for before it is
taken, and what is read goes straight to its place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from core.base.arrays import AnyArray, BoolArray, Int64Array, UInt32Array, UInt64Array
from core.base.memory import require_memory
from core.candidates.bands import Buckets, band_hashes
from core.candidates.crowds import PART_LIMIT
from core.candidates.lsh import CandidateChunk, pairs_of_buckets
from core.scan.caps import Cap, CapKind
from core.settings import ScanSettings
from core.spark.columns import bools, digests_of, int64s, packed, unpacked
from core.spark.partitions import mapped, side_by_side, starts_of_runs
from core.spark.parts import connected_parts

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from core.spark.stages import Stages

AT_LEAST = 1 << 14  # documents: small parts are taken together


class CrowdRows(NamedTuple):
    """The documents of one or more whole parts.

    Attributes:
        numbers: int64 (n).
        reviewed: bool (n).
        digests: uint64 (n, 2).
        signatures: uint32 (n, K).
        keys: uint64, ascending: the keys of their buckets.
    """

    numbers: Int64Array
    reviewed: BoolArray
    digests: UInt64Array
    signatures: UInt32Array
    keys: UInt64Array


def crowd_rows(
    batches: Iterator[pa.RecordBatch], require: Callable[[int, int], None]
) -> Iterator[CrowdRows]:
    """The parts of a partition.

    Args:
        batches: Sorted by `part`: number, reviewed, digest, signature, `documents`, how many its
            part has, and `keys`, a list that may be null; each key is in one of them.
        require: Raises where there is no memory for so many documents with signatures so wide.
    """
    filling: _Filling | None = None
    for batch in batches:
        sizes, row = int64s(batch.column("documents")), 0
        signatures, _ = unpacked(batch.column("signature"), "<u4")
        signatures = signatures.reshape(len(sizes), -1) if len(sizes) else signatures
        while row < len(sizes):
            if filling is None or not filling.missing:
                if filling is not None and filling.filled >= AT_LEAST:
                    yield filling.rows()
                    filling = None
                filling = filling or _Filling(signatures.shape[1])
                require(filling.filled + int(sizes[row]), signatures.shape[1])
                filling.begin(int(sizes[row]))
            count = min(filling.missing, len(sizes) - row)
            filling.add(batch.slice(row, count), signatures[row : row + count])
            row += count
    if filling is not None:
        yield filling.rows()


class _Filling:
    """Arrays with room for the parts that were begun.

    Attributes:
        filled: How many documents there are.
        missing: How many of the last part are not there yet.
    """

    def __init__(self, width: int) -> None:
        self.filled = self.missing = 0
        self._keys = list[Int64Array]()
        self._columns = _columns(0, width)

    def begin(self, more: int) -> None:
        """Make room for a part of so many documents."""
        self.missing = more
        if self.filled + more > len(self._columns["numbers"]):
            width = self._columns["signatures"].shape[1]
            wider = _columns(max(self.filled + more, 2 * AT_LEAST), width)
            for name, own in wider.items():
                own[: self.filled] = self._columns[name][: self.filled]
            self._columns = wider

    def add(self, batch: pa.RecordBatch, signatures: UInt32Array) -> None:
        """Some rows of the last part."""
        read = {
            "numbers": int64s(batch.column("number")),
            "reviewed": bools(batch.column("reviewed")),
            "digests": digests_of(batch.column("digest")),
            "signatures": signatures,
        }
        for name, own in read.items():
            self._columns[name][self.filled : self.filled + batch.num_rows] = own
        self._keys.append(int64s(pc.list_flatten(batch.column("keys"))))
        self.filled += batch.num_rows
        self.missing -= batch.num_rows

    def rows(self) -> CrowdRows:
        """All that was read."""
        keys = np.sort(np.concatenate(self._keys).view(np.uint64))
        return CrowdRows(
            **{name: own[: self.filled] for name, own in self._columns.items()}, keys=keys
        )


def _columns(room: int, width: int) -> dict[str, AnyArray]:
    """Such that take memory only where they are written."""
    return {
        "numbers": np.empty(room, dtype=np.int64),
        "reviewed": np.empty(room, dtype=np.bool_),
        "digests": np.empty((room, 2), dtype=np.uint64),
        "signatures": np.empty((room, width), dtype=np.uint32),
    }


MEMBERS = "key LONG, number LONG"
# LONGs side by side that are paired with `first` (`bands.MEETINGS`), or follow it from a band on.
FOUND = "band INT, first LONG, others BINARY"
A_PAIR = -1  # in the place of a band
FOLLOWERS_A_ROW = 1 << 16
PAIRS_A_BATCH = 1 << 20
HASHED_AT_ONCE = 1 << 18  # documents
BYTES_A_BAND = 2  # of a document: the depth of its part
BYTES = 170  # of a document: what is known of it, and what splitting a crowd takes


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
    sizes = parts.groupBy("part").agg(F.count("number").alias("documents"))
    # One document brings the key of all: ten million with forty would be gigabytes more.
    keys = first.groupBy(F.col("x").alias("number")).agg(F.collect_list("key").alias("keys"))
    known = parts.join(sizes, "part").join(keys, "number", "left")
    rows = distinct.select("number", "reviewed", "digest", "signature").join(known, "number")
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
    """Documents of whole parts, as `crowd_rows` reads them, to `FOUND`."""

    bands: int
    rows: int

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """One batch after the other."""
        for crowd in crowd_rows(batches, self._require):
            yield from self._found(crowd)
            del crowd  # before the next one is read

    def _found(self, crowd: CrowdRows) -> Iterator[pa.RecordBatch]:
        buckets = self._buckets(crowd)
        for chunk in pairs_of_buckets(
            crowd.signatures, crowd.digests, crowd.reviewed, buckets, self.bands, self.rows
        ):
            yield from _pairs(chunk, crowd)
            if len(chunk.crowd):
                yield _followers(chunk, crowd.numbers)

    def _require(self, documents: int, width: int) -> None:
        """Raise `StorageError` where there is no room for so many documents of one crowd."""
        require_memory(
            documents * (4 * width + BYTES_A_BAND * self.bands + BYTES),
            f"A crowd of {documents:,} documents that share text",
            "Give the processes of Spark more, set the shared text aside, or take more rows in a "
            "band.",
        )

    def _buckets(self, crowd: CrowdRows) -> Iterator[Buckets]:
        """The buckets of each band that have one of the keys."""
        for band in range(self.bands):
            members, places = [np.empty(0, np.int32)], [np.empty(0, np.int32)]
            for start in range(0, len(crowd.numbers), HASHED_AT_ONCE):
                some = crowd.signatures[start : start + HASHED_AT_ONCE]
                hashes = band_hashes(some, band, self.rows)
                place = np.minimum(np.searchsorted(crowd.keys, hashes), len(crowd.keys) - 1)
                here = np.flatnonzero(crowd.keys[place] == hashes)
                members.append((here + start).astype(np.int32))
                places.append(place[here].astype(np.int32))
            own = np.concatenate(places)
            order = np.argsort(own, kind="stable")
            starts = starts_of_runs(own[order])
            yield Buckets(np.concatenate(members)[order], np.append(starts, len(own)))


def _pairs(chunk: CandidateChunk, crowd: CrowdRows) -> Iterator[pa.RecordBatch]:
    """Pairs as `bands.MEETINGS` has them: first one to review, the smaller one of two."""
    for start in range(0, len(chunk.x), PAIRS_A_BATCH):
        of_x, of_y = (own[start : start + PAIRS_A_BATCH] for own in (chunk.x, chunk.y))
        x, y = crowd.numbers[of_x], crowd.numbers[of_y]
        reviewed = crowd.reviewed[of_x]
        turned = np.where(reviewed & crowd.reviewed[of_y], x > y, ~reviewed)
        first, other = np.where(turned, y, x), np.where(turned, x, y)
        ones = np.ones(len(first), dtype=np.int64)
        band = np.full(len(first), A_PAIR, dtype=np.int32)
        yield pa.record_batch({"band": band, "first": first, "others": packed(other, ones)})


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
