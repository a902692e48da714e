"""How much of a file is read at most; beyond it the file becomes a `Problem`."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["DEFAULT_LIMITS", "Limits"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The bounds that keep one file from stopping a scan.

    `file_bytes` is the size on disk, `characters` the length of the text, `nesting` the depth of
    elements in a document of markup.
    """

    file_bytes: int = 200_000_000
    characters: int = 50_000_000
    nesting: int = 5_000


DEFAULT_LIMITS = Limits()
