"""The passages of a pair as a row of chips, all drawn by one widget."""

from __future__ import annotations

import math
from collections.abc import Sequence

from PySide6.QtCore import QPoint, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QIcon, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QListWidgetItem, QSizePolicy, QWidget

from core.base.messages import gettext, ngettext
from core.base.wording import count
from neardup_gui.environment.theme import colors, sharp_pixmap, smooth_painter
from neardup_gui.models.compare.comparison import Comparison
from neardup_gui.models.compare.side import PassageMark
from neardup_gui.views.compare import highlights
from neardup_gui.views.widgets.containers import HasHints, PopupList
from neardup_gui.views.widgets.labels import bold, letter_width, scaled

BADGE_SIZE = 0.86
BEGINNING = 60  # characters
AROUND = 8  # pixels above and below a line
LETTERS = 78  # its width
MOST_LINES = 16
PASSAGE = Qt.ItemDataRole.UserRole


class PassageList(PopupList):
    """One line per passage: number, length and first words; short ones can be folded.

    The order is that of the chips, and the last line says what is no passage.
    """

    passage_chosen = Signal(int)

    def __init__(
        self, comparison: Comparison, current: int, parent: QWidget, *, folded: bool
    ) -> None:
        name = (
            gettext("All changes") if comparison.shows_changes else gettext("All shared passages")
        )
        super().__init__(name, parent)
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
        for index, passage in enumerate(comparison.by_strength):
            if index == comparison.strong:
                self.addItem(self._fold)
            item = self._item(comparison, passage)
            self.addItem(item)
            if index >= comparison.strong:
                self._short.append(item)
            if passage == current:
                self.setCurrentItem(item)
        if comparison.shows_changes:
            return
        note = QListWidgetItem(highlights.chance_sentence(comparison.numbers))
        note.setFlags(Qt.ItemFlag.NoItemFlags)
        self.addItem(note)

    def _item(self, comparison: Comparison, passage: int) -> QListWidgetItem:
        mark = comparison.marks[passage]
        words = "" if mark.kind else _beginning(comparison, passage)
        parts = (highlights.passage_line(mark), highlights.passage_pages(mark), words)
        item = QListWidgetItem("    ".join(part for part in parts if part))
        item.setData(Qt.ItemDataRole.DecorationRole, self._badge(mark))
        item.setData(
            Qt.ItemDataRole.AccessibleTextRole,
            highlights.passage_title(mark) if mark.kind else f"{mark.number}, {item.text()}",
        )
        item.setData(PASSAGE, passage)
        return item

    def _badge(self, mark: PassageMark) -> QIcon:
        """The number of a passage, as in the texts and on the chips."""
        height = self.fontMetrics().height()
        width = max(height, self.fontMetrics().horizontalAdvance("0" * len(mark.badge)) + 6)
        ratio = self.devicePixelRatioF()
        picture = sharp_pixmap(QSize(self._badge_width, height), ratio)
        painter = QPainter(picture)
        font = bold(scaled(self.font(), BADGE_SIZE))
        highlights.draw_badge(
            painter, QRectF(self._badge_width - width, 0, width, height), mark, font
        )
        painter.end()
        icon = QIcon(picture)
        icon.addPixmap(picture, QIcon.Mode.Selected)  # it would be tinted
        return icon

    def _show_short(self, shown: bool) -> None:
        for item in self._short:
            item.setHidden(not shown)
        self._fold.setText(f"{'▾' if shown else '▸'}  {highlights.short_ones(len(self._short))}")

    def _fit(self) -> None:
        """The size of its lines, within limits."""
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
        self.open_at(self._parent.mapToGlobal(corner), self.size())

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


GAP = 8
PADDING = 9
MOST_WIDE = 4_000  # pixels of the widest row
LEAST_WIDE = 120


