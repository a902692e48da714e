"""The one file is complete when it is reported as saved, and files beside it belong to it."""

import pickle
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing, suppress

import pytest

from core.commands.main import main
from core.errors import ReviewError
from core.review import ReviewLock, finish, open_review, save_review
from core.review import database as schema
from core.review import lock as target
from core.review.sidecar_files import file_state, has_pending
from core.settings import ScanSettings
from tests.programs import ROOT
from tests.reviews import scanned_state, state_in
from tests.texts import folder_with

# Saves, and stops before the save is in the one file; says so and waits to be killed.
UNFINISHED = """
import pickle, sys, time
from pathlib import Path
from core.review import save_review
from core.review import lock as target
def stop(path, connection):
    print("committed", flush=True)
    time.sleep(1000)
target._complete = stop
with open(sys.argv[1], "rb") as file:
    save_review(Path(sys.argv[2]), pickle.load(file))
"""
# Copies half of the WAL into the file, page by page as SQLite does, and waits to be killed.
HALF_WAY = UNFINISHED.replace(
    'print("committed", flush=True)',
    """wal, size = Path(f"{path}-wal").read_bytes(), 8192
    frames = [wal[at:at + 24 + size] for at in range(32, len(wal), 24 + size)]
    pages = {int.from_bytes(frame[:4]): frame[24:] for frame in frames}
    with open(path, "r+b") as file:
        for number in sorted(pages)[:len(pages) // 2]:
            file.seek((number - 1) * size)
            file.write(pages[number])
    print("committed", flush=True)""",
)


def scanned(folder, count, *, mark=""):
    for number in range(count):
        words = " ".join(f"{mark}w{(number // 2 + index) % 97}" for index in range(60))
        folder_with(folder, {f"{number:03}.txt": f"{mark}{number} {words}"})
    state = scanned_state([folder], ScanSettings(k=2))
    return state._replace(texts=list(state.texts))


@pytest.fixture(scope="module")
def states(tmp_path_factory):
    folder = tmp_path_factory.mktemp("states")
    small, large = scanned(folder / "small", 10), scanned(folder / "large", 40)
    return small, large, scanned(folder / "other", 30, mark="o")


@pytest.fixture
def new_review(tmp_path):
    (tmp_path / "reviews").mkdir()
    return tmp_path / "reviews" / "a.neardup"


@pytest.fixture
def review(new_review, states):
    """The review of the first state."""
    save_review(new_review, states[0])
    return new_review


def killed_while_saving(review, state, code=UNFINISHED):
    """A process that has committed a save and is killed before that is in the file."""
    saved = review.parent.parent / "state"
    saved.write_bytes(pickle.dumps(state))
    command = [sys.executable, "-c", code, str(saved), str(review)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE) as process:
        assert process.stdout.readline() == b"committed\n"
        process.send_signal(signal.SIGKILL)


def holds(review, state):
    """Whether a review opens, and has the documents and the texts of a state."""
    with open_review(review) as opened:
        same = list(opened.state.documents) == list(state.documents)
        assert list(opened.state.texts) == state.texts or not same
        return same


def names(review):
    return sorted(path.name for path in review.parent.iterdir())


def test_a_copy_of_the_one_file_has_what_was_saved(review, states, tmp_path):
    with open_review(review) as opened:
        opened.state.texts[3]
        for number, state in enumerate((*states, states[0])):
            assert save_review(review, state) == ()
            copy = tmp_path / f"{number}.neardup"
            shutil.copy(review, copy)
            assert holds(copy, state)
            assert names(review) == ["a.neardup"]


@pytest.mark.parametrize("code", [UNFINISHED, HALF_WAY])
def test_a_save_that_was_killed_on_its_way_into_the_file_is_finished(review, states, code):
    for state in (states[0], states[1]):
        save_review(review, states[2])
        killed_while_saving(review, state, code)
        assert has_pending(review)
        assert holds(review, state)
        assert names(review) == ["a.neardup"]


