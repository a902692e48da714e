"""The command line: the same engine as the window, without Qt.

    neardup scan FOLDER...     ranked pairs, tables and the report
    neardup curve              the S-curve of some bands and rows
    neardup suggest            bands and rows for two wishes

Exit status: 0 done (files that could not be read are listed, not failures), 2 bad usage, 1 could
not do it, 130 interrupted.
"""

from __future__ import annotations

import argparse
import signal
import sys
import threading
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path
from types import FrameType
from typing import Any

from core import __version__
from core.errors import FolderError, NeardupError, ScanCancelledError, SettingsError
from core.scurve import candidate_probability, midpoint, steepest_point, suggest
from core.settings import PRESETS, SIGNATURE_METHODS, UNITS, WHITE_SPACES, ScanSettings

__all__ = ["build_parser", "main"]

INTERRUPTED = 130
PAIRS_PRINTED = 50
SETTINGS_FIELDS = {field.name for field in fields(ScanSettings)}


def main(arguments: Sequence[str]) -> int:
    """Run one command; returns the exit status."""
    _make_output_robust()
    parser = build_parser()
    options = parser.parse_args(arguments)
    try:
        return int(options.run(options))
    except (SettingsError, FolderError) as error:
        print(f"neardup: {error}", file=sys.stderr)
        return 2
    except ScanCancelledError:
        print("neardup: Stopped; nothing was written.", file=sys.stderr)
        return INTERRUPTED
    except NeardupError as error:
        print(f"neardup: {error}", file=sys.stderr)
        return 1
    except BrokenPipeError:
        sys.stderr.close()  # whoever read our output has had enough
        return 0


