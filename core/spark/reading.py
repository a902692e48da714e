"""All sources of a run as one table of documents, in one order, whatever they are.

Tables are Parquet, JSON Lines and CSV with a row for each document. Their rows are in the order of
their ids, by code points: each with its number from 0 on.

Ids are sorted in ranges, one for each partition; written down, the partitions are counted, and a
row's number is its index in its partition plus the number of rows in the partitions before it.

A sample of the sources of a run, read before the rest.

A file or row is in it where a hash of its name is below a bound: with a known probability, and the
same at every call.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote

import pyarrow as pa
import xxhash
from py4j.protocol import Py4JError
from pyspark import TaskContext
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, DataFrameReader, SparkSession
from pyspark.sql import functions as F

from core.base.messages import N_
from core.base.tasks import ROOM, batches
from core.base.wording import count, excerpt, listed, printable_name
from core.documents import model
from core.documents.discovery import find_documents
from core.documents.extraction import check_text
from core.documents.reading_settings import ReadingLimits, ReadingSettings
from core.errors import ClusterError
from core.scan.ingest import FoundUnit, sign_documents
from core.scan.submissions import as_submissions
from core.settings import ScanSettings
from core.spark.columns import Batches
from core.spark.exclusions import set_aside
from core.spark.file_system import Kind, Source, Stages, notes_on, sources_of
from core.spark.files import (
    PARTS,
    READ,
    FileToRead,
    document_batch,
    find_remote,
    first_location,
    problem_batch,
    read_files,
    read_remote,
)
from core.spark.manifest import RunOptions
from core.spark.partitions import mapped, union

# `source` is the index of the table of a row; `place` is its index, null for a damaged row.
NUMBERED = "id STRING, text STRING, damaged STRING, source INT, place LONG"
KIND = "text"
DAMAGED_ROW = N_("This row does not have the form of its table, so it is not known what is in it.")
NULL = N_("This row has no text: it is null.")
BLANK = N_("There is no text in this row, only white space.")
MARK = "\ufeff"  # of UTF-8, at the start of a text that was a file


class _Row(NamedTuple):
    """A row with a text."""

    id: str
    number: int
    document: model.Document
    text: str


@dataclass(frozen=True)
class SignRows:
    """Work of an executor: rows as `NUMBERED` to `READ`.

    Attributes:
        tables: By source.
        first: The number of the first row among all documents.
        settings: How texts are signed.
        limits: The limits of a text.
    """

    tables: tuple[Source, ...]
    first: int
    settings: ScanSettings
    limits: ReadingLimits

    def __call__(self, parts: Batches) -> Batches:
        """The documents and problems of the rows of a partition."""
        for part in parts:
            yield from self._signed(part)

    def _signed(self, part: pa.RecordBatch) -> Batches:
        problems: list[model.Problem] = []
        rows: list[_Row] = []
        names = ("id", "text", "damaged")
        words = [_rows_strings(part.column(name)) for name in names]
        numbers = [part.column(name).to_pylist() for name in ("source", "place")]
        for word, text, damaged, source, index in zip(*words, *numbers, strict=True):
            made = self._row(word, text, damaged, self.tables[source], index)
            if isinstance(made, model.Problem):
                problems.append(made)
            else:
                rows.append(made)
        yield from problem_batch(problems)
        for part_rows in batches([len(row.text) for row in rows]):
            yield from self._batch(rows[part_rows])

    def _row(
        self, row_id: str | None, text: str | None, damaged: str | None, table: Source, index: int
    ) -> _Row | model.Problem:
        if damaged is not None or row_id is None:
            name = row_id if row_id is not None else f"{table.shown}: {excerpt(damaged or '')}"
            return model.Problem(printable_name(name), model.ProblemCode.DAMAGED, DAMAGED_ROW)
        name = printable_name(row_id)
        if text is None:
            return model.Problem(name, model.ProblemCode.EMPTY, NULL)
        text, encoding = _as_read(text)
        if not text or text.isspace():
            return model.Problem(name, model.ProblemCode.EMPTY, BLANK)
        try:
            check_text(text, self.limits)
        except model.UnreadableError as error:
            return model.Problem(name, error.code, error.detail, error.limit)
        number = self.first + index << PARTS
        return _Row(row_id, number, _document(row_id, name, text, encoding, table), text)

    def _batch(self, rows: Sequence[_Row]) -> Batches:
        number_of = {row.document.part: (row.id, row.number) for row in rows}
        documents, texts = [row.document for row in rows], [row.text for row in rows]
        with ROOM.claim() as claim:
            signed = sign_documents(documents, texts, self.settings, self.limits, claim, "row")
        yield from problem_batch(signed.problems)
        if signed.documents:
            ids, numbers = zip(
                *(number_of[document.part] for document in signed.documents), strict=True
            )
            yield document_batch(ids, numbers, *signed[:3], {})


def _rows_strings(column: pa.Array) -> list[str | None]:
    """Strings, which may have bytes that are no UTF-8: Spark looks at none."""
    try:
        strings: list[str | None] = column.to_pylist()
    except UnicodeDecodeError:
        raw = column.cast(pa.binary()).to_pylist()
        return [
            None if value is None else value.decode("utf-8", "surrogateescape") for value in raw
        ]
    return strings


def _as_read(text: str) -> tuple[str, str]:
    """A text as a reader of files has it, with LF and no byte order mark, and its encoding."""
    encoding = "utf-8"
    if not text.isascii():
        text = text.removeprefix(MARK)
        try:
            text.encode("utf-8")
        except UnicodeEncodeError:
            raw = text.encode("utf-8", "surrogateescape")
            text, encoding = raw.decode("utf-8", "replace"), "utf-8 (damaged)"
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text, encoding


def _document(row_id: str, name: str, text: str, encoding: str, table: Source) -> model.Document:
    data = text.encode("utf-8")
    return model.Document(
        location=str(Path(table.address)),
        name=name,
        size=len(data),
        modified_ns=0,
        file_hash=xxhash.xxh3_128_hexdigest(data),
        kind=KIND,
        encoding=encoding,
        characters=len(text),
        part=row_id,
        role=table.role,
    )


# `damaged` is the content of a row that cannot be read.
ROWS = "id STRING, text STRING, damaged STRING"
DAMAGED = "_neardup_damaged_row"
UNUSED = "_neardup_unused_"  # before the index of a column of CSV
FIRST_LINES = 200  # of JSON, from which the columns are taken
MOST_NAMED = 12  # columns in a sentence
# Whole numbers without a sign, as Parquet has them, are decimals to Spark where they are long.
IDS = ("string", "tinyint", "smallint", "int", "bigint", "decimal(20,0)")


def rows_of(session: SparkSession, table: Source, id_column: str, text_column: str) -> DataFrame:
    """The rows of a table, as `ROWS`.

    Raises:
        ClusterError: It lacks one of the columns, or they hold something else.
    """
    read = {Kind.PARQUET: _parquet, Kind.JSON: _json, Kind.CSV: _csv, Kind.TSV: _csv}
    frame = read[table.kind](session, table, (id_column, text_column))
    types = dict(frame.dtypes)
    if types[text_column] != "string":
        raise ClusterError(
            "The column “{name}” of {table} holds no texts.", name=text_column, table=table.shown
        )
    if types[id_column] not in IDS:
        raise ClusterError(
            "The column “{name}” of {table} holds neither names nor whole numbers.",
            name=id_column,
            table=table.shown,
        )
    damaged = F.col(DAMAGED) if DAMAGED in types else F.lit(None)
    return frame.select(
        F.col(_quoted(id_column)).cast("string").alias("id"),
        F.col(_quoted(text_column)).alias("text"),
        damaged.cast("string").alias("damaged"),
    )


def _parquet(session: SparkSession, table: Source, wanted: Sequence[str]) -> DataFrame:
    with _in_words(table):
        frame = _reader(session).parquet(table.address)
    _require(table, frame.columns, wanted)
    return frame


def _json(session: SparkSession, table: Source, wanted: Sequence[str]) -> DataFrame:
    """JSON Lines; the columns are taken from the first lines."""
    with _in_words(table):
        lines = [row.value for row in _reader(session).text(table.address).head(FIRST_LINES)]
    names: dict[str, None] = {}
    for line in lines:
        with suppress(ValueError, RecursionError):
            value = json.loads(line)
            names |= dict.fromkeys(value if isinstance(value, dict) else ())
    _require(table, list(names), wanted)
    reader = _reader(session).option("encoding", "UTF-8")
    return reader.schema(_strings(wanted)).json(
        table.address, mode="PERMISSIVE", columnNameOfCorruptRecord=DAMAGED
    )


def _csv(session: SparkSession, table: Source, wanted: Sequence[str]) -> DataFrame:
    """CSV as in RFC 4180: with a first line of names, and texts that may go over several lines."""
    reader = _reader(session).options(
        multiLine=True,
        quote='"',
        escape='"',
        encoding="UTF-8",
        sep="\t" if table.kind is Kind.TSV else ",",
        columnNameOfCorruptRecord=DAMAGED,
        mode="PERMISSIVE",
    )
    with _in_words(table):
        first = reader.csv(table.address, header=False).first()
    names = [name or "" for name in first or ()]
    _require(table, names, wanted)
    _require_once(table, names, wanted)
    if "" not in names and len({name.lower() for name in names}) == len(names):
        # Spark checks that all files begin with these names.
        return reader.schema(_strings(names)).csv(table.address, header=True, enforceSchema=False)
    # For Spark, columns without a name or with a repeated one get names that stand in no file.
    columns = [name if name in wanted else f"{UNUSED}{index}" for index, name in enumerate(names)]
    reader = reader.schema(_strings(columns))
    lines = reader.csv(table.address, header=False)
    with _in_words(table):
        _require_same_start(table, lines, dict(zip(columns, names, strict=True)))
    return reader.csv(table.address, header=True, enforceSchema=True)


def _require_once(table: Source, names: Sequence[str], wanted: Sequence[str]) -> None:
    """Raise where several columns have a wanted name."""
    for name in wanted:
        if names.count(name) > 1:
            raise ClusterError(
                "{table} has {number} columns “{name}”. Give all but one of them another name.",
                table=table.shown,
                number=names.count(name),
                name=printable_name(name),
            )


def _require_same_start(table: Source, lines: DataFrame, names: Mapping[str, str]) -> None:
    """Raise unless all files begin with the same line.

    Args:
        table: The table, for the sentence.
        lines: All lines of all files; those of a file follow one another, in one partition.
        names: What the first line of each has, by column.
    """
    if len(lines.inputFiles()) < 2:
        return
    same = F.col(DAMAGED).isNull()
    for column, name in names.items():
        same &= F.coalesce(_quoted(column), F.lit("")) == name
    path, order = F.col("_metadata.file_path"), F.monotonically_increasing_id()
    frame = lines.select(path.alias("path"), same.alias("same"), order.alias("place"))
    starts = frame.groupBy("path").agg(F.min_by("same", "place").alias("same"))
    deviating = starts.where("NOT same").orderBy("path").first()
    if deviating is not None:
        file = printable_name(unquote(deviating.path.rpartition("/")[2]))
        raise ClusterError(
            "The first lines of the files in {table} name different columns, as that of "
            "“{file}” does. Give all files the same columns in the same order.",
            table=table.shown,
            file=file,
        )


def _reader(session: SparkSession) -> DataFrameReader:
    """A reader of all files in a folder; paths are taken as written: a bracket is no pattern."""
    return session.read.options(__globPaths__=False, recursiveFileLookup=True)


def _strings(names: Sequence[str]) -> str:
    return ", ".join(f"{_quoted(name)} STRING" for name in (*dict.fromkeys(names), DAMAGED))


def _quoted(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"


def _require(table: Source, names: Sequence[str], wanted: Sequence[str]) -> None:
    """Raise unless the table has these columns."""
    options = ("--id-column", "--text-column")
    for name, option in zip(wanted, options, strict=True):
        if name in names:
            continue
        columns_shown = [f"“{printable_name(column)}”" for column in names[:MOST_NAMED]]
        more = len(names) - len(columns_shown)
        columns = (
            listed([*columns_shown, f"{more} more"] if more else columns_shown)
            if columns_shown
            else "none"
        )
        raise ClusterError(
            "{table} has no column “{name}”. Its columns: {columns}. Name another one with "
            "{option}.",
            table=table.shown,
            name=printable_name(name),
            columns=columns,
            option=option,
        )


@contextmanager
def _in_words(table: Source) -> Iterator[None]:
    """Turn errors of Spark on a table that cannot be read into a sentence."""
    try:
        yield
    except (PySparkException, Py4JError) as error:
        raise ClusterError(
            f"{table.shown} cannot be read as {table.kind}: {excerpt(_first_line(error), 300)}"
        ) from error


def _first_line(error: BaseException) -> str:
    """The first line of the message of an error."""
    java = getattr(error, "java_exception", None)
    message = str(java.getMessage()) if java is not None else str(error)
    return message.strip().split("\n")[0]


PLACED = "id STRING, part INT, place LONG, repeated BOOLEAN"
NAMED = 3  # ids in a sentence


def numbered(stages: Stages, ids: DataFrame) -> DataFrame:
    """Ids with their numbers: id STRING, place LONG.

    Args:
        stages: Of the run.
        ids: id STRING.

    Raises:
        ClusterError: A row has no id, or an id repeats; a few are named.
    """
    ordered = ids.repartitionByRange("id").sortWithinPartitions("id")
    placed = stages.table("_ids", lambda: mapped(ordered, _indices, PLACED))
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


def _indices(batches: Batches) -> Batches:
    """The indices of the ids of a partition, in order; equal ids are in one partition."""
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
    """Raise where ids are missing or repeated."""
    nameless = F.count_if(F.col("id").isNull())
    row = placed.agg(nameless.alias("nameless"), F.count_if("repeated").alias("repeated")).first()
    if row is None:
        return
    if row["nameless"]:
        rows = count(row["nameless"])
        raise ClusterError(
            "Rows without an id in the tables to read: {rows}. Give each its own.", rows=rows
        )
    if row["repeated"]:
        duplicates = (
            placed.where("repeated").select("id").distinct().orderBy("id").limit(NAMED).collect()
        )
        names = ", ".join(f"“{printable_name(duplicate['id'])}”" for duplicate in duplicates)
        rows = count(row["repeated"])
        raise ClusterError(
            "Rows of the tables to read with an id that another row has ({rows}): {names}. "
            "Give each row its own.",
            rows=rows,
            names=f"{names} …" if row["repeated"] > len(duplicates) else names,
        )


LONGEST_TEXT = 200_000_000  # characters: with its other columns, a row has 2 GB at most
BROADCAST_ROWS = 1 << 20  # ids and numbers that every executor may hold


class Sources(NamedTuple):
    """The documents that were read.

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
        stages: Of the run; they keep the documents.
        sources: Paths or addresses.
        settings: How texts are signed.
        options: How they are read, and their roles.

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
    if options.rules or model.Role.TEMPLATE in options.roles:
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
    session, tables = stages.session, _tables_among(sources)
    files = files_in(session, sources, options.reading)
    rows = _rows(stages, tables, len(files.units), settings, options) if tables else None
    return read_together(session, files, rows, settings, options.reading)


