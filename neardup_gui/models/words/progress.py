"""A running job in words: the stage, how far, how long still."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from core.base.tasks import ProgressReport, Stage
from core.base.wording import count, counted, printable_name, readable_size
from neardup_gui.models.window_state import SavedState, WindowState
from neardup_gui.models.words import numbers
from neardup_gui.models.words.sentences import CopyOffer, Message, Offer, OpenOffer

# The values of `core.review.Access`.
TAKEN = "taken"
FORBIDDEN = "forbidden"
UNGUARDED = "unguarded"


@dataclass(frozen=True, slots=True)
class ReviewAccess:
    """What may be done with the review of a window.

    Attributes:
        kind: The value of `core.review.Access`.
        holder: Who may save it instead, where that is known.
    """

    kind: str = "write"
    holder: str = ""

    @property
    def is_read_only(self) -> bool:
        """Whether it may be read only."""
        return self.kind in {TAKEN, FORBIDDEN}

    @property
    def is_taken(self) -> bool:
        """Whether another program may save it."""
        return self.kind == TAKEN


def opened(path: Path, access: ReviewAccess, notes: Sequence[str]) -> Message | None:
    """What there is to say of a review that was opened: what was changed, who may save it."""
    text = " ".join(filter(None, (*notes, _about(path, access))))
    return Message(text, warning=True) if text else None


def not_saved(path: Path, access: ReviewAccess) -> Message:
    """The review was to be saved, and may only be read."""
    reason = f"{_why(path, access)} Nothing was saved. “Save review as…” writes a separate file"
    if access.is_taken:
        return Message(
            f"{reason}; “Take over” reopens this one once it is closed there.",
            warning=True,
            link="Take over",
            target=Offer.TAKE_OVER,
        )
    return Message(f"{reason}.", warning=True)


def begun_beside(taken: Path, own: Path) -> Message:
    """Another window has begun the review of the same folder; what was decided here is kept."""
    return Message(
        f"Another Neardup has meanwhile created the review “{printable_name(taken.name)}” "
        f"of this folder. Your decisions are kept in “{printable_name(own.name)}”.",
        warning=True,
        link="Show in folder",
        target=own,
    )


def free_again(path: Path) -> Message:
    """Nobody else may save the review any more."""
    return Message(
        f"“{path.name}” is no longer open in another Neardup. “Take over” reopens it as "
        "saved there, so that you can edit it.",
        link="Take over",
        target=Offer.TAKE_OVER,
    )


def saved_state(
    path: Path | None, access: ReviewAccess, *, has_failed: bool, is_behind: bool, is_saving: bool
) -> SavedState:
    """Whether the review is saved, and where: "saved · essays.neardup", "saving · essays.neardup".

    It is saved when the one file has everything and nobody writes it: a copy of it is whole then.
    """
    if path is None:
        return (
            SavedState("not saved", warning=has_failed) if has_failed or is_behind else SavedState()
        )
    name = printable_name(path.name)
    if access.is_read_only:
        return SavedState(f"read-only · {name}", warning=True)
    if has_failed:
        return SavedState(f"not saved · {name}", warning=True)
    return SavedState(f"{'saving' if is_behind or is_saving else 'saved'} · {name}")


def _about(path: Path, access: ReviewAccess) -> str:
    if access.is_read_only:
        return f"{_why(path, access)} It is read-only here."
    if access.kind == UNGUARDED:
        return (
            f"The folder of “{path.name}” doesn’t support file locking, so Neardup can’t "
            "tell whether the review is open elsewhere. The last save wins."
        )
    return ""


def _why(path: Path, access: ReviewAccess) -> str:
    if access.is_taken:
        who = f" ({access.holder})" if access.holder else ""
        return f"“{path.name}” is open in another Neardup{who}."
    return f"You don’t have permission to write to “{path.name}” or its folder."


SMOOTHING = 0.15  # weight of the newest speed
SETTLED = 1.0  # seconds before a guess is worth showing
WORTH_SAYING = 2.0  # seconds left below which no time is shown
PATIENCE = 5.0  # seconds without getting on in which a guess may still hold,
DELAYS = 3.0  # unless every document takes as long: so many times what one takes

NOUNS = {
    Stage.DISCOVER: ("document", "documents"),
    Stage.READ: ("document", "documents"),
    Stage.REWORKED: ("pair", "pairs"),
    Stage.PASSAGES: ("document", "documents"),
    Stage.SAVE: ("document", "documents"),
    Stage.OPEN: ("document", "documents"),
}


@dataclass(frozen=True, slots=True)
class ProgressLine:
    """What the status bar shows while work runs; `share` is None while it is unknown."""

    stage: str
    share: float | None
    amount: str
    left: str


class ProgressLines:
    """Turns the reports of one run into lines, with a smoothed guess of the time left."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._stage: Stage | None = None
        self._began = 0.0
        self._last = (0.0, 0)
        self._speed = 0.0

    def line_for(self, report: ProgressReport) -> ProgressLine:
        """The line for a report."""
        left = self._left(report)
        return ProgressLine(
            stage=str(report.stage),
            share=report.done / report.total if report.total else None,
            amount=_amount(report),
            left=numbers.time_left(left) if left is not None else "",
        )

    def _left(self, report: ProgressReport) -> float | None:
        now = self._clock()
        if report.stage is not self._stage:
            self._stage, self._began, self._speed = report.stage, now, 0.0
            self._last = (now, report.done)
            return None
        then, done = self._last
        if now > then and report.done > done:
            speed = (report.done - done) / (now - then)
            weight = SMOOTHING if self._speed else 1.0
            self._speed += weight * (speed - self._speed)
            self._last = (now, report.done)
        if not self._speed or not report.total or now - self._began < SETTLED:
            return None
        if now - self._last[0] > max(PATIENCE, DELAYS / self._speed):
            return None  # a single file takes long: nobody knows how long
        left = (report.total - report.done) / self._speed
        return left if left >= WORTH_SAYING else None


