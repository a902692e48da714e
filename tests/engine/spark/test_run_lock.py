"""The right to write into a target: one run has it, and one that has lost it stops."""

import json
import subprocess
import sys
import threading
import time

import pytest

from core.errors import ClusterError, ScanCancelledError
from core.spark import run
from core.spark.file_system import Folder, Stages
from core.spark.run import RunLock


@pytest.fixture
def quick(monkeypatch):
    for name, seconds in (("BEAT", 0.05), ("ABANDONED", 1.0), ("LOOKS", 0.05), ("SETTLED", 0.3)):
        monkeypatch.setattr(run, name, seconds)


def test_a_target_is_one_runs_at_a_time(spark, tmp_path, quick):
    folder = Folder(spark, str(tmp_path / "run"))
    folder.make()
    with RunLock(folder, take_over=False):
        for resume in (False, True):
            with pytest.raises(ClusterError, match=r"Another run.* writes into"):
                RunLock(folder, take_over=resume).__enter__()
    assert folder.names() == []


def left_behind(folder, **told):
    """The file of a run that was killed."""
    ended = subprocess.run([sys.executable, "-c", "import os; print(os.getpid())"],
                           capture_output=True, check=True)  # fmt: skip
    usual = {"host": run._here(), "process": int(ended.stdout), "run": "a", "times": 1}
    folder.make()
    (folder.local / "_lock-00004").write_text(json.dumps({**usual, **told}))


@pytest.mark.parametrize("host", ["", "another machine"])
def test_the_lock_of_a_killed_run_is_taken_over_when_asked_for(spark, tmp_path, quick, host):
    folder = Folder(spark, str(tmp_path / "run"))
    left_behind(folder, **({"host": host} if host else {}))

    with pytest.raises(ClusterError, match=r"Where that run was killed, go on with --resume\."):
        RunLock(folder, take_over=False).__enter__()
    with RunLock(folder, take_over=True) as lock:
        lock.require()
        assert folder.names() == ["_lock-00005"]
    assert folder.names() == []


def test_a_run_that_was_thought_dead_stops(spark, tmp_path, quick, monkeypatch):
    folder = Folder(spark, str(tmp_path / "run"))
    folder.make()
    with RunLock(folder, take_over=False) as sleeper:
        assert folder.create("_lock-00002", "{}")

        with pytest.raises(ClusterError, match="Another run has taken over"):
            sleeper.require()
    assert folder.names() == ["_lock-00002"]


def test_a_run_that_lives_elsewhere_is_not_taken_over(spark, tmp_path, quick, monkeypatch):
    folder = Folder(spark, str(tmp_path / "run"))
    folder.make()
    monkeypatch.setattr(run, "_is_gone", lambda text: False)
    monkeypatch.setattr(run, "ABANDONED", 60.0)
    with RunLock(folder, take_over=False):
        with pytest.raises(ClusterError, match="Another run"):
            RunLock(folder, take_over=True).__enter__()
        asked = []
        with pytest.raises(ScanCancelledError):
            RunLock(folder, take_over=True, cancelled=lambda: asked.append(1) is None).__enter__()
    assert asked


class ObjectStore(Folder):
    """A folder as S3 has it: who creates a file looks first, and its bytes are put there later."""

    def __init__(self, spark, place, both_looked):
        super().__init__(spark, place)
        self.renames = False
        self._both_looked = both_looked

    def create(self, name, text):
        assert not self.exists(name)
        self._both_looked.wait(10)
        self.write(name, text)
        return True


def test_of_two_runs_that_begin_together_in_an_object_store_one_goes_on(
    spark, tmp_path, quick, monkeypatch
):
    monkeypatch.setattr(run, "SETTLED", 3.0)  # a busy machine may hold one of them up so long
    both_looked, refused, entered, over = threading.Barrier(2), [], [], threading.Event()

    def begin():
        folder = ObjectStore(spark, str(tmp_path), both_looked)
        try:
            with RunLock(folder, take_over=False) as lock:
                entered.append(lock)
                over.wait(10)
                lock.require()
        except ClusterError as error:
            refused.append(str(error))
            over.set()

    threads = [threading.Thread(target=begin) for _ in range(2)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()

    assert (len(entered), len(refused)) == (1, 1)
    assert "Another run" in refused[0]
    assert list(tmp_path.iterdir()) == []


def test_a_run_whose_file_another_has_written_over_stops(spark, tmp_path, quick):
    folder = Folder(spark, str(tmp_path / "run"))
    folder.make()
    other = json.dumps({"host": "elsewhere", "process": 1, "run": "another", "times": 0})
    with RunLock(folder, take_over=False) as lock:
        stages = Stages(spark, folder.place, lock.require)
        stages.table("first", lambda: spark.range(3))
        while any(one.name == "neardup-lock" for one in threading.enumerate()):
            # again: a beat that had read the file just before has written over it
            folder.write("_lock-00001", other)
            time.sleep(0.05)

        with pytest.raises(ClusterError, match=r"Another run \(on elsewhere\) writes into"):
            stages.table("second", lambda: spark.range(3))
    assert folder.read("_lock-00001") == other
    assert folder.names() == ["_lock-00001", "first"]


def test_a_half_written_file_is_not_another_runs(spark, tmp_path, quick):
    folder = Folder(spark, str(tmp_path / "run"))
    folder.make()
    with RunLock(folder, take_over=False) as lock:
        for text in ("", '{"host": "el'):
            folder.write("_lock-00001", text)
            lock.require()
    assert folder.names() == []
