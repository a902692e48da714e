"""Forecasts what a run would compare, from a sample of its documents, before it is paid for.

A document is in the sample where its digest is below a bound: it is drawn with a probability f that
is known, whatever its order or partition, and with it all its copies. A pair of the sample stands
for 1/f² pairs (Horvitz and Thompson 1952); the variance of their number is estimated from the pairs
of the sample and from how many of them have a document in common (Frank, Scandinavian Journal of
Statistics 4, 1977, for graphs of which nodes were drawn). Where no pair was drawn, there may still
be some.

A bucket that is overfull among all documents cannot be recognised from few documents in the sample,
only from many: those that are surely above the limit count as large ones, which cost each document
a leader and a small part of the bucket a band, and not all pairs.

A sample of documents on the driver: the counts of all of it, and a part of its texts.

Of long documents, fingerprints and texts of a sample are more than a driver takes.

Also the cost of a run, from a sample of its sources: pairs, bytes that are shuffled, core time.

Bytes are those of the rows that stages pass to each other: numbers and hashes as they are, texts as
Spark packs them, which is measured in the sample. Time is that of one core of this computer:
signing and comparing are measured in the sample; finding passages and reworked ones is not counted.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from core.base.arrays import (
    NORMAL_95,
    BoolArray,
    Estimate,
    Float64Array,
    Int64Array,
    UInt32Array,
    UInt64Array,
    begins_run,
)
from core.base.messages import N_, gettext, localized, ngettext, percentage
from core.base.tasks import WorkerPool
from core.base.wording import count, readable_size, rounded, share, with_interval
from core.candidates.bands import Buckets, sorted_buckets
from core.candidates.forecast import poisson_interval
from core.candidates.hamming import HammingSearch
from core.candidates.lsh import PART_LIMIT
from core.candidates.references import are_compared, pairs_of, reviewed_in_runs
from core.candidates.scurve import candidate_probability
from core.candidates.search import CANDIDATE_BUDGET
from core.candidates.sorted_keys import BUCKET_LIMIT
from core.errors import TooManyCandidatesError
from core.evidence.pairs import pair_codes, split_codes
from core.scan.corpus import Corpus
from core.settings import ScanSettings
from core.signatures.methods import hamming_distance
from core.signatures.signing import sign_texts
from core.spark.columns import bools, digests_of, int64s, unpacked
from core.spark.evidence import BROADCAST_NAMES, BROADCAST_PAIRS
from core.spark.reading import BROADCAST_ROWS, sampled_share

LEAST = 20_000  # documents of a sample: 500 bytes each where the driver runs
PAIRS_ENUMERATED = 1 << 23  # of a sample; of more, a pair counts once for each band it meets in
BUDGET_OF_DOCUMENT = 200  # pairs: a few milliseconds
MOST_ROWS = 16
NAMED = 2  # settings in the sentence on a budget


class Sample(NamedTuple):
    """A sample of the different documents of a run.

    Attributes:
        documents: How many different documents there are.
        share: The probability with which each is in the sample; 1 where all are.
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
    """The cost of one choice of bands and rows, or of bits.

    Attributes:
        choice: As the command line has it: "64 × 2", or "d = 3".
        settings: With that choice.
        candidates: Pairs that are compared exactly.
        in_large_buckets: Documents that have a band in common with too many, about.
        largest: Documents of the largest bucket, about: what one task must hold in a row.
    """

    choice: str
    settings: ScanSettings
    candidates: Estimate
    in_large_buckets: float
    largest: float


def draw(distinct: DataFrame, settings: ScanSettings) -> Sample:
    """A sample of the different documents of a run: 0.1 %, and 20,000 at least.

    Args:
        distinct: `columns.SIGNED`, of documents with the same words one.
        settings: Those they were signed with.
    """
    documents = distinct.count()
    share = sampled_share(documents, LEAST)
    rows = distinct.select("reviewed", "digest", "signature")  # the rest may be gigabytes
    if share < 1:
        bound = int(share * 2**128).to_bytes(16, "big")
        rows = rows.where(F.col("digest") < F.lit(bytearray(bound)))
    return _sample_in(rows.toArrow(), documents, share, settings)


def _sample_in(table: pa.Table, documents: int, share: float, settings: ScanSettings) -> Sample:
    """The sample that is a table with the columns reviewed, digest and signature."""
    signatures = unpacked(table.column("signature"), "<u4")[0].reshape(-1, settings.signature_width)
    digests, reviewed = digests_of(table.column("digest")), bools(table.column("reviewed"))
    return Sample(documents, share, signatures, digests, reviewed)


