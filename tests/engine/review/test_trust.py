"""What this installation measured is believed; any other review is measured from its texts."""

import os
import sqlite3
import stat
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from core.documents.model import PairKey
from core.errors import ScanCancelledError
from core.review import ReviewLog, open_review, save_review, trust
from core.review.header import load_facts
from core.review.packing import checksum_of, pack_text
from core.review.stored_scan import NOT_OURS
from core.review.verdicts import judge
from core.scan.flow import scan
from core.scan.judgements import Judgements, Verdict
from core.scan.scan import Scan
from core.settings import ScanSettings

WORDS = "the survey was carried out in three districts between april and june"
DATA = "XDG_DATA_HOME"
KEY = Path("neardup") / trust.KEY_FILE
linux = pytest.mark.skipif(sys.platform != "linux", reason="says where data is kept on Linux")


@pytest.fixture(autouse=True)
def data(tmp_path, monkeypatch):
    """The user's data folder, without a key."""
    folder = tmp_path / "data"
    monkeypatch.setenv(DATA, str(folder))
    return folder


@pytest.fixture
def state(tmp_path):
    folder = tmp_path / "docs"
    folder.mkdir()
    for number in range(4):
        (folder / f"{number}.txt").write_text(f"{WORDS} {number} {WORDS[::-1]} {number}")
    done = scan([folder], ScanSettings(k=2))
    done.pairs()
    done.close()
    return done.state


@pytest.fixture
def review(tmp_path, state):
    path = tmp_path / "a.neardup"
    save_review(path, state)
    return path


def numbers(state):
    scanned = Scan.restored(state)
    pairs = scanned.list_pairs().every
    scanned.close()
    return sorted(zip(pairs.a, pairs.b, pairs.resemblance, pairs.longest_run, strict=True))


def notes_of(path):
    with open_review(path) as opened:
        return opened.notes


def test_ours_is_believed_without_measuring_anything(review, state, monkeypatch):
    monkeypatch.setattr("core.review.stored_scan.sign_texts", None)
    with open_review(review) as opened:
        assert opened.notes == ()
        assert opened.state.evidence.codes.tolist() == state.evidence.codes.tolist()


def test_of_another_installation_everything_is_measured_again(review, state, tmp_path, monkeypatch):
    monkeypatch.setenv(DATA, str(tmp_path / "elsewhere"))
    told = []
    with open_review(review, progress=told.append) as opened:
        assert opened.notes == (NOT_OURS,)
        assert not len(opened.state.evidence.codes)
        assert numbers(opened.state) == numbers(state)
        assert [one.text_hash for one in opened.state.documents] == [
            one.text_hash for one in state.documents
        ]
        save_review(review, opened.state)
    assert told[-1].done == len(state.documents)
    assert notes_of(review) == ()


def test_measuring_again_can_be_cancelled(review, tmp_path, monkeypatch):
    monkeypatch.setenv(DATA, str(tmp_path / "elsewhere"))
    cancelled = []
    real = trust.is_ours

    def is_ours(*of):
        cancelled.append(True)
        return real(*of)

    monkeypatch.setattr("core.review.stored_scan.is_ours", is_ours)
    with pytest.raises(ScanCancelledError):
        open_review(review, cancelled=lambda: bool(cancelled))


def test_decisions_leave_it_ours(review):
    with open_review(review) as opened:
        documents = opened.state.documents
    key = PairKey.of(*documents[:2])
    ReviewLog(review).append(*judge(Judgements(), [key], Verdict.CONFIRMED))
    with open_review(review) as opened:
        assert opened.notes == ()
        assert opened.state.judgements.verdicts[key].verdict is Verdict.CONFIRMED


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE pairs SET checksum = checksum + 1",
        "UPDATE documents SET checksum = checksum + 1 WHERE id = 2",
        "UPDATE texts SET checksum = checksum + 1 WHERE id = 2",
        "UPDATE word_model SET checksum = checksum + 1",
        "DELETE FROM pairs",
        "INSERT INTO aside VALUES (0, 2, 1, x'00')",
        "INSERT INTO reworked VALUES (99, 1, 1, x'00')",
        "INSERT INTO run_pairs VALUES (99, 1, 1, x'00')",
    ],
)
def test_the_mac_is_over_everything_that_was_measured(review, change):
    with closing(sqlite3.connect(review)) as connection:
        connection.text_factory = bytes
        facts = load_facts(connection)
        assert trust.is_ours(connection, facts)
        connection.execute(change)
        assert not trust.is_ours(connection, facts)


def test_a_text_of_a_stranger_is_not_kept_when_it_is_saved_over(review, state):
    text = state.texts[0]
    size, packed = pack_text(text.replace("survey", "voyage"))
    with closing(sqlite3.connect(review)) as connection:
        connection.execute(
            "UPDATE texts SET size = ?, checksum = ?, data = ? WHERE id = 1",
            (size, checksum_of(packed, seed=1), packed),
        )
        connection.commit()

    save_review(review, state)

    with open_review(review) as opened:
        assert opened.notes == ()
        assert list(opened.state.texts) == list(state.texts)


@linux
def test_without_a_place_for_the_key_all_is_measured_again_and_nothing_fails(data, state, tmp_path):
    data.write_text("no folder")
    path = tmp_path / "a.neardup"
    assert save_review(path, state) == ()
    with open_review(path) as opened:
        assert opened.notes == (NOT_OURS,)
        assert numbers(opened.state) == numbers(state)


@linux
def test_the_key_is_for_nobody_else(data, review):
    status = (data / KEY).stat()
    assert stat.S_IMODE(status.st_mode) == 0o600
    assert status.st_size == trust.KEY_BYTES
    assert [one.name for one in (data / KEY).parent.iterdir()] == [trust.KEY_FILE]


@linux
def test_a_key_that_is_none_is_replaced_and_a_link_is_not_followed(data, review, tmp_path):
    key = data / KEY
    key.write_bytes(b"short")
    assert notes_of(review) == (NOT_OURS,)
    assert key.stat().st_size == trust.KEY_BYTES
    own = tmp_path / "own"
    own.write_bytes(bytes(trust.KEY_BYTES))
    key.unlink()
    key.symlink_to(own)
    assert notes_of(review) == (NOT_OURS,)
    assert own.read_bytes() == bytes(trust.KEY_BYTES)


def test_who_needs_the_key_at_the_same_time_gets_the_same():
    with ThreadPoolExecutor(8) as pool:
        keys = set(pool.map(lambda _: trust._key(), range(32)))
    assert len(keys) == 1
    assert None not in keys


@linux
@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write")
def test_a_data_folder_that_is_read_only(data, state, tmp_path):
    data.mkdir(mode=0o500)
    save_review(tmp_path / "a.neardup", state)
    assert notes_of(tmp_path / "a.neardup") == (NOT_OURS,)
