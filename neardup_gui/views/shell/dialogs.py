"""The dialogs for files, and the window with lines of settings for other tools."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Protocol

from PySide6.QtCore import QSignalBlocker, QSize
from PySide6.QtGui import QGuiApplication, QShowEvent
from PySide6.QtWidgets import QDialog, QFileDialog, QFrame, QInputDialog, QLabel, QWidget

from core.base.messages import N_, gettext
from neardup_gui.views.widgets.buttons import PushButton
from neardup_gui.views.widgets.containers import size_within_screen
from neardup_gui.views.widgets.controls import Caption, ComboBox, ReadOnlyText
from neardup_gui.views.widgets.labels import PLAIN, label_of
from neardup_gui.views.widgets.layouts import column_in, row_of

# Kinds of files with their endings.
PICTURES = {N_("Vector image, for print"): ".svg", N_("Image"): ".png"}
WRITTEN = {N_("Reports"): ".html *.htm *.pdf *.json"}
KEYS = {N_("Keys to names"): ".csv"}
LOGOS = {N_("Images"): ".png *.jpg *.jpeg *.svg"}
TABLES = {N_("Table for spreadsheets and scripts"): ".csv"}
REVIEWS = {N_("Reviews"): ".neardup"}
SETTINGS = {N_("Settings"): ".json"}


def _filters(kinds: Mapping[str, str]) -> dict[str, str]:
    """The endings of files by what a dialog shows."""
    return {f"{gettext(words)} (*{ending})": ending for words, ending in kinds.items()}


def ask_for_signature(parent: QWidget, name: str) -> str:
    """Ask for the name that verdicts are signed with; "" if the user cancels."""
    title = gettext("Sign your verdicts")
    prompt = gettext("Your name, as it should stand in reports:")
    given, _accepted = QInputDialog.getText(parent, title, prompt, text=name)
    return given.strip()


def ask_for_folder(parent: QWidget, start: str, title: str = "") -> Path | None:
    """Ask for a folder of documents; None if the user cancels."""
    title = title or gettext("Open a folder of documents")
    chosen = QFileDialog.getExistingDirectory(parent, title, start)
    return Path(chosen) if chosen else None


def ask_for_documents(parent: QWidget, start: str) -> list[Path]:
    """Ask for documents to compare; empty if the user cancels."""
    chosen, _kind = QFileDialog.getOpenFileNames(
        parent, gettext("Choose two documents or more"), start
    )
    return [Path(name) for name in chosen]


def ask_for_file(
    parent: QWidget, start: str, title: str, kinds: Mapping[str, str] | None = None
) -> Path | None:
    """Ask for an existing file, of some kinds or of any; None if the user cancels."""
    shown = ";;".join(_filters(kinds or {}))
    chosen, _kind = QFileDialog.getOpenFileName(parent, title, start, shown)
    return Path(chosen) if chosen else None


def ask_where(
    parent: QWidget,
    title: str,
    suggestion: Path,
    kinds: Mapping[str, str],
    *,
    is_added_to: bool = False,
) -> tuple[Path, bool] | None:
    """Ask for the path of a new file, and whether the dialog asked about replacing this one.

    A name without an ending of the kinds gets that of the chosen kind, and the dialog has not asked
    about a file of that name. One that `is_added_to` is replaced unasked. None if the user cancels.
    """
    filters = _filters(kinds)
    options = QFileDialog.Option.DontConfirmOverwrite if is_added_to else QFileDialog.Option(0)
    chosen, kind = QFileDialog.getSaveFileName(
        parent, title, str(suggestion), ";;".join(filters), "", options
    )
    if not chosen:
        return None
    path, endings = Path(chosen), list(filters.values())
    if path.suffix.lower() in endings:
        return path, True
    return path.with_name(path.name + filters.get(kind, endings[0])), False


LETTERS, ROWS = 100, 40
SIDE, MARGIN = 20, 8
UNAVAILABLE = N_("These settings aren’t available there.")


class Lines(Protocol):
    """Lines with the settings for a tool."""

    @property
    def title(self) -> str:
        """The name of the tool."""

    @property
    def code(self) -> str:
        """The lines; may be empty."""

    @property
    def differs(self) -> str:
        """What differs in the tool, or why there are no lines."""


class LinesWindow(QDialog):
    """Shows the lines of the present settings; Esc closes it."""

    help_page = "settings"

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(gettext("Settings for other tools"))
        self._lines: Sequence[Lines] = ()
        self._where = ComboBox()
        self._where.setAccessibleName(gettext("Where"))
        self._code = ReadOnlyText(gettext("Lines to copy"))
        self._code.setFrameShape(QFrame.Shape.StyledPanel)
        self._code.document().setDocumentMargin(MARGIN)
        self._differs = QLabel(wordWrap=True, textFormat=PLAIN)
        self._differs.setAccessibleName(gettext("Differences"))
        self._copy = PushButton(gettext("Copy"), filled=True)
        self._copied = Caption()
        self._lay_out()
        self._where.currentIndexChanged.connect(self._show_chosen)
        self._copy.clicked.connect(self._on_copied)

    def show_lines(self, lines: Sequence[Lines]) -> None:
        """Show the lines of other settings, for the chosen tool."""
        self._lines = lines
        titles = [line.title for line in lines]
        if [self._where.itemText(index) for index in range(self._where.count())] != titles:
            with QSignalBlocker(self._where):
                self._where.clear()
                self._where.addItems(titles)
        self._show_chosen()

    def showEvent(self, event: QShowEvent) -> None:
        """Use a monospaced font in the present size of the text."""
        self._code.use_fixed_font()
        metrics = self._code.fontMetrics()
        wanted = QSize(LETTERS * metrics.averageCharWidth(), ROWS * metrics.lineSpacing())
        self.resize(size_within_screen(self, wanted))
        super().showEvent(event)

    def _lay_out(self) -> None:
        top = row_of(label_of(self._where, gettext("&For")), (self._where, 1), spacing=12)
        bottom = row_of((self._copied, 1), self._copy, spacing=12)
        column_in(self, top, (self._code, 1), self._differs, bottom, margins=SIDE, spacing=12)

    def _show_chosen(self) -> None:
        lines = self._lines[max(0, self._where.currentIndex())]
        if lines.code != self._code.toPlainText():
            self._code.setPlainText(lines.code)
            self._copied.clear()
        self._code.setPlaceholderText("" if lines.code else gettext(UNAVAILABLE))
        self._differs.setText(lines.differs)
        self._differs.setVisible(bool(lines.differs))
        self._copy.setVisible(bool(lines.code))

    def _on_copied(self) -> None:
        lines = self._lines[self._where.currentIndex()]
        QGuiApplication.clipboard().setText(lines.code)
        self._copied.setText(gettext("Copied: {title}.", title=lines.title))
