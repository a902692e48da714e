"""The large curve: read, zoomed, moved by wheel and keys; and sentences about it."""

from __future__ import annotations

import html
import math
from collections.abc import Callable, Sequence
from enum import Enum
from functools import partial
from typing import NamedTuple

from PySide6 import QtGui
from PySide6.QtCore import QEvent, QPointF, QRectF, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtWidgets import QBoxLayout, QLabel, QWidget

from core.base.messages import N_, gettext
from core.candidates.scurve import Wishes
from core.reports.curve.forecast_words import forecast, plain, share, two_decimals
from core.reports.curve.state import THRESHOLD_DECIMALS, ThresholdState
from core.settings import MAX_DISTANCE
from neardup_gui.environment.theme import colors, on_paper, see_through, smooth_painter
from neardup_gui.models import threshold
from neardup_gui.models.workbench.chances import SheetWords
from neardup_gui.views.threshold import panel
from neardup_gui.views.threshold.plot import SAMPLE, Area, CurvePlot, PlotScale, draw_sample
from neardup_gui.views.widgets.containers import VerticalScrollArea
from neardup_gui.views.widgets.controls import Caption, NumberBox
from neardup_gui.views.widgets.labels import LinkLabel, paint_focus, scaled
from neardup_gui.views.widgets.layouts import column_in, row_of

HALF = 4.5  # pixels, of a handle
NEAR = 9.0  # pixels, within which a handle is taken
EDGE = 3  # pixels between a handle and its words
VEIL = 0.8  # of the window's colour, behind words
APART = 0.01  # of resemblance, between the two wishes


class Handle(Enum):
    """The handles of the two wishes."""

    CATCH = N_("find {share} at {resemblance}")
    AT_MOST = N_("at most {share} at {resemblance}")

    def position(self, wishes: Wishes) -> tuple[float, float]:
        """The resemblance and the probability of a handle."""
        if self is Handle.CATCH:
            return wishes.catch_at, wishes.catch
        return wishes.at_most_at, wishes.at_most

    @property
    def open_end(self) -> float:
        """The probability at the other end of the gate."""
        return 1.0 if self is Handle.CATCH else 0.0


def handle_at(position: QPointF, scale: PlotScale, wishes: Wishes) -> Handle | None:
    """The handle under the mouse."""

    def distance(handle: Handle) -> float:
        away = scale.point(*handle.position(wishes)) - position
        return math.hypot(away.x(), away.y())

    nearest = min(Handle, key=distance)
    return nearest if distance(nearest) <= NEAR else None


def with_handle_at(
    wishes: Wishes, handle: Handle, resemblance: float, probability: float
) -> Wishes:
    """The wishes with one moved, as far as they do not contradict each other."""
    probability = round(min(max(probability, 0.01), 0.99), 2)
    resemblance = round(resemblance, 2)
    if handle is Handle.CATCH:
        least = round(wishes.at_most_at + APART, 2)
        return wishes._replace(catch=probability, catch_at=min(max(resemblance, least), 1.0))
    most = round(wishes.catch_at - APART, 2)
    return wishes._replace(at_most=probability, at_most_at=min(max(resemblance, 0.0), most))


def draw_handles(
    painter: QtGui.QPainter,
    scale: PlotScale,
    wishes: Wishes,
    font: QtGui.QFont,
    *,
    kept: Callable[[Handle], bool],
    held: Handle | None,
) -> None:
    """Draw both gates with their handles; in the colour of warnings if the wish is not kept."""
    metrics, now = QtGui.QFontMetricsF(font), colors()
    behind = see_through(now.window, VEIL)
    painter.setFont(font)
    for handle in Handle:
        resemblance, probability = handle.position(wishes)
        if not scale.shows(resemblance):
            continue
        color = now.accent if kept(handle) else now.warning
        center = scale.point(resemblance, probability)
        painter.setPen(QtGui.QPen(color, 3.0, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap))
        painter.drawLine(center, scale.point(resemblance, handle.open_end))
        painter.setPen(QtGui.QPen(color, 2.4 if handle is held else 1.6))
        painter.setBrush(now.base)
        painter.drawRect(QRectF(-HALF, -HALF, 2 * HALF, 2 * HALF).translated(center))
        words = gettext(
            handle.value, share=share(probability), resemblance=two_decimals(resemblance)
        )
        width = metrics.horizontalAdvance(words) + 2
        side = HALF + EDGE
        left = (
            center.x() + side
            if center.x() + side + width < scale.area.right()
            else (center.x() - side - width)
        )
        above = (
            center.y() + side if handle is Handle.CATCH else center.y() - side - metrics.height()
        )
        box = QRectF(left, above, width, metrics.height())
        painter.fillRect(box, behind)  # the threshold, bars and hatching would run through words
        painter.drawText(box, int(Qt.AlignmentFlag.AlignLeft), words)


