"""Signals that end the program: in order, nothing left over, and the exit status of a shell."""

import os
import signal
import subprocess
import sys
import threading
from functools import partial
from importlib import import_module

import pytest

from core.base.tasks import is_cancelled
from core.commands import scan
from core.errors import ScanCancelledError
from core.program.end_signals import (
    EndRequestedError,
    end_signals_handled,
    raised,
    status_of,
    until_interrupted,
)
from tests.programs import ROOT, python

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")

NUMBERS = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP] if sys.platform != "win32" else []
# The signal comes while the review is written: between two texts, where nobody else is asked. It
# comes once, however many threads pack: the second one would end the process at once.
IN_THE_SAVE = """
import os, sys
from core.commands import main
from core.review import saving
pack, signals = saving.pack_text, iter([int(sys.argv[1])])
def stop(*given):
    for number in signals:
        os.kill(os.getpid(), number)
    return pack(*given)
saving.pack_text = stop
sys.exit(main.main(sys.argv[2:]))
"""
# What is written to a terminal that was closed fails; the work must end as asked all the same.
ON_A_TERMINAL = """
import os, signal, sys, time
os.open(os.ttyname(0), os.O_RDWR)  # from now on it is the terminal of this session
from core.commands import main
from core.scan import flow
add = flow.Scan.add
def wait_for_the_end(self, batch):
    add(self, batch)
    print("Reading", flush=True)
    while signal.getsignal(signal.SIGHUP) is not signal.SIG_DFL:
        time.sleep(0.01)
    print("Half a line", end="")
flow.Scan.add = wait_for_the_end
sys.exit(main.main(sys.argv[1:]))
"""

# Python has taken all handlers away when it is rid of its modules.
AT_THE_END = """
import os, signal, sys
from core.program.interrupts import end_at_interrupt
end_at_interrupt()
class Last:
    def __del__(self, kill=os.kill, process=os.getpid(), number=signal.SIGINT):
        kill(process, number)
last = Last()
sys.exit(7)
"""

LEFT = """
import atexit, sys, threading
from core.base.tasks import WorkerPool
from core.program.end_signals import leave
release = threading.Event()
atexit.register(print, "registered")
WorkerPool(1).submit(lambda: (release.wait(), print("a thread")))
threading.Timer(0.1, release.set).start()
print("printed", file=sys.stderr)
leave(7)
"""

HEARD = pytest.mark.parametrize("heard", [until_interrupted, raised])


@pytest.mark.parametrize("number", NUMBERS)
def test_while_a_review_is_written(number, essays):
    folder = essays.parent
    done = python(
        "-c",
        IN_THE_SAVE,
        str(int(number)),
        "scan",
        str(essays),
        f"--review={folder / 'r.neardup'}",
        f"--report={folder / 'r.html'}",
    )

    assert (done.returncode, done.stderr) == (128 + number, "neardup: Stopped.\n")
    assert [path.name for path in folder.iterdir()] == ["essays"]


@pytest.mark.parametrize("number", NUMBERS)
def test_outside_of_the_long_work(number, essays, monkeypatch, neardup):
    before = signal.getsignal(number)
    monkeypatch.setattr(scan, "run", lambda _options: os.kill(os.getpid(), number))

    assert neardup("scan", essays, status=128 + number).err == "neardup: Stopped.\n"
    assert signal.getsignal(number) is before


@pytest.mark.parametrize("number", NUMBERS)
def test_work_is_cancelled_and_the_second_signal_ends_at_once(number):
    with pytest.raises(EndRequestedError) as stopped, until_interrupted():  # noqa: PT012
        assert not is_cancelled()
        os.kill(os.getpid(), number)
        assert is_cancelled()
        assert signal.getsignal(number) is signal.SIG_DFL
        raise ScanCancelledError("Stopped.")

    assert status_of(stopped.value) == 128 + number
    assert signal.getsignal(number) is not signal.SIG_DFL or number != signal.SIGINT


