"""Signatures by the method that the settings name."""

from __future__ import annotations

from importlib import import_module
from typing import Protocol

from core.base.arrays import UInt32Array
from core.settings import ScanSettings
from core.signatures.document_frequencies import Rarity
from core.text.shingling import Shingles


class _Sign(Protocol):
    def __call__(
        self, shingles: Shingles, settings: ScanSettings, rarity: Rarity | None, /
    ) -> UInt32Array: ...


def sign(shingles: Shingles, settings: ScanSettings, rarity: Rarity | None = None) -> UInt32Array:
    """The signatures of several texts; pure, so that threads can share the work.

    Args:
        shingles: Of the texts.
        settings: Name the method; `seed`, `bag` and those that the method uses matter.
        rarity: Document frequencies of the whole folder, for settings that depend on all texts.

    Returns:
        uint32 (n, `settings.signature_width`); 64 bits are two values, the low half first. Rows of
        texts without shingles mean nothing: they must not be compared.

    Raises:
        ValueError: The settings depend on all texts, and there is no `rarity`.
    """
    # Loaded when it is first used: the table of methods is read before NumPy is there.
    code: _Sign = import_module(settings.method.module).sign
    return code(shingles.counting(), settings, rarity)
