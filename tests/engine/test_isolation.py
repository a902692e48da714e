"""Reader processes that crash, hang, swell or lie: each costs one file and nothing else."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psutil
import pytest
import xxhash

from core.documents import Limits, ProblemCode, ReaderProcesses, ReadingSettings
from core.documents.extraction import Failure, Piece
from core.documents.isolation.process import START
from core.errors import ScanCancelledError

# A reader that does what its file says, in the place of all others.
OBEYING = """
import os, sys, time
import core.documents.readers as readers
import core.documents.recognition as recognition
from core.documents.readers.base import Extracted, Part, Reader

def read(data, reading):
    order = data.decode()
    if order == "crash":
        os.abort()
    if order == "leave":
        os._exit(0)
    if order == "hang":
        time.sleep(3600)
    if order == "spin":
        while True:
            pass
    if order == "swell":
        blocks = []
        while True:
            blocks.append(bytearray(os.urandom(1 << 20)) * 8)
            time.sleep(.01)
    if order == "reserve":
        bytearray(1 << 40)
    if order == "plod":
        while True:
            time.sleep(.3)
            reading.step()
    if order == "work":
        for _ in range(8):
            time.sleep(.3)
            reading.step()
    if order == "print":
        print("noise", flush=True)
        os.write(1, b"more noise")
    if order == "lie":
        sys.modules["core.documents.isolation.worker"].write_frame(
            ANSWERS[0], sys.modules["core.documents.isolation.frames"].Frame({"is": "piece"})
        )
    if order == "gibberish":
        ANSWERS[0].write(b"\\xff" * 64)
        ANSWERS[0].flush()
    if order == "child":
        import subprocess
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(3600)"])
        open(os.environ["CHILD"], "w").write(str(child.pid))
        time.sleep(3600)
    return Extracted(f"done: {order}")

def parts(data, reading):
    if data == b"crash later":
        yield Part("inside.txt", b"inside")
        os.abort()

ANSWERS = []
import core.documents.isolation.worker as worker
private_output = worker._private_output
def keep():
    ANSWERS.append(private_output())
    return ANSWERS[0]
