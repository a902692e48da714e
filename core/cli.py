"""The command line: the same engine as the window, without Qt.

    neardup scan FOLDER...     ranked pairs, tables and the report
    neardup curve              the S-curve of some bands and rows
    neardup suggest            bands and rows for two wishes

Exit status: 0 done (files that could not be read are listed, not failures), 2 bad usage, 1 could
not do it, 130 interrupted.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import threading
from collections.abc import Callable, Sequence
from dataclasses import fields
from pathlib import Path
from types import FrameType
from typing import Any

from core import __version__
from core.errors import FolderError, NeardupError, ScanCancelledError, SettingsError
from core.settings import PRESETS, SIGNATURE_METHODS, UNITS, WHITE_SPACES, ScanSettings

__all__ = ["build_parser", "main"]

NOT_DONE = 1
BAD_USAGE = 2
INTERRUPTED = 130
PAIRS_PRINTED = 50
SETTINGS_FIELDS = {field.name for field in fields(ScanSettings)}


def main(arguments: Sequence[str]) -> int:
    """Run one command; returns the exit status."""
    _make_output_robust()
    try:
        options = build_parser().parse_args(arguments)
        status = int(options.run(options))
        print(end="", flush=True)  # here, where its failure can be told
    except (ScanCancelledError, KeyboardInterrupt):
        return _fail("Stopped.", INTERRUPTED)
    except (SettingsError, FolderError) as error:
        return _fail(str(error), BAD_USAGE)
    except NeardupError as error:
        return _fail(str(error), NOT_DONE)
    except BrokenPipeError:
        _drop_output()  # whoever read it has had enough
        return 0
    except OSError as error:
        if error.filename is not None:
            raise  # the engine turns its own into sentences: this is a fault
        _drop_output()
        return _fail(f"The output could not be written: {error.strerror}.", NOT_DONE)
    return status


def _fail(sentence: str, status: int) -> int:
    if sys.stderr:  # None without a console; print would take standard output then
        print(f"neardup: {sentence}", file=sys.stderr)
    return status


def _drop_output() -> None:
    """Let nothing fail again when Python writes out what is left at its end."""
    try:
        descriptor = sys.stdout.fileno()
    except OSError:
        return
    with Path(os.devnull).open("w") as nowhere:
        os.dup2(nowhere.fileno(), descriptor)


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
    scan.add_argument("folders", nargs="+", type=_folder, metavar="FOLDER")
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
    _add_result_options(scan.add_argument_group("results"))


def _add_result_options(results: Any) -> None:  # noqa: ANN401
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
        "--pairs",
        type=_file(".csv", ".json"),
        metavar="FILE",
        help="write all listed pairs, .csv or .json",
    )
    results.add_argument(
        "--passages", type=_file(".json"), metavar="FILE", help="write their shared passages, .json"
    )
    results.add_argument(
        "--problems",
        type=_file(".csv"),
        metavar="FILE",
        help="write the files that gave no text, .csv",
    )
    results.add_argument(
        "--report", type=_file(".html", ".htm"), metavar="FILE", help="write the report, .html"
    )
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


def _folder(text: str) -> Path:
    """A folder to scan; an empty name, as of a variable that is not set, is not the current one."""
    if not text:
        raise argparse.ArgumentTypeError("the name is empty")
    return Path(text)


def _file(*endings: str) -> Callable[[str], Path]:
    """A file to write: what can be found wrong with its name is found before the scan."""

    def check(text: str) -> Path:
        from core.documents.names import printable_name  # noqa: PLC0415 - as below

        path = Path(text)
        if path.suffix.lower() not in endings:
            shown = printable_name(text)
            raise argparse.ArgumentTypeError(f"must end in {' or '.join(endings)}, not “{shown}”")
        if not path.parent.is_dir():
            folder = printable_name(path.parent.as_posix())
            raise argparse.ArgumentTypeError(f"there is no folder “{folder}”")
        return path

    return check


def _run_scan(options: argparse.Namespace) -> int:
    from core.scan_command import run_scan  # noqa: PLC0415 - loads the compiler, 0.5 s

    stop = threading.Event()

    def interrupt(_signal: int, _frame: FrameType | None) -> None:
        stop.set()
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # who asks twice does not want to wait

    before = signal.signal(signal.SIGINT, interrupt)
    try:
        run_scan(options, _settings(options), stop.is_set)
    finally:
        signal.signal(signal.SIGINT, before)
    return 0


def _run_curve(options: argparse.Namespace) -> int:
    from core.curve_command import run_curve  # noqa: PLC0415 - as above

    return run_curve(options)


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


def _run_suggest(options: argparse.Namespace) -> int:
    from core.curve_command import run_suggest  # noqa: PLC0415 - as above

    return run_suggest(options)


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


def _make_output_robust() -> None:
    """A terminal that cannot show a character gets an escape, not a traceback."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure:
            reconfigure(errors="backslashreplace")
