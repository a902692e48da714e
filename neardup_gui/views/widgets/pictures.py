"""Drawings that a screen reader describes; the signatures of a pair as one of them."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from core.base.messages import gettext
from neardup_gui.environment.theme import colors, smooth_painter
from neardup_gui.models.compare.comparison import SignatureGrid
from neardup_gui.views.widgets.labels import paint_focus


class Picture(QWidget):
    """A drawing that takes the focus, so that a screen reader describes it."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    def describe(self, words: str) -> None:
        """Set the description; hide the picture if it is empty."""
        self.setVisible(bool(words))
        self.setAccessibleDescription(words)
        self.updateGeometry()
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the picture, and a frame if it has the focus."""
        painter = smooth_painter(self)
        painter.save()
        self.draw(painter)
        painter.restore()
        paint_focus(painter, self)

    def draw(self, painter: QPainter) -> None:
        """Draw the picture."""
        raise NotImplementedError


CELL, LARGEST = 0.6, 1.7  # of the height of letters
APART = 0.35  # between bands, of a cell
SMALL = 12  # pixels of a cell, below which its frame is thin


class SignaturePicture(Picture):
    """A column per band, a cell per row; equal values are filled, agreeing bands framed."""

    def __init__(self, largest: float = LARGEST) -> None:
        """Cells are at most `largest` times as high as letters."""
        super().__init__(gettext("Signature"))
        self._grid: SignatureGrid | None = None
        self._largest = largest
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def show_grid(self, grid: SignatureGrid | None) -> None:
        """Show other values, or none."""
        self._grid = grid
        rows = len(grid.bands[0]) if grid else 1  # of one row they are no bands yet
        if grid is not None and rows > 1:
            self.setToolTip(
                gettext(
                    "{bands} bands of {rows}: a column is a band, a filled cell a value that is "
                    "the same in both signatures. Framed bands are the same as a whole.",
                    bands=len(grid.bands),
                    rows=rows,
                )
            )
        else:
            self.setToolTip("")
        self.describe(grid.caption if grid else "")

    def hasHeightForWidth(self) -> bool:
        """The height depends on the width: bands continue on the next line."""
        return True

    def heightForWidth(self, width: int) -> int:
        """The height of all lines."""
        if self._grid is None:
            return 0
        across, cell = self._shape(width)
        lines = -(-len(self._grid.bands) // across)
        return round(lines * self._line_height(cell) + 2)

    def sizeHint(self) -> QSize:
        """The height for the present width."""
        return QSize(40 * self.fontMetrics().height(), self.heightForWidth(max(self.width(), 1)))

    def minimumSizeHint(self) -> QSize:
        """The size of a few bands beside each other."""
        return QSize(10 * self.fontMetrics().height(), self.heightForWidth(max(self.width(), 1)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Update the height for another width."""
        super().resizeEvent(event)
        self.updateGeometry()

    def draw(self, painter: QPainter) -> None:
        """Draw the cells, then the frames."""
        if self._grid is None:
            return
        now = colors()
        across, cell = self._shape(self.width())
        for number, band in enumerate(self._grid.bands):
            line, column = divmod(number, across)
            left = column * cell * (1 + APART) + 2
            top = line * self._line_height(cell) + 2
            for row, same in enumerate(band):
                area = QRectF(left, top + row * cell, cell - 1.5, cell - 1.5)
                painter.fillRect(area, now.accent if same else now.track)
            if number in self._grid.colliding:
                painter.setPen(QPen(now.text, 1 if cell < SMALL else 2))
                frame = QRectF(left - 2, top - 2, cell + 2.5, len(band) * cell + 2.5)
                painter.drawRect(frame)

    def _line_height(self, cell: float) -> float:
        rows = len(self._grid.bands[0]) if self._grid else 1
        return (rows + APART) * cell + 2

    def _shape(self, width: int) -> tuple[int, float]:
        """How many bands are beside each other, and the size of a cell.

        In as few lines as leave the cells large enough to be told apart.
        """
        number, line = len(self._grid.bands) if self._grid else 1, self.fontMetrics().height()
        for lines in range(1, number + 1):
            across = -(-number // lines)
            cell = (width - 4) / across / (1 + APART)
            if cell >= CELL * line:
                return across, min(cell, self._largest * line)
        return 1, CELL * line
