"""Characters: code points, case and the classes that decide where words end.

Normalised texts are read code point by code point through two tables, one for simple (1:1) case
folding and one for the class of the character, so that every normalised character keeps its offset
in the text that is shown.

Unicode normalization data as tables by code point, from that of the running Python.

They are built when first needed, and kept beside the kernels.

Compatibility normalisation (NFKC) of code points in compiled loops, with the way back.

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

Long texts cut in pieces whose units are those of the whole text.

A text is cut only where neither a word nor a cluster of characters that are normalised together
goes on: for shingles of words before white space or a letter that is a word by itself, for shingles
of characters between two that count and that stand for themselves. Most texts are one piece.
"""

from __future__ import annotations

import marshal
import sys
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Any, Literal, NamedTuple

import numpy as np

from core.base.arrays import (
    AnyArray,
    BoolArray,
    Int32Array,
    Int64Array,
    UInt8Array,
    UInt16Array,
    UInt32Array,
    starts_of_runs,
)
from core.base.compiling import ENDING, KERNEL_FILES, load, njit, save, source_digest
from core.base.sorting import order_of
from core.settings import ScanSettings
from core.text.word_counts import FIRST_UNSPACED, UNITS_A_WORD

# Classes as the kernels see them, after the settings have been applied.
SPACE = 0  # separates words: white space, and whatever the settings drop
LETTER = 1  # part of a word
ALONE = 2  # a word of its own: an ideograph, a raised figure, a punctuation mark that counts
MARK = 3  # a combining mark: continues the word before it
IGNORED = 4  # neither counts nor separates: soft hyphen, joiners, direction marks, vowel points

# Classes that the settings turn into one of those above.
_DIGIT = 5
_PUNCTUATION = 6
_KINDS = {
    **dict.fromkeys(("Lu", "Ll", "Lt", "Lm", "Lo"), LETTER),
    **dict.fromkeys(("Nd", "Nl", "No"), _DIGIT),
    **dict.fromkeys(("Mn", "Mc", "Me"), MARK),
    **dict.fromkeys(("Zs", "Zl", "Zp"), SPACE),
    "Cf": IGNORED,
}

KIND_BITS = np.uint32(24)  # of a class, above the folded character
FOLDED = np.uint32((1 << 24) - 1)

CODE_POINTS = sys.maxunicode + 1
DELETE = 0x7F  # the only character of ASCII that neither counts nor separates
ASCII_END = 0x80
ASSIGNED_END = 0x32400  # beyond lie private use and the variation selectors of plane 14
VARIATION_SELECTORS = slice(0xFE00, 0xFE10)
PLANE_14 = slice(0xE0000, 0xE1000)  # default ignorable, as far as they are assigned or not

# Scripts written without spaces between words: each letter counts as a word.
NO_SPACES = tuple(sorted(block for blocks in UNITS_A_WORD.values() for block in blocks))
# What Arabic and Hebrew mostly leave out: the same word is written with and without. Tatweel makes
# it longer; of the signs of vowels, those that stand for letters in some language count.
TATWEEL = "\u0640"
ARABIC_POINTS = "\u064b\u064c\u064d\u064e\u064f\u0650\u0651\u0652\u0670"
HEBREW_POINTS = "".join(map(chr, range(0x591, 0x5BE))) + "\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7"
POINTS = f"{TATWEEL}{ARABIC_POINTS}{HEBREW_POINTS}"
EXCEPTIONS = {
    POINTS: IGNORED,
    "_": LETTER,
    "〇〡〢〣〤〥〦〧〨〩": LETTER,  # numbers to Unicode, but read and written like ideographs
    "\t\n\v\f\r\x1c\x1d\x1e\x1f\x85": SPACE,  # white space among the control characters
    "\u200b": SPACE,  # the zero width space
    "\x7f": IGNORED,  # see `FILLER`
}
SUPERSCRIPT_CODES = [ord(character) for character in "⁰¹²³⁴⁵⁶⁷⁸⁹"]
FILLER = "\x7f"  # a control character: stands where something does not count
CHUNK = 1 << 20  # code points treated in one call, so that no call holds the interpreter long


