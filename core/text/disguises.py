"""Texts as a reader sees them: look-alike letters and invisible characters hide nothing.

A letter of another script counts as the one it looks like only within a word where that must be
meant. The letters of a word decide in which scripts it can be:

1. A word with letters of several scripts is in the one script in which all of them are, or have a
   look-alike; if there is none, letters that only resemble another one count, too.
2. A word that may be in several scripts ("сор" of look-alikes, "HTTP", but not "shell": for a whole
   word only letters count that many languages have) is in that of the words around it: of the
   nearest before it and after it whose script is sure. If these are of two scripts, it is not in
   Latin; if it cannot be in theirs, it is. Its own letters do not decide, so that "HTTP" in a
   Russian text is the same word, with Latin letters or with Cyrillic ones.
3. If no word of a text needs Cyrillic, Cyrillic letters may be meant for those that they resemble
   even in words that have no other letters. (Greek ones not: they are the symbols of mathematics.)

All else stays: Russian, Greek, a text in two languages, "μm". Invisible characters become `FILLER`,
or a space if they have a width, unless the script beside them uses them. A text keeps its length,
so that every offset stays.

The loop over characters notes words that may be in another script than they seem, and the nearest
words around them whose script is sure. Where words end is as good as random to a processor, so
nothing branches on it: at every character the facts of a word are looked up, which are 0 inside it.

Letters that look like a letter of another script, and invisible characters.

A letter is a look-alike of a Latin one where `confusables.txt` of UTS #39 (Unicode Security
Mechanisms; Unicode Character Database, © Unicode, Inc., Unicode License v3) has both under one
prototype: the table below was chosen from that file as it was in January 2024, version 15.1. Left
out are letters of Latin itself, variants of Greek letters, and scripts that few can type (like
Miao, Osage, Warang Citi). Three things differ from the file: capitals like I, which it has under l,
are under I; ӏ is under l and not under i; Ԛ was added. Letters that only resemble one (Cyrillic т,
small capitals of many type faces) were added by hand, for Latin only; they count less. Look-alikes
between Cyrillic and Greek follow from the Latin letter that both look like, and letters with marks
from the letters without. Cyrillic letters that few languages have count as letters that only
resemble a Latin one: "shell" is no Cyrillic word, whatever is around it.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from threading import Lock
from typing import Any, NamedTuple

import numpy as np

from core.base.arrays import (
    AnyArray,
    BoolArray,
    Int64Array,
    UInt8Array,
    UInt16Array,
    UInt32Array,
    indices_from,
)
from core.base.compiling import njit
from core.settings import ScanSettings
from core.text.characters import (
    ASCII_END,
    ASSIGNED_END,
    CODE_POINTS,
    FILLER,
    IGNORED,
    LETTER,
    MARK,
    PIECE,
    PLANE_14,
    POINTS,
    Normalised,
    alphabet,
    categories,
    category_number,
    characters,
    code_points,
    decomposable,
    forms,
    is_long,
    joined_codes,
    kept_tables,
    pieces,
)
from core.text.word_counts import weight_table

LATIN, CYRILLIC, GREEK, OTHER = 1, 2, 4, 8  # the script of a letter; of several in a word
SCRIPTS = LATIN | CYRILLIC | GREEK | OTHER
TARGETS = (LATIN, CYRILLIC, GREEK)  # what a letter can be taken for
NO_LOOKALIKE = 4  # shift of the bits of the scripts in which a letter has no look-alike
NO_ROUGH_LOOKALIKE = 7  # shift of those in which nothing even resembles it
STYLED = 1 << 10  # a letter that is another one in a style: fullwidth, bold of mathematics
PLAIN = 1 << 11  # any other letter
ODD = 1 << 12  # does not count as it is written
INVISIBLE = 1 << 13  # is not seen and has no width
UNSPACED = 1 << 14  # a unit of it may have another weight than the usual
WORD = 1 << 15  # belongs to a word, whether it is a letter or not
LETTERS_END = 0x20000  # ideographs follow

# What each Latin letter can be mistaken for; of several in a script, the first is used for it.
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
            look-alike: so the facts of a word are those of its characters joined with "or".
        looks_like: uint32 (`LETTERS_END`), by target: the letter there, or the character itself.
    """

    facts: UInt16Array
    looks_like: Mapping[int, UInt32Array]


_building = Lock()


