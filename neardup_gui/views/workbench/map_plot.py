"""The map of all settings as a plot: dots on two logarithmic axes, marks over them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPen
from PySide6.QtWidgets import QWidget

from core.base.messages import N_, gettext
from neardup_gui.environment.theme import colors, mix, see_through
from neardup_gui.models.workbench.settings_table import Mark, Scale, SettingsMap
from neardup_gui.views.widgets.labels import scaled

SMALL_FONT = 0.86
AIR = 0.05  # of the width and height, around the outermost dots
REACH = 14.0  # pixels from a dot within which the mouse is on it
DOT, EFFICIENT, RING, HEART = 3.0, 6.0, 11.0, 6.0  # pixels across
ACROSS, UP = N_("candidates to compare"), N_("missed")
UP_BY_BANDS = N_("missed by bands alone")


class MapPlot(pg.PlotWidget):  # type: ignore[misc]
    """Draws a map; `setting_at` gives the setting under the mouse."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._map: SettingsMap | None = None
        self._names: list[Any] = []
        for part in (self, self.viewport()):
            part.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._every: Any = pg.ScatterPlotItem(pxMode=True, size=DOT, pen=None)
        self._joined: Any = pg.PlotCurveItem(antialias=True)
        self._best: Any = pg.ScatterPlotItem(pxMode=True, size=EFFICIENT, pen=None)
        self._marked: Any = pg.ScatterPlotItem(pxMode=True, size=RING, brush=None)
        self._hearts: Any = pg.ScatterPlotItem(pxMode=True, size=HEART, pen=None)
        items = (self._every, self._joined, self._best, self._marked, self._hearts)
        for depth, item in enumerate(items):
            item.setZValue(depth)
            self.addItem(item, ignoreBounds=True)
        self._set_up_axes()
        self.apply_looks()

    def show_map(self, settings_map: SettingsMap) -> None:
        """Draw the dots of all settings, and join the efficient ones."""
        if settings_map is self._map:
            return
        self._map = settings_map
        shown = np.isfinite(settings_map.across)
        best = settings_map.frontier
        self._every.setData(settings_map.across[shown], settings_map.up[shown])
        self._joined.setData(settings_map.across[best], settings_map.up[best])
        self._best.setData(settings_map.across[best], settings_map.up[best])
        self.getAxis("left").setTicks([_ticks(settings_map.up_scale)])
        self._name_axes()

    def show_marks(self, marks: Sequence[Mark]) -> None:
        """Mark these settings, each with its name, and no others."""
        shown = self._map
        if shown is None:
            return
        spots = [
            {"pos": (shown.across[mark.position], shown.up[mark.position]), "symbol": mark.symbol}
            for mark in marks
        ]
        self._marked.setData(spots)
        self._hearts.setData([spot for spot, mark in zip(spots, marks, strict=True) if mark.filled])
        while len(self._names) < len(marks):
            name = pg.TextItem()
            name.setZValue(len(self._names) + 10)
            self.addItem(name, ignoreBounds=True)
            self._names.append(name)
        for name in self._names[len(marks) :]:
            name.hide()
        for name, mark in zip(self._names, marks, strict=False):
            self._draw_name(name, shown, mark.position)
        self._apply_names()

    def setting_at(self, position: QPointF) -> int | None:
        """The index of the setting near a position of the viewport, or None."""
        box = self.getViewBox()
        across, up = box.viewPixelSize()
        if self._map is None or across <= 0 or up <= 0:
            return None
        point = box.mapSceneToView(self.mapToScene(position.toPoint()))
        return self._map.nearest(point.x(), point.y(), (REACH * across, REACH * up))

    def apply_looks(self) -> None:
        """Use the colours of the current scheme, and the size of the text."""
        now = colors()
        self.setBackground(now.window)
        self.getViewBox().setBackgroundColor(now.base)
        self._every.setBrush(mix(now.muted, now.base, 0.55))
        self._joined.setPen(_pen(mix(now.accent, now.base, 0.6), 1.2))
        self._best.setBrush(now.accent)
        self._marked.setPen(_pen(now.text, 1.6))
        self._hearts.setBrush(now.text)
        for side in ("bottom", "left"):
            axis = self.getAxis(side)
            axis.setPen(_pen(now.border, 1.0))
            axis.setTextPen(now.muted)
            axis.setTickFont(self._font)
        line = QFontMetrics(self._font).height()
        self.getAxis("bottom").setHeight(2 * line + 8)
        self.getPlotItem().titleLabel.setMaximumHeight(line + 6)
        self.getPlotItem().layout.setRowFixedHeight(0, line + 6)
        self._name_axes()
        self._apply_names()

    @property
    def _font(self) -> QFont:
        return scaled(self.font(), SMALL_FONT)

    def _set_up_axes(self) -> None:
        view = self.getViewBox()
        view.setMouseEnabled(x=False, y=False)
        view.setMenuEnabled(False)
        view.setRange(xRange=(-AIR, 1 + AIR), yRange=(-AIR, 1 + AIR), padding=0)
        view.setDefaultPadding(0)
        self.setMenuEnabled(False)
        self.hideButtons()
        self.getPlotItem().layout.setContentsMargins(0, 0, 4, 0)
        # Where a language is read from the right, its axis would stand on the other side.
        self.getPlotItem().setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        self.showGrid(x=True, y=True, alpha=0.5)
        for side in ("bottom", "left"):
            self.getAxis(side).setStyle(tickTextOffset=4, hideOverlappingLabels=True)

    def _name_axes(self) -> None:
        muted, size = colors().muted.name(), f"{self._font.pointSizeF()}pt"
        of_bands = self._map is not None and self._map.of_bands
        self.setLabel("bottom", gettext(ACROSS), color=muted, **{"font-size": size})
        # Above the plot: beside a low one, upright words would be cut.
        up = gettext(UP_BY_BANDS if of_bands else UP)
        self.getPlotItem().setTitle(up, color=muted, size=size, justify="left")
        if self._map is not None:
            self.getAxis("bottom").setTicks([_ticks(self._map.across_scale)])

    def _apply_names(self) -> None:
        ground = see_through(colors().base, 0.8)
        for name in self._names:
            name.setColor(colors().text)
            name.setFont(self._font)
            name.fill = pg.mkBrush(ground)

    @staticmethod
    def _draw_name(name: pg.TextItem, shown: SettingsMap, index: int) -> None:
        across = float(shown.across[index])
        name.setText(shown.setting(index).name)
        name.setAnchor((-0.15, 0.5) if across < 0.7 else (1.15, 0.5))
        name.setPos(across, float(shown.up[index]))
        name.show()


def _ticks(scale: Scale) -> list[tuple[float, str]]:
    return [(tick.position, tick.text) for tick in scale.ticks]


def _pen(color: QColor, width: float) -> QPen:
    pen = QPen(color, width)
    pen.setCosmetic(True)
    return pen
