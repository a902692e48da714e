"""The settings of a review, also where they were written by another version or by hand."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields
from typing import Any

from core.errors import SettingsError
from core.settings import (
    LANGUAGES,
    MAX_DISTANCE,
    MAX_PASSAGE,
    MAX_SHINGLE,
    MAX_SIGNATURE,
    ScanSettings,
)

__all__ = ["settings_of", "signed_alike"]

DEFAULTS: dict[str, Any] = {
    field.name: field.default for field in fields(ScanSettings) if field.default is not MISSING
}
# What the others are measured against comes first.
FIRST = ("unit", "language", "k", "signature_size", "rows", "bands")
ORDER = (*FIRST, *(name for name in DEFAULTS if name not in FIRST))
# They choose among signatures that are there; all others decide what is signed.
FREE = ("bands", "rows", "max_distance", "min_resemblance", "list_passages", "compare")
LONGEST_SHOWN = 40  # characters of a value in a sentence

NUMBERS: dict[str, str] = {
    "k": "a shingle length of {value}",
    "signature_size": "signatures of {value} values",
    "rows": "{value} rows in a band",
    "bands": "{value} bands",
    "max_distance": "a largest distance of {value} bits",
    "seed": "the seed {value}",
    "min_passage": "shared passages of {value} words",
    "min_resemblance": "pairs from a resemblance of {value} on",
}
CHOICES: dict[str, str] = {
    "unit": "shingles of “{value}”",
    "white_space": "white space to be treated as “{value}”",
    "language": "the language “{value}”",
    "signature": "signatures by “{value}”",
    "weights": "the weights “{value}”",
    "compare": "pairs to be compared by “{value}”",
}


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
        wanted = stored.get(name, DEFAULTS[name])
        changed = _accepted(made, name, wanted)
        if changed is None:
            used = _repaired(made, name, wanted)
            changed = made.with_changes(**{name: used})
            if name in stored:
                sentences.append(_sentence(made, name, wanted, used))
        made = changed
    sentences += [
        f"The review has a setting “{_short(name)}”, which this version does not know: it is "
        "ignored."
        for name in stored
        if name not in DEFAULTS
    ]
    return made, sentences


def signed_alike(stored: Mapping[str, Any], settings: ScanSettings) -> bool:
    """Whether signatures that were made with stored settings are those of the repaired ones.

    A setting of a newer version may have decided what was signed, so it speaks against it.
    """
    for name, value in stored.items():
        if name not in DEFAULTS:
            return False
        usual = value is None and DEFAULTS[name] is None  # the value follows from the others
        used = getattr(settings, name)
        if name not in FREE and not usual and (type(used), used) != (type(value), value):
            return False
    return True


def _accepted(made: ScanSettings, name: str, value: Any) -> ScanSettings | None:  # noqa: ANN401
    """The settings with this value, if it is one that can stay."""
    default = DEFAULTS[name]
    is_flag = isinstance(default, bool) or name == "keep_punctuation"
    if isinstance(value, bool) is not is_flag and not (value is None and default is None):
        return None
    if isinstance(default, str) and not isinstance(value, str):
        return None
    try:
        return made.with_changes(**{name: value})
    except (SettingsError, TypeError):
        return None


def _repaired(made: ScanSettings, name: str, value: Any) -> Any:  # noqa: ANN401
    """The nearest valid value, or the default."""
    if name not in NUMBERS:
        return DEFAULTS[name]
    low, high = _range(made, name)
    number = _number(value)
    if number is None:
        number = DEFAULTS[name]
    if number is None:
        return None
    near = min(max(number, low), high)
    return near if name == "min_resemblance" else round(near)


def _range(made: ScanSettings, name: str) -> tuple[int, int]:
    """The lowest and the highest value of a number, given what was settled before."""
    ranges: dict[str, Callable[[], tuple[int, int]]] = {
        "k": lambda: (1, MAX_SHINGLE),
        "signature_size": lambda: (1, MAX_SIGNATURE),
        "rows": lambda: (1, made.signature_size),
        "bands": lambda: (1, made.signature_size // made.rows),
        "max_distance": lambda: (0, MAX_DISTANCE),
        "seed": lambda: (0, 2**63 - 1),
        "min_passage": lambda: (made.least_passage, MAX_PASSAGE),
        "min_resemblance": lambda: (0, 1),
    }
    return ranges[name]()


def _number(value: Any) -> float | None:  # noqa: ANN401
    """The value if it is a number that can be compared."""
    if isinstance(value, bool) or not isinstance(value, int | float) or value != value:  # noqa: PLR0124 - NaN
        return None
    return value


def _sentence(made: ScanSettings, name: str, wanted: Any, used: Any) -> str:  # noqa: ANN401
    """What was asked for, why it cannot be, what is used."""
    value = _short(wanted)
    if name in NUMBERS:
        asked = NUMBERS[name].format(value=value)
        return f"The review asked for {asked}; {_limit(made, name)}: {_told(used)} used."
    if name in CHOICES:
        asked = CHOICES[name].format(value=value)
        instead = f"“{used}” is used" if used else "none is used"
        known = f" (it knows {', '.join(LANGUAGES)})" if name == "language" else ""
        return f"The review asked for {asked}, which this version does not know{known}: {instead}."
    if name in {"stem", "drop_stop_words"} and wanted is True:
        what = "stems" if name == "stem" else "stop words to be dropped"
        return (
            f"The review asked for {what}, which needs shingles of words and a language: this is "
            "switched off."
        )
    setting = name.replace("_", " ")
    instead = "what is usual" if used is None else "on" if used else "off"
    return (
        f"The review has “{value}” for the setting “{setting}”, which cannot be: {instead} is used."
    )


def _limit(made: ScanSettings, name: str) -> str:
    """What a number may be."""
    low, high = _range(made, name)
    if name == "bands":
        rows = f" of {made.rows} rows" if made.rows > 1 else ""
        return f"at most {high}{rows} fit a signature of {made.signature_size} values"
    if name == "rows":
        return f"at most {high} fit a signature of {made.signature_size} values"
    return (
        f"it must be {'' if name == 'min_resemblance' else 'a whole number '}from {low} to {high}"
    )


def _told(used: Any) -> str:  # noqa: ANN401
    if used is None:
        return "what is usual is"
    return f"{used} {'is' if used == 1 else 'are'}"


def _short(value: Any) -> str:  # noqa: ANN401
    """A value of any length and kind in a sentence, on one line."""
    try:
        text = value if isinstance(value, str) else repr(value)
    except ValueError:  # a whole number of more than 4,300 digits
        text = "a number of very many digits"
    except RecursionError:
        text = "a list of lists of lists"
    text = ascii(text)[1:-1] if not text.isprintable() else text
    return text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}…"
