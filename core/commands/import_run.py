"""`neardup import`: pairs of a run on a cluster as a review for the window."""

from __future__ import annotations

import argparse
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from core.base.messages import as_shown, gettext, ngettext
from core.base.wording import printable_name
from core.commands.options import add_flag, check_resemblance, file_to_write
from core.commands.terminal import prepared_engine, print_note, say, shown_progress
from core.errors import ClusterError, ReviewError
from core.program.end_signals import until_interrupted

if TYPE_CHECKING:
    from core.scan.state import ScanState
    from core.spark.manifest import FinishedRun


def add_options(importing: argparse.ArgumentParser) -> None:
    """Describe `import` and add its options."""
    importing.description = gettext(
        "Make a review of pairs of a run of neardup spark scan, with the texts of their "
        "documents. Curve, compare, verdicts and reports work on it; its numbers are those of "
        "the run. No cluster and no Java are needed. What was decided in a review of this run "
        "is kept when it is imported again."
    )
    importing.epilog = gettext(
        "Example: neardup import results --above 0.8 --documents 'novels/*' novels.neardup. "
        "Of several conditions a pair keeps all."
    )
    importing.add_argument(
        "target",
        metavar="TARGET",
        help=gettext("the folder of the run, also s3://, gs:// or hdfs://"),
    )
    importing.add_argument("review", type=file_to_write(".neardup"), metavar="REVIEW.neardup")
    importing.add_argument(
        "--above",
        type=float,
        metavar="S",
        help=gettext("pairs from this resemblance on (default: all)"),
    )
    importing.add_argument(
        "--documents",
        default="",
        metavar="GLOB",
        help=gettext("pairs with a document of such a name, * and ? standing for any letters"),
    )
    add_flag(importing, "--quiet", "print nothing but errors")


def run(options: argparse.Namespace) -> int:
    """Import; returns the exit status.

    Raises:
        NeardupError: The run cannot be read, or the review not be written.
    """
    if options.above is not None:
        check_resemblance(options.above)
    if find_spec("pyarrow") is None:
        from core.spark.session import INSTALL

        raise ClusterError(
            "PyArrow is missing. To install it, {install}.", install=gettext(INSTALL)
        )
    from core.review import ReviewLock

    with until_interrupted(), ReviewLock(options.review) as lock:
        lock.require()
        state = _imported(options)
    if not options.quiet:
        _print(options.review, state)
    return 0


def _imported(options: argparse.Namespace) -> ScanState:
    from core.review import save_review
    from core.spark.importing import WantedPairs, part_of_run
    from core.spark.manifest import FinishedRun

    with prepared_engine(quiet=options.quiet), shown_progress(quiet=options.quiet) as progress:
        run = FinishedRun(options.target)
        _refuse_another(options.review, run)
        wanted = WantedPairs(options.above, options.documents)
        state = part_of_run(run, wanted, progress=progress)
        notes = save_review(options.review, state, progress=progress)
    for note in notes:
        print_note(note, quiet=False)  # also with --quiet: it is about a copy
    return state


def _refuse_another(path: Path, run: FinishedRun) -> None:
    """Raise where there is a review of something else."""
    from core.review import open_review

    if not path.exists() or not path.stat().st_size:
        return
    with open_review(path, verify=True) as review:
        part = review.state.part
    shown = printable_name(path.name)
    if part is None or (not part.run.digest and part.run.name != run.name):
        raise ReviewError(
            "“{name}” is a review of something else than the run “{run}”, and stays as it is. "
            "Name another file.",
            name=shown,
            run=run.name,
        )
    if part.run.digest and part.run.digest != run.digest:
        raise ReviewError(
            "“{name}” is a review of another run, “{run}”, and not of that in “{other}”: they "
            "began at another time, or with other sources or settings. It stays as it is. "
            "Name another file.",
            name=shown,
            run=part.run.name,
            other=run.name,
        )


def _print(path: Path, state: ScanState) -> None:
    from core.scan.part_of_run import part_in_words

    part = state.part
    if part is None:
        return
    review = printable_name(path.as_posix())
    say(
        "Imported: {pairs} of {documents}. Written: {path}",
        pairs=ngettext("{n} pair", "{n} pairs", len(part.codes)),
        documents=ngettext("{n} document", "{n} documents", len(state.documents)),
        path=review,
    )
    for note in part_in_words(part, state.settings):
        say("Note: {note}", note=as_shown(note))
