"""Whether two texts share a passage that is not common text, seen without fingerprints."""

from __future__ import annotations

import numpy as np

from core.base.arrays import Int64Array, UInt64Array
from core.candidates.rewinnowing import Passages
from core.settings import ScanSettings
from core.signatures.grams import BLANK, find_grams
from core.signatures.winnowing import blank
from core.text.shingling import MULTIPLIER, Shingles


def share_common_grams_only(two: Shingles, passages: Passages, settings: ScanSettings) -> bool:
    """Whether each gram of each run of t units that two texts share is common in their folder.

    Args:
        two: The shingles of two texts; no run goes over text that is set aside.
        passages: What the documents of the folder share.
        settings: Decide over grams and t.
    """
    grams = find_grams(two, settings)
    starts = np.arange(len(grams.hashes), dtype=np.int64)
    ends = grams.ends_of_windows(starts)
    whole = ends <= np.repeat(grams.offsets[1:], np.diff(grams.offsets))
    aside = np.cumsum(np.append(0, grams.hashes == BLANK))
    whole &= aside[np.minimum(ends, len(starts))] == aside[starts]
    own = starts < grams.offsets[1]
    runs = _runs(grams.hashes, starts, np.where(whole, ends, starts))
    shared = whole & own & np.isin(runs, runs[whole & ~own])
    blank(grams, passages.avoided, passages.common.bits)
    uncommon = np.cumsum(np.append(0, grams.hashes != BLANK))
    return not np.any(uncommon[ends[shared]] > uncommon[starts[shared]])


def _runs(hashes: UInt64Array, starts: Int64Array, ends: Int64Array) -> UInt64Array:
    backwards = np.uint64(pow(int(MULTIPLIER), -1, 1 << 64))
    powers = np.multiply.accumulate(np.full(len(hashes) + 1, MULTIPLIER))
    inverse = np.multiply.accumulate(np.full(len(hashes), backwards))
    sums = np.append(np.uint64(0), np.cumsum(hashes * inverse))
    return (sums[ends] - sums[starts]) * powers[starts]
