"""`python -m core`: the command line without the window."""

from __future__ import annotations

import sys

from core.cli import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
