"""What a run would compare, from a sample of its documents, before it is paid for.

A document is in the sample where its digest is below a bound: it is drawn with a probability f that
is known, whatever its order or partition, and with it all its copies. A pair of the sample stands
for 1/f² pairs (Horvitz and Thompson 1952); what their number varies by is told by the pairs of the
sample and by how many of them have a document in common (Frank, Scandinavian Journal of Statistics
4, 1977, for graphs of which nodes were drawn). Where no pair was drawn, there may still be some.

A bucket that is overfull in the whole cannot be told from its few documents in the sample, only
from many: those that are surely above the limit count as crowds, which cost each document a leader
and a small part of the crowd a band, and not all pairs.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from core.base.arrays import BoolArray, Float64Array, Int64Array, UInt32Array, UInt64Array
from core.base.intervals import NORMAL_95, Estimate
from core.base.progress import never
from core.candidates.bands import Buckets, sorted_buckets
from core.candidates.crowds import PART_LIMIT
from core.candidates.forecast import interval_of_rare
from core.candidates.hamming import HammingSearch
from core.candidates.limits import BUCKET_LIMIT
from core.candidates.references import are_compared, pairs_of, reviewed_in_runs
from core.candidates.search import CANDIDATE_BUDGET
from core.errors import TooManyCandidatesError
from core.evidence.pairs import pair_codes, split_codes
from core.settings import ScanSettings
from core.signatures.estimates import hamming_distance
from core.spark.columns import bools, digests_of, unpacked

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

SHARE = 1e-3  # of the documents
LEAST, MOST = 20_000, 1 << 16  # documents: 500 bytes each where the driver runs
PAIRS_ENUMERATED = 1 << 23  # of a sample; of more, a pair counts once for each band it meets in
BUDGET_OF_DOCUMENT = 200  # pairs: some milliseconds
MOST_ROWS = 16
NAMED = 2  # settings in the sentence on a budget


class Sample(NamedTuple):
    """Some of the different documents of a run.

    Attributes:
        documents: How many different documents there are.
        share: With which probability each is in the sample; 1 where all are.
        signatures: uint32 (n, K), of those in the sample.
        digests: uint64 (n, 2).
        reviewed: bool (n), which of them are to review.
    """

    documents: int
    share: float
    signatures: UInt32Array
    digests: UInt64Array
    reviewed: BoolArray


class Cost(NamedTuple):
    """What one choice of bands and rows, or of bits, compares.

    Attributes:
        choice: As the command line has it: "64 × 2", or "d = 3".
        settings: With that choice.
        candidates: Pairs that are compared exactly.
        in_crowds: Documents that have a band in common with too many, about.
        largest: Documents of the largest bucket, about: what one task must hold in a row.
    """

    choice: str
    settings: ScanSettings
    candidates: Estimate
    in_crowds: float
    largest: float


class _Found(NamedTuple):
    """Pairs that meet in a sample: x, y, int64 (n,), each once."""

    x: Int64Array
    y: Int64Array


def draw(distinct: DataFrame, settings: ScanSettings) -> Sample:
    """A sample of the different documents of a run: 0.1 %, and 20,000 at least.

    Args:
        distinct: `schemas.SIGNED`, of documents with the same words one.
        settings: That they were signed with.
    """
    from pyspark.sql import functions as F

    documents = distinct.count()
    share = min(1.0, max(SHARE, LEAST / max(documents, 1)), MOST / max(documents, 1))
    rows = distinct.select("reviewed", "digest", "signature")  # the rest may be gigabytes
    if share < 1:
        bound = int(share * 2**128).to_bytes(16, "big")
        rows = rows.where(F.col("digest") < F.lit(bytearray(bound)))
    table = rows.toArrow()
    signatures = unpacked(table.column("signature"), "<u4")[0].reshape(-1, settings.signature_width)
    digests, reviewed = digests_of(table.column("digest")), bools(table.column("reviewed"))
    return Sample(documents, share, signatures, digests, reviewed)


def costs(sample: Sample, settings: ScanSettings) -> list[Cost]:
    """What the settings compare, then what others with as large signatures would, fewest first."""
    if settings.choice is None:
        own, *others = _of_bits(sample, settings)
        return [own, *others]
    own = _of_bands(sample, settings)
    choices = ((settings.signature_size // rows, rows) for rows in range(1, MOST_ROWS + 1))
    others = [
        _of_bands(sample, settings.with_changes(bands=bands, rows=rows))
        for bands, rows in choices
        if bands and (bands, rows) != settings.choice
    ]
    return [own, *sorted(others, key=lambda one: one.candidates.expected)]


def usual_budget(documents: int) -> int:
    """How many pairs a run may compare where nobody says."""
    return max(CANDIDATE_BUDGET, BUDGET_OF_DOCUMENT * documents)


def check_budget(sample: Sample, settings: ScanSettings, budget: int | None) -> None:
    """Refuse settings that would compare more pairs than that; 0 allows any number.

    Raises:
        TooManyCandidatesError: They surely would; the sentence names settings that would do.
    """
    allowed = usual_budget(sample.documents) if budget is None else budget
    if allowed == 0:
        return
    own = _of_bands(sample, settings) if settings.choice else next(_of_bits(sample, settings))
    if own.candidates.low <= allowed:
        return
    would_do = [one for one in costs(sample, settings)[1:] if one.candidates.expected <= allowed]
    nearest = sorted(would_do, key=lambda one: -one.candidates.expected)[:NAMED]
    raise TooManyCandidatesError(
        f"With {_named(own)} {_in_words(own.candidates)} of {sample.documents:,} different "
        f"documents would be compared, by a sample of {len(sample.signatures):,}; the budget is "
        f"{allowed:,}. {_remedy(nearest)} With --budget 0 any number is compared."
    )


def _remedy(would_do: Sequence[Cost]) -> str:
    if not would_do:
        return "Longer shingles are needed: a larger k."
    return " ".join(f"{one.choice} compares {_in_words(one.candidates)}." for one in would_do)


def _named(cost: Cost) -> str:
    return f"b × r = {cost.choice}" if cost.settings.choice else cost.choice


def _in_words(pairs: Estimate) -> str:
    expected, low, high = (_rounded(value) for value in pairs)
    if low == high:
        return f"{expected:,} pairs"
    return f"about {expected:,} pairs ({low:,} to {high:,})"


def _rounded(number: float) -> int:
    """A number with three digits that tell something."""
    digits = max(0, math.floor(math.log10(number)) - 2) if number >= 1 else 0
    return round(round(number), -digits)


def _of_bands(sample: Sample, settings: ScanSettings) -> Cost:
    """What some bands and rows compare."""
    share, count = sample.share, len(sample.signatures)
    memberships, largest, parts = np.zeros(count, dtype=np.int64), 0, list[Buckets]()
    limit = _surely_overfull(share)
    every = np.arange(count, dtype=np.int64)
    for buckets in sorted_buckets(sample.signatures, every, settings.bands, settings.rows, never):
        own = reviewed_in_runs(sample.reviewed, buckets.members, buckets.starts[:-1])
        kept = buckets.take(own > 0)
        crowd = pairs_of(own[own > 0], kept.sizes) > limit * (limit - 1) / 2
        memberships += np.bincount(kept.take(crowd).members, minlength=count)
        largest = max(largest, int(kept.sizes.max(initial=0)))
        parts.append(kept.take(~crowd))
    pairs = _scaled(parts, sample)
    followers = np.count_nonzero(memberships) / share
    in_parts = int(memberships.sum()) * (PART_LIMIT - 1) / 2 / share
    most = followers + in_parts
    candidates = Estimate(pairs.expected + most, pairs.low + followers, pairs.high + most)
    choice = f"{settings.bands} × {settings.rows}"
    return Cost(choice, settings, candidates, followers, largest / share)


def _surely_overfull(share: float) -> float:
    """How many documents of a bucket are in the sample of one that has too many, surely."""
    mean = BUCKET_LIMIT * share
    return mean + (1 - share) * (3 * math.sqrt(mean) + 3)


def _scaled(parts: Sequence[Buckets], sample: Sample) -> Estimate:
    """How many pairs all documents have that meet in some buckets as those of the sample do."""
    sizes = [one.sizes for one in parts]
    together = sum(int((own * (own - 1) // 2).sum()) for own in sizes)
    degrees = np.zeros(len(sample.signatures), dtype=np.float64)
    if together > PAIRS_ENUMERATED:
        for one, own in zip(parts, sizes, strict=True):
            degrees += np.bincount(one.members, np.repeat(own - 1.0, own), len(degrees))
        degrees = np.minimum(degrees, len(degrees) - 1)
        return _of_sample(float(degrees.sum() / 2), degrees, sample.share)
    codes = np.concatenate([np.empty(0, np.uint64), *map(_pairs_of, parts)])
    codes.sort()
    codes = codes[np.append(True, codes[1:] != codes[:-1])[: len(codes)]]
    return _of_pairs(_Found(*split_codes(codes)), sample)


def _of_pairs(found: _Found, sample: Sample) -> Estimate:
    wanted = are_compared(sample.reviewed, found.x, found.y)
    x, y = found.x[wanted], found.y[wanted]
    degrees = np.bincount(np.concatenate([x, y]), minlength=len(sample.signatures))
    return _of_sample(float(len(x)), degrees.astype(np.float64), sample.share)


def _of_sample(pairs: float, degrees: Float64Array, share: float) -> Estimate:
    """The pairs of all documents, from those of a sample and how many each of its documents has."""
    triples = float((degrees * (degrees - 1)).clip(min=0).sum())
    variance = pairs / share**2 * (1 / share**2 - 1) + triples / share**3 * (1 / share - 1)
    low = interval_of_rare(pairs / share**2, variance, share**2).low
    # Where by chance few pairs were drawn, the variance they tell is as much too small: the score
    # interval takes it as so many times the number that there may be (Wilson 1927).
    mean, least = pairs / share**2, 1 / share**2 - 1
    half = NORMAL_95**2 / 2 * max(variance / mean if mean else 0.0, least)
    return Estimate(mean, low, mean + half + math.sqrt(half**2 + 2 * half * mean))


def _pairs_of(buckets: Buckets) -> UInt64Array:
    """All pairs of some buckets, as codes."""
    sizes, found = buckets.sizes, [np.empty(0, dtype=np.uint64)]
    for size in sorted(set(sizes.tolist())):
        members = buckets.take(sizes == size).members.reshape(-1, size)
        one, other = np.triu_indices(size, 1)
        found.append(pair_codes(members[:, one].reshape(-1), members[:, other].reshape(-1)))
    return np.concatenate(found)


def _of_bits(sample: Sample, settings: ScanSettings) -> Iterator[Cost]:
    """What d compares, then what each smaller one would."""
    every = np.arange(len(sample.signatures), dtype=np.int64)
    search = HammingSearch(sample.signatures, sample.digests, every, settings.max_distance)
    x, y = [np.empty(0, np.int64)], [np.empty(0, np.int64)]
    for chunk in search.pairs():
        x.append(chunk.x.astype(np.int64))
        y.append(chunk.y.astype(np.int64))
    found = _Found(np.concatenate(x), np.concatenate(y))
    differing = hamming_distance(sample.signatures, found.x, found.y)
    for distance in range(settings.max_distance, -1, -1):
        near = differing <= distance
        pairs = _of_pairs(_Found(found.x[near], found.y[near]), sample)
        changed = settings.with_changes(max_distance=distance)
        yield Cost(f"d = {distance}", changed, pairs, 0.0, 0.0)
