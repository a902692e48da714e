"""What signatures met, range by range of resemblance, and which other choice would meet more."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from core.audit.search import AuditSearch, chances
from core.base.arrays import BoolArray, Float64Array, Int64Array
from core.base.intervals import Estimate
from core.scan.audit_results import MeasuredRange, Remedy
from core.settings import MAX_DISTANCE, ScanSettings

RANGES = 20
MOST_REMEDIES = 3


def measured_ranges(
    resemblance: Float64Array, met: BoolArray, settings: ScanSettings
) -> tuple[MeasuredRange, ...]:
    """Which share of some pairs the signatures met; ranges without any are left out.

    Args:
        resemblance: Exact, of pairs that should be listed.
        met: Whether a band met each, or its bits are near enough.
        settings: Promise how many are met.
    """
    place = np.minimum((resemblance * RANGES + 1e-9).astype(np.int64), RANGES - 1)
    chance = chances(resemblance, settings)
    return tuple(
        MeasuredRange(
            number / RANGES,
            (number + 1) / RANGES,
            float(resemblance[here].mean()),
            int(here.sum()),
            None if chance is None else float(chance[here].sum()),
            int(met[here].sum()),
        )
        for number in range(RANGES)
        if (here := place == number).any()
    )


def remedies(
    search: AuditSearch, alone: AuditSearch, x: Int64Array, y: Int64Array, missed: int
) -> tuple[Remedy, ...]:
    """Other choices for the same signatures that miss less, each less than the one before.

    Args:
        search: The search in which these pairs are.
        alone: The search of the folder alone.
        x: First documents of the pairs that should be listed and nothing but signatures leads to.
        y: The second ones.
        missed: How many of them the present choice misses.
    """
    found: list[Remedy] = []
    for settings in _others(search.settings):
        if not missed or len(found) == MOST_REMEDIES:
            break
        left = int((~search.met(x, y, settings)).sum())
        if left < missed:
            choice, distance = settings.choice or (0, 0), settings.distance
            candidates = alone.candidates(settings)
            if candidates and search is alone:  # of few pairs a sample knows less than was counted
                candidates = Estimate(*(max(one, float(len(x) - left)) for one in candidates))
            found.append(Remedy(*choice, distance, left, candidates))
            missed = left
    return tuple(found)


def _others(settings: ScanSettings) -> Iterator[ScanSettings]:
    """The present choice with more bands, then with fewer rows; or with more bits."""
    if settings.choice is None:
        for distance in range(settings.max_distance + 1, MAX_DISTANCE + 1):
            yield settings.with_changes(max_distance=distance)
        return
    for rows in range(settings.rows, 0, -1):
        yield settings.with_changes(bands=1, rows=1).with_changes(
            bands=settings.signature_size // rows, rows=rows
        )
