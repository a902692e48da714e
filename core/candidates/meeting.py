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
    same = agreeing_values(a, b, settings)
    equal, values = int(same.sum()), len(same)
    if settings.method.kind is SignatureKind.BITS:
        cosine = cosine_of_containments(figures.containment_a, figures.containment_b)
        chance = probability_at_cosine(cosine, settings.max_distance)
        met = values - equal <= settings.max_distance
        return Meeting(same.reshape(8, 8), (), met, float(chance), equal, values)
    agree = cut_into_bands(same, settings.bands, settings.rows)
    bands = tuple(np.flatnonzero(agree.all(axis=1)).tolist())
    chance = candidate_probability(figures.resemblance, settings.bands, settings.rows)
    return Meeting(agree, bands, bool(bands), float(chance), equal, values)


def agreeing_values(a: UInt32Array, b: UInt32Array, settings: ScanSettings) -> BoolArray:
    """Which values of two signatures, uint32 (K,), are equal: bool (K,); which bits: bool (64,)."""
    if settings.method.kind is SignatureKind.BITS:
        differing = (a ^ b).astype("<u4").view(np.uint8)
        return np.asarray(np.unpackbits(differing, bitorder="little") == 0)
    return np.asarray(a == b)


def cut_into_bands(same: BoolArray, bands: int, rows: int) -> BoolArray:
    """The values that bands are made of, bool (b, r); b times r is at most K."""
    return same[: bands * rows].reshape(bands, rows)
