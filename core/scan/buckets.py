"""How full the buckets of the search in a corpus are, and what text fills the fullest.

What another least length of passages would list, or not list any more.

A pair that shares a run of t words is found whatever the bands, so for a longer run what is listed
is counted. For a shorter one those pairs are known that were measured for something else; how many
more there are is estimated from pairs drawn at random (`core.scan.corpus`), with the score interval
(Wilson 1927).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from core.base.arrays import (
    Estimate,
    Float64Array,
    Int32Array,
    Int64Array,
    UInt64Array,
    around,
    starts_of_runs,
    wilson,
)
from core.base.tasks import stop_if_cancelled
from core.candidates.bands import BucketFill, Buckets, fill_of, sorted_buckets
from core.candidates.hamming import HammingSearch, restore, sorted_tables
from core.candidates.references import count_pairs
from core.evidence.overlap import numbers_of
from core.evidence.pairs import FoundBy, Pairs, split_codes
from core.evidence.passages import find_shared_text
from core.scan.corpus import Corpus
from core.settings import ScanSettings
from core.signatures.methods import join_halves

LENGTHS = (10, 15, 20, 30, 40, 60, 100, 200, 400)  # words
PAIRS_AT_ONCE = 1 << 20


class OtherLength(NamedTuple):
    """Pairs below the threshold that share so many words in a row.

    Attributes:
        words: How many.
        pairs: How many pairs there are; counted where nothing is estimated.
        is_shorter: Whether passages are shorter than those of the list, so that not all are known.
    """

    words: int
    pairs: Estimate
    is_shorter: bool


def other_lengths(corpus: Corpus, listed: Pairs, settings: ScanSettings) -> list[OtherLength]:
    """What other least lengths of a passage than that of the settings would list.

    Args:
        corpus: The documents.
        listed: Every pair of the list, with those that share a passage.
        settings: Those of the list.
    """
    listed_runs, lengths = below_by_passage(listed, settings), []
    shorter = [
        words for words in LENGTHS if settings.least_passage <= words < settings.passage_length
    ]
    if shorter:
        measured, _ = corpus.evidence.reaching(0.0)
        background = corpus.background_pairs().codes
        known, drawn = (_runs_below(corpus, codes, settings) for codes in (measured, background))
        every = count_pairs(corpus.reviewed(), corpus.distinct())
        for words in shorter:
            least = max(int(np.count_nonzero(known >= words)), len(listed_runs))
            hits = int(np.count_nonzero(drawn >= words))
            pairs = _estimated(float(least), hits, len(background), every)
            lengths.append(OtherLength(words, pairs, is_shorter=True))
    for words in LENGTHS:
        if words > settings.passage_length:
            pairs = around(float(np.count_nonzero(listed_runs >= words)), 0.0)
            lengths.append(OtherLength(words, pairs, is_shorter=False))
    return lengths


def below_by_passage(listed: Pairs, settings: ScanSettings) -> Int32Array:
    """The words of the longest run of each pair below the threshold that shares a passage."""
    below = listed.resemblance < settings.min_resemblance
    shared = (listed.found_by & FoundBy.PASSAGE) > 0
    return listed.run_words[below & shared]


def _estimated(known: float, hits: int, drawn: int, every: int) -> Estimate:
    """Estimates pairs from those that are known and those among pairs drawn at random."""
    if not drawn or drawn >= every:
        return around(max(known, float(hits)), 0.0)
    share = wilson(hits, drawn)
    return Estimate(
        max(known, share.value * every),
        max(known, share.low * every),
        max(known, float(math.ceil(share.high * every))),
    )


def _runs_below(corpus: Corpus, codes: UInt64Array, settings: ScanSettings) -> Int32Array:
    """The words of the longest run, of the pairs among these that are below the threshold."""
    x, y = split_codes(codes)
    x, y = x[x != y], y[x != y]
    runs = [np.zeros(0, dtype=np.int32)]
    for start in range(0, len(x), PAIRS_AT_ONCE):
        part = slice(start, start + PAIRS_AT_ONCE)
        overlap = corpus.evidence.measured(x[part], y[part])
        sizes, units = corpus.evidence.sizes(), corpus.signed.units
        numbers = numbers_of(overlap, sizes, units, x[part], y[part], settings.k)
        resemblance: Float64Array = numbers.resemblance
        runs.append(numbers.run_words[resemblance < settings.min_resemblance])
    return np.concatenate(runs)


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
