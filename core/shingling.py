"""Text to shingles: normalised words or characters, hashed to 64 bits, and their spans.

A text becomes a sequence of units (words, or characters), each with a 64-bit value; a shingle is k
consecutive units, hashed by the Rabin-Karp polynomial mod 2^64 of its units' values and the
splitmix64 finaliser (Karp and Rabin 1987; Steele, Lea, Flood 2014). Stop words that do not count
are no units: shingles run across them. Loops over characters are compiled.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from core.broken_words import hyphens_at_line_ends, join_broken_words
from core.characters import code_points
from core.compiling import njit
from core.normalisation import Normalised, normalise
from core.settings import ScanSettings
from core.units import WORD_FACTOR, WORD_SEED, Units, find_units
from core.vocabulary import vocabulary
from core.word_counts import has_unspaced, usual_weight, weight_table

__all__ = ["Shingles", "Tokens", "mix", "shingle", "tokenise"]

UInt64Array = npt.NDArray[np.uint64]
Int64Array = npt.NDArray[np.int64]
UInt16Array = npt.NDArray[np.uint16]

MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)  # odd and 5 mod 8: full period mod 2^64
PLAIN_WORDS = ScanSettings()
SHORT_FACTOR = np.uint64(0xC2B2AE3D27D4EB4F)


class Shingles(NamedTuple):
    """The shingles of several texts, one after the other.

    Attributes:
        hashes: uint64, every shingle in reading order, repeated ones too.
        offsets: int64, text i has `hashes[offsets[i]:offsets[i + 1]]`.
        units: int64, number of words (or characters) of each text.
        digests: uint64 (n, 2), equal for texts with the same units in the same order.
        weights: uint16, what each unit counts, one text after the other (see `core.word_counts`);
            None where all have the usual weight.
    """

    hashes: UInt64Array
    offsets: Int64Array
    units: Int64Array
    digests: UInt64Array
    weights: UInt16Array | None = None


class Tokens(NamedTuple):
    """The units of one text: their 64-bit values and spans in code points of the text."""

    values: UInt64Array
    starts: Int64Array
    ends: Int64Array


@njit(nogil=True, cache=True, inline="always")
def mix(value: Any) -> Any:  # noqa: ANN401
    """The splitmix64 finaliser: a bijection of 64-bit integers without visible structure."""
    value = (value ^ (value >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    value = (value ^ (value >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return value ^ (value >> np.uint64(31))


def shingle(texts: Sequence[str], settings: ScanSettings) -> Shingles:
    """The shingles of several texts.

    A text with fewer than k units is one shingle, with its length mixed in; one without any unit
    has no shingle.
    """
    if len(hyphens_at_line_ends("".join(texts))):
        texts = [join_broken_words(text, _values_of_words) for text in texts]
    plain = [index for index, text in enumerate(texts) if text.isascii()]
    if len(plain) in {0, len(texts)}:
        units = _units_of(texts, settings)
    else:
        units = _units_of_mixed(texts, plain, settings)
    hashes, starts, digests = _shingle_units(units.values, units.offsets, settings.k)
    return Shingles(hashes, starts, np.diff(units.offsets), digests, units.weights)


def tokenise(text: str, settings: ScanSettings) -> Tokens:
    """The units of one text with their spans in that text."""
    normal = _normalised([join_broken_words(text, _values_of_words)], sources=True)
    units = _units(normal, settings, spans=True)
    starts, ends = units.spans[:, 0], units.spans[:, 1]
    if normal.sources is not None:
        starts, ends = normal.sources[starts, 0], normal.sources[ends - 1, 1]
    return Tokens(units.values, starts.copy(), ends.copy())


def _normalised(texts: Sequence[str], *, sources: bool = False) -> Normalised:
    """Texts as code points in NFKC; ASCII is that already, in bytes."""
    text = "".join(texts)
    bounds = np.zeros(len(texts) + 1, dtype=np.int64)
    np.cumsum([len(text) for text in texts], out=bounds[1:])
    if text.isascii():
        return Normalised(code_points(text), bounds, None)
    return normalise(code_points(text), bounds, sources=sources)


def _units(normal: Normalised, settings: ScanSettings, *, spans: bool) -> Units:
    """The units of normalised texts, stemmed and without stop words where that is set."""
    words = vocabulary(settings)
    units = find_units(normal.codes, normal.bounds, settings, spans=spans or words is not None)
    return units if words is None else words.translate(units, normal.codes, normal.bounds)


class _WeighedUnits(NamedTuple):
    """Units of several texts and what each counts; None where all have the usual weight."""

    values: UInt64Array
    offsets: Int64Array
    weights: UInt16Array | None


def _units_of(texts: Sequence[str], settings: ScanSettings) -> _WeighedUnits:
    """The units of texts."""
    normal = _normalised(texts)
    unspaced = has_unspaced(normal.codes, settings)
    units = _units(normal, settings, spans=unspaced)
    weights = None
    if unspaced:
        places = units.spans[:, 0] + np.repeat(normal.bounds[:-1], np.diff(units.offsets))
        weights = weight_table(settings.unit)[normal.codes[places]]
        weights[weights == 0] = usual_weight(settings.unit)
    return _WeighedUnits(units.values, units.offsets, weights)


def _values_of_words(text: str) -> UInt64Array:
    """The values of the words of a text as it stands."""
    return _units_of([text], PLAIN_WORDS).values


def _units_of_mixed(
    texts: Sequence[str], plain: list[int], settings: ScanSettings
) -> _WeighedUnits:
    """The same where some texts are ASCII, read byte by byte, and some are not."""
    is_plain = set(plain)
    other = [index for index in range(len(texts)) if index not in is_plain]
    groups = (plain, other)
    parts = [_units_of([texts[index] for index in group], settings) for group in groups]
    lengths = np.zeros(len(texts), dtype=np.int64)
    for indices, part in zip(groups, parts, strict=True):
        lengths[indices] = np.diff(part.offsets)
    bounds = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    values = np.empty(bounds[-1], dtype=np.uint64)
    for indices, part in zip(groups, parts, strict=True):
        _scatter(part.values, part.offsets, np.array(indices, dtype=np.int64), bounds, values)
    weights = parts[1].weights
    if weights is not None:
        of_all = np.full(len(values), usual_weight(settings.unit), dtype=np.uint16)
        unspaced = np.zeros(len(texts), dtype=np.bool_)
        unspaced[other] = True
        of_all[np.repeat(unspaced, lengths)] = weights
        weights = of_all
    return _WeighedUnits(values, bounds, weights)


@njit(nogil=True, cache=True)
def _shingle_units(values: Any, bounds: Any, k: Any) -> Any:  # noqa: ANN401
    count = len(bounds) - 1
    offsets = np.zeros(count + 1, dtype=np.int64)
    digests = np.empty((count, 2), dtype=np.uint64)
    for text in range(count):
        units = bounds[text + 1] - bounds[text]
        offsets[text + 1] = offsets[text] + (max(units - k + 1, 1) if units else 0)
    hashes = np.empty(offsets[count], dtype=np.uint64)
    leaving = np.uint64(1)
    for _ in range(k):
        leaving *= MULTIPLIER
    for text in range(count):
        first, last = bounds[text], bounds[text + 1]
        rolling = np.uint64(0)
        digest_a, digest_b = WORD_SEED, SHORT_FACTOR
        out = offsets[text]
        for place in range(first, last):
            value = values[place]
            digest_a = (digest_a ^ value) * WORD_FACTOR
            digest_a ^= digest_a >> np.uint64(32)
            digest_b = (digest_b + value) * SHORT_FACTOR
            digest_b ^= digest_b >> np.uint64(29)
            rolling = rolling * MULTIPLIER + value
            if place - first >= k:
                rolling -= values[place - k] * leaving
            if place - first >= k - 1:
                hashes[out] = mix(rolling)
                out += 1
        if 0 < last - first < k:
            hashes[out] = mix(rolling + np.uint64(last - first) * SHORT_FACTOR)
        digests[text, 0] = digest_a
        digests[text, 1] = digest_b
    return hashes, offsets, digests


@njit(nogil=True, cache=True)
def _scatter(units: Any, offsets: Any, places: Any, bounds: Any, out: Any) -> None:  # noqa: ANN401
    for index in range(len(places)):
        start = bounds[places[index]]
        for unit in range(offsets[index], offsets[index + 1]):
            out[start + unit - offsets[index]] = units[unit]
