"""`neardup spark`: the same engine on a cluster, with three commands: scan, query, forecast."""

from __future__ import annotations

import argparse
import logging
import shlex
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.base.files import write_json
from core.base.messages import N_, as_shown, gettext, localized, ngettext
from core.base.tasks import stop_if_cancelled
from core.base.wording import count, printable_name
from core.commands import options as shared
from core.commands.query import add_result_options, print_matches, rows_of, texts_of
from core.commands.terminal import command_terminal, print_note, raise_failed, say
from core.documents.model import Role, own_text
from core.errors import FolderError, NeardupError, SettingsError
from core.program.end_signals import until_interrupted

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from core.spark.manifest import RunOptions, RunResult
    from core.spark.session import StageProgress, Watch

POLL = 0.5  # seconds between two looks at the progress of Spark


def add_session_options(parser: argparse.ArgumentParser) -> None:
    """Add options that `session_from` reads."""
    group = parser.add_argument_group(gettext("Spark"))
    group.add_argument(
        "--master",
        default="",
        metavar="URL",
        help=gettext(
            "where it runs: local[*] for all cores of this machine, spark://HOST:7077, yarn, "
            "k8s://…; spark-submit says it by itself"
        ),
    )
    group.add_argument(
        "--conf",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help=gettext("a setting of Spark, as spark.executor.memory=8g; may be given several times"),
    )


SOURCES = {
    "--reference": N_(
        "documents that are compared with those of SOURCE, never with each other; may be given "
        "several times"
    ),
    "--template": N_("documents whose text counts nowhere; may be given several times"),
}
COLUMNS = {
    "text": N_("the column of a table that holds the texts (default: text)"),
    "id": N_("the column of a table that tells the rows apart (default: id)"),
}


def add_sources(parser: argparse.ArgumentParser, *names: str) -> argparse._ArgumentGroup:
    """Add other sources than those to review, and the columns of tables, for `run_options`."""
    group = parser.add_argument_group(gettext("sources"))
    for name in names:
        group.add_argument(
            name,
            action="append",
            default=[],
            type=address_argument,
            metavar="SOURCE",
            help=gettext(SOURCES[name]),
        )
    for name, words in COLUMNS.items():
        group.add_argument(f"--{name}-column", default=name, metavar="NAME", help=gettext(words))
    return group


def address_argument(text: str) -> str:
    """A location as Spark names it; an empty name, of a variable that is not set, is none."""
    if not text:
        raise argparse.ArgumentTypeError(gettext("the name is empty"))
    return text


def run_options(options: argparse.Namespace, **more: Any) -> RunOptions:  # noqa: ANN401 - its fields
    """The options of a run: how sources are read, and further ones."""
    from core.spark.manifest import RunOptions

    given = (
        (Role.REVIEW, options.sources),
        (Role.REFERENCE, options.reference),
        (Role.TEMPLATE, vars(options).get("template", [])),
    )
    return RunOptions(
        shared.reading_from(options),
        roles=tuple(role for role, sources in given for _ in sources),
        text_column=options.text_column,
        id_column=options.id_column,
        **more,
    )


@contextmanager
def session_from(options: argparse.Namespace) -> Iterator[SparkSession]:
    """A session of Spark, ended with the block where the block began it.

    Raises:
        SettingsError: A setting of Spark is none.
        ClusterError: There is no PySpark, no Java or no cluster.
    """
    from core.spark.session import start

    settings = dict(map(_setting, options.conf))
    if not options.master and "spark.master" not in settings:
        print_note(gettext("Spark starts, where it is configured to run."), quiet=options.quiet)
    else:
        where = options.master or settings["spark.master"]
        print_note(
            gettext("Spark starts on {where}.", where=printable_name(where)), quiet=options.quiet
        )
    is_ours = not _is_running()
    session = start(options.master, settings)
    try:
        yield session
    finally:
        if is_ours:
            with suppress(Exception):  # of Java, that may be gone
                session.stop()


