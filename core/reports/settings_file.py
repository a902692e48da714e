"""Settings as a file to share: written by one person, read as if a stranger had written it.

    {"format": "neardup settings", "version": 1, "scan": {"k": 5, …}, "reading": {"ocr": false, …}}

What a file may cost to be read and passwords are a matter of each computer, and never in it. Where
it holds for all users of a computer, "fixed": ["scan"] says which of both they cannot change.
"""

from __future__ import annotations

import json
from collections.abc import Container, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from core.base.files import write_json
from core.base.setting import settings_of, values_of
from core.base.wording import any_of, count, printable_name, shown_value
from core.documents.reading_settings import ReadingSettings
from core.errors import SettingsError
from core.reports.elsewhere import USUAL
from core.settings import ScanSettings

FORMAT, VERSION = "neardup settings", 1
MOST_BYTES = 1 << 16
SECTIONS = {"scan": settings_of(ScanSettings), "reading": settings_of(ReadingSettings)}


class SharedSettings(NamedTuple):
    """The settings of a file.

    Attributes:
        scan: What decides which pairs are listed; what the file leaves out is as usual.
        reading: What the file says of how files are read, by field.
        fixed: Which of both the users of a computer cannot change.
    """

    scan: ScanSettings
    reading: Mapping[str, Any]
    fixed: frozenset[str] = frozenset()

    def read_with(self, reading: ReadingSettings) -> ReadingSettings:
        """These ways of reading, with what the file says of them."""
        return replace(reading, **self.reading)

    def allowed(self, scan: ScanSettings) -> ScanSettings:
        """Those that a user has chosen, unless they are fixed."""
        return self.scan if "scan" in self.fixed else scan

    def allowed_reading(self, reading: ReadingSettings) -> ReadingSettings:
        """The ways of reading that a user has chosen, with what is fixed of them."""
        return self.read_with(reading) if "reading" in self.fixed else reading


def write_settings_file(path: Path, scan: ScanSettings, reading: ReadingSettings) -> None:
    """Write all settings of a scan; limits and passwords are left out.

    Raises:
        ExportError: The file could not be written; the sentence says why.
    """
    write_json(path, settings_as_json(scan, reading))


def settings_as_json(scan: ScanSettings, reading: ReadingSettings) -> dict[str, Any]:
    """What a file of settings says, as JSON has it."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "scan": values_of(scan),
        "reading": values_of(reading),
    }


def read_settings_file(path: Path) -> SharedSettings:
    """The settings of a file.

    Raises:
        SettingsError: It cannot be read, is none, or has what this version does not know; the
            sentence says which file and what.
    """
    name = printable_name(path.name)
    try:
        return settings_of_json(_json(_text(path)))
    except SettingsError as error:
        raise SettingsError(
            "The settings in “{name}” cannot be used: {error}", name=name, error=error
        ) from error


def settings_of_json(told: object) -> SharedSettings:
    """What `settings_as_json` made, or somebody else.

    Raises:
        SettingsError: It is none, or has what this version does not know; the sentence says what.
    """
    if not isinstance(told, dict) or told.get("format") != FORMAT:
        raise SettingsError(
            "It has no “format”: “{format}”, so it is no file of settings.", format=FORMAT
        )
    version = told.get("version")
    if type(version) is not int or version != VERSION:
        raise SettingsError(
            "It is of version {version}; this Neardup reads version {known}.",
            version=shown_value(version),
            known=VERSION,
        )
    _refuse_unknown(told, ("format", "version", "fixed", *SECTIONS), "")
    scan, reading = (_section(told, section) for section in SECTIONS)
    if "unit" in scan:
        scan.setdefault("keep_punctuation", None)  # as usual for that unit
    _check_reading(reading)
    return SharedSettings(USUAL.with_changes(**scan), reading, _fixed(told.get("fixed", [])))


def _text(path: Path) -> str:
    """The text of the file, however large or strange it is."""
    try:
        if path.exists() and not path.is_file():  # a pipe would be waited for
            raise SettingsError("It is a folder or a device.")
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise SettingsError(
            "The file cannot be read: {why}.", why=error.strerror or error
        ) from error
    if len(data) > MOST_BYTES:
        raise SettingsError(
            "The file is larger than {most} bytes: it is none of settings.",
            most=count(MOST_BYTES),
        )
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise SettingsError("The file is not a text in UTF-8.") from error


def _json(text: str) -> object:
    """What the text says."""
    try:
        return json.loads(text, object_pairs_hook=_once, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        raise SettingsError(
            "It is not JSON: line {line}, {why}.", line=error.lineno, why=error.msg
        ) from error
    except RecursionError as error:
        raise SettingsError(
            "It is not JSON that settings have: lists of lists of lists."
        ) from error
    except ValueError as error:
        if isinstance(error, SettingsError):
            raise
        raise SettingsError("It has a number of very many digits.") from error


def _section(content: Mapping[str, Any], section: str) -> dict[str, Any]:
    """What the file says in a section, each value one that its setting may have."""
    values = content.get(section, {})
    if not isinstance(values, dict):
        raise SettingsError("“{section}” must be an object of settings.", section=section)
    _refuse_unknown(values, SECTIONS[section], section)
    return values


def _fixed(sections: object) -> frozenset[str]:
    if not isinstance(sections, list) or any(
        section not in tuple(SECTIONS) for section in sections
    ):
        raise SettingsError(
            "“fixed” must be a list of {sections}, not {value}.",
            sections=any_of(tuple(SECTIONS)),
            value=shown_value(sections),
        )
    return frozenset(sections)


def _check_reading(values: Mapping[str, Any]) -> None:
    for name, value in values.items():
        problem = SECTIONS["reading"][name].problem(name, value, ReadingSettings())
        if problem:
            raise SettingsError(problem)


def _refuse_unknown(values: Mapping[str, Any], known: Container[str], section: str) -> None:
    for name in map(shown_value, (value for value in values if value not in known)):
        if section:
            raise SettingsError(
                "It has “{name}” in “{section}”, which this version does not know.",
                name=name,
                section=section,
            )
        raise SettingsError("It has “{name}”, which this version does not know.", name=name)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object in which nothing is said twice: a reader would take one of both for the other."""
    made: dict[str, Any] = {}
    for name, value in pairs:
        if name in made:
            raise SettingsError("It says “{name}” twice.", name=shown_value(name))
        made[name] = value
    return made


def _no_constant(constant: str) -> object:
    raise SettingsError("It has a number that is none, {constant}.", constant=constant)