def _amount(report: ProgressReport) -> str:
    if report.stage is Stage.COMPARE:  # in steps of unlike size that mean nothing to a reader
        return f"{report.done * 100 // report.total}%" if report.total else ""
    singular, plural = NOUNS.get(report.stage, ("", ""))
    if report.total:
        noun = singular if report.total == 1 else plural
        return f"{count(report.done)} of {count(report.total)} {noun}"
    return counted(report.done, singular, plural) if report.done else ""


NOT_WRITTEN = "The report could not be saved. No file was written."
IS_THE_REPORT = "The key to the names needs a separate file. No file was written."
CANCELLED = "The report was cancelled. No file was written."
GROUP = 16  # digits of a seal


class Saved(Protocol):
    """A report that was written."""

    @property
    def path(self) -> Path:
        """Where it is."""

    @property
    def pairs(self) -> int:
        """Of how many pairs it is."""

    @property
    def size(self) -> int:
        """Bytes of its file."""

    @property
    def seal(self) -> str:
        """What tells whether the file is changed; "" for none."""

    @property
    def key(self) -> Path | None:
        """Where the key to its names is; None where all names are told."""


def saved(report: Saved, outdated: str) -> Message:
    """A report is there; `outdated` says that other settings were chosen since, or is empty."""
    path, key = report.path, report.key
    what = counted(report.pairs, "pair") if report.pairs else "a report without pairs"
    text = f"Saved {what} to {path.name}, {readable_size(report.size)}."
    kept = (
        f"The key to the names is in {key.name}. Keep it separate from the report." if key else ""
    )
    seal = f"Write down its seal somewhere else: {_in_groups(report.seal)}" if report.seal else ""
    links: list[tuple[str, object]] = [
        ("Open", OpenOffer(path)),
        ("Show in folder", path),
        ("Copy path", CopyOffer(os.path.abspath(path))),
    ]
    if report.seal:
        links.append(("Copy seal", CopyOffer(report.seal)))
    return Message(" ".join(filter(None, (text, kept, seal, outdated))), links=tuple(links))


def _in_groups(seal: str) -> str:
    """A seal as it is easily read, and broken into lines; checks take it so, too."""
    return " ".join(seal[start : start + GROUP] for start in range(0, len(seal), GROUP))


def saving(line: ProgressLine) -> ProgressLine:
    """The line of a report that is being written."""
    return replace(line, stage="Writing the report")


def why_not(state: WindowState, *, is_writing: bool) -> str:
    """Why no report can be written at the moment; empty where one can."""
    if is_writing:
        return "A report is being written."
    if not state.has_list:
        return "Open a folder first. There is no list yet."
    return "Wait until the list is complete, or cancel the scan." if state.is_busy else ""