def _is_running() -> bool:
    """Whether this process already has a session, which its owner ends."""
    spark = sys.modules.get("pyspark.sql")
    return spark is not None and spark.SparkSession.getActiveSession() is not None


@contextmanager
def shown_stages(session: SparkSession, *, quiet: bool) -> Iterator[None]:
    """Show the progress of Spark on standard error: a changing line, in a log one per stage."""
    if quiet or sys.stderr is None:
        yield
        return
    from core.spark.session import Watch

    over = threading.Event()
    shown = _OnTerminal() if sys.stderr.isatty() else _InLog()
    watch = Watch(session)

    def work() -> None:
        while not over.wait(POLL):
            _show(shown, watch)

    thread = threading.Thread(target=work, name="neardup-progress", daemon=True)
    thread.start()
    warnings = _Warnings(shown)
    logging.getLogger("core").addHandler(warnings)
    try:
        yield
    finally:
        logging.getLogger("core").removeHandler(warnings)
        over.set()
        thread.join()
        _show(shown, watch)
        shown.end()


class _Warnings(logging.Handler):
    """Prints warnings like other sentences, never inside a progress line."""

    def __init__(self, shown: _OnTerminal | _InLog) -> None:
        super().__init__(logging.WARNING)
        self._shown = shown

    def emit(self, record: logging.LogRecord) -> None:
        self._shown.make_room()
        print_note(record.getMessage(), quiet=False)


def _show(shown: _OnTerminal | _InLog, watch: Watch) -> None:
    with suppress(Exception):  # of Java, that may be gone; of a terminal that was closed
        shown.show(watch.stages())


class _OnTerminal:
    """One line that is written again."""

    def show(self, stages: list[StageProgress]) -> None:
        if stages:
            command_terminal(f"\r{len(stages)}. {stages[-1].words()}\x1b[K")

    def make_room(self) -> None:
        command_terminal("\r\x1b[K")

    end = make_room


class _InLog:
    """A line for each stage that is over."""

    def __init__(self) -> None:
        self._reported = 0
        self._last: StageProgress | None = None

    def show(self, stages: list[StageProgress]) -> None:
        for stage in stages[self._reported : -1]:
            print_note(stage.summary(), quiet=False)
        self._reported = max(self._reported, len(stages) - 1)
        self._last = stages[-1] if stages else None

    def make_room(self) -> None:
        """Do nothing: each line of a log is separate."""

    def end(self) -> None:
        if self._last:
            print_note(self._last.summary(), quiet=False)


def _setting(given: str) -> tuple[str, str]:
    name, equals, value = given.partition("=")
    if not name or not equals:
        raise SettingsError(
            "“{given}” is no setting of Spark: write --conf NAME=VALUE.",
            given=printable_name(given),
        )
    return name, value


NOTES_SHOWN = 20  # on the terminal; each text with very many copies has a note


def add_scan_options(scan: argparse.ArgumentParser) -> None:
    """Describe `spark scan` and add its options."""
    scan.description = gettext(
        "Scan folders of files, or Parquet, JSON Lines and CSV with a column of texts, and "
        "write documents, pairs, groups and passages into a folder as Parquet. Sources and "
        "target are on any file system that Spark reaches. The numbers of all pairs are "
        "exact, as those of neardup scan; what is too common to be compared everywhere is "
        "said."
    )
    scan.epilog = gettext(
        "Example: neardup spark scan --master local[*] texts.parquet run. A run that was "
        "stopped goes on with --resume after the last stage that it has finished."
    )
    scan.set_defaults(run=run_scan)
    scan.add_argument("sources", nargs="+", type=address_argument, metavar="SOURCE")
    scan.add_argument("target", type=address_argument, metavar="TARGET")
    _add_run_options(scan)
    add_session_options(scan)
    add_sources(scan, "--reference", "--template")
    shared.add_exclusion_options(scan)
    shared.add_setting_options(scan)
    shared.add_reading_options(scan)


