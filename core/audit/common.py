"""Whether two texts share a passage that is not common text, seen without fingerprints."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from core.rewinnowing import Passages
from core.settings import ScanSettings
from core.shingling import MULTIPLIER, shingle
from core.winnowing import BLANK, blank, find_grams

__all__ = ["share_common_grams_only"]

UInt64Array = npt.NDArray[np.uint64]


def share_common_grams_only(
    one: str, other: str, passages: Passages, settings: ScanSettings
) -> bool:
    """Whether each gram of each run of t units that two texts share is common in their folder.

    Args:
        one: A text.
        other: Another.
        passages: What the documents of the folder share.
        settings: Decide over grams and t.
    """
    grams = find_grams(shingle([one, other], settings), settings)
    window, middle = grams.window, int(grams.offsets[1])
    own, others = _runs(grams.hashes[:middle], window), _runs(grams.hashes[middle:], window)
    shared = np.isin(own, others)
    blank(grams, passages.avoided, passages.common.bits)
    uncommon = np.cumsum(np.append(0, grams.hashes[:middle] != BLANK))
    return not np.any(uncommon[window:][shared] > uncommon[: len(own)][shared])


def _runs(hashes: UInt64Array, window: int) -> UInt64Array:
    """One hash for each run of so many grams."""
    if len(hashes) < window:
        return np.empty(0, dtype=np.uint64)
    runs = np.zeros(len(hashes) - window + 1, dtype=np.uint64)
    for place in range(window):
        runs = runs * MULTIPLIER + hashes[place : place + len(runs)]
    return runs
