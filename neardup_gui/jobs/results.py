"""What a scan found, as the window shows it: made here, away from the window."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from core.documents.reading_settings import ReadingSettings
from core.errors import TooManyCandidatesError
from core.reports.curve.state import folder_pairs
from neardup_gui.jobs.job import Reports
from neardup_gui.jobs.threads import EngineThreads
from neardup_gui.models.problems.groups import grouped
from neardup_gui.models.scan_result import DocumentNames, ScanResult

if TYPE_CHECKING:
    from core.documents.model import Document
    from core.scan.pair_list import PairList
    from core.scan.scan import Scan
    from core.scan.state import ScanState
    from core.settings import ScanSettings


def make_result(
    scan: Scan,
    settings: ScanSettings,
    reports: Reports,
    *,
    complete: bool = False,
    began: float = 0.0,
    known: ScanResult | None = None,
    reading: ReadingSettings | None = None,
) -> ScanResult:
    """The pairs of a scan as it is now; the lists it still adds to are copied.

    `known` is a result of the same scan when it was complete: its documents are told no more.
    """
    found = _found(scan, settings, reports, known, complete=complete)
    documents = found.documents
    names = known.names if known else DocumentNames(documents)
    of_run = scan.decided.part is not None
    folder = folder_pairs(scan, found, settings, complete=complete, cancelled=reports.cancelled)
    _ = folder.bars, folder.fine_bars  # counted here, once, away from the window
    result = ScanResult(
        scan=scan,
        found=found,
        names=names,
        folder=folder,
        complete=complete,
        state=scan.state._replace(settings=settings) if complete else None,
        seconds=time.monotonic() - began,
        groups=known.groups if known else grouped(found.problems, documents, is_part_of_run=of_run),
        reading=reading,
        missing=len(documents) - scan.present if complete else 0,
        removed=len(scan.removed),
        in_folders=known.in_folders if known else _in_folders(scan, documents),
    )
    _ = result.rows, found.document_counts  # found here, once, away from the window
    return result


def _in_folders(scan: Scan, documents: Sequence[Document]) -> tuple[int, ...]:
    """How many of the documents that are there each folder has."""
    there = (one for one in documents if one.absence is None)
    numbers = Counter(scan.roles.folder_of(str(one.path)) for one in there)
    return tuple(numbers[number] for number in range(len(scan.folders)))


def list_state(
    state: ScanState, result: ScanResult, threads: EngineThreads, reports: Reports
) -> ScanResult:
    """The list of a scan whose state was changed, under the settings of the list before."""
    from core.scan.scan import Scan

    began = time.monotonic()
    scan = Scan.restored(state, threads.pool())
    return make_result(
        scan, result.settings, reports, complete=True, began=began, reading=result.reading
    )


def _found(
    scan: Scan,
    settings: ScanSettings,
    reports: Reports,
    known: ScanResult | None,
    *,
    complete: bool,
) -> PairList:
    """The pairs under these settings; what is known already is not looked for again."""
    if known and known.found.answers(settings):
        return known.found.under(settings)
    try:
        # While a scan runs, comparing all pairs again and again would hold it up.
        quick = settings.with_changes(compare="bands", reworked="off")
        searched = settings if complete else quick
        found = scan.list_pairs(searched, progress=reports.progress, cancelled=reports.cancelled)
        return found.under(settings)
    except TooManyCandidatesError as error:
        # The scan is worth keeping: with other bands and rows it has an answer at once.
        return scan.empty_list(settings, str(error))
