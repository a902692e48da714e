"""Every name of a pair as it is read: in the window, the reports and on a terminal.

The numbers are in `core.reports.rows`. Files for programs (CSV, JSON) hold the numbers
themselves; `WAYS` says which word of theirs stands for which word here. How many there are is told
in `core.reports.list_words`, what the settings are in `core.reports.list_words`. Nothing here
follows the country of the computer.

The numbers of a pair: one entry each for the window, the reports and a terminal.

Files for programs (`core.reports.rows`) have an order of their own, which stays.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import StrEnum
from functools import cache
from typing import Any, NamedTuple

from core.base.wording import count, counted, resemblance, share, threshold
from core.evidence.pairs import FoundBy, PairFigures
from core.settings import ScanSettings, Unit, names_using
from core.text.word_counts import are_letters_only

UNITS: dict[Unit, str] = {"word": "word", "char": "character"}


# What is counted in


def unit_name(settings: ScanSettings) -> str:
    """What lengths are counted in."""
    return UNITS[settings.unit]


def passage_in_words(settings: ScanSettings) -> str:
    """The shortest run that lists a pair: "30 words", also where the units are characters."""
    return counted(settings.passage_length, UNITS["word"])


def run_in_words(units: int, words: int, unit: Unit) -> str:
    """How long a run is: "30 words", "48 characters, about 30 words"."""
    if unit == "word" and units == words:
        return counted(units, UNITS[unit])
    only_letters = unit == "char" or are_letters_only(units, words)
    shown = counted(units, UNITS["char"]) if only_letters else f"{count(units)} words and letters"
    return f"{shown}, about {counted(words, UNITS['word'])}" if words else shown


def wanted_in_words(settings: ScanSettings) -> str:
    """Which pairs are listed: "resemblance 0.10 or more, or 30 words in a row"."""
    least = f"resemblance {threshold(settings.min_resemblance)} or more"
    if not settings.list_passages:
        return least
    reworked = "" if settings.reworked == "off" else ", or a reworked passage"
    return f"{least}, or {passage_in_words(settings)} in a row{reworked}"


# Passages


def passage_size(length: int, same: int, unit: Unit, *, moved: bool) -> str:
    """How long a passage is: "212 words", "654 words, 331 the same, moved"."""
    parts = [counted(length, UNITS[unit])]
    if same < length:
        parts.append(f"{count(same)} the same")
    if moved:
        parts.append("moved")
    return ", ".join(parts)


def passage_numbers(
    in_a: int, in_b: int, same: int, near: int, exchanged: int, moved: int, unit: Unit
) -> str:
    """The words of a passage: "96 words in A, 102 in B · 71 the same, 18 exchanged".

    Of the words that are the same, `moved` stand in another order within the passage.
    """
    size = f"{counted(in_a, UNITS[unit])} in A, {count(in_b)} in B"
    kept = f"{count(same)} the same"
    if moved:
        kept = f"{kept} ({count(moved)} of them moved)"
    others = ((near, "in another form"), (exchanged, "exchanged"))
    parts = [kept, *(f"{count(number)} {what}" for number, what in others if number)]
    return f"{size} · {', '.join(parts)}"


def chance_in_words(least: int, unit: Unit) -> str:
    """What is a passage in two texts: `least` words, about, is the floor under which none is."""
    return f"Passages from about {counted(least, UNITS[unit])} on; fewer can be chance."


def no_passage_in_words(least: int, unit: Unit) -> str:
    """Why nothing is marked in two texts."""
    return f"No shared passage of about {counted(least, UNITS[unit])} or more; fewer can be chance."


# How a pair was found, and why it is listed


class Way(NamedTuple):
    """A way in which pairs are found: as people read it, and what it says of the two documents."""

    shown: str
    meaning: str


FOUND_BY = "Found by"
WAYS = {
    FoundBy.EXACT: Way("exact", "Both documents have the same words throughout."),
    FoundBy.LSH: Way(
        "shingles",
        "Their signatures agree in a band; with "
        f"{names_using('max_distance')}, in nearly all bits.",
    ),
    FoundBy.PASSAGE: Way("passage", "They share a long run of words, whatever their length."),
    FoundBy.REWORKED: Way(
        "reworked",
        "They share a passage in which words were exchanged, left out, added or moved.",
    ),
    FoundBy.ALL: Way(
        "all pairs", "Neither a band nor a passage led to them, only the comparison of all pairs."
    ),
    FoundBy.FINGERPRINT: Way(
        "fingerprint", "They share a run that is shorter than a passage and was met by chance."
    ),
}


def found_by(value: int) -> str:
    """How a pair was found: "exact", "shingles, passage"; `FoundBy.label` is the word of files."""
    return ", ".join(WAYS[way].shown for way in _ways(value))


def how_found(value: int) -> str:
    """The same in sentences, one a line."""
    return "\n".join(WAYS[way].meaning for way in _ways(value))


def _ways(value: int) -> Iterator[FoundBy]:
    found = FoundBy(int(value))
    # What is an exact duplicate needed no other way to be found.
    return (way for way in WAYS if way in (found & FoundBy.EXACT or found))


class ListedFor(StrEnum):
    """Why a pair is listed; the value is the word for it."""

    RESEMBLANCE = "resemblance"
    PASSAGE = "passage"
    REWORKED = "reworked"

    @staticmethod
    def of(value: float, found_by: int, settings: ScanSettings) -> ListedFor:
        """The reason for a pair of this resemblance that was found in these ways."""
        if value >= settings.min_resemblance:
            return ListedFor.RESEMBLANCE
        ways = FoundBy(int(found_by)) & (FoundBy.PASSAGE | FoundBy.REWORKED)
        return ListedFor.REWORKED if ways == FoundBy.REWORKED else ListedFor.PASSAGE


def listed_for(reason: ListedFor) -> str:
    """What marks a pair that is listed though it is not alike enough; empty for all others."""
    return "" if reason is ListedFor.RESEMBLANCE else f"{reason} only"


def how_listed(reason: ListedFor, settings: ScanSettings) -> str:
    """Why a pair is listed, in a sentence."""
    least = threshold(settings.min_resemblance)
    if reason is ListedFor.RESEMBLANCE:
        return f"Its resemblance is {least} or more."
    shared = "a reworked passage"
    if reason is ListedFor.PASSAGE:
        shared = f"{passage_in_words(settings)} or more in a row"
    return f"Its resemblance is below {least}, but the two share {shared}."


def passage_heading(settings: ScanSettings, reason: ListedFor = ListedFor.PASSAGE) -> str:
    """What is said of the pairs of a ranked list that only a passage lists."""
    return f"{listed_for(reason).capitalize()}: {how_listed(reason, settings)}"


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
