"""All pairs of a small folder compared exactly, and the list of the scan held against them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from core.audit.all_pairs import ExactPairs, Truth
from core.audit.ranges import measured_ranges, remedies
from core.audit.search import AuditSearch, chances
from core.base.arrays import BoolArray, UInt8Array
from core.evidence.pairs import FoundBy, pair_codes
from core.scan.audit_results import (
    BandEstimate,
    Bin,
    MeasuredRange,
    MissCount,
    MissedPair,
    MissReason,
    Proof,
    Remedy,
)
from core.scan.caps import CapKind
from core.scan.duplicates import COPIES_SPELLED_OUT
from core.settings import ScanSettings
from core.text.word_counts import are_passages

BINS = 10


class Held(NamedTuple):
    """A proof, what signatures met of the pairs in it, and what would miss less."""

    proof: Proof
    ranges: tuple[MeasuredRange, ...]
    remedies: tuple[Remedy, ...]


def prove(search: AuditSearch, wanted: ExactPairs, truth: Truth) -> Held:
    """Hold the listed pairs against all that should be listed.

    Args:
        search: What a scan lists.
        wanted: All pairs that a complete list holds, ordered by x and y.
        truth: Measures any others.
    """
    found = search.found_by(pair_codes(wanted.x, wanted.y))
    representatives = search.representatives()
    identical = representatives[wanted.x] == representatives[wanted.y]
    copies = (found == 0) & _by_representatives(search, wanted)
    missed = (found == 0) & ~copies
    different = ~identical & ~copies
    by_bands = (found & FoundBy.LSH) > 0
    by_chance = different & ((found & np.uint8(~FoundBy.LSH & 0xFF)) == 0)
    reasons = _reasons(search, wanted.take(missed))
    others = wanted.take(by_chance)
    first = search.representatives()
    proof = Proof(
        pairs=truth.pairs,
        wanted=len(wanted.x),
        listed=int((found > 0).sum()),
        copies=int(copies.sum()),
        identical=int(identical.sum()),
        wrong=_count_wrong(search, wanted, truth),
        reasons=tuple(MissCount(*one) for one in Counter(reasons).most_common()),
        missed=_explained(wanted.take(missed), reasons, search.settings),
        bins=_bins(wanted.take(different), found[different], search.settings),
    )
    return Held(
        proof,
        measured_ranges(wanted.resemblance[different], by_bands[different], search.settings),
        remedies(
            search, search, first[others.x], first[others.y], int((found[by_chance] == 0).sum())
        ),
    )


def hold_forecast(search: AuditSearch, wanted: ExactPairs) -> BandEstimate:
    """The forecast beside how many pairs bands, and bands with passages, really did not meet.

    A pair counts as often as the list has it: its documents may have copies.
    """
    forecast = search.forecast()
    if forecast is None:
        return BandEstimate(None)
    first = search.representatives()
    own = np.arange(len(first)) == first
    spread = np.bincount(first, minlength=len(first))
    spread[spread > COPIES_SPELLED_OUT] = 1
    pairs = wanted.take(own[wanted.x] & own[wanted.y] & (wanted.resemblance >= forecast.least))
    found = search.found_by(pair_codes(pairs.x, pairs.y))
    counts = spread[pairs.x] * spread[pairs.y]
    return BandEstimate(
        forecast,
        int(counts[(found & FoundBy.LSH) == 0].sum()),
        int(counts[(found & np.uint8(~FoundBy.ALL & 0xFF)) == 0].sum()),
    )


def _by_representatives(search: AuditSearch, wanted: ExactPairs) -> BoolArray:
    """Pairs for which the first of over 30 copies stands, where the list holds its pair."""
    first = search.representatives()
    many = np.bincount(first, minlength=len(first))[first] > COPIES_SPELLED_OUT
    x = np.where(many[wanted.x], first[wanted.x], wanted.x)
    y = np.where(many[wanted.y], first[wanted.y], wanted.y)
    listed = search.found_by(pair_codes(np.minimum(x, y), np.maximum(x, y))) > 0
    within = (x == y) & (wanted.x != x) & (wanted.y != y)
    across = ((x != wanted.x) | (y != wanted.y)) & (x != y) & listed
    return np.asarray(within | across)


def _count_wrong(search: AuditSearch, wanted: ExactPairs, truth: Truth) -> int:
    """Listed pairs that should not be, or whose numbers are not the exact ones.

    Pairs that share a reworked passage are listed however little they are alike otherwise.
    """
    pairs = search.pairs
    expected = np.isin(search.codes, pair_codes(wanted.x, wanted.y))
    expected |= (pairs.found_by & np.uint8(FoundBy.REWORKED)) > 0
    exact = truth.measure(pairs.a.astype(np.int64), pairs.b.astype(np.int64))
    right = (exact.resemblance == pairs.resemblance) & (exact.longest_run == pairs.longest_run)
    return int((~right | ~expected).sum())


def _explained(
    missed: ExactPairs, reasons: Sequence[MissReason], settings: ScanSettings
) -> tuple[MissedPair, ...]:
    """The pairs with the reason of each, most similar first."""
    order = np.lexsort((missed.y, missed.x, -missed.longest_run, -missed.resemblance))
    chance = chances(missed.resemblance, settings)
    return tuple(
        MissedPair(
            int(missed.x[row]),
            int(missed.y[row]),
            float(missed.resemblance[row]),
            int(missed.longest_run[row]),
            None if chance is None else float(chance[row]),
            reasons[row],
        )
        for row in order.tolist()
    )


def _reasons(search: AuditSearch, missed: ExactPairs) -> list[MissReason]:
    settings = search.settings
    first = search.representatives()
    x, y = first[missed.x], first[missed.y]
    similar = missed.resemblance >= settings.min_resemblance
    # Candidates are compared, except in a crowd.
    crowded = any(cap.kind in {CapKind.CROWD, CapKind.ALIKE} for cap in search.caps)
    met = search.met(x, y)
    shares = are_passages(missed.run_words, settings)
    common = np.zeros(len(x), dtype=np.bool_)
    common[shares] = search.share_common_text_only(x[shares], y[shares])
    conditions = [x == y, met & similar, common, shares]
    unlisted = MissReason.CROWD if crowded else MissReason.FAULT
    reasons = [MissReason.FAULT, unlisted, MissReason.COMMON, MissReason.FAULT]
    which = np.select(conditions, range(len(conditions)), default=len(conditions))
    other = MissReason.DISTANCE if settings.choice is None else MissReason.CHANCE
    return [[*reasons, other][place] for place in which]


def _bins(wanted: ExactPairs, found: UInt8Array, settings: ScanSettings) -> tuple[Bin, ...]:
    """Tenths of resemblance from the threshold on, and what lies below it."""
    least = settings.min_resemblance
    tenths = [edge / BINS for edge in range(1, BINS) if edge / BINS > least]
    edges = np.array(sorted({0.0, least, *tenths, 1.0}))
    chance = chances(wanted.resemblance, settings)
    which = np.clip(
        np.searchsorted(edges, wanted.resemblance, side="right") - 1, 0, max(0, len(edges) - 2)
    )
    by_bands = (found & FoundBy.LSH) > 0
    bins = []
    for place in range(len(edges) - 1):
        here = which == place
        bins.append(
            Bin(
                float(edges[place]),
                float(edges[place + 1]),
                int(here.sum()),
                None if chance is None else float(chance[here].sum()),
                int((here & by_bands).sum()),
                int((here & (found > 0) & ~by_bands).sum()),
            )
        )
    return tuple(bins)
