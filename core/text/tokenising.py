"""Texts to units: broken words joined, normalised, cut in words or characters, and weighed.

A long text is read piece by piece, so that it takes little more memory than its units.

Stop words and stems: which words count as the same, and which do not count at all.

Stems are those of the Snowball algorithms (Porter, snowballstem.org) and stop words those of the
library `stop-words`, both by language. The value of a word depends on the word alone, so every
distinct word is processed once and its value remembered.

A word is a stop word if it is on the list after normalisation and case folding, also where case
counts. The tokeniser ends words at apostrophes: "don't" is "don" and "t". So an entry with an
apostrophe stands for its parts. An entry of several words ("vis-à-vis") drops none of them:
"no-one" is two words that count. Stems are made of words as they are compared: with case where
case counts.

Words that a line break divides: "exam-" at the end of a line and "ple" at the next are one word.

In plain text a hyphen at the end of a line may belong to the word ("well-" and "known"), so words
are joined only if the text itself shows that they are broken: the whole word occurs elsewhere in
it, and the two halves do not occur side by side. Where words are broken throughout a text, those
that occur nowhere else are joined, too, unless both halves do. Measured on 2,000 bills, licences
and terms wrapped again: of 944 words with a hyphen of their own, wrapped as programs do, 1 was
joined; of 61,000 broken at the ends of short lines 96 % were, and of 2,300 with a hyphen of their
own among these 36 %.

The text keeps its length: hyphen, line end and indentation become characters that do not count.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, partial
from itertools import compress, islice, pairwise
from operator import is_
from threading import Lock
from typing import NamedTuple

import numpy as np
import Stemmer
from stop_words import get_stop_words

from core.base.arrays import BoolArray, Int32Array, Int64Array, UInt32Array, UInt64Array
from core.base.hashing import find_slots
from core.base.messages import in_english
from core.base.patterns import lazy_pattern
from core.base.wording import readable_count
from core.errors import LongTextError
from core.settings import ScanSettings
from core.text.characters import (
    FILLER,
    IGNORED,
    ORDERED,
    PIECE,
    Normalised,
    alphabet,
    characters,
    code_points,
    forms,
    joined_codes,
    longest_form,
    normalise,
    pieces,
)
from core.text.disguises import as_seen
from core.text.set_aside import NOTHING, Stretches
from core.text.tokens import Units, find_units, find_words, hash_lines, spell_lines
from core.text.word_counts import has_unspaced, usual_weight, weight_table

UNUSED = np.uint64(0)
FEWEST_SLOTS = 1 << 18
MOST_SLOTS = 1 << 22  # 64 MiB for two million words; when they are too few, all words are forgotten
BLOCK = 1 << 15  # words looked up at once; as many may be new


class WordMemory:
    """The words met so far and a 64-bit meaning of each; thread-safe."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._words = 0
        self._forget(FEWEST_SLOTS)

    def __len__(self) -> int:
        return self._words

    def meanings(
        self, words: UInt64Array, learn: Callable[[Int64Array], UInt64Array]
    ) -> UInt64Array:
        """The meaning of each word.

        Args:
            words: Their values, which are hashes.
            learn: Takes the indices in `words` of new words, all different, and returns their
                meanings; called by one thread at a time.
        """
        meanings = np.empty_like(words)
        for start in range(0, len(words), BLOCK):
            block = slice(start, start + BLOCK)
            with self._lock:
                meanings[block] = self._look_up(words[block], start, learn)
        return meanings

    def _look_up(
        self, words: UInt64Array, start: int, learn: Callable[[Int64Array], UInt64Array]
    ) -> UInt64Array:
        """The meanings of these words, of which the first has the index `start`."""
        if 2 * (self._words + len(words)) > len(self._keys):
            self._grow()
        slots = np.empty(len(words), dtype=np.int64)
        fresh = find_slots(words, self._keys, slots)
        if len(fresh):
            try:
                self._meanings[slots[fresh]] = learn(fresh + start)
            except BaseException:
                self._forget(FEWEST_SLOTS)  # it holds words without a meaning now
                raise
        self._words += len(fresh)
        return self._meanings[slots]

    def _grow(self) -> None:
        keys, meanings = self._keys, self._meanings
        if len(keys) >= MOST_SLOTS:
            self._forget(MOST_SLOTS)
            return
        words = self._words
        self._forget(2 * len(keys))
        used = keys != UNUSED
        slots = np.empty(words, dtype=np.int64)
        find_slots(keys[used], self._keys, slots)
        self._meanings[slots] = meanings[used]
        self._words = words

    def _forget(self, slots: int) -> None:
        self._keys = np.full(slots, UNUSED, dtype=np.uint64)
        self._meanings = np.zeros(slots, dtype=np.uint64)
        self._words = 0


