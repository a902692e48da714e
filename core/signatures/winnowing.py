"""Fingerprints that find shared passages that resemblance cannot see: a page in a long report.

Winnowing (Schleimer, Wilkerson, Aiken, SIGMOD 2003) keeps, of every window of w consecutive grams
of g units, the one with the smallest hash. A run of t = g + w - 1 units that is in two documents
fills a window in both, and both keep the same gram of it: so every shared run of at least t units
gives a shared fingerprint. Of random text 2 / (w + 1) of the grams are kept. A gram is a third of t
and longer than a shingle, because three words in common mean nothing and every pair has to be
verified.

Here t and g are words, see below.

Grams: runs of shingles as long as a third of a passage, of which winnowing keeps some.

Lengths are words (see `core.text.word_counts`). Where all units weigh the same, that is a number
of units. Elsewhere a gram is the fewest units from its first one on that weigh g or more, and the
window of a gram holds those that end within the fewest units from there on that weigh t or more.
Both depend on the units of the run alone.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from core.base.arrays import Int64Array, UInt16Array, UInt64Array, indices_from
from core.base.compiling import njit
from core.base.hashing import find_slot, mix, slots_for
from core.settings import ScanSettings
from core.text.shingling import MULTIPLIER, NO_SHINGLE, Fingerprints, Shingles, shingle_units
from core.text.word_counts import WORD, usual_weight

BLANK = np.uint64(0xFFFFFFFFFFFFFFFF)  # the hash of a gram that is not to be chosen
LEAST_WEIGHT = usual_weight("char")


class Grams(NamedTuple):
    """All grams of several texts.

    Attributes:
        hashes: uint64, in reading order; text i has `hashes[offsets[i]:offsets[i + 1]]`.
        offsets: int64.
        window: w, the number of consecutive grams of which one is kept.
        stops: int64, the end of the window that begins with each gram; past the end of the text
            if there is none. None where all windows have w grams.
    """

    hashes: UInt64Array
    offsets: Int64Array
    window: int
    stops: Int64Array | None = None

    def ends_of_windows(self, indices: Int64Array) -> Int64Array:
        """The ends of the windows that begin with these grams."""
        return indices + self.window if self.stops is None else self.stops[indices]

    def around(self, indices: Int64Array, texts: Int64Array) -> tuple[Grams, Int64Array]:
        """The stretches covered by windows that hold given grams, as texts of their own.

        Args:
            indices: The given grams, ascending.
            texts: The text of each.

        Returns:
            A copy of the stretches, and for each the index in `indices` of its first given gram.
        """
        if self.stops is None:
            starts = indices - self.window + 1
        else:
            starts = np.searchsorted(self.stops, indices, side="right")
        starts = np.maximum(self.offsets[texts], starts)
        ends = np.minimum(self.offsets[texts + 1], self.ends_of_windows(indices))
        fresh = np.ones(len(indices), dtype=np.bool_)
        fresh[1:] = (starts[1:] > ends[:-1]) | (texts[1:] != texts[:-1])
        first = np.flatnonzero(fresh)
        last = np.append(first[1:], len(indices))[: len(first)] - 1
        return self._cut(starts[first], ends[last]), first

    def _cut(self, starts: Int64Array, ends: Int64Array) -> Grams:
        """A copy of stretches, as texts of their own."""
        offsets = np.append(0, np.cumsum(ends - starts))
        shift = np.repeat(starts - offsets[:-1], ends - starts)
        taken = np.arange(offsets[-1]) + shift
        stops = None
        if self.stops is not None:
            beyond = np.repeat(offsets[1:] + 1, ends - starts)
            stops = np.minimum(self.stops[taken] - shift, beyond)
        return Grams(self.hashes[taken], offsets, self.window, stops)


def find_grams(shingles: Shingles, settings: ScanSettings) -> Grams:
    """The grams of texts, of which fingerprints are chosen."""
    lengths = lengths_of(settings)
    if shingles.weights is None:
        count = lengths.gram_units - settings.k + 1
        hashes, offsets = _runs_of(shingles, count)
        if shingles.has_gaps:
            _blank_gaps(shingles, hashes, offsets, np.int64(count))
        return Grams(hashes, offsets, lengths.window)
    hashes, offsets, stops, ends = _find_weighed(shingles, shingles.weights, lengths, settings.k)
    if shingles.has_gaps:
        first = np.arange(len(hashes)) - np.repeat(offsets[:-1], np.diff(offsets))
        _blank_gaps(shingles, hashes, offsets, ends - first - (settings.k - 1))
    return Grams(hashes, offsets, lengths.window, stops)


def _blank_gaps(
    shingles: Shingles, hashes: UInt64Array, offsets: Int64Array, counts: Int64Array | np.int64
) -> None:
    """Blank the grams with a gap, in place, so that no window chooses them.

    Args:
        shingles: Of texts.
        hashes: The grams that begin with each shingle; the last shingles of a text begin none.
        offsets: As in `Grams`.
        counts: Shingles in a gram.
    """
    gaps = np.concatenate([[0], np.cumsum(shingles.hashes == NO_SHINGLE)])
    starts = indices_from(shingles.offsets[:-1], np.diff(offsets))
    hashes[gaps[starts + counts] > gaps[starts]] = BLANK


def gram_ends(shingles: Shingles, settings: ScanSettings, indices: Int64Array) -> Int64Array:
    """The ends of grams of a single text, as indices of units."""
    lengths = lengths_of(settings)
    if shingles.weights is None:
        return indices + lengths.gram_units
    *_, ends = _find_weighed(shingles, shingles.weights, lengths, settings.k)
    return np.asarray(ends)[indices]


class ShortestRuns(NamedTuple):
    """All runs of units that are just long enough for a passage, of several texts.

    Attributes:
        hashes: uint64, the run that begins with each unit, in reading order; `BLANK` if it has a
            gap; text i has `hashes[offsets[i]:offsets[i + 1]]`.
        offsets: int64.
        sizes: int64, the units of each.
    """

    hashes: UInt64Array
    offsets: Int64Array
    sizes: Int64Array


def shortest_runs(shingles: Shingles, settings: ScanSettings) -> ShortestRuns:
    """The runs of texts that are just long enough for a passage by the settings."""
    k, words = settings.k, WORD * settings.passage_length
    if shingles.weights is None:
        size = max(k, -(-words // usual_weight(settings.unit)))
        hashes, offsets = _runs_of(shingles, size - k + 1)
        sizes = np.full(len(hashes), size, dtype=np.int64)
    else:
        lengths = Lengths(words, words, 0, 0)
        hashes, offsets, _, ends = _find_weighed(shingles, shingles.weights, lengths, k)
        sizes = ends - np.arange(len(ends)) + np.repeat(offsets[:-1], np.diff(offsets))
    if shingles.has_gaps:
        _blank_gaps(shingles, hashes, offsets, sizes - (k - 1))
    return ShortestRuns(hashes, offsets, sizes)


class Lengths(NamedTuple):
    """The lengths of grams and passages: as weights, and in units of the usual weight."""

    gram: int
    passage: int
    gram_units: int
    window: int


def lengths_of(settings: ScanSettings) -> Lengths:
    """The lengths g and t by the settings."""
    usual = usual_weight(settings.unit)
    gram = WORD * (settings.passage_length // 3)
    passage = WORD * settings.passage_length
    units = max(settings.k, -(-gram // usual))
    return Lengths(gram, passage, units, max(units, -(-passage // usual)) - units + 1)


def _runs_of(shingles: Shingles, length: int) -> Any:
    """The hashes of `length` consecutive shingles, and each text's start."""
    known = len(shingles.hashes)  # no digest is made
    return shingle_units(shingles.hashes, shingles.offsets, length, 0, known, shingles.digests)


