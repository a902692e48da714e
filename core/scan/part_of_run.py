"""A review of a part of a run on a cluster: the pairs that the run listed, and no others.

What two documents share is the same in any collection. What is common text, how rare a word is and
how much is compared depend on all documents, and the review lacks most of them. So it keeps which
pairs the run listed, how each was found and the estimate of its signatures, with the run's model of
words; exact numbers are measured in the texts, as in any list.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np

from core.base.arrays import BoolArray, Float32Array, UInt8Array, UInt64Array
from core.base.messages import nstored, stored
from core.base.tasks import Progress, ProgressReport, Stage
from core.candidates.search import CandidateSearch
from core.candidates.sorted_keys import distinct
from core.evidence.pairs import (
    NOT_MEASURED,
    FoundBy,
    Pairs,
    pair_codes,
    renumbered_codes,
    split_codes,
)
from core.scan.corpus import Corpus
from core.scan.lister import Listing, Verifier, are_wanted
from core.scan.reworked import numbers_of_copies, with_passage_numbers
from core.settings import ScanSettings
from core.text.word_counts import are_passages


class RunFacts(NamedTuple):
    """The facts on a run that a part of it keeps.

    Attributes:
        name: Of its folder, as it is shown.
        documents: How many it compared.
        pairs: How many it listed.
        floor: The resemblance from which on it listed pairs.
        compared_all: Whether it compared all pairs, not only those that met in a band.
        notes: Its notes on its list, in sentences.
        differing: How many pairs of the part have other numbers than in the run, because this
            version measures their texts otherwise.
        digest: Of the description of the run, which identifies it; "" in reviews that were made
            before there was one.
        asked: Which of its pairs were requested, as “ from a resemblance of 0.5 on”; "" for all.
    """

    name: str
    documents: int
    pairs: int
    floor: float
    compared_all: bool = False
    notes: tuple[str, ...] = ()
    differing: int = 0
    digest: str = ""
    asked: str = ""


class PartOfRun(NamedTuple):
    """The pairs of a run that a review has.

    Attributes:
        run: Where they are from.
        names: Of the documents that the codes refer to.
        codes: uint64, ascending: pairs of documents x < y as x << 32 | y.
        found_by: uint8, how the run found each, as `FoundBy`.
        estimate: float32, what the signatures of each told.
    """

    run: RunFacts
    names: tuple[str, ...]
    codes: UInt64Array
    found_by: UInt8Array
    estimate: Float32Array

    def among(self, names: Iterable[str]) -> PartOfRun:
        """The pairs of these documents, with their numbers among `names`."""
        number_of = {name: number for number, name in enumerate(names)}
        numbers = np.array([number_of.get(name, -1) for name in self.names], dtype=np.int64)
        codes, rows = renumbered_codes(self.codes, numbers)
        return self._replace(
            names=tuple(number_of),
            codes=codes,
            found_by=self.found_by[rows],
            estimate=self.estimate[rows],
        )


def list_part(
    corpus: Corpus, part: PartOfRun, settings: ScanSettings, progress: Progress
) -> Listing:
    """The pairs of a part that these settings list, ordered by a and b, with exact numbers.

    Args:
        corpus: The documents.
        part: Their pairs, by number in the corpus.
        settings: Decide which of the pairs are listed.
        progress: Told the number of pairs.

    Raises:
        StorageError: There is no room for the texts of the pairs.
    """
    progress(ProgressReport(Stage.COMPARE, 0, len(part.codes)))
    a, b = split_codes(part.codes)
    wanted = are_wanted([corpus.to_review], a, b)
    part = part._replace(codes=part.codes[wanted], found_by=part.found_by[wanted],
                         estimate=part.estimate[wanted])  # fmt: skip
    search = corpus.search(settings)
    pairs = _measured(corpus, part, Verifier(corpus, search, []), settings)
    ways, listed = _ways(corpus, part, pairs, search, settings)
    corpus.evidence.settle()
    progress(ProgressReport(Stage.COMPARE, len(part.codes), len(part.codes)))
    return Listing(pairs.with_columns(found_by=ways).take(listed), [], settings)


def _measured(corpus: Corpus, part: PartOfRun, verifier: Verifier, settings: ScanSettings) -> Pairs:
    """The pairs with their numbers, each measured once for all copies of its documents."""
    a, b = split_codes(part.codes)
    first = corpus.representatives()
    x, y = first[a], first[b]
    swapped = x > y
    codes = pair_codes(np.minimum(x, y), np.maximum(x, y))
    every = distinct([codes])
    measured = _with_passages(verifier.every(every), corpus, settings)
    rows = measured.take(np.searchsorted(every, codes)).turned(swapped)
    return rows.with_columns(
        a=a.astype(np.int32), b=b.astype(np.int32), estimate=part.estimate, exact_duplicate=x == y
    )


def _with_passages(pairs: Pairs, corpus: Corpus, settings: ScanSettings) -> Pairs:
    """The pairs with the numbers of their passages; copies share one from end to end."""
    same = pairs.a == pairs.b
    level, copies = settings.reworked, pairs.take(same)
    different = with_passage_numbers(pairs.take(~same), corpus.reworked, level)
    numbers = numbers_of_copies(copies, corpus.signed.units, settings, corpus.evidence.reworked)
    every = Pairs.concatenate([different, copies.with_columns(**numbers.columns)])
    return every.take(np.lexsort((every.b, every.a)))


def _ways(
    corpus: Corpus, part: PartOfRun, pairs: Pairs, search: CandidateSearch, settings: ScanSettings
) -> tuple[UInt8Array, BoolArray]:
    """How each pair is found under these settings, and whether it is listed.

    A passage or a reworked one that the run found counts as long as it is enough; in other bands
    other pairs may collide.
    """
    ways, same = part.found_by, pairs.exact_duplicate
    collided = (
        _has(ways, FoundBy.LSH) if settings.depends_on_all else search.collides(pairs.a, pairs.b)
    )
    passage = _has(ways, FoundBy.PASSAGE) & are_passages(pairs.run_words, settings)
    reworked = _has(ways, FoundBy.REWORKED) & _say_enough(corpus, pairs, settings)
    short = _has(ways, FoundBy.FINGERPRINT) & ~collided & ~passage
    alone = part.run.compared_all | _has(ways, FoundBy.ALL)
    alone = alone & ~(collided | passage | reworked | short)
    found_by = np.zeros(len(ways), dtype=np.uint8)
    for way, which in (
        (FoundBy.LSH, collided),
        (FoundBy.PASSAGE, passage),
        (FoundBy.REWORKED, reworked),
        (FoundBy.FINGERPRINT, short),
        (FoundBy.ALL, alone),
    ):
        found_by |= np.where(which, np.uint8(way), np.uint8(0))
    alike = (found_by > 0) & (pairs.resemblance >= settings.min_resemblance)
    found_by = np.where(same, np.uint8(FoundBy.EXACT), found_by)
    return found_by, same | alike | passage | reworked


def _has(ways: UInt8Array, way: FoundBy) -> BoolArray:
    return np.asarray((ways & np.uint8(way)) > 0)


def _say_enough(corpus: Corpus, pairs: Pairs, settings: ScanSettings) -> BoolArray:
    """Which pairs score more than chance would; pairs that were not measured did so in the run."""
    if settings.reworked == "off":
        return np.zeros(len(pairs), dtype=np.bool_)
    bits = pairs.reworked_bits
    least = corpus.reworked.threshold(settings.reworked)
    return np.asarray((bits >= least) | (bits == NOT_MEASURED))


def part_in_words(part: PartOfRun, settings: ScanSettings) -> Iterator[str]:
    """Notes on a list of such a review, in sentences, and those of the run on its list."""
    run = part.run
    yield stored(
        "This review is a part of a run on a cluster, “{name}”: {part} of the {pairs} that it "
        "listed among {documents}, with its numbers. Other pairs are not listed; curves and "
        "forecasts are of the documents of this review alone.",
        name=run.name,
        part=f"{len(part.codes):,}",
        pairs=nstored("{n} pair", "{n} pairs", run.pairs),
        documents=nstored("{n} document", "{n} documents", run.documents)
        + (f", those{run.asked}" if run.asked else ""),
    )
    if settings.min_resemblance < run.floor:
        yield stored(
            "The run listed pairs from a resemblance of {floor} on: below it, only pairs with a "
            "passage are known.",
            floor=f"{run.floor:g}",
        )
    if run.differing:
        yield nstored(
            "{n} pair had other numbers in the run: it was measured again in the texts, by this "
            "version.",
            "{n} pairs had other numbers in the run: they were measured again in the texts, by "
            "this version.",
            run.differing,
        )
    for note in run.notes:
        yield stored("Of the whole run: {note}", note=note)
