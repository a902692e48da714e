"""What an audit measured, as points to draw onto the curve that it was promised by."""

from __future__ import annotations

from typing import NamedTuple


class AuditPoint(NamedTuple):
    """Which share of some pairs the bands found, measured.

    Attributes:
        low: The smallest resemblance of these pairs.
        mid: Where the point stands between both.
        high: The largest resemblance.
        share: Of the pairs, found by bands: 0 to 1.
        share_low: Lower end of its 95 % interval; the share itself where all pairs were counted.
        share_high: Its upper end.
        words: What was counted, for who points at it or hears it.
    """

    low: float
    mid: float
    high: float
    share: float
    share_low: float
    share_high: float
    words: str