def _find_weighed(shingles: Shingles, weights: UInt16Array, lengths: Lengths, k: int) -> Any:
    hashes, offsets, units = shingles.hashes, shingles.offsets, shingles.units
    longest = lengths.gram // LEAST_WEIGHT + k + 2
    powers = np.power(MULTIPLIER, np.arange(longest, dtype=np.uint64))
    gram, passage = lengths.gram, lengths.passage
    return _weighed_grams(hashes, offsets, units, weights, k, gram, passage, powers)


@njit(nogil=True, cache=True)
def _weighed_grams(
    hashes: Any,
    offsets: Any,
    units: Any,
    weights: Any,
    k: Any,
    gram: Any,
    passage: Any,
    powers: Any,
) -> Any:
    """As `_runs_of` where units weigh differently; also the ends of windows and of grams."""
    starts = np.zeros_like(offsets)
    grams = np.empty(len(hashes), dtype=np.uint64)
    ends = np.empty(len(hashes), dtype=np.int64)
    stops = np.empty(len(hashes), dtype=np.int64)
    unit = np.int64(0)  # the first of the text
    for text in range(len(units)):
        used, last = starts[text], unit + units[text]
        # A shingle begins with each unit but the last k - 1; that of a shorter text is none here.
        shingle = offsets[text] - unit
        rolling, weight, end = np.uint64(0), np.int64(0), unit
        for first in range(unit, last):
            while end < last and (weight < gram or end < first + k):
                weight += weights[end]
                end += 1
                if end - k >= unit:
                    rolling = rolling * MULTIPLIER + hashes[shingle + end - k]
            if weight < gram or end < first + k:
                break
            grams[used], ends[used] = mix(rolling), end
            used += 1
            weight -= weights[first]
            rolling -= hashes[shingle + first] * powers[end - k - first]
        # The ends of the windows that begin with the grams of the text.
        weight, end, stop = np.int64(0), unit, starts[text]
        for index in range(starts[text], used):
            while end < last and weight < passage:
                weight += weights[end]
                end += 1
            if weight < passage:
                stops[index:used] = used + 1
                break
            while stop < used and (ends[stop] <= end or stop == index):
                stop += 1
            stops[index] = stop
            weight -= weights[unit + index - starts[text]]
        for index in range(starts[text], used):
            ends[index] -= unit
        starts[text + 1] = used
        unit = last
    return grams[:used], starts, stops[:used], ends[:used]


