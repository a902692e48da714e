"""Scans of the folders of a window, and lists of their pairs under other settings.

folders ─▶ SCAN ─▶ a result
other b, r or threshold ─▶ LIST ─▶ a result
other settings ─▶ kept for the next scan
"""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, Signal

from core.settings import ScanSettings
from neardup_gui.jobs.job import JobKind
from neardup_gui.jobs.queues import JobQueues
from neardup_gui.jobs.scans import ScanRequest, list_again, measure_again, scan_folders
from neardup_gui.jobs.threads import EngineThreads
from neardup_gui.models.scan_result import ScanResult
from neardup_gui.presenter.current import Current


class ScanSession(QObject):
    """Has one scan under way at a time.

    Signals:
        begun: A scan begins.
        submitted: It is under way.
        scanned: A `ScanResult`, and the one that the scan went on from or None.
        listed: A `ScanResult` of the same scan as before.
        settings_changed: The settings that the next scan uses.
    """

    begun = Signal()
    submitted = Signal()
    scanned = Signal(object, object)
    listed = Signal(object)
    settings_changed = Signal()

    def __init__(
        self,
        queues: JobQueues,
        threads: EngineThreads,
        current: Current,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._queues = queues
        self._threads = threads
        self._current = current

    def scan(
        self,
        folders: tuple[Path, ...],
        previous: ScanResult | None,
        moved: tuple[Path, Path] | None = None,
    ) -> None:
        """Scan folders, one of which may have moved from one place to another."""
        self.begun.emit()
        self._queues.drop(JobKind.OPEN)
        self._queues.cancel(JobKind.LIST)
        current = self._current
        before = current.up_to_date(previous) if previous else None
        reading, roles = current.reading, current.roles
        request = ScanRequest(folders, current.settings, before, reading, moved, roles)

        def scanned(result: ScanResult) -> None:
            self._queues.drop(JobKind.LIST)  # it lists the documents there were before the scan
            self.scanned.emit(result, previous)
            self.catch_up()

        self._queues.submit(JobKind.SCAN, scan_folders(request, self._threads), scanned)
        self.submitted.emit()

    def change_settings(self, settings: ScanSettings) -> None:
        """Use other settings: at once where only the bands differ, else with the next scan."""
        self._current.settings = settings
        result = self._current.result
        if result is not None and result.scan.settings.same_signatures(settings):
            self._queues.submit(JobKind.LIST, list_again(result, settings), self.listed.emit)
        self.settings_changed.emit()

    def change_bands(self, bands: int, rows: int, min_resemblance: float) -> None:
        """Use other bands, rows and threshold."""
        changed = {"bands": bands, "rows": rows, "min_resemblance": min_resemblance}
        self.change_settings(self._current.settings.with_changes(**changed))

    def catch_up(self) -> None:
        """List as was wished while a scan ran; its start may have stopped a list, too."""
        result = self._current.result
        if result is not None and result.settings != self._current.settings:
            self.change_settings(self._current.settings)

    def measure_again(self) -> None:
        """List again the pairs whose numbers in a review contradict their texts."""
        result = self._current.result
        if result is not None:
            self._queues.submit(
                JobKind.LIST, measure_again(result, self._threads), self.listed.emit
            )
