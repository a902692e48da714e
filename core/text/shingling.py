"""Text to shingles: normalised words or characters, hashed to 64 bits, and their spans.

A text becomes a sequence of units (words, or characters), each with a 64-bit value; a shingle is k
consecutive units, hashed by the Rabin-Karp polynomial mod 2^64 of its units' values and the
splitmix64 finaliser (Karp and Rabin 1987; Steele, Lea, Flood 2014). Stop words that do not count
are no units: shingles run across them. Text that is set aside parts the units, and no shingle runs
across it (see `core.text.set_aside`): this is the one place that decides which shingles count.
Loops over characters are compiled.

Words cut to their beginnings, by which reworked text is found in any language.

Endings change where a sentence is turned round, the first letters of a word seldom do. So a word
is its first 6 letters here, normalised and in folded case; a letter of a script without spaces
between words is a word. Punctuation never counts; whether digits and stop words do, the settings
say. What a shingle is, words or characters and how many, does not matter.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple, TypeVar

import numpy as np

from core.base.arrays import (
    BoolArray,
    GrowingArray,
    Int64Array,
    IntegerArray,
    UInt8Array,
    UInt16Array,
    UInt64Array,
    equal_parts,
    indices_from,
)
from core.base.compiling import njit
from core.base.hashing import mix
from core.base.tasks import stop_if_cancelled
from core.settings import ScanSettings, Unit
from core.text.characters import has_long, is_long
from core.text.set_aside import GAP, NOTHING, stretches_of
from core.text.tokenising import (
    NO_LIMIT,
    JoinedTexts,
    are_read_at_once,
    beginning_settings,
    joined_words,
    units_by_piece,
    units_of,
    whole_word_settings,
    words_of,
)
from core.text.tokens import LETTER_BITS, WORD_FACTOR, WORD_SEED, Units
from core.text.word_counts import joined_weights, usual_weight

TAKEN_AT_ONCE = 1 << 20  # values


class Fingerprints(NamedTuple):
    """The fingerprints of several texts: uint64 values, and how many each text has (int64)."""

    values: UInt64Array
    counts: Int64Array

    def take(self, rows: BoolArray | IntegerArray) -> Fingerprints:
        """Those of the texts where a mask is true, or with these numbers in this order."""
        if rows.dtype == np.bool_:
            return Fingerprints(self.values[np.repeat(rows, self.counts)], self.counts[rows])
        if np.array_equal(rows, np.arange(len(self.counts))):  # as after a rescan
            return self
        counts = self.counts[rows]
        starts = (np.cumsum(self.counts) - self.counts)[rows]
        values, end = np.empty(counts.sum(), dtype=np.uint64), 0
        # At once `np.repeat` would hold the interpreter for 100 ms at 50,000 texts.
        for part in equal_parts(counts, TAKEN_AT_ONCE):
            taken = self.values[indices_from(starts[part], counts[part])]
            begin, end = end, end + len(taken)
            values[begin:end] = taken
        return Fingerprints(values, counts)

    @staticmethod
    def join(parts: Sequence[Fingerprints]) -> Fingerprints:
        """The fingerprints of several batches of texts, one after the other."""
        if not parts:
            return Fingerprints(np.empty(0, dtype=np.uint64), np.empty(0, dtype=np.int64))
        return Fingerprints(
            np.concatenate([part.values for part in parts]),
            np.concatenate([part.counts for part in parts]),
        )


MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)  # odd and 5 mod 8: full period mod 2^64
SHORT_FACTOR = np.uint64(0xC2B2AE3D27D4EB4F)
NO_DIGEST = np.array([[WORD_SEED, SHORT_FACTOR]])  # of a text without a unit
NO_EXCLUSIONS: Mapping[int, Int64Array] = {}  # of texts nothing of which is set aside
NO_SHINGLE = np.uint64(0xFFFFFFFFFFFFFFFF)  # instead of one that does not count


class Shingles(NamedTuple):
    """The shingles of several texts, one after the other.

    Attributes:
        hashes: uint64, every shingle in reading order, repeated ones too; `NO_SHINGLE` where one
            would run across text that is set aside.
        offsets: int64, text i has `hashes[offsets[i]:offsets[i + 1]]`.
        units: int64, number of words (or characters) of each text, and of gaps between them.
        digests: uint64 (n, 2), equal for texts with the same units in the same order.
        weights: uint16, what each unit counts, one text after the other (see
            `core.text.word_counts`); None where all have the usual weight.
        has_gaps: Whether there is a `NO_SHINGLE`.
    """

    hashes: UInt64Array
    offsets: Int64Array
    units: Int64Array
    digests: UInt64Array
    weights: UInt16Array | None = None
    has_gaps: bool = False

    @staticmethod
    def join(parts: Sequence[Shingles], unit: Unit) -> Shingles:
        """The shingles of several batches of texts, made of such units."""
        if len(parts) == 1:
            return parts[0]
        counts = np.concatenate([np.diff(part.offsets) for part in parts])
        return Shingles(
            np.concatenate([part.hashes for part in parts]),
            np.concatenate([[0], np.cumsum(counts)]),
            np.concatenate([part.units for part in parts]),
            np.concatenate([part.digests for part in parts]),
            joined_weights(((part.weights, int(part.units.sum())) for part in parts), unit),
            any(part.has_gaps for part in parts),
        )

    def counting(self) -> Shingles:
        """The shingles that count, for sets and bags; runs and passages need the gaps."""
        if not self.has_gaps:
            return self
        counts = self.hashes != NO_SHINGLE
        before = np.concatenate([[0], np.cumsum(counts)])
        return self._replace(
            hashes=self.hashes[counts], offsets=before[self.offsets], has_gaps=False
        )

    def all_weights(self, usual: int) -> UInt16Array:
        """The weight of every unit, given that of one without."""
        if self.weights is not None:
            return self.weights
        return np.full(int(self.units.sum()), usual, dtype=np.uint16)


class Tokens(NamedTuple):
    """The units of one text: their 64-bit values and spans in code points of the text.

    `weights` are uint16, what each counts; None where all have the usual weight.
    """

    values: UInt64Array
    starts: Int64Array
    ends: Int64Array
    weights: UInt16Array | None = None


def shingle(
    texts: Sequence[str],
    settings: ScanSettings,
    set_aside: Mapping[int, Int64Array] = NO_EXCLUSIONS,
) -> Shingles:
    """The shingles of several texts.

    A text with fewer than k units is one shingle, with its length mixed in; one without any unit
    has no shingle.

    Args:
        texts: The texts.
        settings: Decide what a shingle is.
        set_aside: What does not count, by index in `texts` (see `core.text.set_aside.merged`).
    """
    return shingle_joined(JoinedTexts.of(texts), settings, set_aside=set_aside)


def shingle_joined(
    joined: JoinedTexts,
    settings: ScanSettings,
    most: int = NO_LIMIT,
    set_aside: Mapping[int, Int64Array] = NO_EXCLUSIONS,
) -> Shingles:
    """The shingles of several texts whose broken words are joined.

    Args:
        joined: The texts.
        settings: Decide what a shingle is.
        most: How many units a text of more than one piece may have (see `core.text.characters`).
        set_aside: What does not count, by index.

    Raises:
        LongTextError: One has more.
    """
    parts = _by_length(
        joined,
        set_aside,
        lambda batch, spans: _shingle_together(batch, settings, spans),
        lambda text, spans: shingle_alone(text, settings, most, spans),
    )
    return Shingles.join(parts, settings.unit)


Part = TypeVar("Part")


def _by_length(
    joined: JoinedTexts,
    set_aside: Mapping[int, Int64Array],
    together: Callable[[JoinedTexts, Mapping[int, Int64Array]], Part],
    alone: Callable[[str, Int64Array], Part],
) -> list[Part]:
    """The results of `together` for runs of short texts, and of `alone` for each long text."""
    texts = joined.texts
    if not has_long(texts):
        return [together(joined, set_aside)]
    parts = []
    for is_alone, group in groupby(range(len(texts)), lambda index: is_long(texts[index])):
        indices = list(group)
        if is_alone:
            parts += [alone(texts[index], set_aside.get(index, NOTHING)) for index in indices]
        else:
            spans = {n: set_aside[index] for n, index in enumerate(indices) if index in set_aside}
            parts.append(together(JoinedTexts([texts[index] for index in indices], None), spans))
    return parts


def _read_together(
    joined: JoinedTexts,
    settings: ScanSettings,
    set_aside: Mapping[int, Int64Array],
    k: int,
    *,
    beginnings: bool = False,
) -> Units:
    """The units of several texts that count, with gaps where text is set aside."""
    if not set_aside:
        return units_of(joined.texts, settings, beginnings=beginnings, normal=joined.normal)
    units = units_of(joined.texts, settings, spans=True, beginnings=beginnings)
    return stretches_of(units, set_aside, k)


def _shingle_together(
    joined: JoinedTexts, settings: ScanSettings, set_aside: Mapping[int, Int64Array] = NO_EXCLUSIONS
) -> Shingles:
    units = _read_together(joined, settings, set_aside, settings.k)
    shingles = _shingles_of(units, settings)
    return _with_gaps(shingles, units, settings.k) if set_aside else shingles


def _shingles_of(
    units: Units, settings: ScanSettings, known: int = 0, digests: UInt64Array | None = None
) -> Shingles:
    """The shingles of some units; digests, where they are given, know the first ones of each."""
    if digests is None:
        digests = np.repeat(NO_DIGEST, len(units.offsets) - 1, axis=0)
    hashes, starts = shingle_units(units.values, units.offsets, settings.k, 1, known, digests)
    return Shingles(hashes, starts, np.diff(units.offsets), digests, units.weights)


def _with_gaps(shingles: Shingles, units: Units, k: int) -> Shingles:
    """The shingles of these units, `NO_SHINGLE` for those with a gap in them."""
    gaps = np.flatnonzero(units.values == GAP)
    starts, owners = shingles.offsets, np.searchsorted(units.offsets, gaps, side="right") - 1
    # The shingles that end in a gap, and those that begin before it and end after it.
    last = starts[owners] + gaps - units.offsets[owners]
    crossing = (last[:, None] - np.arange(k)).ravel()
    inside = crossing >= np.repeat(starts[owners], k)
    inside &= crossing < np.repeat(starts[owners + 1], k)
    shingles.hashes[crossing[inside]] = NO_SHINGLE
    return shingles._replace(has_gaps=len(gaps) > 0)


def shingle_alone(
    text: str, settings: ScanSettings, most: int = NO_LIMIT, set_aside: Int64Array = NOTHING
) -> Shingles:
    """The shingles of one text, whose units are in memory one piece at a time.

    Raises as `shingle_joined`.
    """
    k, count, is_weighed = settings.k, 0, False
    hashes, weights = GrowingArray(np.uint64), GrowingArray(np.uint16)
    digest = NO_DIGEST.copy()
    last = np.empty(0, dtype=np.uint64)  # units with which shingles begin that end in a later piece
    for piece in units_by_piece(text, settings, set_aside, most=most):
        stop_if_cancelled()
        count += len(piece.values)
        is_weighed |= piece.weights is not None
        usual = np.full(len(piece.values), usual_weight(settings.unit), dtype=np.uint16)
        weights.append(usual if piece.weights is None else piece.weights)
        known, last = len(last), np.concatenate([last, piece.values])
        made = _hashes_of_text(last, settings, known, digest)
        if len(last) >= k:
            hashes.append(made)
            last = last[len(last) - k + 1 :].copy()
    if 0 < count < k:
        hashes.append(_hashes_of_text(last, settings, count, digest))
    has_gaps = len(set_aside) > 0 and bool((hashes.rows == NO_SHINGLE).any())
    if has_gaps and (hashes.rows == NO_SHINGLE).all():
        return _shingle_together(JoinedTexts([""], None), settings)
    return Shingles(
        hashes.rows,
        np.array([0, len(hashes)]),
        np.array([count]),
        digest,
        weights.rows if is_weighed else None,
        has_gaps,
    )


def _hashes_of_text(
    values: UInt64Array, settings: ScanSettings, known: int, digest: UInt64Array
) -> UInt64Array:
    """The shingles of units of one text; its digest has the first `known` of them already."""
    units = Units(values, np.array([0, len(values)]), NOTHING)
    return _with_gaps(_shingles_of(units, settings, known, digest), units, settings.k).hashes


def tokenise(
    text: str, settings: ScanSettings, set_aside: Int64Array = NOTHING, *, beginnings: bool = False
) -> Tokens:
    """The units of one text that count, and gaps, with their spans in that text.

    The span of a gap is what lies between its neighbours. `beginnings` cuts words as
    `core.text.tokens.find_units` does.
    """
    (text,) = joined_words([text])
    units = units_by_piece(text, settings, set_aside, spans=True, beginnings=beginnings)
    parts = list(units)
    values = np.concatenate([np.empty(0, dtype=np.uint64), *(part.values for part in parts)])
    spans = np.concatenate([NOTHING, *(part.spans for part in parts)])
    weights = weights_of_parts(parts, settings.unit)
    return Tokens(values, spans[:, 0].copy(), spans[:, 1].copy(), weights)


def weights_of_parts(
    parts: Sequence[Units | Tokens | WordBeginnings], unit: Unit
) -> UInt16Array | None:
    """The weights of the units of several texts or pieces; None where all have the usual one."""
    return joined_weights(((part.weights, len(part.values)) for part in parts), unit)


@njit(nogil=True, cache=True)
def shingle_units(values: Any, bounds: Any, k: Any, of_short: Any, known: Any, digests: Any) -> Any:
    """The shingles of units, and their offsets; `digests`, uint64 (n, 2), are updated in place.

    These have the first `known` units of each text already. A text with fewer units than k has
    `of_short` shingles, 1 or 0; one without any unit has none.
    """
    count = len(bounds) - 1
    offsets = np.zeros(count + 1, dtype=np.int64)
    for text in range(count):
        units = bounds[text + 1] - bounds[text]
        offsets[text + 1] = offsets[text] + (max(units - k + 1, of_short) if units else 0)
    hashes = np.empty(offsets[count], dtype=np.uint64)
    before = np.uint64(k - 1)  # units of a shingle but its last one
    leaving = np.uint64(1)
    for _ in range(before):
        leaving *= MULTIPLIER
    for text in range(count):  # an index that cannot be negative is found faster
        first, last = np.uint64(bounds[text]), np.uint64(bounds[text + 1])
        rolling = np.uint64(0)
        xored, summed = digests[text, 0], digests[text, 1]
        out = np.uint64(offsets[text])
        for index in range(first, last):
            value = values[index]
            if index - first >= known:
                xored, summed = (xored ^ value) * WORD_FACTOR, (summed + value) * SHORT_FACTOR
                xored, summed = xored ^ (xored >> np.uint64(32)), summed ^ (summed >> np.uint64(29))
            rolling = rolling * MULTIPLIER + value
            if index - first >= before:
                hashes[out] = mix(rolling)
                out += np.uint64(1)
                rolling -= values[index - before] * leaving
        if 0 < last - first < k and of_short:
            hashes[out] = mix(rolling + (last - first) * SHORT_FACTOR)
        digests[text, 0], digests[text, 1] = xored, summed
    return hashes, offsets


class WordBeginnings(NamedTuple):
    """The words of several texts, one after the other, and gaps where text is set aside.

    Attributes:
        values: uint64, a hash of the beginning of each word, and `core.text.set_aside.GAP`.
        offsets: int64, text i has `values[offsets[i]:offsets[i + 1]]`.
        wholes: uint64, hashes of the words as they are compared word for word, with the same gaps;
            empty unless requested.
        weights: uint16, what each whole counts (see `core.text.word_counts`); None where all are
            words with spaces between them, or where wholes were not requested.
    """

    values: UInt64Array
    offsets: Int64Array
    wholes: UInt64Array = np.empty(0, dtype=np.uint64)
    weights: UInt16Array | None = None

    @staticmethod
    def join(parts: Sequence[WordBeginnings]) -> WordBeginnings:
        """The words of several batches of texts, one after the other."""
        if len(parts) == 1:
            return parts[0]
        counts = [np.diff(part.offsets) for part in parts]
        none = np.empty(0, dtype=np.uint64)
        return WordBeginnings(
            np.concatenate([none, *(part.values for part in parts)]),
            np.cumsum(np.concatenate([[0], *counts]), dtype=np.int64),
            np.concatenate([none, *(part.wholes for part in parts)]),
            weights_of_parts(parts, "word"),
        )

    @property
    def letters(self) -> UInt8Array:
        """How many letters each has, uint8: 1 to 6, 5 for one that is a word, 0 for a gap."""
        letters = (self.values & LETTER_BITS).astype(np.uint8)
        letters[self.values == GAP] = 0
        return letters


def word_beginnings(
    texts: Sequence[str],
    settings: ScanSettings,
    set_aside: Mapping[int, Int64Array] = NO_EXCLUSIONS,
) -> WordBeginnings:
    """The words of several texts, cut to their beginnings.

    Args:
        texts: The texts.
        settings: Decide whether digits and stop words count.
        set_aside: What does not count, by index in `texts` (see `core.text.set_aside.merged`).

    Raises:
        LongTextError: One cannot be cut in pieces of words that can be read.
    """
    return beginnings_of_joined(JoinedTexts.of(texts), settings, set_aside)


def beginnings_of_joined(
    joined: JoinedTexts, settings: ScanSettings, set_aside: Mapping[int, Int64Array] = NO_EXCLUSIONS
) -> WordBeginnings:
    """The same for texts whose broken words are joined."""
    return _words_of_joined(joined, beginning_settings(settings), set_aside, beginnings=True)


def words_and_beginnings(
    texts: Sequence[str],
    settings: ScanSettings,
    set_aside: Mapping[int, Int64Array] = NO_EXCLUSIONS,
) -> WordBeginnings:
    """The words of several texts, their beginnings and as wholes. Raises as `word_beginnings`."""
    joined, word_settings = JoinedTexts.of(texts), whole_word_settings(settings)
    if are_read_at_once(word_settings) and not set_aside and not has_long(joined.texts):
        units, beginnings = words_of(joined, word_settings)
        return WordBeginnings(beginnings, units.offsets, units.values, units.weights)
    words = beginnings_of_joined(joined, settings, set_aside)
    wholes = _words_of_joined(joined, word_settings, set_aside, beginnings=False)
    return words._replace(wholes=wholes.values, weights=wholes.weights)


def _words_of_joined(
    joined: JoinedTexts,
    settings: ScanSettings,
    set_aside: Mapping[int, Int64Array],
    *,
    beginnings: bool,
) -> WordBeginnings:
    """The words of texts, cut to their beginnings or whole."""

    def together(batch: JoinedTexts, spans: Mapping[int, Int64Array]) -> WordBeginnings:
        units = _read_together(batch, settings, spans, 1, beginnings=beginnings)
        return WordBeginnings(units.values, units.offsets, weights=units.weights)

    def alone(text: str, spans: Int64Array) -> WordBeginnings:
        parts = list(units_by_piece(text, settings, spans, beginnings=beginnings))
        values = np.concatenate([part.values for part in parts])
        bounds = np.array([0, len(values)], dtype=np.int64)
        return WordBeginnings(values, bounds, weights=weights_of_parts(parts, settings.unit))

    return WordBeginnings.join(_by_length(joined, set_aside, together, alone))


def shingles_and_beginnings(
    joined: JoinedTexts,
    settings: ScanSettings,
    most: int = NO_LIMIT,
    set_aside: Mapping[int, Int64Array] = NO_EXCLUSIONS,
) -> tuple[Shingles, WordBeginnings | None]:
    """The shingles of texts whose broken words are joined, and their words cut to beginnings.

    These are None where reworked passages are not looked for, or both cannot be read at once.

    Raises:
        LongTextError: One has more units than `most`.
    """
    apart = settings.reworked == "off" or not are_read_at_once(settings)
    if apart or set_aside or has_long(joined.texts):
        return shingle_joined(joined, settings, most, set_aside), None
    units, beginnings = words_of(joined, settings)
    words = WordBeginnings(beginnings, units.offsets, units.values, units.weights)
    return _shingles_of(units, settings), words


def spanned_beginnings(
    text: str, settings: ScanSettings, set_aside: Int64Array = NOTHING
) -> Tokens:
    """The words of one text, cut to their beginnings, with their spans in it."""
    return tokenise(text, beginning_settings(settings), set_aside, beginnings=True)
