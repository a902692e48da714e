"""Cover sheets and headings: text that repeats at the start of documents, and as separate lines.

A cover sheet is a chain of words at the start of several documents, with short parts between them
that differ: a name, a date. It begins within the first words and ends where the document's own text
begins. If the chain continues beyond `MOST_OF_COVER` words, or beyond half of a short text, the
texts are copies of one another and not of a form: then more documents must hold it, twice as many
each time, until it ends; or there is none.

A heading is a line of a few words with empty lines around it, or marked as a heading, that is a
line in several documents.

The words of many texts with their spans, a batch of texts at a time, to find repeated text.

Words are compared without case and punctuation, whatever the settings of the scan: the text that is
set aside does not depend on how shingles are made.

How many documents hold words in a row, and where these are in each.

A gram is so many words in a row. Its key keeps the upper bits of its hash; the lower ones name the
document, so that sorted keys give the number of documents that hold it. Of very many words the keys
are gathered range by range, so the memory in use does not grow with the corpus.

Passages that at least n documents hold, and text of templates, by words in a row.

A passage of at least `LEAST_COMMON` words in a row is common if at least n documents hold each gram
of so many words; copies of a document count separately. Text of a template is text that shares at
least `LEAST_OF_TEMPLATE` words in a row with a template.

Occurrences of phrases in texts: word by word, whatever their case, line breaks and punctuation.

A phrase is looked for by the hash of its first words, at most `ANCHOR`, and then compared in full:
many phrases cost no more than a single one, a search in a sorted table for every word.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import NamedTuple, TypeVar

import numpy as np

from core.base.arrays import BoolArray, Int64Array, UInt64Array, indices_from, starts_of_runs
from core.base.patterns import lazy_pattern
from core.base.tasks import batches, results_of, worker_count
from core.candidates.sorted_keys import distinct, members
from core.evidence.shared_runs import make_grams
from core.exclusions.rules import Phrase
from core.settings import ScanSettings
from core.text.characters import has_long
from core.text.set_aside import Reason, SetAside
from core.text.shingling import tokenise
from core.text.tokenising import joined_words, units_of

WORDS = ScanSettings(unit="word")


class Words(NamedTuple):
    """The words of texts, text after text.

    Attributes:
        numbers: int64, the numbers of these texts.
        values: uint64, a hash of every word.
        offsets: int64, text i has the words `offsets[i]` to `offsets[i + 1]`.
        spans: int64 (words, 2), in code points of the text.
    """

    numbers: Int64Array
    values: UInt64Array
    offsets: Int64Array
    spans: Int64Array

    def grams(self, length: int) -> UInt64Array:
        """The hash of so many words from every word on, even across the end of a text."""
        grams = np.zeros(len(self.values), dtype=np.uint64)
        made = make_grams(self.values, length)
        grams[: len(made)] = made
        return grams

    def rows(self, indices: Int64Array) -> Int64Array:
        """The row of the text of each word, int64."""
        return np.searchsorted(self.offsets, indices, side="right") - 1

    def fit(self, indices: Int64Array, length: int) -> Int64Array:
        """The words, of the given ones, from which on their text has so many words."""
        return indices[indices + length <= self.offsets[self.rows(indices) + 1]]

    def inside(self, length: int) -> Int64Array:
        """The indices from which on a text has so many words, int64, ascending."""
        left = np.repeat(self.offsets[1:], np.diff(self.offsets)) - np.arange(len(self.values))
        return np.flatnonzero(left >= length)


def words_of(texts: Sequence[str], numbers: Int64Array) -> Words:
    """The words of texts; pure, so that threads can share the work."""
    if not has_long(texts):
        units = units_of(joined_words(texts), WORDS, spans=True)
        return Words(numbers, units.values, units.offsets, units.spans)
    parts = [tokenise(text, WORDS) for text in texts]
    counts = [0, *(len(part.values) for part in parts)]
    return Words(
        numbers,
        np.concatenate([part.values for part in parts]),
        np.cumsum(counts),
        np.concatenate([np.stack([part.starts, part.ends], axis=1) for part in parts]),
    )


AT_ONCE = 1 << 25  # words whose keys are held together, about a quarter of a gigabyte


class GramCounts(NamedTuple):
    """Grams that several documents hold.

    Attributes:
        keys: uint64, ascending: the upper bits of their hashes.
        documents: int64, how many documents hold each.
        bits: How many lower bits were cut off.
    """

    keys: UInt64Array
    documents: Int64Array
    bits: np.uint64

    def holds(self, grams: UInt64Array) -> BoolArray:
        """Which hashes are among them."""
        return members(self.keys, grams >> self.bits)

    def counts(self, grams: UInt64Array) -> Int64Array:
        """How many documents hold each hash; 0 for hashes that are not among them."""
        if not len(self.keys):
            return np.zeros(len(grams), dtype=np.int64)
        keys = grams >> self.bits
        index = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
        return np.where(self.keys[index] == keys, self.documents[index], 0)


def count_grams(
    words: Callable[[], Iterable[Words]], length: int, documents: int, total: int, fewest: int
) -> GramCounts:
    """Count the grams that at least so many of the texts hold.

    Args:
        words: Gives the words, batch by batch, each time it is called.
        length: Words in a gram.
        documents: How many texts there are.
        total: About how many words they have.
        fewest: The least number of documents that hold a gram.
    """
    bits = bits_for(documents)
    ranges = max(1, -(-total // AT_ONCE))
    parts = [
        _count_range(words(), length, bits, (number, ranges), fewest) for number in range(ranges)
    ]
    return GramCounts(
        np.concatenate([part.keys for part in parts]),
        np.concatenate([part.documents for part in parts]),
        bits,
    )


def _count_range(
    batches: Iterable[Words], length: int, bits: np.uint64, part: tuple[int, int], fewest: int
) -> GramCounts:
    number, ranges = part
    low, high = (number << 64) // ranges, ((number + 1 << 64) // ranges) - 1
    gathered = [np.empty(0, dtype=np.uint64)]
    for words in batches:
        grams, owners = _grams_in(words, length)
        if ranges > 1:
            chosen = (grams >= np.uint64(low)) & (grams <= np.uint64(high))
            grams, owners = grams[chosen], owners[chosen]
        gathered.append(distinct([(grams >> bits << bits) | owners]))
    keys = distinct(gathered) >> bits
    starts = starts_of_runs(keys)
    counts = np.diff(np.append(starts, len(keys))).astype(np.int64)
    many = counts >= fewest
    return GramCounts(keys[starts[many]], counts[many], bits)


def gram_keys(words: Words, length: int, bits: np.uint64) -> UInt64Array:
    """The keys of the grams of texts, each as often as texts have it.

    Args:
        words: Of texts whose numbers are below 2 to the power of `bits`.
        length: Words in a gram.
        bits: How many lower bits are cut off.
    """
    grams, owners = _grams_in(words, length)
    return distinct([(grams >> bits << bits) | owners]) >> bits


def bits_for(documents: int) -> np.uint64:
    """The number of lower bits of a hash that name a document."""
    return np.uint64(max(documents.bit_length(), 1))


def _grams_in(words: Words, length: int) -> tuple[UInt64Array, UInt64Array]:
    """The grams of texts, and the number of each one's text, both uint64."""
    indices = words.inside(length)
    owners = words.numbers[words.rows(indices)].astype(np.uint64)
    return words.grams(length)[indices], owners


