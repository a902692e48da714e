"""The signatures of a pair as a grid: a row of cells for each band."""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtCore import QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from core.base.messages import gettext
from neardup_gui.environment.theme import colors, mix
from neardup_gui.models.workbench.chances import PairGrid, band_words, grid_words

LARGEST, SMALLEST = 1.0, 0.42  # sides of a cell, in heights of a letter
APART = 2.2  # between columns of bands, in sides of a cell
LINE = 1.4  # from band to band, in sides of a cell
EDGE = 3  # around all of it: the frames of bands
STEPS = {
    Qt.Key.Key_Up: -1,
    Qt.Key.Key_Down: 1,
    Qt.Key.Key_Left: -1,
    Qt.Key.Key_Right: 1,
}
TO_MET = {Qt.Key.Key_PageUp: -1, Qt.Key.Key_PageDown: 1}


class Shape(NamedTuple):
    """Where cells are: bands one below the other, in columns; long ones go on in the next line.

    Attributes:
        side: Of a cell, in pixels.
        across: Cells of a band in a line.
        lines: Lines of a band.
        down: Bands in a column.
        columns: Columns of bands.
    """

    side: float
    across: int
    lines: int
    down: int
    columns: int

    @property
    def line(self) -> float:
        """From line to line."""
        return self.side * LINE

    @property
    def band(self) -> float:
        """From band to band."""
        return self.lines * self.side + self.side * (LINE - 1)

    @property
    def width(self) -> float:
        """Of all columns."""
        return self.columns * (self.across * self.side + APART * self.side) - APART * self.side

    @property
    def height(self) -> float:
        """Of a column."""
        return self.down * self.band

    def corner(self, band: int) -> tuple[float, float]:
        """Where a band begins."""
        column, row = divmod(band, self.down)
        return EDGE + column * (self.across + APART) * self.side, EDGE + row * self.band


