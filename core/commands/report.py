"""`neardup report`: a review as a report or a table, without scanning again."""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from core.base.messages import as_shown, gettext, ngettext
from core.base.wording import in_a_row
from core.commands.options import add_flag, add_roles, file_to_write, roles_from
from core.commands.report_choice import add_choice, choice_from, named_by, say_names
from core.commands.set_aside import add_set_aside, decided_aside
from core.commands.terminal import prepared_engine, say, say_seal, shown_progress
from core.program.ending import until_interrupted
from core.reports.formats import EXPORTS, RESULTS, Written, endings_in_words, is_read, write_report

if TYPE_CHECKING:
    from core.reports.model import Report


def add_options(report: argparse.ArgumentParser) -> None:
    """Describe `report` and add its options."""
    report.description = gettext(
        "Write what a review holds as a report or a table. The documents it was made of are "
        "not needed."
    )
    report.set_defaults(run=run)
    report.add_argument("review", type=Path, metavar="REVIEW.neardup")
    report.add_argument(
        "files",
        nargs="+",
        type=file_to_write(*(ending for export in EXPORTS for ending in export.endings)),
        metavar="FILE",
        help=gettext(
            "the report, {reports}, or its pairs, {tables}; several are of the same moment",
            reports=endings_in_words(RESULTS["report"].formats),
            tables=endings_in_words(RESULTS["pairs"].formats),
        ),
    )
    add_choice(report)
    add_roles(report)
    add_set_aside(report)
    report.add_argument(
        "--schema",
        action=_SchemaAction,
        nargs=0,
        help=gettext("print the JSON Schema of the record in JSON, HTML and PDF, and exit"),
    )
    add_flag(report, "--quiet", "print nothing but errors")


class _SchemaAction(argparse.Action):
    """Prints the schema; no review is needed."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object, **__: object) -> None:
        from core.reports.record.writing import record_schema

        print(json.dumps(record_schema(), ensure_ascii=False, indent=2), flush=True)
        parser.exit()


def run(options: argparse.Namespace) -> int:
    """Write the report; returns the exit status."""
    from core.reports.from_scan import report_of
    from core.review import open_review
    from core.review.decisions import decide
    from core.review.folder_roles import give_role
    from core.scan.scan import Scan

    with (
        until_interrupted(),
        prepared_engine(quiet=options.quiet),
        shown_progress(quiet=options.quiet) as progress,
        open_review(options.review, progress=progress) as review,
    ):
        state, notes = review.state, review.notes
        for folder, role in roles_from(options):
            state = decide(state, *give_role(state, folder, role))
        state = decided_aside(options, state)
        scan = Scan.restored(state)
        try:
            pairs = scan.list_pairs(progress=progress)
            said, created = scan.decided.judgements, options.date or datetime.now(UTC).astimezone()
            reports = {}
            with named_by(options, options.files) as key:
                for readers in dict.fromkeys(map(is_read, options.files)):
                    choice = choice_from(options, pairs, said, is_read=readers)
                    choice = replace(choice, created=created)  # all are of the same moment
                    report = report_of(scan, pairs, choice=choice, key=key)
                    reports[readers] = report.measured(progress)
            report = reports[is_read(options.files[0])]
            if not options.quiet:
                say_names(report)
            written = [
                write_report(file, reports[is_read(file)], progress=progress)
                for file in options.files
            ]
        finally:
            scan.close()
    if not options.quiet:
        _say(written, reports, [*notes, *pairs.notes])
    return 0


def _say(written: Sequence[Written], reports: Mapping[bool, Report], notes: list[str]) -> None:
    from core.base.wording import printable_name
    from core.reports.audit_words import audit_heading, kept_in_words
    from core.reports.list_words import judged_in_words, list_in_words

    for note in notes:
        say("Note: {note}", note=as_shown(note))
    first = reports[is_read(written[0].path)]
    kept = first.judgements.audit
    if kept:
        print(f"{kept_in_words(kept, is_current=first.audit_is_current)} ", end="")
        print(audit_heading(kept.result))
    parts = [
        f"{read_report.words.shown} "
        + ngettext("{n} pair in it.", "{n} pairs in it.", len(read_report.pairs))
        for read_report in reports.values()
        if read_report.shown
    ]
    for part in dict.fromkeys(parts):
        print(part)
    for file in written:
        report = reports[is_read(file.path)]
        counts = [list_in_words(report.list_counts, report.settings)]
        if report.shown:
            counts = [ngettext("{n} pair", "{n} pairs", len(report.pairs))]
        if report.has_judgements:
            counts.append(judged_in_words(report.verdict_counts, report.earlier_count))
        path = printable_name(file.path.as_posix())
        say("Written: {path}, {pairs}", path=path, pairs=in_a_row(counts))
        say_seal(file)
