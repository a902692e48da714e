"""Which documents of a run are compared with some texts, and what leads to each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from core.base.arrays import Int64Array, UInt64Array
from core.candidates.rewinnowing import ChosenGrams
from core.candidates.sorted_keys import distinct
from core.scan.reworked import MEASURED_ALL
from core.settings import ScanSettings
from core.signatures.grams import find_grams
from core.signatures.signing import SignedTexts
from core.signatures.skip_grams import PLACE_BITS
from core.spark.columns import digest_column, int64s, texts_of
from core.spark.partitions import mapped, side_by_side
from core.spark.query_lookup import (
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
    Sought,
)
from core.spark.query_passages import SharingText, sharing
from core.spark.query_tables import RunTables
from core.text.shingling import shingle

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

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