def covered(words: Words, starts: Int64Array, length: int) -> BoolArray:
    """Which words are within `length` words from one of the starts on, all of which fit."""
    change = np.zeros(len(words.values) + 1, dtype=np.int64)
    np.add.at(change, starts, 1)
    np.add.at(change, starts + length, -1)
    return np.cumsum(change[:-1]) > 0


def runs_of(words: Words, chosen: BoolArray) -> Iterator[tuple[int, int, int]]:
    """Runs of chosen words within a text: its row, first word and last word + 1."""
    if not chosen.any():
        return
    breaks = np.zeros(len(chosen), dtype=np.bool_)
    breaks[words.offsets[:-1][words.offsets[:-1] < len(chosen)]] = True
    before = np.append(False, chosen[:-1])
    after = np.append(chosen[1:], False)
    starts = np.flatnonzero(chosen & (~before | breaks))
    ends = np.flatnonzero(chosen & (~after | np.append(breaks[1:], True))) + 1
    rows = words.rows(starts)
    yield from zip(rows.tolist(), starts.tolist(), ends.tolist(), strict=True)


LEAST_COMMON = 10  # words
LEAST_OF_TEMPLATE = 5


ANCHOR = 4  # words


def has_words(text: str) -> bool:
    """Whether a phrase can be found anywhere: whether it has a word."""
    return len(words_in(text)) > 0


