"""Pairs of documents that share a passage, as `core.candidates.shared_fingerprints` finds them.

What is common in the windows around common grams, found where their documents meet.

Windows whose fingerprint is common choose again, again and again until no choice is common: as many
rounds as a window has grams. Some hundred of the documents that hold a gram show most of what the
others choose instead. So the windows around each gram of some documents are sent to one place,
where all rounds are made at once. What is common there is common among all documents (see
`core.spark.passages`); what is not seen there is found by the next round over all.

Fingerprints for what stands beside common text, chosen by the documents of a partition.

Which grams are common in the end is the smallest set that is complete (see
`core.candidates.shared_fingerprints`), so that any part of it may be found first: what is common
among some documents is common among all.

Fingerprints on a cluster: each beside the documents that hold it, and the pairs of these.

    fingerprints of documents ─▶ a row for each ─▶ shuffled, equal ones side by side ─▶ pairs, or
                                                                                       common

A fingerprint that stands in every document would be as many rows in one partition. So what is
common among the documents of one task already is said once by it, and no more rows are made of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from core.base.arrays import BoolArray, Int64Array, UInt64Array
from core.base.tasks import batches as parts_of
from core.candidates.references import pairs_of_all
from core.candidates.shared_fingerprints import (
    FEWEST_BITS,
    ChosenGrams,
    common_among,
    keys_of,
    pair_keys,
)
from core.candidates.sorted_keys import DOCUMENT_LIMIT, distinct, members
from core.candidates.sorted_keys import distinct as different
from core.errors import ClusterError
from core.evidence.pairs import split_codes
from core.settings import ScanSettings
from core.signatures.winnowing import Grams, blank, choose, find_grams
from core.spark.columns import bools, digests_of, int64s, packed, texts_of, unpacked
from core.spark.file_system import Stages
from core.spark.partitions import first_of_runs, mapped, side_by_side, starts_of_runs
from core.text.shingling import Fingerprints

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

# One row for each key and document that holds it; `kind` says who that is, or that the key is
# common whoever holds it.
HELD = "key LONG, number LONG, kind TINYINT"
COLUMNS = ("key", "number", "kind")
COMMON, REVIEWED, REFERENCE = 0, 1, 2

# Pairs x < y, perhaps several times, or a key that is common.
PAIRED = "x LONG, y LONG, common LONG"

FINGERPRINTS_AT_ONCE = 1 << 20
ROWS_AT_ONCE = 1 << 18  # up to 13 million pairs
RANK_BITS = np.uint64(32)

# So many holders, those to review first, tell as much as all: with one to review they are common.
ENOUGH_HOLDERS = pairs_of_all(DOCUMENT_LIMIT) + 2


class KnownKeys(Protocol):
    """Where ascending keys lie that all tasks know: a broadcast of Spark."""

    @property
    def value(self) -> UInt64Array:
        """The keys."""


@dataclass(frozen=True)
class Spread:
    """Rows with number, reviewed and fingerprints to the rows `HELD`.

    Attributes:
        dropped: How many low bits of a hash are not compared.
        avoided: Keys that are known to be common: no rows are made of them.
    """

    dropped: np.uint64
    avoided: KnownKeys

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Of a partition, in which each document is once."""
        known = np.empty(0, dtype=np.uint64)
        for table in tables_of(batches, "fingerprints", 8 * FINGERPRINTS_AT_ONCE):
            values, counts = unpacked(table.column("fingerprints"), "<u8")
            rows = np.repeat(np.arange(len(counts)), counts)
            keys = keys_of(values, self.dropped)
            left = ~(members(self.avoided.value, keys) | members(known, keys))
            keys, rows = holders(keys[left], rows[left])
            reviewed = bools(table.column("reviewed"))
            common = common_among(keys, rows, reviewed)
            known = distinct([known, common])
            left = ~members(common, keys)
            keys, rows = keys[left], rows[left]
            kinds = np.where(reviewed[rows], REVIEWED, REFERENCE)
            yield _held(common, np.zeros(len(common), np.int64), np.full(len(common), COMMON))
            yield _held(keys, int64s(table.column("number"))[rows], kinds)


def holders(keys: UInt64Array, rows: Int64Array) -> tuple[UInt64Array, Int64Array]:
    """The different pairs of a key and the row that holds it, by key, then by row.

    Args:
        keys: uint64.
        rows: int64, ascending.
    """
    order = np.argsort(keys, kind="stable")
    keys, rows = keys[order], rows[order]
    fresh = np.ones(len(keys), dtype=np.bool_)
    fresh[1:] = (keys[1:] != keys[:-1]) | (rows[1:] != rows[:-1])
    return keys[fresh], rows[fresh]