def _add_run_options(scan: argparse.ArgumentParser) -> None:
    group = scan.add_argument_group(gettext("run"))
    shared.add_flag(group, "--resume", "go on with the run in TARGET, which was stopped")
    group.add_argument(
        "--budget",
        type=shared.whole_number(0),
        metavar="PAIRS",
        help=gettext(
            "stop before so many pairs would be compared, and say which bands and rows would do; "
            "0 for any number (default: it grows with the documents)"
        ),
    )
    group.add_argument(
        "--partitions",
        type=shared.whole_number(0),
        default=0,
        metavar="N",
        help=gettext("in how many parts tables are shuffled (default: what Spark chooses)"),
    )
    shared.add_flag(group, "--quiet", "print nothing but errors")


def run_scan(options: argparse.Namespace) -> int:
    """Scan; returns the exit status.

    Raises:
        NeardupError: The run could not be done.
    """
    from core.exclusions.rules import NO_RULES

    settings = shared.settings_from(options)
    requested = run_options(
        options,
        rules=shared.rules_from(options, NO_RULES),
        resume=options.resume,
        budget=options.budget,
        partitions=options.partitions,
    )
    sources = [*options.sources, *options.reference, *options.template]
    started = time.monotonic()
    # Spark takes Ctrl+C for itself when it starts; so it starts first.
    with session_from(options) as session, until_interrupted():
        from core.spark.scan import scan

        try:
            with shown_stages(session, quiet=options.quiet):
                result = scan(session, sources, options.target, settings, requested)
        except NeardupError as error:
            for note in getattr(error, "__notes__", ()):
                print_note(note, quiet=False)
            raise
    if not options.quiet:
        _print_result(result, options.target, time.monotonic() - started)
    return 0


def _print_result(result: RunResult, target: str, seconds: float) -> None:
    parts = [
        ngettext("{n} document", "{n} documents", result.documents),
        ngettext("{n} pair", "{n} pairs", result.pairs),
        ngettext("{n} group", "{n} groups", result.groups),
    ]
    if result.problems:
        parts.append(ngettext("{n} problem", "{n} problems", result.problems))
    took = gettext("{number} s", number=localized(f"{seconds:.1f}"))
    print(f"{', '.join(parts)}; {took}")
    for note in result.notes[:NOTES_SHOWN]:
        say("Note: {note}", note=as_shown(note))
    more = len(result.notes) - NOTES_SHOWN
    if more > 0:
        print(
            ngettext(
                "Note: {n} more note in run.json of the run; what the list leaves out is in its "
                "table left_out.",
                "Note: {n} more notes in run.json of the run; what the list leaves out is in its "
                "table left_out.",
                more,
            )
        )
    target_shown = printable_name(target)
    say("Written: {path}", path=target_shown)
    if result.pairs:
        say(
            "To look at pairs: neardup import {place} --above 0.5 review.neardup",
            place=shlex.quote(target_shown),
        )


def add_query_options(query: argparse.ArgumentParser) -> None:
    """Describe `spark query` and add its options."""
    query.description = gettext(
        "Find the documents of a finished run that some files are like: what a run with them "
        "among its documents would list. The run is not repeated."
    )
    query.epilog = gettext("Example: neardup spark query results new/*.docx --json answers.json")
    query.set_defaults(run=run_query)
    query.add_argument("target", metavar="TARGET", help=gettext("the folder of the run"))
    query.add_argument("files", nargs="+", type=Path, metavar="FILE")
    add_session_options(query)
    shared.add_reading_options(query)
    add_result_options(query)