def letters() -> Letters:
    """The properties of characters; built when first needed, by one thread."""
    with _building:
        return _letters()


@cache
def _letters() -> Letters:
    facts, *moved = kept_tables("letters", _make_letters)
    codes = np.arange(LETTERS_END, dtype=np.uint32)
    return Letters(facts, {target: codes + by for target, by in zip(TARGETS, moved, strict=True)})


def _make_letters() -> list[AnyArray]:
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
    facts = np.zeros(CODE_POINTS, dtype=np.uint16)
    assigned = facts[:ASSIGNED_END]
    assigned |= script
    assigned[(script & SCRIPTS > 0) & (script & STYLED == 0)] |= PLAIN
    for target in TARGETS:
        alien = (script & SCRIPTS > 0) & (script & target == 0)
        alien[list(exact[target])] = False
        assigned[alien] |= target << NO_LOOKALIKE
        alien[list(rough[target])] = False
        assigned[alien] |= target << NO_ROUGH_LOOKALIKE
    assigned[script > 0] |= WORD
    of_kind = np.zeros(256, dtype=np.uint16)
    of_kind[[LETTER, MARK, IGNORED]] = WORD, WORD, WORD | INVISIBLE
    for part in (slice(ASSIGNED_END), PLANE_14):  # all other code points are nothing
        facts[part] |= of_kind[kind[part]]
    facts[[ord(character) for character in POINTS]] = WORD  # ignored, but seen
    facts[[ord(character) for character in UNSEEN]] = INVISIBLE | ODD | WORD
    facts[[ord(character) for character in BLANK]] = ODD
    facts[weight_table("word") > 0] |= UNSPACED
    return [facts, *(_moved({**rough[target], **exact[target]}) for target in TARGETS)]


def _scripts(codes: Int64Array) -> UInt16Array:
    """The script of each letter among these, by assigned code point; 0 of all others.

    Modifier letters have no script: many languages use the same (ʼ).
    """
    script = np.zeros(ASSIGNED_END, dtype=np.uint16)
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
    """Letters that are another letter in a style, each with that letter."""
    for code in decomposable():
        if code < LETTERS_END and unicodedata.decomposition(chr(code)).startswith(_STYLES):
            base = unicodedata.normalize("NFKC", chr(code))
            if len(base) == 1 and base.isalpha():
                yield code, ord(base)


def _moved(pairs: Mapping[int, int]) -> UInt32Array:
    """How far each letter is from the one that it is taken for, in sums that begin again at 0."""
    moved = np.zeros(LETTERS_END, dtype=np.int64)
    moved[list(pairs)] = np.array(list(pairs.values())) - list(pairs)
    return moved.astype(np.uint32)


WORD_BIT = WORD.bit_length() - 1
LATIN_NEEDED = (LATIN << NO_ROUGH_LOOKALIKE).bit_length() - 1
KEYS = 1 << 12  # keys of words: their facts up to `PLAIN`
BOTH_STYLES = STYLED | PLAIN
ALL_TARGETS = LATIN | CYRILLIC | GREEK
WHOLE, NEEDED = range(2)  # columns of a text
DISGUISES = OTHER | CYRILLIC | GREEK | STYLED | ODD | INVISIBLE  # what no plain Latin text has
START, END, FACTS, BEFORE, AFTER = range(5)  # columns of a word that may not be what it seems


class Rules(NamedTuple):
    """The scripts of a word by its facts, up to `PLAIN`.

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
    """

    words: Int64Array
    whole: Int64Array
    needed: Int64Array


def lenient_scripts(whole: Any, needed: Any) -> Any:
    """The scripts whose letters may be meant for those that they resemble."""
    return (whole & ~needed & CYRILLIC) * (whole & LATIN)


LOOK = np.uint64(256)  # characters that are tested together for being plain ASCII
DELETE = 0x7F  # the only invisible character of ASCII
_OF_ASCII = np.zeros(ASCII_END, dtype=np.uint16), np.zeros(ASCII_END, dtype=np.uint8)


def survey(
    codes: UInt32Array, bounds: Int64Array, *, is_ascii: bool
) -> tuple[Int64Array, BoolArray, BoolArray]:
    """The facts of texts; text i is `codes[bounds[i]:bounds[i + 1]]`.

    Returns:
        By text: int64, the facts of its characters beyond ASCII and of some of the others; bool,
        whether a line ends in a hyphen; bool, whether NFKC may change it. Texts of ASCII alone have
        no facts.
    """
    tables = _OF_ASCII if is_ascii else (letters().facts, forms().role)
    whole, hyphens, changes = _survey(codes, bounds, *tables)
    return whole, hyphens, changes


