"""New texts against a finished run: the documents that each is like, without repeating the run.

As `core.scan.query` answers on one machine: the pairs that a scan with the text among the documents
would list, but grams that are common in the run stay so, with one document more. The texts are few:
their keys go to every part of the table of documents; only documents that a text may be like are
brought together with it, and measured as in a run.

A document with many copies is found as often; what is found goes by digest, and the first number
stands for all.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property, partial
from typing import NamedTuple

import numpy as np
import pyarrow as pa
from pyspark import Broadcast
from pyspark.errors import AnalysisException
from pyspark.sql import DataFrame, SparkSession, Window
from pyspark.sql import functions as F

from core.base.arrays import Int64Array, UInt32Array, UInt64Array, begins_run, rows_equal
from core.base.tasks import batches
from core.base.wording import printable_name
from core.candidates.shared_fingerprints import ChosenGrams, keys_of
from core.candidates.sorted_keys import distinct, members
from core.documents.model import Document
from core.errors import ClusterError
from core.evidence.pairs import FoundBy, Pairs, column_types
from core.evidence.word_model import WordModel
from core.scan.query import FEWEST_GRAMS, paired_with_last, pairs_with_text
from core.scan.reworked import MEASURED_ALL, are_all_measured, threshold
from core.settings import ScanSettings, SignatureKind
from core.signatures.methods import join_halves
from core.signatures.signing import POSITION_BITS, SignedTexts, sign_texts
from core.signatures.winnowing import find_grams
from core.spark.columns import NUMBERS, Batches, digests_of, int64s, signed_columns, unpacked
from core.spark.evidence import CellLimits, Measuring, ReworkedRule, in_cells, placed
from core.spark.file_system import Folder, Stages
from core.spark.importing import document_of_json
from core.spark.partitions import mapped, side_by_side, union, whole_runs
from core.spark.passages import SharedPassages, dropped_bits
from core.spark.signatures import all_bands
from core.text.shingling import Fingerprints, shingle

ALIKE = "text LONG, digest BINARY, number LONG"
COUNTED = "key LONG, count LONG"
SHARERS = "text LONG, digest BINARY, number LONG, skip_grams BINARY"
PAIRED = "text LONG, number LONG"


class KeysByOwner(NamedTuple):
    """Keys with their owners.

    Attributes:
        keys: uint64, ascending, perhaps repeated.
        owners: int64, the text of each.
    """

    keys: UInt64Array
    owners: Int64Array

    @staticmethod
    def of(keys: UInt64Array, owners: Int64Array) -> KeysByOwner:
        """Keys in any order."""
        order = np.argsort(keys, kind="stable")
        return KeysByOwner(keys[order], owners[order])

    def matches(self, keys: UInt64Array) -> tuple[Int64Array, Int64Array]:
        """Every match of these keys: the indices of the keys, and the texts that have them."""
        indices, counts = rows_equal(self.keys, keys)
        return np.repeat(np.arange(len(keys)), counts), self.owners[indices]

    @staticmethod
    def signatures(signed: SignedTexts, settings: ScanSettings) -> KeysByOwner:
        """Hashes of bands, or fingerprints of 64 bits, of the texts with words."""
        texts = np.flatnonzero(signed.units > 0)
        if settings.method.kind is SignatureKind.BITS:
            return KeysByOwner.of(join_halves(signed.signatures[texts]), texts)
        hashes = all_bands(signed.signatures[texts], settings.bands, settings.rows)
        return KeysByOwner.of(hashes, np.repeat(texts, settings.bands))


def find_alike(settings: ScanSettings, wanted: Broadcast[KeysByOwner], batches: Batches) -> Batches:
    """Rows of DOCUMENTS to the texts whose signatures meet theirs: `ALIKE`."""
    meeting = _in_few_bits if settings.method.kind is SignatureKind.BITS else _in_bands
    for batch in batches:
        values, _ = unpacked(batch.column("signature"), "<u4")
        signatures = values.reshape(-1, settings.signature_width)
        rows, texts = meeting(signatures, wanted.value, settings)
        yield pa.record_batch({"text": pa.array(texts), **_columns(batch, rows)})


def _in_few_bits(
    signatures: UInt32Array, sought: KeysByOwner, settings: ScanSettings
) -> tuple[Int64Array, Int64Array]:
    """Rows and texts whose fingerprints differ in so few bits; each text reads all rows."""
    fingerprints, distance = join_halves(signatures), settings.max_distance
    near = [np.flatnonzero(np.bitwise_count(fingerprints ^ key) <= distance) for key in sought.keys]
    rows = np.concatenate([np.empty(0, dtype=np.int64), *near])
    return rows, np.repeat(sought.owners, np.fromiter(map(len, near), np.int64, len(near)))


def _in_bands(
    signatures: UInt32Array, sought: KeysByOwner, settings: ScanSettings
) -> tuple[Int64Array, Int64Array]:
    """Rows and texts that have the hash of a band in common, each pair once."""
    bands = settings.bands
    indices, texts = sought.matches(all_bands(signatures, bands, settings.rows))
    width = int(texts.max(initial=0)) + 1
    pairs = distinct([(indices // bands * width + texts).view(np.uint64)]).view(np.int64)
    return pairs // width, pairs % width


def find_holders(wanted: Broadcast[KeysByOwner], dropped: np.uint64, batches: Batches) -> Batches:
    """Rows of DOCUMENTS to the texts that have a fingerprint of theirs: `ALIKE`."""
    for batch in batches:
        values, counts = unpacked(batch.column("fingerprints"), "<u8")
        rows = np.repeat(np.arange(len(counts)), counts)
        indices, texts = wanted.value.matches(keys_of(values, dropped))
        yield pa.record_batch({"text": pa.array(texts), **_columns(batch, rows[indices])})


def count_grams(wanted: Broadcast[UInt64Array], batches: Batches) -> Batches:
    """Rows of DOCUMENTS to how often wanted skip-grams stand in them: `COUNTED`."""
    grams = wanted.value
    counts = np.zeros(len(grams), dtype=np.int64)
    for batch in batches:
        values, _ = unpacked(batch.column("skip_grams"), "<u8")
        hashes = values >> POSITION_BITS
        indices = np.searchsorted(grams, hashes[members(grams, hashes)])
        counts += np.bincount(indices, minlength=len(grams))
    present = np.flatnonzero(counts)
    key = pa.array(grams[present].view(np.int64))
    yield pa.record_batch({"key": key, "count": pa.array(counts[present])})


def find_sharers(wanted: Broadcast[KeysByOwner], batches: Batches) -> Batches:
    """Rows of DOCUMENTS to those that share several skip-grams with a text: `SHARERS`."""
    sought = wanted.value
    texts = int(sought.owners.max(initial=0)) + 1
    for batch in batches:
        grams, counts = unpacked(batch.column("skip_grams"), "<u8")
        rows = np.repeat(np.arange(len(counts)), counts)
        indices, owners = sought.matches(grams >> POSITION_BITS)
        shared = np.bincount(rows[indices] * texts + owners, minlength=len(counts) * texts)
        enough = np.flatnonzero(shared >= FEWEST_GRAMS)
        columns = _columns(batch, enough // texts, "skip_grams")
        yield pa.record_batch({"text": pa.array(enough % texts), **columns})


def pair_by_grams(text_grams: Broadcast[Fingerprints], among: int, batches: Batches) -> Batches:
    """A partition of `SHARERS`, sorted by text and number, to those that may share a passage.

    Args:
        text_grams: The skip-grams of the texts.
        among: The number of documents by which the rarity of a gram is measured.
        batches: Of a partition.
    """
    for table in whole_runs(batches, ["text"], 1):
        texts = int64s(table.column("text"))
        for text in distinct([texts.view(np.uint64)]).view(np.int64).tolist():
            rows = table.filter(pa.array(texts == text))
            grams = Fingerprints(*unpacked(rows.column("skip_grams"), "<u8"))
            grams = Fingerprints.join([grams, text_grams.value.take(np.array([text]))])
            paired = paired_with_last(grams, np.ones(len(grams.counts), dtype=np.bool_), among)
            number = int64s(rows.column("number"))[paired]
            of = np.full(len(number), text, dtype=np.int64)
            yield pa.record_batch({"text": pa.array(of), "number": pa.array(number)})


def _columns(batch: pa.RecordBatch, rows: Int64Array, *more: str) -> dict[str, pa.Array]:
    """The identifying columns of rows of a batch, and further ones."""
    names = ["digest", "number", *more]
    chosen = batch.select(names).take(pa.array(rows))
    return {name: chosen.column(name) for name in names}


CHOSEN_INSTEAD = "number LONG, key LONG"  # fingerprints beside common text


class RunTables(NamedTuple):
    """The tables of a run that a query reads.

    Attributes:
        documents: `columns.DOCUMENTS`, those with words.
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
        """The tables of a finished run.

        Raises:
            ClusterError: It lacks one of them.
        """

        def table(name: str) -> DataFrame:
            try:
                return session.read.parquet(f"{target.rstrip('/')}/{name}")
            except AnalysisException as error:
                raise ClusterError(
                    "The run in “{target}” has no table “{name}” to look texts up in: make it "
                    "again with this version of Neardup.",
                    target=printable_name(target),
                    name=name,
                ) from error

        # Where text is set aside, the signatures are in a separate table.
        has_counting = Folder(session, target).exists("counting_documents/_SUCCESS")
        documents = table("counting_documents" if has_counting else "documents")
        if "problem" in documents.columns:
            documents = documents.where("problem IS NULL")
        size = documents.count()
        kept, summary = table("collection").collect()[0], table("for_queries").collect()[0]
        common = np.sort(int64s(table("common_grams").toArrow().column("key")).view(np.uint64))
        return RunTables(
            documents.where("units > 0"),
            table("chosen_instead") if len(common) else None,
            common,
            size,
            summary["different"],
            summary["characters"],
            kept["pairs"],
            kept["compared_all"],
            summary["gram_limit"],
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
        documents: `columns.DOCUMENTS`, all of them.
        distinct: `columns.SIGNED`, of documents with words, of equal ones of the first.
        passages: The passages that documents share.
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
        keys = partial(_keys, dropped_bits(documents.count()))
        return mapped(more.select("number", "fingerprints"), keys, CHOSEN_INSTEAD)

    stages.table("chosen_instead", chosen)


def _keys(dropped: np.uint64, batches: Batches) -> Batches:
    """Rows with number and fingerprints to `CHOSEN_INSTEAD`."""
    for batch in batches:
        values, counts = unpacked(batch.column("fingerprints"), "<u8")
        numbers = np.repeat(int64s(batch.column("number")), counts)
        keys = keys_of(values, dropped).view(np.int64)
        yield pa.record_batch({"number": pa.array(numbers), "key": pa.array(keys)})


FIRST_TEXT = 1 << 62  # the number of the first text: above those of documents
WAYS = ("in_all", "in_bands", "in_shared", "in_skip_grams")


def _first_of_copies(alike: DataFrame) -> DataFrame:
    """Of documents with the same words the first, for each text."""
    first = alike.groupBy("text", "digest").agg(F.min("number").alias("number"))
    return first.select("text", "number")


TEXTS_AT_ONCE = 256
# A and B have other names in these tables.
NUMBER_COLUMNS = [name for name in list(column_types())[2:] if name != "exact_duplicate"]
COPIES_SHOWN = 1000  # there may be ten million
TEXT = "number, text, aside, units, signature, characters"
LIMITS = CellLimits()


class Answer(NamedTuple):
    """The documents that one text is like.

    Attributes:
        documents: These documents, worst first.
        ids: Their ids in the run.
        matches: Their numbers; B are indices in `documents`.
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
    copies: int = COPIES_SHOWN,
) -> Iterator[Answer]:
    """Query a finished run with texts; one answer for each, in their order.

    Args:
        session: Where the work is done.
        target: The folder of the run.
        texts: Any number; several hundred are queried at once.
        settings: Of the run.
        copies: The most documents with the same words in an answer, those that come first.

    Raises:
        ClusterError: The signatures of the run depend on all of its documents.
    """
    if settings.depends_on_all:
        raise ClusterError(
            "This run weighed words by their rarity in all documents (tf-idf). Other texts "
            "cannot be compared with its signatures: scan them together with the documents."
        )
    run = RunTables.read(session, target)
    for part in batches([len(text) for text in texts]):
        for first in range(part.start, part.stop, TEXTS_AT_ONCE):
            batch = texts[first : min(first + TEXTS_AT_ONCE, part.stop)]
            yield from _Batch(run, batch, settings, copies).answers()


class _Batch:
    """Texts that are queried at once."""

    def __init__(
        self, run: RunTables, texts: Sequence[str], settings: ScanSettings, copies: int
    ) -> None:
        self._copies = copies
        self._run = run
        self._texts = texts
        self._settings = settings
        self._signed = sign_texts(texts, settings)
        self._session = run.documents.sparkSession
        self._with_words = np.flatnonzero(self._signed.units > 0)

    def answers(self) -> Iterator[Answer]:
        """The answer for each text."""
        listed = self._with_copies(self._measured()).toArrow()
        text = int64s(listed.column("text"))
        keys = (
            listed.column(name).to_numpy() for name in ("resemblance", "longest_run", "overlap")
        )
        order = np.lexsort((int64s(listed.column("number")), *(-key for key in keys), text))
        bounds = np.searchsorted(text[order], np.arange(len(self._texts) + 1))
        for number in range(len(self._texts)):
            rows = listed.take(pa.array(order[bounds[number] : bounds[number + 1]]))
            yield self._answer(rows, number)

    def _answer(self, rows: pa.Table, text: int) -> Answer:
        columns = {name: rows.column(name).to_numpy() for name in NUMBER_COLUMNS}
        same = (digests_of(rows.column("digest")) == self._signed.digests[text]).all(axis=1)
        ways = columns["found_by"].view(np.uint8)
        columns["found_by"] = np.where(same, np.uint8(FoundBy.EXACT), ways)
        documents = [document_of_json(encoded) for encoded in rows.column("document").to_pylist()]
        matches = pairs_with_text(np.arange(len(documents)), **columns)
        of_all = int64s(rows.column("copies"))[int64s(rows.column("copy")) == 1].sum()
        ids = rows.column("id").to_pylist()
        return Answer(documents, ids, matches, int(of_all) - len(documents))

    def _measured(self) -> pa.Table:
        """The different documents that are listed for each text: a, text and numbers."""
        settings = self._settings
        texts = self._run.documents.selectExpr(*TEXT.split(", ")).unionByName(self._as_documents())
        candidates = self._candidates().persist()
        cells = placed(candidates, texts.select("number", "characters"), LIMITS).persist()
        measured = mapped(
            in_cells(cells, texts.drop("characters")), Measuring(settings, self._rule), NUMBERS
        )
        if not settings.list_passages:
            measured = measured.where(F.col("resemblance") >= settings.min_resemblance)
        rows = measured.withColumns(
            {
                "text": F.col("b") - FIRST_TEXT,
                "containment_a": F.col("containment_b"),
                "containment_b": F.col("containment_a"),
                "overlap_a": F.col("overlap_b"),
                "overlap_b": F.col("overlap_a"),
            }
        ).select("a", "text", *NUMBER_COLUMNS)
        try:
            return rows.toArrow()
        finally:
            for kept in (cells, candidates):
                kept.unpersist()

    def _candidates(self) -> DataFrame:
        """Documents x, texts y and the ways of `core.spark.evidence.listed`."""
        rows = [
            _first_of_copies(self._alike()).withColumn("way", F.lit("in_bands")),
            self._sharing().withColumn("way", F.lit("in_shared")),
        ]
        if self._run.compared_all:
            rows.append(self._every(self._with_words).withColumn("way", F.lit("in_all")))
        if self._settings.reworked != "off":
            rows += [gram.withColumn("way", F.lit("in_skip_grams")) for gram in self._by_grams()]
        ways = (F.bool_or(F.col("way") == way).alias(way) for way in WAYS)
        text = (F.col("text") + FIRST_TEXT).alias("y")
        return union(rows).groupBy(F.col("number").alias("x"), text).agg(*ways)

    def _alike(self) -> DataFrame:
        sought = KeysByOwner.signatures(self._signed, self._settings)
        sent = self._session.sparkContext.broadcast(sought)
        columns = self._run.documents.select("digest", "number", "signature")
        return mapped(columns, partial(find_alike, self._settings, sent), ALIKE)

    def _sharing(self) -> DataFrame:
        """The documents that share a passage with each text."""
        run, settings = self._run, self._settings
        keys, owners = [np.empty(0, np.uint64)], [np.empty(0, np.int64)]
        for text in self._with_words.tolist():
            grams = find_grams(shingle([self._texts[text]], settings), settings)
            keys.append(ChosenGrams(grams, run.dropped).without(run.common))
            owners.append(np.full(len(keys[-1]), text))
        sought = KeysByOwner.of(np.concatenate(keys), np.concatenate(owners))
        sent = self._session.sparkContext.broadcast(sought)
        columns = run.documents.select("digest", "number", "fingerprints")
        holders = mapped(columns, partial(find_holders, sent, run.dropped), ALIKE)
        held = _first_of_copies(holders)
        if run.chosen_instead is None:
            return held
        key_table = pa.table({"key": sought.keys.view(np.int64), "text": sought.owners})
        rows = self._session.createDataFrame(key_table)
        return held.unionByName(run.chosen_instead.join(rows, "key").select("text", "number"))

    def _every(self, texts: Int64Array) -> DataFrame:
        """All different documents with each of the texts."""
        documents = self._run.documents.groupBy("digest").agg(F.min("number").alias("number"))
        text_table = self._session.createDataFrame(pa.table({"text": pa.array(texts)}))
        return documents.select("number").crossJoin(text_table)

    def _by_grams(self) -> list[DataFrame]:
        """The documents that may share a reworked passage with each text."""
        run = self._run
        lengths = np.array([len(text) for text in self._texts], dtype=np.int64)
        most = MEASURED_ALL.get(self._settings.reworked, 0)
        all_of_them = run.different * (run.characters + lengths[self._with_words]) <= most
        frames = []
        if all_of_them.any():
            frames.append(self._every(self._with_words[all_of_them]))
        if not all_of_them.all():
            frames.append(self._sharing_grams(self._with_words[~all_of_them]))
        return frames

    def _sharing_grams(self, texts: Int64Array) -> DataFrame:
        context, grams = self._session.sparkContext, self._signed.skip_grams
        owners = np.repeat(np.arange(len(grams.counts)), grams.counts)
        is_wanted = np.isin(owners, texts)
        hashes, owners = grams.values[is_wanted] >> POSITION_BITS, owners[is_wanted]
        kept = self._run.documents.select("digest", "number", "skip_grams")
        count = partial(count_grams, context.broadcast(distinct([hashes])))
        counted = mapped(kept, count, COUNTED).groupBy("key").agg(F.sum("count").alias("count"))
        rows = counted.toArrow()
        counts, keys = int64s(rows.column("count")), int64s(rows.column("key")).view(np.uint64)
        most = max(self._run.gram_limit, self._run.size)
        common = keys[counts * (counts + 1) // 2 > most]
        # A gram that stands in a text several times is looked for once.
        order = np.lexsort((owners, hashes))
        hashes, owners = hashes[order], owners[order]
        fresh = begins_run(hashes, owners) & ~np.isin(hashes, common)
        sought = context.broadcast(KeysByOwner(hashes[fresh], owners[fresh]))
        sharers = mapped(kept, partial(find_sharers, sought), SHARERS).groupBy("text", "digest")
        first = sharers.agg(
            F.min("number").alias("number"), F.first("skip_grams").alias("skip_grams")
        )
        pairing = partial(pair_by_grams, context.broadcast(grams), self._run.different + 1)
        return mapped(side_by_side(first, ["text"], ["number"]), pairing, PAIRED)

    def _with_copies(self, measured: pa.Table) -> DataFrame:
        """The same with the first copies of each document, their columns and their number."""
        documents = self._run.documents
        rows = self._session.createDataFrame(measured)
        digests = documents.select(F.col("number").alias("a"), "digest")
        frame = rows.join(digests, "a")
        wanted = F.broadcast(frame.select("digest").distinct())
        every = documents.select("digest", "number", "id", "document")
        every = every.join(wanted, "digest", "left_semi")
        copy_number = F.row_number().over(Window.partitionBy("digest").orderBy("number"))
        first = every.withColumn("copy", copy_number).where(F.col("copy") <= self._copies)
        sizes = every.groupBy("digest").agg(F.count("number").alias("copies"))
        return frame.join(first, "digest").join(sizes, "digest")

    @cached_property
    def _rule(self) -> ReworkedRule | None:
        level, run = self._settings.reworked, self._run
        if level == "off":
            return None
        measured = WordModel.from_bytes(run.model).pairs
        all_measured = are_all_measured(level, run.different, run.characters)
        pairs = run.pairs + run.different
        bits = threshold(measured, level, all_measured=all_measured, pairs=pairs)
        return ReworkedRule(run.model, bits)

    def _as_documents(self) -> DataFrame:
        """The texts as documents whose numbers are above those of the run."""
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
        documents = self._session.createDataFrame(table)
        return documents.selectExpr("*", f"CAST(NULL AS {kind}) AS aside")
