"""Who may save a review, between processes that really run."""

import errno
import os
import random
import sqlite3
import subprocess
import sys
from contextlib import closing, contextmanager
from unittest.mock import Mock

import pytest

from core.commands.main import main
from core.errors import ReviewError
from core.review import Access, ReviewLock, is_free, lock
from tests.reviews import state_in
from tests.texts import folder_with

HOLD = """
import sys
from core.review.lock import ReviewLock
lock = ReviewLock(sys.argv[1])
print(lock.access.value, flush=True)
sys.stdin.read()
lock.close()
"""
COUNT = """
import sys, time
from pathlib import Path
from core.review.lock import ReviewLock
path, counter, left = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3])
while left:
    with ReviewLock(path) as lock:
        if lock.may_save:
            number = int(counter.read_text())
            time.sleep(0.0005)
            counter.write_text(str(number + 1))
            left -= 1
            continue
    time.sleep(0.001)
"""
WITHOUT_LOCKS = """
import errno, fcntl, sys
def flock(*_):
    raise OSError(errno.ENOLCK, "No locks available")
fcntl.flock = flock
from core.commands.main import main
sys.exit(main(sys.argv[1:]))
"""

not_on_windows = pytest.mark.skipif(sys.platform == "win32", reason="made of POSIX parts")


@pytest.fixture
def review(tmp_path):
    return tmp_path / "autumn.neardup"


@pytest.fixture
def folder(tmp_path):
    texts = {}
    for number in range(4):
        rng = random.Random(number // 2)
        words = " ".join(f"w{rng.randrange(900)}" for _ in range(80))
        texts[f"{number}.txt"] = f"{words} x{number}"
    return folder_with(tmp_path / "texts", texts)


def child(code, *arguments, **options):
    return subprocess.Popen(
        [sys.executable, "-c", code, *map(str, arguments)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        **options,
    )


@contextmanager
def held_elsewhere(path):
    """Another process that has the right to save a review."""
    process = child(HOLD, path)
    try:
        assert process.stdout.readline() == "write\n"
        yield process
    finally:
        process.communicate()


def left_over(path):
    return path.with_name(path.name + "-lock")


def test_one_process_at_a_time_may_save(review):
    with held_elsewhere(review), ReviewLock(review) as lock:
        assert lock.access is Access.TAKEN
        assert " on " in lock.holder
        assert not is_free(review)
        with pytest.raises(ReviewError, match=r"“autumn.neardup” is open in another Neardup \("):
            lock.require()

    assert is_free(review)
    with ReviewLock(review) as lock:
        assert lock.may_save
        lock.require()
    assert not left_over(review).exists()


def test_a_killed_process_blocks_nobody(review):
    with held_elsewhere(review) as holder:
        holder.kill()
        holder.wait()
        assert left_over(review).exists() or sys.platform == "win32"
        assert is_free(review)
        with ReviewLock(review) as lock:
            assert lock.access is Access.WRITE
    assert not left_over(review).exists()


def test_two_windows_of_one_process_do_not_both_save(review):
    with ReviewLock(review), ReviewLock(review) as second:
        assert second.access is Access.TAKEN
        second.close()
        assert not is_free(review)


def test_what_a_lock_file_says_is_shown_as_text(review):
    with held_elsewhere(review):
        left_over(review).write_bytes(b"\x1b[31mroot\xff\n\xe2\x80\xae" + b"x" * 5000)
        with ReviewLock(review) as lock:
            assert lock.access is Access.TAKEN
            assert lock.holder.startswith("\\x1b[31mroot�\\n\\u202exxx")
            assert len(lock.holder) < 1100


def test_processes_that_race_for_it_never_have_it_together(review, tmp_path):
    counter = tmp_path / "counter"
    counter.write_text("0")

    racers = [child(COUNT, review, counter, 60) for _ in range(4)]
    for racer in racers:
        assert racer.communicate()[1] == ""

    assert counter.read_text() == "240"


@not_on_windows
def test_a_link_leads_to_the_same_lock(review, tmp_path):
    review.write_bytes(b"")
    link = tmp_path / "other.neardup"
    link.symlink_to(review)

    with held_elsewhere(link), ReviewLock(review) as lock:
        assert lock.access is Access.TAKEN


@not_on_windows
def test_a_link_in_place_of_the_lock_file_is_not_followed(review, tmp_path):
    precious = tmp_path / "precious"
    precious.write_text("precious")
    left_over(review).symlink_to(precious)

    with ReviewLock(review) as lock:
        assert lock.access is Access.FORBIDDEN
    assert precious.read_text() == "precious"


@not_on_windows
@pytest.mark.parametrize(
    ("of_file", "of_folder", "where"), [(0o444, 0o755, "to it"), (0o644, 0o555, "in “")]
)
def test_forbidden_reviews_are_distinguished_from_locked_ones(
    unprivileged, of_file, of_folder, where
):
    path = unprivileged / "autumn.neardup"
    path.write_bytes(b"x")
    path.chmod(of_file)
    unprivileged.chmod(of_folder)

    with ReviewLock(path) as lock:
        assert lock.access is Access.FORBIDDEN
        with pytest.raises(ReviewError, match=f"no permission to write {where}"):
            lock.require()
    with ReviewLock(unprivileged / "new.neardup") as lock:
        assert lock.may_save == (of_folder == 0o755)
    assert list(unprivileged.iterdir()) == [path]


@not_on_windows
def test_the_lock_file_of_somebody_else_blocks_nobody(unprivileged):
    path = unprivileged / "autumn.neardup"
    path.write_bytes(b"x")
    path.chmod(0o664)
    left_over(path).write_bytes(b"ann on library-3")
    left_over(path).chmod(0o444)

    with ReviewLock(path) as lock:
        assert lock.access is Access.WRITE


def test_a_full_disk_leaves_a_review_readable(review, monkeypatch):
    full = Mock(side_effect=OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)))

    monkeypatch.setattr(lock, "_open", full)
    with ReviewLock(review) as held_lock:
        assert held_lock.access is Access.FORBIDDEN
        with pytest.raises(ReviewError, match="the disk is full"):
            held_lock.require()


