"""The search of a scan, run on texts in memory, with the questions of an audit on its result."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np

from core.base.arrays import (
    BoolArray,
    Estimate,
    Float32Array,
    Float64Array,
    Int64Array,
    IntegerArray,
    UInt8Array,
    UInt64Array,
    indices_from,
)
from core.base.tasks import Progress, ProgressReport, Stage, ignore, results_of
from core.candidates.references import count_pairs
from core.candidates.reworked import PASSAGE, measure_kept, share_kept_in_both
from core.candidates.reworked_curve import CurveEvidence, ReworkedCurve
from core.candidates.scurve import candidate_probability, expected_candidates
from core.candidates.shared_fingerprints import Passages
from core.evidence.overlap import measure_shingles, numbers_of, sizes_of
from core.evidence.pairs import Pairs, pair_codes
from core.scan.audit_results import MeasuredRange, MissedForecast, Remedy
from core.scan.corpus import Corpus
from core.scan.lister import PairLister
from core.scan.measured_pairs import known_bits, known_pairs
from core.scan.reworked import ReworkedPairs
from core.settings import MAX_DISTANCE, ONE_IN, ScanSettings, reworked_level
from core.signatures.signing import in_parts, sign_numbered
from core.signatures.winnowing import BLANK, blank, find_grams
from core.text.shingling import MULTIPLIER, Shingles
from core.text.store import TextStore
from core.text.word_counts import are_passages

WORK_PER_TASK = 1 << 24  # look-ups: tenths of a second
LOOK_UPS_OF_A_PAIR = 100  # the fixed cost of a pair, besides reading its partner
SAMPLE = 300  # documents whose words are examined


def count_shingles(
    texts: TextStore, settings: ScanSettings, pool: ThreadPoolExecutor
) -> Int64Array:
    """Number of shingles of each text."""
    nothing = np.empty(0, dtype=np.int64)
    return np.concatenate([nothing, *in_parts(_lengths, texts, settings, pool)])


def _lengths(texts: TextStore, numbers: Int64Array, settings: ScanSettings) -> Int64Array:
    return np.diff(texts.shingles(numbers, settings).counting().offsets)


def look_ups(lengths: Int64Array) -> int:
    """The number of shingles that are looked up to compare all pairs of texts of these lengths."""
    return int(_work(np.sort(lengths[lengths > 0])[::-1]).sum())


def _work(lengths: Int64Array) -> Int64Array:
    """Look-ups of each text with all that follow it, the longest text first."""
    following = np.cumsum(lengths[::-1])[::-1] - lengths
    return following + LOOK_UPS_OF_A_PAIR * np.arange(len(lengths), dtype=np.int64)[::-1]


class ExactPairs(NamedTuple):
    """Pairs x < y: numbers of texts, exact resemblance, longest shared run in units and in words.

    All but the resemblance are int64.
    """

    x: Int64Array
    y: Int64Array
    resemblance: Float64Array
    longest_run: Int64Array
    run_words: Int64Array

    def take(self, rows: BoolArray | IntegerArray) -> ExactPairs:
        """Those with these indices, or where a mask is true."""
        return ExactPairs._make(column[rows] for column in self)

    def wanted(self, settings: ScanSettings) -> BoolArray:
        """Which of them a complete list holds; pairs that share nothing never belong to it."""
        enough = self.resemblance >= settings.min_resemblance
        if settings.list_passages:
            enough |= are_passages(self.run_words, settings)
        return enough & (self.longest_run > 0)


class ExactComparison:
    """The shingles of texts, to compare them pair by pair."""

    def __init__(
        self, texts: TextStore, settings: ScanSettings, to_review: BoolArray | None = None
    ) -> None:
        """`to_review` marks documents to review; references are not compared with each other."""
        self._to_review = np.ones(len(texts), np.bool_) if to_review is None else to_review
        shingles = texts.shingles(slice(None), settings)
        self._settings = settings
        self._shingles = shingles
        self._units = shingles.units
        lengths = np.diff(shingles.offsets)
        self._sizes = sizes_of(shingles, bag=settings.bag)
        # The longer text of a pair gets the table; the shorter one is looked up in it.
        self._order = np.compress(self._units > 0, np.arange(len(texts), dtype=np.int64))
        self._order = self._order[np.argsort(-lengths[self._order], kind="stable")]
        self._work = _work(lengths[self._order])

    @property
    def texts(self) -> int:
        """Number of texts with anything to compare."""
        return len(self._order)

    @property
    def pairs(self) -> int:
        """Number of pairs of these that are compared."""
        return count_pairs(self._to_review, self._order)

    def measure(self, x: Int64Array, y: Int64Array) -> ExactPairs:
        """The exact numbers of pairs, with x < y in the result."""
        overlap = measure_shingles(self._shingles, x, y, self._settings)
        numbers = numbers_of(overlap, self._sizes, self._units, x, y, self._settings.k)
        return ExactPairs(
            np.minimum(x, y),
            np.maximum(x, y),
            numbers.resemblance,
            numbers.longest_run.astype(np.int64),
            numbers.run_words.astype(np.int64),
        )

    def all_wanted(self, pool: ThreadPoolExecutor, progress: Progress = ignore) -> ExactPairs:
        """Compare all pairs; returns those that a complete list holds, ordered by x and y."""
        parts = list(self._parts())
        tasks = (pool.submit(self._wanted_of, part) for part in parts)
        nothing = np.empty(0, dtype=np.int64)
        compared = [ExactPairs(nothing, nothing, nothing.astype(np.float64), nothing, nothing)]
        for done, pairs in enumerate(results_of(tasks), 1):
            compared.append(pairs)
            progress(ProgressReport(Stage.COMPARE, done, len(parts)))
        joined = ExactPairs(*(np.concatenate(columns) for columns in zip(*compared, strict=True)))
        return joined.take(np.lexsort((joined.y, joined.x)))

    def _parts(self) -> Iterator[range]:
        """Ranks of the texts that are compared with all that follow, in slices of equal work."""
        cuts = np.flatnonzero(np.diff(np.cumsum(self._work) // WORK_PER_TASK)) + 1
        yield from map(range, [0, *cuts.tolist()], [*cuts.tolist(), len(self._order)])

    def _wanted_of(self, ranks: range) -> ExactPairs:
        firsts = np.arange(ranks.start, ranks.stop, dtype=np.int64)
        following = len(self._order) - 1 - firsts
        x = np.repeat(firsts, following)
        a, b = self._order[x], self._order[indices_from(firsts + 1, following)]
        compared = self._to_review[a] | self._to_review[b]
        pairs = self.measure(a[compared], b[compared])
        return pairs.take(pairs.wanted(self._settings))


def share_common_grams_only(two: Shingles, passages: Passages, settings: ScanSettings) -> bool:
    """Whether each gram of each run of t units that two texts share is common in their folder.

    Args:
        two: The shingles of two texts; no run crosses text that is set aside.
        passages: The shared passages of the folder.
        settings: Decide grams and t.
    """
    grams = find_grams(two, settings)
    starts = np.arange(len(grams.hashes), dtype=np.int64)
    ends = grams.ends_of_windows(starts)
    complete = ends <= np.repeat(grams.offsets[1:], np.diff(grams.offsets))
    blanks = np.cumsum(np.append(0, grams.hashes == BLANK))
    complete &= blanks[np.minimum(ends, len(starts))] == blanks[starts]
    is_first = starts < grams.offsets[1]
    runs = _runs(grams.hashes, starts, np.where(complete, ends, starts))
    shared = complete & is_first & np.isin(runs, runs[complete & ~is_first])
    blank(grams.hashes, passages.avoided, passages.common.bits)
    uncommon = np.cumsum(np.append(0, grams.hashes != BLANK))
    return not np.any(uncommon[ends[shared]] > uncommon[starts[shared]])


def _runs(hashes: UInt64Array, starts: Int64Array, ends: Int64Array) -> UInt64Array:
    backwards = np.uint64(pow(int(MULTIPLIER), -1, 1 << 64))
    powers = np.multiply.accumulate(np.full(len(hashes) + 1, MULTIPLIER))
    inverse = np.multiply.accumulate(np.full(len(hashes), backwards))
    sums = np.append(np.uint64(0), np.cumsum(hashes * inverse))
    return (sums[ends] - sums[starts]) * powers[starts]


class AuditSearch:
    """The pairs that a scan with these settings lists.

    Attributes:
        settings: The settings.
        pairs: The listed pairs.
        codes: uint64, x << 32 | y of each, ascending.
        caps: The pairs that the list leaves out on purpose.
    """

    def __init__(
        self,
        texts: TextStore,
        settings: ScanSettings,
        pool: ThreadPoolExecutor,
        progress: Progress,
        to_review: BoolArray | None = None,
        folder: ReworkedPairs | None = None,
    ) -> None:
        """Search among texts.

        `to_review` marks documents to review; references are not paired with each other. `folder`
        has the words of the folder without planted texts: with ten planted copies of a document,
        each of its sentences would be a formula.
        """
        self.settings = settings
        self._corpus = Corpus(settings, pool)
        self._corpus.adopt(texts)
        for signed in in_parts(sign_numbered, texts, settings, pool):
            part = slice(len(self._corpus), len(self._corpus) + len(signed.units))
            self._corpus.append(signed, None if to_review is None else to_review[part])
            progress(ProgressReport(Stage.READ, len(self._corpus), len(texts)))
        if folder is not None and settings.reworked != "off":
            self.reworked.use_words_of(folder)
        listing = PairLister(self._corpus, overlap=False).list_pairs(settings, progress=progress)
        self.pairs: Pairs = listing.pairs
        self.codes = pair_codes(listing.pairs.a, listing.pairs.b)
        self.caps = listing.caps

    def __len__(self) -> int:
        """The number of texts that are searched."""
        return len(self._corpus)

    @property
    def reworked(self) -> ReworkedPairs:
        """The reworked passages of the texts."""
        return self._corpus.reworked

    def documents(self, first: int) -> int:
        """The number of the first texts that have anything to compare."""
        return int((self._corpus.signed.units[:first] > 0).sum())

    def representatives(self) -> Int64Array:
        """For each text the first one with the same words."""
        return self._corpus.representatives()

    def found_by(self, codes: UInt64Array) -> UInt8Array:
        """The ways in which these pairs were found; 0 for those that are not listed."""
        if not len(self.codes):
            return np.zeros(len(codes), dtype=np.uint8)
        index = np.minimum(np.searchsorted(self.codes, codes), len(self.codes) - 1)
        listed = self.codes[index] == codes
        return np.where(listed, self.pairs.found_by[index], 0).astype(np.uint8)

    def collided(
        self, x: IntegerArray, y: IntegerArray, settings: ScanSettings | None = None
    ) -> BoolArray:
        """Whether pairs are candidates by their signatures, with these or other settings."""
        return self._corpus.search(settings or self.settings).collides(x, y)

    def candidates(self, settings: ScanSettings) -> Estimate | None:
        """About how many pairs other bands would compare; None if there are no bands."""
        if settings.banding is None:
            return None
        pairs = count_pairs(self._corpus.reviewed(), self._corpus.distinct())
        return expected_candidates(self._corpus.background(), pairs, *settings.banding)

    def share_common_text_only(self, x: IntegerArray, y: IntegerArray) -> BoolArray:
        """Whether every part of every passage that pairs share is common text."""
        passages = self._corpus.shared_passages()
        only = [
            share_common_grams_only(
                self._corpus.texts.shingles(np.array(pair), self.settings), passages, self.settings
            )
            for pair in zip(x.tolist(), y.tolist(), strict=True)
        ]
        return np.array(only, dtype=np.bool_)

    def say_enough(self, x: Int64Array, y: Int64Array, alone: AuditSearch) -> BoolArray:
        """Whether the reworked passages of pairs reach the threshold of the list of `alone`."""
        least = alone.reworked.threshold(self.settings.reworked)
        return self.reworked.measured(x, y).bits >= least

    def promise(self) -> ReworkedCurve | None:
        """The probability to find reworked passages in this folder; None if none are looked for.

        A folder with no passage of 30 words has the curve of most folders.

        Raises:
            StorageError: There is no room for the words.
        """
        corpus, setting = self._corpus, self.settings.reworked
        if setting == "off":
            return None
        measures_all = corpus.reworked.measures_all()
        level = reworked_level(setting, all_measured=measures_all)
        kept = measure_kept(corpus.signed.skip_grams, corpus.taking_part(), ONE_IN[setting])
        if kept is None:
            return ReworkedCurve.usual(level, measures_all=measures_all)
        model = corpus.reworked.words()
        rows = corpus.distinct()
        rows = rows[np.linspace(0, len(rows) - 1, min(len(rows), SAMPLE)).astype(np.int64)]
        words = corpus.evidence.reworked.beginnings(rows)
        means = _by_passage(
            model.information(words.values, words.offsets).in_context, words.offsets
        )
        if not len(means):
            return ReworkedCurve.usual(level, measures_all=measures_all)
        mean, spread = float(means.mean()), float(means.std())
        bits = CurveEvidence(mean, spread, corpus.reworked.threshold(level))
        kept_in_both = None if measures_all else kept.of_these(share_kept_in_both(words))
        return ReworkedCurve(level, kept_in_both, bits)

    def forecast(self) -> MissedForecast | None:
        """The forecast of the window: pairs that bands miss, and that bands and passages miss."""
        settings = self.settings
        if settings.distance is None:
            forecast = known_pairs(self._corpus, settings).forecast(settings.min_resemblance)
        else:
            bits = known_bits(self._corpus, settings)
            if bits is None:
                return None
            forecast = bits.forecast(settings.min_resemblance, settings.distance)
        return MissedForecast.of(forecast)


def chances(resemblance: Float64Array, settings: ScanSettings) -> Float64Array | None:
    """The S-curve at these resemblances; None for a method without bands."""
    choice = settings.banding
    return None if choice is None else candidate_probability(resemblance, *choice)


RANGES = 20
MOST_REMEDIES = 3


def measured_ranges(
    resemblance: Float64Array, collided: BoolArray, settings: ScanSettings
) -> tuple[MeasuredRange, ...]:
    """The share of pairs that the signatures found, by ranges; ranges without pairs are left out.

    Args:
        resemblance: Exact, of pairs that should be listed.
        collided: Whether each pair agrees in a band, or in enough bits.
        settings: Promise how many are found.
    """
    range_of_pair = np.minimum((resemblance * RANGES + 1e-9).astype(np.int64), RANGES - 1)
    chance = chances(resemblance, settings)
    return tuple(
        MeasuredRange(
            number / RANGES,
            (number + 1) / RANGES,
            float(resemblance[in_range].mean()),
            int(in_range.sum()),
            None if chance is None else float(chance[in_range].sum()),
            int(collided[in_range].sum()),
        )
        for number in range(RANGES)
        if (in_range := range_of_pair == number).any()
    )


def remedies(
    search: AuditSearch, alone: AuditSearch, x: Int64Array, y: Int64Array, missed: int
) -> tuple[Remedy, ...]:
    """Other settings for the same signatures that miss fewer, each fewer than the one before.

    Args:
        search: The search that has these pairs.
        alone: The search of the folder alone.
        x: First documents of pairs that should be listed and that only signatures can find.
        y: Second documents.
        missed: How many of them the present settings miss.
    """
    alternatives: list[Remedy] = []
    for settings in _alternatives(search.settings):
        if not missed or len(alternatives) == MOST_REMEDIES:
            break
        left = int((~search.collided(x, y, settings)).sum())
        if left < missed:
            choice, distance = settings.banding or (0, 0), settings.distance
            candidates = alone.candidates(settings)
            if candidates and search is alone:  # a sample may estimate fewer than were counted
                candidates = Estimate(
                    *(max(candidate, float(len(x) - left)) for candidate in candidates)
                )
            alternatives.append(Remedy(*choice, distance, left, candidates))
            missed = left
    return tuple(alternatives)


def _alternatives(settings: ScanSettings) -> Iterator[ScanSettings]:
    """The present settings with more bands, then with fewer rows; or with more bits."""
    if settings.banding is None:
        for distance in range(settings.max_distance + 1, MAX_DISTANCE + 1):
            yield settings.with_changes(max_distance=distance)
        return
    for rows in range(settings.rows, 0, -1):
        yield settings.with_changes(bands=1, rows=1).with_changes(
            bands=settings.signature_size // rows, rows=rows
        )


def _by_passage(bits: Float32Array, offsets: Int64Array) -> Float32Array:
    """The mean of each passage."""
    starts = [
        np.arange(start, end - PASSAGE + 1, PASSAGE)
        for start, end in zip(offsets[:-1].tolist(), offsets[1:].tolist(), strict=True)
    ]
    starts_of_passages = np.concatenate([np.empty(0, dtype=np.int64), *starts])
    means: Float32Array = bits[starts_of_passages[:, None] + np.arange(PASSAGE)].mean(axis=1)
    return means