class Alphabet(NamedTuple):
    """The class of each code point, and with it the folded character as one table of a kernel.

    `is_usual` says whether of ASCII letters, digits and underscores make words, and case counts
    nothing: a kernel knows that without the table.
    """

    kind: UInt8Array
    both: UInt32Array
    is_usual: bool


_building = Lock()


def alphabet(settings: ScanSettings) -> Alphabet:
    """The tables for these settings; computed once, by one thread, and shared."""
    with _building:
        return _alphabet(
            ignore_case=settings.ignore_case,
            keep_punctuation=bool(settings.keep_punctuation),
            keep_digits=settings.keep_digits,
        )


@cache
def _alphabet(*, ignore_case: bool, keep_punctuation: bool, keep_digits: bool) -> Alphabet:
    _, assigned, moved = _unicode_tables()
    classes = np.arange(_PUNCTUATION + 1, dtype=np.uint8)
    classes[_DIGIT] = LETTER if keep_digits else SPACE
    classes[_PUNCTUATION] = ALONE if keep_punctuation else SPACE
    kind = np.full(CODE_POINTS, classes[_PUNCTUATION])
    kind[:ASSIGNED_END] = classes[assigned]
    kind[PLANE_14] = IGNORED
    kind[SUPERSCRIPT_CODES] = ALONE if keep_digits else SPACE
    both = np.arange(CODE_POINTS, dtype=np.uint32)
    if ignore_case:
        both[:ASSIGNED_END] += moved
    # A footnote's mark is no part of the word before it, nor is an exponent of its number.
    both[SUPERSCRIPT_CODES] = range(ord("0"), ord("0") + len(SUPERSCRIPT_CODES))
    letters = [chr(code).isalnum() or chr(code) == "_" for code in range(DELETE)]
    lower_case = [ord(chr(code).lower()) for code in np.flatnonzero(letters)]
    is_usual = np.array_equal(kind[:DELETE], np.where(letters, LETTER, SPACE))
    is_usual = is_usual and np.array_equal(both[:DELETE][letters], lower_case)
    both |= np.left_shift(kind, KIND_BITS, dtype=np.uint32)
    return Alphabet(kind, both, is_usual)


_COUNT = np.uint32
_FORMAT = 2  # of `marshal`, without references: the same arrays are the same bytes
_HERE = Path(__file__).parent
_BASE = _HERE.with_name("base")
_MAKERS = (_HERE.with_name("settings.py"), _BASE / "arrays.py", _BASE / "hashing.py")
_SOURCES = [source_digest(str(path)) for path in (*sorted(_HERE.glob("*.py")), *_MAKERS)]


def kept_tables(name: str, make: Callable[[], Iterable[AnyArray]]) -> list[Any]:
    """Tables that the modules of this folder make of the Unicode data of the running Python.

    They take longer to make than to read, and are kept beside the kernels.

    Args:
        name: Of the file.
        make: Makes them, where no intact file has what these sources make.
    """
    file = f"{name}-{sys.implementation.cache_tag}{ENDING}"
    key = " ".join([*_SOURCES, unicodedata.unidata_version]).encode()
    kept = load(KERNEL_FILES, file, key)
    if kept is None:
        kept = marshal.dumps([_packed(array) for array in make()], _FORMAT)
        save(KERNEL_FILES, file, key, kept)
    return [_unpacked(*packed) for packed in marshal.loads(kept)]  # noqa: S302 - checked


def _packed(array: AnyArray) -> tuple[Any, ...]:
    """What an array is made of again: numbers and how often each comes, to the last but 0."""
    numbers = np.trim_zeros(array.ravel(), "b")
    starts = starts_of_runs(numbers)
    counts = np.diff(starts, append=len(numbers)).astype(_COUNT)
    return array.shape, array.dtype.str, numbers[starts].tobytes(), counts.tobytes()


