"""What a finished run keeps so that other texts can be asked about, and what is read of it.

The documents of a run that some texts may be like: looks at what is kept of each document.

The texts are few: what is looked for goes to every part of the table of documents. A document with
many copies is found as often; what is found goes by digest, and the first number stands for all.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pyarrow as pa

from core.base.arrays import Int64Array, UInt32Array, UInt64Array
from core.base.wording import printable_name
from core.candidates.bands import band_hashes
from core.candidates.hamming import QueryTables
from core.candidates.reworked import pair_by_skip_grams
from core.candidates.shared_fingerprints import keys_of
from core.candidates.sorted_keys import distinct, members
from core.errors import ClusterError
from core.settings import ScanSettings, SignatureKind
from core.signatures.methods import join_halves
from core.signatures.signing import SignedTexts
from core.signatures.skip_grams import PLACE_BITS
from core.spark.columns import int64s, unpacked
from core.spark.file_system import Folder, Stages
from core.spark.partitions import mapped, whole_runs
from core.spark.passages import SharedPassages, dropped_bits
from core.text.shingling import Fingerprints

if TYPE_CHECKING:
    from pyspark import Broadcast
    from pyspark.sql import DataFrame, SparkSession

ALIKE = "text LONG, digest BINARY, number LONG"
HOLDERS = "key LONG, digest BINARY, number LONG"
COUNTED = "key LONG, count LONG"
SHARERS = "text LONG, digest BINARY, number LONG, skip_grams BINARY"
PAIRED = "text LONG, number LONG"
FEWEST_GRAMS = 3  # that a candidate shares with a text, as in `core.scan.query`


class Sought(NamedTuple):
    """Keys, and what each of them belongs to.

    Attributes:
        keys: uint64, ascending; one may be there several times.
        owners: int64, the text of each.
    """

    keys: UInt64Array
    owners: Int64Array

    @staticmethod
    def of(keys: UInt64Array, owners: Int64Array) -> Sought:
        """Keys in any order."""
        order = np.argsort(keys, kind="stable")
        return Sought(keys[order], owners[order])

    def met(self, keys: UInt64Array) -> tuple[Int64Array, Int64Array]:
        """Places among some keys and the texts with the same: every two of them."""
        begin = np.searchsorted(self.keys, keys)
        counts = np.searchsorted(self.keys, keys, side="right") - begin
        rows = np.repeat(np.arange(len(keys)), counts)
        nth = np.arange(len(rows)) - np.repeat(np.cumsum(counts) - counts, counts)
        return rows, self.owners[begin[rows] + nth]

    @staticmethod
    def signatures(signed: SignedTexts, settings: ScanSettings) -> Sought:
        """Hashes of bands, or fingerprints of 64 bits, of the texts with words."""
        texts = np.flatnonzero(signed.units > 0)
        if settings.method.kind is SignatureKind.BITS:
            return Sought.of(join_halves(signed.signatures[texts]), texts)
        hashes = _all_bands(signed.signatures[texts], settings)
        return Sought.of(hashes, np.repeat(texts, settings.bands))


@dataclass(frozen=True)
class FindAlike:
    """Rows of DOCUMENTS to the texts whose signatures meet theirs: `ALIKE`."""

    settings: ScanSettings
    wanted: Broadcast[Sought]

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Of a partition."""
        sought, bits = self.wanted.value, self.settings.method.kind is SignatureKind.BITS
        distance = self.settings.max_distance
        tables = QueryTables(distinct([sought.keys]), distance) if bits else None
        for batch in batches:
            values, _ = unpacked(batch.column("signature"), "<u4")
            signatures = values.reshape(-1, self.settings.signature_width)
            if tables:
                near = tables.near(join_halves(signatures))
                places, texts = sought.met(near.queries)
                rows = near.rows[places]
            else:
                rows, texts = self._in_bands(signatures, sought)
            yield pa.record_batch({"text": pa.array(texts), **_columns(batch, rows)})

    def _in_bands(self, signatures: UInt32Array, sought: Sought) -> tuple[Int64Array, Int64Array]:
        """Rows and texts that have the hash of a band in common, each two once."""
        bands = self.settings.bands
        places, texts = sought.met(_all_bands(signatures, self.settings))
        width = int(texts.max(initial=0)) + 1
        pairs = distinct([(places // bands * width + texts).view(np.uint64)]).view(np.int64)
        return pairs // width, pairs % width


@dataclass(frozen=True)
class FindHolders:
    """Rows of DOCUMENTS to who holds some keys of passages: `HOLDERS`."""

    keys: Broadcast[UInt64Array]
    dropped: np.uint64

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Of a partition."""
        for batch in batches:
            values, counts = unpacked(batch.column("fingerprints"), "<u8")
            keys = keys_of(values, self.dropped)
            held = members(self.keys.value, keys)
            rows = np.repeat(np.arange(len(counts)), counts)[held]
            key = pa.array(keys[held].view(np.int64))
            yield pa.record_batch({"key": key, **_columns(batch, rows)})


@dataclass(frozen=True)
class CountGrams:
    """Rows of DOCUMENTS to how often some skip-grams stand in them: `COUNTED`."""

    grams: Broadcast[UInt64Array]

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Of a partition."""
        grams = self.grams.value
        counts = np.zeros(len(grams), dtype=np.int64)
        for batch in batches:
            own, _ = unpacked(batch.column("skip_grams"), "<u8")
            hashes = own >> PLACE_BITS
            places = np.searchsorted(grams, hashes[members(grams, hashes)])
            counts += np.bincount(places, minlength=len(grams))
        some = np.flatnonzero(counts)
        key = pa.array(grams[some].view(np.int64))
        yield pa.record_batch({"key": key, "count": pa.array(counts[some])})


@dataclass(frozen=True)
class FindSharers:
    """Rows of DOCUMENTS to those that share several skip-grams with a text: `SHARERS`."""

    wanted: Broadcast[Sought]

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Of a partition."""
        sought = self.wanted.value
        texts = int(sought.owners.max(initial=0)) + 1
        for batch in batches:
            grams, counts = unpacked(batch.column("skip_grams"), "<u8")
            rows = np.repeat(np.arange(len(counts)), counts)
            places, owners = sought.met(grams >> PLACE_BITS)
            shared = np.bincount(rows[places] * texts + owners, minlength=len(counts) * texts)
            enough = np.flatnonzero(shared >= FEWEST_GRAMS)
            own = _columns(batch, enough // texts, "skip_grams")
            yield pa.record_batch({"text": pa.array(enough % texts), **own})


@dataclass(frozen=True)
class PairByGrams:
    """A partition of `SHARERS`, sorted by text and number, to those that may share a passage.

    Attributes:
        own: The skip-grams of the texts.
        among: How many documents the rarity of a gram is seen by.
    """

    own: Broadcast[Fingerprints]
    among: int

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """As `core.scan.query` asks, text by text."""
        for table in whole_runs(batches, ["text"], 1):
            texts = int64s(table.column("text"))
            for text in distinct([texts.view(np.uint64)]).view(np.int64).tolist():
                rows = table.filter(pa.array(texts == text))
                number = int64s(rows.column("number"))[self._paired(rows, text)]
                of = np.full(len(number), text, dtype=np.int64)
                yield pa.record_batch({"text": pa.array(of), "number": pa.array(number)})

    def _paired(self, rows: pa.Table, text: int) -> Int64Array:
        """The rows that are paired with a text, which comes last."""
        grams = Fingerprints(*unpacked(rows.column("skip_grams"), "<u8"))
        grams = Fingerprints.join([grams, self.own.value.take(np.array([text]))])
        everyone = np.ones(len(grams.counts), dtype=np.bool_)
        only_text = np.zeros(len(grams.counts), dtype=np.bool_)
        only_text[-1] = True
        codes = pair_by_skip_grams(grams, everyone, only_text, among=self.among).codes
        return (codes >> np.uint64(32)).astype(np.int64)


def _all_bands(signatures: UInt32Array, settings: ScanSettings) -> UInt64Array:
    """The hashes of all bands of one row after the other."""
    bands = range(settings.bands)
    hashes = [band_hashes(signatures, band, settings.rows) for band in bands]
    return np.stack(hashes, axis=1).reshape(-1)


def _columns(batch: pa.RecordBatch, rows: Int64Array, *more: str) -> dict[str, pa.Array]:
    """What tells some rows of a batch apart, and more of them."""
    names = ["digest", "number", *more]
    own = batch.select(names).take(pa.array(rows))
    return {name: own.column(name) for name in names}


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
