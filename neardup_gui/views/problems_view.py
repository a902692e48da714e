"""The page of the problems: every file that gave no text, and why."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QItemSelectionModel, QPoint, Qt, Signal
from PySide6.QtGui import QAction, QGuiApplication, QKeySequence
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QMenu, QTableView, QWidget

from neardup_gui.models.problems import ProblemColumn, ProblemsModel
from neardup_gui.views.delegates import MutedDelegate, RowDelegate
from neardup_gui.views.flat_header import FlatHeader

__all__ = ["ProblemsView"]

ROW_AIR = 11
NAME_WIDTH = 320


class ProblemsView(QTableView):
    """A table of problems, whose rows can be copied and whose folders can be opened.

    Signals:
        folder_wanted: The name of a file whose folder the user wants to see.
    """

    folder_wanted = Signal(str)

    def __init__(self, model: ProblemsModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._problems = model
        self.setHorizontalHeader(FlatHeader(self))
        self.setModel(model)
        self._set_up()
        self._add_actions()
        self._header_selections = [QItemSelectionModel(model, self) for _ in range(2)]
        self.horizontalHeader().setSelectionModel(self._header_selections[0])
        self.verticalHeader().setSelectionModel(self._header_selections[1])
        self._measure()

    def _set_up(self) -> None:
        self.setAccessibleName("Files that gave no text")
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setTabKeyNavigation(False)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setFrameShape(QTableView.Shape.NoFrame)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.setItemDelegate(RowDelegate(self))
        self.setItemDelegateForColumn(ProblemColumn.DETAIL, MutedDelegate(self))
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.horizontalHeader().setStretchLastSection(True)
        self.horizontalHeader().resizeSection(ProblemColumn.NAME, NAME_WIDTH)

    def _add_actions(self) -> None:
        self._copy = QAction("Copy", self)
        self._copy.setShortcut(QKeySequence.StandardKey.Copy)
        self._copy.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        self._copy.triggered.connect(self._on_copy)
        self._open = QAction("Open containing folder", self)
        self._open.triggered.connect(self._on_open)
        self.addActions([self._copy, self._open])
        self.customContextMenuRequested.connect(self._on_menu_requested)

    def changeEvent(self, event: QEvent) -> None:
        """Follow the size of the text."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._measure()

    def _measure(self) -> None:
        self.verticalHeader().setDefaultSectionSize(self.fontMetrics().height() + ROW_AIR)

    def _selected(self) -> list[int]:
        return sorted(index.row() for index in self.selectionModel().selectedRows())

    def _on_copy(self) -> None:
        rows = self._selected()
        if rows:
            QGuiApplication.clipboard().setText(self._problems.as_text(rows))

    def _on_open(self) -> None:
        row = self.currentIndex().row()
        if row >= 0:
            self.folder_wanted.emit(self._problems.name_at(row))

    def _on_menu_requested(self, place: QPoint) -> None:
        chosen = bool(self._selected())
        self._copy.setEnabled(chosen)
        self._open.setEnabled(self.currentIndex().isValid())
        menu = QMenu(self)
        menu.addActions([self._copy, self._open])
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self.viewport().mapToGlobal(place))