class BandGrid(QWidget):
    """Equal values, or bits that differ, are filled; bands that agree as a whole are framed.

    Arrow keys, Home and End go from band to band, Page Up and Page Down between those that met.

    Attributes:
        current: The band of the keyboard, from 0.

    Signals:
        pointed: What is said of the band under the mouse or the keyboard.
    """

    pointed = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._grid: PairGrid | None = None
        self.current = 0
        self._room = QSize(400, 200)
        self._shape: Shape | None = None
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        self.setAccessibleName(gettext("Signatures, band by band"))

    def show_grid(self, grid: PairGrid | None) -> None:
        """Show the signatures of another pair, or in other bands."""
        if grid == self._grid:
            return
        self._grid = grid
        self.current = min(self.current, len(grid.bands) - 1) if grid else 0
        self._fit()
        self._describe()

    def fit_into(self, room: QSize) -> None:
        """Use this much room, as far as cells can be seen then."""
        if room != self._room:
            self._room = room
            self._fit()

    def band_at(self, place: QPoint) -> int | None:
        """The band of a place."""
        shape, grid = self._shape, self._grid
        if shape is None or grid is None:
            return None
        column, x = divmod(place.x() - EDGE, (shape.across + APART) * shape.side)
        row = int((place.y() - EDGE) // shape.band)
        inside = 0 <= x < shape.across * shape.side and 0 <= row < shape.down
        band = int(column) * shape.down + row
        return band if inside and 0 <= band < len(grid.bands) else None

    def sizeHint(self) -> QSize:
        """As large as its cells."""
        if self._shape is None:
            return QSize(0, 0)
        return QSize(round(self._shape.width) + 2 * EDGE, round(self._shape.height) + 2 * EDGE)

    def minimumSizeHint(self) -> QSize:
        """High enough for all of it; what is around it scrolls."""
        return QSize(0, self.sizeHint().height())

    def _fit(self) -> None:
        """Find the largest cells with which everything has room; else the smallest."""
        grid, letter = self._grid, self.fontMetrics().height()
        self._shape = None
        if grid is not None:
            largest, smallest = round(LARGEST * letter), max(4, round(SMALLEST * letter))
            for side in range(largest, smallest - 1, -1):
                self._shape = _shape(grid, side, self._room)
                if self._shape.height + 2 * EDGE <= self._room.height():
                    break
        self.updateGeometry()
        self.update()

    def _describe(self) -> None:
        words = grid_words(self._grid)
        if self._grid is None:
            self.setAccessibleDescription(words)
            self.pointed.emit("")
            return
        said = band_words(self._grid, self.current)
        self.setAccessibleDescription(f"{said} {words}")
        self.pointed.emit(said if self.hasFocus() else words)

    def _go_to(self, band: int) -> None:
        if self._grid is not None:
            self.current = min(max(band, 0), len(self._grid.bands) - 1)
            self._describe()
            self.update()

    # Events

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go from band to band."""
        key, grid = Qt.Key(event.key()), self._grid
        if grid is None:
            super().keyPressEvent(event)
        elif key in STEPS:
            down = self._shape.down if self._shape else 1
            sideways = key in (Qt.Key.Key_Left, Qt.Key.Key_Right)
            self._go_to(self.current + STEPS[key] * (down if sideways else 1))
        elif key in TO_MET:
            further = [band for band in grid.met if (band - self.current) * TO_MET[key] > 0]
            here = self.current
            self._go_to(min(further, key=lambda band: abs(band - here), default=here))
        elif key in (Qt.Key.Key_Home, Qt.Key.Key_End):
            self._go_to(0 if key == Qt.Key.Key_Home else len(grid.bands))
        else:
            super().keyPressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Say what is under the mouse."""
        band = self.band_at(event.position().toPoint())
        if self._grid is not None and band is not None:
            self.pointed.emit(band_words(self._grid, band))
        super().mouseMoveEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Take a band for the keyboard."""
        band = self.band_at(event.position().toPoint())
        if band is not None:
            self._go_to(band)
        super().mousePressEvent(event)

    def leaveEvent(self, event: object) -> None:
        """Say again what the keyboard is at, or all of it."""
        self._describe()
        super().leaveEvent(event)  # type: ignore[arg-type]

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Say which band it is."""
        super().focusInEvent(event)
        self._describe()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Say what all bands come to."""
        super().focusOutEvent(event)
        self._describe()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the cells, the frames, then where the keyboard is."""
        grid, shape = self._grid, self._shape
        if grid is None or shape is None:
            return
        painter, now = QPainter(self), colors()
        quiet = mix(now.accent, now.base, 0.45)
        for number, band in enumerate(grid.bands):
            met = number in grid.met
            full = now.accent if met or grid.has_bits else quiet
            for place, same in enumerate(band):
                filled = same != grid.has_bits  # of bits, those that differ are of interest
                painter.fillRect(self._cell(shape, number, place), full if filled else now.track)
            if met:
                self._frame(painter, shape, number, len(band), QPen(now.text, 1.2))
        if self.hasFocus():
            size = len(grid.bands[self.current])
            self._frame(painter, shape, self.current, size, QPen(now.accent, 2))

    @staticmethod
    def _cell(shape: Shape, band: int, place: int) -> QRectF:
        x, y = shape.corner(band)
        line, column = divmod(place, shape.across)
        gap = 1 if shape.side < 10 else 2
        side = shape.side
        return QRectF(x + column * side, y + line * side, side - gap, side - gap)

    def _frame(self, painter: QPainter, shape: Shape, band: int, values: int, pen: QPen) -> None:
        first = self._cell(shape, band, 0)
        last = self._cell(shape, band, min(values, shape.across) - 1)
        bottom = self._cell(shape, band, values - 1)
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        frame = first.united(last).united(bottom)
        painter.drawRect(frame.adjusted(-1.5, -1.5, 1.5, 1.5))


def _shape(grid: PairGrid, side: int, room: QSize) -> Shape:
    """How bands are laid out with cells of a size: in as many columns as there is width for."""
    bands, rows = len(grid.bands), len(grid.bands[0])
    wide, high = max(room.width() - 2 * EDGE, side), max(room.height() - 2 * EDGE, side)
    across = max(1, min(rows, wide // side))
    lines = -(-rows // across)
    most = max(1, int((wide + APART * side) // ((across + APART) * side)))
    fitting = max(1, int(high // ((lines + LINE - 1) * side)))
    columns = min(most, -(-bands // fitting), bands)
    down = -(-bands // columns)
    return Shape(float(side), across, lines, down, -(-bands // down))
