"""The last audit of the list: what it found out, in words and tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from core.base.wording import resemblance, share
from core.reports.audit_summary import (
    audit_heading,
    audit_summary,
    kept_in_words,
    remedies_in_words,
    share_in_words,
)
from core.reports.blocks import Block, Cell, Column, Prose, Row, Section, Table, line
from core.reports.limits import ReportLimits
from core.reports.model import Report
from core.reports.sections.names import cell, name
from core.scan.kept_audit import KeptAudit
from core.settings import ScanSettings


def audit(report: Report, limits: ReportLimits) -> Iterator[Section]:
    """What the last audit found out; nothing where there was none."""
    kept = report.judgements.audit
    if kept is not None:
        blocks = _blocks(kept, limits, is_current=report.audit_is_current)
        yield Section("audit", "Is the list complete?", blocks, "Test")


def _blocks(kept: KeptAudit, limits: ReportLimits, *, is_current: bool) -> Iterator[Block]:
    sentences = (
        kept_in_words(kept, is_current=is_current),
        audit_heading(kept.result),
        *audit_summary(kept.result, kept.settings),
        *remedies_in_words(kept.result, kept.settings),
    )
    yield Prose(tuple(map(line, sentences)))
    yield from _ranges(kept)
    yield from _missed(kept, limits.table_rows)
    yield from _reworked(kept)


def _ranges(kept: KeptAudit) -> Iterator[Table]:
    """What was promised and what was found, by resemblance."""
    rows = [
        (
            cell(f"{row.low:.2f} to {row.high:.2f}"),
            cell(f"{row.pairs:,}"),
            cell("" if row.expected is None else f"{row.expected / row.pairs:.1%}"),
            cell(share_in_words(row.share)),
        )
        for row in kept.result.ranges
    ]
    found = f"Found by {_searched_by(kept.settings)}"
    yield from _table(
        "Promised and found by resemblance; shares with their 95 % interval, after Wilson. Pairs "
        "with the same words are left out.",
        ("Resemblance", "Pairs", "Promised by the curve", found),
        rows,
    )


def _searched_by(settings: ScanSettings) -> str:
    return "bands" if settings.choice else "fingerprints"


def _missed(kept: KeptAudit, most: int) -> Iterator[Table]:
    proof, planting = kept.result.proof, kept.result.planting
    names = [key.name for key in kept.documents]
    if proof and proof.missed:
        rows = [
            (cell(resemblance(one.resemblance)), cell(name(names[one.a])), cell(name(names[one.b])))
            for one in proof.missed[:most]
        ]
        caption = _first(len(rows), proof.missing, "Pairs that are missing")
        yield from _table(caption, ("Resemblance", "Document A", "Document B"), rows)
    if planting and planting.missed:
        rows = [
            (cell(resemblance(one.resemblance)), cell(one.edit), cell(name(names[one.source])))
            for one in planting.missed[:most]
        ]
        caption = _first(len(rows), planting.missing, "Copies that are missing")
        yield from _table(caption, ("Resemblance", "Edit", "Copy of"), rows)


def _first(shown: int, there: int, title: str) -> str:
    return f"{title}, most alike first" + (f": {shown:,} of {there:,}" if shown < there else "")


def _reworked(kept: KeptAudit) -> Iterator[Table]:
    cells = kept.result.reworked.cells if kept.result.reworked else ()
    rows = [
        (
            cell(f"{row.words}"),
            cell(share(row.changed)),
            cell(f"{row.planted:,}"),
            cell(share(row.promised)),
            cell(share_in_words(row.found)),
        )
        for row in cells
        if row.planted
    ]
    titles = ("Words", "Changed", "Planted", "Promised", "Listed")
    yield from _table("Reworked passages that were planted", titles, rows)


def _table(
    caption: str, titles: Sequence[str], rows: Sequence[tuple[Cell, ...]]
) -> Iterator[Table]:
    if rows:
        yield Table(caption, tuple(Column(title) for title in titles), (map(Row, rows),))
