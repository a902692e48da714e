"""`neardup scan`: ranked pairs, tables and the report."""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from core.base.messages import N_, as_shown, gettext, localized, ngettext
from core.base.tasks import Progress
from core.base.wording import comma_list, count, printable_name, threshold
from core.commands import options as shared
from core.commands.report import add_choice, check_choice, reports_for
from core.commands.terminal import (
    failures_raised,
    noted,
    prepared_engine,
    print_note,
    print_pairs,
    say,
    say_seal,
    shown_progress,
)
from core.errors import FolderError, NeardupError, SettingsError, StorageError
from core.program.end_signals import until_interrupted
from core.reports.formats import RESULTS, endings_in_words, write
from core.reports.report_choice import ReportChoice
from core.settings import ScanSettings

if TYPE_CHECKING:
    from pathlib import Path

    from core.base.arrays import IntegerArray
    from core.reports.model import Report
    from core.scan.pair_list import PairList
    from core.scan.scan import Scan
    from core.scan.state import ScanState


def _without_gone(result: Scan, stack: ExitStack) -> Scan:
    """The scan without the documents that are gone for sure; `stack` closes it."""
    from core.review.decisions import decide
    from core.review.folder_roles import remove
    from core.scan.folders import gone_for_sure

    state = result.state
    gone = gone_for_sure(state)
    return shared.with_state(result, decide(state, *remove(gone)), stack) if gone else result


def _print_first(show: int, lines: Sequence[str]) -> None:
    """The first lines of a list, and how many more there are."""
    for line in lines[:show]:
        print(f"  {line}")
    if len(lines) > show:
        more = count(len(lines) - show)
        print("  " + gettext("… and {number} more; --show N prints more.", number=more))


def _print_missing(result: Scan, report: Report, show: int) -> None:
    """The absent documents that are compared, at most so many, and those off the list."""
    from core.scan.folders import empty_folders

    if report.missing:
        say(
            "Kept with the text of an earlier scan: {documents}",
            documents=ngettext("{n} document", "{n} documents", len(report.missing)),
        )
    _print_first(show, [document.marked_name for document in report.missing])
    for folder in empty_folders(result.state):
        say("No document is left in {folder}. Is it connected?", folder=printable_name(str(folder)))
    if result.removed:
        print(
            ngettext(
                "Not listed, kept in the review: {n} document that you took off the list",
                "Not listed, kept in the review: {n} documents that you took off the list",
                len(result.removed),
            )
        )


PAIRS_PRINTED = 50
NO_LOCKS = N_(
    "The folder of the review keeps no locks: see to it that no other program saves the "
    "review meanwhile."
)


def add_options(scan: argparse.ArgumentParser) -> None:
    """Describe `scan` and add its options."""
    scan.description = gettext(
        "Scan folders, print the ranked pairs and write tables and the report."
    )
    scan.epilog = gettext(
        "What is not given is as in the preset. A file that cannot be read is listed as a "
        "problem and the scan goes on."
    )
    shared.add_folders(scan)
    shared.add_roles(scan)
    shared.add_exclusion_options(scan)
    shared.add_setting_options(scan)
    shared.add_reading_options(scan)
    _add_result_options(scan)
    add_choice(scan)


def _add_result_options(scan: argparse.ArgumentParser) -> None:
    results = scan.add_argument_group(gettext("results"))
    for name, result in RESULTS.items():
        words = gettext(
            "write {results}, {formats}",
            results=gettext(result.words),
            formats=endings_in_words(result.formats),
        )
        shared.add_result(results, f"--{name}", result.endings, words, action="append", default=[])
    results.add_argument(
        "--review",
        type=shared.file_to_write(".neardup"),
        metavar="FILE",
        help=gettext(
            "keep the scan in a review, .neardup; where it exists already, only files that "
            "changed since are read, and what is gone stays, marked"
        ),
    )
    shared.add_flag(
        results,
        "--forget-gone",
        "with --review: take documents whose files are gone off the list. The review keeps "
        "them, and the window can bring them back. Nothing is taken off of a folder in which "
        "no document is left: it may not be connected",
    )
    shared.add_flag(
        results,
        "--add-by-properties",
        "also list pairs whose files share a rare property and whose texts the search did not "
        "find; a review keeps them",
    )
    shown = N_(
        "print the first N pairs, and as many documents that are gone, and with remarks "
        "(default: {default})"
    )
    shared.add_show(results, PAIRS_PRINTED, shown)
    shared.add_flag(results, "--quiet", "print nothing but errors")


