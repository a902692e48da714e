"""Scans of folders, and other lists of their pairs; the engine is imported when they run."""

from __future__ import annotations

import gc
import os
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from core.base.memory import collector_paused
from core.base.messages import N_, gettext
from core.documents.model import Role, templates_among
from core.documents.reading_settings import ReadingSettings
from core.documents.submissions import LONGEST_AGO, are_versions, earlier_years, people_with_several
from core.errors import PreparationError, ReviewChangedError, ReviewError, TooManyCandidatesError
from core.reports.curve.state import folder_pairs
from core.scan.judgements import PairRows
from neardup_gui.jobs.locks import ReviewLocks
from neardup_gui.jobs.tasks import current_task
from neardup_gui.models.problems import grouped
from neardup_gui.models.scan_result import (
    DocumentNames,
    ListDifference,
    Questions,
    ScanResult,
    difference_of,
)
from neardup_gui.models.setup import ExclusionState, exclusion_state

if TYPE_CHECKING:
    from core.documents.model import Document
    from core.review import Review, ReviewLock
    from core.scan.history import HistoryEntry
    from core.scan.pair_list import PairList
    from core.scan.scan import Scan
    from core.scan.state import ScanState
    from core.settings import ScanSettings

MANY = 2_000  # documents, which the collector looks through in some 8 ms


def make_result(
    scan: Scan,
    settings: ScanSettings,
    *,
    complete: bool = False,
    began: float = 0.0,
    known: ScanResult | None = None,
    reading: ReadingSettings | None = None,
) -> ScanResult:
    """The pairs of a scan as it is now; the lists it still adds to are copied.

    `known` is a result of the same scan when it was complete: names and groups are taken from it.
    """
    pairs = _list_pairs(scan, settings, known, complete=complete)
    judgements = known.state.judgements if known and known.state else scan.decided.judgements
    if complete:
        from core.scan.pair_details import with_extra_pairs

        pairs = with_extra_pairs(scan, pairs, judgements)
    documents = pairs.documents
    names = known.names if known else DocumentNames(documents)
    of_run = scan.decided.part is not None
    folder = folder_pairs(scan, pairs, settings, complete=complete)
    # Counted here, once, away from the window.
    _ = folder.bars, folder.fine_bars, pairs.document_counts, pairs.present_counts
    state = scan.state._replace(settings=settings) if complete else None
    result = ScanResult(
        scan=scan,
        pair_list=pairs,
        names=names,
        folder=folder,
        rows=PairRows(pairs.rows, documents, known.rows.texts if known else None),
        exclusions=known.exclusions if known else _exclusions(state),
        complete=complete,
        state=state,
        seconds=time.monotonic() - began,
        groups=known.groups if known else grouped(pairs.problems, documents, is_part_of_run=of_run),
        reading=reading,
        missing=len(documents) - scan.present if complete else 0,
        removed=len(scan.removed),
        added=judgements.added,
        in_folders=known.in_folders if known else _in_folders(scan, documents),
    )
    if known is None and len(documents) > MANY:
        # They stay as long as their list and are in no cycle: looking through them for garbage held
        # the window up for 40 ms at 10,000, again and again.
        gc.freeze()
    return result


def _exclusions(state: ScanState | None) -> ExclusionState:
    """What is set aside; a scan that runs has no rules that could be changed."""
    if state is None:
        return ExclusionState()
    lengths = [document.characters for document in state.documents]
    templates = templates_among(state.documents)
    return exclusion_state(state.rules, state.set_aside, lengths, templates)


def _in_folders(scan: Scan, documents: Sequence[Document]) -> tuple[int, ...]:
    """How many of the present documents each folder has."""
    present = (document for document in documents if document.absence is None)
    numbers = Counter(scan.roles.folder_of(document.location) for document in present)
    return tuple(numbers[number] for number in range(len(scan.folders)))


