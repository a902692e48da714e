"""Where the signatures of two documents agree: locality-sensitive hashing, seen at one pair."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from core.base.arrays import BoolArray, UInt32Array
from core.candidates.bit_curve import cosine_of_containments, probability_at_cosine
from core.candidates.scurve import candidate_probability
from core.evidence.pairs import PairFigures
from core.settings import ScanSettings
from core.settings.signature_methods import SignatureKind
from core.signatures.estimates import BITS

__all__ = ["Meeting", "meeting_of"]


class Meeting(NamedTuple):
    """How two signatures agree, and how likely that was.

    Attributes:
        agree: bool (b, r), which values are equal; of signatures of bits (8, 8), which bits.
        bands: The bands that agree as a whole, from 0; none of bits.
        met: Whether the pair is a candidate: a band agrees, or few enough bits differ.
        chance: Probability that a pair with these exact numbers is a candidate, 0 to 1.
        equal: How many values of the whole signature are equal.
        values: How many it has; b × r may be fewer.
    """

    agree: BoolArray
    bands: tuple[int, ...]
    met: bool
    chance: float
    equal: int
    values: int


def meeting_of(
    a: UInt32Array, b: UInt32Array, figures: PairFigures, settings: ScanSettings
) -> Meeting:
    """Compare two signatures value by value.

    Args:
        a: One signature, uint32 (K,).
        b: The other.
        figures: The exact numbers of the pair.
        settings: Say how signatures are compared.
    """
    if settings.method.kind is SignatureKind.BITS:
        return _meeting_of_bits(a, b, figures, settings.max_distance)
    same = np.asarray(a == b)
    agree = same[: settings.bands * settings.rows].reshape(settings.bands, settings.rows)
    bands = tuple(np.flatnonzero(agree.all(axis=1)).tolist())
    chance = candidate_probability(figures.resemblance, settings.bands, settings.rows)
    return Meeting(agree, bands, bool(bands), float(chance), int(same.sum()), len(same))


def _meeting_of_bits(
    a: UInt32Array, b: UInt32Array, figures: PairFigures, distance: int
) -> Meeting:
    halves = (a ^ b).astype("<u4").view(np.uint8)
    same = np.unpackbits(halves, bitorder="little") == 0
    equal = int(same.sum())
    cosine = cosine_of_containments(figures.containment_a, figures.containment_b)
    chance = float(probability_at_cosine(cosine, distance))
    return Meeting(same.reshape(8, 8), (), BITS - equal <= distance, chance, equal, BITS)
