"""The files that a report is of, read once more as it says that they were read."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from core.base.progress import Cancelled, Progress
from core.documents import FoundFile, ReaderProcesses
from core.documents.discovery import find_documents
from core.documents.roles import templates_among
from core.reports.withheld.key import NameKey
from core.scan.reading import FilesToRead, read_all
from core.scan.scan import Scan
from core.scan.submissions import as_submissions
from core.verify.claims import Claims


class FilesAgain(NamedTuple):
    """What was read.

    Attributes:
        scan: The scan of the files that the report is of, to be closed by the caller.
        others: The names of files that are there and not in the report.
    """

    scan: Scan
    others: Sequence[str]


def read_again(
    claims: Claims,
    folders: Sequence[Path],
    key: NameKey | None,
    progress: Progress,
    cancelled: Cancelled,
) -> FilesAgain:
    """Read and sign the documents of a report.

    Raises:
        NeardupError: The folders cannot be read.
        ScanCancelledError: `cancelled` said so.
    """
    found, problems = find_documents(folders, cancelled=cancelled)
    own = _recorded(found, claims, key)
    others = sorted({one.name for one in found} - {one.name for one in own})
    scan = Scan(claims.settings, tuple(folders), problems, roles=claims.roles)
    try:
        scan.reading = claims.reading
        units = as_submissions(own, scan.folders, claims.reading, None)
        with ReaderProcesses(claims.reading) as processes:
            read_all(scan, FilesToRead(units, processes, progress, cancelled), None)
        if claims.rules or templates_among(scan.documents):
            scan = scan.with_rules(claims.rules, cancelled)
    except BaseException:
        scan.close()
        raise
    return FilesAgain(scan, others)


def _recorded(
    found: Sequence[FoundFile], claims: Claims, key: NameKey | None
) -> Sequence[FoundFile]:
    """The files that were compared: those that came since decide nothing in the report.

    A document is a file, a part of one, or a submission with several. A report about some documents
    does not name the others: then all files count.
    """
    if claims.is_partial:
        return found
    told = [row["document"] for row in claims.rows("languages")]
    told += [row["path"] for name in ("problems", "other_files") for row in claims.rows(name)]
    names = {key.name_of(one) if key else one for one in told}
    holders = {above for name in names for above in _above(name)}
    return [
        one
        for one in found
        if one.name in names or one.name in holders or not names.isdisjoint(_above(one.name))
    ]


def _above(name: str) -> list[str]:
    """What a file may be in: "a/b/c" in "a" and "a/b"."""
    steps = name.split("/")
    return ["/".join(steps[:count]) for count in range(1, len(steps))]
