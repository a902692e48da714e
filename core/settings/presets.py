"""Starting points: settings with a name."""

from __future__ import annotations

from typing import NamedTuple

from core.settings.scan_settings import ScanSettings


class Preset(NamedTuple):
    """Settings with a name, as a starting point."""

    name: str
    purpose: str
    settings: ScanSettings


PRESETS = (
    Preset(
        "Essays and reports",
        "Prose of a page or more; finds copies, rewording and pasted paragraphs.",
        ScanSettings(),
    ),
    Preset(
        "Short texts",
        "Answers, abstracts, messages: a few sentences each.",
        ScanSettings(unit="char", k=5, bands=32, rows=4, min_resemblance=0.30),
    ),
    Preset(
        "Long articles",
        "Long texts in any script, also without spaces between words.",
        ScanSettings(unit="char", k=9, bands=42, rows=3, min_resemblance=0.20),
    ),
    Preset(
        "Same text again",
        "Only documents that are nearly the same throughout.",
        ScanSettings(bands=14, rows=8, min_resemblance=0.80, list_passages=False, reworked="off"),
    ),
)
DEFAULT_PRESET = PRESETS[0]
