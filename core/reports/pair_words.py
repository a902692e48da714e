"""What is said of a pair and its passages: in the window, the reports and on a terminal.

Its numbers are in `core.evidence.measures`. How many pairs there are is said in
`core.reports.list_words`, what the settings are in `core.reports.settings_words`. Nothing here
follows the country of the computer.
"""

from __future__ import annotations

from enum import StrEnum

from core.base.wording import count, counted, threshold
from core.evidence.measures import UNITS
from core.evidence.pairs import FoundBy
from core.settings import ScanSettings, Unit

# What is counted in


def unit_name(settings: ScanSettings) -> str:
    """What lengths are counted in."""
    return UNITS[settings.unit]


def passage_in_words(settings: ScanSettings) -> str:
    """The shortest run that lists a pair: "30 words", also where the units are characters."""
    return counted(settings.passage_length, UNITS["word"])


def shared_in_words(settings: ScanSettings) -> str:
    """What lists a pair whatever its resemblance: "30 words in a row or a reworked passage"."""
    reworked = "" if settings.reworked == "off" else " or a reworked passage"
    return f"{passage_in_words(settings)} in a row{reworked}"


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


# Why a pair is listed


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
