"""The page of the problems: every file that gave no text, why, and what can be done."""

from __future__ import annotations

from operator import le
from typing import NamedTuple

from PySide6 import QtGui
from PySide6.QtCore import QEvent, QPoint, QRect, Qt, Signal
from PySide6.QtWidgets import QLineEdit, QMenu, QPushButton, QStyle, QStyleOptionViewItem, QWidget

from core.base.messages import N_, gettext
from core.base.wording import count
from neardup_gui.environment.theme import colors
from neardup_gui.models.problems import (
    LOCKED,
    FileGroup,
    FileRow,
    ProblemColumn,
    ProblemRow,
    ProblemsModel,
    Remedy,
)
from neardup_gui.models.table_model import LEFT, Index
from neardup_gui.models.window_state import WindowState
from neardup_gui.views.shell.message_bar import has_focus
from neardup_gui.views.widgets import rows_table
from neardup_gui.views.widgets.controls import AskingRow, Caption
from neardup_gui.views.widgets.labels import LinkLabel, bold, label_of
from neardup_gui.views.widgets.layouts import grid_in

PASSWORD_ROW_SIDE = 14
FIELD_WIDTH = 220
NOTE = N_("Tried on every locked file. Kept until you close Neardup, never stored.")


class PasswordRow(AskingRow):
    """A field for a password that is forgotten when it is taken away."""

    def __init__(self) -> None:
        take = QPushButton(gettext("Try again"))
        super().__init__(gettext("Password of the locked files"), take)
        self._field.setMinimumWidth(FIELD_WIDTH)
        self._field.setMaxLength(1000)
        self._reveal = LinkLabel(gettext("Show"))
        self._note = Caption(gettext(NOTE))
        self._lay_out()
        self._field.textChanged.connect(self._on_text_changed)
        self._reveal.clicked.connect(self._on_reveal_clicked)
        self._busy = False
        self._hide_letters()
        self._on_text_changed()

    def _lay_out(self) -> None:
        grid = grid_in(self, margins=(PASSWORD_ROW_SIDE, 9, PASSWORD_ROW_SIDE, 10), spacing=(10, 5))
        label = label_of(self._field, gettext("Password"))
        row = (label, self._field, self._reveal, self._take, self._cancel)
        for column, widget in enumerate(row):
            grid.addWidget(widget, 0, column)
        grid.setColumnStretch(len(row), 1)
        grid.addWidget(self._note, 1, 1, 1, len(row))
        grid.addWidget(self._problem, 2, 1, 1, len(row))

    def forget(self) -> None:
        """Clear and hide the field, and its letters."""
        super().forget()
        self._hide_letters()

    def show_outcome(self, sentence: str, *, opened: bool) -> None:
        """Show the result: a wrong password is asked for again."""
        if opened:
            self._field.clear()
        self._problem.show_sentence(sentence)
        if not opened and not self.isHidden():
            self._field.setFocus()
            self._field.selectAll()

    def set_busy(self, busy: bool) -> None:
        """Take no password while a scan runs."""
        self._busy = busy
        self._on_text_changed()

    def paintEvent(self, _event: QtGui.QPaintEvent) -> None:
        """Draw the background and the line below."""
        painter = QtGui.QPainter(self)
        painter.fillRect(self.rect(), colors().window)
        painter.fillRect(0, self.height() - 1, self.width(), 1, colors().border)

    def _on_text_changed(self) -> None:
        self._take.setEnabled(bool(self._field.text()) and not self._busy)

    def _on_reveal_clicked(self) -> None:
        hidden = self._field.echoMode() == QLineEdit.EchoMode.Password
        self._hide_letters(hidden=not hidden)

    def _hide_letters(self, *, hidden: bool = True) -> None:
        mode = QLineEdit.EchoMode.Password if hidden else QLineEdit.EchoMode.Normal
        self._field.setEchoMode(mode)
        self._reveal.setText(gettext("Show") if hidden else gettext("Hide"))
        self._reveal.setAccessibleName(
            gettext("Show the password") if hidden else gettext("Hide the password")
        )


