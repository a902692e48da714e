"""What the setup panel shows and changes: settings, starting points, and whether to scan again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from typing import Any, NamedTuple

from core.errors import SettingsError
from core.reports.pair_words import passage_in_words
from core.setting_words import WEIGHTS
from core.settings import (
    LANGUAGES,
    MAX_DISTANCE,
    MAX_PASSAGE,
    MAX_SHINGLE,
    MAX_SIGNATURE,
    PRESETS,
    ScanSettings,
)
from core.settings.signature_methods import METHODS, SignatureMethod, names_using
from neardup_gui.models.words.numbers import count

__all__ = [
    "LANGUAGES",
    "MAX_DISTANCE",
    "MAX_PASSAGE",
    "MAX_SHINGLE",
    "MAX_SIGNATURE",
    "Choice",
    "Field",
    "SetupModel",
    "Values",
    "method_choices",
    "method_tip",
    "settings_from",
    "summary_of",
]

NAME = "name"  # the key of a stored preset beside those of its settings
CUSTOM = ""
MAX_NAME = 60
MAX_SEED = 2**63 - 1
COMPARED = {
    "all": "all pairs",
    "bands": "by bands and passages",
}
STORED = frozenset(field.name for field in fields(ScanSettings))


class Field:
    """The settings that the panel can change, by name."""

    UNIT = "unit"
    K = "k"
    IGNORE_CASE = "ignore_case"
    PUNCTUATION = "keep_punctuation"
    DIGITS = "keep_digits"
    WHITE_SPACE = "white_space"
    LANGUAGE = "language"
    STOP_WORDS = "drop_stop_words"
    STEM = "stem"
    BAG = "bag"
    METHOD = "signature"
    SIZE = "signature_size"
    WEIGHTS = "weights"
    DISTANCE = "max_distance"
    SEED = "seed"
    PASSAGE = "min_passage"
    COMPARE = "compare"


NO_LANGUAGE: dict[str, Any] = {Field.LANGUAGE: "", Field.STOP_WORDS: False, Field.STEM: False}


@dataclass(frozen=True, slots=True)
class Values:
    """The settings as plain values, for widgets."""

    unit: str
    k: int
    ignore_case: bool
    keep_punctuation: bool
    keep_digits: bool
    white_space: str
    language: str
    drop_stop_words: bool
    stem: bool
    bag: bool
    signature: str
    signature_size: int
    weights: str
    max_distance: int
    seed: str
    passage: int
    compare: str

    @property
    def method(self) -> SignatureMethod:
        """Tells which of the values mean anything."""
        return METHODS[self.signature]


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

    @property
    def values(self) -> Values:
        """The settings as plain values."""
        now = self._settings
        return Values(
            unit=now.unit,
            k=now.k,
            ignore_case=now.ignore_case,
            keep_punctuation=bool(now.keep_punctuation),
            keep_digits=now.keep_digits,
            white_space=now.white_space,
            language=now.language,
            drop_stop_words=now.drop_stop_words,
            stem=now.stem,
            bag=now.bag,
            signature=now.signature,
            signature_size=now.signature_size,
            weights=now.weights,
            max_distance=now.max_distance,
            seed=str(now.seed),
            passage=now.passage_length,
            compare=now.compare,
        )

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
        """Take over what the threshold panel chose with SimHash."""
        self._settings = self._settings.with_changes(
            max_distance=max_distance, min_resemblance=min_resemblance
        )

    def set_scanned(self, settings: ScanSettings | None) -> None:
        """The settings of the shown result; None when there is no result."""
        self._scanned = settings

    @property
    def needs_scan(self) -> bool:
        """Whether the shown result was made with other shingles or signatures."""
        return self._scanned is not None and not self._scanned.same_signatures(self._settings)

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
        changes: dict[str, Any] = {field: value}
        if field == Field.UNIT:
            # What is usual with this unit.
            changes[Field.PUNCTUATION] = changes[Field.PASSAGE] = None
            # Characters have neither stop words nor stems.
            changes |= NO_LANGUAGE
        elif field == Field.LANGUAGE and not value:
            changes |= NO_LANGUAGE
        elif field == Field.SEED:
            changes[field] = _seed(str(value))
        elif field == Field.SIZE and isinstance(value, int):
            changes["bands"], changes["rows"] = _fitted(self._settings, value)
        return replace(self._settings, **changes)


def method_choices() -> tuple[tuple[str, str], ...]:
    """The methods of signatures, each with its value."""
    return tuple((method.title, name) for name, method in METHODS.items())


def method_tip() -> str:
    """What the methods are good for."""
    return (
        f"How signatures are made. With {names_using('bands')} they estimate resemblance without "
        f"bias; with {names_using('max_distance')} they are 64 bits and find only documents that "
        "are nearly the same."
    )


def summary_of(settings: ScanSettings) -> tuple[tuple[str, str], ...]:
    """Settings in plain words: what they are about and what they say, always the same subjects."""
    unit = "words" if settings.unit == "word" else "characters"
    repeats = ", repeated ones count every time" if settings.bag else ""
    return (
        ("Shingles", f"{unit}, k = {settings.k}{repeats}"),
        ("Text", ", ".join(_text_words(settings))),
        ("Signature", _signature_words(settings)),
        ("Passages", f"from {passage_in_words(settings)} in a row"),
    )


def _fitted(settings: ScanSettings, size: int) -> tuple[int, int]:
    """The bands and rows for another K: all of it stays in use where all of it was."""
    rows = min(settings.rows, max(size, 1))
    limit = max(size // rows, 1)
    was_full = settings.bands == settings.signature_size // settings.rows
    return (limit if was_full else min(settings.bands, limit)), rows


def _seed(text: str) -> int:
    text = text.strip()
    if not (text.isascii() and text.isdigit() and int(text) <= MAX_SEED):
        shown = text if len(text) <= 20 else f"{text[:20]}…"
        raise SettingsError(
            f"The seed is a whole number from 0 to {count(MAX_SEED)}, not “{shown}”."
        )
    return int(text)


def _text_words(settings: ScanSettings) -> list[str]:
    words = ["lower case" if settings.ignore_case else "case counts"]
    words.append("punctuation counts" if settings.keep_punctuation else "no punctuation")
    if not settings.keep_digits:
        words.append("no digits")
    if settings.unit == "char":
        removed = settings.white_space == "remove"
        words.append("no white space" if removed else "white space as one space")
    if settings.drop_stop_words:
        words.append(f"no {settings.language.title()} stop words")
    if settings.stem:
        words.append(f"{settings.language.title()} stems")
    return words


def _signature_words(settings: ScanSettings) -> str:
    seed = f", seed {settings.seed}" if settings.seed != ScanSettings().seed else ""
    method = settings.method
    weights = f", {WEIGHTS[settings.weights]}" if method.weighs else ""
    if settings.distance is not None:
        return f"{method.name}, d = {settings.distance}{weights}{seed}"
    usual = settings.signature == ScanSettings().signature
    name = "" if usual else f", {method.name}"
    return f"K = {settings.signature_size}{name}{weights}{seed}"


def settings_from(stored: Mapping[str, object]) -> ScanSettings | None:
    """Settings from plain values; None when they make no sense to this version."""
    values: dict[str, Any] = {name: stored[name] for name in STORED & stored.keys()}
    try:
        return ScanSettings(**values)
    except (SettingsError, TypeError):
        return None
