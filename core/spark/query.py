"""New texts against a finished run: which of its documents each is like, without repeating it.

As `core.scan.query` answers on one machine: what a scan with the text among the documents would
list. The texts go to every part of the table of documents; only documents that a text may be like
are brought together with it, and measured as in a run.

Which documents of a run are compared with some texts, and what leads to each.

Which documents of a run share a passage with some texts, as `core.candidates.shared_fingerprints`.

With a text, a fingerprint can become common that was not: then its holders choose again, and who
holds what they chose is asked of the run. Mostly the first answer is enough for all texts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np
import pyarrow as pa

from core.base.arrays import Int64Array, UInt64Array
from core.base.tasks import batches
from core.candidates.shared_fingerprints import ChosenGrams, keys_of
from core.candidates.sorted_keys import DOCUMENT_LIMIT, distinct, members
from core.documents import Document
from core.errors import ClusterError
from core.evidence.pairs import FoundBy, Pairs, column_types
from core.evidence.word_model import WordModel
from core.scan.query import pairs_with_text
from core.scan.reworked import MEASURED_ALL, threshold
from core.settings import ScanSettings
from core.signatures.signing import SignedTexts, sign_texts
from core.signatures.skip_grams import PLACE_BITS
from core.signatures.winnowing import find_grams
from core.spark.columns import digest_column, digests_of, int64s, signed_columns, texts_of
from core.spark.evidence import MEASURED, CellLimits, Measuring, ReworkedRule, in_cells, placed
from core.spark.importing import document_of_json
from core.spark.partitions import mapped, side_by_side
from core.spark.query_tables import (
    ALIKE,
    COUNTED,
    HOLDERS,
    PAIRED,
    SHARERS,
    CountGrams,
    FindAlike,
    FindHolders,
    FindSharers,
    PairByGrams,
    RunTables,
    Sought,
)
from core.text.shingling import shingle

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


class Fingerprinted(Protocol):
    """A run, asked for its fingerprints."""

    dropped: np.uint64
    common: UInt64Array

    def holders(self, keys: UInt64Array) -> tuple[UInt64Array, Int64Array]:
        """The documents, of identical ones the first, that hold some keys: keys and numbers."""

    def grams(self, numbers: Sequence[int]) -> dict[int, ChosenGrams]:
        """The grams of some documents."""


class SharingText:
    """One text and what is known of those that share a passage with it."""

    def __init__(self, grams: ChosenGrams, common: UInt64Array, *, is_copy: bool) -> None:
        """Look for a text.

        Args:
            grams: Of the text.
            common: The keys of grams that are common without it.
            is_copy: One of the documents has the same words; then the text takes its place.
        """
        self._grams = grams
        self._is_copy = is_copy
        self._avoided = common
        self._chosen: dict[int, set[int]] = {}  # by key, who chose it instead
        self._again: set[int] = set()  # who is to choose again
        self.documents: AbstractSet[int] = frozenset()
        self.is_done = False

    def asked(self) -> UInt64Array:
        """The keys whose holders are to be known."""
        chosen = np.fromiter(self._chosen, dtype=np.uint64, count=len(self._chosen))
        return distinct([self._own(), chosen])

    def look(self, held: dict[int, set[int]]) -> AbstractSet[int]:
        """Take the holders of all that was asked; who is to choose again, or nobody."""
        own = set(self._own().tolist())
        holders = {
            key: held.get(key, set()) | self._chosen.get(key, set())
            for key in self.asked().tolist()
        }
        common = [
            key
            for key, some in holders.items()
            if len(some) + (key in own and not self._is_copy) > DOCUMENT_LIMIT
        ]
        fresh = np.array(common, dtype=np.uint64)
        fresh = fresh[~members(self._avoided, fresh)]
        if not len(fresh):
            self.documents = set().union(*(holders[key] for key in own))
            self.is_done = True
            return frozenset()
        self._avoided = distinct([self._avoided, fresh])
        self._again = set().union(*(holders[key] for key in fresh.tolist()))
        return self._again

    def choose_again(self, grams: dict[int, ChosenGrams], dropped: np.uint64) -> None:
        """Let those choose again that were told of."""
        for number in self._again:
            chosen = keys_of(grams[number].instead_of(self._avoided).values, dropped)
            for key in chosen.tolist():
                self._chosen.setdefault(key, set()).add(number)

    def _own(self) -> UInt64Array:
        return self._grams.without(self._avoided)


def sharing(texts: Sequence[SharingText], run: Fingerprinted) -> list[AbstractSet[int]]:
    """The documents that share a passage with each of some texts, by their numbers."""
    known: dict[int, set[int]] = {}
    grams: dict[int, ChosenGrams] = {}
    while waiting := [text for text in texts if not text.is_done]:
        asked = distinct([text.asked() for text in waiting])
        fresh = asked[[key not in known for key in asked.tolist()]]
        known |= {key: set() for key in fresh.tolist()}
        for key, number in zip(*(one.tolist() for one in run.holders(fresh)), strict=True):
            known[key].add(number)
        again = set().union(*(text.look(known) for text in waiting))
        grams |= run.grams(sorted(again - grams.keys()))
        for text in waiting:
            if not text.is_done:
                text.choose_again(grams, run.dropped)
    return [text.documents for text in texts]


FIRST_TEXT = 1 << 62  # the number of the first text: above those of documents
WAYS = ("in_all", "in_bands", "in_shared", "in_skip_grams")


class QueryCandidates:
    """The candidates of some texts."""

    def __init__(
        self, run: RunTables, texts: Sequence[str], signed: SignedTexts, settings: ScanSettings
    ) -> None:
        self._run = run
        self._texts = texts
        self._signed = signed
        self._settings = settings
        self._session = run.documents.sparkSession
        self._with_words = np.flatnonzero(signed.units > 0)
        self.dropped, self.common = run.dropped, run.common

    def found(self) -> DataFrame:
        """Documents x, texts y and the ways of `core.spark.evidence.listed`."""
        from pyspark.sql import functions as F

        rows = [
            _first_of_copies(self._alike(), "text").withColumn("way", F.lit("in_bands")),
            self._session.createDataFrame(self._sharing()).withColumn("way", F.lit("in_shared")),
        ]
        if self._run.compared_all:
            rows.append(self._every(self._with_words).withColumn("way", F.lit("in_all")))
        if self._settings.reworked != "off":
            rows += [one.withColumn("way", F.lit("in_skip_grams")) for one in self._by_grams()]
        every = rows[0]
        for more in rows[1:]:
            every = every.unionByName(more)
        ways = (F.bool_or(F.col("way") == way).alias(way) for way in WAYS)
        pairs = every.groupBy(F.col("number").alias("x"), (F.col("text") + FIRST_TEXT).alias("y"))
        return pairs.agg(*ways)

    def holders(self, keys: UInt64Array) -> tuple[UInt64Array, Int64Array]:
        """The documents that hold some keys of passages (`query_passages.Fingerprinted`)."""
        sent = self._session.sparkContext.broadcast(keys)
        columns = self._run.documents.select("digest", "number", "fingerprints")
        found = mapped(columns, FindHolders(sent, self.dropped), HOLDERS)
        held = _first_of_copies(found, "key")
        if self._run.chosen_instead is not None:
            asked = self._session.createDataFrame(pa.table({"key": keys.view(np.int64)}))
            more = self._run.chosen_instead.join(asked, "key", "left_semi")
            held = held.unionByName(more.select("key", "number"))
        rows = held.toArrow()
        return int64s(rows.column("key")).view(np.uint64), int64s(rows.column("number"))

    def grams(self, numbers: Sequence[int]) -> dict[int, ChosenGrams]:
        """The grams of some documents (`query_passages.Fingerprinted`)."""
        if not numbers:
            return {}
        wanted = self._session.createDataFrame(pa.table({"number": pa.array(numbers, pa.int64())}))
        columns = self._run.documents.select("number", "text", "aside")
        rows = columns.join(wanted, "number", "left_semi").toArrow()
        texts = texts_of(rows)
        return {
            number: ChosenGrams(
                find_grams(texts.shingles(slice(row, row + 1), self._settings), self._settings),
                self.dropped,
            )
            for row, number in enumerate(rows.column("number").to_pylist())
        }

    def _alike(self) -> DataFrame:
        sought = Sought.signatures(self._signed, self._settings)
        sent = self._session.sparkContext.broadcast(sought)
        columns = self._run.documents.select("digest", "number", "signature")
        return mapped(columns, FindAlike(self._settings, sent), ALIKE)

    def _sharing(self) -> pa.Table:
        """The documents that share a passage with each text."""
        rows = self._run.documents.select("digest")
        digests = pa.table({"digest": self._digests()})
        same = rows.join(self._session.createDataFrame(digests), "digest", "left_semi").distinct()
        copies = {one["digest"] for one in same.collect()}
        texts = [
            SharingText(
                ChosenGrams(
                    find_grams(shingle([self._texts[text]], self._settings), self._settings),
                    self.dropped,
                ),
                self.common,
                is_copy=self._digests()[text].as_py() in copies,
            )
            for text in self._with_words.tolist()
        ]
        found = sharing(texts, self)
        counts = [len(one) for one in found]
        numbers = [number for one in found for number in one]
        return pa.table(
            {
                "text": pa.array(np.repeat(self._with_words, counts)),
                "number": pa.array(numbers, pa.int64()),
            }
        )

    def _digests(self) -> pa.Array:
        return digest_column(self._signed.digests)

    def _every(self, texts: Int64Array) -> DataFrame:
        """All different documents with some texts."""
        from pyspark.sql import functions as F

        documents = self._run.documents.groupBy("digest").agg(F.min("number").alias("number"))
        some = self._session.createDataFrame(pa.table({"text": pa.array(texts)}))
        return documents.select("number").crossJoin(some)

    def _by_grams(self) -> list[DataFrame]:
        """The documents that may share a reworked passage with each text."""
        run = self._run
        lengths = np.array([len(text) for text in self._texts], dtype=np.int64)
        most = MEASURED_ALL.get(self._settings.reworked, 0)
        all_of_them = run.different * (run.characters + lengths[self._with_words]) <= most
        found = []
        if all_of_them.any():
            found.append(self._every(self._with_words[all_of_them]))
        if not all_of_them.all():
            found.append(self._sharing_grams(self._with_words[~all_of_them]))
        return found

    def _sharing_grams(self, texts: Int64Array) -> DataFrame:
        from pyspark.sql import functions as F

        context, grams = self._session.sparkContext, self._signed.skip_grams
        owners = np.repeat(np.arange(len(grams.counts)), grams.counts)
        asked = np.isin(owners, texts)
        hashes, owners = grams.values[asked] >> PLACE_BITS, owners[asked]
        kept = self._run.documents.select("digest", "number", "skip_grams")
        count = CountGrams(context.broadcast(distinct([hashes])))
        counted = mapped(kept, count, COUNTED).groupBy("key").agg(F.sum("count").alias("count"))
        rows = counted.toArrow()
        counts, keys = int64s(rows.column("count")), int64s(rows.column("key")).view(np.uint64)
        most = max(self._run.gram_limit, self._run.size)
        common = keys[counts * (counts + 1) // 2 > most]
        # A gram that stands in a text several times is looked for once.
        order = np.lexsort((owners, hashes))
        hashes, owners = hashes[order], owners[order]
        fresh = np.ones(len(order), dtype=np.bool_)
        fresh[1:] = (hashes[1:] != hashes[:-1]) | (owners[1:] != owners[:-1])
        fresh &= ~np.isin(hashes, common)
        sought = context.broadcast(Sought(hashes[fresh], owners[fresh]))
        sharers = mapped(kept, FindSharers(sought), SHARERS).groupBy("text", "digest")
        first = sharers.agg(
            F.min("number").alias("number"), F.first("skip_grams").alias("skip_grams")
        )
        pairing = PairByGrams(context.broadcast(grams), self._run.different + 1)
        return mapped(side_by_side(first, ["text"], ["number"]), pairing, PAIRED)


def _first_of_copies(found: DataFrame, by: str) -> DataFrame:
    """Of documents with the same words the first, for each text or key."""
    from pyspark.sql import functions as F

    return found.groupBy(by, "digest").agg(F.min("number").alias("number")).select(by, "number")


TEXTS_AT_ONCE = 256
# A and B go by other names here, and what is reworked is not told.
NUMBERS = [
    name
    for name in list(column_types())[2:]
    if name != "exact_duplicate" and not name.startswith("reworked")
]
COPIES_TOLD = 1000  # there may be ten million
TEXT = "number, text, aside, units, signature, characters"
LIMITS = CellLimits()


class Answer(NamedTuple):
    """The documents that one text is like.

    Attributes:
        documents: Those, most similar first.
        ids: What the run knows them by.
        matches: Their numbers; B are places in `documents`.
        copies_left_out: How many more documents have the same words as one of these.
    """

    documents: list[Document]
    ids: list[str]
    matches: Pairs
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
        columns = {name: rows.column(name).to_numpy() for name in NUMBERS}
        same = (digests_of(rows.column("digest")) == self._signed.digests[text]).all(axis=1)
        ways = columns["found_by"].view(np.uint8)
        columns["found_by"] = np.where(same, np.uint8(FoundBy.EXACT), ways)
        documents = [document_of_json(one) for one in rows.column("document").to_pylist()]
        matches = pairs_with_text(np.arange(len(documents)), **columns)
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
                "containment_a": F.col("containment_b"),
                "containment_b": F.col("containment_a"),
            }
        ).select("a", "text", *NUMBERS)
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
