"""The task at hand: how far it is, whether it was asked to stop, its threads, and its memory.

Work that lasts asks `stop_if_cancelled()` now and then. Who begins it says within `cancelled_by`
what that asks; threads of a `WorkerPool` ask the same as the thread that gave them their work. A
task that was asked to stop ends in one `ScanCancelledError`.

Memory: small work goes on side by side, one big piece at a time.

A thread that is about to take memory says so in a claim, and may say more as it goes on. All claims
together share a pool of `POOL` bytes. One that does not fit in there waits until the others have
given back enough, or until nobody has the right to go beyond the pool: one thread at a time has it.
Who has that right never waits again, so that nobody waits for ever; how much such a piece of work
takes is bounded by `core.documents.reading_settings.ReadingLimits`, whatever there is to read. So
the whole is bounded by the pool and the largest single piece, however many files and threads there
are.
"""

from __future__ import annotations

import os
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from contextvars import ContextVar, copy_context
from enum import StrEnum
from functools import partial
from itertools import islice
from typing import NamedTuple, ParamSpec, Self, TypeVar

from core.base.memory import give_back_free_memory
from core.base.messages import N_
from core.errors import ScanCancelledError


class Stage(StrEnum):
    """What long work is at, a message; first the stages of a scan, in their order."""

    DISCOVER = N_("Looking for documents")
    READ = N_("Reading documents")
    PROPERTIES = N_("Reading the properties of files")
    COMPARE = N_("Comparing pairs")
    MEET = N_("Looking for pairs with reworked passages")
    REWORKED = N_("Finding reworked passages")
    PASSAGES = N_("Finding shared passages")
    WRITE = N_("Writing the report")
    TYPESET = N_("Setting the pages")
    SAVE = N_("Saving the review")
    OPEN = N_("Opening the review")


class ProgressReport(NamedTuple):
    """Where the work is; `total` is 0 while it is unknown."""

    stage: Stage
    done: int
    total: int


Progress = Callable[[ProgressReport], None]
Cancelled = Callable[[], bool]


def ignore(report: ProgressReport) -> None:
    """Report nothing."""


_CANCELLED: ContextVar[Cancelled] = ContextVar("cancelled", default=lambda: False)


@contextmanager
def cancelled_by(cancelled: Cancelled) -> Iterator[None]:
    """Within it, work is asked to stop once `cancelled` says so, or what asks around it."""
    around = _CANCELLED.get()
    token = _CANCELLED.set(lambda: cancelled() or around())
    try:
        yield
    finally:
        _CANCELLED.reset(token)


@contextmanager
def until_done() -> Iterator[None]:
    """Within it, work is not asked to stop: it is short, and what was decided is written whole."""
    token = _CANCELLED.set(lambda: False)
    try:
        yield
    finally:
        _CANCELLED.reset(token)


def is_cancelled() -> bool:
    """Whether the work was asked to stop."""
    return _CANCELLED.get()()


def stop_if_cancelled() -> None:
    """Raise `ScanCancelledError` when the work was asked to stop."""
    if is_cancelled():
        raise ScanCancelledError("The scan was cancelled.")


def throttled(
    report: Progress, interval: float, *, clock: Callable[[], float] = time.monotonic
) -> Progress:
    """A progress function that passes on at most one report in so many seconds.

    The first report of a stage and its last one always pass, so that no stage goes unseen and no
    bar stops short of its end.
    """
    passed: tuple[object, float] = (None, 0.0)

    def pass_on(progress: ProgressReport) -> None:
        nonlocal passed
        now = clock()
        stage, when = passed
        ended = progress.total > 0 and progress.done >= progress.total
        if progress.stage is stage and not ended and now - when < interval:
            return
        passed = (progress.stage, now)
        report(progress)

    return pass_on


Result = TypeVar("Result")
Given = ParamSpec("Given")

BATCH_CHARACTERS = (
    1 << 19
)  # what they take is kept for the next batch, not given back to the system
BATCH_TEXTS = 2000
FEWEST_CHARACTERS, SLICES_A_CORE = 1 << 16, 3
POLL = 0.05  # seconds between two looks at `cancelled` while a thread works


def batches(lengths: Sequence[int], characters: int = BATCH_CHARACTERS) -> Iterator[slice]:
    """Cut a sequence into slices of about half a million characters and at most 2,000 items."""
    start = total = 0
    for index, length in enumerate(lengths):
        full = total + length > characters or index - start >= BATCH_TEXTS
        if full and index > start:
            yield slice(start, index)
            start, total = index, 0
        total += length
    if start < len(lengths):
        yield slice(start, len(lengths))


def even_batches(lengths: Sequence[int]) -> Iterator[slice]:
    """The same of little, in slices that keep all cores at work to the end."""
    a_core = sum(lengths) // (SLICES_A_CORE * worker_count())
    return batches(lengths, min(BATCH_CHARACTERS, max(FEWEST_CHARACTERS, a_core)))


def worker_count() -> int:
    """Threads to use: one for each core that this process may use."""
    allowed = getattr(os, "sched_getaffinity", None)  # Linux only
    return len(allowed(0)) if allowed else os.cpu_count() or 1


