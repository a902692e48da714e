"""Reader processes that crash, hang or swell: each costs one file and nothing else."""

import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from core.base.tasks import MemoryRoom, cancelled_by
from core.documents.extraction import DocumentProperties, Failure, Piece
from core.documents.isolation import processes as reader_processes
from core.documents.isolation.processes import OWN_BYTES, START, ReaderProcesses, allow_growth
from core.documents.model import ProblemCode
from core.documents.readers import UnreadableError
from core.documents.reading_settings import ReadingLimits, ReadingSettings
from core.errors import ScanCancelledError
from tests.programs import python

# A reader that does what its file says, in the place of all others.
OBEYING = """
import os, subprocess, sys, threading, time
import core.documents.recognition as recognition
from core.documents.readers import Extracted, Part, Reader, UnreadableError

def read(data, reading):
    order, _, note = data.decode().partition(", noted in ")
    if order == "crash":
        os.abort()
    if order == "hang":
        time.sleep(3600)
    if order == "spin":
        while True:
            pass
    if order == "reserve":
        bytearray(1 << 40)
    if order == "plod":
        while True:
            time.sleep(.3)
            reading.step()
    if order == "work":
        for _ in range(12):
            time.sleep(.3)
            reading.step()
    if order == "print":
        print("noise", flush=True)
        os.write(1, b"more noise")
    if order == "die later":
        DYING.append(order)
    READ.append(order)
    if order == "grudge" and len(READ) > 1:
        os.abort()
    if order == "keep":
        KEPT.append(bytearray(os.urandom(1 << 20)) * 130)
    if order.startswith("child"):
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(3600)"])
        open(note, "w").write(str(child.pid))
        if order == "child, then crash":
            os.abort()
        time.sleep(3600)
    if order == "remark":
        return Extracted("done: remark", remarks=("An endless remark. " * 100_000,) * 3)
    return Extracted(f"done: {order}")

def parts(data, reading):
    if data == b"crash later":
        yield Part("inside.txt", b"inside")
        os.abort()
    if data == b"endless parts":
        for number in range(1_000_000):
            yield Part(f"{number}.txt", UnreadableError("failed", "No."))
    if data == b"endless text":
        while True:
            yield Part("a.rtf", b"word " * 200)
    if data == b"long name":
        yield Part("n" * 2_000_000 + ".rtf", b"inside")

def properties(kind, data, reading):
    READ.append(data)
    if len(READ) > 1:
        os.abort()
    return {}

KEPT = []
READ = []
DYING = []
import core.documents.isolation.worker as worker
worker.extraction.properties_of = properties
write_frame = worker.write_frame
def write_and_die(stream, frame):
    write_frame(stream, frame)
    if DYING and frame.head.get("is") == "end":
        os._exit(1)
worker.write_frame = write_and_die
recognition.READERS = (
    Reader("rtf", "an order", "order", frozenset(), lambda data, suffix: True, read, parts),
)
"""
OBEY = "import json, sys\n" + OBEYING + "worker.main()\n"
# Where the system cannot confine a reader, it can start programs.
FREE = "import json, sys\n" + OBEYING + "worker.confine = lambda **how: None\nworker.main()\n"
# A process that says that it is there, and never takes what it is given.
DEAF = """
import sys, time
from core.documents.isolation.protocol import Frame, write_frame
write_frame(sys.stdout.buffer, Frame({"is": "ready"}))
time.sleep(3600)
"""
LARGE = b"x" * 5_000_000  # more than a pipe holds
HASH = "0123456789abcdef" * 2
# Short where a reader is to be stopped, long where it is not, however busy the machine is.
PATIENT = ReadingLimits(memory_bytes=200 << 20, seconds=3600)
IMPATIENT = replace(PATIENT, seconds=6)


@pytest.fixture
def limits():
    return PATIENT


@pytest.fixture
def processes(limits):
    with ReaderProcesses(ReadingSettings(limits=limits), OBEY) as processes:
        yield processes


def order(processes, order_text: str):
    return list(processes.read(order_text.encode(), ".rtf", HASH))


def reader_threads() -> set[str]:
    names = {thread.name for thread in threading.enumerate()}
    return names & {"neardup-reader"}


def children() -> list[psutil.Process]:
    return psutil.Process().children(recursive=True)


