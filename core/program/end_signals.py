"""Signals that ask a program to end: Ctrl+C, a terminal that closes, a system that shuts down.

The exit status is that of a shell: 128 and the number of the signal.
"""

from __future__ import annotations

import atexit
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import NoReturn

from core.base.tasks import cancelled_by
from core.errors import ScanCancelledError
from core.program.interrupts import end_now

_NAMES = ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")  # Windows has no SIGHUP, others no SIGBREAK


class EndRequestedError(KeyboardInterrupt):
    """A signal asked the program to end.

    Attributes:
        number: Of the signal.
    """

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


def status_of(error: BaseException) -> int:
    """The exit status of a program that was stopped by an exception; Ctrl+C unless it says more."""
    return 128 + (error.number if isinstance(error, EndRequestedError) else signal.SIGINT)


def leave(status: int) -> NoReturn:
    """End the process when its work is done, as Python does, but without taking it apart.

    Threads are waited for, and what was registered for the end is called. Then the system takes
    everything back at once, where Python would look at each module and object for .03 s.
    """
    threading._shutdown()  # type: ignore[attr-defined]  # noqa: SLF001 - as `multiprocessing` does
    atexit._run_exitfuncs()  # noqa: SLF001
    end_at_once(status)


def end_at_once(status: int) -> NoReturn:
    """End the process without waiting for its threads, after flushing the output."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (AttributeError, OSError, ValueError):  # there is no stream, or it was closed
            continue
    os._exit(status)


@contextmanager
def end_signals_handled(handler: Callable[[int, FrameType | None], object]) -> Iterator[None]:
    """Call `handler` at every such signal while the block runs.

    A signal that was ignored when the program started stays ignored: nohup(1), and shells for what
    runs in the background, ask for that. Only the main thread is told of signals: on another one,
    nothing happens.
    """
    before = {}
    if threading.current_thread() is threading.main_thread():
        numbers = [getattr(signal, name) for name in _NAMES if hasattr(signal, name)]
        before = {number: signal.getsignal(number) for number in numbers}
    signals = [number for number, old in before.items() if old is not signal.SIG_IGN]
    for number in signals:
        signal.signal(number, handler)
    try:
        yield
    finally:
        for number in signals:
            signal.signal(number, before[number] or signal.SIG_DFL)


@contextmanager
def raised() -> Iterator[None]:
    """Within it, such a signal raises `EndRequestedError` wherever the main thread is.

    While modules are imported, as soon as a module has its turn.
    """

    def stop(number: int, frame: FrameType | None) -> None:
        error = EndRequestedError(number)
        if not _is_in_import(frame):
            raise error
        _raise_in_module(frame, error)

    with end_signals_handled(stop):
        yield


@contextmanager
def until_interrupted() -> Iterator[None]:
    """Within it, such a signal cancels the work; a second one ends the process at once.

    While modules are imported nobody asks for that, and the first import of all takes seconds:
    a signal that comes then raises, as soon as a module has its turn.

    Raises:
        EndRequestedError: The work was cancelled for that.
    """
    came: list[int] = []

    def stop(number: int, frame: FrameType | None) -> None:
        came.append(number)
        signal.signal(number, signal.SIG_DFL)  # who asks twice does not want to wait
        if _is_in_import(frame):
            _raise_in_module(frame, EndRequestedError(number))

    with end_signals_handled(stop), _second_heard(), cancelled_by(lambda: bool(came)):
        try:
            yield
        except (ScanCancelledError, OSError) as error:  # a closed terminal takes no output
            if came:
                raise EndRequestedError(came[0]) from error
            raise


def _is_in_import(frame: FrameType | None) -> bool:
    while frame is not None:
        if _is_importer(frame):
            return True
        frame = frame.f_back
    return False


def _is_importer(frame: FrameType) -> bool:
    return frame.f_code.co_filename.startswith("<frozen importlib.")


def _raise_in_module(frame: FrameType | None, error: EndRequestedError) -> None:
    """Raise at the next line of a module, or of what runs for it, not within what imports it.

    That takes locks outside of any `try`, also in callbacks whose exceptions go nowhere: one that
    it keeps stops the imports of all other threads for ever. Exceptions of `__del__` go nowhere
    either, nor do those of any other callback, which may run between two lines: so of what is
    called from now on, only modules raise.
    """

    def look(at: FrameType, _event: str, _value: object) -> None:
        if at.f_trace is look or (at.f_code.co_name == "<module>" and not _is_importer(at)):
            sys.settrace(None)
            raise error

    while frame is not None:
        if not _is_importer(frame) and frame.f_code.co_name != "__del__":
            frame.f_trace = look
        frame = frame.f_back
    sys.settrace(look)


@contextmanager
def _second_heard() -> Iterator[None]:
    """Within it, a second Ctrl+C ends the process also while the main thread runs compiled code.

    Python calls no handler before that call returns, but it writes the number of every signal into
    a socket as it comes. Nothing happens on another thread than the main one.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    import socket  # noqa: PLC0415 - commands start without it

    hearing, telling = socket.socketpair()
    telling.setblocking(False)

    def hear() -> None:
        heard = 0
        while numbers := hearing.recv(64):
            heard += numbers.count(signal.SIGINT)
            if heard > 1:
                end_now()

    thread = threading.Thread(target=hear, name="neardup-interrupts", daemon=True)
    before = signal.set_wakeup_fd(telling.fileno(), warn_on_full_buffer=False)
    thread.start()
    try:
        yield
    finally:
        signal.set_wakeup_fd(before)
        telling.close()
        thread.join()
        hearing.close()
