"""Text to shingles: normalised words or characters, hashed to 64 bits, and their spans.

A text becomes a sequence of units (words, or characters), each with a 64-bit value; a shingle is k
consecutive units, hashed by the Rabin-Karp polynomial mod 2^64 of its units' values and the
splitmix64 finaliser (Karp and Rabin 1987; Steele, Lea, Flood 2014). Words are hashed by a
non-linear xor-multiply-shift chain first: a polynomial alone collides on long regular words
(Thue-Morse strings). Loops over characters are compiled.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from numba import njit

from core.characters import (
    ALONE,
    IGNORED,
    LETTER,
    SPACE,
    Alphabet,
    alphabet,
    code_points,
    normalise,
    normalise_with_offsets,
)
from core.settings import ScanSettings

__all__ = ["Shingles", "Tokens", "mix", "shingle", "tokenise"]

UInt64Array = npt.NDArray[np.uint64]
Int64Array = npt.NDArray[np.int64]

MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)  # odd and 5 mod 8: full period mod 2^64
WORD_SEED = np.uint64(0x243F6A8885A308D3)
WORD_FACTOR = np.uint64(0xD6E8FEB86659FD93)
SHORT_FACTOR = np.uint64(0xC2B2AE3D27D4EB4F)


class Shingles(NamedTuple):
    """The shingles of several texts, one after the other.

    Attributes:
        hashes: uint64, every shingle in reading order, repeated ones too.
        offsets: int64, text i has `hashes[offsets[i]:offsets[i + 1]]`.
        units: int64, number of words (or characters) of each text.
        digests: uint64 (n, 2), equal for texts with the same units in the same order.
    """

    hashes: UInt64Array
    offsets: Int64Array
    units: Int64Array
    digests: UInt64Array


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
    table = alphabet(settings)
    plain = [index for index, text in enumerate(texts) if text.isascii()]
    if len(plain) == len(texts):
        units, offsets = _units_of(texts, settings, table)
    elif not plain:
        units, offsets = _units_of([normalise(text) for text in texts], settings, table)
    else:
        units, offsets = _units_of_mixed(texts, plain, settings, table)
    hashes, starts, digests = _shingle_units(units, offsets, settings.k)
    return Shingles(hashes, starts, np.diff(offsets), digests)


def _units_of(
    texts: Sequence[str], settings: ScanSettings, table: Alphabet
) -> tuple[UInt64Array, Int64Array]:
    """Unit values of normalised texts, and their offsets."""
    codes = code_points("".join(texts))
    bounds = np.zeros(len(texts) + 1, dtype=np.int64)
    np.cumsum([len(text) for text in texts], out=bounds[1:])
    values, _, _, offsets = _find_units(codes, bounds, settings, table)
    return values, offsets


def _units_of_mixed(
    texts: Sequence[str], plain: list[int], settings: ScanSettings, table: Alphabet
) -> tuple[UInt64Array, Int64Array]:
    """The same where some texts are ASCII, read byte by byte, and some are not."""
    is_plain = set(plain)
    other = [index for index in range(len(texts)) if index not in is_plain]
    parts = [
        _units_of([texts[index] for index in plain], settings, table),
        _units_of([normalise(texts[index]) for index in other], settings, table),
    ]
    lengths = np.zeros(len(texts), dtype=np.int64)
    for indices, (_, offsets) in zip((plain, other), parts, strict=True):
        lengths[indices] = np.diff(offsets)
    bounds = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    values = np.empty(bounds[-1], dtype=np.uint64)
    for indices, (units, offsets) in zip((plain, other), parts, strict=True):
        _scatter(units, offsets, np.array(indices, dtype=np.int64), bounds, values)
    return values, bounds


def tokenise(text: str, settings: ScanSettings) -> Tokens:
    """The units of one text with their spans in that text."""
    normal = normalise_with_offsets(text)
    bounds = np.array([0, len(normal.text)], dtype=np.int64)
    values, starts, ends, _ = _find_units(
        code_points(normal.text), bounds, settings, alphabet(settings)
    )
    if normal.starts is not None and normal.ends is not None and len(starts):
        starts, ends = normal.starts[starts], normal.ends[ends - 1]
    return Tokens(values, starts, ends)


def _find_units(
    codes: npt.NDArray[Any], bounds: Int64Array, settings: ScanSettings, table: Alphabet
) -> tuple[UInt64Array, Int64Array, Int64Array, Int64Array]:
    """Values, starts and ends of all units, and the offsets of each text's units."""
    if settings.unit == "word":
        return _words(codes, bounds, table.fold, table.kind)  # type: ignore[no-any-return]
    collapse = settings.white_space == "collapse"
    return _characters(codes, bounds, table.fold, table.kind, collapse)  # type: ignore[no-any-return]


@njit(nogil=True, cache=True)
def _words(codes: Any, bounds: Any, fold: Any, kind: Any) -> Any:  # noqa: ANN401
    count = len(bounds) - 1
    values = np.empty(len(codes) + 1, dtype=np.uint64)
    starts = np.empty(len(codes) + 1, dtype=np.int64)
    ends = np.empty(len(codes) + 1, dtype=np.int64)
    offsets = np.zeros(count + 1, dtype=np.int64)
    unit = -1
    for text in range(count):
        origin = bounds[text]
        inside = False  # a word is open; `alone` says that only marks may continue it
        alone = False
        value = WORD_SEED
        for place in range(origin, bounds[text + 1]):
            code = codes[place]
            what = kind[code]
            if what == IGNORED:
                continue
            if what == SPACE:
                inside = False
                continue
            if not inside or what == ALONE or (alone and what == LETTER):
                unit += 1
                starts[unit] = place - origin
                value = WORD_SEED
                inside = True
                alone = what == ALONE
            value = (value ^ np.uint64(fold[code])) * WORD_FACTOR
            value ^= value >> np.uint64(32)
            values[unit] = value
            ends[unit] = place - origin + 1
        offsets[text + 1] = unit + 1
    unit += 1
    return values[:unit].copy(), starts[:unit].copy(), ends[:unit].copy(), offsets


@njit(nogil=True, cache=True)
def _characters(codes: Any, bounds: Any, fold: Any, kind: Any, collapse: Any) -> Any:  # noqa: ANN401
    count = len(bounds) - 1
    values = np.empty(len(codes), dtype=np.uint64)
    starts = np.empty(len(codes), dtype=np.int64)
    offsets = np.zeros(count + 1, dtype=np.int64)
    unit = 0
    for text in range(count):
        origin = bounds[text]
        first = unit
        pending = -1  # place of a space that counts once another character follows
        for place in range(origin, bounds[text + 1]):
            code = codes[place]
            what = kind[code]
            if what == IGNORED:
                continue
            if what == SPACE:
                if collapse and unit > first and pending < 0:
                    pending = place
                continue
            if pending >= 0:
                values[unit] = np.uint64(32)
                starts[unit] = pending - origin
                unit += 1
                pending = -1
            values[unit] = np.uint64(fold[code])
            starts[unit] = place - origin
            unit += 1
        offsets[text + 1] = unit
    starts = starts[:unit].copy()
    return values[:unit].copy(), starts, starts + 1, offsets


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
