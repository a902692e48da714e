"""What the jobs do.

The engine is imported inside the functions, on the worker thread, when it is first needed:
its compiled kernels are slow to import, and the window shall be up before.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from core.base.arrays import IntegerArray
from core.base.progress import stop_if
from core.documents.reading_settings import ReadingSettings
from core.errors import PreparationError, TooManyCandidatesError
from core.evidence.pairs import Pairs
from neardup_gui.jobs.job import Reports, Work
from neardup_gui.jobs.locks import ReviewLocks
from neardup_gui.jobs.threads import EngineThreads
from neardup_gui.models.compare.comparison import Comparison, PairNumbers, compare
from neardup_gui.models.compare.document_kind import Origin
from neardup_gui.models.problems.groups import grouped
from neardup_gui.models.scan_result import Names, PairKey, ScanResult
from neardup_gui.models.threshold.state import FolderPairs

if TYPE_CHECKING:
    from core.review import Review, ReviewLock
    from core.scan.flow import Scan
    from core.scan.pair_list import PairList
    from core.scan.state import ScanState
    from core.settings import ScanSettings

__all__ = [
    "OpenedPair",
    "OpenedReview",
    "SavedReport",
    "SavedReview",
    "compare_pair",
    "compile_other_kernels",
    "list_again",
    "list_state",
    "load_plotting",
    "open_review",
    "save_report",
    "save_review",
    "scan_folders",
    "warm_up",
]


USUAL_READING = ReadingSettings()


class OpenedPair(NamedTuple):
    """A pair, ready to be read; its numbers are those of its texts."""

    key: PairKey
    comparison: Comparison
    differs: bool = False  # from what the list says of it


class OpenedReview(NamedTuple):
    """A review, what it holds, and whether it may be saved."""

    review: Review
    result: ScanResult
    lock: ReviewLock


class SavedReview(NamedTuple):
    """A review that was written, the right to write it again, and what there is to say of it."""

    path: Path
    lock: ReviewLock
    notes: tuple[str, ...]


class SavedReport(NamedTuple):
    """A report that was written."""

    path: Path
    pairs: int


def warm_up() -> Work:
    """Load the engine's kernels, so that the first scan need not; compile those of the presets.

    Whoever is about to call them waits for the end of it (`core.program.preparation.wait`).
    """

    def work(reports: Reports) -> None:
        from core.program import preparation  # noqa: PLC0415 - slow to import

        preparation.begin()
        try:
            if not preparation.is_prepared():
                _prepare(reports)
            from core.scan.kernel_exercises import call_kernels  # noqa: PLC0415

            call_kernels()
        finally:
            preparation.finish()
        # The half a million objects of the compiler stay: looking through them again and again for
        # garbage would hold the window up for 80 ms each time.
        gc.freeze()

    return work


def _prepare(reports: Reports) -> None:
    from core.program import preparation  # noqa: PLC0415 - slow to import

    if not preparation.can_keep():
        reports.announce("Preparing the engine, as at every start: it can be kept in no folder")
        return
    reports.announce("Preparing the engine for this computer, once")
    with suppress(PreparationError):
        preparation.prepare(cancelled=reports.cancelled)


def compile_other_kernels() -> Work:
    """Compile the kernels that no preset needs, where that has not been done yet."""

    def work(reports: Reports) -> None:
        from core.program.preparation import OTHER, is_prepared, prepare  # noqa: PLC0415

        if not is_prepared(OTHER):
            with suppress(PreparationError):
                prepare(OTHER, cancelled=reports.cancelled)

    return work


def load_plotting() -> Work:
    """Import the plotting package, which takes half a second, where nobody waits for it."""

    def work(_reports: Reports) -> None:
        import_module("pyqtgraph")

    return work


def scan_folders(
    folders: Sequence[Path],
    settings: ScanSettings,
    threads: EngineThreads,
    previous: ScanResult | None = None,
    reading: ReadingSettings = USUAL_READING,
    moved: tuple[Path, Path] | None = None,
) -> Work:
    """Scan folders; previews and the result are `ScanResult`s.

    Args:
        folders: What to scan.
        settings: What to compare and how.
        threads: What the scan works on.
        previous: What was found in these folders before: unchanged files are not read again.
        reading: How files are read, and what one may cost.
        moved: A folder of that time, and where it is now.
    """

    def work(reports: Reports) -> ScanResult:
        from core.scan.flow import scan  # noqa: PLC0415
        from core.scan.removal import relocated  # noqa: PLC0415 - slow to import

        began = time.monotonic()
        known = _state_of(previous)
        scanned = scan(
            folders,
            settings,
            reading=reading,
            previous=relocated(known, *moved) if known and moved else known,
            progress=reports.progress,
            cancelled=reports.cancelled,
            announce=reports.announce,
            preview=lambda running: reports.preview(
                _list(running, settings, reports, reading=reading)
            ),
            pool=threads.pool(),
        )
        result = _list(scanned, settings, reports, complete=True, began=began, reading=reading)
        # Beside a scan that was cancelled nearly everything would count as added.
        told = previous is not None and previous.complete
        return replace(result, changes=scanned.changes if told else None)

    return work


def open_review(
    path: Path, threads: EngineThreads, locks: ReviewLocks, hold: Callable[[Review], object]
) -> Work:
    """Open a review and list its pairs.

    Args:
        path: The file.
        threads: What its pairs are listed on.
        locks: Where the right to save it is asked for; without it the review can be read.
        hold: Told of the review as soon as it is open, whatever becomes of the job: somebody has
            to close it when nothing reads its texts any more.
    """

    def work(reports: Reports) -> OpenedReview:
        from core import review  # noqa: PLC0415 - slow to import
        from core.scan.flow import Scan  # noqa: PLC0415

        began = time.monotonic()
        lock = locks.take(path)  # before it is read: nobody saves it in between
        opened = review.open_review(path, progress=reports.progress, cancelled=reports.cancelled)
        hold(opened)
        scan = Scan.restored(opened.state, threads.pool())
        result = _list(scan, scan.settings, reports, complete=True, began=began)
        return OpenedReview(opened, result, lock)

    return work


def save_review(path: Path, state: ScanState, locks: ReviewLocks) -> Work:
    """Write a review, unless another program may; the result says who else may."""

    def work(reports: Reports) -> SavedReview:
        from core import review  # noqa: PLC0415 - slow to import

        lock = locks.take(path)
        lock.require()
        notes = review.save_review(
            path, state, progress=reports.progress, cancelled=reports.cancelled
        )
        return SavedReview(path, lock, notes)

    return work


def list_again(result: ScanResult, settings: ScanSettings) -> Work:
    """List the pairs of a scan under other bands, rows or threshold; reads no file."""

    def work(reports: Reports) -> ScanResult:
        return _list(
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
    """List the pairs of a scan of which nothing is believed but the texts."""

    def work(reports: Reports) -> ScanResult:
        from core.review.measuring import measured_again  # noqa: PLC0415 - slow to import

        if result.state is None:
            return result
        state = measured_again(result.state, progress=reports.progress, cancelled=reports.cancelled)
        return list_state(state, result, threads, reports)

    return work


def compare_pair(result: ScanResult, key: PairKey, pair: Pairs) -> Work:
    """Find the shared passages of one pair and lay it out for the view."""

    def work(reports: Reports) -> OpenedPair:
        from core.evidence.passages import find_shared_text  # noqa: PLC0415
        from core.review.measuring import are_same, figures_of  # noqa: PLC0415 - slow to import

        a, b = int(pair.a[0]), int(pair.b[0])
        texts = (result.scan.texts[a], result.scan.texts[b])
        stop_if(reports.cancelled)
        own, figures = pair.figures(0), figures_of(*texts, result.settings)
        differs = not are_same(own, figures)
        figures = figures if differs else own
        passages, floor = find_shared_text(*texts, result.settings, reports.cancelled)
        stop_if(reports.cancelled)
        numbers = PairNumbers(
            resemblance=figures.resemblance,
            containment_a=figures.containment_a,
            containment_b=figures.containment_b,
            longest_run=figures.longest_run,
            run_words=figures.run_words,
            shared=figures.shared_shingles,
            unit=result.settings.unit,
            bag=result.settings.bag,
            shortest_passage=floor.tokens,
            passage_unit=floor.unit,
        )
        origins = (Origin.of(result.documents[a]), Origin.of(result.documents[b]))
        comparison = compare((key.a, key.b), texts, numbers, passages, origins)
        return OpenedPair(key, comparison, differs)

    return work


def save_report(path: Path, result: ScanResult, rows: IntegerArray, shown: str) -> Work:
    """Write the pairs the table shows; the ending of the file says how.

    Args:
        path: Where to.
        result: The pairs listed.
        rows: Those of them that are shown, in their order.
        shown: The filter and the order in a sentence, empty when there is none.
    """

    def work(reports: Reports) -> SavedReport:
        from core.reports import write_report  # noqa: PLC0415 - slow to import
        from core.reports.from_scan import report_of  # noqa: PLC0415

        report = report_of(
            result.scan,
            result.found,
            rows,
            shown=shown,
            finished=result.complete,
            cancelled=reports.cancelled,
        )
        write_report(path, report, progress=reports.progress, cancelled=reports.cancelled)
        return SavedReport(path, len(rows))

    return work


def _state_of(result: ScanResult | None) -> ScanState | None:
    """What a rescan need not read again; of a scan that was cancelled, as far as it came."""
    if result is None or result.state is not None:
        return result.state if result else None
    state = result.scan.state
    # A scan that failed while it took documents in has some of them without texts.
    whole = len(state.documents) == len(state.texts) == len(state.signed.units)
    return state if whole else None


def _list(
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
    documents, problems = found.documents, found.problems
    names = known.names if known else Names(documents)
    pairs = _of_present(found.pairs, names)  # as the bands know nothing of other documents
    folder = FolderPairs(
        found=pairs.resemblance[pairs.resemblance >= settings.min_resemblance],
        background=scan.background(reports.cancelled) if complete else np.zeros(0),
        documents=scan.present,
        listed=len(pairs),
        bands=settings.bands,
        rows=settings.rows,
        min_resemblance=settings.min_resemblance,
        by_passage=int(np.count_nonzero(pairs.resemblance < settings.min_resemblance)),
        distance=settings.distance,
        compared=found.compared,
        known=scan.known_pairs(settings, reports.cancelled) if complete else None,
        missing=len(documents) - scan.present if complete else 0,
    )
    _ = folder.bars  # counted here, once, away from the window
    return ScanResult(
        scan=scan,
        found=found,
        names=names,
        folder=folder,
        complete=complete,
        state=scan.state._replace(settings=settings) if complete else None,
        seconds=time.monotonic() - began,
        groups=known.groups if known else grouped(problems, documents),
        reading=reading,
        missing=len(documents) - scan.present if complete else 0,
        removed=len(scan.removed),
    )


def _of_present(pairs: Pairs, names: Names) -> Pairs:
    """Those of some pairs whose documents are both there."""
    if not names.marks:
        return pairs
    missing = np.zeros(len(names), dtype=np.bool_)
    missing[list(names.marks)] = True
    return pairs.take(~(missing[pairs.a] | missing[pairs.b]))


def list_state(
    state: ScanState, result: ScanResult, threads: EngineThreads, reports: Reports
) -> ScanResult:
    """The list of a scan whose state was changed, under the settings of the list before."""
    from core.scan.flow import Scan  # noqa: PLC0415 - slow to import

    began = time.monotonic()
    scan = Scan.restored(state, threads.pool())
    return _list(scan, result.settings, reports, complete=True, began=began, reading=result.reading)


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
        searched = settings if complete else settings.with_changes(compare="bands")
        found = scan.list_pairs(searched, progress=reports.progress, cancelled=reports.cancelled)
        return found.under(settings)
    except TooManyCandidatesError as error:
        # The scan is worth keeping: with other bands and rows it has an answer at once.
        return scan.empty_list(settings, str(error))
