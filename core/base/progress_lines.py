"""Long work in words: the stage, how far, how long still."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from core.base.messages import gettext, ngettext, percentage
from core.base.tasks import ProgressReport, Stage
from core.base.wording import count

SMOOTHING = 0.15  # weight of the newest speed
SETTLED = 1.0  # seconds before a guess is worth showing
WORTH_SAYING = 2.0  # seconds left below which no time is shown
PATIENCE = 5.0  # seconds without getting on in which a guess may still hold,
DELAYS = 3.0  # unless every document takes as long: so many times what one takes


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
            stage=gettext(report.stage),
            share=report.done / report.total if report.total else None,
            amount=_amount(report),
            left=time_left(left) if left is not None else "",
        )

    def _left(self, report: ProgressReport) -> float | None:
        now = self._clock()
        if report.stage is not self._stage or report.done < self._last[1]:  # it begins again
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
    stage, done, total = report
    in_parts = stage in (Stage.COMPARE, Stage.SAVE)  # in steps that mean nothing to a reader
    if not total and (not done or in_parts):
        return ""
    if in_parts:
        return percentage(str(done * 100 // total))
    so_far = count(done)
    if not total:
        if stage is Stage.REWORKED:
            return ngettext("{n} pair", "{n} pairs", done)
        return ngettext("{n} document", "{n} documents", done)
    if stage is Stage.REWORKED:
        return ngettext("{done} of {n} pair", "{done} of {n} pairs", total, done=so_far)
    return ngettext("{done} of {n} document", "{done} of {n} documents", total, done=so_far)


def time_left(seconds: float) -> str:
    """How long it will still take, in words no more exact than the estimate."""
    if seconds < 1.5:
        return gettext("about a second left")
    if seconds < 50:
        step = 1 if seconds < 10 else 5
        return gettext("about {seconds} s left", seconds=round(seconds / step) * step)
    minutes = max(round(seconds / 60), 1)
    if minutes < 60:
        return ngettext("about {n} minute left", "about {n} minutes left", minutes)
    return ngettext("about {n} hour left", "about {n} hours left", round(minutes / 60))
