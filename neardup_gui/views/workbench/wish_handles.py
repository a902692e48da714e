"""The two wishes in the plot: gates that the curve is to pass through, with handles to drag."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from enum import Enum

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPen

from core.reports.curve.numbers import share, two_decimals
from neardup_gui.environment.theme import colors
from neardup_gui.models.threshold.wishes import Wishes
from neardup_gui.views.threshold.scale import PlotScale

HALF = 4.5  # pixels, of a handle
NEAR = 9.0  # pixels, within which a handle is taken
EDGE = 3  # pixels between a handle and its words
APART = 0.01  # of resemblance, between the two wishes


class Handle(Enum):
    """Which wish is meant."""

    CATCH = "find"
    AT_MOST = "at most"

    def place(self, wishes: Wishes) -> tuple[float, float]:
        """Its resemblance and its probability."""
        if self is Handle.CATCH:
            return wishes.catch_at, wishes.catch
        return wishes.at_most_at, wishes.at_most

    @property
    def open_end(self) -> float:
        """The probability at the other end of its gate."""
        return 1.0 if self is Handle.CATCH else 0.0


def handle_at(place: QPointF, scale: PlotScale, wishes: Wishes) -> Handle | None:
    """The handle under the mouse."""

    def distance(handle: Handle) -> float:
        away = scale.point(*handle.place(wishes)) - place
        return math.hypot(away.x(), away.y())

    nearest = min(Handle, key=distance)
    return nearest if distance(nearest) <= NEAR else None


def with_handle_at(
    wishes: Wishes, handle: Handle, resemblance: float, probability: float
) -> Wishes:
    """The wishes with one of them moved, as far as they do not contradict each other."""
    probability = round(min(max(probability, 0.01), 0.99), 2)
    resemblance = round(resemblance, 2)
    if handle is Handle.CATCH:
        least = round(wishes.at_most_at + APART, 2)
        return replace(wishes, catch=probability, catch_at=min(max(resemblance, least), 1.0))
    most = round(wishes.catch_at - APART, 2)
    return replace(wishes, at_most=probability, at_most_at=min(max(resemblance, 0.0), most))


def draw_handles(
    painter: QPainter,
    scale: PlotScale,
    wishes: Wishes,
    font: QFont,
    *,
    kept: Callable[[Handle], bool],
    held: Handle | None,
) -> None:
    """Both gates with their handles; a wish that is not kept has the colour of warnings."""
    metrics, now = QFontMetricsF(font), colors()
    painter.setFont(font)
    for handle in Handle:
        resemblance, probability = handle.place(wishes)
        if not scale.shows(resemblance):
            continue
        color = now.accent if kept(handle) else now.warning
        place = scale.point(resemblance, probability)
        painter.setPen(QPen(color, 3.0, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap))
        painter.drawLine(place, scale.point(resemblance, handle.open_end))
        painter.setPen(QPen(color, 2.4 if handle is held else 1.6))
        painter.setBrush(now.base)
        painter.drawRect(QRectF(-HALF, -HALF, 2 * HALF, 2 * HALF).translated(place))
        words = f"{handle.value} {share(probability)} at {two_decimals(resemblance)}"
        width = metrics.horizontalAdvance(words) + 2
        side = HALF + EDGE
        left = (
            place.x() + side
            if place.x() + side + width < scale.area.right()
            else (place.x() - side - width)
        )
        above = place.y() + side if handle is Handle.CATCH else place.y() - side - metrics.height()
        painter.drawText(
            QRectF(left, above, width, metrics.height()), int(Qt.AlignmentFlag.AlignLeft), words
        )