USUAL = ScanSettings()
LINE_END = 0x0A
HYPHENS = (0x2D, 0x2010)
SOFT_HYPHEN = 0xAD
LONGEST_HALF = 40  # letters; more are no word
INDENTATION = " \t"
FEWEST_BROKEN = 2  # broken words from which it is concluded that others are broken, too
MAJORITY = 2  # times as many as hyphenated words
TELLING_HALF = 3  # letters: "third" in "third-party" is more of a sign than "co" in "co-owner"
AT_ONCE = 1 << 19  # characters that are searched together
MOST_BREAKS = 1 << 18  # every third line of a text of the greatest length that is read
MAY_BE_LETTER = np.array([chr(code).isalpha() for code in range(0x80)] + [True])
PAIR_FACTOR = np.uint64(0x9E3779B97F4A7C15)


class Break(NamedTuple):
    """A hyphen at the end of a line, between two halves of what may be one word.

    Attributes:
        start: Offset of the first half.
        hyphen: Offset of the hyphen.
        rest: Offset of the second half.
        end: Where the second half ends.
    """

    start: int
    hyphen: int
    rest: int
    end: int

    def word(self, text: str) -> str:
        """Both halves as one word."""
        return text[self.start : self.hyphen] + text[self.rest : self.end]


def _hyphens(text: str) -> Iterator[Int64Array]:
    """The offsets of hyphens that end a line and may follow a letter.

    Block by block of the text, because a text may have very many line ends.
    """
    if "\n" not in text:
        return
    for start in range(1, len(text), AT_ONCE):
        first = max(0, start - 2)
        codes = code_points(text[first : start + AT_ONCE])
        last = np.flatnonzero(codes[start - first :] == LINE_END) + (start - first - 1)
        kinds, before = codes[last], codes[np.maximum(last - 1, 0)]
        is_hyphen = (kinds == HYPHENS[0]) | (kinds == HYPHENS[1]) | (kinds == SOFT_HYPHEN)
        yield np.compress(is_hyphen & MAY_BE_LETTER[np.minimum(before, 0x80)], last) + first


def find_breaks(text: str) -> list[Break]:
    """The breaks of a text after which the next line begins with a small letter, in order.

    There are none in a text with more than `MOST_BREAKS`: no book has so many.
    """
    hyphens = (hyphen for block in _hyphens(text) for hyphen in block.tolist())
    all_breaks = (line_break for hyphen in hyphens if (line_break := _break_at(text, hyphen)))
    breaks = list(islice(all_breaks, MOST_BREAKS + 1))
    return breaks if len(breaks) <= MOST_BREAKS else []


def _break_at(text: str, hyphen: int) -> Break | None:
    start = hyphen
    while start > 0 and hyphen - start <= LONGEST_HALF and text[start - 1].isalpha():
        start -= 1
    rest = hyphen + 2
    while rest < len(text) and text[rest] in INDENTATION:
        rest += 1
    end = rest
    while end < len(text) and end - rest <= LONGEST_HALF and text[end].isalpha():
        end += 1
    if start == hyphen or end == rest or not text[rest].islower():
        return None
    # "state-of-" and "the-art" have hyphens of their own.
    if text[start - 1 : start] in {"-", "\u2010"} or text[end : end + 1] in {"-", "\u2010"}:
        return None
    return Break(start, hyphen, rest, end)


def join_broken_words(text: str, values_of: Callable[[str], UInt64Array]) -> str:
    """A text of the same length in which words that line ends divide count as whole.

    Args:
        text: The text.
        values_of: Gives the values of all words of a text, in order.
    """
    breaks = find_breaks(text)
    if not breaks:
        return text
    joined = np.array([ord(text[line_break.hyphen]) == SOFT_HYPHEN for line_break in breaks])
    if not joined.all():
        joined = joined | _to_be_joined(text, breaks, values_of)
    return _without(text, list(compress(breaks, joined)))


