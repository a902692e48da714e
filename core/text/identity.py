"""The content hash of a text: of its words and figures, the same in whatever file they come.

What counts are the words as matching counts them, in their order: in the normal form of
`core.text.characters`, by simple case folding, with letters of another script as the ones they are
meant for (`core.text.disguises`), and with their boundaries, so that "notable" is not "not able".
Beside them counts what makes another amount of a figure:

1. The character between two digits, if it is one alone and no dash: 1.500 is not 150.0, nor 1/2.
2. The sign before a figure (minus, ±, <, ≤, ≠ and the like), whatever dash a minus was typed with,
   and the point of ".5".
3. Percent and currency signs.

So do the points of Arabic and Hebrew: a text with points is another than the same without them,
though matching finds that all their words are the same.

All other punctuation, white space, line ends and kinds of dashes and quotes do not: readers of
different formats agree on these least. So the same essay as DOCX and as PDF is the same text, and
no setting of a scan is in it. A hyphen between two letters counts as none, because at the end of a
line nobody can tell one that belongs to the word from one that divides it: "re-sign" and "resign"
are the only other words that are the same here.

The hash is XXH3-128 of these characters in UTF-8, a space before each word. Reviews hold these
hashes: a change of what counts raises `core.review.header.SIGNING`, and a test has some of them.
(A version of Unicode that assigns new letters gives others to the texts that have them.)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

import numpy as np
import xxhash

from core.base.arrays import Int64Array, UInt32Array
from core.base.compiling import njit
from core.settings import ScanSettings
from core.text.characters import (
    ALONE,
    ASSIGNED_END,
    FOLDED,
    IGNORED,
    LETTER,
    MARK,
    POINTS,
    SPACE,
    TATWEEL,
    alphabet,
    categories,
    category_number,
    is_long,
    joined_codes,
    normalise,
    pieces,
)
from core.text.disguises import as_seen

USUAL = ScanSettings()
_ROOM = 5  # bytes of a character at most: a space, and four of UTF-8

# What a character is here, in the bits of a table above those of the character that is written.
_KIND_BITS = 24
_WORD, _DIGIT, _MARK, _ALONE, _SPACE, _END, _SOFT, _IGNORED, _HYPHEN, _DASH, _SIGN, _OTHER = range(
    12
)
_CHARACTER = (1 << _KIND_BITS) - 1
_DASHES = {_HYPHEN: "-\u2010", _DASH: "\u2012\u2013\u2014\u2015", _SOFT: "\u00ad"}
_LINE_ENDS = "\n\v\f\r\x85\u2028\u2029"
_SIGNS = "\u2212±∓<>≤≥≠≈"
_ALIKE = {"\u2212": "-", "‘": "'", "’": "'", "⁄": "/"}
_NONE, _MINUS, _POINT, _MANY = 0, ord("-"), ord("."), 1  # the last: several points, as "..."
_FREE = 1 << _KIND_BITS  # of a sign that may stand apart from its figure

# What stands between the last character of a word and the next one.
_NOTHING, _SOFT_GAP, _HYPHEN_GAP, _HYPHEN_SPACE, _BROKEN, _ONE_MARK, _APART = range(7)
# By gap, the gap after another space, and after the end of a line.
_AFTER_SPACE = np.array(
    [
        [_APART, _HYPHEN_SPACE, _HYPHEN_SPACE, _HYPHEN_SPACE, _BROKEN, _APART, _APART],
        [_APART, _BROKEN, _BROKEN, _BROKEN, _BROKEN, _APART, _APART],
    ],
    dtype=np.uint8,
)
_LAST, _GAP, _BETWEEN, _BEFORE = range(4)  # indices in the state of a text: see `_write`


def text_hashes(texts: Sequence[str]) -> list[str]:
    """The hash of each text: 32 hexadecimal digits.

    A text without a word or a figure is hashed with all of its characters as they are.
    """
    read = as_seen(texts).texts
    short = [index for index, text in enumerate(read) if not is_long(text)]
    parts = _written([read[index] for index in short], _initial_state())
    written = {index: [part] for index, part in zip(short, parts, strict=True)}
    return [
        _hash(written[index] if index in written else _by_piece(seen), text)
        for index, (text, seen) in enumerate(zip(texts, read, strict=True))
    ]


def _hash(parts: Iterator[bytes] | Sequence[bytes], text: str) -> str:
    hasher, size = xxhash.xxh3_128(), 0
    for part in parts:
        hasher.update(part)
        size += len(part)
    if not size:
        hasher.update(text.encode("utf-8", "surrogatepass"))
    return hasher.hexdigest()


def _by_piece(text: str) -> Iterator[bytes]:
    state = _initial_state()
    for part in pieces(text, USUAL):
        yield from _written([text[part]], state)


def _initial_state() -> Int64Array:
    """The state before the first character of a text: see `_write`."""
    return np.array([_OTHER, _NOTHING, _NONE, _NONE], dtype=np.int64)


def _written(texts: Sequence[str], state: Int64Array) -> Iterator[bytes]:
    """What counts of each text, in UTF-8; the first of them goes on from this state."""
    if not texts:
        return
    codes, bounds, *_ = normalise(*joined_codes(texts))
    # Two more: the state may hold a sign and a point that are not written yet.
    out = np.empty(_ROOM * (len(codes) + 2), dtype=np.uint8)
    ends: Int64Array = _write(codes, bounds, _table(), state, out)
    start = 0
    for end in ends.tolist():
        yield out[start:end].tobytes()
        start = end


@cache
def _table() -> UInt32Array:
    """By code point the character that is written, folded, and above `_KIND_BITS` what it is."""
    table = alphabet(USUAL)
    kinds = np.full(IGNORED + 1, _OTHER, dtype=np.uint32)
    kinds[[LETTER, ALONE, MARK, IGNORED, SPACE]] = _WORD, _ALONE, _MARK, _IGNORED, _SPACE
    kind = kinds[table.kind]
    fold = table.both & FOLDED
    given, known, assigned = categories(), table.kind[:ASSIGNED_END], kind[:ASSIGNED_END]
    first = given & np.uint16(0xFF)
    assigned[(known == SPACE) & (first != ord("Z")) & (first != ord("C"))] = _OTHER  # punctuation
    assigned[(known != IGNORED) & (given == category_number("Sc"))] = _ALONE
    kind[[ord(character) for character in "%‰‱٪"]] = _ALONE
    assigned[(known == LETTER) & (first == ord("N"))] = _DIGIT
    # Points that no words are told apart by belong to this text and no other, as its verdicts do.
    points = {_MARK: POINTS.replace(TATWEEL, ""), _WORD: TATWEEL}
    for new_kind, characters in {**_DASHES, _SIGN: _SIGNS, _END: _LINE_ENDS, **points}.items():
        kind[[ord(character) for character in characters]] = new_kind
    for character, standard in _ALIKE.items():
        fold[ord(character)] = ord(standard)
    return np.asarray(fold | kind << np.uint32(_KIND_BITS))


@njit(nogil=True, cache=True)
def _write(codes: Any, bounds: Any, table: Any, state: Any, out: Any) -> Any:
    """Write what counts in UTF-8; returns where each text ends.

    The state holds the kind of the last character that was written, the gap since, the character
    between or before digits that may belong to a figure, and the sign before it. The first text
    goes on from the given state, which is replaced by that of the last text.
    """
    ends = np.empty(len(bounds) - 1, dtype=np.int64)
    last, gap, between, before = state
    used = 0
    for text in range(len(ends)):
        if text:
            last, gap, between, before = _OTHER, _NOTHING, _NONE, _NONE
        for offset in range(bounds[text], bounds[text + 1]):
            entry = np.int64(table[codes[offset]])
            kind, code = entry >> _KIND_BITS, entry & _CHARACTER
            if kind <= _ALONE:
                # Most go on with the word that the character before them belongs to.
                if gap != _NOTHING or not (kind == _MARK or (kind <= _DIGIT and last <= _MARK)):
                    used = _begin(out, used, kind, gap, between, before)
                used = _spell(out, used, code)
                if kind != _MARK or gap != _NOTHING:
                    last = kind
                gap, between, before = _NOTHING, _NONE, _NONE
            elif kind < _SOFT:
                between, gap = _NONE, np.int64(_AFTER_SPACE[np.int64(kind == _END), gap])
                # A sign may stand apart from its figure, but not what may be a dash.
                before = before if kind == _SPACE and before & _FREE else _NONE
            elif kind == _SOFT:
                between = _NONE
                gap = _SOFT_GAP if gap == _NOTHING and last == _WORD else gap
            elif kind != _IGNORED:
                gap, between, before = _after_mark(kind, code, last, gap, between, before)
        ends[text] = used
    state[_LAST], state[_GAP], state[_BETWEEN], state[_BEFORE] = last, gap, between, before
    return ends


@njit(nogil=True, cache=True, inline="always")
def _begin(out: Any, used: Any, kind: Any, gap: Any, between: Any, before: Any) -> Any:
    """Write what stands before a character that does not go on with the word beside it.

    That is the character between two digits, or a space, and before a figure its sign and point;
    nothing where the gap is within a word.
    """
    if kind == _DIGIT and gap == _ONE_MARK:
        return _spell(out, used, between)
    is_joined = gap in (_HYPHEN_GAP, _BROKEN) and kind == _WORD
    if is_joined or (gap == _SOFT_GAP and kind <= _MARK):
        return used
    out[used] = 0x20
    used += 1
    if before != _NONE and kind in (_DIGIT, _ALONE):
        used = _spell(out, used, before & _CHARACTER)
    if between == _POINT and kind == _DIGIT:
        used = _spell(out, used, _POINT)
    return used


@njit(nogil=True, cache=True, inline="always")
def _after_mark(kind: Any, code: Any, last: Any, gap: Any, between: Any, before: Any) -> Any:
    """The gap after another mark, what may belong to a figure in it, and the sign before."""
    if kind == _SIGN:
        return _APART, _NONE, code | _FREE
    follows = gap == _NOTHING and last <= _MARK
    if kind in (_HYPHEN, _DASH):
        if kind == _HYPHEN and gap <= _SOFT_GAP and last == _WORD:
            return _HYPHEN_GAP, _NONE, _NONE
        is_dash = follows or gap == _HYPHEN_GAP or between == _MINUS
        return _APART, _MINUS, _NONE if is_dash else _MINUS
    if follows and last == _DIGIT:
        return _ONE_MARK, code, _NONE
    if code == _POINT and not follows and gap != _ONE_MARK:
        return _APART, _MANY if between in (_POINT, _MANY) else _POINT, before
    return _APART, _NONE, _NONE


@njit(nogil=True, cache=True, inline="always")
def _spell(out: Any, used: Any, code: Any) -> Any:
    """Write a character in UTF-8; returns where the next one goes."""
    if code < 0x80:
        out[used] = code
        return used + 1
    if code < 0x800:
        out[used] = 0xC0 | (code >> 6)
    else:
        if code < 0x10000:
            out[used] = 0xE0 | (code >> 12)
        else:
            out[used] = 0xF0 | (code >> 18)
            out[used + 1] = 0x80 | ((code >> 12) & 0x3F)
            used += 1
        out[used + 1] = 0x80 | ((code >> 6) & 0x3F)
        used += 1
    out[used + 1] = 0x80 | (code & 0x3F)
    return used + 2
