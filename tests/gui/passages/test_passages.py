"""The passages that documents share: looked for when their tab is opened, and read two by two."""

import random

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester

from core.scan.judgements import PassageMeaning, Verdict
from neardup_gui.models.pairs.columns import Role
from neardup_gui.models.passages import PassageColumn
from neardup_gui.models.words.passages import NOT_LISTED
from neardup_gui.views.widgets.buttons import ToolButton
from neardup_gui.window.actions import Action
from tests.gui.everywhere.walking import tab_title
from tests.texts import folder_with

rng = random.Random(8)


def words(prefix, count):
    return " ".join(f"{prefix}{rng.randrange(10**6)}" for _ in range(count))


FORM, QUOTED = words("form", 40), words("said", 50)


@pytest.fixture
def essays(tmp_path):
    folder = folder_with(tmp_path / "essays")
    for number in range(6):
        own_words = words("w", 400)
        parts = [
            FORM if number < 5 else "",
            own_words[:900],
            QUOTED if number in {1, 4} else "",
            own_words,
        ]
        (folder / f"{number}.txt").write_text("\n\n".join(parts), encoding="utf-8")
    return folder


def scanned(window, qtbot, folder):
    presenter = window.presenter
    with qtbot.waitSignal(presenter.listed, check_params_cb=lambda result: result.complete):
        presenter.open_paths([folder])
    return presenter


def opened(window, qtbot):
    """The tab is opened: passages are looked for, and the first one is read."""
    with qtbot.waitSignal(window.presenter.passages.passage_located):
        window.pages.tabs.setCurrentWidget(window.pages.passages)
    return window.pages.passages


def texts_of(model, column):
    return [model.index(row, column).data() for row in range(model.rowCount())]


def names_of(window):
    comparison = window.compare_pane.view._comparison
    return [side.name for side in comparison.sides]


def test_a_passage_within_a_longer_one_of_the_pair_is_brought_into_sight(window, qtbot, tmp_path):
    """Two texts that are the same throughout are one passage, a third has only a part of it."""
    long = words("long", 600)
    middle = " ".join(long.split()[400:440])
    texts = {"a.txt": f"{long} a", "b.txt": f"{long} b", "c.txt": f"{middle} {words('c', 40)}"}
    scanned(window, qtbot, folder_with(tmp_path / "essays", texts))
    page = opened(window, qtbot)
    model = window.presenter.passages.model
    assert texts_of(model, PassageColumn.DOCUMENTS) == ["3", "2"]
    assert names_of(window) == ["a.txt", "b.txt"]
    for pane in window.compare_pane.view.panes:
        assert pane.textCursor().selectedText().split() == middle.split()
        top = pane.geometry_of_text.line_top(pane.textCursor().selectionStart())
        assert 0 <= top < pane.geometry_of_text.height

    qtbot.until(window.presenter.passages.passage_located, page.table.step, 1)
    for pane in window.compare_pane.view.panes:
        assert pane.verticalScrollBar().value() == 0


