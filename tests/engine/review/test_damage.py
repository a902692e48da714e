"""Every defect of a review file is reported in a sentence, and nothing is written over."""

import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing, suppress
from pathlib import Path

import pytest

from core.documents.reading_settings import ReadingSettings
from core.errors import ReviewError
from core.review import database as schema
from core.review import open_review, save_review
from core.settings import ScanSettings
from tests.bench.crafted_reviews import damaged
from tests.programs import ROOT, python
from tests.reviews import scanned_state
from tests.texts import folder_with

SETTINGS = ScanSettings(k=2)


def scanned(folder, count=60, *, mark=""):
    """The state of a scan of some texts, with evidence."""
    texts = {"empty.txt": ""}
    for number in range(count):
        words = (f"w{(number // 3 + index) % 97}{mark}" for index in range(60))
        texts[f"{number:03}.txt"] = " ".join(words)
    return scanned_state([folder_with(folder, texts)], SETTINGS)


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    """A state and the bytes of its review file."""
    folder = tmp_path_factory.mktemp("saved")
    state = scanned(folder / "docs")
    save_review(folder / "a.neardup", state)
    return state, (folder / "a.neardup").read_bytes()


def is_sentence(text):
    return text.startswith("“") and text.endswith(".") and text.isprintable()


def refused(work, *words):
    with pytest.raises(ReviewError) as raised:
        work()
    sentence = str(raised.value)
    assert is_sentence(sentence)
    for word in words:
        assert word in sentence
    assert "a.neardup" in sentence


def read_everything(path):
    """The values of a review, texts too; or None where it is refused in a sentence."""
    try:
        with open_review(path) as review:
            state = review.state
            return (
                state.settings,
                list(state.documents),
                list(state.problems),
                list(state.texts),
                [column.tobytes() for column in columns(state)],
            )
    except ReviewError as error:
        return error if not is_sentence(str(error)) else None


def columns(state):
    signed, evidence = state.signed, state.evidence
    return [*signed[:3], *signed.fingerprints, evidence.codes, *evidence.overlap, evidence.sizes]


def foreign_database(path):
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE mine (value)")
        connection.commit()


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda path: path.write_text("Dear diary"), "not a review"),
        (lambda path: path.write_bytes(bytes(100_000)), "not a review"),
        (lambda path: path.write_text("A long text. " * 9000), "not a review"),
        (foreign_database, "another program"),
        (Path.mkdir, "a folder"),
        (os.mkfifo, "a device"),
    ],
)
def test_what_is_no_review_is_neither_opened_nor_written_over(tmp_path, path, saved, make, words):
    make(path)
    before = path.read_bytes() if path.is_file() else None

    refused(lambda: open_review(path), words)
    refused(lambda: save_review(path, saved[0]), words)

    assert not path.is_file() or path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [tmp_path / "a.neardup"]


@pytest.mark.parametrize("is_new", [False, True])
def test_what_could_not_be_opened_again_is_not_saved(tmp_path, path, saved, is_new):
    state, before = saved
    if not is_new:
        path.write_bytes(before)
    documents = [document._replace(language="English") for document in state.documents[:1]]

    refused(
        lambda: save_review(path, state._replace(documents=[*documents, *state.documents[1:]])),
        "with what was to be saved it could not be opened again",
    )

    assert [path.name for path in tmp_path.iterdir()] == ([] if is_new else ["a.neardup"])
    assert is_new or path.read_bytes() == before


def test_a_submission_of_thousands_of_files_can_be_opened_again(tmp_path):
    names = {f"the_file_of_exercise_number_{number:05}.txt": number for number in range(6500)}
    answers = {name: f"answer {number}" for name, number in names.items()}
    folder_with(tmp_path / "in" / "student", answers)
    reading = ReadingSettings(submissions=True)
    save_review(tmp_path / "a.neardup", scanned_state([tmp_path / "in"], SETTINGS, reading=reading))

    with open_review(tmp_path / "a.neardup") as review:
        assert [len(document.members) for document in review.state.documents] == [6500]


def test_an_empty_file_is_no_review_but_can_become_one(path, saved):
    path.touch()

    refused(lambda: open_review(path), "empty")
    save_review(path, saved[0])

    assert read_everything(path)