def join_among_unseen(text: str, values_of: Callable[[str], UInt64Array]) -> str:
    """As `join_broken_words`, for a text with invisible characters, in words or at line ends.

    Marks move to the letter that they belong to, so that both are normalised together.
    """
    soft_ends = text.count(chr(SOFT_HYPHEN) + chr(LINE_END))
    are_breaks = 2 * soft_ends >= text.count(chr(SOFT_HYPHEN))  # else they are in words, too
    starts = _starts_between_letters(text)
    parts = [text[start:end] for start, end in pairwise([*starts, len(text)])]
    visible = "".join(
        characters(codes[offsets]) for codes, offsets in _visible(parts, are_breaks=are_breaks)
    )
    joined = join_broken_words(visible, values_of)
    shown = partial(_visible, parts, are_breaks=are_breaks)
    if joined == visible and all(_close_to_letters(*part) is part[1] for part in shown()):
        return text
    read, start = [], 0
    for codes, offsets in shown():
        span = slice(start, start + len(offsets))
        start += len(offsets)
        closed_up = np.full(len(codes), ord(FILLER), dtype=np.uint32)
        closed_up[_close_to_letters(codes, offsets)] = code_points(joined[span])
        read.append(characters(closed_up))
    return "".join(read)


def _starts_between_letters(text: str) -> list[int]:
    """Where to cut a text: before visible characters, but not before a mark of a letter."""
    starts = [0]
    while starts[-1] + PIECE < len(text):
        for first in range(starts[-1] + PIECE, len(text), PIECE):
            codes = code_points(text[first : first + PIECE])
            kind, role = alphabet(USUAL).kind[codes], forms().role[codes]
            offsets = np.flatnonzero((kind != IGNORED) & (codes != LINE_END) & (role < ORDERED))
            if len(offsets):
                starts.append(first + int(offsets[0]))
                break
        else:
            break
    return starts


def _visible(parts: Sequence[str], *, are_breaks: bool) -> Iterator[tuple[UInt32Array, Int32Array]]:
    """The code points of each part, and the offsets of visible ones: int32, no text has 2^31."""
    for part in parts:
        codes = code_points(part)
        counts = alphabet(USUAL).kind[codes] != IGNORED
        if are_breaks:
            counts[:-1] |= (codes[:-1] == SOFT_HYPHEN) & (codes[1:] == LINE_END)
        yield codes, np.flatnonzero(counts).astype(np.int32)


def _close_to_letters(codes: UInt32Array, offsets: Int32Array) -> Int32Array:
    """The offsets of these characters when no invisible one separates a mark from its letter."""
    continues = forms().role[codes[offsets]] >= ORDERED
    if not continues.any():
        return offsets
    indices = np.arange(len(offsets), dtype=np.int32)
    letter = np.maximum.accumulate(np.where(continues, np.int32(0), indices))
    closer = offsets[letter] + indices - letter
    return offsets if np.array_equal(closer, offsets) else np.asarray(closer)


def _to_be_joined(
    text: str, breaks: Sequence[Break], values_of: Callable[[str], UInt64Array]
) -> BoolArray:
    """Which breaks divide one word, judged by the rest of the text."""
    first = _each([text[line_break.start : line_break.hyphen] for line_break in breaks], values_of)
    second = _each([text[line_break.rest : line_break.end] for line_break in breaks], values_of)
    words = values_of(text)
    whole = _count(words, _each([line_break.word(text) for line_break in breaks], values_of)) > 0
    neighbours, pairs = words[:-1] * PAIR_FACTOR + words[1:], first * PAIR_FACTOR + second
    apart = _count(neighbours, pairs) > _count(pairs, pairs)  # the halves stand side by side
    halves = np.concatenate([first, second])
    elsewhere = _count(words, halves) > _count(halves, halves)
    long = [
        min(line_break.hyphen - line_break.start, line_break.end - line_break.rest) >= TELLING_HALF
        for line_break in breaks
    ]
    have_halves = elsewhere[: len(first)] & elsewhere[len(first) :] & long
    is_whole = whole & ~apart
    broken, hyphenated = np.count_nonzero(is_whole), np.count_nonzero(apart & ~whole)
    usual = broken >= FEWEST_BROKEN and broken > MAJORITY * hyphenated
    return np.asarray(is_whole | (~whole & ~apart & ~have_halves & usual))


