"""Signatures to the list of verified pairs, for one choice of bands, rows and threshold.

representatives ─▶ candidates (lsh) ─▶ evidence (overlap) ─▶ threshold ─▶ copies spelled out

Where only some pairs are wanted, as where references are compared with other documents and never
with each other, the others are dropped twice: as candidates, before they cost anything, and again
when copies are spelled out, because a copy may have another role than its original.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import NamedTuple

import numpy as np
from xxhash import xxh3_128

from core.base.arrays import BoolArray, IntegerArray, UInt8Array, UInt64Array
from core.base.tasks import Progress, ProgressReport, Stage, ignore, stop_if_cancelled
from core.candidates.all_pairs import AllPairs
from core.candidates.forecast import KnownPairs
from core.candidates.search import (
    PAIRS_AT_ONCE,
    CandidateSearch,
    CollectedPairs,
    LargeBuckets,
    candidate_batches,
)
from core.evidence.overlap import numbers_of
from core.evidence.pairs import FoundBy, Pairs, least_ways, pair_codes, split_codes, ways_of_shared
from core.evidence.store import EvidenceStore
from core.scan.audit_results import Cap, CapKind
from core.scan.copies import expand_copies, group_copies, pairs_within
from core.scan.corpus import ComparedBands, Corpus
from core.scan.measured_pairs import affordable_pairs
from core.scan.reworked import numbers_of_copies, with_passage_numbers
from core.settings import ScanSettings
from core.text.word_counts import are_passages


class Verifier:
    """Measures candidates.

    Attributes:
        search: The search that found them.
    """

    def __init__(
        self,
        corpus: Corpus,
        search: CandidateSearch,
        required_sets: Sequence[BoolArray],
        evidence: EvidenceStore | None = None,
    ) -> None:
        """Measure pairs of a corpus that have a document in each of the required sets.

        `evidence` remembers them: by default that of the corpus.
        """
        self.search = search
        self._corpus, self._evidence = corpus, evidence or corpus.evidence
        self._required_sets = required_sets

    def pairs(
        self,
        x: IntegerArray,
        y: IntegerArray,
        min_resemblance: float = 0.0,
        passages: ScanSettings | None = None,
    ) -> Pairs:
        """The exact numbers of pairs of representatives that reach one of two thresholds.

        Args:
            x: First documents.
            y: Second documents, x < y.
            min_resemblance: Resemblance that is enough.
            passages: Tell how long a shared run is enough; None for none.
        """
        if self._required_sets:
            wanted = are_wanted(self._required_sets, x, y)
            x, y = x[wanted], y[wanted]
        corpus = self._corpus
        overlap = self._evidence.measured(x, y)
        sizes, units = self._evidence.sizes(), corpus.signed.units
        numbers = numbers_of(overlap, sizes, units, x, y, corpus.settings.k)
        kept = numbers.resemblance >= min_resemblance
        if passages is not None:
            kept |= are_passages(numbers.run_words, passages)
        x, y = x[kept], y[kept]
        return Pairs(
            a=x.astype(np.int32),
            b=y.astype(np.int32),
            **numbers.take(kept)._asdict(),
            estimate=self.search.estimate(x, y),
            exact_duplicate=np.zeros(len(x), dtype=np.bool_),
            found_by=np.full(len(x), FoundBy.LSH, dtype=np.uint8),
        )

    def every(
        self,
        codes: UInt64Array,
        min_resemblance: float = 0.0,
        passages: ScanSettings | None = None,
        progress: Progress = ignore,
    ) -> Pairs:
        """As `pairs`, for very many pairs, part by part; `progress` is told their number."""
        x, y = split_codes(codes)
        pairs, total = CollectedPairs(), max(len(codes), 1)  # nothing to compare is all of it
        for start in range(0, len(codes), PAIRS_AT_ONCE):
            stop_if_cancelled()
            progress(ProgressReport(Stage.COMPARE, start, total))
            part = slice(start, start + PAIRS_AT_ONCE)
            pairs.add(self.pairs(x[part], y[part], min_resemblance, passages))
        progress(ProgressReport(Stage.COMPARE, total, total))
        return pairs.joined()


def are_wanted(required_sets: Sequence[BoolArray], a: IntegerArray, b: IntegerArray) -> BoolArray:
    """Which pairs have a document in each of these sets."""
    wanted = np.ones(len(a), dtype=np.bool_)
    for members in required_sets:
        wanted &= members[a] | members[b]
    return wanted


# Raised whenever the same documents under the same settings give another list or forecast.
LISTING = 1


class ListFacts(NamedTuple):
    """What a list of a whole corpus has besides its pairs.

    Attributes:
        basis: A digest of all it follows from: the words of the documents in their order,
            which are to review, the settings, and `LISTING`.
        caps: What is not among its pairs.
        compared: As in `Listing`.
        tried: What the bands, or the bits, compared; None where all pairs were compared.
        a_band: Seconds that a band took (see `Throughput`); None where that is not known.
        a_pair: The same of a pair.
    """

    basis: str
    caps: tuple[Cap, ...]
    compared: int | None
    tried: ComparedBands | None
    a_band: float | None = None
    a_pair: float | None = None


class KnownList(NamedTuple):
    """A list that was made before: where its basis is still there, it need not be searched again.

    Attributes:
        facts: What it has besides its pairs.
        codes: uint64, ascending: its pairs of different documents x < y as x << 32 | y, of copies
            those of the first.
        found_by: uint8, how each was found, as `FoundBy`.
        forecast: What is known of pairs, to forecast what the list misses; None where no forecast
            was made yet.
    """

    facts: ListFacts
    codes: UInt64Array
    found_by: UInt8Array
    forecast: KnownPairs | None = None

    def is_of(self, corpus: Corpus, settings: ScanSettings) -> bool:
        """Whether it is the list of all documents of a corpus under these settings."""
        return self.facts.basis == basis_of(corpus, settings)


class Listing(NamedTuple):
    """Pairs ordered by a and b, and what was left out.

    Attributes:
        every: The pairs that reach the threshold or share a passage.
        caps: What is not among them.
        settings: Decide which of them are listed.
        compared: Number of pairs of different documents where all were compared, else None.
        reworked_complete: Whether all pairs were measured for reworked passages.
        known: What makes the same list again without a search; None for a list of some pairs.
    """

    every: Pairs
    caps: Sequence[Cap]
    settings: ScanSettings
    compared: int | None = None
    reworked_complete: bool = False
    known: KnownList | None = None

    @property
    def pairs(self) -> Pairs:
        """The pairs that are listed."""
        if self.settings.list_passages:
            return self.every
        return self.every.take(self.every.resemblance >= self.settings.min_resemblance)


def basis_of(corpus: Corpus, settings: ScanSettings) -> str:
    """The basis of a list of all documents (see `ListFacts`)."""
    basis = xxh3_128(json.dumps([LISTING, asdict(settings)], sort_keys=True).encode())
    for column in (corpus.signed.digests, corpus.to_review, corpus.texts.lengths):
        basis.update(column.tobytes())
    return basis.hexdigest()


class PairLister:
    """Lists the pairs of one state of a corpus."""

    def __init__(
        self, corpus: Corpus, required_sets: Sequence[BoolArray] = (), *, overlap: bool = True
    ) -> None:
        """List the pairs of a corpus.

        Args:
            corpus: The documents.
            required_sets: Sets of documents, each by document: of a pair that is listed, at least
                one is in each set. That of the documents to review is always one.
            overlap: Whether it is measured how much of both texts stands in passages.
        """
        self._corpus, self._overlap = corpus, overlap
        self._is_of_all = not required_sets
        reviewed = corpus.to_review
        self._required_sets = list(required_sets) if reviewed.all() else [*required_sets, reviewed]
        self._signed = corpus.signed
        self._rows = corpus.distinct()
        numbers = np.arange(len(corpus), dtype=np.int64)
        representatives = np.where(self._signed.units > 0, corpus.representatives(), numbers)
        # A document without words is a copy of nothing.
        self._representatives = representatives
        self._copies = group_copies(representatives, reviewed)
        # A document stands for its copies.
        self._required_of_copies = [
            np.bincount(representatives[members], minlength=len(corpus)) > 0
            for members in self._required_sets
        ]

    def list_pairs(
        self, settings: ScanSettings, *, known: KnownList | None = None, progress: Progress = ignore
    ) -> Listing:
        """The pairs that reach the threshold, of all or of those that these bands and rows find.

        Args:
            settings: Decide which.
            known: An earlier list, which is made again where its basis is the same.
            progress: Told what was compared.

        Raises:
            TooManyCandidatesError: More than 20 million pairs would be compared; nothing was, and
                the sentence names bands and rows that would do.
            StorageError: There is not enough memory for so many pairs or so long documents.
        """
        corpus = self._corpus
        verifier = Verifier(corpus, corpus.search(settings), self._required_of_copies)
        if known and self._is_of_all and known.is_of(corpus, settings):
            listed = verifier.every(known.codes, progress=progress)
            listed = listed.with_columns(found_by=known.found_by)
            self._note_tried(settings, known.facts.tried)
            corpus.throughput.resume(known.facts.a_band, known.facts.a_pair)
        else:
            listed, facts = self._searched(verifier, settings, progress)
            known = KnownList(facts, pair_codes(listed.a, listed.b), listed.found_by)
        if self._overlap:
            listed = with_passage_numbers(listed, corpus.reworked, settings.reworked, progress)
        else:
            listed = listed.without_passages()
        corpus.evidence.settle()
        pairs = Pairs.concatenate([self._spell_out(listed), self._identical(verifier)])
        if self._required_sets:
            pairs = pairs.take(are_wanted(self._required_sets, pairs.a, pairs.b))
        ordered = pairs.take(np.lexsort((pairs.b, pairs.a)))
        complete = settings.reworked != "off" and corpus.reworked.measures_all()
        may_differ = corpus.lacked_memory and known.facts.compared is None
        return Listing(
            ordered,
            known.facts.caps,
            settings,
            known.facts.compared,
            complete,
            known if self._is_of_all and not may_differ else None,
        )

    def _note_tried(self, settings: ScanSettings, compared: ComparedBands | None) -> None:
        if compared and settings.banding:
            self._corpus.tried[settings.banding] = compared
        elif compared:
            self._corpus.tried_distances[settings.max_distance] = compared

    def _searched(
        self, verifier: Verifier, settings: ScanSettings, progress: Progress
    ) -> tuple[Pairs, ListFacts]:
        """The pairs of different documents that are listed, ordered, and the facts of the list."""
        corpus, search, tried = self._corpus, verifier.search, None
        every = affordable_pairs(corpus, settings)
        corpus.evidence.settle()  # random pairs, and what a cancelled list has measured
        large_buckets: LargeBuckets = []
        if every is None:
            started = time.monotonic()
            search.check_budget()
            corpus.throughput.add_band_time(started)
            alike, tried = self._candidates(verifier, settings, large_buckets, progress)
            self._note_tried(settings, tried)
        else:
            alike = self._of_all_pairs(every, verifier, settings, progress)
        listed = self._add_shared_passages(alike, verifier, settings)
        listed = self._add_reworked(listed, verifier, settings, progress)
        listed = listed.with_columns(found_by=least_ways(listed.found_by))
        listed = listed.take(np.argsort(pair_codes(listed.a, listed.b)))
        basis, caps = basis_of(corpus, settings), tuple(self._caps(large_buckets, settings))
        a_band, a_pair = (
            None if math.isnan(seconds) else seconds
            for seconds in (corpus.throughput.a_band, corpus.throughput.a_pair)
        )
        compared = every.pairs if every else None
        return listed, ListFacts(basis, caps, compared, tried, a_band, a_pair)

    def _of_all_pairs(
        self, every: AllPairs, verifier: Verifier, settings: ScanSettings, progress: Progress
    ) -> Pairs:
        """Of all pairs those that reach the threshold, and whether they collide in the search."""
        least = settings.min_resemblance
        pairs = verifier.every(every.reaching(least), least, progress=progress)
        collided = verifier.search.collides(pairs.a, pairs.b)
        ways = np.where(collided, FoundBy.LSH, FoundBy.ALL).astype(np.uint8)
        return pairs.with_columns(found_by=ways)

    def _candidates(
        self,
        verifier: Verifier,
        settings: ScanSettings,
        large_buckets: LargeBuckets,
        progress: Progress,
    ) -> tuple[Pairs, ComparedBands]:
        """Of the candidates those that reach the threshold, and what was compared for them.

        Adds the large buckets that were cut short.
        """
        kept, candidates, search = CollectedPairs(), 0, verifier.search
        evidence, throughput = self._corpus.evidence, self._corpus.throughput
        for chunk in throughput.timed_bands(candidate_batches(search.chunks())):
            candidates += len(chunk.x)
            progress(ProgressReport(Stage.COMPARE, chunk.band, search.steps))
            before, started = len(evidence), time.monotonic()
            kept.add(verifier.pairs(chunk.x, chunk.y, settings.min_resemblance))
            throughput.compared(len(evidence) - before, len(chunk.x), started)
            large_buckets += chunk.large_buckets
        throughput.bands += search.steps
        progress(ProgressReport(Stage.COMPARE, search.steps, search.steps))
        pairs = kept.joined()
        threshold = settings.min_resemblance
        return pairs, ComparedBands(candidates, len(pairs), threshold, bool(large_buckets))

    def _add_shared_passages(
        self, pairs: Pairs, verifier: Verifier, settings: ScanSettings
    ) -> Pairs:
        """Mark the pairs that share a passage, and add those that the bands did not find."""
        shared = self._corpus.shared_passages().codes
        if not len(shared):
            return pairs
        enough = are_passages(pairs.run_words, settings)
        both = np.isin(pair_codes(pairs.a, pairs.b), shared, assume_unique=True)
        ways = ways_of_shared(enough, (pairs.found_by & np.uint8(FoundBy.LSH)) > 0)
        pairs = pairs.with_columns(found_by=np.where(both, ways, pairs.found_by))
        missing = np.setdiff1d(shared, pair_codes(pairs.a, pairs.b), assume_unique=True)
        added = verifier.every(missing, settings.min_resemblance, settings)
        collided = verifier.search.collides(added.a, added.b)
        ways = ways_of_shared(are_passages(added.run_words, settings), collided)
        return Pairs.concatenate([pairs, added.with_columns(found_by=ways)])

    def _add_reworked(
        self, pairs: Pairs, verifier: Verifier, settings: ScanSettings, progress: Progress
    ) -> Pairs:
        """Mark the pairs that share a reworked passage, and add others."""
        if settings.reworked == "off":
            return pairs
        reworked = self._corpus.reworked.pair_codes(settings.reworked, progress)
        both = np.isin(pair_codes(pairs.a, pairs.b), reworked, assume_unique=True)
        ways = np.where(both, pairs.found_by | FoundBy.REWORKED, pairs.found_by)
        missing = np.setdiff1d(reworked, pair_codes(pairs.a, pairs.b), assume_unique=True)
        added = verifier.every(missing)
        collided = (
            np.where(verifier.search.collides(added.a, added.b), FoundBy.LSH, 0) | FoundBy.REWORKED
        )
        return Pairs.concatenate(
            [
                pairs.with_columns(found_by=ways.astype(np.uint8)),
                added.with_columns(found_by=collided.astype(np.uint8)),
            ]
        )

    def _spell_out(self, pairs: Pairs) -> Pairs:
        """Pairs of representatives to pairs of all their copies."""
        full = expand_copies(self._copies, pairs.a.astype(np.int64), pairs.b.astype(np.int64))
        rows = pairs.take(full.source).turned(full.swapped)
        return rows.with_columns(a=full.a.astype(np.int32), b=full.b.astype(np.int32))

    def _identical(self, verifier: Verifier) -> Pairs:
        a, b = pairs_within(self._copies)
        first = self._representatives[a]
        wanted = are_wanted(self._required_sets, a, b)
        a, b, first = a[wanted], b[wanted], first[wanted]
        pairs = verifier.pairs(first, first)
        if self._overlap:
            store, settings = self._corpus.evidence.reworked, self._corpus.settings
            numbers = numbers_of_copies(pairs, self._signed.units, settings, store)
            pairs = pairs.with_columns(**numbers.columns)
        else:
            pairs = pairs.without_passages()
        return pairs.with_columns(
            a=a.astype(np.int32),
            b=b.astype(np.int32),
            exact_duplicate=np.ones(len(a), dtype=np.bool_),
            found_by=np.full(len(a), FoundBy.EXACT, dtype=np.uint8),
        )

    def _caps(self, large_buckets: LargeBuckets, settings: ScanSettings) -> list[Cap]:
        copies, reviewed = self._copies, self._corpus.to_review
        large = [int(first) for first in copies.oversized() if reviewed[first]]
        common = self._corpus.shared_passages().holders
        caps = [
            *(Cap(CapKind.COMMON, len(common), int(common[0])) for _ in common[:1]),
            *self._common_wording(settings),
            *(Cap(CapKind.COPIES, int(copies.sizes[first]), first) for first in large),
        ]
        if large_buckets:
            members = {leader for leader, _ in large_buckets}.union(
                *(followers.tolist() for _, followers in large_buckets)
            )
            # Of two the one whose leader comes first, whatever the order of the search.
            largest = max(large_buckets, key=lambda bucket: (len(bucket[1]), -bucket[0]))[0]
            kind = CapKind.CROWD if settings.banding else CapKind.ALIKE
            caps.append(Cap(kind, len(members), largest, settings.method.called))
        return caps

    def _common_wording(self, settings: ScanSettings) -> Iterator[Cap]:
        """What was too common to lead to reworked passages."""
        if settings.reworked != "off":
            common = self._corpus.reworked.candidates().common
            if common.grams and common.document >= 0:
                yield Cap(CapKind.WORDING, common.documents, common.document)