def winnow(shingles: Shingles, settings: ScanSettings) -> Fingerprints:
    """The fingerprints of texts; a text shorter than a passage has none."""
    return choose(find_grams(shingles, settings))


def choose(grams: Grams) -> Fingerprints:
    """The gram with the smallest hash of every window; none of a window of blank grams."""
    indices, counts = choose_positions(grams)
    return Fingerprints(grams.hashes[indices], counts)


def choose_positions(grams: Grams) -> tuple[Int64Array, Int64Array]:
    """The indices of the chosen grams, and how many each text has."""
    hashes, offsets, window, stops = grams
    if stops is None:
        return _winnow(hashes, offsets, window)  # type: ignore[no-any-return]
    return _winnow_weighed(hashes, offsets, stops)  # type: ignore[no-any-return]


@njit(nogil=True, cache=True)
def _winnow(hashes: Any, offsets: Any, window: Any) -> Any:
    """Choose from windows of equal length: the last of the smallest hashes of each.

    A window covers the end of a block, which is as long as the window, and the start of the next:
    its smallest hash is that of one of them (van Herk 1992), so nothing branches on a hash.
    """
    count = len(offsets) - 1
    kept = np.empty(len(hashes) + window, dtype=np.int64)  # takes memory only where written
    counts = np.zeros(count, dtype=np.int64)
    ends = np.empty(window, dtype=np.uint64)  # the lowest from each offset to the end of a block
    total, one, size = np.uint64(0), np.uint64(1), np.uint64(window)  # indices without a sign
    for text in range(count):
        first, last, before = np.uint64(offsets[text]), np.uint64(offsets[text + 1]), total
        chosen = last
        stop = max(first + size, last + one) - size  # no window begins here, or later
        for block in range(first, stop, size):
            lowest: Any = block + size - one
            smallest = hashes[lowest]
            ends[size - one] = lowest
            for back in range(one, size):
                at: Any = size - one - back
                is_smaller = hashes[block + at] < smallest
                smallest = hashes[block + at] if is_smaller else smallest
                lowest = block + at if is_smaller else lowest
                ends[at] = lowest
            lowest, smallest = last, BLANK
            for at in range(min(size, stop - block)):
                if at:
                    index = block + size + at - one
                    is_smaller = hashes[index] <= smallest
                    smallest = hashes[index] if is_smaller else smallest
                    lowest = index if is_smaller else lowest
                end = hashes[ends[at]]
                is_later = (smallest <= end) & (at > 0)
                position = lowest if is_later else ends[at]
                kept[total] = position
                total += np.uint64(
                    (position != chosen) & ((smallest if is_later else end) != BLANK)
                )
                chosen = position
        counts[text] = total - before
    return kept[:total].copy(), counts


@njit(nogil=True, cache=True)
def _winnow_weighed(hashes: Any, offsets: Any, stops: Any) -> Any:
    """As `_winnow`, for windows of different lengths."""
    kept = np.empty(len(hashes), dtype=np.int64)
    counts = np.zeros(len(offsets) - 1, dtype=np.int64)
    total = 0
    for text in range(len(counts)):
        last = offsets[text + 1]
        lowest, seen = -1, -1
        for start in range(offsets[text], last):
            end = stops[start]
            if end > last:
                break
            chosen = lowest
            if lowest < start:  # it left the window: search all of it
                lowest, seen = start, start + 1
            for index in range(seen, end):
                if hashes[index] <= hashes[lowest]:
                    lowest = index
            seen = end
            if lowest != chosen and hashes[lowest] != BLANK:
                kept[total] = lowest
                total += 1
                counts[text] += 1
    return kept[:total].copy(), counts


@njit(nogil=True, cache=True)
def blank(hashes: Any, keys: Any, bits: Any) -> None:
    """Blank the grams with these keys, in place, so that no window chooses them.

    See `core.candidates.shared_fingerprints`.
    """
    slots = slots_for(2 * len(keys))
    table, used = np.empty(slots, dtype=np.uint64), np.zeros(slots, dtype=np.bool_)
    for key in keys:
        slot = find_slot(table, used, key)
        table[slot], used[slot] = key, True
    for index in range(len(hashes)):
        if used[find_slot(table, used, mix(hashes[index]) >> bits)]:
            hashes[index] = BLANK
