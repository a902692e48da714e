"""What the setup panel shows and changes: settings, starting points, and whether to scan again."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from core.base.messages import N_, gettext, language, ngettext
from core.base.setting import Setting, settings_of, values_of
from core.base.wording import comma_list, count, printable_name, printable_path, share
from core.candidates.reworked_curve import ReworkedCurve
from core.documents.model import Role
from core.documents.reading_settings import DEFAULT_LIMITS, ReadingLimits, ReadingSettings
from core.errors import SettingsError
from core.reports.pair_words import passage_in_words
from core.settings import (
    PAIRS,
    PRESETS,
    SECTIONS,
    SHINGLES,
    SIGNATURE,
    TEXT,
    Level,
    Reworked,
    ScanSettings,
)

if TYPE_CHECKING:
    from core.exclusions.rules import ExclusionRules
    from core.text.set_aside import SetAside

USUAL_COMMON = 5  # documents, until another number is asked for
FEWEST_COMMON = 2


class ExclusionState(NamedTuple):
    """The state of the boxes for ignored text, and of the line below them.

    Attributes:
        rules: What is set aside, also where the list does not yet show it; None without a list that
            can be changed.
        summary: How much of the text is set aside; empty for none.
    """

    rules: ExclusionRules | None = None
    summary: str = ""


def exclusion_state(
    rules: ExclusionRules,
    spans: Mapping[int, Sequence[SetAside]],
    lengths: Sequence[int],
    templates: Sequence[int] = (),
) -> ExclusionState:
    """The state for a complete list.

    Args:
        rules: The rules of the list.
        spans: The spans that they set aside, by number of the document.
        lengths: The lengths of the texts.
        templates: The numbers of the templates.
    """
    from core.exclusions.rules import share_of_all, shares_of  # noqa: PLC0415 - NumPy comes with it

    shares = shares_of(spans, lengths)  # names of files in submissions are none
    template_lengths = {template: lengths[template] for template in templates}
    number, part = share_of_all(shares, sum(lengths), template_lengths)
    summary = ngettext(
        "{share} of all text, in {n} document",
        "{share} of all text, in {n} documents",
        number,
        share=share(part),
    )
    return ExclusionState(rules, summary if number else "")


def whole_words(source: str, start: int, end: int) -> str:
    """The selected text, extended to whole words at both ends."""
    while start < end and source[start].isspace():
        start += 1
    while start < end and source[end - 1].isspace():
        end -= 1
    while 0 < start < end and _is_joined(source[start - 1], source[start]):
        start -= 1
    while start < end < len(source) and _is_joined(source[end - 1], source[end]):
        end += 1
    return source[start:end]


def _is_joined(before: str, after: str) -> bool:
    """Whether two characters belong to one word; letters of scripts without spaces do not."""
    return all(letter.isalnum() and not "\u3040" <= letter <= "\u9fff" for letter in before + after)


# What a folder can be for, as a title, and what that means.
ROLES: dict[Role, tuple[str, str]] = {
    Role.REVIEW: (N_("To review"), N_("Compared with each other and with references")),
    Role.REFERENCE: (
        N_("Reference"),
        N_("Compared with the documents to review, never with each other"),
    ),
    Role.TEMPLATE: (N_("Template"), N_("Its text is ignored everywhere")),
}
ORDER = {role: index for index, role in enumerate(ROLES)}


class Addition(NamedTuple):
    """Something that can be added to the folders.

    Attributes:
        title: In a menu.
        role: What it is for.
        question: The title of the dialog that asks which.
        is_file: Whether it is a single file.
    """

    title: str
    role: Role
    question: str
    is_file: bool = False


ADDITIONS = (
    Addition(N_("To review…"), Role.REVIEW, N_("Choose a folder to review")),
    Addition(N_("Reference…"), Role.REFERENCE, N_("Choose a reference folder")),
    Addition(N_("Template folder…"), Role.TEMPLATE, N_("Choose a folder of templates")),
    Addition(N_("Template file…"), Role.TEMPLATE, N_("Choose a template file"), is_file=True),
)


class FolderLine(NamedTuple):
    """A folder.

    Attributes:
        path: Where it is.
        role: What it is for.
        title: That in words; "" where the line before says the same.
        text: Its name, and how many documents it has: "essays (212)".
        heard: The same for people who hear it.
        explanation: The whole path.
    """

    path: Path
    role: Role
    title: str
    text: str
    heard: str
    explanation: str


def folder_lines(
    folders: Sequence[Path], roles: Sequence[Role], documents: Sequence[int]
) -> list[FolderLine]:
    """The folders, those to review first.

    Args:
        folders: Where they are.
        roles: What they are for.
        documents: How many documents each has; empty while that is not known.
    """
    names = _names(folders)
    numbers = [*documents, *[-1] * (len(folders) - len(documents))]
    lines: list[FolderLine] = []
    order = sorted(range(len(folders)), key=lambda number: ORDER[roles[number]])
    for number in order:
        role, name = roles[number], names[number]
        title = gettext(ROLES[role][0])
        is_first = not lines or lines[-1].role is not role
        heard = [name, gettext(role)]
        if numbers[number] >= 0:
            heard.append(ngettext("{n} document", "{n} documents", numbers[number]))
        is_plain = numbers[number] < 0 or (role is Role.TEMPLATE and numbers[number] == 1)
        text = name if is_plain else f"{name} ({count(numbers[number])})"
        shown, path = title if is_first else "", printable_path(folders[number])
        lines.append(FolderLine(folders[number], role, shown, text, comma_list(heard), path))
    return lines


def _names(folders: Sequence[Path]) -> list[str]:
    """The names of folders; where two have the same, with the folder that each is in."""
    plain = [printable_name(folder.name or str(folder)) for folder in folders]
    same = Counter(plain)
    return [
        f"{printable_name(folder.parent.name)}/{name}" if same[name] > 1 else name
        for folder, name in zip(folders, plain, strict=True)
    ]


LIMITS = settings_of(ReadingLimits)
READING = settings_of(ReadingSettings)


def tesseract_is_installed() -> bool:
    """Whether scans can be read on this computer."""
    return shutil.which("tesseract") is not None


def without_passwords(reading: ReadingSettings) -> ReadingSettings:
    """The settings without passwords, which are never stored and need no new scan."""
    return replace(reading, passwords=())


class ReadingModel:
    """How files are read, and how they were when the shown result was made."""

    def __init__(self) -> None:
        self.reading = ReadingSettings()
        self._scanned: ReadingSettings | None = None

    def change(self, field: str, value: object) -> str:
        """Change a setting other than a limit.

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
        """Set every limit to its default."""
        self.reading = replace(self.reading, limits=DEFAULT_LIMITS)

    @property
    def limits_are_usual(self) -> bool:
        """Whether every limit is its default."""
        return self.reading.limits == DEFAULT_LIMITS

    def set_scanned(self, reading: ReadingSettings | None) -> bool:
        """How the files of the shown result were read; None when that is not known.

        Returns:
            Whether that has changed.
        """
        before, self._scanned = self._scanned, reading
        return before != reading

    @property
    def needs_scan(self) -> bool:
        """Whether the shown result was made with other reading settings."""
        return self._scanned is not None and (
            without_passwords(self._scanned) != without_passwords(self.reading)
        )

    @property
    def is_usual(self) -> bool:
        """Whether all settings are the defaults."""
        return without_passwords(self.reading) == ReadingSettings()

    @property
    def summary(self) -> tuple[tuple[str, str], ...]:
        """The settings in plain words: a label and a sentence each."""
        values = values_of(self.reading)
        rows = [
            (
                setting.titled,
                setting.summary_text(values[name], self.reading)
                or setting.format_value(values[name]),
            )
            for name, setting in READING.items()
            if setting.titled
        ]
        return (*rows, (gettext("Limits"), self._limits_in_words()))

    def _limits_in_words(self) -> str:
        limits = [
            gettext(
                "{setting}: {value} {unit}",
                setting=setting.heading,
                value=count(shown),
                unit=setting.counted_in,
            )
            for setting, shown in _changed_limits(self.reading).values()
        ]
        if not limits:
            return gettext("as they come")
        if len(limits) < 3:
            return comma_list(limits)
        return ngettext("{n} changed", "{n} changed", len(limits))