@HEARD
def test_a_signal_does_not_wait_for_the_end_of_an_import(heard, tmp_path, monkeypatch):
    (tmp_path / "slow_to_import.py").write_text(
        "import os, signal\nos.kill(os.getpid(), signal.SIGINT)\nsignal.slept = True\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(signal, "slept", False, raising=False)

    with pytest.raises(EndRequestedError), heard():
        import_module("slow_to_import")

    assert not signal.slept


@HEARD
def test_a_signal_during_an_import_is_raised_after_it(heard):
    # As in the callback that takes the lock of a module away: what is raised there is lost.
    within = (
        "try:\n    signal.raise_signal(signal.SIGINT)\nexcept BaseException:\n    lost = True\n"
    )
    names = {"signal": signal}

    with pytest.raises(EndRequestedError) as stopped, heard():  # noqa: PT012
        exec(compile(within, "<frozen importlib._bootstrap>", "exec"), names)
        names["went_on"] = True

    assert status_of(stopped.value) == 128 + signal.SIGINT
    assert not names.keys() & {"lost", "went_on"}
    assert sys.gettrace() is None


@HEARD
def test_a_signal_while_an_object_is_deleted_raises_in_the_module(heard, tmp_path, monkeypatch):
    # What is raised in `__del__` is lost.
    (tmp_path / "deletes.py").write_text(
        "import os, signal\n"
        "class Gone:\n"
        "    def __del__(self):\n"
        "        os.kill(os.getpid(), signal.SIGINT)\n"
        "        signal.slept = False\n"
        "Gone()\n"
        "signal.slept = True\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(signal, "slept", None, raising=False)

    with pytest.raises(EndRequestedError), heard():
        import_module("deletes")

    assert signal.slept is False
    assert sys.gettrace() is None


@HEARD
def test_a_callback_during_an_import_does_not_swallow_a_signal(heard):
    called = []

    class Removed:
        def __del__(self):
            called.append(True)

    within = "signal.raise_signal(signal.SIGINT)\ndel gone\n"
    names = {"signal": signal, "gone": Removed()}

    with pytest.raises(EndRequestedError), heard():  # noqa: PT012
        exec(compile(within, "<frozen importlib._bootstrap>", "exec"), names)
        names["went_on"] = True

    assert called
    assert "went_on" not in names


def test_work_that_was_cancelled_otherwise_says_so():
    with pytest.raises(ScanCancelledError), until_interrupted():
        raise ScanCancelledError("Stopped.")


def test_what_nohup_ignores_stays_ignored():
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with raised(), until_interrupted():
            os.kill(os.getpid(), signal.SIGHUP)
            assert not is_cancelled()
    finally:
        signal.signal(signal.SIGHUP, before)


def test_on_another_thread_nothing_is_changed():
    seen = []
    before = signal.getsignal(signal.SIGTERM)

    def work():
        with end_signals_handled(lambda *_: None):
            seen.append(signal.getsignal(signal.SIGTERM))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert seen == [before]


def test_a_terminal_that_is_closed(essays):
    ours, tty = os.openpty()
    process = subprocess.Popen(
        [sys.executable, "-c", ON_A_TERMINAL, "scan", str(essays),
         f"--review={essays.parent / 'r.neardup'}"],
        cwd=ROOT, stdin=tty, stdout=tty, stderr=tty, start_new_session=True,
    )  # fmt: skip
    os.close(tty)
    output = b""
    while b"Reading" + b"\r\n" not in output:
        output += os.read(ours, 1000)
    os.close(ours)

    assert process.wait() == 128 + signal.SIGHUP
    assert [path.name for path in essays.parent.iterdir()] == ["essays"]


INTERRUPT = "import os, signal; os.kill(os.getpid(), signal.SIGINT)"
IN_COMPILED_CODE = """
import hashlib, sys, threading
from core.program.end_signals import until_interrupted
begun = threading.Event()
def tell():
    begun.wait()
    print("ready", flush=True)
sys.setswitchinterval(1000)  # another thread's turn comes when compiled code runs, not before
with until_interrupted():
    threading.Thread(target=tell, daemon=True).start()
    begun.set()
    hashlib.pbkdf2_hmac("sha256", b"", b"", (1 << 31) - 1)
"""


@pytest.mark.parametrize(
    ("command", "imported"),
    [
        (["-m", "core", "curve"], "argparse"),
        (["-m", "core", "audit", "resources/sample"], "numpy"),
        (["-m", "neardup_gui", "curve"], "argparse"),
        (["-m", "neardup_gui", "resources/sample"], "PySide6"),
    ],
)
def test_while_modules_are_imported_it_is_one_line(command, imported, tmp_path):
    (tmp_path / f"{imported}.py").write_text(INTERRUPT)

    done = python(*command, env={"PYTHONPATH": str(tmp_path), "PATH": ""})

    assert (done.returncode, done.stdout, done.stderr) == (130, "", "neardup: Stopped.\n")


def test_a_closed_standard_error_does_not_matter(tmp_path):
    (tmp_path / "argparse.py").write_text("import os; os.close(2)\n" + INTERRUPT)

    done = python("-m", "core", "curve", env={"PYTHONPATH": str(tmp_path)})

    assert (done.returncode, done.stderr) == (130, "")


def test_a_signal_ignored_from_the_start_stays_ignored(tmp_path):
    (tmp_path / "argparse.py").write_text(INTERRUPT + "\nos._exit(7)")

    ignore = partial(signal.signal, signal.SIGINT, signal.SIG_IGN)
    done = python("-m", "core", "curve", env={"PYTHONPATH": str(tmp_path)}, preexec_fn=ignore)

    assert done.returncode == 7


def test_a_second_signal_ends_the_process_while_compiled_code_runs():
    process = subprocess.Popen(
        [sys.executable, "-c", IN_COMPILED_CODE],
        cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stdout.readline() == "ready\n"

    process.send_signal(signal.SIGINT)
    with pytest.raises(subprocess.TimeoutExpired):
        process.wait(0.5)
    while process.poll() is None:  # two that come at once are one
        process.send_signal(signal.SIGINT)
        try:
            process.wait(0.5)
        except subprocess.TimeoutExpired:
            continue

    assert process.returncode == 130
    assert process.stderr.read() == "neardup: Stopped.\n"
    process.stdout.close()
    process.stderr.close()


def test_what_is_done_keeps_its_status_while_python_ends():
    done = python("-c", AT_THE_END)

    assert (done.returncode, done.stderr) == (7, "")


def test_who_leaves_waits_for_threads_and_for_what_was_registered():
    done = python("-c", LEFT)

    assert (done.returncode, done.stdout) == (7, "a thread\nregistered\n")
    assert done.stderr == "printed\n"


def test_who_leaves_without_output_keeps_the_status():
    program = (
        "import os; from core.program.end_signals import leave; print(1); os.close(1); leave(7)"
    )
    done = python("-c", program)

    assert (done.returncode, done.stderr) == (7, "")
