"""The pairs of a folder in classes of resemblance, for views."""

from __future__ import annotations

from core.reports.curve.bars import BINS, FINE_BINS, Bars, class_of, count_pairs

__all__ = ["BINS", "FINE_BINS", "Bars", "class_of", "count_pairs"]
