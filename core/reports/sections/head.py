"""What stands above everything: what was compared, when and with what."""

from __future__ import annotations

from core.reports.blocks import Head, line
from core.reports.list_words import documents_in_words, languages_in_words
from core.reports.model import Report
from core.reports.sections.names import joined, name


def head_of(report: Report) -> Head:
    """The head of a report."""
    moment = f"{report.created:%Y-%m-%d %H:%M} {report.created.isoformat()[-6:]}"
    lead = line(
        f"{documents_in_words(report.document_counts)} in ",
        *joined([line(name(folder)) for folder in report.named_folders], " and "),
        f". This report was made on {moment} with Neardup {report.version}.",
    )
    languages = languages_in_words([report.languages[number] for number in report.about])
    about = (line(name(report.subject)),) if report.subject else ()
    return Head(
        title=report.title,
        subject=f"{report.title}: {report.subject or ', '.join(report.folders)}",
        institution=report.choice.institution,
        lines=(*about, lead, *((line(f"Languages: {languages}."),) if languages else ())),
        created=report.created.isoformat(timespec="seconds"),
        version=report.version,
    )
