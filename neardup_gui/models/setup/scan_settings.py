"""What the setup panel shows and changes: settings, starting points, and whether to scan again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from functools import cache
from typing import Any, NamedTuple

from core.base.setting import Setting, settings_of
from core.base.wording import count
from core.candidates.reworked import ReworkedCurve
from core.errors import SettingsError
from core.reports.pair_words import passage_in_words
from core.settings import (
    PAIRS,
    PRESETS,
    SECTIONS,
    SHINGLES,
    SIGNATURE,
    TEXT,
    Reworked,
    ScanSettings,
)

# The times are those of `tests/bench/reworked_cost.py`.
FINDS: dict[Reworked, str] = {
    "off": "Text in other words is found only where enough of it is the same word for word. "
    "Careful takes about twice as long.",
    "careful": "Finds passages with words exchanged, left out, added or moved. A scan takes about "
    "twice as long as without.",
    "thorough": "Finds shorter and weaker ones too, and lists more pairs that only share a turn of "
    "phrase. A scan takes two to three times as long as without.",
}
SCANS_AGAIN = "This list was scanned for less: it takes a new scan."
ONLY_MARKED = "Pairs below “Listed from” are not listed for it, as the threshold says."


def reworked_in_words(settings: ScanSettings, scanned: ScanSettings | None) -> str:
    """What the choice means.

    Args:
        settings: Those of the panel.
        scanned: Those that the shown list was scanned with; None where there is none.
    """
    sentences = [FINDS[settings.reworked]]
    if settings.reworked != "off":
        sentences.append(_promise(settings.reworked))
    if settings.reworked != "off" and not settings.list_passages:
        sentences.append(ONLY_MARKED)
    if scanned is not None:
        without = scanned.with_changes(reworked="thorough")
        less = without.same_signatures(settings) and not scanned.same_signatures(settings)
        if less:
            sentences.append(SCANS_AGAIN)
    return " ".join(sentences)


@cache
def _promise(level: Reworked) -> str:
    """How likely a passage is found in most folders."""
    return ReworkedCurve.usual(level).sentence()


NAME = "name"  # the key of a stored preset beside those of its settings
CUSTOM = ""
MAX_NAME = 60
COMPARED = {
    "all": "all pairs",
    "bands": "by bands and passages",
}
SETTINGS = settings_of(ScanSettings)
# The rows of the panel, by field, section after section.
ROWS = {
    field: setting
    for section in SECTIONS
    for field, setting in SETTINGS.items()
    if setting.in_panel and setting.section == section
}
NO_LANGUAGE: dict[str, Any] = {"language": "", "drop_stop_words": False, "stem": False}


class Choice(NamedTuple):
    """A starting point in the list."""

    name: str
    purpose: str
    own: bool


class SetupModel:
    """Settings that are always valid, and what they were when the shown result was scanned."""

    def __init__(self) -> None:
        self._settings = ScanSettings()
        self._scanned: ScanSettings | None = None
        self._own: dict[str, ScanSettings] = {}

    @property
    def settings(self) -> ScanSettings:
        """What the next scan uses."""
        return self._settings

    @settings.setter
    def settings(self, settings: ScanSettings) -> None:
        self._settings = settings

    def change(self, field: str, value: object) -> str:
        """Change one setting and what hangs on it.

        Returns:
            Why it cannot be, in a sentence; the settings are then as before. Empty otherwise.
        """
        try:
            self._settings = self._changed(field, value)
        except SettingsError as error:
            return str(error)
        return ""

    def set_threshold(self, bands: int, rows: int, min_resemblance: float) -> None:
        """Take over what the threshold panel chose."""
        self._settings = self._settings.with_changes(
            bands=bands, rows=rows, min_resemblance=min_resemblance
        )

    def set_distance(self, max_distance: int, min_resemblance: float) -> None:
        """Take over what the threshold panel chose for bits."""
        self._settings = self._settings.with_changes(
            max_distance=max_distance, min_resemblance=min_resemblance
        )

    def set_scanned(self, settings: ScanSettings | None) -> bool:
        """The settings of the shown result; None when there is no result.

        Returns:
            Whether they are others than before: a list that is made again has the same ones.
        """
        before, self._scanned = self._scanned, settings
        return before != settings

    @property
    def needs_scan(self) -> bool:
        """Whether the shown result was made with other shingles or signatures."""
        return self._scanned is not None and not self._scanned.same_signatures(self._settings)

    @property
    def reworked_words(self) -> str:
        """What looking for reworked passages finds, costs, and whether it takes a new scan."""
        return reworked_in_words(self._settings, self._scanned)

    @property
    def summary(self) -> tuple[tuple[str, str], ...]:
        """The settings in plain words: what they are about and what they say."""
        rows, compare = summary_of(self._settings), self._settings.compare
        return (*rows, ("Compared", COMPARED[compare])) if compare in COMPARED else rows

    @property
    def choices(self) -> tuple[Choice, ...]:
        """All starting points: those that come with the application, then the user's own."""
        given = tuple(Choice(preset.name, preset.purpose, own=False) for preset in PRESETS)
        return given + tuple(Choice(name, "Saved by you.", own=True) for name in self._own)

    @property
    def chosen(self) -> str:
        """The name of the starting point the settings equal; empty when they are custom."""
        return next((name for name, known in self._known().items() if known == self._settings), "")

    def choose(self, name: str) -> None:
        """Use a starting point."""
        self._settings = self._known()[name]

    def save(self, name: str) -> str:
        """Keep the settings as a starting point of the user's own; an own one is replaced.

        Returns:
            Why the name cannot be used, in a sentence; empty when it was.
        """
        name = " ".join(name.split())
        if not name:
            return "A preset needs a name."
        if len(name) > MAX_NAME:
            return f"A name has at most {MAX_NAME} characters, not {len(name)}."
        if name in {preset.name for preset in PRESETS} or name.casefold() == "custom":
            return f"“{name}” is the name of another preset."
        self._own[name] = self._settings
        return ""

    def delete(self, name: str) -> None:
        """Forget one of the user's own starting points."""
        self._own.pop(name, None)

    @property
    def own_presets(self) -> tuple[dict[str, object], ...]:
        """The user's own starting points, to be stored: a name and plain values each."""
        return tuple({NAME: name, **asdict(settings)} for name, settings in self._own.items())

    @own_presets.setter
    def own_presets(self, stored: Sequence[Mapping[str, object]]) -> None:
        self._own = {}
        for preset in stored:
            settings = settings_from(preset)
            name = preset.get(NAME)
            if settings is not None and isinstance(name, str):
                self._own[name] = settings

    def _known(self) -> dict[str, ScanSettings]:
        return {preset.name: preset.settings for preset in PRESETS} | self._own

    def _changed(self, field: str, value: object) -> ScanSettings:
        if isinstance(value, str) and SETTINGS[field].is_number:
            value = _entered(SETTINGS[field], value)
        changes: dict[str, Any] = {field: value}
        if field == "unit":
            # What is usual with this unit; characters have neither stop words nor stems.
            changes |= {"keep_punctuation": None, "min_passage": None} | NO_LANGUAGE
        elif field == "language" and not value:
            changes |= NO_LANGUAGE
        elif field == "signature_size" and isinstance(value, int):
            changes["bands"], changes["rows"] = _fitted(self._settings, value)
        return replace(self._settings, **changes)


