"""What a reader process takes of the memory that all share; it stands still while there is none."""

from __future__ import annotations

import contextlib
import time

import psutil

from core.base.memory_claims import Claim
from core.base.progress import Cancelled

OWN_BYTES = 64_000_000  # what a process that reads a usual document has, most of it before it does


def allow_growth(process: int, used: int, claim: Claim, cancelled: Cancelled) -> float:
    """Let a process go on that has come to use so much memory, when there is room for it.

    Meanwhile it stands still: otherwise several at once would swell to their limit.

    Args:
        process: Its number.
        used: Bytes that it has.
        claim: Grows to what it has beyond `OWN_BYTES`.
        cancelled: Polled while there is no room.

    Returns:
        Seconds for which it stood still.

    Raises:
        ScanCancelledError: `cancelled` said so.
    """
    beyond = used - OWN_BYTES
    if claim.try_to_grow(beyond):
        return 0.0
    began = time.monotonic()
    with contextlib.suppress(psutil.Error):
        psutil.Process(process).suspend()
    try:
        claim.grow(beyond, cancelled)
    finally:
        with contextlib.suppress(psutil.Error):
            psutil.Process(process).resume()
    return time.monotonic() - began
