"""As many reader processes as files are read at a time, started when they are needed."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Generator, Iterator
from contextlib import closing
from itertools import islice
from typing import Self

from core.base.messages import in_english
from core.base.wording import readable_count
from core.documents.extraction import DocumentProperties, Failure, Piece
from core.documents.isolation.process import (
    START,
    ReaderProcess,
    nonsense,
    properties_of_answer,
    result_of_answer,
)
from core.documents.isolation.protocol import SCANS, Task
from core.documents.model import ProblemCode, UnreadableError
from core.documents.readers.reader import Reading, reading_of
from core.documents.reading_settings import ReadingSettings
from core.errors import ScanCancelledError

_LARGE = 1 << 24  # bytes of a file that only a fresh process is given, so as not to keep it
_TEXTS = 3  # times as long as one text may be: all texts of a file
_LEAST = 1_500  # characters that a document counts for, however short


class ReaderProcesses:
    """Reads files of foreign formats; safe to use from several threads, each has its process.

    Attributes:
        settings: How files are read.
        start: The Python program that a process runs.
    """

    def __init__(self, settings: ReadingSettings, start: str = START) -> None:
        self.settings = settings
        self.start = start
        self._idle: dict[bool, list[ReaderProcess]] = {False: [], True: []}  # by reads_scans
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

    def read(self, data: bytes, suffix: str, file_hash: str) -> Iterator[Piece | Failure]:
        """The documents of a file, as they come.

        A process that crashes, or does not begin, may have been harmed by a file before: unless it
        was fresh, or has answered, a fresh one is asked.

        Args:
            data: Its bytes, which the process is given: it opens no file itself.
            suffix: Lower-case suffix of its name.
            file_hash: XXH3-128 of its bytes in hexadecimal.
        """
        results = self._results(data, suffix)
        del data  # it may be large, and there is only one of it
        # Many documents fill the memory just as a long one does.
        most = left = _TEXTS * self.settings.limits.characters
        try:
            with closing(results):
                for result in results:
                    left -= max(_LEAST, _length(result))
                    if left < 0:
                        raise _too_much(most)
                    if isinstance(result, Piece) and not result.part:
                        yield result._replace(file_hash=file_hash)  # it is the file itself
                    else:
                        yield result
        except UnreadableError as error:
            self._stop_if_closed()
            yield Failure("", error.code, error.detail, error.limit)

    def properties(self, data: bytes, suffix: str) -> list[DocumentProperties | Failure]:
        """What the documents of a file tell besides their texts; as `read`."""
        most = _TEXTS * self.settings.limits.characters // _LEAST  # more have no text either
        process = self._take(fresh=len(data) > _LARGE, reads_scans=False)
        task = Task(secrets.token_hex(8), suffix, self.settings, properties=True)
        try:
            with closing(process.read(task, data)) as frames:
                return [properties_of_answer(frame) for frame in islice(frames, most)]
        except UnreadableError as error:
            self._stop_if_closed()
            return [Failure("", error.code, error.detail, error.limit)]
        finally:
            self._give_back(process)

    def _results(self, data: bytes, suffix: str) -> Generator[Piece | Failure]:
        """What processes answer, or why there is no more."""
        answered = reads_scans = False
        fresh = len(data) > _LARGE
        while True:
            process = self._take(fresh=fresh, reads_scans=reads_scans)
            fresh = fresh or process.is_fresh
            task = Task(secrets.token_hex(8), suffix, self.settings)
            frames = process.read(task, data)
            if fresh and reads_scans == self.settings.ocr:
                data = b""  # nobody else will be asked
            is_passed_on = False
            try:
                with closing(frames):
                    for frame in frames:
                        if is_passed_on:
                            raise nonsense()
                        # It is one for a process that may start Tesseract.
                        is_passed_on = frame.head.get("is") == SCANS and self.settings.ocr
                        is_passed_on = is_passed_on and not answered and not reads_scans
                        if not is_passed_on:
                            result = result_of_answer(frame, self.settings.limits)
                            answered = True
                            yield result
            except UnreadableError as error:
                is_of_file = process.has_recognised and error.code != ProblemCode.CRASH
                if fresh or answered or is_of_file:
                    raise
                fresh = True
            else:
                if not is_passed_on:
                    return
                reads_scans, fresh = True, len(data) > _LARGE
            finally:
                self._give_back(process)

    def _take(self, *, fresh: bool, reads_scans: bool) -> ReaderProcess:
        """A process that can read, for one thread alone; one that died meanwhile is put away."""
        with self._lock:
            self._stop_if_closed()
            idle = self._idle[reads_scans]
            # Else there would be one more for every large file.
            replaced = idle.pop() if fresh and idle else None
            while idle and not fresh:
                process = idle.pop()
                if process.is_usable:
                    break
                process.kill()
            else:
                process = self._started(reads_scans=reads_scans)
            self._busy.add(process)
        if replaced is not None:
            replaced.kill()  # waits for its end, and others need the lock meanwhile
        return process

    def _started(self, *, reads_scans: bool) -> ReaderProcess:
        characters = self.settings.limits.characters
        try:
            return ReaderProcess(characters, self.start, reads_scans=reads_scans)
        except OSError as error:
            raise UnreadableError(
                ProblemCode.FAILED,
                "The process that reads such files could not be started: {reason}. Close other "
                "programs and scan again.",
                reason=error.strerror or type(error).__name__,
            ) from error

    def _stop_if_closed(self) -> None:
        """Raise on a thread that reads on after its caller has stopped waiting."""
        if self._closed:
            raise ScanCancelledError("The scan was cancelled.")

    def _give_back(self, process: ReaderProcess) -> None:
        with self._lock:
            self._busy.discard(process)
            usable = process.is_usable and not self._closed
            if usable:
                self._idle[process.reads_scans].append(process)
        if not usable:
            process.kill()

    def close(self) -> None:
        """End all processes, also busy ones; threads that wait for them are released."""
        with self._lock:
            self._closed = True
            processes = [*self._idle[False], *self._idle[True], *self._busy]
            self._idle = {False: [], True: []}
        for process in processes:
            process.kill()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _length(result: Piece | Failure) -> int:
    words = (*result.remarks, result.text) if isinstance(result, Piece) else (result.detail,)
    return len(result.part) + sum(map(len, words))


@in_english()
def _too_much(most: int) -> UnreadableError:
    return UnreadableError(
        ProblemCode.TOO_BIG_UNPACKED,
        "The documents in this file have more than {characters} characters, or are more than "
        "{documents}; what comes after them was not read. If you trust it, raise the limit in the "
        "settings.",
        "characters",
        characters=readable_count(most),
        documents=readable_count(most // _LEAST),
    )
