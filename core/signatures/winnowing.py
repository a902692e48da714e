"""Fingerprints that find shared passages: what resemblance cannot see, a page in a long report.

Winnowing (Schleimer, Wilkerson, Aiken, SIGMOD 2003) keeps, of every window of w consecutive grams
of g units, the one with the smallest hash. A run of t = g + w - 1 units that stands in two
documents fills a window in both, and both keep the same gram of it: so every shared run of at
least t units gives a shared fingerprint. Of random text 2 / (w + 1) of the grams are kept. A gram
is a third of t and longer than a shingle, because three words in common mean nothing and every
pair has to be verified.

Here t and g are words: see `core.signatures.winnowing`.

Grams: runs of shingles as long as a third of a passage, of which winnowing keeps some.

Lengths are words (see `core.text.word_counts`). Where all units weigh the same, that is a number
of units. Elsewhere a gram is the fewest units from its first one on that weigh g or more, and the
window of a gram holds those that end within the fewest units from there on that weigh t or more.
Both depend on the units of the run alone.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from core.base.arrays import Int64Array, UInt16Array, UInt64Array, places_from
from core.base.compiling import njit
from core.base.hashing import mix
from core.settings import ScanSettings
from core.text.shingling import MULTIPLIER, NO_SHINGLE, Fingerprints, Shingles
from core.text.word_counts import WORD, usual_weight

BLANK = np.uint64(0xFFFFFFFFFFFFFFFF)  # the hash of a gram that is not to be chosen
LEAST_WEIGHT = usual_weight("char")


class Grams(NamedTuple):
    """All grams of several texts.

    Attributes:
        hashes: uint64, in reading order; text i has `hashes[offsets[i]:offsets[i + 1]]`.
        offsets: int64.
        window: w, the number of consecutive grams of which one is kept.
        stops: int64, where the window ends that begins with each gram; behind the end of its text
            where there is none. None where all windows have w grams.
    """

    hashes: UInt64Array
    offsets: Int64Array
    window: int
    stops: Int64Array | None = None

    def ends_of_windows(self, places: Int64Array) -> Int64Array:
        """Where the windows end that begin with these grams."""
        return places + self.window if self.stops is None else self.stops[places]

    def around(self, places: Int64Array, texts: Int64Array) -> tuple[Grams, Int64Array]:
        """The stretches of grams in windows with one of some grams, as texts of their own.

        Args:
            places: These grams, ascending.
            texts: The text of each.

        Returns:
            A copy of the stretches, and which of the grams is the first of each.
        """
        if self.stops is None:
            starts = places - self.window + 1
        else:
            starts = np.searchsorted(self.stops, places, side="right")
        starts = np.maximum(self.offsets[texts], starts)
        ends = np.minimum(self.offsets[texts + 1], self.ends_of_windows(places))
        fresh = np.ones(len(places), dtype=np.bool_)
        fresh[1:] = (starts[1:] > ends[:-1]) | (texts[1:] != texts[:-1])
        first = np.flatnonzero(fresh)
        last = np.append(first[1:], len(places))[: len(first)] - 1
        return self._cut(starts[first], ends[last]), first

    def _cut(self, starts: Int64Array, ends: Int64Array) -> Grams:
        """A copy of some stretches, as texts of their own."""
        offsets = np.append(0, np.cumsum(ends - starts))
        shift = np.repeat(starts - offsets[:-1], ends - starts)
        taken = np.arange(offsets[-1]) + shift
        stops = None
        if self.stops is not None:
            behind = np.repeat(offsets[1:] + 1, ends - starts)
            stops = np.minimum(self.stops[taken] - shift, behind)
        return Grams(self.hashes[taken], offsets, self.window, stops)


def find_grams(shingles: Shingles, settings: ScanSettings) -> Grams:
    """The grams of some texts, of which fingerprints are chosen."""
    lengths = lengths_of(settings)
    if shingles.weights is None:
        count = lengths.gram_units - settings.k + 1
        hashes, offsets = _grams(shingles.hashes, shingles.offsets, count)
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
    """Let no window choose the grams in which there is a gap, in place.

    Args:
        shingles: Of some texts.
        hashes: The grams that begin with each of them, of which the last ones of a text have none.
        offsets: As in `Grams`.
        counts: Shingles in a gram.
    """
    gaps = np.concatenate([[0], np.cumsum(shingles.hashes == NO_SHINGLE)])
    starts = places_from(shingles.offsets[:-1], np.diff(offsets))
    hashes[gaps[starts + counts] > gaps[starts]] = BLANK


def gram_ends(shingles: Shingles, settings: ScanSettings, places: Int64Array) -> Int64Array:
    """The units behind the ends of some grams of one text."""
    lengths = lengths_of(settings)
    if shingles.weights is None:
        return places + lengths.gram_units
    *_, ends = _find_weighed(shingles, shingles.weights, lengths, settings.k)
    return np.asarray(ends)[places]


class ShortestRuns(NamedTuple):
    """All runs of units that are just long enough for a passage, of several texts.

    Attributes:
        hashes: uint64, the run that begins with each unit, in reading order; `BLANK` where there is
            a gap in it; text i has `hashes[offsets[i]:offsets[i + 1]]`.
        offsets: int64.
        sizes: int64, the units of each.
    """

    hashes: UInt64Array
    offsets: Int64Array
    sizes: Int64Array


def shortest_runs(shingles: Shingles, settings: ScanSettings) -> ShortestRuns:
    """The runs of some texts that are just long enough for a passage, as the settings say."""
    k, words = settings.k, WORD * settings.passage_length
    if shingles.weights is None:
        size = max(k, -(-words // usual_weight(settings.unit)))
        hashes, offsets = _grams(shingles.hashes, shingles.offsets, size - k + 1)
        sizes = np.full(len(hashes), size, dtype=np.int64)
    else:
        lengths = Lengths(words, words, 0, 0)
        hashes, offsets, _, ends = _find_weighed(shingles, shingles.weights, lengths, k)
        sizes = ends - np.arange(len(ends)) + np.repeat(offsets[:-1], np.diff(offsets))
    if shingles.has_gaps:
        _blank_gaps(shingles, hashes, offsets, sizes - (k - 1))
    return ShortestRuns(hashes, offsets, sizes)


class Lengths(NamedTuple):
    """How long grams and passages are: as weights, and in units of the usual weight."""

    gram: int
    passage: int
    gram_units: int
    window: int


def lengths_of(settings: ScanSettings) -> Lengths:
    """G and t for some settings."""
    usual = usual_weight(settings.unit)
    gram = WORD * (settings.passage_length // 3)
    passage = WORD * settings.passage_length
    units = max(settings.k, -(-gram // usual))
    return Lengths(gram, passage, units, max(units, -(-passage // usual)) - units + 1)


def _find_weighed(shingles: Shingles, weights: UInt16Array, lengths: Lengths, k: int) -> Any:
    hashes, offsets, units = shingles.hashes, shingles.offsets, shingles.units
    longest = lengths.gram // LEAST_WEIGHT + k + 2
    powers = np.power(MULTIPLIER, np.arange(longest, dtype=np.uint64))
    gram, passage = lengths.gram, lengths.passage
    return _weighed_grams(hashes, offsets, units, weights, k, gram, passage, powers)


@njit(nogil=True, cache=True)
def _grams(hashes: Any, offsets: Any, length: Any) -> Any:
    """Hashes of `length` consecutive shingles, by their polynomial mod 2^64."""
    starts = np.zeros_like(offsets)
    for text in range(len(offsets) - 1):
        starts[text + 1] = starts[text] + max(0, offsets[text + 1] - offsets[text] - length + 1)
    grams = np.empty(starts[-1], dtype=np.uint64)
    leaving = np.uint64(1)
    for _ in range(length):
        leaving *= MULTIPLIER
    for text in range(len(offsets) - 1):
        rolling = np.uint64(0)
        first = offsets[text]
        for place in range(first, offsets[text + 1]):
            rolling = rolling * MULTIPLIER + hashes[place]
            if place - first >= length:
                rolling -= hashes[place - length] * leaving
            if place - first >= length - 1:
                grams[starts[text] + place - first - length + 1] = mix(rolling)
    return grams, starts


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
    """The same where units weigh differently; where windows end, and with which unit each gram."""
    starts = np.zeros_like(offsets)
    grams = np.empty(len(hashes), dtype=np.uint64)
    ends = np.empty(len(hashes), dtype=np.int64)
    stops = np.empty(len(hashes), dtype=np.int64)
    unit = np.int64(0)  # the first of the text
    for text in range(len(units)):
        used, last = starts[text], unit + units[text]
        # A shingle begins with each unit but the last ones: one of a text shorter than k is none.
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
        # Where the windows end that begin with the grams of the text.
        weight, end, stop = np.int64(0), unit, starts[text]
        for place in range(starts[text], used):
            while end < last and weight < passage:
                weight += weights[end]
                end += 1
            if weight < passage:
                stops[place:used] = used + 1
                break
            while stop < used and (ends[stop] <= end or stop == place):
                stop += 1
            stops[place] = stop
            weight -= weights[unit + place - starts[text]]
        for place in range(starts[text], used):
            ends[place] -= unit
        starts[text + 1] = used
        unit = last
    return grams[:used], starts, stops[:used], ends[:used]


def winnow(shingles: Shingles, settings: ScanSettings) -> Fingerprints:
    """The fingerprints of some texts; a text shorter than a passage has none."""
    return choose(find_grams(shingles, settings))


def choose(grams: Grams) -> Fingerprints:
    """Of every window the gram with the smallest hash; of windows of blank ones none."""
    places, counts = choose_places(grams)
    return Fingerprints(grams.hashes[places], counts)


def choose_places(grams: Grams) -> tuple[Int64Array, Int64Array]:
    """The places of these grams, and how many each text has."""
    hashes, offsets, window, stops = grams
    if stops is None:
        return _winnow(hashes, offsets, window)  # type: ignore[no-any-return]
    return _winnow_weighed(hashes, offsets, stops)  # type: ignore[no-any-return]


@njit(nogil=True, cache=True)
def _winnow(hashes: Any, offsets: Any, window: Any) -> Any:
    """Choose from windows of one length: the last of the smallest hashes of each.

    The smallest of a window is that of the end of one block, which is as long as the window, or of
    the beginning of the next (van Herk 1992), so that nothing branches on a hash.
    """
    count = len(offsets) - 1
    kept = np.empty(len(hashes) + window, dtype=np.int64)  # what is not written takes no memory
    counts = np.zeros(count, dtype=np.int64)
    ends = np.empty(window, dtype=np.int64)  # the chosen one from each place to the end of a block
    total = 0
    for text in range(count):
        last, before, chosen = offsets[text + 1], total, np.int64(-1)
        for block in range(offsets[text], last - window + 1, window):
            lowest: Any = np.int64(block + window - 1)
            smallest = hashes[lowest]
            ends[window - 1] = lowest
            for at in range(window - 2, -1, -1):
                is_smaller = hashes[block + at] < smallest
                smallest = hashes[block + at] if is_smaller else smallest
                lowest = block + at if is_smaller else lowest
                ends[at] = lowest
            lowest, smallest = np.int64(-1), BLANK
            for at in range(min(window, last - window + 1 - block)):
                if at:
                    place = block + window + at - 1
                    is_smaller = hashes[place] <= smallest
                    smallest = hashes[place] if is_smaller else smallest
                    lowest = place if is_smaller else lowest
                end = hashes[ends[at]]
                is_later = (smallest <= end) & (at > 0)
                position = lowest if is_later else ends[at]
                kept[total] = position
                total += (position != chosen) & ((smallest if is_later else end) != BLANK)
                chosen = position
        counts[text] = total - before
    return kept[:total].copy(), counts


@njit(nogil=True, cache=True)
def _winnow_weighed(hashes: Any, offsets: Any, stops: Any) -> Any:
    """The same of windows that end in different places."""
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
            if lowest < start:  # fell out of the window: look through all of it
                lowest, seen = start, start + 1
            for place in range(seen, end):
                if hashes[place] <= hashes[lowest]:
                    lowest = place
            seen = end
            if lowest != chosen and hashes[lowest] != BLANK:
                kept[total] = lowest
                total += 1
                counts[text] += 1
    return kept[:total].copy(), counts


@njit(nogil=True, cache=True)
def blank(hashes: Any, keys: Any, bits: Any) -> None:
    """Let no window choose the grams with these keys, in place.

    See `core.candidates.shared_fingerprints`.
    """
    slots = np.int64(16)
    while slots < 4 * len(keys):
        slots *= 2
    last = np.uint64(slots - 1)
    table = np.full(slots, BLANK, dtype=np.uint64)  # no key has all bits
    for key in keys:
        slot = key & last
        while table[slot] != BLANK:
            slot = (slot + np.uint64(1)) & last
        table[slot] = key
    for place in range(len(hashes)):
        key = mix(hashes[place]) >> bits
        slot = key & last
        while table[slot] != key and table[slot] != BLANK:
            slot = (slot + np.uint64(1)) & last
        if table[slot] == key:
            hashes[place] = BLANK
