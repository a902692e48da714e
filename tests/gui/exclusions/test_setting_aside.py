"""Setting text aside in the window: boxes of the setup, a selection, undo, the message bar."""

import random
from threading import Event

import numpy as np
import pytest
from PySide6.QtGui import QContextMenuEvent, QImage, QTextCursor
from PySide6.QtWidgets import QMenu

from core.exclusions.rules import ExclusionRules
from core.scan.judgements import Verdict
from neardup_gui.models.setup import ExclusionState, whole_words
from neardup_gui.presenter import decision_session, scan_session
from neardup_gui.views.setup.reading_panel import ExclusionPanel
from neardup_gui.window.actions import Action
from tests.gui.everywhere.walking import shown_message
from tests.gui.passages.test_passages import scanned
from tests.texts import folder_with

FORM = "School of Lamps. I declare that this essay is my own work and that nobody helped me"


@pytest.fixture
def panel(window, qtbot, tmp_path):
    """The section beside a list of six pairs that share nothing but a form."""
    rng, folder = random.Random(4), tmp_path / "essays"
    folder.mkdir()
    for number in range(4):
        words = [f"w{rng.randrange(10**6)}" for _ in range(90)]
        text = f"{FORM}.\n\n{' '.join(words[:80])} “{' '.join(words[80:])}” he said."
        (folder / f"{number}.txt").write_text(text, encoding="utf-8")
    scanned(window, qtbot, folder)
    assert len(window.presenter.current.result.pair_list.pairs) == 6
    return window.side_panels.exclusions


def change(window, qtbot, do):
    qtbot.until(window.presenter.decisions.carried_out, do)


def test_a_box_changes_the_list_and_undo_takes_it_back(window, qtbot, panel):
    presenter, box = window.presenter, panel._boxes["repeated"]
    panel._common.setValue(9)
    assert presenter.current.log == ()  # nobody asked for it yet
    change(window, qtbot, panel._is_common.click)
    assert len(presenter.current.result.pair_list.pairs) == 6
    nine = "Passages in at least 9 documents are set aside. The list hasn’t changed."
    assert nine in shown_message(window)
    change(window, qtbot, lambda: panel._common.setValue(4))
    assert len(presenter.current.result.pair_list.pairs) == 0
    change(window, qtbot, panel._is_common.click)
    assert "Passages shared by many documents count again. 6 pairs were added" in shown_message(
        window
    )

    change(window, qtbot, box.click)
    assert len(presenter.current.result.pair_list.pairs) == 0
    assert "headings that repeat are set aside. 6 pairs left the list." in shown_message(window)
    assert panel._summary.text().endswith("of all text, in 4 documents")
    change(window, qtbot, presenter.decisions.undo)
    assert len(presenter.current.result.pair_list.pairs) == 6
    assert not box.isChecked()
    assert "Undone: the text set aside." in shown_message(window)
    assert window.message_bar.answers.links[0].text() == ""  # "Undo" would undo another decision
    change(window, qtbot, presenter.decisions.redo)
    assert box.isChecked()
    assert len(presenter.current.result.pair_list.pairs) == 0
    change(window, qtbot, presenter.decisions.undo)

    # Two boxes at once are two decisions.
    box.click()
    panel._boxes["quotations"].click()
    current = presenter.current
    qtbot.waitUntil(lambda: not current.waiting and current.result.state.rules.quotations)
    assert current.result.state.rules.repeated
    change(window, qtbot, presenter.decisions.undo)
    assert box.isChecked()
    assert not panel._boxes["quotations"].isChecked()


def test_what_a_message_offers_to_undo_is_the_last_decision(window, qtbot, panel):
    bar = window.message_bar
    change(window, qtbot, panel._boxes["quotations"].click)
    assert bar.answers.links[0].text() == "Undo"
    window.presenter.verdicts.judge(Verdict.CONFIRMED, np.array([0]))
    assert bar.isHidden()

    panel._boxes["quotations"].click()
    window.presenter.verdicts.judge(Verdict.SUSPICIOUS, np.array([1]))
    qtbot.waitSignal(window.presenter.decisions.carried_out).wait()
    assert "Quotations count again" in shown_message(window)
    assert bar.answers.links[0].text() == ""


def darkest(table):
    """How light the darkest point of the rows is, of 255."""
    image = table.viewport().grab().toImage().convertToFormat(QImage.Format.Format_Grayscale8)
    data, line = bytes(image.constBits()), image.bytesPerLine()
    return min(min(data[start : start + image.width()]) for start in range(0, len(data), line))


