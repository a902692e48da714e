"""The whole flow, stage by stage: a folder in, ranked pairs out.

find_documents ─▶ read and sign, in batches on all cores ─▶ Scan
Scan.pairs: core.scan.lister, from signatures over candidates and evidence to a ranked table
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from core.base.memory import check_room
from core.base.messages import N_
from core.base.tasks import Progress, ProgressReport, Stage, ignore
from core.documents import model
from core.documents.discovery import find_documents
from core.documents.isolation.processes import ReaderProcesses
from core.documents.problems import group_of
from core.documents.reading_settings import ReadingSettings
from core.documents.submissions import FoundSubmission
from core.errors import FolderError
from core.exclusions.rules import NO_RULES
from core.scan import rescan
from core.scan.changed_files import UnreadFiles, changes_of
from core.scan.exclusions import exclusions_after_rescan
from core.scan.ingest import Batch, FoundUnit, ingest_files
from core.scan.rescan import KnownDocuments
from core.scan.rescan_changes import decided_by_rescan
from core.scan.scan import Scan
from core.scan.state import ScanState, carried
from core.scan.submissions import as_submissions
from core.settings import ScanSettings

FIRST_PREVIEW = 500  # documents; previews follow at every doubling


class FilesToRead(NamedTuple):
    """What there is to read, with what, and who wants to know."""

    found_units: Sequence[FoundUnit]
    processes: ReaderProcesses
    progress: Progress

    def batches(
        self, settings: ScanSettings, known: KnownDocuments, pool: ThreadPoolExecutor
    ) -> Iterator[tuple[Batch, int]]:
        """What was read, batch by batch, and how many files that are so far."""
        done = 0
        self.progress(ProgressReport(Stage.READ, 0, len(self.found_units)))
        for batch in ingest_files(self.found_units, settings, known, self.processes, pool):
            done += batch.files
            yield batch, done
            self.progress(ProgressReport(Stage.READ, done, len(self.found_units)))


def read_all(result: Scan, files: FilesToRead, preview: Callable[[Scan], None] | None) -> None:
    """Read all files; show at every doubling what is there."""
    next_preview = FIRST_PREVIEW
    known = KnownDocuments(None, result.settings, files.processes.settings)
    for batch, done in files.batches(result.settings, known, result.pool):
        result.add(batch)
        if preview and len(result.documents) >= next_preview and done < len(files.found_units):
            preview(result)
            next_preview = 2 * len(result.documents)


def read_changes(fresh: Scan, previous: ScanState, files: FilesToRead) -> Scan:
    """Read what an earlier scan does not know; both together are the result."""
    current = previous if previous.texts_are_current else None
    known = KnownDocuments(current, fresh.settings, files.processes.settings)
    kept: list[rescan.KeptDocument] = []
    for batch, _ in files.batches(fresh.settings, known, fresh.pool):
        fresh.add(batch)
        kept += _with_roles(fresh, batch.kept)
    looked = rescan.SearchedFolders(
        [folder for folder in fresh.folders if folder not in fresh.unusable],
        fresh.problems,
        rescan.today(),
        outdated=current is None,
        files=_read_otherwise(files.found_units, previous),
    )
    now = [*(document.document for document in kept), *fresh.documents]
    matched = rescan.match_documents(previous.documents, now, looked)
    missed = _with_roles(fresh, matched.missed)
    unread = _unread_files(fresh, previous, files.found_units)
    previous = previous._replace(texts_are_current=True)  # what is there was just read
    changes = changes_of(previous.documents, now, matched, fresh.folders, fresh.unusable, unread)
    before = previous
    if missed and not known.are_signed:
        previous, missed = carried(previous, missed, fresh.settings, fresh.pool)
    result = fresh
    if kept or missed:
        result.join(previous, [*kept, *missed])
    if previous.rules or any(map(model.templates_among, (before.documents, result.documents))):
        result = result.with_rules(previous.rules, anew=True)
    elif exclusions := exclusions_after_rescan(before, now, matched, result.documents):
        result = result.with_exclusions(exclusions)
    result.changes = changes
    reading = current.read_with if current else None  # without one, all files were read anew
    if reading:
        kept_open = reading.archives and known.keeps_archives
        reading = replace(reading, archives=kept_open, passwords=())
    decided = decided_by_rescan(before, result, now, matched)
    result.decided = decided._replace(kept_reading=reading)
    return result


def _read_otherwise(found: Sequence[FoundUnit], previous: ScanState) -> rescan.ReadFiles:
    """The files that are read together, and by themselves; none where nothing ever was together."""
    submissions = [unit for unit in found if isinstance(unit, FoundSubmission)]
    if not submissions and not any(document.members for document in previous.documents):
        return rescan.ReadFiles()
    absolute = rescan.AbsolutePaths()
    alone = [
        Path(absolute.of(unit.location)) for unit in found if isinstance(unit, model.FoundFile)
    ]
    judged_keys = {*previous.judgements.verdicts, *previous.judgements.notes}
    return rescan.ReadFiles(
        alone={str(path) for file in alone for path in (file, *file.parents)},
        together={absolute.of(file.location) for unit in submissions for file in unit.files},
        judged={key for pair in judged_keys for key in pair},
    )


def _unread_files(fresh: Scan, previous: ScanState, found: Sequence[FoundUnit]) -> UnreadFiles:
    before, now = (
        {problem.name: problem.sha256 for problem in problems}
        for problems in (previous.problems, fresh.problems)
    )
    absolute = rescan.AbsolutePaths()
    folders = [[absolute.of(str(folder)) for folder in scan.folders] for scan in (previous, fresh)]
    are_alike = folders[0] == folders[1] and previous.texts_are_current
    compared = found if are_alike and (before or now) else ()
    names = (unit.name for unit in compared if isinstance(unit, model.FoundFile))
    calm = {problem.name for problem in fresh.problems if group_of(problem).is_calm}
    return UnreadFiles(before, now, {*names}, calm)


def _with_roles(scan: Scan, kept: Sequence[rescan.KeptDocument]) -> list[rescan.KeptDocument]:
    """Documents of an earlier scan with the roles they have now."""
    documents = scan.roles.assigned(document.document for document in kept)
    return [document._replace(document=now) for document, now in zip(kept, documents, strict=True)]


USUAL_READING = ReadingSettings()
PART_OF_RUN = N_(
    "This review is a part of a run on a cluster, “{name}”: no folder of it can be scanned again, "
    "and none be added. Run neardup spark scan again, and import what you want to see."
)


def scan(  # noqa: PLR0913 - all but the first two by name, each with a default
    folders: Sequence[Path],
    settings: ScanSettings,
    *,
    roles: Sequence[model.Role] = (),
    reading: ReadingSettings = USUAL_READING,
    previous: ScanState | None = None,
    progress: Progress = ignore,
    preview: Callable[[Scan], None] | None = None,
    announce: Callable[[str], object] = str,
    pool: ThreadPoolExecutor | None = None,
    processes: ReaderProcesses | None = None,
) -> Scan:
    """Read the documents of some folders and sign them; ask the result for its pairs.

    Args:
        folders: Folders (or single files) to read.
        settings: What to compare and how.
        roles: What each folder is for; others are to review.
        reading: How files are read, and what one may cost.
        previous: An earlier scan, of which only what changed is read (see `core.scan.rescan`).
        progress: Told the stage and the number of documents.
        preview: Called while documents are read, with those that are there; not with `previous`.
        announce: Told in a sentence what is done differently because memory is short.
        pool: The caller's threads to work on; the scan has its own when left out.
        processes: Those that read with the same settings, closed when all is read; as `pool`.

    Raises:
        FolderError: A folder cannot be used, and there is no earlier scan; or roles forbid it.
        StorageError: There is not enough memory or disk for these documents.
    """
    progress(ProgressReport(Stage.DISCOVER, 0, 0))
    if previous is not None and previous.part is not None:
        raise FolderError(PART_OF_RUN, name=previous.part.run.name)
    model.check_roles(folders, roles)
    unusable: dict[Path, str] | None = {} if previous else None  # what was there may be gone
    files, problems = find_documents(folders, progress=progress, unusable=unusable)
    known = {*(previous.folders if previous else ()), *(unusable or ())}
    locations = (file.location for file in files)
    model.check_found(folders, model.FolderRoles(folders, roles), locations, known)
    if warning := check_room(sum(file.size for file in files)):
        announce(warning)
    result = Scan(settings, tuple(folders), problems, warning, pool, roles)
    result.reading, result.unusable = reading, unusable or {}
    try:
        units = as_submissions(files, result.folders, reading, previous)
        with processes or ReaderProcesses(reading) as readers:
            to_read = FilesToRead(units, readers, progress)
            if previous is not None:
                return read_changes(result, previous, to_read)
            read_all(result, to_read, preview)
            if model.templates_among(result.documents):
                return result.with_rules(NO_RULES)
            return result
    except BaseException:
        result.close()
        raise
