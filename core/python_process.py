"""How this program starts another Python that finds the same modules."""

from __future__ import annotations

import json
import sys
from pathlib import Path

__all__ = ["python_command"]

_PATHS = "import json, sys; sys.path[:] = json.loads(sys.argv.pop(1)); "


def python_command(program: str, *arguments: str) -> list[str]:
    """The command line of a Python that runs a program with this one's module paths.

    The current folder, which may be any of the user's, is not among them unless it is here too.

    Args:
        program: Python statements; `sys.argv[1:]` are the arguments.
        arguments: What the program is given.
    """
    paths = json.dumps([path or str(Path.cwd()) for path in sys.path])
    return [_python(), "-P", "-c", _PATHS + program, paths, *arguments]


def _python() -> str:
    """This Python itself; in a virtual environment, Windows has a launcher in its place.

    The memory of the launcher says nothing about that of the process which it starts.
    """
    itself = getattr(sys, "_base_executable", "") if sys.platform == "win32" else ""
    return itself or sys.executable
