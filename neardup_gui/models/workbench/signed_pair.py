"""The pair at hand with its signatures: where these agree under one setting or another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from core.reports.curve.state import ThresholdState
from neardup_gui.models.scan_result import ListedPair
from neardup_gui.models.workbench.pair_at_hand import PairAtHand

if TYPE_CHECKING:
    from core.scan.pair_text import SignatureOfPair

BYTE = 8  # bits, which stand in rows of as many


class PairGrid(NamedTuple):
    """Which values of two signatures are equal, cut into bands.

    Attributes:
        bands: For each band, which of its values are equal; of bits, for each byte.
        met: The bands that agree as a whole, counted from 0.
        unused: How many values no band is made of.
        has_bits: Whether they are bits.
    """

    bands: tuple[tuple[bool, ...], ...]
    met: frozenset[int]
    unused: int = 0
    has_bits: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class SignedPair:
    """Two documents of a list.

    Attributes:
        key: Which ones.
        told: Their signatures and exact numbers.
        of: What the list was made with.
        reason: Why they are in it, in a sentence; empty where they are not.
    """

    key: ListedPair
    told: SignatureOfPair
    of: ThresholdState
    reason: str = ""

    def at(self, state: ThresholdState) -> ThresholdState:
        """A setting, or that of the list where it needs other signatures than there are."""
        return state if self.knows(state) else self.of

    def knows(self, state: ThresholdState) -> bool:
        """Whether these are the signatures that a setting compares."""
        same = state.signature == self.told.settings.signature
        return same and (
            state.distance is not None or state.signature_size == self.of.signature_size
        )

    @property
    def at_hand(self) -> PairAtHand:
        """Its place on the curve."""
        figures = self.told.figures
        containments = figures.containment_a, figures.containment_b
        return PairAtHand(figures.resemblance, self.key.names, containments)

    def met(self, state: ThresholdState) -> bool | None:
        """Whether these signatures lead to it; None where that is not known."""
        if self.told.same is None or not self.knows(state):
            return None
        if state.distance is not None:
            return self.told.values - self.told.equal <= state.distance
        bands = self.met_bands(state)
        return None if bands is None else bool(bands)

    def met_bands(self, state: ThresholdState) -> tuple[int, ...] | None:
        """The bands that agree as a whole; None where that is not known."""
        return self.told.met_bands(state.bands, state.rows) if self.knows(state) else None

    def grid(self, state: ThresholdState) -> PairGrid | None:
        """The signatures in the bands of a setting; None where they say nothing."""
        if self.told.same is None:
            return None
        same = self.told.same.tolist()
        if state.distance is not None:
            return PairGrid(_cut(same, BYTE), frozenset(), has_bits=True)
        used = state.bands * state.rows
        met = frozenset(self.met_bands(state) or ())
        return PairGrid(_cut(same[:used], state.rows), met, len(same) - used)


def _cut(values: list[bool], size: int) -> tuple[tuple[bool, ...], ...]:
    return tuple(tuple(values[n : n + size]) for n in range(0, len(values), size))
