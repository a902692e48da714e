"""A reader process that grows while there is no room stands still until there is."""

from __future__ import annotations

import subprocess
import sys
import threading

import psutil
import pytest

from core.base.tasks import MemoryRoom, never
from core.documents import ReaderProcesses, ReadingSettings
from core.documents.isolation.process import OWN_BYTES, allow_growth
from core.errors import ScanCancelledError

PATIENCE = 60.0  # seconds, a net


@pytest.fixture
def process():
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


def test_a_process_that_fits_in_goes_on(process):
    with MemoryRoom(100).claim() as claim:
        assert allow_growth(process.pid, OWN_BYTES + 50, claim, never) == 0
        assert claim.size == 50
        assert allow_growth(process.pid, 10, claim, never) == 0


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such state")
def test_one_that_does_not_fit_stands_still_until_there_is_room(process, room_held_by_another):
    room, go_on = room_held_by_another
    seen = []

    def cancelled():  # polled while it waits
        seen.append(stands_still(process))
        if len(seen) == 3:
            go_on.set()
        return False

    with room.claim() as claim:
        assert allow_growth(process.pid, OWN_BYTES + 500, claim, cancelled) > 0
        assert claim.size == 500
    assert seen[:3] == [True] * 3
    assert not stands_still(process)


def test_who_cancels_does_not_wait_and_a_process_that_is_gone_does_no_harm(
    process, room_held_by_another
):
    room, _ = room_held_by_another
    process.kill()
    process.wait()

    with room.claim() as claim, pytest.raises(ScanCancelledError):
        allow_growth(process.pid, OWN_BYTES + 500, claim, lambda: True)


def test_who_closes_the_processes_waits_for_no_room(room_held_by_another, monkeypatch):
    """While the one that reads stands still, and nobody else says that it is cancelled."""
    room, go_on = room_held_by_another
    monkeypatch.setattr("core.documents.isolation.process.ROOM", room)
    monkeypatch.setattr("core.documents.isolation.process.OWN_BYTES", -1_000)
    processes = ReaderProcesses(ReadingSettings(), "import time; time.sleep(600)")
    waits = threading.Event()
    threading.Thread(target=lambda: (waits.wait(PATIENCE), processes.close())).start()

    def cancelled():  # polled while it waits
        waits.set()
        return False

    with pytest.raises(ScanCancelledError):
        list(processes.read(b"{", ".rtf", "0" * 32, cancelled))

    assert not go_on.is_set()
    assert room.taken == 1000
