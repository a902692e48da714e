"""The settings of a scan, each declared once, and starting points with a name."""

from __future__ import annotations

from core.settings.scan_settings import (
    COMPARISONS,
    DEFAULT_PRESET,
    LANGUAGES,
    LETTERS_A_WORD,
    MAX_DISTANCE,
    MAX_PASSAGE,
    MAX_SHINGLE,
    MAX_SIGNATURE,
    PRESETS,
    UNITS,
    WEIGHTS,
    WHITE_SPACES,
    Compare,
    Preset,
    ScanSettings,
    Unit,
)

__all__ = [
    "COMPARISONS",
    "DEFAULT_PRESET",
    "LANGUAGES",
    "LETTERS_A_WORD",
    "MAX_DISTANCE",
    "MAX_PASSAGE",
    "MAX_SHINGLE",
    "MAX_SIGNATURE",
    "PRESETS",
    "UNITS",
    "WEIGHTS",
    "WHITE_SPACES",
    "Compare",
    "Preset",
    "ScanSettings",
    "Unit",
]
