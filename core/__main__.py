"""`python -m core`: the command line without the window."""

from __future__ import annotations

import sys

if __name__ == "__main__":
    from core.interrupts import end_at_interrupt

    end_at_interrupt()  # before all that takes time to import

    from core.cli import main

    sys.exit(main(sys.argv[1:]))