@pytest.mark.parametrize(
    ("order_text", "code", "limits"),
    [
        ("crash", ProblemCode.CRASH, PATIENT),
        ("spin", ProblemCode.TIMEOUT, IMPATIENT),
        ("reserve", ProblemCode.OUT_OF_MEMORY, PATIENT),
    ],
)
def test_what_a_bad_reader_costs(processes, order_text, code):
    assert order(processes, "before")[0].text == "done: before"

    bad = order(processes, order_text)[0]

    assert isinstance(bad, Failure), bad
    assert bad.code == code
    assert bad.detail.endswith(".")
    assert order(processes, "after")[0].text == "done: after"


class Clock:
    """Stands still but for every sign of life, which comes after a second and a half."""

    def __init__(self):
        self.now = 0.0

    def monotonic(self):
        return self.now


@pytest.fixture
def clock(monkeypatch):
    clock, takes = Clock(), reader_processes.Watch.takes

    def later(self, head, number):
        clock.now += 1.5
        return takes(self, head, number)

    monkeypatch.setattr(reader_processes, "time", clock)
    monkeypatch.setattr(reader_processes.Watch, "takes", later)
    return clock


@pytest.mark.parametrize("limits", [replace(PATIENT, seconds=36)])
def test_a_reader_that_gets_on_may_take_longer_than_one_that_stalls(processes, clock):
    assert order(processes, "work")[0].text == "done: work"
    assert clock.now > 2 * processes.settings.limits.stall_seconds


@pytest.mark.parametrize("limits", [replace(PATIENT, seconds=5)])
@pytest.mark.parametrize("is_busy", [False, True])
def test_time_without_a_processor_does_not_count(processes, monkeypatch, clock, is_busy):
    monkeypatch.setattr(
        reader_processes, "waited_for_processor", lambda _: clock.now if is_busy else 0.0
    )

    assert hasattr(order(processes, "work")[0], "text") is is_busy
    assert clock.now > 5


def test_a_reader_cannot_wait_for_ever(clock):
    limits = replace(PATIENT, seconds=5)
    watch = reader_processes.Watch(ReadingSettings(limits=limits), starting=False)
    clock.now += 5 * reader_processes.WAIT_TIMES
    watch.add_wait(clock.now)
    watch.check()
    clock.now += 5 * reader_processes.WAIT_TIMES
    watch.add_wait(clock.now)
    with pytest.raises(UnreadableError):
        watch.check()


def test_a_process_tells_how_long_it_has_waited():
    before = reader_processes.waited_for_processor(os.getpid())
    assert before > 0 or not Path("/proc/self/schedstat").exists()
    assert reader_processes.waited_for_processor(0) == 0


def test_what_a_library_prints_is_not_taken_for_an_answer(processes):
    assert order(processes, "print")[0].text == "done: print"


def test_what_came_before_a_crash_is_kept(processes):
    first, inside, last = order(processes, "crash later")

    assert (first.part, first.text) == ("", "done: crash later")
    assert isinstance(inside, Piece)
    assert inside.part == "inside.txt"
    assert last.code == ProblemCode.CRASH


def test_one_process_reads_many_files_and_is_replaced_in_time(processes):
    pids = set()
    for number in range(205):
        order(processes, f"number {number}")
        pids |= {child.pid for child in children()}

    assert len(pids) == 2


def test_a_process_that_was_started_ahead_reads_the_first_file(processes):
    processes.start_ahead()
    ahead = children()

    order(processes, "number 1")

    assert len(ahead) == 1
    assert children() == ahead


def test_cancelling_ends_a_reader_that_hangs(processes):
    stop = threading.Event()
    threading.Timer(0.5, stop.set).start()

    with pytest.raises(ScanCancelledError):
        cancelled_by(stop.is_set)(order)(processes, "hang")

    assert not children()


@pytest.mark.parametrize("limits", [IMPATIENT])
def test_a_process_that_never_reads_its_input_is_stopped(limits, monkeypatch):
    monkeypatch.setattr("core.documents.isolation.processes.START_SECONDS", 1)
    with ReaderProcesses(ReadingSettings(limits=limits), DEAF) as processes:
        (result,) = processes.read(LARGE, ".pdf", HASH)

        assert result.code == ProblemCode.TIMEOUT
        assert not children()
    assert not reader_threads()