GAP = 9
WIDE_GAP = 18
LEAST_ADVICE = 60
ONE_LINE = LEFT | rows_table.ONE_LINE


class HeadingParts(NamedTuple):
    """The rectangles of a heading's parts; the advice gives way, the link never does."""

    title: QRect
    number: QRect
    advice: QRect
    link: QRect


def heading_parts(
    area: QRect, font: QtGui.QFont, group: FileGroup, link: str, direction: Qt.LayoutDirection
) -> HeadingParts:
    """Share the room of a row between the parts of a heading, which stand after its mark."""
    metrics = QtGui.QFontMetrics(font)
    title = QtGui.QFontMetrics(bold(font)).horizontalAdvance(group.title) + 1
    number = metrics.horizontalAdvance(count(len(group.rows))) + 1
    wanted = metrics.horizontalAdvance(group.advice) + 2
    words = metrics.horizontalAdvance(link) + 2 if link else 0
    gap = WIDE_GAP if link else 0
    at = rows_table.mark_room(metrics)
    room = area.width() - at - title - GAP - number - WIDE_GAP - gap - words
    advice = min(wanted, room) if room >= LEAST_ADVICE else 0
    parts = []
    after = (GAP, WIDE_GAP, gap if advice else 0, 0)
    for width, space in zip((title, number, advice, words), after, strict=True):
        part = QRect(area.left() + at, area.top(), width, area.height())
        parts.append(QStyle.visualRect(direction, area, part))
        at += width + space
    return HeadingParts(*parts)


class NameDelegate(rows_table.RowDelegate):
    """Headings over the whole row, and below them the names of files."""

    def __init__(self, parent: QWidget, model: ProblemsModel) -> None:
        super().__init__(parent)
        self._problems = model
        self.hovered = -1  # the heading whose link is under the mouse

    def _paint_content(
        self, painter: QtGui.QPainter, option: QStyleOptionViewItem, index: Index, area: QRect
    ) -> None:
        group, file = self._problems.row_at(index.row())
        if file is not None:
            step = 2 * rows_table.mark_room(option.fontMetrics)
            area = rows_table.visual(painter, area, area.adjusted(step, 0, 0, 0))
            super()._paint_content(painter, option, index, area)
            return
        now, link = colors(), self._problems.link_of(group)
        rows_table.paint_mark(painter, option, area, is_open=self._problems.is_open(index.row()))
        parts = heading_parts(area, option.font, group, link, option.direction)
        painter.drawText(parts.number, ONE_LINE, count(len(group.rows)))
        metrics = painter.fontMetrics()
        advice = metrics.elidedText(group.advice, Qt.TextElideMode.ElideRight, parts.advice.width())
        painter.drawText(parts.advice, ONE_LINE, advice)
        painter.setFont(bold(option.font))
        painter.setPen(now.text)
        painter.drawText(parts.title, ONE_LINE, group.title)
        font = QtGui.QFont(option.font)
        font.setUnderline(self.hovered == index.row())
        painter.setFont(font)
        painter.setPen(now.accent)
        painter.drawText(parts.link, ONE_LINE, link)


NAME_SHARE = 0.42


