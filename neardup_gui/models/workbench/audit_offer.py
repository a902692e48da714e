"""How the list that is shown can be tested, in words, before anybody does."""

from __future__ import annotations

from typing import NamedTuple

from core.base.wording import count, counted
from neardup_gui.models.scan_result import ScanResult

SECONDS_OF_LOOK_UP = 16e-9  # at most, on two cores
LONGEST = 12 * 3600  # seconds that somebody may let a test run
MINUTE, HOUR, DAY = 60, 3600, 86_400
PLANTED = (
    "Edited copies of your documents are planted in memory and searched for among all of them. "
    "Nothing is written to your folders."
)
PART_OF_RUN = (
    "The list is a part of that of a run on a cluster, and most documents of the run are not here: "
    "with those that are, nobody can tell whether it is complete."
)


class AuditOffer(NamedTuple):
    """How a list can be tested.

    Attributes:
        proves: Whether all pairs can be compared in about a minute, which is then what to do.
        may_prove: Whether they can be compared at all in a time that somebody would wait.
        may_plant: Whether copies can be planted.
        words: What will be done, and how long it takes.
    """

    proves: bool
    may_prove: bool
    may_plant: bool
    words: str


def audit_offer(result: ScanResult | None) -> AuditOffer:
    """How a list can be tested."""
    if result is None or not result.complete:
        return AuditOffer(False, False, False, "The list can be tested when the scan is complete.")
    if result.scan.decided.part is not None:
        return AuditOffer(False, False, False, PART_OF_RUN)
    from core.audit.auditing import ALL_PAIRS_BUDGET  # noqa: PLC0415
    from core.audit.search import look_ups  # noqa: PLC0415 - not before somebody looks
    from core.scan.audit_results import audited_texts  # noqa: PLC0415

    lengths = audited_texts(result.scan).lengths
    documents = int((lengths > 0).sum())
    if documents < 2:
        words = "There is nothing to test: fewer than two documents have text to compare."
        return AuditOffer(False, False, False, words)
    work = look_ups(lengths)
    proves, seconds = work <= ALL_PAIRS_BUDGET, work * SECONDS_OF_LOOK_UP
    how_many = f"{count(documents)} documents"
    if proves:
        words = (
            f"All pairs of {how_many} are compared exactly, without signatures, and the list is "
            "held against them: about a minute at most. You can go on working meanwhile."
        )
    else:
        words = f"Comparing all pairs of {how_many} would take {_long(seconds)}. {PLANTED}"
    return AuditOffer(proves, seconds <= LONGEST, True, words)


def _long(seconds: float) -> str:
    """How long something may take, in one unit."""
    if seconds < 2 * HOUR:
        return f"up to {counted(max(1, round(seconds / MINUTE)), 'minute')}"
    if seconds < 2 * DAY:
        return f"up to {counted(round(seconds / HOUR), 'hour')}"
    return f"up to {counted(round(seconds / DAY), 'day')}"
