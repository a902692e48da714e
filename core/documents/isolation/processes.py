"""As many reader processes as files are read at a time, started when they are needed."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from types import TracebackType
from typing import Self

from core.documents.extraction import Failure, Piece
from core.documents.isolation.frames import Frame
from core.documents.isolation.process import START, ReaderProcess
from core.documents.isolation.tasks import Task
from core.documents.limits import ReadingSettings
from core.documents.model import ProblemCode
from core.documents.readers import Reading, UnreadableError
from core.documents.readers.base import reading_of
from core.progress import Cancelled

__all__ = ["ReaderProcesses"]


class ReaderProcesses:
    """Reads files of foreign formats; safe to use from several threads, each has its process.

    Attributes:
        settings: How files are read.
        start: The Python program that a process runs.
    """

    def __init__(self, settings: ReadingSettings, start: str = START) -> None:
        self.settings = settings
        self.start = start
        self._idle: list[ReaderProcess] = []
        self._busy: set[ReaderProcess] = set()
        self._readings: dict[str, Reading] = {}
        self._lock = threading.Lock()
        self._closed = False

    def reading(self, suffix: str) -> Reading:
        """How a file with this suffix is read on the spot."""
        known = self._readings.get(suffix)
        if known is None:
            known = self._readings[suffix] = reading_of(self.settings, suffix)
        return known

    def read(
        self, location: str, suffix: str, file_hash: str, cancelled: Cancelled
    ) -> Iterator[Piece | Failure]:
        """The documents of a file, as they come.

        Args:
            location: Its path.
            suffix: Lower-case suffix of its name.
            file_hash: XXH3-128 of its bytes in hexadecimal.
            cancelled: Polled while the process reads.

        Raises:
            ScanCancelledError: `cancelled` said so.
        """
        process = self._take()
        try:
            task = Task(location, suffix, file_hash, self.settings)
            for frame in process.read(task, cancelled):
                yield _result(frame)
        except UnreadableError as error:
            yield Failure("", error.code, error.detail)
        finally:
            self._give_back(process)

    def _take(self) -> ReaderProcess:
        with self._lock:
            process = self._idle.pop() if self._idle else None
            if process is None:
                process = ReaderProcess(self.settings.limits.characters, self.start)
            self._busy.add(process)
            return process

    def _give_back(self, process: ReaderProcess) -> None:
        with self._lock:
            self._busy.discard(process)
            usable = process.is_usable and not self._closed
            if usable:
                self._idle.append(process)
        if not usable:
            process.kill()

    def close(self) -> None:
        """End all processes."""
        with self._lock:
            self._closed = True
            processes = [*self._idle, *self._busy]
            self._idle.clear()
        for process in processes:
            process.kill()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def _result(frame: Frame) -> Piece | Failure:
    """What a process answered; a nonsensical answer counts as a crash.

    Raises:
        UnreadableError: CRASH.
    """
    values = dict(frame.head)
    try:
        if values.pop("is") == "failure":
            return Failure(str(values["part"]), ProblemCode(values["code"]), str(values["detail"]))
        return Piece(
            part=str(values["part"]),
            kind=str(values["kind"]),
            encoding=str(values["encoding"]),
            file_hash=str(values["file_hash"]),
            text=frame.text,
            remarks=tuple(map(str, values["remarks"])),
        )
    except (KeyError, TypeError, ValueError) as error:
        detail = "Reading this file made its reader give a nonsensical answer. Save it again."
        raise UnreadableError(ProblemCode.CRASH, detail) from error
