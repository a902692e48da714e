"""What lies beside a review and what is no review: another program's files are left as they are."""

import os
import sqlite3
import struct
from contextlib import closing

import pytest

from core.errors import ReviewError
from core.review import lock, open_review, save_review
from core.scan.flow import scan
from core.settings import ScanSettings

WAL_WITHOUT_SALT = struct.pack(">8I", 0x377F0682, 3_007_000, 512, 0, 0, 0, 0, 0)
JOURNAL = bytes.fromhex("d9d505f920a163d7") + struct.pack(">5I", 2**31 - 1, 0, 1, 512, 512)
TERABYTE = 1 << 40


@pytest.fixture
def review(tmp_path):
    texts = tmp_path / "texts"
    texts.mkdir()
    for number in range(4):
        (texts / f"{number}.txt").write_text(f"{number} one two three four five six")
    done = scan([texts], ScanSettings(k=2))
    done.pairs()
    done.close()
    path = tmp_path / "reviews" / "a.neardup"
    path.parent.mkdir()
    save_review(path, done.state)
    return path


def beside(path):
    """Everything in the folder, but not what is in the shared index, which readers lock."""
    return {
        one.name: b"" if one.name.endswith("-shm") else one.read_bytes()
        for one in path.parent.iterdir()
    }


@pytest.mark.parametrize("size", [512, 8192])
def test_a_database_that_another_program_has_open_is_left_as_it_is(tmp_path, review, size):
    with open_review(review) as opened:
        state = opened.state
        path = tmp_path / "theirs" / "history.sqlite"
        path.parent.mkdir()
        with closing(sqlite3.connect(path, isolation_level=None)) as theirs:
            theirs.execute(f"PRAGMA page_size = {size}")
            theirs.execute("PRAGMA journal_mode = WAL")
            theirs.execute("CREATE TABLE visits (place)")
            theirs.execute("INSERT INTO visits VALUES ('home')")
            before = beside(path)
            assert len(before) == 3
            for attempt in (open_review, lambda path: save_review(path, state)):
                with pytest.raises(ReviewError, match="the database of another program"):
                    attempt(path)
                assert beside(path) == before
            with closing(sqlite3.connect(path)) as again:
                assert again.execute("SELECT place FROM visits").fetchall() == [("home",)]


@pytest.mark.parametrize("ending", ["-wal", "-shm", "-journal"])
@pytest.mark.parametrize("kind", ["folder", "link", "pipe"])
def test_what_has_the_name_of_a_companion_and_is_no_file_is_named(tmp_path, review, ending, kind):
    companion = review.with_name(review.name + ending)
    own = tmp_path / "own.txt"
    own.write_text("mine")
    if kind == "folder":
        companion.mkdir()
    elif kind == "link":
        try:
            companion.symlink_to(own)
        except OSError:
            pytest.skip("no links here")
    elif hasattr(os, "mkfifo"):
        os.mkfifo(companion)
    else:
        pytest.skip("no pipes here")
    with pytest.raises(ReviewError, match=f"a.neardup{ending}” beside .* Move it away and retry"):
        open_review(review)
    assert own.read_text() == "mine"
    assert companion.is_dir() or companion.is_fifo() or companion.is_symlink()


@pytest.mark.parametrize(("ending", "head"), [("-wal", WAL_WITHOUT_SALT), ("-journal", JOURNAL)])
def test_holes_beside_a_review_are_not_read(review, ending, head):
    companion = review.with_name(review.name + ending)
    companion.write_bytes(head)
    try:
        os.truncate(companion, TERABYTE)
    except OSError:
        pytest.skip("no such files here")
    if companion.stat().st_blocks * 512 > 1 << 20:
        companion.unlink()
        pytest.skip("holes take room here")
    with open_review(review) as opened:
        assert len(opened.state.documents) == 4


def test_who_saves_under_another_name_of_the_same_file_waits(review, monkeypatch):
    other = review.with_name("b.neardup")
    try:
        os.link(review, other)
    except OSError:
        pytest.skip("no hard links here")
    looked, complete = [], lock._complete

    def look_and_complete(path, connection):
        with (
            closing(sqlite3.connect(other, timeout=0)) as second,
            pytest.raises(sqlite3.OperationalError, match="locked"),
        ):
            second.execute("BEGIN IMMEDIATE")
        looked.append(path)
        return complete(path, connection)

    monkeypatch.setattr(lock, "_complete", look_and_complete)
    with open_review(review) as opened:
        assert save_review(review, opened.state) == ()
    assert looked == [review]
    for name in (review, other):
        with open_review(name) as opened:
            assert len(list(opened.state.texts)) == 4


def test_texts_of_a_review_that_was_renamed(review):
    with open_review(review) as opened:
        review.rename(review.with_name("b.neardup"))
        with pytest.raises(ReviewError, match="could not be read: it is not there any more"):
            opened.state.texts[2]
