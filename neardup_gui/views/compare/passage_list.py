"""All passages of a pair in a list that opens over the window."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFont, QIcon, QKeyEvent, QPainter, QPixmap
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QWidget

from neardup_gui.models.compare.comparison import Comparison
from neardup_gui.models.compare.passage_mark import PassageMark
from neardup_gui.views.compare.highlights import draw_badge
from neardup_gui.views.compare.labels import (
    chance_sentence,
    passage_line,
    passage_pages,
    passage_title,
    short_ones,
)
from neardup_gui.views.widgets.letter_width import letter_width

BADGE_SIZE = 0.86
BEGINNING = 60  # characters
AROUND = 8  # pixels above and below a line
LETTERS = 78  # its width
MOST_LINES = 16
PASSAGE = Qt.ItemDataRole.UserRole


class PassageList(QListWidget):
    """One line for every passage: number, length and its first words; short ones can be folded.

    The order is that of the chips, and the last line says what is no passage.
    """

    passage_chosen = Signal(int)

    def __init__(
        self, comparison: Comparison, current: int, parent: QWidget, *, folded: bool
    ) -> None:
        super().__init__(parent)
        self._parent = parent
        self.setWindowFlags(Qt.WindowType.Popup)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setAccessibleName("All changes" if comparison.shows_changes else "All shared passages")
        self.setUniformItemSizes(True)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        digits = "0" * len(str(len(comparison.marks)))
        self._badge_width = max(
            self.fontMetrics().height(), self.fontMetrics().horizontalAdvance(digits) + 6
        )
        self.setIconSize(QSize(self._badge_width, self.fontMetrics().height()))
        self._short: list[QListWidgetItem] = []
        self._fold = QListWidgetItem()
        self._list(comparison, current)
        self._show_short(not folded or comparison.marks[current].short)
        self._fit()
        self.itemActivated.connect(self._on_chosen)
        self.itemClicked.connect(self._on_chosen)

    def _list(self, comparison: Comparison, current: int) -> None:
        for place, passage in enumerate(comparison.by_strength):
            if place == comparison.strong:
                self.addItem(self._fold)
            item = self._item(comparison, passage)
            self.addItem(item)
            if place >= comparison.strong:
                self._short.append(item)
            if passage == current:
                self.setCurrentItem(item)
        if comparison.shows_changes:
            return
        note = QListWidgetItem(chance_sentence(comparison.numbers))
        note.setFlags(Qt.ItemFlag.NoItemFlags)
        self.addItem(note)

    def _item(self, comparison: Comparison, passage: int) -> QListWidgetItem:
        mark = comparison.marks[passage]
        words = "" if mark.kind else _beginning(comparison, passage)
        parts = (passage_line(mark), passage_pages(mark), words)
        item = QListWidgetItem("    ".join(part for part in parts if part))
        item.setData(Qt.ItemDataRole.DecorationRole, self._badge(mark))
        item.setData(
            Qt.ItemDataRole.AccessibleTextRole,
            passage_title(mark) if mark.kind else f"{mark.number}, {item.text()}",
        )
        item.setData(PASSAGE, passage)
        return item

    def _badge(self, mark: PassageMark) -> QIcon:
        """The number of a passage as the texts and the chips show it."""
        height = self.fontMetrics().height()
        width = max(height, self.fontMetrics().horizontalAdvance("0" * len(mark.badge)) + 6)
        ratio = self.devicePixelRatioF()
        picture = QPixmap(QSize(self._badge_width, height) * ratio)
        picture.setDevicePixelRatio(ratio)
        picture.fill(Qt.GlobalColor.transparent)
        painter = QPainter(picture)
        font = QFont(self.font())
        font.setPointSizeF(BADGE_SIZE * font.pointSizeF())
        font.setBold(True)
        draw_badge(painter, QRectF(self._badge_width - width, 0, width, height), mark, font)
        painter.end()
        icon = QIcon(picture)
        icon.addPixmap(picture, QIcon.Mode.Selected)  # it would be tinted
        return icon

    def _show_short(self, shown: bool) -> None:
        for item in self._short:
            item.setHidden(not shown)
        self._fold.setText(f"{'▾' if shown else '▸'}  {short_ones(len(self._short))}")

    def _fit(self) -> None:
        """As wide as its lines and as high as they are many, within reason."""
        line = self.fontMetrics().height() + AROUND
        rows = 0
        for row in range(self.count()):
            self.item(row).setSizeHint(QSize(0, line))
            rows += not self.item(row).isHidden()
        width = LETTERS * letter_width(self.fontMetrics())
        self.resize(width, min(rows, MOST_LINES) * line + 2 * self.frameWidth())

    def show_below(self, area: QRectF) -> None:
        """Open under an area of the parent, on the screen."""
        corner = QPoint(int(area.left()), int(area.bottom()) + 2)
        corner = self._parent.mapToGlobal(corner)
        screen = self._parent.screen().availableGeometry()
        corner.setX(max(screen.left(), min(corner.x(), screen.right() - self.width())))
        self.resize(self.width(), min(self.height(), screen.bottom() - corner.y()))
        self.move(corner)
        self.show()
        self.setFocus()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc closes the list, which a list leaves to others."""
        if event.key() == Qt.Key.Key_Escape:
            self.close()
        else:
            super().keyPressEvent(event)

    def _on_chosen(self, item: QListWidgetItem) -> None:
        passage = item.data(PASSAGE)
        if item is self._fold:
            self._show_short(self._short[0].isHidden())
            self._fit()
        elif passage is not None:
            self.close()
            self.passage_chosen.emit(passage)


def _beginning(comparison: Comparison, passage: int) -> str:
    text = comparison.sides[0].text
    start, _ = text.source_span(*comparison.sides[0].extents[passage])
    return " ".join(text.source[start : start + BEGINNING].split()) + " …"
