"""A reader process: it reads one file after the other, whose bytes it is given through a pipe.

It opens none of the user's files itself.
It must not load more than readers need: nothing here may import NumPy or the engine.

Libraries that a confined process could not find, or would have to compile again and again.

Most installers compile modules. Where one did not, every reader would compile the libraries again,
and could not keep that. And PYTHONPATH may make Python look for libraries anywhere.

Limits that the operating system enforces, below those that Neardup watches itself.

They hold where a process swells faster than it is looked at, or outlives who started it. Only Unix
has them; elsewhere watching is all there is.
"""

from __future__ import annotations

import contextlib
import os
import queue
import signal
import sys
import threading
import time
from collections.abc import Sequence
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import IO, Any, NoReturn

from core.base.memory import counted_seconds
from core.documents import extraction
from core.documents.isolation.confinement import confine, files_to_read
from core.documents.isolation.protocol import (
    SCANS,
    Frame,
    Task,
    answer_of,
    read_body,
    read_head,
    write_frame,
)
from core.documents.readers import reading_of
from core.documents.reading_settings import DEFAULT_LIMITS
from core.documents.recognition import READERS, recognise

if sys.platform != "win32":
    import resource

_SPARE = 256 << 20  # bytes of addresses that are reserved and not used
_SPARE_SECONDS = 10
_LINE = 200  # bytes at most


def limit_process(memory_bytes: int) -> None:
    """Limit the address space to its present size plus this many bytes; write no core dump."""
    if sys.platform == "win32":
        return
    _lower(resource.RLIMIT_CORE, 0)
    if sys.platform != "linux":  # macOS reserves what it never uses
        return
    with contextlib.suppress(OSError):  # a container may have no /proc
        pages = int(os.pread(_own_sizes(), _LINE, 0).split()[0])
        _lower(resource.RLIMIT_AS, pages * resource.getpagesize() + memory_bytes + _SPARE)


@cache
def _own_sizes() -> int:
    """The open file in /proc with the sizes of this process, as a confined one cannot open it."""
    return os.open("/proc/self/statm", os.O_RDONLY | os.O_CLOEXEC)


def limit_cpu(seconds: int) -> None:
    """Limit the processor time of this process to this many seconds from now."""
    if sys.platform == "win32":
        return
    _lower(resource.RLIMIT_CPU, int(counted_seconds()) + seconds + _SPARE_SECONDS)


def _lower(which: int, value: int) -> None:
    """Set the soft limit; the hard one stays, so that it can be set again for the next file."""
    hard = resource.getrlimit(which)[1]
    soft = min(value, sys.maxsize if hard == resource.RLIM_INFINITY else hard)
    resource.setrlimit(which, (soft, hard))


# What all readers of texts import, and what each imports when it meets its format.
_MODULES = {"chardet", *(module for reader in READERS for module in reader.libraries)}


def keep_compiled_modules() -> None:
    """Have the libraries compiled and kept, if that was not done yet and can be done."""
    if sys.dont_write_bytecode:
        return
    for module in _MODULES:
        spec = find_spec(module.partition(".")[0])
        if spec and spec.cached and spec.origin:
            can_be_kept = os.access(Path(spec.origin).parent, os.W_OK)
            if not Path(spec.cached).exists() and can_be_kept:
                import_module(module)


def load_libraries_outside(readable: Sequence[Path]) -> None:
    """Import the libraries that a confined process would not find, with all that they import.

    Args:
        readable: Folders that it can read.
    """
    for module in _MODULES:
        spec = find_spec(module.partition(".")[0])
        if spec and spec.origin:
            path = Path(spec.origin).resolve()
            if not any(path.is_relative_to(folder) for folder in readable):
                import_module(module)


_STEP_SECONDS = 0.25  # between two signs of life

# Each with the bytes of its file, or why there is no room for them.
_Tasks = queue.SimpleQueue[tuple[Task, bytes | MemoryError]]


