"""Whether two signatures agree in a whole band, and in which."""

from __future__ import annotations

from typing import Any

import numpy as np

from core.base.arrays import BoolArray, Int16Array, IntegerArray, UInt32Array
from core.base.compiling import njit

NO_BAND, SEVERAL_BANDS = -2, -1


def meet_in_a_band(
    signatures: UInt32Array,
    x: IntegerArray,
    y: IntegerArray,
    bands: int,
    rows: int,
) -> BoolArray:
    """For pairs of rows: whether they agree in at least one band."""
    # One type, so that the kernel is compiled once.
    x, y = x.astype(np.int64, copy=False), y.astype(np.int64, copy=False)
    return np.asarray(_band_met(signatures, x, y, bands, rows, 1) != NO_BAND)


def band_met(
    signatures: UInt32Array,
    x: IntegerArray,
    y: IntegerArray,
    bands: int,
    rows: int,
) -> Int16Array:
    """For pairs of rows: the band in which they agree, if it is the only one.

    Returns:
        int16: the band, from 0; `SEVERAL_BANDS` or `NO_BAND`.
    """
    return np.asarray(_band_met(signatures, x, y, bands, rows, 2))


@njit(nogil=True, cache=True)
def agree(signatures: Any, x: Any, y: Any, band: Any, rows: Any) -> Any:
    """Whether two rows of a matrix have the same values in a band."""
    for place in range(band * rows, band * rows + rows):
        if signatures[x, place] != signatures[y, place]:
            return False
    return True


@njit(nogil=True, cache=True)
def _band_met(
    signatures: Any,
    x: Any,
    y: Any,
    bands: Any,
    rows: Any,
    enough: Any,
) -> Any:
    """See `band_met`; looks for so many bands at most."""
    met = np.full(len(x), NO_BAND, dtype=np.int16)
    for pair in range(len(x)):
        found = 0
        for band in range(bands):
            if agree(signatures, x[pair], y[pair], band, rows):
                found += 1
                met[pair] = band if found == 1 else SEVERAL_BANDS
                if found == enough:
                    break
    return met
