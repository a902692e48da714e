"""What looking for reworked passages finds and costs, in words beside the choice."""

from __future__ import annotations

from functools import cache

from core.candidates.reworked_curve import ReworkedCurve
from core.settings import ScanSettings
from core.settings.scan_settings import Reworked

# The times are those of `tests/bench/reworked_cost.py`.
FINDS: dict[Reworked, str] = {
    "off": "Text in other words is found only where enough of it is the same word for word. "
    "Careful takes about twice as long.",
    "careful": "Finds passages with words exchanged, left out, added or moved. A scan takes about "
    "twice as long as without.",
    "thorough": "Finds shorter and weaker ones too, and lists more pairs that only share a turn of "
    "phrase. A scan takes two to three times as long as without.",
}
SCANS_AGAIN = "This list was scanned for less: it takes a new scan."
ONLY_MARKED = "Pairs below “Listed from” are not listed for it, as the threshold says."


def reworked_in_words(settings: ScanSettings, scanned: ScanSettings | None) -> str:
    """What the choice means.

    Args:
        settings: Those of the panel.
        scanned: Those that the shown list was scanned with; None where there is none.
    """
    sentences = [FINDS[settings.reworked]]
    if settings.reworked != "off":
        sentences.append(_promise(settings.reworked))
    if settings.reworked != "off" and not settings.list_passages:
        sentences.append(ONLY_MARKED)
    if scanned is not None:
        without = scanned.with_changes(reworked="thorough")
        less = without.same_signatures(settings) and not scanned.same_signatures(settings)
        if less:
            sentences.append(SCANS_AGAIN)
    return " ".join(sentences)


@cache
def _promise(level: Reworked) -> str:
    """How likely a passage is found in most folders."""
    return ReworkedCurve.usual(level).sentence()
