"""The output of long commands on a terminal: one line of progress, and lines before it.

Output never controls the terminal.

Names, arguments and messages of the system may hold control sequences. Most are made printable
where they come in; this is the last place, through which everything goes.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import (
    ExitStack,
    contextmanager,
    nullcontext,
    redirect_stderr,
    redirect_stdout,
    suppress,
)
from typing import TYPE_CHECKING, Any, TextIO, cast

from core.base.messages import N_, gettext, ngettext
from core.base.progress_lines import ProgressLine, ProgressLines
from core.base.tasks import Progress, ignore, throttled
from core.base.wording import printable_text, seal_in_words
from core.errors import NeardupError, ScanCancelledError

if TYPE_CHECKING:
    from core.base.arrays import IntegerArray
    from core.evidence.measures import Measure
    from core.reports.formats import WrittenFile
    from core.reports.model import Report
    from core.reports.pair_words import ListedFor
    from core.settings import ScanSettings


class PrintableOutput:
    """A stream that escapes invisible characters and those that would control a terminal."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream

    def write(self, text: str) -> int:
        """Write text; of control characters only line feeds and tabs stay."""
        return self.stream.write(printable_text(text))

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever the stream has
        return getattr(self.stream, name)


@contextmanager
def printable_output() -> Iterator[None]:
    """Within it, `sys.stdout` and `sys.stderr` write printable text only."""
    with ExitStack() as stack:
        if sys.stdout:  # None without standard output
            stack.enter_context(redirect_stdout(cast("TextIO", PrintableOutput(sys.stdout))))
        if sys.stderr:
            stack.enter_context(redirect_stderr(cast("TextIO", PrintableOutput(sys.stderr))))
        yield


def command_terminal(commands: str) -> None:
    """Write control sequences to the terminal, at once, on standard error."""
    stream: TextIO = getattr(sys.stderr, "stream", sys.stderr)
    with suppress(OSError):  # the terminal is gone; the work is stopped for that, or goes on
        stream.write(commands)
        stream.flush()


def say(message: str, **values: object) -> None:
    """Print a message in the user's language."""
    print(gettext(message, **values))


def print_pairs(report: Report, rows: IntegerArray, show: int) -> None:
    """The ranked table, names last because they are long.

    Args:
        report: Of all pairs.
        rows: Those of its pairs that are not folded as weak traces, integers.
        show: How many of them are printed at most; of none nothing is printed.
    """
    from core.evidence.measures import measures
    from core.reports.list_words import empty_pairs_in_words
    from core.reports.pair_words import NOT_LISTED, ListedFor, mark_in_list

    if not show:
        return
    settings = report.settings
    shown = rows[:show].tolist()
    if shown:
        numbers = measures(settings.unit, bag=settings.bag)
        titles = "  ".join(gettext(number.name) for number in numbers)
        print(f"   #  {titles}  " + gettext("Document A | Document B"))
    ways = [
        (float(report.pairs.resemblance[row]), int(report.pairs.found_by[row])) for row in shown
    ]
    for row, way in zip(shown, ways, strict=True):
        mark = mark_in_list(*way, settings)
        print(f"{_pair_line(report, row, numbers)}{f'  [{mark}]' if mark else ''}")
    print_reasons([ListedFor.of(*way, settings) for way in ways if way[1]], settings)
    if 0 < len(shown) < len(rows):
        print(
            ngettext(
                "… and {n} more pair; --show N prints more, --pairs writes all.",
                "… and {n} more pairs; --show N prints more, --pairs writes all.",
                len(rows) - len(shown),
            )
        )
    folded = len(report.pairs) - len(rows)
    if folded:
        print(
            ngettext(
                "{n} weak trace; --weak-traces shows it.",
                "{n} weak traces; --weak-traces shows them.",
                folded,
            )
        )
    left = show - len(shown)
    for a, b in report.unlisted[:left]:
        names = " | ".join(report.documents[number].marked_name for number in (a, b))
        print(f"   –  {gettext(NOT_LISTED)}  {names}")
    if not_shown := len(report.unlisted[left:]):
        print("   –  " + empty_pairs_in_words(not_shown))
    if len(report.pairs) or report.unlisted:
        print()


