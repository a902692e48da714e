"""New texts against a finished run: which of its documents each is like, without repeating it.

As `core.scan.query` answers on one machine: what a scan with the text among the documents would
list. The texts go to every part of the table of documents; only documents that a text may be like
are brought together with it, and measured as in a run.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pyarrow as pa

from core.base.parallel import batches
from core.documents import Document
from core.errors import ClusterError
from core.evidence.pairs import FoundBy
from core.evidence.word_model import WordModel
from core.scan.query import Matches
from core.scan.reworked import threshold
from core.settings import ScanSettings
from core.signatures.signing import sign_texts
from core.spark.cells import CellLimits, in_cells, placed
from core.spark.columns import digests_of, int64s, signed_columns
from core.spark.documents_json import document_of_json
from core.spark.evidence import MEASURED
from core.spark.numbers import Measuring, ReworkedRule
from core.spark.partitions import mapped
from core.spark.query_candidates import FIRST_TEXT, QueryCandidates
from core.spark.query_tables import RunTables

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

TEXTS_AT_ONCE = 256
COPIES_TOLD = 1000  # there may be ten million
TEXT = "number, text, aside, units, signature, characters"
LIMITS = CellLimits()


class Answer(NamedTuple):
    """The documents that one text is like.

    Attributes:
        documents: Those, most similar first.
        ids: What the run knows them by.
        matches: Their numbers; `Matches.documents` are places in `documents`.
        copies_left_out: How many more documents have the same words as one of these.
    """

    documents: list[Document]
    ids: list[str]
    matches: Matches
    copies_left_out: int


def query(
    session: SparkSession,
    target: str,
    texts: Sequence[str],
    settings: ScanSettings,
    copies: int = COPIES_TOLD,
) -> Iterator[Answer]:
    """Ask a finished run about some texts; one answer for each, in their order.

    Args:
        session: Where the work is done.
        target: The folder of the run.
        texts: Any number; several hundred are asked about at once.
        settings: Of the run.
        copies: Of documents with the same words so many are in an answer, those that come first.

    Raises:
        ClusterError: The signatures of the run depend on all of its documents.
    """
    if settings.depends_on_all:
        raise ClusterError(
            "This run weighed words by their rarity in all documents (tf-idf). Other texts cannot "
            "be compared with its signatures: scan them together with the documents."
        )
    run = RunTables.read(session, target)
    for part in batches([len(text) for text in texts]):
        for first in range(part.start, part.stop, TEXTS_AT_ONCE):
            some = texts[first : min(first + TEXTS_AT_ONCE, part.stop)]
            yield from _Asked(run, some, settings, copies).answers()


class _Asked:
    """Some texts that are asked about at once."""

    def __init__(
        self, run: RunTables, texts: Sequence[str], settings: ScanSettings, copies: int
    ) -> None:
        self._copies = copies
        self._run = run
        self._texts = texts
        self._settings = settings
        self._signed = sign_texts(texts, settings)

    def answers(self) -> Iterator[Answer]:
        """What each is like."""
        listed = self._with_copies(self._measured()).toArrow()
        text = int64s(listed.column("text"))
        found, longest = (listed.column(name).to_numpy() for name in ("resemblance", "longest_run"))
        order = np.lexsort((int64s(listed.column("number")), -longest, -found, text))
        bounds = np.searchsorted(text[order], np.arange(len(self._texts) + 1))
        for one in range(len(self._texts)):
            rows = listed.take(pa.array(order[bounds[one] : bounds[one + 1]]))
            yield self._answer(rows, one)

    def _answer(self, rows: pa.Table, text: int) -> Answer:
        columns = {name: rows.column(name).to_numpy() for name in Matches._fields[1:]}
        same = (digests_of(rows.column("digest")) == self._signed.digests[text]).all(axis=1)
        ways = columns["found_by"].view(np.uint8)
        columns["found_by"] = np.where(same, np.uint8(FoundBy.EXACT), ways)
        documents = [document_of_json(one) for one in rows.column("document").to_pylist()]
        matches = Matches(documents=np.arange(len(documents), dtype=np.int64), **columns)
        of_all = int64s(rows.column("copies"))[int64s(rows.column("copy")) == 1].sum()
        ids = rows.column("id").to_pylist()
        return Answer(documents, ids, matches, int(of_all) - len(documents))

    def _measured(self) -> pa.Table:
        """The different documents that are listed for each text: a, text and numbers."""
        from pyspark.sql import functions as F

        settings = self._settings
        texts = self._run.documents.selectExpr(*TEXT.split(", ")).unionByName(self._as_documents())
        found = QueryCandidates(self._run, self._texts, self._signed, settings).found()
        candidates = found.persist()
        cells = placed(candidates, texts.select("number", "characters"), LIMITS).persist()
        measured = mapped(
            in_cells(cells, texts.drop("characters")), Measuring(settings, self._rule), MEASURED
        )
        if not settings.list_passages:
            measured = measured.where(F.col("resemblance") >= settings.min_resemblance)
        rows = measured.withColumns(
            {
                "text": F.col("b") - FIRST_TEXT,
                "containment_text": F.col("containment_b"),
                "containment_document": F.col("containment_a"),
            }
        ).select("a", "text", *Matches._fields[1:])
        try:
            return rows.toArrow()
        finally:
            for kept in (cells, candidates):
                kept.unpersist()

    def _with_copies(self, measured: pa.Table) -> DataFrame:
        """The same with the first copies of each document, what is known of them, and how many."""
        from pyspark.sql import Window
        from pyspark.sql import functions as F

        documents = self._run.documents
        rows = documents.sparkSession.createDataFrame(measured)
        digests = documents.select(F.col("number").alias("a"), "digest")
        found = rows.join(digests, "a")
        wanted = F.broadcast(found.select("digest").distinct())
        every = documents.select("digest", "number", "id", "document")
        every = every.join(wanted, "digest", "left_semi")
        place = F.row_number().over(Window.partitionBy("digest").orderBy("number"))
        first = every.withColumn("copy", place).where(F.col("copy") <= self._copies)
        sizes = every.groupBy("digest").agg(F.count("number").alias("copies"))
        return found.join(first, "digest").join(sizes, "digest")

    @cached_property
    def _rule(self) -> ReworkedRule | None:
        level, run = self._settings.reworked, self._run
        if level == "off":
            return None
        measured = WordModel.from_bytes(run.model).pairs
        return ReworkedRule(run.model, threshold(measured, level, run.pairs + run.different))

    def _as_documents(self) -> DataFrame:
        """The texts as documents whose numbers are above all others."""
        session = self._run.documents.sparkSession
        signed = signed_columns(self._signed)
        numbers = FIRST_TEXT + np.arange(len(self._texts), dtype=np.int64)
        table = pa.table(
            {
                "number": pa.array(numbers),
                "text": pa.array(self._texts, pa.string()),
                "units": signed["units"],
                "signature": signed["signature"],
                "characters": pa.array([len(text) for text in self._texts], pa.int64()),
            }
        )
        kind = self._run.documents.schema["aside"].dataType.simpleString()
        return session.createDataFrame(table).selectExpr("*", f"CAST(NULL AS {kind}) AS aside")