def test_cancelling_ends_a_process_that_never_reads_its_input():
    stop = threading.Event()
    with ReaderProcesses(ReadingSettings(limits=PATIENT), DEAF) as processes:
        results = processes.read(LARGE, ".pdf", HASH)
        threading.Timer(0.5, stop.set).start()

        with pytest.raises(ScanCancelledError), cancelled_by(stop.is_set):
            next(results)

        assert not children()
    assert not reader_threads()


def test_a_process_that_dies_while_it_is_given_a_file_costs_that_file():
    program = "import os, sys; sys.stdin.buffer.read(100_000); os._exit(3)"
    with ReaderProcesses(ReadingSettings(limits=PATIENT), program) as processes:
        (result,) = processes.read(LARGE, ".pdf", HASH)

    assert result.code == ProblemCode.CRASH


def test_a_large_file_arrives_whole_at_a_process_that_takes_the_place_of_another(processes):
    data = "".join(f"{number}\n" for number in range(2_400_000)).encode()
    order(processes, "small")

    (result,) = processes.read(data, ".rtf", HASH)

    assert result.text == f"done: {data.decode()}"
    assert result.file_hash == HASH
    assert len(children()) == 1


@pytest.mark.parametrize("limits", [replace(PATIENT, memory_bytes=100 << 20)])
def test_the_bytes_of_a_file_count_as_memory_of_its_reader(processes):
    data = b"x" * (150 << 20)

    (result,) = processes.read(data, ".rtf", HASH)

    assert result.code == ProblemCode.OUT_OF_MEMORY
    assert order(processes, "after")[0].text == "done: after"


def test_every_thread_has_a_process_of_its_own(processes):
    done = threading.Event()
    with ThreadPoolExecutor(3) as pool:
        hanging = pool.submit(cancelled_by(done.is_set)(order), processes, "hang")
        orders = ["work", "crash", "one", "two", "three"]
        results = list(pool.map(lambda order_text: order(processes, order_text)[0], orders))
        done.set()

        with pytest.raises(ScanCancelledError):
            hanging.result()

    codes = [getattr(result, "code", None) for result in results]
    assert codes == [None, ProblemCode.CRASH, None, None, None]


def test_nothing_is_left_behind():
    with ReaderProcesses(ReadingSettings(limits=PATIENT), OBEY) as processes:
        order(processes, "fine")
        assert len(children()) == 1

    assert not children()
    assert not reader_threads()


@pytest.mark.parametrize(
    ("order_text", "code"),
    [("child", ProblemCode.TIMEOUT), ("child, then crash", ProblemCode.CRASH)],
)
def test_what_a_reader_started_ends_with_it(tmp_path, order_text, code):
    note = tmp_path / "pid"

    with ReaderProcesses(ReadingSettings(limits=IMPATIENT), FREE) as processes:
        assert order(processes, f"{order_text}, noted in {note}")[0].code == code

    child = int(note.read_text())
    wait_until(lambda: is_gone(child))


def test_a_process_that_died_between_two_files_costs_none(processes):
    assert order(processes, "die later")[0].text == "done: die later"
    wait_until(lambda: all(is_gone(worker.pid) for worker in children()))

    assert order(processes, "after")[0].text == "done: after"


def test_a_process_that_another_file_has_harmed_costs_none(processes):
    assert order(processes, "before")[0].text == "done: before"

    assert order(processes, "grudge")[0].text == "done: grudge"
    assert order(processes, "grudge")[0].text == "done: grudge"


def test_a_process_that_another_file_has_harmed_costs_no_properties(processes):
    for _ in range(2):
        assert processes.properties(b"grudge", ".rtf") == [DocumentProperties("", {})]


def test_memory_that_one_file_took_is_not_blamed_on_the_next(processes):
    assert order(processes, "keep")[0].text == "done: keep"

    assert order(processes, "crash")[0].code == ProblemCode.CRASH


def test_a_process_that_stays_swollen_is_replaced(processes):
    for number in range(3):
        assert order(processes, "keep")[0].text == "done: keep", number


