"""The box that says what the verdicts so far mean: it comes, bounds by a check, and is undone."""

import threading

import numpy as np
import pytest

from core.scan.judgements import PairRows, Verdict
from neardup_gui.jobs import pairs as judged
from neardup_gui.views.threshold.panel import JudgedBox

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
    assert "Resemblance alone would have predicted" in box.words
    assert "unread" not in box.words  # 25 verdicts say too little of the other 20
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


def test_the_window_does_not_think_itself(judging, qtbot, monkeypatch):
    threads = []
    think = judged.judged_so_far

    def thinking(*columns):
        threads.append(threading.current_thread())
        return think(*columns)

    monkeypatch.setattr(judged, "judged_so_far", thinking)
    session = judging.presenter.verdicts.so_far
    with qtbot.waitSignal(session.told):
        judging.presenter.verdicts.judge(Verdict.CONFIRMED, np.arange(25, 30))
    assert len(threads) == 1
    assert threads[0] is not threading.main_thread()


def test_a_check_makes_keys_of_what_it_draws_only(judging, monkeypatch):
    made = []
    key_of = PairRows.key_of
    monkeypatch.setattr(PairRows, "key_of", lambda rows, row: made.append(row) or key_of(rows, row))
    monkeypatch.setattr("core.scan.unread_pairs.CHECKED", 5)
    judging.presenter.verdicts.draw()
    check = judging.presenter.current.judgements.check
    assert (len(check.pairs), check.rest) == (5, 15)
    assert sum(row >= 25 for row in made) == 5  # the note of the open pair, judged, is read too


def test_other_rows_of_the_same_list_are_not_thought_about(judging, qtbot):
    session, told = judging.presenter.verdicts.so_far, []
    session.told.connect(told.append)
    judging.presenter.pairs.modelReset.emit()
    qtbot.waitUntil(lambda: not session._later.isActive())
    assert told == []
    with qtbot.waitSignal(session.told):
        judging.presenter.decisions.undo()
