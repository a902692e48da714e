"""Passages judged: text set aside, pairs confirmed, undone as one, kept in the list."""

import random

import pytest

from core.scan.judgements import PassageMeaning, Verdict
from neardup_gui.models.passages import PassageColumn
from neardup_gui.window.actions import Action
from tests.gui.passages.test_passages import opened, scanned, texts_of

rng = random.Random(9)


def words(prefix, count):
    return " ".join(f"{prefix}{rng.randrange(10**6)}" for _ in range(count))


FORM, QUOTED = words("form", 40), words("said", 50)


@pytest.fixture
def page(window, qtbot, tmp_path):
    """Four essays with a form, two of which share more."""
    folder = tmp_path / "essays"
    folder.mkdir()
    for number in range(4):
        parts = [FORM, words("w", 120), QUOTED if number < 2 else ""]
        (folder / f"{number}.txt").write_text("\n\n".join(parts), encoding="utf-8")
    scanned(window, qtbot, folder)
    assert window.presenter.pairs.total == 6
    return opened(window, qtbot)


def judged_as(window):
    return texts_of(window.presenter.passages.model, PassageColumn.JUDGED_AS)


def verdicts(window):
    given = window.presenter.current.judgements.verdicts.values()
    return sorted(one.verdict for one in given)


def press(qtbot, page, key):
    page.table.setFocus()
    qtbot.keyClick(page.table, key)


def change(window, qtbot, do):
    """What changes the list, and with it the passages."""
    passages = window.presenter.passages
    with qtbot.waitSignal(passages.listed, check_params_cb=lambda count: count is not None):
        do()


def test_a_standard_clause_leaves_the_list_of_pairs_and_stays_among_passages(window, qtbot, page):
    presenter = window.presenter

    change(window, qtbot, lambda: page.judge(Verdict.SUSPICIOUS))

    assert presenter.pairs.total == 1
    assert texts_of(presenter.passages.model, PassageColumn.DOCUMENTS) == ["4", "2"]
    assert judged_as(window) == ["standard clause", ""]
    assert (
        "Set aside as standard clause. 5 pairs left the list" in window.message_bar.accessibleName()
    )
    change(window, qtbot, presenter.decisions.undo)
    assert presenter.pairs.total == 6
    assert judged_as(window) == ["", ""]
    change(window, qtbot, presenter.decisions.redo)
    assert judged_as(window) == ["standard clause", ""]


def test_a_copied_passage_confirms_the_pairs_that_it_explains(window, qtbot, page):
    presenter = window.presenter

    with qtbot.waitSignal(presenter.passages.said):
        page.judge(Verdict.CONFIRMED)

    assert judged_as(window) == ["copied", ""]
    assert verdicts(window) == [Verdict.CONFIRMED] * 5
    assert presenter.pairs.total == 6
    assert page.table.current_row == 1
    presenter.decisions.undo()
    assert judged_as(window) == ["", ""]
    assert verdicts(window) == []


def test_what_was_said_of_a_pair_stays(window, qtbot, page):
    presenter = window.presenter
    order = presenter.pairs.shown_rows()
    presenter.verdicts.judge(Verdict.NOT_A_MATCH, order)

    with qtbot.waitSignal(presenter.passages.said):
        page.judge(Verdict.CONFIRMED)

    assert verdicts(window) == [Verdict.NOT_A_MATCH] * 6
    assert judged_as(window) == ["copied", ""]


def test_keys_judge_passages_where_no_pair_is_left(window, qtbot, page):
    presenter = window.presenter
    change(window, qtbot, lambda: page.judge(Verdict.NOT_A_MATCH))
    page.table.select_row(1)
    change(window, qtbot, lambda: page.judge(Verdict.NOT_A_MATCH))
    assert presenter.pairs.total == 0
    assert judged_as(window) == ["assignment text"] * 2

    page.table.select_row(0)
    assert window._actions[Action.UNREVIEW].isEnabled()
    change(window, qtbot, window._actions[Action.UNREVIEW].trigger)

    assert judged_as(window) == ["", "assignment text"]
    assert presenter.pairs.total == 6


