"""`neardup spark scan`: the scan of documents that are too many for one machine."""

from __future__ import annotations

import argparse
import shlex
import time
from typing import TYPE_CHECKING

from core.base.messages import as_shown, gettext, localized, ngettext
from core.commands.options import (
    add_reading_options,
    add_setting_options,
    settings_from,
)
from core.commands.set_aside import add_set_aside, rules_from
from core.commands.spark_session import (
    add_session_options,
    add_sources,
    asked_for,
    place,
    session_from,
    shown_stages,
)
from core.commands.terminal import tell
from core.errors import NeardupError
from core.program.ending import until_interrupted

if TYPE_CHECKING:
    from core.spark.manifest import RunResult

NOTES_SHOWN = 20  # on the terminal; each text with very many copies has one


def add_options(scan: argparse.ArgumentParser) -> None:
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
    scan.set_defaults(run=run)
    scan.add_argument("sources", nargs="+", type=place, metavar="SOURCE")
    scan.add_argument("target", type=place, metavar="TARGET")
    _add_run_options(scan)
    add_session_options(scan)
    add_sources(scan, "--reference", "--template")
    add_set_aside(scan)
    add_setting_options(scan)
    add_reading_options(scan)


def _add_run_options(scan: argparse.ArgumentParser) -> None:
    group = scan.add_argument_group(gettext("run"))
    group.add_argument(
        "--resume",
        action="store_true",
        help=gettext("go on with the run in TARGET, which was stopped"),
    )
    group.add_argument(
        "--budget",
        type=_whole_number,
        metavar="PAIRS",
        help=gettext(
            "stop before so many pairs would be compared, and say which bands and rows would do; "
            "0 for any number (default: it grows with the documents)"
        ),
    )
    group.add_argument(
        "--partitions",
        type=_whole_number,
        default=0,
        metavar="N",
        help=gettext("in how many parts tables are shuffled (default: what Spark chooses)"),
    )
    group.add_argument("--quiet", action="store_true", help=gettext("print nothing but errors"))


def run(options: argparse.Namespace) -> int:
    """Scan; returns the exit status.

    Raises:
        NeardupError: The run could not be done.
    """
    from core.aside.rules import NO_RULES

    settings = settings_from(options)
    asked = asked_for(
        options,
        rules=rules_from(options, NO_RULES),
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
                result = scan(session, sources, options.target, settings, asked)
        except NeardupError as error:
            for note in getattr(error, "__notes__", ()):
                tell(note, quiet=False)
            raise
    if not options.quiet:
        _print(result, options.target, time.monotonic() - started)
    return 0


def _print(result: RunResult, target: str, seconds: float) -> None:
    from core.base.wording import printable_name

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
        print(gettext("Note: {note}", note=as_shown(note)))
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
    place = printable_name(target)
    print(gettext("Written: {path}", path=place))
    if result.pairs:
        print(
            gettext(
                "To look at pairs: neardup import {place} --above 0.5 review.neardup",
                place=shlex.quote(place),
            )
        )


def _whole_number(text: str) -> int:
    if not (text.isascii() and text.isdigit()):
        raise argparse.ArgumentTypeError(gettext("must be a whole number, not “{text}”", text=text))
    return int(text)
