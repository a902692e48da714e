"""What the user can do about problems: enter a password, raise a limit, read scans and archives."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QDockWidget

from neardup_gui.models.problems.groups import Remedy
from neardup_gui.models.scan_result import ScanResult
from neardup_gui.models.setup.reading_settings import tesseract_is_installed
from neardup_gui.models.words import sentences
from neardup_gui.models.words.message import Message
from neardup_gui.presenter.presenter import Presenter
from neardup_gui.views.problems.page import ProblemsView
from neardup_gui.window.side_panels import SidePanels


class ProblemRemedies(QObject):
    """Connects the page of the problems with how files are read."""

    def __init__(
        self,
        presenter: Presenter,
        view: ProblemsView,
        side_panels: SidePanels,
        side_dock: QDockWidget,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._presenter = presenter
        self._view = view
        self._side_panels = side_panels
        self._side_dock = side_dock
        presenter.listed.connect(self._on_listed)
        presenter.reading.judged.connect(self._on_judged)
        view.password_entered.connect(presenter.try_password)
        view.remedy_wanted.connect(self._on_remedy_wanted)

    def _on_listed(self, result: ScanResult) -> None:
        used = result.reading is not None and result.reading.ocr
        self._presenter.problems.set_ocr(installed=tesseract_is_installed(), used=used)

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
        if tesseract_is_installed():  # perhaps only since the scan
            self._presenter.reading.read_scans()
            self._presenter.rescan()
        else:
            self._presenter.said.emit(sentences.tesseract_is_missing())

    def _on_judged(self, sentence: str, opened: bool) -> None:
        row = self._view.password_row
        row.show_outcome(sentence, opened=opened)
        if row.isHidden():
            self._presenter.said.emit(Message(sentence))
