"""Edited copies of a folder's own documents, planted in memory and searched for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from core.audit.all_pairs import ExactPairs, Truth
from core.audit.edits import (
    EditWords,
    change_words,
    paste_page,
    shuffle_paragraphs,
    words_of,
)
from core.audit.ranges import measured_ranges, remedies
from core.audit.search import AuditSearch, chances
from core.base.arrays import BoolArray, Int64Array, UInt8Array
from core.base.progress import Cancelled, never, stop_if
from core.evidence.pairs import FoundBy, pair_codes
from core.scan.audit_results import MeasuredRange, Remedy
from core.scan.planted_results import Edit, EditRecall, MissedCopy, Planting
from core.settings import ScanSettings
from core.text.set_aside import merged
from core.text.store import TextStore

# Of each kind: where all of them are found, the interval begins at 99 %; where half are, it is 10 %
# wide. Fewer where the sources are so long that their copies would take more than these characters.
PLANTED = 400
PLANTED_CHARACTERS = 6_000_000
COPIES_OF_ONE = 10  # of each kind, in a folder with few documents
FEWEST_WORDS = 20  # of a source: a tenth of them is two words
VOCABULARY_TEXTS = 500
LONG = 0.9  # a page is pasted into one of the longest tenth of the documents
LONGEST_HOST = 50_000  # characters, some twenty pages; of longer ones there would be too few


class PlantedTexts(NamedTuple):
    """Planted texts with the number of the document and the kind of edit of each."""

    texts: list[str]
    sources: Int64Array
    edits: list[Edit]


def plant(
    texts: TextStore, seed: int, *, count: int = PLANTED, cancelled: Cancelled = never
) -> PlantedTexts:
    """Edited copies of some texts drawn at random; the same seed makes the same copies.

    Args:
        texts: The texts of all documents.
        seed: Decides which documents and which edits.
        count: How many copies of each kind to make at most.
        cancelled: Polled between copies.
    """
    planted = PlantedTexts([], np.empty(0, dtype=np.int64), [])
    if not len(texts):
        return planted
    rng = np.random.default_rng([seed, len(Edit)])
    drawn = rng.choice(len(texts), min(len(texts), VOCABULARY_TEXTS), replace=False)
    others = EditWords([counted_text(texts, place) for place in drawn.tolist()], rng)
    long = _long(texts.lengths)
    sources = []
    for number, edit in enumerate(Edit):
        rng = np.random.default_rng([seed, number])
        for source, host in _draw(texts, long, count, rng, needs_host=edit is Edit.PASTED):
            stop_if(cancelled)
            own = counted_text(texts, source), counted_text(texts, host)
            planted.texts.append(_edited(edit, *own, others, rng))
            planted.edits.append(edit)
            sources.append(source)
    return planted._replace(sources=np.array(sources, dtype=np.int64))


def counted_text(texts: TextStore, number: int) -> str:
    """What counts of a text: what is set aside would be so in a copy, too."""
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
    texts: TextStore,
    long: Int64Array,
    count: int,
    rng: np.random.Generator,
    *,
    needs_host: bool,
) -> Iterator[tuple[int, int]]:
    """Sources at random, each with a long host; every document once before any twice."""
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


def _edited(edit: Edit, source: str, host: str, others: EditWords, rng: np.random.Generator) -> str:
    if edit is Edit.PASTED:
        return paste_page(host, source, rng)
    if edit is Edit.SHUFFLED:
        return shuffle_paragraphs(source, rng)
    return change_words(source, edit.share, others, rng)


class Measured(NamedTuple):
    """A measurement, what signatures met of the copies, and what would miss less."""

    planting: Planting
    ranges: tuple[MeasuredRange, ...]
    remedies: tuple[Remedy, ...]


def measure_recall(
    texts: TextStore, planted: PlantedTexts, search: AuditSearch, alone: AuditSearch
) -> Measured:
    """How many of the planted texts the search lists with their sources.

    Args:
        texts: The texts of all documents.
        planted: What was planted.
        search: The search of the texts followed by the planted ones.
        alone: The search of the texts alone.
    """
    settings = search.settings
    exact = _exact(texts, planted, settings)
    # Of a source with over 30 copies, the list holds the first.
    first = search.representatives()[planted.sources]
    inside = np.arange(len(planted.texts), dtype=np.int64) + len(texts)
    found = np.maximum(
        search.found_by(pair_codes(planted.sources, inside)),
        search.found_by(pair_codes(first, inside)),
    )
    kinds = np.array([list(Edit).index(edit) for edit in planted.edits], dtype=np.int64)
    recalls = tuple(
        _recall(edit, exact.take(kinds == number), found[kinds == number], settings)
        for number, edit in enumerate(Edit)
    )
    # What has the same words needs no signatures.
    wanted = exact.wanted(settings) & ((found & FoundBy.EXACT) == 0)
    by_bands = (found & FoundBy.LSH) > 0
    by_chance = wanted & ((found & np.uint8(~FoundBy.LSH & 0xFF)) == 0)
    missing = int((found[by_chance] == 0).sum())
    return Measured(
        Planting(
            len(set(planted.sources.tolist())),
            recalls,
            _missed(planted, exact, wanted & (found == 0)),
        ),
        measured_ranges(exact.resemblance[wanted], by_bands[wanted], settings),
        remedies(search, alone, first[by_chance], inside[by_chance], missing),
    )


def _exact(texts: TextStore, planted: PlantedTexts, settings: ScanSettings) -> ExactPairs:
    """What each copy and its source really share."""
    chosen = sorted(set(planted.sources.tolist()))
    place = {source: number for number, source in enumerate(chosen)}
    store, rows = TextStore(), np.array(chosen, dtype=np.int64)
    store.adopt(texts.arranged(rows), texts.lengths[rows])
    store.extend(planted.texts)
    x = np.array([place[source] for source in planted.sources.tolist()], dtype=np.int64)
    y = np.arange(len(planted.texts), dtype=np.int64) + len(chosen)
    return Truth(store, settings).measure(x, y)


def _missed(planted: PlantedTexts, exact: ExactPairs, which: BoolArray) -> tuple[MissedCopy, ...]:
    """Some of the copies, most similar first."""
    rows = np.flatnonzero(which)
    rows = rows[np.argsort(-exact.resemblance[rows], kind="stable")]
    return tuple(
        MissedCopy(int(planted.sources[row]), planted.edits[row], float(exact.resemblance[row]))
        for row in rows.tolist()
    )


def _recall(edit: Edit, exact: ExactPairs, found: UInt8Array, settings: ScanSettings) -> EditRecall:
    if not len(found):
        return EditRecall(edit, 0, (0.0, 0.0, 0.0), 0, 0, None, 0, 0, 0)
    wanted = exact.wanted(settings)
    # A reworked passage lists copies, too, that need not be listed: no recall of these.
    listed = (found > 0) & wanted
    chance = chances(exact.resemblance, settings)
    # What has the same words, as a text whose paragraphs are all alike, needs no band.
    same = (found & FoundBy.EXACT) > 0
    by_bands = ((found & FoundBy.LSH) > 0) | same
    by_passages = (found & FoundBy.PASSAGE) > 0
    low, middle, high = np.quantile(exact.resemblance, [0, 0.5, 1]).tolist()
    return EditRecall(
        edit,
        planted=len(found),
        resemblance=(low, middle, high),
        wanted=int(wanted.sum()),
        listed=int(listed.sum()),
        expected=None if chance is None else float(chance[wanted].sum()),
        by_bands=int(by_bands.sum()),
        by_passages=int(by_passages.sum()),
        both=int((by_bands & by_passages).sum()),
    )