def test_a_folder_that_is_not_there_is_named(tmp_path):
    with pytest.raises(ReviewError, match=r"there is no folder “.*nowhere”"):
        ReviewLock(tmp_path / "nowhere" / "autumn.neardup")


@not_on_windows
def test_a_folder_without_locks_is_written_and_said_to_be(review, folder):
    process = child(WITHOUT_LOCKS, "scan", folder, "--review", review)
    _, stderr = process.communicate()

    assert process.returncode == 0
    assert "The folder of the review keeps no locks" in stderr
    assert review.exists()
    assert not left_over(review).exists()


def test_the_command_line_refuses_a_review_that_is_open(review, folder, tmp_path, neardup):
    assert main(["scan", str(folder), "--review", str(review), "--quiet"]) == 0
    before = review.read_bytes()
    (folder / "more.txt").write_text("One more document with a few words of its own.")

    with held_elsewhere(review):
        err = neardup("scan", folder, "--review", review, "--quiet", status=1).err
        assert "“autumn.neardup” is open in another Neardup" in err
        assert review.read_bytes() == before
        assert main(["report", str(review), str(tmp_path / "pairs.csv"), "--quiet"]) == 0
        assert main(["query", str(review), str(folder / "0.txt"), "--quiet"]) == 0

    assert main(["scan", str(folder), "--review", str(review), "--quiet"]) == 0
    assert len(state_in(review).documents) == 5
    assert not left_over(review).exists()


def test_the_command_line_lets_go_of_a_review_when_it_fails(review, folder, tmp_path, neardup):
    review.write_bytes(b"a letter")
    assert "not a review" in neardup("scan", folder, "--review", review, status=1).err
    assert is_free(review)
    assert sorted(tmp_path.iterdir()) == [review, folder]


def test_files_beside_an_open_review_are_no_documents(folder, capsys):
    review = folder / "autumn.neardup"
    assert main(["scan", str(folder), "--review", str(review), "--quiet"]) == 0

    with held_elsewhere(review), closing(sqlite3.connect(review)) as connection:
        connection.execute("SELECT * FROM review").fetchone()
        (folder / "autumn.neardup-journal").write_bytes(b"x")
        companions = {path.name for path in folder.glob("autumn*")}
        assert main(["scan", str(folder)]) == 0

    ends = ("", "-lock", "-wal", "-shm", "-journal")
    assert companions == {f"autumn.neardup{end}" for end in ends}
    output = capsys.readouterr().out
    assert "4 documents" in output
    assert "autumn.neardup-" not in output
