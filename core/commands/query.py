"""`neardup query`: which documents of a folder or a review a file is like."""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from core.base.files import write_json
from core.base.messages import N_, as_shown, gettext, ngettext
from core.base.wording import count, quoted, resemblance
from core.commands import options as shared
from core.commands.terminal import (
    prepared_engine,
    print_note,
    print_reasons,
    raise_failed,
    shown_progress,
)
from core.documents.model import Document, Problem, ReadDocument
from core.documents.reading_settings import ReadingSettings
from core.errors import FolderError, SettingsError
from core.program.end_signals import until_interrupted
from core.settings import ScanSettings

if TYPE_CHECKING:
    from core.documents.model import FoundFile
    from core.documents.submissions import FoundSubmission
    from core.evidence.pairs import Pairs
    from core.scan.scan import Scan

REVIEW = ".neardup"
MATCHES_PRINTED = 20
TEXT_AND_DOCUMENT = {
    "containment_a": "containment_file",
    "containment_b": "containment_document",
    "overlap_a": "overlap_file",
    "overlap_b": "overlap_document",
}


def add_options(query: argparse.ArgumentParser) -> None:
    """Describe `query` and add its options."""
    query.description = gettext(
        "Find the documents of a folder or of a review that a file is like. A review (neardup "
        "scan --review) answers at once; a folder is scanned first."
    )
    query.epilog = gettext(
        "A review is asked under its own settings; those for a folder are as for scan."
    )
    query.add_argument("where", type=Path, metavar="FOLDER|REVIEW.neardup")
    query.add_argument("files", nargs="+", type=Path, metavar="FILE")
    shared.add_setting_options(query)
    shared.add_reading_options(query)
    add_result_options(query)


def add_result_options(
    parser: argparse.ArgumentParser,
    shown: str = N_("print the first N documents for each file (default: {default})"),
) -> argparse._ActionsContainer:
    """Add the options on the answers; `shown`, a message, says of which the first are printed."""
    results = parser.add_argument_group(gettext("results"))
    shared.add_show(results, MATCHES_PRINTED, shown)
    shared.add_json(results, gettext("write all of them, .json"))
    shared.add_flag(results, "--quiet", "print nothing but errors")
    return results


def run(options: argparse.Namespace) -> int:
    """Ask for every file; returns the exit status."""
    from core.scan.exclusions import exclusions_in_query
    from core.text.set_aside import merged

    results: list[dict[str, Any]] = []
    failed: list[FolderError] = []
    reading = shared.reading_from(options)
    with until_interrupted(), prepared_engine(quiet=options.quiet), _scanned(options) as scan:
        index, state = scan.index(), scan.state
        for query_text in texts_of(options.files, reading, failed, quiet=options.quiet):
            began = time.perf_counter()
            spans = exclusions_in_query(state, *query_text, scan.pool)
            matches = index.matches(query_text.text, {0: merged(spans)} if spans else {})
            seconds = time.perf_counter() - began
            if not options.quiet:
                took = "; " + gettext("{number} ms", number=f"{1000 * seconds:.0f}")
                shown = scan.documents, matches, scan.settings, options.show
                print_matches(query_text.document.name, *shown, took)
            if options.json:
                answers = rows_of(scan.documents, matches)
                results.append({"file": query_text.path, "matches": answers})
    if options.json and (results or not failed):
        write_json(options.json, results)
    raise_failed(failed)
    return 0


@contextmanager
def _scanned(options: argparse.Namespace) -> Iterator[Scan]:
    from core.reports.formats import spare_documents
    from core.review import open_review
    from core.scan.flow import scan
    from core.scan.scan import Scan

    with ExitStack() as stack:
        with shown_progress(quiet=options.quiet) as progress:
            if options.where.suffix.lower() == REVIEW and not options.where.is_dir():
                if shared.gives_settings(options):
                    raise SettingsError("A review is asked under its own settings: give none.")
                review = open_review(options.where, progress=progress)
                stack.callback(review.close)
                read = [*review.state.folders, *options.files]
                of_file = spare_documents(options.json, read) if options.json else ""
                for note in filter(None, (*review.notes, of_file)):
                    print_note(note, quiet=options.quiet)
                result = Scan.restored(review.state)
            else:
                settings = shared.settings_from(options)
                folders = [options.where]
                result = scan(
                    folders, settings, reading=shared.reading_from(options), progress=progress
                )
        stack.callback(result.close)
        yield result


class QueryText(NamedTuple):
    """A text to ask about, and the document that it is."""

    document: Document
    text: str

    @property
    def path(self) -> str:
        """Where it is, which goes on inside a file."""
        return "/".join(filter(None, (self.document.location, self.document.part)))


