"""Ctrl+C while the program starts; from then on `core.program.end_signals` handles it.

Python raises `KeyboardInterrupt` wherever it is at that moment, also in the middle of an import. It
imports little, for the same reason.
"""

from __future__ import annotations

# What `signal` is made of, without `enum`, which takes time to import.
import _signal  # type: ignore[import-not-found]
import atexit
import os

TYPE_CHECKING = False  # as in `typing`, which takes time to import
if TYPE_CHECKING:
    from typing import NoReturn

INTERRUPTED = 130  # the exit status of shells for what Ctrl+C ended
STANDARD_ERROR = 2


def end_at_interrupt() -> None:
    """From now on Ctrl+C ends the process at once; for the start, when nothing is open yet.

    Once all is done it no longer matters: Python takes its handler away before it is rid of its
    modules, which takes a while, and the signal would end a process that has done its work.
    """
    if _signal.getsignal(_signal.SIGINT) != _signal.SIG_IGN:  # as for what runs in the background
        _signal.signal(_signal.SIGINT, end_now)
        # What is registered first runs last.
        atexit.register(_signal.signal, _signal.SIGINT, _signal.SIG_IGN)


def end_now(*_details: object) -> NoReturn:
    """End the process without another word of Python's."""
    try:
        os.write(STANDARD_ERROR, b"neardup: Stopped.\n")
    except OSError:  # it is closed
        pass
    finally:
        os._exit(INTERRUPTED)
