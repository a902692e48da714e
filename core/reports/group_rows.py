"""The groups as other programs read them."""

from __future__ import annotations

from collections.abc import Iterator

from core.base.progress import Cancelled, stop_if
from core.reports.model import Report

DIGITS = 9


def group_rows(report: Report, cancelled: Cancelled) -> Iterator[dict[str, object]]:
    """The groups, largest first, with centre, copies, chosen and members as keys.

    Raises:
        ScanCancelledError: `cancelled` said so.
    """
    for group in report.groups:
        stop_if(cancelled)
        yield {
            "centre": report.name_of(group.centre),
            "copies": [report.name_of(copy) for copy in group.copies],
            "chosen": group.is_chosen,
            "members": [
                {
                    "document": report.name_of(member.document),
                    "resemblance": round(member.resemblance, DIGITS),
                    "copies": [report.name_of(copy) for copy in member.copies],
                }
                for member in group.members
            ],
        }
