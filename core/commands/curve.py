"""`neardup curve`: the S-curve of some bands and rows."""

from __future__ import annotations

import argparse

from core.base.messages import gettext, localized
from core.commands.options import check_resemblance
from core.commands.terminal import say
from core.errors import SettingsError
from core.settings import MAX_SIGNATURE, ScanSettings, names_using


def add_options(curve: argparse.ArgumentParser) -> None:
    """Describe `curve` and add its options."""
    curve.description = gettext("How likely a pair is found, by its resemblance: 1 - (1 - s^r)^b.")
    curve.add_argument(
        "--bands", type=int, metavar="B", help=gettext("number of bands b, with --rows")
    )
    curve.add_argument("--rows", type=int, metavar="R", help=gettext("rows in a band r"))
    curve.add_argument(
        "--max-distance",
        type=int,
        metavar="D",
        help=gettext(
            "instead: the curve of {methods} for pairs that differ in at most D of 64 bits; it "
            "holds for documents of equal length in which many shingles differ",
            methods=names_using("max_distance"),
        ),
    )
    curve.add_argument(
        "--at",
        type=float,
        nargs="+",
        metavar="S",
        default=[tenth / 10 for tenth in range(1, 10)],
        help=gettext("resemblances, 0 to 1 (default: 0.1 to 0.9)"),
    )


def run(options: argparse.Namespace) -> int:
    """Print the S-curve; returns the exit status."""
    from core.candidates.scurve import curve_of

    settings = _checked(options)
    curve = curve_of(settings.bands, settings.rows, options.max_distance)
    print(gettext("resemblance") + "  " + gettext("found with probability"))
    for resemblance, probability in zip(options.at, curve.probability(options.at), strict=True):
        print(localized(f"{resemblance:11.3f}  {probability:.6f}"))
    points = {
        "steepest": localized(f"{curve.steepest:.3f}"),
        "midpoint": localized(f"{curve.midpoint:.3f}"),
    }
    if options.max_distance is None:
        say("steepest at {steepest}, threshold (1/b)^(1/r) = {midpoint}", **points)
    else:
        say("steepest at {steepest}, one half at {midpoint}", **points)
    return 0


def _checked(options: argparse.Namespace) -> ScanSettings:
    """The settings of the curve."""
    given = sum(value is not None for value in (options.bands, options.rows))
    if given != (2 if options.max_distance is None else 0):
        raise SettingsError("Give --bands and --rows, or --max-distance.")
    for resemblance in options.at:
        check_resemblance(resemblance)
    if options.max_distance is not None:
        return ScanSettings(max_distance=options.max_distance)
    return ScanSettings(bands=options.bands, rows=options.rows, signature_size=MAX_SIGNATURE)