def test_passages_are_found_once_the_tab_is_opened_and_read(window, qtbot, essays, tmp_path):
    presenter = scanned(window, qtbot, essays)
    assert presenter.passages.model.total == 0
    assert tab_title(window, window.pages.passages) == "Passages"

    page = opened(window, qtbot)

    model = presenter.passages.model
    QAbstractItemModelTester(model)
    QAbstractItemModelTester(presenter.passages.holders)
    assert tab_title(window, window.pages.passages) == "Passages 2"
    assert texts_of(model, PassageColumn.DOCUMENTS) == ["5", "2"]
    assert texts_of(model, PassageColumn.WORDS) == ["40", "50"]
    assert FORM.startswith(texts_of(model, PassageColumn.PASSAGE)[0].removesuffix(" …"))
    assert page.table.current_row == 0
    assert presenter.passages.holders.headerData(0, Qt.Orientation.Horizontal) == "In 5 documents"
    assert texts_of(presenter.passages.holders, 0) == [f"{number}.txt" for number in range(5)]
    names = presenter.current.result.names
    assert presenter.passages.holders.index(0, 0).data(Role.ALIKE) == names.alike

    # A document that holds it is opened with another.
    qtbot.until(presenter.passages.passage_located, page.holders.select_row, 3)
    assert "3.txt" in names_of(window)
    assert page.holders.current_row == 3

    # A passage opens the listed pair that holds it, there.
    reached = qtbot.until(presenter.passages.passage_located, page.table.step, 1)
    assert page.holders.current_row == -1
    assert names_of(window) == ["1.txt", "4.txt"]
    assert presenter.passages.holders.documents == [1, 4]
    (occurrence,) = reached
    comparison = window.compare_pane.view._comparison
    texts = [presenter.current.result.scan.texts[number] for number in (1, 4)]
    assert [
        text[start:end] for text, (start, end) in zip(texts, occurrence.spans, strict=True)
    ] == [QUOTED] * 2
    assert comparison.marks[occurrence.passage].tokens == 50
    with qtbot.waitSignal(presenter.passages.passage_located):
        window.pages.tabs.setCurrentWidget(window.pages.pairs)
        window.pages.tabs.setCurrentWidget(page)
        page.emit_selection()

    page.table.setFocus()
    qtbot.keyClick(page.table, Qt.Key.Key_Return)
    assert window.compare_pane.view.panes[0].hasFocus()
    page.holders.setFocus()
    qtbot.keyClick(page.holders, Qt.Key.Key_Escape)
    assert page.table.hasFocus()

    window.search_field.setText(QUOTED[:20].upper())
    assert texts_of(model, PassageColumn.DOCUMENTS) == ["2"]
    window.search_field.setText("nothing of it")
    assert page.empty_sentence == "No passages match."
    page.filter_cleared.emit()
    assert model.rowCount() == 2
    assert page.empty_sentence == ""

    texts = {f"{number}.txt": f"{QUOTED} {words('w', 40)}" for number in range(3)}
    scanned(window, qtbot, folder_with(tmp_path / "others", texts))
    assert model.total == 0
    assert window.pages.tabs.currentWidget() is window.pages.pairs
    opened(window, qtbot)
    assert texts_of(model, PassageColumn.DOCUMENTS) == ["3"]


def test_documents_that_are_no_listed_pair_are_read_too(window, qtbot, tmp_path):
    folder = folder_with(tmp_path / "essays")
    for number in range(2):
        (folder / f"{number}.txt").write_text(f"{words('w', 900)} {FORM}", encoding="utf-8")
    for number in range(2, 11):  # a pair of ten documents or fewer has its row in any case
        (folder / f"{number:02}.txt").write_text(words(f"x{number}_", 300), encoding="utf-8")
    presenter = window.presenter
    presenter.current.settings = presenter.current.settings.with_changes(list_passages=False)
    scanned(window, qtbot, folder)
    assert len(presenter.current.result.pair_list.pairs) == 0

    page = opened(window, qtbot)

    assert names_of(window) == ["0.txt", "1.txt"]
    assert page._note.text() == NOT_LISTED
    comparison = window.compare_pane.view._comparison
    assert comparison.why.sentences == (NOT_LISTED,)
    assert [mark.tokens for mark in comparison.marks] == [40]


def test_nothing_is_shared(window, qtbot, tmp_path):
    folder = folder_with(tmp_path / "essays", {f"{n}.txt": words("w", 50) for n in range(2)})
    presenter = scanned(window, qtbot, folder)

    with qtbot.waitSignal(presenter.passages.listed, check_params_cb=lambda count: count == 0):
        window.pages.tabs.setCurrentWidget(window.pages.passages)

    page = window.pages.passages
    assert page.empty_sentence == "No two documents share a passage of 30 words or more."


