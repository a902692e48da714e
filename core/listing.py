"""Signatures to the list of verified pairs, for one choice of bands, rows and threshold.

representatives ─▶ candidates (lsh) ─▶ evidence (overlap) ─▶ threshold ─▶ copies spelled out
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from core.candidates import CandidateSearch, search_for
from core.copies import (
    expand_copies,
    group_copies,
    pairs_within,
)
from core.corpus import Corpus
from core.evidence import pair_codes, split_codes
from core.inverted_index import DOCUMENT_LIMIT
from core.lsh import BUCKET_LIMIT, CandidateChunk
from core.memory import require_memory
from core.pairs import FoundBy, Pairs, ways_of_shared
from core.progress import Cancelled, Progress, ProgressReport, Stage, ignore, never
from core.settings import ScanSettings

__all__ = ["Cap", "CapKind", "Listing", "PairLister"]

IntArray = npt.NDArray[np.integer]

PAIRS_AT_ONCE = 1 << 19  # measured together
PAIRS_A_CHECK = 1 << 20  # the memory is looked at whenever so many more are listed
BYTES_PER_PAIR = 3 * 64  # collected, joined, ordered


class CapKind(Enum):
    """Why pairs were left out of a list, as a sentence about the document they all resemble."""

    COPIES = "{size:,} documents have the same words; each is listed with one of them only: {name}"
    COMMON = (
        "{size:,} documents hold text that stands in more than "
        f"{DOCUMENT_LIMIT} of them; text as common as that pairs nobody by itself, "
        "for instance that of {name}"
    )
    CROWD = (
        f"{{size:,}} documents each have text in common with over {BUCKET_LIMIT:,} others; each "
        "was compared with one of those, for instance {name}, and else only with the most like it"
    )
    ALIKE = (
        "{size:,} documents have a SimHash fingerprint in common with many others; each was "
        "compared with one of those, for instance {name}"
    )


class Cap(NamedTuple):
    """Pairs that a list leaves out: among how many documents, around which one."""

    kind: CapKind
    size: int
    document: int

    def sentence(self, name: str) -> str:
        """The cap in words, with the name of its document."""
        return self.kind.value.format(size=self.size, name=name)


class Listing(NamedTuple):
    """Pairs ordered by a and b, and what was left out.

    Attributes:
        every: The pairs that reach the threshold or share a passage.
        caps: What is not among them.
        settings: Decide which of them are listed.
    """

    every: Pairs
    caps: list[Cap]
    settings: ScanSettings

    @property
    def pairs(self) -> Pairs:
        """The pairs that are listed."""
        if self.settings.list_passages:
            return self.every
        return self.every.take(self.every.resemblance >= self.settings.min_resemblance)


class PairLister:
    """Lists the pairs of one state of a corpus."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus
        self._signed = corpus.signed
        self._rows = corpus.distinct()
        own = np.arange(len(corpus), dtype=np.int64)
        representatives = np.where(self._signed.units > 0, corpus.representatives(), own)
        # A document without words is a copy of nothing.
        self._copies = group_copies(representatives)

    def list_pairs(
        self,
        settings: ScanSettings,
        *,
        progress: Progress = ignore,
        cancelled: Cancelled = never,
    ) -> Listing:
        """The pairs that these bands and rows find and that reach the threshold.

        Raises:
            TooManyCandidatesError: They would compare more than 20 million pairs; nothing was
                compared, and the sentence names bands and rows that would do.
            StorageError: There is not enough memory for so many pairs or so long documents.
        """
        search = search_for(self._corpus, settings, cancelled)
        search.check_budget()
        self._corpus.evidence.settle()  # what a cancelled list has measured
        kept = _Listed()
        crowds: list[tuple[int, npt.NDArray[np.int32]]] = []
        for chunk in _gathered(search.chunks()):
            progress(ProgressReport(Stage.COMPARE, chunk.band, search.steps))
            kept.add(
                self._verify(
                    chunk.x, chunk.y, search, cancelled, min_resemblance=settings.min_resemblance
                )
            )
            crowds += chunk.crowds
        progress(ProgressReport(Stage.COMPARE, search.steps, search.steps))
        found = self._add_shared_passages(kept.joined(), search, settings, cancelled)
        self._corpus.evidence.settle()
        pairs = Pairs.concatenate([self._spell_out(found), self._identical(search, cancelled)])
        ordered = pairs.take(np.lexsort((pairs.b, pairs.a)))
        return Listing(ordered, self._caps(crowds, settings), settings)

    def _add_shared_passages(
        self, pairs: Pairs, search: CandidateSearch, settings: ScanSettings, cancelled: Cancelled
    ) -> Pairs:
        """Mark the pairs that share a passage, and add those that the bands did not find."""
        shared = self._corpus.shared_passages(cancelled).codes
        if not len(shared):
            return pairs
        long_enough = pairs.longest_run >= settings.passage_length
        both = long_enough & np.isin(pair_codes(pairs.a, pairs.b), shared, assume_unique=True)
        pairs = pairs.with_columns(
            found_by=pairs.found_by | np.where(both, FoundBy.PASSAGE, 0).astype(np.uint8)
        )
        more = np.setdiff1d(shared, pair_codes(pairs.a, pairs.b), assume_unique=True)
        x, y = split_codes(more)
        added = _Listed()
        for start in range(0, len(more), PAIRS_AT_ONCE):
            part = slice(start, start + PAIRS_AT_ONCE)
            added.add(
                self._verify(
                    x[part],
                    y[part],
                    search,
                    cancelled,
                    min_resemblance=settings.min_resemblance,
                    min_run=settings.passage_length,
                )
            )
        found = added.joined()
        met = search.meets(found.a, found.b)
        ways = ways_of_shared(found.longest_run >= settings.passage_length, met)
        return Pairs.concatenate([pairs, found.with_columns(found_by=ways)])

    def _verify(
        self,
        x: IntArray,
        y: IntArray,
        search: CandidateSearch,
        cancelled: Cancelled,
        *,
        min_resemblance: float = 0.0,
        min_run: int | None = None,
    ) -> Pairs:
        """The exact numbers of pairs of representatives that reach one of two thresholds.

        Args:
            x: First documents.
            y: Second documents, x < y.
            search: Tells what their signatures say.
            cancelled: Polled while threads work.
            min_resemblance: Resemblance that is enough.
            min_run: Shared run, in units, that is enough; None for none.
        """
        evidence = self._corpus.evidence.measured(x, y, cancelled)
        sizes = self._corpus.evidence.sizes()
        shared = evidence.shared.astype(np.float64)
        resemblance = shared / (sizes[x] + sizes[y] - shared)
        longest_run = self._in_units(evidence.longest, x, y)
        kept = resemblance >= min_resemblance
        if min_run is not None:
            kept |= longest_run >= min_run
        x, y, shared = x[kept], y[kept], shared[kept]
        return Pairs(
            a=x.astype(np.int32),
            b=y.astype(np.int32),
            resemblance=resemblance[kept],
            containment_a=shared / sizes[x],
            containment_b=shared / sizes[y],
            estimate=search.estimate(x, y),
            shared_shingles=evidence.shared[kept],
            longest_run=longest_run[kept],
            exact_duplicate=np.zeros(len(x), dtype=np.bool_),
            found_by=np.full(len(x), FoundBy.LSH, dtype=np.uint8),
        )

    def _in_units(
        self, longest: npt.NDArray[np.int32], x: IntArray, y: IntArray
    ) -> npt.NDArray[np.int32]:
        """Consecutive shingles to words; a document shorter than k is one shingle."""
        units = longest + (self._corpus.settings.k - 1)
        shorter = np.minimum(self._signed.units[x], self._signed.units[y])
        return np.where(longest > 0, np.minimum(units, shorter), 0).astype(np.int32)

    def _spell_out(self, pairs: Pairs) -> Pairs:
        """Pairs of representatives to pairs of all their copies."""
        full = expand_copies(self._copies, pairs.a.astype(np.int64), pairs.b.astype(np.int64))
        rows = pairs.take(full.source)
        in_a, in_b = rows.containment_a, rows.containment_b
        return rows.with_columns(
            a=full.a.astype(np.int32),
            b=full.b.astype(np.int32),
            containment_a=np.where(full.swapped, in_b, in_a),
            containment_b=np.where(full.swapped, in_a, in_b),
        )

    def _identical(self, search: CandidateSearch, cancelled: Cancelled) -> Pairs:
        """The pairs of documents with the same words."""
        a, b = pairs_within(self._copies)
        first = self._copies.members[self._copies.starts[a]]
        return self._verify(first, first, search, cancelled).with_columns(
            a=a.astype(np.int32),
            b=b.astype(np.int32),
            exact_duplicate=np.ones(len(a), dtype=np.bool_),
            found_by=np.full(len(a), FoundBy.EXACT, dtype=np.uint8),
        )

    def _caps(
        self, crowds: list[tuple[int, npt.NDArray[np.int32]]], settings: ScanSettings
    ) -> list[Cap]:
        copies = self._copies
        common = self._corpus.shared_passages().holders
        caps = [
            *(Cap(CapKind.COMMON, len(common), int(common[0])) for _ in common[:1]),
            *(Cap(CapKind.COPIES, int(copies.sizes[i]), int(i)) for i in copies.oversized()),
        ]
        if crowds:
            members = {leader for leader, _ in crowds}.union(*(own.tolist() for _, own in crowds))
            largest = max(crowds, key=lambda crowd: len(crowd[1]))[0]
            kind = CapKind.ALIKE if settings.signature == "simhash" else CapKind.CROWD
            caps.append(Cap(kind, len(members), largest))
        return caps


