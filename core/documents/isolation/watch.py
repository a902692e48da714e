"""How long a reader process may take for a file, and what it says of how far it is."""

from __future__ import annotations

import math
import time
from typing import Any, Final

from core.documents.isolation.answers import nonsense, reader_named
from core.documents.model import ProblemCode
from core.documents.readers import UnreadableError
from core.documents.reading_settings import ReadingSettings

ADVICE: Final = "It was stopped. If you trust the file, raise the limit in the settings and retry."
START_SECONDS = 60  # a busy machine may take long to start a process
_SPARE_STEPS, _STEPS_A_SECOND = 100, 8  # twice as many as a reader gives


class Watch:
    """The clock of one file, and the messages that only say how far its process is.

    Pages that are recognised take seconds each: such a file may go on as long as it gets on.

    Attributes:
        has_begun: The process has told what the file is.
    """

    def __init__(self, settings: ReadingSettings, *, starting: bool) -> None:
        now = time.monotonic()
        self._limits = settings.limits
        self._ocr = settings.ocr
        self._seconds: float = settings.limits.seconds
        self._starting = starting
        self._last = now + (START_SECONDS if starting else 0)
        self._began = now
        self._steps = 0
        self.has_begun = False

    def takes(self, head: dict[str, Any], number: str) -> bool:
        """Whether a message only says how far the process is; the time it took is counted.

        Raises:
            UnreadableError: TIMEOUT; CRASH where it is not about this file, or makes no sense.
        """
        starting = self._starting
        self._got_on()
        if starting and head == {"is": "ready"}:
            return True
        if head.get("task") != number:
            raise nonsense()
        if head.get("is") == "step":
            self._count_step()
            return True
        if head.get("is") != "recognised":
            return False
        if self.has_begun:
            raise nonsense()
        self.has_begun = True
        if reader_named(head.get("kind")).may_be_scanned and self._ocr:
            self._seconds = math.inf
        return True

    def _got_on(self) -> None:
        self._last = time.monotonic()
        if self._starting:
            self._starting = False
            self._began = self._last
        self.check()

    def _count_step(self) -> None:
        """Raise for more signs of life than a reader gives."""
        self._steps += 1
        if self._steps > _SPARE_STEPS + _STEPS_A_SECOND * (self._last - self._began):
            raise nonsense()

    def add_pause(self, seconds: float) -> None:
        """The process was stopped for a while: that does not count."""
        self._last += seconds
        self._began += seconds

    def check(self) -> None:
        """Raise when a limit of time is over."""
        now, limits = time.monotonic(), self._limits
        if now - self._last > limits.stall_seconds:
            raise _timeout(f"got nowhere for {limits.stall_seconds} seconds", "stall_seconds")
        if not self._starting and now - self._began > self._seconds:
            raise _timeout(f"took longer than {limits.seconds} seconds", "seconds")


def _timeout(what: str, limit: str) -> UnreadableError:
    return UnreadableError(ProblemCode.TIMEOUT, f"Reading this file {what}. {ADVICE}", limit)