def run_query(options: argparse.Namespace) -> int:
    """Ask for all files; returns the exit status.

    Raises:
        NeardupError: A file gives no text, or the run cannot be read.
    """
    results: list[dict[str, Any]] = []
    failed: list[FolderError] = []
    with until_interrupted():
        reading = shared.reading_from(options)
        read = list(texts_of(options.files, reading, failed, quiet=options.quiet))
        if not read:
            raise_failed(failed)
        with session_from(options) as session:
            from core.spark.query import COPIES_SHOWN, query
            from core.spark.run import finished_run
            from core.spark.session import set_for_a_run, spark_work

            settings = finished_run(session, options.target).settings
            with spark_work(session), set_for_a_run(session, 0):
                texts = [own_text(*query_text) for query_text in read]
                with shown_stages(session, quiet=options.quiet):
                    copies = max(COPIES_SHOWN, options.show)
                    answers = list(query(session, options.target, texts, settings, copies))
        for query_text, answer in zip(read, answers, strict=True):
            if not options.quiet:
                shown = answer.documents, answer.matches
                print_matches(query_text.document.name, *shown, settings, options.show)
                if answer.copies_left_out:
                    print(
                        ngettext(
                            "{n} more document with the same words as one of these; {copies} are "
                            "told.",
                            "{n} more documents with the same words as one of these; {copies} are "
                            "told.",
                            answer.copies_left_out,
                            copies=count(copies),
                        )
                    )
            matches = rows_of(answer.documents, answer.matches)
            for row, run_id in zip(matches, answer.ids, strict=True):
                row["id"] = run_id
            left_out = answer.copies_left_out
            results.append(
                {"file": query_text.path, "matches": matches, "copies_left_out": left_out}
            )
    if options.json:
        write_json(options.json, results)
    raise_failed(failed)
    return 0


def add_forecast_options(forecast: argparse.ArgumentParser) -> None:
    """Describe `spark forecast` and add its options."""
    forecast.description = gettext(
        "Say before a run what it would compare, shuffle and take: read and sign 0.1% of the "
        "documents, 2,000 at least, and compare these. Said are the candidates of the "
        "settings and of other bands and rows, with 95% intervals. Time is that of one core "
        "of this computer; finding passages and reworked ones is not counted."
    )
    forecast.epilog = gettext("Example: neardup spark forecast --master local[*] texts.parquet")
    forecast.set_defaults(run=run_forecast)
    forecast.add_argument("sources", nargs="+", metavar="SOURCE")
    group = add_sources(forecast, "--reference")
    shared.add_flag(group, "--quiet", "show no progress")
    add_session_options(forecast)
    shared.add_setting_options(forecast)
    shared.add_reading_options(forecast)


def run_forecast(options: argparse.Namespace) -> int:
    """Forecast; returns the exit status.

    Raises:
        NeardupError: The sources cannot be read.
        EndRequestedError: Ctrl+C, while they were.
    """
    settings = shared.settings_from(options)
    # Spark takes Ctrl+C for itself when it starts; so it starts first.
    with session_from(options) as session, until_interrupted():
        from core.spark.forecast import CostEstimate, gathered, sample_of, sentences
        from core.spark.reading import read_sample
        from core.spark.session import require_classic, set_for_a_run, spark_work

        require_classic(session)
        sources = [*options.sources, *options.reference]
        with (
            spark_work(session),
            set_for_a_run(session, 0),
            shown_stages(session, quiet=options.quiet),
        ):
            read = read_sample(session, sources, settings, run_options(options))
            table = gathered(read.documents)
            stop_if_cancelled()
            sampled = sample_of(table, read.all, read.share, settings)
            bill = CostEstimate(sampled, read.all, settings, read.rows)
            stop_if_cancelled()
    print(*sentences(bill), sep="\n")
    return 0


COMMANDS = {
    "scan": (add_scan_options, N_("scan folders and tables into a folder of Parquet")),
    "query": (add_query_options, N_("compare single files with a finished run")),
    "forecast": (
        add_forecast_options,
        N_("what a run would compare, shuffle and take, from a sample"),
    ),
}


def add_options(spark: argparse.ArgumentParser) -> None:
    """Describe `spark` and add its commands."""
    spark.description = gettext(
        "Find near-duplicates in more documents than one machine holds, on Apache Spark. The "
        "numbers of all pairs are those of neardup scan. Spark 4 needs Java 17 or newer."
    )
    commands = spark.add_subparsers(title=gettext("commands"), metavar="COMMAND", required=True)
    for name, (add, words) in COMMANDS.items():
        add(commands.add_parser(name, help=gettext(words)))
