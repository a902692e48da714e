"""The page of the problems: every file that gave no text, why, and what can be done."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from PySide6 import QtGui
from PySide6.QtCore import (
    QEvent,
    QItemSelectionModel,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QSignalBlocker,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QLabel,
    QLineEdit,
    QMenu,
    QPushButton,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeView,
    QWidget,
)

from core.base.messages import N_, gettext
from core.base.wording import count
from neardup_gui.environment.theme import colors, mix
from neardup_gui.models.problems import (
    LOCKED,
    FileGroup,
    FileRow,
    ProblemColumn,
    ProblemsModel,
    Remedy,
)
from neardup_gui.models.table_model import DISPLAY, LEFT, Index
from neardup_gui.models.window_state import WindowState
from neardup_gui.views.shell.message_bar import has_focus
from neardup_gui.views.widgets import rows_table
from neardup_gui.views.widgets.controls import Caption, ProblemLabel, TextField
from neardup_gui.views.widgets.labels import LinkLabel, bold, label_of, mirrored
from neardup_gui.views.widgets.layouts import column_in, grid_in

PASSWORD_ROW_SIDE = 14
FIELD_WIDTH = 220
NOTE = N_("Tried on every locked file. Kept until you close Neardup, never stored.")


class PasswordRow(QWidget):
    """A field for a password that is forgotten when it is taken away.

    Signals:
        entered: A password to try.
        cancelled: None is wanted after all.
    """

    entered = Signal(str)
    cancelled = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._field = TextField()
        self._field.setAccessibleName(gettext("Password of the locked files"))
        self._field.setMinimumWidth(FIELD_WIDTH)
        self._field.setMaxLength(1000)
        self._reveal = LinkLabel(gettext("Show"))
        self._try = QPushButton(gettext("Try again"))
        self._cancel = LinkLabel(gettext("Cancel"))
        self._note = Caption(gettext(NOTE))
        self._problem = ProblemLabel()
        self._lay_out()
        self._field.returnPressed.connect(self._on_entered)
        self._field.textChanged.connect(self._on_text_changed)
        self._try.clicked.connect(self._on_entered)
        self._reveal.clicked.connect(self._on_reveal_clicked)
        self._cancel.clicked.connect(self.leave)
        leave = QtGui.QShortcut(QtGui.QKeySequence(Qt.Key.Key_Escape), self)
        leave.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        leave.activated.connect(self.leave)
        self._busy = False
        self._hide_letters()
        self._on_text_changed()
        self.hide()

    def _lay_out(self) -> None:
        grid = grid_in(self, margins=(PASSWORD_ROW_SIDE, 9, PASSWORD_ROW_SIDE, 10), spacing=(10, 5))
        label = label_of(self._field, gettext("Password"))
        row = (label, self._field, self._reveal, self._try, self._cancel)
        for column, widget in enumerate(row):
            grid.addWidget(widget, 0, column)
        grid.setColumnStretch(len(row), 1)
        grid.addWidget(self._note, 1, 1, 1, len(row))
        grid.addWidget(self._problem, 2, 1, 1, len(row))

    def start(self) -> None:
        """Show the field."""
        if self.isHidden():
            self._field.clear()
            self._problem.show_sentence("")
            self._hide_letters()
        self.show()
        self._field.setFocus()

    def leave(self) -> None:
        """Give up, and hide the field."""
        self.forget()
        self.cancelled.emit()

    def forget(self) -> None:
        """Clear and hide the field."""
        self._field.clear()
        self.hide()

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

    def _on_entered(self) -> None:
        if self._try.isEnabled():
            self._problem.show_sentence("")
            self.entered.emit(self._field.text())

    def _on_text_changed(self) -> None:
        self._try.setEnabled(bool(self._field.text()) and not self._busy)

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


ROW_AIR = 13
GAP = 9
WIDE_GAP = 18
LEAST_ADVICE = 60
ONE_LINE = LEFT | int(Qt.TextFlag.TextSingleLine)


@dataclass(frozen=True, slots=True)
class HeadingParts:
    """The rectangles of a heading's parts; the advice gives way, the link never does."""

    title: QRect
    number: QRect
    advice: QRect
    link: QRect


