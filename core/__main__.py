"""`python -m core`: the command line without the window."""

from __future__ import annotations

import sys

if __name__ == "__main__":
    from core.program.interrupts import end_at_interrupt

    end_at_interrupt()  # before all that takes time to import

    from core.commands.main import main

    sys.exit(main(sys.argv[1:]))
