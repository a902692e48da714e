"""The shared passages of one pair of documents, as spans.

1. Runs: maximal stretches that are word for word the same (`core.evidence.shared_runs`).
2. Chains: runs that follow each other in both texts, with gaps of a few dozen words at most, are
   joined if their length outweighs the gap (`core.evidence.shared_runs`).
3. Chance: text that two texts of this length, with words as common as theirs, would share anyway is
   left out (`core.evidence.shared_words`).
4. Passages: significant chains, best first, as long as they show text of at least one of the
   documents that no passage before them has shown; so moved and repeated text is found and nothing
   is numbered twice (`core.evidence.shared_words`).

It makes no difference which text is called A: the two are compared in an order that their contents
decide, and A and B are exchanged in the passages if that is not the order of the pair.

Words are compared with the settings of the scan; scripts without spaces count characters. The time
is nearly linear in the length of both texts, whatever they say.

Joins reworked passages and passages that are word for word the same.

A chain of runs (`core.evidence.shared_words`) counts if it would list the pair (a run that is
long enough) or is most of a short text; other words in common, a few at a time, are chance. It
belongs to a reworked passage if at least half of one of the two is within the other, in both texts;
the passage then reaches to the ends of both. All others keep their measured bounds, so that their
words are those that the list counts.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property, lru_cache
from typing import NamedTuple

import numpy as np

from core.base.arrays import BoolArray, Float32Array, Int64Array, UInt8Array
from core.base.tasks import left_when_cancelled, stop_if_cancelled
from core.evidence import passage_words
from core.evidence.passage import ChanceThreshold, Exchange, Passage, Run, SharedText
from core.evidence.reworked_store import least_bits, reworked_passages
from core.evidence.shared_words import (
    NO_SPANS,
    SECOND_GAP,
    PassageCriteria,
    compare_texts,
    find_chains,
    overlap_of,
    significant_chains,
)
from core.evidence.word_model import RandomPairs, WordModel
from core.settings import ScanSettings, Unit
from core.text.characters import ALONE, alphabet, code_points, has_long
from core.text.languages import STEMMERS, detect, stemmed
from core.text.set_aside import GAP, SetAside, merged
from core.text.shingling import Tokens, spanned_beginnings, tokenise, weights_of_parts
from core.text.tokenising import whole_word_settings

NUMBER = np.uint64(0x6A09E667F3BCC909)  # the value of all numbers, which count as alike


class PairText:
    """A text of a pair.

    Attributes:
        text: The text.
        values: uint64, its words as the settings compare them; `GAP` where text is set aside.
        starts: int64, where each begins, in code points.
        ends: int64, where each ends.
        tokens: All of these, and the weight of each word.
    """

    def __init__(
        self,
        text: str,
        settings: ScanSettings,
        set_aside: Sequence[SetAside] = (),
        language: str | None = None,
    ) -> None:
        self.text = text
        self._settings = whole_word_settings(settings)
        self._set_aside = set_aside
        self._gaps = merged(set_aside)
        self._language = language
        self._words: dict[str, passage_words.Words] = {}
        self.tokens = tokenise(text, self._settings, self._gaps)
        self.values, self.starts, self.ends, _ = self.tokens

    @property
    def as_second(self) -> PairText:
        """This text as the second of a pair: its gaps match none of the first."""
        return self._with_second_gaps or self

    @cached_property
    def _with_second_gaps(self) -> PairText | None:
        """None without text set aside: a text that refers to itself would outlive its pair."""
        gaps = self.values == GAP
        if not gaps.any():
            return None
        second = PairText(self.text, self._settings, self._set_aside, self._language)
        second.values = np.where(gaps, SECOND_GAP, self.values)
        return second

    @cached_property
    def language(self) -> str:
        """The given language, or the detected one; empty if it is not known."""
        return detect(self.text) if self._language is None else self._language

    @cached_property
    def beginnings(self) -> Tokens:
        """Its words as they are compared for reworked passages."""
        return spanned_beginnings(self.text, self._settings, self._gaps)

    @cached_property
    def alone(self) -> Int64Array:
        """How many of its words before each index are letters of a script without spaces."""
        counts = np.zeros(len(self.starts) + 1, dtype=np.int64)
        np.cumsum(self._kinds(self._settings) == ALONE, out=counts[1:])
        return counts

    def unit(self, first: int, end: int) -> Unit:
        """The unit of most words of a stretch."""
        return _unit(self.alone[end] - self.alone[first], end - first)

    def unit_with(self, other: PairText) -> Unit:
        """The unit of most words of two texts."""
        alone = self.alone[-1] + other.alone[-1]
        return _unit(alone, len(self.values) + len(other.values))

    def words(self, language: str) -> passage_words.Words:
        """Its words, to compare them with those of another text in the same language.

        Forms of a word have the same stem, or the same beginning if there are no stems.
        """
        if language not in self._words:
            self._words[language] = self._words_in(language)
        return self._words[language]

    def _words_in(self, language: str) -> passage_words.Words:
        if language in STEMMERS and not self._settings.stem:
            forms = stemmed(self.text, self.tokens, language)
        else:
            beginnings = self.beginnings
            at = np.minimum(
                np.searchsorted(beginnings.starts, self.starts), len(beginnings.starts) - 1
            )
            known = beginnings.starts[at] == self.starts
            forms = np.where(known, beginnings.values[at], self.values)
        forms = np.where(self.tokens.values == GAP, self.values, forms)
        is_number = self._kinds(self._settings) != self._kinds(_without_digits(self._settings))
        letters = np.minimum(self.ends - self.starts, passage_words.HEAVIEST).astype(np.uint8)
        return passage_words.Words(self.values, forms, np.where(is_number, NUMBER, forms), letters)

    def _kinds(self, settings: ScanSettings) -> UInt8Array:
        """The class of the first letter of each word by the settings."""
        kinds: UInt8Array = alphabet(settings).kind[code_points(self.text)[self.starts]]
        return kinds


@lru_cache(maxsize=8)
def _without_digits(settings: ScanSettings) -> ScanSettings:
    return settings.with_changes(keep_digits=False)


def _unit(alone: int, words: int) -> Unit:
    return "char" if 2 * alone > words else "word"


def comparable_words(a: PairText, b: PairText) -> tuple[passage_words.Words, passage_words.Words]:
    """The words of two texts: by their stems if both are in a language that has them."""
    language = a.language
    if language and language != b.language:
        language = ""
    return a.words(language), b.words(language)


WITHIN = 0.5
NO_RUNS = np.empty((0, 3), dtype=np.int64)


class UncomparedPassage(NamedTuple):
    """A passage before its words are compared.

    Attributes:
        box: int64 (4), its first word and end in A, the same in B.
        bits: Of the strongest reworked passage in it; 0 if there is none.
        chain: int64 (n, 3), the runs it is made of; none if it is reworked.
        chance: How often unrelated documents reach its score, in words; empty if not known.
    """

    box: Int64Array
    bits: float
    chain: Int64Array
    chance: str = ""


class ReworkedSpans(NamedTuple):
    """The reworked passages of a pair.

    Attributes:
        spans: int64 (n, 6), first word and end in A, the same in B, words that match in A, in B.
        bits: float32, the score of each.
        chance: How often unrelated documents reach such a score, in words.
    """

    spans: Int64Array
    bits: Float32Array
    chance: list[str]

    @staticmethod
    def none() -> ReworkedSpans:
        """No reworked passages: none are looked for."""
        return ReworkedSpans(NO_SPANS, np.empty(0, dtype=np.float32), [])


def unite(reworked: ReworkedSpans, chains: list[Int64Array]) -> list[UncomparedPassage]:
    """All passages of a pair, in no order.

    Args:
        reworked: The reworked passages.
        chains: Chains of runs that are passages by themselves, int64 (runs, 3) each.
    """
    boxes, owners = reworked.spans[:, :4].copy(), np.arange(len(reworked.spans))
    chain_boxes = np.array([box_of(chain) for chain in chains], dtype=np.int64).reshape(-1, 4)
    is_alone = _join(boxes, owners, chain_boxes)
    alone = [
        UncomparedPassage(chain_boxes[chain], 0.0, chains[chain])
        for chain in np.flatnonzero(is_alone)
    ]
    order = np.lexsort((-reworked.bits, owners))
    firsts = order[np.append(True, np.diff(owners[order]) > 0)[: len(order)]]
    passages = [
        UncomparedPassage(boxes[best], float(reworked.bits[best]), NO_RUNS, reworked.chance[best])
        for best in firsts.tolist()
    ]
    return passages + alone


def box_of(chain: Int64Array) -> Int64Array:
    """The first word and the end of a chain, in A and in B."""
    (first_a, first_b, _), (last_a, last_b, words) = chain[0].tolist(), chain[-1].tolist()
    return np.array([first_a, last_a + words, first_b, last_b + words])


def _join(boxes: Int64Array, owners: Int64Array, chains: Int64Array) -> BoolArray:
    """Join boxes of chains to boxes that hold half of them, or are half held, in both texts.

    Boxes that a chain joins get the same owner and the same extent. Returns which chains are joined
    to no box.
    """
    is_alone = np.ones(len(chains), dtype=np.bool_)
    starts, ends = boxes[:, ::2], boxes[:, 1::2]
    for number, (start, end) in enumerate(zip(chains[:, ::2], chains[:, 1::2], strict=True)):
        common = np.minimum(ends, end) - np.maximum(starts, start)
        holds = (common >= np.maximum(1, WITHIN * (end - start))).all(axis=1)
        is_held = (common >= np.maximum(1, WITHIN * (ends - starts))).all(axis=1)
        near = np.flatnonzero(holds | is_held)
        if len(near):
            is_alone[number] = False
            joined = np.isin(owners, owners[near])
            starts[joined] = np.minimum(start, starts[near].min(axis=0))
            ends[joined] = np.maximum(end, ends[near].max(axis=0))
            owners[joined] = owners[near[0]]
    return is_alone


def make_passage(
    a: PairText, b: PairText, uncompared: UncomparedPassage, words: passage_words.ComparedWords
) -> Passage:
    """A passage of two texts with its classified words."""
    first_a, end_a, first_b, end_b = uncompared.box.tolist()
    same = words.same
    exchanges = itertools.chain(
        (Exchange(*span, True) for span in _spans(a, b, words.near, 1)),
        (Exchange(*span) for span in _spans(a, b, words.exchanged, words.exchanged[:, 2])),
    )
    spans = _spans(a, b, same, same[:, 2])
    counts = same[:, 2].tolist()
    return Passage(
        int(a.starts[first_a]),
        int(a.ends[end_a - 1]),
        int(b.starts[first_b]),
        int(b.ends[end_b - 1]),
        sum(counts),
        tuple(Run(*span, count) for span, count in zip(spans, counts, strict=True)),
        bits=uncompared.bits,
        a_tokens=end_a - first_a,
        b_tokens=end_b - first_b,
        unit=a.unit(first_a, end_a),
        near=len(words.near),
        exchanged=int(words.exchanged[:, 2].sum()),
        moved_words=int(same[words.moved, 2].sum()),
        exchanges=tuple(sorted(exchanges)),
        chance=uncompared.chance,
    )


def _spans(
    a: PairText, b: PairText, runs: Int64Array, words: Int64Array | int
) -> list[tuple[int, int, int, int]]:
    """The code points of stretches of so many words: start and end in A, the same in B."""
    last_a, last_b = runs[:, 0] + words - 1, runs[:, 1] + words - 1
    columns = (a.starts[runs[:, 0]], a.ends[last_a], b.starts[runs[:, 1]], b.ends[last_b])
    return list(zip(*(column.tolist() for column in columns), strict=True))


def find_reworked(a: PairText, b: PairText, folder: WordModel | None) -> ReworkedSpans:
    """The reworked passages of two texts that have enough bits to be shown.

    Args:
        a: A text.
        b: Another text.
        folder: The model of the words of the folder; None for a model of these two texts.
    """
    words_a = a.beginnings.values
    stop_if_cancelled()
    words_b = b.beginnings.values
    if folder is None:
        both = np.concatenate([words_a, words_b])
        folder = WordModel.build(both, np.array([0, len(words_a), len(both)]))
    stop_if_cancelled()
    least = least_bits(folder)
    in_a = folder.information(words_a)
    stop_if_cancelled()
    in_b = folder.information(words_b)
    weights = weights_of_parts([a.tokens, b.tokens], "word")
    passages = reworked_passages(words_a, words_b, in_a, in_b, least, weights)
    enough = passages.bits >= np.float32(least)
    spans, bits = passages.spans[enough], passages.bits[enough]
    # The pairs of the folder are of different texts, to which equal texts cannot be compared.
    pairs = RandomPairs.none() if np.array_equal(words_a, words_b) else folder.pairs
    return ReworkedSpans(spans, bits, list(map(pairs.words, bits.tolist())))


def find_passages(text_a: str, text_b: str, settings: ScanSettings) -> list[Passage]:
    """The shared passages of two texts, in reading order of the first."""
    return find_shared_text(text_a, text_b, settings).passages


def find_shared_text(
    text_a: str,
    text_b: str,
    settings: ScanSettings,
    set_aside: tuple[Sequence[SetAside], Sequence[SetAside]] = ((), ()),
    folder: WordModel | None = None,
    languages: tuple[str | None, str | None] = (None, None),
) -> SharedText:
    """The shared passages of two texts, and the floor below which nothing is called a passage.

    Args:
        text_a: A text.
        text_b: Another text.
        settings: How words are compared. A run of k words, or one that lists the pair by itself,
            is the shortest that is a passage alone.
        set_aside: The spans of either text that do not count: no passage crosses them.
        folder: The model of the words of the folder; None for a model of these two texts.
        languages: Of both texts, as ISO 639-1 codes; None to detect them.
    """

    def find() -> SharedText:
        a = PairText(text_a, settings, set_aside[0], languages[0])
        stop_if_cancelled()
        b = PairText(text_b, settings, set_aside[1], languages[1])
        return find_shared(a, b, settings, folder)

    if has_long((text_a, text_b)):
        return left_when_cancelled(find)
    return find()


def find_shared(
    a: PairText, b: PairText, settings: ScanSettings, folder: WordModel | None = None
) -> SharedText:
    """The result of `find_shared_text`, for texts that were read before.

    Args:
        a: A text.
        b: Another text, or the same.
        settings: The settings with which both were read.
        folder: As for `find_shared_text`.
    """
    stop_if_cancelled()
    # The contents decide which is the first: the one with more words, else with greater values.
    if compare_texts(b.values, a.values) > 0:
        shared = find_shared(b, a, settings, folder)
        turned = sorted((passage.turned() for passage in shared.passages), key=_reading_position)
        return shared._replace(passages=turned, overlap=shared.overlap.turned())
    b = b.as_second
    worth = PassageCriteria.of(a.values, b.values, settings)
    stop_if_cancelled()
    floor = ChanceThreshold(worth.information.least, worth.least_tokens, a.unit_with(b))
    is_sought = settings.reworked != "off"
    chains = significant_chains(a.values, b.values, worth, by_themselves=is_sought)
    stop_if_cancelled()
    reworked = find_reworked(a, b, folder) if is_sought else ReworkedSpans.none()
    if is_sought:
        passages = _compared(a, b, unite(reworked, chains), worth)
    else:
        passages = _word_for_word(a, b, chains, worth)
    overlap = overlap_of(a.values, b.values, reworked.spans, chains)
    return SharedText(_in_reading_order(passages), floor, overlap)


def _word_for_word(
    a: PairText, b: PairText, chains: list[Int64Array], worth: PassageCriteria
) -> list[Passage]:
    """Chains of runs as passages."""
    passages = []
    for chain in chains:
        stop_if_cancelled()
        passage = UncomparedPassage(box_of(chain), worth.bits_of(chain), chain)
        passages.append(make_passage(a, b, passage, passage_words.ComparedWords.of_runs(chain)))
    return passages


def _compared(
    a: PairText, b: PairText, uncompared: list[UncomparedPassage], worth: PassageCriteria
) -> list[Passage]:
    """Passages with their classified words."""
    if not uncompared:
        return []
    words_a, words_b = comparable_words(a, b)
    stop_if_cancelled()
    chains = find_chains(words_a.forms, words_b.forms)
    runs = passage_words.RunsByStart(chains, worth.scores(chains))
    passages = []
    for passage in uncompared:
        stop_if_cancelled()
        within = np.concatenate([passage.chain, runs.within(passage.box)])
        compared = passage_words.compare_words(words_a, words_b, passage.box, within)
        passages.append(make_passage(a, b, passage, compared))
    return passages


def _in_reading_order(passages: list[Passage]) -> list[Passage]:
    """Passages in the order of A; moved are those out of order in B, or inside of others."""
    if not passages:
        return []
    passages = sorted(passages, key=_reading_position)
    weights = np.array([passage.tokens for passage in passages])
    starts = np.array([passage.b_start for passage in passages])
    moved = ~passage_words.heaviest_rising(starts, weights)
    reached = (0, 0)
    for index in np.flatnonzero(~moved).tolist():
        passage = passages[index]
        moved[index] = passage.a_end <= reached[0] and passage.b_end <= reached[1]
        reached = max(reached[0], passage.a_end), max(reached[1], passage.b_end)
    return [
        replace(passage, moved=True) if away else passage
        for passage, away in zip(passages, moved.tolist(), strict=True)
    ]


def _reading_position(passage: Passage) -> tuple[int, int]:
    return passage.a_start, passage.b_start