class _Gathered(NamedTuple):
    """Candidate pairs of several chunks, the last of which is of `band`, and their crowds."""

    band: int
    x: npt.NDArray[np.int32]
    y: npt.NDArray[np.int32]
    crowds: list[tuple[int, npt.NDArray[np.int32]]]


def _gathered(chunks: Iterator[CandidateChunk]) -> Iterator[_Gathered]:
    """Join small chunks: pairs with one first document cost least when they are measured together.

    The first chunks come as they are, so that cancelling and progress do not wait for more.
    """
    waiting: list[CandidateChunk] = []
    count, enough = 0, 1
    for chunk in chunks:
        waiting.append(chunk)
        count += len(chunk.x)
        if count >= enough:
            yield _join(waiting)
            waiting, count, enough = [], 0, min(PAIRS_AT_ONCE, 4 * enough)
    if waiting:
        yield _join(waiting)


def _join(chunks: list[CandidateChunk]) -> _Gathered:
    return _Gathered(
        chunks[-1].band,
        np.concatenate([chunk.x for chunk in chunks]),
        np.concatenate([chunk.y for chunk in chunks]),
        [(chunk.leader, chunk.crowd) for chunk in chunks if len(chunk.crowd)],
    )


class _Listed:
    """Pairs as they are found, as long as there is memory for their list."""

    def __init__(self) -> None:
        self._parts: list[Pairs] = []
        self._count = 0
        self._next_check = PAIRS_A_CHECK

    def add(self, pairs: Pairs) -> None:
        """Take some more."""
        self._parts.append(pairs)
        self._count += len(pairs)
        if self._count >= self._next_check:
            self._next_check = self._count + PAIRS_A_CHECK
            require_memory(
                BYTES_PER_PAIR * self._count,
                f"A list of more than {self._count:,} pairs",
                "Raise the resemblance from which pairs are listed.",
            )

    def joined(self) -> Pairs:
        """All of them."""
        return Pairs.concatenate(self._parts)