worker._private_output = keep
readers.READERS = (
    Reader("obeying", "an order", frozenset(), lambda data, suffix: True, read, parts),
)
recognition._BY_KIND["obeying"] = readers.READERS[0]
"""
OBEY = "import json, sys; sys.path[:] = json.loads(sys.argv[1])\n" + OBEYING + "worker.main()\n"
SHORT = Limits(stall_seconds=1, seconds=3, memory_bytes=200 << 20)


@pytest.fixture
def processes():
    with ReaderProcesses(ReadingSettings(limits=SHORT), OBEY) as processes:
        yield processes


def order(processes, folder: Path, what: str, *, cancelled=lambda: False):
    path = folder / f"{what}.order"
    path.write_text(what)
    file_hash = xxhash.xxh3_128_hexdigest(what.encode())
    return list(processes.read(str(path), ".order", file_hash, cancelled))


def children() -> list[psutil.Process]:
    return psutil.Process().children(recursive=True)


@pytest.mark.parametrize(
    ("what", "code"),
    [
        ("crash", ProblemCode.CRASH),
        ("leave", ProblemCode.CRASH),
        ("hang", ProblemCode.TIMEOUT),
        ("spin", ProblemCode.TIMEOUT),
        ("plod", ProblemCode.TIMEOUT),
        ("swell", ProblemCode.OUT_OF_MEMORY),
        ("reserve", ProblemCode.OUT_OF_MEMORY),
        ("lie", ProblemCode.CRASH),
        ("gibberish", ProblemCode.CRASH),
    ],
)
def test_what_a_bad_reader_costs(processes, tmp_path, what, code):
    assert order(processes, tmp_path, "before")[0].text == "done: before"

    bad = order(processes, tmp_path, what)[0]

    assert isinstance(bad, Failure), bad
    assert bad.code == code
    assert bad.detail.endswith(".")
    assert order(processes, tmp_path, "after")[0].text == "done: after"


def test_a_reader_that_gets_on_may_take_longer_than_one_that_stalls(processes, tmp_path):
    assert order(processes, tmp_path, "work")[0].text == "done: work"


def test_what_a_library_prints_is_not_taken_for_an_answer(processes, tmp_path):
    assert order(processes, tmp_path, "print")[0].text == "done: print"


def test_what_came_before_a_crash_is_kept(processes, tmp_path):
    first, inside, last = order(processes, tmp_path, "crash later")

    assert (first.part, first.text) == ("", "done: crash later")
    assert isinstance(inside, Piece)
    assert inside.part == "inside.txt"
    assert last.code == ProblemCode.CRASH


def test_one_process_reads_many_files_and_is_replaced_in_time(processes, tmp_path):
    pids = set()
    for number in range(205):
        order(processes, tmp_path, f"number {number}")
        pids |= {child.pid for child in children()}

    assert len(pids) == 2


def test_a_file_that_changed_meanwhile_is_told(processes, tmp_path):
    path = tmp_path / "a.order"
    path.write_text("now")

    (result,) = processes.read(str(path), ".order", "0" * 32, lambda: False)

    assert result == Failure(
        "", ProblemCode.CHANGED, "This file changed while it was read. Scan again."
    )


def test_a_file_that_is_gone_is_told(processes, tmp_path):
    (result,) = processes.read(str(tmp_path / "gone"), "", "0" * 32, lambda: False)

    assert result.code == ProblemCode.VANISHED


def test_cancelling_ends_a_reader_that_hangs(processes, tmp_path):
    stop = threading.Event()
    threading.Timer(0.5, stop.set).start()

    with pytest.raises(ScanCancelledError):
        order(processes, tmp_path, "hang", cancelled=stop.is_set)

    assert not children()


def test_every_thread_has_a_process_of_its_own(processes, tmp_path):
    with ThreadPoolExecutor(3) as pool:
        orders = ["hang", "work", "crash", "one", "two", "three"]
        results = list(pool.map(lambda what: order(processes, tmp_path, what)[0], orders))

    codes = [getattr(result, "code", None) for result in results]
    assert codes == [ProblemCode.TIMEOUT, None, ProblemCode.CRASH, None, None, None]


def test_nothing_is_left_behind(tmp_path):
    with ReaderProcesses(ReadingSettings(limits=SHORT), OBEY) as processes:
        order(processes, tmp_path, "fine")
        assert len(children()) == 1
    threads = [thread.name for thread in threading.enumerate()]

    assert not children()
    assert "neardup-reader" not in threads


def test_what_a_reader_started_ends_with_it(processes, tmp_path, monkeypatch):
    note = tmp_path / "pid"
    monkeypatch.setenv("CHILD", str(note))

    assert order(processes, tmp_path, "child")[0].code == ProblemCode.TIMEOUT

    assert is_gone(int(note.read_text()))


@pytest.mark.skipif(sys.platform == "win32", reason="kills with a signal of Unix")
@pytest.mark.parametrize("what", ["hang", "spin"])
def test_readers_do_not_outlive_a_neardup_that_is_killed(tmp_path, what):
    """Also one that hangs: nobody is left who would stop it."""
    path = tmp_path / "a.order"
    path.write_text(what)
    program = f"""
import xxhash
from core.documents import ReaderProcesses, ReadingSettings
with ReaderProcesses(ReadingSettings(), {OBEY!r}) as processes:
    list(processes.read({str(path)!r}, "", xxhash.xxh3_128_hexdigest({what.encode()!r}), bool))
"""
    parent = subprocess.Popen([sys.executable, "-c", program], cwd=Path(__file__).parents[2])
    workers = []
    wait_until(lambda: workers.extend(psutil.Process(parent.pid).children()) or workers)
    time.sleep(0.5)

    parent.send_signal(signal.SIGKILL)
    parent.wait()

    wait_until(lambda: is_gone(workers[0].pid))


def test_a_process_that_cannot_start_is_a_problem_of_the_file(tmp_path):
    with ReaderProcesses(ReadingSettings(limits=SHORT), "raise SystemExit(1)") as processes:
        assert order(processes, tmp_path, "anything")[0].code == ProblemCode.CRASH


def test_readers_load_neither_numpy_nor_numba():
    code = START.replace("main()", "").replace("json.loads(sys.argv[1])", "sys.path")
    done = subprocess.run(
        [sys.executable, "-c", code + "\nprint({'numpy', 'numba', 'psutil'} & set(sys.modules))"],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=True,
    )

    assert done.stdout.strip() in {"{'psutil'}", "set()"}


def is_gone(pid: int) -> bool:
    """Whether a process has ended; one that nobody has waited for yet has."""
    try:
        return psutil.Process(pid).status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


def wait_until(condition, seconds: float = 20) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.05)
