"""The exact numbers of candidates whose texts are in one place, and which of them are listed.

The rule is that of `core.scan.lister`, looked at pair by pair: which ways lead to a pair is known
of every candidate, and what decides between them is measured here.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, fields
from functools import partial
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from core.base.arrays import AnyArray, BoolArray, Int64Array, UInt8Array
from core.base.progress import never
from core.candidates.search import CandidateSearch, search_for
from core.evidence.pairs import FoundBy, Pairs, least_ways, ways_of_shared
from core.evidence.reworked import ReworkedNumbers
from core.evidence.word_model import WordModel
from core.scan.corpus import Corpus
from core.scan.reworked import reworked_of_copies
from core.scan.verifier import Verifier
from core.settings import ScanSettings
from core.signatures.signing import SignedTexts
from core.spark.cells import Cell, cells_in
from core.spark.columns import bools, int64s, texts_of, unpacked
from core.text.fingerprints import Fingerprints
from core.text.word_counts import are_passages


class ReworkedRule(NamedTuple):
    """When a pair is listed for what it shares in other words.

    Attributes:
        model: What the words of all documents tell, as `WordModel.to_bytes` writes it.
        threshold_bits: What the strongest passage says at least.
    """

    model: bytes
    threshold_bits: float


@dataclass(frozen=True)
class Measuring:
    """Measures cells of candidates.

    The texts have the columns number, text, aside, units and signature; the pairs x, y, in_all,
    in_bands, in_shared, in_skip_grams. A pair of x with itself tells the numbers of copies of x.

    Attributes:
        settings: Of the scan.
        reworked: None where nothing reworked is looked for.
    """

    settings: ScanSettings
    reworked: ReworkedRule | None

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """The pairs that are listed: `evidence.MEASURED`."""
        with ThreadPoolExecutor(1) as pool:
            model = WordModel.from_bytes(self.reworked.model) if self.reworked else None
            for cell in cells_in(batches):
                yield from self._listed(cell, model, pool).to_batches()

    def _listed(self, cell: Cell, model: WordModel | None, pool: ThreadPoolExecutor) -> pa.Table:
        corpus = _corpus_of(cell, self.settings, pool)
        search = _search_in(corpus)
        pairs = Verifier(corpus, search, (), never).pairs(cell.x, cell.y).without_reworked()
        kept, ways = self._ways(cell, pairs, search.meets(cell.x, cell.y))
        weighed = np.zeros(len(pairs), dtype=np.bool_)
        if self.reworked is not None and model is not None:
            weighed = bools(cell.pairs.column("in_skip_grams"))
            x, y = cell.x[weighed], cell.y[weighed]
            numbers = corpus.evidence.reworked.measured(x, y, model)
            pairs = _with_reworked(pairs, weighed, numbers)
            enough = np.zeros(len(pairs), dtype=np.bool_)
            enough[weighed] = numbers.bits >= self.reworked.threshold_bits
            ways = np.where(enough, ways | np.uint8(FoundBy.REWORKED), ways)
            kept |= enough
        same = cell.x == cell.y
        pairs = pairs.with_columns(found_by=least_ways(ways), exact_duplicate=same)
        pairs = pairs.with_columns(found_by=np.where(same, np.uint8(FoundBy.EXACT), pairs.found_by))
        if model is not None:
            measured = partial(corpus.evidence.reworked.measured, model=model)
            own = reworked_of_copies(pairs.take(same), corpus.signed.units, self.settings, measured)
            pairs = _with_reworked(pairs, same, own)
        kept |= same
        lengths = corpus.texts.lengths
        work = lengths[cell.x] + lengths[cell.y]
        columns = {"weighed": weighed, "work": work, **_place_of(cell)}
        listed = _columns_of(pairs.take(kept), cell.numbers)
        return pa.table(listed | {name: column[kept] for name, column in columns.items()})

    def _ways(self, cell: Cell, pairs: Pairs, met: BoolArray) -> tuple[BoolArray, UInt8Array]:
        """Which pairs are alike enough or share a passage, and the ways that lead to each."""
        in_all, in_bands, in_shared = (
            bools(cell.pairs.column(name)) for name in ("in_all", "in_bands", "in_shared")
        )
        reaching = pairs.resemblance >= self.settings.min_resemblance
        # A band key may be that of other values by chance: `met` looks at these.
        alike = (in_all | (in_bands & met)) & reaching
        long_enough = are_passages(pairs.run_words, self.settings)
        shared = in_shared & (alike | reaching | long_enough)
        ways = np.where(met, FoundBy.LSH, np.where(alike, FoundBy.ALL, 0)).astype(np.uint8)
        return alike | shared, np.where(shared, ways_of_shared(long_enough, met), ways)


@dataclass(frozen=True)
class Weighing:
    """Measures the reworked passages of cells of pairs x, y; texts are those of `Measuring`.

    Attributes:
        settings: Of the scan.
        model: See `ReworkedRule`.
    """

    settings: ScanSettings
    model: bytes

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """The columns a, b, words, bits, share."""
        with ThreadPoolExecutor(1) as pool:
            model = WordModel.from_bytes(self.model)
            for cell in cells_in(batches):
                corpus = Corpus(self.settings, pool, texts_of(cell.texts))
                numbers = corpus.evidence.reworked.measured(cell.x, cell.y, model)
                a, b = cell.numbers[cell.x], cell.numbers[cell.y]
                yield from pa.table({"a": a, "b": b, **numbers._asdict()}).to_batches()


def _corpus_of(cell: Cell, settings: ScanSettings, pool: ThreadPoolExecutor) -> Corpus:
    """A corpus of the documents of some cells, to measure their pairs; it finds none."""
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


def _place_of(cell: Cell) -> dict[str, Int64Array]:
    return {name: int64s(cell.pairs.column(name)) for name in ("home", "part")}


def _search_in(corpus: Corpus) -> CandidateSearch:
    """What tells whether signatures meet; not `Corpus.search`: they are complete as they are."""
    everybody = np.arange(len(corpus), dtype=np.int64)
    background = partial(np.empty, 0)  # nobody asks
    return search_for(
        corpus.signed, everybody, corpus.to_review, corpus.settings, background, never
    )


def _with_reworked(pairs: Pairs, rows: BoolArray, numbers: ReworkedNumbers) -> Pairs:
    """Pairs with the numbers of some of them."""
    columns = {f"reworked_{name}": column for name, column in numbers._asdict().items()}
    for name, measured in columns.items():
        columns[name] = getattr(pairs, name).copy()
        columns[name][rows] = measured
    return pairs.with_columns(**columns)


def _columns_of(pairs: Pairs, numbers: Int64Array) -> dict[str, AnyArray]:
    """The columns of `schemas.NUMBERS`, given the numbers of the documents."""
    columns = {one.name: getattr(pairs, one.name) for one in fields(pairs)}
    own = {"a": numbers[pairs.a], "b": numbers[pairs.b], "found_by": pairs.found_by.view(np.int8)}
    return columns | own
