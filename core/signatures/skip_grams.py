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

from core.base.arrays import Int64Array, UInt64Array, grown
from core.base.compiling import njit
from core.base.hashing import mix
from core.settings import ONE_IN, ScanSettings
from core.text.set_aside import GAP
from core.text.shingling import Fingerprints, WordBeginnings
from core.text.tokens import LETTER_BITS

GRAMS_A_WORD = 6  # that begin with it: two others of the four words behind
MOST_LETTERS = 15  # that are asked of a gram
PLACE_BITS = np.uint64(24)  # of a gram: the number of its first word; the others are its hash
SECOND = np.array([1, 1, 1, 2, 2, 3])  # words behind the first that the second of a gram stands
THIRD = np.array([2, 3, 4, 3, 4, 4])
BLOCK = 1 << 9  # words whose grams are hashed together
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
    """Grams and how many each text has.

    All grams of a block of words are hashed, in loops without a branch, and then those looked at
    that the hash keeps: whether they lie within a text and between gaps, and have letters enough.
    """
    block = np.zeros(BLOCK + 4, dtype=np.uint64)
    hashes = np.empty((GRAMS_A_WORD, BLOCK), dtype=np.uint64)
    chosen = np.empty(GRAMS_A_WORD * BLOCK, dtype=np.uint32)
    kept = np.empty(len(words) + len(chosen), dtype=np.uint64)
    counts = np.zeros(len(offsets) - 1, dtype=np.int64)
    total, text, first, end = 0, -1, 0, 0
    least = np.uint64(0)
    for start in range(0, len(words), BLOCK):
        size = min(BLOCK, len(words) - start)
        has_gap = False
        for at in range(min(BLOCK + 4, len(words) - start)):
            block[at] = words[start + at]
            has_gap |= block[at] == GAP
        count = _hash_grams(block, size, highest, hashes, chosen)
        if total + count > len(kept):
            kept = grown(kept, total, 2 * len(kept))
        for choice in chosen[:count]:
            number, gram = np.int64(choice) // GRAMS_A_WORD, np.int64(choice) % GRAMS_A_WORD
            place = start + number
            while place >= end:
                text += 1
                first, end = offsets[text], offsets[text + 1]
                least = _letters_needed(words, first, end)
            one = block[number]
            two, three = block[number + SECOND[gram]], block[number + THIRD[gram]]
            letters = (one & LETTER_BITS) + (two & LETTER_BITS) + (three & LETTER_BITS)
            is_gram = (letters >= least) & (place + THIRD[gram] < end)
            is_gram &= (one != two) & (two != three) & (one != three)
            if has_gap:
                for word in block[number : number + THIRD[gram] + 1]:
                    is_gram &= word != GAP
            behind = min(np.uint64(place - first), LAST_PLACE)
            kept[total] = hashes[gram, number] << PLACE_BITS | behind
            total += is_gram
            counts[text] += is_gram
    return kept[:total].copy(), counts


@njit(nogil=True, cache=True)
def _hash_grams(block: Any, size: Any, highest: Any, hashes: Any, chosen: Any) -> Any:
    """Hash all grams that begin in a block, note those that are sampled, and count them."""
    for at in range(size):
        one, two, three = block[at], block[at + 1], block[at + 2]
        four, five = block[at + 3], block[at + 4]
        # The sum of three mixed values is the same in any order.
        hashes[0, at] = mix(one + two + three)
        hashes[1, at] = mix(one + two + four)
        hashes[2, at] = mix(one + two + five)
        hashes[3, at] = mix(one + three + four)
        hashes[4, at] = mix(one + three + five)
        hashes[5, at] = mix(one + four + five)
    count = np.uint64(0)  # an index that cannot be negative is found faster
    for at in range(np.uint64(size)):
        for gram in range(np.uint64(GRAMS_A_WORD)):
            chosen[count] = at * np.uint64(GRAMS_A_WORD) + gram
            count += np.uint64(hashes[gram, at] <= highest)
    return count


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
