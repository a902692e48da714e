"""What every setting of bands and rows would do, counted away from the window."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from neardup_gui.jobs.job import Reports, Work
from neardup_gui.models.scan_result import ScanResult

if TYPE_CHECKING:
    from core.candidates.plane import Plane


def make_plane(result: ScanResult) -> Work:
    """The plane of a scan, from all that was measured for this list and those before it."""

    def work(reports: Reports) -> Plane | None:
        from core.scan.measured_pairs import measured_plane

        import_module("pyqtgraph")  # draws the map: half a second for which nobody waits here

        settings, of_run = result.settings, result.folder.is_part_of_run
        corpus = result.scan.corpus_for(settings)
        return measured_plane(corpus, settings, reports.cancelled, is_part_of_run=of_run)

    return work
