"""Fingerprints to pairs: an inverted index from each fingerprint to the documents that hold it.

A fingerprint in very many documents is common text, a form or a licence: it makes no pairs, because
its pairs would bury all others, but it is counted and can be shown. The text beside common text
gets other fingerprints.

Fingerprints for the text beside common text.

A fingerprint in very many documents makes no pairs. But the window it was chosen for may hold other
grams, which few documents have: a quotation after a form's heading is as much of a shared passage
as any other. So windows whose fingerprint is common choose again, without the common grams, until
no chosen fingerprint is common. Then every run of t units that two documents share pairs them,
unless each gram of it is common by itself.

The final set of common grams depends neither on the order of the documents nor on how they are cut
into parts: with more grams avoided, a window still chooses the uncommon ones it chose before, so
the set of common grams only grows, and it ends at the smallest complete set.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from core.base.arrays import (
    BoolArray,
    Int32Array,
    Int64Array,
    UInt64Array,
    equal_parts,
    grown,
    starts_of_runs,
)
from core.base.compiling import njit
from core.base.hashing import mix
from core.base.sorting import sort_keys
from core.base.tasks import batches, mapped
from core.candidates.references import pairs_of, pairs_of_all, reviewed_in_runs
from core.candidates.sorted_keys import DOCUMENT_LIMIT, distinct, members
from core.settings import ScanSettings
from core.signatures.winnowing import Grams, blank, choose, choose_positions, find_grams
from core.text.shingling import NO_EXCLUSIONS, NO_SHINGLE, Fingerprints, Shingles, shingle
from core.text.store import TextStore

FINGERPRINTS_AT_ONCE = 1 << 16  # up to 3 million pairs
PAIRS_PENDING = 1 << 22
FEWEST_BITS = 24
RANGES_AT_ONCE = 2  # of hashes, so that not many are in memory
SORTED_AT_ONCE = 1 << 25  # fingerprints in these at most


class CommonFingerprints(NamedTuple):
    """Fingerprints in too many documents to make pairs of.

    Attributes:
        keys: uint64, ascending, made by `keys_of`.
        documents: int64, the number of documents with each.
        holders: int32, these documents, ascending, key after key.
        bits: How many bits of a key belong to the document.
    """

    keys: UInt64Array
    documents: Int64Array
    holders: Int32Array
    bits: np.uint64

    @property
    def first(self) -> Int32Array:
        """The first document that holds each."""
        firsts: Int32Array = self.holders[np.cumsum(self.documents) - self.documents]
        return firsts


class SharedPassages(NamedTuple):
    """Pairs and common text of a collection, by fingerprints.

    Attributes:
        codes: uint64, ascending: pairs of documents x < y as x << 32 | y that share a fingerprint
            which is not common.
        common: Common fingerprints.
    """

    codes: UInt64Array
    common: CommonFingerprints


def pair_by_fingerprints(
    fingerprints: Fingerprints,
    taking_part: BoolArray,
    more: UInt64Array | None = None,
    *,
    to_review: BoolArray | None = None,
    pool: ThreadPoolExecutor | None = None,
) -> SharedPassages:
    """The pairs of documents that share a fingerprint.

    Args:
        fingerprints: Of all documents.
        taking_part: By document; of identical documents only one should.
        more: Further fingerprints of these documents, as sorted keys.
        to_review: By document; two references are no pair. All when left out.
        pool: Threads for the work; None for the calling thread.
    """
    reviewed = np.ones(len(taking_part), dtype=np.bool_) if to_review is None else to_review
    bits = document_bits(len(fingerprints.counts))
    values, starts, ends = _spans(fingerprints)
    ranges = RANGES_AT_ONCE << (len(values) // SORTED_AT_ONCE).bit_length()

    def pairs_of_range(number: int) -> SharedPassages:
        room = np.empty(len(values) // ranges + 16, dtype=np.uint64)
        keys = _pack(values, starts, ends, taking_part, bits, number, ranges, room)
        if more is not None:
            keys = np.concatenate([keys, _in_range(more, number, ranges)])
        return pair_keys(sort_keys(keys), bits, reviewed)

    pairs, parts = np.empty(0, dtype=np.uint64), []
    for part in mapped(pool, pairs_of_range, range(ranges), RANGES_AT_ONCE):
        pairs = distinct([pairs, part.codes])
        parts.append(part.common)
    hashes, documents, holders = map(
        np.concatenate, zip(*(part[:3] for part in parts), strict=True)
    )
    return SharedPassages(pairs, CommonFingerprints(hashes, documents, holders, bits))


def pair_keys(keys: UInt64Array, bits: np.uint64, to_review: BoolArray) -> SharedPassages:
    """The pairs of documents whose sorted keys agree above the bits that name the document.

    Args:
        keys: uint64, sorted.
        bits: How many bits of a key belong to the document.
        to_review: By document.
    """
    pairs, pending = np.empty(0, dtype=np.uint64), [np.empty(0, dtype=np.uint64)]
    holders, common = [np.empty(0, dtype=np.int32)], [np.empty((0, 2), dtype=np.uint64)]
    waiting = 0
    for part in _slices_of_runs(keys, bits):
        made, held, long_runs = _pair_runs(keys[part], bits, to_review, DOCUMENT_LIMIT)
        pending.append(made)
        holders.append(held)
        common.append(long_runs)
        waiting += len(made)
        # Near-copies share hundreds of fingerprints, each of which gives the same pairs again.
        if waiting > max(len(pairs), PAIRS_PENDING):
            pairs, pending, waiting = distinct([pairs, *pending]), [], 0
    hashes, documents = np.concatenate(common).T
    return SharedPassages(
        distinct([pairs, *pending]),
        CommonFingerprints(
            hashes.copy(), documents.astype(np.int64), np.concatenate(holders), bits
        ),
    )


def sorted_fingerprints(
    fingerprints: Fingerprints, taking_part: BoolArray, bits: np.uint64
) -> UInt64Array:
    """All fingerprints as sorted keys: the mixed hash in the high bits, the document in the low."""
    return sorted_keys(*_spans(fingerprints), taking_part, bits)


def sorted_keys(
    values: UInt64Array,
    starts: Int64Array,
    ends: Int64Array,
    taking_part: BoolArray,
    bits: np.uint64,
) -> UInt64Array:
    """Sorted keys of values with gaps: document i has those from `starts[i]` to `ends[i]`."""
    room = np.empty(int((ends - starts)[taking_part].sum()) + 1, dtype=np.uint64)
    keys: UInt64Array = _pack(values, starts, ends, taking_part, bits, 0, 1, room)
    return sort_keys(keys)


def _spans(fingerprints: Fingerprints) -> tuple[UInt64Array, Int64Array, Int64Array]:
    """All values, and the start and end of each document's values."""
    ends = np.cumsum(fingerprints.counts)
    return fingerprints.values, ends - fingerprints.counts, ends


