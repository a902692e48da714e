"""The choice beside the threshold: whether a shared passage alone lists a pair."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from core.base.wording import count, threshold
from core.reports.pair_words import ListedFor, listed_for, passage_in_words
from core.settings import ScanSettings

if TYPE_CHECKING:
    from core.scan.pair_list import ListCounts


class PassageChoice(NamedTuple):
    """What a box with a mark shows."""

    chosen: bool
    text: str
    explanation: str


def passage_choice(settings: ScanSettings, counts: ListCounts | None) -> PassageChoice:
    """The choice as the settings have it, with the number of pairs that hang on it.

    Args:
        settings: Those in force.
        counts: How many pairs there are; None while that is not known.
    """
    shared = f"share {passage_in_words(settings)} or more in a row"
    marks = f"“{listed_for(ListedFor.PASSAGE)}”"
    if settings.reworked != "off":
        shared += " or a reworked passage"
        marks += f" or “{listed_for(ListedFor.REWORKED)}”"
    least = threshold(settings.min_resemblance)
    return PassageChoice(
        settings.list_passages,
        f"Also list {_how_many(counts)}",
        f"Pairs below {least} that {shared}. In the list they are marked {marks}.",
    )


def _how_many(counts: ListCounts | None) -> str:
    if counts is None or not counts.below:
        return "pairs that share a passage"
    verb = "shares" if counts.below == 1 else "share"
    return f"{count(counts.below)} that {verb} a passage"


USUAL = passage_choice(ScanSettings(), None)
