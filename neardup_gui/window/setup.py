"""Connections for folders, for text that does not count, and for problems."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QDockWidget

from core.base.messages import gettext
from core.documents.model import Role
from neardup_gui.models.problems import Remedy
from neardup_gui.models.scan_result import ScanResult
from neardup_gui.models.setup import Addition, tesseract_is_installed
from neardup_gui.models.words import sentences
from neardup_gui.models.words.sentences import Message
from neardup_gui.views.shell.dialogs import ask_for_file, ask_for_folder
from neardup_gui.window.parts import Part, Shared


class FolderRequests(Part):
    """Connects the list of folders with the session that changes them."""

    def __init__(self, shared: Shared) -> None:
        super().__init__(shared)
        self._session = session = shared.presenter.folders
        folders = shared.side_panels.setup.folders
        session.listed.connect(folders.show_lines)
        session.rescan_wanted.connect(shared.presenter.rescan)
        folders.role_chosen.connect(session.give_role)
        folders.take_off_wanted.connect(session.take_off)
        folders.addition_wanted.connect(self._on_addition_wanted)
        for page in (shared.pages.pairs, shared.pages.documents):
            page.table.role_chosen.connect(self._on_role_chosen)

    def _on_role_chosen(self, name: str, role: Role) -> None:
        self._session.give_role(self._presenter.current.location_of(name).path, role)

    def _on_addition_wanted(self, addition: Addition) -> None:
        lines = self._session.lines
        start = str(lines[0].path.parent if lines else Path.home())
        ask = ask_for_file if addition.is_file else ask_for_folder
        folder = ask(self._window, start, gettext(addition.question))
        if folder is not None:
            self._preferences.choose(folder)
            self._session.add(addition.role, folder)


class ExclusionActions(Part):
    """Connects the section of the setup, the selection in the texts, and the decisions."""

    def __init__(self, shared: Shared) -> None:
        super().__init__(shared)
        panel, self._view = shared.side_panels.exclusions, shared.compare_pane.view
        self._session = session = shared.presenter.exclusions
        session.changed.connect(panel.show_state)
        panel.rule_changed.connect(session.set_rule)
        panel.drop.clicked.connect(session.count_chosen)

    def offer(self, action: QAction) -> None:
        """Put the action into the menus of the texts."""
        for pane in self._view.panes:
            pane.addAction(action)

    def exclude_selection(self) -> None:
        """Set the selected text aside, wherever it occurs."""
        self._session.set_aside(self._view.selected_words)


class ProblemRemedies(Part):
    """Connects the page of the problems with how files are read."""

    def __init__(self, shared: Shared, side_dock: QDockWidget) -> None:
        super().__init__(shared)
        self._view = view = shared.pages.problems
        self._side_dock = side_dock
        shared.presenter.listed.connect(self._on_listed)
        shared.presenter.reading.judged.connect(self._on_judged)
        view.password_row.entered.connect(shared.presenter.try_password)
        view.remedy_wanted.connect(self._on_remedy_wanted)

    def _on_listed(self, result: ScanResult) -> None:
        used = result.reading is not None and result.reading.ocr
        # It looks through folders, which is spared where there is nothing to remedy.
        installed = bool(result.problems) and tesseract_is_installed()
        self._presenter.problems.set_ocr(installed=installed, used=used)

    def _on_remedy_wanted(self, remedy: Remedy, limit: str) -> None:
        if remedy is Remedy.LIMITS:
            self._show_panels()
            self._side_panels.edit_reading_field(limit)
        elif remedy is Remedy.LANGUAGES:
            self._show_panels()
            self._side_panels.edit_reading_field("ocr_languages")
        elif remedy in (Remedy.OCR, Remedy.GET_OCR):
            self._read_scans()
        elif remedy is Remedy.ARCHIVES:
            self._presenter.reading.open_archives()
            self._presenter.rescan()

    def _show_panels(self) -> None:
        self._side_dock.show()
        self._side_dock.raise_()

    def _read_scans(self) -> None:
        if tesseract_is_installed():  # perhaps installed after the scan
            self._presenter.reading.read_scans()
            self._presenter.rescan()
        else:
            self._presenter.message_posted.emit(sentences.tesseract_is_missing())

    def _on_judged(self, sentence: str, opened: bool) -> None:
        row = self._view.password_row
        row.show_outcome(sentence, opened=opened)
        if row.isHidden():
            self._presenter.message_posted.emit(Message(sentence))