def heading_parts(
    area: QRect, font: QtGui.QFont, group: FileGroup, link: str, direction: Qt.LayoutDirection
) -> HeadingParts:
    """Share the room of a row between the parts of a heading."""
    metrics = QtGui.QFontMetrics(font)
    title = QtGui.QFontMetrics(bold(font)).horizontalAdvance(group.title) + 1
    number = metrics.horizontalAdvance(count(len(group.rows))) + 1
    wanted = metrics.horizontalAdvance(group.advice) + 2
    words = metrics.horizontalAdvance(link) + 2 if link else 0
    gap = WIDE_GAP if link else 0
    room = area.width() - title - GAP - number - WIDE_GAP - gap - words
    advice = min(wanted, room) if room >= LEAST_ADVICE else 0

    def part(x: int, width: int) -> QRect:
        rect = QRect(area.left() + x, area.top(), width, area.height())
        return QStyle.visualRect(direction, area, rect)

    at = title + GAP
    after = at + number + WIDE_GAP
    link_at = after + (advice + gap if advice else 0)
    return HeadingParts(part(0, title), part(at, number), part(after, advice), part(link_at, words))


class ProblemDelegate(QStyledItemDelegate):
    """Paints headings over the whole row and files in columns."""

    def __init__(self, model: ProblemsModel) -> None:
        super().__init__()
        self._problems = model
        self.hovered: QPersistentModelIndex | None = (
            None  # the heading whose link is under the mouse
        )

    def sizeHint(self, option: QStyleOptionViewItem, _index: Index) -> QSize:
        """All rows have the same height."""
        return QSize(40, option.fontMetrics.height() + ROW_AIR)

    def paint(self, painter: QtGui.QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draw a cell."""
        now = colors()
        area: QRect = option.rect
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(area, now.selection)
        line = mix(now.border, now.base, 0.6)
        painter.fillRect(area.left(), area.bottom(), area.width(), 1, line)
        group = self._problems.group_at(index)
        if group is None:
            return
        if self._problems.file_at(index) is None:
            self._paint_heading(painter, option, index, group)
            return
        painter.setFont(option.font)
        painter.setPen(now.text if index.column() == ProblemColumn.NAME else now.muted)
        end, indent = Qt.TextElideMode.ElideMiddle, 0
        if index.column() == ProblemColumn.DETAIL:
            end, indent = Qt.TextElideMode.ElideRight, rows_table.PADDING
        room = rows_table.visual(painter, area, area.adjusted(indent, 0, -rows_table.PADDING, 0))
        text = str(index.data(DISPLAY)).replace("\n", " ")
        text = painter.fontMetrics().elidedText(text, end, room.width())
        painter.drawText(room, ONE_LINE, rows_table.in_its_direction(painter, text))

    def _paint_heading(
        self, painter: QtGui.QPainter, option: QStyleOptionViewItem, index: Index, group: FileGroup
    ) -> None:
        now = colors()
        link = self.link_of(group)
        area: QRect = option.rect
        area = rows_table.visual(painter, area, area.adjusted(0, 0, -rows_table.PADDING, 0))
        parts = heading_parts(area, option.font, group, link, option.direction)
        painter.setFont(bold(option.font))
        painter.setPen(now.text)
        painter.drawText(parts.title, ONE_LINE, group.title)
        painter.setFont(option.font)
        painter.setPen(now.muted)
        painter.drawText(parts.number, ONE_LINE, count(len(group.rows)))
        metrics = painter.fontMetrics()
        advice = metrics.elidedText(group.advice, Qt.TextElideMode.ElideRight, parts.advice.width())
        painter.drawText(parts.advice, ONE_LINE, advice)
        font = QtGui.QFont(option.font)
        font.setUnderline(self.hovered is not None and self.hovered == index)
        painter.setFont(font)
        painter.setPen(now.accent)
        painter.drawText(parts.link, ONE_LINE, link)

    def link_of(self, group: FileGroup) -> str:
        """The words of the link of a group; empty when there is nothing to do."""
        remedy = self._problems.remedy_of(group)
        return gettext(remedy) if remedy else ""


def _tree_order(index: QModelIndex) -> tuple[int, int]:
    """The sort key of the order in the tree: headings before their files."""
    parent = index.parent()
    return (parent.row(), index.row() + 1) if parent.isValid() else (index.row(), 0)


NAME_SHARE = 0.42
INDENT = 22
MANY = 12  # files above which a group is closed at first


class ProblemsTree(QTreeView):
    """Groups can be opened and closed, rows copied, files opened, and remedies asked for.

    Signals:
        current_changed: Another row is the current one, or it has another width.
        remedy_wanted: A `Remedy` and the limit it is about, if one.
        file_wanted: The name of a file to open.
        folder_wanted: The name of a file whose folder the user wants to see.
        paths_wanted: The names of files whose paths are to be copied.
    """

    current_changed = Signal()
    remedy_wanted = Signal(object, str)
    file_wanted = Signal(str)
    folder_wanted = Signal(str)
    paths_wanted = Signal(object)

    def __init__(self, model: ProblemsModel) -> None:
        super().__init__()
        self._problems = model
        self._turned: dict[str, bool] = {}  # groups that the user opened or closed
        self._kept: tuple[str, str] | None = None
        self._delegate = ProblemDelegate(model)
        self.setHeader(rows_table.FlatHeader(self))
        self.setModel(model)
        self._set_up()
        self._make_actions()
        self.customContextMenuRequested.connect(self._on_menu_requested)
        self._header_selection = QItemSelectionModel(model, self)
        self.header().setSelectionModel(self._header_selection)
        model.modelAboutToBeReset.connect(self._on_about_to_reset)
        model.modelReset.connect(self._on_reset)
        self.selectionModel().currentChanged.connect(self.current_changed)
        self.header().sectionResized.connect(self.current_changed)
        self.expanded.connect(partial(self._remember, True))
        self.collapsed.connect(partial(self._remember, False))
        self._on_reset()

    def _set_up(self) -> None:
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setTabKeyNavigation(False)
        self.setUniformRowHeights(True)
        self.setExpandsOnDoubleClick(False)
        self.setIndentation(INDENT)
        self.setMouseTracking(True)
        self.setFrameShape(QTreeView.Shape.NoFrame)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.setItemDelegate(self._delegate)
        self.header().setStretchLastSection(True)

    def _make_actions(self) -> None:
        """Create the actions on the current row, or on the selected rows."""
        self._remedy = QtGui.QAction(self)
        self._open = QtGui.QAction(gettext("Open file"), self)
        self._show = QtGui.QAction(gettext("Show in folder"), self)
        self._copy = QtGui.QAction(gettext("Copy"), self)
        self._copy_path = QtGui.QAction(gettext("Copy path"), self)
        self._copy.setShortcut(QtGui.QKeySequence.StandardKey.Copy)
        self._copy.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        for action, slot in (
            (self._remedy, self._follow_remedy),
            (self._open, self._open_file),
            (self._show, self._show_folder),
            (self._copy, self._copy_rows),
            (self._copy_path, self._copy_paths),
        ):
            action.triggered.connect(slot)
            self.addAction(action)

    # Selection

    @property
    def group(self) -> FileGroup | None:
        """The group of the current row."""
        return self._problems.group_at(self.currentIndex())

    @property
    def file(self) -> FileRow | None:
        """The file of the current row; None for a heading."""
        return self._problems.file_at(self.currentIndex())

    def _selected_files(self) -> list[FileRow]:
        """The selected files in the order shown; all of a group for its heading."""
        chosen: dict[FileRow, None] = {}
        for index in sorted(self.selectionModel().selectedRows(), key=_tree_order):
            file, group = self._problems.file_at(index), self._problems.group_at(index)
            rows = [file] if file is not None else list(group.rows) if group is not None else []
            chosen.update(dict.fromkeys(rows))
        return list(chosen)

    def _follow_remedy(self) -> None:
        group = self.group
        remedy = self._problems.remedy_of(group) if group else None
        if group is not None and remedy is not None:
            self.remedy_wanted.emit(remedy, group.limit_met(self.file))

    def _open_file(self) -> None:
        if self.file is not None:
            self.file_wanted.emit(self.file.name)

    def _show_folder(self) -> None:
        if self.file is not None:
            self.folder_wanted.emit(self.file.name)

    def _copy_rows(self) -> None:
        rows = self._selected_files()
        if rows:
            text = "\n".join(f"{row.name}\t{row.text}" for row in rows)
            QtGui.QGuiApplication.clipboard().setText(text)

    def _copy_paths(self) -> None:
        names = [row.name for row in self._selected_files()]
        if names:
            self.paths_wanted.emit(names)

    def make_menu(self) -> QMenu:
        """The menu of the selected rows; the link of their group comes first."""
        menu = QMenu(self)
        if self.group is not None and (link := self._delegate.link_of(self.group)):
            self._remedy.setText(link)
            menu.addAction(self._remedy)
            menu.addSeparator()
        for action in (self._open, self._show):
            action.setEnabled(self.file is not None)
            menu.addAction(action)
        several = len(self._selected_files()) > 1
        self._copy_path.setText(gettext("Copy paths") if several else gettext("Copy path"))
        menu.addSeparator()
        for action in (self._copy, self._copy_path):
            action.setEnabled(self.group is not None)
            menu.addAction(action)
        return menu

    @property
    def cut_text(self) -> str:
        """The full text of the current file's row, when it does not fit; else empty."""
        file = self.file
        if file is None:
            return ""
        widths = [self.columnWidth(column) - rows_table.PADDING for column in ProblemColumn]
        widths[ProblemColumn.NAME] -= 2 * self.indentation()
        widths[ProblemColumn.DETAIL] -= rows_table.PADDING
        fits = all(
            self.fontMetrics().horizontalAdvance(text) <= width
            for text, width in zip((file.name, file.text), widths, strict=True)
        )
        return "" if fits else f"{file.name}: {file.text}"

    # Opened and closed groups

    def _on_about_to_reset(self) -> None:
        group, file = self.group, self.file
        self._kept = (group.title, file.name if file else "") if group else None

    def _on_reset(self) -> None:
        self.setAccessibleName(
            gettext("Documents that gave no text")
            if self._problems.is_part_of_run
            else gettext("Files that gave no text")
        )
        for row, group in enumerate(self._problems.groups):
            self.setFirstColumnSpanned(row, QModelIndex(), True)
            opened = self._turned.get(group.key, not group.is_calm and len(group.rows) <= MANY)
            with QSignalBlocker(self):  # only the user's own changes are remembered
                self.setExpanded(self._problems.index(row, 0), opened)
        if self._kept is not None:
            index = self._problems.index_of(*self._kept)
            if index.isValid():
                self.selectionModel().setCurrentIndex(index, rows_table.SELECT)

    def forget(self) -> None:
        """Forget which groups the user opened or closed: another folder is shown."""
        self._turned.clear()
        self._kept = None

    def _remember(self, opened: bool, index: QModelIndex) -> None:
        group = self._problems.group_at(index)
        if group is not None:
            self._turned[group.key] = opened

    # Mouse and keys

    def _on_menu_requested(self, position: QPoint) -> None:
        menu = self.make_menu()
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self.viewport().mapToGlobal(position))

    def keyPressEvent(self, event: QtGui.QKeyEvent) -> None:
        """Enter opens a file or follows the link of a heading; Space opens or closes a group."""
        index = self.currentIndex()
        is_heading = index.isValid() and self.file is None
        if event.key() in rows_table.OPENING and index.isValid():
            if not is_heading:
                self._open_file()
            elif self._delegate.link_of(self._problems.groups[index.row()]):
                self._follow_remedy()
            else:
                self.setExpanded(index, not self.isExpanded(index))
            return
        if event.key() == Qt.Key.Key_Space and is_heading:
            self.setExpanded(index, not self.isExpanded(index))
            return
        if event.text().isprintable() and event.text() and not event.modifiers():
            event.ignore()  # letters are keys of the application, not a search
            return
        super().keyPressEvent(event)

    def mouseMoveEvent(self, event: QtGui.QMouseEvent) -> None:
        """Show a link under the mouse as such."""
        super().mouseMoveEvent(event)
        self._hover(self._link_at(event.position().toPoint()))

    def leaveEvent(self, event: QEvent) -> None:
        """Show no link as under the mouse."""
        super().leaveEvent(event)
        self._hover(QModelIndex())

    def _hover(self, index: QModelIndex) -> None:
        hovered = QPersistentModelIndex(index) if index.isValid() else None
        if hovered == self._delegate.hovered:
            return
        self._delegate.hovered = hovered
        over = Qt.CursorShape.PointingHandCursor if hovered else Qt.CursorShape.ArrowCursor
        self.viewport().setCursor(over)
        self.viewport().update()

    def mouseReleaseEvent(self, event: QtGui.QMouseEvent) -> None:
        """Follow a link, or open or close a group."""
        super().mouseReleaseEvent(event)
        position = event.position().toPoint()
        index = self.indexAt(position)
        left = event.button() == Qt.MouseButton.LeftButton
        if not left or event.modifiers() or self._problems.file_at(index) or not index.isValid():
            return
        if self._link_at(position).isValid():
            self._follow_remedy()
        elif self.visualRect(index).contains(position):
            first = index.siblingAtColumn(0)
            self.setExpanded(first, not self.isExpanded(first))

    def mouseDoubleClickEvent(self, event: QtGui.QMouseEvent) -> None:
        """A double click opens a file."""
        if self._problems.file_at(self.indexAt(event.position().toPoint())) is not None:
            self._open_file()

    def _link_at(self, position: QPoint) -> QModelIndex:
        index = self.indexAt(position)
        group = self._problems.group_at(index)
        if group is None or self._problems.file_at(index) is not None:
            return QModelIndex()
        first = index.siblingAtColumn(0)
        return first if self.link_rect(first).contains(position) else QModelIndex()

    def link_rect(self, index: QModelIndex) -> QRect:
        """The rectangle of the link of a heading."""
        group = self._problems.group_at(index)
        if group is None:
            return QRect()
        row, direction = self.visualRect(index), self.layoutDirection()
        area = QStyle.visualRect(direction, row, row.adjusted(0, 0, -rows_table.PADDING, 0))
        link = self._delegate.link_of(group)
        return heading_parts(area, self.font(), group, link, direction).link

    # Appearance

    def drawRow(self, painter: QtGui.QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """The whole row is marked when it is selected, and the current one with the focus."""
        selected = self.selectionModel().isSelected(index)
        if selected:
            painter.fillRect(option.rect, colors().selection)
        super().drawRow(painter, option, index)
        if selected and self.hasFocus() and index.row() == self.currentIndex().row():
            area = option.rect
            if index.parent() == self.currentIndex().parent():
                edge = QRect(0, area.top(), rows_table.FOCUS_WIDTH, area.height())
                painter.fillRect(mirrored(self.viewport(), edge), colors().accent)

    def resizeEvent(self, event: QtGui.QResizeEvent) -> None:
        """Share the room between names and sentences."""
        super().resizeEvent(event)
        self.header().resizeSection(ProblemColumn.NAME, round(NAME_SHARE * self.viewport().width()))


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


class ProblemsView(QWidget):
    """The tree of problems; the password of locked files is asked for above it.

    Signals:
        remedy_wanted: Another `Remedy` than a password, and the limit it is about, if one.
    """

    help_page = "files"
    remedy_wanted = Signal(object, str)

    def __init__(self, model: ProblemsModel) -> None:
        super().__init__()
        self._model = model
        self.password_row = PasswordRow()
        self.tree = self.entry = ProblemsTree(model)  # where the keyboard enters
        self._nothing = QLabel(gettext(NOTHING), alignment=Qt.AlignmentFlag.AlignCenter)
        self._nothing.setForegroundRole(QtGui.QPalette.ColorRole.PlaceholderText)
        self._whole = FullCaption()
        column_in(self.tree.viewport(), self._nothing)
        column_in(self, self.password_row, (self.tree, 1), self._whole, margins=0, spacing=0)
        self.password_row.cancelled.connect(self.tree.setFocus)
        self.tree.current_changed.connect(self._on_current_changed)
        self.tree.remedy_wanted.connect(self._on_remedy_wanted)
        model.modelReset.connect(self._on_reset)
        self.take_state(WindowState())
        self._on_reset()

    def take_state(self, state: WindowState) -> None:
        """While a scan runs, take no password, and do not say that there is no problem."""
        self.password_row.set_busy(state.is_scanning)
        self._is_known = state.has_scan
        self._show_whether_none()

    def forget(self) -> None:
        """Forget the password and the open groups: another folder is shown."""
        self.password_row.forget()
        self.tree.forget()

    def _on_remedy_wanted(self, remedy: Remedy, limit: str) -> None:
        if remedy is Remedy.UNLOCK:
            self.password_row.start()
        else:
            self.remedy_wanted.emit(remedy, limit)

    def _on_current_changed(self) -> None:
        self._whole.show_sentence(self.tree.cut_text)

    def _show_whether_none(self) -> None:
        self._nothing.setVisible(self._is_known and not self._model.groups)

    def _on_reset(self) -> None:
        groups = self._model.groups
        self._show_whether_none()
        if all(group.key != LOCKED for group in groups):
            focused = has_focus(self.password_row)
            self.password_row.forget()
            if focused:
                self.tree.setFocus()
        self._on_current_changed()
