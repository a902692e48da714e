"""Options on how files are read: archives, scans, passwords and limits."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path
from typing import Any

from core.base.setting import Setting, settings_of
from core.documents.reading_settings import DEFAULT_LIMITS, ReadingLimits, ReadingSettings
from core.errors import SettingsError

__all__ = ["add_option", "add_reading_options", "reading_from"]

LIMITS = settings_of(ReadingLimits)
READING = settings_of(ReadingSettings)
_DIGITS = 18  # of a limit that anybody could mean
_UNITS = {"": 1, "kb": 10**3, "mb": 10**6, "gb": 10**9}


def add_option(group: argparse._ArgumentGroup, field: str, setting: Setting) -> None:
    """Add the option of a setting; its value is None where it is not given."""
    more: dict[str, Any] = {}
    if setting.is_switch:
        more["action"] = argparse.BooleanOptionalAction
    else:
        more["metavar"] = setting.metavar
    if setting.is_number:
        more["type"] = int if setting.is_whole else float
    elif setting.choices and not setting.is_switch:
        more["choices"] = tuple(filter(None, setting.choices))
    option = setting.option or f"--{field.replace('_', '-')}"
    group.add_argument(option, dest=field, help=setting.help, **more)


def add_reading_options(parser: argparse.ArgumentParser) -> None:
    """Add options that `reading_from` reads."""
    group = parser.add_argument_group("reading files")
    for field, setting in READING.items():
        add_option(group, field, setting)
    group.add_argument(
        "--passwords",
        type=Path,
        metavar="FILE",
        help="a text file with one password a line, tried on files that are locked",
    )
    group.add_argument(
        "--limit",
        action="append",
        default=[],
        metavar="NAME=N",
        help="change what one file may cost, as in memory_bytes=1GB or seconds=300: "
        + ", ".join(f"{name} ({setting.help})" for name, setting in LIMITS.items()),
    )


def reading_from(options: argparse.Namespace) -> ReadingSettings:
    """How files are to be read.

    Raises:
        SettingsError: A limit is unknown or no number, or there is no file of passwords.
    """
    given = {name: getattr(options, name) for name in READING}
    return ReadingSettings(
        limits=replace(DEFAULT_LIMITS, **dict(map(_limit, options.limit))),
        passwords=_passwords(options.passwords),
        **{name: value for name, value in given.items() if value is not None},
    )


def _limit(given: str) -> tuple[str, int]:
    name, _, amount = given.partition("=")
    if name not in LIMITS:
        raise SettingsError(f"There is no limit “{name}”. The limits are: {', '.join(LIMITS)}.")
    number = amount.rstrip("BGKMbgkm")
    unit = amount[len(number) :].lower()
    is_number = number.isascii() and number.isdigit() and len(number) <= _DIGITS
    if not is_number or unit not in _UNITS or not int(number):
        raise SettingsError(
            f"The limit {name} must be a whole number above 0, also with kB, MB or GB, not "
            f"“{amount}”."
        )
    return name, int(number) * _UNITS[unit]


def _passwords(path: Path | None) -> tuple[str, ...]:
    """The lines of a file."""
    if path is None:
        return ()
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not in UTF-8"
        raise SettingsError(f"The file of passwords cannot be read: {reason}.") from error
    return tuple(line for line in lines if line)
