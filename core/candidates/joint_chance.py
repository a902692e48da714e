"""The chance that one choice of bands misses a pair that another one has missed already.

Both cut the same signature, so the two do not miss independently: of pairs that 64 × 2 has missed,
20 × 6 misses nearly all, and 126 × 1 fewer than of others. The values of a signature agree each
with probability s, independently; going through them, all that counts of the past is whether the
present band of the one choice, and that of the other, agrees so far.
"""

from __future__ import annotations

import numpy as np

from core.base.arrays import Float64Array
from core.candidates.first_meetings import choices_within


def missed_after(
    sampled: tuple[int, int] | None, resemblance: Float64Array, signature_size: int
) -> Float64Array:
    """The probability that a pair is missed, given that the sampled bands have missed it.

    Args:
        sampled: b and r; None where there were none, so that nothing is given.
        resemblance: float64 (m,), of pairs, 0 to 1.
        signature_size: K.

    Returns:
        float64 (m, n), for the choices of `choices_within`.
    """
    s = resemblance
    given = sampled or (0, 1)
    rest = _missed_from(given, s, signature_size)
    bands, rows = choices_within(signature_size)
    of_rows = np.arange(1, signature_size + 1)
    missed = np.empty((len(s), len(bands)))
    # Of both choices: whether the present band agrees so far; the other one for each r and s.
    agree = np.zeros((2, 2, signature_size, len(s)))
    agree[1, 1] = 1.0
    for place in range(signature_size):
        every = agree.sum(axis=(0, 1))
        agree *= s
        agree[0, 0] += every * (1 - s)
        if (place + 1) % given[1] == 0 and place < given[0] * given[1]:
            agree[1] = agree[0]
            agree[0] = 0.0
        ends = (place + 1) % of_rows == 0
        agree[:, 1, ends] = agree[:, 0, ends]
        agree[:, 0, ends] = 0.0
        none_met = agree[:, 1, ends]
        now = none_met[0] * rest[0, place + 1] + none_met[1] * rest[1, place + 1]
        missed[:, bands * rows == place + 1] = now.T
    given_missed = rest[1, 0][:, None]
    certain = np.divide(missed, given_missed, out=np.ones_like(missed), where=given_missed > 0)
    return np.asarray(np.clip(certain, 0.0, 1.0))


def _missed_from(given: tuple[int, int], s: Float64Array, size: int) -> Float64Array:
    """The probability that from each place on no band of a choice agrees, float64 (2, K + 1, m).

    The first index is whether the band that the place is in agreed so far.
    """
    bands, rows = given
    missed = np.ones((2, size + 1, len(s)))
    for place in range(size - 1, -1, -1):
        if place >= bands * rows:
            continue
        ends = (place + 1) % rows == 0
        missed[0, place] = missed[1, place + 1] if ends else missed[0, place + 1]
        agreed = 0.0 if ends else missed[1, place + 1]
        missed[1, place] = s * agreed + (1 - s) * missed[0, place]
    return missed


def bands_met_after(
    sampled: tuple[int, int] | None, resemblance: Float64Array, signature_size: int
) -> Float64Array:
    """How many bands of each choice agree on average, given that the sampled bands have missed.

    Arguments and result are as of `missed_after`; 0 to b.
    """
    bands, rows = choices_within(signature_size)
    agree = np.empty((len(resemblance), len(bands)))
    for place, (band, own) in enumerate(zip(bands - 1, rows, strict=True)):
        agree[:, place] = _agrees_after(sampled or (0, 1), resemblance, int(band * own), int(own))
    first = np.flatnonzero(bands == 1)
    for start, end in zip(first, [*first[1:], len(bands)], strict=True):
        np.cumsum(agree[:, start:end], axis=1, out=agree[:, start:end])
    return agree


def _agrees_after(given: tuple[int, int], s: Float64Array, start: int, length: int) -> Float64Array:
    """The probability that values from a place on agree, given that no band of a choice does."""
    bands, rows = given
    agrees = s**length
    with np.errstate(divide="ignore", invalid="ignore"):
        for band in range(start // rows, min(bands, -(-(start + length) // rows))):
            both = min(start + length, (band + 1) * rows) - max(start, band * rows)
            if both == rows:
                return np.zeros_like(s)
            agrees = agrees * (1 - s ** (rows - both)) / (1 - s**rows)
    return np.asarray(np.nan_to_num(agrees, nan=0.0))  # of pairs that none misses