@pytest.fixture
def page(window, qtbot, tmp_path):
    """Four essays with a form, two of which share more."""
    folder = folder_with(tmp_path / "essays")
    for number in range(4):
        parts = [FORM, words("w", 120), QUOTED if number < 2 else ""]
        (folder / f"{number}.txt").write_text("\n\n".join(parts), encoding="utf-8")
    scanned(window, qtbot, folder)
    assert len(window.presenter.current.result.pair_list.pairs) == 6
    return opened(window, qtbot)


def judged_as(window):
    return texts_of(window.presenter.passages.model, PassageColumn.JUDGED_AS)


def verdicts(window):
    given = window.presenter.current.judgements.verdicts.values()
    return sorted(verdict.verdict for verdict in given)


def change(window, qtbot, do):
    """What changes the list, and with it the passages."""
    passages = window.presenter.passages
    with qtbot.waitSignal(passages.listed, check_params_cb=lambda count: count is not None):
        do()


def test_what_is_said_of_a_passage_changes_pairs_and_is_undone(window, qtbot, page):
    presenter = window.presenter

    # A standard clause leaves the list of pairs, and stays among passages.
    change(window, qtbot, lambda: page.judge(Verdict.SUSPICIOUS))
    assert len(presenter.current.result.pair_list.pairs) == 1
    assert texts_of(presenter.passages.model, PassageColumn.DOCUMENTS) == ["4", "2"]
    assert judged_as(window) == ["standard clause", ""]
    sentence = window.message_bar.accessibleName()
    assert "Set aside as standard clause. 5 pairs left the list" in sentence
    change(window, qtbot, presenter.decisions.undo)
    assert len(presenter.current.result.pair_list.pairs) == 6
    assert judged_as(window) == ["", ""]
    change(window, qtbot, presenter.decisions.redo)
    assert judged_as(window) == ["standard clause", ""]
    change(window, qtbot, presenter.decisions.undo)

    # A copied passage confirms the pairs that it explains.
    page.table.select_row(0)
    qtbot.until(presenter.message_posted, page.judge, Verdict.CONFIRMED)
    assert judged_as(window) == ["copied", ""]
    assert verdicts(window) == [Verdict.CONFIRMED] * 5
    assert len(presenter.current.result.pair_list.pairs) == 6
    assert page.table.current_row == 1
    presenter.decisions.undo()
    assert judged_as(window) == ["", ""]
    assert verdicts(window) == []

    # What was said of a pair stays.
    presenter.verdicts.judge(Verdict.NOT_A_MATCH, presenter.pairs.shown_rows())
    page.table.select_row(0)
    qtbot.until(presenter.message_posted, page.judge, Verdict.CONFIRMED)
    assert verdicts(window) == [Verdict.NOT_A_MATCH] * 6
    assert judged_as(window) == ["copied", ""]


def test_keys_judge_passages_where_no_pair_is_left(window, qtbot, page):
    presenter = window.presenter
    change(window, qtbot, lambda: page.judge(Verdict.NOT_A_MATCH))
    page.table.select_row(1)
    change(window, qtbot, lambda: page.judge(Verdict.NOT_A_MATCH))
    assert len(presenter.current.result.pair_list.pairs) == 0
    assert judged_as(window) == ["assignment text"] * 2

    page.table.select_row(0)
    assert window._actions[Action.UNREVIEW].isEnabled()
    change(window, qtbot, window._actions[Action.UNREVIEW].trigger)

    assert judged_as(window) == ["", "assignment text"]
    assert len(presenter.current.result.pair_list.pairs) == 6


def test_passages_are_judged_one_after_the_other(window, qtbot, page):
    presenter = window.presenter
    page.judge(Verdict.NOT_A_MATCH)
    page.judge(Verdict.CONFIRMED)

    qtbot.waitUntil(lambda: len(presenter.current.judgements.passages) == 2)

    qtbot.waitUntil(lambda: judged_as(window) == ["assignment text", "copied"])
    assert set(verdicts(window)) == {Verdict.CONFIRMED}
    assert len(presenter.current.result.pair_list.pairs) == 1


