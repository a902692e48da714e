"""`neardup report`: a review as a report or a table, without scanning again.

The options on the content of a report, its pairs, its texts and its readers are those of
`neardup scan` as well.
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from core.base.messages import as_shown, gettext, ngettext
from core.base.tasks import Progress, ignore
from core.base.wording import comma_list, printable_name
from core.commands import options as shared
from core.commands.terminal import (
    noted,
    prepared_engine,
    print_note,
    raise_failed,
    say,
    say_seal,
    shown_progress,
)
from core.errors import NeardupError, SettingsError
from core.program.end_signals import until_interrupted
from core.reports.formats import (
    EXPORTS,
    RESULTS,
    WrittenFile,
    endings_in_words,
    is_read,
    measured_for,
    spare_documents,
    write_report,
)
from core.reports.report_choice import (
    NO_CHOICE,
    Paper,
    ReportChoice,
    Scope,
    Texts,
    document_named,
    documents_named,
    read_logo,
    usual_paper,
)

if TYPE_CHECKING:
    from core.reports.model import Report
    from core.reports.pseudonyms.key import NameKey
    from core.scan.judgements import Judgements
    from core.scan.pair_list import PairList
    from core.scan.scan import Scan


def add_options(report: argparse.ArgumentParser) -> None:
    """Describe `report` and add its options."""
    report.description = gettext(
        "Write what a review holds as a report or a table. The documents it was made of are "
        "not needed."
    )
    report.add_argument("review", type=Path, metavar="REVIEW.neardup")
    endings = [ending for export in EXPORTS for ending in export.endings]
    words = gettext(
        "the report, {reports}, or its pairs, {tables}; several are of the same moment",
        reports=endings_in_words(RESULTS["report"].formats),
        tables=endings_in_words(RESULTS["pairs"].formats),
    )
    shared.add_result(report, "files", endings, words, nargs="+")
    add_choice(report)
    shared.add_roles(report)
    shared.add_exclusion_options(report)
    report.add_argument(
        "--schema",
        action=_SchemaAction,
        nargs=0,
        help=gettext("print the JSON Schema of the record in JSON, HTML and PDF, and exit"),
    )
    shared.add_flag(report, "--quiet", "print nothing but errors")


class _SchemaAction(argparse.Action):
    """Prints the schema; no review is needed."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object, **__: object) -> None:
        from core.reports.record.schema import record_schema

        print(json.dumps(record_schema(), ensure_ascii=False, indent=2), flush=True)
        parser.exit()


def run(options: argparse.Namespace) -> int:
    """Write the report; returns the exit status."""
    from core.review import open_review
    from core.review.decisions import decide
    from core.review.folder_roles import give_role
    from core.scan.scan import Scan

    check_choice(options, writes_files=True)
    with (
        until_interrupted(),
        prepared_engine(quiet=options.quiet),
        shown_progress(quiet=options.quiet) as progress,
        open_review(options.review, progress=progress) as review,
    ):
        state, notes = review.state, review.notes
        for file in options.files:
            if note := spare_documents(file, state.folders):
                print_note(note, quiet=options.quiet)
        for folder, role in shared.roles_from(options):
            state = decide(state, *give_role(state, folder, role))
        state = shared.with_exclusions_decided(options, state)
        scan = Scan.restored(state)
        try:
            pairs = scan.list_pairs(progress=progress)
            files = [("report" if is_read(file) else "pairs", file) for file in options.files]
            reports = reports_for(options, scan, pairs, files, progress)
            written: list[WrittenFile] = []
            failed: list[NeardupError] = []
            for result, file in files:
                with noted(failed):
                    report = reports[result == "report"]
                    written.append(write_report(file, report, progress=progress))
        finally:
            scan.close()
    if written and not options.quiet:
        _say(written, reports, [*notes, *pairs.notes])
    raise_failed(failed)
    return 0


def _say(written: Sequence[WrittenFile], reports: Mapping[bool, Report], notes: list[str]) -> None:
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
        say("Written: {path}, {pairs}", path=path, pairs=comma_list(counts))
        say_seal(file)


NAMES_SHOWN = 100  # of each kind, replaced and not, before a report is written
KEY_ENDING, KEY_NAME_ENDING = ".csv", ".key.csv"
PAPERS = {"a4": Paper.A4, "letter": Paper.LETTER}
# What `add_choice` adds and only a file shows; of "--weak-traces" also what is printed.
OF_FILES = (
    *("--all", "--suspected", "--confirmed", "--pair", "--document", "--group", "--by-document"),
    *("--no-passages", "--full-texts", "--changes", "--passages-of", "--file-properties"),
    *("--withhold-names", "--key", "--institution", "--logo", "--paper", "--date"),
)


