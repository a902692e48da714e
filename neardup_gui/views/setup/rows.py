"""The parts of the setup panel: the summary, the name of a new preset, the way to a new scan."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtGui import (
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QPalette,
    QShortcut,
)
from PySide6.QtWidgets import (
    QAbstractButton,
    QGridLayout,
    QLabel,
    QMenu,
    QPushButton,
    QSizePolicy,
    QWidget,
)

from core.base.messages import gettext
from neardup_gui.environment.theme import colors
from neardup_gui.models.pairs.table import ANOTHER_RUN
from neardup_gui.models.setup import ADDITIONS, ROLES, FolderLine
from neardup_gui.models.words.numbers import tool_tip
from neardup_gui.views.widgets.containers import FlowLayout
from neardup_gui.views.widgets.controls import Caption, ProblemLabel, TextField
from neardup_gui.views.widgets.labels import PLAIN, LinkLabel, elided_name
from neardup_gui.views.widgets.layouts import grid_in, row_in
from neardup_gui.views.widgets.rows_table import offer_roles

LABEL_WIDTH = 94


def muted_label(title: str, buddy: QWidget) -> QLabel:
    """What a row is about, in quiet letters."""
    label = QLabel(title)
    label.setForegroundRole(QPalette.ColorRole.PlaceholderText)
    label.setBuddy(buddy)
    return label


class Summary(QWidget):
    """The settings in plain words."""

    def __init__(self) -> None:
        super().__init__()
        self._grid = grid_in(self, margins=0, spacing=(12, 5), wide=1, least=LABEL_WIDTH)
        self._labels: dict[str, QLabel] = {}

    def show_lines(self, lines: tuple[tuple[str, str], ...]) -> None:
        """Show what each line is about and what it says."""
        for row, (title, text) in enumerate(lines):
            if title not in self._labels:
                label = QLabel(wordWrap=True, textFormat=PLAIN)
                if self.isRightToLeft():  # also what has only Latin letters stands below the others
                    absolute = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignAbsolute
                    label.setAlignment(absolute | Qt.AlignmentFlag.AlignVCenter)
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

    def __init__(self) -> None:
        super().__init__()
        self._name = TextField()
        self._name.setAccessibleName(gettext("Name of the preset"))
        self._name.setPlaceholderText(gettext("Name of the preset"))
        save, cancel = LinkLabel(gettext("Save")), LinkLabel(gettext("Cancel"))
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

    def __init__(self) -> None:
        super().__init__()
        self.load = LinkLabel(gettext("Load settings…"))
        self.load.setToolTip(gettext("Use settings saved in a file"))
        self.save = LinkLabel(gettext("Save settings…"))
        self.save.setToolTip(
            gettext("Save the settings to a file, for others and for neardup scan --settings")
        )
        self.lines = LinkLabel(gettext("Copy for other tools…"))
        self.lines.setToolTip(
            gettext(
                "The same settings as lines for neardup scan, Python, datasketch, datatrove and "
                "text-dedup"
            )
        )
        FlowLayout(14, 2, self, (self.load, self.save, self.lines))


class RescanRow(QWidget):
    """The way to a list with these settings; the line above the list says how it differs.

    Attributes:
        button: Scans again.
    """

    def __init__(self) -> None:
        super().__init__()
        self.button = QPushButton(gettext("Rescan to apply"))
        self._of_run = Caption(gettext(ANOTHER_RUN))
        self._of_run.hide()
        row_in(self, (self.button, 0, Qt.AlignmentFlag.AlignLeft), self._of_run, margins=0)

    def set_of_run(self, *, is_of_run: bool) -> None:
        """Offer no scan of what was run on a cluster."""
        self.button.setHidden(is_of_run)
        self._of_run.setVisible(is_of_run)


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
        self.setToolTip(tool_tip(f"{line.explanation}\n{gettext(ROLES[line.role][1])}"))
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

    def __init__(self, field_before: QWidget) -> None:
        """Tab comes to the folders from another field."""
        super().__init__()
        self._field_before = field_before
        self._grid = grid_in(self, margins=0, spacing=(12 - AIR, 0), wide=1, least=LABEL_WIDTH)
        self._rows: list[tuple[QLabel, FolderButton]] = []
        self._add = LinkLabel(gettext("Add a folder…"), self)
        self._add.setToolTip(gettext("More documents to review, references, or a template"))
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
        if not lines:
            return
        before = self._field_before
        for after in (*(button for _, button in self._rows), self._add):
            QWidget.setTabOrder(before, after)
            before = after

    def make_menu(self, line: FolderLine) -> QMenu:
        """What can be done with a folder."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        offer_roles(menu, line.role, partial(self.role_chosen.emit, line.path))
        menu.addSeparator()
        off = menu.addAction(gettext("Remove from the list"))
        off.setEnabled(len(self._rows) > 1)
        off.triggered.connect(partial(self.take_off_wanted.emit, line.path))
        return menu

    def make_additions(self) -> QMenu:
        """What can be added."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for addition in ADDITIONS:
            action = menu.addAction(gettext(addition.title))
            action.triggered.connect(partial(self.addition_wanted.emit, addition))
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


def _below(widget: QWidget) -> QPoint:
    return widget.mapToGlobal(QPoint(0, widget.height()))