class ProblemsTable(rows_table.FoldingTable):
    """Groups can be opened and closed, rows copied, files opened, and remedies asked for.

    Signals:
        remedy_wanted: A `Remedy` and the limit it is about, if one.
        paths_wanted: The names of files whose paths are to be copied.
    """

    remedy_wanted = Signal(object, str)
    paths_wanted = Signal(object)

    def __init__(self, model: ProblemsModel) -> None:
        super().__init__(model, ProblemColumn.NAME, "")
        self._problems = model
        self._names = NameDelegate(self, model)
        self.setItemDelegateForColumn(ProblemColumn.NAME, self._names)
        details = rows_table.MutedDelegate(self, elide=Qt.TextElideMode.ElideRight)
        self.setItemDelegateForColumn(ProblemColumn.DETAIL, details)
        self.setMouseTracking(True)
        self.horizontalHeader().setStretchLastSection(True)
        self.opened.connect(self._on_opened)
        self._on_reset()

    # Selection

    @property
    def current(self) -> ProblemRow | None:
        """The current row."""
        row = self.current_row
        return self._problems.row_at(row) if 0 <= row < self._problems.rowCount() else None

    def _selected_files(self) -> list[FileRow]:
        """The selected files in the order shown; all of a group for its heading."""
        rows = map(self._problems.row_at, self.selected_rows.tolist())
        files = (file for row in rows for file in ([row.file] if row.file else row.group.rows))
        return list(dict.fromkeys(files))

    def _follow_remedy(self) -> None:
        row = self.current
        remedy = self._problems.remedy_of(row.group) if row else None
        if row is not None and remedy is not None:
            self.remedy_wanted.emit(remedy, row.group.limit_met(row.file))

    def _on_opened(self) -> None:
        if self.current is not None and self.current.file is not None:
            self.file_wanted.emit(self.current.file.name)

    def _copy_rows(self) -> None:
        if files := self._selected_files():
            text = "\n".join(f"{file.name}\t{file.text}" for file in files)
            QtGui.QGuiApplication.clipboard().setText(text)

    def _copy_paths(self) -> None:
        self.paths_wanted.emit([file.name for file in self._selected_files()])

    def make_menu(self) -> QMenu:
        """The menu of the selected rows; the link of their group comes first."""
        menu, row = super().make_menu(), self.current
        files = self._selected_files()
        if row is None or not files:
            return menu
        if link := self._problems.link_of(row.group):
            menu.addAction(link, self._follow_remedy)
        if row.file is not None:
            self._offer_file(menu, row.file.name)
        menu.addSeparator()
        menu.addAction(gettext("Copy"), self._copy_rows)
        paths = gettext("Copy paths") if len(files) > 1 else gettext("Copy path")
        menu.addAction(paths, self._copy_paths)
        return menu

    @property
    def cut_text(self) -> str:
        """The full text of the current file's row, when it does not fit; else empty."""
        if self.current is None or self.current.file is None:
            return ""
        name, text, metrics = *self.current.file[:2], self.fontMetrics()
        indented = 2 * rows_table.PADDING + 2 * rows_table.mark_room(metrics)
        widths = (
            self.columnWidth(ProblemColumn.NAME) - indented,
            self.columnWidth(ProblemColumn.DETAIL) - 2 * rows_table.PADDING,
        )
        fits = all(map(le, map(metrics.horizontalAdvance, (name, text)), widths))
        return "" if fits else f"{name}: {text}"

    def _on_reset(self) -> None:
        self.setAccessibleName(
            gettext("Documents that gave no text")
            if self._problems.is_part_of_run
            else gettext("Files that gave no text")
        )
        self.clearSpans()
        for row in filter(self._problems.is_heading, range(self._problems.rowCount())):
            self.setSpan(row, 0, 1, len(ProblemColumn))
        super()._on_reset()

    # Mouse and keys

    def keyPressEvent(self, event: QtGui.QKeyEvent) -> None:
        """Enter opens a file, or follows the link of a heading; Ctrl+C copies."""
        row = self.current
        if event.matches(QtGui.QKeySequence.StandardKey.Copy):
            self._copy_rows()
        elif row is None or row.file is not None or event.key() not in rows_table.OPENING:
            super().keyPressEvent(event)
        elif self._problems.link_of(row.group):
            self._follow_remedy()
        else:
            self._problems.turn(self.current_row)

    def mouseMoveEvent(self, event: QtGui.QMouseEvent) -> None:
        """Show a link under the mouse as such."""
        super().mouseMoveEvent(event)
        self._hover(self._link_at(event.position().toPoint()))

    def leaveEvent(self, event: QEvent) -> None:
        """Show no link as under the mouse."""
        super().leaveEvent(event)
        self._hover(-1)

    def _hover(self, row: int) -> None:
        if row == self._names.hovered:
            return
        self._names.hovered = row
        over = Qt.CursorShape.PointingHandCursor if row >= 0 else Qt.CursorShape.ArrowCursor
        self.viewport().setCursor(over)
        self.viewport().update()

    def mouseReleaseEvent(self, event: QtGui.QMouseEvent) -> None:
        """Follow a link, or open or close a group."""
        super().mouseReleaseEvent(event)
        position = event.position().toPoint()
        row = self.indexAt(position).row()
        is_plain = event.button() == Qt.MouseButton.LeftButton and not event.modifiers()
        if row < 0 or not is_plain or not self._problems.is_heading(row):
            return
        if self._link_at(position) >= 0:
            self._follow_remedy()
        else:
            self._problems.turn(row)

    def _link_at(self, position: QPoint) -> int:
        row = self.indexAt(position).row()
        return row if row >= 0 and self.link_rect(row).contains(position) else -1

    def link_rect(self, row: int) -> QRect:
        """The rectangle of the link of a heading."""
        group, file = self._problems.row_at(row)
        if file is not None:
            return QRect()
        area = self.visualRect(self._problems.index(row, 0))
        area = area.adjusted(rows_table.PADDING, 0, -rows_table.PADDING, 0)
        link = self._problems.link_of(group)
        return heading_parts(area, self.font(), group, link, self.layoutDirection()).link

    # Widths

    def _measure_columns(self) -> None:
        """Both columns share the width."""

    def _fit_names(self) -> None:
        width = round(NAME_SHARE * self.viewport().width())
        self.horizontalHeader().resizeSection(ProblemColumn.NAME, width)

    def _on_section_resized(self, _section: int, _before: int, _after: int) -> None:
        """The sentences have what the names leave."""


