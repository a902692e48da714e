"""The dialogs for files, and the window with lines of settings for other tools."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Protocol

from PySide6.QtCore import QSignalBlocker, QSize
from PySide6.QtGui import QFontDatabase, QFontMetrics, QGuiApplication, QShowEvent
from PySide6.QtWidgets import QDialog, QFileDialog, QInputDialog, QLabel, QPlainTextEdit, QWidget

from core.base.messages import N_, gettext
from neardup_gui.views.widgets.buttons import PushButton
from neardup_gui.views.widgets.containers import size_within_screen
from neardup_gui.views.widgets.controls import Caption, ComboBox
from neardup_gui.views.widgets.labels import PLAIN, READABLE, label_of
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


def _shown(kinds: Mapping[str, str]) -> str:
    return ";;".join(_filters(kinds))


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
    chosen, _kind = QFileDialog.getOpenFileName(parent, title, start, _shown(kinds or {}))
    return Path(chosen) if chosen else None


def ask_for_report(
    parent: QWidget, suggestion: Path, kinds: Mapping[str, str]
) -> tuple[Path, bool] | None:
    """Ask for the path of a report, and whether the dialog asked about replacing this file.

    `kinds` are endings by words; a name without one of them gets that of the chosen kind, and the
    dialog has not asked about a file of that name.
    """
    filters = _filters(kinds)
    chosen, kind = QFileDialog.getSaveFileName(
        parent, gettext("Save the report"), str(suggestion), ";;".join(filters)
    )
    if not chosen:
        return None
    path = _with_ending(Path(chosen), filters, kind)
    return path, path == Path(chosen)


def ask_for_key(parent: QWidget, suggestion: Path) -> Path | None:
    """Ask for the path of the key to withheld names; an existing key is used again."""
    chosen, _kind = QFileDialog.getSaveFileName(
        parent,
        gettext("Save the key to the names (an existing key is reused)"),
        str(suggestion),
        _shown(KEYS),
        options=QFileDialog.Option.DontConfirmOverwrite,
    )
    return _with_ending(Path(chosen), KEYS, "") if chosen else None


def ask_for_names(parent: QWidget, start: str) -> Path | None:
    """Ask for the key to the names of a report."""
    return ask_for_file(parent, start, gettext("Open the key to the names"), KEYS)


def ask_for_written_report(parent: QWidget, start: str) -> Path | None:
    """Ask for a report to check."""
    return ask_for_file(parent, start, gettext("Check a report"), WRITTEN)


def ask_for_logo(parent: QWidget, start: str) -> Path | None:
    """Ask for a picture for the head of a report."""
    return ask_for_file(parent, start, gettext("Choose a logo"), LOGOS)


def ask_for_picture(parent: QWidget, suggestion: Path) -> Path | None:
    """Ask for the path of a picture, with the ending of the chosen format."""
    return _ask_for_file(parent, gettext("Export the curve as an image"), suggestion, PICTURES)


def ask_for_table(parent: QWidget, suggestion: Path) -> Path | None:
    """Ask for the path of the table of settings, with its ending."""
    return _ask_for_file(parent, gettext("Export the table of settings"), suggestion, TABLES)


def _ask_for_file(
    parent: QWidget, title: str, suggestion: Path, kinds: Mapping[str, str]
) -> Path | None:
    """Ask for the path of a new file; the first of the kinds is the default."""
    filters = _filters(kinds)
    chosen, kind = QFileDialog.getSaveFileName(parent, title, str(suggestion), ";;".join(filters))
    if not chosen:
        return None
    return _with_ending(Path(chosen), filters, kind)


def _with_ending(path: Path, kinds: Mapping[str, str], kind: str) -> Path:
    """The path with the ending of the chosen kind, unless it has an ending of the kinds."""
    endings = list(kinds.values())
    known = path.suffix.lower() in endings
    return path if known else path.with_name(path.name + kinds.get(kind, endings[0]))


def ask_for_review(parent: QWidget, start: str) -> Path | None:
    """Ask for a review to open."""
    return ask_for_file(parent, start, gettext("Open a review"), REVIEWS)


def ask_for_new_review(parent: QWidget, suggestion: Path) -> Path | None:
    """Ask for the path of a review, exactly as the user wrote it."""
    chosen, _kind = QFileDialog.getSaveFileName(
        parent, gettext("Save the review"), str(suggestion), _shown(REVIEWS)
    )
    return Path(chosen) if chosen else None


def ask_for_settings(parent: QWidget, start: str) -> Path | None:
    """Ask for a file of settings to load."""
    return ask_for_file(parent, start, gettext("Load settings"), SETTINGS)


def ask_where_settings_go(parent: QWidget, suggestion: Path) -> Path | None:
    """Ask for the path of a file of settings, with its ending."""
    return _ask_for_file(parent, gettext("Save the settings"), suggestion, SETTINGS)


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
        self._code = QPlainTextEdit(readOnly=True)
        self._code.setAccessibleName(gettext("Lines to copy"))
        self._code.setTabChangesFocus(True)
        self._code.document().setDocumentMargin(MARGIN)
        self._code.setTextInteractionFlags(READABLE)
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
        font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
        font.setPointSizeF(self.font().pointSizeF())
        self._code.setFont(font)
        metrics = QFontMetrics(font)
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