def print_reasons(reasons: Sequence[ListedFor], settings: ScanSettings) -> None:
    """What the marks of a list say, below it."""
    from core.reports.pair_words import ListedFor, listed_for, passage_heading

    for reason in ListedFor:
        if listed_for(reason) and reason in reasons:
            print(f"      {passage_heading(settings, reason)}")


def _pair_line(report: Report, row: int, numbers: Sequence[Measure]) -> str:
    pairs = report.pairs
    cells = (
        f"{number.shown(getattr(pairs, number.column)[row].item()):>{len(gettext(number.name))}}"
        for number in numbers
    )
    names = (report.documents[int(column[row])].marked_name for column in (pairs.a, pairs.b))
    return f"{row + 1:4}  {'  '.join(cells)}  {' | '.join(names)}"


PROGRESS_INTERVAL = 0.1  # seconds between two lines
COMPILED_ONCE = N_("The engine is compiled for this computer first; that is done once.")
COMPILED_ALWAYS = N_(
    "The engine is compiled first, and again at every start: it can be kept in no folder."
)


@contextmanager
def shown_progress(*, quiet: bool) -> Iterator[Progress]:
    """Show progress on standard error where that is a terminal, and take it away at the end."""
    if quiet or sys.stderr is None or not sys.stderr.isatty():
        yield ignore
        return
    try:
        lines = ProgressLines()
        yield throttled(lambda report: _show(lines.line_for(report)), PROGRESS_INTERVAL)
    finally:
        command_terminal("\r\x1b[K")


@contextmanager
def prepared_engine(*, quiet: bool) -> Iterator[None]:
    """Have the engine compiled meanwhile where this computer has not done so yet.

    That is progress: it is shown on a terminal only.
    """
    from core.program.preparation import can_keep, is_prepared, prepared_meanwhile

    if is_prepared():
        yield
        return
    keeps = can_keep()
    if sys.stderr and sys.stderr.isatty():
        print_note(gettext(COMPILED_ONCE if keeps else COMPILED_ALWAYS), quiet=quiet)
    with prepared_meanwhile() if keeps else nullcontext():
        yield


def print_note(sentence: str, *, quiet: bool) -> None:
    """Say something before the work begins, beside the output."""
    if not quiet and sys.stderr:
        print(f"neardup: {sentence}", file=sys.stderr)


@contextmanager
def noted(failed: list[NeardupError]) -> Iterator[None]:
    """Within it one task of several is done; its error is appended to `failed`."""
    try:
        yield
    except ScanCancelledError:
        raise
    except NeardupError as error:
        failed.append(error)


@contextmanager
def failures_raised(failed: Sequence[NeardupError]) -> Iterator[None]:
    """At its end all failures are reported (see `raise_failed`), before any other error."""
    try:
        yield
    except BaseException:
        for error in failed:
            print_note(str(error), quiet=False)
        raise
    raise_failed(failed)


def raise_failed(failed: Sequence[NeardupError]) -> None:
    """Report which of several tasks failed, the last of them as an error.

    Raises:
        NeardupError: A task failed.
    """
    for error in failed[:-1]:
        print_note(str(error), quiet=False)
    if failed:
        raise failed[-1]


def _show(line: ProgressLine) -> None:
    """Rewrite the line on the terminal, which cuts it where it is too narrow."""
    text = " · ".join(filter(None, (line.stage, line.amount, line.left)))
    command_terminal(f"\r\x1b[?7l{printable_text(text)}\x1b[K\x1b[?7h")


def say_seal(written: WrittenFile) -> None:
    """Print the seal of a file that has one; noted elsewhere, it identifies this file."""
    if written.seal:
        is_pdf = written.path.suffix.lower() == ".pdf"
        print(f"  {seal_in_words(written.seal, is_pdf=is_pdf)}")
