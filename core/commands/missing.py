"""What a rescan on the command line says of documents that are not there."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING

from core.errors import FolderError

if TYPE_CHECKING:
    from core.reports.model import Report
    from core.scan.scan import Scan


def refuse_unusable(result: Scan) -> None:
    """Raise for a folder that cannot be looked into: it may be a share that is not connected.

    Raises:
        FolderError: There is one.
    """
    for reason in result.unusable.values():
        raise FolderError(reason)


def without_gone(result: Scan, stack: ExitStack) -> Scan:
    """The scan without the documents that are gone for sure; `stack` closes it."""
    from core.review.decisions import decide
    from core.review.missing_documents import remove
    from core.scan.removal import gone_for_sure
    from core.scan.scan import Scan

    state = result.state
    if gone := gone_for_sure(state):
        state = decide(state, *remove(gone))
    again = Scan.restored(state)
    stack.callback(again.close)
    again.changes = result.changes
    return again


def print_changes(result: Scan) -> None:
    """One sentence on the files that are not as they were."""
    from core.scan.changes import in_words

    if result.changes:
        print(in_words(result.changes))


def print_missing(result: Scan, report: Report, show: int) -> None:
    """What is compared although it is not there, at most so many, and what is off the list."""
    from core.base.wording import counted, printable_name
    from core.scan.removal import empty_folders

    if report.missing:
        print(f"Kept with the text of an earlier scan: {counted(len(report.missing), 'document')}")
    for document in report.missing[:show]:
        print(f"  {document.marked_name}")
    if len(report.missing) > show:
        print(f"  … and {len(report.missing) - show:,} more; --show N prints more.")
    for folder in empty_folders(result.state):
        print(f"No document is left in {printable_name(str(folder))}. Is it connected?")
    if result.removed:
        count = counted(len(result.removed), "document")
        print(f"Not listed, kept in the review: {count} that you took off the list")
