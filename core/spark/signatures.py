"""Candidates of a scan by the signatures of its documents: bits, weighed by rarity, and bands.

By bits these are all pairs of documents whose fingerprints differ in at most d of them.

As on one machine (`core.candidates.hamming`): equal fingerprints are compared once. Up to
`EQUAL_LIMIT` documents with the same one give all their pairs; of more, everyone is paired with the
one that has the smallest digest, which alone meets those with another fingerprint.

All pairs of 64-bit fingerprints that differ in at most d bits, by permuted sorted tables.

The method is that of one machine (`core.candidates.hamming`; Manku, Jain, Das Sarma, WWW 2007). The
tables are cut into cells: fingerprints that agree in the blocks of a table are in one cell of it,
which a task sorts and compares. Many entries are shuffled in a row, 8 bytes for each fingerprint
and table.

Fingerprints weighted by rarity: counted over all documents, then signed.

The two passes are those of `core.signatures.methods`. Each task counts in cells of its own, and
blocks of these are added up one by one: whole numbers, in whatever order.

Signatures to candidate pairs: documents that agree in a band, shuffled by the hash of the band.

All 64 bits of the hash are the key. Among 10^10 documents some pairs have a key in common by
chance: `core.spark.evidence` drops them, which has the signatures of each pair.

A pair that meets in thirty bands is in thirty buckets. To find it once, each document of a bucket
is shuffled with those it is paired with in it.

A bucket with too many documents, form letters, say, pairs each of them with its first one only.
One machine splits such a bucket further by more rows of the signature; on a cluster that is left
out and reported.
"""

from __future__ import annotations

from functools import partial
from itertools import islice
from math import comb
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyspark import Broadcast
from pyspark.sql import DataFrame, Window
from pyspark.sql import functions as F

from core.base.arrays import (
    Int64Array,
    UInt32Array,
    UInt64Array,
    begins_run,
    indices_from,
    starts_of_runs,
)
from core.candidates import hamming
from core.candidates.bands import band_hashes
from core.candidates.lsh import are_overfull
from core.settings import ScanSettings
from core.signatures.methods import BITS, CELLS, DocumentFrequencies, rarity_of, sign
from core.spark.columns import (
    CANDIDATES,
    SIGNED,
    Batches,
    bools,
    int64s,
    packed,
    shingles_of,
    unpacked,
)
from core.spark.file_system import Stages
from core.spark.partitions import (
    HELD,
    REFERENCE,
    SPREAD,
    by_key,
    held_in_ranges,
    holders_of,
    mapped,
    numbers_of,
    ranges_for,
    rows_by_key,
    shared_keys,
    side_by_side,
    tables_of,
    union,
    values_by_key,
    whole_runs,
)

NEAR = "one LONG, other LONG"  # fingerprints, the smaller one as an unsigned number first
ENTRIES = "cell LONG, entries BINARY"  # the number of the table stands above that of the cell

SAMPLED = 1 << 17  # fingerprints by which the number of blocks is decided
NS_PER_ENTRY = 250.0  # to permute, to shuffle and to sort it; measured
NS_PER_COMPARISON = 0.4
ALONE = 1 << 16  # fingerprints that one task may compare with each other
CELL = 1 << 20  # entries of a cell, about
MOST_CELL_BITS = 16
ENTRIES_AT_ONCE = 1 << 17
ENTRIES_A_CELL = 64  # of those at once
PAIRS_AT_ONCE = 1 << 16


class TableCells(NamedTuple):
    """How fingerprints are searched.

    Attributes:
        distance: d, at least 1.
        blocks: m, at least d.
        bits: Of the number of a cell.
    """

    distance: int
    blocks: int
    bits: int


