"""What a finished run keeps so that other texts can be asked about, and what is read of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pyarrow as pa

from core.base.arrays import UInt64Array
from core.base.wording import printable_name
from core.candidates.shared_fingerprints import keys_of
from core.errors import ClusterError
from core.spark.columns import int64s, unpacked
from core.spark.file_system import Folder
from core.spark.partitions import mapped
from core.spark.passages import SharedPassages, dropped_bits
from core.spark.stages import Stages

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

# The different documents with words, their characters, and how many pairs a skip-gram could make.
FOR_QUERIES = "different LONG, characters LONG, gram_limit LONG"
CHOSEN_INSTEAD = "number LONG, key LONG"  # fingerprints beside common text


class RunTables(NamedTuple):
    """The tables of a run that a query reads.

    Attributes:
        documents: `schemas.DOCUMENTS`, those with words.
        chosen_instead: `CHOSEN_INSTEAD`; None where there is no common text.
        common: uint64, ascending: the keys of common grams.
        size: How many documents the run has, also without words.
        different: How many different ones with words.
        characters: Of these, together.
        pairs: How many pairs of these have a document to review.
        compared_all: Whether all of these were compared.
        gram_limit: How many pairs a skip-gram could make.
        model: As `WordModel.to_bytes` writes it; empty where nothing reworked was looked for.
    """

    documents: DataFrame
    chosen_instead: DataFrame | None
    common: UInt64Array
    size: int
    different: int
    characters: int
    pairs: int
    compared_all: bool
    gram_limit: int
    model: bytes

    @property
    def dropped(self) -> np.uint64:
        """How many low bits of a fingerprint are not compared."""
        return dropped_bits(self.size)

    @staticmethod
    def read(session: SparkSession, target: str) -> RunTables:
        """Those of a finished run.

        Raises:
            ClusterError: It has not all of them.
        """
        from pyspark.errors import AnalysisException

        def table(name: str) -> DataFrame:
            try:
                return session.read.parquet(f"{target.rstrip('/')}/{name}")
            except AnalysisException as error:
                raise ClusterError(
                    f"The run in “{printable_name(target)}” has no table “{name}” to look texts "
                    "up in: make it again with this version of Neardup."
                ) from error

        # Where something is set aside in all texts, their signatures are in a table of its own.
        with_aside = Folder(session, target).exists("counting_documents/_SUCCESS")
        documents = table("counting_documents" if with_aside else "documents")
        if "problem" in documents.columns:
            documents = documents.where("problem IS NULL")
        size = documents.count()
        kept, asked = table("collection").collect()[0], table("for_queries").collect()[0]
        common = np.sort(int64s(table("common_grams").toArrow().column("key")).view(np.uint64))
        return RunTables(
            documents.where("units > 0"),
            table("chosen_instead") if len(common) else None,
            common,
            size,
            asked["different"],
            asked["characters"],
            kept["pairs"],
            kept["compared_all"],
            asked["gram_limit"],
            bytes(kept["model"]),
        )


def keep_for_queries(
    stages: Stages,
    documents: DataFrame,
    distinct: DataFrame,
    passages: SharedPassages,
    gram_limit: int,
) -> None:
    """Write the tables `for_queries`, `common_grams` (key LONG) and `chosen_instead`.

    Args:
        stages: Of the run.
        documents: `schemas.DOCUMENTS`, all of them.
        distinct: `schemas.SIGNED`, of documents with words, of equal ones of the first.
        passages: What the documents share.
        gram_limit: How many pairs a skip-gram could make; 0 where nothing reworked was looked for.
    """
    session, more = stages.session, passages.more
    sums = ("count(*) AS different", "coalesce(sum(characters), 0L) AS characters")
    limit = f"{gram_limit}L AS gram_limit"
    stages.table("for_queries", lambda: distinct.selectExpr(*sums).selectExpr("*", limit))
    common = pa.table({"key": passages.avoided.view(np.int64)})
    stages.table("common_grams", lambda: session.createDataFrame(common))

    def chosen() -> DataFrame:
        if more is None:
            return session.createDataFrame([], CHOSEN_INSTEAD)
        keys = _Keys(dropped_bits(documents.count()))
        return mapped(more.select("number", "fingerprints"), keys, CHOSEN_INSTEAD)

    stages.table("chosen_instead", chosen)


@dataclass(frozen=True)
class _Keys:
    """Rows with number and fingerprints to `CHOSEN_INSTEAD`."""

    dropped: np.uint64

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            values, counts = unpacked(batch.column("fingerprints"), "<u8")
            numbers = np.repeat(int64s(batch.column("number")), counts)
            keys = keys_of(values, self.dropped).view(np.int64)
            yield pa.record_batch({"number": pa.array(numbers), "key": pa.array(keys)})