def run(options: argparse.Namespace) -> int:
    """Scan; returns the exit status."""
    with until_interrupted():
        run_scan(options, shared.settings_from(options))
    return 0


def run_scan(options: argparse.Namespace, settings: ScanSettings) -> None:
    """Scan, print and write what the options ask for.

    Raises:
        NeardupError: The scan could not be done or a file not be written.
    """
    if options.forget_gone and not options.review:
        raise SettingsError("--forget-gone needs --review: a first scan finds what is there.")
    check_choice(options, writes_files=any(_files_to_write(options)))
    started = time.monotonic()
    with ExitStack() as stack:
        if options.review:
            stack.enter_context(_right_to_save(options))
        is_up_to_date = _is_up_to_date(options, settings)
        requests = (*RESULTS, "add_by_properties")
        if is_up_to_date and options.quiet and not any(map(vars(options).get, requests)):
            return
        from core.review import save_review

        stack.enter_context(prepared_engine(quiet=options.quiet))
        progress = stack.enter_context(shown_progress(quiet=options.quiet))
        verify = not is_up_to_date  # a save builds on existing rows
        previous = stack.enter_context(_earlier(options, progress, verify=verify))
        if previous and is_up_to_date:
            result = _unchanged(options, previous)
        else:
            result = _scanned(options, settings, previous, progress)
        stack.callback(result.close)
        for reason in result.unusable.values():  # a share may not be connected
            raise FolderError(reason)
        if options.forget_gone:
            result = _without_gone(result, stack)
        result = shared.scan_beside(options, result, stack)
        pairs = _listed(options, result, progress)
        failed: list[NeardupError] = []
        is_saved = False
        if options.review and not (is_up_to_date and _is_kept(previous, result)):
            with suppress(StorageError):  # what the window shows first takes a moment by now
                _ = result.known_pairs(pairs.settings), result.background()
            with noted(failed):
                for note in save_review(options.review, result.state, progress=progress):
                    print_note(note, quiet=False)  # also with --quiet: it is about a copy
                is_saved = True
        seconds = time.monotonic() - started
        with failures_raised(failed):
            if options.quiet and not any(_files_to_write(options)):
                return
            from core.reports.from_scan import report_of

            report = report_of(result, pairs)
            try:
                _print(options, result, pairs, report, seconds)
            finally:  # the files are wanted even where nobody reads the output
                with noted(failed):
                    _write_files(options, result, pairs, report, failed, is_saved=is_saved)


def _listed(options: argparse.Namespace, result: Scan, progress: Progress) -> PairList:
    """The pairs, with those that were added and those that are to be, which is a decision."""
    from core.scan.pair_details import with_extra_pairs

    pairs = result.list_pairs(progress=progress)
    if result.decided.judgements.marked:
        pairs = with_extra_pairs(result, pairs)
    if not options.add_by_properties:
        return pairs
    from core.review.decisions import decide
    from core.review.verdicts import list_pairs
    from core.scan.properties import properties_of_scan

    keys = pairs.keys_to_add(properties_of_scan(result, progress=progress).pairs())
    if not keys:
        return pairs
    result.decided = decide(result.state, *list_pairs(keys)).decided
    added = len(keys)
    if not options.quiet:
        print(
            ngettext("{n} pair was added to the list.", "{n} pairs were added to the list.", added)
        )
    return with_extra_pairs(result, replace(pairs, extra_pairs=pairs.extra_pairs.empty()))