def summary_of(settings: ScanSettings) -> tuple[tuple[str, str], ...]:
    """Settings in plain words: what they are about and what they say, always the same subjects."""
    return (
        ("Shingles", _summed_up(settings, SHINGLES)),
        ("Text", _summed_up(settings, TEXT)),
        ("Signature", _summed_up(settings, SIGNATURE, _signature_words(settings))),
        ("Passages", _summed_up(settings, PAIRS, f"from {passage_in_words(settings)} in a row")),
    )


def _summed_up(settings: ScanSettings, section: str, *before: str) -> str:
    told = (
        setting.summed_up(getattr(settings, field), settings)
        for field, setting in ROWS.items()
        if setting.section == section and settings.uses(field)
    )
    return ", ".join(filter(None, (*before, *told)))


def _fitted(settings: ScanSettings, size: int) -> tuple[int, int]:
    """The bands and rows for another K: all of it stays in use where all of it was."""
    rows = min(settings.rows, max(size, 1))
    limit = max(size // rows, 1)
    was_full = settings.bands == settings.signature_size // settings.rows
    return (limit if was_full else min(settings.bands, limit)), rows


def _entered(setting: Setting, text: str) -> int:
    """A number that is too large for a box and was entered as text."""
    low, high = setting.widest_bounds
    text = text.strip()
    if not (text.isascii() and text.isdigit() and low <= int(text) <= high):
        shown = text if len(text) <= 20 else f"{text[:20]}…"
        raise SettingsError(
            f"The {setting.name} is a whole number from {low} to {count(int(high))}, not “{shown}”."
        )
    return int(text)


def _signature_words(settings: ScanSettings) -> str:
    method = settings.method
    weights = SETTINGS["weights"].in_report(settings.weights, settings)
    weighed = f", {weights}" if method.weighs else ""
    if settings.distance is not None:
        return f"{method.name}, d = {settings.distance}{weighed}"
    usual = settings.signature == SETTINGS["signature"].default
    name = "" if usual else f", {method.name}"
    return f"K = {settings.signature_size}{name}{weighed}"


def settings_from(stored: Mapping[str, object]) -> ScanSettings | None:
    """Settings from plain values; None when they make no sense to this version."""
    values: dict[str, Any] = {name: stored[name] for name in SETTINGS.keys() & stored.keys()}
    try:
        return ScanSettings(**values)
    except SettingsError:
        return None