def build_parser() -> argparse.ArgumentParser:
    """The whole command line."""
    parser = argparse.ArgumentParser(
        prog="neardup",
        description="Find near-duplicate documents in a folder and judge them side by side.",
        epilog="Without a command, neardup [FOLDER] opens the window.",
    )
    parser.add_argument("--version", action="version", version=f"neardup {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    _add_scan(commands)
    _add_curve(commands)
    _add_suggest(commands)
    return parser


def _add_scan(commands: Any) -> None:  # noqa: ANN401 - argparse does not export the type
    scan = commands.add_parser(
        "scan",
        help="scan folders and list the most similar pairs",
        description="Scan folders, print the ranked pairs and write tables and the report.",
        epilog="What is not given is as in the preset. A file that cannot be read is listed as a "
        "problem and the scan goes on.",
    )
    scan.set_defaults(run=_run_scan)
    scan.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    scan.add_argument(
        "--preset",
        default=PRESETS[0].name,
        choices=[preset.name for preset in PRESETS],
        metavar="NAME",
        help="; ".join(f"“{preset.name}”: {preset.purpose}" for preset in PRESETS)
        + f" (default: “{PRESETS[0].name}”)",
    )
    _add_text_options(scan.add_argument_group("text and shingles"))
    _add_signature_options(scan.add_argument_group("signatures and bands"))
    results = scan.add_argument_group("results")
    results.add_argument(
        "--min-resemblance",
        type=float,
        metavar="X",
        help="list pairs from this exact resemblance on, 0 to 1",
    )
    results.add_argument(
        "--min-passage",
        type=int,
        metavar="T",
        help="also list pairs that share T words (or characters) in a row, at least k "
        "(default: 30 words or 150 characters)",
    )
    results.add_argument(
        "--pairs", type=Path, metavar="FILE", help="write all listed pairs, .csv or .json"
    )
    results.add_argument(
        "--passages", type=Path, metavar="FILE", help="write their shared passages, .json"
    )
    results.add_argument(
        "--problems", type=Path, metavar="FILE", help="write the files that gave no text, .csv"
    )
    results.add_argument("--report", type=Path, metavar="FILE", help="write the report, .html")
    results.add_argument(
        "--show",
        type=int,
        default=PAIRS_PRINTED,
        metavar="N",
        help=f"print the first N pairs (default: {PAIRS_PRINTED})",
    )
    results.add_argument("--quiet", action="store_true", help="print nothing but errors")


def _add_text_options(group: Any) -> None:  # noqa: ANN401
    flag = argparse.BooleanOptionalAction
    group.add_argument("--unit", choices=UNITS, help="shingles of words or of characters")
    group.add_argument("--k", type=int, metavar="N", help="shingle length in units")
    group.add_argument("--ignore-case", action=flag, help="upper and lower case are the same")
    group.add_argument(
        "--keep-punctuation",
        action=flag,
        help="punctuation counts (usual with characters, not with words)",
    )
    group.add_argument("--keep-digits", action=flag, help="digits count")
    group.add_argument(
        "--white-space",
        choices=WHITE_SPACES,
        help="white space in character shingles: removed, or collapsed to one space",
    )
    group.add_argument("--bag", action=flag, help="a repeated shingle counts as often as it occurs")


def _add_signature_options(group: Any) -> None:  # noqa: ANN401
    group.add_argument(
        "--signature",
        choices=SIGNATURE_METHODS,
        help="Fast Similarity Sketching, or classic MinHash",
    )
    group.add_argument(
        "--signature-size", type=int, metavar="K", help="values in a signature; b × r ≤ K"
    )
    group.add_argument("--bands", type=int, metavar="B", help="number of bands b")
    group.add_argument("--rows", type=int, metavar="R", help="rows in a band r")
    group.add_argument("--seed", type=int, metavar="N", help="seed of the signatures")


def _settings(options: argparse.Namespace) -> ScanSettings:
    """The preset with whatever was given on the command line."""
    preset = next(preset for preset in PRESETS if preset.name == options.preset)
    given = {
        name: value
        for name, value in vars(options).items()
        if name in SETTINGS_FIELDS and value is not None
    }
    if "unit" in given and "keep_punctuation" not in given:
        given["keep_punctuation"] = None  # as usual for that unit
    return preset.settings.with_changes(**given)


def _run_scan(options: argparse.Namespace) -> int:
    from core.scan_command import run_scan  # noqa: PLC0415 - loads the compiler, 0.5 s

    stop = threading.Event()

    def interrupt(_signal: int, _frame: FrameType | None) -> None:
        stop.set()

    before = signal.signal(signal.SIGINT, interrupt)
    try:
        run_scan(options, _settings(options), stop.is_set)
    finally:
        signal.signal(signal.SIGINT, before)
    return 0


def _add_curve(commands: Any) -> None:  # noqa: ANN401
    curve = commands.add_parser(
        "curve",
        help="print the S-curve of some bands and rows",
        description="How likely a pair is found, by its resemblance: 1 - (1 - s^r)^b.",
    )
    curve.set_defaults(run=_run_curve)
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


def _run_curve(options: argparse.Namespace) -> int:
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


def _add_suggest(commands: Any) -> None:  # noqa: ANN401
    parser = commands.add_parser(
        "suggest",
        help="bands and rows for two wishes",
        description="Find the bands and rows that keep two wishes with b × r ≤ K.",
        epilog="Example: neardup suggest --find 0.99@0.50 --at-most 0.0053@0.05",
    )
    parser.set_defaults(run=_run_suggest)
    parser.add_argument(
        "--find",
        type=_wish,
        required=True,
        metavar="P@S",
        help="find a pair of resemblance S with at least probability P",
    )
    parser.add_argument(
        "--at-most",
        type=_wish,
        required=True,
        metavar="P@S",
        help="and one of resemblance S with at most probability P",
    )
    parser.add_argument("--signature-size", type=int, default=128, metavar="K")


def _wish(text: str) -> tuple[float, float]:
    """Probability and resemblance from 0.99@0.5 or 99%@0.5."""
    probability, _, resemblance = text.partition("@")
    try:
        if probability.endswith("%"):
            return float(probability[:-1]) / 100, float(resemblance)
        return float(probability), float(resemblance)
    except ValueError:
        raise argparse.ArgumentTypeError(f"not of the form P@S, as 0.99@0.50: {text}") from None


def _run_suggest(options: argparse.Namespace) -> int:
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


def _make_output_robust() -> None:
    """A terminal that cannot show a character gets an escape, not a traceback."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure:
            reconfigure(errors="backslashreplace")