def _tables_among(sources: Sequence[Source]) -> list[Source]:
    return [source for source in sources if source.kind is not Kind.FILES]


class SourceFiles(NamedTuple):
    """The files and submissions of sources in the order of one machine.

    Attributes:
        units: The files and submissions to read.
        problems: Files and folders that cannot be read.
        far: By location, the addresses of files that are not on local disks.
        folders: The addresses of the sources that hold these.
    """

    units: list[FileToRead]
    problems: list[model.Problem]
    far: dict[str, str]
    folders: list[str]


def files_in(
    session: SparkSession, all_sources: Sequence[Source], reading: ReadingSettings
) -> SourceFiles:
    """The files in those sources that are no tables.

    Raises:
        FolderError: They are all sources, and a role has no files.
    """
    sources = [source for source in all_sources if source.kind is Kind.FILES]
    near = [(source.local, source.label) for source in sources if source.local is not None]
    remote = [source for source in sources if source.local is None]
    folders, labels = [folder for folder, _ in near], [label for _, label in near]
    files, problems = find_documents(folders, named=labels)
    far = find_remote(session, remote, reading.limits)
    files = sorted([*files, *far.files], key=lambda file: file.name)
    paths = [source.local or Path(source.address) for source in sources]
    roles = model.FolderRoles(paths, [source.role for source in sources])
    if len(sources) == len(all_sources):
        model.check_found(paths, roles, (file.location for file in files))
    units = [
        FileToRead(unit, index, _role_of(roles, unit))
        for index, unit in enumerate(as_submissions(files, paths, reading, None))
    ]
    addresses = [source.address for source in remote]
    return SourceFiles(units, [*problems, *far.problems], far.addresses, addresses)