def test_rows_are_faded_until_what_was_set_aside_is_counted(window, qtbot, panel, monkeypatch):
    """The numbers above are those of before and must not be taken for the new ones."""
    may_count, change_list = Event(), decision_session.change_list

    def waits(*given):
        may_count.wait()
        return change_list(*given)

    monkeypatch.setattr(decision_session, "change_list", waits)
    table, tabs = window.pages.pairs.table, window.pages.tabs
    assert darkest(table) < 80
    panel._boxes["repeated"].click()
    try:
        qtbot.waitUntil(lambda: tabs.tabText(0) == "Pairs …")
        assert darkest(table) > 120
        header = window.compare_pane.view.header
        numbers = (*window.pages.pairs.filter_row.counts, header._finding)
        assert all(part.graphicsEffect() is not None for part in numbers)
    finally:
        may_count.set()
    qtbot.waitUntil(lambda: tabs.tabText(0) == "Pairs 0")
    assert not table.is_outdated
    assert all(part.graphicsEffect() is None for part in numbers)


def test_what_is_decided_during_a_scan_waits_and_says_so(window, qtbot, panel, monkeypatch):
    current = window.presenter.current
    change(window, qtbot, panel._boxes["repeated"].click)
    go_on, scan_folders = Event(), scan_session.scan_folders

    def waits(*folders, **options):
        go_on.wait()
        return scan_folders(*folders, **options)

    monkeypatch.setattr(scan_session, "scan_folders", waits)
    window.presenter.rescan()
    try:
        window._actions[Action.UNDO].trigger()
        assert shown_message(window) == "This takes effect when the scan is complete."
    finally:
        go_on.set()
    qtbot.waitUntil(lambda: not current.waiting and len(current.result.pair_list.pairs) == 6)


def test_a_box_stays_in_its_place_when_it_is_clicked(window, qtbot, panel):
    window.resize(1280, 700)
    bar = window.side_panels.content.verticalScrollBar()
    bar.setValue(bar.maximum())
    height = panel._summary.height()

    change(window, qtbot, panel._boxes["repeated"].click)

    qtbot.waitUntil(lambda: bool(panel._summary.text()))
    panel.layout().activate()
    assert panel._summary.height() == height
    assert panel._summary.heightForWidth(250) >= 2 * panel._summary.fontMetrics().height()


def select(window, qtbot, side, words):
    view = window.compare_pane.view
    qtbot.waitUntil(lambda: view._comparison is not None)
    pane = view.panes[side]
    start = pane.toPlainText().index(words)
    pane.place_cursor(start, start + len(words))
    return pane


def test_a_selection_is_set_aside_everywhere(window, qtbot, panel, monkeypatch):
    offered = []
    monkeypatch.setattr(QMenu, "popup", lambda menu, _position: offered.extend(menu.actions()))
    window.pages.pairs.table.select_row(0)
    pane = select(window, qtbot, 0, "I declare")
    middle = pane.viewport().rect().center()
    pane.contextMenuEvent(
        QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, middle, pane.mapToGlobal(middle))
    )
    assert window._actions[Action.SET_ASIDE] in offered

    cursor = pane.textCursor()
    cursor.clearSelection()
    cursor.movePosition(QTextCursor.MoveOperation.Start)
    pane.setTextCursor(cursor)
    window._actions[Action.SET_ASIDE].trigger()
    assert "Select some text in A or B first" in shown_message(window)
    assert window.presenter.current.log == ()

    select(window, qtbot, 1, "hool of Lamps. I declare that this essay is my own work and that nob")
    change(window, qtbot, window._actions[Action.SET_ASIDE].trigger)
    assert len(window.presenter.current.result.pair_list.pairs) == 0
    assert "Set aside wherever these words occur. 6 pairs left the list." in shown_message(window)
    (phrase,) = window.presenter.current.result.state.rules.phrases
    assert phrase.text.startswith("School of Lamps")
    assert phrase.text.endswith("nobody")
    assert panel._chosen.text() == "1 chosen passage"
    change(window, qtbot, panel.drop.clicked.emit)
    assert len(window.presenter.current.result.pair_list.pairs) == 6
    assert panel._chosen.isHidden()


def test_nothing_can_be_chosen_before_there_is_a_list(window):
    panel = window.side_panels.exclusions

    assert not any(box.isEnabled() for box in panel._boxes.values())
    assert "once a folder has been compared" in panel._summary.text()


