"""Neardup in a process that was forked from one that has everything loaded, told to be killed.

A start takes milliseconds this way instead of a second, so that most kills meet the work. What a
program says goes through a pipe, one line each: a word and the time (CLOCK_MONOTONIC, seconds).

    saving, written    around every save of a review
    incomplete         in place of "written", where that was said of the one file
    saved, exported    said to the user: exit status 0 of the command line, or the message bar
    calls              how many system calls on the watched folder there were, in place of the time
"""

import faulthandler
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple, NoReturn

from fault_calls import CHANGING, Action, Calls

Send = Callable[..., None]
GIVEN_UP = 99  # exit status of a window in which nothing happens any more
PATIENCE_MS = 120_000


class Moment(NamedTuple):
    """When a program is killed: at a call on the watched folder, or after some seconds."""

    call: int = 0
    half: bool = False
    seconds: float | None = None


class Program(NamedTuple):
    """What a program does.

    Attributes:
        kind: "scan", "report", "window" or "screen", a window on a real display.
        folder: The documents.
        review: The review.
        report: What is exported.
        display: Of "screen".
    """

    kind: str
    folder: Path
    review: Path
    report: Path
    display: str = ""


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
        status = _command(program, send) if program.kind in COMMANDS else _window(program, send)
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


def _window(program: Program, send: Send) -> int:
    """Open the review, rescan, save, export, close; where it is read only, export and close."""
    os.environ["QT_QPA_PLATFORM"] = "xcb" if program.display else "offscreen"
    if program.display:
        os.environ["DISPLAY"] = program.display
    from PySide6.QtCore import QTimer

    from neardup_gui import app

    build = app.build_window
    scripts = []

    def built(*given: object) -> object:
        window = build(*given)  # type: ignore[arg-type]
        scripts.append(Script(window, program, send))
        QTimer.singleShot(PATIENCE_MS, window, scripts[-1].give_up)
        return window

    app.build_window = built  # type: ignore[assignment]
    return app.run([program.review if program.review.exists() else program.folder])


class Script:
    """The actions of a user in a window."""

    def __init__(self, window: object, program: Program, send: Send) -> None:
        self._window, self._program, self._tell = window, program, send
        self._rescanned = self._saved = self._exported = False
        self._presenter = window.presenter  # type: ignore[attr-defined]
        self._presenter.listed.connect(self._on_listed)
        self._presenter.message_posted.connect(self._on_said)

    def give_up(self) -> None:
        """Say what every thread does, and what is not done, and end."""
        faulthandler.dump_traceback(all_threads=True)
        print(self._presenter.state, self._rescanned, self._saved, self._exported, flush=True)
        os._exit(GIVEN_UP)

    def _on_listed(self, listing: object) -> None:
        if not listing.complete:  # type: ignore[attr-defined]
            return
        from PySide6.QtCore import QTimer

        QTimer.singleShot(0, self._window, self._next)

    def _next(self) -> None:
        if not self._rescanned:
            self._rescanned = True
            self._presenter.rescan()
        elif not self._saved:
            self._saved = True
            self._presenter.save_review(self._program.review)

    def _on_said(self, message: object) -> None:
        text = message.text  # type: ignore[attr-defined]
        print("said:", text, flush=True)
        if text.startswith("Saved the review"):
            self._tell("saved")
            self._export()
        elif text.startswith("Saved "):
            self._tell("exported")
            self._window.close()  # type: ignore[attr-defined]
        elif self._saved and not self._exported:  # it was not saved: another program has it
            self._export()
        elif self._exported:
            self._window.close()  # type: ignore[attr-defined]

    def _export(self) -> None:
        if not self._exported:
            self._exported = True
            self._presenter.exports.save(self._program.report)