def _unpacked(shape: tuple[int, ...], dtype: str, numbers: bytes, counts: bytes) -> AnyArray:
    array = np.zeros(shape, dtype=dtype)
    filled = np.repeat(np.frombuffer(numbers, dtype=dtype), np.frombuffer(counts, dtype=_COUNT))
    array.reshape(-1)[: len(filled)] = filled
    return array


@cache
def _unicode_tables() -> list[Any]:
    """Of every assigned code point its category, its class, and how far simple folding moves it."""
    return kept_tables("classes", _make_unicode_tables)


def _make_unicode_tables() -> tuple[UInt16Array, UInt8Array, UInt32Array]:
    moved = np.zeros(ASSIGNED_END, dtype=np.uint32)  # of sums that begin again at 0
    for character in _assigned():
        if character.casefold() != character:
            moved[ord(character)] = (_fold(character) - ord(character)) % (1 << 32)
    names = np.frombuffer("".join(map(unicodedata.category, _assigned())).encode(), dtype="<u2")
    classes = np.full(1 << 16, _PUNCTUATION, dtype=np.uint8)
    for name, number in _KINDS.items():
        classes[category_number(name)] = number
    kind = classes[names]
    for characters, number in EXCEPTIONS.items():
        kind[[ord(character) for character in characters]] = number
    for first, last in NO_SPACES:
        letters = kind[first : last + 1]
        letters[letters == LETTER] = ALONE
    kind[VARIATION_SELECTORS] = IGNORED
    return names, kind, moved


def categories() -> UInt16Array:
    """The category of each assigned character, by code point."""
    names: UInt16Array = _unicode_tables()[0]
    return names


def category_number(name: str) -> int:
    """A category as a number: its two letters, the first one in the low byte."""
    return int.from_bytes(name.encode(), "little")


def _assigned() -> str:
    """All characters that Unicode may have assigned."""
    return characters(np.arange(ASSIGNED_END, dtype=np.uint32))


@cache
def decomposable() -> tuple[int, ...]:
    """The code points with a decomposition in the Unicode Character Database."""
    return tuple(map(ord, filter(unicodedata.decomposition, _assigned())))


def _fold(character: str) -> int:
    if character == "İ":
        return ord("i")
    for folded in (character.casefold(), character.lower()):
        if len(folded) == 1:
            return ord(folded)
    return ord(character)


def code_points(text: str) -> UInt32Array:
    """The code points of a text."""
    if not text:
        return np.empty(0, dtype=np.uint32)
    if len(text) <= CHUNK:  # several times as fast as encoding it
        return np.array([text]).view(np.uint32)
    return np.concatenate(
        [code_points(text[start : start + CHUNK]) for start in range(0, len(text), CHUNK)]
    )


def joined_codes(texts: Sequence[str]) -> tuple[UInt32Array, Int64Array]:
    """The code points of several texts, and where each begins."""
    bounds = np.zeros(len(texts) + 1, dtype=np.int64)
    np.cumsum(np.fromiter(map(len, texts), np.int64, len(texts)), out=bounds[1:])
    return code_points("".join(texts)), bounds


def are_ascii(codes: UInt32Array) -> bool:
    """Whether all of these code points are ASCII; then no table has to be made for them."""
    return bool(codes.max(initial=0) < ASCII_END)


def characters(codes: UInt32Array) -> str:
    """The text of these code points."""
    return codes.astype("<u4", copy=False).tobytes().decode("utf-32-le", "surrogatepass")


WORD_END_MARKS = "™℠"
NEUTRAL_MARK = "®"
SHARP_S = {"ß": "ss", "ẞ": "SS"}
SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹"  # in the order of their values

# What a character does when a text is normalised.
PLAIN = 0  # begins a cluster and stands for itself
CHANGES = 1  # begins a cluster and becomes something else
ORDERED = 2  # continues a cluster as it is, if the combining classes are in order
COMPOSES = 3  # continues a cluster and may be joined to what is before it, or change

