"""The exact evidence of candidates: which pairs are listed, their numbers and their passages.

Pairs and the texts of both documents are brought together and compared. The rule is that of
`core.scan.lister`, applied pair by pair: the ways that lead to a pair are known for every
candidate, and the numbers that decide between them are measured here.

A pair goes to its home: the first document that its first one is a candidate with. So documents
that are all alike have one home, and each of their texts is sent once. A home with too much text
is cut into a grid by the hashes of x and y, one with too much work into more parts by y: a document
that is a candidate with a million others is sent to each part of them, and no part takes long.
Where pairs are compared does not change their numbers.

The reworked passages of all listed pairs may take longer than all else. Where the texts of all
candidates together are more than one machine would look at, each part of the work measures those
of its most alike pairs, in proportion; those of the rest stay unknown.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, fields
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from core.base.arrays import AnyArray, BoolArray, Int64Array, UInt8Array, begins_run
from core.base.tasks import WorkerPool
from core.candidates.search import CandidateSearch, search_for
from core.evidence.measures import PASSAGE_COLUMNS
from core.evidence.pairs import FoundBy, Pairs, least_ways, ways_of_shared
from core.evidence.passages import PairText, find_shared
from core.evidence.word_model import WordModel
from core.scan.corpus import Corpus
from core.scan.lister import Verifier
from core.scan.reworked import MEASURED_WORDS, numbers_of_copies, with_numbers
from core.settings import ScanSettings
from core.signatures.signing import SignedTexts
from core.spark.columns import NUMBERS, PASSAGES, Batches, bools, int64s, texts_of, unpacked
from core.spark.file_system import Stages
from core.spark.partitions import mapped, side_by_side, whole_runs
from core.text.shingling import Fingerprints
from core.text.store import TextStore
from core.text.word_counts import are_passages

BROADCAST_PAIRS = 1 << 20  # pairs: 100 MB at most in the memory of each machine
BROADCAST_NAMES = 1 << 22  # documents: 250 MB


class CellLimits(NamedTuple):
    """How much a cell holds, in characters.

    Attributes:
        text: Of the texts of a cell, unless those of a single pair are longer: with derived
            data about 600 MB of memory.
        work: Of both texts of all pairs. The longer one counts as the shorter one, unless
            `rereads`.
        rereads: Whether a long text is read again for each of its pairs.
    """

    text: int = 1 << 24
    work: int = 1 << 28
    rereads: bool = False


class Cell(NamedTuple):
    """The rows of one or more cells.

    Attributes:
        numbers: int64, ascending: the documents.
        texts: The columns of each, in this order.
        pairs: The pairs.
        x: int64, by pair: the index of its first document in `numbers`.
        y: That of its second document.
    """

    numbers: Int64Array
    texts: pa.Table
    pairs: pa.Table
    x: Int64Array
    y: Int64Array


def placed(pairs: DataFrame, lengths: DataFrame, limits: CellLimits) -> DataFrame:
    """Pairs with the cell that each goes to, `home` and `part`, and its `work`.

    Args:
        pairs: x, y, mostly x <= y, and further columns; a table, as it is read again.
        lengths: `number` and `characters` of all documents of the pairs.
        limits: Of a cell.
    """
    first = pairs.groupBy(F.col("y").alias("number")).agg(F.min("x").alias("home"))
    known = lengths.join(first, "number", "left").withColumn("home", F.coalesce("home", "number"))
    of_x = known.select(F.col("number").alias("x"), F.col("characters").alias("length_x"), "home")
    of_y = lengths.select(F.col("number").alias("y"), F.col("characters").alias("length_y"))
    rows = pairs.join(of_x, "x").join(of_y, "y")
    sums = _sums(rows, pairs.select("x").distinct().join(of_x, "x"), limits)
    sides = F.greatest(F.lit(1), F.ceil(2 * F.col("text") / limits.text))
    more = F.greatest(F.lit(1), F.ceil(F.col("work") / (limits.work * F.col("sides"))))
    cut = sums.select("home", sides.alias("sides"), "work").withColumn("more", more)
    # Few homes are cut, and all other pairs need only their home.
    cut = cut.where("sides > 1 OR more > 1").drop("work")
    by_x = F.pmod(F.xxhash64("x"), "sides")
    by_y = F.pmod(F.xxhash64("y"), F.col("sides") * F.col("more"))
    part = by_x * F.col("sides") * F.col("more") + by_y
    return (
        rows.join(cut, "home", "left")
        .withColumn("part", F.coalesce(part, F.lit(0)))
        .withColumn("work", F.col("length_x") + F.col("length_y"))
        .select(*pairs.columns, "home", "part", "work")
    )


def _sums(rows: DataFrame, firsts: DataFrame, limits: CellLimits) -> DataFrame:
    """The characters of each home: `text`, of its documents on either side once, and `work`.

    They are added up on the way, so that ten million pairs of one home are never held together.
    """
    work = 2 * F.least("length_x", "length_y")
    if limits.rereads:
        work = F.col("length_x") + F.col("length_y")
    of_y = rows.groupBy("home", "y").agg(
        F.first("length_y").alias("text"), F.sum(work).alias("work")
    )
    of_x = firsts.select("home", F.col("length_x").alias("text"), F.lit(0).alias("work"))
    both = of_y.select("home", "text", "work").unionByName(of_x)
    return both.groupBy("home").agg(F.sum("text").alias("text"), F.sum("work").alias("work"))


def in_cells(placed: DataFrame, texts: DataFrame) -> DataFrame:
    """Pairs and the texts of their documents, side by side, to be read with `cells_in`.

    Where there are few pairs, every task gets the cells of all documents: then only their texts
    are shuffled, and once. Otherwise texts are shuffled to be joined with their cells, and then
    once for each cell; where few documents are wanted, every task gets their numbers.

    Args:
        placed: Pairs with their cells, from a table: they are counted, and read twice.
        texts: `number`, the text, further columns; all documents of the pairs.
    """
    wanted = placed.select("home", "part", F.explode(F.array("x", "y")).alias("number")).distinct()
    if placed.count() <= BROADCAST_PAIRS:
        wanted = F.broadcast(wanted)
    else:
        numbers = wanted.select("number").distinct()
        if numbers.count() <= BROADCAST_NAMES:
            texts = texts.join(F.broadcast(numbers), "number", "left_semi")
    rows = placed.unionByName(wanted.join(texts, "number"), allowMissingColumns=True)
    return side_by_side(rows, ["home", "part"])


def cells_in(batches: Batches) -> Iterator[Cell]:
    """The cells of a partition of `in_cells`; as many at once as a batch has."""
    for table in whole_runs(batches, ["home", "part"], at_least=1):
        is_text = pc.is_valid(table.column("number"))
        texts, pairs = table.filter(is_text), table.filter(pc.invert(is_text))
        all_numbers = int64s(texts.column("number"))
        order = np.argsort(all_numbers, kind="stable")
        order = order[begins_run(all_numbers[order])]  # it may be in several cells
        numbers = all_numbers[order]
        x, y = (np.searchsorted(numbers, int64s(pairs.column(name))) for name in ("x", "y"))
        yield Cell(numbers, texts.take(pa.array(order)), pairs, x, y)


class ReworkedRule(NamedTuple):
    """The rule by which a pair is listed for reworked passages.

    Attributes:
        model: The model of the words of all documents, as `WordModel.to_bytes` writes it.
        threshold_bits: The least bits of the strongest passage.
    """

    model: bytes
    threshold_bits: float


@dataclass(frozen=True)
class Measuring:
    """Measures cells of candidates.

    The texts have the columns number, text, aside, units and signature; the pairs x, y, work,
    in_all, in_bands, in_shared, in_skip_grams. A pair of x with itself tells the numbers of copies
    of x.

    Attributes:
        settings: Of the scan.
        reworked: None where nothing reworked is looked for.
        share: Of listed pairs that are no candidates for reworked passages the passages of the
            most alike are measured, with so much of the work of all candidates in their cells.
    """

    settings: ScanSettings
    reworked: ReworkedRule | None
    share: float = 1.0

    def __call__(self, batches: Batches) -> Batches:
        """The pairs that are listed: `columns.NUMBERS`."""
        with WorkerPool(1) as pool:
            model = WordModel.from_bytes(self.reworked.model) if self.reworked else None
            for cell in cells_in(batches):
                yield from self._listed(cell, model, pool).to_batches()

    def _listed(self, cell: Cell, model: WordModel | None, pool: ThreadPoolExecutor) -> pa.Table:
        corpus = _corpus_of(cell, self.settings, pool)
        search = _search_in(corpus)
        pairs = Verifier(corpus, search, ()).pairs(cell.x, cell.y).without_passages()
        kept, ways = self._ways(cell, pairs, search.collides(cell.x, cell.y))
        same = cell.x == cell.y
        store = corpus.evidence.reworked
        weighed = np.zeros(len(pairs), dtype=np.bool_)
        if self.reworked is not None and model is not None:
            weighed = bools(cell.pairs.column("in_skip_grams"))
            bits = store.measured(cell.x[weighed], cell.y[weighed], model).bits
            enough = np.zeros(len(pairs), dtype=np.bool_)
            enough[weighed] = bits >= self.reworked.threshold_bits
            ways = np.where(enough, ways | np.uint8(FoundBy.REWORKED), ways)
            kept |= enough
        work = int64s(cell.pairs.column("work"))
        rows = np.flatnonzero(kept & ~weighed & ~same)
        rows = rows[np.lexsort((cell.y[rows], cell.x[rows], -pairs.resemblance[rows]))]
        rows = rows[np.cumsum(work[rows]) <= self.share * work.sum()]
        rows = np.concatenate([np.flatnonzero(kept & weighed & ~same), rows])
        numbers = store.measured(cell.x[rows], cell.y[rows], model, shared=True)
        pairs = with_numbers(pairs, rows, numbers.columns)
        units = corpus.signed.units
        copies = numbers_of_copies(pairs.take(same), units, self.settings, store)
        pairs = with_numbers(pairs, same, copies.columns)
        pairs = pairs.with_columns(found_by=least_ways(ways), exact_duplicate=same)
        pairs = pairs.with_columns(found_by=np.where(same, np.uint8(FoundBy.EXACT), pairs.found_by))
        return pa.table(_columns_of(pairs.take(kept | same), cell.numbers))

    def _ways(self, cell: Cell, pairs: Pairs, collided: BoolArray) -> tuple[BoolArray, UInt8Array]:
        """Which pairs are alike enough or share a passage, and the ways that lead to each."""
        in_all, in_bands, in_shared = (
            bools(cell.pairs.column(name)) for name in ("in_all", "in_bands", "in_shared")
        )
        reaching = pairs.resemblance >= self.settings.min_resemblance
        # Other values may have the same band key by chance: `collided` compares the values.
        alike = (in_all | (in_bands & collided)) & reaching
        long_enough = are_passages(pairs.run_words, self.settings)
        shared = in_shared & (alike | reaching | long_enough)
        ways = np.where(collided, FoundBy.LSH, np.where(alike, FoundBy.ALL, 0)).astype(np.uint8)
        return alike | shared, np.where(shared, ways_of_shared(long_enough, collided), ways)


def _corpus_of(cell: Cell, settings: ScanSettings, pool: ThreadPoolExecutor) -> Corpus:
    """A corpus of the documents of cells, to measure their pairs; it finds none."""
    documents = len(cell.numbers)
    signatures, _ = unpacked(cell.texts.column("signature"), "<u4")
    none = np.empty(0, dtype=np.uint64), np.zeros(documents, dtype=np.int64)
    signed = SignedTexts(
        int64s(cell.texts.column("units")),
        np.zeros((documents, 2), dtype=np.uint64),
        signatures.reshape(-1, settings.signature_width),
        Fingerprints(*none),
        Fingerprints(*none),
    )
    corpus = Corpus(settings, pool, texts_of(cell.texts))
    corpus.append(signed)
    return corpus


def _search_in(corpus: Corpus) -> CandidateSearch:
    """A search that tests whether signatures meet; not `Corpus.search`: they are complete."""
    everybody = np.arange(len(corpus), dtype=np.int64)
    background = partial(np.empty, 0)  # never used
    return search_for(corpus.signed, everybody, corpus.to_review, corpus.settings, background)


def _columns_of(pairs: Pairs, numbers: Int64Array) -> dict[str, AnyArray]:
    """The columns of `columns.NUMBERS`, given the numbers of the documents."""
    columns = {field.name: getattr(pairs, field.name) for field in fields(pairs)}
    changed = {
        "a": numbers[pairs.a],
        "b": numbers[pairs.b],
        "found_by": pairs.found_by.view(np.int8),
    }
    return columns | changed


KEPT = 1 << 21  # characters: about 40 MB with derived data


class ReadTexts:
    """The texts of a cell as passages are looked for in them; those read last are kept."""

    def __init__(
        self, texts: TextStore, languages: Sequence[str | None], settings: ScanSettings
    ) -> None:
        self._texts = texts
        self._languages = languages
        self._settings = settings
        self._kept: OrderedDict[int, PairText] = OrderedDict()
        self._characters = 0

    def __getitem__(self, index: int) -> PairText:
        """A text by its index."""
        if index not in self._kept:
            self._kept[index] = PairText(
                self._texts[index],
                self._settings,
                self._texts.set_aside.get(index, ()),
                self._languages[index] or None,
            )
            self._characters += len(self._kept[index].text)
        self._kept.move_to_end(index)
        while self._characters > KEPT and len(self._kept) > 1:
            _, oldest = self._kept.popitem(last=False)
            self._characters -= len(oldest.text)
        return self._kept[index]


PASSAGES_OF_PAIR = f"x LONG, y LONG, passages ARRAY<{PASSAGES}>"
PASSAGE_LIMITS = CellLimits(work=1 << 26, rereads=True)  # about a minute
PASSAGE = pa.struct(
    [
        (column.name, pa.string() if column.type is np.str_ else pa.from_numpy_dtype(column.type))
        for column in PASSAGE_COLUMNS
    ]
)


@dataclass(frozen=True)
class FindingPassages:
    """Finds the passages of cells of pairs x, y: `PASSAGES_OF_PAIR`.

    The texts have the columns number, text, aside, language.

    Attributes:
        settings: Of the scan.
        model: The model of the words of all documents, as `WordModel.to_bytes` writes it; None
            where nothing reworked is searched.
    """

    settings: ScanSettings
    model: bytes | None

    def __call__(self, batches: Batches) -> Batches:
        """A row for each pair, in the order of the passages in the text of x."""
        model = None if self.model is None else WordModel.from_bytes(self.model)
        for cell in cells_in(batches):
            columns = {
                "x": pa.array(cell.numbers[cell.x]),
                "y": pa.array(cell.numbers[cell.y]),
                "passages": pa.array(list(self._passages_in(cell, model)), pa.list_(PASSAGE)),
            }
            yield from pa.table(columns).to_batches()

    def _passages_in(self, cell: Cell, model: WordModel | None) -> Iterator[list[dict[str, Any]]]:
        languages = cell.texts.column("language").to_pylist()
        texts = ReadTexts(texts_of(cell.texts), languages, self.settings)
        for x, y in zip(cell.x.tolist(), cell.y.tolist(), strict=True):
            shared = find_shared(texts[x], texts[y], self.settings, folder=model)
            yield [
                {column.name: column.of(passage) for column in PASSAGE_COLUMNS}
                for passage in shared.passages
            ]


def with_passages(
    stages: Stages,
    pairs: DataFrame,
    documents: DataFrame,
    copies: DataFrame,
    settings: ScanSettings,
    model: bytes | None,
) -> DataFrame:
    """Listed pairs with the passages of each: `columns.LISTED`.

    Args:
        stages: Keep the passages.
        pairs: `columns.NUMBERS`, of all copies that are listed.
        documents: `columns.DOCUMENTS`.
        copies: `columns.COPIES`.
        settings: Of the scan.
        model: See `FindingPassages`.
    """
    same = stages.table("_same_texts", partial(_same_texts, documents, copies))
    wanted = (
        pairs.join(same.toDF("a", "x"), "a", "left")
        .join(same.toDF("b", "y"), "b", "left")
        .withColumns({"x": F.coalesce("x", "a"), "y": F.coalesce("y", "b")})
    )
    lengths = documents.select("number", "characters")
    different = wanted.select("x", "y").distinct()
    cells = stages.table("_passage_cells", lambda: placed(different, lengths, PASSAGE_LIMITS))
    texts = documents.select("number", "text", "aside", "language")
    finding = FindingPassages(settings, model)
    frame = stages.table(
        "_passages", lambda: mapped(in_cells(cells, texts), finding, PASSAGES_OF_PAIR)
    )
    return wanted.join(frame, ["x", "y"]).select(*pairs.columns, "passages")


def _same_texts(documents: DataFrame, copies: DataFrame) -> DataFrame:
    """The documents with exactly the text of an earlier one, each with the first such document."""
    later = copies.where("number != representative").select("number", "representative")
    firsts = later.selectExpr("representative AS number", "representative").distinct()
    # For texts with the same words, 64 more bits tell whether they are written in the same way.
    written = F.xxhash64("text", "aside", "language").alias("written")
    texts = documents.select("number", "characters", written)
    texts = texts.join(later.unionAll(firsts), "number")
    same = ["representative", "characters", "written"]
    first = texts.groupBy(*same).agg(F.min("number").alias("first"))
    return texts.join(first, same).where("number != first").select("number", "first")


LIMITS = CellLimits()


def listed(
    stages: Stages,
    candidates: DataFrame,
    documents: DataFrame,
    distinct: DataFrame,
    settings: ScanSettings,
    reworked: ReworkedRule | None,
) -> DataFrame:
    """The pairs of different documents that are listed, with their numbers: `columns.NUMBERS`.

    Args:
        stages: Keep what was measured.
        candidates: `columns.CANDIDATES`, and in_all, in_bands, in_shared, in_skip_grams, which
            say what led to each pair. A row with y = x stands for the copies of x.
        documents: `columns.DOCUMENTS`.
        distinct: `columns.SIGNED`, with complete signatures.
        settings: Of the scan.
        reworked: When a pair is listed for its reworked passages; None if they are not searched.
    """
    texts = documents.select("number", "text", "aside", "units", "signature")
    if settings.depends_on_all:  # the signatures of documents are not complete
        complete = distinct.select("number", "signature")
        texts = texts.drop("signature").join(complete, "number")
    lengths = distinct.select("number", "characters")
    cells = stages.table("_cells", lambda: placed(candidates, lengths, LIMITS))
    (work,) = cells.selectExpr("coalesce(sum(work), 0L)").collect()[0]
    measuring = Measuring(settings, reworked, min(1.0, MEASURED_WORDS / max(work, 1)))
    return mapped(in_cells(cells, texts), measuring, NUMBERS)
