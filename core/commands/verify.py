"""`neardup verify`: whether a report is what the files give."""

from __future__ import annotations

import argparse
from pathlib import Path

from core.commands.terminal import prepared_engine, shown_progress
from core.program.ending import until_interrupted

__all__ = ["add_options", "run"]

SHOWN = 100  # sentences of each kind
NO_KEY = (
    "A seal shows that a file was changed, not by whom: who changes a report can seal it again. "
    "Compare it with the one that was noted when the report was written (--seal)."
)


def add_options(verify: argparse.ArgumentParser) -> None:
    """Describe `verify` and add its options."""
    verify.description = (
        "Check a report: its seal, its verdicts against its log, and every file, text, number and "
        "passage against the files in the folders it was made of."
    )
    verify.epilog = "Exit status: 0 all agrees, 1 something does not, 2 it cannot be checked."
    verify.set_defaults(run=run)
    verify.add_argument("report", type=Path, metavar="REPORT", help="a report, .html or .json")
    verify.add_argument("folders", type=Path, nargs="+", metavar="FOLDER")
    verify.add_argument(
        "--seal", metavar="HEX", default="", help="the seal that was told when it was written"
    )
    verify.add_argument("--quiet", action="store_true", help="print nothing but errors")


def run(options: argparse.Namespace) -> int:
    """Check; returns the exit status."""
    from core.base.wording import printable_text
    from core.verify.checking import check
    from core.verify.report_file import read_report

    report = read_report(options.report)
    with (
        until_interrupted() as cancelled,
        prepared_engine(cancelled, quiet=options.quiet),
        shown_progress(quiet=options.quiet) as progress,
    ):
        outcome = check(report.record, options.folders, progress=progress, cancelled=cancelled)
    noted = options.seal.strip().lower()
    if not report.seal or report.seal != report.own:
        outcome.changed.insert(0, "The seal is broken: the file was changed after it was written.")
    elif noted and noted != report.seal:
        outcome.changed.insert(0, "This is not the report whose seal was noted: it has another.")
    else:
        known = "is the one that was noted" if noted else "is whole"
        outcome.agrees.insert(0, f"The seal {known}: {report.seal}")
    if not options.quiet:
        kinds = {"Agrees": outcome.agrees, "Changed": outcome.changed, "Missing": outcome.missing}
        for word, sentences in kinds.items():
            for sentence in sentences[:SHOWN]:
                print(f"{word}: {printable_text(sentence)}")
            if len(sentences) > SHOWN:
                print(f"{word}: {len(sentences) - SHOWN:,} more.")
        if not noted:
            print(f"Note: {NO_KEY}")
    return 1 if outcome.changed or outcome.missing else 0
