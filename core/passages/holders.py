"""How much of a passage stands in how many documents.

Words stand in a document where the same words follow each other there, whatever is between them, as
a passage of a pair is the same (see `core.evidence.passages`). What is looked for is every row of a
few words, so that a passage of which another document has a half is not called rare. All documents
are read for it, which takes as long as counting their words.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np

from core.base.arrays import Int64Array, UInt64Array
from core.base.tasks import Cancelled, batches, never, results_of, worker_count
from core.candidates.sorted_keys import distinct, members
from core.evidence.shared_runs import make_grams
from core.settings import ScanSettings
from core.text.set_aside import merged
from core.text.shingling import tokenise
from core.text.store import TextStore

Span = tuple[int, int]  # code points of a text, the end excluded


class Held(NamedTuple):
    """What documents hold of a passage.

    Attributes:
        documents: How many hold a row of its words, the one it was taken from among them.
        row: How many words such a row has at least; 0 for a passage without words.
        counts: By span, int64: for each of its words, how many documents hold a row that has it.
    """

    documents: int
    row: int
    counts: list[Int64Array]


class _Rows(NamedTuple):
    """All rows of one length in some passages.

    Attributes:
        length: Words of each.
        values: uint64, their hashes, ascending.
        own: Of each of these passages its rows, by span: places in `values`.
    """

    length: int
    values: UInt64Array
    own: dict[int, list[Int64Array]]


def find_holders(
    texts: TextStore,
    document: int,
    passages: Sequence[Sequence[Span]],
    row: int,
    settings: ScanSettings,
    copies: Int64Array,
    pool: ThreadPoolExecutor,
    cancelled: Cancelled = never,
) -> list[Held]:
    """What documents hold of each passage of a document.

    Args:
        texts: All texts.
        document: The one that has the passages; it counts too.
        passages: Of each some spans, each the whole words between its ends.
        row: So many words in a row are looked for; of a passage that has fewer, all of its longest
            span.
        settings: Decide which words are the same.
        copies: int64, by document: how many documents its text is counted for; texts that count
            for none are not read.
        pool: Threads that read.
        cancelled: Polled while they do.

    Raises:
        ScanCancelledError: `cancelled` said so.
    """
    words = settings.with_changes(unit="word", keep_punctuation=False, k=1, bag=False)
    spans = [_words_of(texts, document, passage, words) for passage in passages]
    asked = _rows_of(spans, row)
    numbers = np.flatnonzero(copies) if asked else np.empty(0, dtype=np.int64)
    parts = [numbers[part] for part in batches(texts.lengths[numbers].tolist())]
    tasks = (pool.submit(_count, texts, part, copies[part], asked, words) for part in parts)
    holders = np.zeros(len(passages), dtype=np.int64)
    counts = [np.zeros(len(rows.values), dtype=np.int64) for rows in asked]
    for of_passages, of_rows in results_of(tasks, cancelled, 2 * worker_count() + 1):
        for rows, count, part in zip(asked, counts, of_rows, strict=True):
            np.add(count, part, out=count)
            holders[[*rows.own]] += of_passages[[*rows.own]]
    found = [
        Held(0, 0, [np.zeros(len(span), dtype=np.int64) for span in passage]) for passage in spans
    ]
    for rows, count in zip(asked, counts, strict=True):
        for passage, own in rows.own.items():
            by_word = [_by_word(count[places], rows.length) for places in own]
            found[passage] = Held(int(holders[passage]), rows.length, by_word)
    return found


def _words_of(
    texts: TextStore, document: int, spans: Sequence[Span], words: ScanSettings
) -> list[UInt64Array]:
    """The words of each span, as hashes."""
    own = np.array([document])
    hashes = texts.shingles(own, words).hashes
    tokens = tokenise(texts[document], words, merged(texts.set_aside.get(document, ())))
    firsts = np.searchsorted(tokens.starts, [start for start, _ in spans])
    lasts = np.searchsorted(tokens.ends, [end for _, end in spans], side="right")
    return [hashes[first:last] for first, last in zip(firsts, lasts, strict=True)]


def _rows_of(passages: Sequence[Sequence[UInt64Array]], row: int) -> list[_Rows]:
    """What is looked for, by the length of the rows."""
    by_length: dict[int, dict[int, list[UInt64Array]]] = {}
    for passage, spans in enumerate(passages):
        length = min(row, max(map(len, spans), default=0))
        if length:
            by_length.setdefault(length, {})[passage] = [make_grams(span, length) for span in spans]
    found = []
    for length, grams in by_length.items():
        values = distinct([one for own in grams.values() for one in own])
        own = {
            passage: [np.searchsorted(values, one) for one in spans]
            for passage, spans in grams.items()
        }
        found.append(_Rows(length, values, own))
    return found


def _by_word(rows: Int64Array, length: int) -> Int64Array:
    """What is known of rows, for each of their words: of those that have it the most."""
    counts = np.zeros(len(rows) + length - 1 if len(rows) else 0, dtype=np.int64)
    for step in range(length if len(rows) else 0):
        part = counts[step : step + len(rows)]
        np.maximum(part, rows, out=part)
    return counts


def _count(
    texts: TextStore,
    numbers: Int64Array,
    copies: Int64Array,
    asked: Sequence[_Rows],
    words: ScanSettings,
) -> tuple[Int64Array, list[Int64Array]]:
    """How many of some documents hold a row of each passage, and how many hold each row."""
    shingles = texts.shingles(numbers, words)
    passages = np.zeros(1 + max(max(rows.own) for rows in asked), dtype=np.int64)
    counts = []
    for rows in asked:
        grams = make_grams(shingles.hashes, rows.length)
        at = np.flatnonzero(members(rows.values, grams))
        text = np.searchsorted(shingles.offsets, at, side="right") - 1
        within = at + rows.length <= shingles.offsets[text + 1]
        row = np.searchsorted(rows.values, grams[at[within]])
        held = distinct([(row * len(numbers) + text[within]).astype(np.uint64)]).astype(np.int64)
        row, text = held // len(numbers), held % len(numbers)
        count = np.zeros(len(rows.values), dtype=np.int64)
        np.add.at(count, row, copies[text])
        counts.append(count)
        for passage, own in rows.own.items():
            asked_rows = np.zeros(len(rows.values), dtype=np.bool_)
            asked_rows[np.concatenate(own)] = True
            holds = np.zeros(len(numbers), dtype=np.bool_)
            holds[text[asked_rows[row]]] = True
            passages[passage] += copies[holds].sum()
    return passages, counts
