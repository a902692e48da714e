"""Tables with a row for each document: Parquet, JSON Lines and CSV, as ids and texts."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote

import pyarrow as pa
import xxhash
from py4j.protocol import Py4JError
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, DataFrameReader, SparkSession
from pyspark.sql import functions as F

from core.base.messages import N_
from core.base.tasks import ROOM, batches
from core.base.wording import excerpt, listed, printable_name
from core.documents.extraction import check_text
from core.documents.model import Document, Problem, ProblemCode, UnreadableError
from core.documents.reading_settings import ReadingLimits
from core.errors import ClusterError
from core.scan.ingest import sign_documents
from core.settings import ScanSettings
from core.spark.columns import Batches
from core.spark.file_system import Kind, Source
from core.spark.files import PARTS, document_batch, problem_batch

# `source` is which of the tables a row is of; `place` is null where the row is damaged.
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
    document: Document
    text: str


@dataclass(frozen=True)
class SignRows:
    """Work of an executor: rows as `NUMBERED` to `READ`.

    Attributes:
        tables: By source.
        first: The place of the first row among all documents.
        settings: How texts are signed.
        limits: What a text may be.
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
        problems: list[Problem] = []
        rows: list[_Row] = []
        names = ("id", "text", "damaged")
        words = [_rows_strings(part.column(name)) for name in names]
        numbers = [part.column(name).to_pylist() for name in ("source", "place")]
        for word, text, damaged, source, place in zip(*words, *numbers, strict=True):
            made = self._row(word, text, damaged, self.tables[source], place)
            if isinstance(made, Problem):
                problems.append(made)
            else:
                rows.append(made)
        yield from problem_batch(problems)
        for some in batches([len(row.text) for row in rows]):
            yield from self._batch(rows[some])

    def _row(
        self, row_id: str | None, text: str | None, damaged: str | None, table: Source, place: int
    ) -> _Row | Problem:
        if damaged is not None or row_id is None:
            name = row_id if row_id is not None else f"{table.shown}: {excerpt(damaged or '')}"
            return Problem(printable_name(name), ProblemCode.DAMAGED, DAMAGED_ROW)
        name = printable_name(row_id)
        if text is None:
            return Problem(name, ProblemCode.EMPTY, NULL)
        text, encoding = _whole(text)
        if not text or text.isspace():
            return Problem(name, ProblemCode.EMPTY, BLANK)
        try:
            check_text(text, self.limits)
        except UnreadableError as error:
            return Problem(name, error.code, error.detail, error.limit)
        number = self.first + place << PARTS
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


def _whole(text: str) -> tuple[str, str]:
    """A text as a reader of files has it, and its encoding: line ends are LF, there is no mark."""
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


def _document(row_id: str, name: str, text: str, encoding: str, table: Source) -> Document:
    data = text.encode("utf-8")
    return Document(
        path=Path(table.place),
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


# `damaged` is what stands in place of a row that cannot be read.
ROWS = "id STRING, text STRING, damaged STRING"
DAMAGED = "_neardup_damaged_row"
UNUSED = "_neardup_unused_"  # before the place of a column of CSV
FIRST_LINES = 200  # of JSON, which say what columns there are
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
            "The column “{name}” of {table} holds no texts.",
            name=text_column,
            table=table.shown,
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
        frame = _reader(session).parquet(table.place)
    _require(table, frame.columns, wanted)
    return frame


def _json(session: SparkSession, table: Source, wanted: Sequence[str]) -> DataFrame:
    """JSON Lines; what columns there are is told from the first lines."""
    with _in_words(table):
        lines = [row.value for row in _reader(session).text(table.place).head(FIRST_LINES)]
    names: dict[str, None] = {}
    for line in lines:
        with suppress(ValueError, RecursionError):
            value = json.loads(line)
            names |= dict.fromkeys(value if isinstance(value, dict) else ())
    _require(table, list(names), wanted)
    reader = _reader(session).option("encoding", "UTF-8")
    return reader.schema(_strings(wanted)).json(
        table.place, mode="PERMISSIVE", columnNameOfCorruptRecord=DAMAGED
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
        first = reader.csv(table.place, header=False).first()
    names = [name or "" for name in first or ()]
    _require(table, names, wanted)
    _require_once(table, names, wanted)
    if "" not in names and len({name.lower() for name in names}) == len(names):
        # Spark looks whether all files begin with these names.
        return reader.schema(_strings(names)).csv(table.place, header=True, enforceSchema=False)
    # To Spark, columns without a name or with one of others have names that stand in no file.
    columns = [name if name in wanted else f"{UNUSED}{place}" for place, name in enumerate(names)]
    reader = reader.schema(_strings(columns))
    lines = reader.csv(table.place, header=False)
    with _in_words(table):
        _require_same_start(table, lines, dict(zip(columns, names, strict=True)))
    return reader.csv(table.place, header=True, enforceSchema=True)


def _require_once(table: Source, names: Sequence[str], wanted: Sequence[str]) -> None:
    """Raise where it is not known which of several columns of a name is meant."""
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
    path, place = F.col("_metadata.file_path"), F.monotonically_increasing_id()
    frame = lines.select(path.alias("path"), same.alias("same"), place.alias("place"))
    starts = frame.groupBy("path").agg(F.min_by("same", "place").alias("same"))
    other = starts.where("NOT same").orderBy("path").first()
    if other is not None:
        file = printable_name(unquote(other.path.rpartition("/")[2]))
        raise ClusterError(
            "The first lines of the files in {table} name different columns, as that of "
            "“{file}” does. Give all files the same columns in the same order.",
            table=table.shown,
            file=file,
        )


def _reader(session: SparkSession) -> DataFrameReader:
    """A reader of all files in a place, which is taken as written: a bracket is no pattern."""
    return session.read.options(__globPaths__=False, recursiveFileLookup=True)


def _strings(names: Sequence[str]) -> str:
    return ", ".join(f"{_quoted(name)} STRING" for name in (*dict.fromkeys(names), DAMAGED))


def _quoted(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"


def _require(table: Source, names: Sequence[str], wanted: Sequence[str]) -> None:
    """Raise unless these columns are there."""
    options = ("--id-column", "--text-column")
    for name, option in zip(wanted, options, strict=True):
        if name in names:
            continue
        there = [f"“{printable_name(column)}”" for column in names[:MOST_NAMED]]
        more = len(names) - len(there)
        columns = listed([*there, f"{more} more"] if more else there) if there else "none"
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
    """What Spark says of a table that cannot be read as a sentence."""
    try:
        yield
    except (PySparkException, Py4JError) as error:
        raise ClusterError(
            f"{table.shown} cannot be read as {table.kind}: {excerpt(_first_line(error), 300)}"
        ) from error


def _first_line(error: BaseException) -> str:
    """What happened, as far as it is told in a line."""
    java = getattr(error, "java_exception", None)
    said = str(java.getMessage()) if java is not None else str(error)
    return said.strip().split("\n")[0]