def _each(words: list[str], values_of: Callable[[str], UInt64Array]) -> UInt64Array:
    """The value of each string; 0 for those that are not one word, like several ideographs."""
    values = values_of("\n".join(words))
    if len(values) == len(words):
        return values
    of_each = map(values_of, words)
    return np.array([word[0] if len(word) == 1 else 0 for word in of_each], dtype=np.uint64)


def _count(values: UInt64Array, wanted: UInt64Array) -> Int64Array:
    ordered = np.sort(values)
    return np.searchsorted(ordered, wanted, side="right") - np.searchsorted(ordered, wanted)


def _without(text: str, breaks: Sequence[Break]) -> str:
    """The text with characters that do not count instead of these breaks."""
    parts, done = [], 0
    for line_break in breaks:
        parts += [text[done : line_break.hyphen], FILLER * (line_break.rest - line_break.hyphen)]
        done = line_break.rest
    return "".join([*parts, text[done:]])


DROPPED = np.uint64(0)  # no word that occurs has this value
APOSTROPHES = lazy_pattern("['’ʼ＇]")


def vocabulary(settings: ScanSettings) -> Vocabulary | None:
    """The vocabulary for these settings, shared by all threads; None if all words count as is."""
    if not (settings.drop_stop_words or settings.stem):
        return None
    return _vocabulary(
        ScanSettings(
            language=settings.language,
            drop_stop_words=settings.drop_stop_words,
            stem=settings.stem,
            ignore_case=settings.ignore_case,
            keep_punctuation=settings.keep_punctuation,
            keep_digits=settings.keep_digits,
        )
    )


@lru_cache(maxsize=2)
def _vocabulary(settings: ScanSettings) -> Vocabulary:
    return Vocabulary(settings)


@lru_cache(maxsize=2)
def stop_words(language: str) -> frozenset[str]:
    """The stop words of a language as the tokeniser reads them, in folded case."""
    settings = ScanSettings()
    words: set[str] = set()
    for entry in get_stop_words(language):
        # The list is plain data, one word a line: no text is long enough to be cut in pieces.
        codes, bounds, *_ = normalise(code_points(entry), np.array([0, len(entry)]))
        units = find_units(codes, bounds, settings, spans=True)
        if not any(character.isalpha() for character in entry):
            continue
        if len(units.values) == 1 or APOSTROPHES.search(entry):
            words.update(spell_lines(codes, units.spans, alphabet(settings)))
    return frozenset(words)


class Vocabulary:
    """Stems words and drops stop words, as the settings say; thread-safe."""

    def __init__(self, settings: ScanSettings) -> None:
        self._alphabet = alphabet(settings)
        self._folding = alphabet(settings.with_changes(ignore_case=True))
        self._dropped = stop_words(settings.language) if settings.drop_stop_words else frozenset()
        self._stemmer = Stemmer.Stemmer(settings.language, 0) if settings.stem else None
        self._memory = WordMemory()

    def __len__(self) -> int:
        return len(self._memory)

    def translate(self, units: Units, codes: UInt32Array, bounds: Int64Array) -> Units:
        """The units with stems for words and without stop words.

        Args:
            units: Words of normalised texts, with their spans.
            codes: The texts' code points.
            bounds: Text i is `codes[bounds[i]:bounds[i + 1]]`.
        """
        meanings = self._meanings_of(units, codes, bounds)
        return _compressed(units._replace(values=meanings), meanings != DROPPED)

    def without_stop_words(
        self, units: Units, whole: Units, codes: UInt32Array, bounds: Int64Array
    ) -> Units:
        """Beginnings of words, without those of stop words; arguments as for `translate`."""
        return _compressed(units, self._meanings_of(whole, codes, bounds) != DROPPED)

    def _meanings_of(self, units: Units, codes: UInt32Array, bounds: Int64Array) -> UInt64Array:
        """The value that stands for each unit; `DROPPED` for stop words."""
        values, offsets, spans, _ = units
        in_codes = spans + np.repeat(bounds[:-1], np.diff(offsets))[:, None]
        return self._memory.meanings(
            values, lambda new: self._learn(values[new], codes, in_codes[new])
        )

    def _learn(self, values: UInt64Array, codes: UInt32Array, spans: Int64Array) -> UInt64Array:
        """The value that stands for each of these words, which are all different."""
        meanings = values.copy()
        words = spell_lines(codes, spans, self._alphabet)
        if self._stemmer is not None:
            put_stems(meanings, words, self._stemmer)
        if self._dropped:
            folded = spell_lines(codes, spans, self._folding)
            meanings[[word in self._dropped for word in folded]] = DROPPED
        return meanings


