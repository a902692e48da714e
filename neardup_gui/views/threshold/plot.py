"""The picture of the threshold panel: the S-curve over the folder's pairs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetrics, QHelpEvent, QPen
from PySide6.QtWidgets import QToolTip, QVBoxLayout, QWidget

from neardup_gui.environment.theme import colors, mix
from neardup_gui.models.threshold.judged_so_far import Steps
from neardup_gui.models.threshold.numbers import two_decimals
from neardup_gui.models.threshold.state import BINS, Bars, ThresholdState
from neardup_gui.views.threshold.hatching import Area, hatched, ink, tint
from neardup_gui.views.threshold.kept_curves import KeptCurves
from neardup_gui.views.threshold.picture import PNG_SCALE, as_image, as_lines

__all__ = ["CurvePlot"]

Hint = Callable[[float], str]

TALLEST_BAR = 0.92  # of the plot's height: bars stay below the curve's upper end
BAR_WIDTH = 0.88  # of a class
SMALL_FONT = 0.86
TOP = 1.08  # room for the handle of the threshold line
MARK = 8  # pixels
DRAGGED_DECIMALS = 2  # as exact as a hand is
MARGINS = (8, 4, 16, 8)  # pixels around a picture that stands alone
LINE_EVERY = 5  # points of the curve, in a picture made of lines


class CurvePlot(QWidget):
    """Draws what it is given; the threshold line can be dragged.

    Signals:
        threshold_dragged: To this resemblance.
    """

    threshold_dragged = Signal(float)

    def __init__(self, hint: Hint, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._hint = hint
        self._state = ThresholdState(1, 1, 0.0, 1)
        self._thickness = 1  # pixels in a pixel of the screen
        self._plot: Any = pg.PlotWidget(self)
        for part in (self._plot, self._plot.viewport()):
            part.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._plot.viewport().installEventFilter(self)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._plot)
        self._make_items()
        self._set_up_axes()
        self._apply_colors()
        self._plot.getViewBox().sigTransformChanged.connect(self._apply_hatching)
        self._line.sigDragged.connect(self._on_line_dragged)

    def sizeHint(self) -> QSize:
        """As in the panel at its usual width."""
        return QSize(330, 200)

    def show_state(self, state: ThresholdState) -> None:
        """Draw the curve, its areas, its marks and the threshold line."""
        self._state = state
        floor = state.min_resemblance
        s, p = state.curve
        self._curve.setData(s, p)
        at_floor = state.probability(floor)
        above = s > floor
        self._missed.setData(np.r_[floor, s[above]], np.r_[at_floor, p[above]])
        self._extra.setData(np.r_[s[~above], floor], np.r_[p[~above], at_floor])
        self._line.setValue(floor)
        self._steepest.setData([state.steepest], [state.probability(state.steepest)])
        self._midpoint.setData([state.midpoint], [0.0])

    def show_bars(self, bars: Bars | None, *, logarithmic: bool) -> None:
        """Draw the folder's pairs behind the curve, or none."""
        for item in (self._everywhere, self._found):
            item.setVisible(bars is not None)
        if bars is not None:
            found, everywhere = bars.heights(logarithmic=logarithmic)
            self._found.setOpts(height=TALLEST_BAR * found)
            self._everywhere.setOpts(height=TALLEST_BAR * everywhere)

    def show_confirmed(self, steps: Steps | None) -> None:
        """Draw how likely a pair is confirmed, as steps, or nothing."""
        self._confirmed.setVisible(steps is not None)
        if steps is not None:
            self._confirmed.setData(*steps)

    def show_kept(
        self, states: Sequence[ThresholdState], beside: ThresholdState | None = None
    ) -> None:
        """Draw these curves for comparison, dashed and named, and no others; one is not pinned."""
        self._kept.show(states, beside)

    def describe(self, text: str) -> None:
        """Say in words what the picture shows, for those who cannot see it."""
        self._plot.setAccessibleName("S-curve")
        self._plot.setAccessibleDescription(text)

    def entitle(self, title: str, left: str) -> None:
        """Give the picture a title and its height a name: it stands without the controls."""
        now = colors()
        self._plot.setBackground(now.base)
        self._plot.getPlotItem().layout.setContentsMargins(*MARGINS)
        size = f"{self.font().pointSizeF()}pt"
        self._plot.setTitle(title, color=now.text.name(), size=size)
        self._plot.setLabel("left", left, color=now.muted.name(), **{"font-size": size})

    def picture(self, *, drawn: bool) -> bytes:
        """The picture: made of lines, as SVG, or of pixels, as PNG; not to be shown any more."""
        if not drawn:
            self._thickness = PNG_SCALE
            self._apply_lines()
            self._hatch(PNG_SCALE)
            return as_image(self._plot)
        for line in self._hatching_lines():
            self._plot.addItem(line, ignoreBounds=True)
        self._missed.setBrush(tint(Area.MISSED))
        self._extra.setBrush(tint(Area.EXTRA))
        return as_lines(self._plot)

    def changeEvent(self, event: QEvent) -> None:
        """Follow the scheme and the size of the text."""
        super().changeEvent(event)
        if event.type() in {QEvent.Type.PaletteChange, QEvent.Type.FontChange}:
            self._apply_colors()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Say what is under the mouse."""
        if isinstance(event, QHelpEvent) and event.type() is QEvent.Type.ToolTip:
            view = self._plot.getViewBox()
            place = view.mapSceneToView(self._plot.mapToScene(event.pos()))
            inside = 0 <= place.x() <= 1 and 0 <= place.y() <= TOP
            QToolTip.showText(event.globalPos(), self._hint(place.x()) if inside else "", self)
            return True
        return super().eventFilter(watched, event)

    def _make_items(self) -> None:
        middles = (np.arange(BINS) + 0.5) / BINS
        bars = {"x": middles, "height": np.zeros(BINS), "width": BAR_WIDTH / BINS}
        self._everywhere: Any = pg.BarGraphItem(**bars)
        self._found: Any = pg.BarGraphItem(**bars)
        self._grid: Any = [
            pg.InfiniteLine(height, angle=0, movable=False) for height in (0.0, 0.5, 1.0)
        ]
        self._missed: Any = pg.PlotCurveItem(fillLevel=1.0, pen=None, antialias=True)
        self._extra: Any = pg.PlotCurveItem(fillLevel=0.0, pen=None, antialias=True)
        self._curve: Any = pg.PlotCurveItem(antialias=True)
        self._confirmed: Any = pg.PlotCurveItem(antialias=True)
        self._steepest: Any = pg.ScatterPlotItem(symbol="o", size=MARK, pxMode=True)
        self._midpoint: Any = pg.ScatterPlotItem(symbol="t1", size=MARK, pxMode=True)
        self._line: Any = pg.InfiniteLine(0.0, angle=90, movable=True, bounds=(0.0, 1.0))
        self._line.addMarker("v", position=1.0, size=10)
        self._line.setCursor(Qt.CursorShape.SizeHorCursor)
        self._add_items()
        self.show_confirmed(None)
        self.show_bars(None, logarithmic=True)

    def _add_items(self) -> None:
        """From the back to the front."""
        items = [self._everywhere, self._found, *self._grid, self._extra, self._missed]
        self._kept = KeptCurves(self._plot, len(items) - 0.9, self._pen)
        items += [self._confirmed, self._curve]
        items += [self._midpoint, self._steepest, self._line]
        for depth, item in enumerate(items):
            item.setZValue(depth)
            self._plot.addItem(item, ignoreBounds=True)

    def _set_up_axes(self) -> None:
        view = self._plot.getViewBox()
        view.setMouseEnabled(x=False, y=False)
        view.setMenuEnabled(False)
        view.setDefaultPadding(0)
        view.setRange(xRange=(0, 1), yRange=(0, TOP), padding=0)
        self._plot.hideButtons()
        self._plot.setMenuEnabled(False)
        self._plot.getPlotItem().layout.setContentsMargins(0, 0, 9, 0)
        across, up = self._plot.getAxis("bottom"), self._plot.getAxis("left")
        across.setTicks([[(step / 5, _short(step / 5)) for step in range(6)]])
        up.setTicks([[(height, _short(height)) for height in (0.0, 0.5, 1.0)]])
        for axis in (across, up):
            axis.setStyle(tickLength=0, tickTextOffset=4, hideOverlappingLabels=False)

    def _apply_colors(self) -> None:
        now = colors()
        self._plot.setBackground(now.window)
        self._steepest.setPen(self._pen(now.accent, 1.6))
        self._steepest.setBrush(now.base)
        self._midpoint.setPen(None)
        self._midpoint.setBrush(now.accent)
        for item, color in (
            (self._everywhere, mix(now.bars, now.window, 0.5)),
            (self._found, now.bars),
        ):
            item.setOpts(brush=color, pen=QPen(Qt.PenStyle.NoPen))
        self._apply_lines()
        self._apply_fonts()
        self._apply_hatching()

    def _apply_lines(self) -> None:
        now = colors()
        self._curve.setPen(self._pen(now.accent, 2.0))
        self._confirmed.setPen(self._pen(now.text, 1.4))
        for line in self._grid:
            line.setPen(self._pen(now.border, 1.0))
        self._line.setPen(self._pen(now.text, 1.4))
        self._line.setHoverPen(self._pen(now.text, 2.4))

    def _apply_fonts(self) -> None:
        font = QFont(self.font())
        font.setPointSizeF(font.pointSizeF() * SMALL_FONT)
        self._kept.apply_looks(font)
        muted = colors().muted
        for side in ("bottom", "left"):
            axis = self._plot.getAxis(side)
            axis.setPen(None)
            axis.setTextPen(muted)
            axis.setTickFont(font)
        self._plot.getAxis("bottom").setHeight(2 * QFontMetrics(font).height() + 6)
        size = f"{font.pointSizeF()}pt"
        self._plot.setLabel("bottom", "resemblance", color=muted.name(), **{"font-size": size})

    def _apply_hatching(self) -> None:
        self._hatch(self.devicePixelRatioF())

    def _hatch(self, ratio: float) -> None:
        """Hatch in pixels, whatever the plot's size."""
        box = self._plot.getViewBox()
        across, down = box.width(), box.height() / TOP
        if across > 0 and down > 0:
            self._missed.setBrush(hatched(Area.MISSED, ratio, (across, -down)))
            self._extra.setBrush(hatched(Area.EXTRA, ratio, (across, -down)))

    def _hatching_lines(self) -> list[Any]:
        """The hatching as lines: SVG does not scale patterns as the screen does."""
        s, p = self._state.curve
        lines = []
        for area, inside, end, style in (
            (Area.MISSED, s > self._state.min_resemblance, 1.0, Qt.PenStyle.SolidLine),
            (Area.EXTRA, s < self._state.min_resemblance, 0.0, Qt.PenStyle.DotLine),
        ):
            here = inside & (np.arange(len(s)) % LINE_EVERY == 0)
            feet = np.column_stack([p[here], np.full(here.sum(), end)]).ravel()
            pen = self._pen(ink(area), 0.8, style)
            line = pg.PlotCurveItem(np.repeat(s[here], 2), feet, connect="pairs", pen=pen)
            line.setZValue(self._extra.zValue())
            lines.append(line)
        return lines

    def _pen(self, color: QColor, width: float, style: Qt.PenStyle = Qt.PenStyle.SolidLine) -> QPen:
        pen = QPen(color, width * self._thickness, style)
        pen.setCosmetic(True)
        return pen

    def _on_line_dragged(self) -> None:
        self.threshold_dragged.emit(round(float(self._line.value()), DRAGGED_DECIMALS))


def _short(value: float) -> str:
    """A tick: 0, 0.2, 1."""
    return two_decimals(value).rstrip("0").rstrip(".,") if value else "0"
