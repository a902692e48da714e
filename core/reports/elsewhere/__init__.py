"""The settings of a scan as lines that are ready to be run: here, elsewhere, in other packages.

    asked        what is asked for, and lines that do it
    command      `neardup scan`, quoted for the shells
    python       this package, on texts in memory
    packages     datasketch, datatrove and text-dedup, whose lines are tested against these packages
                 where they are installed (`tests/bench/other_packages.py`)

What a package does otherwise stands beside its lines.
"""

from __future__ import annotations

from core.reports.elsewhere.asked import Asked, ReadyLines
from core.reports.elsewhere.command import posix_line, windows_line
from core.reports.elsewhere.packages import datasketch_lines, datatrove_lines, text_dedup_lines
from core.reports.elsewhere.python import python_lines

__all__ = ["WHERE", "Asked", "ReadyLines", "ready_lines"]

WHERE = {  # by a short name, as the command line has it
    "shell": posix_line,
    "powershell": windows_line,
    "python": python_lines,
    "datasketch": datasketch_lines,
    "datatrove": datatrove_lines,
    "text-dedup": text_dedup_lines,
}


def ready_lines(where: str, asked: Asked) -> ReadyLines:
    """The lines for one of `WHERE`."""
    return WHERE[where](asked)
