"""What a piece of work takes: seconds, processor time, memory, temporary files.

`measured` works in any process; `in_fresh_process` gives a piece of work a process of its own, so
that neither the memory nor the caches of what was measured before count. Memory and temporary
files are NaN where the system does not tell (anywhere but on Linux).
"""

from __future__ import annotations

import contextlib
import re
import threading
import time
from collections.abc import Callable, Iterator
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, NamedTuple, Self

from core.base.files import temporary_folder

INTERVAL = 0.02  # seconds between two looks
PROCESS = Path("/proc/self")


class Usage(NamedTuple):
    """Seconds by the clock and of all threads together; peaks in megabytes (of a million bytes).

    `peak` and `anonymous` are beyond what the process held before: all resident memory, and of it
    what no file backs, which the system cannot take back. `disk` is what temporary files took,
    also those without a name.
    """

    wall: float
    cpu: float
    peak: float
    anonymous: float
    disk: float

    def then(self, later: Usage) -> Usage:
        """Both blocks together."""
        return Usage(
            self.wall + later.wall,
            self.cpu + later.cpu,
            *(max(pair) for pair in zip(self[2:], later[2:], strict=True)),
        )


def megabytes(name: str) -> float:
    """A line of this process's status, VmHWM for instance."""
    status = PROCESS / "status"
    if not status.exists():
        return float("nan")
    found = re.search(rf"^{name}:\s+(\d+) kB", status.read_text(encoding="ascii"), re.MULTILINE)
    return int(found[1]) * 1024 / 1e6 if found else float("nan")


class Memory(NamedTuple):
    """What this process holds now, in megabytes: all of it, and what no file backs."""

    resident: float
    anonymous: float

    @staticmethod
    def now() -> Memory:
        """At this moment."""
        return Memory(megabytes("VmRSS"), megabytes("RssAnon"))


class _Watch:
    """Looks again and again at what only the moment tells."""

    def __init__(self) -> None:
        self.anonymous = self.disk = 0.0
        self._scratch = str(temporary_folder())
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *failure: object) -> None:
        self._over.set()
        self._thread.join()

    def _look(self) -> None:
        while PROCESS.exists():
            self.anonymous = max(self.anonymous, megabytes("RssAnon"))
            self.disk = max(self.disk, _temporary_megabytes(self._scratch))
            if self._over.wait(INTERVAL):
                return


def _temporary_megabytes(scratch: str) -> float:
    """Files open in this process below the folder of temporary files."""
    sizes: dict[str, int] = {}
    for place in (PROCESS / "fd").iterdir():
        with contextlib.suppress(OSError):
            if str(place.readlink()).startswith(scratch):
                state = place.stat()
                sizes[str(state.st_ino)] = state.st_blocks * 512
    return sum(sizes.values()) / 1e6


@contextlib.contextmanager
def measured(beyond: Memory | None = None) -> Iterator[list[Usage]]:
    """Measure a block; the list has its usage afterwards. Blocks must not be nested.

    Args:
        beyond: What memory is counted from; what there is at the beginning, unless told.
    """
    result: list[Usage] = []
    base = beyond or Memory.now()
    with contextlib.suppress(OSError):
        (PROCESS / "clear_refs").write_text("5")  # the peak begins anew
    with _Watch() as watch:
        cpu, began = time.process_time(), time.perf_counter()
        yield result
        wall, cpu = time.perf_counter() - began, time.process_time() - cpu
    disk = watch.disk if PROCESS.exists() else float("nan")
    peak = megabytes("VmHWM") - base.resident
    result.append(Usage(wall, cpu, peak, watch.anonymous - base.anonymous, disk))


def in_fresh_process(
    work: Callable[..., Any], *arguments: object, limit: float | None = None
) -> Any:
    """What some work returns in a new process, which ends with it.

    Raises:
        TimeoutError: It took longer than `limit` seconds and was ended.
        RuntimeError: It failed; the message is that of the failure.
    """
    context = get_context("spawn")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_answer, args=(theirs, work, arguments))
    process.start()
    theirs.close()
    with ours:
        if not ours.poll(limit):
            process.kill()
            process.join()
            raise TimeoutError(f"ended after {limit:,.0f} s")
        try:
            failed, answer = ours.recv()
        except EOFError:
            process.join()
            failed, answer = True, f"ended with status {process.exitcode}"
    process.join()
    if failed:
        raise RuntimeError(answer)
    return answer


def _answer(pipe: Connection, work: Callable[..., Any], arguments: tuple[object, ...]) -> None:
    try:
        pipe.send((False, work(*arguments)))
    except Exception as failure:  # noqa: BLE001 - the caller prints it
        pipe.send((True, f"{type(failure).__name__}: {failure}"))
