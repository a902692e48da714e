"""How files are read: changed, told and stored."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from core.base.setting import Setting, settings_of, values_of
from core.base.wording import count, counted
from core.documents.reading_settings import DEFAULT_LIMITS, ReadingLimits, ReadingSettings

LIMITS = settings_of(ReadingLimits)
READING = settings_of(ReadingSettings)


def tesseract_is_installed() -> bool:
    """Whether scans can be read on this computer."""
    return shutil.which("tesseract") is not None


def without_passwords(reading: ReadingSettings) -> ReadingSettings:
    """All but what is never stored and asks for no new scan."""
    return replace(reading, passwords=())


class ReadingModel:
    """How files are read, and how they were when the shown result was made."""

    def __init__(self) -> None:
        self.reading = ReadingSettings()
        self._scanned: ReadingSettings | None = None

    def change(self, field: str, value: object) -> str:
        """Change what is no limit.

        Returns:
            Why it cannot be, in a sentence; nothing is changed then. Empty otherwise.
        """
        changes: dict[str, Any] = {
            field: value.replace(" ", "") if isinstance(value, str) else value
        }
        problem = READING[field].problem(field, changes[field], self.reading)
        if not problem:
            self.reading = replace(self.reading, **changes)
        return problem

    def change_limit(self, field: str, value: int) -> None:
        """Change a limit; `value` counts in its unit and is brought into its range."""
        setting = LIMITS[field]
        low, high = setting.bounds(self.reading.limits)
        # 67 MB may stand for 64 times 2^20 bytes: what is shown as the default is the default.
        is_usual = value == setting.shown(setting.default)
        exact = setting.default if is_usual else int(min(max(value, low), high)) * setting.scale
        self.reading = replace(self.reading, limits=replace(self.reading.limits, **{field: exact}))

    def reset_limits(self) -> None:
        """Every limit as it comes."""
        self.reading = replace(self.reading, limits=DEFAULT_LIMITS)

    @property
    def limits_are_usual(self) -> bool:
        """Whether every limit is as it comes."""
        return self.reading.limits == DEFAULT_LIMITS

    def set_scanned(self, reading: ReadingSettings | None) -> bool:
        """How the files of the shown result were read; None when that is not known.

        Returns:
            Whether that is something else than before.
        """
        before, self._scanned = self._scanned, reading
        return before != reading

    @property
    def needs_scan(self) -> bool:
        """Whether the shown result was made by reading otherwise."""
        return self._scanned is not None and (
            without_passwords(self._scanned) != without_passwords(self.reading)
        )

    @property
    def is_usual(self) -> bool:
        """Whether all is as it comes."""
        return without_passwords(self.reading) == ReadingSettings()

    @property
    def summary(self) -> tuple[tuple[str, str], ...]:
        """All of it in plain words: what it is about and what it says."""
        values = values_of(self.reading)
        rows = [
            (
                setting.titled,
                setting.summed_up(values[name], self.reading) or setting.said(values[name]),
            )
            for name, setting in READING.items()
            if setting.titled
        ]
        return (*rows, ("Limits", self._limits_in_words()))

    def _limits_in_words(self) -> str:
        other = [
            f"{setting.name} {count(shown)} {setting.unit}"
            for setting, shown in _changed_limits(self.reading).values()
        ]
        if not other:
            return "as they come"
        return ", ".join(other) if len(other) < 3 else counted(len(other), "changed", "changed")


def _changed_limits(reading: ReadingSettings) -> dict[str, tuple[Setting, int]]:
    """The limits that are not as they come, in their units."""
    limits = values_of(reading.limits)
    return {
        name: (setting, setting.shown(limits[name]))
        for name, setting in LIMITS.items()
        if limits[name] != setting.default
    }


def to_stored(reading: ReadingSettings) -> dict[str, object]:
    """As plain values to be stored: what differs from the default, and never a password."""
    values = values_of(reading)
    stored = {name: values[name] for name in READING if values[name] != READING[name].default}
    limits = {name: shown for name, (_, shown) in _changed_limits(reading).items()}
    return stored | ({"limits": limits} if limits else {})


def from_stored(stored: Mapping[str, object]) -> ReadingSettings:
    """From plain values; what makes no sense is as it comes."""
    model = ReadingModel()
    for name in READING.keys() & stored.keys():
        model.change(name, stored[name])
    limits = stored.get("limits")
    for name, value in limits.items() if isinstance(limits, Mapping) else ():
        if name in LIMITS and LIMITS[name].fits(value, DEFAULT_LIMITS):
            model.change_limit(name, value)
    return model.reading
