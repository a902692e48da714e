"""Mistakes that were copied: spellings, numbers and spacing in two documents and in no other.

A slip stands in both documents and in no other of the folder, and others have something usual in
its place. It may be within a passage that both share: whoever else has that passage has it without
the slip.

A misspelled word has `LEAST_LETTERS` to `MOST_LETTERS` letters; with one letter added, left out or
exchanged, or two neighbours swapped, neither the first nor the last, it is a usual word: one that
at least `USUAL` other documents have, and that stands in some of them behind the same word as the
slip does, and before the same. One that begins with a capital may be a name: the usual word must
stand in small letters in so many. Where more than `MOST_OWN` such words stand in both documents and
in no other, as in lists of made-up words, nothing is said of any. Without the words around it, most
such words are others of the language ("compete", "complete"): that those around it tell them apart
is our own finding (`tests/bench/slips.py`). A word that differs in accents alone is no slip.

A wrong number stands nowhere else in the folder; between the same two words or numbers before and
behind, at least `USUAL` others have the same other number, of another value, sign or unit. Odd
spacing is a gap between two words with a space before a mark, several spaces, or none behind a
mark; so many others have the same marks there, with other spaces that are the same in all of them,
and none has these. What stands more than `MOST_ALIKE` times in either document is usual there, and
no slip. Tabs and spaces that do not break are spaces. Of more than `MOST_OWN` such gaps nothing is
said.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from core.base.arrays import Int64Array, UInt64Array
from core.base.patterns import lazy_pattern
from core.base.tasks import batches, stop_if_cancelled
from core.candidates.sorted_keys import distinct, members
from core.evidence.shared_runs import make_grams
from core.passages import count_rows
from core.scan.scan import Scan
from core.settings import ScanSettings
from core.text.set_aside import merged
from core.text.shingling import shingle, tokenise
from core.text.store import TextStore

LEAST_LETTERS, MOST_LETTERS = 6, 40
MOST_OWN = 2_000  # words, or numbers and gaps, that stand in no other document
NEAR_AT_ONCE = 100_000  # spellings that are counted together
USUAL = 3  # other documents that have what is usual
MOST_ALIKE = 3  # gaps with the same odd spacing in a document
MOST_PARTS = 3  # of a number, as of "1,250.00"
_NUMBER = lazy_pattern(r"\d+(?:[.,]\d+)*")
_UNIT = r"[%‰$\xa2-\xa5\u20a0-\u20cf]"
_SIGNED = lazy_pattern(
    rf"(?:(?<=[\s(])[+\-−])?(?:{_UNIT}[ \xa0]?)?{_NUMBER.pattern}(?:[ \xa0]?{_UNIT})?"
)
_GROUPED = lazy_pattern(r"(?<=\d)[.,](?=\d{3}(?!\d))")
_SPACES = str.maketrans("\t\xa0", "  ")
_MAY_BE_GAP = lazy_pattern(
    rf"{_NUMBER.pattern}|[ \t\xa0]+[,.;:!?]|[,.;:!?](?=[^\W\d_])|[ \t\xa0]{{2,}}"
)
_ODD_SPACING = lazy_pattern(r" +[,.;:!?] *|[,.;:!?]|[,.;:!?]? {2,}")


class Slip(NamedTuple):
    """An unusual spelling, number or spacing that two documents share.

    Attributes:
        word: As it stands in both, without a capital that either has not; spacing with the words
            around it, as in the first.
        usual: What others have instead.
    """

    word: str
    usual: str


class _Words(NamedTuple):
    """The words of a text that count."""

    text: str
    starts: Sequence[int]
    ends: Sequence[int]
    hashes: UInt64Array

    def word(self, index: int) -> str:
        return self.text[self.starts[index] : self.ends[index]]

    def between(self, first: int, second: int) -> str:
        return self.text[self.ends[first] : self.starts[second]]


class _Gap(NamedTuple):
    """What stands between two words: a number or spacing.

    Attributes:
        between: The number with sign and unit, or marks and spaces.
        parts: Words that the number is of; 0 of spacing.
        before: The hash of the two words before it.
        after: That of the two after it.
    """

    between: str
    parts: int
    before: int
    after: int


def find_slips(scan: Scan, pair: tuple[int, int]) -> tuple[Slip, ...]:
    """The slips that two documents share, spellings first, in the order of the first document.

    Reads all texts. Other documents with the same text count as one. Text that is set
    aside does not count, but a word or number that stands there in another document is no slip, nor
    is what a copy of either has. There are no spellings where both have more than `MOST_OWN` words
    that no other document has.

    Args:
        scan: A complete scan.
        pair: The numbers of both documents.

    Raises:
        ScanCancelledError: It was cancelled.
    """
    corpus = scan.full_corpus
    words = scan.settings.with_changes(
        unit="word", keep_punctuation=False, k=1, bag=False, ignore_case=True
    )
    numbers = np.delete(np.arange(len(corpus)), pair)
    _, first = np.unique(corpus.representatives()[numbers], return_index=True)
    if len(first) < USUAL:
        return ()
    copies = np.zeros(len(corpus), dtype=np.int64)
    copies[numbers[first]] = 1
    texts = [_words_of(scan, number, words) for number in pair]
    positions = [_lower_words(of_text) for of_text in texts]
    gaps = [_gaps_of(of_text) for of_text in texts]
    spelled = {
        word: texts[0].hashes[at : at + 1]
        for word, at in positions[0].items()
        if word in positions[1]
    }
    both = {
        gap: texts[0].hashes[at + 1 : at + 1 + gap.parts]
        for gap, at in gaps[0].items()
        if gap in gaps[1]
    }
    rows = [*spelled.values(), *both.values()]
    counts = iter(_counts(scan, corpus.texts, rows, words, copies))
    exclusive = {word: row for word, row in spelled.items() if not next(counts)}
    exclusive_gaps = {gap: row for gap, row in both.items() if not next(counts)}
    slips = [
        *_spellings(scan, texts, positions, exclusive, {*"".join(spelled)}, words, copies),
        *_gaps(scan, texts[0], gaps[0], exclusive_gaps, words, copies),
    ]
    documents = np.array(sorted(scan.set_aside.keys() - {*pair}), dtype=np.int64)
    raw = corpus.texts.arranged(documents)
    raw.exclude_spans(dict.fromkeys(range(len(raw)), ()))
    counts_in_excluded = _counts(
        scan, raw, [row for _, row in slips], words, np.ones_like(documents)
    )
    return tuple(
        slip for (slip, _), count in zip(slips, counts_in_excluded, strict=True) if not count
    )


def _words_of(scan: Scan, number: int, words: ScanSettings) -> _Words:
    text = scan.texts[number]
    tokens = tokenise(text, words, merged(scan.exclusions_of(number, number)[0]))
    hashes = scan.full_corpus.texts.shingles(np.array([number]), words).hashes
    return _Words(text, tokens.starts.tolist(), tokens.ends.tolist(), hashes)


def _counts(
    scan: Scan,
    texts: TextStore,
    rows: Sequence[UInt64Array],
    words: ScanSettings,
    copies: Int64Array,
) -> list[int]:
    """In how many documents each of these rows of words stands; an empty one in none."""
    lengths = sorted({len(row) for row in rows} - {0})
    indices = [[at for at, row in enumerate(rows) if len(row) == length] for length in lengths]
    queries = [np.array([rows[at] for at in of_length]) for of_length in indices]
    counts = np.zeros(len(rows), dtype=np.int64)
    counted = count_rows(texts, queries, words, copies, scan.pool)
    for of_length, count in zip(indices, counted, strict=True):
        counts[of_length] = count
    return counts.tolist()


def _spellings(
    scan: Scan,
    texts: Sequence[_Words],
    positions: Sequence[Mapping[str, int]],
    exclusive: Mapping[str, UInt64Array],
    alphabet: Collection[str],
    words: ScanSettings,
    copies: Int64Array,
) -> Iterator[tuple[Slip, UInt64Array]]:
    """The misspelled ones of words that no other document has, each with its hash.

    `alphabet` are the letters of all words that both texts have: one of them may be missing.
    """
    around = [
        {word: of_text.hashes[at[word] - 1 : at[word] + 2] for word in exclusive}
        for of_text, at in zip(texts, positions, strict=True)
    ]
    usual = {}
    if len(exclusive) <= MOST_OWN:
        usual = _usual_spellings(scan, around, alphabet, words, copies)
    shown = {
        word: max(of_text.word(at[word]) for of_text, at in zip(texts, positions, strict=True))
        for word in usual
    }
    names = [word for word in usual if not shown[word].islower()]
    exact = words.with_changes(ignore_case=False)
    small = shingle([" ".join(usual[word] for word in names)], exact).hashes[:, None]
    counts = _counts(scan, scan.full_corpus.texts, [*small], exact, copies)
    rare = {word for word, count in zip(names, counts, strict=True) if count < USUAL}
    for word in usual:
        if word not in rare:
            yield Slip(shown[word], usual[word]), exclusive[word]


def _usual_spellings(
    scan: Scan,
    around: Sequence[Mapping[str, UInt64Array]],
    alphabet: Collection[str],
    words: ScanSettings,
    copies: Int64Array,
) -> dict[str, str]:
    """What others have instead of words, each given with the hashes of the words around it."""
    exclusive, letters = [*around[0]], dict[str, set[str]]()
    for letter in alphabet:
        letters.setdefault(_script(letter), set()).add(letter)
    usual: dict[str, str] = {}
    for near in _near_spellings(exclusive, letters):
        stop_if_cancelled()
        shingles = shingle([" ".join(spelling for _, spelling in near)], words)
        if len(shingles.hashes) != len(near):
            return {}  # of a script without spaces between words
        beside = []
        for of_text in around:
            rows = np.array([of_text[word] for word, _ in near], dtype=np.uint64)
            rows[:, 1] = shingles.hashes
            beside += [rows[:, :2], rows[:, 1:]]
        both = [shingles.hashes[:, None], np.concatenate(beside)]
        alone, together = count_rows(scan.full_corpus.texts, both, words, copies, scan.pool)
        is_usual = (alone >= USUAL) & (together.reshape(4, -1) > 0).all(axis=0)
        for row in sorted(np.flatnonzero(is_usual).tolist(), key=lambda row: -alone[row]):
            if _bare(near[row][0]) != _bare(near[row][1]):
                usual.setdefault(*near[row])
    return {word: usual[word] for word in exclusive if word in usual}


def _lower_words(words: _Words) -> dict[str, int]:
    """The words that can be slips, in small letters, and where each stands first.

    Where a word stands both with a capital and without, it is the first without.

    Words with capitals within cannot be slips, nor words without a word on either side.
    """
    positions: tuple[dict[str, int], dict[str, int]] = {}, {}
    capital = set()
    for position in range(len(words.starts)):
        word = words.word(position)
        if LEAST_LETTERS <= len(word) <= MOST_LETTERS and word.isalpha():
            if word[1:].islower():
                positions[word[0].islower()].setdefault(word.lower(), position)
            else:
                capital.add(word.lower())
    last = len(words.hashes) - 1
    return {
        word: position
        for word, position in (positions[0] | positions[1]).items()
        if word not in capital and 0 < position < last
    }


def _gaps(
    scan: Scan,
    text: _Words,
    positions: Mapping[_Gap, int],
    exclusive: Mapping[_Gap, UInt64Array],
    words: ScanSettings,
    copies: Int64Array,
) -> Iterator[tuple[Slip, UInt64Array]]:
    """Wrong numbers, each with the hashes of its parts, and odd spacing with none."""
    usual = _usual_gaps(scan, [*exclusive], words, copies) if len(exclusive) <= MOST_OWN else {}
    for gap, row in exclusive.items():
        if replacement := usual.get(gap):
            first, second = text.word(positions[gap]), text.word(positions[gap] + 1)
            slip = Slip(gap.between, replacement)
            if not gap.parts:
                slip = Slip(first + gap.between + second, first + replacement + second)
            yield slip, row


def _gaps_of(words: _Words) -> dict[_Gap, int]:
    """The numbers and odd spacing of a text, and the position of the word before each."""
    grams = make_grams(words.hashes, 2)
    gaps: dict[_Gap, int] = {}
    spacing: dict[int, str] = {}
    for match in _MAY_BE_GAP.finditer(words.text):
        before = bisect_right(words.ends, match.start()) - 1
        after = bisect_left(words.starts, match.end())
        parts = after - before - 1
        if before > 0 and after < len(grams) and parts <= MOST_PARTS:
            around = [words.word(at) for at in (before - 1, before, after, after + 1)]
            between = _shown(words.between(before, after), parts)
            if not parts:
                spacing[before] = between
            if between and all(word.isalpha() or (parts and word.isdecimal()) for word in around):
                gap = _Gap(between, parts, int(grams[before - 1]), int(grams[after]))
                gaps.setdefault(gap, before)
    alike = Counter(spacing.values())
    return {gap: at for gap, at in gaps.items() if gap.parts or alike[gap.between] <= MOST_ALIKE}


def _shown(between: str, parts: int) -> str:
    """A number, or odd spacing where there are no parts of one; "" for anything else."""
    if not parts:
        between = between.translate(_SPACES)
        return between if _ODD_SPACING.fullmatch(between) else ""
    number = _SIGNED.search(between)
    around = between[: number.start()] + between[number.end() :] if number else between
    return number[0] if number and not any(map(str.isalnum, around)) else ""


def _value(number: str) -> str:
    """A number without digit grouping, zeros after its decimal point, and spaces."""
    plain = _GROUPED.sub("", "".join(number.split())).replace(",", ".").replace("−", "-")
    if plain.count(".") != 1:  # as of a date
        return plain
    return re.sub(r"\.0+(?!\d)|(?<=\.)(\d*?)0+(?!\d)", r"\1", plain)


def _usual_gaps(
    scan: Scan, gaps: Sequence[_Gap], words: ScanSettings, copies: Int64Array
) -> dict[_Gap, str]:
    """What others have instead of gaps; nothing for those that another has as they are."""
    counters: dict[_Gap, Counter[str]] = {gap: Counter() for gap in gaps}
    numbers = np.flatnonzero(copies)
    for part in batches(scan.full_corpus.texts.lengths[numbers].tolist()):
        stop_if_cancelled()
        if not counters:
            break
        known = distinct([np.array([gap.before for gap in counters], dtype=np.uint64)])
        shingles = scan.full_corpus.texts.shingles(numbers[part], words)
        at = np.flatnonzero(members(known, make_grams(shingles.hashes, 2)))
        texts = np.unique(np.searchsorted(shingles.offsets, at, side="right") - 1)
        for number in numbers[part][texts].tolist() if counters else ():
            _add_gaps(counters, _words_of(scan, number, words))
    most = {gap: counter.most_common(1) for gap, counter in counters.items()}
    return {gap: top[0][0] for gap, top in most.items() if top and top[0][1] >= USUAL}


def _add_gaps(counters: dict[_Gap, Counter[str]], words: _Words) -> None:
    """Count what a document has instead of gaps, without those that it has as they are."""
    of_before: dict[int, list[_Gap]] = {}
    for gap in counters:
        of_before.setdefault(gap.before, []).append(gap)
    for gap, between in {*_in_text(words, of_before)}:
        if _value(between) == _value(gap.between) if gap.parts else between == gap.between:
            counters.pop(gap, None)
        elif gap in counters:
            counters[gap][between] += 1


def _in_text(words: _Words, of_before: Mapping[int, Sequence[_Gap]]) -> Iterator[tuple[_Gap, str]]:
    hashes = make_grams(words.hashes, 2)
    known = distinct([np.array([*of_before], dtype=np.uint64)])
    grams = hashes.tolist()
    for before in np.flatnonzero(members(known, hashes)).tolist():
        for gap in of_before[grams[before]]:
            most = MOST_PARTS if gap.parts else 0
            candidates = range(before + 2, min(before + 3 + most, len(grams)))
            if after := next((at for at in candidates if grams[at] == gap.after), 0):
                between, parts = words.between(before + 1, after), after - before - 2
                if gap.parts:
                    if parts and (number := _shown(between, parts)):
                        yield gap, number
                elif between.split() == gap.between.split() and not {"\n", "\r"} & {*between}:
                    yield gap, between.translate(_SPACES)


def _near_spellings(
    words: Sequence[str], letters: Mapping[str, Collection[str]]
) -> Iterator[list[tuple[str, str]]]:
    """Words with each spelling that is one letter off; those of a word are in one batch."""
    near: list[tuple[str, str]] = []
    for word in words:
        near += [(word, spelling) for spelling in _one_letter_off(word, letters[_script(word[0])])]
        if len(near) >= NEAR_AT_ONCE:
            yield near
            near = []
    if near:
        yield near


def _script(letter: str) -> str:
    return unicodedata.name(letter, "").partition(" ")[0]


def _one_letter_off(word: str, letters: Collection[str]) -> Iterator[str]:
    """The words that differ in one letter, or in the order of two; first and last stay."""
    near: set[str] = set()
    for index in range(1, len(word)):
        head, tail = word[:index], word[index:]
        near.update(head + letter + tail for letter in letters)
        if len(tail) > 1:
            near.add(head + tail[1:])
            near.update(head + letter + tail[1:] for letter in letters)
        if len(tail) > 2:
            near.add(head + tail[1] + tail[0] + tail[2:])
    yield from sorted(near - {word})


def _bare(word: str) -> str:
    """A word without accents."""
    return "".join(
        letter for letter in unicodedata.normalize("NFD", word) if not unicodedata.combining(letter)
    )
