"""Compatibility normalisation (NFKC) of code points in compiled loops, with the way back.

What UAX #15 (Unicode normalization forms) defines is read from the Unicode data of the running
Python into tables by code point: whether a character stands for itself, its canonical combining
class, its full decomposition, and which pairs compose. Then a text is read once. Stretches that
are normal already pass as they are; the others are clusters, that is a character and those after
it that may be joined to it or move before each other, and they are decomposed, ordered and
composed each on its own, because nothing ever joins across the start of a cluster.

Three things differ from NFKC. ß is "ss", as it is in capitals and in Switzerland: simple case
folding cannot say so, because it keeps the number of characters. And what is set at the end of a
word does not become part of it. NFKC would make "Acme™" the word "AcmeTM": ™ and ℠ are marks that
do not count. It would make "10²" the number 102 and "text¹", a footnote, the word "text1": raised
figures stay as they are, all ten, and are words of their own, as the figure in "text [1]" is (see
`core.text.characters`).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from core.base.arrays import AnyArray, Int64Array
from core.base.compiling import njit
from core.text.nfkc_tables import (
    CHANGES,
    LEADING,
    LEADINGS,
    LENGTH_BITS,
    ORDERED,
    PLAIN,
    SYLLABLE,
    SYLLABLES,
    TRAILING,
    TRAILINGS,
    VOWEL,
    VOWELS,
    forms,
)

SHORT_RUN = 16  # marks in a row that are ordered by insertion
CLASSES = 256


class Normalised(NamedTuple):
    """Normalised texts, one after the other, and where each of their characters comes from.

    Attributes:
        codes: Code points; the array that was given where nothing changed.
        bounds: int64, text i has `codes[bounds[i]:bounds[i + 1]]`.
        sources: int64 (characters, 2), the span in its original text that each character comes
            from: of itself where its cluster was normal, else of the whole cluster. None when it
            was not asked for, or nothing changed.
    """

    codes: AnyArray
    bounds: Int64Array
    sources: Int64Array | None


def normalise(codes: AnyArray, bounds: Int64Array, *, sources: bool = False) -> Normalised:
    """NFKC of texts given as code points, with or without the way back to them."""
    tables = forms()
    room = _room(codes, tables)
    if room == 0:
        return Normalised(codes, bounds, None)
    out = np.empty(room, dtype=np.uint32)
    origins = np.empty((room if sources else 0, 2), dtype=np.int64)
    ends = _normalise(codes, bounds, tables, out, origins)
    used = ends[-1]
    return Normalised(out[:used], ends, origins[:used] if sources else None)


def longest_form(codes: AnyArray) -> int:
    """How many characters texts may have when they are normalised, told without doing it."""
    return max(len(codes), int(_room(codes, forms())))


@njit(nogil=True, cache=True)
def _room(codes: Any, tables: Any) -> Any:
    """Characters that the texts can grow to; 0 when all of them are plain."""
    plain = True
    room = 0
    for code in codes:
        plain &= tables.role[code] == PLAIN
        room += max(1, tables.apart[code] & 31)
    return 0 if plain else room


@njit(nogil=True, cache=True)
def _normalise(codes: Any, bounds: Any, tables: Any, out: Any, sources: Any) -> Any:
    ends = np.zeros(len(bounds), dtype=np.int64)
    roles, ranks, apart, whole, spelling, firsts, seconds, pairs = tables
    traced = len(sources) > 0  # no type of its own for none: each type is compiled again
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
            if traced:
                _trace(sources, start - (first - run), run - origin, first - run)
                _trace_cluster(codes, first, last, out, start, used, origin, sources)
            run = place = last
        if traced:
            _trace(sources, used, run - origin, end - run)
        used = _copy(codes, run, end, out, used)
        ends[text + 1] = used
    return ends


@njit(nogil=True, cache=True, inline="always")
def _copy(codes: Any, first: Any, last: Any, out: Any, used: Any) -> Any:
    for place in range(last - first):
        out[used + place] = codes[first + place]
    return used + last - first


@njit(nogil=True, cache=True, inline="always")
def _trace(sources: Any, used: Any, first: Any, count: Any) -> None:
    """Characters that stand for themselves."""
    for place in range(count):
        sources[used + place, 0] = first + place
        sources[used + place, 1] = first + place + 1


@njit(nogil=True, cache=True, inline="always")
def _trace_cluster(
    codes: Any,
    first: Any,
    last: Any,
    out: Any,
    start: Any,
    end: Any,
    origin: Any,
    sources: Any,
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
def _spell(code: Any, table: Any, spelling: Any, out: Any, used: Any) -> Any:
    entry = table[code]
    if entry == 0:
        out[used] = code
        return used + 1
    start, length = entry >> LENGTH_BITS, entry & 31
    for place in range(length):
        out[used + place] = spelling[start + place]
    return used + length


@njit(nogil=True, cache=True, inline="always")
def _order(out: Any, first: Any, last: Any, rank: Any) -> None:
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
def _order_long(out: Any, first: Any, last: Any, rank: Any) -> None:
    """The same by counting: a text of nothing but marks must not take quadratic time."""
    end = first
    while end < last:
        start = end
        while end < last and rank[out[end]] != 0:
            end += 1
        marks = np.empty(end - start, dtype=np.uint32)
        places = np.zeros(CLASSES + 1, dtype=np.int64)
        for place in range(end - start):
            marks[place] = out[start + place]
            places[rank[marks[place]] + 1] += 1
        places[0] = start
        for one in range(CLASSES):
            places[one + 1] += places[one]
        for code in marks:
            out[places[rank[code]]] = code
            places[rank[code]] += 1
        end += 1


@njit(nogil=True, cache=True, inline="always")
def _compose(
    out: Any,
    first: Any,
    last: Any,
    ranks: Any,
    firsts: Any,
    seconds: Any,
    pairs: Any,
) -> Any:
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
def _join_hangul(one: Any, other: Any) -> Any:
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
