"""Failing, killing and recording system calls: the Python side of faults.c.

A program that wants that calls `preloaded()` first, which starts it again with the library.
"""

import ctypes
import errno
import functools
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from enum import IntEnum, IntFlag
from pathlib import Path

SOURCE = Path(__file__).with_name("faults.c")
ROOT = Path(__file__).parents[2]
NAME = "neardup-faults.so"


class Kind(IntFlag):
    """What a call does."""

    OPEN = 1
    READ = 2
    WRITE = 4
    SYNC = 8
    TRUNCATE = 16
    UNLINK = 32
    RENAME = 64
    CHMOD = 128
    MAP = 256
    LOCK = 512
    MEMORY = 1024


CHANGING = Kind.OPEN | Kind.WRITE | Kind.SYNC | Kind.TRUNCATE | Kind.UNLINK | Kind.RENAME
FILES = CHANGING | Kind.READ | Kind.CHMOD | Kind.MAP | Kind.LOCK


class Action(IntEnum):
    """What happens at the chosen call."""

    COUNT = 0
    FAIL_ONCE = 1
    FAIL_ALWAYS = 2  # that call and all after it
    FAIL_HALF = 3  # half of a write is done, the next call fails
    KILL = 4
    KILL_HALF = 5  # in the middle of a write


def why_not() -> str:
    """Why this does not work here; empty where it does."""
    if sys.platform != "linux":
        return "libraries are preloaded on Linux only"
    if shutil.which("gcc") is None:
        return "needs gcc"
    import _sqlite3

    linked = subprocess.run(
        ["ldd", getattr(_sqlite3, "__file__", "")], capture_output=True, text=True, check=False
    )
    if "libsqlite3" not in linked.stdout:
        return "SQLite is part of this Python, not a library beside it"
    return ""


@functools.cache
def library(folder: Path | None = None) -> Path:
    """The compiled library, in its own folder or a given one."""
    path = (folder or Path(tempfile.mkdtemp(prefix="neardup-faults-"))) / NAME
    if not path.exists():
        subprocess.run(
            ["gcc", "-shared", "-fPIC", "-O1", "-pthread", "-o", str(path), str(SOURCE), "-ldl"],
            check=True,
        )
    return path


def environment(**more: str) -> dict[str, str]:
    """What a program must be started with."""
    given = {key: value for key, value in os.environ.items() if key != "LD_PRELOAD"}
    return {**given, "LD_PRELOAD": str(library()), "PYTHONPATH": str(ROOT), **more}


def preloaded() -> None:
    """Start this program again with the library, unless it has it."""
    if NAME in os.environ.get("LD_PRELOAD", ""):
        return
    reason = why_not()
    if reason:
        sys.exit(f"This cannot be done here: {reason}.")
    try:
        status = subprocess.run([sys.executable, *sys.argv], env=environment(), check=False)
    finally:
        shutil.rmtree(library().parent)
    sys.exit(status.returncode)


class Calls:
    """The calls of this process on the files of one folder."""

    def __init__(self, folder: Path) -> None:
        self._library = ctypes.CDLL(None)
        self._library.faults_count.restype = ctypes.c_long
        self._library.faults_arm.argtypes = (
            ctypes.c_long, ctypes.c_int, ctypes.c_int, ctypes.c_uint,
        )  # fmt: skip
        self._folder = os.fsencode(os.path.realpath(folder))
        self._library.faults_watch(self._folder)

    def arm(self, number: int, action: Action, code: int = errno.EIO, kinds: Kind = FILES) -> None:
        """Let something happen at the call with this number, from 1."""
        self._library.faults_watch(self._folder)
        self._library.faults_arm(number, int(action), code, int(kinds))

    @contextmanager
    def at(
        self, number: int, action: Action, code: int = errno.EIO, kinds: Kind = FILES
    ) -> Iterator[None]:
        """The same, as long as the block runs."""
        self.arm(number, action, code, kinds)
        try:
            yield
        finally:
            self._hit = int(self._library.faults_hit())
            self._library.faults_arm(-1, 0, 0, 0)

    @property
    def hit(self) -> Kind | None:
        """What kind of call was struck in the last block; None where there was no such call."""
        return Kind(self._hit) if self._hit else None

    @property
    def count(self) -> int:
        """How many calls there were since something was armed."""
        return int(self._library.faults_count())

    @property
    def open_files(self) -> int:
        """How many files of the folder this process has open."""
        return int(self._library.faults_open())

    @contextmanager
    def recorded(self, path: Path) -> Iterator[None]:
        """Record into a file, which is outside of the folder, what changes in the folder."""
        with path.open("wb", buffering=0) as file:
            self._library.faults_record(file.fileno())
            try:
                yield
            finally:
                self._library.faults_record(-1)

    def mark(self, number: int) -> None:
        """Record a number for a message sent at this moment."""
        self._library.faults_mark(number)


def sqlite_memory() -> None:
    """Have SQLite ask for its memory in a way that can fail; before anything imports sqlite3."""
    if "sqlite3" in sys.modules:
        raise RuntimeError("SQLite has been initialised already.")
    ctypes.CDLL("libsqlite3.so.0", ctypes.RTLD_GLOBAL)
    if ctypes.CDLL(None).faults_sqlite_memory() != 0:
        raise RuntimeError("SQLite takes no other memory any more.")