NOTCH = 120  # of the wheel
ZOOM = 0.8  # of the visible range, per notch
FINE, COARSE = 0.01, 0.1  # of resemblance, by a key or a notch


class LargePlot(CurvePlot):
    """Draws the threshold of a model, and moves it.

    Signals:
        pointed: At a resemblance, in words; empty when the mouse leaves.
    """

    pointed = Signal(str)

    def __init__(self, model: threshold.ThresholdModel) -> None:
        super().__init__(model, counted=True)
        self._pointed_at: float | None = None
        self._handle: Handle | None = None
        self._turned = 0.0  # fractions of notches of a fine wheel
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumSize(280, 160)
        self.threshold_dragged.connect(model.change_threshold)
        model.wishes_changed.connect(self.update)
        model.words_changed.connect(self._emit_reading)

    def _words_at(self, _resemblance: float) -> str:
        """Show no tool tip: values under the mouse are shown below the curve."""
        return ""

    # Drawn above the curve

    def paintEvent(self, event: QtGui.QPaintEvent) -> None:
        """Draw the curve, then the wishes and the values at the mouse."""
        super().paintEvent(event)
        painter, scale = smooth_painter(self), self.scale
        if self._has_bands:
            draw_handles(
                painter, scale, self._model.wishes, self.small_font, kept=self._keeps,
                held=self._handle,
            )  # fmt: skip
        if self._pointed_at is not None and scale.shows(self._pointed_at):
            now, s = colors(), self._pointed_at
            point = scale.point(s, self._model.state.probability(s))
            painter.setPen(QtGui.QPen(now.muted, 1.0, Qt.PenStyle.DotLine))
            painter.drawLine(QPointF(point.x(), scale.area.top()), scale.point(s, 0.0))
            painter.drawLine(QPointF(scale.area.left(), point.y()), point)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(now.accent)
            painter.drawEllipse(point, 3.0, 3.0)
        paint_focus(painter, self)

    @property
    def _has_bands(self) -> bool:
        return self._model.state.distance is None

    def _keeps(self, handle: Handle) -> bool:
        resemblance, wished = handle.position(self._model.wishes)
        probability = self._model.state.probability(resemblance)
        return probability >= wished if handle is Handle.CATCH else probability <= wished

    # The mouse

    def mousePressEvent(self, event: QtGui.QMouseEvent) -> None:
        """Start to drag a wish, or the line; while a wish is held no button does."""
        if self._handle is not None:
            return
        self._handle = self._handle_under(event)
        if self._handle is None or event.button() is not Qt.MouseButton.LeftButton:
            self._handle = None
            super().mousePressEvent(event)
        else:
            self._model.hold(True)

    def mouseMoveEvent(self, event: QtGui.QMouseEvent) -> None:
        """Drag the wish or the line; show the values at the mouse."""
        position, scale = event.position(), self.scale
        resemblance = scale.across(position.x())
        if self._handle is not None:
            wishes = with_handle_at(
                self._model.wishes, self._handle, resemblance, scale.up(position.y())
            )
            self._model.try_wishes(wishes)
            return
        super().mouseMoveEvent(event)
        inside = scale.area.left() <= position.x() <= scale.area.right()
        self._point_at(min(max(resemblance, 0.0), 1.0) if inside else None)

    def mouseReleaseEvent(self, event: QtGui.QMouseEvent) -> None:
        """End dragging; after a wish, ask for b and r."""
        if self._handle is None:
            super().mouseReleaseEvent(event)
            return
        self._handle = None
        self._model.ask()
        self._model.hold(False)
        self.update()

    def hideEvent(self, event: QtGui.QHideEvent) -> None:
        """Let go of a wish, too."""
        if self._handle is not None:
            self._handle = None
            self._model.hold(False)
        super().hideEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        """Show no values at the mouse."""
        super().leaveEvent(event)
        self._point_at(None)

    def wheelEvent(self, event: QtGui.QWheelEvent) -> None:
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
            self._turn(notches)
        else:
            self._move_threshold(notches * FINE)

    def _show_cursor(self, event: QtGui.QMouseEvent) -> None:
        if self._handle_under(event) is not None:
            self.setCursor(Qt.CursorShape.SizeAllCursor)
        else:
            super()._show_cursor(event)

    def _handle_under(self, event: QtGui.QMouseEvent) -> Handle | None:
        if not self._has_bands:
            return None
        return handle_at(event.position(), self.scale, self._model.wishes)

    def _zoom(self, notches: int, x: float) -> None:
        scale = self.scale
        factor = ZOOM**notches
        middle = min(max(scale.across(x), scale.low), scale.high)
        self.show_range(
            middle - (middle - scale.low) * factor, middle + (scale.high - middle) * factor
        )

    def _point_at(self, resemblance: float | None) -> None:
        if resemblance != self._pointed_at:
            self._pointed_at = resemblance
            self.update()
            self._emit_reading()

    def _emit_reading(self) -> None:
        if self._pointed_at is None:
            self.pointed.emit("")
            return
        folder = self._model.folder
        words = threshold.position_words(
            self._model.state, folder, self._pointed_at, closely=self.is_close
        )
        self.pointed.emit(words.replace("\n", " · "))

    # Keys

    def keyPressEvent(self, event: QtGui.QKeyEvent) -> None:
        """Left and Right move the line, Up and Down the rows (or d), with Shift the bands."""
        move = {
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
        if plain and move is not None:
            self._move_threshold(move)
        elif (plain or shift) and turn is not None:
            self._turn(turn, bands=shift)
        else:
            super().keyPressEvent(event)

    def _move_threshold(self, by: float) -> None:
        self._model.change_threshold(self._model.state.min_resemblance + by)

    def _turn(self, by: int, *, bands: bool = False) -> None:
        """Change rows or bands by steps; of bits the distance, as they have no bands."""
        state = self._model.state
        if state.distance is not None:
            self._model.change(state if bands else state.with_distance(state.distance + by))
        elif bands:
            self._model.change(state.with_bands(state.bands + by))
        else:
            self._model.change(state.with_rows(state.rows + by))


PLOT = QSize(1080, 560)
SHEET_SIDE, GAP = 24, 6  # logical pixels
LARGER = 1.35  # the font of the subject


class Paragraph(NamedTuple):
    """Words laid out below the others.

    Attributes:
        text: They.
        top: Where they begin.
        area: What they are about; None where there is no sample.
    """

    text: QtGui.QTextDocument
    top: float
    area: Area | None = None


def sheet(plot: CurvePlot, words: SheetWords, font: QtGui.QFont) -> panel.Picture:
    """A plot of the size `PLOT` with its words, to be drawn while the plot exists."""
    above = _laid_out([(f"<b>{html.escape(words.subject)}</b>", None)], scaled(font, LARGER), 0.0)
    top = _bottom(above)
    paragraphs = [
        (panel.rich(sentence), area)
        for sentence, area in zip(words.forecast, panel.AREAS, strict=True)
        if sentence
    ]
    more = [(html.escape(line), None) for line in words.lines]
    below = _laid_out([*paragraphs, *more], font, top + PLOT.height())
    size = QSize(PLOT.width(), round(_bottom(below) + SHEET_SIDE))

    def draw(painter: QtGui.QPainter) -> None:
        painter.fillRect(QRectF(0, 0, size.width(), size.height()), colors().base)
        for paragraph in (*above, *below):
            _draw_paragraph(painter, paragraph)
        painter.translate(0, top)
        plot.draw(painter)

    description = " ".join([words.caption, plain(words.forecast), *words.lines])
    return panel.Picture(
        draw, size, gettext("S-curve: {subject}", subject=words.subject), description
    )


def _laid_out(
    words: Sequence[tuple[str, Area | None]], font: QtGui.QFont, top: float
) -> list[Paragraph]:
    made = []
    top += GAP
    for markup, area in words:
        text = QtGui.QTextDocument()
        text.setDocumentMargin(0)
        text.setDefaultFont(font)
        text.setDefaultTextOption(_broken_anywhere())
        text.setHtml(f'<div style="color: {colors().text.name()}">{markup}</div>')
        text.setTextWidth(PLOT.width() - 2 * SHEET_SIDE - _indent(area))
        made.append(Paragraph(text, top, area))
        top += text.size().height() + GAP
    return made


def _broken_anywhere() -> QtGui.QTextOption:
    """Continue a long name without spaces on the next line."""
    option = QtGui.QTextOption()
    option.setWrapMode(QtGui.QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    return option


def _bottom(paragraphs: Sequence[Paragraph]) -> float:
    last = paragraphs[-1]
    return last.top + last.text.size().height() + GAP


def _indent(area: Area | None) -> float:
    return 0 if area is None else SAMPLE + 9


def _draw_paragraph(painter: QtGui.QPainter, paragraph: Paragraph) -> None:
    area = paragraph.area
    painter.save()
    painter.translate(QPointF(SHEET_SIDE, paragraph.top))
    if area is not None:
        draw_sample(painter, area, 2)
        painter.translate(_indent(area), 0)
    paragraph.text.drawContents(painter)
    painter.restore()


WHERE_PEOPLE_WORK = 0.3  # resemblance
ZOOM_TIP = N_("Ctrl and the wheel zoom where the mouse is")


class LargeControls(QWidget):
    """Numbers at the left, zoom and scale at the right; below each other if it is narrow."""

    def __init__(self, model: threshold.ThresholdModel, plot: CurvePlot) -> None:
        super().__init__()
        self._model = model
        self.threshold = NumberBox(THRESHOLD_DECIMALS, gettext("Listed from"), step=0.01)
        self.bands, self.rows = NumberBox(0, gettext("Bands b")), NumberBox(0, gettext("Rows r"))
        self.distance = NumberBox(0, gettext("Distance d"), MAX_DISTANCE)
        self._labels = {box: QLabel(box.accessibleName()) for box in self._boxes}
        self.logarithmic = panel.LogScale(model)
        self.everything, self.close_up = LinkLabel(gettext("All")), LinkLabel(gettext("0 to 0.3"))
        for link in (self.everything, self.close_up):
            link.setToolTip(gettext(ZOOM_TIP))
        self._lay_out()
        self.everything.clicked.connect(lambda: plot.show_range(0.0, 1.0))
        self.close_up.clicked.connect(lambda: plot.show_range(0.0, WHERE_PEOPLE_WORK))
        self.threshold.valueChanged.connect(model.change_threshold)
        for box, changed in (
            (self.bands, ThresholdState.with_bands),
            (self.rows, ThresholdState.with_rows),
            (self.distance, ThresholdState.with_distance),
        ):
            box.valueChanged.connect(partial(model.change_number, changed))
        model.changed.connect(self.show_state)
        self.show_state()

    @property
    def _boxes(self) -> tuple[NumberBox, ...]:
        return self.threshold, self.bands, self.rows, self.distance

    def set_narrow(self, narrow: bool) -> None:
        """Put both halves below each other, or beside."""
        kinds = QBoxLayout.Direction
        self._halves.setDirection(kinds.TopToBottom if narrow else kinds.LeftToRight)

    def show_state(self) -> None:
        """Show the numbers of the model, without emitting signals."""
        state = self._model.state
        bits = state.distance is not None
        if self.bands.maximum() != state.signature_size:
            for box in (self.bands, self.rows):
                with QSignalBlocker(box):
                    box.setRange(1, state.signature_size)
        values = (state.min_resemblance, state.bands, state.rows, state.distance or 0)
        for box, value in zip(self._boxes, values, strict=True):
            with QSignalBlocker(box):
                box.setValue(value)
        for box in self._boxes[1:]:
            hidden = bits is not (box is self.distance)
            box.setHidden(hidden)
            self._labels[box].setHidden(hidden)

    def _lay_out(self) -> None:
        numbers = row_of()
        for box, label in self._labels.items():
            label.setBuddy(box)
            box.setMinimumWidth(panel.BOX_WIDTH)
            numbers.addWidget(label)
            numbers.addWidget(box)
            numbers.addSpacing(10)
        numbers.addStretch(1)
        shown = (self.close_up, self.everything, self.logarithmic)
        views = row_of(QLabel(gettext("Show")), *shown, 1, spacing=14)
        self._halves = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._halves.setContentsMargins(0, 0, 0, 0)
        self._halves.addLayout(numbers, 1)
        self._halves.addLayout(views)


SIDE = 15
NARROW = 640  # logical pixels; less has no room for words beside the curve
WORDS = 250
LEAST = (380, 240)
KEYS = N_(
    "Keys in the curve: ← → threshold, ↑ ↓ r, Shift+↑ ↓ b, Page ↑ ↓ threshold by 0.1. Wheel: "
    "threshold; with Shift r, with Ctrl zoom. The squares are the two wishes; drag them."
)
BIT_KEYS = N_(
    "Keys in the curve: ← → threshold, ↑ ↓ d, Page ↑ ↓ threshold by 0.1. Wheel: threshold; with "
    "Shift d, with Ctrl zoom."
)
POINT = N_("Point at the curve to read its values.")


class LargeCurve(QWidget):
    """Draws the threshold of a model, and changes it."""

    def __init__(self, model: threshold.ThresholdModel) -> None:
        super().__init__()
        self._model = model
        self.plot = self.entry = LargePlot(model)  # takes the focus
        self.controls = LargeControls(model, self.plot)
        self.forecast = panel.ForecastBox()
        self.reading, self._marks, self._answer, self._keys = (Caption() for _ in range(4))
        self._beside = Caption()
        self._words = VerticalScrollArea(self._column())
        self._lay_out()
        self.plot.pointed.connect(lambda words: self.reading.setText(words or gettext(POINT)))
        self.reading.setText(gettext(POINT))
        model.words_changed.connect(self._on_words_changed)
        model.folder_changed.connect(self._on_words_changed)
        model.wishes_changed.connect(self._show_answer)
        model.pair_changed.connect(self._show_beside)
        model.audit_changed.connect(self._show_beside)
        self._show_state()
        self._show_answer()

    def picture(self, words: SheetWords, *, drawn: bool) -> bytes:
        """The visible curve with its words, as SVG or PNG, in the colours of paper."""
        with on_paper():
            plot = CurvePlot(self._model, counted=True)
            plot.setFont(self.font())
            plot.resize(PLOT)
            plot.entitle(words.caption, gettext("pairs found"))
            plot.show_range(self.plot.scale.low, self.plot.scale.high)
            made = panel.picture_of(sheet(plot, words, self.font()), drawn=drawn)
            plot.deleteLater()
            return made

    def showEvent(self, event: QtGui.QShowEvent) -> None:
        """Show the words of the present state, unless they are hidden."""
        super().showEvent(event)
        self._show_state()

    def resizeEvent(self, event: QtGui.QResizeEvent) -> None:
        """Hide the words if there is no room beside the curve; the panel has them, too."""
        super().resizeEvent(event)
        narrow = event.size().width() < NARROW
        self._words.setHidden(narrow)
        self.controls.set_narrow(narrow)

    def _column(self) -> QWidget:
        column = QWidget(minimumWidth=WORDS)
        words = (self.forecast, self._marks, self._answer, self._beside, self._keys)
        column_in(column, *words, 1, margins=0, spacing=8)
        return column

    def _lay_out(self) -> None:
        middle = row_of((self.plot, 1), self._words, spacing=SIDE)
        column_in(
            self, self.controls, (middle, 1), self.reading, margins=(SIDE, 10, SIDE, 4), spacing=6
        )
        self.reading.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        # Set here, as the words, which are hidden if it is narrow, would keep it wide.
        self.setMinimumSize(*LEAST)
        self._words.setFixedWidth(WORDS + self._words.verticalScrollBar().sizeHint().width())

    def _on_words_changed(self) -> None:
        if self.isVisible():
            self._show_state()

    def _show_state(self) -> None:
        state = self._model.state
        words = forecast(state, self._model.folder)
        self.forecast.show_forecast(words)
        self._marks.setText(threshold.marks_words(state))
        self._keys.setText(gettext(KEYS) if state.distance is None else gettext(BIT_KEYS))
        self._show_beside()

    def _show_answer(self) -> None:
        self._answer.show_sentence(self._model.answer)

    def _show_beside(self) -> None:
        model = self._model
        beside = threshold.beside_words(model.state, model.pair_at_hand, model.audit_points)
        self._beside.show_sentence(beside)
        description = self.forecast.accessibleDescription()
        self.plot.setAccessibleDescription(
            " ".join(filter(None, (threshold.curve_words(model.state), description, beside)))
        )