@pytest.mark.parametrize("name", ["a.neardup", "no/a.neardup"])
def test_a_file_or_folder_that_is_not_there(tmp_path, saved, name):
    refused(lambda: open_review(tmp_path / name), "not there" if name[0] == "a" else "no folder")
    if name[0] != "a":
        refused(lambda: save_review(tmp_path / name, saved[0]), "no folder")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("step", "words"),
    [(1, "newer version of Neardup"), (-1, "before the first release of Neardup")],
)
def test_a_review_of_another_version_is_left_as_it_is(path, saved, step, words):
    path.write_bytes(saved[1])
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"PRAGMA user_version = {schema.FORMAT + step}")
    before = path.read_bytes()

    for attempt in (lambda: open_review(path), lambda: save_review(path, saved[0])):
        refused(attempt, f"{words} (format {schema.FORMAT + step})")
    assert path.read_bytes() == before


def test_a_file_that_another_process_is_writing(path, saved, monkeypatch):
    monkeypatch.setattr("core.review.database.PATIENCE", 0.05)
    path.write_bytes(saved[1])
    with closing(sqlite3.connect(path, isolation_level=None)) as writer:
        writer.execute("BEGIN IMMEDIATE")
        refused(lambda: save_review(path, saved[0]), "another Neardup")
        assert read_everything(path)
    save_review(path, saved[0])


@pytest.mark.parametrize(("of_file", "of_folder"), [(0o444, 0o555), (0o444, 0o755), (0o644, 0o555)])
def test_a_file_that_may_not_be_written_opens(unprivileged, saved, of_file, of_folder):
    path = unprivileged / "a.neardup"
    path.write_bytes(saved[1])
    expected = read_everything(path)
    path.chmod(of_file)
    unprivileged.chmod(of_folder)

    assert read_everything(path) == expected
    refused(lambda: save_review(path, saved[0]), "permission")
    assert path.read_bytes() == saved[1]
    assert list(unprivileged.iterdir()) == [unprivileged / "a.neardup"]


def test_a_place_where_nothing_may_be_written_or_read(unprivileged, saved):
    path = unprivileged / "a.neardup"
    unprivileged.chmod(0o555)
    refused(lambda: save_review(path, saved[0]), "permission")
    unprivileged.chmod(0o755)
    path.write_bytes(saved[1])
    path.chmod(0)
    refused(lambda: open_review(path), "permission")


def test_changes_of_a_killed_process_on_a_read_only_disk(unprivileged, saved, monkeypatch):
    path = unprivileged / "a.neardup"
    wal = path.with_name("a.neardup-wal")
    path.write_bytes(saved[1])
    beside = [b"x" * 5000]
    with monkeypatch.context() as patched:
        patched.setattr("core.review.lock._complete", lambda *_: beside.append(wal.read_bytes()))
        save_review(path, saved[0])
    path.write_bytes(saved[1])
    for content in beside:
        wal.write_bytes(content)
        path.chmod(0o444)
        unprivileged.chmod(0o555)
        if content == beside[1]:
            refused(lambda: open_review(path), "a.neardup-wal", "Copy both")
        else:
            assert read_everything(path)
        unprivileged.chmod(0o755)


def test_damage_is_noticed_or_harmless(tmp_path, saved, monkeypatch):
    path, intact = tmp_path / "a.neardup", saved[1]
    path.write_bytes(intact)
    expected = read_everything(path)
    with monkeypatch.context() as patched:
        patched.setenv("XDG_DATA_HOME", str(tmp_path / "elsewhere"))
        measured_again = read_everything(path)
    refusals = 0
    damages = list(damaged(intact, intact[::-1], 1200, 7))
    flips = [damage for damage in damages[240:] if "flip" in damage[0]]
    for name, changed in [*damages[:240], *flips]:
        path.write_bytes(changed)
        content = read_everything(path)
        assert content in (None, expected, *([measured_again] * ("flip" not in name))), name
        refusals += content is None
        for end in ("-wal", "-shm", "-journal"):
            path.with_name(path.name + end).unlink(missing_ok=True)
    assert 100 < refusals < 360


def test_what_is_saved_over_a_damaged_file_is_whole(path, saved):
    state, intact = saved
    for name, changed in damaged(intact, intact[::-1], 64, 7):
        path.write_bytes(intact)
        os.utime(path, (0, 0))
        with open_review(path, verify=True):  # what was whole once may be damaged later
            path.write_bytes(changed)
        with suppress(ReviewError):
            save_review(path, state)
            assert read_everything(path)[3] == list(state.texts), name
        for end in ("-wal", "-shm", "-journal"):
            path.with_name(path.name + end).unlink(missing_ok=True)


def test_a_schema_that_is_no_utf_8_is_a_sentence(path, saved):
    path.write_bytes(saved[1].replace(b"CREATE TABLE texts", b"CREATE T\x8fBLE texts"))

    refused(lambda: open_review(path), "damaged")
    refused(lambda: save_review(path, saved[0]), "damaged")


