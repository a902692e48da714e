"""Why a pair is listed, as the compare view shows it: sentences, and its signature as a grid."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SignatureGrid:
    """The signature of a pair, band by band.

    Attributes:
        bands: For each band, which of its rows are the same in both; of bits, for each byte.
        met: The bands that agree as a whole, counted from 0.
        caption: What it says, in a sentence.
    """

    bands: tuple[tuple[bool, ...], ...]
    met: frozenset[int]
    caption: str


@dataclass(frozen=True, slots=True)
class Why:
    """Sentences, and the grid where signatures are known."""

    sentences: tuple[str, ...]
    grid: SignatureGrid | None = None


NOT_SAID = Why(())
