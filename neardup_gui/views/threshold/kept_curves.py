"""Curves kept for comparison: dashed lines with their names."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFont, QPen

from neardup_gui.environment.theme import colors
from neardup_gui.models.threshold.state import ThresholdState

__all__ = ["KeptCurves"]

HIGHEST, LOWEST = 0.84, 0.2  # where names stand, one below the other
STEP = 0.11


class KeptCurves:
    """Items of a plot for each curve that is kept.

    Args:
        plot: The plot that they are added to.
        depth: Their place between front and back.
        pen: Makes a pen of a colour, a width and a style.
    """

    def __init__(self, plot: pg.PlotWidget, depth: float, pen: Callable[..., QPen]) -> None:
        self._plot: Any = plot
        self._depth = depth
        self._pen = pen
        self._lines: list[Any] = []
        self._names: list[Any] = []
        self._font = QFont()

    @property
    def names(self) -> list[str]:
        """What is written beside the curves."""
        return [name.textItem.toPlainText() for name in self._names if name.isVisible()]

    def show(self, states: Sequence[ThresholdState], beside: ThresholdState | None = None) -> None:
        """Draw these curves and no others; the last one is looked at and not pinned."""
        curves = [(state, f"{state.name} (pinned)") for state in states]
        if beside is not None:
            curves.append((beside, beside.name))
        while len(self._lines) < len(curves):
            self._add()
        for number, (line, name) in enumerate(zip(self._lines, self._names, strict=True)):
            line.setVisible(number < len(curves))
            name.setVisible(number < len(curves))
            if number < len(curves):
                name.setText(curves[number][1])
                self._draw(line, name, curves[number][0], max(LOWEST, HIGHEST - number * STEP))

    def apply_looks(self, font: QFont) -> None:
        """Take the colours of the scheme in use, and letters of a size."""
        self._font = font
        for line, name in zip(self._lines, self._names, strict=True):
            line.setPen(self._pen(colors().muted, 1.2, Qt.PenStyle.DashLine))
            name.setColor(QColor(colors().muted))
            name.setFont(font)

    def _add(self) -> None:
        line, name = pg.PlotCurveItem(antialias=True), pg.TextItem()
        for item, depth in ((line, self._depth), (name, self._depth + 0.5)):
            item.setZValue(depth)
            self._plot.addItem(item, ignoreBounds=True)
        self._lines.append(line)
        self._names.append(name)
        self.apply_looks(self._font)

    @staticmethod
    def _draw(
        line: pg.PlotCurveItem, name: pg.TextItem, state: ThresholdState, height: float
    ) -> None:
        s, p = state.curve
        line.setData(s, p)
        place = float(np.interp(height, p, s))
        name.setAnchor((1.05, 0.5) if place > 0.5 else (-0.05, 0.5))
        name.setPos(place, height)
