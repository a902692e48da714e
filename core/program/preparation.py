"""The engine's kernels, compiled before anybody waits for them.

Numba compiles a kernel when it is first called, and the machine code is kept beside the source or,
where that cannot be written, in the user's cache folder (`core.base.compiling`). So once for
each installation and computer there are seconds to wait. They are spent in processes of their own,
one for each half of the kernels: both cores work, files are read meanwhile, and no window stalls.
Whoever is about to call a kernel asks `wait` first.
"""

from __future__ import annotations

import os
import platform
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import copy_context
from functools import partial
from importlib.metadata import version
from pathlib import Path

from core.base.compiling import ENDING, KERNEL_FILES, load, save
from core.base.messages import N_, gettext
from core.base.tasks import POLL, cancelled_by, stop_if_cancelled
from core.base.wording import printable_name
from core.errors import PreparationError, ScanCancelledError
from core.program.startup import python_command

USUAL, OTHER = "usual", "other"  # what the presets need; all other methods and settings
PROCESSES = 2
NOT_AHEAD = N_("The engine could not be compiled ahead. It will be when it is first needed.")
NOT_KEPT = 3  # exit status of a process that compiled, and could write its kernels nowhere
_ENDING = "from core.program.startup import end_with_input; end_with_input(); "
_PROGRAM = "from core.scan.exercises import main; main()"

_finished = threading.Event()  # the kernels are the process's, and so is this
_finished.set()


def begin() -> None:
    """Let `wait` wait: kernels are being prepared. `finish` has to follow, whatever comes."""
    _finished.clear()


def finish() -> None:
    """Nobody has to wait any more."""
    _finished.set()


def wait() -> None:
    """Wait until nobody prepares the kernels."""
    while not _finished.wait(POLL):
        stop_if_cancelled()


def is_prepared(part: str = USUAL) -> bool:
    """Whether this computer has the machine code of these kernels, as far as one can tell."""
    try:
        return load(KERNEL_FILES, _stamp(part), _fingerprint()) is not None
    except OSError:
        return False


def can_keep() -> bool:
    """Whether compiling ahead is of use: there is a folder for the machine code, and room."""
    return KERNEL_FILES.can_keep()


def prepare(part: str = USUAL) -> None:
    """Compile kernels, in processes of their own; those in the cache cost next to nothing.

    Args:
        part: `USUAL` or `OTHER`.

    Raises:
        PreparationError: That did not work out: kernels are compiled when they are called.
    """
    if not can_keep():
        raise PreparationError(_not_kept())
    processes: list[subprocess.Popen[bytes]] = []
    try:
        processes.extend(_start(f"{part}-{number}") for number in range(1, PROCESSES + 1))
        while any(process.poll() is None for process in processes):
            stop_if_cancelled()
            time.sleep(POLL)
        statuses = {process.returncode for process in processes} - {0}
        if statuses - {NOT_KEPT}:
            raise PreparationError(NOT_AHEAD)
        if statuses or not save(KERNEL_FILES, _stamp(part), _fingerprint(), b""):
            raise PreparationError(_not_kept())
    except OSError as error:
        raise PreparationError(NOT_AHEAD) from error
    finally:
        for process in processes:
            _end(process)


@contextmanager
def prepared_meanwhile() -> Iterator[None]:
    """Prepare what the presets need while the block runs, on a thread of its own."""
    stop = threading.Event()

    def work() -> None:
        try:
            with suppress(PreparationError, ScanCancelledError), cancelled_by(stop.is_set):
                prepare()
        finally:
            finish()

    begin()
    working = partial(copy_context().run, work)
    thread = threading.Thread(target=working, name="neardup-preparation")
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


def _start(order: str) -> subprocess.Popen[bytes]:
    """Start a process that compiles; the end of its input, when this one is killed, ends it."""
    return subprocess.Popen(
        python_command(_ENDING + _PROGRAM, order),
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
    )


def _end(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.wait()
    if process.stdin is not None:
        process.stdin.close()


def _not_kept() -> str:
    folders = " or ".join(f"“{printable_name(str(path))}”" for path in KERNEL_FILES.folders)
    return gettext(
        "The compiled engine cannot be kept in {folders}: nothing can be written there, or "
        "the disk is full. It is compiled anew at every start.",
        folders=folders,
    )


def _stamp(part: str) -> str:
    """The file that says for what the kernels beside it were compiled.

    An installation may have them for several processors, of which its launcher chooses one.
    """
    chosen = os.environ.get("NUMBA_CPU_NAME")
    names = ("prepared", part, sys.implementation.cache_tag, *([chosen] if chosen else ()))
    return "-".join(names) + ENDING


def _sources(root: str) -> Iterator[str]:
    """The sources in a folder, with the time of change and the size of each."""
    for folder, _, names in os.walk(root):
        for name in names:
            if name.endswith(".py"):
                path = os.path.join(folder, name)
                status = os.stat(path)  # noqa: PTH116 - a Path costs three times as much
                yield f"{path.removeprefix(root)} {status.st_mtime_ns} {status.st_size}"


def _fingerprint() -> bytes:
    """What machine code depends on: Python, Numba, the processor and, as Numba does, the sources.

    Of these the time of change and the size, at present; wherever they lie, since an installation
    with its kernels may be moved.
    """
    from llvmlite import binding  # noqa: PLC0415 - slow to import

    root = str(Path(__file__).parents[1])
    known = [
        platform.python_version(),
        version("numba"),
        version("llvmlite"),
        os.environ.get("NUMBA_CPU_NAME") or binding.get_host_cpu_name(),
        os.environ.get("NUMBA_CPU_FEATURES") or binding.get_host_cpu_features().flatten(),
        *sorted(_sources(root)),
    ]
    return "\n".join(known).encode("utf-8", "surrogateescape")