def cells_for(sampled: UInt64Array, count: int, distance: int) -> TableCells:
    """The number of blocks that costs least, and of cells that tasks can hold.

    Args:
        sampled: A random sample of different fingerprints.
        count: How many fingerprints there are.
        distance: d, at least 1.
    """
    pairs = (count / max(len(sampled), 1)) ** 2  # of all pairs for each of the sample
    best, cheapest = distance, np.inf
    if count <= ALONE:
        cheapest = NS_PER_ENTRY * count + NS_PER_COMPARISON * count * (count - 1) / 2
    for blocks in range(distance + 1, BITS + 1):
        tables = comb(blocks, distance) * NS_PER_ENTRY * count
        if tables >= cheapest:
            break
        plan = hamming.make_plan(sampled, distance, blocks)
        cost = tables + NS_PER_COMPARISON * plan.comparisons * pairs
        if cost < cheapest:
            best, cheapest = blocks, cost
    return TableCells(distance, best, min(MOST_CELL_BITS, (count // CELL).bit_length()))


def sample(fingerprints: DataFrame, count: int) -> UInt64Array:
    """About 131,072 of so many different fingerprints: those whose hash says so."""
    if count > SAMPLED:
        drawn = F.pmod(F.xxhash64("fingerprint"), F.lit(count // SAMPLED)) == 0
        fingerprints = fingerprints.where(drawn)
    return int64s(fingerprints.select("fingerprint").toArrow().column(0)).view(np.uint64)


def near_fingerprints(fingerprints: DataFrame, cells: TableCells) -> DataFrame:
    """The pairs of fingerprints that differ in few bits, each once: `NEAR`.

    Args:
        fingerprints: fingerprint LONG, all different.
        cells: How they are searched.
    """
    entries = mapped(fingerprints.select("fingerprint"), partial(cut_by_tables, cells), ENTRIES)
    return mapped(side_by_side(entries, ["cell"]), partial(compare_cells, cells), NEAR)


def cut_by_tables(cells: TableCells, batches: Batches) -> Batches:
    """Fingerprints to `ENTRIES`, for every table."""
    distance, blocks, bits = cells
    at_once = max(ENTRIES_AT_ONCE, ENTRIES_A_CELL << bits)
    for part in tables_of(batches, "fingerprint", 8 * at_once):
        values = int64s(part.column("fingerprint")).view(np.uint64)
        for number, table in enumerate(hamming.make_tables(blocks, distance)):
            entries = hamming.permute(values, table.moves)
            cell = np.zeros(len(entries), dtype=np.uint64)
            if bits:
                key = (entries & table.key) >> np.uint64(BITS - max(1, int(table.key).bit_count()))
                cell = key * SPREAD >> np.uint64(BITS - bits)
            rows = by_key("cell", cell, 1 << bits, {"entries": entries})
            of_table = pc.add(rows.column("cell"), pa.scalar(number << MOST_CELL_BITS))
            yield rows.set_column(0, "cell", of_table)


def compare_cells(cells: TableCells, batches: Batches) -> Batches:
    """Entries, cell by cell, to the pairs that meet first in a cell."""
    buffer = np.empty((2, PAIRS_AT_ONCE), dtype=np.uint64)
    distance = cells.distance
    for cell, (entries,) in values_by_key(batches, "cell", ["entries"]):
        tables = hamming.make_tables(cells.blocks, distance)
        table = next(islice(tables, cell >> MOST_CELL_BITS, None))
        for both in hamming.near_entries(np.sort(entries), table, distance, buffer):
            both.sort(axis=0)
            x, y = both.view(np.int64)
            yield pa.record_batch({"one": pa.array(x), "other": pa.array(y)})


FINGERPRINTS = "number LONG, reviewed BOOLEAN, digest BINARY, fingerprint LONG"


class SignatureCandidates(NamedTuple):
    """The result of a search by bits or bands.

    Attributes:
        pairs: `columns.CANDIDATES`.
        large_buckets: size LONG, document LONG: how many documents have the same fingerprint, or
            are in one bucket, where they are too many, and the one that leads them.
    """

    pairs: DataFrame
    large_buckets: DataFrame


def bit_candidates(
    stages: Stages, distinct: DataFrame, settings: ScanSettings
) -> SignatureCandidates:
    """The pairs within `max_distance` bits, at least one of each to review.

    Args:
        stages: Keep the fingerprints of the run, and the pairs of them.
        distinct: `columns.SIGNED`, with complete signatures.
        settings: Of a scan by bits.
    """
    rows = stages.table("_fingerprints", lambda: _with_leaders(distinct))
    is_leader = F.col("number") == F.col("leader")
    # Of a large bucket only its leader meets other documents.
    meeting = rows.where(is_leader | (F.col("members") <= hamming.EQUAL_LIMIT))
    meeting = meeting.select("fingerprint", "number", "reviewed", "members")
    alike = meeting.where(F.col("members").between(2, hamming.EQUAL_LIMIT))
    pairs = _pairs(alike, alike.withColumnRenamed("fingerprint", "other"), "fingerprint = other")
    led = rows.where(~is_leader & (F.col("members") > hamming.EQUAL_LIMIT))
    with_leader = led.where("reviewed OR leader_reviewed").selectExpr("number AS x", "leader AS y")
    candidates = [pairs.where("x < y"), with_leader]
    if settings.max_distance:
        near = stages.table("_near", lambda: _near(rows.where(is_leader), settings.max_distance))
        ones = near.join(meeting.withColumnRenamed("fingerprint", "one"), "one")
        candidates.append(_pairs(ones, meeting, "other = fingerprint"))
    large_buckets = rows.where(is_leader & (F.col("members") > hamming.EQUAL_LIMIT))
    return SignatureCandidates(
        union(candidates).select(F.least("x", "y").alias("x"), F.greatest("x", "y").alias("y")),
        large_buckets.selectExpr("members AS size", "leader AS document"),
    )


def fingerprint_of(batches: Batches) -> Batches:
    """Rows with a signature of two halves to those with a fingerprint: `FINGERPRINTS`."""
    for batch in batches:
        values, _ = unpacked(batch.column("signature"), "<u8")
        kept = {name: batch.column(name) for name in ("number", "reviewed", "digest")}
        yield pa.record_batch({**kept, "fingerprint": pa.array(values.view(np.int64))})


def _with_leaders(distinct: DataFrame) -> DataFrame:
    """Each document with its fingerprint, who leads those that have the same, and their number."""
    signed = distinct.select("number", "reviewed", "digest", "signature")
    same = Window.partitionBy("fingerprint")
    first = F.min(F.struct("digest", "number")).over(same)
    rows = mapped(signed, fingerprint_of, FINGERPRINTS).withColumn("first", first)
    rows = rows.withColumn("members", F.count(F.lit(1)).over(same))
    leads = F.col("first.number").alias("leader")
    led_by = F.max(F.when(F.col("number") == F.col("first.number"), F.col("reviewed"))).over(same)
    return rows.select(
        "fingerprint", "number", "reviewed", leads, "members", led_by.alias("leader_reviewed")
    )


def _near(leaders: DataFrame, distance: int) -> DataFrame:
    fingerprints = leaders.select("fingerprint")
    count = fingerprints.count()
    return near_fingerprints(fingerprints, cells_for(sample(fingerprints, count), count, distance))


def _pairs(lefts: DataFrame, rights: DataFrame, condition: str) -> DataFrame:
    """Both documents of pairs of fingerprints, where at least one is to review."""
    left = lefts.withColumnsRenamed({"number": "x", "reviewed": "x_reviewed"}).drop("members")
    right = rights.withColumnsRenamed({"number": "y", "reviewed": "y_reviewed"}).drop("members")
    return left.join(right, F.expr(condition)).where("x_reviewed OR y_reviewed").select("x", "y")


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
        stages: Keep the counts.
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
    return mapped(rows, partial(sign_by_rarity, settings, known), SIGNED)


def counts_of(batches: Batches, settings: ScanSettings) -> Batches:
    """Texts to `COUNTS`: in how many of them the shingles of each cell stand."""
    frequencies = DocumentFrequencies()
    for batch in batches:
        for _, shingles in shingles_of(batch, settings):
            frequencies.add(shingles)
    blocks = frequencies.rarity().cells.reshape(-1, CELLS_A_BLOCK)
    for block in np.flatnonzero(blocks.any(axis=1)).tolist():
        yield _row(block, blocks[block])
    yield _row(NUMBER_OF_DOCUMENTS, np.array([frequencies.documents]))


def sums_of(batches: Batches) -> Batches:
    """A sorted partition of `COUNTS` to the sums of each block; holds one block at a time."""
    for block, rows in rows_by_key(batches, "block"):
        total = np.zeros(1, dtype=np.uint64)
        for row in rows:
            total = total + _counts_in(row)[1]
        yield _row(block, total)


def _counts_in(row: pa.RecordBatch) -> tuple[int, UInt64Array]:
    """The block of a row of `COUNTS`, and its counts."""
    block = int(row.column("block")[0].as_py())
    data, sizes = unpacked(row.column("counts"), "<u1")
    cells = 1 if block == NUMBER_OF_DOCUMENTS else CELLS_A_BLOCK
    return block, data.view(f"<u{sizes[0] // cells}").astype(np.uint64)


def counted_in(counts: pa.Table) -> Counted:
    """The counts of `COUNTS`, which has each block once."""
    cells, documents = np.zeros(CELLS, dtype=np.uint32), 0
    for row in counts.to_batches(max_chunksize=1):
        block, numbers = _counts_in(row)
        if block == NUMBER_OF_DOCUMENTS:
            documents = int(numbers[0])
        else:
            cells[block * CELLS_A_BLOCK :][:CELLS_A_BLOCK] = np.minimum(numbers, MOST)
    return Counted(cells, documents)


def sign_by_rarity(
    settings: ScanSettings, counted: Broadcast[Counted], batches: Batches
) -> Batches:
    """Signs the rows of `with_rarity`: `columns.SIGNED`."""
    rarity = rarity_of(*counted.value)
    for batch in batches:
        signed = [
            sign(shingles, settings, rarity).reshape(-1)
            for _, shingles in shingles_of(batch, settings)
        ]
        widths = np.full(batch.num_rows, settings.signature_width)
        index = batch.schema.get_field_index("signature")
        column = packed(np.concatenate([np.empty(0, np.uint32), *signed]), widths)
        yield batch.set_column(index, "signature", column).drop_columns(list(TEXTS))


def _row(block: int, counts: UInt32Array | UInt64Array) -> pa.RecordBatch:
    narrow = counts.astype(np.min_scalar_type(counts.max()))
    column = packed(narrow, np.array([len(narrow)]))
    return pa.record_batch({"block": pa.array([block], pa.int32()), "counts": column})


# A bucket of two or more: LONGs side by side, those to review first. Of an overfull one, several
# rows that begin with its first document, the only one that counts as to review there; `crowd` is
# how many documents it has, 0 for others.
BUCKETS = "crowd LONG, reviewed INT, members BINARY"
# A document to review, and LONGs side by side: references, and others to review that follow it.
MEETINGS = "first LONG, others BINARY"

BANDS_AT_ONCE = 1 << 20
MEMBERS_A_ROW = 1 << 16
MEETINGS_AT_ONCE = 1 << 20
ROWS_OF_MEETINGS = 1 << 13  # each has up to a thousand followers, and of every band


def band_candidates(
    stages: Stages, distinct: DataFrame, settings: ScanSettings
) -> SignatureCandidates:
    """The pairs that agree in a band, each once.

    Args:
        stages: Keep the buckets.
        distinct: Different documents with words, `columns.SIGNED`, with complete signatures.
        settings: With signatures that are compared by bands.
    """
    buckets = stages.table("_buckets", partial(_shared_buckets, distinct, settings))
    meetings = mapped(buckets.select("reviewed", "members"), meetings_of, MEETINGS)
    pairs = mapped(side_by_side(meetings, ["first"]), pairs_of_meetings, CANDIDATES)
    led = mapped(buckets.where("crowd > 0"), leaders_of, "document LONG, crowd LONG")
    large_buckets = led.groupBy("document").agg(F.max("crowd").alias("size"))
    return SignatureCandidates(pairs, large_buckets.select("size", "document"))


def _shared_buckets(distinct: DataFrame, settings: ScanSettings) -> DataFrame:
    """The buckets of all bands: `BUCKETS`."""
    signed = distinct.select("number", "reviewed", "signature")
    ranges = ranges_for(distinct.count() * settings.bands)
    keyed = mapped(signed, partial(keys_of_bands, settings.bands, settings.rows, ranges), HELD)
    return mapped(side_by_side(keyed, ["range"]), buckets_of, BUCKETS)


def keys_of_bands(bands: int, rows: int, ranges: int, batches: Batches) -> Batches:
    """Documents to the hashes of their bands, `HELD`."""
    for table in tables_of(batches, "signature", 4 * rows * BANDS_AT_ONCE):
        signatures, widths = unpacked(table.column("signature"), "<u4")
        if not len(widths):
            continue
        keys = all_bands(signatures.reshape(-1, widths[0]), bands, rows)
        holders = holders_of(int64s(table.column("number")), bools(table.column("reviewed")))
        yield held_in_ranges(keys, np.repeat(holders, bands), ranges)


def all_bands(signatures: UInt32Array, bands: int, rows: int) -> UInt64Array:
    """The hashes of all bands of one signature after the other."""
    hashes = [band_hashes(signatures, band, rows) for band in range(bands)]
    return np.stack(hashes, axis=1).reshape(-1)


def buckets_of(batches: Batches) -> Batches:
    """A partition of `HELD`, with those of a range side by side, to `BUCKETS`."""
    for keys, holders in shared_keys(batches):
        starts = starts_of_runs(keys)
        sizes = np.diff(np.append(starts, len(keys)))
        reviewed = np.add.reduceat(holders < REFERENCE, starts, dtype=np.int64)
        numbers = numbers_of(holders)
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


def leaders_of(batches: Batches) -> Batches:
    """Overfull buckets to the document that each is led by, and how many documents it has."""
    for batch in batches:
        members, sizes = unpacked(batch.column("members"), "<i8")
        first = members[np.cumsum(sizes) - sizes]
        yield pa.record_batch({"document": first, "crowd": batch.column("crowd")})


def meetings_of(batches: Batches) -> Batches:
    """Buckets to `MEETINGS`: each document to review with those after it in its bucket."""
    for batch in batches:
        reviewed = int64s(batch.column("reviewed"))
        members, sizes = unpacked(batch.column("members"), "<i8")
        inside = indices_from(0, sizes)
        to_review = inside < np.repeat(reviewed, sizes)
        followers = (np.repeat(sizes, sizes) - inside - 1)[to_review]
        firsts = np.flatnonzero(to_review)[followers > 0]  # the last of a bucket has none
        followers = followers[followers > 0]
        ends = np.cumsum(followers)
        start = 0
        while start < len(firsts):  # a thousand full buckets are not expanded at once
            done = ends[start - 1] if start else 0
            end = max(start + 1, int(np.searchsorted(ends, done + MEETINGS_AT_ONCE, "right")))
            parts_first, counts = firsts[start:end], followers[start:end]
            positions = indices_from(parts_first + 1, counts)
            yield pa.record_batch(
                {"first": members[parts_first], "others": packed(members[positions], counts)}
            )
            start = end


def pairs_of_meetings(batches: Batches) -> Batches:
    """A sorted partition of `MEETINGS` to pairs, each once: `columns.CANDIDATES`."""
    for table in whole_runs(batches, ["first"], ROWS_OF_MEETINGS):
        followers, counts = unpacked(table.column("others"), "<i8")
        first = np.repeat(int64s(table.column("first")), counts)
        order = np.lexsort((followers, first))
        first, followers = first[order], followers[order]
        fresh = begins_run(first, followers)
        first, followers = first[fresh], followers[fresh]
        yield pa.record_batch(
            {"x": np.minimum(first, followers), "y": np.maximum(first, followers)}
        )