@njit(nogil=True, cache=True)
def _survey(codes: Any, bounds: Any, facts: Any, roles: Any) -> Any:
    """Reads the tables only for blocks with a character that is not plain ASCII."""
    whole = np.zeros(len(bounds) - 1, dtype=np.int64)
    hyphens, changes = np.zeros((2, len(bounds) - 1), dtype=np.bool_)
    for text in range(len(whole)):
        first, last = np.uint64(bounds[text]), np.uint64(bounds[text + 1])
        everything, role, ends, start = np.uint32(0), np.uint8(0), False, first
        is_ascii = True
        while start < last:
            end, highest = min(start + LOOK, last), np.uint32(0)
            for index in range(start, end):
                highest = max(highest, codes[index])
            is_ascii &= bool(highest < ASCII_END)
            for index in range(start, end if highest >= DELETE else start):
                everything |= np.uint32(facts[codes[index]])
                role |= roles[codes[index]]
            for index in range(max(start, first + np.uint64(1)), end):
                before = codes[index - np.uint64(1)]
                is_hyphen = (before == 0x2D) | (before == 0xAD) | (before == 0x2010)
                ends |= (codes[index] == 0x0A) & is_hyphen
            start = end
        whole[text] = 0 if is_ascii else everything
        hyphens[text], changes[text] = ends, role != 0
    return whole, hyphens, changes


def find_words_in(codes: UInt32Array, lenient: int = 0) -> FoundWords:
    """The words of one text that may not be what they seem."""
    return find_words(codes, np.array([0, len(codes)], dtype=np.int64), lenient)


