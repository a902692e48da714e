"""Signatures to look at: one pair signed with many seeds, and all pairs of a few texts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from core.base.arrays import BoolArray, Float64Array, Int64Array
from core.base.progress import Cancelled, never, stop_if
from core.evidence.numbers import numbers_of_shingles
from core.settings import ScanSettings
from core.signatures.method import sign
from core.text.shingling import shingle


def agreements(
    texts: Sequence[str], settings: ScanSettings, trials: int, cancelled: Cancelled = never
) -> BoolArray:
    """Which values of the first text's signature others share, under one seed after the other.

    Args:
        texts: The first one, and those that are compared with it.
        settings: Of the signatures; the first trial has their own seed.
        trials: How many seeds.
        cancelled: Polled between seeds.

    Returns:
        bool (trials, texts - 1, K).

    Raises:
        ScanCancelledError: `cancelled` said so.
    """
    shingles = shingle(texts, settings)
    same = np.empty((trials, len(texts) - 1, settings.signature_size), dtype=np.bool_)
    for trial in range(trials):
        stop_if(cancelled)
        signatures = sign(shingles, settings.with_changes(seed=settings.seed + trial))
        same[trial] = signatures[1:] == signatures[0]
    return same


def meets(same: BoolArray, bands: int, rows: int) -> BoolArray:
    """Which bands agree as a whole: bool (..., K) to bool (..., b)."""
    used = same[..., : bands * rows]
    return np.asarray(used.reshape(*same.shape[:-1], bands, rows).all(axis=-1))


class AllPairs(NamedTuple):
    """All pairs of some texts, those that resemble most first.

    Attributes:
        a: int64, the first text of each.
        b: int64, the second.
        resemblance: float64, exact.
        same: bool (n, K), which values of their signatures are equal.
    """

    a: Int64Array
    b: Int64Array
    resemblance: Float64Array
    same: BoolArray


def all_pairs(texts: Sequence[str], settings: ScanSettings) -> AllPairs:
    """Measure and sign all pairs of a few texts; those without shingles are left out."""
    shingles = shingle(texts, settings)
    there = np.flatnonzero(np.diff(shingles.offsets))
    first, second = np.triu_indices(len(there), 1)
    a, b = there[first], there[second]
    resemblance = numbers_of_shingles(shingles, a, b, settings).resemblance
    signatures = sign(shingles, settings)
    order = np.argsort(-resemblance, kind="stable")
    a, b = a[order], b[order]
    return AllPairs(a, b, resemblance[order], signatures[a] == signatures[b])
