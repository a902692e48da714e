"""What the threshold panel shows, for views."""

from __future__ import annotations

from core.reports.curve.state import FLOOR_DECIMALS, MAX_DISTANCE, FolderPairs, ThresholdState

__all__ = ["FLOOR_DECIMALS", "MAX_DISTANCE", "FolderPairs", "ThresholdState"]
