"""The files of a scan to its documents: all of them, or what an earlier scan does not know."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, NamedTuple

from core.base.progress import Cancelled, Progress, ProgressReport, Stage
from core.documents import ReaderProcesses
from core.documents.roles import templates_among
from core.scan.changes import changes_of
from core.scan.earlier_scan import KnownDocuments
from core.scan.joining import carried
from core.scan.news import decided_by_rescan
from core.scan.read_and_sign import Batch, Found, KeptDocument, take_in
from core.scan.rescan import SearchedPlaces, match_documents, today
from core.scan.setting_aside import still_aside
from core.scan.state import ScanState
from core.settings import ScanSettings

if TYPE_CHECKING:
    from core.scan.scan import Scan

FIRST_PREVIEW = 500  # documents; previews follow at every doubling


class FilesToRead(NamedTuple):
    """What there is to read, with what, and who wants to know."""

    found: Sequence[Found]
    processes: ReaderProcesses
    progress: Progress
    cancelled: Cancelled

    def batches(
        self, settings: ScanSettings, known: KnownDocuments, pool: ThreadPoolExecutor
    ) -> Iterator[tuple[Batch, int]]:
        """What was read, batch by batch, and how many files that are so far."""
        done = 0
        self.progress(ProgressReport(Stage.READ, 0, len(self.found)))
        for batch in take_in(self.found, settings, known, self.processes, pool, self.cancelled):
            done += batch.files
            yield batch, done
            self.progress(ProgressReport(Stage.READ, done, len(self.found)))


def read_all(result: Scan, files: FilesToRead, preview: Callable[[Scan], None] | None) -> None:
    """Read all files; show at every doubling what is there."""
    next_preview = FIRST_PREVIEW
    known = KnownDocuments(None, result.settings, files.processes.settings)
    for batch, done in files.batches(result.settings, known, result.pool):
        result.add(batch)
        if preview and len(result.documents) >= next_preview and done < len(files.found):
            preview(result)
            next_preview = 2 * len(result.documents)


def read_changes(fresh: Scan, previous: ScanState, files: FilesToRead) -> Scan:
    """Read what an earlier scan does not know; both together are the result."""
    current = previous if previous.texts_are_current else None
    known = KnownDocuments(current, fresh.settings, files.processes.settings)
    kept: list[KeptDocument] = []
    for batch, _ in files.batches(fresh.settings, known, fresh.pool):
        fresh.add(batch)
        kept += _with_roles(fresh, batch.kept)
    looked = SearchedPlaces(
        [folder for folder in fresh.folders if folder not in fresh.unusable],
        fresh.problems,
        today(),
        outdated=current is None,
    )
    now = [*(one.document for one in kept), *fresh.documents]
    matched = match_documents(previous.documents, now, looked)
    missed = _with_roles(fresh, [KeptDocument(*one) for one in matched.missed])
    previous = previous._replace(texts_are_current=True)  # what is there was just read
    changes = changes_of(previous.documents, now, matched, fresh.folders, fresh.unusable)
    before = previous
    if missed and not known.are_signed:
        previous, missed = carried(previous, missed, fresh.settings, fresh.pool, files.cancelled)
    result = fresh.joined(previous, [*kept, *missed]) if kept or missed else fresh
    if previous.rules or any(map(templates_among, (before.documents, result.documents))):
        result = result.with_rules(previous.rules, files.cancelled, anew=True)
    elif aside := still_aside(before, now, matched, result.documents):
        result = result.with_set_aside(aside, files.cancelled)
    result.changes = changes
    result.decided = decided_by_rescan(before, result, now, matched, files.cancelled)
    return result


def _with_roles(scan: Scan, kept: Sequence[KeptDocument]) -> list[KeptDocument]:
    """Documents of an earlier scan with the roles they have now."""
    documents = scan.roles.assigned(one.document for one in kept)
    return [one._replace(document=now) for one, now in zip(kept, documents, strict=True)]
