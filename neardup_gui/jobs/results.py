"""What a scan found, as the window shows it: made here, away from the window."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from core.documents.reading_settings import ReadingSettings
from core.errors import TooManyCandidatesError
from core.evidence.pairs import Pairs
from core.scan.pair_list import count_pairs
from neardup_gui.jobs.job import Reports
from neardup_gui.jobs.threads import EngineThreads
from neardup_gui.models.problems.groups import grouped
from neardup_gui.models.scan_result import DocumentNames, ScanResult
from neardup_gui.models.threshold.state import FolderPairs

if TYPE_CHECKING:
    from core.candidates.bit_forecast import KnownBits
    from core.documents.model import Document
    from core.scan.pair_list import PairList
    from core.scan.scan import Scan
    from core.scan.state import ScanState
    from core.settings import ScanSettings

__all__ = ["list_state", "make_result"]


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
    pairs = _of_present(found.pairs, names)  # as the bands know nothing of other documents
    folder = _folder_pairs(scan, settings, reports, found, pairs, complete=complete)
    _ = folder.bars, folder.fine_bars  # counted here, once, away from the window
    result = ScanResult(
        scan=scan,
        found=found,
        names=names,
        folder=folder,
        complete=complete,
        state=scan.state._replace(settings=settings) if complete else None,
        seconds=time.monotonic() - began,
        groups=known.groups if known else grouped(found.problems, documents),
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


def _folder_pairs(
    scan: Scan,
    settings: ScanSettings,
    reports: Reports,
    found: PairList,
    pairs: Pairs,
    *,
    complete: bool,
) -> FolderPairs:
    """What the threshold panel shows of the pairs of documents that are there."""
    counts = count_pairs(pairs, settings)
    return FolderPairs(
        found=pairs.resemblance[pairs.resemblance >= settings.min_resemblance],
        background=scan.background(reports.cancelled) if complete else np.zeros(0),
        documents=scan.present,
        listed=len(pairs),
        bands=settings.bands,
        rows=settings.rows,
        min_resemblance=settings.min_resemblance,
        by_passage=counts.below,
        by_reworked=counts.by_reworked,
        distance=settings.distance,
        signature=settings.signature,
        compared=found.compared,
        known=scan.known_pairs(settings, reports.cancelled) if complete else None,
        bits=_known_bits(scan, settings, reports) if complete else None,
        missing=len(found.documents) - scan.present if complete else 0,
    )


def _known_bits(scan: Scan, settings: ScanSettings, reports: Reports) -> KnownBits | None:
    """What is known of bits; None where signatures have bands."""
    from core.scan.measured_bits import known_bits

    if settings.distance is None:
        return None
    return known_bits(scan.corpus_for(settings), settings, reports.cancelled)


def _of_present(pairs: Pairs, names: DocumentNames) -> Pairs:
    """Those of some pairs whose documents are both there."""
    if not names.missing:
        return pairs
    missing = np.zeros(len(names), dtype=np.bool_)
    missing[names.missing] = True
    return pairs.take(~(missing[pairs.a] | missing[pairs.b]))


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
