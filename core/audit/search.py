"""The search of a scan, run on texts in memory, with what an audit asks about its result."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np

from core.base.arrays import (
    BoolArray,
    Float64Array,
    Int64Array,
    IntegerArray,
    UInt8Array,
    UInt64Array,
)
from core.base.intervals import Estimate
from core.base.parallel import batches, results_of
from core.base.progress import Cancelled, Progress, ProgressReport, Stage
from core.candidates.forecast import Forecast
from core.candidates.references import count_pairs
from core.candidates.rewinnowing import Passages
from core.candidates.reworked_curve import ReworkedCurve
from core.candidates.scurve import candidate_probability, expected_candidates
from core.evidence.pairs import Pairs, pair_codes
from core.scan.corpus import Corpus
from core.scan.lister import PairLister
from core.scan.measured_bits import known_bits
from core.scan.measured_pairs import known_pairs
from core.scan.reworked_promise import promise_of
from core.settings import ScanSettings
from core.signatures.grams import BLANK, find_grams
from core.signatures.signing import SignedTexts, sign_numbered
from core.signatures.winnowing import blank
from core.text.shingling import MULTIPLIER, Shingles
from core.text.store import TextStore


def share_common_grams_only(two: Shingles, passages: Passages, settings: ScanSettings) -> bool:
    """Whether each gram of each run of t units that two texts share is common in their folder.

    Args:
        two: The shingles of two texts; no run goes over text that is set aside.
        passages: What the documents of the folder share.
        settings: Decide over grams and t.
    """
    grams = find_grams(two, settings)
    starts = np.arange(len(grams.hashes), dtype=np.int64)
    ends = grams.ends_of_windows(starts)
    whole = ends <= np.repeat(grams.offsets[1:], np.diff(grams.offsets))
    aside = np.cumsum(np.append(0, grams.hashes == BLANK))
    whole &= aside[np.minimum(ends, len(starts))] == aside[starts]
    own = starts < grams.offsets[1]
    runs = _runs(grams.hashes, starts, np.where(whole, ends, starts))
    shared = whole & own & np.isin(runs, runs[whole & ~own])
    blank(grams, passages.avoided, passages.common.bits)
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
        caps: What the list leaves out on purpose.
    """

    def __init__(
        self,
        texts: TextStore,
        settings: ScanSettings,
        pool: ThreadPoolExecutor,
        progress: Progress,
        cancelled: Cancelled,
        to_review: BoolArray | None = None,
    ) -> None:
        """`to_review` are the documents that are; the others are not paired with each other."""
        self.settings = settings
        self._corpus = Corpus(settings, pool)
        self._corpus.adopt(texts)
        parts = list(batches(texts.lengths.tolist()))
        tasks = (pool.submit(_sign, texts, part, settings) for part in parts)
        for part, signed in zip(parts, results_of(tasks, cancelled), strict=True):
            self._corpus.append(signed, None if to_review is None else to_review[part])
            progress(ProgressReport(Stage.READ, len(self._corpus), len(texts)))
        listing = PairLister(self._corpus).list_pairs(
            settings, progress=progress, cancelled=cancelled
        )
        self.pairs: Pairs = listing.pairs
        self.codes = pair_codes(listing.pairs.a, listing.pairs.b)
        self.caps = listing.caps

    def __len__(self) -> int:
        """How many texts are searched."""
        return len(self._corpus)

    def documents(self, first: int) -> int:
        """How many of the first texts have anything to compare."""
        return int((self._corpus.signed.units[:first] > 0).sum())

    def representatives(self) -> Int64Array:
        """For each text the first one with the same words."""
        return self._corpus.representatives()

    def found_by(self, codes: UInt64Array) -> UInt8Array:
        """The ways in which these pairs were found; 0 for those that are not listed."""
        if not len(self.codes):
            return np.zeros(len(codes), dtype=np.uint8)
        place = np.minimum(np.searchsorted(self.codes, codes), len(self.codes) - 1)
        listed = self.codes[place] == codes
        return np.where(listed, self.pairs.found_by[place], 0).astype(np.uint8)

    def met(
        self, x: IntegerArray, y: IntegerArray, settings: ScanSettings | None = None
    ) -> BoolArray:
        """Whether pairs are candidates by their signatures, under these or other settings."""
        return self._corpus.search(settings or self.settings).meets(x, y)

    def candidates(self, settings: ScanSettings) -> Estimate | None:
        """About how many pairs other bands would compare; None where there are no bands."""
        if settings.choice is None:
            return None
        pairs = count_pairs(self._corpus.reviewed(), self._corpus.distinct())
        return expected_candidates(self._corpus.background(), pairs, *settings.choice)

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
        """Whether the reworked passages of pairs are listed, by what the words of `alone` tell."""
        reworked = self._corpus.reworked
        reworked.use_words_of(alone._corpus.reworked)
        return reworked.measured(x, y).bits >= alone._corpus.reworked.threshold(
            self.settings.reworked
        )

    def promise(self, cancelled: Cancelled) -> ReworkedCurve | None:
        """How likely reworked passages are found here; None where none are looked for."""
        return promise_of(self._corpus, cancelled)

    def forecast(self) -> Forecast | None:
        """What bands miss and what passages list all the same, as the window forecasts it."""
        settings = self.settings
        if settings.distance is None:
            return known_pairs(self._corpus, settings).forecast(settings.min_resemblance)
        bits = known_bits(self._corpus, settings)
        return bits.forecast(settings.min_resemblance, settings.distance) if bits else None


def _sign(texts: TextStore, part: slice, settings: ScanSettings) -> SignedTexts:
    return sign_numbered(texts, part, settings)


def chances(resemblance: Float64Array, settings: ScanSettings) -> Float64Array | None:
    """The S-curve at these resemblances; None for a method that has no bands."""
    choice = settings.choice
    return None if choice is None else candidate_probability(resemblance, *choice)