@pytest.mark.parametrize("limits", [replace(PATIENT, characters=50_000)])
def test_a_file_has_not_endless_parts(processes):
    *results, last = order(processes, "endless parts")

    assert len(results) == 100
    assert last == Failure(
        "",
        ProblemCode.TOO_BIG_UNPACKED,
        "The documents in this file have more than 150000 characters, or are more than 100; what "
        "comes after them was not read. If you trust it, raise the limit in the settings.",
        "characters",
    )
    assert order(processes, "after")[0].text == "done: after"


@pytest.mark.parametrize("limits", [replace(PATIENT, characters=1_500)])
def test_a_file_has_not_endless_text_in_its_parts(processes):
    *results, last = order(processes, "endless text")

    assert [len(result.text) for result in results] == [18, 1_006, 1_006]
    assert last.code == ProblemCode.TOO_BIG_UNPACKED


def test_a_long_name_of_a_part_is_shortened(processes):
    _, inside = order(processes, "long name")

    assert inside.text == "done: inside"
    assert inside.part == "n" * 900 + "…" + "n" * 95 + ".rtf"


def test_long_remarks_are_shortened(processes):
    (result,) = order(processes, "remark")

    assert result.text == "done: remark"
    assert [remark[:18] for remark in result.remarks] == ["An endless remark."] * 3
    assert max(map(len, result.remarks)) <= 1_000


def test_a_password_list_may_be_long():
    passwords = tuple(f"a password, number {number}" for number in range(100_000))
    with ReaderProcesses(ReadingSettings(limits=PATIENT, passwords=passwords), OBEY) as processes:
        assert order(processes, "one")[0].text == "done: one"


def test_limits_beyond_what_the_system_can_count_do_no_harm():
    limits = ReadingLimits(memory_bytes=10**30, seconds=10**30, characters=10**30)
    with ReaderProcesses(ReadingSettings(limits=limits), OBEY) as processes:
        assert order(processes, "one")[0].text == "done: one"


def test_reading_stops_when_the_processes_are_closed():
    processes = ReaderProcesses(ReadingSettings(limits=PATIENT), OBEY)
    with ThreadPoolExecutor(1) as pool:
        reading = pool.submit(order, processes, "hang")
        wait_until(children)
        processes.close()

        with pytest.raises(ScanCancelledError):
            reading.result()
    with pytest.raises(ScanCancelledError):
        order(processes, "one")
    assert not children()


def test_a_stopped_iteration_leaves_nothing_behind(processes):
    results = processes.read(b"crash later", ".rtf", HASH)
    assert next(results).part == ""
    results.close()

    assert not children()
    assert order(processes, "after")[0].text == "done: after"


def test_a_process_that_the_system_does_not_start_is_a_problem_of_the_file(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "executable", str(tmp_path / "no python here"))
    with ReaderProcesses(ReadingSettings(limits=PATIENT), OBEY) as processes:
        (result,) = order(processes, "one")

    assert result == Failure(
        "",
        ProblemCode.FAILED,
        "The process that reads such files could not be started: No such file or directory. Close "
        "other programs and scan again.",
    )


@pytest.mark.skipif(sys.platform == "win32", reason="kills with a signal of Unix")
@pytest.mark.parametrize("order_text", ["hang", "spin", "child"])
@pytest.mark.parametrize("name", ["SIGKILL", "SIGINT"])
def test_readers_do_not_outlive_a_neardup_that_is_killed(tmp_path, order_text, name):
    """Also one that hangs: no process is left that would stop it.

    Ctrl+C kills when it comes twice, whatever does not hear the first.
    """
    end = getattr(signal, name)
    note = tmp_path / "pid"
    program = f"""
from core.documents.isolation.processes import ReaderProcesses
from core.documents.reading_settings import ReadingSettings
from core.base.tasks import until_done
from core.program.end_signals import until_interrupted
with until_interrupted(), until_done(), ReaderProcesses(ReadingSettings(), {FREE!r}) as processes:
    list(processes.read({f"{order_text}, noted in {note}".encode()!r}, ".rtf", {HASH!r}))
"""
    parent = subprocess.Popen([sys.executable, "-c", program], cwd=Path(__file__).parents[4])
    count = 2 if order_text == "child" else 1
    wait_until(lambda: len(psutil.Process(parent.pid).children(recursive=True)) == count)
    time.sleep(0.5)
    workers = psutil.Process(parent.pid).children(recursive=True)

    while parent.poll() is None:
        parent.send_signal(end)
        with suppress(subprocess.TimeoutExpired):
            parent.wait(0.5)

    assert parent.returncode in (-end, 128 + end)
    for worker in workers:
        wait_until(lambda worker=worker: is_gone(worker.pid))


