"""`neardup`: a folder opens the window, a command runs without it.

Nothing of Qt is imported before it is known that a window is wanted.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from core import cli

__all__ = ["main"]

BAD_USAGE = 2
INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the application; returns the exit status."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    try:
        if given and (given[0].startswith("-") or given[0] in cli.COMMANDS):
            return cli.main(given)
    except KeyboardInterrupt:  # while modules are imported, or in the last moment
        return INTERRUPTED
    folders = [Path(name).expanduser().absolute() for name in given]
    for folder in folders:
        if not folder.is_dir():
            problem = "is a file, not a folder" if folder.exists() else "does not exist"
            sys.stderr.write(f"neardup: “{folder}” {problem}.\n")
            return BAD_USAGE
    from neardup_gui.app import run  # noqa: PLC0415 - Qt is slow to import

    return run(folders)


if __name__ == "__main__":
    sys.exit(main())
