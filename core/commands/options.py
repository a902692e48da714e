"""Options that several commands share: what to compare, with which settings, and which files."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any, TypeAlias

from core.settings import (
    COMPARISONS,
    LANGUAGES,
    PRESETS,
    UNITS,
    WEIGHTS,
    WHITE_SPACES,
    ScanSettings,
)
from core.settings.signature_methods import METHODS, names_using

__all__ = [
    "Commands",
    "add_folders",
    "add_setting_options",
    "file_to_write",
    "gives_settings",
    "settings_from",
]

Commands: TypeAlias = Any  # what `add_subparsers` returns; argparse does not export the type

SETTINGS_FIELDS = {field.name for field in fields(ScanSettings)}


def add_folders(parser: argparse.ArgumentParser) -> None:
    """Add the folders to read, as `options.folders`."""
    parser.add_argument("folders", nargs="+", type=_folder, metavar="FOLDER")


def add_setting_options(parser: argparse.ArgumentParser) -> None:
    """Add an option for every setting; `settings_from` reads them."""
    parser.add_argument(
        "--preset",
        default=PRESETS[0].name,
        choices=[preset.name for preset in PRESETS],
        metavar="NAME",
        help="; ".join(f"“{preset.name}”: {preset.purpose}" for preset in PRESETS)
        + f" (default: “{PRESETS[0].name}”)",
    )
    _add_text_options(parser)
    _add_signature_options(parser)
    _add_listing_options(parser)


def _add_text_options(parser: argparse.ArgumentParser) -> None:
    flag = argparse.BooleanOptionalAction
    group = parser.add_argument_group("text and shingles")
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
    group.add_argument(
        "--language",
        choices=LANGUAGES,
        metavar="L",
        help=f"language of stop words and stems: {', '.join(LANGUAGES)}",
    )
    group.add_argument(
        "--stop-words",
        dest="drop_stop_words",
        action=flag,
        help="leave out the stop words of the language, such as “the” and “of”",
    )
    group.add_argument(
        "--stem",
        action=flag,
        help="compare words by their stem: “connected” and “connection” are the same",
    )


def _add_signature_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("signatures and bands")
    group.add_argument(
        "--signature",
        choices=METHODS,
        help=names_using("signature"),
    )
    group.add_argument(
        "--signature-size", type=int, metavar="K", help="values in a signature; b × r ≤ K"
    )
    group.add_argument("--bands", type=int, metavar="B", help="number of bands b")
    group.add_argument("--rows", type=int, metavar="R", help="rows in a band r")
    group.add_argument("--seed", type=int, metavar="N", help="seed of the signatures")
    group.add_argument(
        "--weights",
        choices=WEIGHTS,
        help=f"with {names_using('weights')}: shingles count alike, by their occurrences in the "
        "text (tf), or by these and their rarity in the folder (tf-idf)",
    )
    group.add_argument(
        "--max-distance",
        type=int,
        metavar="D",
        help=f"with {names_using('max_distance')}: compare pairs that differ in at most D of 64 "
        "bits, 0 to 8",
    )


def _add_listing_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("pairs to list")
    group.add_argument(
        "--min-resemblance",
        type=float,
        metavar="X",
        help="list pairs from this exact resemblance on, 0 to 1",
    )
    group.add_argument(
        "--min-passage",
        type=int,
        metavar="T",
        help="also list pairs that share T words in a row (default: 30); in scripts without spaces "
        "between words and with --unit char, so many characters as make T words: 1.6 of Chinese, "
        "5 of a script with spaces",
    )
    group.add_argument(
        "--list-passages",
        action=argparse.BooleanOptionalAction,
        help="list pairs below that resemblance for such a passage (default: yes, except with the "
        "preset “Same text again”)",
    )
    _add_compare_option(group)


def _add_compare_option(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--compare",
        choices=COMPARISONS,
        help="which pairs to compare: all; those that meet in a band or share a passage; or all "
        "where that takes about a second, or less than the others (auto, the default)",
    )


def gives_settings(options: argparse.Namespace) -> bool:
    """Whether any setting was given on the command line."""
    named = vars(options)
    given = any(named.get(name) is not None for name in SETTINGS_FIELDS)
    return given or options.preset != PRESETS[0].name


def settings_from(options: argparse.Namespace) -> ScanSettings:
    """The preset with whatever was given on the command line.

    Raises:
        SettingsError: The values contradict themselves.
    """
    preset = next(preset for preset in PRESETS if preset.name == options.preset)
    given = {
        name: value
        for name, value in vars(options).items()
        if name in SETTINGS_FIELDS and value is not None
    }
    if "unit" in given and "keep_punctuation" not in given:
        given["keep_punctuation"] = None  # as usual for that unit
    return preset.settings.with_changes(**given)


def file_to_write(*endings: str) -> Callable[[str], Path]:
    """A type of option: what can be found wrong with a file's name is found before the work."""

    def check(text: str) -> Path:
        from core.base.wording import printable_name  # help needs none of the documents

        path = Path(text)
        if path.suffix.lower() not in endings:
            shown = printable_name(text)
            raise argparse.ArgumentTypeError(f"must end in {' or '.join(endings)}, not “{shown}”")
        if not path.parent.is_dir():
            folder = printable_name(path.parent.as_posix())
            raise argparse.ArgumentTypeError(f"there is no folder “{folder}”")
        return path

    return check


def _folder(text: str) -> Path:
    """A folder to scan; an empty name, as of a variable that is not set, is not the current one."""
    if not text:
        raise argparse.ArgumentTypeError("the name is empty")
    return Path(text)