def test_a_process_that_cannot_start_is_a_problem_of_the_file():
    with ReaderProcesses(ReadingSettings(limits=PATIENT), "raise SystemExit(1)") as processes:
        assert order(processes, "anything")[0].code == ProblemCode.CRASH


def test_readers_load_neither_numpy_nor_numba():
    code = "import sys; " + START.replace("; main()", "")
    done = python(
        "-c", code + "\nprint({'numpy', 'numba', 'psutil'} & set(sys.modules))", check=True
    )

    assert done.stdout.strip() in {"{'psutil'}", "set()"}


def is_gone(pid: int) -> bool:
    """Whether a process has ended; a zombie has."""
    try:
        return psutil.Process(pid).status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


def wait_until(condition, seconds: float = 300) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.05)


def test_ocr_takes_the_time_limit_from_nothing_but_scans():
    settings = ReadingSettings(limits=replace(PATIENT, seconds=4), ocr=True)

    with ReaderProcesses(settings, OBEY) as processes:
        (result,) = processes.read(b"plod", ".rtf", HASH)

    assert result.code == ProblemCode.TIMEOUT


PATIENCE = 60.0  # seconds, a net


@pytest.fixture
def waiting_process():
    command = [sys.executable, "-c", "input()"]
    with subprocess.Popen(command, stdin=subprocess.PIPE) as running:
        yield psutil.Process(running.pid)
        running.kill()


def stands_still(process):
    return process.status() == psutil.STATUS_STOPPED


def hold(room, held, go_on):
    with room.claim(1000):  # beyond the pool
        held.set()
        assert go_on.wait(PATIENCE)


@pytest.fixture
def room_held_by_another():
    room, held, go_on = MemoryRoom(100), threading.Event(), threading.Event()
    thread = threading.Thread(target=hold, args=(room, held, go_on))
    thread.start()
    assert held.wait(PATIENCE)
    yield room, go_on
    go_on.set()
    thread.join(PATIENCE)


def test_a_process_that_fits_in_goes_on(waiting_process):
    with MemoryRoom(100).claim() as claim:
        assert allow_growth(waiting_process.pid, OWN_BYTES + 50, claim) == 0
        assert claim.size == 50
        assert allow_growth(waiting_process.pid, 10, claim) == 0


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such state")
def test_a_process_stands_still_until_there_is_room(waiting_process, room_held_by_another):
    room, go_on = room_held_by_another
    seen = []

    def cancelled():  # polled while it waits
        seen.append(stands_still(waiting_process))
        if len(seen) == 3:
            go_on.set()
        return False

    with room.claim() as claim, cancelled_by(cancelled):
        assert allow_growth(waiting_process.pid, OWN_BYTES + 500, claim) > 0
        assert claim.size == 500
    assert seen[:3] == [True] * 3
    assert not stands_still(waiting_process)


def test_who_cancels_does_not_wait_for_room(waiting_process, room_held_by_another):
    room, _ = room_held_by_another
    waiting_process.kill()
    waiting_process.wait()

    raises = pytest.raises(ScanCancelledError)
    with room.claim() as claim, raises, cancelled_by(lambda: True):
        allow_growth(waiting_process.pid, OWN_BYTES + 500, claim)


def test_who_closes_the_processes_waits_for_no_room(room_held_by_another, monkeypatch):
    """While the reading process stands still, and nothing else reports the cancellation."""
    room, go_on = room_held_by_another
    monkeypatch.setattr("core.documents.isolation.processes.ROOM", room)
    monkeypatch.setattr("core.documents.isolation.processes.OWN_BYTES", -1_000)
    processes = ReaderProcesses(ReadingSettings(), "import time; time.sleep(600)")
    waits = threading.Event()
    threading.Thread(target=lambda: (waits.wait(PATIENCE), processes.close())).start()

    def cancelled():  # polled while it waits
        waits.set()
        return False

    with pytest.raises(ScanCancelledError), cancelled_by(cancelled):
        list(processes.read(b"{", ".rtf", "0" * 32))

    assert not go_on.is_set()
    assert room.taken == 1000
