"""Numbers of the threshold panel as they are written, for views."""

from __future__ import annotations

from core.reports.curve.numbers import (
    ForecastNumbers,
    Phrase,
    Sentence,
    about,
    almost,
    plain,
    share,
    two_decimals,
)

__all__ = [
    "ForecastNumbers",
    "Phrase",
    "Sentence",
    "about",
    "almost",
    "plain",
    "share",
    "two_decimals",
]
