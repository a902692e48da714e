"""Tasks: their progress, cancelling, threads and memory.

Long work calls `stop_if_cancelled()` now and then. Its caller sets with `cancelled_by` which
function that asks; threads of a `WorkerPool` ask the same one as the thread that gave them their
work. A cancelled task ends in one `ScanCancelledError`.

Memory: small work goes on side by side, one big piece at a time.

A thread claims memory before it takes it, and may claim more as it goes on. All claims together
share a pool of `POOL` bytes. A thread whose claim does not fit waits until others have given back
enough, or until no thread has the right to go beyond the pool: one at a time has it. The thread
with that right never waits again, so that no thread waits for ever; how much such a piece of work
takes is bounded by `core.documents.reading_settings.ReadingLimits`, whatever there is to read. So
the sum is bounded by the pool and the largest single piece, however many files and threads there
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

from core.base.memory import give_back_free_memory, reuse_freed_memory
from core.base.messages import N_
from core.errors import ScanCancelledError


class Stage(StrEnum):
    """The stages of long work, as messages; first those of a scan, in their order."""

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
    """How far the work is; `total` is 0 while it is unknown."""

    stage: Stage
    done: int
    total: int


Progress = Callable[[ProgressReport], None]
Cancelled = Callable[[], bool]

ASK_EVERY = 256  # steps of some microseconds
Item = TypeVar("Item")


def ignore(report: ProgressReport) -> None:
    """Report nothing."""


_CANCELLED: ContextVar[Cancelled] = ContextVar("cancelled", default=lambda: False)


@contextmanager
def cancelled_by(cancelled: Cancelled) -> Iterator[None]:
    """Within it, work is cancelled once `cancelled` says so, or an enclosing one."""
    outer = _CANCELLED.get()
    token = _CANCELLED.set(lambda: cancelled() or outer())
    try:
        yield
    finally:
        _CANCELLED.reset(token)


@contextmanager
def until_done() -> Iterator[None]:
    """Within it, work is not cancelled: it is short, and decisions are written completely."""
    token = _CANCELLED.set(lambda: False)
    try:
        yield
    finally:
        _CANCELLED.reset(token)


def is_cancelled() -> bool:
    """Whether the work was cancelled."""
    return _CANCELLED.get()()


def stop_if_cancelled() -> None:
    """Raise `ScanCancelledError` when the work was cancelled."""
    if is_cancelled():
        raise ScanCancelledError("The scan was cancelled.")


def stoppable(items: Iterable[Item]) -> Iterator[Item]:
    """The items of a loop of many short steps, which asks now and then whether to stop."""
    for number, item in enumerate(items):
        if number % ASK_EVERY == 0:
            stop_if_cancelled()
        yield item


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
    """As `batches`, of few characters in slices that keep all cores busy to the end."""
    a_core = sum(lengths) // (SLICES_A_CORE * worker_count())
    return batches(lengths, min(BATCH_CHARACTERS, max(FEWEST_CHARACTERS, a_core)))


def worker_count() -> int:
    """Threads to use: one for each core that this process may use."""
    allowed = getattr(os, "sched_getaffinity", None)  # Linux only
    return len(allowed(0)) if allowed else os.cpu_count() or 1


class WorkerPool(ThreadPoolExecutor):
    """Threads whose work is cancelled together with that of the thread that submits it."""

    def __init__(
        self,
        workers: int | None = None,
        name: str = "neardup-engine",
        initializer: Callable[[], object] | None = None,
    ) -> None:
        reuse_freed_memory()
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
    if isinstance(future.exception(), ScanCancelledError):
        # The future keeps that one, which would keep all frames that it passes, and they the
        # future: a list would stay in memory until cycles are collected.
        raise ScanCancelledError("The scan was cancelled.")
    return future.result()


def left_when_cancelled(work: Callable[[], Result]) -> Result:
    """The result of work that may be in the midst of one long step when it is cancelled.

    It runs on a separate thread, and the rest of that step is not waited for. There are no more of
    these than cores, those that were left included.
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
        future = thread.submit(step)
    except RuntimeError:  # the system starts no thread
        _LONG_STEPS.release()
        raise
    try:
        return result_of(future)
    finally:
        thread.shutdown(wait=False)


def results_of(futures: Iterable[Future[Result]], ahead: int | None = None) -> Iterator[Result]:
    """The results of work on other threads, in order; none is kept once it is yielded.

    Work that has not begun is dropped at the end.

    Args:
        futures: The work; a generator begins it when the next one is taken.
        ahead: How many may be under way, or wait for one before them; by default all.
    """
    rest = iter(futures)
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


def mapped(
    pool: ThreadPoolExecutor | None,
    work: Callable[[Item], Result],
    items: Iterable[Item],
    ahead: int | None = None,
) -> Iterator[Result]:
    """The results of the same work on each item, in order; on this thread where there is no pool.

    `ahead` is that of `results_of`.
    """
    if pool is None:
        return map(work, items)
    return results_of((pool.submit(work, item) for item in items), ahead)


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
        """Add to the bytes of a thread, if there is room."""
        with self._changed:
            total = self._taken.get(thread, 0) + size
            rest = sum(
                taken for worker, taken in self._taken.items() if worker not in (thread, self._big)
            )
            if self._big != thread and rest + total > self.pool:
                if self._big is not None:
                    return False
                self._big = thread
            self._taken[thread] = total
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
    """Bytes of a `MemoryRoom`, given back at the end of the block; of the thread that made it.

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
        """As `grow` without waiting; returns whether there was room."""
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
