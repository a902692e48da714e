"""In which script each word of a text is, as `core.text.disguises` says.

The loop over characters notes words that may be in another script than they seem, and the nearest
words around them whose script is sure. Where words end is as good as random to a processor, so
nothing branches on it: at every character the facts of a word are looked up, which are 0 inside it.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from core.base.arrays import Int64Array, UInt8Array, UInt32Array
from core.base.compiling import njit
from core.text.lookalikes import (
    CYRILLIC,
    GREEK,
    LATIN,
    LINE_END,
    NO_LOOKALIKE,
    NO_ROUGH_LOOKALIKE,
    PLAIN,
    SCRIPTS,
    STYLED,
    WORD,
    letters,
)

WORD_BIT = WORD.bit_length() - 1
LATIN_NEEDED = (LATIN << NO_ROUGH_LOOKALIKE).bit_length() - 1
KEYS = 1 << 12  # of words: their facts up to `PLAIN`
BOTH_STYLES = STYLED | PLAIN
ALL_TARGETS = LATIN | CYRILLIC | GREEK
WHOLE, NEEDED, HYPHENS = range(3)  # columns of a text
START, END, FACTS, BEFORE, AFTER = range(5)  # columns of a word that may not be what it seems


class Rules(NamedTuple):
    """What the facts of a word say, by `key`.

    Attributes:
        sure: uint8, the script it must be in, or 0.
        possible: uint8, the scripts it may be in; 0 for a word that is what it seems.
    """

    sure: UInt8Array
    possible: UInt8Array


class FoundWords(NamedTuple):
    """Words of several texts that may not be what they seem.

    Attributes:
        words: int64 (n, 5), in reading order: start, end, facts, and the scripts of the nearest
            words before and after whose script is sure, 0 where there is none.
        whole: int64, by text: the facts of all its characters.
        needed: int64, by text: the scripts that some word of it needs.
        hyphens: int64, by text: 1 where a line of it ends in a hyphen.
    """

    words: Int64Array
    whole: Int64Array
    needed: Int64Array
    hyphens: Int64Array


def lenient_scripts(whole: Any, needed: Any) -> Any:
    """The scripts whose letters may be meant for those that they resemble."""
    return (whole & ~needed & CYRILLIC) * (whole & LATIN)


def find_words_in(codes: UInt32Array, lenient: int = 0) -> FoundWords:
    """Those of one text."""
    return find_words(codes, np.array([0, len(codes)], dtype=np.int64), lenient)


def find_words(codes: UInt32Array, bounds: Int64Array, lenient: int = 0) -> FoundWords:
    """The words of several texts that may not be what they seem.

    Args:
        codes: Code points, one text after the other.
        bounds: Text i is `codes[bounds[i]:bounds[i + 1]]`.
        lenient: Scripts whose letters may be meant for those that they resemble.
    """
    rows = np.empty((len(codes) // 2 + 1, 5), dtype=np.int64)
    of_texts = np.zeros((len(bounds) - 1, 3), dtype=np.int64)
    count = _find_words(codes, bounds, letters().facts, _rules(lenient), rows, of_texts)
    return FoundWords(rows[:count].copy(), *of_texts.T)


@cache
def _rules(lenient: int) -> Rules:
    """The rules where letters of these scripts may be meant for those that they resemble."""
    keys = np.arange(KEYS, dtype=np.uint16)
    own = keys & SCRIPTS
    alone = (own & (own - 1)) == 0
    rough = ~(keys >> NO_ROUGH_LOOKALIKE) & ALL_TARGETS
    exact = ~(keys >> NO_LOOKALIKE) & ALL_TARGETS
    is_exact = (own & lenient == 0) & (alone | (exact > 0))
    may_be = np.where(is_exact, exact, rough) | np.where(alone, own, 0)
    meant = may_be & (ALL_TARGETS ^ lenient)
    may_be = np.where(~alone & (meant > 0), meant, may_be)
    may_be[own == 0] = 0
    is_one = (may_be & (may_be - 1)) == 0
    sure = np.where(is_one, may_be, 0)
    styled = keys & BOTH_STYLES == BOTH_STYLES
    is_plain = alone & is_one & ~styled
    return Rules(sure.astype(np.uint8), np.where(is_plain, 0, may_be).astype(np.uint8))


@njit(nogil=True, cache=True)
def _find_words(codes: Any, bounds: Any, facts: Any, rules: Any, rows: Any, of_texts: Any) -> Any:
    sure, possible = rules
    count = 0
    for text in range(len(bounds) - 1):
        first, last = bounds[text], bounds[text + 1]
        before, waiting = np.int64(0), count  # rows from there on do not know what is after them
        word = everything = needed = np.int64(0)
        for place in range(first, last + 1):
            fact = np.int64(facts[codes[place]]) if place < last else np.int64(0)
            everything |= fact
            inside = -(fact >> WORD_BIT)  # all bits, or none
            ended = word & ~inside
            word = (word | fact) & inside
            key = ended & (KEYS - 1)
            if possible[key]:
                rows[count, START] = _start(codes, facts, first, place)
                rows[count, END], rows[count, FACTS], rows[count, BEFORE] = place, key, before
                count += 1
            script = np.int64(sure[key])
            needed |= script * ((ended >> LATIN_NEEDED) & 1)
            if script and waiting < count:
                count = _settle(rows, waiting, count, script)
                waiting = count
            before = script or before
            if fact & LINE_END:
                of_texts[text, HYPHENS] |= _is_hyphen(codes, first, place - 1)
        count = _settle(rows, waiting, count, 0)
        of_texts[text, WHOLE], of_texts[text, NEEDED] = everything, needed
    return count


@njit(nogil=True, cache=True, inline="always")
def _is_hyphen(codes: Any, first: Any, place: Any) -> Any:
    return place >= first and codes[place] in (0x2D, 0xAD, 0x2010)


@njit(nogil=True, cache=True, inline="always")
def _start(codes: Any, facts: Any, first: Any, end: Any) -> Any:
    """Where the word begins that ends here."""
    start = end
    while start > first and facts[codes[start - 1]] & WORD:
        start -= 1
    return start


@njit(nogil=True, cache=True, inline="always")
def _settle(rows: Any, first: Any, last: Any, after: Any) -> Any:
    """Say what comes after these rows; those that are what they seem are dropped."""
    kept = first
    for row in range(first, last):
        own, before = rows[row, FACTS] & SCRIPTS, rows[row, BEFORE]
        is_styled = rows[row, FACTS] & BOTH_STYLES == BOTH_STYLES
        if is_styled or not (own in (before, after) and (before == after or before * after == 0)):
            rows[kept] = rows[row]
            rows[kept, AFTER] = after
            kept += 1
    return kept


def scripts_of(words: Int64Array, lenient: int = 0) -> Int64Array:
    """The script in which each of these words is, 0 where that cannot be said."""
    _, _, facts, before, after = words.T
    possible = _rules(lenient).possible[facts].astype(np.int64)
    low, high = np.minimum(before, after), np.maximum(before, after)
    around = np.where((possible & high > 0) | (low == 0), high, low)
    first = possible & -possible  # Latin, mostly
    elsewhere = np.where((around > 0) | (first == possible), first, 0)
    return np.asarray(np.where(possible & around > 0, around, elsewhere))
