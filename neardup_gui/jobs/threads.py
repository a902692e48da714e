"""The threads on which all scans of a window do their work."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

from core.base.tasks import worker_count


class EngineThreads:
    """One pool, made when it is first asked for, closed by the window that made it.

    Scans only borrow it. Whatever becomes of a scan, cancelled, failed or replaced by another, what
    it listed can be listed again under other bands: none of them closes what the others work with.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._pool: ThreadPoolExecutor | None = None

    def pool(self) -> ThreadPoolExecutor:
        """The pool; may be asked for on any thread."""
        with self._lock:
            if self._pool is None:
                self._pool = ThreadPoolExecutor(worker_count(), thread_name_prefix="neardup-engine")
            return self._pool

    def close(self) -> None:
        """End the threads, without waiting for one in the midst of a long document.

        To be called when no job runs any more.
        """
        with self._lock:
            if self._pool is not None:
                self._pool.shutdown(wait=False, cancel_futures=True)