def _changed_limits(reading: ReadingSettings) -> dict[str, tuple[Setting, int]]:
    """The limits that are not the defaults, in their units."""
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


# The times are those of `tests/bench/reworked_cost.py`.
FINDS: dict[Reworked, str] = {
    "auto": N_(
        "Finds passages with words replaced, left out, added or moved: thorough in a folder so "
        "small that all pairs can be measured in about a second, careful in larger ones."
    ),
    "off": N_(
        "Reworded text is found only where enough of it is the same word for word. “Careful” takes "
        "about twice as long."
    ),
    "careful": N_(
        "Finds passages with words replaced, left out, added or moved. A scan takes about twice as "
        "long as with “off”."
    ),
    "thorough": N_(
        "Also finds shorter and weaker passages, and lists more pairs that share only a turn of "
        "phrase. A scan takes two to three times as long as with “off”."
    ),
}
ONLY_MARKED = N_("Pairs below “Listed from” are not listed for it, as the threshold says.")


def reworked_in_words(settings: ScanSettings) -> str:
    """What the chosen level finds, and what it costs."""
    sentences = [gettext(FINDS[settings.reworked])]
    code = language().code
    if settings.reworked == "auto":
        small, large = _promise("thorough", code, measures_all=True), _promise("careful", code)
        sentences.append(gettext("In small folders: {promise}", promise=small))
        sentences.append(gettext("In others: {promise}", promise=large))
    elif settings.reworked != "off":
        sentences.append(_promise(settings.reworked, code))
    if settings.reworked != "off" and not settings.list_passages:
        sentences.append(gettext(ONLY_MARKED))
    return " ".join(sentences)


