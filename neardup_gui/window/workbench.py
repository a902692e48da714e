"""The page of the curve in its window: how it is opened, and where its numbers come from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer

from core.base.messages import gettext
from core.documents.reading_settings import ReadingSettings
from core.reports.curve.state import ThresholdState
from core.settings import ScanSettings
from neardup_gui.models.scan_result import ListedPair
from neardup_gui.models.words import sentences
from neardup_gui.views.shell import dialogs
from neardup_gui.views.shell.message_bar import has_focus
from neardup_gui.views.widgets.containers import bring_forward
from neardup_gui.window.files import Files
from neardup_gui.window.layout import WindowLayout
from neardup_gui.window.navigation import Navigation
from neardup_gui.window.parts import Part, Shared

if TYPE_CHECKING:
    from neardup_gui.models.workbench.audit_table import AuditShown
    from neardup_gui.models.workbench.settings_table import Presets
    from neardup_gui.views.workbench.audit_page import AuditPage
    from neardup_gui.views.workbench.pair_page import PairPage
    from neardup_gui.views.workbench.settings_page import WorkbenchPage

FILE = "neardup-settings.json"
REST = 300  # milliseconds without another value: the hand does not move


class SettingsSharing(Part):
    """Asks for files of settings; the window of lines is made when it is first asked for."""

    def __init__(self, shared: Shared, files: Files) -> None:
        super().__init__(shared)
        self._files = files
        presenter, side_panels = shared.presenter, shared.side_panels
        self._lines: dialogs.LinesWindow | None = None
        self._session = session = presenter.workbench.settings
        session.loaded.connect(self._on_loaded)
        setup = side_panels.setup
        setup.sharing.load.clicked.connect(self.load)
        setup.sharing.save.clicked.connect(self.save)
        setup.sharing.lines.clicked.connect(self.show_lines)
        for changes in (presenter.scans.settings_changed, presenter.reading.changed):
            changes.connect(self._refresh)
        presenter.listed.connect(self._refresh)

    def load(self) -> None:
        """Use the settings of a file that the user chooses."""
        folder, title = str(self._preferences.usual_export_folder), gettext("Load settings")
        path = dialogs.ask_for_file(self._window, folder, title, dialogs.SETTINGS)
        if path is not None:
            self._preferences.export_folder = str(path.parent)
            self._session.load(path)

    def save(self) -> None:
        """Write the settings to a file that the user chooses."""
        path = self._files.ask_for_export(gettext("Save the settings"), FILE, dialogs.SETTINGS)
        if path is not None:
            self._session.save(path)

    def show_lines(self) -> None:
        """Show the lines that use these settings elsewhere."""
        if self._lines is None:
            self._lines = dialogs.LinesWindow(self._window)
        bring_forward(self._lines)
        self._refresh()

    def _on_loaded(self, settings: ScanSettings, reading: ReadingSettings) -> None:
        self._side_panels.take(settings)
        self._presenter.reading.change(reading)

    def _refresh(self) -> None:
        if self._lines is not None and self._lines.isVisible():
            self._lines.show_lines(self._session.lines())


class Workbench(Part):
    """Gives the page the height of the window, and joins it to sessions and panels once it is made.

    Attributes:
        sharing: The settings, for other places.
    """

    def __init__(
        self, shared: Shared, layout: WindowLayout, navigation: Navigation, files: Files
    ) -> None:
        super().__init__(shared)
        self._navigation = navigation
        self._files = files
        self._layout = layout
        self.sharing = SettingsSharing(shared, files)
        sessions, panels = shared.presenter.workbench, shared.side_panels
        panels.threshold.large.clicked.connect(navigation.go_to_curve)
        sessions.grid.value_changed.connect(panels.model.set_grid)
        # Until then the panel tells of the present b and r, which the list itself knows. What draws
        # the map is imported first: a hand that moves would feel it.
        rest = QTimer(self, singleShot=True, interval=REST)
        rest.timeout.connect(sessions.grid.open)
        panels.model.moved.connect(rest.start)
        sessions.audit.audit_changed.connect(self._on_audit_changed)
        sessions.signatures.at_hand.connect(panels.model.set_pair_at_hand)
        shared.presenter.pair.opened.connect(sessions.signatures.take_opened)
        shared.pages.curve_made.connect(self._connect_page)
        shared.pages.tabs.currentChanged.connect(self._on_tab_changed)

    def _connect_page(self, curve: WorkbenchPage) -> None:
        sessions = self._presenter.workbench
        curve.below.currentChanged.connect(self._on_tab_changed)
        sessions.buckets.value_changed.connect(curve.buckets.show_numbers)
        sessions.buckets.began.connect(curve.buckets.show_counting)
        sessions.lengths.value_changed.connect(curve.passages.show_lengths)
        curve.settings.model.presets = curve.pair.presets = self._presets
        curve.settings.scan_wanted.connect(self._on_scan_wanted)
        curve.settings.export_wanted.connect(self._files.export_settings)
        self._connect_audit(curve.audit)
        self._connect_pair(curve.pair)

    def picture(self, *, drawn: bool) -> bytes:
        """The curve that is in front, as SVG or PNG: the large one with its words, or the small."""
        panels = self._side_panels
        if not self._pages.is_curve_open:
            return panels.threshold.picture(drawn=drawn)
        from neardup_gui.models.workbench.chances import sheet_words

        words = sheet_words(self._files.subject, panels.model, panels.setup.settings)
        return self._pages.curve.large.picture(words, drawn=drawn)

    def _connect_audit(self, page: AuditPage) -> None:
        session = self._presenter.workbench.audit
        page.prove.clicked.connect(session.prove)
        page.plant.clicked.connect(session.plant)
        page.running.cancel.clicked.connect(session.cancel)
        page.pair_opened.connect(self._on_pair_opened)
        session.progressed.connect(page.show_progress)
        session.audit_changed.connect(
            lambda offer, shown, is_kept: page.show_audit(offer, shown, is_kept=is_kept)
        )

    def _connect_pair(self, page: PairPage) -> None:
        session = self._presenter.workbench.signatures
        session.named.connect(page.show_names)
        session.pair_changed.connect(page.show_pair)
        page.visibility_changed.connect(session.set_open)
        page.documents_chosen.connect(self._on_documents_chosen)
        page.stepped.connect(self._navigation.step_pair)
        for field in page.fields:
            field.names_like = session.names_like

    def _presets(self) -> Presets:
        from neardup_gui.models.workbench.settings_table import presets_like

        setup = self._side_panels.setup
        return presets_like(setup.settings, setup.known_presets)

    def _on_audit_changed(self, _offer: object, shown: AuditShown | None, _is_kept: bool) -> None:
        self._side_panels.model.set_audit_points(shown.points if shown else ())

    def _on_pair_opened(self, pair: ListedPair) -> None:
        """Read a pair that is not listed, where pairs are read."""
        self._navigation.go_to_table()
        self._presenter.pair.open_documents(pair)
        self._navigation.read_pair()

    def _on_scan_wanted(self, state: ThresholdState) -> None:
        """Choose longer signatures; the list stays until the folder is scanned again."""
        settings = self._side_panels.setup.settings.with_changes(
            signature_size=state.signature_size, bands=state.bands, rows=state.rows
        )
        self._side_panels.take(settings)
        result = self._presenter.current.result
        of_run = result is not None and result.folder.is_part_of_run
        self._presenter.message_posted.emit(sentences.scan_needed(*state.key, is_of_run=of_run))

    def _on_documents_chosen(self, a: str, b: str) -> None:
        self._pages.curve.pair.refuse(self._presenter.workbench.signatures.choose(a, b))

    def _on_tab_changed(self) -> None:
        is_open, sessions = self._pages.is_curve_open, self._presenter.workbench
        # No pair stands below files that gave no text.
        is_of_pairs = self._pages.tabs.currentWidget() is not self._pages.problems
        self._layout.give_room(is_open or not is_of_pairs)
        self._side_panels.show_curve(not is_open)
        if is_open:
            # What had the focus is hidden, and Qt would hand it on to the status line.
            if not has_focus(self._pages):
                self._pages.curve.entry.setFocus()
            sessions.grid.open()
            sessions.audit.open()
        seen = self._pages.curve.below.currentWidget() if is_open else None
        sessions.buckets.set_open(is_open and seen is self._pages.curve.buckets)
        sessions.lengths.set_open(is_open and seen is self._pages.curve.passages)
