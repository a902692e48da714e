"""`neardup suggest`: bands and rows for two wishes."""

from __future__ import annotations

import argparse

from core.base.messages import gettext, localized, ngettext
from core.commands.terminal import say
from core.settings import ScanSettings


def add_options(parser: argparse.ArgumentParser) -> None:
    """Describe `suggest` and add its options."""
    parser.description = gettext(
        "Find the bands and rows that keep two wishes with b × r ≤ K: of all that do, those "
        "that compare the fewest pairs of the resemblance named in the second wish."
    )
    parser.epilog = gettext("Example: neardup suggest --find 0.99@0.50 --at-most 0.0053@0.05")
    parser.add_argument(
        "--find",
        type=_wish,
        required=True,
        metavar="P@S",
        help=gettext("find a pair of resemblance S with at least probability P"),
    )
    parser.add_argument(
        "--at-most",
        type=_wish,
        required=True,
        metavar="P@S",
        help=gettext("and one of resemblance S with at most probability P"),
    )
    parser.add_argument("--signature-size", type=int, default=128, metavar="K")


def run(options: argparse.Namespace) -> int:
    """Print bands and rows for two wishes; returns the exit status."""
    from core.candidates.scurve import Wishes, suggest

    size = ScanSettings(bands=1, rows=1, signature_size=options.signature_size).signature_size
    suggestion = suggest(size, Wishes(*options.find, *options.at_most))
    if suggestion is None:
        say("No b and r with b × r ≤ {size} keep both wishes.", size=size)
        return 1
    say(
        "{bands} × {rows} = {values} of {size}",
        bands=ngettext("{n} band", "{n} bands", suggestion.bands),
        rows=ngettext("{n} row", "{n} rows", suggestion.rows),
        values=suggestion.bands * suggestion.rows,
        size=size,
    )
    say(
        "found at {resemblance}: {probability}",
        resemblance=localized(f"{options.find[1]:.3f}"),
        probability=localized(f"{suggestion.caught:.6f}"),
    )
    say(
        "found at {resemblance}: {probability}",
        resemblance=localized(f"{options.at_most[1]:.3f}"),
        probability=localized(f"{suggestion.let_through:.6f}"),
    )
    return 0


def _wish(text: str) -> tuple[float, float]:
    """Probability and resemblance from 0.99@0.5 or 99%@0.5."""
    probability, _, resemblance = text.partition("@")
    try:
        if probability.endswith("%"):
            return float(probability[:-1]) / 100, float(resemblance)
        return float(probability), float(resemblance)
    except ValueError:
        raise argparse.ArgumentTypeError(
            gettext("not of the form P@S, as 0.99@0.50: {text}", text=text)
        ) from None
