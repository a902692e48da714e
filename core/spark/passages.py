"""Pairs of documents that share a passage, as `core.candidates.shared_fingerprints` finds them.

    fingerprints of documents ─▶ shuffled by ranges, sorted, equal ones side by side ─▶ pairs, or
                                                                                       common

A fingerprint that stands in every document would be as often in one partition. So a
key that is common among the documents of one task is reported once by it, and not sent any more.

Text beside common text gets other fingerprints, once: the documents of all grams in the windows
around common ones are counted, and each window chooses among those that are not common. One machine
chooses repeatedly, and so takes fewer grams for common; on a cluster, grams that are common among
the second choices make no pairs. Either way every run of t units that two
documents share pairs them, unless its grams are common.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np
import pyarrow as pa
from pyspark import Broadcast
from pyspark.sql import DataFrame

from core.base.arrays import BoolArray, Int64Array, UInt64Array, begins_run, starts_of_runs
from core.base.messages import whole_number
from core.candidates.references import pairs_of_all
from core.candidates.shared_fingerprints import (
    FEWEST_BITS,
    ChosenGrams,
    common_among,
    keys_of,
    pair_keys,
)
from core.candidates.sorted_keys import DOCUMENT_LIMIT, members
from core.candidates.sorted_keys import distinct as different
from core.errors import ClusterError
from core.evidence.pairs import split_codes
from core.settings import ScanSettings
from core.signatures.winnowing import find_grams
from core.spark.columns import Batches, bools, int64s, packed, shingles_of, unpacked
from core.spark.file_system import Stages
from core.spark.partitions import (
    COMMON,
    HELD,
    REFERENCE,
    held_in_ranges,
    holders_of,
    mapped,
    numbers_of,
    ranges_for,
    shared_keys,
    side_by_side,
    tables_of,
)

# Pairs x < y, perhaps several times, or a key that is common.
PAIRED = "x LONG, y LONG, common LONG"

FINGERPRINTS_AT_ONCE = 1 << 20
RANK_BITS = np.uint64(32)

# So many holders, those to review first, decide as all would: with one to review they are common.
ENOUGH_HOLDERS = pairs_of_all(DOCUMENT_LIMIT) + 2


def held_keys(
    dropped: np.uint64, ranges: int, avoided: Broadcast[UInt64Array], batches: Batches
) -> Batches:
    """Rows with number, reviewed and fingerprints to the rows `HELD`.

    Args:
        dropped: How many low bits of a hash are not compared.
        ranges: How many, at most 65,536.
        avoided: Ascending keys that are known to be common: no rows are made of them.
        batches: Of a partition.
    """
    known = np.empty(0, dtype=np.uint64)
    for table in tables_of(batches, "fingerprints", 8 * FINGERPRINTS_AT_ONCE):
        values, counts = unpacked(table.column("fingerprints"), "<u8")
        rows = np.repeat(np.arange(len(counts)), counts)
        keys = keys_of(values, dropped)
        left = ~(members(avoided.value, keys) | members(known, keys))
        keys, rows = holders(keys[left], rows[left])
        reviewed = bools(table.column("reviewed"))
        common = common_among(keys, rows, reviewed)
        known = different([known, common])
        left = ~members(common, keys)
        keys, rows = keys[left], rows[left]
        documents = holders_of(int64s(table.column("number"))[rows], reviewed[rows])
        owners = np.append(np.full(len(common), COMMON), documents)
        yield held_in_ranges(np.append(common, keys), owners, ranges)


def holders(keys: UInt64Array, rows: Int64Array) -> tuple[UInt64Array, Int64Array]:
    """The different pairs of a key and the row that holds it, by key, then by row.

    Args:
        keys: uint64.
        rows: int64, ascending.
    """
    order = np.argsort(keys, kind="stable")
    keys, rows = keys[order], rows[order]
    fresh = begins_run(keys, rows)
    return keys[fresh], rows[fresh]


def paired_runs(batches: Batches) -> Batches:
    """Rows `HELD` of a partition, those of a range side by side, to the rows `PAIRED`."""
    for keys, owners in shared_keys(batches, ENOUGH_HOLDERS):
        starts = starts_of_runs(keys)
        known = owners[starts] == COMMON
        left = ~np.repeat(known, np.diff(np.append(starts, len(keys))))
        of_left = numbers_of(owners[left]), owners[left] < REFERENCE
        pairs, common = _pairs_of(keys[left], *of_left)
        yield _paired(*pairs, np.concatenate([common, keys[starts[known]]]))


def _pairs_of(
    runs: UInt64Array, numbers: Int64Array, reviewed: BoolArray
) -> tuple[tuple[Int64Array, Int64Array], UInt64Array]:
    """The pairs of documents in runs of one key, and the keys that are common."""
    different = np.sort(numbers)
    different = different[starts_of_runs(different)]
    rows = np.searchsorted(different, numbers)
    to_review = np.zeros(len(different), dtype=np.bool_)
    to_review[rows] = reviewed
    starts = starts_of_runs(runs)
    sizes = np.diff(np.append(starts, len(runs)))
    ranks = np.repeat(np.arange(len(starts)), sizes).astype(np.uint64)
    keys = ranks << RANK_BITS | rows.astype(np.uint64)
    keys.sort()
    shared = pair_keys(keys, RANK_BITS, to_review)
    x, y = split_codes(shared.codes)
    common = runs[starts[shared.common.keys.astype(np.int64)]]
    return (different[x], different[y]), common


def _paired(x: Int64Array, y: Int64Array, common: UInt64Array) -> pa.RecordBatch:
    pairs, keys = pa.nulls(len(x), pa.int64()), pa.nulls(len(common), pa.int64())
    columns = [pa.concat_arrays([pa.array(column), keys]) for column in (x, y)]
    columns.append(pa.concat_arrays([pairs, pa.array(common.view(np.int64))]))
    return pa.RecordBatch.from_arrays(columns, ["x", "y", "common"])


# New fingerprints that documents with common text choose instead of it.
CHOSEN = "number LONG, reviewed BOOLEAN, fingerprints BINARY"
COUNTED = "key LONG, documents LONG, reviewed LONG"
CHARACTERS_AT_ONCE = 1 << 24


@dataclass(frozen=True)
class _BesideCommon:
    """Work on the texts of documents that hold common text.

    Attributes:
        settings: Decide over grams and windows.
        dropped: How many low bits of a hash are not compared.
        avoided: The keys of grams that are common.
    """

    settings: ScanSettings
    dropped: np.uint64
    avoided: Broadcast[UInt64Array]

    def tables(self, batches: Batches) -> Iterator[tuple[pa.Table, ChosenGrams]]:
        """Documents of a partition with their grams, a few at a time."""
        holding = (
            batch.filter(pa.array(hold_any(batch, self.dropped, self.avoided.value)))
            for batch in batches
        )
        for table in tables_of(holding, "text", CHARACTERS_AT_ONCE):
            for rows, shingles in shingles_of(table, self.settings):
                yield rows, ChosenGrams(find_grams(shingles, self.settings), self.dropped)


class CountBeside(_BesideCommon):
    """In how many documents the grams stand that windows with common ones have: `COUNTED`."""

    def __call__(self, batches: Batches) -> Batches:
        """Of a partition; Spark adds up."""
        for table, grams in self.tables(batches):
            keys, rows = holders(*grams.beside(self.avoided.value))
            starts = starts_of_runs(keys.view(np.int64))
            ends = np.append(starts, len(keys))
            reviewed = np.append(0, np.cumsum(bools(table.column("reviewed"))[rows]))
            documents, to_review = np.diff(ends), np.diff(reviewed[ends])
            columns = [keys[starts].view(np.int64), documents, to_review]
            yield pa.record_batch(columns, names=["key", "documents", "reviewed"])


class Choose(_BesideCommon):
    """The grams that documents choose instead of common ones: `CHOSEN`."""

    def __call__(self, batches: Batches) -> Batches:
        """Of a partition."""
        for table, grams in self.tables(batches):
            first, counts = unpacked(table.column("fingerprints"), "<u8")
            chosen = grams.instead_of(self.avoided.value)
            values = np.concatenate([first, chosen.values])
            keys = keys_of(values, self.dropped)
            rows = np.concatenate(
                [np.repeat(np.arange(len(n)), n) for n in (counts, chosen.counts)]
            )
            is_later = np.arange(len(values)) >= len(first)
            order = np.lexsort((is_later, keys, rows))
            fresh = begins_run(keys[order], rows[order]) & is_later[order]
            sizes = np.bincount(rows[order[fresh]], minlength=len(counts)).astype(np.int64)
            column = packed(values[order[fresh]], sizes)
            columns = [table.column(name).combine_chunks() for name in ("number", "reviewed")]
            yield pa.record_batch([*columns, column], names=["number", "reviewed", "fingerprints"])


def count_holders(dropped: np.uint64, avoided: Broadcast[UInt64Array], batches: Batches) -> Batches:
    """Rows with number and fingerprints to how many hold common text, and the first of them.

    Args:
        dropped: How many low bits of a hash are not compared.
        avoided: The keys of common grams.
        batches: Of a partition.
    """
    for batch in batches:
        numbers = int64s(batch.column("number"))
        numbers = numbers[hold_any(batch, dropped, avoided.value)]
        if len(numbers):
            counted = {"size": [len(numbers)], "document": [int(numbers.min())]}
            yield pa.RecordBatch.from_pydict(counted)


def hold_any(batch: pa.RecordBatch, dropped: np.uint64, known: UInt64Array) -> BoolArray:
    """Which documents of a batch have a fingerprint with any of these ascending keys."""
    values, counts = unpacked(batch.column("fingerprints"), "<u8")
    rows = np.repeat(np.arange(len(counts)), counts)
    held = members(known, keys_of(values, dropped))
    return np.bincount(rows[held], minlength=batch.num_rows) > 0


COMMON_AT_MOST = 1 << 25  # keys; every Python process of the cluster holds them: 256 MB


class SharedPassages(NamedTuple):
    """The passages that documents of a run share.

    Attributes:
        pairs: CANDIDATES, of documents that share a fingerprint which is not common.
        common: size LONG, document LONG: how many documents hold common text, and the first; None
            where there is none.
        avoided: uint64, ascending: the keys of all grams that are common.
        more: `CHOSEN` by documents with common text; None where there is none.
    """

    pairs: DataFrame
    common: DataFrame | None
    avoided: UInt64Array
    more: DataFrame | None


def dropped_bits(documents: int) -> np.uint64:
    """How many low bits of a hash are not compared: as many as on one machine.

    Of more documents than one machine pairs with the same bits, all are compared.
    """
    return np.uint64(FEWEST_BITS if documents <= 1 << FEWEST_BITS else 0)


def shared_passages(
    stages: Stages, distinct: DataFrame, documents: DataFrame, settings: ScanSettings
) -> SharedPassages:
    """The pairs of documents that share a passage.

    Args:
        stages: Where the tables of the work are kept.
        distinct: SIGNED, of documents with words, of equal ones of the first.
        documents: DOCUMENTS, all of them.
        settings: Of the scan.

    Raises:
        ClusterError: More grams are common than the processes of a cluster can hold.
    """
    count, fingerprints = documents.selectExpr(
        "count(*)", "coalesce(sum(length(fingerprints)), 0) div 8"
    ).collect()[0]
    dropped, ranges = dropped_bits(count), ranges_for(fingerprints)

    def known(keys: UInt64Array) -> Broadcast[UInt64Array]:
        if len(keys) > COMMON_AT_MOST:
            raise ClusterError(
                "More than {most} different runs of words stand in over 100 "
                "documents each: too many to look beside all of them. Set aside what is "
                "common, or scan parts of the documents.",
                most=whole_number(COMMON_AT_MOST),
            )
        return stages.session.sparkContext.broadcast(keys)

    def pair(name: str, chosen: DataFrame, avoided: UInt64Array) -> tuple[DataFrame, UInt64Array]:
        work = partial(held_keys, dropped, ranges, known(avoided))
        held = mapped(chosen, work, HELD)
        rows = stages.table(
            name, lambda: mapped(side_by_side(held, ["range"]), paired_runs, PAIRED)
        )
        pairs = rows.where("common IS NULL").select("x", "y").distinct()
        return pairs, _keys_in(rows.where("common IS NOT NULL").select("common"), avoided)

    chosen = distinct.select("number", "reviewed", "fingerprints")
    pairs, avoided = pair("_paired", chosen, np.empty(0, dtype=np.uint64))
    if not len(avoided):
        return SharedPassages(pairs, None, avoided, None)
    texts = documents.select("number", "text", "aside", "characters", "fingerprints")
    beside = texts.join(distinct.select("number", "reviewed"), "number")
    beside_common = CountBeside(settings, dropped, known(avoided))
    most = pairs_of_all(DOCUMENT_LIMIT)
    counted = stages.table(
        "_common_beside",
        lambda: (
            mapped(beside, beside_common, COUNTED)
            .groupBy("key")
            .agg({"documents": "sum", "reviewed": "sum"})
            .toDF("key", "documents", "reviewed")
            .where(f"reviewed * (2 * documents - reviewed - 1) / 2 > {most}")
            .select("key")
        ),
    )
    avoided = _keys_in(counted, avoided)
    choose = Choose(settings, dropped, known(avoided))
    more = stages.table("_rewinnowed", lambda: mapped(beside, choose, CHOSEN))
    pairs, avoided = pair("_paired_beside", chosen.unionByName(more), avoided)
    holders = partial(count_holders, dropped, known(avoided))
    frame = mapped(chosen.drop("reviewed"), holders, "size LONG, document LONG")
    common = frame.selectExpr("sum(size) AS size", "min(document) AS document")
    return SharedPassages(pairs, common, avoided, more)


def _keys_in(table: DataFrame, before: UInt64Array) -> UInt64Array:
    """The keys in a table of one column and the known ones, ascending."""
    return different([before, int64s(table.distinct().toArrow().column(0)).view(np.uint64)])