def add_choice(parser: argparse.ArgumentParser) -> None:
    """Add the options; `choice_from` reads them."""
    group = parser.add_argument_group(gettext("what is in a report"))
    _add_scopes(group.add_mutually_exclusive_group())
    shared.add_flag(
        group,
        "--weak-traces",
        "also pairs that share little more than a phrase, in a report to read and in what a "
        "scan prints; tables have them always",
    )
    shared.add_flag(group, "--by-document", "the pairs of one document stand together")
    texts = group.add_mutually_exclusive_group()
    shared.add_flag(
        texts, "--no-passages", "no text of a document, for where texts may not be copied"
    )
    shared.add_flag(
        texts,
        "--full-texts",
        "both texts of a pair in full beside each other, not only their passages",
    )
    shared.add_flag(
        texts, "--changes", "what differs between both texts of a pair, in place of what they share"
    )
    group.add_argument(
        "--passages-of",
        type=shared.whole_number(0),
        metavar="N",
        help=gettext(
            "show the passages of the first N pairs, in a report to read (default: {default})",
            default=NO_CHOICE.most_passages,
        ),
    )
    shared.add_flag(
        group,
        "--file-properties",
        "also what the files tell besides their texts, such as who saved them and when, and "
        "which pairs share a rare property",
    )
    shared.add_flag(
        group,
        "--withhold-names",
        "labels as A-17 instead of names of files, folders and people, and of addresses",
    )
    group.add_argument(
        "--key",
        type=shared.file_to_write(KEY_ENDING),
        metavar="FILE",
        help=gettext(
            "with --withhold-names: the table of the names, {ending} (default: beside the "
            "report, ending in {usual}). Where it is there already its labels are given again",
            ending=KEY_ENDING,
            usual=KEY_NAME_ENDING,
        ),
    )
    _add_looks(group)


def _add_looks(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--institution", default="", metavar="TEXT", help=gettext("who gives it out")
    )
    group.add_argument(
        "--logo",
        type=_logo,
        default=b"",
        metavar="FILE",
        help=gettext("a picture at its head: PNG, JPEG or SVG"),
    )
    group.add_argument(
        "--paper",
        choices=PAPERS,
        help=gettext("the size of its pages (default: that of your country)"),
    )
    group.add_argument(
        "--date",
        type=_moment,
        metavar="TIME",
        help=gettext(
            "the time it tells, as in 2026-11-22 or 2026-11-22T10:30+01:00, in UTC where it does "
            "not say: with it, the same scan gives the same bytes (default: now)"
        ),
    )


def _add_scopes(group: argparse._MutuallyExclusiveGroup) -> None:
    shared.add_flag(
        group,
        "--all",
        "all pairs (default in tables; in a report to read until a pair is confirmed or "
        "suspicious)",
    )
    shared.add_flag(
        group,
        "--suspected",
        "only confirmed and suspicious pairs (default in a report to read once there are any)",
    )
    shared.add_flag(group, "--confirmed", "only confirmed pairs")
    group.add_argument(
        "--pair", nargs=2, metavar=("A", "B"), help=gettext("only this pair of documents")
    )
    group.add_argument(
        "--document",
        metavar="NAME",
        help=gettext(
            "only the pairs of this document, of the documents in this folder, or of this person "
            "where a learning platform has named the files"
        ),
    )
    group.add_argument(
        "--group",
        type=shared.whole_number(1),
        metavar="N",
        help=gettext(
            "only the pairs within this group, as a report of all pairs numbers them from 1"
        ),
    )


def _texts(options: argparse.Namespace) -> Texts:
    """What is to be shown of the texts."""
    if options.no_passages:
        return Texts.NONE
    if options.changes:
        return Texts.CHANGES
    return Texts.FULL if options.full_texts else Texts.PASSAGES


def check_choice(options: argparse.Namespace, *, writes_files: bool) -> None:
    """Check what can be known of the options before there is a list.

    Raises:
        SettingsError: They need a file that is not written, or another option.
    """
    if options.key and not options.withhold_names:
        raise SettingsError("--key needs --withhold-names: without it all names are told.")
    for option in () if writes_files else OF_FILES:
        value = getattr(options, option[2:].replace("-", "_"))
        if value or type(value) is int:  # 0 is given
            raise SettingsError("{option} needs a file to write.", option=option)


def choice_from(
    options: argparse.Namespace, pair_list: PairList, judgements: Judgements, *, is_read: bool
) -> ReportChoice:
    """What the options ask for, of the documents of a list; `is_read` by people, not by programs.

    Raises:
        SettingsError: They name a document or a group that is not there, or contradict themselves.
    """
    scope, documents = _scope(options, pair_list, judgements, is_read=is_read)
    return ReportChoice(
        scope=scope,
        documents=documents,
        texts=_texts(options),
        names=not options.withhold_names,
        most_passages=(
            NO_CHOICE.most_passages if options.passages_of is None else options.passages_of
        ),
        weak_traces=options.weak_traces or not is_read,
        file_properties=options.file_properties,
        by_document=options.by_document,
        institution=options.institution,
        logo=options.logo,
        paper=PAPERS[options.paper] if options.paper else usual_paper(),
        created=options.date,
    )