@pytest.mark.parametrize("code", [UNFINISHED, HALF_WAY])
def test_a_copy_with_its_companions_is_as_good(review, states, tmp_path, code):
    killed_while_saving(review, states[1], code)
    for ending in ("", "-wal", "-shm"):
        shutil.copy(f"{review}{ending}", tmp_path / f"b.neardup{ending}")
    assert holds(tmp_path / "b.neardup", states[1])


def test_a_copy_without_its_companions_is_as_before(review, states, tmp_path):
    killed_while_saving(review, states[1])
    shutil.copy(review, tmp_path / "b.neardup")
    assert holds(tmp_path / "b.neardup", states[0])


def test_only_the_review_was_deleted_and_another_scan_takes_its_name(review, states, tmp_path):
    killed_while_saving(review, states[1])
    review.unlink()
    assert main(["scan", str(tmp_path), "--review", str(review), "--quiet"]) == 0
    assert not len(state_in(review).documents)
    save_review(review, states[2])
    assert holds(review, states[2])
    assert names(review) == ["a.neardup"]


@pytest.mark.parametrize("code", [UNFINISHED, HALF_WAY])
@pytest.mark.parametrize("transfer", ["copied", "moved"])
def test_another_review_replaces_one_with_companions(review, states, tmp_path, code, transfer):
    """A backup of the same review, one that went its own way from it, and a stranger."""
    backup, branch, stranger = (tmp_path / f"{name}.neardup" for name in ("old", "own", "other"))
    save_review(review, states[2])
    shutil.copy(review, backup)
    save_review(review, states[0])
    shutil.copy(review, branch)
    save_review(branch, states[1])
    save_review(stranger, states[2])
    for put, expected_state in ((backup, 2), (branch, 1), (stranger, 2)):
        killed_while_saving(review, states[1], code)
        expected = put.read_bytes()
        (shutil.copy if transfer == "copied" else shutil.move)(put, review)
        with open_review(review) as opened:
            (note,) = opened.notes
            assert "unfinished changes of another file" in note
        assert holds(review, states[expected_state])
        assert review.read_bytes() == expected
        stray = review.with_name("a.stray1.neardup-wal")
        assert names(review) == ["a.neardup", stray.name]
        stray.unlink()
        review.unlink()
        save_review(review, states[0])


def test_saving_does_not_take_in_what_belongs_to_another_file(review, states):
    killed_while_saving(review, states[1])
    second_review = review.with_name("b.neardup")
    save_review(second_review, states[2])
    second_review.replace(review)

    (note,) = save_review(review, states[2])

    assert "now in “a.stray1.neardup-wal”" in note
    assert holds(review, states[2])


def test_a_letter_beside_changes_of_a_review_stays_a_letter(review, states):
    killed_while_saving(review, states[1])
    review.write_text("Dear diary")
    for refused in (lambda: open_review(review), lambda: save_review(review, states[0])):
        with pytest.raises(ReviewError, match="not a review"):
            refused()
    assert review.read_text() == "Dear diary"


def test_the_journal_of_another_database_undoes_nothing(review, states, tmp_path):
    """A program that takes reviews out of WAL mode was killed; then its file was replaced."""
    code = """
import os, sqlite3, sys
one = sqlite3.connect(sys.argv[1], isolation_level=None)
one.execute("PRAGMA journal_mode = DELETE")
one.execute("PRAGMA cache_size = 1")
one.execute("BEGIN")
one.execute("UPDATE documents SET size = size + 1")
one.execute("UPDATE texts SET size = size + 1")
one.execute("DELETE FROM pairs")
os._exit(0)
"""
    for index in (0, 1):
        save_review(review, states[1])
        subprocess.run([sys.executable, "-c", code, str(review)], check=True)
        assert review.with_name("a.neardup-journal").exists()
        if index:  # its own: what was begun is undone
            assert holds(review, states[1])
            continue
        second_review = tmp_path / "b.neardup"
        save_review(second_review, states[2])
        second_review.replace(review)
        assert holds(review, states[2])
        assert names(review) == ["a.neardup", "a.stray1.neardup-journal"]