def _is_up_to_date(options: argparse.Namespace, settings: ScanSettings) -> bool:
    """Whether there is a review in which a scan with these options would change nothing."""
    from core.review import is_up_to_date

    if options.review is None or not options.review.exists():
        return False
    if options.set_aside is not None or options.set_aside_text:
        return False
    if shared.reading_from(options).submissions:
        return False
    return is_up_to_date(options.review, *shared.folders_from(options), settings)


def _unchanged(options: argparse.Namespace, previous: ScanState) -> Scan:
    """The scan of files that are all as they were."""
    from core.scan.changed_files import Changes
    from core.scan.scan import Scan

    result = Scan.restored(previous)
    result.reading, result.changes = shared.reading_from(options), Changes()
    return result


def _is_kept(previous: ScanState | None, result: Scan) -> bool:
    """Whether the review holds all that was measured and decided."""
    if previous is None:
        return False
    held, known = (
        (len(state.evidence.codes), len(state.evidence.reworked.codes), len(state.log))
        for state in (previous, result.state)
    )
    return held == known


def _scanned(
    options: argparse.Namespace,
    settings: ScanSettings,
    previous: ScanState | None,
    progress: Progress,
) -> Scan:
    from core.scan.flow import scan
    from core.scan.folders import with_earlier_roles

    folders, roles = with_earlier_roles(*shared.folders_from(options), previous)
    return scan(
        folders,
        settings,
        roles=roles,
        reading=shared.reading_from(options),
        previous=previous,
        progress=progress,
        announce=partial(print_note, quiet=options.quiet),
    )


@contextmanager
def _right_to_save(options: argparse.Namespace) -> Iterator[None]:
    """Keep other programs from saving the review meanwhile; taken before the work."""
    from core.review import Access, ReviewLock

    with ReviewLock(options.review) as lock:
        lock.require()
        if lock.access is Access.UNGUARDED:
            print_note(gettext(NO_LOCKS), quiet=options.quiet)
        yield


@contextmanager
def _earlier(
    options: argparse.Namespace, progress: Progress, *, verify: bool
) -> Iterator[ScanState | None]:
    """The scan that the review file holds already, while its texts are needed."""
    from core.review import open_review

    if options.review is None or not options.review.exists():
        yield None
        return
    with open_review(options.review, verify=verify, progress=progress) as review:
        for note in review.notes:
            print_note(note, quiet=options.quiet)
        yield review.state


def _files_to_write(options: argparse.Namespace) -> Iterator[tuple[str, Path]]:
    """Each file with the name of its result."""
    return ((name, path) for name in RESULTS for path in getattr(options, name))


def _print(
    options: argparse.Namespace, result: Scan, pair_list: PairList, report: Report, seconds: float
) -> None:
    if not options.quiet:
        print_pairs(report, _unfolded(options, result, pair_list), options.show)
        _print_summary(result, pair_list, report, seconds, options.show)
        print(end="", flush=True)


def _unfolded(options: argparse.Namespace, result: Scan, pair_list: PairList) -> IntegerArray:
    """The rows of the list that are printed: weak traces only on request."""
    import numpy as np

    from core.reports.scopes import chosen_rows

    choice = ReportChoice(weak_traces=options.weak_traces)
    return chosen_rows(pair_list, np.arange(len(pair_list.rows)), result.decided.judgements, choice)


def _write_files(
    options: argparse.Namespace,
    result: Scan,
    pair_list: PairList,
    printed: Report,
    failed: list[NeardupError],
    *,
    is_saved: bool,
) -> None:
    """Write every file that can be written; the errors of the rest are appended to `failed`."""
    if is_saved and not options.quiet:
        say("Written: {path}", path=printable_name(options.review.as_posix()))
    files = list(_files_to_write(options))
    reports = reports_for(options, result, pair_list, files, made=printed) if files else {}
    for name, path in files:
        with noted(failed):
            written = write(name, path, reports[name == "report"])
            if not options.quiet:
                say("Written: {path}", path=printable_name(path.as_posix()))
                say_seal(written)