def texts_of(
    named: Sequence[Path], reading: ReadingSettings, failed: list[FolderError], *, quiet: bool
) -> Iterator[QueryText]:
    """The texts of files: of a mail or an archive also those in it, of a folder all.

    A part without text beside others is reported, unless `quiet`. For a file without any text, the
    other files are read all the same, and the reason is appended to `failed`.
    """
    for file in named:
        try:
            yield from _texts_in(file, reading, quiet=quiet)
        except FolderError as error:
            failed.append(error)


def _texts_in(file: Path, reading: ReadingSettings, *, quiet: bool) -> Iterator[QueryText]:
    from core.documents.isolation.processes import ReaderProcesses
    from core.scan.ingest import read_found
    from core.scan.pair_list import NO_DOCUMENT
    from core.scan.rescan import KnownDocuments

    has_text = False
    units, problems = _units_in(file, reading)
    nothing_known = KnownDocuments(None, ScanSettings(), reading)
    with ReaderProcesses(reading) as processes:
        for result in (
            result for unit in units for result in read_found(unit, nothing_known, processes)
        ):
            if isinstance(result, ReadDocument):
                has_text = True
                yield QueryText(result.document, result.text)
            elif isinstance(result, Problem):
                problems.append(result)
    sentences = [f"{quoted(problem.name)}: {as_shown(problem.detail)}" for problem in problems]
    if not has_text:
        raise FolderError(sentences[0] if sentences else NO_DOCUMENT)
    for sentence in sentences:
        print_note(sentence, quiet=quiet)


def _units_in(
    file: Path, reading: ReadingSettings
) -> tuple[Sequence[FoundFile | FoundSubmission], list[Problem]]:
    """The files to read, on request as submissions: then a folder of files is one."""
    from core.documents.discovery import find_documents
    from core.documents.submissions import FoundSubmission
    from core.scan.submissions import as_submissions

    files, problems = find_documents([file])
    units = as_submissions(files, [file], reading, None)
    are_alone = not any(isinstance(unit, FoundSubmission) for unit in units)
    if reading.submissions and are_alone and file.is_dir():
        folder = file if file.name.strip(".") else file.resolve()
        named, _ = find_documents([folder], named=[folder.name])
        units = as_submissions(named, [folder.parent], reading, None)
    return units, problems


def print_matches(
    name: str,
    documents: Sequence[Document],
    matches: Pairs,
    settings: ScanSettings,
    show: int,
    took: str = "",
) -> None:
    """The first documents that a file is like, worst first."""
    from core.evidence.measures import FLAGS, MEASURE
    from core.reports.list_words import more_in_words
    from core.reports.pair_words import ListedFor, listed_for

    overlap, number = MEASURE["overlap"], len(matches)
    is_weak = matches.weak_trace.tolist()
    weak = sum(is_weak)
    like = ngettext(
        "{name}: like {n} document", "{name}: like {n} documents", number - weak, name=name
    )
    traces = "; " + ngettext("{n} weak trace", "{n} weak traces", weak) if weak else ""
    print(f"{like}{traces}{took}")
    shown = min(number, show)
    titles = (
        gettext("Overlap"),
        gettext("Resemblance"),
        gettext("In document"),
        gettext("Of document"),
        gettext("Longest run"),
    )
    if shown:
        print(f"   #  {'  '.join(titles)}  " + gettext("Document"))
    ways = zip(matches.resemblance[:shown], matches.found_by[:shown], strict=True)
    reasons = [ListedFor.of(value, found_by, settings) for value, found_by in ways]
    for row, reason in enumerate(reasons):
        marks = listed_for(reason), gettext(FLAGS["weak_trace"]) if is_weak[row] else ""
        mark = ", ".join(filter(None, marks))
        cells = (
            overlap.shown(matches.overlap[row]),
            resemblance(matches.resemblance[row]),
            overlap.shown(matches.overlap_a[row]),
            overlap.shown(matches.overlap_b[row]),
            count(matches.longest_run[row]),
        )
        aligned = (f"{cell:>{len(title)}}" for cell, title in zip(cells, titles, strict=True))
        document = documents[matches.b[row]].marked_name
        print(f"{row + 1:4}  {'  '.join(aligned)}  {document}{f'  [{mark}]' if mark else ''}")
    print_reasons(reasons, settings)
    if shown < number:
        print(more_in_words(number - shown))


def rows_of(documents: Sequence[Document], matches: Pairs) -> list[dict[str, Any]]:
    """The documents that a file is like, as they are written to JSON."""
    from core.evidence.measures import ShownIn, columns_in
    from core.reports.rows import values_in_files

    numbers = columns_in(ShownIn.ANSWERS)
    names = [TEXT_AND_DOCUMENT.get(number.column, number.column) for number in numbers]
    columns = [values_in_files(number, getattr(matches, number.column)) for number in numbers]
    return [
        {"document": documents[document].name, **dict(zip(names, values, strict=True))}
        for document, *values in zip(matches.b.tolist(), *columns, strict=True)
    ]
