"""Programs of Python that tests start."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def python(*arguments, check=False, cwd=ROOT, **options):
    """Run Python to its end, and give what it said."""
    command = [sys.executable, *map(str, arguments)]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=check, **options)
