"""How full the buckets of the search in a corpus are, and what text fills the fullest."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from core.base.arrays import Int32Array, Int64Array, UInt64Array, starts_of_runs
from core.base.tasks import stop_if_cancelled
from core.candidates.bands import BucketFill, Buckets, fill_of, sorted_buckets
from core.candidates.hamming import HammingSearch, restore, sorted_tables
from core.evidence.passages import find_shared_text
from core.scan.corpus import Corpus
from core.settings import ScanSettings
from core.signatures.methods import join_halves

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


def bucket_fill(corpus: Corpus, settings: ScanSettings) -> BucketFill:
    """The buckets that these settings make; those of bits are the runs of their tables."""
    corpus.complete_signatures()
    rows, reviewed = corpus.distinct(), corpus.reviewed()
    if settings.distance is None:
        by_band = sorted_buckets(corpus.signed.signatures, rows, settings.bands, settings.rows)
    else:
        by_band = _runs(corpus, rows, settings.max_distance)
    return fill_of(by_band, reviewed, len(rows))


def _runs(corpus: Corpus, rows: Int64Array, distance: int) -> Iterator[Buckets]:
    """The documents that agree in the blocks of each table."""
    signed = corpus.signed
    values = join_halves(signed.signatures[rows])
    order = np.argsort(values, kind="stable")
    ordered, members = values[order], rows[order].astype(np.int32)
    if distance == 0:
        yield _buckets(members, ordered)
        return
    search = HammingSearch(signed.signatures, signed.digests, rows, distance)
    for table, entries in sorted_tables(ordered, search.plan.blocks, distance):
        original = restore(entries, table.moves)
        yield _buckets(members[_positions(ordered, original)], entries & table.key)


def _positions(ordered: UInt64Array, values: UInt64Array) -> Int64Array:
    """The position of each value among the same values in order, each position once."""
    by_value = np.argsort(values, kind="stable")
    positions = np.empty(len(values), dtype=np.int64)
    positions[by_value] = np.arange(len(ordered))
    return positions


def _buckets(members: Int32Array, keys: UInt64Array) -> Buckets:
    """Runs of two and more with equal keys."""
    every = Buckets(members, np.append(starts_of_runs(keys), len(keys)))
    return every.take(every.sizes > 1)


def text_of_bucket(
    corpus: Corpus, members: Int32Array, settings: ScanSettings
) -> SharedByTwo | None:
    """What fills a bucket: the longest passage that its first document shares with the last.

    None where they share none, or are very long.
    """
    first, last = corpus.texts[int(members[0])], corpus.texts[int(members[-1])]
    if max(len(first), len(last)) > LONGEST_READ:
        return None
    stop_if_cancelled()
    exact = settings.with_changes(reworked="off")
    passages = find_shared_text(first, last, exact).passages
    if not passages:
        return None
    longest = max(passages, key=lambda passage: passage.tokens)
    beginning = first[longest.a_start : min(longest.a_end, longest.a_start + SHOWN)]
    return SharedByTwo(" ".join(beginning.split()), longest.tokens)
