"""Long texts cut in pieces whose units are those of the whole text.

A text is cut only where neither a word nor a cluster of characters that are normalised together
goes on: for shingles of words before white space or a letter that is a word by itself, for shingles
of characters between two that count and that stand for themselves. Most texts are one piece.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from core.base.arrays import BoolArray
from core.settings import ScanSettings
from core.text.characters import ALONE, IGNORED, SPACE, alphabet, code_points
from core.text.nfkc_tables import PLAIN, forms

PIECE = 1 << 19  # characters; their units take some 30 MB
LOOK = 1 << 12  # characters in which a place to cut is sought at once


def is_long(text: str) -> bool:
    """Whether a text is more than one piece."""
    return len(text) > PIECE


def pieces(text: str, settings: ScanSettings) -> Iterator[slice]:
    """The pieces of a text, in order; a stretch that cannot be cut is one, however long."""
    start = 0
    while start < len(text):
        end = _next_cut(text, start + PIECE, settings)
        yield slice(start, end)
        start = end


def _next_cut(text: str, start: int, settings: ScanSettings) -> int:
    """The first place from a start on where a text can be cut, or its end."""
    for first in range(start, len(text), LOOK):
        places = np.flatnonzero(_may_cut(code_points(text[first - 1 : first + LOOK]), settings))
        if len(places):
            return first + int(places[0])
    return len(text)


def _may_cut(codes: npt.NDArray[np.unsignedinteger], settings: ScanSettings) -> BoolArray:
    """Before which characters, beginning with the second, a text can be cut."""
    kind = alphabet(settings).kind[codes]
    plain = forms().role[codes] == PLAIN
    if settings.unit == "word":
        return np.asarray(plain & ((kind == SPACE) | (kind == ALONE)))[1:]
    counts = np.asarray(plain & (kind != SPACE) & (kind != IGNORED))
    return np.asarray(counts[1:] & counts[:-1])
