"""How the numbers of a pair come about: the formula with the pair's own shingles."""

from __future__ import annotations

from core.base.wording import count, counted
from core.evidence.pairs import PairFigures

EXACT = 1e-12  # between a share and what the whole numbers give


def worked_numbers(figures: PairFigures) -> dict[str, str]:
    """What stands above and below the fraction, by column of `core.evidence.pairs.Pairs`.

    "412 of 1,530 shingles", "412 of A’s 1,203". The numbers of shingles follow from those of the
    pair: what both share and which share that is. Where nothing is shared they do not, and there is
    no entry.
    """
    shared = figures.shared_shingles
    shares = {
        "resemblance": figures.resemblance,
        "containment_a": figures.containment_a,
        "containment_b": figures.containment_b,
    }
    wholes = {column: round(shared / share) for column, share in shares.items() if share > 0}
    return {
        column: _words(column, shared, whole)
        for column, whole in wholes.items()
        if shared and abs(shared / whole - shares[column]) < EXACT
    }


def _words(column: str, shared: int, whole: int) -> str:
    if column == "resemblance":
        return f"{count(shared)} of {counted(whole, 'shingle')}"
    letter = "A" if column == "containment_a" else "B"
    return f"{count(shared)} of {letter}’s {count(whole)}"