@cache
def _promise(level: Level, _language: str, *, measures_all: bool = False) -> str:
    """How likely a passage is found in most folders."""
    return ReworkedCurve.usual(level, measures_all=measures_all).sentence()


NAME = "name"  # the key of a stored preset beside those of its settings
CUSTOM = ""
MAX_NAME = 60
COMPARED = {"all": N_("all pairs"), "bands": N_("by bands and passages")}
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
    """A starting point in the list: its name in the settings, and its title in the list."""

    name: str
    title: str
    purpose: str
    is_user_preset: bool


class SetupModel:
    """Settings that are always valid, and what they were when the shown result was scanned.

    Attributes:
        settings: What the next scan uses.
    """

    def __init__(self) -> None:
        self.settings = ScanSettings()
        self._scanned: ScanSettings | None = None
        self._own_presets: dict[str, ScanSettings] = {}

    def change(self, field: str, value: object) -> str:
        """Change a setting and those that depend on it.

        Returns:
            Why it cannot be, in a sentence; the settings are then as before. Empty otherwise.
        """
        try:
            self.settings = self._changed(field, value)
        except SettingsError as error:
            return str(error)
        return ""

    def set_scanned(self, settings: ScanSettings | None) -> bool:
        """The settings of the shown result; None when there is no result.

        Returns:
            Whether they have changed: a list that is made again has the same settings.
        """
        before, self._scanned = self._scanned, settings
        return before != settings

    @property
    def needs_scan(self) -> bool:
        """Whether the shown result was made with other shingles or signatures."""
        return self._scanned is not None and not self._scanned.same_but_passages(self.settings)

    @property
    def summary(self) -> tuple[tuple[str, str], ...]:
        """The settings in plain words, a label and a sentence each."""
        rows, compare = summary_of(self.settings), self.settings.compare
        if compare not in COMPARED:
            return rows
        return (*rows, (gettext("Compared"), gettext(COMPARED[compare])))

    @property
    def choices(self) -> tuple[Choice, ...]:
        """All starting points: those of the application, then the user's."""
        given = tuple(
            Choice(preset.name, gettext(preset.name), gettext(preset.purpose), is_user_preset=False)
            for preset in PRESETS
        )
        saved = gettext("Saved by you.")
        return given + tuple(
            Choice(name, name, saved, is_user_preset=True) for name in self._own_presets
        )

    @property
    def chosen(self) -> str:
        """The name of the starting point the settings equal; empty when they are custom."""
        return next((name for name, known in self.known.items() if known == self.settings), "")

    def choose(self, name: str) -> None:
        """Use a starting point."""
        self.settings = self.known[name]

    def save(self, name: str) -> str:
        """Keep the settings as a preset of the user; one of the same name is replaced.

        Returns:
            Why the name cannot be used, in a sentence; empty when it was.
        """
        name = " ".join(name.split())
        if not name:
            return gettext("A preset needs a name.")
        if len(name) > MAX_NAME:
            return gettext(
                "A name can have at most {most} characters; this one has {characters}.",
                most=MAX_NAME,
                characters=len(name),
            )
        given = {shown for preset in PRESETS for shown in (preset.name, gettext(preset.name))}
        if name in given or name.casefold() in {"custom", gettext("Custom").casefold()}:
            return gettext("There is already a preset called “{name}”.", name=name)
        self._own_presets[name] = self.settings
        return ""

    def delete(self, name: str) -> None:
        """Forget a preset of the user."""
        self._own_presets.pop(name, None)

    @property
    def own_presets(self) -> tuple[dict[str, object], ...]:
        """The user's presets, to be stored: a name and plain values each."""
        return tuple(
            {NAME: name, **asdict(settings)} for name, settings in self._own_presets.items()
        )

    @own_presets.setter
    def own_presets(self, stored: Sequence[Mapping[str, object]]) -> None:
        self._own_presets = {}
        for preset in stored:
            settings = settings_from(preset)
            name = preset.get(NAME)
            if settings is not None and isinstance(name, str):
                self._own_presets[name] = settings

    @property
    def known(self) -> dict[str, ScanSettings]:
        """The settings of all starting points, by name."""
        return {preset.name: preset.settings for preset in PRESETS} | self._own_presets

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
            changes["bands"], changes["rows"] = _fitted(self.settings, value)
        return replace(self.settings, **changes)


