"""The folders of a scan with their roles: shown in quiet lines, each the button of its menu."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtGui import QAction, QActionGroup, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QGridLayout, QLabel, QMenu, QSizePolicy, QWidget

from neardup_gui.environment.theme import colors
from neardup_gui.models.setup.folders import ADDITIONS, ROLES, FolderLine
from neardup_gui.models.words.numbers import tool_tip
from neardup_gui.views.setup.rows import LABEL_WIDTH, muted_label
from neardup_gui.views.widgets.elide import elided_name
from neardup_gui.views.widgets.link_label import LinkLabel

AIR = 3  # around a name, where the frame of the focus is drawn
ARROW = "▾"
NARROWEST = 80


class FolderButton(QAbstractButton):
    """The name of a folder; pressing it opens what can be done with it."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setMinimumWidth(NARROWEST)
        self.line: FolderLine | None = None

    def show_line(self, line: FolderLine) -> None:
        """Show another folder."""
        self.line = line
        self.setText(line.text)
        self.setAccessibleName(line.heard)
        self.setToolTip(tool_tip(f"{line.explanation}\n{ROLES[line.role][1]}"))
        self.update()

    def sizeHint(self) -> QSize:
        """Room for a line."""
        metrics = self.fontMetrics()
        width = metrics.horizontalAdvance(f"{self.text()} {ARROW}") + 2 * AIR
        return QSize(width, metrics.height() + 2 * AIR)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter and Down press it, as Space does."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Down):
            self.click()
            return
        super().keyPressEvent(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the name, and under the mouse or with the focus that there is more to it."""
        now, painter, metrics = colors(), QPainter(self), self.fontMetrics()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        is_lit = self.isEnabled() and (self.underMouse() or self.hasFocus() or self.isDown())
        left = self.width() - 2 * AIR
        if is_lit:
            painter.setPen(now.accent if self.hasFocus() else now.muted)
            painter.drawRoundedRect(self.rect().toRectF().adjusted(0.5, 0.5, -0.5, -0.5), 3, 3)
            left -= metrics.horizontalAdvance(f" {ARROW}")
            area = self.rect().adjusted(AIR, 0, -AIR, 0)
            painter.drawText(area, int(RIGHT), ARROW)
        painter.setPen(now.text)
        area = self.rect().adjusted(AIR, 0, -AIR, 0)
        painter.drawText(area, int(LEFT), elided_name(metrics, self.text(), left))


LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class FolderList(QWidget):
    """Lists folders, and asks to add one, to change what it is for, to take it off.

    Signals:
        role_chosen: A folder as a `Path`, and its new `Role`.
        take_off_wanted: A folder as a `Path`.
        addition_wanted: An `Addition`.
    """

    role_chosen = Signal(object, object)
    take_off_wanted = Signal(object)
    addition_wanted = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(12 - AIR)
        self._grid.setVerticalSpacing(0)
        self._grid.setColumnMinimumWidth(0, LABEL_WIDTH)
        self._grid.setColumnStretch(1, 1)
        self._rows: list[tuple[QLabel, FolderButton]] = []
        self._add = LinkLabel("Add a folder…", self)
        self._add.setToolTip("More documents to review, references, or a template")
        self._add.clicked.connect(self._open_additions)
        self.show_lines(())

    def show_lines(self, lines: Sequence[FolderLine]) -> None:
        """Show other folders; without any there is nothing to add to."""
        self.setVisible(bool(lines))
        while len(self._rows) > len(lines):
            for widget in self._rows.pop():
                widget.hide()
                widget.deleteLater()
        while len(self._rows) < len(lines):
            self._append_row()
        for (label, button), line in zip(self._rows, lines, strict=True):
            label.setText(line.title)
            button.show_line(line)
        self._grid.addWidget(self._add, len(lines), 1, Qt.AlignmentFlag.AlignLeft)
        before: QWidget = self
        for after in (*(button for _, button in self._rows), self._add):
            QWidget.setTabOrder(before, after)
            before = after

    def make_menu(self, line: FolderLine) -> QMenu:
        """What can be done with a folder."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        group = QActionGroup(menu)
        for role, (title, meaning) in ROLES.items():
            action = QAction(title, group, checkable=True, checked=role is line.role)
            action.setToolTip(meaning)
            action.triggered.connect(partial(self._on_role_chosen, line, role))
            menu.addAction(action)
        menu.addSeparator()
        off = menu.addAction("Take off the list")
        off.setEnabled(len(self._rows) > 1)
        off.triggered.connect(partial(self._on_taken_off, line))
        return menu

    def make_additions(self) -> QMenu:
        """What can be added."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for addition in ADDITIONS:
            action = menu.addAction(addition.title)
            action.triggered.connect(partial(self._on_addition_chosen, addition))
        return menu

    def _append_row(self) -> None:
        button = FolderButton(self)
        label = muted_label("", button)
        button.clicked.connect(lambda: self._open_menu(button))
        self._grid.addWidget(label, len(self._rows), 0)
        self._grid.addWidget(button, len(self._rows), 1)
        self._rows.append((label, button))
        for widget in (label, button):
            widget.show()  # Tab goes to it from now on

    def _open_menu(self, button: FolderButton) -> None:
        if button.line is not None:
            self.make_menu(button.line).popup(_below(button))

    def _open_additions(self) -> None:
        self.make_additions().popup(_below(self._add))

    def _on_role_chosen(self, line: FolderLine, role: object) -> None:
        if role is not line.role:
            self.role_chosen.emit(line.path, role)

    def _on_taken_off(self, line: FolderLine) -> None:
        self.take_off_wanted.emit(line.path)

    def _on_addition_chosen(self, addition: object) -> None:
        self.addition_wanted.emit(addition)


def _below(widget: QWidget) -> QPoint:
    return widget.mapToGlobal(QPoint(0, widget.height()))
