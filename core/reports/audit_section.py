"""The last audit of a list in the report for people: what it found out, in words and tables."""

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
from core.reports.limits import ReportLimits
from core.reports.markup import name, text
from core.reports.model import Report
from core.scan.kept_audit import KeptAudit
from core.settings import ScanSettings

__all__ = ["audit_section"]


def audit_section(report: Report, limits: ReportLimits) -> Iterator[str]:
    """What the last audit found out; nothing where there was none."""
    kept = report.judgements.audit
    if kept is None:
        return
    yield '<section id="audit" aria-labelledby="audit-title">\n'
    yield '<h2 id="audit-title">Is the list complete?</h2>\n<div class="words">\n'
    sentences = [
        kept_in_words(kept, is_current=report.audit_is_current),
        audit_heading(kept.result),
        *audit_summary(kept.result, kept.settings),
        *remedies_in_words(kept.result, kept.settings),
    ]
    for sentence in sentences:
        yield f"<p>{text(sentence)}</p>\n"
    yield "</div>\n"
    yield from _ranges(kept)
    yield from _missed(kept, limits.table_rows)
    yield from _reworked(kept)
    yield "</section>\n"


def _ranges(kept: KeptAudit) -> Iterator[str]:
    """What was promised and what was found, by resemblance."""
    rows = [
        (
            f"{row.low:.2f} to {row.high:.2f}",
            f"{row.pairs:,}",
            "" if row.expected is None else f"{row.expected / row.pairs:.1%}",
            share_in_words(row.share),
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


def _missed(kept: KeptAudit, most: int) -> Iterator[str]:
    proof, planting = kept.result.proof, kept.result.planting
    names = [key.name for key in kept.documents]
    if proof and proof.missed:
        rows = [
            (resemblance(one.resemblance), name(names[one.a]), name(names[one.b]))
            for one in proof.missed[:most]
        ]
        caption = _first(len(rows), proof.missing, "Pairs that are missing")
        yield from _table(caption, ("Resemblance", "Document A", "Document B"), rows, marked=True)
    if planting and planting.missed:
        rows = [
            (resemblance(one.resemblance), text(one.edit), name(names[one.source]))
            for one in planting.missed[:most]
        ]
        caption = _first(len(rows), planting.missing, "Copies that are missing")
        yield from _table(caption, ("Resemblance", "Edit", "Copy of"), rows, marked=True)


def _first(shown: int, there: int, title: str) -> str:
    return f"{title}, most alike first" + (f": {shown:,} of {there:,}" if shown < there else "")


def _reworked(kept: KeptAudit) -> Iterator[str]:
    cells = kept.result.reworked.cells if kept.result.reworked else ()
    rows = [
        (
            f"{row.words}",
            share(row.changed),
            f"{row.planted:,}",
            share(row.promised),
            share_in_words(row.found),
        )
        for row in cells
        if row.planted
    ]
    titles = ("Words", "Changed", "Planted", "Promised", "Listed")
    yield from _table("Reworked passages that were planted", titles, rows)


def _table(
    caption: str, titles: Sequence[str], rows: Sequence[Sequence[str]], *, marked: bool = False
) -> Iterator[str]:
    """A table; with `marked` its cells are markup already."""
    if not rows:
        return
    heads = "".join(f'<th scope="col">{text(title)}</th>' for title in titles)
    yield f'<table class="problems"><caption>{text(caption)}</caption>\n'
    yield f"<thead><tr>{heads}</tr></thead>\n<tbody>\n"
    for row in rows:
        cells = "".join(f"<td>{cell if marked else text(cell)}</td>" for cell in row)
        yield f"<tr>{cells}</tr>\n"
    yield "</tbody></table>\n"
