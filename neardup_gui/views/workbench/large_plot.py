"""The curve with what only a large one has room for: read, zoomed, moved by wheel and keys."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from enum import Enum

from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import (
    QFont,
    QFontMetricsF,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QWheelEvent,
)

from core.base.messages import N_, gettext
from core.reports.curve.forecast_words import share, two_decimals
from core.reports.curve.state import ThresholdState
from neardup_gui.environment.theme import colors
from neardup_gui.models.threshold import ThresholdModel, Wishes, place_words
from neardup_gui.views.threshold.curve_layers import PlotScale
from neardup_gui.views.threshold.panel import follow
from neardup_gui.views.threshold.plot import CurvePlot

HALF = 4.5  # pixels, of a handle
NEAR = 9.0  # pixels, within which a handle is taken
EDGE = 3  # pixels between a handle and its words
APART = 0.01  # of resemblance, between the two wishes


class Handle(Enum):
    """Which wish is meant."""

    CATCH = N_("find {share} at {resemblance}")
    AT_MOST = N_("at most {share} at {resemblance}")

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
        words = gettext(
            handle.value, share=share(probability), resemblance=two_decimals(resemblance)
        )
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


NOTCH = 120  # of the wheel
ZOOM = 0.8  # of what is in sight, a notch
FINE, COARSE = 0.01, 0.1  # of resemblance, by a key or a notch
Step = Callable[[ThresholdState], ThresholdState]


class LargePlot(CurvePlot):
    """Draws the threshold of a model and moves it.

    Signals:
        pointed: At a resemblance, in words; empty when the mouse leaves.
    """

    pointed = Signal(str)

    def __init__(self, model: ThresholdModel) -> None:
        super().__init__(lambda _resemblance: "", counted=True)
        self._model = model
        self._pointed_at: float | None = None
        self._handle: Handle | None = None
        self._turned = 0.0  # notches of a wheel that turns finely
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumSize(280, 160)
        self.threshold_dragged.connect(model.change_threshold)
        model.wishes_changed.connect(self.update)
        model.words_changed.connect(self._tell)
        follow(self, model)

    # Drawn above the curve

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the curve, then the wishes and what is read."""
        super().paintEvent(event)
        painter, scale = QPainter(self), self.scale
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self._has_bands:
            draw_handles(
                painter, scale, self._model.wishes, self.small_font, kept=self._keeps,
                held=self._handle,
            )  # fmt: skip
        if self._pointed_at is not None and scale.shows(self._pointed_at):
            now, s = colors(), self._pointed_at
            place = scale.point(s, self._model.state.probability(s))
            painter.setPen(QPen(now.muted, 1.0, Qt.PenStyle.DotLine))
            painter.drawLine(QPointF(place.x(), scale.area.top()), scale.point(s, 0.0))
            painter.drawLine(QPointF(scale.area.left(), place.y()), place)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(now.accent)
            painter.drawEllipse(place, 3.0, 3.0)
        if self.hasFocus():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(colors().accent, 1))
            painter.drawRoundedRect(self.rect().adjusted(0, 0, -1, -1).toRectF(), 3, 3)

    @property
    def _has_bands(self) -> bool:
        return self._model.state.distance is None

    def _keeps(self, handle: Handle) -> bool:
        resemblance, wished = handle.place(self._model.wishes)
        probability = self._model.state.probability(resemblance)
        return probability >= wished if handle is Handle.CATCH else probability <= wished

    # The mouse

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Take a wish, or the line."""
        self._handle = self._handle_under(event)
        if self._handle is None or event.button() is not Qt.MouseButton.LeftButton:
            self._handle = None
            super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Drag what was taken; read what is under the mouse."""
        place, scale = event.position(), self.scale
        resemblance = scale.resemblance(place.x())
        if self._handle is not None:
            wishes = with_handle_at(
                self._model.wishes, self._handle, resemblance, scale.probability(place.y())
            )
            self._model.try_wishes(wishes)
            return
        super().mouseMoveEvent(event)
        inside = scale.area.left() <= place.x() <= scale.area.right()
        self._point_at(min(max(resemblance, 0.0), 1.0) if inside else None)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Let go; a wish is asked for."""
        if self._handle is None:
            super().mouseReleaseEvent(event)
            return
        self._handle = None
        self._model.ask()
        self.update()

    def leaveEvent(self, event: QEvent) -> None:
        """Nothing is under the mouse any more."""
        super().leaveEvent(event)
        self._point_at(None)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom with Ctrl; else move the line, with Shift the rows, where the focus is."""
        zooms = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        if not (zooms or self.hasFocus()):
            event.ignore()  # the page scrolls
            return
        self._turned += (event.angleDelta().y() or event.angleDelta().x()) / NOTCH
        notches = int(self._turned)
        self._turned -= notches
        event.accept()
        if zooms:
            self._zoom(notches, event.position().x())
        elif event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self._change(_up(notches))
        else:
            self._move_floor(notches * FINE)

    def _show_cursor(self, event: QMouseEvent) -> None:
        if self._handle_under(event) is not None:
            self.setCursor(Qt.CursorShape.SizeAllCursor)
        else:
            super()._show_cursor(event)

    def _handle_under(self, event: QMouseEvent) -> Handle | None:
        if not self._has_bands:
            return None
        return handle_at(event.position(), self.scale, self._model.wishes)

    def _zoom(self, notches: int, x: float) -> None:
        scale = self.scale
        factor = ZOOM**notches
        middle = min(max(scale.resemblance(x), scale.low), scale.high)
        self.show_range(
            middle - (middle - scale.low) * factor, middle + (scale.high - middle) * factor
        )

    def _point_at(self, resemblance: float | None) -> None:
        if resemblance != self._pointed_at:
            self._pointed_at = resemblance
            self.update()
            self._tell()

    def _tell(self) -> None:
        if self._pointed_at is None:
            self.pointed.emit("")
            return
        folder = self._model.folder
        words = place_words(self._model.state, folder, self._pointed_at, closely=self.is_close)
        self.pointed.emit(words.replace("\n", " · "))

    # Keys

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Left and Right move the line, Up and Down the rows (or d), with Shift the bands."""
        floor = {
            Qt.Key.Key_Left: -FINE,
            Qt.Key.Key_Right: FINE,
            Qt.Key.Key_PageDown: -COARSE,
            Qt.Key.Key_PageUp: COARSE,
        }.get(Qt.Key(event.key()))
        turn = {Qt.Key.Key_Up: 1, Qt.Key.Key_Down: -1}.get(Qt.Key(event.key()))
        shift = event.modifiers() == Qt.KeyboardModifier.ShiftModifier
        plain = event.modifiers() in {
            Qt.KeyboardModifier.NoModifier,
            Qt.KeyboardModifier.KeypadModifier,
        }
        if plain and floor is not None:
            self._move_floor(floor)
        elif (plain or shift) and turn is not None:
            self._change(_more_bands(turn) if shift else _up(turn))
        else:
            super().keyPressEvent(event)

    def _move_floor(self, by: float) -> None:
        self._model.change_threshold(self._model.state.min_resemblance + by)

    def _change(self, step: Step) -> None:
        self._model.change(step(self._model.state))


def _up(by: int) -> Step:
    """More rows; of bits, a larger distance."""

    def step(state: ThresholdState) -> ThresholdState:
        if state.distance is not None:
            return state.with_distance(state.distance + by)
        return state.with_rows(state.rows + by)

    return step


def _more_bands(by: int) -> Step:
    def step(state: ThresholdState) -> ThresholdState:
        return state if state.distance is not None else state.with_bands(state.bands + by)

    return step
