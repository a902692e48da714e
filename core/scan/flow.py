"""The whole flow, stage by stage: a folder in, ranked pairs out.

find_documents ─▶ read and sign, in batches on all cores ─▶ Scan
Scan.pairs: core.scan.lister, from signatures over candidates and evidence to a ranked table
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from core.aside.rules import NO_RULES
from core.base.memory import check_room
from core.base.progress import Cancelled, Progress, ProgressReport, Stage, ignore, never
from core.documents import FoundFile, Problem, ReaderProcesses, ReadingSettings, find_documents
from core.documents.roles import FolderRoles, Role, check_found, check_roles, templates_among
from core.errors import FolderError
from core.scan.reading import FilesToRead, read_all, read_changes
from core.scan.scan import Scan
from core.scan.state import ScanState
from core.scan.submissions import as_submissions
from core.settings import ScanSettings

USUAL_READING = ReadingSettings()
PART_OF_RUN = (
    "This review is a part of a run on a cluster, “{name}”: no folder of it can be scanned again, "
    "and none be added. Run neardup spark scan again, and import what you want to see."
)


def scan(  # noqa: PLR0913 - all but the first two by name, each with a default
    folders: Sequence[Path],
    settings: ScanSettings,
    *,
    roles: Sequence[Role] = (),
    reading: ReadingSettings = USUAL_READING,
    previous: ScanState | None = None,
    progress: Progress = ignore,
    cancelled: Cancelled = never,
    preview: Callable[[Scan], None] | None = None,
    announce: Callable[[str], object] = str,
    pool: ThreadPoolExecutor | None = None,
) -> Scan:
    """Read the documents of some folders and sign them; ask the result for its pairs.

    Args:
        folders: Folders (or single files) to read.
        settings: What to compare and how.
        roles: What each folder is for; others are to review.
        reading: How files are read, and what one may cost.
        previous: An earlier scan, of which only what changed is read (see `core.scan.rescan`).
        progress: Told the stage and the number of documents.
        cancelled: Polled between documents, and while threads work.
        preview: Called while documents are read, with those that are there; not with `previous`.
        announce: Told in a sentence what is done differently because memory is short.
        pool: The caller's threads to work on; the scan has its own when left out.

    Raises:
        FolderError: A folder cannot be used, and there is no earlier scan; or roles forbid it.
        StorageError: There is not enough memory or disk for these documents.
        ScanCancelledError: `cancelled` said so.
    """
    progress(ProgressReport(Stage.DISCOVER, 0, 0))
    unusable: dict[Path, str] | None = {} if previous else None
    found, problems = _found(folders, roles, previous, unusable, cancelled)
    if warning := check_room(sum(file.size for file in found)):
        announce(warning)
    result = Scan(settings, tuple(folders), problems, warning, pool, roles)
    result.reading, result.unusable = reading, unusable or {}
    return _read(result, found, previous, preview, progress, cancelled)


def _found(
    folders: Sequence[Path],
    roles: Sequence[Role],
    previous: ScanState | None,
    unusable: dict[Path, str] | None,
    cancelled: Cancelled,
) -> tuple[list[FoundFile], list[Problem]]:
    """The files in folders, where there is something to compare; what was there may be gone."""
    if previous is not None and previous.part is not None:
        raise FolderError(PART_OF_RUN.format(name=previous.part.run.name))
    check_roles(folders, roles)
    found, problems = find_documents(folders, cancelled=cancelled, unusable=unusable)
    locations = (file.location for file in found)
    known = {*(previous.folders if previous else ()), *(unusable or ())}
    check_found(folders, FolderRoles(folders, roles), locations, known)
    return found, problems


def _read(
    result: Scan,
    found: Sequence[FoundFile],
    previous: ScanState | None,
    preview: Callable[[Scan], None] | None,
    progress: Progress,
    cancelled: Cancelled,
) -> Scan:
    reading = result.reading or USUAL_READING
    try:
        units = as_submissions(found, result.folders, reading, previous)
        with ReaderProcesses(reading) as processes:
            files = FilesToRead(units, processes, progress, cancelled)
            if previous is not None:
                return read_changes(result, previous, files)
            read_all(result, files, preview)
            if templates_among(result.documents):
                return result.with_rules(NO_RULES, cancelled)
            return result
    except BaseException:
        result.close()
        raise
