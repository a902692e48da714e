"""The shared passages of one pair of documents, as spans.

1. Runs: maximal stretches that are word for word the same (`core.evidence.shared_runs`).
2. Chains: runs that follow each other in both texts, with gaps of a few dozen words at most, are
   joined where their length outweighs the gap (`core.evidence.chains`).
3. Chance: what two texts of this length, with words as common as theirs, share anyway is left out
   (`core.evidence.chance`).
4. Passages: chains that say something, best first, as long as they show text of at least one of
   the documents that no passage before them has shown; so moved and repeated text is found and
   nothing is numbered twice (`core.evidence.passage_selection`).

Which text is called A makes no difference: the two are compared in one order, which their contents
give, and the passages are turned around where that is not the order of the pair.

Words are compared under the settings of the scan; scripts without spaces count characters. The
time is nearly linear in the length of both texts, whatever they say.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from core.base.arrays import Int64Array
from core.base.progress import Cancelled, never, stop_if
from core.evidence.order import heaviest_rising
from core.evidence.pair_texts import PairText, comparable_words
from core.evidence.passage import Floor, Passage, SharedText
from core.evidence.passage_making import make_passage
from core.evidence.passage_selection import (
    PassageCriteria,
    find_chains,
    significant_chains,
)
from core.evidence.passage_union import FoundPassage, box_of, unite
from core.evidence.passage_words import ComparedWords, RunsByPlace, compare_words
from core.evidence.reworked_spans import find_reworked
from core.evidence.word_model import WordModel
from core.settings import ScanSettings
from core.text.set_aside import SetAside


def find_passages(
    text_a: str, text_b: str, settings: ScanSettings, cancelled: Cancelled = never
) -> list[Passage]:
    """The shared passages of two texts, in reading order of the first."""
    return find_shared_text(text_a, text_b, settings, cancelled).passages


def find_shared_text(
    text_a: str,
    text_b: str,
    settings: ScanSettings,
    cancelled: Cancelled = never,
    set_aside: tuple[Sequence[SetAside], Sequence[SetAside]] = ((), ()),
    folder: WordModel | None = None,
    languages: tuple[str | None, str | None] = (None, None),
) -> SharedText:
    """The shared passages of two texts, and the floor under which nothing is called a passage.

    Args:
        text_a: A text.
        text_b: Another one.
        settings: How words are compared. A run of k words, or one that lists the pair by itself,
            is the shortest that is a passage alone.
        cancelled: Polled between the steps, each of which takes a fraction of a second at most.
        set_aside: What of either text does not count: no passage runs over it.
        folder: What the words of the folder tell; None for what these two texts tell by themselves.
        languages: Of both texts, as ISO 639-1 has them; None for what is detected.

    Raises:
        ScanCancelledError: `cancelled` said so.
    """
    a = PairText(text_a, settings, set_aside[0], languages[0])
    stop_if(cancelled)
    b = PairText(text_b, settings, set_aside[1], languages[1])
    return find_shared(a, b, settings, cancelled, folder)


def find_shared(
    a: PairText,
    b: PairText,
    settings: ScanSettings,
    cancelled: Cancelled = never,
    folder: WordModel | None = None,
) -> SharedText:
    """What `find_shared_text` says, of texts that were read before.

    Args:
        a: A text.
        b: Another one, or the same.
        settings: With which both were read.
        cancelled: See `find_shared_text`.
        folder: See there.

    Raises:
        ScanCancelledError: `cancelled` said so.
    """
    stop_if(cancelled)
    if b.comes_before(a):
        shared = find_shared(b, a, settings, cancelled, folder)
        turned = sorted((one.turned() for one in shared.passages), key=_place)
        return shared._replace(passages=turned)
    b = b.as_second
    worth = PassageCriteria.of(a.values, b.values, settings, cancelled)
    stop_if(cancelled)
    floor = Floor(worth.information.least, worth.least_tokens, a.unit_with(b))
    chains = find_chains(a.values, b.values, cancelled)
    stop_if(cancelled)
    telling = significant_chains(a.values, b.values, chains, worth, cancelled)
    stop_if(cancelled)
    if settings.reworked == "off":
        passages = _word_for_word(a, b, telling, worth, cancelled)
    else:
        reworked = find_reworked(a, b, folder, cancelled)
        passages = _compared(a, b, unite(reworked, telling, worth), worth, cancelled)
    return SharedText(_in_reading_order(passages), floor)


def _word_for_word(
    a: PairText,
    b: PairText,
    chains: list[Int64Array],
    worth: PassageCriteria,
    cancelled: Cancelled,
) -> list[Passage]:
    """Chains of runs as passages."""
    passages = []
    for chain in chains:
        stop_if(cancelled)
        found = FoundPassage(box_of(chain), worth.bits_of(chain), 0, chain)
        passages.append(make_passage(a, b, found, ComparedWords.of_runs(chain)))
    return passages


def _compared(
    a: PairText,
    b: PairText,
    found: list[FoundPassage],
    worth: PassageCriteria,
    cancelled: Cancelled,
) -> list[Passage]:
    """Passages with what became of each of their words."""
    if not found:
        return []
    one, other = comparable_words(a, b)
    stop_if(cancelled)
    chains = find_chains(one.forms, other.forms, cancelled)
    runs = RunsByPlace(chains, worth.scores(chains.runs, chains.offsets[:-1]))
    passages = []
    for passage in found:
        stop_if(cancelled)
        within = np.concatenate([passage.chain, runs.within(passage.box)])
        compared = compare_words(one, other, passage.box, within, cancelled)
        passages.append(make_passage(a, b, passage, compared))
    return passages


def _in_reading_order(passages: list[Passage]) -> list[Passage]:
    """In the order of A; those are moved that keep no order in B, or stand inside of others."""
    if not passages:
        return []
    passages = sorted(passages, key=_place)
    weights = np.array([one.tokens for one in passages])
    starts = np.array([one.b_start for one in passages])
    moved = ~heaviest_rising(starts, weights)
    reached = (0, 0)
    for place in np.flatnonzero(~moved).tolist():
        one = passages[place]
        moved[place] = one.a_end <= reached[0] and one.b_end <= reached[1]
        reached = max(reached[0], one.a_end), max(reached[1], one.b_end)
    return [
        replace(one, moved=True) if away else one
        for one, away in zip(passages, moved.tolist(), strict=True)
    ]


def _place(passage: Passage) -> tuple[int, int]:
    return passage.a_start, passage.b_start
