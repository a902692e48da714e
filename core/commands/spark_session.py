"""What the commands on Spark share: where it runs, and what it does meanwhile."""

from __future__ import annotations

import argparse
import logging
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from core.base.messages import N_, gettext
from core.base.wording import printable_name
from core.commands.options import reading_from
from core.commands.terminal import command_terminal, tell
from core.documents.model import Role
from core.errors import SettingsError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from core.spark.manifest import RunOptions
    from core.spark.session import StageProgress, Watch

POLL = 0.5  # seconds between two looks at what Spark does


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
    """Add other sources than those to review, and the columns of tables, for `asked_for`."""
    group = parser.add_argument_group(gettext("sources"))
    for name in names:
        group.add_argument(
            name,
            action="append",
            default=[],
            type=place,
            metavar="SOURCE",
            help=gettext(SOURCES[name]),
        )
    for name, words in COLUMNS.items():
        group.add_argument(f"--{name}-column", default=name, metavar="NAME", help=gettext(words))
    return group


def place(text: str) -> str:
    """A place as Spark names it; an empty name, of a variable that is not set, is none."""
    if not text:
        raise argparse.ArgumentTypeError(gettext("the name is empty"))
    return text


def asked_for(options: argparse.Namespace, **more: Any) -> RunOptions:  # noqa: ANN401 - its fields
    """How sources are read, and what else a run is asked for."""
    from core.spark.manifest import RunOptions

    given = (
        (Role.REVIEW, options.sources),
        (Role.REFERENCE, options.reference),
        (Role.TEMPLATE, vars(options).get("template", [])),
    )
    return RunOptions(
        reading_from(options),
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
        tell(gettext("Spark starts, where it is configured to run."), quiet=options.quiet)
    else:
        where = options.master or settings["spark.master"]
        tell(gettext("Spark starts on {where}.", where=printable_name(where)), quiet=options.quiet)
    is_ours = not _is_running()
    session = start(options.master, settings)
    try:
        yield session
    finally:
        if is_ours:
            with suppress(Exception):  # of Java, that may be gone
                session.stop()


def _is_running() -> bool:
    """Whether this process has a session already, which is somebody else's to end."""
    spark = sys.modules.get("pyspark.sql")
    return spark is not None and spark.SparkSession.getActiveSession() is not None


@contextmanager
def shown_stages(session: SparkSession, *, quiet: bool) -> Iterator[None]:
    """Show on standard error what Spark does: a line that changes, or, in a log, one a stage."""
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
    """Says warnings as other sentences are said, and not within a line of progress."""

    def __init__(self, shown: _OnTerminal | _InLog) -> None:
        super().__init__(logging.WARNING)
        self._shown = shown

    def emit(self, record: logging.LogRecord) -> None:
        self._shown.make_room()
        tell(record.getMessage(), quiet=False)


def _show(shown: _OnTerminal | _InLog, watch: Watch) -> None:
    with suppress(Exception):  # of Java, that may be gone; of a terminal that was closed
        shown.show(watch.stages())


class _OnTerminal:
    """One line that is written again."""

    def show(self, stages: list[StageProgress]) -> None:
        if stages:
            self._write(f"\r{len(stages)}. {stages[-1].words()}\x1b[K")

    def make_room(self) -> None:
        self._write("\r\x1b[K")

    def end(self) -> None:
        self.make_room()

    def _write(self, text: str) -> None:
        with suppress(OSError):
            command_terminal(text)


class _InLog:
    """A line for each stage that is over."""

    def __init__(self) -> None:
        self._told = 0
        self._last: StageProgress | None = None

    def show(self, stages: list[StageProgress]) -> None:
        for stage in stages[self._told : -1]:
            tell(stage.summary(), quiet=False)
        self._told = max(self._told, len(stages) - 1)
        self._last = stages[-1] if stages else None

    def make_room(self) -> None:
        """Each line of a log is its own."""

    def end(self) -> None:
        if self._last:
            tell(self._last.summary(), quiet=False)


def _setting(given: str) -> tuple[str, str]:
    name, equals, value = given.partition("=")
    if not name or not equals:
        raise SettingsError(
            "“{given}” is no setting of Spark: write --conf NAME=VALUE.",
            given=printable_name(given),
        )
    return name, value
