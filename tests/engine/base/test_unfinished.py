"""Files that were begun: removed when their process is gone, and not before."""

import errno
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from core.base import files
from core.base.files import flush_folder, lock, tidy, unfinished
from core.review import Access, ReviewLock

ROOT = Path(__file__).parents[3]
BEGUN = ".neardup-0123456789abcdef"
TALKING = """
import sys
from pathlib import Path
from core.base.files import unfinished
with unfinished(Path(sys.argv[1]), ".new") as path:
    for end in ("", "-wal", "-journal"):
        path.with_name(path.name + end).write_bytes(b"begun")
    print("begun", flush=True)
    sys.stdin.read()
"""


def names(folder):
    return sorted(path.name for path in folder.iterdir())


@pytest.fixture
def other(tmp_path):
    """Another program that has begun a file."""
    process = subprocess.Popen(
        [sys.executable, "-c", TALKING, str(tmp_path / "essays.neardup")],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT,
    )  # fmt: skip
    assert process.stdout.readline().strip() == b"begun"
    yield process
    process.kill()
    process.communicate()


def test_what_a_living_process_writes_stays_and_goes_when_it_is_killed(tmp_path, other):
    begun = names(tmp_path)
    assert len(begun) == 4
    long_ago = time.time() - 10 * files.ABANDONED
    for name in begun:
        os.utime(tmp_path / name, (long_ago, long_ago))

    tidy(tmp_path)
    assert names(tmp_path) == begun

    other.kill()
    other.wait()
    tidy(tmp_path)
    assert names(tmp_path) == []


def test_a_process_takes_its_own_away_at_its_end(tmp_path, other):
    other.communicate()

    assert names(tmp_path) == []


def test_the_next_file_in_a_folder_removes_what_was_left(tmp_path, other):
    other.kill()
    other.wait()

    with unfinished(tmp_path / "essays.html", ".tmp") as path:
        path.write_text("new")
        path.rename(tmp_path / "essays.html")
    assert names(tmp_path) == ["essays.html"]


def test_who_starts_to_work_on_a_review_tidies_its_folder(tmp_path, other):
    other.kill()
    other.wait()
    (tmp_path / "another.neardup-lock").write_text("ann on library-3")

    with ReviewLock(tmp_path / "essays.neardup") as right:
        assert right.access is Access.WRITE
        assert names(tmp_path) == ["essays.neardup-lock"] or sys.platform == "win32"
    assert names(tmp_path) == []


def test_the_lock_of_a_review_that_is_open_stays(tmp_path):
    with ReviewLock(tmp_path / "essays.neardup"):
        tidy(tmp_path)
        assert names(tmp_path) == ["essays.neardup-lock"]
        with ReviewLock(tmp_path / "essays.neardup") as second:
            assert second.access is Access.TAKEN


def test_a_look_at_a_lock_is_not_taken_for_its_holder(tmp_path, monkeypatch):
    path = tmp_path / "essays.neardup-lock"
    path.touch()
    looking = os.open(path, os.O_RDWR)
    lock(looking)
    monkeypatch.setattr("core.review.lock.time.sleep", lambda _seconds: os.close(looking))

    with ReviewLock(tmp_path / "essays.neardup") as right:
        assert right.access is Access.WRITE


def test_what_has_no_owner_goes_after_a_day(tmp_path):
    (tmp_path / f"{BEGUN}.new").touch()
    (tmp_path / f"{BEGUN}.new-wal").touch()
    old = time.time() - files.ABANDONED - 60

    tidy(tmp_path)
    assert len(names(tmp_path)) == 2

    os.utime(tmp_path / f"{BEGUN}.new", (old, old))
    tidy(tmp_path)
    assert names(tmp_path) == [f"{BEGUN}.new-wal"]


def test_where_no_locks_are_kept_age_decides(tmp_path, monkeypatch):
    def refuse(_file):
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr(files, "lock", refuse)
    old = time.time() - files.ABANDONED - 60
    for name in (f"{BEGUN}.lock", f"{BEGUN}.tmp"):
        (tmp_path / name).touch()
        os.utime(tmp_path / name, (old, old))

    with unfinished(tmp_path / "essays.html", ".tmp") as path:
        path.touch()
        there = names(tmp_path)
        tidy(tmp_path)
        assert names(tmp_path) == there == [path.with_suffix(".lock").name, path.name]
    assert names(tmp_path) == []


def test_files_of_the_user_stay_whatever_they_are_called(tmp_path):
    mine = [".neardup-notes.lock", ".neardup-notes.tmp", f"{BEGUN}.html", f"{BEGUN}.new.txt"]
    for name in mine:
        (tmp_path / name).touch()
    (tmp_path / f"{BEGUN}.tmp").mkdir()
    (tmp_path / f"{BEGUN}.scratch").symlink_to(tmp_path / f"{BEGUN}.tmp")
    (tmp_path / f"{BEGUN}.lock").touch()

    tidy(tmp_path)
    assert names(tmp_path) == sorted([*mine, f"{BEGUN}.scratch", f"{BEGUN}.tmp"])


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
def test_a_link_in_the_place_of_an_owner_is_not_followed(tmp_path):
    precious = tmp_path / "precious.txt"
    precious.write_text("mine")
    (tmp_path / f"{BEGUN}.lock").symlink_to(precious)

    tidy(tmp_path)
    assert precious.read_text() == "mine"


def test_an_owner_that_somebody_removed_before_it_was_locked_is_made_again(tmp_path, monkeypatch):
    locked = []

    def lock_late(file):
        if not locked:  # who tidied up was faster
            tidied = next(tmp_path.glob(".neardup-*.lock"))
            tidied.unlink()
        locked.append(file)
        lock(file)

    monkeypatch.setattr(files, "lock", lock_late)
    with unfinished(tmp_path / "essays.html", ".tmp") as path:
        assert path.with_suffix(".lock").exists()
    assert len(locked) == 2
    assert names(tmp_path) == []


def test_a_folder_that_cannot_be_flushed_is_one_thing_and_a_disk_that_fails_another(
    tmp_path, monkeypatch
):
    def failing(code):
        def fsync(_file):
            raise OSError(code, os.strerror(code))

        return fsync

    monkeypatch.setattr(os, "fsync", failing(errno.EINVAL))
    flush_folder(tmp_path)
    monkeypatch.setattr(os, "fsync", failing(errno.EIO))
    if sys.platform != "win32":  # there no folder can be opened
        with pytest.raises(OSError, match="nput/output error"):
            flush_folder(tmp_path)
