"""A table of rows: names get the room that numbers leave; typing letters is no search."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt
from PySide6 import QtGui
from PySide6.QtCore import (
    QItemSelectionModel,
    QModelIndex,
    QRect,
    QRectF,
    QSize,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QGraphicsOpacityEffect,
    QHeaderView,
    QLabel,
    QMenu,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from core.base.messages import N_, gettext
from core.documents.model import Role as FolderRole
from neardup_gui.environment.theme import colors, mix
from neardup_gui.models.pairs.columns import Column, Role
from neardup_gui.models.setup import ROLES
from neardup_gui.models.table_model import (
    ALIGNMENT,
    DISPLAY,
    LEFT,
    RIGHT,
    FoldedModel,
    Index,
    TableModel,
)
from neardup_gui.models.words.documents import without_day
from neardup_gui.views.widgets.containers import FollowsLooks
from neardup_gui.views.widgets.labels import PLAIN, LinkLabel, elided_name, letter_width
from neardup_gui.views.widgets.layouts import column_in

PADDING = 10
FADED = 0.4  # opacity of rows that are being counted again
FADES = 150  # milliseconds until then: after shorter ones, fading would flicker
BAR_HEIGHT = 6
BAR_GAP = 10
FOCUS_WIDTH = 3
ONE_LINE = int(Qt.TextFlag.TextSingleLine | Qt.TextFlag.TextDontClip)


def visual(painter: QtGui.QPainter, area: QRect, rect: QRect) -> QRect:
    """A rectangle within an area, mirrored where text runs from right to left."""
    return QStyle.visualRect(painter.layoutDirection(), area, rect)


def in_its_direction(painter: QtGui.QPainter, text: str) -> str:
    """The text with its own direction, also where the window runs from right to left."""
    is_mirrored = painter.layoutDirection() is Qt.LayoutDirection.RightToLeft
    return f"\u2068{text}\u2069" if is_mirrored else text


def fade(widget: QWidget, *, faded: bool) -> None:
    """Fade a widget like outdated rows, or show it normally."""
    effect = QGraphicsOpacityEffect(widget) if faded else None
    if effect is not None:
        effect.setOpacity(FADED)
    widget.setGraphicsEffect(effect)  # type: ignore[arg-type]


class RowDelegate(QStyledItemDelegate):
    """A cell of a row: text elided in the middle or elsewhere, a hair line below, no grid.

    The current row of the table that has the focus carries a bar at the edge where it begins.
    """

    def __init__(
        self, parent: QWidget, *, elide: Qt.TextElideMode = Qt.TextElideMode.ElideMiddle
    ) -> None:
        super().__init__(parent)
        self._elide = elide

    def paint(self, painter: QtGui.QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draw the cell."""
        area: QRect = option.rect
        view = option.widget
        painter.setOpacity(FADED if isinstance(view, RowsTable) and view.is_outdated else 1)
        self._paint_ground(painter, option, index, area)
        self._paint_content(painter, option, index, area.adjusted(PADDING, 0, -PADDING, 0))

    def _paint_ground(
        self, painter: QtGui.QPainter, option: QStyleOptionViewItem, index: Index, area: QRect
    ) -> None:
        now = colors()
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(area, now.selection)
            view = option.widget
            if isinstance(view, QTableView) and view.hasFocus() and _begins_row(view, index):
                edge = QRect(area.left(), area.top(), FOCUS_WIDTH, area.height())
                painter.fillRect(visual(painter, area, edge), now.accent)
        painter.fillRect(
            area.left(), area.bottom(), area.width(), 1, mix(now.border, now.base, 0.6)
        )

    def _paint_content(
        self, painter: QtGui.QPainter, option: QStyleOptionViewItem, index: Index, area: QRect
    ) -> None:
        text = str(index.data(DISPLAY) or "")
        painter.setFont(option.font)
        painter.setPen(self._ink())
        alignment = int(index.data(ALIGNMENT) or Qt.AlignmentFlag.AlignVCenter)
        shown = self._shortened(painter.fontMetrics(), text, area.width(), index)
        shown = in_its_direction(painter, shown)
        # Painted at once, a shortened text can be a little wider than its measured parts.
        painter.drawText(area, alignment | ONE_LINE, shown)

    def _shortened(self, metrics: QtGui.QFontMetrics, text: str, width: int, _index: Index) -> str:
        return metrics.elidedText(text, self._elide, width)

    def _ink(self) -> QtGui.QColor:
        return colors().text