def main() -> None:
    """Read files until the pipe closes."""
    answers = _private_output()
    stream = sys.stdin.buffer
    limit_process(DEFAULT_LIMITS.memory_bytes)  # finds what cannot be opened any more below
    keep_compiled_modules()
    load_libraries_outside(files_to_read())
    reads_scans = SCANS in sys.argv[1:]
    confine(runs_programs=reads_scans)
    write_frame(answers, Frame({"is": "ready"}))
    tasks: _Tasks = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(stream, tasks), daemon=True).start()
    while True:
        _serve(tasks, answers, reads_scans=reads_scans)


def _end() -> NoReturn:
    """End this process and what it started, whatever they do."""
    if sys.platform != "win32" and os.getpgrp() == os.getpid():  # a group of its own
        with contextlib.suppress(OSError):  # a confined one that started nothing may not
            os.killpg(0, signal.SIGKILL)
    os._exit(0)


def _private_output() -> IO[bytes]:
    """The pipe to Neardup, out of the reach of libraries that print to standard output."""
    private = os.dup(sys.stdout.fileno())
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
    return os.fdopen(private, "wb")


def _listen(stream: IO[bytes], tasks: _Tasks) -> None:
    """Take tasks from the pipe, on a thread, so that its end ends this process at any time.

    Whoever started this process may be killed; a reader that hangs would stay for ever.
    """
    with contextlib.suppress(Exception):
        # Neardup is believed: passwords may be many, and the size of a file was looked at.
        while (begun := read_head(stream.read, sys.maxsize, sys.maxsize)) is not None:
            values, size = begun
            task = Task.from_values(values)
            limit_process(task.settings.limits.memory_bytes)  # the bytes of the file count, too
            data: bytes | MemoryError | None
            try:
                data = read_body(stream, size)
            except MemoryError as error:
                data = error
            if data is None:
                break
            tasks.put((task, data))
            del data  # only who reads it has it
    _end()


class _Answers:
    """Sends documents and signs of life, each with the number of the task."""

    def __init__(self, stream: IO[bytes], number: str) -> None:
        self._stream = stream
        self._number = number
        self._last = time.monotonic()

    def step(self) -> None:
        now = time.monotonic()
        if now - self._last >= _STEP_SECONDS:
            self._last = now
            self.send({"is": "step"})

    def give(
        self, result: extraction.Piece | extraction.DocumentProperties | extraction.Failure
    ) -> None:
        self.send(*answer_of(result))

    def send(self, head: dict[str, Any], body: bytes | bytearray = b"") -> None:
        write_frame(self._stream, Frame({**head, "task": self._number}, body))


def _serve(tasks: _Tasks, stream: IO[bytes], *, reads_scans: bool) -> None:
    task, data = tasks.get()
    answers = _Answers(stream, task.number)
    if isinstance(data, MemoryError):
        answers.give(extraction.failure_of(data, ""))
    else:
        try:
            _read(data, task, answers, reads_scans=reads_scans)
        except Exception as error:  # noqa: BLE001 - a fault in a reader must cost one file only
            answers.give(extraction.failure_of(error, ""))
    del data  # before the next file is sent
    answers.send({"is": "end"})


def _read(data: bytes, task: Task, answers: _Answers, *, reads_scans: bool) -> None:
    """Read a file, or raise; one with pages to recognise is passed on to a process that can.

    Recognising pages takes seconds each: then only Neardup limits the time of this process.
    """
    seconds = task.settings.limits.seconds
    limit_cpu(seconds)
    reader = recognise(data, task.suffix)
    reading = reading_of(task.settings, task.suffix, answers.step)
    answers.send({"is": "recognised", "kind": reader.kind})
    if task.properties:
        for properties in extraction.extract_properties(data, reading, reader):
            answers.give(properties)
        return
    if task.settings.ocr and reader.may_be_scanned:
        if not reads_scans:
            answers.send({"is": SCANS})
            return
        limit_cpu(sys.maxsize)
    for result in extraction.extract(data, reading, reader):
        answers.give(result)
