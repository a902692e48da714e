"""A sample of the sources of a run, read before any of the rest is.

A file or row is in it where a hash of its name is below a bound: with a probability that is known,
the same at every call.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import TYPE_CHECKING, NamedTuple

import xxhash

from core.settings import ScanSettings
from core.spark.options import RunOptions
from core.spark.partitions import mapped
from core.spark.sources.files import READ, FileToRead, read_files
from core.spark.sources.kinds import Kind, Source, sources_of
from core.spark.sources.reading import files_in, frames_of
from core.spark.sources.remote import first_location
from core.spark.sources.tables import SignRows, Table, TableOfRows, rows_of

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

SHARE = 1e-3  # of the documents
LEAST, MOST = 2000, 1 << 16  # documents
HASHES = 1 << 32


class SampledSources(NamedTuple):
    """Some documents of the sources.

    Attributes:
        documents: `schemas.DOCUMENTS`; their numbers mean nothing.
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
    found = sources_of(session, sources, options.roles)
    tables = [one for one in found if one.kind is not Kind.FILES]
    of_files = [one for one in found if one.kind is Kind.FILES]
    files = files_in(session, of_files, options.reading, is_all=not tables)
    rows = _rows(session, tables, options) if tables else None
    of_tables = rows.count() if rows is not None else 0
    count = len(files.units) + of_tables
    share = min(1.0, max(SHARE, LEAST / max(count, 1)), MOST / max(count, 1))
    chosen = files._replace(units=[one for one in files.units if _is_in(one, share)], problems=[])
    if not any(first_location(one.found) in files.far for one in chosen.units):
        chosen = chosen._replace(far={})
    frames = list(frames_of(session, of_files, chosen, settings, options.reading))
    if not (frames or tables):
        frames.append(read_files(session, [], [], settings, options.reading))
    if rows is not None:
        known = tuple(TableOfRows(one.place, one.shown, one.role) for one in tables)
        work = SignRows(known, 0, settings, options.reading.limits)
        frames.append(mapped(_some(rows, share), work, READ))
    read = reduce(lambda one, other: one.unionByName(other), frames)
    return SampledSources(read.where("problem IS NULL").drop("problem"), count, of_tables, share)


def _is_in(file: FileToRead, share: float) -> bool:
    return (
        xxhash.xxh3_64_intdigest(file.found.name.encode("utf-8", "surrogatepass")) < share * 2**64
    )


def _rows(session: SparkSession, tables: Sequence[Source], options: RunOptions) -> DataFrame:
    """The rows of tables with the number of their source."""
    from pyspark.sql import functions as F

    frames = []
    for source, one in enumerate(tables):
        table = Table(one.place, one.kind, one.shown)
        frame = rows_of(session, table, options.id_column, options.text_column)
        frames.append(frame.withColumn("source", F.lit(source)))
    return reduce(lambda one, other: one.unionByName(other), frames)


def _some(rows: DataFrame, share: float) -> DataFrame:
    """Those of a sample, as `rows.NUMBERED`."""
    from pyspark.sql import functions as F

    drawn = F.pmod(F.xxhash64("source", "id"), F.lit(HASHES)) < share * HASHES
    chosen = rows.where("damaged IS NULL").where(drawn)
    return chosen.withColumn("place", F.lit(0).cast("long")).select(
        "id", "text", "damaged", "source", "place"
    )