class PassageChips(HasHints):
    """Shows the chips that fit, including the current one, and how many more there are.

    The passage with the most words that are the same comes first; short ones are shown when one of
    them is current. Left and Right go from chip to chip, Enter chooses; Down, or the chip at the
    end, lists all.
    """

    passage_chosen = Signal(int)

    def __init__(self) -> None:
        super().__init__(focusPolicy=Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.setMouseTracking(True)
        self._comparison: Comparison | None = None
        self._marks: tuple[PassageMark, ...] = ()
        self._current: int | None = None
        self._order: tuple[int, ...] = ()
        self._strong = 0
        self._cursor = 0  # an index in this order
        self._first = 0
        self._chips: list[tuple[QRectF, int]] = []
        self._more = QRectF()

    def sizeHint(self) -> QSize:
        """One row, as wide as its chips."""
        width = 2.0
        for owner in self._order[: len(self._order) - self._folded]:
            width += self._chip_width(owner) + GAP
            if width > MOST_WIDE:
                break
        if len(self._order) > 1:  # while it is not known whether all fit
            width += self._more_width() + GAP
        return QSize(round(width), self._row_height)

    def minimumSizeHint(self) -> QSize:
        """The size of the number of a passage, and of how many more there are."""
        width = 2.0 + PADDING + max(map(self._badge_width, self._order), default=0.0)
        if len(self._order) > 1:
            width += GAP + self._width_of([f"+ {count(self._most_more)}"])
        return QSize(max(math.ceil(width), LEAST_WIDE), self._row_height)

    @property
    def _row_height(self) -> int:
        return self.fontMetrics().height() + 11

    def show_comparison(self, comparison: Comparison) -> None:
        """Show the passages of a pair."""
        self._comparison, self._current = comparison, None
        self._marks = comparison.marks
        self._order, self._strong = comparison.by_strength, comparison.strong
        self._cursor = self._first = 0
        self.updateGeometry()
        number = len(comparison.marks)
        self.setAccessibleName(
            ngettext("{n} change", "{n} changes", number)
            if comparison.shows_changes
            else ngettext("{n} shared passage", "{n} shared passages", number)
        )
        self.setAccessibleDescription("")  # of the former pair
        self._arrange()
        self._go_to(0)

    def set_current(self, passage: int | None) -> None:
        """Emphasise a passage and keep it in the row."""
        self._current = passage
        self._go_to(self._cursor if passage is None else self._order.index(passage))

    def _go_to(self, index: int) -> None:
        if not self._order:
            return
        self._cursor = min(max(index, 0), len(self._order) - 1)
        self.setAccessibleDescription(highlights.passage_title(self._marks[self._chosen]))
        self._first = min(self._first, self._cursor)
        self._arrange()
        if self._cursor >= self._first + len(self._chips):
            self._first = self._first_before(self._cursor)
            self._arrange()

    @property
    def _chosen(self) -> int:
        return self._order[self._cursor]

    @property
    def _folded(self) -> int:
        """How many short passages are not shown, even if there is room for them."""
        return 0 if self._cursor >= self._strong else len(self._order) - self._strong

    def _first_before(self, last: int) -> int:
        """The first chip that fits into the row with a given one at the end."""
        first = last
        used = self._chip_width(self._order[last]) + GAP + self._more_width() + 2
        while first > 0:
            used += GAP + self._chip_width(self._order[first - 1])
            if used > self.width():
                break
            first -= 1
        return first

    def _arrange(self) -> None:
        self._chips, self._more = [], QRectF()
        self.update()
        height = self._row_height - 2
        x = 1.0
        shown = len(self._order) - self._folded
        for index in range(self._first, shown):
            owner = self._order[index]
            width = self._chip_width(owner)
            alone = index == len(self._order) - 1 and self._first == 0
            room = self.width() - x - (0 if alone else GAP + self._more_width())
            if self._chips and width > room:
                break
            width = max(min(width, room), self._badge_width(owner) + PADDING)
            self._chips.append((QRectF(x, 1, width, height), owner))
            x += width + GAP
        if len(self._chips) < len(self._order):
            self._more = QRectF(x, 1, min(self._more_width(), self.width() - x - 1), height)
        area = QRectF(self.rect())
        self._chips = [(self._visual(area, rect), owner) for rect, owner in self._chips]
        self._more = self._visual(area, self._more)

    def _visual(self, area: QRectF, rect: QRectF) -> QRectF:
        """A rectangle within an area, mirrored where text runs from right to left."""
        if self.isRightToLeft():
            return rect.translated(area.left() + area.right() - rect.left() - rect.right(), 0)
        return rect

    def _chip_width(self, owner: int) -> float:
        text = self.fontMetrics().horizontalAdvance(highlights.passage_label(self._marks[owner]))
        return self._badge_width(owner) + text + 6 + PADDING + 4

    def _badge_width(self, owner: int) -> float:
        digits = len(self._marks[owner].badge)
        letter = self.fontMetrics().horizontalAdvance("0")
        return max(self.fontMetrics().height() + 1.0, letter * digits + 8.0)

    def _more_text(self) -> str:
        """How many more there are: in words where there is room for them."""
        hidden = len(self._order) - len(self._chips)
        if hidden == self._folded:
            words = f"+ {highlights.short_ones(hidden)}"
        else:
            words = ngettext("+ {n} more", "+ {n} more", hidden)
        room = self._more.width() + PADDING  # it may come nearer to the edges
        return words if self._width_of([words]) <= room else f"+ {count(hidden)}"

    @property
    def _most_more(self) -> int:
        """A number as wide as any of how many more there are."""
        return int("8" * len(str(len(self._order))))

    def _more_width(self) -> float:
        texts = [ngettext("+ {n} more", "+ {n} more", self._most_more)]
        texts += [f"+ {highlights.short_ones(self._folded)}"] if self._folded else []
        return self._width_of(texts)

    def _width_of(self, texts: Sequence[str]) -> float:
        """The width of a chip for the longest of these texts."""
        return max(map(self.fontMetrics().horizontalAdvance, texts)) + 2.0 * PADDING

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the row."""
        painter = smooth_painter(self)
        for rect, owner in self._chips:
            self._draw_chip(painter, rect, owner)
        if not self._more.isNull():
            self._draw_outline(painter, self._more, current=False)
            painter.setPen(colors().text)
            painter.drawText(self._more, Qt.AlignmentFlag.AlignCenter, self._more_text())

    def _draw_chip(self, painter: QPainter, rect: QRectF, owner: int) -> None:
        self._draw_outline(painter, rect, current=owner == self._current)
        if self.hasFocus() and owner == self._chosen:
            painter.setPen(QPen(colors().accent, 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(rect, rect.height() / 2, rect.height() / 2)
        badge = QRectF(rect.left() + 4, 0, self._badge_width(owner), rect.height() - 8)
        badge.moveTop(rect.top() + 4)
        badge = self._visual(rect, badge)
        font = bold(scaled(self.font(), BADGE_SIZE))
        highlights.draw_badge(painter, badge, self._marks[owner], font)
        painter.setPen(colors().text)
        label = self._visual(rect, rect.adjusted(badge.width() + 10, 0, -PADDING / 2, 0))
        vertical = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
        text = self.fontMetrics().elidedText(
            highlights.passage_label(self._marks[owner]),
            Qt.TextElideMode.ElideRight,
            int(label.width()),
        )
        painter.drawText(label, vertical, text)

    def _draw_outline(self, painter: QPainter, rect: QRectF, *, current: bool) -> None:
        painter.setPen(QPen(colors().accent if current else colors().border, 1))
        painter.setBrush(colors().selection if current else colors().base)
        rounded = rect.adjusted(0.5, 0.5, -0.5, -0.5)
        painter.drawRoundedRect(rounded, rounded.height() / 2, rounded.height() / 2)

    def _chip_at(self, point: QPoint) -> int | None:
        return next((owner for rect, owner in self._chips if rect.contains(point)), None)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Choose a chip, or list all."""
        point = event.position().toPoint()
        owner = self._chip_at(point)
        if owner is not None:
            self.passage_chosen.emit(owner)
        elif self._more.contains(point):
            self._list_all()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move from chip to chip, choose, or list all."""
        key = event.key()
        if event.modifiers() & Qt.KeyboardModifier.AltModifier or not self._order:
            super().keyPressEvent(event)
        elif key in {Qt.Key.Key_Left, Qt.Key.Key_Right}:
            onward = Qt.Key.Key_Left if self.isRightToLeft() else Qt.Key.Key_Right
            self._go_to(self._cursor + (1 if key == onward else -1))
        elif key in {Qt.Key.Key_Home, Qt.Key.Key_End}:
            self._go_to(0 if key == Qt.Key.Key_Home else len(self._order) - 1)
        elif key in {Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space}:
            self.passage_chosen.emit(self._chosen)
        elif key == Qt.Key.Key_Down:
            self._list_all()
        else:
            super().keyPressEvent(event)

    def _list_all(self) -> None:
        if self._comparison is not None:
            folded = self._chips[-1][1] != self._order[self._strong - 1]
            popup = PassageList(self._comparison, self._chosen, self, folded=folded)
            popup.passage_chosen.connect(self.passage_chosen)
            popup.show_below(self._more if not self._more.isNull() else QRectF(self.rect()))

    def hint_at(self, position: QPointF) -> str:
        """The passage of a chip."""
        owner = self._chip_at(position.toPoint())
        return "" if owner is None else highlights.passage_title(self._marks[owner])

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Place the chips again."""
        super().resizeEvent(event)
        self._go_to(self._cursor)
