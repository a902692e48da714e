"""The pair at hand on the curve: where it lies, and what it is called."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["PairAtHand"]


class PairAtHand(NamedTuple):
    """A pair of documents that the curve shows by a mark.

    Attributes:
        resemblance: Exact, from 0 to 1.
        names: Of its documents, as they are shown; they are no markup.
    """

    resemblance: float
    names: tuple[str, str]
