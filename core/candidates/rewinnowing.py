"""Fingerprints for what stands beside common text.

A fingerprint in very many documents makes no pairs. But the window it was chosen for may
hold other grams, which few documents have: a quotation behind a form's heading is as much of a
shared passage as any other. So windows whose fingerprint is common choose again, without the common
grams, until no fingerprint that was chosen is common. Then every run of t units that two documents
share pairs them, unless each gram of it is common by itself.

Which grams are common in the end depends neither on the order of the documents nor on how they are
cut into parts: without more grams a window chooses at least the uncommon ones it chose before, so
the common ones only become more, and what they lead to is the smallest set that is complete.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import NamedTuple, TypeVar

import numpy as np

from core.base.arrays import BoolArray, Int64Array, UInt64Array
from core.base.parallel import batches, results_of
from core.base.progress import Cancelled, never
from core.candidates.shared_fingerprints import (
    CommonFingerprints,
    common_keys,
    keys_of,
    pair_by_fingerprints,
    sorted_fingerprints,
)
from core.candidates.sorted_keys import distinct, members
from core.settings import ScanSettings
from core.signatures.grams import Grams, find_grams
from core.signatures.winnowing import blank, choose, choose_places
from core.text.fingerprints import Fingerprints
from core.text.shingling import Shingles
from core.text.store import TextStore

Item = TypeVar("Item")
Result = TypeVar("Result")

CHARACTERS_AT_ONCE = 1 << 25  # of texts that choose together; their grams take some 100 MB


class Passages(NamedTuple):
    """What the documents of a collection share.

    Attributes:
        codes: uint64, ascending: pairs of documents x < y as x << 32 | y that share a fingerprint
            which is not common.
        holders: int64, ascending: documents that hold common text.
        common: The common ones among the fingerprints that were chosen first.
        avoided: uint64, ascending: the keys of all grams that are common.
        more: uint64, ascending: the fingerprints chosen instead and not common, as sorted keys.
    """

    codes: UInt64Array
    holders: Int64Array
    common: CommonFingerprints
    avoided: UInt64Array
    more: UInt64Array


def find_passages(fingerprints: Fingerprints, taking_part: BoolArray, chooser: Chooser) -> Passages:
    """The pairs of documents that share a passage.

    Args:
        fingerprints: Of all documents.
        taking_part: By document; of identical documents only one should.
        chooser: Has the texts of all documents; those with common text are read.

    Raises:
        ScanCancelledError: The work was asked to stop.
    """
    reviewed = chooser.reviewed()
    first = shared = pair_by_fingerprints(fingerprints, taking_part, to_review=reviewed)
    avoided = _Avoided(len(taking_part))
    more = np.empty(0, dtype=np.uint64)
    while len(documents := avoided.unsettled(shared.common)):
        for numbers in _parts(documents, chooser.texts.lengths):
            chosen = chooser.without(numbers, avoided)
            taken = np.zeros(len(taking_part), dtype=np.bool_)
            taken[numbers] = True
            known = sorted_fingerprints(fingerprints, taken, chooser.bits)
            more = distinct([more, chosen[~members(known, chosen)]])
        shared = pair_by_fingerprints(fingerprints, taking_part, more, to_review=reviewed)
    holds = np.zeros(len(taking_part), dtype=np.bool_)
    holds[shared.common.holders] = True
    common = np.sort(avoided.keys)
    more = more[~members(common, more >> chooser.bits)]
    return Passages(shared.codes, np.flatnonzero(holds), first.common, common, more)


class _Avoided:
    """The keys of common grams, in the order in which they were found to be.

    Attributes:
        keys: uint64.
    """

    def __init__(self, documents: int) -> None:
        self.keys = np.empty(0, dtype=np.uint64)
        self._settled = np.zeros(documents, dtype=np.int64)  # how many each chose without

    def unsettled(self, common: CommonFingerprints) -> Int64Array:
        """The documents that hold a common gram and have not chosen without it."""
        self.add(np.setdiff1d(common.keys, self.keys, assume_unique=True))
        order = np.argsort(self.keys)
        ranks = order[np.searchsorted(self.keys, common.keys, sorter=order)]
        late = np.repeat(ranks, common.documents) >= self._settled[common.holders]
        wanted = np.zeros(len(self._settled), dtype=np.bool_)
        wanted[common.holders[late]] = True
        return np.flatnonzero(wanted)

    def add(self, keys: UInt64Array) -> None:
        self.keys = np.concatenate([self.keys, keys])

    def settle(self, documents: Int64Array) -> None:
        """Remember that these have chosen without all that are here."""
        self._settled[documents] = len(self.keys)


def _nothing_kept(_documents: Int64Array) -> Shingles | None:
    return None


class Chooser(NamedTuple):
    """What it takes to choose the fingerprints of some documents again.

    Attributes:
        texts: The texts of all documents.
        settings: Decide over grams and windows.
        bits: How many low bits of a key name the document.
        pool: Threads to share the work; None to do it on this one.
        cancelled: Polled while they work.
        to_review: By document; all when left out.
        kept: The shingles of documents where all of these are known already, else None.
    """

    texts: TextStore
    settings: ScanSettings
    bits: np.uint64
    pool: ThreadPoolExecutor | None = None
    cancelled: Cancelled = never
    to_review: BoolArray | None = None
    kept: Callable[[Int64Array], Shingles | None] = _nothing_kept

    def reviewed(self) -> BoolArray:
        """Which documents are to review."""
        everyone = np.ones(len(self.texts), dtype=np.bool_)
        return everyone if self.to_review is None else self.to_review

    def without(self, numbers: Int64Array, avoided: _Avoided) -> UInt64Array:
        """What some documents choose without the common grams, as sorted keys.

        Grams that are common among these choices join the common ones, and stay in the result, so
        that it tells who holds them.
        """
        grams = self.grams(numbers)
        gathered = [np.empty(0, dtype=np.uint64)]
        while True:
            keys = self.keys(numbers, grams, np.sort(avoided.keys))
            fresh = common_keys(keys, self.bits, self.reviewed())
            gathered.append(keys[members(fresh, keys >> self.bits)] if len(fresh) else keys)
            if not len(fresh):
                break
            avoided.add(fresh)
        avoided.settle(numbers)
        return distinct(gathered)

    def grams(self, numbers: Int64Array) -> list[ChosenGrams]:
        """The grams of some documents, batch by batch."""
        parts = [numbers[part] for part in batches(self.texts.lengths[numbers].tolist())]
        return self._run(self._grams, parts)

    def keys(
        self, numbers: Int64Array, grams: Sequence[ChosenGrams], avoided: UInt64Array
    ) -> UInt64Array:
        """What these documents choose instead of some grams, as sorted keys."""
        chosen = Fingerprints.join(self._run(partial(self._without, avoided), grams))
        counts = np.zeros(len(self.texts), dtype=np.int64)
        counts[numbers] = chosen.counts
        everyone = np.ones(len(counts), dtype=np.bool_)
        chosen = Fingerprints(chosen.values, counts)
        return distinct([sorted_fingerprints(chosen, everyone, self.bits)])

    def _run(self, work: Callable[[Item], Result], items: Sequence[Item]) -> list[Result]:
        if self.pool is None:
            return list(map(work, items))
        return list(results_of([self.pool.submit(work, item) for item in items], self.cancelled))

    def _grams(self, numbers: Int64Array) -> ChosenGrams:
        shingles = self.kept(numbers) or self.texts.shingles(numbers, self.settings)
        return ChosenGrams(find_grams(shingles, self.settings), self.bits)

    def _without(self, avoided: UInt64Array, grams: ChosenGrams) -> Fingerprints:
        return grams.instead_of(avoided)


class ChosenGrams:
    """The grams of some texts, of which fingerprints are chosen again and again."""

    def __init__(self, grams: Grams, bits: np.uint64) -> None:
        self._grams = grams
        self._bits = bits
        self._places, _ = choose_places(grams)
        self._keys: UInt64Array = keys_of(grams.hashes[self._places], bits)

    @property
    def texts(self) -> int:
        """How many texts there are."""
        return len(self._grams.offsets) - 1

    def among(self, known: UInt64Array) -> UInt64Array:
        """The keys of all grams that are among some that ascend, in reading order."""
        keys: UInt64Array = keys_of(self._grams.hashes, self._bits)
        return keys[members(known, keys)]

    def around(self, known: UInt64Array) -> tuple[UInt64Array, Int64Array, Grams]:
        """The windows around each of these: its key, its text, and the grams of the windows."""
        keys: UInt64Array = keys_of(self._grams.hashes, self._bits)
        places = np.flatnonzero(members(known, keys))
        owners = np.searchsorted(self._grams.offsets, places, side="right") - 1
        return keys[places], owners, self._grams.around_each(places, owners)

    def without(self, avoided: UInt64Array) -> UInt64Array:
        """The ascending keys of all that windows choose when these are not to be chosen."""
        kept = self._keys[~members(avoided, self._keys)]
        return distinct([kept, keys_of(self.instead_of(avoided).values, self._bits)])

    def instead_of(self, avoided: UInt64Array) -> Fingerprints:
        """What windows choose whose first choice is avoided.

        Args:
            avoided: Ascending keys of grams that are not to be chosen.

        Other windows that lie beside these may choose, too: what they chose first.
        """
        grams = self._grams
        late = self._places[members(avoided, self._keys)]
        if not len(late):
            return Fingerprints(np.empty(0, dtype=np.uint64), np.zeros(self.texts, dtype=np.int64))
        owners = np.searchsorted(grams.offsets, late, side="right") - 1
        stretches, first = grams.around(late, owners)
        blank(stretches, avoided, self._bits)
        chosen = choose(stretches)
        counts = np.bincount(owners[first], chosen.counts, minlength=self.texts)
        return Fingerprints(chosen.values, counts.astype(np.int64))


def _parts(documents: Int64Array, lengths: Int64Array) -> Iterator[Int64Array]:
    """Cut documents into parts that choose together."""
    filled = np.cumsum(lengths[documents]) // CHARACTERS_AT_ONCE
    yield from np.split(documents, np.flatnonzero(np.diff(filled)) + 1)
