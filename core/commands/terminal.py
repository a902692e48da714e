"""What long commands say on a terminal: one line of progress, and what comes before it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from typing import TYPE_CHECKING

from core.base.progress import Cancelled, Progress, ProgressReport, ignore, throttled
from core.base.wording import printable_text
from core.commands.printable_output import command_terminal

if TYPE_CHECKING:
    from core.reports.formats import Written

PROGRESS_INTERVAL = 0.1  # seconds between two lines
COMPILED_ONCE = "The engine is compiled for this computer first; that is done once."
COMPILED_ALWAYS = (
    "The engine is compiled first, and again at every start: it can be kept in no folder."
)


@contextmanager
def shown_progress(*, quiet: bool) -> Iterator[Progress]:
    """Show progress on standard error where that is a terminal, and take it away at the end."""
    if quiet or sys.stderr is None or not sys.stderr.isatty():
        yield ignore
        return
    try:
        yield throttled(_show, PROGRESS_INTERVAL)
    finally:
        _write("\r\x1b[K")


@contextmanager
def prepared_engine(cancelled: Cancelled, *, quiet: bool) -> Iterator[None]:
    """Have the engine compiled meanwhile where this computer has not done so yet.

    That is progress: it is told on a terminal only.
    """
    from core.program.preparation import can_keep, is_prepared, prepared_meanwhile

    if is_prepared():
        yield
        return
    keeps = can_keep()
    if sys.stderr and sys.stderr.isatty():
        tell(COMPILED_ONCE if keeps else COMPILED_ALWAYS, quiet=quiet)
    with prepared_meanwhile(cancelled) if keeps else nullcontext():
        yield


def tell(sentence: str, *, quiet: bool) -> None:
    """Say something before the work begins, beside the output."""
    if not quiet and sys.stderr:
        print(f"neardup: {sentence}", file=sys.stderr)


def _show(report: ProgressReport) -> None:
    """Rewrite the line on the terminal."""
    of = f"{report.done:,} of {report.total:,}" if report.total else ""
    _write(f"\r{printable_text(report.stage)} {of}\x1b[K")


def _write(text: str) -> None:
    with suppress(OSError):  # the terminal is gone; the work is stopped for that, or goes on
        command_terminal(text)


def say_seal(written: Written) -> None:
    """Say the seal of a file that has one; noted elsewhere, it tells this file from any other."""
    if written.seal:
        print(f"  Seal: {written.seal}")