def _print_summary(
    result: Scan, pair_list: PairList, report: Report, seconds: float, show: int
) -> None:
    from core.reports.limits import exclusions_sentence
    from core.reports.list_words import (
        documents_in_words,
        judged_in_words,
        list_in_words,
        problems_in_words,
        reworked_in_words,
        reworked_promise,
    )
    from core.scan.changed_files import in_words

    parts = (
        documents_in_words(report.document_counts),
        list_in_words(report.list_counts, report.settings),
        ngettext("{n} group", "{n} groups", len(report.groups)),
        *(
            [judged_in_words(report.verdict_counts, report.earlier_count)]
            if report.has_judgements
            else ()
        ),
        *problems_in_words(report.problem_counts),
    )
    if result.changes:
        print(in_words(result.changes))
    took = gettext("{number} s", number=localized(f"{seconds:.1f}"))
    print(f"{comma_list(parts)}; {took}")
    if report.compared:
        # Documents with the same words are compared as one.
        floor = threshold(report.settings.min_resemblance)
        if report.compared == report.document_counts.pairs:
            sentence = ngettext(
                "Complete from a resemblance of {floor} on: {n} pair compared.",
                "Complete from a resemblance of {floor} on: all {n} pairs compared.",
                report.compared,
                floor=floor,
            )
        else:
            sentence = ngettext(
                "Complete from a resemblance of {floor} on: {n} pair of different texts compared.",
                "Complete from a resemblance of {floor} on: all {n} pairs of different texts "
                "compared.",
                report.compared,
                floor=floor,
            )
        if report.document_counts.missing:  # their pairs are listed, and not compared anew
            from core.reports.curve.forecast_words import listed_of_present
            from core.scan.pair_list import count_pairs

            present = count_pairs(pair_list.of_present(pair_list.pairs), pair_list.settings)
            sentence += " " + listed_of_present(report.document_counts, present)
        print(sentence)
    sentence = reworked_in_words(report.settings, complete=report.reworked_complete)
    if sentence and report.document_counts.pairs:
        print(sentence, reworked_promise(report.settings, complete=report.reworked_complete))
    if sentence := exclusions_sentence(report):
        print(sentence)
    for note in report.notes:
        say("Note: {note}", note=as_shown(note))
    _print_common(result, len(report.pairs))
    _print_missing(result, report, show)
    _print_problems(report)
    _print_remarks(report, show)


def _print_common(result: Scan, listed: int) -> None:
    """What most documents share, and how to set it aside."""
    from core.reports.list_words import in_most_in_words

    if passage := result.text_of_most(listed):
        say("Note: {note}", note=f"{in_most_in_words(passage)} (--set-aside-text FILE)")


def _print_problems(report: Report) -> None:
    """The files without text, grouped by reason."""
    from core.documents.problems import group_problems

    for group in group_problems(report.problems):
        say(
            "Not read: {heading}, {files}. {advice}",
            heading=group.kind.heading,
            files=ngettext("{n} file", "{n} files", len(group.problems)),
            advice=group.kind.advice,
        )
        for problem in group.problems:
            print(f"  {problem.name}: {as_shown(problem.detail)}")


def _print_remarks(report: Report, show: int) -> None:
    """Remarks on documents, at most of so many: running heads make one of every paper.

    First are those with the most, as what is unusual comes beside what all have.
    """
    if report.remarked:
        say(
            "Read with remarks: {documents}",
            documents=ngettext("{n} document", "{n} documents", len(report.remarked)),
        )
    documents = sorted(report.remarked, key=lambda it: len(it.remarks), reverse=True)
    _print_first(show, [f"{it.name}: {' '.join(map(as_shown, it.remarks))}" for it in documents])
