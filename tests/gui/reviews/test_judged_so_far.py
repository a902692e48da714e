"""The box that says what the verdicts so far mean: it comes, bounds by a check, and is undone."""

import numpy as np
import pytest

from core.scan.judgements import Verdict
from neardup_gui.views.threshold.judged_box import JudgedBox

WORDS = [f"word{number}" for number in range(400)]


@pytest.fixture
def judging(window, tmp_path, qtbot):
    """Ten documents that all share something: 45 pairs, and 25 of them judged."""
    folder = tmp_path / "essays"
    folder.mkdir()
    for number in range(10):
        own = [f"own{number}x{place}" for place in range(20 * number)]
        (folder / f"essay{number}.txt").write_text(" ".join([*WORDS[:150], *own]))
    with qtbot.waitSignal(window.presenter.ended):
        window.presenter.open_folders([folder])
    verdicts = window.presenter.verdicts
    assert window.presenter.pairs.total == 45
    verdicts.judge(Verdict.CONFIRMED, np.arange(12))
    verdicts.judge(Verdict.NOT_A_MATCH, np.arange(12, 25))
    box = window.side_panels.threshold.findChild(JudgedBox)
    qtbot.waitUntil(lambda: "25 pairs judged, 12 confirmed." in box.words)
    return window


def test_words_come_with_enough_verdicts_and_go_with_them(judging, qtbot):
    box = judging.side_panels.threshold.findChild(JudgedBox)
    assert "Of 20 unread pairs" in box.words
    judging.presenter.decisions.undo()
    qtbot.waitUntil(box.isHidden)


def test_a_check_is_drawn_shown_judged_and_undone(judging, qtbot):
    box, pairs = judging.side_panels.threshold.findChild(JudgedBox), judging.presenter.pairs
    box.check_wanted.emit()
    qtbot.waitUntil(lambda: "Random check: 0 of 20 judged." in box.words)
    box.check_shown.emit()
    assert pairs.rowCount() == 20
    assert set(pairs.shown_rows().tolist()) == set(range(25, 45))
    judging.presenter.verdicts.judge(Verdict.NOT_A_MATCH, np.arange(25, 45))
    qtbot.waitUntil(lambda: "Random check: 0 of 20 confirmed." in box.words)
    judging.presenter.decisions.undo()
    judging.presenter.decisions.undo()
    qtbot.waitUntil(lambda: "Random check" not in box.words)
