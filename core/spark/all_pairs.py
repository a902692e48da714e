"""All pairs compared on a cluster, where that costs no more than one machine allows.

texts ─▶ shingles, range by range of their hashes ─▶ in each range the pairs that share some,
         counted as on one machine ─▶ summed by pair
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pyarrow as pa

from core.base.arrays import Int64Array
from core.base.tasks import batches as parts_of
from core.candidates import all_pairs
from core.candidates.all_pairs import (
    AllPairsLimits,
    SharedCounts,
    postings_of,
)
from core.candidates.references import pairs_of
from core.candidates.shared_fingerprints import document_bits, keys_of
from core.evidence.overlap import sizes_of
from core.evidence.pairs import split_codes
from core.scan.measured_pairs import affordable
from core.settings import ScanSettings
from core.spark.columns import bools, int64s, packed, texts_of, unpacked
from core.spark.file_system import Stages
from core.spark.partitions import mapped, side_by_side, starts_of_runs, whole_runs
from core.text.shingling import Fingerprints

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


SHINGLES_AT_ONCE = 1 << 22  # of a range; counting them takes some 64 bytes each
RANGES_AT_FIRST = 8  # of more, the first one may say already that there are too many pairs

# The shingles of a document in one range of hashes; `size` is how many it has in all.
RANGES = "range LONG, other BOOLEAN, number LONG, size LONG, shingles BINARY"

# What two documents share in a range; or, without x, what counting it took, and whether more pairs
# than are allowed share something there: their `shared` is -1.
COUNTED = "x LONG, y LONG, size_x LONG, size_y LONG, shared LONG, shingles LONG, steps LONG"


class ComparedPairs(NamedTuple):
    """Every two documents of a run compared.

    Attributes:
        compared: How many pairs, also those that share nothing.
        sharing: x LONG, y LONG, resemblance DOUBLE: x < y that share a shingle, perhaps by chance.
    """

    compared: int
    sharing: DataFrame

    def reaching(self, min_resemblance: float) -> DataFrame:
        """CANDIDATES: the pairs from a resemblance on."""
        from pyspark.sql import functions as F

        return self.sharing.where(F.col("resemblance") >= min_resemblance).select("x", "y")

    def reach(self, min_resemblance: float) -> int:
        """How many there are."""
        return self.reaching(min_resemblance).count()


def affordable_pairs(
    stages: Stages, distinct: DataFrame, documents: DataFrame, settings: ScanSettings
) -> ComparedPairs | None:
    """All pairs, where that costs no more than one machine allows, else None.

    One machine also compares all where the candidates of the bands would cost more, which it tells
    by pairs drawn at random; here only counts decide.

    Args:
        stages: Where the tables of the work are kept.
        distinct: SIGNED, of documents with words, of equal ones of the first.
        documents: DOCUMENTS, all of them.
        settings: Of the scan.

    Raises:
        TooManyCandidatesError: All pairs were asked for, and they are too many.
    """
    if settings.compare == "bands":
        return None
    count, reviewed, shingles = distinct.selectExpr(
        "count(*)",
        "coalesce(sum(cast(reviewed as long)), 0)",
        f"coalesce(sum(greatest(units - {settings.k} + 1, 1)), 0)",
    ).collect()[0]
    pairs = int(pairs_of(np.array(reviewed), np.array(count)))
    own = distinct.select("number", "reviewed")
    texts = documents.select("number", "text", "aside").join(own, "number")
    ranges = shingles // SHINGLES_AT_ONCE + 1

    def counted(limits: AllPairsLimits, first: int) -> DataFrame | None:
        """The pairs that share a shingle of the first ranges; None where they cost too much."""
        name = f"_all_pairs_{limits.pairs}_{first}_{ranges}"
        cut = _Cut(settings, document_bits(count), ranges, first)
        work = partial(_count_runs, settings.bag, limits)
        table = stages.table(
            name,
            lambda: mapped(
                side_by_side(mapped(texts, cut, RANGES), ["range"], ["other", "number"]),
                work,
                COUNTED,
            ),
        )
        told = table.where("x is null").selectExpr("sum(shingles)", "sum(steps)", "min(shared)")
        found, steps, shared = told.collect()[0]
        if (shared or 0) < 0 or not limits.allow(found or 0, steps or 0):
            return None
        # As `core.evidence.overlap.resemblance_of`, in the same order.
        resemblance = "double(shared) / greatest(double(size_x + size_y) - double(shared), 1d)"
        sums = table.where("x is not null").groupBy("x", "y", "size_x", "size_y")
        sharing = stages.table(
            f"{name}_sums",
            lambda: (
                sums.agg({"shared": "sum"})
                .withColumnRenamed("sum(shared)", "shared")
                .selectExpr("x", "y", f"{resemblance} as resemblance")
            ),
        )
        return None if sharing.count() > limits.pairs else sharing

    def within(limits: AllPairsLimits) -> ComparedPairs | None:
        """All pairs; None where they cost more than allowed, which counts mostly tell alone."""
        if not limits.allow(shingles):
            return None
        if ranges > RANGES_AT_FIRST and counted(limits, 1) is None:
            return None
        found = counted(limits, ranges)
        return None if found is None else ComparedPairs(pairs, found)

    return affordable(settings, within, lambda: False)


@dataclass(frozen=True)
class _Cut:
    """Documents with number, reviewed, text and aside to the rows `RANGES`.

    Attributes:
        settings: Decide over shingles.
        bits: How many low bits of a hash are not compared.
        ranges: Into how many parts all shingles are cut.
        first: How many of them are wanted.
    """

    settings: ScanSettings
    bits: np.uint64
    ranges: int
    first: int

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            texts = texts_of(batch)
            for part in parts_of(texts.lengths.tolist()):
                shingles = texts.shingles(np.arange(part.start, part.stop), self.settings)
                sizes = sizes_of(shingles, bag=self.settings.bag)
                shingles = shingles.counting()
                own = Fingerprints(shingles.hashes, np.diff(shingles.offsets))
                yield self._ranges(batch.slice(part.start, part.stop - part.start), own, sizes)

    def _ranges(
        self, batch: pa.RecordBatch, shingles: Fingerprints, sizes: Int64Array
    ) -> pa.RecordBatch:
        rows = np.repeat(np.arange(batch.num_rows), shingles.counts)
        # Hashes that are compared as equal are in one range.
        ranges = (keys_of(shingles.values, self.bits) % np.uint64(self.ranges)).astype(np.int64)
        places = rows * self.ranges + ranges
        order = np.argsort(places, kind="stable")
        order = order[ranges[order] < self.first]
        starts = starts_of_runs(places[order])
        counts = np.diff(np.append(starts, len(order)))
        places = places[order][starts]
        rows = places // self.ranges
        return pa.RecordBatch.from_pydict(
            {
                "range": places % self.ranges,
                "other": ~bools(batch.column("reviewed"))[rows],
                "number": int64s(batch.column("number"))[rows],
                "size": sizes[rows],
                "shingles": packed(shingles.values[order], counts),
            }
        )


def _count_runs(
    bag: bool,  # noqa: FBT001 - of a partial
    limits: AllPairsLimits,
    batches: Iterator[pa.RecordBatch],
) -> Iterator[pa.RecordBatch]:
    """Rows `RANGES` of a partition, sorted by range, other and number, to the rows `COUNTED`."""
    for table in whole_runs(batches, ["range"], 1):
        starts = starts_of_runs(int64s(table.column("range"))).tolist()
        for start, end in zip(starts, [*starts[1:], table.num_rows], strict=True):
            yield from _count_range(table.slice(start, end - start), bag=bag, limits=limits)


def _count_range(table: pa.Table, *, bag: bool, limits: AllPairsLimits) -> Iterator[pa.RecordBatch]:
    """What the documents of one range share; those to review come first, as on one machine."""
    shingles = Fingerprints(*unpacked(table.column("shingles"), "<u8"))
    to_review = int(np.count_nonzero(~bools(table.column("other"))))
    postings = postings_of(shingles, bag)
    steps = int(postings.steps()[:to_review].sum())
    shared = None
    if limits.allow(len(shingles.values), steps):
        shared = all_pairs.counted(postings, table.num_rows, to_review, limits.pairs)
    told = {"shared": 0 if shared else -1, "shingles": len(shingles.values), "steps": steps}
    nothing = dict.fromkeys(("x", "y", "size_x", "size_y"))
    types = pa.schema([(column.split()[0], pa.int64()) for column in COUNTED.split(", ")])
    yield pa.RecordBatch.from_pylist([nothing | told], types)
    if shared:
        yield pa.RecordBatch.from_pydict(_pairs(table, shared), types)


def _pairs(table: pa.Table, shared: SharedCounts) -> dict[str, pa.Array]:
    numbers, sizes = int64s(table.column("number")), int64s(table.column("size"))
    x, y = split_codes(shared.codes)
    swapped = numbers[x] > numbers[y]
    x, y = np.where(swapped, y, x), np.where(swapped, x, y)
    columns = [numbers[x], numbers[y], sizes[x], sizes[y], shared.shared.astype(np.int64)]
    names = ("x", "y", "size_x", "size_y", "shared")
    nothing = pa.nulls(len(x), pa.int64())
    return dict(zip(names, map(pa.array, columns), strict=True)) | {
        "shingles": nothing,
        "steps": nothing,
    }
