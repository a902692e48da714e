"""How files are read: every limit with its unit, archives, scans; changed, told and stored."""

from __future__ import annotations

import re
import shutil
from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

from core.documents.reading_settings import DEFAULT_LIMITS, ReadingLimits, ReadingSettings
from neardup_gui.models.words.numbers import count, counted

__all__ = [
    "LIMIT_ROWS",
    "LimitRow",
    "LimitValues",
    "ReadingField",
    "ReadingModel",
    "ReadingValues",
    "from_stored",
    "tesseract_is_installed",
    "to_stored",
    "without_passwords",
]

MAX_LANGUAGES = 100
LANGUAGES = re.compile(r"[A-Za-z0-9_]+(\+[A-Za-z0-9_]+)*", re.ASCII)


class LimitRow(NamedTuple):
    """A field of `ReadingLimits` as it is shown: `scale` is how much one of its unit counts."""

    field: str
    title: str
    unit: str
    scale: int
    high: int
    meaning: str

    def shown(self, limits: ReadingLimits) -> int:
        """The limit in its unit."""
        return round(int(getattr(limits, self.field)) / self.scale)


LIMIT_ROWS = (
    LimitRow("file_bytes", "File size", "MB", 10**6, 100_000, "Larger files are not read."),
    LimitRow(
        "characters", "Characters", "million", 10**6, 2_000,
        "Longer texts are not read.",
    ),
    LimitRow(
        "words", "Words", "million", 10**6, 2_000,
        "Texts of more words are not compared; a million of them takes about 80 MB of memory.",
    ),
    LimitRow(
        "pages", "Pages", "pages", 1, 1_000_000,
        "Of a document with more, the first are read, and a remark says so.",
    ),
    LimitRow(
        "seconds", "Time for a file", "s", 1, 36_000,
        "A file that takes longer is given up.",
    ),
    LimitRow(
        "stall_seconds", "Time for a page", "s", 1, 3_600,
        "A reader that takes longer to get on, to the next page, part or mail, is given up.",
    ),
    LimitRow(
        "memory_bytes", "Memory", "MB", 10**6, 64_000,
        "A reader that needs more is stopped.",
    ),
    LimitRow(
        "unpacked_bytes", "Unpacked", "MB", 10**6, 64_000,
        "A packed file (docx, odt, epub, ZIP) that unpacks to more is not read.",
    ),
    LimitRow(
        "part_bytes", "One part", "MB", 10**6, 64_000,
        "A packed file with a part that unpacks to more is not read.",
    ),
    LimitRow(
        "ratio", "Packed", "times", 1, 1_000_000,
        "A part over 10 MB that was packed more tightly than so many times is not unpacked.",
    ),
    LimitRow(
        "members", "Parts", "parts", 1, 10_000_000,
        "A packed file, an archive or a mailbox with more parts is not read.",
    ),
    LimitRow(
        "nesting", "Nesting", "levels", 1, 100_000,
        "A document whose elements are nested more deeply is not read.",
    ),
)  # fmt: skip


class ReadingField:
    """What can be changed besides the limits, by name."""

    ARCHIVES = "archives"
    OCR = "ocr"
    LANGUAGES = "ocr_languages"


class LimitValues(NamedTuple):
    """A limit as it is and as it comes, in its unit."""

    value: int
    default: int


class ReadingValues(NamedTuple):
    """How files are read, as plain values for widgets; limits by field."""

    archives: bool
    ocr: bool
    ocr_languages: str
    limits: dict[str, LimitValues]


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

    @property
    def values(self) -> ReadingValues:
        """Everything as plain values."""
        now = self.reading
        limits = {
            row.field: LimitValues(row.shown(now.limits), row.shown(DEFAULT_LIMITS))
            for row in LIMIT_ROWS
        }
        return ReadingValues(now.archives, now.ocr, now.ocr_languages, limits)

    def change(self, field: str, value: object) -> str:
        """Change what is no limit.

        Returns:
            Why it cannot be, in a sentence; nothing is changed then. Empty otherwise.
        """
        if field == ReadingField.ARCHIVES:
            self.reading = replace(self.reading, archives=bool(value))
        elif field == ReadingField.OCR:
            self.reading = replace(self.reading, ocr=bool(value))
        else:
            languages = str(value).replace(" ", "")
            if len(languages) > MAX_LANGUAGES or not LANGUAGES.fullmatch(languages):
                return "Languages are the short names that Tesseract uses: eng, or deu+eng."
            self.reading = replace(self.reading, ocr_languages=languages)
        return ""

    def change_limit(self, field: str, value: int) -> None:
        """Change a limit; `value` counts in its unit and is brought into its range."""
        row = next(row for row in LIMIT_ROWS if row.field == field)
        usual = int(getattr(DEFAULT_LIMITS, field))
        # 67 MB may stand for 64 times 2^20 bytes: what is shown as the default is the default.
        exact = min(max(value, 1), row.high) * row.scale
        changed = {field: usual if value == row.shown(DEFAULT_LIMITS) else exact}
        self.reading = replace(self.reading, limits=replace(self.reading.limits, **changed))

    def reset_limits(self) -> None:
        """Every limit as it comes."""
        self.reading = replace(self.reading, limits=DEFAULT_LIMITS)

    @property
    def limits_are_usual(self) -> bool:
        """Whether every limit is as it comes."""
        return self.reading.limits == DEFAULT_LIMITS

    def set_scanned(self, reading: ReadingSettings | None) -> None:
        """How the files of the shown result were read; None when that is not known."""
        self._scanned = reading

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
        now = self.reading
        return (
            ("Archives", "opened like folders" if now.archives else "not opened"),
            ("Scans", f"read with Tesseract ({now.ocr_languages})" if now.ocr else "not read"),
            ("Limits", self._limits_in_words()),
        )

    def _limits_in_words(self) -> str:
        other = [
            f"{row.title.lower()} {count(row.shown(self.reading.limits))} {row.unit}"
            for row in LIMIT_ROWS
            if getattr(self.reading.limits, row.field) != getattr(DEFAULT_LIMITS, row.field)
        ]
        if not other:
            return "as they come"
        return ", ".join(other) if len(other) < 3 else counted(len(other), "changed", "changed")


def to_stored(reading: ReadingSettings) -> dict[str, object]:
    """As plain values to be stored: what differs from the default, and never a password."""
    usual = ReadingSettings()
    stored: dict[str, object] = {
        name: getattr(reading, name)
        for name in (ReadingField.ARCHIVES, ReadingField.OCR, ReadingField.LANGUAGES)
        if getattr(reading, name) != getattr(usual, name)
    }
    limits = {
        row.field: row.shown(reading.limits)
        for row in LIMIT_ROWS
        if getattr(reading.limits, row.field) != getattr(DEFAULT_LIMITS, row.field)
    }
    return stored | ({"limits": limits} if limits else {})


def from_stored(stored: Mapping[str, object]) -> ReadingSettings:
    """From plain values; what makes no sense is as it comes."""
    model = ReadingModel()
    for name in (ReadingField.ARCHIVES, ReadingField.OCR):
        value = stored.get(name)
        if isinstance(value, bool):
            model.change(name, value)
    languages = stored.get(ReadingField.LANGUAGES)
    if isinstance(languages, str):
        model.change(ReadingField.LANGUAGES, languages)
    limits = stored.get("limits")
    for row in LIMIT_ROWS:
        value = limits.get(row.field) if isinstance(limits, Mapping) else None
        if isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= row.high:
            model.change_limit(row.field, value)
    return model.reading
