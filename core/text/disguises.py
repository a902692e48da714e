"""Texts as a reader sees them: look-alike letters and invisible characters hide nothing.

A letter of another script counts as the one it looks like only within a word where that must be
meant. What scripts a word can be in is told by its letters:

1. A word with letters of several scripts is in the one script in which all of them are, or have a
   look-alike; where there is none, those that only resemble a letter count, too.
2. A word that may be in several scripts ("сор" of look-alikes, "HTTP", but not "shell": for a whole
   word only letters count that many languages have) is in that of the words around it: of the
   nearest before it and after it whose script is sure. Where these are of two scripts, it is not in
   Latin; where it cannot be in theirs, it is. Its own letters do not decide, so that "HTTP" in a
   Russian text is one word, with Latin letters or with Cyrillic ones.
3. Where no word of a text needs Cyrillic, its letters may be meant for those that they resemble in
   words without any other, too. (Not those of Greek: they are the symbols of mathematics.)

All else stays: Russian, Greek, a text in two languages, "μm". Characters that nobody sees become
`FILLER`, or a space where they take its room, but where the script beside them uses them. A text
keeps its length, so that every offset stays.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import NamedTuple

import numpy as np

from core.base.arrays import Int64Array, UInt16Array, UInt32Array
from core.settings import ScanSettings
from core.text.characters import FILLER, characters, code_points
from core.text.lookalikes import (
    BLANK,
    INVISIBLE,
    LATIN,
    LETTERS_END,
    ODD,
    SCRIPTS,
    TARGETS,
    UNSEEN,
    letters,
)
from core.text.pieces import is_long, pieces
from core.text.word_scripts import (
    BOTH_STYLES,
    END,
    FACTS,
    START,
    find_words,
    find_words_in,
    lenient_scripts,
    scripts_of,
)

USUAL = ScanSettings()
# Characters that are not seen, and the code points beside which they have their use.
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
    """A piece of a text, as it stands and as it is seen.

    Attributes:
        start: Where it begins in the text.
        written: uint32, its code points.
        read: uint32, as many: what counts for them.
        facts: uint16, of each (see `core.text.lookalikes`).
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


class AsSeen(NamedTuple):
    """Texts as they are seen, each as long as it was.

    Attributes:
        texts: What counts.
        unseen: Places of those that may have invisible characters.
        broken: Of those that may have lines that end in a hyphen, but for short ones in ASCII.
        mixed: Of those that have letters of another script within words, or odd characters.
    """

    texts: list[str]
    unseen: set[int]
    broken: set[int]
    mixed: set[int]


_noticed: ContextVar[set[str] | None] = ContextVar("noticed", default=None)


@contextmanager
def noticing() -> Iterator[set[str]]:
    """The texts that `as_seen` meets meanwhile, in this thread, and that may be disguised.

    Whoever signs texts learns so which of them are worth another look, for nothing.
    """
    noticed: set[str] = set()
    before = _noticed.set(noticed)
    try:
        yield noticed
    finally:
        _noticed.reset(before)


def as_seen(texts: Sequence[str]) -> AsSeen:
    """The texts as they are seen, each of the same length."""
    result = AsSeen(list(texts), set(), set(), set())
    places = [place for place, text in enumerate(texts) if not text.isascii()]
    short = np.array([place for place in places if not is_long(texts[place])], dtype=np.int64)
    alone = set(places).difference(short.tolist())
    result.broken.update(place for place, text in enumerate(texts) if is_long(text))
    if len(short):
        alone.update(_see_together(result, short))
    for place in alone:
        _see_alone(result, place)
    noticed = _noticed.get()
    if noticed is not None:
        noticed.update(texts[place] for place in result.unseen | result.mixed)
    return result


def _see_alone(result: AsSeen, place: int) -> None:
    """See a text piece by piece and put what is read in its place."""
    text, facts, changes = result.texts[place], 0, False
    read: list[str] = []
    for part in seen(text):
        facts |= int(np.bitwise_or.reduce(part.facts))
        is_changed = part.read is not part.written
        changes |= is_changed or len(part.words) > 0
        end = part.start + len(part.written)
        read.append(characters(part.read) if is_changed else text[part.start : end])
    result.texts[place] = "".join(read) if changes else text
    if facts & INVISIBLE:
        result.unseen.add(place)
    if changes or facts & ODD:
        result.mixed.add(place)


