"""In how many documents some words stand: how rare a passage of a pair is.

The words of a span stand in a document where the same words follow each other there, whatever is
between them, as a passage of a pair is the same (see `core.evidence.passages`). All documents are
read for it, which takes as long as counting their words.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from core.base.arrays import BoolArray, Int64Array, UInt64Array
from core.base.parallel import batches, results_of, worker_count
from core.base.progress import Cancelled, never
from core.candidates.sorted_keys import distinct, members
from core.evidence.grams import make_grams
from core.settings import ScanSettings
from core.text.set_aside import merged
from core.text.shingling import tokenise
from core.text.store import TextStore

__all__ = ["Span", "count_holders"]

Span = tuple[int, int]  # code points of a text, the end excluded

FIRST_WORDS = 4  # by which places are found where a span may stand
WORDS_AT_ONCE = 64


def count_holders(
    texts: TextStore,
    document: int,
    spans: Sequence[Span],
    settings: ScanSettings,
    copies: Int64Array,
    pool: ThreadPoolExecutor,
    cancelled: Cancelled = never,
) -> list[int]:
    """In how many documents the words of each span of a document stand, in this order.

    Args:
        texts: All texts.
        document: The one that has the spans; it counts too.
        spans: Each the whole words between its ends; one without any word stands nowhere.
        settings: Decide which words are the same.
        copies: int64, by document: how many documents its text is counted for; texts that count
            for none are not read.
        pool: Threads that read.
        cancelled: Polled while they do.

    Raises:
        ScanCancelledError: `cancelled` said so.
    """
    words = settings.with_changes(unit="word", keep_punctuation=False, k=1, bag=False)
    runs = _runs(texts, document, spans, words)
    asked = [run for run in runs if len(run)]
    if not asked:
        return [0] * len(spans)
    numbers = np.flatnonzero(copies)
    parts = [numbers[part] for part in batches(texts.lengths[numbers].tolist())]
    tasks = (pool.submit(_holding, texts, part, asked, words) for part in parts)
    counts = np.zeros(len(asked), dtype=np.int64)
    holding = results_of(tasks, cancelled, 2 * worker_count() + 1)
    for part, holds in zip(parts, holding, strict=True):
        counts += (holds * copies[part]).sum(axis=1)
    found = iter(counts.tolist())
    return [next(found) if len(run) else 0 for run in runs]


def _runs(
    texts: TextStore, document: int, spans: Sequence[Span], words: ScanSettings
) -> list[UInt64Array]:
    """The words of each span, as hashes."""
    own = np.array([document])
    hashes = texts.shingles(own, words).hashes
    tokens = tokenise(texts[document], words, merged(texts.set_aside.get(document, ())))
    firsts = np.searchsorted(tokens.starts, [start for start, _ in spans])
    lasts = np.searchsorted(tokens.ends, [end for _, end in spans], side="right")
    return [hashes[first:last] for first, last in zip(firsts, lasts, strict=True)]


def _holding(
    texts: TextStore, numbers: Int64Array, runs: Sequence[UInt64Array], words: ScanSettings
) -> BoolArray:
    """Whether each run stands in each of some documents: a row for each run."""
    shingles = texts.shingles(numbers, words)
    length = min(FIRST_WORDS, *map(len, runs))
    grams = make_grams(shingles.hashes, length)
    wanted = np.array([make_grams(run[:length], length)[0] for run in runs])
    places = np.flatnonzero(members(distinct([wanted]), grams))
    begun = grams[places]
    holds = np.zeros((len(runs), len(numbers)), dtype=np.bool_)
    for row, run in enumerate(runs):
        at = _where(shingles.hashes, run, places[begun == wanted[row]])
        text = np.searchsorted(shingles.offsets, at, side="right") - 1
        holds[row, text[at + len(run) <= shingles.offsets[text + 1]]] = True
    return holds


def _where(hashes: UInt64Array, run: UInt64Array, places: Int64Array) -> Int64Array:
    """The places among some where a run stands."""
    places = places[places + len(run) <= len(hashes)]
    for first in range(0, len(run), WORDS_AT_ONCE):
        part = run[first : first + WORDS_AT_ONCE]
        there = hashes[places[:, None] + first + np.arange(len(part))] == part
        places = places[there.all(axis=1)]
    return places
