"""How likely a pair is found, by its resemblance: the curve of each kind of signatures."""

from __future__ import annotations

from typing import TypeAlias

from core.candidates.bit_curve import BitCurve
from core.candidates.scurve import BandCurve

Curve: TypeAlias = BandCurve | BitCurve


def curve_of(bands: int, rows: int, distance: int | None) -> Curve:
    """The curve of bands and rows; where there is a largest distance, of that."""
    return BandCurve(bands, rows) if distance is None else BitCurve(distance)
