"""Marks characters of a text that a reader does not see: facts to show, which prove nothing.

Characters are marked that do not count as they are written (see `core.text.disguises`) and are
unusual in their context: letters of other scripts within words, invisible characters between two
letters of scripts that have no use for them, blanks that are no spaces. Symbols such as the α of
"TNFα", and words of another script that the text has anyway, are not marked unless there are other
signs.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from enum import StrEnum
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from core.base.arrays import AnyArray, BoolArray, Int64Array, indices_from
from core.base.messages import N_, nstored
from core.text.disguises import (
    BOTH_STYLES,
    CYRILLIC,
    FACTS,
    GREEK,
    INVISIBLE,
    LATIN,
    ODD,
    SCRIPTS,
    STYLED,
    Seen,
    seen,
)

SOFT_HYPHEN, MARK_FILLER = 0xAD, 0x7F
FEWEST_LETTERS = 3  # of a word in several styles: "ℝn" is a formula
SIGNS = 4  # at most so many words of possible symbols are marked for each other one
NO_SYMBOLS = list(map(ord, "οΑΒΕΖΗΙΚΜΝΟΡΤΥΧ"))  # Greek letters that no formula uses
# Translators: the script of a letter, as in “Cyrillic а”.
NAMES = {LATIN: N_("Latin"), CYRILLIC: N_("Cyrillic"), GREEK: N_("Greek")}
# So that the catalogues have them: what `unicodedata` calls the letters and the unseen characters
# that are met in texts. A rarer one keeps its name in Unicode.
OTHER_NAMES = (
    # Translators: the script or the style of a letter, as in “Armenian օ”, “fullwidth a”.
    *(N_("Armenian"), N_("Cherokee"), N_("Coptic"), N_("Lisu"), N_("Georgian")),
    *(N_("fullwidth"), N_("mathematical"), N_("circled"), N_("squared"), N_("double-struck")),
    *(N_("zero width space"), N_("zero width non-joiner"), N_("zero width joiner")),
    *(N_("zero width no-break space"), N_("word joiner"), N_("combining grapheme joiner")),
    *(N_("left-to-right mark"), N_("right-to-left mark")),
    *(N_("hangul filler"), N_("braille pattern blank")),
)
SELECTORS = ((0xFE00, 0xFE0F), (0xE0100, 0xE01EF), (0x180B, 0x180F))
USERS_OF_SELECTORS = ((0x1800, 0x18AF), (0x2E80, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x3FFFF))
ALPHABETS = (
    *((0x41, 0x5A), (0x61, 0x7A), (0xAA, 0x2AF), (0x370, 0x5F2)),  # to Hebrew
    *((0x10A0, 0x11FF), (0x13A0, 0x13FF), (0x1E00, 0x1FFF), (0x2C60, 0x2DFF)),
    *((0x3040, 0x30FF), (0x3400, 0x9FFF), (0xA640, 0xA7FF), (0xAC00, 0xD7A3), (0xFF21, 0xFF9F)),
)


class MarkKind(StrEnum):
    """What is marked; each value is a message about one."""

    LETTER = N_("letter of another script")
    INVISIBLE = N_("invisible character")
    SOFT_HYPHEN = N_("soft hyphen")
    BLANK = N_("blank that is no space")


class DisguiseMark(NamedTuple):
    """A span of a text, in code points of it.

    Attributes:
        start: Of an invisible character, the letter before it.
        end: Of an invisible character, after the letter that follows it.
        kind: What is marked.
        characters: How many of this kind are in the span.
        name: What the first of them is, a stored message or its name in Unicode: "Cyrillic".
        letter: The first of them where it is seen, in a style without it.
    """

    start: int
    end: int
    kind: MarkKind
    characters: int
    name: str
    letter: str = ""


def find_disguise_marks(text: str) -> list[DisguiseMark]:
    """The marks of a text, ordered by their starts."""
    if text.isascii():
        return []
    parts = list(seen(text))
    marks = list(_marks_of_letters(parts))
    for part in parts:
        marks += [*_marks_of_invisible(part), *_marks_of_blanks(part)]
    return sorted(marks)


class _Letters(NamedTuple):
    """Letters of one piece that stand for others.

    Attributes:
        offsets: int64, ascending.
        words: int64, the row of the word of each in `Seen.words`.
        mixed: bool, by word: it has letters of several scripts or styles.
        symbols: bool, by word: its letters may be symbols.
    """

    offsets: Int64Array
    words: Int64Array
    mixed: BoolArray
    symbols: BoolArray

    @staticmethod
    def of(part: Seen) -> _Letters:
        """The letters of a piece that stand for others."""
        starts, ends, facts, _ = part.words.T
        lengths = ends - starts
        offsets = indices_from(starts, lengths)
        words = np.repeat(np.arange(len(starts)), lengths)
        letter_facts = part.facts[offsets]
        styled = (letter_facts & STYLED > 0) & (lengths[words] >= FEWEST_LETTERS)
        stands_for = ((part.read != part.written)[offsets] & (letter_facts & SCRIPTS > 0)) | styled
        offsets, words = offsets[stands_for], words[stands_for]
        is_symbol = (offsets == starts[words]) | (offsets == ends[words] - 1)  # at an edge
        is_symbol &= part.facts[offsets] & GREEK > 0
        is_symbol &= ~np.isin(part.written[offsets], NO_SYMBOLS)
        symbols = np.bincount(words[~is_symbol], minlength=len(starts)) == 0
        scripts = facts & SCRIPTS
        mixed = (scripts & (scripts - 1) > 0) | (facts & BOTH_STYLES == BOTH_STYLES)
        return _Letters(offsets, words, mixed, symbols)


def _marks_of_letters(parts: Sequence[Seen]) -> Iterator[DisguiseMark]:
    by_part = [_Letters.of(part) for part in parts]
    meant, strong, weak = 0, 0, 0
    for part, stand_ins in zip(parts, by_part, strict=True):
        signs = stand_ins.mixed & ~stand_ins.symbols
        strong += int(np.count_nonzero(signs))
        weak += int(np.count_nonzero(stand_ins.mixed & stand_ins.symbols))
        meant |= int(np.bitwise_or.reduce(part.words[signs, FACTS], initial=0)) & SCRIPTS
    for part, (offsets, words, mixed, symbols) in zip(parts, by_part, strict=True):
        scripts = part.words[:, FACTS] & SCRIPTS
        foreign = (scripts & (meant | CYRILLIC) & ~part.needed & ~LATIN) > 0
        marked = np.where(mixed, ~symbols | (SIGNS * strong >= weak), foreign)
        marked &= ~(symbols & (strong == 0))
        yield from _runs(part, offsets[marked[words]], words[marked[words]])


def _runs(part: Seen, offsets: Int64Array, words: Int64Array) -> Iterator[DisguiseMark]:
    """A mark for adjacent letters of one word."""
    is_start = np.append(True, (np.diff(offsets) > 1) | (np.diff(words) > 0))[: len(offsets)]
    starts = offsets[is_start]
    ends = offsets[np.append(is_start[1:], True)[: len(offsets)]] + 1
    for start, end in zip(starts.tolist(), ends.tolist(), strict=True):
        letter = _letter(chr(int(part.written[start])), int(part.facts[start]))
        yield _mark(part, start, end, MarkKind.LETTER, end - start, *letter)


def _letter(letter: str, facts: int) -> tuple[str, str]:
    """The script of a letter and the letter, or its style and the letter without."""
    if facts & STYLED:
        return unicodedata.name(letter).split()[0].lower(), unicodedata.normalize("NFKC", letter)
    script = NAMES.get(facts & SCRIPTS)
    return script or unicodedata.name(letter, "foreign").split()[0].capitalize(), letter


def _mark(
    part: Seen, start: int, end: int, kind: MarkKind, count: int, name: str, letter: str = ""
) -> DisguiseMark:
    return DisguiseMark(part.start + start, part.start + end, kind, count, name, letter)


def _marks_of_invisible(part: Seen) -> Iterator[DisguiseMark]:
    """Marks of invisible characters between two letters; those of one word and kind are joined."""
    offsets = np.flatnonzero((part.facts & INVISIBLE > 0) & (part.written != MARK_FILLER))
    visible = np.flatnonzero(part.facts & INVISIBLE == 0)
    after = np.searchsorted(visible, offsets)
    inside = (after > 0) & (after < len(visible))
    offsets, after = offsets[inside], after[inside]
    left, right = visible[after - 1], visible[after]
    codes = part.written[offsets]
    marked = _within(part.written[left], ALPHABETS) & _within(part.written[right], ALPHABETS)
    marked &= ~(_within(part.written[left], USERS_OF_SELECTORS) & _within(codes, SELECTORS))
    for kind, is_kind in (
        (MarkKind.SOFT_HYPHEN, codes == SOFT_HYPHEN),
        (MarkKind.INVISIBLE, codes != SOFT_HYPHEN),
    ):
        chosen = marked & is_kind
        yield from _between(part, kind, offsets[chosen], left[chosen], right[chosen])


def _between(
    part: Seen, kind: MarkKind, offsets: Int64Array, left: Int64Array, right: Int64Array
) -> Iterator[DisguiseMark]:
    """Marks from the letters before to the letters after; marks that touch are joined."""
    firsts = np.flatnonzero(np.append(True, left[1:] >= right[:-1] + 1)[: len(offsets)])
    for first, last in pairwise([*firsts.tolist(), len(offsets)]):
        name = _name(int(part.written[offsets[first]]))
        start, end = int(left[first]), int(right[last - 1]) + 1
        yield _mark(part, start, end, kind, last - first, name)


def _marks_of_blanks(part: Seen) -> Iterator[DisguiseMark]:
    blank = (part.facts & ODD > 0) & (part.facts & INVISIBLE == 0) & (part.read != part.written)
    for offset in np.flatnonzero(blank).tolist():
        name = _name(int(part.written[offset]))
        yield _mark(part, offset, offset + 1, MarkKind.BLANK, 1, name)


def _name(code: int) -> str:
    """The Unicode name of a character, in small letters."""
    return unicodedata.name(chr(code), f"U+{code:04X}").lower()


def _within(codes: AnyArray, ranges: Sequence[tuple[int, int]]) -> BoolArray:
    inside = np.zeros(len(codes), dtype=np.bool_)
    for first, last in ranges:
        inside |= (first <= codes) & (codes <= last)
    return inside


LONGEST_EXAMPLE = 40  # characters


def sentences_on_disguises(text: str) -> tuple[str, ...]:
    """The marks in sentences, in English as they are stored; none about an ordinary text."""
    marks = find_disguise_marks(text)
    counts = Counter[MarkKind]()
    for mark in marks:
        counts[mark.kind] += mark.characters
    first = {mark.kind: mark for mark in reversed(marks)}
    return tuple(_sentence(text, first[kind], counts[kind]) for kind in MarkKind if counts[kind])


def _sentence(text: str, first: DisguiseMark, number: int) -> str:
    values = {"word": _word(text, first), "sign": first.name, "letter": first.letter}
    match first.kind:
        case MarkKind.LETTER:
            return nstored(
                "{n} letter of another script stands within words, as in “{word}” ({sign} "
                "{letter}), and counts as the letter it looks like.",
                "{n} letters of other scripts stand within words, as in “{word}” ({sign} "
                "{letter}), and count as the letters they look like.",
                number,
                **values,
            )
        case MarkKind.BLANK:
            return nstored(
                "{n} blank that is no space ({sign}) stands in the text and counts as a space.",
                "{n} blanks that are no spaces ({sign}) stand in the text and count as spaces.",
                number,
                **values,
            )
        case MarkKind.SOFT_HYPHEN:
            return nstored(
                "{n} soft hyphen stands within words, as in “{word}”, and does not count.",
                "{n} soft hyphens stand within words, as in “{word}”, and do not count.",
                number,
                **values,
            )
        case _:
            return nstored(
                "{n} invisible character stands within words, as in “{word}” ({sign}), and does "
                "not count.",
                "{n} invisible characters stand within words, as in “{word}” ({sign}), and do not "
                "count.",
                number,
                **values,
            )


def _word(text: str, mark: DisguiseMark) -> str:
    """The word of a mark, without invisible characters."""
    start, end = mark.start, mark.end
    while start > 0 and mark.start - start < LONGEST_EXAMPLE and _goes_on(text[start - 1]):
        start -= 1
    while end < len(text) and end - mark.end < LONGEST_EXAMPLE and _goes_on(text[end]):
        end += 1
    return "".join(filter(str.isprintable, text[start:end]))[:LONGEST_EXAMPLE]


def _goes_on(character: str) -> bool:
    return character.isalnum() or unicodedata.category(character) in {"Cf", "Mn", "Mc"}
