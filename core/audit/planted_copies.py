"""Edited copies of a folder's own documents, planted in memory and searched for.

Edits that people make to a text they copy: words changed, paragraphs moved, a page pasted.

Words are found by the engine's classes of characters, so a script without spaces is edited
character by character, and nothing depends on a language: new words are words of the same folder.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, islice
from typing import NamedTuple

import numpy as np

from core.audit.search import (
    AuditSearch,
    ExactComparison,
    ExactPairs,
    chances,
    measured_ranges,
    remedies,
)
from core.base.arrays import BoolArray, Int64Array, UInt8Array
from core.base.patterns import lazy_pattern
from core.base.tasks import stop_if_cancelled
from core.evidence.pairs import FoundBy, pair_codes
from core.scan.audit_results import Edit, EditRecall, MeasuredRange, MissedCopy, Planting, Remedy
from core.settings import ScanSettings
from core.text.characters import ALONE, IGNORED, LETTER, MARK, alphabet, code_points
from core.text.set_aside import merged
from core.text.store import TextStore

WORDS = ScanSettings()  # whatever is compared, edits are made to words
PAGE_WORDS = 300
PAGE_CHARACTERS = 500  # of a script without spaces
WORDS_OF_A_TEXT = 200  # that enter the vocabulary
PIECE_WORDS = 60  # of a text without paragraphs
FEWEST_PIECES = 3
SHORTEST_PARAGRAPH = 100  # characters on average; shorter ones are broken lines
TRIES = 8
SENTENCE_END = lazy_pattern(r"(?<=[.!?;。！？；।؟])\s*|\n+")
DELETE, INSERT = 2, 3  # of four ways to change a word; the other two replace it


class Words(NamedTuple):
    """The words of a text: start and end of each in code points, and whether it is alone.

    A word that is alone is a letter of a script without spaces.
    """

    starts: Int64Array
    ends: Int64Array
    alone: BoolArray


def words_of(text: str) -> Words:
    """The words of a text without normalising, whatever its script."""
    kind = alphabet(WORDS).kind[code_points(text)]
    alone = kind == ALONE
    goes_on = (kind == LETTER) | (kind == MARK) | (kind == IGNORED)
    begins = alone | ((kind == LETTER) & ~np.concatenate([[False], goes_on[:-1]])[: len(kind)])
    starts = np.flatnonzero(begins)
    breaks = np.append(np.flatnonzero(begins | ~goes_on), len(kind))
    ends = breaks[np.searchsorted(breaks, starts, side="right")]
    return Words(starts, ends, alone[starts])


class EditWords:
    """Words of a folder, as often as they occur, to replace others.

    A letter that is alone is replaced by such a letter, and a word by a word.
    """

    def __init__(self, texts: Sequence[str], rng: np.random.Generator) -> None:
        self._words: dict[bool, list[str]] = {False: [], True: []}
        for text in texts:
            words = words_of(text)
            count = len(words.starts)
            for index in rng.integers(0, max(1, count), min(count, WORDS_OF_A_TEXT)):
                word = text[words.starts[index] : words.ends[index]]
                self._words[bool(words.alone[index])].append(word)

    def other(self, word: str, draw: float, *, alone: bool) -> str:
        """The word at this fraction of the list, or the first after it that differs; else empty.

        Words that differ by case only are the same.
        """
        words = self._words[alone]
        first = int(draw * len(words))
        nearby = islice(chain(words[first : first + TRIES], words), TRIES)
        return next(
            (candidate for candidate in nearby if candidate.casefold() != word.casefold()), ""
        )


def change_words(text: str, share: float, edit_words: EditWords, rng: np.random.Generator) -> str:
    """The text with this share of its words changed, rounded to whole words.

    Half of these are replaced, a quarter is deleted, and after a quarter a word is inserted.
    """
    words = words_of(text)
    count = round(share * len(words.starts))
    indices = np.sort(rng.choice(len(words.starts), count, replace=False))
    columns = (words.starts[indices], words.ends[indices], words.alone[indices])
    ways, draws = rng.integers(0, 4, count), rng.random(count)
    parts = []
    copied = 0
    for start, end, alone, way, draw in zip(
        *(column.tolist() for column in (*columns, ways, draws)), strict=True
    ):
        replacement = edit_words.other(text[start:end], draw, alone=alone)
        if way == INSERT and replacement:
            parts += [text[copied:end], "" if alone else " ", replacement]
        else:
            parts += [text[copied:start], "" if way == DELETE else replacement]
        copied = end
    return "".join([*parts, text[copied:]])


def shuffle_paragraphs(text: str, rng: np.random.Generator) -> str:
    """The text with its paragraphs in another order, or pieces of 60 words if it has none."""
    pieces, between = _pieces(text)
    order = rng.permutation(len(pieces))
    if (order == np.arange(len(order))).all():
        order = order[::-1]
    return between.join(pieces[index] for index in order)


def move_sentences(text: str, rng: np.random.Generator) -> str:
    """The text with its sentences in another order; a single sentence stays as it is."""
    sentences = [sentence for sentence in SENTENCE_END.split(text) if sentence.strip()]
    return " ".join(sentences[index] for index in rng.permutation(len(sentences)))


def _pieces(text: str) -> tuple[list[str], str]:
    for between in ("\n\n", "\n"):
        pieces = [piece for piece in text.split(between) if piece.strip()]
        enough = len(pieces) >= FEWEST_PIECES
        if enough and sum(map(len, pieces)) >= SHORTEST_PARAGRAPH * len(pieces):
            return pieces, between
    starts = words_of(text).starts
    length = max(1, min(PIECE_WORDS, len(starts) // 4))
    cuts = starts[length::length].tolist()
    return [text[start:end] for start, end in zip([0, *cuts], [*cuts, None], strict=True)], " "


def paste_page(host: str, source: str, rng: np.random.Generator) -> str:
    """The host with about a page of the source in it, as separate paragraphs between two words.

    A page has 300 words, or 500 characters of a script without spaces; a shorter source is pasted
    completely.
    """
    words = words_of(source)
    page = PAGE_CHARACTERS if words.alone.mean() > 0.5 else PAGE_WORDS
    length = min(page, len(words.starts))
    first = int(rng.integers(0, len(words.starts) - length + 1))
    pasted = source[words.starts[first] : words.ends[first + length - 1]]
    gaps = np.append(words_of(host).starts, len(host))
    gap = int(gaps[rng.integers(0, len(gaps))])
    return f"{host[:gap]}\n\n{pasted}\n\n{host[gap:]}"


# Copies of each kind: if all are found, the interval begins at 99 %; if half are, it is 10 % wide.
# Fewer if the sources are so long that their copies would take more than these characters.
PLANTED = 400
PLANTED_CHARACTERS = 6_000_000
COPIES_OF_ONE = 10  # of each kind, in a folder with few documents
FEWEST_WORDS = 20  # of a source, of which a tenth is two words
VOCABULARY_TEXTS = 500
LONG = 0.9  # a page is pasted into one of the longest tenth of the documents
LONGEST_HOST = 50_000  # characters, some twenty pages; of longer ones there would be too few


class PlantedTexts(NamedTuple):
    """Planted texts with the number of the document and the kind of edit of each."""

    texts: list[str]
    sources: Int64Array
    edits: list[Edit]


def plant(texts: TextStore, seed: int, *, count: int = PLANTED) -> PlantedTexts:
    """Edited copies of texts drawn at random; the same seed makes the same copies.

    Args:
        texts: The texts of all documents.
        seed: Decides which documents and which edits.
        count: How many copies of each kind to make at most.
    """
    planted = PlantedTexts([], np.empty(0, dtype=np.int64), [])
    if not len(texts):
        return planted
    rng = np.random.default_rng([seed, len(Edit)])
    drawn = rng.choice(len(texts), min(len(texts), VOCABULARY_TEXTS), replace=False)
    edit_words = EditWords([counted_text(texts, number) for number in drawn.tolist()], rng)
    long = _long(texts.lengths)
    sources = []
    for number, edit in enumerate(Edit):
        rng = np.random.default_rng([seed, number])
        for source, host in _draw(texts, long, count, rng, needs_host=edit is Edit.PASTED):
            stop_if_cancelled()
            counted = counted_text(texts, source), counted_text(texts, host)
            planted.texts.append(_edited(edit, *counted, edit_words, rng))
            planted.edits.append(edit)
            sources.append(source)
    return planted._replace(sources=np.array(sources, dtype=np.int64))


def counted_text(texts: TextStore, number: int) -> str:
    """The part of a text that counts: text set aside would be set aside in a copy, too."""
    text, start, parts = texts[number], 0, list[str]()
    for begin, end in merged(texts.set_aside.get(number, ())).tolist():
        parts.append(text[start:begin])
        start = end
    return " ".join([*parts, text[start:]])


def _long(lengths: Int64Array) -> Int64Array:
    """The documents into which a page is pasted."""
    fit = np.flatnonzero(lengths <= max(LONGEST_HOST, lengths.min()))
    return np.compress(lengths[fit] >= np.quantile(lengths[fit], LONG), fit)


def _draw(
    texts: TextStore, long: Int64Array, count: int, rng: np.random.Generator, *, needs_host: bool
) -> Iterator[tuple[int, int]]:
    """Random sources, each with a long host; every document once before any twice."""
    drawn = characters = 0
    for turn in range(COPIES_OF_ONE):
        for source in rng.permutation(len(texts)).tolist():
            if drawn >= count or (drawn and characters >= PLANTED_CHARACTERS):
                return
            host = int(rng.choice(long))
            if (needs_host and host == source) or len(
                words_of(counted_text(texts, source)).starts
            ) < FEWEST_WORDS:
                continue
            yield source, host
            drawn += 1
            characters += int(texts.lengths[host if needs_host else source])
        if turn == 0 and not drawn:
            return


def _edited(
    edit: Edit, source: str, host: str, edit_words: EditWords, rng: np.random.Generator
) -> str:
    if edit is Edit.PASTED:
        return paste_page(host, source, rng)
    if edit is Edit.SHUFFLED:
        return shuffle_paragraphs(source, rng)
    return change_words(source, edit.share, edit_words, rng)


def measure_recall(
    texts: TextStore, planted: PlantedTexts, search: AuditSearch, alone: AuditSearch
) -> tuple[Planting, tuple[MeasuredRange, ...], tuple[Remedy, ...]]:
    """How many of the planted texts the search lists with their sources.

    Args:
        texts: The texts of all documents.
        planted: The planted texts.
        search: The search of the texts followed by the planted ones.
        alone: The search of the texts alone.

    Returns:
        The measurement, which copies the signatures found, and settings that would miss fewer.
    """
    settings = search.settings
    exact = _exact(texts, planted, settings)
    # Of a source with over 30 copies, the list holds the first.
    first = search.representatives()[planted.sources]
    inside = np.arange(len(planted.texts), dtype=np.int64) + len(texts)
    ways = np.maximum(
        search.found_by(pair_codes(planted.sources, inside)),
        search.found_by(pair_codes(first, inside)),
    )
    kinds = np.array([list(Edit).index(edit) for edit in planted.edits], dtype=np.int64)
    recalls = tuple(
        _recall(edit, exact.take(kinds == number), ways[kinds == number], settings)
        for number, edit in enumerate(Edit)
    )
    # Copies with the same words need no signatures.
    wanted = exact.wanted(settings) & ((ways & FoundBy.EXACT) == 0)
    by_bands = (ways & FoundBy.LSH) > 0
    by_chance = wanted & ((ways & np.uint8(~FoundBy.LSH & 0xFF)) == 0)
    missing = int((ways[by_chance] == 0).sum())
    return (
        Planting(
            len(set(planted.sources.tolist())),
            recalls,
            _missed(planted, exact, wanted & (ways == 0)),
        ),
        measured_ranges(exact.resemblance[wanted], by_bands[wanted], settings),
        remedies(search, alone, first[by_chance], inside[by_chance], missing),
    )


def _exact(texts: TextStore, planted: PlantedTexts, settings: ScanSettings) -> ExactPairs:
    """The exact numbers of each copy and its source."""
    chosen = sorted(set(planted.sources.tolist()))
    row_of = {source: number for number, source in enumerate(chosen)}
    store, rows = TextStore(), np.array(chosen, dtype=np.int64)
    store.adopt(texts.arranged(rows), texts.lengths[rows])
    store.extend(planted.texts)
    x = np.array([row_of[source] for source in planted.sources.tolist()], dtype=np.int64)
    y = np.arange(len(planted.texts), dtype=np.int64) + len(chosen)
    return ExactComparison(store, settings).measure(x, y)


def _missed(planted: PlantedTexts, exact: ExactPairs, which: BoolArray) -> tuple[MissedCopy, ...]:
    """These copies, most similar first."""
    rows = np.flatnonzero(which)
    rows = rows[np.argsort(-exact.resemblance[rows], kind="stable")]
    return tuple(
        MissedCopy(int(planted.sources[row]), planted.edits[row], float(exact.resemblance[row]))
        for row in rows.tolist()
    )


def _recall(edit: Edit, exact: ExactPairs, ways: UInt8Array, settings: ScanSettings) -> EditRecall:
    if not len(ways):
        return EditRecall(edit, 0, (0.0, 0.0, 0.0), 0, 0, None, 0, 0, 0)
    wanted = exact.wanted(settings)
    # A reworked passage also lists copies that need not be listed, which have no recall.
    listed = (ways > 0) & wanted
    chance = chances(exact.resemblance, settings)
    # A copy with the same words, as of a text whose paragraphs are all equal, needs no band.
    same = (ways & FoundBy.EXACT) > 0
    by_bands = ((ways & FoundBy.LSH) > 0) | same
    by_passages = (ways & FoundBy.PASSAGE) > 0
    low, middle, high = np.quantile(exact.resemblance, [0, 0.5, 1]).tolist()
    return EditRecall(
        edit,
        planted=len(ways),
        resemblance=(low, middle, high),
        wanted=int(wanted.sum()),
        listed=int(listed.sum()),
        expected=None if chance is None else float(chance[wanted].sum()),
        by_bands=int(by_bands.sum()),
        by_passages=int(by_passages.sum()),
        both=int((by_bands & by_passages).sum()),
    )
