"""What b, r and the floor mean for the pairs of a folder, for views."""

from __future__ import annotations

from core.reports.curve.forecast_words import forecast

__all__ = ["forecast"]
