"""`python -m core`: the command line without the window."""

from __future__ import annotations

import os
import sys

if __name__ == "__main__":
    from core.program.interrupts import end_at_interrupt

    end_at_interrupt()  # before all that takes time to import

    from core.commands.main import BAD_USAGE, main
    from core.errors import SettingsError
    from core.program.end_signals import leave
    from core.program.startup import choose_language

    try:
        arguments = choose_language(sys.argv[1:], os.environ)
    except SettingsError as error:
        print(f"neardup: {error}", file=sys.stderr)  # noqa: T201
        sys.exit(BAD_USAGE)
    leave(main(arguments))
