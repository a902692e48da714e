"""The tables of the HTML report: pairs, groups, problems."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from core.base.wording import counted, resemblance
from core.documents.problem_groups import group_problems
from core.reports.limits import ReportLimits
from core.reports.markup import name, text
from core.reports.measures import EXACT_DUPLICATE, Measure, measures
from core.reports.model import Report
from core.reports.pair_words import ListedFor, listed_for
from core.reports.verdict_words import earlier_in_words, who_and_when
from core.scan.judgements import Found

__all__ = [
    "document_name",
    "groups_section",
    "missing_section",
    "note",
    "pairs_section",
    "problems_section",
    "tags",
]


def document_name(report: Report, document: int) -> str:
    """The name of a document, with a mark where it is not there any more."""
    mark = report.mark_of(document)
    tag = f' <span class="tag">{text(mark)}</span>' if mark else ""
    return name(report.name_of(document)) + tag


def pairs_section(report: Report, limits: ReportLimits) -> Iterator[str]:
    """The ranked table of pairs."""
    yield '<section id="pairs" aria-labelledby="pairs-title">\n<h2 id="pairs-title">Pairs</h2>\n'
    if len(report.pairs) == 0:
        yield '<p class="quiet">No pairs are listed.</p>\n</section>\n'
        return
    yield (
        '<table class="pairs"><caption>A and B are the two documents of a pair. All numbers are '
        "exact.</caption>\n"
        '<thead><tr><th scope="col" class="n">#</th><th scope="col">Document A</th>'
        f'<th scope="col">Document B</th>{_headings(report)}'
        "</tr></thead>\n<tbody>\n"
    )
    with_passages = limits.pairs_with_passages(report)
    for row in range(min(len(report.pairs), limits.table_rows)):
        yield _pair_row(report, row, linked=row < with_passages)
    yield "</tbody></table>\n</section>\n"


def _pair_row(report: Report, row: int, *, linked: bool) -> str:
    pairs = report.pairs
    number = report.rank_of(row)
    label = f'<a href="#pair-{number}">{number:,}</a>' if linked else f"{number:,}"
    value = float(pairs.resemblance[row])
    first, *others = (one.shown(getattr(pairs, one.column)[row].item()) for one in _numbers(report))
    cells = "".join(f'<td class="n">{text(shown)}</td>' for shown in others)
    return (
        f'<tr id="row-{number}"><th scope="row" class="n">{label}</th>'
        f"<td>{document_name(report, int(pairs.a[row]))}</td>"
        f"<td>{document_name(report, int(pairs.b[row]))}</td>"
        f'<td class="r">{_bar(value)}{text(first)}{tags(report, row)}</td>'
        f"{cells}{_verdict_cell(report, row)}</tr>\n{_note_row(report, row)}"
    )


def _verdict_cell(report: Report, row: int) -> str:
    """What was judged, by whom and when, where anything was judged."""
    if not report.has_judgements:
        return ""
    found = report.found_of(row)
    if found is None:
        return '<td class="verdict quiet">not reviewed</td>'
    tags = "".join(
        f'<span class="tag">{text(words)}</span>'
        for words in (*who_and_when(found), earlier_in_words(found))
        if words
    )
    return f'<td class="verdict">{found.judgement.verdict}{tags}</td>'


def _note_row(report: Report, row: int) -> str:
    """The note on a pair below its numbers, as wide as they are."""
    found = report.found_of(row)
    if found is None or not found.judgement.note:
        return ""
    columns = 3 + len(_numbers(report))  # both names and the verdict
    return f'<tr class="note"><td></td><td colspan="{columns}">{note(found)}</td></tr>\n'


def note(found: Found) -> str:
    """A note as it was written, its writing direction its own."""
    return f'<p class="note" dir="auto">{text(found.judgement.note)}</p>'


def _headings(report: Report) -> str:
    """The names of the numbers; the first stands at the left, beside its bar."""
    first, *others = (one.name for one in _numbers(report))
    cells = [f'<th scope="col">{first}</th>']
    cells += [f'<th scope="col" class="n">{name}</th>' for name in others]
    if report.has_judgements:
        cells.append('<th scope="col" class="verdict">Verdict</th>')
    return "".join(cells)


def _numbers(report: Report) -> Sequence[Measure]:
    settings = report.settings
    return measures(settings.unit, bag=settings.bag, reworked=settings.reworked != "off")


def tags(report: Report, row: int) -> str:
    """What is to be marked about a pair: that it is a duplicate, or listed for a passage."""
    pairs = report.pairs
    value, found_by = float(pairs.resemblance[row]), int(pairs.found_by[row])
    words = (
        EXACT_DUPLICATE.shown(pairs.exact_duplicate[row]),
        listed_for(ListedFor.of(value, found_by, report.settings)),
    )
    return "".join(f'<span class="tag">{word}</span>' for word in words if word)


def _bar(value: float) -> str:
    return (
        '<svg class="bar" viewBox="0 0 64 6" aria-hidden="true">'
        '<rect class="track" width="64" height="6" rx="3"/>'
        f'<rect class="value" width="{max(64 * value, 3):.1f}" height="6" rx="3"/></svg>'
    )


def groups_section(report: Report, limits: ReportLimits) -> Iterator[str]:
    """Every group with its centre first, and exact copies in the row of the first of them."""
    if not report.groups:
        return
    yield '<section id="groups" aria-labelledby="groups-title">\n'
    yield (
        '<h2 id="groups-title">Groups</h2>\n<table class="groups"><caption>Each member with its '
        "resemblance to the centre of its group, which stands first.</caption>\n"
        '<thead><tr><th scope="col" class="n">Group</th><th scope="col">Document</th>'
        '<th scope="col">Resemblance</th></tr></thead>\n'
    )
    for number, group in enumerate(report.groups[: limits.groups], 1):
        reason = "chosen as the centre" if group.is_chosen else "most central"
        yield (
            f'<tbody><tr><th scope="rowgroup" class="n">{number:,}</th>'
            f"<td><b>{document_name(report, group.centre)}</b>"
            f"{_copies(report, group.copies, limits)}</td>"
            f'<td class="r quiet">{reason} of {counted(group.size, "document")}</td></tr>\n'
        )
        for member in group.members[: limits.members - 1]:
            yield (
                f"<tr><td></td><td>{document_name(report, member.document)}"
                f"{_copies(report, member.copies, limits)}</td>"
                f'<td class="r">{_bar(member.resemblance)}'
                f"{text(resemblance(member.resemblance))}</td></tr>\n"
            )
        yield "</tbody>\n"
    yield "</table>\n</section>\n"


def _copies(report: Report, copies: Sequence[int], limits: ReportLimits) -> str:
    """What stands below a name: "and 3 exact copies: a.txt, b.txt, c.txt"."""
    if not copies:
        return ""
    shown = [document_name(report, copy) for copy in copies[: limits.members]]
    words = f"and {counted(len(copies), 'exact copy', 'exact copies')}: {', '.join(shown)}"
    return f'<div class="quiet">{words}{", …" if len(copies) > len(shown) else ""}</div>'


def missing_section(report: Report, limits: ReportLimits) -> Iterator[str]:
    """The documents that were compared with the text of an earlier scan."""
    if not report.missing:
        return
    yield '<section id="missing" aria-labelledby="missing-title">\n'
    yield (
        '<h2 id="missing-title">Gone or not read</h2>\n<table class="problems"><caption>Documents '
        "that were not there at the last scan, or could not be read. They were compared with the "
        "text of an earlier one.</caption>\n"
        '<thead><tr><th scope="col">File</th><th scope="col">State</th></tr></thead>\n<tbody>\n'
    )
    for document in report.missing[: limits.problems]:
        mark = document.absence.in_words if document.absence else ""
        yield f"<tr><td>{name(document.name)}</td><td>{text(mark)}</td></tr>\n"
    yield "</tbody></table>\n</section>\n"


def problems_section(report: Report, limits: ReportLimits) -> Iterator[str]:
    """The files that gave no text, by what happened to them, and what is not sure of the others."""
    if report.problems:
        yield '<section id="problems" aria-labelledby="problems-title">\n'
        yield (
            '<h2 id="problems-title">Problems</h2>\n<table class="problems"><caption>Files that '
            "gave no text and were not compared.</caption>\n"
            '<thead><tr><th scope="col">File</th><th scope="col">Reason</th></tr></thead>\n'
        )
        yield from _problem_groups(report, limits)
        yield "</table>\n</section>\n"
    if report.remarked:
        yield '<section id="remarks" aria-labelledby="remarks-title">\n'
        yield (
            '<h2 id="remarks-title">Remarks</h2>\n<table class="problems"><caption>Documents that '
            "were compared, and what is not in their text or not sure.</caption>\n"
            '<thead><tr><th scope="col">File</th><th scope="col">Remark</th></tr></thead>\n'
        )
        yield "<tbody>\n"
        for document in report.remarked[: limits.problems]:
            sentences = " ".join(document.remarks)
            yield f"<tr><td>{name(document.name)}</td><td>{text(sentences)}</td></tr>\n"
        yield "</tbody></table>\n</section>\n"


def _problem_groups(report: Report, limits: ReportLimits) -> Iterator[str]:
    """A part of the table for everything that happened, while the limit lasts."""
    left = limits.problems
    for group in group_problems(report.problems):
        if left <= 0:
            return
        count = counted(len(group.problems), "file")
        yield (
            f'<tbody><tr><th scope="rowgroup" colspan="2">{text(group.kind.heading)} '
            f'<span class="quiet">({count}). {text(group.kind.advice)}</span></th></tr>\n'
        )
        for problem in group.problems[:left]:
            yield f"<tr><td>{name(problem.name)}</td><td>{text(problem.detail)}</td></tr>\n"
        yield "</tbody>\n"
        left -= len(group.problems)