def list_state(state: ScanState, result: ScanResult) -> ScanResult:
    """The list of a scan whose state was changed, under the settings of the list before."""
    from core.scan.scan import Scan

    began = time.monotonic()
    scan = Scan.restored(state, current_task().pool())
    listed = make_result(scan, result.settings, complete=True, began=began, reading=result.reading)
    asked = result.questions
    if asked.in_most:  # the next one, where this was set aside
        asked = asked._replace(in_most=scan.text_of_most(len(listed.pair_list.every)))
    return replace(listed, questions=asked)


def _list_pairs(
    scan: Scan, settings: ScanSettings, known: ScanResult | None, *, complete: bool
) -> PairList:
    """The pairs under these settings; taken from a known list where it has them."""
    if known and known.pair_list.answers(settings):
        return known.pair_list.under(settings)
    try:
        # While a scan runs, comparing all pairs again and again would hold it up.
        quick = settings.with_changes(compare="bands", reworked="off")
        searched = settings if complete else quick
        pairs = scan.list_pairs(searched, progress=current_task().progress)
        return pairs.under(settings)
    except TooManyCandidatesError as error:
        # The scan is worth keeping: with other bands and rows it has an answer at once.
        return scan.empty_list(settings, str(error))


DEFAULT_READING = ReadingSettings()
ALIKE = 0.3  # the overlap from which documents may be versions, as their names suggest
OPENED_AGAIN = 3  # times, where another program saves a review while it is opened
NOWHERE = N_(
    "Your decisions are kept until you close Neardup. To keep them for good, choose “Save review "
    "as…”."
)


class OpenedReview(NamedTuple):
    """A review, what it holds, and whether it may be saved."""

    review: Review
    result: ScanResult
    lock: ReviewLock


class SavedReview(NamedTuple):
    """A review that was written.

    Attributes:
        path: The file.
        lock: The right to write it again.
        notes: Sentences for the user about it.
        entries: How many entries of the log it has.
        is_saved: False where another program may save it, so that nothing was written.
    """

    path: Path
    lock: ReviewLock
    notes: tuple[str, ...]
    entries: int
    is_saved: bool = True


def open_review(path: Path, locks: ReviewLocks, hold: Callable[[Review], object]) -> OpenedReview:
    """Open a review and list its pairs; without the right to save it, it can be read.

    `hold` gets the review as soon as it is open, even if the task fails later: somebody has to
    close it when nothing reads its texts any more.
    """
    lock = locks.take(path)  # before reading: nobody saves it in between
    for _ in range(OPENED_AGAIN):  # except a program that holds the lock
        with suppress(ReviewChangedError):
            return _opened(path, lock, hold)
    return _opened(path, lock, hold)


def _opened(path: Path, lock: ReviewLock, hold: Callable[[Review], object]) -> OpenedReview:
    from core import review
    from core.scan.scan import Scan

    began = time.monotonic()
    with collector_paused():
        opened = review.open_review(path, progress=current_task().progress)
        hold(opened)
        scan = Scan.restored(opened.state, current_task().pool())
        result = make_result(scan, scan.settings, complete=True, began=began)
    return OpenedReview(opened, result, lock)


def resume_review(
    path: Path, locks: ReviewLocks, hold: Callable[[Review], object]
) -> OpenedReview | ReviewError:
    """Open the review of a folder; the result is the reason where it cannot be opened."""
    try:
        return open_review(path, locks, hold)
    except ReviewError as error:
        return error


def save_review(path: Path, state: ScanState, locks: ReviewLocks) -> SavedReview:
    """Write a review, unless another program holds its lock."""
    lock = locks.take(path)
    lock.require()
    return _saved(path, lock, state)


