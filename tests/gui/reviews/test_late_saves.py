"""A review is shown as saved when its one file is complete, and never while it is written."""

import shutil
import sqlite3
import threading
from contextlib import closing

import numpy as np
import pytest

from core.review import open_review
from core.review.refusals import has_pending
from core.scan.judgements import Verdict
from neardup_gui.models.folder_reviews import FolderReviews
from neardup_gui.views.shell.status import SavedLabel


@pytest.fixture
def listed(window, tmp_path, qtbot):
    folder = tmp_path / "essays"
    folder.mkdir()
    common = " ".join(f"word{number}" for number in range(60))
    for number in range(3):
        (folder / f"{number}.txt").write_text(f"{common} {number}")
    window.presenter.review.of_folders = FolderReviews(tmp_path / "reviews")
    with qtbot.waitSignal(window.presenter.ended):
        window.presenter.open_folders([folder])
    qtbot.waitUntil(lambda: not window.presenter.state.is_busy)
    with qtbot.waitSignal(window.presenter.review.said):
        window.presenter.save_review(tmp_path / "essays.neardup")
    return window


def test_it_is_shown_as_saved_when_it_is(listed, qtbot, monkeypatch):
    from neardup_gui.jobs import locks

    (label,) = listed.findChildren(SavedLabel)
    go_on, real = threading.Event(), locks.save_entries

    def slow(*arguments):
        assert go_on.wait(300)
        return real(*arguments)

    qtbot.waitUntil(lambda: label.text().startswith("saved"))
    monkeypatch.setattr(locks, "save_entries", slow)
    listed.presenter.verdicts.judge(Verdict.CONFIRMED, np.array([0]))
    assert label.text().startswith("saving")
    go_on.set()
    qtbot.waitUntil(lambda: label.text().startswith("saved"))
    assert not listed.presenter.decisions.saver.is_behind


def test_a_save_of_the_whole_scan_is_not_shown_as_done(listed, qtbot, monkeypatch):
    from core import review

    (label,) = listed.findChildren(SavedLabel)
    go_on, real = threading.Event(), review.save_review

    def slow(*arguments, **named):
        assert go_on.wait(300)
        return real(*arguments, **named)

    qtbot.waitUntil(lambda: label.text().startswith("saved"))
    monkeypatch.setattr(review, "save_review", slow)
    listed.presenter.review.save_again()
    assert label.text().startswith("saving")
    go_on.set()
    qtbot.waitUntil(lambda: label.text().startswith("saved"))


def test_what_lies_beside_the_file_is_not_shown_as_saved(listed, qtbot, tmp_path):
    (label,) = listed.findChildren(SavedLabel)
    path = tmp_path / "essays.neardup"
    qtbot.waitUntil(lambda: label.text().startswith("saved"))
    with closing(sqlite3.connect(path, isolation_level=None)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT * FROM review").fetchall()
        for row in (0, 1):  # who reads keeps nobody from deciding more
            listed.presenter.verdicts.judge(Verdict.CONFIRMED, np.array([row]))
            qtbot.waitUntil(lambda: not listed.presenter.decisions.saver.is_behind)
        assert has_pending(path)
        assert label.text().startswith("saving")
    qtbot.waitUntil(lambda: label.text().startswith("saved"))
    assert not has_pending(path)
    shutil.copy(path, tmp_path / "copy.neardup")
    with open_review(tmp_path / "copy.neardup") as copy:
        assert len(copy.state.judgements.verdicts) == 2