def summary_of(settings: ScanSettings) -> tuple[tuple[str, str], ...]:
    """Settings in plain words: pairs of subject and description, always the same subjects."""
    shortest = gettext("from {passage} in a row", passage=passage_in_words(settings))
    return (
        (gettext("Shingles"), _summed_up(settings, SHINGLES)),
        (gettext("Text"), _summed_up(settings, TEXT)),
        (gettext("Signature"), _summed_up(settings, SIGNATURE, _signature_words(settings))),
        (gettext("Passages"), _summed_up(settings, PAIRS, shortest)),
    )


def _summed_up(settings: ScanSettings, section: str, *before: str) -> str:
    parts = (
        setting.summary_text(getattr(settings, field), settings)
        for field, setting in ROWS.items()
        if setting.section == section and settings.uses(field)
    )
    return comma_list((*before, *parts))


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
            gettext(
                "“{setting}” is a whole number from {low} to {high}, not “{value}”.",
                setting=setting.heading,
                low=low,
                high=count(int(high)),
                value=shown,
            )
        )
    return int(text)


def _signature_words(settings: ScanSettings) -> str:
    method = settings.method
    if settings.distance is not None:
        parts = [method.name, f"d = {settings.distance}"]
    else:
        parts = [f"K = {settings.signature_size}"]
        if settings.signature != SETTINGS["signature"].default:
            parts.append(method.name)
    if method.weighs:
        parts.append(SETTINGS["weights"].in_report(settings.weights, settings))
    return comma_list(parts)


def settings_from(stored: Mapping[str, object]) -> ScanSettings | None:
    """Settings from plain values; None when they make no sense to this version."""
    values: dict[str, Any] = {name: stored[name] for name in SETTINGS.keys() & stored.keys()}
    try:
        return ScanSettings(**values)
    except SettingsError:
        return None