SIDE = 10
AIR = 6
NOTHING = N_("All files were read without problems.")


class FullCaption(Caption):
    """The full text of the current row, where it is cut off."""

    def __init__(self) -> None:
        super().__init__()
        self.setContentsMargins(SIDE, AIR, SIDE, AIR)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.hide()

    def paintEvent(self, event: QtGui.QPaintEvent) -> None:
        """Draw a line above the text."""
        QtGui.QPainter(self).fillRect(0, 0, self.width(), 1, colors().border)
        super().paintEvent(event)


class ProblemsPage(rows_table.RowsPage):
    """The list of problems; the password of locked files is asked for above it.

    Signals:
        remedy_wanted: Another `Remedy` than a password, and the limit it is about, if one.
    """

    help_page = "files"
    remedy_wanted = Signal(object, str)
    table: ProblemsTable

    def __init__(self, model: ProblemsModel) -> None:
        super().__init__(model, ProblemsTable(model))
        self._model = model
        self.password_row = PasswordRow()
        self._whole = FullCaption()
        self.password_row.cancelled.connect(self.table.setFocus)
        self.table.selectionModel().currentChanged.connect(self._show_whole)
        self.table.horizontalHeader().sectionResized.connect(self._show_whole)
        self.table.remedy_wanted.connect(self._on_remedy_wanted)
        self._stack(self.password_row, self.table, self._whole, main=self.table)

    def take_state(self, state: WindowState) -> None:
        """While a scan runs, take no password, and do not say that there is no problem."""
        self.password_row.set_busy(state.is_scanning)
        self.set_reason(gettext(NOTHING) if state.has_scan else "")

    def forget(self) -> None:
        """Forget the password and the open groups: another folder is shown."""
        self.password_row.forget()
        self._model.forget()
        self.table.forget_selection()

    def _on_remedy_wanted(self, remedy: Remedy, limit: str) -> None:
        if remedy is Remedy.UNLOCK:
            self.password_row.start()
        else:
            self.remedy_wanted.emit(remedy, limit)

    def _show_whole(self) -> None:
        self._whole.show_sentence(self.table.cut_text)

    def _on_reset(self) -> None:
        super()._on_reset()
        if all(group.key != LOCKED for group in self._model.groups):
            focused = has_focus(self.password_row)
            self.password_row.forget()
            if focused:
                self.table.setFocus()
        self._show_whole()