def put_stems(values: UInt64Array, words: list[str], stemmer: Stemmer.Stemmer) -> None:
    """Have the values of words that differ from their stems be those of the stems."""
    stems = stemmer.stemWords(words)
    pairs = enumerate(zip(words, stems, strict=True))
    changed = [index for index, (word, stem) in pairs if stem not in ("", word)]
    values[changed] = hash_lines([stems[index] for index in changed])


def _compressed(units: Units, kept: BoolArray) -> Units:
    before = np.concatenate([[0], np.cumsum(kept)])
    return Units(units.values[kept], before[units.offsets].astype(np.int64), units.spans[kept])


PLAIN_WORDS = ScanSettings()
NO_LIMIT = 1 << 62
LONGEST_PIECE = 1 << 24  # characters, normalised


class JoinedTexts(NamedTuple):
    """Texts as a reader sees them, of the same length, in which broken words are joined.

    Attributes:
        texts: The texts that count.
        normal: Their code points in NFKC, where these are known.
    """

    texts: Sequence[str]
    normal: Normalised | None

    @staticmethod
    def of(texts: Sequence[str], most: int = NO_LIMIT) -> JoinedTexts:
        """Read these texts.

        Raises:
            LongTextError: One has more words than `most`.
        """

        def values_of(text: str) -> UInt64Array:
            if len(text) <= PIECE:
                return units_of([text], PLAIN_WORDS).values
            parts = [units.values for units in units_by_piece(text, PLAIN_WORDS, most=most)]
            return np.concatenate(parts)

        read, unseen, broken, _, normal = as_seen(texts)
        for index in broken - unseen:
            read[index] = join_broken_words(read[index], values_of)
        for index in unseen:
            read[index] = join_among_unseen(read[index], values_of)
        is_same = all(map(is_, read, texts))
        return JoinedTexts(read, normal if is_same else None)


def joined_words(texts: Sequence[str]) -> Sequence[str]:
    """The texts of `JoinedTexts.of`, without their code points."""
    return JoinedTexts.of(texts).texts


def units_of(
    texts: Sequence[str],
    settings: ScanSettings,
    *,
    spans: bool = False,
    beginnings: bool = False,
    normal: Normalised | None = None,
) -> Units:
    """The units of several texts, read together.

    Args:
        texts: With broken words joined.
        settings: Decide what a unit is.
        spans: Whether their spans in each text as it is given are wanted.
        beginnings: Whether words are cut as `core.text.tokens.find_units` does; then all have the
            usual weight.
        normal: The code points of the texts in NFKC, where these are known.
    """
    normal = normal or normalise(*joined_codes(texts), sources=spans)
    unspaced = not (beginnings or normal.is_spaced) and has_unspaced(texts, normal.codes, settings)
    units = _units(normal, settings, spans=spans or unspaced, beginnings=beginnings)
    units = _weighed(units, normal, settings) if unspaced else units
    if not spans:
        return units._replace(spans=NOTHING)
    in_texts = units.spans
    if normal.sources is not None:
        in_texts = in_texts + np.repeat(normal.bounds[:-1], np.diff(units.offsets))[:, None]
        starts, ends = normal.sources[in_texts[:, 0], 0], normal.sources[in_texts[:, 1] - 1, 1]
        in_texts = np.stack([starts, ends], axis=1)
    for text, (first, last) in zip(texts, pairwise(units.offsets.tolist()), strict=True):
        if FILLER in text:
            in_texts[first:last, 1] = _beyond_fillers(text, in_texts[first:last, 1])
    return units._replace(spans=in_texts)


def words_of(joined: JoinedTexts, settings: ScanSettings) -> tuple[Units, UInt64Array]:
    """The words of several texts and the beginnings of these, read together.

    Only where the same characters make words of both (see `are_read_at_once`).
    """
    normal = joined.normal or normalise(*joined_codes(joined.texts))
    unspaced = not normal.is_spaced and has_unspaced(joined.texts, normal.codes, settings)
    units, beginnings = find_words(normal.codes, normal.bounds, settings, spans=unspaced)
    return _weighed(units, normal, settings) if unspaced else units, beginnings


