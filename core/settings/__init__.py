"""The settings of a scan, each declared once, and starting points with a name."""

from __future__ import annotations

from core.settings.languages import LANGUAGES
from core.settings.presets import DEFAULT_PRESET, PRESETS, Preset
from core.settings.scan_settings import (
    LETTERS_A_WORD,
    MAX_DISTANCE,
    MAX_SIGNATURE,
    PAIRS,
    SECTIONS,
    SIGNATURE,
    Compare,
    Reworked,
    ScanSettings,
)
from core.settings.text_settings import SHINGLES, TEXT, Unit

__all__ = [
    "DEFAULT_PRESET",
    "LANGUAGES",
    "LETTERS_A_WORD",
    "MAX_DISTANCE",
    "MAX_SIGNATURE",
    "PAIRS",
    "PRESETS",
    "SECTIONS",
    "SHINGLES",
    "SIGNATURE",
    "TEXT",
    "Compare",
    "Preset",
    "Reworked",
    "ScanSettings",
    "Unit",
]
