"""Who may take much memory now: small work goes on side by side, one big piece at a time.

A thread that is about to take memory says so in a claim, and may say more as it goes on. All claims
together share a pool of `POOL` bytes. One that does not fit in there waits until the others have
given back enough, or until nobody has the right to go beyond the pool: one thread at a time has it.
Who has that right never waits again, so that nobody waits for ever; how much such a piece of work
takes is bounded by `core.documents.reading_settings.ReadingLimits`, whatever there is to read. So
the whole is bounded by the pool and the largest single piece, however many files and threads there
are.
"""

from __future__ import annotations

import threading
from typing import Self

from core.base.parallel import POLL
from core.base.progress import Cancelled, never, stop_if

POOL = 200_000_000  # bytes: small readers and batches of texts of some ten cores


class MemoryRoom:
    """Memory that the threads of this process share."""

    def __init__(self, pool: int = POOL) -> None:
        self.pool = pool
        self._taken: dict[int, int] = {}  # bytes, by thread
        self._big: int | None = None  # the thread that may go beyond the pool
        self._changed = threading.Condition()

    def claim(self, size: int = 0, cancelled: Cancelled = never) -> Claim:
        """A claim of this thread to so many bytes; claims of one thread are added up.

        Raises:
            ScanCancelledError: `cancelled` said so while there was no room.
        """
        claim = Claim(self)
        claim.grow(size, cancelled)
        return claim

    @property
    def taken(self) -> int:
        """Bytes that are claimed now, by all threads together."""
        with self._changed:
            return sum(self._taken.values())

    def _add(self, thread: int, size: int, cancelled: Cancelled) -> None:
        with self._changed:
            while not self._try(thread, size):
                self._changed.wait(POLL)
                stop_if(cancelled)

    def _try_to_add(self, thread: int, size: int) -> bool:
        with self._changed:
            return self._try(thread, size)

    def _try(self, thread: int, size: int) -> bool:
        """Add to what a thread has, if there is room."""
        may = self._may_take(thread, size)
        if may:
            self._taken[thread] = self._taken.get(thread, 0) + size
        return may

    def _may_take(self, thread: int, size: int) -> bool:
        if self._big == thread:
            return True
        others = sum(taken for one, taken in self._taken.items() if one not in (thread, self._big))
        if others + self._taken.get(thread, 0) + size <= self.pool:
            return True
        if self._big is None:
            self._big = thread
            return True
        return False

    def _give_back(self, thread: int, size: int) -> None:
        with self._changed:
            left = self._taken[thread] - size
            if left:
                self._taken[thread] = left
            else:
                del self._taken[thread]
                if self._big == thread:
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

    def grow(self, size: int, cancelled: Cancelled = never) -> None:
        """Claim so many bytes in all, if that is more than before; waits until there is room.

        Raises:
            ScanCancelledError: `cancelled` said so while there was no room.
        """
        if size > self.size:
            self._room._add(self._thread, size - self.size, cancelled)  # noqa: SLF001 - its one friend
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
