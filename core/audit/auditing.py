"""The choice between a proof and a measurement, and the run of either."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from typing import NamedTuple

import numpy as np

from core.audit import planted_copies
from core.audit.search import (
    AuditSearch,
    ExactComparison,
    ExactPairs,
    chances,
    count_shingles,
    look_ups,
    measured_ranges,
    remedies,
)
from core.base.arrays import BoolArray, UInt8Array
from core.base.tasks import Progress, WorkerPool, ignore, stop_if_cancelled
from core.candidates.reworked_curve import ReworkedCurve
from core.errors import SettingsError
from core.evidence.pairs import FoundBy, pair_codes
from core.scan.audit_results import (
    AuditResult,
    BandEstimate,
    Bin,
    CapKind,
    MeasuredRange,
    Method,
    MissCount,
    MissedPair,
    MissedPassage,
    MissReason,
    Proof,
    Remedy,
    ReworkedPlanting,
    ReworkedRecall,
)
from core.scan.copies import COPIES_SPELLED_OUT
from core.settings import ScanSettings
from core.text.store import TextStore
from core.text.word_counts import are_passages

BINS = 10


def prove(
    search: AuditSearch, wanted: ExactPairs, truth: ExactComparison
) -> tuple[Proof, tuple[MeasuredRange, ...], tuple[Remedy, ...]]:
    """Compare the listed pairs with all that should be listed.

    Returns:
        The proof, which of its pairs the signatures found, and settings that would miss fewer.

    Args:
        search: The search of a scan.
        wanted: All pairs that a complete list holds, ordered by x and y.
        truth: Measures other pairs.
    """
    ways = search.found_by(pair_codes(wanted.x, wanted.y))
    first = search.representatives()
    identical = first[wanted.x] == first[wanted.y]
    copies = (ways == 0) & _by_representatives(search, wanted)
    missed = (ways == 0) & ~copies
    different = ~identical & ~copies
    by_bands = (ways & FoundBy.LSH) > 0
    by_chance = different & ((ways & np.uint8(~FoundBy.LSH & 0xFF)) == 0)
    reasons = _reasons(search, wanted.take(missed))
    remaining = wanted.take(by_chance)
    proof = Proof(
        pairs=truth.pairs,
        wanted=len(wanted.x),
        listed=int((ways > 0).sum()),
        copies=int(copies.sum()),
        identical=int(identical.sum()),
        wrong=_count_wrong(search, wanted, truth),
        reasons=tuple(MissCount(*reason_count) for reason_count in Counter(reasons).most_common()),
        missed=_explained(wanted.take(missed), reasons, search.settings),
        bins=_bins(wanted.take(different), ways[different], search.settings),
    )
    return (
        proof,
        measured_ranges(wanted.resemblance[different], by_bands[different], search.settings),
        remedies(
            search,
            search,
            first[remaining.x],
            first[remaining.y],
            int((ways[by_chance] == 0).sum()),
        ),
    )


def hold_forecast(search: AuditSearch, wanted: ExactPairs) -> BandEstimate:
    """The forecast, and how many pairs bands, and bands with passages, really missed.

    A pair counts as often as it is in the list: its documents may have copies.
    """
    forecast = search.forecast()
    if forecast is None:
        return BandEstimate(None)
    first = search.representatives()
    is_first = np.arange(len(first)) == first
    spread = np.bincount(first, minlength=len(first))
    spread[spread > COPIES_SPELLED_OUT] = 1
    pairs = wanted.take(
        is_first[wanted.x] & is_first[wanted.y] & (wanted.resemblance >= forecast.least)
    )
    ways = search.found_by(pair_codes(pairs.x, pairs.y))
    counts = spread[pairs.x] * spread[pairs.y]
    return BandEstimate(
        forecast,
        int(counts[(ways & FoundBy.LSH) == 0].sum()),
        int(counts[(ways & np.uint8(~FoundBy.ALL & 0xFF)) == 0].sum()),
    )


def _by_representatives(search: AuditSearch, wanted: ExactPairs) -> BoolArray:
    """Pairs that the first of over 30 copies represents, if the list holds its pair."""
    first = search.representatives()
    many = np.bincount(first, minlength=len(first))[first] > COPIES_SPELLED_OUT
    x = np.where(many[wanted.x], first[wanted.x], wanted.x)
    y = np.where(many[wanted.y], first[wanted.y], wanted.y)
    listed = search.found_by(pair_codes(np.minimum(x, y), np.maximum(x, y))) > 0
    within = (x == y) & (wanted.x != x) & (wanted.y != y)
    across = ((x != wanted.x) | (y != wanted.y)) & (x != y) & listed
    return np.asarray(within | across)


def _count_wrong(search: AuditSearch, wanted: ExactPairs, truth: ExactComparison) -> int:
    """Count listed pairs that should not be listed, or whose numbers are not exact.

    Pairs that share a reworked passage are listed however low their resemblance.
    """
    pairs = search.pairs
    expected = np.isin(search.codes, pair_codes(wanted.x, wanted.y))
    expected |= (pairs.found_by & np.uint8(FoundBy.REWORKED)) > 0
    exact = truth.measure(pairs.a.astype(np.int64), pairs.b.astype(np.int64))
    right = (exact.resemblance == pairs.resemblance) & (exact.longest_run == pairs.longest_run)
    return int((~right | ~expected).sum())


def _explained(
    missed: ExactPairs, reasons: Sequence[MissReason], settings: ScanSettings
) -> tuple[MissedPair, ...]:
    """The missed pairs with their reasons, most similar first."""
    order = np.lexsort((missed.y, missed.x, -missed.longest_run, -missed.resemblance))
    chance = chances(missed.resemblance, settings)
    return tuple(
        MissedPair(
            int(missed.x[row]),
            int(missed.y[row]),
            float(missed.resemblance[row]),
            int(missed.longest_run[row]),
            None if chance is None else float(chance[row]),
            reasons[row],
        )
        for row in order.tolist()
    )


def _reasons(search: AuditSearch, missed: ExactPairs) -> list[MissReason]:
    settings = search.settings
    first = search.representatives()
    x, y = first[missed.x], first[missed.y]
    similar = missed.resemblance >= settings.min_resemblance
    # Candidates are compared, except in a crowd.
    crowded = any(cap.kind in {CapKind.CROWD, CapKind.ALIKE} for cap in search.caps)
    collided = search.collided(x, y)
    shares = are_passages(missed.run_words, settings)
    common = np.zeros(len(x), dtype=np.bool_)
    common[shares] = search.share_common_text_only(x[shares], y[shares])
    conditions = [x == y, collided & similar, common, shares]
    unlisted = MissReason.CROWD if crowded else MissReason.FAULT
    reasons = [MissReason.FAULT, unlisted, MissReason.COMMON, MissReason.FAULT]
    which = np.select(conditions, range(len(conditions)), default=len(conditions))
    unmet = MissReason.DISTANCE if settings.banding is None else MissReason.CHANCE
    return [[*reasons, unmet][number] for number in which]


def _bins(wanted: ExactPairs, ways: UInt8Array, settings: ScanSettings) -> tuple[Bin, ...]:
    """Tenths of resemblance from the threshold on, and a bin below it."""
    least = settings.min_resemblance
    tenths = [edge / BINS for edge in range(1, BINS) if edge / BINS > least]
    edges = np.array(sorted({0.0, least, *tenths, 1.0}))
    chance = chances(wanted.resemblance, settings)
    which = np.clip(
        np.searchsorted(edges, wanted.resemblance, side="right") - 1, 0, max(0, len(edges) - 2)
    )
    by_bands = (ways & FoundBy.LSH) > 0
    bins = []
    for number in range(len(edges) - 1):
        in_bin = which == number
        bins.append(
            Bin(
                float(edges[number]),
                float(edges[number + 1]),
                int(in_bin.sum()),
                None if chance is None else float(chance[in_bin].sum()),
                int((in_bin & by_bands).sum()),
                int((in_bin & (ways > 0) & ~by_bands).sum()),
            )
        )
    return tuple(bins)


LENGTHS = (30, 60, 100, 200)  # words
SHARES = (0.2, 0.4)  # of the words that are changed
CELLS = tuple(product(LENGTHS, SHARES))
HOST_WORDS = 120  # of another document, half of them before the passage
FIRST_KIND = 100  # of random seeds: those below are used for edited copies


class PlantedPassage(NamedTuple):
    """A text with a reworked passage in it, and the source of the passage."""

    text: str
    passage: MissedPassage


def plant_reworked(texts: TextStore, seed: int, count: int) -> list[PlantedPassage]:
    """Texts with a reworked passage each; the same seed makes the same texts.

    Words are exchanged for others of the same document, dropped and inserted, and in half of the
    passages the sentences are moved. Each is put between words of another document.

    Args:
        texts: The texts of all documents.
        seed: Decides which passages and which changes.
        count: How many to make of each length and share at most, from different documents.
    """
    planted = []
    for number, (words, changed) in enumerate(CELLS):
        rng = np.random.default_rng([seed, FIRST_KIND + number])
        fits = texts.lengths >= words  # a word has a letter or more
        made = 0
        for source in rng.permutation(np.flatnonzero(fits)).tolist():
            stop_if_cancelled()
            if made == count:
                break
            passage = _planted(texts, source, (words, changed), rng)
            if passage:
                planted.append(passage)
                made += 1
    return planted


def _planted(
    texts: TextStore, source: int, cell: tuple[int, float], rng: np.random.Generator
) -> PlantedPassage | None:
    """A reworked passage of a document in another one; None if the document is too short."""
    text = planted_copies.counted_text(texts, source)
    words, (length, changed) = planted_copies.words_of(text), cell
    if len(words.starts) < length or len(texts) < 2:
        return None
    first = int(rng.integers(0, len(words.starts) - length + 1))
    passage = text[words.starts[first] : words.ends[first + length - 1]]
    reworked = planted_copies.change_words(
        passage, changed, planted_copies.EditWords([text], rng), rng
    )
    if rng.random() < 0.5:
        reworked = planted_copies.move_sentences(reworked, rng)
    host = int(rng.integers(0, len(texts) - 1))
    before, after = _around(planted_copies.counted_text(texts, host + (host >= source)))
    return PlantedPassage(
        f"{before}\n\n{reworked}\n\n{after}", MissedPassage(source, first, length, changed)
    )


def _around(host: str) -> tuple[str, str]:
    """The first words of a text in two halves."""
    words = planted_copies.words_of(host)
    count = min(HOST_WORDS, len(words.starts))
    if not count:
        return "", ""
    middle, end = words.starts[count // 2], words.ends[count - 1]
    return host[:middle], host[middle:end]


def measure_reworked_copies(
    planted: Sequence[PlantedPassage],
    alone: AuditSearch,
    search: AuditSearch,
    promise: ReworkedCurve,
) -> ReworkedPlanting:
    """How many of the planted passages the search lists with their sources.

    Args:
        planted: The planted passages.
        alone: The search of the folder.
        search: The search of the folder and, after its documents, of the planted texts.
        promise: The promise for the folder.
    """
    documents = len(alone)
    passages = [passage.passage for passage in planted]
    sources = np.array([passage.document for passage in passages], dtype=np.int64)
    inside = np.arange(len(planted), dtype=np.int64) + documents
    # Of a source with over 30 copies, the list holds the first.
    first = search.representatives()[sources]
    found_by = search.found_by(pair_codes(sources, inside))
    found_by |= search.found_by(pair_codes(first, inside))
    if promise.measures_all:  # measuring all pairs would take too long with so many planted texts
        found_by |= np.where(
            search.say_enough(sources, inside, alone), np.uint8(FoundBy.REWORKED), np.uint8(0)
        )
    cells = [(passage.words, passage.changed) for passage in passages]
    ways_by_cell = {cell: found_by[[of == cell for of in cells]] for cell in CELLS}
    return ReworkedPlanting(
        len(set(sources.tolist())),
        tuple(
            ReworkedRecall(
                *cell,
                planted=len(ways),
                listed=int((ways > 0).sum()),
                reworked=int(((ways & FoundBy.REWORKED) > 0).sum()),
                promised=promise.probability(*cell),
            )
            for cell, ways in ways_by_cell.items()
        ),
        tuple(
            passage for passage, ways in zip(passages, found_by.tolist(), strict=True) if not ways
        ),
    )


# Look-ups of shingles. On two cores one took 6 to 16 ns (5,000 texts of 300 words: 4,900 million in
# 28 s; 157 long laws: 57 million in 0.9 s), so that a proof takes about a minute at most.
ALL_PAIRS_BUDGET = 5_000_000_000


def audit(
    texts: Sequence[str],
    settings: ScanSettings,
    *,
    method: Method | None = None,
    count: int = planted_copies.PLANTED,
    to_review: BoolArray | None = None,
    progress: Progress = ignore,
) -> AuditResult:
    """Find out whether a scan with these settings lists all the pairs that it should.

    Args:
        texts: The texts of all documents; nothing is written anywhere.
        settings: What to compare and how.
        method: Compare all pairs, or search for edited copies; by default all pairs if they take
            at most 5,000 million look-ups of shingles (see `AuditResult.work`).
        count: How many edited copies of each kind to plant at most.
        to_review: Which documents are to review, by default all: references are not compared with
            each other.
        progress: Receives the stage and how far it is.

    Raises:
        SettingsError: `count` is not a positive number.
        TooManyCandidatesError: Bands and rows would compare more than 20 million pairs.
    """
    if count < 1:
        raise SettingsError(
            "At least one copy of each kind has to be planted, not {count}.", count=count
        )
    store = _stored(texts)
    pool = WorkerPool(name="neardup-audit")
    try:
        work = look_ups(count_shingles(store, settings, pool))
        reviewed = np.ones(len(store), np.bool_) if to_review is None else to_review
        run = _AuditRun(work, reviewed, pool, progress)
        usual = Method.ALL_PAIRS if work <= ALL_PAIRS_BUDGET else Method.EDITED_COPIES
        how = _prove if (method or usual) is Method.ALL_PAIRS else _measure
        return how(store, settings, run, count)
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


class _AuditRun(NamedTuple):
    work: int
    to_review: BoolArray
    pool: ThreadPoolExecutor
    progress: Progress

    def search(
        self, texts: TextStore, settings: ScanSettings, alone: AuditSearch | None = None
    ) -> AuditSearch:
        """The search among these texts; those that were planted are to review.

        `alone` is the search without them, if there are any.
        """
        planted = np.ones(len(texts) - len(self.to_review), dtype=np.bool_)
        to_review = np.concatenate([self.to_review, planted])
        folder = None if alone is None else alone.reworked
        return AuditSearch(texts, settings, self.pool, self.progress, to_review, folder)


def _stored(texts: Sequence[str]) -> TextStore:
    """The texts with their lengths, lying where they lie."""
    store = TextStore()
    if isinstance(texts, TextStore):
        lengths = texts.lengths
    else:
        lengths = np.fromiter(map(len, texts), np.int64, len(texts))
    store.adopt(texts, lengths)
    return store


def _prove(texts: TextStore, settings: ScanSettings, run: _AuditRun, count: int) -> AuditResult:
    truth = ExactComparison(texts, settings, run.to_review)
    wanted = truth.all_wanted(run.pool, run.progress)
    search = run.search(texts, settings)
    proof, ranges, alternatives = prove(search, wanted, truth)
    return AuditResult(
        documents=truth.texts,
        work=run.work,
        proof=proof,
        planting=None,
        estimate=hold_forecast(search, wanted),
        caps=tuple(search.caps),
        reworked=_measure_reworked(texts, search, run, count),
        ranges=ranges,
        remedies=alternatives,
    )


def _measure(texts: TextStore, settings: ScanSettings, run: _AuditRun, count: int) -> AuditResult:
    planted = planted_copies.plant(texts, settings.seed, count=count)
    together = _stored(texts)
    together.extend(planted.texts)
    # The forecast is for the folder without the copies.
    alone = run.search(texts, settings)
    search = run.search(together, settings, alone)
    planting, ranges, alternatives = planted_copies.measure_recall(texts, planted, search, alone)
    return AuditResult(
        documents=search.documents(len(texts)),
        work=run.work,
        proof=None,
        planting=planting,
        estimate=BandEstimate(alone.forecast()),
        caps=tuple(search.caps),
        reworked=_measure_reworked(texts, alone, run, count),
        ranges=ranges,
        remedies=alternatives,
    )


def _measure_reworked(
    texts: TextStore, alone: AuditSearch, run: _AuditRun, count: int
) -> ReworkedPlanting | None:
    """Search for reworked passages among the texts; `alone` is the search without them."""
    promise = alone.promise()
    if promise is None:
        return None
    planted = plant_reworked(texts, alone.settings.seed, count)
    together = _stored(texts)
    together.extend([passage.text for passage in planted])
    search = run.search(together, alone.settings, alone)
    return measure_reworked_copies(planted, alone, search, promise)
