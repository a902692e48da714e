"""How long the lists of a corpus take, to say about how long others would."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from typing import TypeVar

Made = TypeVar("Made")


class Pace:
    """Seconds that were spent on bands and on pairs; decides nothing, and is only told.

    Attributes:
        bands: How many bands were sorted.
        pairs: How many pairs were compared that had not been compared before.
    """

    def __init__(self) -> None:
        self.bands = self.pairs = 0
        self._on_bands = self._on_pairs = 0.0

    def of_bands(self, made: Iterator[Made]) -> Iterator[Made]:
        """Hand on what is made of bands, and take the time that its making takes."""
        while True:
            started = time.monotonic()
            one = next(made, None)
            self._on_bands += time.monotonic() - started
            if one is None:
                return
            yield one

    def compared(self, pairs: int, candidates: int, started: float) -> None:
        """So many pairs were compared since then, of so many candidates; the others were known."""
        if 2 * pairs >= candidates:
            self.pairs += pairs
            self._on_pairs += time.monotonic() - started

    @property
    def a_band(self) -> float:
        """Seconds; nan before the first one."""
        return self._on_bands / self.bands if self.bands else math.nan

    @property
    def a_pair(self) -> float:
        """Seconds; nan before the first one."""
        return self._on_pairs / self.pairs if self.pairs else math.nan
