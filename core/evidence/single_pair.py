"""One pair measured by itself, from its texts alone."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.evidence.numbers import numbers_of_shingles
from core.evidence.pairs import PairFigures
from core.settings import ScanSettings
from core.text.set_aside import SetAside, merged
from core.text.shingling import shingle

TOLERANCE = 1e-6


def figures_of(
    text_a: str,
    text_b: str,
    settings: ScanSettings,
    set_aside: tuple[Sequence[SetAside], Sequence[SetAside]] = ((), ()),
) -> PairFigures:
    """What two texts share under some settings, as a list of pairs would say it."""
    aside = {place: merged(spans) for place, spans in enumerate(set_aside) if spans}
    shingles = shingle([text_a, text_b], settings, set_aside=aside)
    a, b = np.array([0]), np.array([1])
    if len(text_a) >= len(text_b):
        return numbers_of_shingles(shingles, a, b, settings).figures(0)
    # The longer one first, as a list is made: of the shorter one every shingle is looked up.
    figures = numbers_of_shingles(shingles, b, a, settings).figures(0)
    in_b, in_a = figures.containment_a, figures.containment_b
    return figures._replace(containment_a=in_a, containment_b=in_b)


def are_same(one: PairFigures, other: PairFigures) -> bool:
    """Whether two measurements of a pair are one.

    The longest run is that of most words; of several, each may be it, so its units do not count.
    """
    names = ("resemblance", "containment_a", "containment_b", "shared_shingles", "run_words")
    return all(abs(getattr(one, name) - getattr(other, name)) <= TOLERANCE for name in names)
