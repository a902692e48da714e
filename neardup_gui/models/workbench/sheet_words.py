"""What stands around the curve where it is a picture of its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from core.base.wording import printable_text
from core.reports.curve.forecast_words import ForecastNumbers, forecast
from core.settings import ScanSettings
from neardup_gui.models.setup.scan_settings import summary_of
from neardup_gui.models.threshold.model import ThresholdModel
from neardup_gui.models.threshold.words import beside_words, caption, marks_words

BARS = "Bars: the number of pairs of each resemblance, {scale}; numbers at the right."
NO_BARS = "The pairs of the folder are not known yet."


class SheetWords(NamedTuple):
    """The words of a picture.

    Attributes:
        subject: The folder or review.
        caption: What the curve is of.
        forecast: What is missed, checked for nothing, listed.
        lines: What else is in it, and the settings.
    """

    subject: str
    caption: str
    forecast: ForecastNumbers
    lines: Sequence[str]


def sheet_words(subject: str, model: ThresholdModel, settings: ScanSettings) -> SheetWords:
    """The words around what a model shows, under these settings."""
    state = model.state
    scale = "by its logarithm" if model.logarithmic else "as it is"
    beside = beside_words(state, model.pair_at_hand, model.audit_points)
    lines = (
        NO_BARS if model.folder is None else BARS.format(scale=scale),
        marks_words(state),
        *filter(None, beside.split("\n")),
        " · ".join(f"{about}: {told}" for about, told in summary_of(settings) if told),
    )
    return SheetWords(
        printable_text(subject),
        caption(state),
        forecast(state, model.folder),
        tuple(map(printable_text, lines)),
    )
