"""What a report for people says: one module for each of its parts, without a format.

To add a part, write a function that gives its sections (none where there is nothing to say) and add
it to `PARTS`. A section costs nothing until its blocks are read, so thousands of pairs are asked
for one by one while they are written.
"""

from __future__ import annotations

from collections.abc import Iterator

from core.base.progress import Cancelled, Progress, ignore, never
from core.reports.blocks import Section
from core.reports.limits import ReportLimits
from core.reports.model import Report
from core.reports.sections.aside import aside
from core.reports.sections.audit import audit
from core.reports.sections.curve import curve
from core.reports.sections.documents import documents
from core.reports.sections.groups import groups
from core.reports.sections.head import head_of
from core.reports.sections.judged import judged
from core.reports.sections.method import method
from core.reports.sections.pairs import pairs
from core.reports.sections.passages import pair_sections, passages
from core.reports.sections.problems import missing, problems, remarks
from core.reports.sections.summary import summary
from core.reports.sections.who import who

__all__ = ["contents", "head_of", "sections"]

PARTS = (
    summary,
    pairs,
    groups,
    method,
    curve,
    audit,
    judged,
    aside,
    documents,
    missing,
    problems,
    remarks,
    who,
    passages,  # the pairs follow it
)


def sections(
    report: Report,
    limits: ReportLimits,
    progress: Progress = ignore,
    cancelled: Cancelled = never,
) -> Iterator[Section]:
    """All sections of a report in their order, each to be written before the next is asked for.

    Args:
        report: What to tell.
        limits: How much of everything.
        progress: Told how many pairs are written.
        cancelled: Polled before each pair.

    Raises:
        ScanCancelledError: `cancelled` said so.
    """
    for part in PARTS:
        yield from part(report, limits)
    yield from pair_sections(report, limits, progress, cancelled)


def contents(report: Report, limits: ReportLimits) -> Iterator[Section]:
    """The sections that the list of contents names, in their order."""
    for part in PARTS:
        yield from (section for section in part(report, limits) if section.label)