def costs(sample: Sample, settings: ScanSettings) -> list[Cost]:
    """The cost of the settings, then of others with signatures as large, fewest pairs first."""
    if settings.banding is None:
        return list(_of_bits(sample, settings))
    of_settings = _of_bands(sample, settings)
    choices = ((settings.signature_size // rows, rows) for rows in range(1, MOST_ROWS + 1))
    alternatives = [
        _of_bands(sample, settings.with_changes(bands=bands, rows=rows))
        for bands, rows in choices
        if bands and (bands, rows) != settings.banding
    ]
    return [of_settings, *sorted(alternatives, key=lambda cost: cost.candidates.expected)]


def usual_budget(documents: int) -> int:
    """How many pairs a run may compare where nobody says."""
    return max(CANDIDATE_BUDGET, BUDGET_OF_DOCUMENT * documents)


def check_budget(sample: Sample, settings: ScanSettings, budget: int | None) -> None:
    """Refuse settings that would compare more pairs than the budget; 0 allows any number.

    Raises:
        TooManyCandidatesError: They surely would; the sentence names settings that would do.
    """
    allowed = usual_budget(sample.documents) if budget is None else budget
    if allowed == 0:
        return
    of_settings = (
        _of_bands(sample, settings) if settings.banding else next(_of_bits(sample, settings))
    )
    if of_settings.candidates.low <= allowed:
        return
    would_do = [cost for cost in costs(sample, settings)[1:] if cost.candidates.expected <= allowed]
    nearest = sorted(would_do, key=lambda cost: -cost.candidates.expected)[:NAMED]
    remedies = [
        gettext("{choice} compares {pairs}.", choice=cost.choice, pairs=_in_words(cost.candidates))
        for cost in nearest
    ]
    raise TooManyCandidatesError(
        "With {choice} {pairs} of {documents} different documents would be compared, by a "
        "sample of {sample}; the budget is {budget}. {remedy} With --budget 0 any number is "
        "compared.",
        choice=f"b × r = {of_settings.choice}" if settings.banding else of_settings.choice,
        pairs=_in_words(of_settings.candidates),
        documents=count(sample.documents),
        sample=count(len(sample.signatures)),
        budget=count(allowed),
        remedy=" ".join(remedies) or gettext("Longer shingles are needed: a larger k."),
    )


def _in_words(pairs: Estimate) -> str:
    expected, low, high = (rounded(value, 3) for value in pairs)
    if low == high:
        return ngettext("{n} pair", "{n} pairs", expected)
    return gettext(
        "about {expected} pairs ({low} to {high})",
        expected=count(expected),
        low=count(low),
        high=count(high),
    )


def _of_bands(sample: Sample, settings: ScanSettings) -> Cost:
    """The cost of bands and rows."""
    share, count = sample.share, len(sample.signatures)
    memberships, largest, parts = np.zeros(count, dtype=np.int64), 0, list[Buckets]()
    limit = _surely_overfull(share)
    every = np.arange(count, dtype=np.int64)
    for buckets in sorted_buckets(sample.signatures, every, settings.bands, settings.rows):
        reviewed = reviewed_in_runs(sample.reviewed, buckets.members, buckets.starts[:-1])
        kept = buckets.take(reviewed > 0)
        is_large = pairs_of(reviewed[reviewed > 0], kept.sizes) > limit * (limit - 1) / 2
        memberships += np.bincount(kept.take(is_large).members, minlength=count)
        largest = max(largest, int(kept.sizes.max(initial=0)))
        parts.append(kept.take(~is_large))
    pairs = _scaled(parts, sample)
    followers = np.count_nonzero(memberships) / share
    in_parts = int(memberships.sum()) * (PART_LIMIT - 1) / 2 / share
    most = followers + in_parts
    candidates = Estimate(pairs.expected + most, pairs.low + followers, pairs.high + most)
    choice = f"{settings.bands} × {settings.rows}"
    return Cost(choice, settings, candidates, followers, largest / share)


def _surely_overfull(share: float) -> float:
    """The number of sampled documents from which a bucket is surely overfull."""
    mean = BUCKET_LIMIT * share
    return mean + (1 - share) * (3 * math.sqrt(mean) + 3)


def _scaled(parts: Sequence[Buckets], sample: Sample) -> Estimate:
    """The pairs of all documents that meet in buckets as those of the sample do."""
    sizes = [part.sizes for part in parts]
    together = sum(int((size * (size - 1) // 2).sum()) for size in sizes)
    degrees = np.zeros(len(sample.signatures), dtype=np.float64)
    if together > PAIRS_ENUMERATED:
        for part, size in zip(parts, sizes, strict=True):
            degrees += np.bincount(part.members, np.repeat(size - 1.0, size), len(degrees))
        degrees = np.minimum(degrees, len(degrees) - 1)
        return _of_sample(float(degrees.sum() / 2), degrees, sample.share)
    codes = np.concatenate([np.empty(0, np.uint64), *map(_pairs_of, parts)])
    codes.sort()
    codes = codes[np.append(True, codes[1:] != codes[:-1])[: len(codes)]]
    return _of_pairs(*split_codes(codes), sample)


def _of_pairs(x: Int64Array, y: Int64Array, sample: Sample) -> Estimate:
    """The same of pairs that meet in the sample, each once."""
    wanted = are_compared(sample.reviewed, x, y)
    x, y = x[wanted], y[wanted]
    degrees = np.bincount(np.concatenate([x, y]), minlength=len(sample.signatures))
    return _of_sample(float(len(x)), degrees.astype(np.float64), sample.share)


def _of_sample(pairs: float, degrees: Float64Array, share: float) -> Estimate:
    """The pairs of all documents, from those of a sample and how many each of its documents has."""
    triples = float((degrees * (degrees - 1)).clip(min=0).sum())
    variance = pairs / share**2 * (1 / share**2 - 1) + triples / share**3 * (1 / share - 1)
    low = poisson_interval(pairs / share**2, variance, share**2).low
    # Where by chance few pairs were drawn, their estimate of the variance is too small as well:
    # the score interval takes it as so many times the possible number (Wilson 1927).
    mean, least = pairs / share**2, 1 / share**2 - 1
    half = NORMAL_95**2 / 2 * max(variance / mean if mean else 0.0, least)
    return Estimate(mean, low, mean + half + math.sqrt(half**2 + 2 * half * mean))


def _pairs_of(buckets: Buckets) -> UInt64Array:
    """All pairs of buckets, as codes."""
    sizes, codes = buckets.sizes, [np.empty(0, dtype=np.uint64)]
    for size in sorted(set(sizes.tolist())):
        members = buckets.take(sizes == size).members.reshape(-1, size)
        x, y = np.triu_indices(size, 1)
        codes.append(pair_codes(members[:, x].reshape(-1), members[:, y].reshape(-1)))
    return np.concatenate(codes)


def _of_bits(sample: Sample, settings: ScanSettings) -> Iterator[Cost]:
    """The cost of d, then of each smaller distance."""
    every = np.arange(len(sample.signatures), dtype=np.int64)
    search = HammingSearch(sample.signatures, sample.digests, every, settings.max_distance)
    codes = [np.empty(0, np.uint64), *(pair_codes(chunk.x, chunk.y) for chunk in search.pairs())]
    x, y = split_codes(np.concatenate(codes))
    differing = hamming_distance(sample.signatures, x, y)
    for distance in range(settings.max_distance, -1, -1):
        near = differing <= distance
        pairs = _of_pairs(x[near], y[near], sample)
        changed = settings.with_changes(max_distance=distance)
        yield Cost(f"d = {distance}", changed, pairs, 0.0, 0.0)


CHARACTERS = 1 << 24  # of texts: as many are measured


class SampledTexts(NamedTuple):
    """A sample with its sizes. All but `written` counts documents with the same words once.

    Attributes:
        sample: Its signatures.
        grams: Fingerprints of passages.
        skip_grams: Those of reworked ones.
        characters: Of the texts.
        size: Their bytes.
        written: The same for all documents.
        texts: A part of the texts.
    """

    sample: Sample
    grams: int
    skip_grams: int
    characters: int
    size: int
    written: int
    texts: list[str]


def gathered(documents: DataFrame) -> pa.Table:
    """The columns that `sample_of` needs of `columns.DOCUMENTS`; `text` is mostly null."""
    kept = documents.where("units > 0").persist()
    try:
        row = kept.agg(F.sum("characters").alias("all"), F.min("digest").alias("first")).first()
        of_all, first = (row["all"], row["first"]) if row else (None, None)
        share = min(1.0, CHARACTERS / max(of_all or 0, 1))
        bound = min(int(share * 2**128), 2**128 - 1).to_bytes(16, "big")
        wanted = F.col("digest") <= F.lit(bytearray(max(bound, bytes(first or b""))))
        return kept.select(
            "reviewed",
            "characters",
            "digest",
            "signature",
            F.octet_length("text").cast("long").alias("size"),
            F.expr("octet_length(fingerprints) div 8 AS grams"),
            F.expr("octet_length(skip_grams) div 8 AS skip_grams"),
            F.when(wanted, F.col("text")).alias("text"),
        ).toArrow()
    finally:
        kept.unpersist()


def sample_of(
    table: pa.Table, documents: int, share: float, settings: ScanSettings
) -> SampledTexts:
    """The documents of a sample with words, those with the same words once.

    Args:
        table: The result of `gathered`.
        documents: How many all sources have.
        share: The probability with which each is in the sample.
        settings: That they were signed with.
    """
    digests = digests_of(table.column("digest"))
    order = np.lexsort((digests[:, 1], digests[:, 0]))
    order = order[begins_run(*digests[order].T)]
    different = round(documents * len(order) / max(len(digests), 1)) if share < 1 else len(order)
    written = pc.sum(table.column("size")).as_py() or 0
    table = table.take(pa.array(order))
    sums = {
        name: int(int64s(table.column(name)).sum())
        for name in ("grams", "skip_grams", "characters", "size")
    }
    return SampledTexts(
        _sample_in(table, different, share, settings),
        written=written,
        texts=table.column("text").drop_null().to_pylist(),
        **sums,
    )


BYTES_OF_HASH = 16  # of a band or gram, with the number of its document
BYTES_OF_PAIR = 20  # numbers and ways
BLOCK = 1 << 15  # bytes that Spark packs at once (spark.io.compression.lz4.blockSize)
TIMED_CHARACTERS = 1 << 22
TIMED_PAIRS = 1 << 13


class CostEstimate:
    """The cost of a run.

    Attributes:
        documents: How many there are.
        read: How many the sample has, of different words.
        choices: The cost of the settings, then of others.
        shuffled: Bytes by kind of data, in words.
        packed: The share of their bytes that texts take when they are packed.
        seconds: Of one core, by task, in words.
    """

    def __init__(
        self, sampled: SampledTexts, documents: int, settings: ScanSettings, rows: int = 0
    ) -> None:
        """The cost of a run of so many documents under these settings.

        Args:
            sampled: A sample of the documents.
            documents: How many there are.
            settings: Of the run.
            rows: How many of them are rows of tables.
        """
        sample, share = sampled.sample, sampled.sample.share
        self.documents, self.read = documents, len(sample.signatures)
        self.choices = costs(sample, settings)
        self.packed = packed_to(sampled.texts)
        pairs = self.choices[0].candidates.expected
        texts = _of_texts(sampled, documents, rows, pairs)
        self.shuffled = {
            "bands": float(sample.documents) * BYTES_OF_HASH * settings.bands,
            "fingerprints": sampled.grams * BYTES_OF_HASH / share,
            "skip-grams": sampled.skip_grams * BYTES_OF_HASH / share,
            "candidates": pairs * BYTES_OF_PAIR,
            **{purpose: size * self.packed for purpose, size in texts},
        }
        if settings.banding is None:
            del self.shuffled["bands"]
        sign, compare = _seconds(sampled, settings)
        self.seconds = {N_("signing"): sign / share, N_("comparing"): compare * pairs}


def packed_to(texts: Sequence[str]) -> float:
    """The share of their bytes that texts take in a shuffle: 1 for none."""
    joined = "".join(texts).encode("utf-8", "replace")
    codec = pa.Codec("lz4_raw")
    blocks = (joined[start : start + BLOCK] for start in range(0, len(joined), BLOCK))
    return sum(len(codec.compress(block)) for block in blocks) / len(joined) if joined else 1.0


def _of_texts(
    sampled: SampledTexts, documents: int, rows: int, pairs: float
) -> Iterator[tuple[str, float]]:
    """Bytes of texts by the purpose of the shuffle, before they are packed."""
    share, different = sampled.sample.share, sampled.sample.documents
    every = sampled.written / share
    if rows > BROADCAST_ROWS:
        yield N_("texts to be numbered"), every * rows / documents
    in_pairs = min(different, 2 * pairs)
    compared = sampled.size / share * in_pairs / max(different, 1)
    # For many pairs they are joined with the wanted numbers first, and then sent to the cells.
    sent_first = every if in_pairs > BROADCAST_NAMES else compared
    for purpose in (N_("texts to be compared"), N_("texts for passages")):
        yield purpose, compared + (sent_first if pairs > BROADCAST_PAIRS else 0)


def _seconds(sampled: SampledTexts, settings: ScanSettings) -> tuple[float, float]:
    """How long one core takes to sign all texts of a sample, and to compare a pair of them."""
    lengths = np.array([len(text) for text in sampled.texts], dtype=np.int64)
    timed = max(1, int(np.searchsorted(np.cumsum(lengths), TIMED_CHARACTERS)))
    texts = sampled.texts[:timed]
    sign_texts(texts[:1], settings)  # compiling and loading once is not counted
    began = time.perf_counter()
    signed = sign_texts(texts, settings)
    sign = (time.perf_counter() - began) * sampled.characters / max(lengths[:timed].sum(), 1)
    x, y = np.triu_indices(min(len(texts), 1 + TIMED_PAIRS // 32), 1)
    x, y = x[:TIMED_PAIRS], y[:TIMED_PAIRS]
    if not len(x):
        return float(sign), 0.0
    with WorkerPool(1) as pool:
        corpus = Corpus(settings, pool)
        corpus.add(texts, signed)
        corpus.evidence.measured(x[:1], y[:1])
        began = time.perf_counter()
        corpus.evidence.measured(x, y)
        return float(sign), (time.perf_counter() - began) / len(x)


SHOWN_AT = (0.3, 0.5, 0.8)  # resemblances
MINUTE, HOUR = 60, 3600


def sentences(bill: CostEstimate) -> Iterator[str]:
    """The lines that are printed."""
    first = bill.choices[0]
    yield gettext(
        "{documents}, by a sample of {sample}.",
        documents=ngettext("{n} document", "{n} documents", bill.documents),
        sample=ngettext("{n} different one", "{n} different ones", bill.read),
    )
    if not bill.read:
        yield gettext("No document with text was found: there is nothing to compare.")
        return
    yield _head(first)
    for cost in bill.choices:
        yield _row(cost)
    if first.in_large_buckets:
        yield gettext(
            "Skew: about {documents} documents have a band in common with too many; the largest "
            "bucket has about {largest}.",
            documents=count(rounded(first.in_large_buckets, 3)),
            largest=count(rounded(first.largest, 3)),
        )
    yield gettext(
        "Shuffled: about {size}: {parts}.",
        size=readable_size(round(sum(bill.shuffled.values()))),
        parts=", ".join(
            f"{readable_size(round(size))} {gettext(label)}"
            for label, size in bill.shuffled.items()
            if size
        ),
    )
    yield gettext(
        "Texts count as Spark packs them, to {share} of their bytes here; those that signatures "
        "may pair are compared, and searched for passages as if all pairs were listed.",
        share=share(bill.packed),
    )
    yield gettext(
        "One core: about {time}: {parts}.",
        time=_duration(sum(bill.seconds.values())),
        parts=", ".join(
            f"{_duration(seconds)} {gettext(label)}" for label, seconds in bill.seconds.items()
        ),
    )


def _head(cost: Cost) -> str:
    points = (
        gettext("found at {resemblance}", resemblance=localized(str(resemblance)))
        for resemblance in SHOWN_AT
    )
    columns = "".join(f"{point:>15}" for point in points) if cost.settings.banding else ""
    candidates = gettext("candidates")
    return f"{'b × r' if cost.settings.banding else 'd':>10}  {candidates:<44}{columns}"


def _row(cost: Cost) -> str:
    columns = ""
    if cost.settings.banding:
        shares = candidate_probability(SHOWN_AT, *cost.settings.banding)
        columns = "".join(f"{percentage(f'{100 * share:.1f}'):>14} " for share in shares)
    return f"{cost.choice:>10}  {_amount(cost.candidates):<44}{columns}".rstrip()


def _amount(pairs: Estimate) -> str:
    expected, low, high = (rounded(pair, 3) for pair in pairs)
    if low == high:
        return count(expected)
    return with_interval(count(expected), count(low), count(high))


def _duration(seconds: float) -> str:
    if seconds >= HOUR:
        return gettext("{number} hours", number=localized(f"{seconds / HOUR:,.1f}"))
    if seconds >= MINUTE:
        return gettext("{number} minutes", number=localized(f"{seconds / MINUTE:,.1f}"))
    return gettext("{number} s", number=localized(f"{seconds:,.1f}"))