def on_small_disk(size, tmp_path, program):
    """Run a program with a disk of its own; it is given the folder of the test and the disk."""
    disk = tmp_path / "disk"
    disk.mkdir()
    commands = 'mount -t tmpfs -o size="$1" tmpfs "$2" || exit 77; exec "$4" -c "$5" "$3" "$2"'
    done = subprocess.run(
        ["unshare", "-rm", "sh", "-c", commands, "sh", size, disk, tmp_path, sys.executable,
         program],
        cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode == 77 or "unshare" in done.stderr:
        pytest.skip("no disk can be mounted here")
    assert not done.returncode, done.stderr
    return done


needs_disk = pytest.mark.skipif(not shutil.which("unshare"), reason="needs a disk of its own")
SMALL_DISK = """
import os, shutil, sys
from pathlib import Path
from core.documents.model import PairKey
from core.errors import ReviewError
from core.review import open_review
from core.review.verdicts import write_note
from core.scan.judgements import Judgements
from tests.reviews import ReviewLog
elsewhere, review = Path(sys.argv[1]) / "copy.neardup", Path(sys.argv[2]) / "a.neardup"
shutil.copyfile(elsewhere, review)
disk, log, saved = os.statvfs(review.parent), ReviewLog(review), 0
room = disk.f_bavail * disk.f_frsize
review.with_name("filling").write_bytes(bytes(room - 200_000))
for turn in range(20):
    note = write_note(Judgements(), [PairKey(str(turn), "t")], "abcd " * 10_000)
    try:
        notes = log.append(*note).notes
    except ReviewError as error:
        assert "the disk is full" in str(error), error
        if saved and not turn % 4:
            os.truncate(review.with_name("filling"), room - 200_000 - 15_000 * turn)
    else:
        assert not notes
        saved = len(log.entries)
    shutil.copyfile(review, elsewhere)
    for path in (review, elsewhere):
        with open_review(path) as opened:
            assert len(opened.state.log) == saved
print(saved)
"""


@needs_disk
def test_a_disk_that_fills_up_leaves_the_one_file_complete(tmp_path, saved):
    """Half of a save in the one file could not be read without the WAL beside it."""
    (tmp_path / "copy.neardup").write_bytes(saved[1])
    done = on_small_disk("4m", tmp_path, SMALL_DISK)
    assert 1 < int(done.stdout) < 20


NEW_ON_SMALL_DISK = """
import random, sys
from pathlib import Path
from core.commands.main import main
folder, disk = Path(sys.argv[1]) / "texts", Path(sys.argv[2])
folder.mkdir()
for name in "ab":
    draw = random.Random(name).choices
    words = ("".join(draw("abcdefgh", k=6)) for _ in range(40_000))
    (folder / f"{name}.txt").write_text(" ".join(words))
status = main(["scan", str(folder), "--review", str(disk / "new.neardup"), "--quiet"])
assert status == 1, status
assert not list(disk.iterdir()), list(disk.iterdir())
"""


@needs_disk
def test_of_a_review_that_was_never_there_is_not_said_that_it_is_as_it_was(tmp_path):
    done = on_small_disk("256k", tmp_path, NEW_ON_SMALL_DISK)
    assert "“new.neardup” could not be saved: the disk is full. No file was made." in done.stderr


def test_a_full_disk_leaves_the_file_as_it_was(tmp_path, path, saved):
    """The largest size of a file that a process may write stands for the size of the disk."""
    path.write_bytes(saved[1])
    code = f"""
import resource, signal
from pathlib import Path
from core.errors import ReviewError
from core.review import open_review, save_review
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
with open_review(Path({str(path)!r})) as review:
    resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))
    with open_review(Path({str(path)!r})) as again:
        assert len(list(again.state.texts)) == len(review.state.texts)
    settings = review.state.settings.with_changes(seed=9)
    for name in ("a.neardup", "new.neardup"):
        units, *others = review.state.signed
        signed = type(review.state.signed)(units + 1, *others)
        state = review.state._replace(signed=signed, settings=settings)
        try:
            save_review(Path({str(tmp_path)!r}, name), state)
        except ReviewError as error:
            print(error)
"""
    done = python("-c", code)

    lines = done.stdout.splitlines()
    assert len(lines) == 2, done.stderr
    assert all(is_sentence(line) and "disk" in line for line in lines), lines
    assert list(tmp_path.iterdir()) == [tmp_path / "a.neardup"]
    assert path.read_bytes() == saved[1]