def words_in(text: str) -> UInt64Array:
    """The words of a text, by which phrases are found."""
    return words_of([text], np.zeros(1, np.int64)).values


class _Anchor(NamedTuple):
    """Phrases by the hashes, ascending, of their first `length` words, with their numbers."""

    length: int
    hashes: UInt64Array
    numbers: Int64Array


class PhraseIndex:
    """Phrases, to be looked for in any number of texts."""

    def __init__(self, phrases: Sequence[Phrase]) -> None:
        known = [(phrase, words_in(phrase.text)) for phrase in phrases]
        self._phrases = [phrase for phrase, words in known if len(words)]
        self._words = [words for _, words in known if len(words)]
        lengths = np.array([min(len(words), ANCHOR) for words in self._words], dtype=np.int64)
        self._anchors = [
            self._anchor(length, np.flatnonzero(lengths == length))
            for length in range(1, ANCHOR + 1)
            if (lengths == length).any()
        ]

    def _anchor(self, length: int, numbers: Int64Array) -> _Anchor:
        hashes = np.array(
            [make_grams(self._words[number][:length], length)[0] for number in numbers], np.uint64
        )
        order = np.argsort(hashes, kind="stable")
        return _Anchor(length, hashes[order], numbers[order])

    def find(self, words: Words) -> Iterator[tuple[int, SetAside]]:
        """Each occurrence of each phrase: the number of the text, and the span."""
        for anchor in self._anchors:
            grams = words.grams(anchor.length)
            first = np.searchsorted(anchor.hashes, grams)
            anchors = np.minimum(first, len(anchor.hashes) - 1)
            starts = words.fit(np.flatnonzero(anchor.hashes[anchors] == grams), anchor.length)
            for start in starts.tolist():
                yield from self._at(words, start, anchor, int(first[start]), grams[start])

    def _at(
        self, words: Words, index: int, anchor: _Anchor, first: int, gram: np.uint64
    ) -> Iterator[tuple[int, SetAside]]:
        """The phrases with these first words that continue like the text."""
        row = int(words.rows(np.array([index]))[0])
        end = int(words.offsets[row + 1])
        while first < len(anchor.hashes) and anchor.hashes[first] == gram:
            number = int(anchor.numbers[first])
            wanted, first = self._words[number], first + 1
            stop = index + len(wanted)
            if stop <= end and np.array_equal(words.values[index:stop], wanted):
                start, last = int(words.spans[index, 0]), int(words.spans[stop - 1, 1])
                yield int(words.numbers[row]), SetAside(start, last, self._phrases[number].reason)


Made = TypeVar("Made")

KEPT_CHARACTERS = 1 << 24  # of texts whose words are kept for the next finder
LETTERS_OF_WORD = 5  # on average, with the space


