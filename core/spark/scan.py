"""A scan on Spark, from its sources to the folder of its tables.

    documents ─▶ copies ─▶ distinct ─┬▶ bands or bits ─┐
                                     ├▶ passages ──────┼▶ candidates ─▶ listed ─▶ pairs ─▶ groups
                                     └▶ skip-grams ────┘

Every document is read, shingled and signed once. What follows shuffles hashes and numbers, until
the texts of candidates are brought together to be compared exactly: the numbers of a pair are those
of one machine. So are the pairs and groups where nothing is left out. Text that is common in very
many documents is left out by each part of the work for itself, and reported in the table
`left_out`, which may be long: texts with too many copies have a row each.

Where it costs no more than one machine allows, all pairs are compared: the texts become shingles on
all executors, and one task counts what they share, as one machine does.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, partial
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from core.base.messages import N_, nstored
from core.base.tasks import WorkerPool
from core.candidates.all_pairs import AllPairsLimits, count_shared
from core.candidates.references import pairs_of
from core.evidence.overlap import resemblance_of, sizes_of
from core.evidence.pairs import split_codes
from core.evidence.reworked_store import (
    SAMPLED_CHARACTERS,
    SAMPLED_DOCUMENTS,
    ReworkedStore,
    choose_sample,
    learn_words,
)
from core.evidence.word_model import WordModel
from core.scan.audit_results import CapKind, cap_sentence
from core.scan.measured_pairs import affordable
from core.scan.pair_list import notes_on_short_texts
from core.scan.reworked import are_all_measured, threshold
from core.settings import ScanSettings, SignatureKind
from core.spark import signatures
from core.spark.columns import (
    COLLECTION,
    Batches,
    bools,
    digests_of,
    int64s,
    packed,
    shingles_of,
    texts_of,
    unpacked,
)
from core.spark.evidence import ReworkedRule, listed, with_passages
from core.spark.file_system import Stages
from core.spark.forecast import check_budget, draw
from core.spark.groups import copies, copies_left_out, distinct, groups, spelled_out
from core.spark.manifest import RunOptions, RunResult
from core.spark.partitions import mapped, union
from core.spark.passages import SharedPassages, shared_passages
from core.spark.query import WAYS, keep_for_queries
from core.spark.reading import read
from core.spark.run import Run, started_run
from core.spark.skip_grams import SkipGramCandidates, skip_gram_candidates
from core.text.shingling import Fingerprints

MOST_SHINGLES = 1 << 28  # that one task takes: about 10 GB with derived data

SHINGLED = "other BOOLEAN, number LONG, size LONG, shingles BINARY"

# x < y; a row without them says that comparing all costs more than is allowed.
SHARING = "x LONG, y LONG, resemblance DOUBLE"


class ComparedPairs(NamedTuple):
    """Every two documents of a run compared.

    Attributes:
        sharing: `SHARING`, the pairs that share a shingle, perhaps by chance.
    """

    sharing: DataFrame

    def reaching(self, min_resemblance: float) -> DataFrame:
        """CANDIDATES: the pairs from a resemblance on."""
        return self.sharing.where(F.col("resemblance") >= min_resemblance).select("x", "y")

    def reach(self, min_resemblance: float) -> int:
        """How many there are."""
        return self.reaching(min_resemblance).count()


def affordable_pairs(
    stages: Stages, distinct: DataFrame, documents: DataFrame, settings: ScanSettings
) -> ComparedPairs | None:
    """All pairs, where that costs no more than one machine allows, else None.

    One machine also compares all where the candidates of the bands would cost more, which it
    estimates by random pairs; here only counts decide.

    Args:
        stages: Where the tables of the work are kept.
        distinct: SIGNED, of documents with words, of equal ones of the first.
        documents: DOCUMENTS, all of them.
        settings: Of the scan.

    Raises:
        TooManyCandidatesError: All pairs were requested, and they are too many.
    """
    if settings.compare == "bands":
        return None
    (shingles,) = distinct.selectExpr(
        f"coalesce(sum(greatest(units - {settings.k} + 1, 1)), 0)"
    ).collect()[0]
    reviewed = distinct.select("number", "reviewed")
    texts = documents.select("number", "text", "aside").join(reviewed, "number")

    def within(limits: AllPairsLimits) -> ComparedPairs | None:
        if shingles > MOST_SHINGLES or not limits.allow(shingles):
            return None

        def sharing() -> DataFrame:
            # Those to review come first, as on one machine.
            together = mapped(texts, partial(shingled, settings), SHINGLED).repartition(1)
            ordered = together.sortWithinPartitions("other", "number")
            return mapped(ordered, partial(shared_by_all, settings.bag, limits), SHARING)

        frame = stages.table(f"_all_pairs_{limits.pairs}", sharing)
        is_too_much = bool(frame.where("x is null").count())
        return None if is_too_much else ComparedPairs(frame)

    return affordable(settings, within, lambda: False)


def shingled(settings: ScanSettings, batches: Batches) -> Batches:
    """Documents with number, reviewed, text and aside to the rows `SHINGLED`."""
    for batch in batches:
        for rows, shingles in shingles_of(batch, settings):
            counting = shingles.counting()
            columns = {
                "other": pc.invert(rows.column("reviewed")),
                "number": rows.column("number"),
                "size": pa.array(sizes_of(shingles, bag=settings.bag)),
                "shingles": packed(counting.hashes, np.diff(counting.offsets)),
            }
            yield pa.record_batch(columns)


def shared_by_all(
    bag: bool,  # noqa: FBT001 - of a partial
    limits: AllPairsLimits,
    batches: Batches,
) -> Batches:
    """All rows `SHINGLED`, those to review first, to the rows `SHARING`."""
    rows = list(batches)
    if not rows:
        return
    table = pa.Table.from_batches(rows)
    shingles = Fingerprints(*unpacked(table.column("shingles"), "<u8"))
    to_review = int(np.count_nonzero(~bools(table.column("other"))))
    with WorkerPool() as pool:
        ends = np.cumsum(shingles.counts)
        shared = count_shared(
            shingles.values,
            ends - shingles.counts,
            ends,
            bag=bag,
            to_review=to_review,
            limits=limits,
            pool=pool,
        )
    if shared is None:
        nothing = pa.nulls(1, pa.int64())
        columns = {"x": nothing, "y": nothing, "resemblance": pa.nulls(1, pa.float64())}
    else:
        numbers, sizes = int64s(table.column("number")), int64s(table.column("size"))
        x, y = split_codes(shared.codes)
        columns = {
            "x": np.minimum(numbers[x], numbers[y]),
            "y": np.maximum(numbers[x], numbers[y]),
            "resemblance": resemblance_of(shared.shared, sizes, x, y),
        }
    yield from pa.table(columns).to_batches()


# The spans set aside in the beginning of a sampled text.
EXCLUSIONS = (
    f"transform(filter(aside, s -> s.start < {SAMPLED_CHARACTERS}), s -> named_struct("
    f"'start', s.start, 'end', least(s.end, {SAMPLED_CHARACTERS}L), 'reason', s.reason)) AS aside"
)


def folder_words(distinct: DataFrame, documents: DataFrame, settings: ScanSettings) -> WordModel:
    """The same model as `Corpus.folder_words` gives of these documents.

    The beginnings of 2,000 documents at most, 34 million characters, are brought to the driver.

    Args:
        distinct: `columns.SIGNED`, of documents with the same words the first.
        documents: `columns.DOCUMENTS`.
        settings: They decide which words count.
    """
    smallest = (
        distinct.where("characters > 0")
        .select("number", "digest", "characters")
        .orderBy("digest")
        .limit(SAMPLED_DOCUMENTS)
        .toArrow()
    )
    chosen = choose_sample(digests_of(smallest.column("digest")), int64s(smallest["characters"]))
    texts = _beginnings(documents, smallest.take(pa.array(chosen)).select(["number"]))
    with WorkerPool() as pool:
        store = ReworkedStore(settings, texts_of(texts), pool)
        words = store.beginnings(np.arange(texts.num_rows))
    characters = int64s(smallest["characters"])
    are_all = len(chosen) == len(characters) < SAMPLED_DOCUMENTS
    is_whole = are_all and int(characters.max(initial=0)) <= SAMPLED_CHARACTERS
    return learn_words(words.values, words.offsets, is_whole=is_whole)


def _beginnings(documents: DataFrame, chosen: pa.Table) -> pa.Table:
    """The beginnings of the texts with these numbers, in this order."""
    session = documents.sparkSession
    texts = (
        documents.selectExpr(
            "number", f"substring(text, 1, {SAMPLED_CHARACTERS}) AS text", EXCLUSIONS
        )
        .join(F.broadcast(session.createDataFrame(chosen)), "number")
        .toArrow()
    )
    rows = np.argsort(int64s(texts.column("number")))
    wanted = int64s(chosen.column("number"))
    return texts.take(pa.array(rows[np.searchsorted(int64s(texts["number"])[rows], wanted)]))


def reworked_threshold(model: WordModel, distinct: DataFrame, settings: ScanSettings) -> float:
    """The bits from which on a pair is listed for its strongest reworked passage.

    Args:
        model: Of these documents.
        distinct: `columns.SIGNED`, of documents with the same words the first.
        settings: Say how much is to be listed; they look for reworked passages.
    """
    documents, reviewed, characters = distinct.selectExpr(
        "count(*)", "count_if(reviewed)", "coalesce(sum(characters), 0)"
    ).collect()[0]
    # So many that more of them change nothing, and that the number fits.
    pairs = pairs_of(*np.minimum([[reviewed], [documents]], 1 << 30))
    all_measured = are_all_measured(settings.reworked, documents, characters)
    return threshold(model.pairs, settings.reworked, all_measured=all_measured, pairs=int(pairs[0]))


# Notes are in the order of `place`, the index of the kind, and then of `document`.
CAPS = "place INT, kind STRING, size LONG, document LONG"
LEFT_OUT = f"{CAPS}, id STRING, sentence STRING"
# By kind, in their order; some say it in other words than on one machine.
MESSAGES = {
    "common": CapKind.COMMON.value,
    "wording": CapKind.WORDING.value,
    "uncompared": "",  # is about pairs, see `_sentence`
    "copies": CapKind.COPIES.value,
    "crowd": N_(
        "{size} documents have text in common with over {most_pairs} others; for that, each was "
        "compared with one of them only: {name}"
    ),
    "alike": CapKind.ALIKE.value,
}


def left_out(caps: Mapping[str, DataFrame]) -> DataFrame:
    """The left out documents by kind, `CAPS`, of tables with size LONG and document LONG."""
    return union(
        caps[kind].select(
            F.lit(index).alias("place"),
            F.lit(kind).alias("kind"),
            F.col("size").cast("long").alias("size"),
            F.col("document").cast("long").alias("document"),
        )
        for index, kind in enumerate(MESSAGES)
        if kind in caps
    )


def in_words(method: str, batches: Batches) -> Batches:
    """`CAPS` with the ids of their documents to `LEFT_OUT`."""
    for batch in batches:
        sentences = [
            _sentence(row["kind"], row["size"], row["id"], method) for row in batch.to_pylist()
        ]
        yield batch.append_column("sentence", pa.array(sentences, pa.string()))


def _sentence(kind: str, size: int, name: str, method: str) -> str:
    if kind == "uncompared":
        return nstored(
            "{n} pair of documents with some wording in common was not looked at for reworked "
            "passages: there are too many, and others have more of it in common",
            "{n} pairs of documents with some wording in common were not looked at for reworked "
            "passages: there are too many, and others have more of it in common",
            size,
        )
    return cap_sentence(MESSAGES[kind], size, name, method)


def sentences_of(left_out: DataFrame) -> list[str]:
    """The notes on what is left out, of `LEFT_OUT`."""
    table = left_out.orderBy("place", "document").select("sentence").toArrow()
    sentences: list[str] = table.column("sentence").to_pylist()
    return sentences


def sentences_on_length(documents: DataFrame, settings: ScanSettings) -> list[str]:
    """Notes on pairs that cannot be found because there is too little text."""
    is_short = (F.col("units") > 0) & (F.col("units") < settings.k)
    row = documents.select(
        F.count("number").alias("count"), F.count_if(is_short).alias("short")
    ).first()
    return notes_on_short_texts(row["count"], row["short"], settings) if row else []


LARGEST_LONG = 2**63 - 1


def joined(parts: Mapping[str, DataFrame]) -> DataFrame:
    """Pairs from several searches, each once, with a column for each search that found it.

    Args:
        parts: `columns.CANDIDATES` by the name in `WAYS`; pairs of copies by any other.
    """
    rows = union(
        pairs.select("x", "y", *(F.lit(name == way).alias(way) for way in WAYS))
        for name, pairs in parts.items()
    )
    return rows.groupBy("x", "y").agg(*(F.bool_or(way).alias(way) for way in WAYS))


class Flow:
    """The tables of one scan, each made when it is first needed.

    Attributes:
        documents: `columns.DOCUMENTS`.
    """

    def __init__(
        self,
        stages: Stages,
        documents: DataFrame,
        settings: ScanSettings,
        budget: int | None = None,
    ) -> None:
        """Begin with `columns.DOCUMENTS`; see `RunOptions.budget`."""
        self.documents = documents
        self._budget = budget
        self._stages = stages
        self._settings = settings

    @cached_property
    def copies(self) -> DataFrame:
        """`columns.COPIES`."""
        return self._stages.table("copies", partial(copies, self.documents))

    @cached_property
    def distinct(self) -> DataFrame:
        """`columns.SIGNED`, of documents with the same words the first."""

        def make() -> DataFrame:
            more = signatures.TEXTS if self._settings.depends_on_all else ()
            rows = distinct(self.documents, self.copies, more)
            return signatures.with_rarity(self._stages, rows, self.documents, self._settings)

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
        """`columns.CANDIDATES` with the ways that led to each pair, and copies with themselves."""
        return self._stages.table("_candidates", lambda: joined(dict(self._searched())))

    @cached_property
    def listed(self) -> DataFrame:
        """`columns.NUMBERS`, of different documents, and of each with itself that has copies."""

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
        """`columns.LISTED`, of all documents."""
        spelled = self._stages.table("_spelled_out", lambda: spelled_out(self.listed, self.copies))

        def make() -> DataFrame:
            model = None if self._settings.reworked == "off" else self._words
            return with_passages(
                self._stages, spelled, self.documents, self.copies, self._settings, model
            )

        return self._stages.table("pairs", make)

    @cached_property
    def groups(self) -> DataFrame:
        """See `core.spark.groups`."""

        def make() -> DataFrame:
            return groups(self._stages, self.pairs, self.documents, self._settings)

        return self._stages.table("groups", make)

    @cached_property
    def left_out(self) -> DataFrame:
        """The notes on what the list leaves out: `core.spark.scan.LEFT_OUT`."""
        # Written down first: then Spark knows whether they are few, and moves no names for them.
        caps = self._stages.table("_left_out", lambda: left_out(dict(self._caps())))
        names = self.documents.selectExpr("number AS document", "id")
        named = caps.join(names, "document", "left").select(
            "place", "kind", "size", "document", "id"
        )
        words = partial(in_words, self._settings.method.called)
        return self._stages.table("left_out", lambda: mapped(named, words, LEFT_OUT))

    @property
    def notes(self) -> list[str]:
        """The sentences above the list, as one machine has them."""
        on_length = sentences_on_length(self.documents, self._settings)
        return [*on_length, *sentences_of(self.left_out)]

    def keep(self) -> None:
        """Write the values that only all documents together give: for reviews, and for queries."""
        limit = 0 if self.skip_grams is None else self.skip_grams.limit
        keep_for_queries(self._stages, self.documents, self.distinct, self.passages, limit)
        self._stages.table("collection", self._collection)

    def _collection(self) -> DataFrame:
        """`columns.COLLECTION`."""
        (row,) = self.distinct.selectExpr("count_if(reviewed)", "count(*)").collect()
        reviewed, different = row
        pairs = min(reviewed * (2 * different - reviewed - 1) // 2, LARGEST_LONG)
        model = b"" if self._settings.reworked == "off" else self._words
        rows = [(pairs, self.every is not None, bytearray(model))]
        return self._stages.session.createDataFrame(rows, COLLECTION)

    def _searched(self) -> Iterator[tuple[str, DataFrame]]:
        """The pairs of each search."""
        if self.every is not None:
            yield "in_all", self.every.reaching(self._settings.min_resemblance)
        else:
            check_budget(draw(self.distinct, self._settings), self._settings, self._budget)
            yield "in_bands", self._by_signatures.pairs
        yield "in_shared", self.passages.pairs
        if self.skip_grams is not None:
            yield "in_skip_grams", self.skip_grams.pairs
        later_copies = self.copies.where("number != representative")
        yield "copies", later_copies.selectExpr("representative AS x", "representative AS y")

    @cached_property
    def _by_signatures(self) -> signatures.SignatureCandidates:
        in_bands = self._settings.method.kind is SignatureKind.BANDS
        search = signatures.band_candidates if in_bands else signatures.bit_candidates
        return search(self._stages, self.distinct, self._settings)

    @cached_property
    def _words(self) -> bytes:
        """The model of the words of the documents, kept for queries."""

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

    def _caps(self) -> Iterator[tuple[str, DataFrame]]:
        """The left out documents by kind in `MESSAGES`."""
        yield "copies", copies_left_out(self.copies)
        if self.passages.common is not None:
            yield "common", self.passages.common
        grams = self.skip_grams
        if grams is not None and grams.common is not None:
            yield "wording", grams.common
        if grams is not None and grams.left_out:
            row = [(grams.left_out, None)]
            frame = self._stages.session.createDataFrame(row, "size LONG, document LONG")
            yield "uncompared", frame
        if self.every is None:
            in_bands = self._settings.method.kind is SignatureKind.BANDS
            yield "crowd" if in_bands else "alike", self._by_signatures.large_buckets


USUAL = RunOptions()


def scan(
    session: SparkSession,
    sources: Sequence[str],
    target: str,
    settings: ScanSettings,
    options: RunOptions = USUAL,
) -> RunResult:
    """Find the pairs of the documents in sources and write them into a folder.

    Args:
        session: Where to work; `core.spark.session.start` makes one.
        sources: Folders of files or tables, as Spark names them.
        target: The folder, as Spark names it: new, or that of a run to go on with.
        settings: Those of a scan on one machine.
        options: How sources are read and the run is done.

    Raises:
        ClusterError: The cluster, a source or the target cannot be used.
        SettingsError: The settings need what is not done on a cluster.
        TooManyCandidatesError: More pairs would be measured than the budget allows.
    """
    with started_run(session, sources, target, settings, options) as run:
        if run.result is not None:
            return run.result
        result = _result(run, sources, settings, options)
        run.finish(result)
        return result


def _result(
    run: Run, sources: Sequence[str], settings: ScanSettings, options: RunOptions
) -> RunResult:
    """Make the missing tables."""
    stages = run.stages
    inputs = read(stages.session, stages, sources, settings, options)
    flow = Flow(stages, inputs.documents, settings, options.budget)
    problems = stages.table("problems", lambda: inputs.problems)
    result = RunResult(
        documents=flow.documents.count(),
        pairs=flow.pairs.count(),
        groups=flow.groups.select("centre").distinct().count(),
        problems=problems.count(),
        notes=(*inputs.notes, *flow.notes),
    )
    flow.keep()
    return result