def test_a_review_in_another_journal_mode_is_opened_and_saved(review, states):
    for mode in ("DELETE", "TRUNCATE", "PERSIST"):
        save_review(review, states[0])
        with closing(sqlite3.connect(review)) as connection:
            connection.execute(f"PRAGMA journal_mode = {mode}")
            connection.execute(f"PRAGMA user_version = {schema.FORMAT}")
            connection.commit()
        assert holds(review, states[0])
        assert save_review(review, states[1]) == ()
        assert holds(review, states[1])


@pytest.mark.parametrize("change", ["page_size = 1024", "page_size = 65536"])
def test_a_review_with_other_pages_is_opened_and_saved(review, states, change):
    with closing(sqlite3.connect(review)) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
        connection.execute(f"PRAGMA {change}")
        connection.execute("VACUUM")
    assert holds(review, states[0])
    save_review(review, states[1])
    killed_while_saving(review, states[2])
    assert holds(review, states[2])


def test_a_review_can_be_read_while_it_is_saved(review, states, tmp_path, monkeypatch):
    monkeypatch.setattr("core.review.database.PATIENCE", 0.05)
    save_review(review, states[0])
    with closing(sqlite3.connect(review, isolation_level=None)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT * FROM review").fetchall()
        (note,) = save_review(review, states[1])
        assert "not complete in the one file yet: another program is using it" in note
        assert "“a.neardup-wal” beside it belongs to it" in note
        assert holds(review, states[1])
        shutil.copy(review, tmp_path / "alone.neardup")
        assert holds(tmp_path / "alone.neardup", states[0])
        finish(review)  # not possible yet
        assert has_pending(review)
    finish(review)
    assert not has_pending(review)
    assert holds(review, states[1])


def test_a_file_that_was_put_there_meanwhile_is_not_replaced(new_review, states, monkeypatch):
    def created(*_):
        new_review.write_bytes(b"mine")

    monkeypatch.setattr(target, "_flush", created)
    with pytest.raises(ReviewError, match="was created by another program in the meantime"):
        save_review(new_review, states[0])
    assert new_review.read_bytes() == b"mine"
    assert names(new_review) == ["a.neardup"]


def test_a_file_that_was_replaced_while_it_was_saved_is_reported(review, states, monkeypatch):
    second_review = review.with_name("b.neardup")
    save_review(second_review, states[2])
    monkeypatch.setattr(
        "core.review.lock._complete", lambda *_: str(second_review.replace(review))[:0]
    )
    with pytest.raises(ReviewError, match="was replaced by another program while it was saved"):
        save_review(review, states[1])
    assert holds(review, states[2])


def test_texts_of_a_file_that_was_written_over(review, states):
    """Other texts under the same numbers are not taken for those that were opened."""
    second_review = review.with_name("b.neardup")
    save_review(second_review, states[2])
    with open_review(review) as has_read, open_review(review) as has_not_read:
        has_read.state.texts[0]
        shutil.copyfile(second_review, review)
        for position, text in enumerate(states[0].texts):
            with suppress(ReviewError):
                assert has_read.state.texts[position] == text
            with pytest.raises(ReviewError, match="was changed by another program"):
                has_not_read.state.texts[position]


def test_numbers_of_texts_are_never_given_again(review, states):
    seen = {}
    for state in (states[1], states[0], states[2], states[0], states[1]):
        save_review(review, state)
        with closing(sqlite3.connect(review)) as connection:
            for number, checksum in connection.execute("SELECT id, checksum FROM texts"):
                assert seen.setdefault(number, checksum) == checksum


def test_texts_of_other_readers_keep_their_numbers_where_they_are_the_same(review, states):
    save_review(review, states[0]._replace(texts_are_current=False))
    with open_review(review) as opened:
        changed = ["x" * len(states[0].texts[0]), *states[0].texts[1:]]
        save_review(review, states[0]._replace(texts=changed))
        assert list(opened.state.texts[1:]) == changed[1:]
        with pytest.raises(ReviewError, match="changed"):
            opened.state.texts[0]
    with open_review(review) as opened:
        assert list(opened.state.texts) == changed


def test_every_save_makes_another_state(review, states):
    seen = set()
    for _ in range(3):
        save_review(review, states[0])
        seen.add(file_state(review))
    assert len(seen) == 3


def test_a_damaged_review_is_not_scanned_again_as_if_it_were_whole(tmp_path, capsys):
    """Each byte that is changed is noticed, or was of no account."""
    folder, review = tmp_path / "docs", tmp_path / "a.neardup"
    scanned(folder, 30)
    scan_again = ["scan", str(folder), "--review", str(review), "--quiet"]
    assert main(scan_again) == 0
    intact = review.read_bytes()
    rng = random.Random(4)
    refused = 0
    for number in range(40):
        damaged = bytearray(intact)
        for _ in range(rng.choice([1, 3, 40])):
            damaged[rng.randrange(len(damaged))] ^= rng.randrange(1, 256)
        review.write_bytes(damaged)
        if main(scan_again):
            refused += 1
            assert "a.neardup" in capsys.readouterr().err
            assert review.read_bytes() == damaged
        else:
            report = tmp_path / f"{number}.csv"
            assert main(["report", str(review), str(report), "--quiet"]) == 0, number
            with open_review(review) as opened:
                assert len(list(opened.state.texts)) == 30
    assert 15 < refused < 40  # a third of so small a file is empty pages


def test_two_scans_make_one_review(tmp_path):
    """One wins, the other gets a sentence; in either order, the review is complete."""
    review = tmp_path / "a.neardup"
    for name in ("one", "two"):
        scanned(tmp_path / name, 12, mark=name)
    for delay in (0, 0.3):
        review.unlink(missing_ok=True)
        scans = []
        for name in ("one", "two"):
            command = ["-m", "core", "scan", str(tmp_path / name), "--review", str(review)]
            scans.append(
                subprocess.Popen(
                    [sys.executable, *command], cwd=ROOT, stdout=subprocess.DEVNULL, stderr=-1
                )
            )
            time.sleep(delay)
        errors = [process.communicate()[1].decode() for process in scans]
        codes = [process.returncode for process in scans]
        assert 0 in codes
        assert all(
            code == 0 or "another" in error for code, error in zip(codes, errors, strict=True)
        )
        with open_review(review) as opened:
            assert len(list(opened.state.texts)) in {12, 24}
        assert not list(tmp_path.glob("a.neardup-*"))


def test_copies_after_saved_while_others_read_and_savers_are_killed(review, states, tmp_path):
    """What a process reported as saved is in every later copy."""
    code = """
import pickle, sys
from pathlib import Path
from core.review import save_review
with open(sys.argv[1], "rb") as file:
    states = pickle.load(file)
while True:
    for number, state in enumerate(states):
        print("saving", number, flush=True)
        beside = save_review(Path(sys.argv[2]), state)  # who reads may keep a part there
        print("beside" if beside else "saved", number, flush=True)
"""
    (tmp_path / "states").write_bytes(pickle.dumps(states))
    rng = random.Random(8)
    command = [sys.executable, "-c", code, str(tmp_path / "states"), str(review)]
    for _ in range(8):
        saved = []
        with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
            while rng.random() < 0.95 or len(saved) < 2:
                saved.append(process.stdout.readline().split())
                if saved[-1][0] == "saved" and rng.random() < 0.5:
                    assert len(state_in(review).documents) in {10, 30, 40}
            process.send_signal(signal.SIGKILL)
            saved += [line.split() for line in process.stdout]
        word, number = saved[-1]
        allowed = {int(number)} if word == "saved" else {int(number), (int(number) + 2) % 3}
        with ReviewLock(review) as lock:
            lock.require()
            if word == "saved":
                shutil.copy(review, tmp_path / "copy.neardup")
                assert holds(tmp_path / "copy.neardup", states[int(number)])
            assert any(holds(review, states[number]) for number in allowed)
        assert names(review) == ["a.neardup"]