def _see_together(result: AsSeen, places: Int64Array) -> list[int]:
    """See several texts, put what is read in their place; those that must be seen alone return."""
    texts = [result.texts[place] for place in places]
    bounds = np.zeros(len(texts) + 1, dtype=np.int64)
    np.cumsum([len(text) for text in texts], out=bounds[1:])
    codes = _codes("".join(texts))
    found = find_words(codes, bounds)
    result.unseen.update(places[found.whole & INVISIBLE > 0].tolist())
    result.broken.update(places[found.hyphens > 0].tolist())
    is_alone = (found.whole & ODD > 0) | (lenient_scripts(found.whole, found.needed) > 0)
    script = scripts_of(found.words)
    read = _read(codes, found.words, script)
    if read is not codes:
        own = found.words[:, FACTS] & SCRIPTS
        text_of = np.searchsorted(bounds, found.words[:, START], side="right") - 1
        for text in set(text_of[(script > 0) & (script != own)].tolist()):
            result.texts[places[text]] = characters(read[bounds[text] : bounds[text + 1]])
        # A whole word in Latin letters is usual in any script.
        result.mixed.update(places[text_of[(script > 0) & (own != LATIN)]].tolist())
    return [int(place) for place in places[is_alone]]


def seen(text: str) -> Iterator[Seen]:
    """A text as it is seen, piece by piece."""
    parts = list(pieces(text, USUAL)) if is_long(text) else [slice(0, len(text))]
    whole = needed = 0
    for part in parts:
        found = find_words_in(_codes(text[part]))
        whole |= int(found.whole[0])
        needed |= int(found.needed[0])
    lenient = lenient_scripts(whole, needed)
    for part in parts:
        codes = _codes(text[part])
        if lenient or len(parts) > 1:
            found = find_words_in(codes, lenient)
        yield _seen(codes, part.start, found.words, lenient)._replace(needed=needed)


def _codes(text: str) -> UInt32Array:
    return code_points(text).astype(np.uint32, copy=False)


def _seen(codes: UInt32Array, start: int, words: Int64Array, lenient: int) -> Seen:
    """One piece; `words` as `_find` gives them."""
    script = scripts_of(words, lenient)
    read = _read(codes, words, script)
    facts = letters().facts[codes]
    if np.bitwise_or.reduce(facts) & ODD:
        read = _without_odd(codes, read, facts)
    told = (script != words[:, FACTS] & SCRIPTS) | (words[:, FACTS] & BOTH_STYLES == BOTH_STYLES)
    columns = np.stack([words[:, START], words[:, END], words[:, FACTS], script], axis=1)
    return Seen(start, codes, read, facts, columns[told & (script > 0)], 0)


def _read(codes: UInt32Array, words: Int64Array, script: Int64Array) -> UInt32Array:
    """The letters that count when each of these words is in its script; `codes` if all do."""
    read = codes
    for target in TARGETS:
        chosen = words[(script == target) & (words[:, FACTS] & SCRIPTS != target)]
        if len(chosen):
            lengths = chosen[:, END] - chosen[:, START]
            ends = np.cumsum(lengths)
            places = np.arange(ends[-1]) + np.repeat(chosen[:, END] - ends, lengths)
            places = places[codes[places] < LETTERS_END]
            read = read.copy() if read is codes else read
            read[places] = letters().looks_like[target][codes[places]]
    return read


def _without_odd(codes: UInt32Array, read: UInt32Array, facts: UInt16Array) -> UInt32Array:
    """What is read where characters do not count as they stand."""
    odd = np.flatnonzero(facts & ODD)
    visible = np.flatnonzero(facts & INVISIBLE == 0)
    padded = np.concatenate([[ord(" ")], codes[visible], [ord(" ")]])
    left = padded[np.searchsorted(visible, odd)]
    right = padded[np.searchsorted(visible, odd, side="right") + 1]
    read = read.copy() if read is codes else read
    for character in {*UNSEEN, *BLANK}:
        at = codes[odd] == ord(character)
        if at.any():
            for first, last in _NATIVE.get(character, ()):
                at &= ~((first <= left) & (left <= last)) & ~((first <= right) & (right <= last))
            read[odd[at]] = ord(" " if character in BLANK else FILLER)
    return read
