"""Options on how files are read: archives, scans, passwords and limits."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from core.errors import SettingsError

if TYPE_CHECKING:
    from core.documents import ReadingSettings

__all__ = ["LIMITS", "add_reading_options", "reading_from"]

# The fields of `core.documents.ReadingLimits`, which is not loaded to print a help text.
LIMITS = {
    "file_bytes": "size on disk",
    "characters": "length of the text",
    "words": "words of the text",
    "nesting": "depth of markup",
    "part_bytes": "size of one unpacked part",
    "ratio": "unpacked size by packed size",
    "unpacked_bytes": "size of all unpacked parts",
    "members": "parts, or files in an archive",
    "pages": "pages read",
    "stall_seconds": "time without getting on",
    "seconds": "time in all",
    "memory_bytes": "memory of a reader",
}
_DIGITS = 18  # of a limit that anybody could mean
_UNITS = {"": 1, "kb": 10**3, "mb": 10**6, "gb": 10**9}


def add_reading_options(parser: argparse.ArgumentParser) -> None:
    """Add options that `reading_from` reads."""
    flag = argparse.BooleanOptionalAction
    group = parser.add_argument_group("reading files")
    group.add_argument(
        "--archives", action=flag, help="open ZIP and tar archives like folders, one level deep"
    )
    group.add_argument(
        "--ocr", action=flag, help="read scans with Tesseract, where it is installed"
    )
    group.add_argument(
        "--ocr-languages",
        default="eng",
        metavar="L",
        help="languages of Tesseract, such as deu+eng (default: eng)",
    )
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
        + ", ".join(f"{name} ({meaning})" for name, meaning in LIMITS.items()),
    )


def reading_from(options: argparse.Namespace) -> ReadingSettings:
    """How files are to be read.

    Raises:
        SettingsError: A limit is unknown or no number, or there is no file of passwords.
    """
    from core.documents import ReadingLimits, ReadingSettings

    limits = ReadingLimits()
    for given in options.limit:
        name, value = _limit(given)
        limits = replace(limits, **{name: value})
    return ReadingSettings(
        limits=limits,
        archives=bool(options.archives),
        ocr=bool(options.ocr),
        ocr_languages=options.ocr_languages,
        passwords=_passwords(options.passwords),
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
