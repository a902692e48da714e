"""The picture at the head of a report: none, or the file it is in."""

from __future__ import annotations

from pathlib import PurePath

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from core.base.wording import printable_name
from neardup_gui.models.words.numbers import tool_tip
from neardup_gui.views.widgets.cut_label import CutLabel
from neardup_gui.views.widgets.link_label import LinkLabel


class LogoRow(QWidget):
    """Names the file; it is chosen in a dialog of the system.

    Signals:
        wanted: The user wants to choose a file.
        chosen: There is another file, or none.
    """

    wanted = Signal()
    chosen = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._path = ""
        self._name = CutLabel()
        self._choose, self._remove = LinkLabel("Choose a picture…"), LinkLabel("Remove")
        self._remove.setAccessibleName("Remove the logo")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(12)
        row.addWidget(self._name, 1)
        row.addWidget(self._choose)
        row.addWidget(self._remove)
        row.addStretch(0)
        self._choose.clicked.connect(self.wanted)
        self._remove.clicked.connect(lambda: self.choose(""))
        self.show_path("")

    @property
    def entry(self) -> QWidget:
        """Where the keyboard enters."""
        return self._choose

    @property
    def path(self) -> str:
        """The file; "" for none."""
        return self._path

    def choose(self, path: str) -> None:
        """Take another file, or none."""
        self.show_path(path)
        self.chosen.emit()

    def show_path(self, path: str) -> None:
        """Show which file it is."""
        self._path = path
        self._name.setVisible(bool(path))
        self._remove.setVisible(bool(path))
        self._name.setText(printable_name(PurePath(path).name))
        self._name.setToolTip(tool_tip(path))
        self._choose.setText("Another…" if path else "Choose a picture…")
        self._choose.setAccessibleName("Choose a picture as logo")
        self._choose.updateGeometry()