class WorkerPool(ThreadPoolExecutor):
    """Threads that hear of cancelling what the thread hears that gives them work."""

    def __init__(
        self,
        workers: int | None = None,
        name: str = "neardup-engine",
        initializer: Callable[[], object] | None = None,
    ) -> None:
        super().__init__(workers or worker_count(), name, initializer)

    def submit(
        self, work: Callable[Given, Result], /, *args: Given.args, **kwargs: Given.kwargs
    ) -> Future[Result]:
        """Begin work when a thread is free."""
        return super().submit(partial(copy_context().run, work, *args, **kwargs))


_LONG_STEPS = threading.BoundedSemaphore(worker_count())


def result_of(future: Future[Result]) -> Result:
    """The result of work on another thread; ends the wait when it is cancelled."""
    while not wait([future], POLL).done:
        stop_if_cancelled()
    return future.result()


def left_when_cancelled(work: Callable[[], Result]) -> Result:
    """The result of work that may be in the midst of one long step when it is cancelled.

    It has a thread of its own, and what is left of that step is not waited for. There are no more
    of these than cores, those that were left included.
    """

    def step() -> Result:
        try:
            return work()
        finally:
            _LONG_STEPS.release()

    while not _LONG_STEPS.acquire(timeout=POLL):
        stop_if_cancelled()
    thread = WorkerPool(1, "neardup-long")
    try:
        begun = thread.submit(step)
    except RuntimeError:  # the system starts no thread
        _LONG_STEPS.release()
        raise
    try:
        return result_of(begun)
    finally:
        thread.shutdown(wait=False)


def results_of(begun: Iterable[Future[Result]], ahead: int | None = None) -> Iterator[Result]:
    """The results of work on other threads, in order; none is kept here once it is given.

    Work not begun is dropped on the way out.

    Args:
        begun: The work; a generator begins it when it is asked for the next.
        ahead: How many may be under way, or wait for one before them; all where it is left out.
    """
    rest = iter(begun)
    waiting = deque(islice(rest, ahead))
    try:
        while waiting:
            stop_if_cancelled()
            result_of(waiting[0])
            yield waiting.popleft().result()
            waiting.extend(islice(rest, 1))
    finally:
        for future in waiting:
            future.cancel()


# Bytes: small readers, and batches of texts of each core, of which one takes up to 20 MB.
POOL = max(100_000_000, 20_000_000 * worker_count())
LARGE = 32_000_000  # more than a usual batch or reader claims


class MemoryRoom:
    """Memory that the threads of this process share."""

    def __init__(self, pool: int = POOL) -> None:
        self.pool = pool
        self._taken: dict[int, int] = {}  # bytes, by thread
        self._big: int | None = None  # the thread that may go beyond the pool
        self._changed = threading.Condition()

    def claim(self, size: int = 0) -> Claim:
        """A claim of this thread to so many bytes; claims of one thread are added up."""
        claim = Claim(self)
        claim.grow(size)
        return claim

    @property
    def taken(self) -> int:
        """Bytes that are claimed now, by all threads together."""
        with self._changed:
            return sum(self._taken.values())

    def _add(self, thread: int, size: int) -> None:
        with self._changed:
            while not self._try_to_add(thread, size):
                self._changed.wait(POLL)
                stop_if_cancelled()

    def _try_to_add(self, thread: int, size: int) -> bool:
        """Add to what a thread has, if there is room."""
        with self._changed:
            whole = self._taken.get(thread, 0) + size
            others = sum(
                taken for worker, taken in self._taken.items() if worker not in (thread, self._big)
            )
            if self._big != thread and others + whole > self.pool:
                if self._big is not None:
                    return False
                self._big = thread
            self._taken[thread] = whole
            return True

    def _give_back(self, thread: int, size: int) -> None:
        with self._changed:
            left = self._taken[thread] - size
            was_big = not left and self._big == thread
            if left:
                self._taken[thread] = left
            else:
                del self._taken[thread]
        if was_big or size > LARGE:
            give_back_free_memory()  # before another takes as much
        with self._changed:
            if was_big:
                self._big = None
            self._changed.notify_all()


class Claim:
    """Some bytes of a `MemoryRoom`, given back at the end of the block; of the thread that made it.

    Attributes:
        size: How many bytes.
    """

    def __init__(self, room: MemoryRoom) -> None:
        self._room = room
        self._thread = threading.get_ident()
        self.size = 0

    def grow(self, size: int) -> None:
        """Claim so many bytes in all, if that is more than before; waits until there is room."""
        if size > self.size:
            self._room._add(self._thread, size - self.size)  # noqa: SLF001 - its one friend
            self.size = size

    def try_to_grow(self, size: int) -> bool:
        """The same without waiting; whether there was room."""
        if size > self.size:
            if not self._room._try_to_add(self._thread, size - self.size):  # noqa: SLF001 - as above
                return False
            self.size = size
        return True

    def release(self) -> None:
        """Give back all of it."""
        if self.size:
            self._room._give_back(self._thread, self.size)  # noqa: SLF001 - as above
            self.size = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.release()


ROOM = MemoryRoom()
