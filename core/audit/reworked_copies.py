"""Reworked passages of a folder's own documents, planted in memory and searched for."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import NamedTuple

import numpy as np

from core.audit.edits import EditWords, change_words, move_sentences, words_of
from core.audit.planted_copies import counted_text
from core.audit.search import AuditSearch
from core.base.arrays import Int64Array
from core.base.progress import Cancelled, stop_if
from core.candidates.reworked_curve import ReworkedCurve
from core.evidence.pairs import FoundBy, pair_codes
from core.scan.planted_results import MissedPassage, ReworkedPlanting, ReworkedRecall
from core.text.store import TextStore

LENGTHS = (30, 60, 100, 200)  # words
SHARES = (0.2, 0.4)  # of the words that are changed
CELLS = tuple(product(LENGTHS, SHARES))
HOST_WORDS = 120  # of another document, half of them before the passage
FIRST_KIND = 100  # of random numbers: those before are used for edited copies


class PlantedPassage(NamedTuple):
    """A text with a reworked passage in it, and where that comes from."""

    text: str
    passage: MissedPassage


def plant_reworked(
    texts: TextStore, seed: int, count: int, cancelled: Cancelled
) -> list[PlantedPassage]:
    """Texts with a reworked passage each; the same seed makes the same ones.

    Words are exchanged by others of the same document, dropped and inserted, and in half of the
    passages the sentences are moved. Each stands between words of another document.

    Args:
        texts: The texts of all documents.
        seed: Decides which passages and which changes.
        count: How many to make of each length and share at most; of no document two.
        cancelled: Polled between passages.
    """
    planted = []
    for number, (words, changed) in enumerate(CELLS):
        rng = np.random.default_rng([seed, FIRST_KIND + number])
        fits = texts.lengths >= words  # a word has a letter or more
        made = 0
        for source in rng.permutation(np.flatnonzero(fits)).tolist():
            stop_if(cancelled)
            if made == count:
                break
            passage = _planted(texts, source, (words, changed), rng)
            if passage:
                planted.append(passage)
                made += 1
    return planted


def _planted(
    texts: TextStore, source: int, cell: tuple[int, float], rng: np.random.Generator
) -> PlantedPassage | None:
    """A reworked passage of a document in another one; None where it is too short."""
    text = counted_text(texts, source)
    own, (length, changed) = words_of(text), cell
    if len(own.starts) < length or len(texts) < 2:
        return None
    first = int(rng.integers(0, len(own.starts) - length + 1))
    passage = text[own.starts[first] : own.ends[first + length - 1]]
    reworked = change_words(passage, changed, EditWords([text], rng), rng)
    if rng.random() < 0.5:
        reworked = move_sentences(reworked, rng)
    host = int(rng.integers(0, len(texts) - 1))
    before, behind = _around(counted_text(texts, host + (host >= source)))
    return PlantedPassage(
        f"{before}\n\n{reworked}\n\n{behind}", MissedPassage(source, first, length, changed)
    )


def _around(host: str) -> tuple[str, str]:
    """The first words of a text in two halves."""
    words = words_of(host)
    count = min(HOST_WORDS, len(words.starts))
    if not count:
        return "", ""
    middle, end = words.starts[count // 2], words.ends[count - 1]
    return host[:middle], host[middle:end]


def measure_reworked_copies(
    planted: Sequence[PlantedPassage],
    alone: AuditSearch,
    search: AuditSearch,
    promise: ReworkedCurve,
) -> ReworkedPlanting:
    """How many of the planted passages the search lists with their sources.

    Args:
        planted: What was planted.
        alone: The search of the folder.
        search: That of the folder and, behind its documents, of what was planted.
        promise: What is promised for the folder.
    """
    documents = len(alone)
    passages = [one.passage for one in planted]
    sources = np.array([one.document for one in passages], dtype=np.int64)
    inside = np.arange(len(planted), dtype=np.int64) + documents
    # Of a source with over 30 copies, the list holds the first.
    first = search.representatives()[sources]
    found = search.found_by(pair_codes(sources, inside))
    found |= search.found_by(pair_codes(first, inside))
    if promise.measures_all:  # which with so many planted texts would take too long
        found |= np.where(
            search.say_enough(sources, inside, alone), np.uint8(FoundBy.REWORKED), np.uint8(0)
        )
    rows = {cell: _rows(passages, cell) for cell in CELLS}
    return ReworkedPlanting(
        len(set(sources.tolist())),
        tuple(
            ReworkedRecall(
                *cell,
                planted=len(own),
                listed=int((found[own] > 0).sum()),
                reworked=int(((found[own] & FoundBy.REWORKED) > 0).sum()),
                promised=promise.probability(*cell),
            )
            for cell, own in rows.items()
        ),
        tuple(one for one, ways in zip(passages, found.tolist(), strict=True) if not ways),
    )


def _rows(passages: Sequence[MissedPassage], cell: tuple[int, float]) -> Int64Array:
    rows = [row for row, one in enumerate(passages) if (one.words, one.changed) == cell]
    return np.array(rows, dtype=np.int64)
