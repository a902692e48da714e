"""The page of the groups: the table, or a sentence if there are none."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QRect, Qt, Signal
from PySide6.QtGui import QColor, QFont, QMouseEvent, QPainter
from PySide6.QtWidgets import QMenu, QStyleOptionViewItem

from core.base.messages import N_, gettext
from core.scan.judgements import Verdict
from neardup_gui.environment.theme import colors
from neardup_gui.models.groups import GroupColumn, GroupRole, GroupRow, GroupsModel, RowKind
from neardup_gui.models.table_model import Index
from neardup_gui.models.words.verdicts import pairs_named
from neardup_gui.views.order_tree import WHICH_CAME_FROM_WHICH, OrderWindow
from neardup_gui.views.pairs.page import NoteRow
from neardup_gui.views.widgets import rows_table
from neardup_gui.views.widgets.labels import bold

MIDDLE = int(Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine)


class GroupNameDelegate(rows_table.NameDelegate):
    """The centre in bold after its mark; members and copies are indented."""

    def _paint_content(
        self, painter: QPainter, option: QStyleOptionViewItem, index: Index, area: QRect
    ) -> None:
        kind = RowKind(index.data(GroupRole.KIND))
        opened = index.data(GroupRole.OPEN)
        step = rows_table.mark_room(option.fontMetrics)
        left = {RowKind.GROUP: 0, RowKind.MEMBER: 1, RowKind.FOLD: 1, RowKind.COPY: 2}[kind] * step
        if opened is not None:
            rect = rows_table.visual(painter, area, area.adjusted(left, 0, 0, 0))
            rows_table.paint_mark(painter, option, rect, is_open=opened)
        option.font = bold(option.font) if kind is RowKind.GROUP else QFont(option.font)
        room = rows_table.visual(painter, area, area.adjusted(left + step, 0, 0, 0))
        if kind is RowKind.FOLD:
            painter.setFont(option.font)
            painter.setPen(colors().muted)
            painter.drawText(room, MIDDLE, str(index.data() or ""))
        else:
            super()._paint_content(painter, option, index, room)


class GroupOverlapDelegate(rows_table.BarDelegate):
    """For a member the bar and the number, for a group the number of documents."""

    def _paint_content(
        self, painter: QPainter, option: QStyleOptionViewItem, index: Index, area: QRect
    ) -> None:
        if RowKind(index.data(GroupRole.KIND)) is RowKind.MEMBER:
            super()._paint_content(painter, option, index, area)
            return
        painter.setFont(option.font)
        painter.setPen(colors().muted)
        painter.drawText(area, MIDDLE, str(index.data() or ""))


class LinkDelegate(rows_table.RowDelegate):
    """Text drawn as a link."""

    def _ink(self) -> QColor:
        return colors().accent


class GroupsTable(rows_table.FoldingTable):
    """A row per group; below it, while it is open, its members and their copies.

    Signals:
        pair_selected: The `ListedPair` that the current row is about, once it rests.
        pair_opened: The user wants to read it.
        centre_wanted: The number of the document that a group is to be made around.
        current_shown: Another row is the current one, or its group is known anew.
        order_wanted: The user wants to see which documents of the current group came from which.
    """

    pair_selected = Signal(object)
    pair_opened = Signal()
    centre_wanted = Signal(int)
    current_shown = Signal()
    order_wanted = Signal()

    def __init__(self, model: GroupsModel) -> None:
        super().__init__(model, GroupColumn.DOCUMENT, gettext("Groups of documents"))
        self._groups = model
        self.setItemDelegateForColumn(GroupColumn.DOCUMENT, GroupNameDelegate(self))
        self.setItemDelegateForColumn(GroupColumn.OVERLAP, GroupOverlapDelegate(self))
        self.setItemDelegateForColumn(GroupColumn.NUMBER, rows_table.MutedDelegate(self))
        self.setItemDelegateForColumn(GroupColumn.JUDGED, rows_table.MutedDelegate(self))
        self.setItemDelegateForColumn(GroupColumn.ORIGIN, LinkDelegate(self))
        self.setColumnHidden(GroupColumn.ORIGIN, True)
        self.current_row_settled.connect(self.emit_pair)
        self.current_row_settled.connect(self.current_shown)
        model.modelReset.connect(self.current_shown)
        self.opened.connect(self._on_opened)

    @property
    def current(self) -> GroupRow | None:
        """The current row."""
        row = self.current_row
        return self._groups.row_at(row) if 0 <= row < self._groups.rowCount() else None

    def emit_pair(self) -> None:
        """Emit the pair of the current row."""
        if self.current is not None:
            pair = self._groups.pair_at(self.current_row)
            if pair is not None:
                self.pair_selected.emit(pair)

    def _on_reset(self) -> None:
        for column in GroupColumn:
            self.setColumnHidden(column, self._groups.is_hidden(column))
        super()._on_reset()

    def _on_lost(self) -> None:
        if self.isVisible():
            self.select_row(0)

    # Open and closed

    def _on_opened(self) -> None:
        if self.current is None:
            return
        if self.current.kind is RowKind.FOLD:
            self._groups.turn(self.current_row)
        else:
            self.pair_opened.emit()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """A click on a mark or on folded copies opens or closes them; on an origin it shows all."""
        super().mouseReleaseEvent(event)
        index = self.indexAt(event.position().toPoint())
        plain = event.button() == Qt.MouseButton.LeftButton and not event.modifiers()
        if plain and index.column() == GroupColumn.ORIGIN and index.data():
            self.order_wanted.emit()
        if not plain or index.column() != GroupColumn.DOCUMENT:
            return
        area, x = self.visualRect(index), event.position().x()
        inside = area.right() - x if self.isRightToLeft() else x - area.left()
        is_fold = self._groups.row_at(index.row()).kind is RowKind.FOLD
        if is_fold or inside <= rows_table.PADDING + rows_table.mark_room(self.fontMetrics()):
            self._groups.turn(index.row())

    # Menu

    def make_menu(self) -> QMenu:
        """The menu of the current row."""
        menu, row = super().make_menu(), self.current
        if row is None:
            return menu
        if self._groups.can_open(self.current_row):
            is_open = self._groups.is_open(self.current_row)
            turns = gettext("Close") if is_open else gettext("Open")
            if row.kind is RowKind.GROUP:
                turns = gettext("Close group") if is_open else gettext("Open group")
            turn = menu.addAction(turns)
            turn.triggered.connect(partial(self._groups.turn, self.current_row))
        if row.kind is RowKind.FOLD:
            return menu
        if row.kind is RowKind.MEMBER:
            centre = menu.addAction(gettext("Make it the centre of its group"))
            centre.triggered.connect(partial(self.centre_wanted.emit, row.document))
        if self._groups.drawing_at(self.current_row) is not None:
            order = menu.addAction(f"{gettext(WHICH_CAME_FROM_WHICH)}…")
            order.triggered.connect(self.order_wanted)
        keys = self._groups.documents_with(self.current_row)
        self._offer_report(menu, gettext("Report of this group…"), keys)
        self._offer_file(menu, self._groups.name_of(self.current_row))
        return menu


NOTHING = N_("No documents are similar enough to form a group.")
NOT_YET = N_("Groups appear here once pairs are found.")


class GroupsPage(rows_table.RowsPage):
    """Shows the groups.

    Signals:
        verdict_given: A verdict, and on which of the pairs listed.
    """

    help_page = "groups"
    verdict_given = Signal(object, object)

    hidden = N_("No document in a group has a name like this.")
    table: GroupsTable

    def __init__(self, model: GroupsModel) -> None:
        super().__init__(model, GroupsTable(model), gettext(NOT_YET))
        self._model = model
        self.note_row = NoteRow()
        self.order: OrderWindow | None = None  # made when it is first needed
        self.table.order_wanted.connect(self._show_order)
        self.table.current_shown.connect(self._follow_order)
        self._stack(self.table, self.note_row, main=self.table)

    def set_number(self, number: int | None) -> None:
        """Set the number of groups; None before they are made."""
        self.set_reason(gettext(NOT_YET if number is None else NOTHING))

    def _show_order(self) -> None:
        if self.order is None:
            self.order = OrderWindow(self)
            self.order.tree.document_wanted.connect(self._select)
        self._show_group(self.order)
        self.order.activateWindow()

    def _show_group(self, order: OrderWindow) -> None:
        row, drawing = self.table.current, None
        if row is not None:
            drawing = self._model.drawing_at(self.table.current_row)
        order.show_drawing(drawing, row.document if row is not None else -1)

    def _follow_order(self) -> None:
        """Show the group of the current row in the window, until it is closed or all groups go."""
        if self.order is not None and not self._model.total:
            self.order.reject()
        elif self.order is not None and self.order.is_wanted:
            self._show_group(self.order)

    def _select(self, document: int) -> None:
        row = self._model.row_of(self._model.listed.names.key_of(document))
        if row is not None:
            self.table.select_row(row)

    def judge(self, verdict: Verdict) -> None:
        """Give the pairs of the selected rows a verdict, and go to the next row that waits."""
        rows = self.table.selected_rows.tolist()
        pairs = self._model.pairs_of_rows(rows)
        if not len(pairs):
            return
        self.verdict_given.emit(verdict, pairs)
        if verdict is not Verdict.NOT_REVIEWED and self._model.verdicts.are_open(pairs):
            return  # it was refused, as the message bar shows
        onward = self._model.next_to_judge(rows[-1] + 1)
        if onward is not None:
            self.table.select_row(onward)

    def write_note(self) -> None:
        """Let the user write a note on the pairs of the selected rows."""
        pairs = self._model.pairs_of_rows(self.table.selected_rows.tolist())
        if len(pairs):
            note = self._model.verdicts.pairs.note(int(pairs[0]))
            key = self._model.pair_at(self.table.current_row)
            self.note_row.begin(note, pairs, pairs_named(len(pairs), key))

    def emit_selection(self) -> None:
        """Show the pair of the current row again."""
        if self.table.current is None:
            self.table.select_row(0)
        self.table.emit_pair()
