"""`neardup curve` and `neardup suggest`: the mathematics of b and r on the command line."""

from __future__ import annotations

import argparse

from core.errors import SettingsError
from core.scurve import candidate_probability, midpoint, steepest_point, suggest
from core.settings import ScanSettings

__all__ = ["run_curve", "run_suggest"]


def run_curve(options: argparse.Namespace) -> int:
    """Print the S-curve; returns the exit status."""
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


def run_suggest(options: argparse.Namespace) -> int:
    """Print bands and rows for two wishes; returns the exit status."""
    size = ScanSettings(bands=1, rows=1, signature_size=options.signature_size).signature_size
    found = suggest(
        size,
        catch=options.find[0],
        catch_at=options.find[1],
        at_most=options.at_most[0],
        at_most_at=options.at_most[1],
    )
    if found is None:
        print(f"No b and r with b × r ≤ {size} keep both wishes.")
        return 1
    print(f"{found.bands} bands × {found.rows} rows = {found.bands * found.rows} of {size}")
    print(f"found at {options.find[1]:.3f}: {found.caught:.6f}")
    print(f"found at {options.at_most[1]:.3f}: {found.let_through:.6f}")
    return 0
