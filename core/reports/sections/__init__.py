"""What a report for people says: one module for each of its parts, without a format.

To add a part, write a function that gives its sections (none where there is nothing to say) and add
it to `PARTS`, or to `APPENDIX` where it is no evidence. A section costs nothing until its blocks
are read, so thousands of pairs are asked for one by one while they are written.
"""

from __future__ import annotations

from collections.abc import Iterator

from core.base.tasks import Progress, ignore
from core.reports.blocks import Section
from core.reports.limits import ReportLimits
from core.reports.model import Report
from core.reports.sections.audit import audit, curve, exclusions
from core.reports.sections.documents import (
    documents,
    file_properties,
    groups,
    missing,
    problems,
    remarks,
)
from core.reports.sections.pairs import judged, pair_sections, pairs, passages
from core.reports.sections.summary import Part, head_of, method, summary, who

__all__ = ["contents", "head_of", "sections"]

PARTS: tuple[Part, ...] = (summary, pairs, passages)  # the pairs follow them
APPENDIX: tuple[Part, ...] = (
    groups,
    file_properties,
    judged,
    exclusions,
    method,
    curve,
    audit,
    missing,
    problems,
    remarks,
    who,
    documents,
)


def sections(
    report: Report, limits: ReportLimits, progress: Progress = ignore
) -> Iterator[Section]:
    """All sections of a report in their order, each to be written before the next is asked for.

    Args:
        report: What to tell.
        limits: How much of everything.
        progress: Told how many pairs are written.
    """
    for part in PARTS:
        yield from part(report, limits)
    yield from pair_sections(report, limits, progress)
    for part in APPENDIX:
        yield from part(report, limits)


def contents(report: Report, limits: ReportLimits) -> Iterator[Section]:
    """The sections that the list of contents names, in their order."""
    for part in (*PARTS, *APPENDIX):
        yield from (section for section in part(report, limits) if section.label)
