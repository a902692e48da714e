"""Skip-grams that find reworked passages: three of a few neighbouring words, in any order.

A word that was exchanged, left out or put in breaks every run of words across it, and a turned
sentence breaks the rest. Three of 5 neighbouring words, hashed without their order, remain as long
as these three do: of 60 words of which every fifth was exchanged, half of them. (Skip-grams:
Guthrie et al., LREC 2006.) Words are cut to their beginnings (`core.text.shingling`).

Not all are kept. Words with few letters say little, so a gram needs as many letters as three words
of its text have on average, or 15; in scripts without spaces every word counts 5. And of these the
hash keeps one in 10, or in 3: the same ones in every text. Measured on rewording planted in six
corpora of three scripts: grams of 5 neighbouring words find as much as twice as many of 6 words. Of
1,181 passages, one in 8 finds 955, one in 10 finds 905, one in 12 finds 861; of 60 words with every
fifth changed 44, 43 and 41 of 44.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from core.base.arrays import Int64Array, UInt64Array
from core.base.compiling import njit
from core.base.growable_array import grown
from core.base.hashing import mix
from core.settings import ONE_IN, ScanSettings
from core.text.set_aside import GAP
from core.text.shingling import Fingerprints, WordBeginnings
from core.text.tokens import LETTER_BITS

GRAMS_A_WORD = 6  # that begin with it: two others of the four words behind
MOST_LETTERS = 15  # that are asked of a gram
PLACE_BITS = np.uint64(24)  # of a gram: the number of its first word; the others are its hash
LAST_PLACE = np.uint64((1 << 24) - 1)  # and of all words behind it


def choose_skip_grams(words: WordBeginnings, settings: ScanSettings) -> Fingerprints:
    """The skip-grams of some texts; none where reworked passages are not looked for.

    Returns:
        One value for each gram of each text, in reading order: in the low `PLACE_BITS` the number
        of its first word, gaps counted, at most 16,777,215; above, 40 bits of its hash.
    """
    if settings.reworked == "off":
        return no_skip_grams(len(words.offsets) - 1)
    highest = np.uint64(((1 << 64) - 1) // ONE_IN[settings.reworked])
    return Fingerprints(*_choose(words.values, words.offsets, highest))


def no_skip_grams(texts: int) -> Fingerprints:
    """What so many texts have where nothing reworked is looked for."""
    return Fingerprints(np.empty(0, dtype=np.uint64), np.zeros(texts, dtype=np.int64))


def places_of(values: UInt64Array) -> Int64Array:
    """The first words of some grams, int64."""
    return (values & LAST_PLACE).astype(np.int64)


@njit(nogil=True, cache=True)
def _choose(words: Any, offsets: Any, highest: Any) -> Any:
    """Grams and how many each text has."""
    kept = np.empty(len(words) + 64, dtype=np.uint64)
    counts = np.zeros(len(offsets) - 1, dtype=np.int64)
    total = 0
    for text in range(len(offsets) - 1):
        first, end = offsets[text], offsets[text + 1]
        if total + GRAMS_A_WORD * (end - first) > len(kept):
            kept = grown(kept, total, 2 * (total + GRAMS_A_WORD * (end - first)))
        least = _letters_needed(words, first, end)
        begun, start = total, first
        while start < end:
            stop = start
            while stop < end and words[stop] != GAP:
                stop += 1
            total = _choose_between(words, first, start, stop, kept, total, highest, least)
            start = stop + 1
        counts[text] = total - begun
    return kept[:total].copy(), counts


@njit(nogil=True, cache=True)
def _choose_between(
    words: Any,
    first: Any,
    start: Any,
    stop: Any,
    kept: Any,
    total: Any,
    highest: Any,
    least: Any,
) -> Any:
    """Write the grams of a stretch without gaps of a text that begins at `first`; how many then."""
    for one in range(start, stop - 2):
        place = min(np.uint64(one - first), LAST_PLACE)
        a, b, c = words[one], words[one + 1], words[one + 2]
        d = words[one + 3] if one + 3 < stop else a  # of equal words there is no gram
        e = words[one + 4] if one + 4 < stop else a
        total = _add(kept, total, a, b, c, place, highest, least)
        total = _add(kept, total, a, b, d, place, highest, least)
        total = _add(kept, total, a, b, e, place, highest, least)
        total = _add(kept, total, a, c, d, place, highest, least)
        total = _add(kept, total, a, c, e, place, highest, least)
        total = _add(kept, total, a, d, e, place, highest, least)
    return total


@njit(nogil=True, cache=True, inline="always")
def _add(
    kept: Any,
    total: Any,
    one: Any,
    two: Any,
    three: Any,
    place: Any,
    highest: Any,
    least: Any,
) -> Any:
    """Keep a gram, if it is to be kept; how many there are then.

    The sum of three mixed values is the same in any order.
    """
    value = mix(one + two + three)
    if value > highest:
        return total
    kept[total] = value << PLACE_BITS | place
    letters = (one & LETTER_BITS) + (two & LETTER_BITS) + (three & LETTER_BITS)
    differ = (one != two) & (two != three) & (one != three)
    return total + ((letters >= least) & differ)


@njit(nogil=True, cache=True, inline="always")
def _letters_needed(words: Any, first: Any, end: Any) -> Any:
    """Three times the mean of the letters of a text's words, rounded."""
    letters = count = np.uint64(0)
    for place in range(first, end):
        is_word = np.uint64(words[place] != GAP)
        letters += is_word * (words[place] & LETTER_BITS)
        count += is_word
    most = np.uint64(MOST_LETTERS)
    return min(most, (np.uint64(3) * letters + count // np.uint64(2)) // max(count, np.uint64(1)))