def _held(keys: UInt64Array, numbers: Int64Array, kinds: Int64Array) -> pa.RecordBatch:
    columns = [pa.array(keys.view(np.int64)), pa.array(numbers), pa.array(kinds.astype(np.int8))]
    return pa.RecordBatch.from_arrays(columns, list(COLUMNS))


def tables_of(batches: Iterable[pa.RecordBatch], column: str, at_least: int) -> Iterator[pa.Table]:
    """Batches joined until one column of theirs takes so many bytes."""
    waiting: list[pa.RecordBatch] = []
    size = 0
    for batch in batches:
        waiting.append(batch)
        size += batch.column(column).nbytes
        if size >= at_least:
            yield pa.Table.from_batches(waiting)
            waiting, size = [], 0
    if waiting:
        yield pa.Table.from_batches(waiting)


def paired(held: DataFrame) -> DataFrame:
    """Rows `HELD` to the rows `PAIRED`."""
    return mapped(side_by_side(held, ["key"], ["kind"]), paired_runs, PAIRED)


def common_of(held: DataFrame) -> DataFrame:
    """The keys of rows `HELD` that are common: key LONG."""
    from pyspark.sql import functions as F

    reviewed, known = F.col("kind") == REVIEWED, F.col("kind") == COMMON
    counted = held.groupBy("key").agg(
        F.count("*").alias("documents"),
        F.sum(reviewed.cast("long")).alias("reviewed"),
        F.max(known).alias("known"),
    )
    pairs = "reviewed * (2 * documents - reviewed - 1) / 2"
    return counted.where(f"known or {pairs} > {pairs_of_all(DOCUMENT_LIMIT)}").select("key")


