"""Plain text, and what is read as such: Markdown, reStructuredText, TeX, CSV, source code."""

from __future__ import annotations

from core.documents.readers.base import Extracted, Reader, Reading, decoded

__all__ = ["READER"]


def _recognises(_data: bytes, _suffix: str) -> bool:
    """Whatever no other reader takes is tried as text."""
    return True


def _read(data: bytes, _reading: Reading) -> Extracted:
    """The text as it is."""
    return Extracted(*decoded(data))


READER = Reader(
    "text", "a text file", frozenset({".txt", ".text"}), _recognises, _read, isolated=False
)