def begin_review(path: Path, state: ScanState, locks: ReviewLocks) -> SavedReview:
    """Write the review that a scan makes, unless another program has begun it meanwhile."""
    from core.review import Access
    from core.review.sidecar_files import explained

    try:
        with explained(path, "saved"):
            path.parent.mkdir(parents=True, exist_ok=True)
        lock = locks.take(path)
        if lock.access is Access.TAKEN:
            return SavedReview(path, lock, (), 0, is_saved=False)
        lock.require()
        return _saved(path, lock, state)
    except ReviewError as error:
        raise ReviewError(f"{error} {gettext(NOWHERE)}") from error


def complete_review(path: Path, locks: ReviewLocks) -> bool:
    """Merge what was saved beside a review into its file; returns whether that was done."""
    from core.review import finish

    with suppress(ReviewError):
        return locks.take(path).may_save and finish(path)
    return False


def _saved(path: Path, lock: ReviewLock, state: ScanState) -> SavedReview:
    from core import review

    notes = review.save_review(path, state, progress=current_task().progress)
    return SavedReview(path, lock, notes, len(state.log))


class ChangedList(NamedTuple):
    """A list after some decisions.

    Attributes:
        entries: The decisions, in order.
        result: The list.
        difference: What happened to the pairs of the list before.
    """

    entries: tuple[HistoryEntry, ...]
    result: ScanResult
    difference: ListDifference


def change_list(result: ScanResult, entries: Sequence[HistoryEntry]) -> ChangedList:
    """Carry decisions out on the documents of a complete list, and list their pairs again."""
    from core.review import decisions

    if result.state is None:
        raise ValueError("The scan is not finished.")
    state = decisions.carried_out(result.state, entries)
    listed = list_state(state, result)
    return ChangedList(tuple(entries), listed, difference_of(result, listed))


def warm_up() -> None:
    """Compile the engine's kernels of the presets, unless they are.

    A task that is about to call them waits until they are (`core.program.preparation.wait`).
    """
    from core.program import preparation

    preparation.begin()
    try:
        if not preparation.is_prepared():
            _prepare()
            _load_kernels()
    finally:
        preparation.finish()


def _load_kernels() -> None:
    from core.scan.exercises import call_kernels

    call_kernels()
    # The half a million objects of the compiler stay: looking through them again and again for
    # garbage would hold the window up for 80 ms each time.
    gc.freeze()


def _import_scan() -> None:
    """Import what a scan and its first pair need, else while their window is laid out first."""
    import core.reports.why_words
    import core.scan.flow
    import core.scan.pair_details
    import core.scan.passage_list
    import core.scan.properties  # noqa: F401


def _prepare() -> None:
    from core.program import preparation

    if not preparation.can_keep():
        current_task().preview(
            gettext("Preparing the engine (at every start, because no folder can be written to)")
        )
        return
    current_task().preview(gettext("Preparing the engine for this computer (only once)"))
    with suppress(PreparationError):
        preparation.prepare()


def prepare_rest() -> None:
    """Load what is needed soon, and compile the kernels that no preset needs, unless they are.

    It takes the interpreter for .4 s, so that whatever somebody waits for comes first.
    """
    from core.program.preparation import OTHER, is_prepared, prepare
    from core.program.startup import languages, own_name

    _import_scan()
    for code in languages():
        own_name(code)
    _load_kernels()  # last: what was imported before stays out of the collector's sight, too
    if not is_prepared(OTHER):
        with suppress(PreparationError):
            prepare(OTHER)


