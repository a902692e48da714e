"""Tables with a row for each document: Parquet, JSON Lines and CSV, as ids and texts."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from core.base.wording import excerpt, listed, printable_name
from core.errors import ClusterError
from core.spark.sources.kinds import Kind

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, DataFrameReader, SparkSession

__all__ = ["ROWS", "Table", "rows_of"]

# `damaged` is what stands in place of a row that cannot be read.
ROWS = "id STRING, text STRING, damaged STRING"
DAMAGED = "_neardup_damaged_row"
FIRST_LINES = 200  # of JSON, which say what columns there are
MOST_NAMED = 12  # columns in a sentence
IDS = ("string", "tinyint", "smallint", "int", "bigint")


class Table(NamedTuple):
    """A table: where it is, of which kind, and how the user knows it."""

    place: str
    kind: Kind
    shown: str


def rows_of(session: SparkSession, table: Table, id_column: str, text_column: str) -> DataFrame:
    """The rows of a table, as `ROWS`.

    Raises:
        ClusterError: It lacks one of the columns, or they hold something else.
    """
    from pyspark.sql import functions as F

    read = {Kind.PARQUET: _parquet, Kind.JSON: _json, Kind.CSV: _csv, Kind.TSV: _csv}
    frame = read[table.kind](session, table, (id_column, text_column))
    types = dict(frame.dtypes)
    if types[text_column] != "string":
        raise ClusterError(f"The column “{text_column}” of {table.shown} holds no texts.")
    if types[id_column] not in IDS:
        raise ClusterError(
            f"The column “{id_column}” of {table.shown} holds neither names nor whole numbers."
        )
    damaged = F.col(DAMAGED) if DAMAGED in types else F.lit(None)
    return frame.select(
        F.col(_quoted(id_column)).cast("string").alias("id"),
        F.col(_quoted(text_column)).alias("text"),
        damaged.cast("string").alias("damaged"),
    )


def _parquet(session: SparkSession, table: Table, wanted: Sequence[str]) -> DataFrame:
    with _in_words(table):
        frame = _reader(session).parquet(table.place)
    _require(table, frame.columns, wanted)
    return frame


def _json(session: SparkSession, table: Table, wanted: Sequence[str]) -> DataFrame:
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


def _csv(session: SparkSession, table: Table, wanted: Sequence[str]) -> DataFrame:
    """CSV as in RFC 4180: with a first line of names, and texts that may go over several lines."""
    reader = _reader(session).options(
        header=True,
        enforceSchema=False,
        multiLine=True,
        quote='"',
        escape='"',
        encoding="UTF-8",
        sep="\t" if table.kind is Kind.TSV else ",",
        columnNameOfCorruptRecord=DAMAGED,
        mode="PERMISSIVE",
    )
    with _in_words(table):
        names = reader.csv(table.place).columns
    _require(table, names, wanted)
    return reader.schema(_strings(names)).csv(table.place)


def _reader(session: SparkSession) -> DataFrameReader:
    """A reader of all files in a place, which is taken as written: a bracket is no pattern."""
    return session.read.options(__globPaths__=False, recursiveFileLookup=True)


def _strings(names: Sequence[str]) -> str:
    return ", ".join(f"{_quoted(name)} STRING" for name in (*dict.fromkeys(names), DAMAGED))


def _quoted(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"


def _require(table: Table, names: Sequence[str], wanted: Sequence[str]) -> None:
    """Raise unless these columns are there."""
    options = ("--id-column", "--text-column")
    for name, option in zip(wanted, options, strict=True):
        if name in names:
            continue
        there = [f"“{printable_name(one)}”" for one in names[:MOST_NAMED]]
        more = len(names) - len(there)
        columns = listed([*there, f"{more} more"] if more else there) if there else "none"
        raise ClusterError(
            f"{table.shown} has no column “{printable_name(name)}”. Its columns: {columns}. "
            f"Name another one with {option}."
        )


class _in_words:  # noqa: N801 - used as a function
    """What Spark says of a table that cannot be read as a sentence."""

    def __init__(self, table: Table) -> None:
        self._table = table

    def __enter__(self) -> None:
        return None

    def __exit__(self, _type: object, error: BaseException | None, _trace: object) -> None:
        from py4j.protocol import Py4JError
        from pyspark.errors import PySparkException

        if isinstance(error, PySparkException | Py4JError):
            kind = self._table.kind
            raise ClusterError(
                f"{self._table.shown} cannot be read as {kind}: {excerpt(_first_line(error), 300)}"
            ) from error


def _first_line(error: BaseException) -> str:
    """What happened, as far as it is told in a line."""
    java = getattr(error, "java_exception", None)
    said = str(java.getMessage()) if java is not None else str(error)
    return said.strip().split("\n")[0]
