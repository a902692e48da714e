"""`neardup curve`: the S-curve of some bands and rows."""

from __future__ import annotations

import argparse

from core.errors import SettingsError
from core.settings import ScanSettings, names_using


def add_options(curve: argparse.ArgumentParser) -> None:
    """Describe `curve` and add its options."""
    curve.description = "How likely a pair is found, by its resemblance: 1 - (1 - s^r)^b."
    curve.set_defaults(run=run)
    curve.add_argument("--bands", type=int, metavar="B", help="number of bands b, with --rows")
    curve.add_argument("--rows", type=int, metavar="R", help="rows in a band r")
    curve.add_argument(
        "--max-distance",
        type=int,
        metavar="D",
        help=f"instead: the curve of {names_using('max_distance')} for pairs that differ in at "
        "most D of 64 bits; it holds for documents of equal length in which many shingles differ",
    )
    curve.add_argument(
        "--at",
        type=float,
        nargs="+",
        metavar="S",
        default=[tenth / 10 for tenth in range(1, 10)],
        help="resemblances, 0 to 1 (default: 0.1 to 0.9)",
    )


def run(options: argparse.Namespace) -> int:
    """Print the S-curve; returns the exit status."""
    from core.candidates.scurve import curve_of

    settings = _checked(options)
    curve = curve_of(settings.bands, settings.rows, options.max_distance)
    of_bands = options.max_distance is None
    middle = "threshold (1/b)^(1/r) =" if of_bands else "one half at"
    print("resemblance  found with probability")
    for resemblance, found in zip(options.at, curve.probability(options.at), strict=True):
        print(f"{resemblance:11.3f}  {found:.6f}")
    print(f"steepest at {curve.steepest:.3f}, {middle} {curve.midpoint:.3f}")
    return 0


def _checked(options: argparse.Namespace) -> ScanSettings:
    """The settings of the curve.

    Raises:
        SettingsError: A value is missing, out of range or one too many.
    """
    given = sum(value is not None for value in (options.bands, options.rows))
    if given != (2 if options.max_distance is None else 0):
        raise SettingsError("Give --bands and --rows, or --max-distance.")
    for resemblance in options.at:
        if not 0 <= resemblance <= 1:
            raise SettingsError(f"A resemblance is a number between 0 and 1, not {resemblance}.")
    if options.max_distance is not None:
        return ScanSettings(max_distance=options.max_distance)
    return ScanSettings(
        bands=options.bands,
        rows=options.rows,
        signature_size=max(1, options.bands * options.rows),
    )
