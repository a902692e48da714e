"""The parts of the setup panel: the summary, the name of a new preset, the way to a new scan."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QPalette, QShortcut
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QPushButton, QWidget

from neardup_gui.models.pairs.outdated import ANOTHER_RUN
from neardup_gui.views.widgets.controls import Caption, ProblemLabel, TextField
from neardup_gui.views.widgets.flow_layout import FlowLayout
from neardup_gui.views.widgets.link_label import LinkLabel

LABEL_WIDTH = 94


def muted_label(title: str, buddy: QWidget) -> QLabel:
    """What a row is about, in quiet letters."""
    label = QLabel(title)
    label.setForegroundRole(QPalette.ColorRole.PlaceholderText)
    label.setBuddy(buddy)
    return label


class Summary(QWidget):
    """The settings in plain words."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(12)
        self._grid.setVerticalSpacing(5)
        self._grid.setColumnMinimumWidth(0, LABEL_WIDTH)
        self._grid.setColumnStretch(1, 1)
        self._labels: dict[str, QLabel] = {}

    def show_lines(self, lines: tuple[tuple[str, str], ...]) -> None:
        """Show what each line is about and what it says."""
        for row, (title, text) in enumerate(lines):
            if title not in self._labels:
                label = QLabel()
                label.setWordWrap(True)
                label.setTextFormat(Qt.TextFormat.PlainText)
                self._labels[title] = label
                self._grid.addWidget(muted_label(title, label), row, 0, Qt.AlignmentFlag.AlignTop)
                self._grid.addWidget(label, row, 1)
            self._labels[title].setText(text)


class NamingRow(QWidget):
    """Asks for the name of a new starting point.

    Signals:
        named: The name was entered.
        cancelled: None is wanted after all.
    """

    named = Signal(str)
    cancelled = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._name = TextField()
        self._name.setAccessibleName("Name of the preset")
        self._name.setPlaceholderText("Name of the preset")
        save, cancel = LinkLabel("Save"), LinkLabel("Cancel")
        self._problem = ProblemLabel()
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        for column, widget in enumerate((self._name, save, cancel)):
            grid.addWidget(widget, 0, column)
        grid.addWidget(self._problem, 1, 0, 1, 3)
        self._name.returnPressed.connect(self._on_entered)
        save.clicked.connect(self._on_entered)
        cancel.clicked.connect(self.cancelled)
        escape = QShortcut(QKeySequence(Qt.Key.Key_Escape), self)
        escape.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        escape.activated.connect(self.cancelled)

    def start(self) -> None:
        """Ask."""
        self._name.clear()
        self.show_problem("")
        self.show()
        self._name.setFocus()

    def show_problem(self, sentence: str) -> None:
        """Say why the name cannot be used."""
        self._problem.show_sentence(sentence)

    def _on_entered(self) -> None:
        self.named.emit(self._name.text())


class SharingRow(QWidget):
    """The ways of settings to other windows, people and programs.

    Attributes:
        load: From a file.
        save: To a file.
        lines: As lines to be run elsewhere.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.load = LinkLabel("Load settings…")
        self.load.setToolTip("Use the settings of a file that somebody has saved")
        self.save = LinkLabel("Save settings…")
        self.save.setToolTip("To a file, for others and for neardup scan --settings")
        self.lines = LinkLabel("Use elsewhere…")
        self.lines.setToolTip("Lines for neardup scan, Python, datasketch, datatrove, text-dedup")
        row = FlowLayout(14, 2, self)
        for link in (self.load, self.save, self.lines):
            row.addWidget(link)


class RescanRow(QWidget):
    """The way to a list with these settings; the line above the list says how it differs.

    Signals:
        clicked: Scan again.
    """

    clicked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._button = QPushButton("Rescan to apply")
        self._button.clicked.connect(self.clicked)
        self._of_run = Caption()
        self._of_run.setText(ANOTHER_RUN)
        self._of_run.hide()
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self._button, 0, Qt.AlignmentFlag.AlignLeft)
        row.addWidget(self._of_run)

    def set_of_run(self, *, is_of_run: bool) -> None:
        """Offer no scan of what was run on a cluster."""
        self._button.setHidden(is_of_run)
        self._of_run.setVisible(is_of_run)