def test_showing_a_state_reports_nothing(qtbot):
    panel = ExclusionPanel()
    qtbot.addWidget(panel)
    reported = []
    panel.rule_changed.connect(lambda *change: reported.append(change))
    rules = ExclusionRules(quotations=True, bibliography=True, repeated=True, common=7)
    panel.show_state(ExclusionState(rules, "9% of all text"))

    assert all(box.isChecked() for box in panel._boxes.values())
    assert (panel._common.value(), panel._summary.text()) == (7, "9% of all text")
    assert reported == []


@pytest.mark.parametrize(
    ("text", "chosen", "expected"),
    [
        ("one two three", "wo thr", "two three"),
        ("one two three", " two ", "two"),
        ("one two three", "one", "one"),
        ("Müller’s Straße", "tra", "Straße"),
        ("我声明这是我的", "声明这", "声明这"),
        ("a (b) c", "(b)", "(b)"),
        ("a  b", "  ", ""),
    ],
)
def test_a_selection_takes_whole_words(text, chosen, expected):
    start = text.index(chosen)

    assert whole_words(text, start, start + len(chosen)) == expected


TASK = (
    "Describe in your own words how the lock at Hask came to be closed, name two sources "
    "that disagree about the year, and say which of both you believe and for what reasons."
)


def with_a_task(folder, rng):
    """A folder of texts that have nothing in common but a task."""
    words = (" ".join(f"w{rng.randrange(10**6)}" for _ in range(90)) for _ in range(7))
    return folder_with(
        folder, {f"{number}.txt": f"{TASK}\n\n{text}" for number, text in enumerate(words)}
    )


def test_a_question_about_text_that_was_set_aside_otherwise_is_gone(window, qtbot, tmp_path):
    scanned(window, qtbot, with_a_task(tmp_path / "hand-ins", random.Random(5)))
    bar = window.message_bar
    assert "contain the passage" in shown_message(window)
    change(window, qtbot, lambda: window.presenter.exclusions.set_aside(TASK))
    bar.dismiss()
    assert bar.isHidden()


def test_a_task_in_every_text_is_asked_about_and_set_aside_by_one_click(window, qtbot, tmp_path):
    rng, task = random.Random(5), TASK
    folder = with_a_task(tmp_path / "hand-ins", rng)
    scanned(window, qtbot, folder)
    assert len(window.presenter.current.result.pair_list.pairs) == 21

    asked = shown_message(window)
    assert "contain the passage “Describe in your own words how the lock" in asked
    (folder / "late.txt").write_text(f"{task} That is all.", encoding="utf-8")
    with qtbot.waitSignal(window.presenter.listed, check_params_cb=lambda result: result.complete):
        window.presenter.rescan()
    assert shown_message(window) == "Files since the last scan: 1 added."
    window.message_bar.dismiss()
    assert shown_message(window) == asked  # it waits for its answer
    change(window, qtbot, window.message_bar.answers.links[0].click)
    assert len(window.presenter.current.result.pair_list.pairs) == 0
    assert "contain the passage" not in shown_message(window)
    copied = " ".join(f"w{rng.randrange(10**6)}" for _ in range(90))
    folder_with(folder, {f"ring {number}.txt": f"{task}\n\n{copied}" for number in range(4)})
    with qtbot.waitSignal(window.presenter.listed, check_params_cb=lambda result: result.complete):
        window.presenter.rescan()  # what was answered is not asked again, and hides nothing else
    assert len(window.presenter.current.result.pair_list.pairs) == 6
    assert "contain the passage" not in shown_message(window)


def test_the_files_of_a_person_are_joined_by_one_click(window, qtbot, tmp_path):
    rng, folder = random.Random(6), tmp_path / "hand-ins"
    for number, person in enumerate(("Ada Lovelace", "Ruth Ansell", "Sam Fox")):
        inner = folder / f"{person}_{number + 10}_assignsubmission_file_"
        for name in ("essay.txt", "appendix.txt"):
            folder_with(inner, {name: " ".join(f"w{rng.randrange(10**6)}" for _ in range(60))})
    scanned(window, qtbot, folder)
    assert shown_message(window) == "These are submissions by 3 people, some in several files."
    with qtbot.waitSignal(window.presenter.listed, check_params_cb=lambda result: result.complete):
        window.message_bar.answers.links[0].click()
    documents = window.presenter.current.result.documents
    assert [document.name for document in documents] == ["Ada Lovelace", "Ruth Ansell", "Sam Fox"]
    # No file came, and none is missing.
    assert shown_message(window) == (
        "One folder is one submission: 6 files in “hand-ins” are 3 documents."
    )
