"""From a corpus to what is known of its pairs and their bits, for the forecast of what d misses."""

from __future__ import annotations

import numpy as np

from core.base.arrays import BoolArray, Float64Array, Int64Array, UInt64Array
from core.base.progress import Cancelled, never, stop_if
from core.candidates.all_pairs import AllPairs
from core.candidates.bit_curve import cosine_of_containments
from core.candidates.bit_forecast import DISTANCES, BitSample, KnownBits, bit_levels
from core.candidates.hamming import EQUAL_LIMIT, HammingSearch
from core.candidates.references import are_compared, count_pairs
from core.evidence.pairs import pair_codes, split_codes
from core.scan.corpus import Corpus
from core.scan.measured_pairs import (
    MeasuredPairs,
    every_pair,
    identical_pairs,
    measured_pairs,
    sharing_a_passage,
)
from core.settings import ScanSettings
from core.signatures.estimates import BITS, hamming_distance, join_halves

__all__ = ["known_bits"]

NONE = -1  # distance that was compared
COUNTED_PAIRS = 1 << 27  # whose bits are compared: a quarter of a second
COMPARED_AT_ONCE = 1 << 22
SEARCHED_PAIRS = 1 << 28  # of a folder in which more is measured than was listed
MEASURED_MORE = 20_000  # pairs
MEASURED_CHARACTERS = 1 << 26  # of their documents, which are read again


def known_bits(
    corpus: Corpus, settings: ScanSettings, cancelled: Cancelled = never
) -> KnownBits | None:
    """What is known after a list under these settings, whose signatures are bits.

    None where too little is known: very many documents have the same signature, so that not all
    candidates were compared; or weights by rarity make angles that too few pairs tell.

    Raises:
        ScanCancelledError: `cancelled` said so.
    """
    corpus.complete_signatures(cancelled)
    every = every_pair(corpus, settings, cancelled)
    rows = corpus.distinct()
    if every is None and (corpus.evidence.forgets or _crowded(corpus, rows)):
        return None
    at_distance, spread = _at_distances(corpus, rows, settings.seed, cancelled)
    reach = BITS if every else _measure_more(corpus, rows, at_distance, cancelled)
    if reach == NONE:
        return None
    sample = _sample(corpus, settings, measured_pairs(corpus, settings, every), every)
    weighted = settings.weights != "unweighted"
    levels = bit_levels(sample, reach, weighted=weighted, by_rarity=settings.depends_on_all)
    if levels is None:
        return None
    return KnownBits(
        signature=settings.signature,
        floor=settings.min_resemblance,
        complete=every is not None,
        reach=reach,
        all_pairs=count_pairs(corpus.reviewed(), rows),
        at_distance=at_distance,
        spread=spread,
        identical=identical_pairs(corpus),
        levels=levels,
    )


def _crowded(corpus: Corpus, rows: Int64Array) -> bool:
    values = np.sort(join_halves(corpus.signed.signatures[rows]))
    return bool((values[EQUAL_LIMIT:] == values[:-EQUAL_LIMIT]).any())


def _sample(
    corpus: Corpus, settings: ScanSettings, pairs: MeasuredPairs, every: AllPairs | None
) -> BitSample:
    values = join_halves(corpus.signed.signatures)
    differing = values[pairs.x] ^ values[pairs.y]
    cosine = np.ones(len(pairs.x))
    if every is None:
        shared, sizes = corpus.evidence.measured(pairs.x, pairs.y).shared, corpus.evidence.sizes()
        cosine = cosine_of_containments(
            shared / np.maximum(sizes[pairs.x], 1), shared / np.maximum(sizes[pairs.y], 1)
        )
    return BitSample(
        pairs.resemblance,
        cosine,
        np.bitwise_count(differing).astype(np.int64),
        differing,
        pairs.counts,
        sharing_a_passage(corpus, settings, pairs),
    )


def _at_distances(
    corpus: Corpus, rows: Int64Array, seed: int, cancelled: Cancelled
) -> tuple[Float64Array, Float64Array]:
    """How many pairs differ in so many bits; and the standard error of those up to each.

    All are counted, or those of documents drawn at random with all others.
    """
    count = len(rows)
    values, reviewed = join_halves(corpus.signed.signatures[rows]), corpus.reviewed()[rows]
    drawn = np.arange(count)
    if count * count > COUNTED_PAIRS:
        rng = np.random.default_rng(seed)
        drawn = np.sort(rng.choice(count, max(2, COUNTED_PAIRS // count), replace=False))
    own = np.zeros((len(drawn), DISTANCES))
    at_once = max(1, COMPARED_AT_ONCE // max(count, 1))
    for start in range(0, len(drawn), at_once):
        stop_if(cancelled)
        part = drawn[start : start + at_once]
        own[start : start + at_once] = _distances_of(values, reviewed, part)
    whole = count / max(len(drawn), 1)
    spread = np.zeros(DISTANCES)
    if len(drawn) < count:
        until = np.cumsum(own, axis=1)
        spread = count / 2 * until.std(axis=0, ddof=1) * np.sqrt((1 - 1 / whole) / len(drawn))
    return own.sum(axis=0) * whole / 2, spread


def _distances_of(values: UInt64Array, reviewed: BoolArray, part: Int64Array) -> Float64Array:
    """How many others differ from each of some documents in so many bits, (n, 65)."""
    distance = np.bitwise_count(values[part, None] ^ values)
    own = np.empty((len(part), DISTANCES))
    for place, document in enumerate(part.tolist()):
        there = distance[place] if reviewed[document] else distance[place][reviewed]
        own[place] = np.bincount(there, minlength=DISTANCES)
        own[place, 0] -= bool(reviewed[document])  # itself
    return own


def _measure_more(
    corpus: Corpus, rows: Int64Array, at_distance: Float64Array, cancelled: Cancelled
) -> int:
    """Measure pairs that no list has compared; up to which distance all are known then."""
    tried = corpus.tried_distances.items()
    listed = max((distance for distance, one in tried if not one.crowded), default=NONE)
    if len(rows) * len(rows) // 2 > SEARCHED_PAIRS:
        return listed
    further = np.cumsum(at_distance) - at_distance[: listed + 1].sum()
    reach = max(listed, int(np.searchsorted(further, MEASURED_MORE, side="right")) - 1)
    while reach > listed:
        x, y = _between(corpus, rows, listed, reach, cancelled)
        if int(corpus.texts.lengths[np.union1d(x, y)].sum()) <= MEASURED_CHARACTERS:
            corpus.evidence.measured(x, y, cancelled)
            return reach
        reach -= 1 + (reach - listed) // 2
    return listed


def _between(
    corpus: Corpus, rows: Int64Array, above: int, most: int, cancelled: Cancelled
) -> tuple[Int64Array, Int64Array]:
    """The pairs that differ in more bits than some, and in at most so many."""
    signed, reviewed = corpus.signed, corpus.reviewed()
    search = HammingSearch(signed.signatures, signed.digests, rows, most, cancelled=cancelled)
    codes = [np.zeros(0, dtype=np.uint64)]
    for chunk in search.pairs():
        wanted = are_compared(reviewed, chunk.x, chunk.y)
        wanted &= hamming_distance(signed.signatures, chunk.x, chunk.y) > above
        codes.append(pair_codes(chunk.x[wanted], chunk.y[wanted]))
    return split_codes(np.concatenate(codes))
