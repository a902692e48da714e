"""Why this pair: sentences, and beside them its signature, band by band."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from neardup_gui.environment.theme import colors
from neardup_gui.models.compare.why import SignatureGrid, Why
from neardup_gui.views.widgets.controls import Caption

CELL, APART, LINE_GAP, FRAME = 7, 3, 7, 2
MOST_CELLS = 40  # beside one another, so that the words keep their place
MARGIN = 16
COUNTING = "Counting in how many documents its passages stand…"


class WhyPanel(QWidget):
    """Opens under the numbers of the pair."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._why: Why | None = None
        self._sentences = QLabel(wordWrap=True)
        self._sentences.setTextFormat(Qt.TextFormat.PlainText)
        self._sentences.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self._sentences.setAccessibleName("Why this pair")
        self._rare = QLabel(wordWrap=True)
        self._rare.setTextFormat(Qt.TextFormat.PlainText)
        self._grid = GridPicture()
        self._caption = Caption()
        words = QVBoxLayout()
        words.setSpacing(6)
        words.addWidget(self._sentences)
        words.addWidget(self._rare)
        words.addWidget(self._caption)
        words.addStretch(1)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 2, 0, 2)
        row.setSpacing(MARGIN)
        row.addLayout(words, 1)
        row.addWidget(self._grid, 0, Qt.AlignmentFlag.AlignTop)

    @property
    def words(self) -> str:
        """What is said, a sentence a line."""
        return f"{self._sentences.text()}\n{self._rare.text()}"

    def show_why(self, why: Why) -> None:
        """Show why another pair is listed."""
        self._sentences.setText("\n".join(why.sentences))
        if why is not self._why:  # the same where only the sides were exchanged
            self._rare.setText(COUNTING)
        self._why = why
        self._caption.setText(why.grid.caption if why.grid else "")
        self._caption.setVisible(why.grid is not None)
        self._grid.show_grid(why.grid)

    def show_rare(self, sentences: Sequence[str]) -> None:
        """Say how rare the passages of the pair are."""
        self._rare.setText("\n".join(sentences))


class GridPicture(QWidget):
    """A column for each band, a cell for each row; equal values are filled, met bands framed."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._grid: SignatureGrid | None = None
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("Signature")

    def show_grid(self, grid: SignatureGrid | None) -> None:
        """Show the signature of another pair, or none."""
        self._grid = grid
        self.setVisible(grid is not None)
        if grid is not None:
            self.setAccessibleDescription(grid.caption)
            rows = len(grid.bands[0])
            self.setToolTip(
                f"{len(grid.bands)} bands of {rows}: a column is a band, a filled cell a value "
                "that is the same in both signatures. Framed bands are the same as a whole."
            )
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        """As large as its cells."""
        if self._grid is None:
            return QSize(0, 0)
        across, lines = self._shape(self._grid)
        high = len(self._grid.bands[0]) * CELL
        return QSize(
            across * (CELL + APART) + 2 * FRAME, lines * (high + LINE_GAP) + 2 * FRAME - LINE_GAP
        )

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the cells, then the frames."""
        if self._grid is None:
            return
        painter = QPainter(self)
        palette = colors()
        for number, band in enumerate(self._grid.bands):
            corner = self._corner(self._grid, number)
            for row, same in enumerate(band):
                cell = QRectF(corner.x(), corner.y() + row * CELL, CELL - 1, CELL - 1)
                painter.fillRect(cell, palette.accent if same else palette.track)
            if number in self._grid.met:
                painter.setPen(QPen(palette.text, 1))
                frame = QRectF(corner.x() - 1.5, corner.y() - 1.5, CELL + 2, len(band) * CELL + 2)
                painter.drawRect(frame)

    def _shape(self, grid: SignatureGrid) -> tuple[int, int]:
        """How many bands stand beside one another, in how many lines."""
        across = min(len(grid.bands), MOST_CELLS)
        return across, -(-len(grid.bands) // across)

    def _corner(self, grid: SignatureGrid, band: int) -> QPointF:
        across, _ = self._shape(grid)
        line, column = divmod(band, across)
        high = len(grid.bands[0]) * CELL + LINE_GAP
        return QPointF(FRAME + column * (CELL + APART), FRAME + line * high)
