"""Signatures to candidate pairs: what agrees in a band, shuffled by the hash of the band.

All 64 bits of the hash are the key. Among 10^10 documents some pairs have a key in common by
chance: `core.spark.evidence` drops them, which has the signatures of each pair.

A pair that meets in thirty bands is in thirty buckets. What is shuffled to find it once is, for
each document of a bucket, those it is paired with there.

Crowds: buckets with very many documents, by the rule of `core.candidates.lsh`.

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
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from core.base.arrays import AnyArray, BoolArray, Int64Array, UInt32Array, UInt64Array
from core.base.memory import require_memory
from core.candidates.bands import Buckets, band_hashes
from core.candidates.lsh import PART_LIMIT, CandidateChunk, are_overfull, pairs_of_buckets
from core.scan.audit_results import Cap, CapKind
from core.settings import ScanSettings
from core.spark.columns import bools, digests_of, int64s, packed, unpacked
from core.spark.partitions import connected_parts, mapped, side_by_side, starts_of_runs, whole_runs
from core.spark.schemas import CANDIDATES

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from core.spark.file_system import Stages

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


# A document in a band; `reference` says that it is not to review: those that are come first.
KEYED = "key LONG, number LONG, reference BOOLEAN"
# A bucket of two or more, of which one is to review: LONGs side by side, those to review first.
# An overfull bucket may be several rows.
BUCKETS = "key LONG, overfull BOOLEAN, size INT, reviewed INT, members BINARY"
# A document to review, and LONGs side by side: references, and others to review that follow it.
MEETINGS = "first LONG, others BINARY"

MEMBERS_A_ROW = 1 << 16
PAIRS_AT_ONCE = 1 << 20
ROWS_OF_MEETINGS = 1 << 13  # each has up to a thousand others, and of every band


class BandCandidates(NamedTuple):
    """What a search by bands finds.

    Attributes:
        pairs: `schemas.CANDIDATES`.
        crowds: Which documents lead many others, for `core.spark.bands.crowd_cap`; None where
            none does.
    """

    pairs: DataFrame
    crowds: DataFrame | None


def band_candidates(stages: Stages, distinct: DataFrame, settings: ScanSettings) -> BandCandidates:
    """The pairs that `core.candidates.lsh.candidate_pairs` finds.

    Args:
        stages: Keep the buckets.
        distinct: Different documents with words, `schemas.SIGNED`, with complete signatures.
        settings: With signatures that are compared by bands.
    """
    buckets = stages.table("_buckets", partial(shared_buckets, distinct, settings))
    ordinary = buckets.where("NOT overfull")
    if buckets.where("overfull").isEmpty():
        return BandCandidates(pairs_of(meetings_in(ordinary)), None)
    members = crowd_members(stages, buckets)
    found = crowd_pairs(stages, members, distinct, settings)
    ordinary = ordinary.join(members.select("key").distinct(), "key", "left_anti")
    others = found.where(f"band = {A_PAIR}").drop("band")
    meetings = meetings_in(ordinary).unionByName(others)
    return BandCandidates(pairs_of(meetings), found.where(f"band != {A_PAIR}"))


def shared_buckets(distinct: DataFrame, settings: ScanSettings) -> DataFrame:
    """The buckets of all bands: `BUCKETS`."""
    signed = distinct.select("number", "reviewed", "signature")
    keyed = mapped(signed, KeysOfBands(settings.bands, settings.rows), KEYED)
    return mapped(side_by_side(keyed, ["key"], ["reference", "number"]), buckets_of, BUCKETS)


def meetings_in(buckets: DataFrame) -> DataFrame:
    """Who meets whom in some buckets: `MEETINGS`."""
    return mapped(buckets.select("reviewed", "members"), meetings_of, MEETINGS)


def pairs_of(meetings: DataFrame) -> DataFrame:
    """The pairs of `MEETINGS`, each once: `schemas.CANDIDATES`."""
    return mapped(side_by_side(meetings, ["first"]), pairs_of_meetings, CANDIDATES)


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
            hashes = np.stack(by_band, axis=1)
            reference = ~bools(batch.column("reviewed"))
            yield pa.record_batch(
                {
                    "key": hashes.reshape(-1).view(np.int64),
                    "number": np.repeat(int64s(batch.column("number")), self.bands),
                    "reference": np.repeat(reference, self.bands),
                }
            )


def buckets_of(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """A sorted partition of `KEYED` to `BUCKETS`."""
    for table in whole_runs(batches, ["key"]):
        keys = int64s(table.column("key"))
        starts = np.flatnonzero(np.append(True, keys[1:] != keys[:-1]))
        sizes = np.diff(np.append(starts, len(keys)))
        reviewed = np.add.reduceat(~bools(table.column("reference")), starts, dtype=np.int64)
        wanted = (sizes > 1) & (reviewed > 0)
        numbers = int64s(table.column("number"))[np.repeat(wanted, sizes)]
        buckets = _Buckets(keys[starts[wanted]], sizes[wanted], reviewed[wanted], numbers)
        overfull = are_overfull(buckets.reviewed, buckets.sizes)
        yield buckets.take(~overfull).batch(overfull=False)
        yield buckets.take(overfull).cut(MEMBERS_A_ROW).batch(overfull=True)


class _Buckets(NamedTuple):
    """Some buckets: their keys, how many members, how many to review, and the members of all."""

    keys: Int64Array
    sizes: Int64Array
    reviewed: Int64Array
    members: Int64Array

    def take(self, wanted: BoolArray) -> _Buckets:
        members = self.members[np.repeat(wanted, self.sizes)]
        return _Buckets(self.keys[wanted], self.sizes[wanted], self.reviewed[wanted], members)

    def cut(self, most: int) -> _Buckets:
        """The same members with so many in a row at most."""
        parts = -(-self.sizes // most)
        step = _places(parts) * most
        sizes = np.minimum(np.repeat(self.sizes, parts) - step, most)
        reviewed = np.clip(np.repeat(self.reviewed, parts) - step, 0, sizes)
        return _Buckets(np.repeat(self.keys, parts), sizes, reviewed, self.members)

    def batch(self, *, overfull: bool) -> pa.RecordBatch:
        return pa.record_batch(
            {
                "key": self.keys,
                "overfull": np.full(len(self.keys), overfull),
                "size": self.sizes.astype(np.int32),
                "reviewed": self.reviewed.astype(np.int32),
                "members": packed(self.members, self.sizes),
            }
        )


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
    """A sorted partition of `MEETINGS` to pairs, each once: `schemas.CANDIDATES`."""
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