def paired_runs(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """The same of a partition, sorted by key and kind; what it takes does not grow with a run."""
    for table in first_of_runs(batches, "key", ENOUGH_HOLDERS, ROWS_AT_ONCE):
        keys, numbers, kinds = (int64s(table.column(name)) for name in COLUMNS)
        starts = starts_of_runs(keys)
        known = kinds[starts] == COMMON
        left = ~np.repeat(known, np.diff(np.append(starts, len(keys))))
        pairs, common = _pairs_of(keys[left], numbers[left], kinds[left] == REVIEWED)
        yield _paired(*pairs, np.concatenate([common, keys[starts[known]]]))


def _pairs_of(
    runs: Int64Array, numbers: Int64Array, reviewed: BoolArray
) -> tuple[tuple[Int64Array, Int64Array], Int64Array]:
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
    shared = pair_keys([keys], RANK_BITS, to_review)
    x, y = split_codes(shared.codes)
    common = runs[starts[shared.common.keys.astype(np.int64)]]
    return (different[x], different[y]), common


def _paired(x: Int64Array, y: Int64Array, common: Int64Array) -> pa.RecordBatch:
    pairs, keys = pa.nulls(len(x), pa.int64()), pa.nulls(len(common), pa.int64())
    columns = [pa.concat_arrays([pa.array(one), keys]) for one in (x, y)]
    columns.append(pa.concat_arrays([pairs, pa.array(common)]))
    return pa.RecordBatch.from_arrays(columns, ["x", "y", "common"])


# What documents choose instead of common grams, and had not chosen before. Documents with the same
# words choose the same: there may be several rows of a digest.
CHOSEN = "digest BINARY, fingerprints BINARY"
READ = ("digest", "reviewed", "characters", "text", "aside", "fingerprints")

CHARACTERS_AT_ONCE = 1 << 24


@dataclass(frozen=True)
class Choose:
    """Rows with the columns READ to the rows CHOSEN, of those that hold common text.

    Attributes:
        settings: Decide over grams and windows.
        dropped: How many low bits of a hash are not compared.
        avoided: The keys of the grams that are not to be chosen.
    """

    settings: ScanSettings
    dropped: np.uint64
    avoided: KnownKeys

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Of a partition."""
        for table in documents_with(batches, self._hold_common):
            chosen = []
            for grams in grams_of(table, self.settings, self.dropped):
                near = distinct([grams.among(self.avoided.value)])
                chosen.append(grams.instead_of(near))
            more = self._unlike_first(table, Fingerprints.join(chosen))
            digests = table.column("digest").combine_chunks()
            yield pa.RecordBatch.from_pydict({"digest": digests, "fingerprints": packed(*more)})

    def _hold_common(self, batch: pa.RecordBatch) -> BoolArray:
        return _hold_some(batch, self.dropped, self.avoided.value)

    def _unlike_first(self, table: pa.Table, chosen: Fingerprints) -> Fingerprints:
        """The different ones among what was chosen, without what was chosen at first."""
        values, counts = unpacked(table.column("fingerprints"), "<u8")
        both = np.concatenate([values, chosen.values])
        keys = keys_of(both, self.dropped)
        rows = np.concatenate([np.repeat(np.arange(len(n)), n) for n in (counts, chosen.counts)])
        later = np.arange(len(both)) >= len(values)
        order = np.lexsort((later, keys, rows))
        keys, rows = keys[order], rows[order]
        fresh = np.ones(len(order), dtype=np.bool_)
        fresh[1:] = (keys[1:] != keys[:-1]) | (rows[1:] != rows[:-1])
        fresh &= later[order]
        kept = np.bincount(rows[fresh], minlength=len(counts)).astype(np.int64)
        return Fingerprints(both[order[fresh]], kept)


@dataclass(frozen=True)
class CountHolders:
    """Rows with number and fingerprints to how many hold common text, and the first of them.

    Attributes:
        dropped: How many low bits of a hash are not compared.
        avoided: The keys of common grams.
    """

    dropped: np.uint64
    avoided: KnownKeys

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Of a partition: a row for each batch with such documents."""
        for batch in batches:
            numbers = int64s(batch.column("number"))
            numbers = numbers[_hold_some(batch, self.dropped, self.avoided.value)]
            if len(numbers):
                counted = {"documents": [len(numbers)], "first": [int(numbers.min())]}
                yield pa.RecordBatch.from_pydict(counted)


def documents_with(
    batches: Iterable[pa.RecordBatch], wanted: Callable[[pa.RecordBatch], BoolArray]
) -> Iterator[pa.Table]:
    """Documents of which a function wants some, of those with the same words the first."""
    seen: set[bytes] = set()
    waiting: list[pa.RecordBatch] = []
    characters = 0
    for batch in batches:
        rows = wanted(batch)
        digests = batch.column("digest")
        for row in np.flatnonzero(rows).tolist():
            digest = digests[row].as_py()
            rows[row] = digest not in seen
            seen.add(digest)
        waiting.append(batch.filter(pa.array(rows)))
        characters += pc.sum(waiting[-1].column("characters")).as_py() or 0
        if characters >= CHARACTERS_AT_ONCE:
            yield pa.Table.from_batches(waiting)
            waiting, characters = [], 0
    if characters:
        yield pa.Table.from_batches(waiting)


def grams_of(table: pa.Table, settings: ScanSettings, dropped: np.uint64) -> Iterator[ChosenGrams]:
    """The grams of some documents, of some after the others."""
    texts = texts_of(table)
    for part in parts_of(texts.lengths.tolist()):
        shingles = texts.shingles(np.arange(part.start, part.stop), settings)
        yield ChosenGrams(find_grams(shingles, settings), dropped)


def own_keys(
    batch: pa.RecordBatch | pa.Table, dropped: np.uint64
) -> tuple[UInt64Array, Int64Array]:
    """The keys of the fingerprints of some documents, and the row of each."""
    values, counts = unpacked(batch.column("fingerprints"), "<u8")
    keys: UInt64Array = keys_of(values, dropped)
    return keys, np.repeat(np.arange(len(counts)), counts)


def _hold_some(batch: pa.RecordBatch, dropped: np.uint64, known: UInt64Array) -> BoolArray:
    """Which documents of a batch have a fingerprint with one of these ascending keys."""
    keys, rows = own_keys(batch, dropped)
    return np.bincount(rows[members(known, keys)], minlength=batch.num_rows) > 0


# The windows around one gram of a document: the hashes of their grams, and for each where the
# window ends that begins with it. `other` orders references last.
AROUND = "key LONG, document LONG, other BOOLEAN, hashes BINARY, stops BINARY"

# Of the documents with a gram so many are looked at, in each task and in all: more than make it
# common where none are references.
ENOUGH = 256
WINDOWS_AT_ONCE = 1 << 16


def common_in_windows(documents: DataFrame, around: Around) -> DataFrame:
    """Keys that are common in windows around others: key LONG.

    Args:
        documents: With the columns `core.spark.passages.READ`.
        around: Which windows.
    """
    windows = side_by_side(mapped(documents, around, AROUND), ["key"], ["other"])
    work = CommonInWindows(around.dropped, around.avoided)
    return mapped(windows, work, "key LONG").distinct()


@dataclass(frozen=True)
class Around:
    """Documents to the rows `AROUND`.

    Attributes:
        settings: Decide over grams and windows.
        dropped: How many low bits of a hash are not compared.
        avoided: The keys of all grams that are known to be common.
        fresh: Those of them around which nobody has looked.
    """

    settings: ScanSettings
    dropped: np.uint64
    avoided: KnownKeys
    fresh: KnownKeys

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Of a partition."""
        seen_enough = np.empty(0, dtype=np.uint64)

        def wanted(batch: pa.RecordBatch) -> BoolArray:
            keys, rows = own_keys(batch, self.dropped)
            wanted = members(self.avoided.value, keys) & ~members(seen_enough, keys)
            return np.bincount(rows[wanted], minlength=batch.num_rows) > 0

        for table in documents_with(batches, wanted):
            keys, rows = own_keys(table, self.dropped)
            keys = np.sort(holders(keys, rows)[0])
            starts = starts_of_runs(keys.view(np.int64))
            sizes = np.diff(np.append(starts, len(keys)))
            seen_enough = distinct([seen_enough, keys[starts[sizes >= ENOUGH]]])
            first = 0
            for grams in grams_of(table, self.settings, self.dropped):
                part = table.slice(first, grams.texts)
                first += grams.texts
                yield self._windows(part, grams)

    def _windows(self, table: pa.Table, grams: ChosenGrams) -> pa.RecordBatch:
        keys, rows, stretches = grams.around(self.fresh.value)
        counts = np.diff(stretches.offsets)
        begins = np.repeat(stretches.offsets[:-1], counts)
        stops = stretches.ends_of_windows(np.arange(len(stretches.hashes))) - begins
        documents = digests_of(table.column("digest"))[:, 0].view(np.int64)
        windows = pa.RecordBatch.from_pydict(
            {
                "key": keys.view(np.int64),
                "document": documents[rows],
                "other": ~bools(table.column("reviewed"))[rows],
                "hashes": packed(stretches.hashes, counts),
                "stops": packed(stops.astype(np.uint32), counts),
            }
        )
        order = np.lexsort((~bools(table.column("reviewed"))[rows], keys))
        starts = starts_of_runs(keys[order].view(np.int64))
        sizes = np.diff(np.append(starts, len(order)))
        place = np.arange(len(order)) - np.repeat(starts, sizes)
        return windows.take(pa.array(order[place < ENOUGH]))


@dataclass(frozen=True)
class CommonInWindows:
    """Rows `AROUND`, sorted by key, to the keys of what is common among them.

    Attributes:
        dropped: How many low bits of a hash are not compared.
        avoided: The keys of all grams that are known to be common.
    """

    dropped: np.uint64
    avoided: KnownKeys

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Of a partition."""
        for table in first_of_runs(batches, "key", ENOUGH, WINDOWS_AT_ONCE):
            keys = self._common(table.sort_by("document"))
            yield pa.RecordBatch.from_arrays([pa.array(keys.view(np.int64))], ["key"])

    def _common(self, table: pa.Table) -> UInt64Array:
        """All rounds of choosing without what is common among the documents of these rows."""
        windows = _grams_of_rows(table)
        documents = int64s(table.column("document"))
        starts = starts_of_runs(documents)
        ranks = np.repeat(np.arange(len(starts)), np.diff(np.append(starts, len(documents))))
        reviewed = np.bincount(ranks[~bools(table.column("other"))], minlength=len(starts)) > 0
        keys: UInt64Array = keys_of(windows.hashes, self.dropped)
        fresh = distinct([keys[members(self.avoided.value, keys)]])
        found = [np.empty(0, dtype=np.uint64)]
        while len(fresh):
            blank(windows, fresh, self.dropped)
            chosen = choose(windows)
            rows = np.repeat(ranks, chosen.counts)
            fresh = common_among(*holders(keys_of(chosen.values, self.dropped), rows), reviewed)
            found.append(fresh)
        return distinct(found)


def _grams_of_rows(table: pa.Table) -> Grams:
    hashes, counts = unpacked(table.column("hashes"), "<u8")
    offsets: Int64Array = np.append(0, np.cumsum(counts))
    stops, _ = unpacked(table.column("stops"), "<u4")
    behind = np.repeat(offsets[1:] + 1, counts)
    ends = np.minimum(stops.astype(np.int64) + np.repeat(offsets[:-1], counts), behind)
    return Grams(hashes.copy(), offsets, 0, ends)


COMMON_AT_MOST = 1 << 25  # keys; every Python process of the cluster holds them: 256 MB


class CommonText(NamedTuple):
    """How many documents hold text that is too common to pair them, and the first; -1 for none."""

    documents: int
    first: int


class SharedPassages(NamedTuple):
    """What the documents of a run share.

    Attributes:
        pairs: CANDIDATES, of documents that share a fingerprint which is not common.
        common: Who holds common text.
        avoided: uint64, ascending: the keys of all grams that are common.
        more: number LONG, reviewed BOOLEAN, fingerprints BINARY: those chosen instead by documents
            with common text; None where there is none.
    """

    pairs: DataFrame
    common: CommonText
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
    search = _Search(stages, distinct, documents, settings)
    while (fresh := search.add(search.pair())) is not None:
        while fresh is not None:
            search.add(search.look_around(fresh))
            fresh = search.add(search.choose())
    return search.result()


class _Search:
    """Rounds of pairing and of choosing again, until nothing that was chosen is common."""

    def __init__(
        self, stages: Stages, distinct: DataFrame, documents: DataFrame, settings: ScanSettings
    ) -> None:
        self._stages = stages
        self._distinct = distinct.select("number", "digest", "reviewed", "fingerprints")
        self._documents = documents.where("units > 0").select(*READ)
        self._settings = settings
        self._dropped = dropped_bits(documents.count())
        self._avoided = self._known(np.empty(0, dtype=np.uint64))
        self._more: DataFrame | None = None
        self._paired = distinct
        self._round = 0

    def add(self, common: DataFrame) -> UInt64Array | None:
        """Choose some common keys no more; those of them that are new, or None."""
        keys = int64s(common.toArrow().column(0)).view(np.uint64)
        known = self._avoided.value
        fresh = different([keys[~members(known, keys)]])
        if not len(fresh):
            return None
        self._avoided = self._known(different([known, fresh]))
        return fresh

    def pair(self) -> DataFrame:
        """Pair the documents by what they have chosen so far; the keys that are common."""
        self._paired = self._stages.table(f"_passages_{self._round}", self._pair)
        return self._paired.where("common is not null").select("common").distinct()

    def look_around(self, fresh: UInt64Array) -> DataFrame:
        """What is common in windows with these common grams, as some documents tell."""
        self._round += 1
        around = Around(self._settings, self._dropped, self._avoided, self._known(fresh))
        return self._stages.table(
            f"_common_around_{self._round}", lambda: common_in_windows(self._documents, around)
        )

    def choose(self) -> DataFrame:
        """Let documents with common text choose again; the keys that are common now."""
        self._more = more = self._stages.table(f"_rewinnowed_{self._round}", self._choose)
        held = self._held(more)
        return self._stages.table(f"_common_{self._round}", lambda: common_of(held))

    def result(self) -> SharedPassages:
        """What was found, when nothing that was chosen is common."""
        pairs = self._paired.where("common is null").select("x", "y").distinct()
        return SharedPassages(pairs, self._holders(), self._avoided.value, self._more)

    def _pair(self) -> DataFrame:
        held = self._held(self._distinct)
        return paired(held if self._more is None else held.union(self._held(self._more)))

    def _choose(self) -> DataFrame:
        choose = Choose(self._settings, self._dropped, self._avoided)
        chosen = mapped(self._documents, choose, CHOSEN).dropDuplicates(["digest"])
        own = self._distinct.select("number", "digest", "reviewed")
        return own.join(chosen, "digest").drop("digest")

    def _held(self, chosen: DataFrame) -> DataFrame:
        columns = chosen.select("number", "reviewed", "fingerprints")
        return mapped(columns, Spread(self._dropped, self._avoided), HELD)

    def _holders(self) -> CommonText:
        if not len(self._avoided.value):
            return CommonText(0, -1)
        count = CountHolders(self._dropped, self._avoided)
        columns = self._distinct.select("number", "fingerprints")
        counted = mapped(columns, count, "documents LONG, first LONG")
        (row,) = counted.selectExpr("sum(documents)", "min(first)").collect()
        return CommonText(row[0], row[1])

    def _known(self, keys: UInt64Array) -> KnownKeys:
        """Keys that all tasks know."""
        if len(keys) > COMMON_AT_MOST:
            raise ClusterError(
                f"More than {COMMON_AT_MOST:,} different runs of words stand in over 100 documents "
                "each: too many to look beside all of them. Set aside what is common, or scan "
                "parts of the documents."
            )
        return self._stages.session.sparkContext.broadcast(keys)
