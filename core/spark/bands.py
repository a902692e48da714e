"""Signatures to candidate pairs: what agrees in a band, shuffled by the hash of the band.

All 64 bits of the hash are the key. Among 10^10 documents some pairs have a key in common by
chance: `core.spark.evidence` drops them, which has the signatures of each pair.

A pair that meets in thirty bands is in thirty buckets. What is shuffled to find it once is, for
each document of a bucket, those it is paired with there.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pyarrow as pa

from core.base.arrays import BoolArray, Int64Array
from core.candidates.bands import band_hashes
from core.candidates.crowds import are_overfull
from core.settings import ScanSettings
from core.spark.columns import bools, int64s, packed, unpacked
from core.spark.crowds import A_PAIR, crowd_members, crowd_pairs
from core.spark.partitions import mapped, side_by_side, whole_runs
from core.spark.schemas import CANDIDATES

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from core.spark.stages import Stages

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
        crowds: Which documents lead many others, for `core.spark.crowds.crowd_cap`; None where
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