def reports_for(
    options: argparse.Namespace,
    scan: Scan,
    pair_list: PairList,
    files: Sequence[tuple[str, Path]],
    progress: Progress = ignore,
    made: Report | None = None,
) -> Mapping[bool, Report]:
    """The reports that are written, by whether people read them: each made and measured once.

    Of withheld names is printed which are replaced in the first of them.

    Args:
        options: The options of the user.
        scan: A scan, or what a review holds.
        pair_list: Its list.
        files: What is written, each with the name of its result; one at least.
        progress: Told how many pairs are measured.
        made: The report without any choice, if there is one.

    Raises:
        SettingsError: As of `choice_from`; or the key to the names would be one of these files.
        ExportError: The key cannot be read or written, or is none.
    """
    from core.reports.from_scan import report_of

    reports: dict[bool, Report] = {}
    created = options.date or (made.created if made else datetime.now(UTC).astimezone())
    with _named_by(options, [path for _, path in files]) as key:
        for are_read in dict.fromkeys(result == "report" for result, _ in files):
            choice = choice_from(options, pair_list, scan.decided.judgements, is_read=are_read)
            if made is None or choice != NO_CHOICE:
                choice = replace(choice, created=created)  # all are of the same moment
                report = report_of(scan, pair_list, choice=choice, key=key)
            else:
                report = made
            for_them = (file for file in files if (file[0] == "report") is are_read)
            reports[are_read] = measured_for(for_them, report, progress)
    if not options.quiet:
        _say_names(next(iter(reports.values())))
    return reports


@contextmanager
def _named_by(options: argparse.Namespace, files: Sequence[Path]) -> Iterator[NameKey | None]:
    """The key to the names of a report; with the labels that it got meanwhile it is saved.

    That is done before the report is written: one whose key is lost names nobody any more.
    """
    from core.reports.pseudonyms.key import open_key, save_key

    if not options.withhold_names:
        yield None
        return
    path = options.key or files[0].with_name(files[0].stem + KEY_NAME_ENDING)
    if any(os.path.realpath(path) == os.path.realpath(file) for file in files):
        raise SettingsError("--key names a file of the report.")
    key = open_key(path)
    yield key
    save_key(path, key)
    if not options.quiet:
        say("Key to the names: {path}. Keep it apart.", path=printable_name(path.as_posix()))


def _say_names(report: Report) -> None:
    """Print which names in the texts of a report are replaced, where names are withheld."""
    from core.reports.list_words import names_in_words
    from core.reports.pseudonyms.report import WITHHELD

    if not report.choice.names:
        names = names_in_words(report.find_names(), NAMES_SHOWN)
        print(*names, gettext(WITHHELD), sep="\n")


def _scope(
    options: argparse.Namespace, pair_list: PairList, judgements: Judgements, *, is_read: bool
) -> tuple[Scope, tuple[int, ...]]:
    from core.reports.scopes import usual_scope

    if options.suspected:
        return Scope.SUSPECTED, ()
    if options.confirmed:
        return Scope.CONFIRMED, ()
    if options.pair:
        a, b = (document_named(pair_list.documents, name) for name in options.pair)
        if a == b:
            raise SettingsError("--pair needs two documents, not the same one twice.")
        return Scope.PAIR, (a, b)
    if options.document is not None:
        return Scope.DOCUMENT, documents_named(pair_list.documents, options.document)
    if options.group is not None:
        return Scope.GROUP, _group(options.group, pair_list, judgements)
    is_chosen = options.all or not is_read
    return (Scope.SHOWN if is_chosen else usual_scope(pair_list, judgements)), ()


def _group(number: int, pair_list: PairList, judgements: Judgements) -> tuple[int, ...]:
    from core.scan.groups import group_documents

    groups = group_documents(pair_list.pairs, pair_list.documents, judgements)
    if not 1 <= number <= len(groups):
        raise SettingsError(
            ngettext(
                "--group: the list has {n} group; there is no group {number}.",
                "--group: the list has {n} groups; there is no group {number}.",
                len(groups),
                number=number,
            )
        )
    return groups[number - 1].documents


def _logo(text: str) -> bytes:
    try:
        return read_logo(Path(text))
    except SettingsError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def _moment(text: str) -> datetime:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(
            gettext("is no date as in 2026-11-22: “{text}”", text=text)
        ) from error
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
