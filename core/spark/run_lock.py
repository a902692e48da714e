"""The right to write into the folder of a run: one run has it, also across machines.

Locks of a system end with their process, but a run and its successor may be on two machines, and
object stores know no locks. So each run makes a file of its own, `_lock-00001` and so on, and
writes it again every few seconds. The highest number has the right. Where a run was killed its file
stays, is not written any more, and the next run makes the next number. Only one can make it; but
object stores look first and write then, and two that begin together may both have written it: it is
the run's whose name stands in it.
"""

from __future__ import annotations

import json
import os
import secrets
import socket
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Self

from core.base.progress import Cancelled, never, stop_if
from core.base.wording import printable_name, shown_value
from core.errors import ClusterError

if TYPE_CHECKING:
    from types import TracebackType

    from core.spark.file_system import Folder

LOCK = "_lock-"
BEAT = 10.0  # seconds between two times that the file is written
ABANDONED = 45.0  # seconds without that, after which a run counts as killed
LOOKS = 1.0  # seconds between two looks at another run's file
SETTLED = 2.0  # seconds after which all have written who found no file in an object store


class RunLock:
    """Writes into a folder; leaves nothing behind.

    Args:
        folder: Of the run.
        take_over: Whether a run that was killed may be followed.
        cancelled: Polled while it is found out whether it was.
    """

    def __init__(self, folder: Folder, *, take_over: bool, cancelled: Cancelled = never) -> None:
        self._folder = folder
        self._take_over = take_over
        self._cancelled = cancelled
        self._name = ""
        self._own = {"host": _here(), "process": os.getpid(), "run": secrets.token_hex(8)}
        self._left = threading.Event()
        self._at_file = threading.Lock()  # it is not read while it is half written
        self._thread = threading.Thread(target=self._beat, name="neardup-lock", daemon=True)

    def __enter__(self) -> Self:
        """Take the right.

        Raises:
            ClusterError: Another run has it, or may have it.
            ScanCancelledError: `cancelled` said so.
        """
        seen = self._locks()
        if seen:
            self._wait_for_end_of(seen[-1])
        self._name = f"{LOCK}{_number(seen[-1]) + 1 if seen else 1:05d}"
        if not self._folder.create(self._name, self._text(0)):
            raise ClusterError(self._taken(self._name))
        try:
            self._refuse_second(seen)
        except BaseException:
            self._remove_own()
            raise
        for one in seen:
            self._folder.remove(one)
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Give it back."""
        self._left.set()
        self._thread.join()
        with suppress(Exception):  # of Java, that may be gone; a run with --resume takes it over
            self._remove_own()

    def require(self) -> None:
        """Raise where the right was lost.

        Raises:
            ClusterError: Another run has taken over.
        """
        if self._locks()[-1:] != [self._name]:
            raise ClusterError(
                f"Another run has taken over {printable_name(self._folder.place)} with --resume. "
                "This one stops."
            )
        if not self._is_mine():
            raise ClusterError(f"{self._taken(self._name)} It began with this one, which stops.")

    def _is_mine(self) -> bool:
        """Whether the file is not another run's; where nothing can be told of it, it is."""
        with self._at_file:
            told = _told(self._folder.read(self._name))
        return told is None or told["run"] == self._own["run"]

    def _refuse_second(self, seen: Sequence[str]) -> None:
        """Raise where another run began at the same time.

        Args:
            seen: The files of runs that are over.
        """
        end = time.monotonic() + (0.0 if self._folder.renames else SETTLED)
        while self._is_mine() and time.monotonic() < end:
            stop_if(self._cancelled)
            time.sleep(SETTLED / 10)
        if not self._is_mine() or set(self._locks()) - {*seen, self._name}:
            raise ClusterError(self._taken(self._name))

    def _remove_own(self) -> None:
        if self._is_mine():
            self._folder.remove(self._name)

    def _beat(self) -> None:
        """Say that this run goes on; where that fails once, it is tried again."""
        times = 0
        while not self._left.wait(BEAT):
            times += 1
            try:
                if self._locks()[-1:] != [self._name] or not self._is_mine():
                    return
                with self._at_file:
                    self._folder.write(self._name, self._text(times))
            except Exception:  # noqa: BLE001, S112 - of Java: the network, a session that stops
                continue

    def _wait_for_end_of(self, name: str) -> None:
        """Return when the run that made this file is over.

        Raises:
            ClusterError: It goes on, or nobody asked to take over.
        """
        if not self._take_over:
            raise ClusterError(
                f"{self._taken(name)} Where that run was killed, go on with --resume."
            )
        last = self._folder.read(name)
        if _is_gone(last):
            return
        end = time.monotonic() + ABANDONED
        while time.monotonic() < end:
            stop_if(self._cancelled)
            time.sleep(LOOKS)
            if self._folder.read(name) not in (last, None, ""):
                raise ClusterError(self._taken(name))

    def _taken(self, name: str) -> str:
        told = _told(self._folder.read(name))
        who = f" (on {shown_value(told['host'].split()[0])})" if told else ""
        return f"Another run{who} writes into {printable_name(self._folder.place)}."

    def _text(self, times: int) -> str:
        return json.dumps({**self._own, "times": times})

    def _locks(self) -> list[str]:
        return [name for name in self._folder.names() if name.startswith(LOCK) and _number(name)]


def _number(name: str) -> int:
    digits = name.removeprefix(LOCK)
    return int(digits) if digits.isdecimal() and digits.isascii() else 0


def _told(text: str | None) -> dict[str, str] | None:
    try:
        told = json.loads(text or "")
        return {"process": str(int(told["process"]))} | {
            name: str(told[name]) for name in ("host", "run")
        }
    except (ValueError, KeyError, TypeError):
        return None


def _is_gone(text: str | None) -> bool:
    """Whether the process of a run was on this machine and is not any more."""
    import psutil

    told = _told(text)
    return bool(told and told["host"] == _here() and not psutil.pid_exists(int(told["process"])))


def _here() -> str:
    """This machine and, within it, the space that numbers of processes belong to."""
    try:
        space = str(Path("/proc/self/ns/pid").readlink())
    except OSError:
        space = "-"
    return f"{socket.gethostname() or '-'} {space}"
