"""The search for candidate pairs: one for each kind of signatures, by bands and by bits."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import NamedTuple

import numpy as np

from core.base.arrays import (
    BoolArray,
    Float32Array,
    Float64Array,
    Int32Array,
    Int64Array,
    IntegerArray,
    UInt32Array,
)
from core.base.memory import require_memory
from core.base.messages import N_, gettext
from core.base.wording import count
from core.candidates.bands import Buckets, agree_in_a_band, sorted_buckets
from core.candidates.hamming import HammingSearch, affordable_distance
from core.candidates.lsh import CandidateChunk, pairs_of_buckets
from core.candidates.references import are_compared, count_pairs, pairs_of, reviewed_in_runs
from core.candidates.scurve import expected_candidates
from core.errors import TooManyCandidatesError
from core.evidence.pairs import Pairs
from core.settings import ScanSettings, SignatureKind
from core.signatures.methods import hamming_distance, resemblance_by_distance, share_of_equal_values
from core.signatures.signing import SignedTexts

LargeBuckets = list[tuple[int, Int32Array]]  # leaders and their followers

FIRST_MEASURED, PAIRS_AT_ONCE = 1 << 10, 1 << 19  # pairs measured together
COMPARED_AT_ONCE = 1 << 14  # documents, with one text: their signatures take 8 MB
PAIRS_A_CHECK = 1 << 20  # the memory is checked whenever so many more are listed
BYTES_PER_PAIR = 3 * 64  # collected, joined, ordered


class CandidateBatch(NamedTuple):
    """Candidate pairs of several chunks, the last of `band`, and their large buckets."""

    band: int
    x: Int32Array
    y: Int32Array
    large_buckets: LargeBuckets


def candidate_batches(chunks: Iterator[CandidateChunk]) -> Iterator[CandidateBatch]:
    """Join small chunks: pairs with the same first document are cheapest measured together.

    The first batches are smaller, so that progress is shown early.
    """
    waiting: list[CandidateChunk] = []
    count, enough = 0, FIRST_MEASURED
    for chunk in chunks:
        waiting.append(chunk)
        count += len(chunk.x)
        if count >= enough:
            yield _join(waiting)
            waiting, count, enough = [], 0, min(PAIRS_AT_ONCE, 4 * enough)
    if waiting:
        yield _join(waiting)


def _join(chunks: list[CandidateChunk]) -> CandidateBatch:
    return CandidateBatch(
        chunks[-1].band,
        np.concatenate([chunk.x for chunk in chunks]),
        np.concatenate([chunk.y for chunk in chunks]),
        [(chunk.leader, chunk.followers) for chunk in chunks if len(chunk.followers)],
    )


class CollectedPairs:
    """Collects pairs as they are found, while there is memory for their list."""

    def __init__(self) -> None:
        self._parts: list[Pairs] = []
        self._count = 0
        self._next_check = PAIRS_A_CHECK

    def add(self, pairs: Pairs) -> None:
        """Add more pairs."""
        self._parts.append(pairs)
        self._count += len(pairs)
        if self._count >= self._next_check:
            self._next_check = self._count + PAIRS_A_CHECK
            require_memory(
                BYTES_PER_PAIR * self._count,
                gettext("A list of more than {pairs} pairs", pairs=count(self._count)),
                gettext("Raise the resemblance from which pairs are listed."),
            )

    def joined(self) -> Pairs:
        """All pairs."""
        return Pairs.concatenate(self._parts)


CANDIDATE_BUDGET = 20_000_000  # pairs: some minutes on two cores
LONGER_SHINGLES = N_("Longer shingles are needed: a larger k.")
MEMBERS_KEPT = 1 << 24  # of buckets that are kept for `chunks`: 64 MiB


class CandidateSearch(ABC):
    """One search among different documents."""

    def __init__(
        self,
        signed: SignedTexts,
        rows: Int64Array,
        to_review: BoolArray,
        settings: ScanSettings,
        background: Callable[[], Float64Array],
    ) -> None:
        """Prepare a search; `search_for` describes the arguments."""
        self._signatures = signed.signatures
        self._digests = signed.digests
        self._rows = rows
        self._to_review = to_review
        self._settings = settings
        self._background = background

    @property
    @abstractmethod
    def steps(self) -> int:
        """How many steps the search takes; `CandidateChunk.band` counts them."""

    @abstractmethod
    def check_budget(self) -> None:
        """Refuse a search that would compare more than 20 million pairs.

        Raises:
            TooManyCandidatesError: It would; the message suggests other settings.
        """

    @abstractmethod
    def chunks(self) -> Iterator[CandidateChunk]:
        """The candidate pairs."""

    @abstractmethod
    def collides(self, a: IntegerArray, b: IntegerArray) -> BoolArray:
        """Whether these pairs are candidates."""

    @abstractmethod
    def alike(self, signature: UInt32Array) -> Int64Array:
        """The documents that are candidates with a text, whose signature is a single row."""

    @staticmethod
    @abstractmethod
    def estimate_among(signatures: UInt32Array, a: IntegerArray, b: IntegerArray) -> Float32Array:
        """Estimate the resemblance of pairs of rows from signatures of this kind."""

    def estimate(self, a: IntegerArray, b: IntegerArray) -> Float32Array:
        """Estimate the resemblance of these pairs from their signatures."""
        return self.estimate_among(self._signatures, a, b)

    def _pairs_in_all(self) -> int:
        return count_pairs(self._to_review, self._rows)

    def _count(self) -> int:
        """Number of candidates; counting stops above the budget. Verifying them takes longer."""
        count = 0
        for chunk in self.chunks():
            count += len(chunk.x)
            if count > CANDIDATE_BUDGET:
                break
        return count


class _BandSearch(CandidateSearch):
    """Documents that agree in a band."""

    estimate_among = staticmethod(share_of_equal_values)
    _sorted_buckets: list[Buckets] | None = None

    @property
    def steps(self) -> int:
        return self._settings.bands

    def check_budget(self) -> None:
        """Count the pairs of all buckets; forecast the candidates where these are too many.

        A pair may agree in several bands, and few pairs of a large bucket become candidates: where
        random pairs forecast too many, the candidates are counted.
        """
        pairs = self._pairs_in_all()
        if pairs <= CANDIDATE_BUDGET or self._fit_in_buckets():
            return
        settings = self._settings
        background = self._background()
        cost = expected_candidates(background, pairs, settings.bands, settings.rows)
        if cost.low <= CANDIDATE_BUDGET or self._count() <= CANDIDATE_BUDGET:
            return
        raise TooManyCandidatesError(
            "With b × r = {bands} × {rows} about {pairs} pairs of {documents} documents would "
            "have to be compared, because even unlike documents share shingles here. {remedy}",
            bands=settings.bands,
            rows=settings.rows,
            pairs=count(round(cost.expected)),
            documents=count(len(self._rows)),
            remedy=_cheaper(settings, background, pairs),
        )

    def _fit_in_buckets(self) -> bool:
        """Whether the pairs of all buckets are within the budget; keeps these for `chunks`."""
        kept: list[Buckets] = []
        members = pairs = 0
        for buckets in self._buckets():
            kept.append(buckets)
            members += len(buckets.members)
            reviewed = reviewed_in_runs(self._to_review, buckets.members, buckets.starts[:-1])
            pairs += int(pairs_of(reviewed, buckets.sizes).sum())
            if members > MEMBERS_KEPT or pairs > CANDIDATE_BUDGET:
                return False
        self._sorted_buckets = kept
        return True

    def _buckets(self) -> Iterator[Buckets]:
        settings = self._settings
        return sorted_buckets(self._signatures, self._rows, settings.bands, settings.rows)

    def chunks(self) -> Iterator[CandidateChunk]:
        buckets, self._sorted_buckets = self._sorted_buckets, None
        return pairs_of_buckets(
            self._signatures,
            self._digests,
            self._to_review,
            self._buckets() if buckets is None else buckets,
            self._settings.bands,
            self._settings.rows,
        )

    def collides(self, a: IntegerArray, b: IntegerArray) -> BoolArray:
        settings = self._settings
        return agree_in_a_band(self._signatures, a, b, settings.bands, settings.rows)

    def alike(self, signature: UInt32Array) -> Int64Array:
        bands, rows = self._settings.bands, self._settings.rows
        alike, are_all = [self._rows[:0]], len(self._rows) == len(self._signatures)
        for start in range(0, len(self._rows), COMPARED_AT_ONCE):
            part = slice(start, start + COMPARED_AT_ONCE)
            documents = self._rows[part]
            signatures = self._signatures[part if are_all else documents]  # a part is not copied
            same = signatures[:, : bands * rows] == signature[0, : bands * rows]
            alike.append(documents[same.reshape(-1, bands, rows).all(axis=2).any(axis=1)])
        return np.concatenate(alike)


class _BitSearch(CandidateSearch):
    estimate_among = staticmethod(resemblance_by_distance)

    @cached_property
    def _search(self) -> HammingSearch:
        distance = self._settings.max_distance
        return HammingSearch(self._signatures, self._digests, self._rows, distance)

    @property
    def steps(self) -> int:
        return max(1, self._search.plan.tables)

    def check_budget(self) -> None:
        if self._pairs_in_all() <= CANDIDATE_BUDGET:
            return
        if self._search.count(CANDIDATE_BUDGET) <= CANDIDATE_BUDGET:
            return
        if not self._to_review.all() and self._count() <= CANDIDATE_BUDGET:
            return
        distance = self._settings.max_distance
        smaller = affordable_distance(
            self._signatures, self._digests, self._rows, distance, CANDIDATE_BUDGET
        )
        remedy = gettext(LONGER_SHINGLES)
        if smaller is not None:
            remedy = gettext("d = {distance} compares fewer.", distance=smaller)
        raise TooManyCandidatesError(
            "With d = {distance} more than {pairs} pairs of {documents} documents would have "
            "to be compared. {remedy}",
            distance=distance,
            pairs=count(CANDIDATE_BUDGET),
            documents=count(len(self._rows)),
            remedy=remedy,
        )

    def chunks(self) -> Iterator[CandidateChunk]:
        for chunk in self._search.pairs():
            wanted = are_compared(self._to_review, chunk.x, chunk.y)
            yield chunk._replace(x=chunk.x[wanted], y=chunk.y[wanted])

    def collides(self, a: IntegerArray, b: IntegerArray) -> BoolArray:
        return np.asarray(hamming_distance(self._signatures, a, b) <= self._settings.max_distance)

    def alike(self, signature: UInt32Array) -> Int64Array:
        differing = np.bitwise_count(self._signatures[self._rows] ^ signature)
        return np.compress(differing.sum(axis=1) <= self._settings.max_distance, self._rows)


_SEARCHES: dict[SignatureKind, type[CandidateSearch]] = {
    SignatureKind.BANDS: _BandSearch,
    SignatureKind.BITS: _BitSearch,
}


def search_for(
    signed: SignedTexts,
    rows: Int64Array,
    to_review: BoolArray,
    settings: ScanSettings,
    background: Callable[[], Float64Array],
) -> CandidateSearch:
    """The search that the settings ask for.

    Args:
        signed: All documents, with complete signatures.
        rows: The documents to be searched, all different, ascending.
        to_review: By document; two references are no pair.
        settings: Decide the search.
        background: Measures the resemblances of random pairs of them, when it is called.
    """
    search = _SEARCHES[settings.method.kind]
    return search(signed, rows, to_review, settings, background)


def _cheaper(settings: ScanSettings, background: Float64Array, pairs: int) -> str:
    """The fewest rows that keep the candidates within the budget, in a sentence."""
    for rows in range(settings.rows + 1, settings.signature_size + 1):
        bands = settings.signature_size // rows
        cost = expected_candidates(background, pairs, bands, rows).expected
        if cost <= CANDIDATE_BUDGET:
            return gettext(
                "{bands} × {rows} compares about {pairs}.",
                bands=bands,
                rows=rows,
                pairs=count(round(cost)),
            )
    return gettext(LONGER_SHINGLES)
