"""The settings of a review, also where they were written by another version or by hand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from core.base import setting
from core.base.wording import shown_value
from core.errors import SettingsError
from core.settings import LANGUAGES, ScanSettings

SETTINGS = setting.settings_of(ScanSettings)
# Bands are measured against rows.
ORDER = sorted(SETTINGS, key=lambda name: name == "bands")


def settings_of(stored: Mapping[str, Any]) -> tuple[ScanSettings, list[str]]:
    """Valid settings, as near as can be to those that are stored.

    Args:
        stored: Any JSON object. What it leaves out has its default, without a word: a version
            that had no such setting did what is the default now.

    Returns:
        The settings, and a sentence for everything that is not as it is stored.
    """
    made = ScanSettings(bands=1, rows=1)
    sentences = []
    for name in ORDER:
        wanted = stored.get(name, SETTINGS[name].default)
        changed = _accepted(made, name, wanted)
        if changed is None:
            used = _repaired(made, name, wanted)
            changed = made.with_changes(**{name: used})
            if name in stored:
                sentences.append(_sentence(made, name, wanted, used))
        made = changed
    sentences += [
        f"The review has a setting “{shown_value(name)}”, which this version does not know: it is "
        "ignored."
        for name in stored
        if name not in SETTINGS
    ]
    return made, sentences


def _accepted(made: ScanSettings, name: str, value: Any) -> ScanSettings | None:
    """The settings with this value, if it is one that can stay."""
    if not SETTINGS[name].fits(value, made):
        return None
    try:
        return made.with_changes(**{name: value})
    except SettingsError:  # it goes with no other that is there
        return None


def _repaired(made: ScanSettings, name: str, value: Any) -> Any:
    one = SETTINGS[name]
    if not one.is_number:
        return one.default
    low, high = _range(made, name)
    number = value if _can_be_compared(value) else one.default
    if number is None:
        return None
    near = min(max(number, low), high)
    return round(near) if one.is_whole else near


def _range(made: ScanSettings, name: str) -> tuple[float, float]:
    """The lowest and the highest value of a number, given what was settled before."""
    low, high = SETTINGS[name].bounds(made)
    return low, made.signature_size // made.rows if name == "bands" else high


def _can_be_compared(value: object) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return value == value  # noqa: PLR0124 - NaN


def _sentence(made: ScanSettings, name: str, wanted: Any, used: Any) -> str:
    """What was asked for, why it cannot be, what is used."""
    one, value = SETTINGS[name], shown_value(wanted)
    if one.is_number:
        return (
            f"The review asked for {_asked(one, value)}; {_limit(made, name)}: {_told(used)} used."
        )
    if one.choices and not one.is_switch:
        instead = f"“{used}” is used" if used else "none is used"
        known = f" (it knows {', '.join(LANGUAGES)})" if name == "language" else ""
        asked = _asked(one, value)
        return f"The review asked for {asked}, which this version does not know{known}: {instead}."
    if one.needs and wanted is True:
        return (
            f"The review asked for {one.asked}, which needs {one.needs.words}: this is switched "
            "off."
        )
    title = name.replace("_", " ")
    instead = "what is usual" if used is None else "on" if used else "off"
    return (
        f"The review has “{value}” for the setting “{title}”, which cannot be: {instead} is used."
    )


def _asked(one: setting.Setting, value: str) -> str:
    usual = "the {name} {value}" if one.is_number else "the {name} “{value}”"
    return (one.asked or usual).format(name=one.name, value=value)


def _limit(made: ScanSettings, name: str) -> str:
    low, high = _range(made, name)
    if name == "bands":
        rows = f" of {made.rows} rows" if made.rows > 1 else ""
        return f"at most {high}{rows} fit a signature of {made.signature_size} values"
    if name == "rows":
        return f"at most {high} fit a signature of {made.signature_size} values"
    whole = "a whole number " if SETTINGS[name].is_whole else ""
    return f"it must be {whole}from {low} to {high}"


def _told(used: Any) -> str:
    if used is None:
        return "what is usual is"
    return f"{used} {'is' if used == 1 else 'are'}"
