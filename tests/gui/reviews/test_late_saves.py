"""A save of a decision that takes longer than a moment is not shown as done."""

import threading

import numpy as np
import pytest

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
    from neardup_gui.jobs import decisions

    (label,) = listed.findChildren(SavedLabel)
    go_on, real = threading.Event(), decisions.save_entries

    def slow(*arguments):
        assert go_on.wait(300)
        return real(*arguments)

    qtbot.waitUntil(lambda: label.text().startswith("saved"))
    monkeypatch.setattr(decisions, "save_entries", slow)
    listed.presenter.verdicts.judge(Verdict.CONFIRMED, np.array([0]))
    assert label.text().startswith("saved")  # the line does not flicker at every key
    qtbot.waitUntil(lambda: label.text().startswith("saving"))
    go_on.set()
    qtbot.waitUntil(lambda: label.text().startswith("saved"))
    assert not listed.presenter.decisions.saver.is_behind
