"""From a corpus to how full the buckets of its search are, and what text fills the fullest."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from core.base.arrays import Int32Array, Int64Array, UInt64Array
from core.base.progress import Cancelled, never, stop_if
from core.candidates.bands import Buckets, sorted_buckets
from core.candidates.bucket_fill import BucketFill, fill_of
from core.candidates.hamming import HammingSearch
from core.candidates.hamming_tables import restore, sorted_tables
from core.evidence.passages import find_shared_text
from core.scan.corpus import Corpus
from core.settings import ScanSettings
from core.signatures.estimates import join_halves

LONGEST_READ = 300_000  # characters; what fills a bucket of longer documents is not looked for
SHOWN = 300  # characters of the text


class SharedByTwo(NamedTuple):
    """The longest passage that two documents of a bucket share.

    Attributes:
        text: How it begins.
        words: How many words of it are the same in both; letters in scripts without spaces.
    """

    text: str
    words: int


def bucket_fill(corpus: Corpus, settings: ScanSettings, cancelled: Cancelled = never) -> BucketFill:
    """The buckets that these settings make; those of bits are the runs of their tables.

    Raises:
        ScanCancelledError: `cancelled` said so.
    """
    corpus.complete_signatures(cancelled)
    rows, reviewed = corpus.distinct(), corpus.reviewed()
    if settings.distance is None:
        by_band = sorted_buckets(
            corpus.signed.signatures, rows, settings.bands, settings.rows, cancelled
        )
    else:
        by_band = _runs(corpus, rows, settings.max_distance, cancelled)
    return fill_of(by_band, reviewed, len(rows), cancelled)


def _runs(
    corpus: Corpus, rows: Int64Array, distance: int, cancelled: Cancelled
) -> Iterator[Buckets]:
    """The documents that agree in the blocks of each table."""
    signed = corpus.signed
    values = join_halves(signed.signatures[rows])
    order = np.argsort(values, kind="stable")
    ordered, members = values[order], rows[order].astype(np.int32)
    if distance == 0:
        yield _buckets(members, ordered)
        return
    search = HammingSearch(signed.signatures, signed.digests, rows, distance, cancelled=cancelled)
    for table, entries in sorted_tables(ordered, search.plan.blocks, distance, cancelled):
        original = restore(entries, table.moves)
        yield _buckets(members[_places(ordered, original)], entries & table.key)


def _places(ordered: UInt64Array, values: UInt64Array) -> Int64Array:
    """Where these values, the same ones in another order, stand among sorted ones, each once."""
    by_value = np.argsort(values, kind="stable")
    places = np.empty(len(values), dtype=np.int64)
    places[by_value] = np.arange(len(ordered))
    return places


def _buckets(members: Int32Array, keys: UInt64Array) -> Buckets:
    """Runs of two and more with equal keys."""
    starts = np.flatnonzero(np.append(True, keys[1:] != keys[:-1])) if len(keys) else keys[:0]
    every = Buckets(members, np.append(starts, len(keys)).astype(np.int64))
    return every.take(every.sizes > 1)


def text_of_bucket(
    corpus: Corpus, members: Int32Array, settings: ScanSettings, cancelled: Cancelled = never
) -> SharedByTwo | None:
    """What fills a bucket: the longest passage that its first document shares with the last.

    None where they share none, or are very long.

    Raises:
        ScanCancelledError: `cancelled` said so.
    """
    first, last = corpus.texts[int(members[0])], corpus.texts[int(members[-1])]
    if max(len(first), len(last)) > LONGEST_READ:
        return None
    stop_if(cancelled)
    exact = settings.with_changes(reworked="off")
    passages = find_shared_text(first, last, exact, cancelled).passages
    if not passages:
        return None
    longest = max(passages, key=lambda one: one.tokens)
    beginning = first[longest.a_start : min(longest.a_end, longest.a_start + SHOWN)]
    return SharedByTwo(" ".join(beginning.split()), longest.tokens)