def read_together(
    session: SparkSession,
    files: SourceFiles,
    rows: DataFrame | None,
    settings: ScanSettings,
    reading: ReadingSettings,
) -> DataFrame:
    """The documents in files on local disks and elsewhere, and those of rows, all as `READ`."""
    far = files.far
    near, distant = (
        [unit for unit in files.units if (first_location(unit.found_unit) in far) is is_far]
        for is_far in (False, True)
    )
    frames = [] if rows is None else [rows]
    if distant:
        frames.insert(0, read_remote(session, files.folders, distant, far, settings, reading))
    if near or files.problems or not frames:
        frames.insert(0, read_files(session, near, files.problems, settings, reading))
    return union(frames)


def _role_of(roles: model.FolderRoles, unit: FoundUnit) -> model.Role:
    number = roles.folder_of(unit.location)
    return model.Role.REVIEW if number is None else roles.roles[number]


def _rows(
    stages: Stages,
    tables: Sequence[Source],
    first: int,
    settings: ScanSettings,
    options: RunOptions,
) -> DataFrame:
    """The documents of tables."""
    rows = _source_rows(stages.session, tables, options)
    numbers = numbered(stages, rows.where("damaged IS NULL").select("id"))
    cores = stages.session.sparkContext.defaultParallelism
    if rows.rdd.getNumPartitions() < cores:  # also one file that cannot be parted
        rows = rows.repartition(cores, "id")
    if numbers.count() <= BROADCAST_ROWS:  # no text is moved for them
        numbers = F.broadcast(numbers)
    joined = rows.join(numbers, "id", "left")
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