@lru_cache(maxsize=8)
def beginning_settings(settings: ScanSettings) -> ScanSettings:
    """The settings that matter where words are cut to their beginnings."""
    return ScanSettings(
        language=settings.language,
        drop_stop_words=settings.drop_stop_words,
        keep_digits=settings.keep_digits,
    )


@lru_cache(maxsize=8)
def whole_word_settings(settings: ScanSettings) -> ScanSettings:
    """These settings where whole words are compared, as in the passages of a pair."""
    return settings.with_changes(unit="word", keep_punctuation=False)


@lru_cache(maxsize=8)
def are_read_at_once(settings: ScanSettings) -> bool:
    """Whether the words that count are those whose beginnings count, and in the same letters."""
    is_plain = settings.unit == "word" and vocabulary(settings) is None
    return is_plain and alphabet(settings) is alphabet(beginning_settings(settings))


def units_by_piece(
    text: str,
    settings: ScanSettings,
    set_aside: Int64Array = NOTHING,
    *,
    most: int = NO_LIMIT,
    spans: bool = False,
    beginnings: bool = False,
) -> Iterator[Units]:
    """The units of a text that count, piece by piece, with a gap between two stretches of them.

    Args:
        text: The text, with broken words joined.
        settings: Decide what a unit is.
        set_aside: The spans that do not count: see `core.text.set_aside.merged`.
        most: How many units there may be.
        spans: See `units_of`.
        beginnings: See `units_of`.

    Raises:
        LongTextError: There are more.
    """
    stretches, count = Stretches(set_aside), 0
    spans = spans or len(set_aside) > 0
    for piece in pieces(text, settings):
        _check_length(text[piece])
        units = units_of([text[piece]], settings, spans=spans, beginnings=beginnings)
        count += len(units.values)
        if count > most:
            raise LongTextError
        yield stretches.of(units._replace(spans=units.spans + piece.start))


def check_pieces(text: str, settings: ScanSettings) -> None:
    """Raise before a text is read that cannot be cut in pieces.

    Raises:
        LongTextError: A piece would be too long.
    """
    for piece in pieces(text, settings):
        _check_length(text[piece])


def _check_length(piece: str) -> None:
    """Raise before an absurdly long word, or row of marks, is normalised."""
    if len(piece) > 2 * PIECE and not piece.isascii():
        starts = range(0, len(piece), PIECE)
        length = sum(longest_form(code_points(piece[start : start + PIECE])) for start in starts)
        if length > LONGEST_PIECE:
            with in_english():  # it is stored
                raise LongTextError(
                    "This text has {characters} characters in a row without white space, which "
                    "grow to {length} in their normal form (NFKC). Such a text is not "
                    "compared: divide its words.",
                    characters=readable_count(len(piece)),
                    length=readable_count(length),
                )


def _beyond_fillers(text: str, ends: Int64Array) -> Int64Array:
    """The ends of units with the characters after them that do not count.

    In the text as it is given, a mark that was moved to its letter is among those characters.
    """
    counting = np.append(np.flatnonzero(code_points(text) != ord(FILLER)), len(text))
    return np.asarray(counting[np.searchsorted(counting, ends)])


def _units(
    normal: Normalised, settings: ScanSettings, *, spans: bool, beginnings: bool = False
) -> Units:
    """The units of normalised texts, stemmed and without stop words if the settings say so."""
    words = vocabulary(settings)
    codes, bounds, traced = normal.codes, normal.bounds, spans or words is not None
    units = find_units(codes, bounds, settings, spans=traced, beginnings=beginnings)
    if words is None:
        return units
    if beginnings:
        whole = find_units(codes, bounds, settings, spans=True)
        return words.without_stop_words(units, whole, codes, bounds)
    return words.translate(units, codes, bounds)


def _weighed(units: Units, normal: Normalised, settings: ScanSettings) -> Units:
    """Units of normalised texts, which have spans, with the weight of each."""
    starts = units.spans[:, 0] + np.repeat(normal.bounds[:-1], np.diff(units.offsets))
    weights = weight_table(settings.unit)[normal.codes[starts]]
    weights[weights == 0] = usual_weight(settings.unit)
    return units._replace(weights=weights)
