"""The numbers of a pair: one entry each for the window, the reports and a terminal.

Files for programs (`core.reports.rows`) have an order of their own, which stays.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

from core.base.wording import count, counted, resemblance, share
from core.evidence.pairs import PairFigures
from core.reports.pair_words import run_in_words
from core.settings import Unit

_LENGTHS: dict[Unit, str] = {
    "word": "words; where a script has no spaces between words, in characters",
    "char": "characters",
}


REWORKED = "reworked_words"
NO_NUMBER = "–"


def _measured(number: int) -> str:
    return count(number) if number >= 0 else NO_NUMBER


class Measure(NamedTuple):
    """A number of a pair.

    Attributes:
        column: The column of `core.evidence.pairs.Pairs` that holds it.
        name: What stands above it.
        meaning: What it says, in a sentence.
        formula: How it is computed; empty where the meaning says so.
        shown: The number in a table, a Python one, in words.
        in_full: The number where it stands by itself, with what it counts; as in a table where
            there is none.
    """

    column: str
    name: str
    meaning: str
    formula: str
    shown: Callable[[Any], str]
    in_full: Callable[[PairFigures, Unit], str] | None = None


class Fact(NamedTuple):
    """A number of one pair with its name, what it means, and the column that holds it."""

    name: str
    value: str
    meaning: str
    column: str = ""


# In the order in which they are read. "{kind}" and "{lengths}" follow the settings.
_MEASURES = (
    Measure(
        "resemblance",
        "Resemblance",
        "Shared shingles among all shingles of both, each document taken as a {kind} (Jaccard). "
        "1 when all are shared, 0 when none is.",
        "|A ∩ B| / |A ∪ B|",
        resemblance,
    ),
    Measure(
        "containment_a", "A in B", "Share of A’s shingles that B has too.", "|A ∩ B| / |A|", share
    ),
    Measure(
        "containment_b", "B in A", "Share of B’s shingles that A has too.", "|A ∩ B| / |B|", share
    ),
    Measure(
        "longest_run",
        "Longest run",
        "The stretch of most words that is the same in both, in {lengths}; 0 where none is as long "
        "as a shingle.",
        "",
        count,
        lambda figures, unit: run_in_words(figures.longest_run, figures.run_words, unit),
    ),
    Measure(
        REWORKED,
        "Reworked words",
        "Words in the passages that both share, be they the same word for word or reworded: words "
        "exchanged, left out, added or moved. Of A and B the smaller number counts; a letter is a "
        "word in scripts without spaces. A stretch that is the same but has only words that are "
        "common in the folder does not count, so that another folder can give another number. "
        "– where it was not measured.",
        "Σ min(words in A, words in B)",
        _measured,
    ),
    Measure(
        "shared_shingles",
        "Shared",
        "Number of shingles that both have.",
        "|A ∩ B|",
        count,
        lambda figures, _unit: counted(figures.shared_shingles, "shingle"),
    ),
)
EXACT_DUPLICATE = Measure(
    "exact_duplicate",
    "Exact duplicate",
    "Both texts are the same once they are treated as the settings say.",
    "",
    lambda same: "exact duplicate" if same else "",
)


@cache
def measures(unit: Unit, *, bag: bool, reworked: bool = True) -> tuple[Measure, ...]:
    """The numbers of every pair, in the order in which they are read.

    Args:
        unit: What a shingle is made of.
        bag: Whether shingles count as often as they occur.
        reworked: Whether reworked passages are looked for.
    """
    words = {"kind": "multiset" if bag else "set", "lengths": _LENGTHS[unit]}
    told = (one for one in _MEASURES if reworked or one.column != REWORKED)
    return tuple(one._replace(meaning=one.meaning.format(**words)) for one in told)


def facts(figures: PairFigures, unit: Unit, *, bag: bool) -> tuple[Fact, ...]:
    """The numbers of a pair that are known, with their names, in the order of `measures`."""
    known = figures.reworked_words >= 0
    return tuple(
        Fact(measure.name, _in_full(measure, figures, unit), explained(measure), measure.column)
        for measure in measures(unit, bag=bag, reworked=known)
    )


def explained(measure: Measure) -> str:
    """What a number means, with its formula."""
    return f"{measure.meaning}\n{measure.formula}" if measure.formula else measure.meaning


def _in_full(measure: Measure, figures: PairFigures, unit: Unit) -> str:
    if measure.in_full is not None:
        return measure.in_full(figures, unit)
    return measure.shown(getattr(figures, measure.column))
