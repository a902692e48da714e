"""`neardup scan`: the flow on the command line."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Sequence

from core.documents import Document
from core.documents.names import printable_name
from core.errors import SettingsError
from core.pairs import Pairs
from core.progress import Cancelled, ProgressReport, ignore
from core.reports import Report, write_pairs, write_passages, write_problems, write_report
from core.reports.wording import counted, resemblance, share, unit_name
from core.scan import Scan, scan
from core.scan_report import report_of
from core.settings import ScanSettings

__all__ = ["run_scan"]

PROGRESS_INTERVAL = 0.1  # seconds
RESULTS = {  # options that name a file, in the order in which they are written
    "pairs": write_pairs,
    "passages": write_passages,
    "problems": write_problems,
    "report": write_report,
}


def run_scan(options: argparse.Namespace, settings: ScanSettings, cancelled: Cancelled) -> None:
    """Scan, print and write what the options ask for.

    Raises:
        NeardupError: The scan could not be done or a file not be written.
    """
    _check_targets(options)
    started = time.monotonic()
    watched = not options.quiet and sys.stderr is not None and sys.stderr.isatty()
    progress = _TerminalProgress() if watched else ignore
    try:
        result = scan(options.folders, settings, progress=progress, cancelled=cancelled)
        try:
            pairs = result.pairs(progress=progress, cancelled=cancelled)
        finally:
            result.close()
    finally:
        if isinstance(progress, _TerminalProgress):
            progress.clear()
    seconds = time.monotonic() - started
    report = report_of(result, pairs)
    try:
        if not options.quiet:
            _print_pairs(result.documents, pairs, options.show)
            _print_summary(result, report, seconds)
            print(end="", flush=True)
    finally:  # the files are wanted even where nobody reads what is printed
        _write_files(options, report, cancelled)


def _check_targets(options: argparse.Namespace) -> None:
    """Raise when two results would be written to one file."""
    taken: dict[str, str] = {}
    for name in RESULTS:
        path = getattr(options, name)
        if path:
            real = os.path.realpath(path)
            if real in taken:
                raise SettingsError(f"--{taken[real]} and --{name} name the same file.")
            taken[real] = name


def _write_files(options: argparse.Namespace, report: Report, cancelled: Cancelled) -> None:
    for name, write in RESULTS.items():
        path = getattr(options, name)
        if path:
            write(path, report, cancelled=cancelled)
            if not options.quiet:
                print(f"Written: {printable_name(path.as_posix())}")


def _print_pairs(documents: Sequence[Document], pairs: Pairs, show: int) -> None:
    """The ranked table, names last because they are long."""
    shown = min(len(pairs), max(0, show))
    if not shown:
        return
    print("   #  Resemblance  A in B  B in A  Longest run  Shared  Document A | Document B")
    for row in range(shown):
        names = f"{documents[pairs.a[row]].name} | {documents[pairs.b[row]].name}"
        print(
            f"{row + 1:4}  {resemblance(pairs.resemblance[row]):>11}  "
            f"{share(pairs.containment_a[row]):>6}  {share(pairs.containment_b[row]):>6}  "
            f"{pairs.longest_run[row]:11,}  {pairs.shared_shingles[row]:6,}  {names}"
        )
    if shown < len(pairs):
        print(f"… and {len(pairs) - shown:,} more pairs; --show N prints more, --pairs writes all.")
    print()


def _print_summary(result: Scan, report: Report, seconds: float) -> None:
    print(
        f"{counted(len(result.documents), 'document')}, "
        f"{counted(len(report.pairs), 'pair')} (resemblance "
        f"{result.settings.min_resemblance:g} or more, or "
        f"{counted(result.settings.passage_length, unit_name(result.settings))} in a row), "
        f"{counted(len(report.groups), 'group')}, "
        f"{counted(len(result.problems), 'problem')}; {seconds:.1f} s"
    )
    for note in result.notes:
        print(f"Note: {note}")
    for problem in result.problems:
        print(f"Not read: {problem.name}: {problem.detail}")


class _TerminalProgress:
    """One line on the terminal, rewritten at most ten times a second."""

    def __init__(self) -> None:
        self._last = 0.0

    def __call__(self, report: ProgressReport) -> None:
        now = time.monotonic()
        if now - self._last >= PROGRESS_INTERVAL:
            self._last = now
            of = f"{report.done:,} of {report.total:,}" if report.total else ""
            print(f"\r{report.stage} {of}\x1b[K", end="", file=sys.stderr, flush=True)

    def clear(self) -> None:
        """Take the line away."""
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)