def scan_folders(
    folders: Sequence[Path],
    settings: ScanSettings,
    *,
    previous: ScanResult | None = None,
    reading: ReadingSettings = DEFAULT_READING,
    moved: tuple[Path, Path] | None = None,
    roles: Sequence[Role] = (),
) -> ScanResult:
    """Scan folders; previews and the result are `ScanResult`s.

    Args:
        folders: What to scan.
        settings: What to compare and how.
        previous: The last result of these folders: unchanged files are not read again.
        reading: How files are read, and what a file may cost.
        moved: A folder of `previous`, and where it is now.
        roles: What each folder is for; folders without a role are to review.
    """
    from core.documents.isolation.processes import ReaderProcesses

    began, task = time.monotonic(), current_task()
    with ReaderProcesses(reading) as processes:
        if "numba" not in sys.modules and previous is None:
            processes.start_ahead()  # on another core, while the engine is loaded
        from core.scan.flow import scan

        scanned = scan(
            folders,
            settings,
            roles=roles,
            reading=reading,
            previous=_state_before(previous, moved),
            progress=task.progress,
            announce=task.announce,
            preview=lambda running: task.preview(make_result(running, settings, reading=reading)),
            pool=task.pool(),
            processes=processes,
        )
    result = make_result(scanned, settings, complete=True, began=began, reading=reading)
    # Beside a scan that was cancelled nearly everything would count as added.
    is_comparable = previous is not None and previous.complete
    return replace(
        result,
        changes=scanned.changes if is_comparable else None,
        questions=Questions(
            people=0 if reading.submissions else people_with_several(result.names.shown),
            versions=not is_comparable and _are_versions(result),
            earlier=() if is_comparable else _earlier_years(scanned.folders, result.names.paths),
            in_most=scanned.text_of_most(len(result.pair_list.every)),
        ),
    )


def _are_versions(result: ScanResult) -> bool:
    """Whether names and texts are those of versions of a document; two open as such anyway."""
    alike = (result.pairs.overlap >= ALIKE) & (result.pairs.resemblance < 1)
    is_announced = bool(alike.any()) and not result.is_of_two_versions
    return is_announced and are_versions(result.names.shown)


def _earlier_years(folders: Sequence[Path], paths: Sequence[str]) -> tuple[Path, ...]:
    """The folders of earlier years in the only folder of a scan, or the latest beside it."""
    if len(folders) != 1:
        return ()
    folder = Path(os.path.abspath(folders[0]))
    within = (os.path.relpath(parent, folder) for parent in set(map(os.path.dirname, paths)))
    inside = {name.partition(os.sep)[0] for name in within}
    for name in inside if len(inside) <= LONGEST_AGO + 1 else ():  # one folder a year
        earlier = earlier_years(name, inside)
        if len(earlier) == len(inside) - 1 > 0 and all((folder / n).is_dir() for n in inside):
            return tuple(folder / older for older in earlier)
    with suppress(OSError), os.scandir(folder.parent) as beside:
        earlier = earlier_years(folder.name, (entry.name for entry in beside if entry.is_dir()))
        return tuple(
            folder.parent / name for name in earlier[-1:] if any((folder.parent / name).iterdir())
        )
    return ()


def list_again(result: ScanResult, settings: ScanSettings) -> ScanResult:
    """List the pairs of a scan under settings that it can answer for; reads no file."""
    listed = make_result(
        result.scan.searching(settings),
        settings,
        complete=result.complete,
        began=time.monotonic(),
        known=result if result.complete else None,
        reading=result.reading,
    )
    return replace(listed, questions=result.questions)


def measure_again(result: ScanResult) -> ScanResult:
    """List the pairs of a scan again from its texts alone."""
    from core.scan.state import measured_again

    if result.state is None:
        return result
    state = measured_again(result.state, progress=current_task().progress)
    return list_state(state, result)


def _state_before(previous: ScanResult | None, moved: tuple[Path, Path] | None) -> ScanState | None:
    """The state that need not be read again; of a cancelled scan, as far as it came."""
    if previous is None:
        return None
    state = previous.state
    if state is None:
        state = previous.scan.state
        # A scan that failed while it took documents in has some of them without texts.
        if not len(state.documents) == len(state.texts) == len(state.signed.units):
            return None
    if not moved:
        return state
    from core.review import decisions, folder_roles  # a first scan needs no reviews

    return decisions.decide(state, *folder_roles.found_elsewhere(*moved))