LENGTH_BITS = 5  # of a spelling; the longest has 18 characters
SYLLABLE, LEADING, VOWEL, TRAILING = 0xAC00, 0x1100, 0x1161, 0x11A7  # Hangul; UAX #15, 16
LEADINGS, VOWELS, TRAILINGS = 19, 21, 28
SYLLABLES = LEADINGS * VOWELS * TRAILINGS


class Forms(NamedTuple):
    """The Unicode data that the loops read, by code point unless said otherwise.

    Attributes:
        role: uint8, one of the four above.
        rank: uint8, canonical combining class.
        apart: int32, the full decomposition: offset in `spelling` << 5 | length; 0 for itself.
        whole: int32, the normal form of the character alone, likewise.
        spelling: uint32, the characters of both, one spelling after the other.
        first: uint16, row in `pairs` of characters that compose with a later one, else 0.
        second: uint8, column in `pairs` of characters that compose with an earlier one, else 0.
        pairs: uint32 (firsts, seconds), what two characters compose to, or 0.
    """

    role: UInt8Array
    rank: UInt8Array
    apart: Int32Array
    whole: Int32Array
    spelling: UInt32Array
    first: UInt16Array
    second: UInt8Array
    pairs: UInt32Array


def forms() -> Forms:
    """The tables; built when first needed, by one thread."""
    with _building:
        return _forms()


@cache
def _forms() -> Forms:
    return Forms(*kept_tables("forms", _make_forms))


