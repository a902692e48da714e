"""The job that carries out decisions which change the list: other documents, texts that count."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from neardup_gui.jobs.job import Reports, Work
from neardup_gui.jobs.results import list_state
from neardup_gui.jobs.threads import EngineThreads
from neardup_gui.models.list_difference import ListDifference, difference_of
from neardup_gui.models.scan_result import ScanResult

if TYPE_CHECKING:
    from core.scan.state import HistoryEntry


class ChangedList(NamedTuple):
    """A list after some decisions.

    Attributes:
        entries: What was decided, in its order.
        result: The list.
        difference: What became of the pairs of the list before.
    """

    entries: tuple[HistoryEntry, ...]
    result: ScanResult
    difference: ListDifference


def change_list(
    result: ScanResult, entries: Sequence[HistoryEntry], threads: EngineThreads
) -> Work:
    """Carry decisions out on the documents of a list, and list their pairs again.

    Args:
        result: The complete list of a scan.
        entries: What was decided since, as the log has it.
        threads: What the pairs are listed on.
    """

    def work(reports: Reports) -> ChangedList:
        from core.review import decisions

        if result.state is None:
            raise ValueError("The scan has not come to its end.")
        state = decisions.carried_out(result.state, entries)
        listed = list_state(state, result, threads, reports)
        return ChangedList(tuple(entries), listed, difference_of(result, listed))

    return work