def _begins_row(view: QTableView, index: Index) -> bool:
    """Whether a cell is the first visible one of its row."""
    x = view.columnViewportPosition(index.column())
    if view.isRightToLeft():
        return x + view.columnWidth(index.column()) >= view.viewport().width()
    return x <= 0


def mark_beside(metrics: QtGui.QFontMetrics, mark: str, name: str, width: int) -> str:
    """As much of a mark as leaves the name half of a width, or less where it needs no more."""
    if metrics.horizontalAdvance(mark) > width // 2:
        mark = without_day(mark)
    gap = metrics.horizontalAdvance(" ") + BAR_GAP
    most = width - min(metrics.horizontalAdvance(name), width // 2) - gap
    return metrics.elidedText(mark, Qt.TextElideMode.ElideRight, most)


class NameDelegate(RowDelegate):
    """A name, shortened to fit, and after it a mark, which leaves it half of the cell."""

    def _shortened(self, metrics: QtGui.QFontMetrics, text: str, width: int, index: Index) -> str:
        if metrics.horizontalAdvance(text) <= width:
            return text
        roles = Role.OTHER_NAME, Role.ALIKE
        return elided_name(metrics, text, width, *(str(index.data(role) or "") for role in roles))

    def _paint_content(
        self, painter: QtGui.QPainter, option: QStyleOptionViewItem, index: Index, area: QRect
    ) -> None:
        mark = str(index.data(Role.MARK) or "")
        if not mark:
            super()._paint_content(painter, option, index, area)
            return
        painter.setFont(option.font)
        metrics = painter.fontMetrics()
        mark = mark_beside(metrics, mark, str(index.data(DISPLAY) or ""), area.width())
        room = metrics.horizontalAdvance(f"{mark} ") + BAR_GAP
        before = visual(painter, area, area.adjusted(0, 0, -room, 0))
        super()._paint_content(painter, option, index, before)
        painter.setPen(colors().muted)
        painter.drawText(area, RIGHT | ONE_LINE, mark)


class MutedDelegate(RowDelegate):
    """A cell whose text is secondary."""

    def _ink(self) -> QtGui.QColor:
        return colors().muted


class BarDelegate(RowDelegate):
    """A number behind a bar as long as its value, or behind a mark that has room."""

    def _paint_content(
        self, painter: QtGui.QPainter, option: QStyleOptionViewItem, index: Index, area: QRect
    ) -> None:
        painter.setFont(option.font)
        metrics, shown = painter.fontMetrics(), str(index.data(DISPLAY) or "")
        texts = (Column.RESEMBLANCE.sample, shown)
        number = max(metrics.horizontalAdvance(text) for text in texts)
        before = area.adjusted(0, 0, -number - BAR_GAP, 0)
        before = visual(painter, area, before)
        mark = str(index.data(Role.MARK) or "")
        if mark:
            if metrics.horizontalAdvance(mark) <= before.width():
                painter.setPen(colors().muted)
                painter.drawText(before, LEFT | ONE_LINE, mark)
        elif (value := index.data(Role.VALUE)) is not None:
            paint_bar(painter, before, float(value))
        painter.setPen(self._ink())
        painter.drawText(area, RIGHT, shown)


def paint_bar(painter: QtGui.QPainter, area: QRect, share: float) -> None:
    """Draw a bar as long as a share; nothing of it where the share is 0."""
    bar = QRectF(
        area.left(), area.center().y() - BAR_HEIGHT / 2 + 0.5, max(area.width(), 0), BAR_HEIGHT
    )
    painter.save()
    painter.setRenderHint(QtGui.QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colors().track)
    painter.drawRoundedRect(bar, BAR_HEIGHT / 2, BAR_HEIGHT / 2)
    if share > 0:
        width = max(bar.width() * share, BAR_HEIGHT)
        if painter.layoutDirection() is Qt.LayoutDirection.RightToLeft:
            bar.setLeft(bar.right() - width)
        bar.setWidth(width)
        painter.setBrush(colors().accent)
        painter.drawRoundedRect(bar, BAR_HEIGHT / 2, BAR_HEIGHT / 2)
    painter.restore()


MARKS = {Qt.SortOrder.AscendingOrder: " ▴", Qt.SortOrder.DescendingOrder: " ▾"}


class FlatHeader(QHeaderView):
    """A horizontal header in the colours of the table."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.setHighlightSections(False)
        self.setSectionsClickable(True)
        self.setMinimumSectionSize(40)

    def sizeHint(self) -> QSize:
        """A little more air than the rows have."""
        return QSize(self.length(), self.fontMetrics().height() + 14)

    def paintSection(self, painter: QtGui.QPainter, rect: QRect, logicalIndex: int) -> None:
        """Draw the title of a column."""
        model = self.model()
        title = str(model.headerData(logicalIndex, Qt.Orientation.Horizontal) or "")
        alignment = model.headerData(logicalIndex, Qt.Orientation.Horizontal, ALIGNMENT)
        if self.isSortIndicatorShown() and self.sortIndicatorSection() == logicalIndex:
            title += MARKS[self.sortIndicatorOrder()]
        painter.fillRect(rect, colors().base)
        painter.fillRect(rect.left(), rect.bottom(), rect.width(), 1, colors().border)
        painter.setPen(colors().muted)
        area = rect.adjusted(PADDING, 0, -PADDING, 0)
        title = self.fontMetrics().elidedText(title, Qt.TextElideMode.ElideRight, area.width())
        painter.drawText(area, int(alignment or Qt.AlignmentFlag.AlignVCenter), title)


SETTLE = 40  # milliseconds after which a row counts: held-down arrow keys pass over rows
ROW_AIR = 11
NAME_LETTERS = 22
LEAST_ROWS = 2
MENU_WIDTH = 320
SLACK = 2  # widths of letters are rounded
OPENING = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
SELECT = QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows


def offer_roles(
    menu: QMenu, role: FolderRole | None, choose: Callable[[FolderRole], object]
) -> None:
    """Add the roles of documents; the present one is checked, and choosing it does nothing."""
    group = QtGui.QActionGroup(menu)
    for offered, (title, meaning) in ROLES.items():
        action = QtGui.QAction(gettext(title), group, checkable=True, checked=offered is role)
        action.setToolTip(gettext(meaning))
        if offered is not role:
            action.triggered.connect(partial(choose, offered))
        menu.addAction(action)


class RowsTable(FollowsLooks, QTableView):
    """Rows of equal height, of which several may be selected.

    What the current row is about stays current when rows are sorted, filtered or others.

    Signals:
        current_row_settled: Another row is the current one, and has been for a moment.
        opened: Enter or a double click: the user wants to read what the current row is about.
        file_wanted: The name of a document whose file is to be opened.
        folder_wanted: The name of a document whose folder the user wants to see.
        role_chosen: The name of a document, and the `Role` that it is to have.
        report_wanted: What a report is to be of: as the list knows its rows.
        outdated_changed: The rows are outdated now, or not any more.
    """

    name_letters = NAME_LETTERS  # that are seen at least, however narrow the table is

    current_row_settled = Signal()
    opened = Signal()
    file_wanted = Signal(str)
    folder_wanted = Signal(str)
    role_chosen = Signal(str, object)
    report_wanted = Signal(object)
    outdated_changed = Signal()

    def __init__(
        self, model: TableModel[Any, Any], name_column: int, name: str, *, single: bool = False
    ) -> None:
        """Names of documents are as wide as there is room; `name` is for who hears the table.

        With `single`, one row can be selected and not several.
        """
        super().__init__()
        self.setAccessibleName(name)
        self._table_model = model
        self._name_column = name_column
        self._key: Any = None  # what the current row is about, also while it is not shown
        self.is_outdated = False
        self._fades = QTimer(self, singleShot=True, interval=FADES)
        self._fades.timeout.connect(partial(self._fade, is_outdated=True))
        self._settled = QTimer(self, singleShot=True, interval=SETTLE)
        self._settled.timeout.connect(self.current_row_settled)
        self.setHorizontalHeader(FlatHeader(self))
        self.setModel(model)
        self._set_up()
        if single:
            self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        # With the view's own selection model the headers ask every row whether it is selected:
        # seconds for a million rows.
        self._header_selections = [QItemSelectionModel(model, self) for _ in range(2)]
        self.horizontalHeader().setSelectionModel(self._header_selections[0])
        self.verticalHeader().setSelectionModel(self._header_selections[1])
        self.selectionModel().currentRowChanged.connect(self._on_current_changed)
        self.horizontalHeader().sectionResized.connect(self._on_section_resized)
        self.horizontalScrollBar().rangeChanged.connect(lambda *_: self.updateGeometry())
        self.doubleClicked.connect(self.opened)
        model.modelReset.connect(self._on_reset)
        self._measure()

    def _set_up(self) -> None:
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setTabKeyNavigation(False)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setFrameShape(QTableView.Shape.NoFrame)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setItemDelegate(RowDelegate(self))
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)

    def set_outdated(self, *, is_outdated: bool) -> None:
        """Whether others are being counted than the rows that are shown."""
        if not is_outdated:
            self._fades.stop()
            self._fade(is_outdated=False)
        elif not self.is_outdated and not self._fades.isActive():
            self._fades.start()

    def _fade(self, *, is_outdated: bool) -> None:
        if is_outdated != self.is_outdated:
            self.is_outdated = is_outdated
            self.viewport().update()
            self.outdated_changed.emit()

    # Rows

    @property
    def current_row(self) -> int:
        """The current row; -1 if there is none."""
        return self.currentIndex().row()

    @property
    def selected_rows(self) -> npt.NDArray[np.int64]:
        """The selected rows in ascending order, from Qt's ranges, which are fast for many rows."""
        selection = self.selectionModel().selection()
        ranges = (selection.at(index) for index in range(selection.size()))
        rows = [
            np.arange(interval.top(), interval.bottom() + 1, dtype=np.int64) for interval in ranges
        ]
        if len(rows) == 1:
            return rows[0]
        return np.array(sorted({int(row) for part in rows for row in part}), dtype=np.int64)

    def select_row(self, row: int) -> None:
        """Select one row and bring it into sight."""
        if 0 <= row < self.model().rowCount():
            self.selectionModel().setCurrentIndex(self.model().index(row, 0), SELECT)
            self.scrollTo(self.currentIndex())

    def step(self, rows: int) -> None:
        """Select the row this many further down."""
        last = self.model().rowCount() - 1
        self.select_row(min(max(self.current_row + rows, 0), last) if self.current_row >= 0 else 0)

    def forget_selection(self) -> None:
        """Select nothing, for a new folder."""
        self._settled.stop()
        self._key = None
        self.clearSelection()
        self.setCurrentIndex(QModelIndex())

    def _on_current_changed(self, current: QModelIndex) -> None:
        if current.isValid():
            self._key = self._table_model.key_at(current.row())
            self._settled.start()

    def _on_reset(self) -> None:
        row = None if self._key is None else self._table_model.row_of(self._key)
        if row is None:
            self._on_lost()
        else:
            self.select_row(row)
        # The view learns of the new rows after its model's other listeners.
        QTimer.singleShot(0, self, lambda: self.scrollTo(self.currentIndex()))

    def _on_lost(self) -> None:
        """The current row is no longer shown; no other becomes current."""

    def focusInEvent(self, event: QtGui.QFocusEvent) -> None:
        """There is always a row for the keyboard."""
        if not self.currentIndex().isValid():
            self.select_row(0)
        super().focusInEvent(event)

    def keyPressEvent(self, event: QtGui.QKeyEvent) -> None:
        """Home and End mean rows, Enter opens; letters are keys of the application, no search."""
        ends = {Qt.Key.Key_Home: 0, Qt.Key.Key_End: self.model().rowCount() - 1}
        if event.key() in ends:
            self.select_row(ends[Qt.Key(event.key())])
        elif event.key() in OPENING and self.current_row >= 0:
            self.opened.emit()
        elif event.text().isprintable() and event.text() and not event.modifiers():
            event.ignore()
        else:
            super().keyPressEvent(event)

    # Menu

    def make_menu(self) -> QMenu:
        """What can be done with the current row."""
        return QMenu(self)

    def contextMenuEvent(self, event: QtGui.QContextMenuEvent) -> None:
        """Offer what can be done."""
        menu = self.make_menu()
        if menu.actions():
            menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            menu.popup(event.globalPos())
        else:
            menu.deleteLater()

    def _offer_file(self, menu: QMenu, name: str) -> None:
        """Add what can be done with the file of a document."""
        # In a menu "&" marks a letter; in a name it is itself.
        shown = elided_name(self.fontMetrics(), name, MENU_WIDTH).replace("&", "&&")
        menu.addSeparator()
        opens = menu.addAction(gettext("Open {name}", name=shown))
        opens.triggered.connect(partial(self.file_wanted.emit, name))
        shows = menu.addAction(gettext("Show {name} in folder", name=shown))
        shows.triggered.connect(partial(self.folder_wanted.emit, name))

    def _offer_roles(self, menu: QMenu, name: str, role: FolderRole) -> None:
        """Add what a document can be for."""
        offer_roles(menu, role, partial(self.role_chosen.emit, name))

    def _offer_report(self, menu: QMenu, words: str, of: object) -> None:
        """Add the way to a report of what the current row is about."""
        menu.addAction(words).triggered.connect(partial(self.report_wanted.emit, of))

    # Widths and heights

    def minimumSizeHint(self) -> QSize:
        """Some rows, whatever the panes beside the table wish for."""
        rows = LEAST_ROWS * self.verticalHeader().defaultSectionSize()
        across = self.horizontalScrollBar()
        bar = across.sizeHint().height() if across.maximum() > 0 else 0
        height = self.horizontalHeader().sizeHint().height() + rows + bar
        return QSize(super().minimumSizeHint().width(), height)

    def follow_looks(self) -> None:
        """Follow the size of the text; keep the current row in sight."""
        seen = self._sees_current(self.viewport().size())
        self._measure()
        if seen:
            self.scrollTo(self.currentIndex())

    def resizeEvent(self, event: QtGui.QResizeEvent) -> None:
        """Give the names the room that is left; keep the current row in sight where it was."""
        seen = self._sees_current(event.oldSize())
        super().resizeEvent(event)
        self._fit_names()
        if seen:
            self.scrollTo(self.currentIndex())

    def _sees_current(self, size: QSize) -> bool:
        """Whether a viewport of this size shows the current row, or a part of it.

        A part is enough: the header that grows with the text covers the end of the last row before
        the rows are measured.
        """
        row = self.visualRect(self.currentIndex())
        return row.isValid() and row.bottom() >= 0 and row.top() < size.height()

    def _measure(self) -> None:
        """Follow the size of the text."""
        self.verticalHeader().setDefaultSectionSize(self.fontMetrics().height() + ROW_AIR)
        self._measure_columns()
        self._fit_names()

    def _measure_columns(self) -> None:
        """Give every column except the names the width of its texts."""
        metrics, header = self.fontMetrics(), self.horizontalHeader()
        for column in self._table_model.columns:
            if column != self._name_column:
                title = header.model().headerData(column, Qt.Orientation.Horizontal)
                texts = (f"{title} ▾", column.sample)
                width = max(metrics.horizontalAdvance(text) for text in texts)
                header.resizeSection(column, width + SLACK + 2 * PADDING)

    def _on_section_resized(self, section: int, _before: int, _after: int) -> None:
        if section != self._name_column:
            self._fit_names()

    def _fit_names(self) -> None:
        """Give the column of names the remaining width."""
        header, name = self.horizontalHeader(), self._name_column
        taken = sum(header.sectionSize(n) for n in range(header.count()) if n != name)
        least = self.name_letters * letter_width(self.fontMetrics()) + 2 * PADDING
        header.resizeSection(name, max(self.viewport().width() - taken, least))


OPEN, CLOSED = "▾", {Qt.LayoutDirection.LeftToRight: "▸", Qt.LayoutDirection.RightToLeft: "◂"}
MARK_GAP = 6


def mark_room(metrics: QtGui.QFontMetrics) -> int:
    """The width before a name for the mark of an open or closed row."""
    return max(map(metrics.horizontalAdvance, (OPEN, *CLOSED.values()))) + MARK_GAP


def paint_mark(
    painter: QtGui.QPainter, option: QStyleOptionViewItem, area: QRect, *, is_open: bool
) -> None:
    """Draw the mark of an open or closed row where an area begins."""
    painter.setFont(option.font)
    painter.setPen(colors().muted)
    mark = OPEN if is_open else CLOSED[painter.layoutDirection()]
    painter.drawText(area, int(Qt.AlignmentFlag.AlignVCenter) | ONE_LINE, mark)


class FoldingTable(RowsTable):
    """A table whose rows can be opened and closed."""

    def __init__(self, model: FoldedModel[Any, Any], name_column: int, name: str) -> None:
        super().__init__(model, name_column, name)
        self._folded = model

    def keyPressEvent(self, event: QtGui.QKeyEvent) -> None:
        """Right opens and goes in, Left closes and goes out (or mirrored); Space toggles."""
        row = self.current_row
        if row < 0 or event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            super().keyPressEvent(event)
            return
        opens = self._folded.can_open(row)
        is_open = opens and self._folded.is_open(row)
        into, out = Qt.Key.Key_Right, Qt.Key.Key_Left
        if self.isRightToLeft():
            into, out = out, into
        if event.key() == into:
            if opens and not is_open:
                self._folded.turn(row)
            elif opens:
                self.select_row(row + 1)
        elif event.key() == out:
            if is_open:
                self._folded.turn(row)
            else:
                self.select_row(self._folded.heading_of(row))
        elif event.key() == Qt.Key.Key_Space and opens:
            self._folded.turn(row)
        else:
            super().keyPressEvent(event)


class RowsPage(QWidget):
    """Shows rows, or a sentence in the middle of the table when there are none, and the way out.

    It is over the table, not in its place: the table keeps the focus that it has.

    Signals:
        filter_cleared: The user wants to see every row again.
    """

    filter_cleared = Signal()

    hidden = N_("The filter hides every row.")  # what is said where there are rows
    table: RowsTable

    def __init__(self, model: TableModel[Any, Any], table: RowsTable, reason: str = "") -> None:
        """`reason` is why there are no rows."""
        super().__init__()
        self._rows = model
        self._reason = reason
        self.table = self.entry = table  # where the keyboard enters
        self._empty = QWidget()
        self._empty.setObjectName("empty")
        self._sentence = QLabel(wordWrap=True, textFormat=PLAIN)
        self._sentence.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._clear = LinkLabel(gettext("Clear filter"))
        self._clear.clicked.connect(self.filter_cleared)
        clear = (self._clear, 0, Qt.AlignmentFlag.AlignHCenter)
        column_in(self._empty, 1, self._sentence, clear, 1, margins=(40, 12))
        column_in(table.viewport(), self._empty, margins=0)
        model.modelReset.connect(self._on_reset)

    def _stack(self, *parts: QWidget, main: QWidget) -> None:
        """Lay out what is above each other; one of the parts has the room."""
        column_in(self, *((part, int(part is main)) for part in parts), margins=0, spacing=0)
        self._on_reset()

    @property
    def empty_sentence(self) -> str:
        """The text shown instead of rows; empty when there are some."""
        return "" if self._empty.isHidden() else self._sentence.text()

    def set_reason(self, sentence: str) -> None:
        """What to say when there are no rows at all."""
        self._reason = sentence
        self._on_reset()

    def step(self, rows: int) -> None:
        """Select the row this many further down."""
        self.table.step(rows)

    def _on_reset(self) -> None:
        is_empty = self._rows.rowCount() == 0
        self._empty.setVisible(is_empty)
        if is_empty:
            filtered = self._rows.total > 0
            self._sentence.setText(gettext(self.hidden) if filtered else self._reason)
            self._clear.setVisible(filtered)
