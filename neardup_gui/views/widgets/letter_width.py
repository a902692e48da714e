"""How wide letters are."""

from __future__ import annotations

from PySide6.QtGui import QFontMetrics

SAMPLE = "the quick brown fox jumps over the lazy dog"


def letter_width(metrics: QFontMetrics) -> int:
    """The width of a letter in a text, in pixels.

    Qt's average is that of all characters of a font: where it has Chinese ones, twice as much.
    """
    return -(-metrics.horizontalAdvance(SAMPLE) // len(SAMPLE))