def _make_forms() -> Forms:
    codes = [*decomposable(), *map(ord, SHARP_S)]
    spelling: list[str] = [" "]  # so that no entry is 0
    decomposed, decomposed_forms = _spellings("NFKD", codes, spelling)
    composed, composed_forms = _spellings("NFKC", codes, spelling)
    rank = np.zeros(CODE_POINTS, dtype=np.uint8)
    marks = np.flatnonzero(categories() & 0xFF == ord("M"))
    rank[marks] = [unicodedata.combining(chr(mark)) for mark in marks.tolist()]
    first, second, pairs = _compositions(decomposable())
    role = np.zeros(CODE_POINTS, dtype=np.uint8)
    role[rank > 0] = ORDERED
    role[second > 0] = COMPOSES
    role[VOWEL : VOWEL + VOWELS] = COMPOSES
    role[TRAILING + 1 : TRAILING + TRAILINGS] = COMPOSES
    for code, parts, normal in zip(codes, decomposed_forms, composed_forms, strict=True):
        if role[ord(parts[0])] >= ORDERED:
            role[code] = COMPOSES
        elif normal != chr(code):
            role[code] = CHANGES
    characters = code_points("".join(spelling))
    # The syllables of Hangul, two jamo or three each, are computed: there are too many to look up.
    syllables = np.arange(SYLLABLES, dtype=np.int32)
    of_vowel, trailing = np.divmod(syllables, TRAILINGS)
    jamo = (LEADING + of_vowel // VOWELS, VOWEL + of_vowel % VOWELS, TRAILING + trailing)
    lengths = np.where(trailing > 0, 3, 2).astype(np.int32)
    starts = len(characters) + np.cumsum(lengths, dtype=np.int32) - lengths
    decomposed[SYLLABLE + syllables] = starts << LENGTH_BITS | lengths
    spelled = np.stack(jamo, axis=1)[np.arange(3) < lengths[:, None]]
    characters = np.concatenate([characters, spelled.astype(np.uint32)])
    return Forms(role, rank, decomposed, composed, characters, first, second, pairs)


def _spellings(
    form: Literal["NFKC", "NFKD"], codes: Iterable[int], spelling: list[str]
) -> tuple[Int32Array, list[str]]:
    """Table of these characters' forms, which are appended to the spelling; and the forms."""
    table = np.zeros(CODE_POINTS, dtype=np.int32)
    offset = sum(map(len, spelling))
    expansions = []
    for code in codes:
        character = NEUTRAL_MARK if chr(code) in WORD_END_MARKS else chr(code)
        character = SHARP_S.get(character, character)
        stays = character in SUPERSCRIPTS
        expansions.append(character if stays else unicodedata.normalize(form, character))
        if expansions[-1] != chr(code):
            table[code] = offset << LENGTH_BITS | len(expansions[-1])
            offset += len(expansions[-1])
            spelling.append(expansions[-1])
    return table, expansions


def _compositions(codes: Iterable[int]) -> tuple[UInt16Array, UInt8Array, UInt32Array]:
    """Rows and columns of the characters that compose, and what they compose to."""
    composed: dict[tuple[int, int], int] = {}
    for code in codes:
        parts = unicodedata.decomposition(chr(code)).split()
        if len(parts) == 2 and parts[0][0] != "<":
            before, after = (chr(int(part, 16)) for part in parts)
            if unicodedata.normalize("NFC", before + after) == chr(code):
                composed[ord(before), ord(after)] = code
    rows = {code: row for row, code in enumerate(sorted({before for before, _ in composed}), 1)}
    columns = {code: row for row, code in enumerate(sorted({after for _, after in composed}), 1)}
    first = np.zeros(CODE_POINTS, dtype=np.uint16)
    second = np.zeros(CODE_POINTS, dtype=np.uint8)
    first[list(rows)] = list(rows.values())
    second[list(columns)] = list(columns.values())
    pairs = np.zeros((len(rows) + 1, len(columns) + 1), dtype=np.uint32)
    for (row, column), code in composed.items():
        pairs[rows[row], columns[column]] = code
    return first, second, pairs


SHORT_RUN = 16  # marks in a row that are ordered by insertion


class Normalised(NamedTuple):
    """Normalised texts, one after the other, and where each of their characters comes from.

    Attributes:
        codes: uint32, code points; the array that was given where nothing changed.
        bounds: int64, text i has `codes[bounds[i]:bounds[i + 1]]`.
        sources: int64 (characters, 2), the span in its original text that each character comes
            from: of itself where its cluster was normal, else of the whole cluster. None when not
            requested, or when nothing changed.
        is_spaced: Whether it is known that all units have the usual weight.
    """

    codes: UInt32Array
    bounds: Int64Array
    sources: Int64Array | None
    is_spaced: bool = False


def normalise(codes: UInt32Array, bounds: Int64Array, *, sources: bool = False) -> Normalised:
    """NFKC of texts given as code points, with or without the way back to them."""
    if are_ascii(codes):
        return Normalised(codes, bounds, None)
    tables = forms()
    rooms = _rooms(codes, bounds, tables)
    if not rooms.any():
        return Normalised(codes, bounds, None)
    room = int(np.where(rooms > 0, rooms, np.diff(bounds)).sum())
    out = np.empty(room, dtype=np.uint32)
    origins = np.empty((room if sources else 0, 2), dtype=np.int64)
    ends = _normalise(codes, bounds, rooms, tables, out, origins)
    used = ends[-1]
    return Normalised(out[:used], ends, origins[:used] if sources else None)


def longest_form(codes: UInt32Array) -> int:
    """At most how many characters a text has when it is normalised, without normalising it."""
    bounds = np.array([0, len(codes)], dtype=np.int64)
    return max(len(codes), int(_rooms(codes, bounds, forms())[0]))


@njit(nogil=True, cache=True)
def _rooms(codes: Any, bounds: Any, tables: Any) -> Any:
    """Characters that each text can grow to; 0 when all of its characters are plain."""
    rooms = np.zeros(len(bounds) - 1, dtype=np.int64)
    for text in range(len(rooms)):
        bits, roles = np.uint32(0), np.uint8(0)
        first, last = np.uint64(bounds[text]), np.uint64(bounds[text + 1])
        for offset in range(first, last):
            bits |= codes[offset]
        for offset in range(first, last if bits >= ASCII_END else first):
            roles |= tables.role[codes[offset]]
        if roles != PLAIN:
            for code in codes[bounds[text] : bounds[text + 1]]:
                rooms[text] += max(1, tables.apart[code] & 31)
    return rooms


@njit(nogil=True, cache=True)
def _normalise(codes: Any, bounds: Any, rooms: Any, tables: Any, out: Any, sources: Any) -> Any:
    ends = np.zeros(len(bounds), dtype=np.int64)
    roles, ranks, decomposed, composed, spelling, firsts, seconds, pairs = tables
    traced = len(sources) > 0  # no type of its own for none: each type is compiled again
    used = 0
    for text in range(len(bounds) - 1):
        origin, end = bounds[text], bounds[text + 1]
        run = origin  # what is normal since then has not been copied yet
        offset = origin if rooms[text] else end
        while offset < end:
            role = roles[codes[offset]]
            if role == PLAIN or (
                role == ORDERED
                and (offset == run or ranks[codes[offset - 1]] <= ranks[codes[offset]])
            ):
                offset += 1
                continue
            first, last = offset, offset + 1
            while role != CHANGES and first > run and roles[codes[first]] >= ORDERED:
                first -= 1
            while last < end and roles[codes[last]] >= ORDERED:
                last += 1
            used = start = _copy(codes, run, first, out, used, sources, origin)
            if last - first == 1:
                used = _spell(codes[first], composed, spelling, out, used)
            else:
                for at in range(first, last):
                    used = _spell(codes[at], decomposed, spelling, out, used)
                _order(out, start, used, ranks)
                used = _compose(out, start, used, ranks, firsts, seconds, pairs)
            same = used - start == last - first
            for at in range(start, used if traced else start):
                same = same and out[at] == codes[first + at - start]
            for at in range(start, used if traced else start):
                sources[at, 0] = (first + at - start if same else first) - origin
                sources[at, 1] = (first + at - start + 1 if same else last) - origin
            run = offset = last
        used = _copy(codes, run, end, out, used, sources, origin)
        ends[text + 1] = used
    return ends


@njit(nogil=True, cache=True, inline="always")
def _copy(codes: Any, first: Any, last: Any, out: Any, used: Any, sources: Any, origin: Any) -> Any:
    """Copy characters that stand for themselves."""
    for index in range(last - first):
        out[used + index] = codes[first + index]
    for index in range(last - first if len(sources) else 0):
        sources[used + index, 0] = first - origin + index
        sources[used + index, 1] = first - origin + index + 1
    return used + last - first


@njit(nogil=True, cache=True, inline="always")
def _spell(code: Any, table: Any, spelling: Any, out: Any, used: Any) -> Any:
    entry = table[code]
    if entry == 0:
        out[used] = code
        return used + 1
    start, length = entry >> LENGTH_BITS, entry & 31
    for index in range(length):
        out[used + index] = spelling[start + index]
    return used + length


@njit(nogil=True, cache=True)
def _order(out: Any, first: Any, last: Any, rank: Any) -> None:
    """The canonical ordering algorithm: marks between starters, stably by combining class."""
    index, run = first, 0  # marks in a row
    while index < last and run <= SHORT_RUN:
        code = out[index]
        at = index
        run = run + 1 if rank[code] else 0
        while at > index - run + 1 and rank[out[at - 1]] > rank[code]:
            out[at] = out[at - 1]
            at -= 1
        out[at] = code
        index += 1
    if run > SHORT_RUN:  # by radix: a text of nothing but marks must not take quadratic time
        marks = np.empty(last - first, dtype=np.uint32)
        keys = np.empty(last - first, dtype=np.uint64)
        starters = np.uint64(0)
        for index in range(last - first):
            marks[index] = out[first + index]
            starters += np.uint64(rank[marks[index]] == 0)
            keys[index] = starters << np.uint64(8) | np.uint64(rank[marks[index]])
        order = order_of(keys)
        for index in range(last - first):
            out[first + index] = marks[order[index]]


@njit(nogil=True, cache=True, inline="always")
def _compose(
    out: Any, first: Any, last: Any, ranks: Any, firsts: Any, seconds: Any, pairs: Any
) -> Any:
    """The canonical composition algorithm, in place; returns the end."""
    used = first
    starter = -1
    before = 0  # class of the last mark after the starter that was not joined to it
    for index in range(first, last):
        code = np.int64(out[index])
        rank = ranks[code]
        joined = np.int64(0)
        if starter >= 0 and (before == 0 or before < rank):
            base = np.int64(out[starter])
            joined = np.int64(pairs[firsts[base], seconds[code]])
            if LEADING <= base < LEADING + LEADINGS and VOWEL <= code < VOWEL + VOWELS:
                joined = SYLLABLE + ((base - LEADING) * VOWELS + code - VOWEL) * TRAILINGS
            elif (
                TRAILING < code < TRAILING + TRAILINGS
                and SYLLABLE <= base < SYLLABLE + SYLLABLES
                and (base - SYLLABLE) % TRAILINGS == 0
            ):
                joined = base + code - TRAILING
        if joined:
            out[starter] = joined
            continue
        if rank == 0:
            starter = used
        before = rank
        out[used] = code
        used += 1
    return used


PIECE = 1 << 19  # characters; their units take some 30 MB
LOOK = 1 << 12  # characters that are searched at once for an offset to cut at


def is_long(text: str) -> bool:
    """Whether a text is more than one piece."""
    return len(text) > PIECE


def has_long(texts: Sequence[str]) -> bool:
    """Whether one of these texts is more than one piece."""
    return max(map(len, texts), default=0) > PIECE


def pieces(text: str, settings: ScanSettings) -> Iterator[slice]:
    """The pieces of a text, in order; a stretch that cannot be cut is one, however long."""
    start = 0
    while start < len(text):
        end = _next_cut(text, start + PIECE, settings)
        yield slice(start, end)
        start = end


def _next_cut(text: str, start: int, settings: ScanSettings) -> int:
    """The first offset from a start on at which a text can be cut, or its end."""
    for first in range(start, len(text), LOOK):
        cuts = np.flatnonzero(_may_cut(code_points(text[first - 1 : first + LOOK]), settings))
        if len(cuts):
            return first + int(cuts[0])
    return len(text)


def _may_cut(codes: UInt32Array, settings: ScanSettings) -> BoolArray:
    """Before which characters, beginning with the second, a text can be cut."""
    kind = alphabet(settings).kind[codes]
    plain = forms().role[codes] == PLAIN
    if settings.unit == "word":
        return np.asarray(plain & ((kind == SPACE) | (kind == ALONE)))[1:]
    counts = np.asarray(plain & (kind != SPACE) & (kind != IGNORED))
    return np.asarray(counts[1:] & counts[:-1])


SLOT_BYTES = 4  # of the table of a document with which others are compared
SHINGLE_BYTES = 36  # of all else for each of its shingles
SIGNED_BYTES = 16, 40  # for a character of texts in ASCII and of others, while they are signed
BYTES_PER_WORD = 4 * SLOT_BYTES + SHINGLE_BYTES  # at most
LETTERS = b"_0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
LETTERS_BEYOND_ASCII = 0x80
FIRST_SENTENCES = 0xFB50  # Arabic ligatures, of up to four words


def comparing_bytes(words: int) -> int:
    """Memory to compare a document of so many words with others, in bytes."""
    slots = 16
    while slots < 2 * words:
        slots *= 2
    return SLOT_BYTES * slots + SHINGLE_BYTES * words


def text_bytes(text: str) -> int:
    """Memory to sign a text, in bytes, about."""
    if is_long(text):
        return comparing_bytes(_words(text)) + 4 * len(text)
    return SIGNED_BYTES[not text.isascii()] * len(text)


def _words(text: str) -> int:
    """How many words a text may have, counted in a hundredth of the time it takes to read it."""
    count = 1
    for start in range(0, len(text), PIECE):
        piece = text[start : start + PIECE]
        if piece.isascii():
            count += len(piece.encode("ascii").translate(None, LETTERS))
        else:
            codes = code_points(piece)
            ascii_codes = codes[codes < LETTERS_BEYOND_ASCII].astype(np.uint8)
            count += len(ascii_codes.tobytes().translate(None, LETTERS))
            count += int((codes >= FIRST_UNSPACED).sum())
            count += 3 * int((codes >= FIRST_SENTENCES).sum())
    return count
