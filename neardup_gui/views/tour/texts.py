"""Lists and marked texts."""

from __future__ import annotations

from PySide6.QtCore import (
    QEvent,
    QModelIndex,
    QPersistentModelIndex,
    QPointF,
    QRect,
    QSize,
    Qt,
    QTimer,
)
from PySide6.QtGui import QPainter, QTextCharFormat
from PySide6.QtWidgets import (
    QFrame,
    QListWidget,
    QListWidgetItem,
    QPlainTextEdit,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTextEdit,
    QWidget,
)

from neardup_gui.environment.theme import colors
from neardup_gui.models.tour.pictures import Marked, Row, Tone
from neardup_gui.views.tour.chart import paint_sign

LIST_LINES = 9
TEXT_LINES = 8
BEFORE, TONE = Qt.ItemDataRole.UserRole, Qt.ItemDataRole.UserRole + 1
INSIDE = 8


class RowList(QListWidget):
    """Lines, each as far in as the words before it are wide."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows: tuple[Row, ...] = ()
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setItemDelegate(_RowDelegate(self))
        self.setTabKeyNavigation(False)
        self.setHorizontalScrollMode(QListWidget.ScrollMode.ScrollPerPixel)

    def show_rows(self, title: str, rows: tuple[Row, ...]) -> None:
        """Show other lines, or none."""
        self.setVisible(bool(rows))
        self.setAccessibleName(title)
        if rows == self._rows:
            return
        place, self._rows = self.currentRow(), rows
        self.clear()
        for row in rows:
            item = QListWidgetItem(row.text)
            item.setData(BEFORE, row.before)
            item.setData(TONE, row.tone)
            self.addItem(item)
        self.setCurrentRow(min(place, len(rows) - 1))

    def sizeHint(self) -> QSize:
        """Some lines; more where there is room."""
        return QSize(200, LIST_LINES * round(1.5 * self.fontMetrics().height()))

    def minimumSizeHint(self) -> QSize:
        """The same: below it scrolls."""
        return QSize(100, self.sizeHint().height())

    def changeEvent(self, event: QEvent) -> None:
        """Lines are as wide as their letters."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self.scheduleDelayedItemsLayout()


class _RowDelegate(QStyledItemDelegate):
    def sizeHint(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        """The words, and those before them."""
        metrics = option.fontMetrics
        words = f"{index.data(BEFORE) or ''}{index.data()}"
        return QSize(
            metrics.horizontalAdvance(words) + 2 * INSIDE + metrics.height(),
            round(1.4 * metrics.height()),
        )

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        """Draw the sign of the line, and its words."""
        now, area = colors(), QRect(option.rect)
        metrics = option.fontMetrics
        if option.state & QStyle.StateFlag.State_HasFocus:
            painter.fillRect(area, now.selection)
        tone = index.data(TONE)
        area.adjust(INSIDE, 0, 0, 0)
        if isinstance(tone, Tone):
            line = metrics.height()
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            place = QPointF(area.left() + line / 2, area.top() + area.height() / 2)
            paint_sign(painter, tone, place, line)
            area.adjust(round(1.3 * line), 0, 0, 0)
        area.adjust(metrics.horizontalAdvance(index.data(BEFORE) or ""), 0, 0, 0)
        painter.setPen(now.muted if tone is Tone.QUIET else now.text)
        painter.drawText(area, int(Qt.AlignmentFlag.AlignVCenter), index.data())


class MarkedText(QPlainTextEdit):
    """A text to be read, with stretches that are marked."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._marked: Marked | None = None
        self.setReadOnly(True)
        self.setTabChangesFocus(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )

    def show_marked(self, marked: Marked | None) -> None:
        """Show another text, or none; the first marked stretch is in sight."""
        self.setVisible(marked is not None)
        if marked is None or marked == self._marked:
            return
        bar = self.verticalScrollBar()
        place = bar.value()
        if self._marked is None or marked.text != self._marked.text:
            self.setPlainText(marked.text)
        first = self._marked is None
        self._marked = marked
        self.setAccessibleName(marked.title)
        self._mark()
        bar.setValue(place)
        if first:
            QTimer.singleShot(0, self, self._reveal)

    def changeEvent(self, event: QEvent) -> None:
        """Follow the scheme."""
        super().changeEvent(event)
        if event.type() in {QEvent.Type.PaletteChange, QEvent.Type.FontChange}:
            self._mark()

    def sizeHint(self) -> QSize:
        """Some lines."""
        return QSize(200, TEXT_LINES * round(1.3 * self.fontMetrics().height()))

    def minimumSizeHint(self) -> QSize:
        """The same: below it scrolls."""
        return QSize(100, self.sizeHint().height())

    def _reveal(self) -> None:
        """Lead to the first marked stretch, which may be far down."""
        if self._marked and self._marked.spans:
            cursor = self.textCursor()
            cursor.setPosition(self._marked.spans[0][0])
            self.setTextCursor(cursor)
            self.centerCursor()

    def _mark(self) -> None:
        if self._marked is None:
            return
        passage = colors().passages[0]
        look = QTextCharFormat()
        look.setBackground(passage.fill)
        look.setUnderlineStyle(QTextCharFormat.UnderlineStyle.SingleUnderline)
        look.setUnderlineColor(passage.line)
        selections = []
        for start, end in self._marked.spans:
            selection = QTextEdit.ExtraSelection()
            cursor = self.textCursor()
            cursor.setPosition(start)
            cursor.setPosition(end, cursor.MoveMode.KeepAnchor)
            selection.cursor, selection.format = cursor, look
            selections.append(selection)
        self.setExtraSelections(selections)
