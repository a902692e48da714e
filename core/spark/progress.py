"""How far a run is: Spark itself is asked what its jobs have done for each stage."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from core.base.wording import counted, readable_size

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

WARMED = 5.0  # seconds after which the time left is guessed
RUNNING = "RUNNING"
NAME = re.compile("[a-z0-9_]+")  # of a table


class StageProgress(NamedTuple):
    """Where a stage of a run is.

    Attributes:
        name: Of its table.
        done: Tasks that are done.
        total: Tasks that are known; Spark finds some only on its way.
        shuffled: Bytes written for a shuffle.
        spilled: Bytes written to disk where memory was short.
        seconds: Since it began.
    """

    name: str
    done: int
    total: int
    shuffled: int
    spilled: int
    seconds: float

    def words(self) -> str:
        """What is done, and how long the rest may take."""
        parts = [f"{self._title}: {self.done:,} of {counted(self.total, 'task')}"]
        left = self.seconds * (self.total - self.done) / max(1, self.done)
        if self.done and left and self.seconds > WARMED:
            parts.append(f"about {_duration(left)} left")
        return ", ".join([*parts, *self._bytes()])

    def summary(self) -> str:
        """What it has taken."""
        took = [counted(self.total, "task"), _duration(self.seconds)]
        return f"{self._title}: {', '.join([*took, *self._bytes()])}"

    @property
    def _title(self) -> str:
        words = self.name.strip("_").split("_")
        return " ".join(word for word in words if not word.isdigit())  # a number tells rounds apart

    def _bytes(self) -> Iterator[str]:
        if self.shuffled:
            yield f"{readable_size(self.shuffled)} shuffled"
        if self.spilled:
            yield f"{readable_size(self.spilled)} spilled to disk"


class _Job(NamedTuple):
    name: str
    is_running: bool
    done: int
    total: int
    shuffled: int
    spilled: int


class Watch:
    """What Spark has done for each stage since the watch was made.

    Spark forgets old jobs; ask it now and then.
    """

    def __init__(self, session: SparkSession) -> None:
        self._store: Any = session._jsc.sc().statusStore()  # noqa: SLF001 - no other way
        jobs = self._store.jobsList(None)
        numbers = [int(jobs.apply(place).jobId()) for place in range(jobs.size())]
        self._next = max(numbers, default=-1) + 1
        self._jobs: dict[int, _Job] = {}
        self._times: dict[str, tuple[float, float]] = {}

    def stages(self) -> list[StageProgress]:
        """All stages so far, in the order in which they began; the last one may go on."""
        self._look()
        now = time.monotonic()
        sums: dict[str, list[int]] = {}
        for job in self._jobs.values():
            if job.name:
                own = sums.setdefault(job.name, [0, 0, 0, 0])
                for place, value in enumerate((job.done, job.total, job.shuffled, job.spilled)):
                    own[place] += value
        for name in sums:
            self._times.setdefault(name, (now, now))
        running = {job.name for job in self._jobs.values() if job.is_running} | {*list(sums)[-1:]}
        for name in running & set(sums):
            self._times[name] = (self._times[name][0], now)
        spans = {name: end - began for name, (began, end) in self._times.items()}
        return [
            StageProgress(name, done, total, shuffled, spilled, spans[name])
            for name, (done, total, shuffled, spilled) in sums.items()
        ]

    def _look(self) -> None:
        """Ask for the jobs that are new or were not over."""
        for number, known in self._jobs.items():
            if known.is_running:
                self._jobs[number] = self._asked(number) or known._replace(is_running=False)
        while (job := self._asked(self._next)) is not None:
            self._jobs[self._next] = job
            self._next += 1

    def _asked(self, number: int) -> _Job | None:
        try:
            job = self._store.job(number)
        except Exception:  # noqa: BLE001 - of Java: there is none of this number
            return None
        is_running = job.status().toString() == RUNNING
        total = int(job.numTasks())
        done = int(job.numCompletedTasks()) + int(job.numSkippedTasks()) if is_running else total
        name = str(job.description().get()) if job.description().isDefined() else ""
        name = name if NAME.fullmatch(name) else ""  # others are of a line in the program
        sums = list(self._bytes(job)) if name else []
        return _Job(
            name, is_running, done, total, sum(one for one, _ in sums), sum(one for _, one in sums)
        )

    def _bytes(self, job: Any) -> Iterator[tuple[int, int]]:  # noqa: ANN401 - a Java object
        ids = job.stageIds()
        for place in range(ids.size()):
            try:
                stage = self._store.lastStageAttempt(ids.apply(place))
            except Exception:  # noqa: BLE001, S112 - of Java: it has not begun, or is forgotten
                continue
            yield int(stage.shuffleWriteBytes()), int(stage.diskBytesSpilled())


def _duration(seconds: float) -> str:
    """A time in one unit: "32 s", "5 min", "2.5 h"."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 6000 else f"{seconds / 3600:.1f} h"
