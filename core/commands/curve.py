"""`neardup curve`: the S-curve of some bands and rows."""

from __future__ import annotations

import argparse

from core.commands.options import Commands
from core.errors import SettingsError
from core.settings import ScanSettings

__all__ = ["add_parser", "run"]


def add_parser(commands: Commands) -> None:
    """Add `curve` to the command line."""
    curve = commands.add_parser(
        "curve",
        help="print the S-curve of some bands and rows",
        description="How likely a pair is found, by its resemblance: 1 - (1 - s^r)^b.",
    )
    curve.set_defaults(run=run)
    curve.add_argument("--bands", type=int, required=True, metavar="B")
    curve.add_argument("--rows", type=int, required=True, metavar="R")
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
    from core.scurve import candidate_probability, midpoint, steepest_point

    settings = ScanSettings(
        bands=options.bands,
        rows=options.rows,
        signature_size=max(1, options.bands * options.rows),
    )
    for resemblance in options.at:
        if not 0 <= resemblance <= 1:
            raise SettingsError(f"A resemblance is a number between 0 and 1, not {resemblance}.")
    probability = candidate_probability(options.at, settings.bands, settings.rows)
    print("resemblance  found with probability")
    for resemblance, found in zip(options.at, probability, strict=True):
        print(f"{resemblance:11.3f}  {found:.6f}")
    steepest = steepest_point(settings.bands, settings.rows)
    print(f"steepest at {steepest:.3f}, threshold (1/b)^(1/r) = ", end="")
    print(f"{midpoint(settings.bands, settings.rows):.3f}")
    return 0
