"""Scans of folders, and other lists of their pairs; the engine is imported when they run."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from core.documents.reading_settings import ReadingSettings
from neardup_gui.jobs.job import Reports, Work
from neardup_gui.jobs.results import list_state, make_result
from neardup_gui.jobs.threads import EngineThreads
from neardup_gui.models.scan_result import ScanResult

if TYPE_CHECKING:
    from core.documents.model import Role
    from core.scan.state import ScanState
    from core.settings import ScanSettings


class ScanRequest(NamedTuple):
    """What to scan and how.

    Attributes:
        folders: What to scan.
        settings: What to compare and how.
        previous: What was found in these folders before: unchanged files are not read again.
        reading: How files are read, and what one may cost.
        moved: A folder of that time, and where it is now.
        roles: What each folder is for; those that are left out are to review.
    """

    folders: Sequence[Path]
    settings: ScanSettings
    previous: ScanResult | None = None
    reading: ReadingSettings = ReadingSettings()
    moved: tuple[Path, Path] | None = None
    roles: Sequence[Role] = ()


def scan_folders(request: ScanRequest, threads: EngineThreads) -> Work:
    """Scan folders on the threads of a window; previews and the result are `ScanResult`s."""

    def work(reports: Reports) -> ScanResult:
        from core.scan.flow import scan

        began = time.monotonic()
        settings, reading, previous = request.settings, request.reading, request.previous
        scanned = scan(
            request.folders,
            settings,
            roles=request.roles,
            reading=reading,
            previous=_state_before(request),
            progress=reports.progress,
            cancelled=reports.cancelled,
            announce=reports.announce,
            preview=lambda running: reports.preview(
                make_result(running, settings, reports, reading=reading)
            ),
            pool=threads.pool(),
        )
        result = make_result(
            scanned, settings, reports, complete=True, began=began, reading=reading
        )
        # Beside a scan that was cancelled nearly everything would count as added.
        told = previous is not None and previous.complete
        return replace(result, changes=scanned.changes if told else None)

    return work


def list_again(result: ScanResult, settings: ScanSettings) -> Work:
    """List the pairs of a scan under other bands, rows or threshold; reads no file."""

    def work(reports: Reports) -> ScanResult:
        return make_result(
            result.scan,
            settings,
            reports,
            complete=result.complete,
            began=time.monotonic(),
            known=result if result.complete else None,
            reading=result.reading,
        )

    return work


def measure_again(result: ScanResult, threads: EngineThreads) -> Work:
    """List the pairs of a scan again from its texts alone."""

    def work(reports: Reports) -> ScanResult:
        from core.review.stored_scan import measured_again

        if result.state is None:
            return result
        state = measured_again(result.state, progress=reports.progress, cancelled=reports.cancelled)
        return list_state(state, result, threads, reports)

    return work


def _state_before(request: ScanRequest) -> ScanState | None:
    """What need not be read again; of a scan that was cancelled, as far as it came."""
    previous = request.previous
    if previous is None:
        return None
    state = previous.state
    if state is None:
        state = previous.scan.state
        # A scan that failed while it took documents in has some of them without texts.
        if not len(state.documents) == len(state.texts) == len(state.signed.units):
            return None
    if not request.moved:
        return state
    from core.review import (
        decisions,  # a first scan needs no reviews
        folder_roles,
    )

    return decisions.decide(state, *folder_roles.found_elsewhere(*request.moved))
