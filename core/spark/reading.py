"""All sources of a run as one table of documents, in one order, whatever they are.

The rows of tables in the order of their ids, by code points: each with its number from 0 on.

Ids are sorted in ranges, one for each partition; written down, the partitions are counted, and a
row's number is its place in its partition after all rows of those before it.

A sample of the sources of a run, read before any of the rest is.

A file or row is in it where a hash of its name is below a bound: with a probability that is known,
the same at every call.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa
import xxhash
from pyspark import TaskContext
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from core.base.wording import count, printable_name
from core.documents.discovery import find_documents
from core.documents.model import FolderRoles, Problem, Role, check_found
from core.documents.reading_settings import ReadingSettings
from core.errors import ClusterError
from core.scan.ingest import Found
from core.scan.submissions import as_submissions
from core.settings import ScanSettings
from core.spark.columns import Batches
from core.spark.file_system import Kind, Source, Stages, notes_on, sources_of
from core.spark.files import READ, FileToRead, find_remote, first_location, read_files, read_remote
from core.spark.manifest import RunOptions
from core.spark.partitions import mapped, union
from core.spark.set_aside import set_aside
from core.spark.tables import SignRows, rows_of

PLACED = "id STRING, part INT, place LONG, repeated BOOLEAN"
NAMED = 3  # ids in a sentence


def numbered(stages: Stages, ids: DataFrame) -> DataFrame:
    """Ids with their numbers: id STRING, place LONG.

    Args:
        stages: Of the run.
        ids: id STRING.

    Raises:
        ClusterError: A row has no id, or an id repeats; some are named.
    """
    placed = stages.table("_ids", lambda: _placed(ids))
    _refuse(placed)
    rows = placed.groupBy("part").count().orderBy("part").collect()
    before, starts = 0, []
    for row in rows:
        starts.append((row["part"], before))
        before += row["count"]
    firsts = stages.session.createDataFrame(starts, "part INT, first LONG")
    return placed.join(F.broadcast(firsts), "part").select(
        "id", (F.col("first") + F.col("place")).alias("place")
    )


def _placed(ids: DataFrame) -> DataFrame:
    ordered = ids.repartitionByRange("id").sortWithinPartitions("id")
    return mapped(ordered, _places, PLACED)


def _places(batches: Batches) -> Batches:
    """The places of the ids of a partition, which are in order; equal ones are in one partition."""
    context = TaskContext.get()
    part = context.partitionId() if context else 0
    done, last = 0, pa.scalar(None, pa.string())
    for batch in batches:
        ids, count = batch.column("id"), batch.num_rows
        if not count:
            continue
        before = pa.concat_arrays([pa.array([last.as_py()], ids.type), ids.slice(0, count - 1)])
        repeated = pa.compute.fill_null(pa.compute.equal(ids, before), False)
        columns = {
            "id": ids,
            "part": pa.array([part] * count, pa.int32()),
            "place": pa.array(range(done, done + count), pa.int64()),
            "repeated": repeated,
        }
        yield pa.record_batch(columns)
        done, last = done + count, ids[count - 1]


def _refuse(placed: DataFrame) -> None:
    """Raise where ids do not tell rows apart."""
    nameless = F.count_if(F.col("id").isNull())
    row = placed.agg(nameless.alias("nameless"), F.count_if("repeated").alias("repeated")).first()
    if row is None:
        return
    if row["nameless"]:
        rows = count(row["nameless"])
        raise ClusterError(
            "{rows} rows of the tables to read have no id. Give each its own.", rows=rows
        )
    if row["repeated"]:
        some = placed.where("repeated").select("id").distinct().orderBy("id").limit(NAMED).collect()
        names = ", ".join(f"“{printable_name(duplicate['id'])}”" for duplicate in some)
        rows = count(row["repeated"])
        raise ClusterError(
            "{rows} rows of the tables to read have an id that another row has: {names}. "
            "Give each row its own.",
            rows=rows,
            names=f"{names} …" if row["repeated"] > len(some) else names,
        )


LONGEST_TEXT = 200_000_000  # characters: with what is known of it, a row has 2 GB at most
BROADCAST_ROWS = 1 << 20  # ids and numbers that every executor may hold


class Sources(NamedTuple):
    """What was read.

    Attributes:
        documents: `columns.DOCUMENTS`.
        problems: `columns.PROBLEMS`.
        notes: Sentences on how the sources were taken.
    """

    documents: DataFrame
    problems: DataFrame
    notes: list[str]


def read(
    session: SparkSession,
    stages: Stages,
    sources: Sequence[str],
    settings: ScanSettings,
    options: RunOptions,
) -> Sources:
    """Read and sign the documents of all sources.

    Args:
        session: Where to work.
        stages: Of the run; what was read is kept there.
        sources: Paths or addresses.
        settings: How texts are signed.
        options: How they are read, and what they are for.

    Raises:
        ClusterError, FolderError: A source cannot be used; the sentence says which and why.
    """
    inputs = sources_of(session, sources, options.roles)
    limits = options.reading.limits
    limits = replace(limits, characters=min(limits.characters, LONGEST_TEXT))
    options = options._replace(reading=replace(options.reading, limits=limits))
    rows = stages.table("documents", lambda: _read(stages, inputs, settings, options))
    problems = rows.where("problem IS NOT NULL").select("id", "problem.*")
    documents = read_documents = rows.where("problem IS NULL").drop("problem")
    if options.rules or Role.TEMPLATE in options.roles:
        documents = stages.table(
            "counting_documents",
            lambda: set_aside(session, read_documents, options.rules, settings),
        )
    notes = list(notes_on(inputs, documents, options.reading))
    return Sources(documents, problems, notes)


def _read(
    stages: Stages, sources: Sequence[Source], settings: ScanSettings, options: RunOptions
) -> DataFrame:
    """All documents and problems, as `READ`: files first, then the rows of tables by their ids."""
    tables = [source for source in sources if source.kind is not Kind.FILES]
    of_files = [source for source in sources if source.kind is Kind.FILES]
    files = files_in(stages.session, of_files, options.reading, is_all=not tables)
    frames = list(frames_of(stages.session, of_files, files, settings, options.reading))
    if tables:
        frames.append(_rows(stages, tables, len(files.units), settings, options))
    elif not frames:
        frames.append(read_files(stages.session, [], [], settings, options.reading))
    return union(frames)


def frames_of(
    session: SparkSession,
    found: Sequence[Source],
    files: SourceFiles,
    settings: ScanSettings,
    reading: ReadingSettings,
) -> Iterator[DataFrame]:
    """What is read of files on local disks and of others, as `READ`; nothing of none."""
    far = files.far
    near = [unit for unit in files.units if first_location(unit.found) not in far]
    if near or files.problems:
        yield read_files(session, near, files.problems, settings, reading)
    if far:
        distant = [unit for unit in files.units if first_location(unit.found) in far]
        there = [source.place for source in found if source.local is None]
        yield read_remote(session, there, distant, far, settings, reading)


class SourceFiles(NamedTuple):
    """The files and submissions of sources in the order of one machine.

    Attributes:
        units: What there is to read.
        problems: What was met on the way.
        far: By location, the addresses of files that are not on local disks.
    """

    units: list[FileToRead]
    problems: list[Problem]
    far: dict[str, str]


def files_in(
    session: SparkSession, found: Sequence[Source], reading: ReadingSettings, *, is_all: bool
) -> SourceFiles:
    """The files in some sources.

    Raises:
        FolderError: They are all there is, and there is nothing for one of their roles.
    """
    near = [source for source in found if source.local is not None]
    folders = [source.local for source in near if source.local is not None]
    files, problems = find_documents(folders, named=[source.label for source in near])
    far = find_remote(session, [source for source in found if source.local is None], reading.limits)
    files = sorted([*files, *far.files], key=lambda file: file.name)
    paths = [source.local or Path(source.place) for source in found]
    roles = FolderRoles(paths, [source.role for source in found])
    if is_all:
        check_found(paths, roles, (file.location for file in files))
    units = [
        FileToRead(unit, place, _role_of(roles, unit))
        for place, unit in enumerate(as_submissions(files, paths, reading, None))
    ]
    return SourceFiles(units, [*problems, *far.problems], far.addresses)


def _role_of(roles: FolderRoles, unit: Found) -> Role:
    number = roles.folder_of(unit.location)
    return Role.REVIEW if number is None else roles.roles[number]


def _rows(
    stages: Stages,
    tables: Sequence[Source],
    first: int,
    settings: ScanSettings,
    options: RunOptions,
) -> DataFrame:
    """The documents of tables."""
    rows = _source_rows(stages.session, tables, options)
    places = numbered(stages, rows.where("damaged IS NULL").select("id"))
    joined = _spread(rows, stages.session).join(_broadcast(places), "id", "left")
    work = SignRows(tuple(tables), first, settings, options.reading.limits)
    return mapped(joined.select("id", "text", "damaged", "source", "place"), work, READ)


def _source_rows(session: SparkSession, tables: Sequence[Source], options: RunOptions) -> DataFrame:
    """The rows of tables with the number of their source; ids begin with its label."""
    frames = []
    for source, table in enumerate(tables):
        frame = rows_of(session, table, options.id_column, options.text_column)
        column = F.concat(F.lit(f"{table.label}/"), "id") if table.label else F.col("id")
        frames.append(frame.withColumn("id", column).withColumn("source", F.lit(source)))
    return union(frames)


def _spread(rows: DataFrame, session: SparkSession) -> DataFrame:
    """Rows for all cores, also where they are in one file that cannot be parted."""
    cores = session.sparkContext.defaultParallelism
    few = rows.rdd.getNumPartitions() < cores
    return rows.repartition(cores, "id") if few else rows


def _broadcast(places: DataFrame) -> DataFrame:
    """Numbers that go to each executor where they are few, so that no text is moved for them."""
    return F.broadcast(places) if places.count() <= BROADCAST_ROWS else places


SHARE = 1e-3  # of the documents
LEAST, MOST = 2000, 1 << 16  # documents
HASHES = 1 << 32


class SampledSources(NamedTuple):
    """Some documents of the sources.

    Attributes:
        documents: `columns.DOCUMENTS`; their numbers mean nothing.
        all: How many files and rows there are.
        rows: How many of these are rows of tables.
        share: With which probability each is in the sample; 1 where all are.
    """

    documents: DataFrame
    all: int
    rows: int
    share: float


def read_sample(
    session: SparkSession, sources: Sequence[str], settings: ScanSettings, options: RunOptions
) -> SampledSources:
    """Read and sign 0.1 % of the documents of some sources, and 2,000 at least.

    Raises:
        ClusterError, FolderError: A source cannot be used; the sentence says which and why.
    """
    inputs = sources_of(session, sources, options.roles)
    tables = [source for source in inputs if source.kind is not Kind.FILES]
    of_files = [source for source in inputs if source.kind is Kind.FILES]
    files = files_in(session, of_files, options.reading, is_all=not tables)
    rows = _source_rows(session, tables, options) if tables else None
    of_tables = rows.count() if rows is not None else 0
    count = len(files.units) + of_tables
    share = min(1.0, max(SHARE, LEAST / max(count, 1)), MOST / max(count, 1))
    chosen = files._replace(
        units=[unit for unit in files.units if _is_in(unit, share)], problems=[]
    )
    if not any(first_location(unit.found) in files.far for unit in chosen.units):
        chosen = chosen._replace(far={})
    frames = list(frames_of(session, of_files, chosen, settings, options.reading))
    if not (frames or tables):
        frames.append(read_files(session, [], [], settings, options.reading))
    if rows is not None:
        work = SignRows(tuple(tables), 0, settings, options.reading.limits)
        frames.append(mapped(_some(rows, share), work, READ))
    read = union(frames)
    return SampledSources(read.where("problem IS NULL").drop("problem"), count, of_tables, share)


def _is_in(file: FileToRead, share: float) -> bool:
    return (
        xxhash.xxh3_64_intdigest(file.found.name.encode("utf-8", "surrogatepass")) < share * 2**64
    )


def _some(rows: DataFrame, share: float) -> DataFrame:
    """Those of a sample, as `rows.NUMBERED`."""
    drawn = F.pmod(F.xxhash64("source", "id"), F.lit(HASHES)) < share * HASHES
    chosen = rows.where("damaged IS NULL").where(drawn)
    return chosen.withColumn("place", F.lit(0).cast("long")).select(
        "id", "text", "damaged", "source", "place"
    )
