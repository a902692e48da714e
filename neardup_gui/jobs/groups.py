"""The groups of a list, made away from the window."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.base.tasks import stop_if
from neardup_gui.jobs.job import Reports, Work
from neardup_gui.models.scan_result import ScanResult

if TYPE_CHECKING:
    from core.scan.judgements import Judgements
    from neardup_gui.models.groups.grouped import GroupList


def make_groups(result: ScanResult, judgements: Judgements) -> Work:
    """Group the documents of a list, around the centres that were chosen."""

    def work(reports: Reports) -> GroupList:
        from neardup_gui.models.groups.grouped import group_list

        stop_if(reports.cancelled)
        return group_list(result, judgements)

    return work
