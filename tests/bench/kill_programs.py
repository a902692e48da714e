"""Neardup in a process that was forked from one that has everything loaded, told to be killed.

A start takes milliseconds this way instead of a second, so that most kills meet the work. What a
program says goes through a pipe, one line each: a word and the time (CLOCK_MONOTONIC, seconds).

    saving, written    around every save of a review
    incomplete         in place of "written", where that was said of the one file
    saved              said to the user: exit status 0 of a scan
    calls              how many system calls on the watched folder there were, in place of the time
"""

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple, NoReturn

from fault_calls import CHANGING, Action, Calls

Send = Callable[..., None]


class Moment(NamedTuple):
    """When a program is killed: at a call on the watched folder, or after some seconds."""

    call: int = 0
    half: bool = False
    seconds: float | None = None


class Program(NamedTuple):
    """What a program does.

    Attributes:
        kind: "scan" or "report".
        folder: The documents.
        review: The review.
        report: What is exported.
    """

    kind: str
    folder: Path
    review: Path
    report: Path


def start(program: Program, watched: Path, moment: Moment, output: Path) -> tuple[int, int]:
    """Fork a program; its process and the pipe of what it says, which does not block."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.close(reading)
        _run(program, watched, moment, output, writing)
    os.close(writing)
    os.set_blocking(reading, False)
    return child, reading


def _run(program: Program, watched: Path, moment: Moment, output: Path, pipe: int) -> NoReturn:
    """The forked process."""
    status = 1
    try:
        file = os.open(output, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        for number in (1, 2):
            os.dup2(file, number)
        # Both say "line 1" in what is printed otherwise.
        sys.stdout = os.fdopen(os.dup(1), "w")
        sys.stderr = os.fdopen(os.dup(2), "w", buffering=1)

        def send(name: str, value: float | None = None) -> None:
            os.write(pipe, f"{name} {time.monotonic() if value is None else value}\n".encode())

        action = Action.KILL_HALF if moment.half else Action.KILL
        calls = Calls(watched)
        calls.arm(moment.call or 1 << 60, action, kinds=CHANGING)
        _send_saves(send)
        status = _command(program, send)
        send("calls", calls.count)
        sys.stdout.flush()
    except BaseException:  # noqa: BLE001 - the caller looks for it
        import traceback

        traceback.print_exc()
    finally:
        os._exit(status)


def _send_saves(send: Send) -> None:
    """Tell when a save begins and when it has ended."""
    from core import review

    save = review.save_review

    def saved(*given: object, **named: object) -> object:
        send("saving")
        result = save(*given, **named)  # type: ignore[arg-type]
        send(
            "incomplete" if any("not complete in the one" in each for each in result) else "written"
        )
        return result

    review.save_review = saved  # type: ignore[assignment]


def _scan(program: Program) -> list[str]:
    results = [f"--review={program.review}", f"--report={program.report}"]
    return ["scan", str(program.folder), *results, f"--pairs={program.report.with_suffix('.csv')}"]


def _report(program: Program) -> list[str]:
    return ["report", str(program.review), str(program.report.with_name("other.html"))]


COMMANDS = {"scan": _scan, "report": _report}


def _command(program: Program, send: Send) -> int:
    from core.commands.main import main

    status = main(COMMANDS[program.kind](program))
    if status == 0 and program.kind == "scan":
        send("saved")
    return status