def _slices_of_runs(keys: UInt64Array, bits: np.uint64) -> Iterator[slice]:
    """Cut sorted keys into slices that keep equal fingerprints together."""
    start = 0
    while start < len(keys):
        end = start + FINGERPRINTS_AT_ONCE
        if end < len(keys):
            last = keys[end] | ((np.uint64(1) << bits) - np.uint64(1))
            end = int(np.searchsorted(keys, last, side="right"))
        yield slice(start, end)
        start = end


def document_bits(documents: int) -> np.uint64:
    """The number of low bits of a key that name the document; those above are of the hash.

    The same for 1 as for 16.7 million documents, so that the same hashes count as equal.
    """
    return np.uint64(max(FEWEST_BITS, (documents - 1).bit_length()))


def common_keys(keys: UInt64Array, bits: np.uint64, to_review: BoolArray) -> UInt64Array:
    """The common fingerprints among sorted, different keys, in the form of `keys_of`."""
    documents = (keys & ((np.uint64(1) << bits) - np.uint64(1))).astype(np.int64)
    return common_among(keys >> bits, documents, to_review)


def common_among(keys: UInt64Array, documents: Int64Array, to_review: BoolArray) -> UInt64Array:
    """The common ones of ascending keys, given the document of each; both together never repeat."""
    starts = starts_of_runs(keys)
    sizes = np.diff(np.append(starts, len(keys)))
    reviewed = reviewed_in_runs(to_review, documents, starts)
    return keys[starts[pairs_of(reviewed, sizes) > pairs_of_all(DOCUMENT_LIMIT)]]


