"""Programs of Python that tests start."""

import ast
import subprocess
import sys
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]


def python(*arguments, check=False, cwd=ROOT, **options):
    """Run Python to its end, and give what it said."""
    command = [sys.executable, *map(str, arguments)]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=check, **options)


@cache
def trees():
    """Every file of the program with its syntax tree."""
    paths = [path for room in ("core", "neardup_gui") for path in (ROOT / room).rglob("*.py")]
    return [(path, ast.parse(path.read_text("utf-8"))) for path in paths]