def find_words(codes: UInt32Array, bounds: Int64Array, lenient: int = 0) -> FoundWords:
    """The words of several texts that may not be what they seem.

    Args:
        codes: Code points, one text after the other.
        bounds: Text i is `codes[bounds[i]:bounds[i + 1]]`.
        lenient: Scripts whose letters may be meant for those that they resemble.
    """
    # Between two words of a text there is a character, between two texts there is none.
    rows = np.empty((len(codes) // 2 + len(bounds), 5), dtype=np.int64)
    of_texts = np.zeros((len(bounds) - 1, 2), dtype=np.int64)
    count = _find_words(codes, bounds, letters().facts, _rules(lenient), rows, of_texts)
    rows = rows[:count]
    script, before, after = rows[:, FACTS] & SCRIPTS, rows[:, BEFORE], rows[:, AFTER]
    is_styled = rows[:, FACTS] & BOTH_STYLES == BOTH_STYLES
    is_alike = ((script == before) | (script == after)) & (
        (before == after) | (before * after == 0)
    )
    return FoundWords(rows[is_styled | ~is_alike], *of_texts.T)


@cache
def _rules(lenient: int) -> Rules:
    """The rules if letters of these scripts may be meant for those that they resemble."""
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
        before, waiting = np.int64(0), count  # rows from this on still wait for `AFTER`
        word = everything = needed = np.int64(0)
        for index in range(first, last + 1):
            fact = np.int64(facts[codes[index]]) if index < last else np.int64(0)
            everything |= fact
            inside = -(fact >> WORD_BIT)  # all bits, or none
            ended = word & ~inside
            word = (word | fact) & inside
            key = ended & (KEYS - 1)
            if possible[key]:
                start = index
                while start > first and facts[codes[start - 1]] & WORD:
                    start -= 1
                rows[count, START], rows[count, END] = start, index
                rows[count, FACTS], rows[count, BEFORE], rows[count, AFTER] = key, before, 0
                count += 1
            script = np.int64(sure[key])
            needed |= script * ((ended >> LATIN_NEEDED) & 1)
            if script:
                before = script
                for row in range(waiting, count):
                    rows[row, AFTER] = script
                waiting = count
        of_texts[text, WHOLE], of_texts[text, NEEDED] = everything, needed
    return count


def scripts_of(words: Int64Array, lenient: int = 0) -> Int64Array:
    """The script of each of these words, 0 where it is not known."""
    _, _, facts, before, after = words.T
    possible = _rules(lenient).possible[facts].astype(np.int64)
    low, high = np.minimum(before, after), np.maximum(before, after)
    around = np.where((possible & high > 0) | (low == 0), high, low)
    first = possible & -possible  # Latin, mostly
    elsewhere = np.where((around > 0) | (first == possible), first, 0)
    return np.asarray(np.where(possible & around > 0, around, elsewhere))


USUAL = ScanSettings()
# Invisible characters, and the code points beside which they have a use.
_JAMO = ((0x1100, 0x115E), (0x1161, 0x11FF), (0xA960, 0xA97C), (0xD7B0, 0xD7FB))
# Scripts without spaces between words whose letters are no words: Balinese, Javanese, Cham.
_UNSPACED = ((0x1A00, 0x1A1F), (0x1B00, 0x1BFF), (0xA980, 0xA9DF), (0xAA00, 0xAA5F))
_NATIVE = {
    "\u115f": _JAMO,
    "\u1160": _JAMO,
    "\u200b": _UNSPACED,
    **dict.fromkeys("\u17b4\u17b5", ((0x1780, 0x17FF),)),
    **dict.fromkeys("\u180b\u180c\u180d\u180f", ((0x1800, 0x18AF),)),
}


class Seen(NamedTuple):
    """A piece of a text, as it is written and as a reader sees it.

    Attributes:
        start: Where it begins in the text.
        written: uint32, its code points.
        read: uint32, as many: the characters that count instead.
        facts: uint16, of each (see `Letters`).
        words: int64 (n, 4), the words in it that are read in another script, or have letters of
            several styles: start, end, facts, and the script in which they are read.
        needed: The scripts that some word of the whole text needs.
    """

    start: int
    written: UInt32Array
    read: UInt32Array
    facts: UInt16Array
    words: Int64Array
    needed: int


class VisibleTexts(NamedTuple):
    """Texts as a reader sees them, each as long as it was.

    Attributes:
        texts: The texts that count.
        unseen: Indexes of texts that may have invisible characters.
        broken: Indexes of texts that may have lines that end in a hyphen, and of all long ones.
        mixed: Indexes of texts with letters of another script within words, or odd characters.
        normal: The code points of the texts as they were given; None where NFKC may change some, or
            one of them is long.
    """

    texts: list[str]
    unseen: set[int]
    broken: set[int]
    mixed: set[int]
    normal: Normalised | None


_noticed: ContextVar[set[str] | None] = ContextVar("noticed", default=None)


@contextmanager
def noticing() -> Iterator[set[str]]:
    """The texts that `as_seen` reads within it, in this thread, and that may be disguised.

    So signing texts shows, at no cost, which of them are worth another look.
    """
    noticed: set[str] = set()
    before = _noticed.set(noticed)
    try:
        yield noticed
    finally:
        _noticed.reset(before)


def as_seen(texts: Sequence[str]) -> VisibleTexts:
    """The texts as a reader sees them, each of the same length."""
    is_long_text = np.fromiter(map(len, texts), np.int64, len(texts)) > PIECE
    long, short = np.flatnonzero(is_long_text), np.flatnonzero(~is_long_text)
    together = [texts[index] for index in short.tolist()] if len(long) else texts
    codes, bounds = joined_codes(together)
    facts, hyphens, changes = survey(codes, bounds, is_ascii=all(map(str.isascii, together)))
    normal = None
    if not (len(long) or changes.any()):
        normal = Normalised(codes, bounds, None, is_spaced=not (facts & UNSPACED).any())
    broken = {*long.tolist(), *short[hyphens].tolist()}
    result = VisibleTexts(list(texts), set(), broken, set(), normal)
    alone = [index for index in long.tolist() if not texts[index].isascii()]
    disguised = short[facts & DISGUISES > 0]
    if len(disguised):
        alone += _see_together(result, disguised)
    for index in alone:
        _see_alone(result, index)
    noticed = _noticed.get()
    if noticed is not None:
        noticed.update(texts[index] for index in result.unseen | result.mixed)
    return result


def _see_alone(result: VisibleTexts, index: int) -> None:
    """Read a text piece by piece as a reader sees it, and replace it by that."""
    text, facts, is_mixed = result.texts[index], 0, False
    read, end = [], 0
    for part in seen(text):
        facts |= int(np.bitwise_or.reduce(part.facts))
        is_mixed |= len(part.words) > 0
        if part.read is not part.written:
            read += [text[end : part.start], characters(part.read)]
            end = part.start + len(part.written)
    if read:
        result.texts[index] = "".join([*read, text[end:]])
    if facts & INVISIBLE:
        result.unseen.add(index)
    if read or is_mixed or facts & ODD:
        result.mixed.add(index)


def _see_together(result: VisibleTexts, indices: Int64Array) -> list[int]:
    """As `_see_alone`, for several texts; returns those that must be read alone."""
    codes, bounds = joined_codes([result.texts[index] for index in indices.tolist()])
    words = find_words(codes, bounds)
    result.unseen.update(indices[words.whole & INVISIBLE > 0].tolist())
    is_alone = (words.whole & ODD > 0) | (lenient_scripts(words.whole, words.needed) > 0)
    script = scripts_of(words.words)
    read = _read(codes, words.words, script)
    if read is not codes:
        scripts = words.words[:, FACTS] & SCRIPTS
        text_of = np.searchsorted(bounds, words.words[:, START], side="right") - 1
        for text in set(text_of[(script > 0) & (script != scripts)].tolist()):
            result.texts[indices[text]] = characters(read[bounds[text] : bounds[text + 1]])
        # A whole word in Latin letters is usual in any script.
        result.mixed.update(indices[text_of[(script > 0) & (scripts != LATIN)]].tolist())
    return [int(index) for index in indices[is_alone]]


def seen(text: str) -> Iterator[Seen]:
    """A text as a reader sees it, piece by piece."""
    parts = list(pieces(text, USUAL)) if is_long(text) else [slice(0, len(text))]
    whole = needed = 0
    for part in parts:
        words = find_words_in(code_points(text[part]))
        whole |= int(words.whole[0])
        needed |= int(words.needed[0])
    lenient = lenient_scripts(whole, needed)
    for part in parts:
        codes = code_points(text[part])
        if lenient or len(parts) > 1:
            words = find_words_in(codes, lenient)
        yield _seen(codes, part.start, words.words, lenient)._replace(needed=needed)


def _seen(codes: UInt32Array, start: int, words: Int64Array, lenient: int) -> Seen:
    """One piece; `words` as `find_words_in` returns them."""
    script = scripts_of(words, lenient)
    read = _read(codes, words, script)
    facts = letters().facts[codes]
    if np.bitwise_or.reduce(facts) & ODD:
        read = _without_odd(codes, read, facts)
    is_disguised = (script != words[:, FACTS] & SCRIPTS) | (
        words[:, FACTS] & BOTH_STYLES == BOTH_STYLES
    )
    columns = np.stack([words[:, START], words[:, END], words[:, FACTS], script], axis=1)
    return Seen(start, codes, read, facts, columns[is_disguised & (script > 0)], 0)


def _read(codes: UInt32Array, words: Int64Array, script: Int64Array) -> UInt32Array:
    """The letters that count when each of these words is in its script; `codes` if all do."""
    read = codes
    for target in TARGETS:
        chosen = words[(script == target) & (words[:, FACTS] & SCRIPTS != target)]
        if len(chosen):
            offsets = indices_from(chosen[:, START], chosen[:, END] - chosen[:, START])
            offsets = offsets[codes[offsets] < LETTERS_END]
            read = read.copy() if read is codes else read
            read[offsets] = letters().looks_like[target][codes[offsets]]
    return read


def _without_odd(codes: UInt32Array, read: UInt32Array, facts: UInt16Array) -> UInt32Array:
    """The characters of `read`, with odd ones replaced."""
    odd = np.flatnonzero(facts & ODD)
    visible = np.flatnonzero(facts & INVISIBLE == 0)
    padded = np.concatenate([[ord(" ")], codes[visible], [ord(" ")]])
    left = padded[np.searchsorted(visible, odd)]
    right = padded[np.searchsorted(visible, odd, side="right") + 1]
    read = read.copy() if read is codes else read
    for character in {*UNSEEN, *BLANK}:
        here = codes[odd] == ord(character)
        if here.any():
            for first, last in _NATIVE.get(character, ()):
                here &= ~((first <= left) & (left <= last)) & ~((first <= right) & (right <= last))
            read[odd[here]] = ord(" " if character in BLANK else FILLER)
    return read