class Texts:
    """Texts to search."""

    def __init__(self, texts: Sequence[str], lengths: Int64Array, pool: ThreadPoolExecutor) -> None:
        """`lengths` are int64, in code points."""
        self.lengths = lengths
        self._texts, self._pool = texts, pool
        self._kept: list[Words] | None = None

    def __len__(self) -> int:
        return len(self.lengths)

    @property
    def word_count(self) -> int:
        """About how many words all texts have."""
        return int(self.lengths.sum()) // LETTERS_OF_WORD

    def all_words(self) -> Iterable[Words]:
        """The words of all texts; they are kept if the texts are not long."""
        if int(self.lengths.sum()) > KEPT_CHARACTERS:
            return self.words(range(len(self)))
        if self._kept is None:
            self._kept = list(self.words(range(len(self))))
        return self._kept

    def words(self, numbers: Collection[int]) -> Iterator[Words]:
        """The words of these texts."""
        return self._run(lambda part: words_of(self._read(part), part), numbers)

    def each(
        self, work: Callable[[str], Made], numbers: Collection[int]
    ) -> Iterator[tuple[int, Made]]:
        """The result of `work` for each of these texts, with its number."""

        def done(part: Int64Array) -> list[tuple[int, Made]]:
            return list(zip(part.tolist(), map(work, self._read(part)), strict=True))

        for made in self._run(done, numbers):
            yield from made

    def _read(self, numbers: Int64Array) -> list[str]:
        return [self._texts[number] for number in numbers.tolist()]

    def _run(self, work: Callable[[Int64Array], Made], numbers: Collection[int]) -> Iterator[Made]:
        ordered = np.array(sorted(numbers), dtype=np.int64)
        parts = (ordered[part] for part in batches(self.lengths[ordered].tolist()))
        tasks = (self._pool.submit(work, part) for part in parts)
        yield from results_of(tasks, 2 * worker_count())


def shared_spans(
    texts: Texts, grams: GramCounts, length: int, reason: Reason
) -> Iterator[tuple[int, SetAside]]:
    """The stretches of texts that consist of these grams of `length` words.

    Returns:
        The number of the text, and the span.
    """
    for words in texts.all_words():
        indices = words.inside(length)
        indices = indices[grams.holds(words.grams(length)[indices])]
        for row, first, end in runs_of(words, covered(words, indices, length)):
            start, stop = int(words.spans[first, 0]), int(words.spans[end - 1, 1])
            yield int(words.numbers[row]), SetAside(start, stop, reason)


ZONE = 400  # words from the start that are examined
MOST_OF_COVER = 250  # words of a cover sheet
COVER_WORDS = 4  # in a row that repeat
MOST_BEFORE = 60  # words before the first part that repeats
MOST_BETWEEN = 15  # words between two parts
LEAST_OF_COVER = 10  # words that repeat
LEAST_SHARE = 0.5  # of the words from the first that repeats to the last
FEWEST = 3  # documents
SHARE = 0.05  # of all documents
LONGEST_HEADING = 80  # characters
MOST_WORDS = 10  # of a heading
MARK = lazy_pattern(r"[ \t\f]*(?:#{1,6}[ \t]+)?")
UNDERLINE = lazy_pattern(r"\s*[-=~^]{3,}\s*\Z")
NO_TITLE = tuple(">|*+-")  # a quotation, a table, an item of a list
NO_WORD = lazy_pattern(r"[^\w\s]+")
NUMBER = lazy_pattern(r"^(?:[\dIVX]+\s+)+", re.IGNORECASE)
NO_HEADING = lazy_pattern(r"[.。！!?？;,…]\s*$")


class Line(NamedTuple):
    """A line that may be a heading: its folded words, and its span."""

    words: str
    start: int
    end: int


class Repeats(NamedTuple):
    """Text that several documents hold.

    Attributes:
        fewest: The least number of documents.
        grams: Of `COVER_WORDS` words, at the start.
        headings: As folded lines.
    """

    fewest: int
    grams: GramCounts
    headings: Collection[str]


def fewest_documents(documents: int) -> int:
    """The least number of documents that hold repeated text."""
    return max(FEWEST, round(SHARE * documents))


def starts_of(words: Words) -> Words:
    """The words of the starts of texts."""
    counts = np.minimum(np.diff(words.offsets), ZONE)
    offsets = np.concatenate([[0], np.cumsum(counts)])
    indices = indices_from(words.offsets[:-1], counts)
    return Words(words.numbers, words.values[indices], offsets, words.spans[indices])


