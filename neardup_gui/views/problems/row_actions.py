"""What can be done with the rows of the tree of problems, by key, menu and link."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QObject, Qt, Signal
from PySide6.QtGui import QAction, QGuiApplication, QKeySequence
from PySide6.QtWidgets import QMenu, QTreeView

from neardup_gui.models.problems.groups import FileGroup, FileRow
from neardup_gui.models.problems.tree import ProblemsModel


class RowActions(QObject):
    """Acts on the current row of a tree, or on all that are selected.

    Signals:
        remedy_wanted: A `Remedy` and the limit it is about, if one.
        file_wanted: The name of a file to open.
        folder_wanted: The name of a file whose folder the user wants to see.
        paths_wanted: The names of files whose paths are to be copied.
    """

    remedy_wanted = Signal(object, str)
    file_wanted = Signal(str)
    folder_wanted = Signal(str)
    paths_wanted = Signal(object)

    def __init__(self, model: ProblemsModel, tree: QTreeView) -> None:
        super().__init__(tree)
        self._problems = model
        self._tree = tree
        self._remedy = QAction(self)
        self._open = QAction("Open file", self)
        self._show = QAction("Show in folder", self)
        self._copy = QAction("Copy", self)
        self._copy_path = QAction("Copy path", self)
        self._copy.setShortcut(QKeySequence.StandardKey.Copy)
        self._copy.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        for action, slot in (
            (self._remedy, self.follow_remedy),
            (self._open, self.open_file),
            (self._show, self._show_folder),
            (self._copy, self._copy_rows),
            (self._copy_path, self._copy_paths),
        ):
            action.triggered.connect(slot)
            tree.addAction(action)

    @property
    def group(self) -> FileGroup | None:
        """The group of the current row."""
        return self._problems.group_at(self._tree.currentIndex())

    @property
    def file(self) -> FileRow | None:
        """The file of the current row; None for a heading."""
        return self._problems.file_at(self._tree.currentIndex())

    def selected_files(self) -> list[FileRow]:
        """The selected files in the order shown; all of a group for its heading."""
        chosen: dict[FileRow, None] = {}
        for index in sorted(self._tree.selectionModel().selectedRows(), key=_place):
            file, group = self._problems.file_at(index), self._problems.group_at(index)
            rows = [file] if file is not None else list(group.rows) if group is not None else []
            chosen.update(dict.fromkeys(rows))
        return list(chosen)

    def follow_remedy(self) -> None:
        """Do what can be done about the group of the current row."""
        group = self.group
        remedy = self._problems.remedy_of(group) if group else None
        if group is not None and remedy is not None:
            self.remedy_wanted.emit(remedy, group.limit_met(self.file))

    def open_file(self) -> None:
        """Open the file of the current row."""
        if self.file is not None:
            self.file_wanted.emit(self.file.name)

    def _show_folder(self) -> None:
        if self.file is not None:
            self.folder_wanted.emit(self.file.name)

    def _copy_rows(self) -> None:
        rows = self.selected_files()
        if rows:
            text = "\n".join(f"{row.name}\t{row.text}" for row in rows)
            QGuiApplication.clipboard().setText(text)

    def _copy_paths(self) -> None:
        names = [row.name for row in self.selected_files()]
        if names:
            self.paths_wanted.emit(names)

    def make_menu(self, link: str) -> QMenu:
        """What can be done with the rows that are selected; the link of their group comes first."""
        menu = QMenu(self._tree)
        if link:
            self._remedy.setText(link)
            menu.addAction(self._remedy)
            menu.addSeparator()
        for action in (self._open, self._show):
            action.setEnabled(self.file is not None)
            menu.addAction(action)
        several = len(self.selected_files()) > 1
        self._copy_path.setText("Copy paths" if several else "Copy path")
        menu.addSeparator()
        for action in (self._copy, self._copy_path):
            action.setEnabled(self.group is not None)
            menu.addAction(action)
        return menu


def _place(index: QModelIndex) -> tuple[int, int]:
    """Its place in the tree: headings before their files."""
    parent = index.parent()
    return (parent.row(), index.row() + 1) if parent.isValid() else (index.row(), 0)
