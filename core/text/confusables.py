"""Finds the script of each word of a text by the rules of `core.text.disguises`.

The loop over characters notes words that may be in another script than they seem, and the nearest
words around them whose script is sure. Where words end is as good as random to a processor, so
nothing branches on it: at every character the facts of a word are looked up, which are 0 inside it.

Letters that look like a letter of another script, and characters that nobody sees.

A letter is a look-alike of a Latin one where `confusables.txt` of UTS #39 (Unicode Security
Mechanisms; Unicode Character Database, © Unicode, Inc., Unicode License v3) has both under one
prototype: the table below was chosen from that file as it was in January 2024, version 15.1. Left
out are letters of Latin itself, variants of Greek letters, and scripts that few can type (as Miao,
Osage, Warang Citi). Three things are not as in the file: capitals like I, which it has under l,
stand under I; ӏ stands under l and not under i; Ԛ was added. Those that only resemble one (Cyrillic
т, small capitals of many type faces) were added by hand, for Latin only; they count less (see
`core.text.disguises`). What
looks like what in Cyrillic and Greek follows from the Latin letter that both look like, and letters
with marks from the letters without. Those Cyrillic letters that few languages have count as
letters that only resemble a Latin one: "shell" is no Cyrillic word, wherever it stands.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping
from functools import cache
from threading import Lock
from typing import Any, NamedTuple

import numpy as np

from core.base.arrays import BoolArray, Int64Array, UInt8Array, UInt16Array, UInt32Array
from core.base.compiling import njit
from core.settings import ScanSettings
from core.text.characters import (
    ASCII_END,
    CODE_POINTS,
    IGNORED,
    LETTER,
    MARK,
    alphabet,
    categories,
    category_number,
    decomposable,
    forms,
)

LATIN, CYRILLIC, GREEK, OTHER = 1, 2, 4, 8  # the script of a letter; of several in a word
SCRIPTS = LATIN | CYRILLIC | GREEK | OTHER
TARGETS = (LATIN, CYRILLIC, GREEK)  # what a letter can be taken for
NO_LOOKALIKE = 4  # how far left the bits stand of the scripts in which a letter has none
NO_ROUGH_LOOKALIKE = 7  # nor one that resembles it
STYLED = 1 << 10  # a letter that is another one in some style: fullwidth, bold of mathematics
PLAIN = 1 << 11  # any other letter
ODD = 1 << 12  # does not count as it stands (see `core.text.disguises`)
INVISIBLE = 1 << 13  # is not seen and takes no room
WORD = 1 << 15  # within a word, be it a letter or not
LETTERS_END = 0x20000  # beyond lie ideographs

# What each Latin letter can be mistaken for; of several in a script, the first stands for it.
_EXACT = {
    "a": "аα", "b": "ЬᏏᑲᖯ", "c": "сⲥꮯ𐐽", "d": "ԁᏧᑯꓒ", "e": "еҽ", "f": "ք", "g": "ցɡ", "h": "һհᏂ",
    "i": "іιꙇꭵᎥ", "j": "јϳ", "l": "ӏⵏᛁ", "n": "ոռ", "o": "оοσⲟჿօഠ𐐬", "p": "рρⲣ", "q": "ԛգզ",
    "r": "ⲅꮁ", "s": "ѕꮪ𐑈", "u": "υս", "v": "ѵνꮩ", "w": "ԝѡաꮃ", "x": "хᕁᕽ", "y": "уγүყ", "z": "ꮓ",
    "A": "АΑᎪᗅꓮ𐊠", "B": "ВΒᏴᗷꓐ𐊂𐊡𐌁", "C": "СⲤᏟꓚ𐊢𐌂𐐕𐔜", "D": "Ꭰᗞᗪꓓ", "E": "ЕΕⴹᎬꓰ𐊆",
    "F": "Ϝᖴꓝ𐊇𐊥𐔥", "G": "ԌᏀᏳꓖ", "H": "НΗⲎᎻᕼꓧ𐋏", "I": "ІΙⲒӀꓲ𐊊𐌉", "J": "ЈͿᎫᒍꓙ",
    "K": "КΚⲔᏦᛕꓗ𐔘", "L": "ⳐᏞᒪꓡ𐐛𐔦", "M": "МΜϺⲘᎷᗰᛖꓟ𐊰𐌑", "N": "ΝⲚꓠ𐔓",
    "O": "ОΟⲞՕⵔዐଠꓳ𐊒𐊫𐐄𐔖", "P": "РΡⲢᏢᑭꓑ𐊕", "Q": "Ԛⵕ", "R": "ᎡᏒᖇꓣ", "S": "ЅՏᏕᏚꓢ𐊖𐐠",
    "T": "ТΤⲦᎢꓔ𐊗𐊱𐌕", "U": "Սሀᑌꓴ", "V": "ѴⴸᏙᐯꛟꓦ𐔝", "W": "ԜᎳᏔꓪ", "X": "ХΧⲬⵝᚷꓫ𐊐𐊴𐌗𐔧",
    "Y": "УΥҮⲨᎩᎽꓬ𐊲", "Z": "ΖᏃꓜ",
}  # fmt: skip
_ROUGH = {
    "b": "ьвβ", "e": "ε", "h": "н", "k": "кκ", "m": "м", "n": "пη", "r": "г", "t": "тτ", "u": "ц",
    "w": "шщω", "x": "χ", "y": "ч", "z": "ζ", "N": "И", "R": "Я",
}  # fmt: skip
# Cyrillic letters of few languages, or of another height: a word of Latin letters that could be
# another only with these is plain.
_RARE = frozenset("ЬԁԌһӀӏԛԚѕЅѵѴԝԜѡ")
_CASES = frozenset({"Lu", "Ll", "Lt", "Lo"})
_STYLES = ("<font>", "<wide>", "<circle>", "<square>")
_RANGES = {
    LATIN: ((0x41, 0x24F), (0x250, 0x2AF), (0x1D00, 0x1D7F), (0x1E00, 0x1EFF), (0x2C60, 0x2C7F),
            (0xA722, 0xA7FF), (0xAB30, 0xAB64), (0xFB00, 0xFB06)),
    CYRILLIC: ((0x400, 0x52F), (0x1C80, 0x1C8F), (0xA640, 0xA69F)),
    GREEK: ((0x370, 0x3E1), (0x3F0, 0x3FF), (0x1F00, 0x1FFF)),
}  # fmt: skip

# Characters without ink that are neither white space nor ignored by their Unicode category.
UNSEEN = "\u034f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u200b"
BLANK = "\u115f\u2800\u3164\uffa0"  # as wide as a space or wider: Braille blank, Hangul fillers


class Letters(NamedTuple):
    """The properties of characters, by code point.

    Attributes:
        facts: uint16 (all code points), of the bits above. `SCRIPTS` of a letter; shifted left by
            `NO_LOOKALIKE` and `NO_ROUGH_LOOKALIKE` the scripts of `TARGETS` in which it has no
            look-alike: so a word is known by the facts of its characters joined with "or".
        looks_like: uint32 (`LETTERS_END`), by target: the letter there, or the character itself.
    """

    facts: UInt16Array
    looks_like: Mapping[int, UInt32Array]


_building = Lock()


def letters() -> Letters:
    """The tables; built when first needed, by one thread."""
    with _building:
        return _build()


@cache
def _build() -> Letters:
    kind = alphabet(ScanSettings()).kind
    script = _scripts(np.flatnonzero(kind == LETTER))
    exact, rough = _pairs(_EXACT, script), _pairs(_ROUGH, script)
    rough = {LATIN: rough[LATIN], CYRILLIC: {}, GREEK: {}}
    for code, alike in list(exact[CYRILLIC].items()):
        if unicodedata.normalize("NFD", chr(alike))[0] in _RARE:
            rough[CYRILLIC][code] = exact[CYRILLIC].pop(code)
    for code, base in _styled():
        script[code] = script[base] | STYLED
        for pairs in (exact, rough):
            for target in TARGETS:
                if base in pairs[target]:
                    pairs[target][code] = pairs[target][base]
    facts = script.copy()
    facts[(script & SCRIPTS > 0) & (script & STYLED == 0)] |= PLAIN
    for target in TARGETS:
        alien = (script & SCRIPTS > 0) & (script & target == 0)
        alien[list(exact[target])] = False
        facts[alien] |= target << NO_LOOKALIKE
        alien[list(rough[target])] = False
        facts[alien] |= target << NO_ROUGH_LOOKALIKE
    facts[kind == IGNORED] |= INVISIBLE
    facts[[ord(character) for character in UNSEEN]] = INVISIBLE | ODD | WORD
    facts[(kind == LETTER) | (kind == MARK) | (kind == IGNORED) | (script > 0)] |= WORD
    facts[[ord(character) for character in BLANK]] = ODD
    tables = {target: _table({**rough[target], **exact[target]}) for target in TARGETS}
    return Letters(facts, tables)


def _scripts(codes: Int64Array) -> UInt16Array:
    """The script of each letter among these code points, of all code points.

    Modifier letters have none: many languages use the same (ʼ).
    """
    script = np.zeros(CODE_POINTS, dtype=np.uint16)
    script[codes[np.isin(categories()[codes], list(map(category_number, _CASES)))]] = OTHER
    for flag, ranges in _RANGES.items():
        for first, last in ranges:
            block = script[first : last + 1]
            block[block > 0] = flag
    aliens = [ord(alien) for aliens in _EXACT.values() for alien in aliens]
    script[[code for code in aliens if script[code] == LATIN]] = OTHER  # letters of phonetics
    return script


def _pairs(given: Mapping[str, str], script: UInt16Array) -> dict[int, dict[int, int]]:
    """By target, the letter of that script that each letter is taken for."""
    by_target: dict[int, dict[int, int]] = {target: {} for target in TARGETS}
    for latin, lookalikes in given.items():
        alike = [ord(latin), *map(ord, lookalikes)]
        for target in TARGETS:
            counterpart = next((code for code in alike if script[code] == target), None)
            if counterpart is not None:
                by_target[target] |= {code: counterpart for code in alike if script[code] != target}
    for code in np.flatnonzero(script[:LETTERS_END] & ~np.uint16(OTHER)).tolist():
        base, *marks = list(unicodedata.normalize("NFD", chr(code)))
        for target in TARGETS if marks else ():
            if ord(base) in by_target[target]:
                spelling = chr(by_target[target][ord(base)]) + "".join(marks)
                composed = unicodedata.normalize("NFC", spelling)
                if len(composed) == 1:
                    by_target[target][code] = ord(composed)
    return by_target


def _styled() -> Iterator[tuple[int, int]]:
    """Letters that are another letter in some style, and that letter."""
    for code in decomposable():
        if code < LETTERS_END and unicodedata.decomposition(chr(code)).startswith(_STYLES):
            base = unicodedata.normalize("NFKC", chr(code))
            if len(base) == 1 and base.isalpha():
                yield code, ord(base)


def _table(pairs: Mapping[int, int]) -> UInt32Array:
    table = np.arange(LETTERS_END, dtype=np.uint32)
    table[list(pairs)] = list(pairs.values())
    return table


WORD_BIT = WORD.bit_length() - 1
LATIN_NEEDED = (LATIN << NO_ROUGH_LOOKALIKE).bit_length() - 1
KEYS = 1 << 12  # of words: their facts up to `PLAIN`
BOTH_STYLES = STYLED | PLAIN
ALL_TARGETS = LATIN | CYRILLIC | GREEK
ALL_FACTS, NEEDED = range(2)  # columns of a text
DISGUISES = OTHER | CYRILLIC | GREEK | STYLED | ODD | INVISIBLE  # what no plain Latin text has
START, END, FACTS, BEFORE, AFTER = range(5)  # columns of a word that may not be what it seems


class Rules(NamedTuple):
    """The scripts that follow from the facts of a word, by `key`.

    Attributes:
        sure: uint8, the script it must be in, or 0.
        possible: uint8, the scripts it may be in; 0 for a word that is what it seems.
    """

    sure: UInt8Array
    possible: UInt8Array


class AmbiguousWords(NamedTuple):
    """Words of several texts that may not be what they seem.

    Attributes:
        words: int64 (n, 5), in reading order: start, end, facts, and the scripts of the nearest
            words before and after whose script is sure, 0 where there is none.
        facts: int64, by text: those of all its characters.
        needed: int64, by text: the scripts that some word of it needs.
    """

    words: Int64Array
    facts: Int64Array
    needed: Int64Array


def lenient_scripts(facts: Any, needed: Any) -> Any:
    """The scripts whose letters may be meant for those that they resemble."""
    return (facts & ~needed & CYRILLIC) * (facts & LATIN)


class Survey(NamedTuple):
    """Properties of several texts, by text.

    Attributes:
        facts: int64, those of its characters beyond ASCII, and some of the others.
        hyphens: Whether a line ends in a hyphen.
        changes: Whether NFKC may change it.
    """

    facts: Int64Array
    hyphens: BoolArray
    changes: BoolArray


LOOK = np.uint64(256)  # characters that are tested together for plain ASCII
DELETE = 0x7F  # the only one of ASCII that is not seen
_OF_ASCII = np.zeros(ASCII_END, dtype=np.uint16), np.zeros(ASCII_END, dtype=np.uint8)


def survey(codes: UInt32Array, bounds: Int64Array, *, is_ascii: bool) -> Survey:
    """Surveys texts; text i is `codes[bounds[i]:bounds[i + 1]]`. Of ASCII alone, no facts."""
    tables = _OF_ASCII if is_ascii else (letters().facts, forms().role)
    return Survey(*_survey(codes, bounds, *tables))


@njit(nogil=True, cache=True)
def _survey(codes: Any, bounds: Any, facts: Any, roles: Any) -> Any:
    """Reads the tables only for blocks with a character that is not plain ASCII."""
    text_facts = np.zeros(len(bounds) - 1, dtype=np.int64)
    hyphens, changes = np.zeros((2, len(bounds) - 1), dtype=np.bool_)
    for text in range(len(text_facts)):
        first, last = np.uint64(bounds[text]), np.uint64(bounds[text + 1])
        everything, role, ends, start = np.uint32(0), np.uint8(0), False, first
        is_ascii = True
        while start < last:
            end, highest = min(start + LOOK, last), np.uint32(0)
            for offset in range(start, end):
                highest = max(highest, codes[offset])
            is_ascii &= bool(highest < ASCII_END)
            for offset in range(start, end if highest >= DELETE else start):
                everything |= np.uint32(facts[codes[offset]])
                role |= roles[codes[offset]]
            for offset in range(max(start, first + np.uint64(1)), end):
                before = codes[offset - np.uint64(1)]
                is_hyphen = (before == 0x2D) | (before == 0xAD) | (before == 0x2010)
                ends |= (codes[offset] == 0x0A) & is_hyphen
            start = end
        text_facts[text] = 0 if is_ascii else everything
        hyphens[text], changes[text] = ends, role != 0
    return text_facts, hyphens, changes


def find_words_in(codes: UInt32Array, lenient: int = 0) -> AmbiguousWords:
    """The words of one text, as `find_words` finds them."""
    return find_words(codes, np.array([0, len(codes)], dtype=np.int64), lenient)


def find_words(codes: UInt32Array, bounds: Int64Array, lenient: int = 0) -> AmbiguousWords:
    """The words of several texts that may not be what they seem.

    Args:
        codes: Code points, one text after the other.
        bounds: Text i is `codes[bounds[i]:bounds[i + 1]]`.
        lenient: Scripts whose letters may be meant for those that they resemble.
    """
    # Between two words of a text there is a character, between two texts none.
    rows = np.empty((len(codes) // 2 + len(bounds), 5), dtype=np.int64)
    of_texts = np.zeros((len(bounds) - 1, 2), dtype=np.int64)
    count = _find_words(codes, bounds, letters().facts, _rules(lenient), rows, of_texts)
    rows = rows[:count]
    script, before, after = rows[:, FACTS] & SCRIPTS, rows[:, BEFORE], rows[:, AFTER]
    is_styled = rows[:, FACTS] & BOTH_STYLES == BOTH_STYLES
    is_alike = ((script == before) | (script == after)) & (
        (before == after) | (before * after == 0)
    )
    return AmbiguousWords(rows[is_styled | ~is_alike], *of_texts.T)


@cache
def _rules(lenient: int) -> Rules:
    """The rules where letters of these scripts may be meant for those that they resemble."""
    keys = np.arange(KEYS, dtype=np.uint16)
    scripts = keys & SCRIPTS
    alone = (scripts & (scripts - 1)) == 0
    rough = ~(keys >> NO_ROUGH_LOOKALIKE) & ALL_TARGETS
    exact = ~(keys >> NO_LOOKALIKE) & ALL_TARGETS
    is_exact = (scripts & lenient == 0) & (alone | (exact > 0))
    may_be = np.where(is_exact, exact, rough) | np.where(alone, scripts, 0)
    meant = may_be & (ALL_TARGETS ^ lenient)
    may_be = np.where(~alone & (meant > 0), meant, may_be)
    may_be[scripts == 0] = 0
    is_single = (may_be & (may_be - 1)) == 0
    sure = np.where(is_single, may_be, 0)
    styled = keys & BOTH_STYLES == BOTH_STYLES
    is_plain = alone & is_single & ~styled
    return Rules(sure.astype(np.uint8), np.where(is_plain, 0, may_be).astype(np.uint8))


@njit(nogil=True, cache=True)
def _find_words(codes: Any, bounds: Any, facts: Any, rules: Any, rows: Any, of_texts: Any) -> Any:
    sure, possible = rules
    count = 0
    for text in range(len(bounds) - 1):
        first, last = bounds[text], bounds[text + 1]
        before, waiting = np.int64(0), count  # rows from there on do not know what is after them
        word = everything = needed = np.int64(0)
        for offset in range(first, last + 1):
            fact = np.int64(facts[codes[offset]]) if offset < last else np.int64(0)
            everything |= fact
            inside = -(fact >> WORD_BIT)  # all bits, or none
            ended = word & ~inside
            word = (word | fact) & inside
            key = ended & (KEYS - 1)
            if possible[key]:
                start = offset
                while start > first and facts[codes[start - 1]] & WORD:
                    start -= 1
                rows[count, START], rows[count, END] = start, offset
                rows[count, FACTS], rows[count, BEFORE], rows[count, AFTER] = key, before, 0
                count += 1
            script = np.int64(sure[key])
            needed |= script * ((ended >> LATIN_NEEDED) & 1)
            if script:
                before = script
                for row in range(waiting, count):
                    rows[row, AFTER] = script
                waiting = count
        of_texts[text, ALL_FACTS], of_texts[text, NEEDED] = everything, needed
    return count


def scripts_of(words: Int64Array, lenient: int = 0) -> Int64Array:
    """The script in which each of these words is, 0 where that cannot be said."""
    _, _, facts, before, after = words.T
    possible = _rules(lenient).possible[facts].astype(np.int64)
    low, high = np.minimum(before, after), np.maximum(before, after)
    around = np.where((possible & high > 0) | (low == 0), high, low)
    first = possible & -possible  # Latin, mostly
    elsewhere = np.where((around > 0) | (first == possible), first, 0)
    return np.asarray(np.where(possible & around > 0, around, elsewhere))