def repeated_spans(
    starts: Iterable[Words], lines: Iterable[tuple[int, Sequence[Line]]], repeats: Repeats
) -> Iterator[tuple[int, SetAside]]:
    """The cover sheets of texts, and their headings outside of cover sheets.

    Args:
        starts: Of the texts.
        lines: The lines that may be headings, by number of the text.
        repeats: The repeated text.

    Returns:
        The number of the text, and the span.
    """
    covers = {
        number: span
        for words in starts
        for number, span in cover_sheets(words, repeats.grams, repeats.fewest)
    }
    yield from covers.items()
    for number, heading_lines in lines:
        for line in heading_lines:
            is_within = number in covers and line.end <= covers[number].end
            if line.words in repeats.headings and not is_within:
                yield number, SetAside(line.start, line.end, Reason.REPEATED)


def cover_sheets(starts: Words, grams: GramCounts, fewest: int) -> Iterator[tuple[int, SetAside]]:
    """The cover sheets of texts, given their starts: the number of the text, and the span."""
    indices = starts.inside(COVER_WORDS)
    counts = np.zeros(len(starts.values), dtype=np.int64)
    counts[indices] = grams.counts(starts.grams(COVER_WORDS)[indices])
    for row, (first, last) in enumerate(pairwise(starts.offsets.tolist())):
        stop = _end_of_cover(counts[first:last], fewest)
        if stop:
            begin, end = int(starts.spans[first, 0]), int(starts.spans[first + stop - 1, 1])
            yield int(starts.numbers[row]), SetAside(begin, end, Reason.REPEATED)


def _end_of_cover(counts: Int64Array, fewest: int) -> int:
    """How many words from the start of a text are its cover sheet.

    Args:
        counts: int64, how many documents hold the gram that begins with each word.
        fewest: The least number of documents that must hold it.
    """
    most = int(counts.max(initial=0))
    while fewest <= most:
        first, end, repeated = _chain(np.flatnonzero(counts >= fewest))
        if end <= min(MOST_OF_COVER, len(counts) // 2):
            is_cover = repeated >= max(LEAST_OF_COVER, LEAST_SHARE * (end - first))
            return end if is_cover else 0
        fewest *= 2
    return 0


def _chain(starts: Int64Array) -> tuple[int, int, int]:
    """Repeated parts that follow one another: their start, their end, how many words repeat."""
    if not len(starts) or starts[0] > MOST_BEFORE:
        return 0, 0, 0
    breaks = np.flatnonzero(np.diff(starts) > MOST_BETWEEN + COVER_WORDS)
    starts = starts[: breaks[0] + 1] if len(breaks) else starts
    new = np.minimum(np.diff(starts, prepend=starts[0] - COVER_WORDS), COVER_WORDS)
    return int(starts[0]), int(starts[-1]) + COVER_WORDS, int(new.sum())


def headings_of(text: str) -> list[Line]:
    """The lines of a text that may be headings."""
    return list(_headings(text))


def _headings(text: str) -> Iterator[Line]:
    lines, start, is_free = text.split("\n"), 0, True
    for number, line in enumerate(lines):
        after = lines[number + 1] if number + 1 < len(lines) else ""
        is_page = line.startswith("\f")
        if (
            (is_free or is_page)
            and 0 < len(line) <= LONGEST_HEADING
            and (not after.strip() or after.startswith("\f") or UNDERLINE.match(after))
        ):
            yield from _heading(line, start)
        is_free, start = not line.strip(), start + len(line) + 1


def _heading(line: str, start: int) -> Iterator[Line]:
    mark = MARK.match(line)
    first = mark.end() if mark else 0
    title = line[first:].rstrip()
    words = NUMBER.sub("", NO_WORD.sub(" ", title).strip().casefold()).split()
    if (
        0 < len(words) <= MOST_WORDS
        and not title.startswith(NO_TITLE)
        and not NO_HEADING.search(title)
    ):
        yield Line(" ".join(words), start + first, start + first + len(title))
