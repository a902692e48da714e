"""Sets, and values of signatures, as large as the letters."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPen, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from core.base.wording import count
from neardup_gui.environment.theme import colors
from neardup_gui.models.compare.why import SignatureGrid
from neardup_gui.models.tour.pictures import Sets
from neardup_gui.views.tour.picture import Picture

CELL, LARGEST = 0.6, 1.7  # of the height of letters
APART = 0.35  # between bands, of a cell
BAR_LINES = 2.2


class SetsView(Picture):
    """Two sets as one bar: what is in one only, in both, in the other only, as wide as it is."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Two sets of shingles", parent)
        self._sets: Sets | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_sets(self, sets: Sets | None) -> None:
        """Show other sets, or none."""
        self._sets = sets
        self.describe(_words(sets) if sets else "")

    def sizeHint(self) -> QSize:
        """The bar, and a line of words above and below."""
        line = self.fontMetrics().height()
        return QSize(20 * line, round((BAR_LINES + 3) * line))

    def minimumSizeHint(self) -> QSize:
        """Words stand below each other where it is narrow."""
        return QSize(10 * self.fontMetrics().height(), self.sizeHint().height())

    def draw(self, painter: QPainter) -> None:
        """Draw the bar and what its parts are."""
        if self._sets is None:
            return
        now, sets, line = colors(), self._sets, self.fontMetrics().height()
        whole = max(sets.only_a + sets.both + sets.only_b, 1)
        a, b = sets.names
        parts = (
            (sets.only_a, f"only {a}: {count(sets.only_a)}", now.track, Qt.AlignmentFlag.AlignLeft),
            (sets.both, f"both: {count(sets.both)}", now.accent, Qt.AlignmentFlag.AlignHCenter),
            (
                sets.only_b,
                f"only {b}: {count(sets.only_b)}",
                now.raised,
                Qt.AlignmentFlag.AlignRight,
            ),
        )
        left = 0.0
        for number, words, color, side in parts:
            width = self.width() * number / whole
            bar = QRectF(left, 1.5 * line, width, BAR_LINES * line)
            painter.fillRect(bar, color)
            painter.setPen(QPen(now.border, 1))
            painter.drawRect(bar.adjusted(0.5, 0.5, -0.5, -0.5))
            painter.setPen(now.text)
            top = 0.0 if side is Qt.AlignmentFlag.AlignHCenter else (BAR_LINES + 1.7) * line
            painter.drawText(QRectF(0, top, self.width(), 1.3 * line), int(side), words)
            left += width


def _words(sets: Sets) -> str:
    a, b = sets.names
    return (
        f"Only in {a} {count(sets.only_a)}, in both {count(sets.both)}, "
        f"only in {b} {count(sets.only_b)}."
    )


class CellsView(Picture):
    """A column for each band, a cell for each row; equal values are filled, met bands framed."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Signature", parent)
        self._grid: SignatureGrid | None = None
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def show_grid(self, grid: SignatureGrid | None) -> None:
        """Show other values, or none."""
        self._grid = grid
        self.describe(grid.caption if grid else "")

    def hasHeightForWidth(self) -> bool:
        """Bands go on in the next line."""
        return True

    def heightForWidth(self, width: int) -> int:
        """All lines."""
        if self._grid is None:
            return 0
        across, cell = self._shape(width)
        lines = -(-len(self._grid.bands) // across)
        return round(lines * self._line_height(cell) + 2)

    def sizeHint(self) -> QSize:
        """As high as in its width."""
        return QSize(40 * self.fontMetrics().height(), self.heightForWidth(max(self.width(), 1)))

    def minimumSizeHint(self) -> QSize:
        """A few bands beside one another."""
        return QSize(10 * self.fontMetrics().height(), self.heightForWidth(max(self.width(), 1)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """In another width it has other lines."""
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
            if number in self._grid.met:
                painter.setPen(QPen(now.text, 2))
                frame = QRectF(left - 2, top - 2, cell + 2.5, len(band) * cell + 2.5)
                painter.drawRect(frame)

    def _line_height(self, cell: float) -> float:
        rows = len(self._grid.bands[0]) if self._grid else 1
        return (rows + APART) * cell + 2

    def _shape(self, width: int) -> tuple[int, float]:
        """How many bands stand beside one another, and how large a cell is.

        In as few lines as leave the cells large enough to be told apart.
        """
        number, line = len(self._grid.bands) if self._grid else 1, self.fontMetrics().height()
        for lines in range(1, number + 1):
            across = -(-number // lines)
            cell = (width - 4) / across / (1 + APART)
            if cell >= CELL * line:
                return across, min(cell, LARGEST * line)
        return 1, CELL * line
