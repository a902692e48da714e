"""How this program starts another Python that finds the same modules, and ends with it."""

from __future__ import annotations

import contextlib
import json
import os
import sys
import threading
from pathlib import Path

_PATHS = "import json, sys; sys.path[:] = json.loads(sys.argv.pop(1)); "
_INPUT = 0  # the descriptor of standard input


def python_command(program: str, *arguments: str) -> list[str]:
    """The command line of a Python that runs a program with this one's module paths.

    The current folder, which may be any of the user's, is not among them unless it is here too.

    Args:
        program: Python statements; `sys.argv[1:]` are the arguments.
        arguments: What the program is given.
    """
    paths = json.dumps([path or str(Path.cwd()) for path in sys.path])
    return [_python(), "-P", "-c", _PATHS + program, paths, *arguments]


def end_with_input() -> None:
    """End this process as soon as its standard input ends, whatever it does then.

    Whoever started it with a pipe, and is killed, would leave it behind otherwise.
    """
    threading.Thread(target=_wait_for_the_end, daemon=True, name="neardup-end").start()


def _wait_for_the_end() -> None:
    """Read without a buffer: its lock would hold up the end of the interpreter."""
    with contextlib.suppress(OSError):
        while os.read(_INPUT, 1):
            pass
    os._exit(1)


def _python() -> str:
    """This Python itself; in a virtual environment, Windows has a launcher in its place.

    The memory of the launcher says nothing about that of the process which it starts.
    """
    itself = getattr(sys, "_base_executable", "") if sys.platform == "win32" else ""
    return itself or sys.executable
