"""The page of the problems: every file that gave no text, why, and what can be done."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from neardup_gui.environment.theme import colors
from neardup_gui.models.problems.groups import LOCKED, Remedy
from neardup_gui.models.problems.tree import ProblemsModel
from neardup_gui.views.problems.password_row import PasswordRow
from neardup_gui.views.problems.tree import ProblemsTree
from neardup_gui.views.shell.focus_ring import has_focus
from neardup_gui.views.widgets.controls import Caption

SIDE = 10
AIR = 6
NOTHING = "Every file was read, and nothing is to be said about any."


class FullCaption(Caption):
    """What the current row has no room for, in full."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setContentsMargins(SIDE, AIR, SIDE, AIR)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.hide()

    def show_text(self, text: str) -> None:
        """Show a text, or nothing."""
        self.setText(text)
        self.setVisible(bool(text))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw a line above the text."""
        QPainter(self).fillRect(0, 0, self.width(), 1, colors().border)
        super().paintEvent(event)


class ProblemsView(QWidget):
    """The tree of problems; the password of locked files is asked for above it.

    Signals:
        password_entered: A password to try on the locked files.
        remedy_wanted: Another `Remedy`, and the limit it is about, if one.
        file_wanted: The name of a file to open.
        folder_wanted: The name of a file whose folder the user wants to see.
        paths_wanted: The names of files whose paths are to be copied.
    """

    password_entered = Signal(str)
    remedy_wanted = Signal(object, str)
    file_wanted = Signal(str)
    folder_wanted = Signal(str)
    paths_wanted = Signal(object)

    def __init__(self, model: ProblemsModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self.password_row = PasswordRow()
        self.tree = ProblemsTree(model)
        self._nothing = QLabel(NOTHING)
        self._nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._nothing.setForegroundRole(QPalette.ColorRole.PlaceholderText)
        self._whole = FullCaption()
        over = QVBoxLayout(self.tree.viewport())
        over.addWidget(self._nothing)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.password_row)
        column.addWidget(self.tree, 1)
        column.addWidget(self._whole)
        self.password_row.entered.connect(self.password_entered)
        self.password_row.cancelled.connect(self.tree.setFocus)
        self.tree.current_changed.connect(self._on_current_changed)
        self.tree.remedy_wanted.connect(self._on_remedy_wanted)
        self.tree.file_wanted.connect(self.file_wanted)
        self.tree.folder_wanted.connect(self.folder_wanted)
        self.tree.paths_wanted.connect(self.paths_wanted)
        model.modelReset.connect(self._on_reset)
        self._on_reset()

    @property
    def entry(self) -> QWidget:
        """Where the keyboard enters."""
        return self.tree

    def forget(self) -> None:
        """Another folder: nothing is left of what was typed or opened."""
        self.password_row.forget()
        self.tree.forget()

    def _on_remedy_wanted(self, remedy: Remedy, limit: str) -> None:
        if remedy is Remedy.UNLOCK:
            self.password_row.start()
        else:
            self.remedy_wanted.emit(remedy, limit)

    def _on_current_changed(self) -> None:
        self._whole.show_text(self.tree.cut_text)

    def _on_reset(self) -> None:
        groups = self._model.groups
        self._nothing.setVisible(not groups)
        if all(group.key != LOCKED for group in groups):
            focused = has_focus(self.password_row)
            self.password_row.forget()
            if focused:
                self.tree.setFocus()
        self._on_current_changed()