def _in_range(keys: UInt64Array, number: int, ranges: int) -> UInt64Array:
    """The sorted keys that belong to one of several ranges of hashes."""
    first = (number << 64) // ranges
    last = ((number + 1 << 64) // ranges) - 1
    start = np.searchsorted(keys, np.uint64(first))
    return keys[start : np.searchsorted(keys, np.uint64(last), side="right")]


def keys_of(values: UInt64Array, bits: np.uint64) -> UInt64Array:
    """Fingerprints as they are compared: mixed, without the bits that name the document.

    Hashes are mixed again, because the smallest of a window all begin with zeros.
    """
    return np.asarray(mix.py_func(values) >> bits)


@njit(nogil=True, cache=True)
def _pack(
    values: Any,
    starts: Any,
    ends: Any,
    taking_part: Any,
    bits: Any,
    number: Any,
    ranges: Any,
    keys: Any,
) -> Any:
    """A key for each fingerprint of each document: its hash above, the document below.

    40 bits of the hash stay: a chance agreement costs a pair to verify, of 30 million different
    fingerprints 400 pairs. Packs only range `number` of `ranges`, a power of two. `keys` is an
    array to fill, which is replaced if it is too small.
    """
    count = np.uint64(0)  # an index that cannot be negative is found faster
    for document in range(len(starts)):
        first, end = np.uint64(starts[document]), np.uint64(ends[document])
        if not taking_part[document]:
            continue
        if count + end - first > len(keys):
            keys = grown(keys, np.int64(count), np.int64(2 * (count + end - first)))
        for index in range(first, end):
            value = mix(values[index])
            keys[count] = (value >> bits << bits) | np.uint64(document)
            interval = ((value >> np.uint64(32)) * np.uint64(ranges)) >> np.uint64(32)
            count += np.uint64((interval == np.uint64(number)) & (values[index] != NO_SHINGLE))
    return keys[:count]


@njit(nogil=True, cache=True)
def _pair_runs(keys: Any, bits: Any, to_review: Any, limit: Any) -> Any:
    """Pair the documents of each run of a fingerprint, unless the run is too long.

    Returns pairs, the documents of the long runs, and each long run's key and number of documents.
    """
    pairs = np.empty(1 << 16, dtype=np.uint64)
    common = np.empty(len(keys), dtype=np.int32)  # then the documents of the run that is read
    runs = np.empty((len(keys) // limit + 1, 2), dtype=np.uint64)
    mask = (np.uint64(1) << bits) - np.uint64(1)
    most = limit * (limit - 1) // 2
    count = commons = long_runs = start = 0
    while start < len(keys):
        # Most are alone. A loop by itself: where an array may be replaced, each step takes 10 ns.
        while start + 1 < len(keys) and (keys[start] ^ keys[start + 1]) > mask:
            start += 1
        end, different, reviewed = start, 0, 0
        while end < len(keys) and keys[end] >> bits == keys[start] >> bits:
            if end == start or keys[end] != keys[end - 1]:
                common[commons + different] = np.int32(keys[end] & mask)
                reviewed += to_review[common[commons + different]]
                different += 1
            end += 1
        wanted = reviewed * (2 * different - reviewed - 1) // 2
        if wanted > most:
            runs[long_runs, 0] = keys[start] >> bits
            runs[long_runs, 1] = np.uint64(different)
            long_runs += 1
            commons += different
        else:
            if count + wanted > len(pairs):
                pairs = grown(pairs, count, 2 * len(pairs) + most)
            last = commons + different
            for index_x in range(commons, last):
                x = common[index_x]
                first = index_x + 1 if reviewed == different else commons
                for index_y in range(first, last if to_review[x] else first):
                    y = common[index_y]
                    if index_y > index_x or not to_review[y]:
                        pairs[count] = np.uint64(min(x, y)) << np.uint64(32) | np.uint64(max(x, y))
                        count += 1
        start = end
    return pairs[:count].copy(), common[:commons].copy(), runs[:long_runs].copy()


CHARACTERS_AT_ONCE = 1 << 25  # of texts that choose together; their grams take about 100 MB


class Passages(NamedTuple):
    """Pairs of a collection that share passages, and its common text.

    Attributes:
        codes: uint64, ascending: pairs of documents x < y as x << 32 | y that share a fingerprint
            which is not common.
        holders: int64, ascending: documents that hold common text.
        common: The common ones among the fingerprints that were chosen first.
        avoided: uint64, ascending: the keys of all common grams.
        more: uint64, ascending: fingerprints chosen instead that are not common, as sorted keys.
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
    """
    reviewed = chooser.reviewed()
    find_pairs = partial(
        pair_by_fingerprints, fingerprints, taking_part, to_review=reviewed, pool=chooser.pool
    )
    first = shared = find_pairs()
    avoided = _Avoided(len(taking_part))
    more = np.empty(0, dtype=np.uint64)
    while len(documents := avoided.unsettled(shared.common)):
        for part in equal_parts(chooser.texts.lengths[documents], CHARACTERS_AT_ONCE):
            numbers = documents[part]
            chosen = chooser.without(numbers, avoided)
            taken = np.zeros(len(taking_part), dtype=np.bool_)
            taken[numbers] = True
            known = sorted_fingerprints(fingerprints, taken, chooser.bits)
            more = distinct([more, chosen[~members(known, chosen)]])
        shared = find_pairs(more)
    holds = np.zeros(len(taking_part), dtype=np.bool_)
    holds[shared.common.holders] = True
    common = np.sort(avoided.keys)
    more = more[~members(common, more >> chooser.bits)]
    return Passages(shared.codes, np.flatnonzero(holds), first.common, common, more)


class _Avoided:
    """The keys of common grams, in the order in which they were found.

    Attributes:
        keys: uint64.
    """

    def __init__(self, documents: int) -> None:
        self.keys = np.empty(0, dtype=np.uint64)
        self._settled = np.zeros(documents, dtype=np.int64)  # how many keys each chose without

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
        """Remember that these documents have chosen without all current keys."""
        self._settled[documents] = len(self.keys)


def _nothing_kept(_documents: Int64Array) -> Shingles | None:
    return None


class Chooser(NamedTuple):
    """Chooses fingerprints of documents again.

    Attributes:
        texts: The texts of all documents.
        settings: Decide the grams and windows.
        bits: How many low bits of a key name the document.
        pool: Threads for the work; None for the calling thread.
        to_review: By document; all when left out.
        kept: Gives the shingles of documents if all of them are kept, else None.
    """

    texts: TextStore
    settings: ScanSettings
    bits: np.uint64
    pool: ThreadPoolExecutor | None = None
    to_review: BoolArray | None = None
    kept: Callable[[Int64Array], Shingles | None] = _nothing_kept

    def reviewed(self) -> BoolArray:
        """Which documents are to review."""
        everyone = np.ones(len(self.texts), dtype=np.bool_)
        return everyone if self.to_review is None else self.to_review

    def without(self, numbers: Int64Array, avoided: _Avoided) -> UInt64Array:
        """The fingerprints that documents choose without the common grams, as sorted keys.

        Grams that are common among these choices are added to the common ones, and stay in the
        result, so that their holders are known.
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
        """The grams of documents, batch by batch."""
        parts = [numbers[part] for part in batches(self.texts.lengths[numbers].tolist())]
        return list(mapped(self.pool, self._grams, parts))

    def keys(
        self, numbers: Int64Array, grams: Sequence[ChosenGrams], avoided: UInt64Array
    ) -> UInt64Array:
        """The fingerprints that documents choose instead of the avoided grams, as sorted keys."""
        chosen = Fingerprints.join(list(mapped(self.pool, partial(self._without, avoided), grams)))
        counts = np.zeros(len(self.texts), dtype=np.int64)
        counts[numbers] = chosen.counts
        everyone = np.ones(len(counts), dtype=np.bool_)
        chosen = Fingerprints(chosen.values, counts)
        return distinct([sorted_fingerprints(chosen, everyone, self.bits)])

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
        self._chosen, _ = choose_positions(grams)
        self._keys: UInt64Array = keys_of(grams.hashes[self._chosen], bits)

    @property
    def texts(self) -> int:
        """How many texts there are."""
        return len(self._grams.offsets) - 1

    def beside(self, avoided: UInt64Array) -> tuple[UInt64Array, Int64Array]:
        """The keys of all grams in windows whose first choice is avoided, and the text of each."""
        stretches, owners = self._stretches(avoided)
        keys: UInt64Array = keys_of(stretches.hashes, self._bits)
        return keys, np.repeat(owners, np.diff(stretches.offsets))

    def without(self, avoided: UInt64Array) -> UInt64Array:
        """The ascending keys of all fingerprints that windows choose without the avoided grams."""
        kept = self._keys[~members(avoided, self._keys)]
        return distinct([kept, keys_of(self.instead_of(avoided).values, self._bits)])

    def instead_of(self, avoided: UInt64Array) -> Fingerprints:
        """The new choices of windows whose first choice is avoided.

        Args:
            avoided: Ascending keys of grams that are not to be chosen.

        Adjacent windows may choose too: the same as before.
        """
        stretches, owners = self._stretches(avoided)
        blank(stretches.hashes, avoided, self._bits)
        chosen = choose(stretches)
        counts = np.bincount(owners, chosen.counts, minlength=self.texts)
        return Fingerprints(chosen.values, counts.astype(np.int64))

    def _stretches(self, avoided: UInt64Array) -> tuple[Grams, Int64Array]:
        """The stretches of windows whose first choice is avoided, and the text of each."""
        late = self._chosen[members(avoided, self._keys)]
        owners = np.searchsorted(self._grams.offsets, late, side="right") - 1
        stretches, first = self._grams.around(late, owners)
        return stretches, owners[first]


class PassageIndex:
    """A folder's fingerprints, indexed to find the documents that share a passage with a text."""

    def __init__(
        self,
        fingerprints: Fingerprints,
        taking_part: BoolArray,
        passages: Passages,
        chooser: Chooser,
    ) -> None:
        """Index the arguments and the result of `find_passages`; 8 bytes for each fingerprint."""
        self._chooser = chooser
        self._bits = chooser.bits
        self._avoided = passages.avoided
        first = sorted_fingerprints(fingerprints, taking_part, self._bits)
        self._keys = distinct([first, passages.more])

    def sharing(
        self, text: str, exclusions: Mapping[int, Int64Array] = NO_EXCLUSIONS, *, is_copy: bool
    ) -> Int64Array:
        """The documents that a scan with the text in the folder would compare with it.

        The text can make a fingerprint common: then its holders choose again, as in a scan.

        Args:
            text: The text.
            exclusions: Spans of it that do not count, as those of text 0.
            is_copy: A document has the same words; then the text replaces it.
        """
        settings = self._chooser.settings
        grams = ChosenGrams(find_grams(shingle([text], settings, exclusions), settings), self._bits)
        more = np.empty(0, dtype=np.uint64)
        avoided = self._avoided
        while True:
            hashes = grams.without(avoided)
            queried = distinct([hashes, more >> self._bits])
            count = self._held(self._keys, queried) + self._held(more, queried)
            count += 0 if is_copy else members(hashes, queried)
            common = (count > DOCUMENT_LIMIT) & ~members(avoided, queried)
            if not common.any():
                return np.flatnonzero(self._holds(hashes, more))
            fresh = queried[common]
            avoided = distinct([avoided, fresh])
            more = distinct([more, self._choose_again(self._holds(fresh, more), avoided)])

    def _choose_again(self, holds: BoolArray, avoided: UInt64Array) -> UInt64Array:
        """The new fingerprints that documents choose without the avoided grams."""
        numbers = np.flatnonzero(holds)
        chosen = self._chooser.keys(numbers, self._chooser.grams(numbers), avoided)
        return chosen[~members(self._keys, chosen)]

    def _held(self, keys: UInt64Array, hashes: UInt64Array) -> Int64Array:
        """The number of documents, among sorted keys, that hold each of these fingerprints."""
        starts, ends = self._runs(keys, hashes)
        return ends - starts

    def _holds(self, hashes: UInt64Array, more: UInt64Array) -> BoolArray:
        """Which documents hold any of these fingerprints."""
        holds = np.zeros(len(self._chooser.texts), dtype=np.bool_)
        mask = (np.uint64(1) << self._bits) - np.uint64(1)
        for keys in (self._keys, more):
            for start, end in zip(*self._runs(keys, hashes), strict=True):
                holds[(keys[start:end] & mask).astype(np.int64)] = True
        return holds

    def _runs(self, keys: UInt64Array, hashes: UInt64Array) -> tuple[Int64Array, Int64Array]:
        """The starts and ends of these fingerprints among sorted keys."""
        first = hashes << self._bits
        last = first | ((np.uint64(1) << self._bits) - np.uint64(1))
        return np.searchsorted(keys, first), np.searchsorted(keys, last, side="right")
