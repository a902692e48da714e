"""The report for people: one HTML file that needs nothing else.

No scripts and nothing loaded from anywhere, which its content security policy enforces; the style
sheet is `report.css`, allowed by its hash. Everything that comes from a user is escaped in
`core.reports.markup`. The file is written as a stream: texts and passages are asked for one pair at
a time.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

from core.base.progress import Cancelled, Progress, ignore, never
from core.base.replaced_file import replaced_file
from core.base.wording import listed
from core.reports.audit_section import audit_section
from core.reports.html_pair import LONGEST_PASSAGE, MOST_PASSAGES, pair_section
from core.reports.html_tables import (
    groups_section,
    missing_section,
    pairs_section,
    problems_section,
)
from core.reports.judged_passages import judged_passages_section
from core.reports.limits import ReportLimits, left_out
from core.reports.list_words import MISSING, documents_in_words, languages_in_words, list_in_words
from core.reports.markup import name, text
from core.reports.measures import EXACT_DUPLICATE, measures
from core.reports.model import Report
from core.reports.set_aside import aside_in_words, set_aside_section
from core.reports.settings_words import (
    completeness,
    found_in_words,
    setting_rows,
    settings_in_words,
)
from core.reports.verdict_words import judged_in_words
from core.scan.pair_list import DocumentCounts

__all__ = ["write_html"]

PASSAGE_PAIRS = 100


def write_html(
    path: Path,
    report: Report,
    *,
    passage_pairs: int = PASSAGE_PAIRS,
    progress: Progress = ignore,
    cancelled: Cancelled = never,
) -> None:
    """Write the report as one HTML file.

    Args:
        path: Where; an existing file is replaced.
        report: What to write.
        passage_pairs: The passages of so many pairs are shown, from the top of the table; the
            report says which pairs are without.
        progress: Told the number of pairs whose passages are written.
        cancelled: Polled before each of them.

    Raises:
        ExportError: The file could not be written.
        ScanCancelledError: `cancelled` said so; nothing was written.
    """
    limits = ReportLimits(passage_pairs)
    with replaced_file(path) as file:
        file.writelines(_page(report, limits, progress, cancelled))


def _page(
    report: Report, limits: ReportLimits, progress: Progress, cancelled: Cancelled
) -> Iterator[str]:
    yield _head(report)
    yield "<body>\n<header>\n"
    yield from _title(report, limits)
    yield "</header>\n<main>\n"
    yield from _summary(report, limits)
    yield from _method(report)
    yield from audit_section(report, limits)
    yield from pairs_section(report, limits)
    yield from groups_section(report, limits)
    yield from judged_passages_section(report, limits)
    yield from set_aside_section(report, limits)
    yield from _passages(report, limits, progress, cancelled)
    yield from missing_section(report, limits)
    yield from problems_section(report, limits)
    yield "</main>\n</body>\n</html>\n"


def _head(report: Report) -> str:
    style = files("core.reports").joinpath("report.css").read_text(encoding="utf-8")
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    title = f"{report.title}: {', '.join(report.folders)}"
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f'<meta name="generator" content="Neardup {text(report.version)}">\n'
        f"<title>{text(title)}</title>\n<style>{style}</style>\n</head>\n"
    )


def _title(report: Report, limits: ReportLimits) -> Iterator[str]:
    folders = listed([name(folder) for folder in report.named_folders])
    moment = f"{report.created:%Y-%m-%d %H:%M} {report.created.isoformat()[-6:]}"
    yield f"<h1>{name(report.title)}</h1>\n"
    yield (
        f'<p class="lead">{documents_in_words(report.document_counts)} in {folders}, compared on '
        f'<time datetime="{report.created.isoformat(timespec="seconds")}">{moment}</time> '
        f"with Neardup {text(report.version)}.</p>\n"
    )
    languages = languages_in_words(report.languages)
    if languages:
        yield f'<p class="quiet">Languages: {text(languages)}.</p>\n'
    links = {"method": "How"}
    if report.judgements.audit:
        links["audit"] = "Test"
    links["pairs"] = "Pairs"
    if report.groups:
        links["groups"] = "Groups"
    if report.judged_passages:
        links["judged-passages"] = "Judged passages"
    if report.aside or report.rules:
        links["set-aside"] = "Set aside"
    if limits.pairs_with_passages(report):
        links["passages"] = "Passages"
    if report.missing:
        links["missing"] = "Gone"
    if report.problems:
        links["problems"] = "Problems"
    if report.remarked:
        links["remarks"] = "Remarks"
    items = "".join(f'<a href="#{target}">{label}</a>' for target, label in links.items())
    yield f'<nav aria-label="Sections">{items}</nav>\n'


def _summary(report: Report, limits: ReportLimits) -> Iterator[str]:
    figures = {
        **_documents(report.document_counts),
        **({MISSING.capitalize(): len(report.missing)} if report.missing else {}),
        "Pairs": len(report.pairs),
        "Groups": len(report.groups),
        "Problems": report.problem_counts.problems,
    }
    if report.problem_counts.others:
        figures["Other files"] = report.problem_counts.others
    yield '<section id="summary" aria-labelledby="summary-title">\n'
    yield '<h2 id="summary-title">Summary</h2>\n<dl class="figures">'
    for label, value in figures.items():
        yield f"<div><dt>{label}</dt><dd>{value:,}</dd></div>"
    yield "</dl>\n"
    words = list_in_words(report.list_counts, report.settings)
    yield f"<p>{text(words[0].upper() + words[1:])}.</p>\n"
    if report.has_judgements:
        yield f"<p>{text(judged_in_words(report.verdict_counts))}.</p>\n"
    if report.aside:
        yield f"<p>{text(aside_in_words(report))}</p>\n"
    sentences = list(left_out(report, limits))
    if sentences:
        items = "".join(f"<li>{text(sentence)}</li>" for sentence in sentences)
        yield f'<h3>What is not shown</h3>\n<ul class="left-out">{items}</ul>\n'
    else:
        shown = " and all pairs are shown" if len(report.pairs) else ""
        yield f'<p class="quiet">All documents were compared{shown}.</p>\n'
    yield "</section>\n"


def _documents(counts: DocumentCounts) -> dict[str, int]:
    """How many documents there are, where some are not to review each kind by itself."""
    others = {"References": counts.references, "Templates": counts.templates}
    if not any(others.values()):
        return {"Documents": counts.present}
    return {"To review": counts.to_review, **{label: of for label, of in others.items() if of}}


def _method(report: Report) -> Iterator[str]:
    settings = report.settings
    yield '<section id="method" aria-labelledby="method-title">\n'
    yield '<h2 id="method-title">How they were compared</h2>\n<div class="words">\n'
    complete = [completeness(report.compared)] if report.compared else []
    for sentence in (*settings_in_words(settings), *complete, found_in_words(report.pairs)):
        yield f"<p>{text(sentence)}</p>\n"
    yield '</div>\n<div class="columns">\n'
    yield '<table class="facts"><caption>Settings</caption><tbody>\n'
    for label, value in setting_rows(settings):
        yield f'<tr><th scope="row">{label}</th><td>{text(value)}</td></tr>\n'
    yield "</tbody></table>\n"
    yield '<table class="facts"><caption>What the numbers mean</caption><tbody>\n'
    numbers = measures(settings.unit, bag=settings.bag, reworked=settings.reworked != "off")
    for measure in (*numbers, EXACT_DUPLICATE):
        formula = f" <code>{text(measure.formula)}</code>" if measure.formula else ""
        yield (
            f'<tr><th scope="row">{measure.name}</th>'
            f"<td>{text(measure.meaning)}{formula}</td></tr>\n"
        )
    yield "</tbody></table>\n</div>\n</section>\n"


def _passages(
    report: Report, limits: ReportLimits, progress: Progress, cancelled: Cancelled
) -> Iterator[str]:
    count = limits.pairs_with_passages(report)
    if count == 0:
        return
    yield '<section id="passages" aria-labelledby="passages-title">\n'
    yield '<h2 id="passages-title">Passages</h2>\n'
    yield (
        '<div class="words quiet"><p>What the two documents of a pair share, in the order of A. '
        "Underlined words are the same in both, words without a line differ; a moved passage "
        "stands elsewhere in B than its neighbours. What two texts of their length, with words as "
        "common as theirs, share by chance is no passage.</p>\n"
        f"<p>Passages longer than {LONGEST_PASSAGE:,} characters, or half as many in scripts "
        "without spaces, are shortened in the middle, where a mark says by how much. Of a pair "
        f"with more than {MOST_PASSAGES} passages the longest {MOST_PASSAGES} are shown. Lines "
        "that were broken to a fixed width run on.</p></div>\n"
    )
    for row, a, b in report.rows(count, progress, cancelled):
        yield from pair_section(report, row, a, b)
    yield "</section>\n"
