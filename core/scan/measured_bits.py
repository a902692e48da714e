"""From a corpus to what is known of its pairs and their bits, for the forecast of what d misses."""

from __future__ import annotations

import numpy as np

from core.base.arrays import Float64Array, Int64Array, UInt64Array
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

NONE = -1  # distance that was compared
COUNTED_PAIRS = 1 << 27  # whose bits are compared: half a second
ROWS_AT_ONCE = 64  # with all others in a near cache
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

    All are counted, or those of documents drawn at random with all others; once for a corpus.
    """
    counted = corpus.at_distances
    if counted is None:
        reviewed = corpus.reviewed()[rows]
        # Documents to review come first: then two others are never met.
        values = join_halves(corpus.signed.signatures[rows[np.argsort(~reviewed, kind="stable")]])
        own = int(np.count_nonzero(reviewed))
        if own * len(rows) <= COUNTED_PAIRS:
            counted = _every_distance(values, own, cancelled), np.zeros(DISTANCES)
        else:
            counted = _drawn_distances(values, own, seed, cancelled)
        corpus.at_distances = counted
    return counted


def _every_distance(values: UInt64Array, own: int, cancelled: Cancelled) -> Float64Array:
    """Every pair of which the first is one of the first documents."""
    total = np.zeros(DISTANCES)
    for start in range(0, own, ROWS_AT_ONCE):
        stop_if(cancelled)
        part = values[start : min(start + ROWS_AT_ONCE, own)]
        distance = np.bitwise_count(part[:, None] ^ values[start:])
        inside, others = distance[:, : len(part)].ravel(), distance[:, len(part) :].ravel()
        twice = np.bincount(inside, minlength=DISTANCES)
        twice[0] -= len(part)  # each with itself
        total += twice / 2 + np.bincount(others, minlength=DISTANCES)
    return total


def _drawn_distances(
    values: UInt64Array, own: int, seed: int, cancelled: Cancelled
) -> tuple[Float64Array, Float64Array]:
    """Of some of the first documents with all: half of a pair of two that may both be drawn."""
    rng = np.random.default_rng(seed)
    number = min(own, max(2, COUNTED_PAIRS // len(values)))
    drawn = np.sort(rng.choice(own, number, replace=False))
    half = np.empty((number, DISTANCES))
    for place, document in enumerate(drawn.tolist()):
        stop_if(cancelled)
        distance = np.bitwise_count(values[document] ^ values)
        inside = np.bincount(distance[:own], minlength=DISTANCES)
        inside[0] -= 1  # itself
        half[place] = inside / 2 + np.bincount(distance[own:], minlength=DISTANCES)
    until = np.cumsum(half, axis=1)
    spread = own * until.std(axis=0, ddof=1) * np.sqrt((1 - number / own) / number)
    return half.sum(axis=0) * own / number, spread


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
