"""`neardup forecast`: what every choice of bands and rows would do in a folder."""

from __future__ import annotations

import argparse
from contextlib import suppress
from typing import TYPE_CHECKING

from core.base.messages import gettext
from core.commands import options as shared
from core.commands.terminal import say
from core.errors import SettingsError, TooManyCandidatesError
from core.settings import ScanSettings, names_using

if TYPE_CHECKING:
    from core.candidates.parameter_grid import ParameterGrid


def add_options(forecast: argparse.ArgumentParser) -> None:
    """Describe `forecast` and add its options."""
    forecast.description = gettext(
        "Say what every choice of bands and rows with b × r ≤ K would miss and compare in a "
        "folder, with 95% intervals. Printed are the efficient ones: no other misses fewer "
        "pairs for as few candidates. One list is made, with the bands and rows of the "
        "settings, to learn from."
    )
    forecast.epilog = gettext(
        "Example: neardup forecast sample --above 0.5 --documents 10000000. The settings are "
        "those of neardup scan."
    )
    shared.add_folders(forecast)
    shared.add_roles(forecast)
    shared.add_setting_options(forecast)
    shared.add_reading_options(forecast)
    group = forecast.add_argument_group(gettext("forecast"))
    group.add_argument(
        "--above",
        type=float,
        metavar="S",
        help=gettext(
            "count pairs from this resemblance on (default: that from which pairs are listed)"
        ),
    )
    group.add_argument(
        "--documents",
        type=shared.whole_number(1),
        metavar="N",
        help=gettext(
            "say it for N documents like these: pairs grow with the square of their number, the "
            "share of them that is missed stays"
        ),
    )
    shared.add_result(group, "--csv", [".csv"], gettext("write every choice, .csv"))
    shared.add_flag(group, "--quiet", "print nothing but errors")


def run(options: argparse.Namespace) -> int:
    """Forecast; returns the exit status.

    Raises:
        NeardupError: The documents could not be read, or the file not be written.
    """
    from core.reports.tables import sentences, write_grid
    from core.scan.pair_list import NOTHING_TO_COMPARE

    settings = shared.settings_from(options)
    threshold = settings.min_resemblance if options.above is None else options.above
    _check(settings, threshold)
    documents, grid = _grid(options, settings)
    number = options.documents or documents
    at = grid.of_more(threshold, number / max(documents, 1))
    if not options.quiet:
        lines = sentences(at, grid.signature_size, threshold, documents, number)
        print(*(lines if grid.known.all_pairs else [gettext(NOTHING_TO_COMPARE)]), sep="\n")
    if options.csv:
        write_grid(options.csv, at, grid.signature_size)
        if not options.quiet:
            say("Written: {path}", path=options.csv)
    return 0


def _check(settings: ScanSettings, threshold: float) -> None:
    if settings.banding is None:
        raise SettingsError(
            "{method} has no bands: nothing can be forecast of b and r. Use {methods}.",
            method=settings.method.name,
            methods=names_using("bands"),
        )
    shared.check_resemblance(threshold)


def _grid(options: argparse.Namespace, settings: ScanSettings) -> tuple[int, ParameterGrid]:
    """The number of documents, and the forecast of every b × r."""
    from core.scan.measured_pairs import measured_grid

    with shared.read_folders(options, settings) as (read, progress, _stack):
        weak = 0
        with suppress(TooManyCandidatesError):  # then the random sample of pairs tells what it can
            weak = read.list_pairs(progress=progress).counts.weak
        grid = measured_grid(read.corpus_for(settings), settings, weak=weak)
    if grid is None:  # checked before: the settings have bands
        raise SettingsError("These signatures have no bands.")
    return len(read.documents), grid
