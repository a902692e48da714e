"""`python -m core`: the command line without the window."""

from __future__ import annotations

import sys

if __name__ == "__main__":
    try:
        from core.cli import main

        status = main(sys.argv[1:])
    except KeyboardInterrupt:  # while modules are imported, or in the last moment
        status = 130
    sys.exit(status)