def test_keys_say_what_a_passage_is_and_actions_what_keys_do(window, qtbot, page, monkeypatch):
    page.table.select_row(1)
    qtbot.until(window.presenter.message_posted, window._actions[Action.CONFIRM].trigger)
    assert judged_as(window) == ["", "copied"]
    page.table.select_row(1)
    qtbot.until(window.presenter.message_posted, window._actions[Action.UNREVIEW].trigger)
    assert judged_as(window) == ["", ""]

    names = (Action.CONFIRM, Action.SUSPECT, Action.REJECT, Action.UNREVIEW)
    actions, note = [window._actions[name] for name in names], window._actions[Action.NOTE]
    of_passage = ["Copied", "Standard clause", "Assignment text", "Not judged"]
    assert [action.text() for action in actions] == of_passage
    assert [action.iconText() for action in actions] == of_passage
    assert "Copied (1)" in actions[0].toolTip()
    assert "have no verdict yet" in actions[0].toolTip()
    assert "Confirmed" not in actions[0].toolTip()
    assert not note.isEnabled()

    # The tool bar is laid out again for other names only.
    fitted, bar = [], window._tool_bar
    monkeypatch.setattr(bar, "follow_looks", lambda: fitted.append(True))
    for action in (actions[0], window._actions[Action.UNDO]):
        for _ in range(2):
            action.setEnabled(not action.isEnabled())
    count = len(fitted)
    assert count <= 1  # the first time names are compared with none

    window.pages.tabs.setCurrentWidget(window.pages.pairs)

    assert len(fitted) > count
    of_pair = ["Confirmed", "Suspicious", "Not a match", "Not reviewed"]
    assert [action.text() for action in actions] == of_pair
    assert actions[0].iconText() == "● Confirmed"
    assert "Confirmed" in actions[0].toolTip()
    assert note.isEnabled()
    window.pages.tabs.setCurrentWidget(window.pages.passages)
    assert not note.isEnabled()
    window.presenter.state_changed.emit(window.presenter.state)
    assert not note.isEnabled()
    assert all(action.isEnabled() for action in actions)
    window.pages.tabs.setCurrentWidget(window.pages.problems)
    assert not any(action.isEnabled() for action in actions)

    # In the texts verdicts are of the pair, also from the menu by keys.
    window.navigation.read_pair()
    assert all(action.isEnabled() for action in actions)
    window.menuBar().setFocus()
    assert all(action.isEnabled() for action in actions)


def test_many_passages_are_judged_with_few_lists(window, qtbot, page):
    """Who judges faster than lists are made waits for three of them at most."""
    presenter, changed = window.presenter, []
    presenter.decisions.changed.connect(changed.append)
    for meaning in [PassageMeaning.ASSIGNMENT, PassageMeaning.STANDARD] * 4:
        for row in range(2):
            presenter.passages.judge(row, meaning)

    qtbot.waitUntil(lambda: sum(len(change.entries) for change in changed) == 16, timeout=30_000)

    assert len(changed) <= 3
    qtbot.waitUntil(lambda: judged_as(window) == ["standard clause"] * 2)
    assert len(presenter.current.result.pair_list.pairs) == 0
    assert not presenter.current.waiting


def test_where_room_is_short_the_tool_bar_keeps_the_verdicts(window):
    bar, undo = window._tool_bar, window._actions[Action.UNDO]
    for width, groups in ((1400, 4), (680, 2), (560, 2), (300, 1), (1400, 4)):
        bar.resize(width, bar.height())
        bar.follow_looks()  # a hidden window is resized once it is shown
        assert all(
            group.isVisible() == (count <= groups) for group, count in bar._groups_by_entry.items()
        )
    button = next(
        button for button in bar.findChildren(ToolButton) if button.defaultAction() is undo
    )
    assert not undo.isEnabled()
    assert not button.isEnabled()  # also where it was left out for a while
