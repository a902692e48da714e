"""Compatibility normalisation (NFKC) of code points in compiled loops, with the way back.

What UAX #15 (Unicode normalization forms) defines is read from the Unicode data of the running
Python into tables by code point: whether a character stands for itself, its canonical combining
class, its full decomposition, and which pairs compose. Then a text is read once. Stretches that
are normal already pass as they are; the others are clusters, that is a character and those after
it that may be joined to it or move before each other, and they are decomposed, ordered and
composed each on its own, because nothing ever joins across the start of a cluster.

One thing differs from NFKC: marks that are set at the end of a word do not become part of it.
NFKC would make "Acme™" the word "AcmeTM" and "text¹", a footnote, the word "text1".
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from functools import cache
from threading import Lock
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt
from numba import njit

from core.characters import ASSIGNED_END, CODE_POINTS

__all__ = ["Normalised", "normalise"]

Int64Array = npt.NDArray[np.int64]
UInt8Array = npt.NDArray[np.uint8]
UInt32Array = npt.NDArray[np.uint32]

WORD_END_MARKS = "™℠¹²³"
NEUTRAL_MARK = "®"

# What a character does when a text is normalised.
PLAIN = 0  # begins a cluster and stands for itself
CHANGES = 1  # begins a cluster and becomes something else
ORDERED = 2  # continues a cluster as it is, if the combining classes are in order
COMPOSES = 3  # continues a cluster and may be joined to what is before it, or change

LENGTH_BITS = 5  # of a spelling; the longest has 18 characters
SHORT_RUN = 16  # marks in a row that are ordered by insertion
CLASSES = 256
SYLLABLE, LEADING, VOWEL, TRAILING = 0xAC00, 0x1100, 0x1161, 0x11A7  # Hangul; UAX #15, 16
LEADINGS, VOWELS, TRAILINGS = 19, 21, 28
SYLLABLES = LEADINGS * VOWELS * TRAILINGS


class Normalised(NamedTuple):
    """Normalised texts, one after the other, and where each of their characters comes from.

    Attributes:
        codes: Code points; the array that was given where nothing changed.
        bounds: int64, text i has `codes[bounds[i]:bounds[i + 1]]`.
        sources: int64 (characters, 2), the span in its original text that each character comes
            from: of itself where its cluster was normal, else of the whole cluster. None when it
            was not asked for, or nothing changed.
    """

    codes: npt.NDArray[Any]
    bounds: Int64Array
    sources: Int64Array | None


class _Forms(NamedTuple):
    """The Unicode data that the loops read, by code point unless said otherwise.

    Attributes:
        role: uint8, one of the four above.
        rank: uint8, canonical combining class.
        apart: int32, the full decomposition as place in `spelling` << 5 | length; 0 for itself.
        whole: int32, the normal form of the character alone, likewise.
        spelling: uint32, the characters of both, one spelling after the other.
        first: uint16, row in `pairs` of characters that compose with a later one, else 0.
        second: uint8, column in `pairs` of characters that compose with an earlier one, else 0.
        pairs: uint32 (firsts, seconds), what two characters compose to, or 0.
    """

    role: UInt8Array
    rank: UInt8Array
    apart: npt.NDArray[np.int32]
    whole: npt.NDArray[np.int32]
    spelling: UInt32Array
    first: npt.NDArray[np.uint16]
    second: UInt8Array
    pairs: UInt32Array


def normalise(codes: npt.NDArray[Any], bounds: Int64Array, *, sources: bool = False) -> Normalised:
    """NFKC of texts given as code points, with or without the way back to them."""
    forms = _forms()
    room = _room(codes, forms)
    if room == 0:
        return Normalised(codes, bounds, None)
    out = np.empty(room, dtype=np.uint32)
    origins = np.empty((room, 2), dtype=np.int64) if sources else None
    ends = _normalise(codes, bounds, forms, out, origins)
    used = ends[-1]
    return Normalised(out[:used], ends, None if origins is None else origins[:used])


@njit(nogil=True, cache=True)
def _room(codes: Any, forms: Any) -> Any:  # noqa: ANN401
    """Characters that the texts can grow to; 0 when all of them are plain."""
    plain = True
    room = 0
    for code in codes:
        plain &= forms.role[code] == PLAIN
        room += max(1, forms.apart[code] & 31)
    return 0 if plain else room


@njit(nogil=True, cache=True)
def _normalise(codes: Any, bounds: Any, forms: Any, out: Any, sources: Any) -> Any:  # noqa: ANN401
    ends = np.zeros(len(bounds), dtype=np.int64)
    roles, ranks, apart, whole, spelling, firsts, seconds, pairs = forms
    used = 0
    for text in range(len(bounds) - 1):
        origin, end = bounds[text], bounds[text + 1]
        run = place = origin  # what is normal since `run` has not been copied yet
        while place < end:
            role = roles[codes[place]]
            if role == PLAIN or (
                role == ORDERED and (place == run or ranks[codes[place - 1]] <= ranks[codes[place]])
            ):
                place += 1
                continue
            first, last = place, place + 1
            while role != CHANGES and first > run and roles[codes[first]] >= ORDERED:
                first -= 1
            while last < end and roles[codes[last]] >= ORDERED:
                last += 1
            used = _copy(codes, run, first, out, used)
            start = used
            if last - first == 1:
                used = _spell(codes[first], whole, spelling, out, used)
            else:
                for at in range(first, last):
                    used = _spell(codes[at], apart, spelling, out, used)
                _order(out, start, used, ranks)
                used = _compose(out, start, used, ranks, firsts, seconds, pairs)
            if sources is not None:
                _trace(sources, start - (first - run), run - origin, first - run)
                _trace_cluster(codes, first, last, out, start, used, origin, sources)
            run = place = last
        if sources is not None:
            _trace(sources, used, run - origin, end - run)
        used = _copy(codes, run, end, out, used)
        ends[text + 1] = used
    return ends


@njit(nogil=True, cache=True, inline="always")
def _copy(codes: Any, first: Any, last: Any, out: Any, used: Any) -> Any:  # noqa: ANN401
    for place in range(last - first):
        out[used + place] = codes[first + place]
    return used + last - first


@njit(nogil=True, cache=True, inline="always")
def _trace(sources: Any, used: Any, first: Any, count: Any) -> None:  # noqa: ANN401
    """Characters that stand for themselves."""
    for place in range(count):
        sources[used + place, 0] = first + place
        sources[used + place, 1] = first + place + 1


@njit(nogil=True, cache=True, inline="always")
def _trace_cluster(
    codes: Any,  # noqa: ANN401
    first: Any,  # noqa: ANN401
    last: Any,  # noqa: ANN401
    out: Any,  # noqa: ANN401
    start: Any,  # noqa: ANN401
    end: Any,  # noqa: ANN401
    origin: Any,  # noqa: ANN401
    sources: Any,  # noqa: ANN401
) -> None:
    same = end - start == last - first
    for place in range(start, end):
        same = same and out[place] == codes[first + place - start]
    if same:
        _trace(sources, start, first - origin, last - first)
        return
    for place in range(start, end):
        sources[place, 0] = first - origin
        sources[place, 1] = last - origin


@njit(nogil=True, cache=True, inline="always")
def _spell(code: Any, table: Any, spelling: Any, out: Any, used: Any) -> Any:  # noqa: ANN401
    entry = table[code]
    if entry == 0:
        out[used] = code
        return used + 1
    start, length = entry >> LENGTH_BITS, entry & 31
    for place in range(length):
        out[used + place] = spelling[start + place]
    return used + length


@njit(nogil=True, cache=True, inline="always")
def _order(out: Any, first: Any, last: Any, rank: Any) -> None:  # noqa: ANN401
    """The canonical ordering algorithm: marks between starters, stably by combining class."""
    run = 0  # marks in a row
    for place in range(first, last):
        code = out[place]
        at = place
        run = run + 1 if rank[code] else 0
        if run > SHORT_RUN:
            _order_long(out, first, last, rank)
            break
        while at > place - run + 1 and rank[out[at - 1]] > rank[code]:
            out[at] = out[at - 1]
            at -= 1
        out[at] = code


@njit(nogil=True, cache=True)
def _order_long(out: Any, first: Any, last: Any, rank: Any) -> None:  # noqa: ANN401
    """The same by counting: a text of nothing but marks must not take quadratic time."""
    end = first
    while end < last:
        start = end
        while end < last and rank[out[end]] != 0:
            end += 1
        marks = out[start:end].copy()
        places = np.zeros(CLASSES + 1, dtype=np.int64)
        for code in marks:
            places[rank[code] + 1] += 1
        places = start + np.cumsum(places)
        for code in marks:
            out[places[rank[code]]] = code
            places[rank[code]] += 1
        end += 1


@njit(nogil=True, cache=True, inline="always")
def _compose(
    out: Any,  # noqa: ANN401
    first: Any,  # noqa: ANN401
    last: Any,  # noqa: ANN401
    ranks: Any,  # noqa: ANN401
    firsts: Any,  # noqa: ANN401
    seconds: Any,  # noqa: ANN401
    pairs: Any,  # noqa: ANN401
) -> Any:  # noqa: ANN401
    """The canonical composition algorithm, in place; returns the end."""
    used = first
    starter = -1
    before = 0  # class of the last mark after the starter that was not joined to it
    for place in range(first, last):
        code = np.int64(out[place])
        rank = ranks[code]
        joined = np.int64(0)
        if starter >= 0 and (before == 0 or before < rank):
            one = np.int64(out[starter])
            joined = np.int64(pairs[firsts[one], seconds[code]])
            if joined == 0:
                joined = np.int64(_join_hangul(one, code))
        if joined:
            out[starter] = joined
            continue
        if rank == 0:
            starter = used
        before = rank
        out[used] = code
        used += 1
    return used


@njit(nogil=True, cache=True, inline="always")
def _join_hangul(one: Any, other: Any) -> Any:  # noqa: ANN401
    """The syllable that two jamo, or a syllable and a jamo, compose to; or 0."""
    joined = 0
    if LEADING <= one < LEADING + LEADINGS and VOWEL <= other < VOWEL + VOWELS:
        joined = SYLLABLE + ((one - LEADING) * VOWELS + other - VOWEL) * TRAILINGS
    elif (
        TRAILING < other < TRAILING + TRAILINGS
        and SYLLABLE <= one < SYLLABLE + SYLLABLES
        and (one - SYLLABLE) % TRAILINGS == 0
    ):
        joined = one + other - TRAILING
    return joined


_building = Lock()


def _forms() -> _Forms:
    """The tables; built when first needed, by one thread."""
    with _building:
        return _build_forms()


@cache
def _build_forms() -> _Forms:
    decomposable = [c for c in range(ASSIGNED_END) if unicodedata.decomposition(chr(c))]
    codes = [*decomposable, *range(SYLLABLE, SYLLABLE + SYLLABLES)]
    spelling: list[str] = [" "]  # so that no entry is 0
    apart, apart_forms = _spellings("NFKD", codes, spelling)
    whole, whole_forms = _spellings("NFKC", codes, spelling)
    rank = np.zeros(CODE_POINTS, dtype=np.uint8)
    rank[:ASSIGNED_END] = [unicodedata.combining(chr(code)) for code in range(ASSIGNED_END)]
    first, second, pairs = _compositions(decomposable)
    role = np.zeros(CODE_POINTS, dtype=np.uint8)
    role[rank > 0] = ORDERED
    role[second > 0] = COMPOSES
    role[VOWEL : VOWEL + VOWELS] = COMPOSES
    role[TRAILING + 1 : TRAILING + TRAILINGS] = COMPOSES
    for code, parts, normal in zip(codes, apart_forms, whole_forms, strict=True):
        if role[ord(parts[0])] >= ORDERED:
            role[code] = COMPOSES
        elif normal != chr(code):
            role[code] = CHANGES
    characters = np.array([ord(character) for character in "".join(spelling)], dtype=np.uint32)
    return _Forms(role, rank, apart, whole, characters, first, second, pairs)


def _spellings(
    form: Literal["NFKC", "NFKD"], codes: Iterable[int], spelling: list[str]
) -> tuple[npt.NDArray[np.int32], list[str]]:
    """Table of these characters' forms, which are appended to the spelling; and the forms."""
    table = np.zeros(CODE_POINTS, dtype=np.int32)
    place = sum(map(len, spelling))
    found = []
    for code in codes:
        character = NEUTRAL_MARK if chr(code) in WORD_END_MARKS else chr(code)
        found.append(unicodedata.normalize(form, character))
        if found[-1] != chr(code):
            table[code] = place << LENGTH_BITS | len(found[-1])
            place += len(found[-1])
            spelling.append(found[-1])
    return table, found


def _compositions(
    codes: Iterable[int],
) -> tuple[npt.NDArray[np.uint16], UInt8Array, UInt32Array]:
    """Rows and columns of the characters that compose, and what they compose to."""
    composed: dict[tuple[int, int], int] = {}
    for code in codes:
        parts = unicodedata.decomposition(chr(code)).split()
        if len(parts) == 2 and parts[0][0] != "<":
            one, other = (chr(int(part, 16)) for part in parts)
            if unicodedata.normalize("NFC", one + other) == chr(code):
                composed[ord(one), ord(other)] = code
    rows = {code: row for row, code in enumerate(sorted({one for one, _ in composed}), 1)}
    columns = {code: row for row, code in enumerate(sorted({other for _, other in composed}), 1)}
    first = np.zeros(CODE_POINTS, dtype=np.uint16)
    second = np.zeros(CODE_POINTS, dtype=np.uint8)
    first[list(rows)] = list(rows.values())
    second[list(columns)] = list(columns.values())
    pairs = np.zeros((len(rows) + 1, len(columns) + 1), dtype=np.uint32)
    for (row, column), code in composed.items():
        pairs[rows[row], columns[column]] = code
    return first, second, pairs