def test_passages_are_judged_one_after_the_other(window, qtbot, page):
    presenter = window.presenter
    page.judge(Verdict.NOT_A_MATCH)
    page.judge(Verdict.CONFIRMED)

    qtbot.waitUntil(lambda: len(presenter.current.judgements.passages) == 2)

    qtbot.waitUntil(lambda: judged_as(window) == ["assignment text", "copied"])
    assert verdicts(window) == [Verdict.CONFIRMED]
    assert presenter.pairs.total == 1


def test_keys_say_what_a_passage_is_and_take_it_back(window, qtbot, page):
    page.table.select_row(1)
    with qtbot.waitSignal(window.presenter.passages.said):
        window._actions[Action.CONFIRM].trigger()
    assert judged_as(window) == ["", "copied"]

    page.table.select_row(1)
    with qtbot.waitSignal(window.presenter.passages.said):
        window._actions[Action.UNREVIEW].trigger()
    assert judged_as(window) == ["", ""]


def test_the_actions_say_what_their_keys_do_on_the_page_in_front(window, page):
    actions = [
        window._actions[name]
        for name in (Action.CONFIRM, Action.SUSPECT, Action.REJECT, Action.UNREVIEW)
    ]
    of_passage = ["Copied", "Standard clause", "Assignment text", "Not judged"]

    assert [action.text() for action in actions] == of_passage
    assert [action.iconText() for action in actions] == of_passage
    assert "Copied (1)" in actions[0].toolTip()
    assert "nobody has judged" in actions[0].toolTip()
    assert "Confirmed" not in actions[0].toolTip()

    window.pages.tabs.setCurrentWidget(window.pages.pairs)

    assert [action.text() for action in actions] == [
        "Confirmed", "Suspicious", "Not a match", "Not reviewed"
    ]  # fmt: skip
    assert actions[0].iconText() == "● Confirmed"
    assert "Confirmed" in actions[0].toolTip()


def test_many_passages_are_judged_with_few_lists(window, qtbot, page):
    """Who judges faster than lists are made waits for three of them at most."""
    presenter, changed = window.presenter, []
    presenter.decisions.changed.connect(changed.append)
    for meaning in [PassageMeaning.ASSIGNMENT, PassageMeaning.STANDARD] * 4:
        for row in range(2):
            presenter.passages.judge(row, meaning)

    qtbot.waitUntil(lambda: sum(len(one.entries) for one in changed) == 16, timeout=30_000)

    assert len(changed) <= 3
    qtbot.waitUntil(lambda: judged_as(window) == ["standard clause"] * 2)
    assert presenter.pairs.total == 0
    assert not presenter.current.waiting


def test_notes_are_offered_where_they_are_written(window, page):
    note = window._actions[Action.NOTE]
    assert not note.isEnabled()

    window.pages.tabs.setCurrentWidget(window.pages.pairs)
    assert note.isEnabled()

    window.pages.tabs.setCurrentWidget(window.pages.passages)
    assert not note.isEnabled()
    window.presenter.state_changed.emit(window.presenter.state)
    assert not note.isEnabled()


def test_the_tool_bar_is_laid_out_again_for_other_names_only(window, page, monkeypatch):
    fitted, bar = [], window._tool_bar
    monkeypatch.setattr(bar, "_fit", lambda: fitted.append(True))
    for name in (Action.CONFIRM, Action.UNDO):
        action = window._actions[name]
        for _ in range(2):
            action.setEnabled(not action.isEnabled())
    count = len(fitted)
    assert count <= 1  # the first time names are compared with none

    window.pages.tabs.setCurrentWidget(window.pages.pairs)

    assert len(fitted) > count
