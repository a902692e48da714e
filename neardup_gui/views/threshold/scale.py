"""Where a resemblance and a probability stand in a plot."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPolygonF

from core.reports.curve.forecast_words import two_decimals

Floats = npt.NDArray[np.float64]

TOP = 1.08  # room for the handle of the threshold line
STEPS = (0.01, 0.02, 0.05, 0.1, 0.2)  # between two ticks
MOST_TICKS = 7


class PlotScale(NamedTuple):
    """A part of the curve in a rectangle.

    Attributes:
        area: Logical pixels, from probability 0 at the bottom to TOP at the top.
        low: The resemblance at the left.
        high: The resemblance at the right.
    """

    area: QRectF
    low: float = 0.0
    high: float = 1.0

    def x(self, resemblance: float) -> float:
        """From a resemblance to pixels."""
        share = (resemblance - self.low) / (self.high - self.low)
        return self.area.left() + share * self.area.width()

    def y(self, probability: float) -> float:
        """From a probability to pixels."""
        return self.area.bottom() - probability / TOP * self.area.height()

    def point(self, resemblance: float, probability: float) -> QPointF:
        """Where both are."""
        return QPointF(self.x(resemblance), self.y(probability))

    def line(self, resemblances: Floats, probabilities: Floats) -> QPolygonF:
        """The points of a line; both arrays are float64 (n,)."""
        across = self.area.width() / (self.high - self.low)
        x = (resemblances - self.low) * across + self.area.left()
        y = self.area.bottom() - probabilities * (self.area.height() / TOP)
        return QPolygonF([QPointF(*place) for place in zip(x.tolist(), y.tolist(), strict=True)])

    def resemblance(self, x: float) -> float:
        """From pixels to the resemblance there, which may be outside of 0 to 1."""
        share = (x - self.area.left()) / max(self.area.width(), 1.0)
        return self.low + share * (self.high - self.low)

    def probability(self, y: float) -> float:
        """From pixels to the probability there, which may be outside of 0 to 1."""
        return TOP * (self.area.bottom() - y) / max(self.area.height(), 1.0)

    def shows(self, resemblance: float) -> bool:
        """Whether it is in sight."""
        return self.low <= resemblance <= self.high

    @property
    def ticks(self) -> list[float]:
        """Round resemblances in sight, few enough to be read."""
        span = self.high - self.low
        step = next((one for one in STEPS if span / one < MOST_TICKS), STEPS[-1])
        first, last = math.ceil(self.low / step - 1e-9), math.floor(self.high / step + 1e-9)
        return [round(number * step, 2) for number in range(first, last + 1)]


def tick_words(value: float) -> str:
    """A tick: 0, 0.2, 1."""
    return two_decimals(value).rstrip("0").rstrip(".,") if value else "0"