SHARE = 1e-3  # of the documents
LEAST, MOST = 2000, 1 << 16  # documents
HASHES = 1 << 32


class SampledSources(NamedTuple):
    """A sample of the documents of the sources.

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
    """Read and sign 0.1 % of the documents of sources, and 2,000 at least.

    Raises:
        ClusterError, FolderError: A source cannot be used; the sentence says which and why.
    """
    inputs = sources_of(session, sources, options.roles)
    tables, files = _tables_among(inputs), files_in(session, inputs, options.reading)
    rows = _source_rows(session, tables, options) if tables else None
    of_tables = rows.count() if rows is not None else 0
    count = len(files.units) + of_tables
    share = sampled_share(count, LEAST)
    chosen = files._replace(
        units=[unit for unit in files.units if _is_in(unit, share)], problems=[]
    )
    sampled_rows = None
    if rows is not None:
        work = SignRows(tuple(tables), 0, settings, options.reading.limits)
        sampled_rows = mapped(_sampled(rows, share), work, READ)
    read = read_together(session, chosen, sampled_rows, settings, options.reading)
    return SampledSources(read.where("problem IS NULL").drop("problem"), count, of_tables, share)


def sampled_share(documents: int, least: int) -> float:
    """The share of so many documents that a sample of `least` or more takes, 1 for all."""
    return min(1.0, max(SHARE, least / max(documents, 1)), MOST / max(documents, 1))


def _is_in(file: FileToRead, share: float) -> bool:
    return (
        xxhash.xxh3_64_intdigest(file.found_unit.name.encode("utf-8", "surrogatepass"))
        < share * 2**64
    )


def _sampled(rows: DataFrame, share: float) -> DataFrame:
    """The rows of a sample, as `rows.NUMBERED`."""
    drawn = F.pmod(F.xxhash64("source", "id"), F.lit(HASHES)) < share * HASHES
    chosen = rows.where("damaged IS NULL").where(drawn)
    return chosen.withColumn("place", F.lit(0).cast("long")).select(
        "id", "text", "damaged", "source", "place"
    )
