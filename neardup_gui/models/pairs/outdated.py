"""Whether the list is of the settings that are chosen now, and what it was made with otherwise."""

from __future__ import annotations

from dataclasses import dataclass

from core.documents.reading_settings import ReadingSettings
from core.settings import ScanSettings
from neardup_gui.models.scan_result import ScanResult
from neardup_gui.models.setup.reading_settings import without_passwords
from neardup_gui.models.setup.scan_settings import summary_of

ANOTHER_RUN = "Only another run on a cluster can follow."


@dataclass(frozen=True, slots=True)
class Change:
    """What a setting was when the list was made, and what it is now; in words."""

    subject: str
    then: str
    now: str


def changes_since(
    result: ScanResult | None, settings: ScanSettings, reading: ReadingSettings
) -> tuple[Change, ...]:
    """What the user chose since a list was made that only another scan can follow."""
    if result is None:
        return ()
    changes: list[Change] = []
    if not result.scan.settings.same_signatures(settings):
        both = zip(summary_of(result.scan.settings), summary_of(settings), strict=True)
        changes += [
            Change(subject, then, now) for (subject, then), (_, now) in both if then != now
        ] or [Change("Settings", "others", "not scanned yet")]
    if result.reading is not None and (
        without_passwords(result.reading) != without_passwords(reading)
    ):
        changes.append(Change("Reading files", "as before", "as chosen since"))
    return tuple(changes)


def outdated_sentence(changes: tuple[Change, ...], *, is_of_run: bool = False) -> str:
    """What is said above the list; empty when it is up to date.

    Args:
        changes: What was chosen since it was made.
        is_of_run: Whether it is of a run on a cluster, and cannot be scanned again here.
    """
    if not changes:
        return ""
    told = ". ".join(f"{one.subject}: {one.then} → {one.now}" for one in changes)
    return f"{ANOTHER_RUN if is_of_run else 'This list is out of date.'} {told}."


def report_sentence(changes: tuple[Change, ...]) -> str:
    """What a report of an outdated list says of it; empty when it is up to date."""
    if not changes:
        return ""
    now = "; ".join(f"{one.subject.lower()}: {one.now}" for one in changes)
    then = "; ".join(f"{one.subject.lower()}: {one.then}" for one in changes)
    return f"The list was made with {then}. Chosen since, but not scanned: {now}."
