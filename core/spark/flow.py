"""The stages of a scan on Spark: those of one machine, each a table.

    documents ─▶ copies ─▶ distinct ─┬▶ bands or bits ─┐
                                     ├▶ passages ──────┼▶ candidates ─▶ listed ─▶ pairs ─▶ groups
                                     └▶ skip-grams ────┘

Every document is read, shingled and signed once. What follows shuffles hashes and numbers, until
the texts of candidates are brought together to be compared exactly. Pairs, numbers and notes are
those of `neardup scan` on the same documents, whatever the number of partitions.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property, partial
from typing import TYPE_CHECKING

from core.evidence.word_model import WordModel
from core.scan.caps import Cap, CapKind
from core.settings import ScanSettings
from core.settings.signature_methods import SignatureKind
from core.spark.all_pairs import ComparedPairs, affordable_pairs
from core.spark.bands import BandCandidates, band_candidates
from core.spark.bits import BitCandidates, bit_candidates, leader_cap
from core.spark.copies import copies, distinct
from core.spark.crowds import crowd_cap
from core.spark.evidence import listed
from core.spark.forecast import check_budget, draw
from core.spark.groups import groups
from core.spark.left_out import caps_table, left_out, sentences_of, sentences_on_length
from core.spark.numbers import ReworkedRule
from core.spark.pair_passages import with_passages
from core.spark.passages import SharedPassages, shared_passages
from core.spark.query_tables import keep_for_queries
from core.spark.rarity import TEXTS, with_rarity
from core.spark.schemas import COLLECTION
from core.spark.skip_gram_pairs import SkipGramCandidates, skip_gram_candidates
from core.spark.spelled_out import copies_left_out, spelled_out
from core.spark.stages import Stages
from core.spark.word_model import folder_words, reworked_threshold

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

LARGEST_LONG = 2**63 - 1
WAYS = ("in_all", "in_bands", "in_shared", "in_skip_grams")


def joined(parts: Mapping[str, DataFrame]) -> DataFrame:
    """Pairs from several searches, each once, with a column for each search that found it.

    Args:
        parts: `schemas.CANDIDATES` by the name in `WAYS`; pairs of copies by any other.
    """
    from pyspark.sql import functions as F

    rows: DataFrame | None = None
    for name, pairs in parts.items():
        found = pairs.select("x", "y", *(F.lit(name == way).alias(way) for way in WAYS))
        rows = found if rows is None else rows.unionAll(found)
    if rows is None:
        raise ValueError("No search has looked for pairs.")
    return rows.groupBy("x", "y").agg(*(F.bool_or(way).alias(way) for way in WAYS))


class Flow:
    """The tables of one scan, each made when it is first asked for.

    Attributes:
        documents: `schemas.DOCUMENTS`.
    """

    def __init__(
        self,
        stages: Stages,
        documents: DataFrame,
        settings: ScanSettings,
        budget: int | None = None,
    ) -> None:
        """Begin with `schemas.DOCUMENTS`; see `RunOptions.budget`."""
        self.documents = documents
        self._budget = budget
        self._stages = stages
        self._settings = settings

    @cached_property
    def copies(self) -> DataFrame:
        """`schemas.COPIES`."""
        return self._stages.table("copies", partial(copies, self.documents))

    @cached_property
    def distinct(self) -> DataFrame:
        """`schemas.SIGNED`, of documents with the same words the first."""

        def make() -> DataFrame:
            more = TEXTS if self._settings.depends_on_all else ()
            rows = distinct(self.documents, self.copies, more)
            return with_rarity(self._stages, rows, self.documents, self._settings)

        return self._stages.table("_distinct", make)

    @cached_property
    def every(self) -> ComparedPairs | None:
        """All pairs, where they are compared; None where a search finds candidates."""
        return affordable_pairs(self._stages, self.distinct, self.documents, self._settings)

    @cached_property
    def passages(self) -> SharedPassages:
        """The pairs that share a passage."""
        return shared_passages(self._stages, self.distinct, self.documents, self._settings)

    @cached_property
    def skip_grams(self) -> SkipGramCandidates | None:
        """The pairs that may share a reworked passage; None where none is looked for."""
        if self._settings.reworked == "off":
            return None
        return skip_gram_candidates(self._stages, self.distinct, self.documents, self._settings)

    @cached_property
    def candidates(self) -> DataFrame:
        """`schemas.CANDIDATES` with the ways that led to each pair, and copies with themselves."""
        return self._stages.table("_candidates", lambda: joined(dict(self._searched())))

    @cached_property
    def listed(self) -> DataFrame:
        """`schemas.NUMBERS`, of different documents, and of each with itself that has copies."""

        def make() -> DataFrame:
            return listed(
                self._stages,
                self.candidates,
                self.documents,
                self.distinct,
                self._settings,
                self._reworked_rule(),
            )

        return self._stages.table("_listed", make)

    @cached_property
    def pairs(self) -> DataFrame:
        """`schemas.LISTED`, of all documents."""
        spelled = self._stages.table("_spelled_out", lambda: spelled_out(self.listed, self.copies))

        def make() -> DataFrame:
            model = None if self._settings.reworked == "off" else self._words
            return with_passages(self._stages, spelled, self.documents, self._settings, model)

        return self._stages.table("pairs", make)

    @cached_property
    def groups(self) -> DataFrame:
        """See `core.spark.groups`."""

        def make() -> DataFrame:
            return groups(self._stages, self.pairs, self.documents, self._settings)

        return self._stages.table("groups", make)

    @cached_property
    def left_out(self) -> DataFrame:
        """What the list leaves out: `core.spark.left_out.LEFT_OUT`."""
        session = self._stages.session

        def make() -> DataFrame:
            return caps_table(session, list(self._caps()), copies_left_out(self.copies))

        # Written down first: then Spark knows whether they are few, and moves no names for them.
        caps = self._stages.table("_left_out", make)
        return self._stages.table("left_out", lambda: left_out(self.documents, caps))

    @property
    def notes(self) -> list[str]:
        """The sentences above the list, as one machine has them."""
        on_length = sentences_on_length(self.documents, self._settings)
        return [*on_length, *sentences_of(self.left_out)]

    def keep(self) -> None:
        """Write what only all documents together tell: for reviews, and to ask about texts."""
        limit = 0 if self.skip_grams is None else self.skip_grams.limit
        keep_for_queries(self._stages, self.documents, self.distinct, self.passages, limit)
        self._stages.table("collection", self._collection)

    def _collection(self) -> DataFrame:
        """`schemas.COLLECTION`."""
        (row,) = self.distinct.selectExpr("count_if(reviewed)", "count(*)").collect()
        reviewed, different = row
        pairs = min(reviewed * (2 * different - reviewed - 1) // 2, LARGEST_LONG)
        model = b"" if self._settings.reworked == "off" else self._words
        told = [(pairs, self.every is not None, bytearray(model))]
        return self._stages.session.createDataFrame(told, COLLECTION)

    def _searched(self) -> Iterator[tuple[str, DataFrame]]:
        """What each search has found."""
        if self.every is not None:
            yield "in_all", self.every.reaching(self._settings.min_resemblance)
        else:
            check_budget(draw(self.distinct, self._settings), self._settings, self._budget)
            in_bands = self._settings.method.kind is SignatureKind.BANDS
            yield "in_bands", self._in_bands.pairs if in_bands else self._in_bits.pairs
        yield "in_shared", self.passages.pairs
        if self.skip_grams is not None:
            yield "in_skip_grams", self.skip_grams.pairs
        others = self.copies.where("number != representative")
        yield "copies", others.selectExpr("representative AS x", "representative AS y")

    @cached_property
    def _in_bands(self) -> BandCandidates:
        return band_candidates(self._stages, self.distinct, self._settings)

    @cached_property
    def _in_bits(self) -> BitCandidates:
        return bit_candidates(self._stages, self.distinct, self._settings)

    @cached_property
    def _words(self) -> bytes:
        """What the words of the documents tell, kept for who asks about other texts."""

        def make() -> DataFrame:
            model = folder_words(self.distinct, self.documents, self._settings)
            return self._stages.session.createDataFrame([(model.to_bytes(),)], "model BINARY")

        row = self._stages.table("words", make).collect()[0]
        return bytes(row.model)

    def _reworked_rule(self) -> ReworkedRule | None:
        if self._settings.reworked == "off":
            return None
        model = WordModel.from_bytes(self._words)
        return ReworkedRule(self._words, reworked_threshold(model, self.distinct, self._settings))

    def _caps(self) -> Iterator[Cap]:
        """What is left out for other reasons than copies."""
        common = self.passages.common
        if common.documents:
            yield Cap(CapKind.COMMON, common.documents, common.first)
        if self.skip_grams is not None:
            wording = self.skip_grams.common
            if wording.grams and wording.document >= 0:
                yield Cap(CapKind.WORDING, wording.documents, wording.document)
        if self.every is not None:
            return
        if self._settings.method.kind is SignatureKind.BANDS:
            crowds = self._in_bands.crowds
            crowd = None if crowds is None else crowd_cap(crowds, self._settings)
        else:
            crowd = leader_cap(self._in_bits.crowds, self._settings)
        if crowd is not None:
            yield crowd
