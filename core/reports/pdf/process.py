"""The process that typesets, as Neardup sees it: given a report, waited for, stopped."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterable
from contextlib import suppress
from threading import Thread
from typing import IO, Any

import psutil

from core.base.progress import Cancelled, stop_if
from core.base.wording import readable_size
from core.errors import ExportError
from core.program.python_process import python_command

START = "from core.reports.pdf.typesetting import main; main()"
_POLL = 0.05  # seconds between two looks at `cancelled`
# Measured: how much typst takes at most for a character of the sections, as JSON.
BYTES_PER_CHARACTER = 350
_BASE = 100_000_000  # bytes


def typeset(
    task: dict[str, Any], sections: Iterable[str], cancelled: Cancelled
) -> tuple[dict[str, Any], memoryview]:
    """Have a report typeset.

    Args:
        task: As `core.reports.pdf.typesetting` reads it.
        sections: Each as JSON; read before the process starts.
        cancelled: Polled while the process works.

    Returns:
        What it told, and the bytes that it made.

    Raises:
        ExportError: There is not enough memory, or no PDF came out.
        ScanCancelledError: `cancelled` said so; the process is gone.
    """
    text = f"[{','.join(sections)}]"
    _check_memory(len(text))
    data = json.dumps(task).encode() + b"\n" + text.encode()
    del text
    output = _output_of(data, cancelled)
    line, found, _ = output.partition(b"\n")
    if not found:
        raise ExportError("The PDF could not be made: the typesetting ended without a result.")
    told = json.loads(line)
    if "error" in told:
        raise ExportError(f"The PDF could not be made: {told['error']}.")
    made = memoryview(output)[len(line) + 1 :]
    if told.get("size", len(made)) != len(made):
        raise ExportError("The PDF could not be made: the typesetting ended before its end.")
    return told, made


def _check_memory(characters: int) -> None:
    needed = _BASE + BYTES_PER_CHARACTER * characters
    free = psutil.virtual_memory().available
    if needed > free:
        raise ExportError(
            f"A PDF of this report takes about {readable_size(needed)} of memory to make, and only "
            f"{readable_size(free)} are free. Show the passages of fewer pairs, or write HTML."
        )


def _output_of(data: bytes, cancelled: Cancelled) -> bytes:
    """All that the process writes."""
    try:
        process = subprocess.Popen(
            python_command(START),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
            process_group=0,  # out of the reach of Ctrl-C, which cancels
        )
    except OSError as error:
        raise ExportError(f"The PDF could not be made: {error.strerror or error}.") from error
    stdin, process.stdin = process.stdin, None
    # In a thread: `communicate` gives no more of its input after its first timeout (Python 3.11).
    giving = Thread(target=_give, args=(stdin, data), name="neardup-typesetting")
    giving.start()
    try:
        while True:
            stop_if(cancelled)
            with suppress(subprocess.TimeoutExpired):
                return process.communicate(timeout=_POLL)[0]
    finally:
        process.kill()
        process.communicate()
        giving.join()


def _give(stdin: IO[bytes] | None, data: bytes) -> None:
    """Write all data, as long as the process takes it."""
    with suppress(OSError):
        if stdin:
            with stdin:
                stdin.write(data)
