"""The panels beside the table: threshold and setup change one set of settings together."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QWidget

from core.base.messages import N_, gettext
from core.documents.reading_settings import ReadingSettings
from core.reports.curve.state import ThresholdState
from core.scan.history import system_user
from core.settings import ScanSettings
from neardup_gui.environment.preferences import Preferences
from neardup_gui.models.scan_result import ScanResult
from neardup_gui.models.setup import without_passwords
from neardup_gui.models.threshold import ThresholdModel, passage_choice
from neardup_gui.presenter.presenter import Presenter
from neardup_gui.views.setup.panel import ReviewerRow, SetupPanel
from neardup_gui.views.setup.reading_panel import ExclusionPanel, ReadingPanel
from neardup_gui.views.threshold.panel import ThresholdPanel
from neardup_gui.views.widgets.containers import Throttle, VerticalScrollArea
from neardup_gui.views.widgets.labels import LinkLabel
from neardup_gui.views.widgets.layouts import column_in, row_of

if TYPE_CHECKING:
    from core.reports.settings_file import SharedSettings
    from core.scan.pair_list import ListCounts

SIDE = 15
ALL, FEWER = N_("All settings…"), N_("Fewer settings")
REPORT_INTERVAL = 100  # milliseconds between two lists: the picture needs most of the time
REMEMBER_AFTER = 500  # milliseconds; a settings file is written for each


class SidePanels(QObject):
    """Connects the threshold and the setup with each other and with the scan."""

    def __init__(self, presenter: Presenter, preferences: Preferences, parent: QObject) -> None:
        super().__init__(parent)
        self._presenter = presenter
        self._preferences = preferences
        self._counts: ListCounts | None = None
        self.model = ThresholdModel(self)
        self._report = Throttle(REPORT_INTERVAL, self)
        self.threshold = ThresholdPanel(self.model)
        self.setup = SetupPanel()
        self.exclusions = ExclusionPanel()
        self.reading = ReadingPanel()
        self.reviewer = ReviewerRow()
        self._toggle = LinkLabel(gettext(ALL))
        self._toggle.clicked.connect(self._on_toggled)
        self.content = self._lay_out()
        self.set_detailed(preferences.detailed)
        self.setup.set_presets(preferences.presets)
        presenter.current.settings = preferences.scan
        if preferences.for_all is not None:
            self._follow_all(preferences.for_all)
        self._changed = self._remember_later()
        presenter.scans.settings_changed.connect(self._changed.start)
        self.setup.set_settings(presenter.current.settings)
        self._show_threshold(presenter.current.settings)
        self.model.moved.connect(self._report.call)
        self._report.triggered.connect(self._on_report_due)
        self.threshold.passages.toggled.connect(self._on_passages_toggled)
        self.threshold.judged.draw.clicked.connect(presenter.verdicts.draw)
        presenter.verdicts.so_far.value_changed.connect(self.model.set_judged)
        self.setup.setup_changed.connect(self._on_setup_changed)
        self.setup.rescan.button.clicked.connect(presenter.rescan)
        self.setup.preset_saved.connect(self._on_presets_changed)
        self.setup.preset_deleted.connect(self._on_presets_changed)
        self._connect_reviewer()
        presenter.reading.change(preferences.reading)
        self.reading.set_reading(presenter.current.reading)
        self.setup.reading.clicked.connect(self.edit_reading)
        self.reading.closed.connect(self.setup.setFocus)
        self.reading.reading_changed.connect(presenter.reading.change)
        self.reading.rescan.button.clicked.connect(presenter.rescan)
        presenter.reading.changed.connect(self._on_reading_changed)
        presenter.folders_opened.connect(self._on_folders_opened)
        presenter.restored.connect(self._on_restored)
        presenter.listed.connect(self._on_listed)

    def _follow_all(self, for_all: SharedSettings) -> None:
        """Begin with the settings for all users; show which of them are fixed."""
        current = self._presenter.current
        current.for_all, current.settings = for_all, for_all.allowed(current.settings)
        if "scan" in for_all.fixed:
            self.setup.set_fixed()
            self.threshold.set_fixed()
        if "reading" in for_all.fixed and for_all.reading:
            self.reading.set_fixed(for_all.reading)

    def _lay_out(self) -> VerticalScrollArea:
        both = QWidget()
        panels = (self.setup, self.threshold, self.exclusions, self.setup.details)
        end = row_of(self._toggle, 1, margins=(SIDE, 0, SIDE, SIDE))
        column_in(both, *panels, self.reading, self.reviewer, end, 1, margins=0, spacing=0)
        return VerticalScrollArea(both)

    def set_detailed(self, detailed: bool) -> None:
        """Show all settings, or those that are chosen at the beginning."""
        self.threshold.set_detailed(detailed)
        self.setup.details.setVisible(detailed)
        self._toggle.setText(gettext(FEWER if detailed else ALL))

    def show_curve(self, shown: bool) -> None:
        """Show the curve, unless there is a larger one in the window."""
        self.threshold.curve.setVisible(shown)

    def _on_toggled(self) -> None:
        detailed = not self._preferences.detailed
        self._preferences.detailed = detailed
        self.set_detailed(detailed)

    def take(self, settings: ScanSettings) -> None:
        """Show settings that were chosen elsewhere, and use them."""
        self.setup.set_settings(settings)
        self._on_setup_changed(settings)

    def edit_reading(self) -> None:
        """Lead to how files are read, to change it."""
        self._reveal(self.reading.edit())

    def edit_reading_field(self, field: str) -> None:
        """Lead to one setting of how files are read, to change it."""
        self._reveal(self.reading.edit_field(field))

    def _reveal(self, field: QWidget) -> None:
        # The fields have no place yet: they were hidden until now.
        QTimer.singleShot(0, self, partial(self.content.ensureWidgetVisible, field))

    def _on_reading_changed(self, reading: ReadingSettings) -> None:
        self._preferences.reading = reading
        self.reading.set_reading(without_passwords(reading))

    def _show_threshold(self, settings: ScanSettings) -> None:
        self.model.set_state(ThresholdState.of(settings))
        self._show_passages(settings)

    def _show_passages(self, settings: ScanSettings) -> None:
        """Show the choice about passages, with the number of pairs as the forecast below it."""
        self.threshold.set_passages(passage_choice(settings, self._counts))

    def _on_passages_toggled(self, listed: bool) -> None:
        self.setup.set_settings(self.setup.settings.with_changes(list_passages=listed))
        self._presenter.scans.change_settings(self.setup.settings)

    def _on_report_due(self) -> None:
        settings = self.model.state.in_settings(self._presenter.current.settings)
        self.setup.follow(settings)
        self._presenter.scans.change_settings(settings)

    def _on_setup_changed(self, settings: ScanSettings) -> None:
        self._show_threshold(settings)
        self._presenter.scans.change_settings(settings)

    def _on_restored(self, settings: ScanSettings) -> None:
        self.setup.set_settings(settings)
        self._show_threshold(settings)

    def _remember_later(self) -> QTimer:
        timer = QTimer(self, singleShot=True, interval=REMEMBER_AFTER)
        timer.timeout.connect(self._remember)
        return timer

    def remember(self) -> None:
        """Keep changed settings for the next window now, where that is still to be done."""
        if self._changed.isActive():
            self._changed.stop()
            self._remember()

    def _remember(self) -> None:
        self._preferences.scan = self._presenter.current.settings

    def _on_presets_changed(self) -> None:
        self._preferences.presets = self.setup.presets()

    def _connect_reviewer(self) -> None:
        name = self._presenter.current.who = self._preferences.reviewer
        self.reviewer.show_name(name, system_user())
        self.reviewer.named.connect(self.set_reviewer)

    def set_reviewer(self, name: str) -> None:
        """From now on verdicts are signed with this name; "" is the user of the system."""
        self.reviewer.show_name(name, system_user())
        self._preferences.reviewer = self._presenter.current.who = name

    def _on_folders_opened(self) -> None:
        self._counts = None
        self._show_passages(self.setup.settings)
        self.model.set_folder(None)
        self.setup.set_scanned(None)
        self.reading.set_scanned(None)

    def _on_listed(self, result: ScanResult) -> None:
        self._counts = result.pair_list.present_counts
        self._show_passages(self.setup.settings)
        of_run = result.folder.is_part_of_run
        self.setup.set_scanned(result.scan.settings, is_of_run=of_run)
        self.reading.set_scanned(result.reading, is_of_run=of_run)
        self.model.set_folder(result.folder if result.complete else None)
