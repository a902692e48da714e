"""Pairs of documents that share a passage, as `core.candidates.rewinnowing` finds them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from core.base.arrays import UInt64Array
from core.candidates.shared_fingerprints import FEWEST_BITS
from core.candidates.sorted_keys import distinct as different
from core.candidates.sorted_keys import members
from core.errors import ClusterError
from core.settings import ScanSettings
from core.spark.columns import int64s
from core.spark.fingerprint_runs import HELD, KnownKeys, Spread, common_of, paired
from core.spark.partitions import mapped
from core.spark.rewinnowing import CHOSEN, READ, Choose, CountHolders
from core.spark.stages import Stages
from core.spark.windows import Around, common_in_windows

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

COMMON_AT_MOST = 1 << 25  # keys; every Python process of the cluster holds them: 256 MB


class CommonText(NamedTuple):
    """How many documents hold text that is too common to pair them, and the first; -1 for none."""

    documents: int
    first: int


class SharedPassages(NamedTuple):
    """What the documents of a run share.

    Attributes:
        pairs: CANDIDATES, of documents that share a fingerprint which is not common.
        common: Who holds common text.
        avoided: uint64, ascending: the keys of all grams that are common.
        more: number LONG, reviewed BOOLEAN, fingerprints BINARY: those chosen instead by documents
            with common text; None where there is none.
    """

    pairs: DataFrame
    common: CommonText
    avoided: UInt64Array
    more: DataFrame | None


def dropped_bits(documents: int) -> np.uint64:
    """How many low bits of a hash are not compared: as many as on one machine.

    Of more documents than one machine pairs with the same bits, all are compared.
    """
    return np.uint64(FEWEST_BITS if documents <= 1 << FEWEST_BITS else 0)


def shared_passages(
    stages: Stages, distinct: DataFrame, documents: DataFrame, settings: ScanSettings
) -> SharedPassages:
    """The pairs of documents that share a passage.

    Args:
        stages: Where the tables of the work are kept.
        distinct: SIGNED, of documents with words, of equal ones of the first.
        documents: DOCUMENTS, all of them.
        settings: Of the scan.

    Raises:
        ClusterError: More grams are common than the processes of a cluster can hold.
    """
    search = _Search(stages, distinct, documents, settings)
    while (fresh := search.add(search.pair())) is not None:
        while fresh is not None:
            search.add(search.look_around(fresh))
            fresh = search.add(search.choose())
    return search.result()


class _Search:
    """Rounds of pairing and of choosing again, until nothing that was chosen is common."""

    def __init__(
        self, stages: Stages, distinct: DataFrame, documents: DataFrame, settings: ScanSettings
    ) -> None:
        self._stages = stages
        self._distinct = distinct.select("number", "digest", "reviewed", "fingerprints")
        self._documents = documents.where("units > 0").select(*READ)
        self._settings = settings
        self._dropped = dropped_bits(documents.count())
        self._avoided = self._known(np.empty(0, dtype=np.uint64))
        self._more: DataFrame | None = None
        self._paired = distinct
        self._round = 0

    def add(self, common: DataFrame) -> UInt64Array | None:
        """Choose some common keys no more; those of them that are new, or None."""
        keys = int64s(common.toArrow().column(0)).view(np.uint64)
        known = self._avoided.value
        fresh = different([keys[~members(known, keys)]])
        if not len(fresh):
            return None
        self._avoided = self._known(different([known, fresh]))
        return fresh

    def pair(self) -> DataFrame:
        """Pair the documents by what they have chosen so far; the keys that are common."""
        self._paired = self._stages.table(f"_passages_{self._round}", self._pair)
        return self._paired.where("common is not null").select("common").distinct()

    def look_around(self, fresh: UInt64Array) -> DataFrame:
        """What is common in windows with these common grams, as some documents tell."""
        self._round += 1
        around = Around(self._settings, self._dropped, self._avoided, self._known(fresh))
        return self._stages.table(
            f"_common_around_{self._round}", lambda: common_in_windows(self._documents, around)
        )

    def choose(self) -> DataFrame:
        """Let documents with common text choose again; the keys that are common now."""
        self._more = more = self._stages.table(f"_rewinnowed_{self._round}", self._choose)
        held = self._held(more)
        return self._stages.table(f"_common_{self._round}", lambda: common_of(held))

    def result(self) -> SharedPassages:
        """What was found, when nothing that was chosen is common."""
        pairs = self._paired.where("common is null").select("x", "y").distinct()
        return SharedPassages(pairs, self._holders(), self._avoided.value, self._more)

    def _pair(self) -> DataFrame:
        held = self._held(self._distinct)
        return paired(held if self._more is None else held.union(self._held(self._more)))

    def _choose(self) -> DataFrame:
        choose = Choose(self._settings, self._dropped, self._avoided)
        chosen = mapped(self._documents, choose, CHOSEN).dropDuplicates(["digest"])
        own = self._distinct.select("number", "digest", "reviewed")
        return own.join(chosen, "digest").drop("digest")

    def _held(self, chosen: DataFrame) -> DataFrame:
        columns = chosen.select("number", "reviewed", "fingerprints")
        return mapped(columns, Spread(self._dropped, self._avoided), HELD)

    def _holders(self) -> CommonText:
        if not len(self._avoided.value):
            return CommonText(0, -1)
        count = CountHolders(self._dropped, self._avoided)
        columns = self._distinct.select("number", "fingerprints")
        counted = mapped(columns, count, "documents LONG, first LONG")
        (row,) = counted.selectExpr("sum(documents)", "min(first)").collect()
        return CommonText(row[0], row[1])

    def _known(self, keys: UInt64Array) -> KnownKeys:
        """Keys that all tasks know."""
        if len(keys) > COMMON_AT_MOST:
            raise ClusterError(
                f"More than {COMMON_AT_MOST:,} different runs of words stand in over 100 documents "
                "each: too many to look beside all of them. Set aside what is common, or scan "
                "parts of the documents."
            )
        return self._stages.session.sparkContext.broadcast(keys)
