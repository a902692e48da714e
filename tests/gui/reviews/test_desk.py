"""The days of a reviewer: pairs judged by keys, saved at once, continued another time."""

import shutil
import sqlite3
import threading
from contextlib import closing
from unittest.mock import Mock

import numpy as np
import pytest
from PySide6.QtCore import QItemSelectionModel, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from core import review
from core.base.messages import language
from core.documents.model import PairKey, Role, text_key
from core.errors import ReviewError
from core.review import ReviewLock, open_review
from core.review.sidecar_files import has_pending
from core.review.verdicts import judge
from core.scan.judgements import Verdict
from neardup_gui import app
from neardup_gui.app import ShownWindow, build_window
from neardup_gui.environment.bug_reports import BugReporter
from neardup_gui.environment.preferences import Preferences
from neardup_gui.models.folder_reviews import FolderReviews
from neardup_gui.models.pairs.columns import Column
from neardup_gui.models.words.sentences import JudgedSoFar, Offer
from neardup_gui.presenter import decision_session
from neardup_gui.views.shell.status import SavedLabel
from neardup_gui.views.widgets.labels import LinkLabel
from neardup_gui.window import judging
from neardup_gui.window.actions import Action
from tests.gui.everywhere.walking import after, scan, settled, shown_message
from tests.made_up_language import LONG, spoken
from tests.reviews import state_in
from tests.texts import TREES, folder_with, rows_of_csv


@pytest.fixture
def late_saves_listed(window, tmp_path, qtbot):
    common = " ".join(f"word{n}" for n in range(60))
    folder = folder_with(tmp_path / "essays", {f"{n}.txt": f"{common} {n}" for n in range(3)})
    window.presenter.review.of_folders = FolderReviews(tmp_path / "reviews")
    after(window, qtbot, lambda: window.presenter.open_folders([folder]))
    qtbot.waitUntil(lambda: not window.presenter.state.is_busy)
    with qtbot.waitSignal(window.presenter.review.message_posted):
        window.presenter.save_review(tmp_path / "essays.neardup")
    return window


def test_it_is_shown_as_saved_when_it_is(late_saves_listed, qtbot, monkeypatch):
    (label,) = late_saves_listed.findChildren(SavedLabel)
    presenter = late_saves_listed.presenter
    for module, name, act in (
        (
            decision_session,
            "append_entries",
            lambda: presenter.verdicts.judge(Verdict.CONFIRMED, np.array([0])),
        ),
        (review, "save_review", presenter.review.save_again),  # of the whole scan
    ):
        go_on, real = threading.Event(), getattr(module, name)

        def slow(*arguments, go_on=go_on, real=real, **named):
            assert go_on.wait(300)
            return real(*arguments, **named)

        qtbot.waitUntil(lambda: label.text().startswith("saved"))
        monkeypatch.setattr(module, name, slow)
        act()
        assert label.text().startswith("saving")
        go_on.set()
        qtbot.waitUntil(lambda: label.text().startswith("saved"))
        assert not presenter.decisions.saver.has_unsaved


def test_the_first_verdict_asks_once_for_a_signature(late_saves_listed, store, qtbot, monkeypatch):
    window, verdicts = late_saves_listed, late_saves_listed.presenter.verdicts
    store.setValue("signature_asked", False)
    verdicts.judge(Verdict.CONFIRMED, np.array([0]))
    assert "Your verdict is signed" in window.message_bar.accessibleName()
    monkeypatch.setattr(judging, "ask_for_signature", lambda *_: "Ann")
    window.message_bar.answers.clicked.emit(Offer.SIGN)
    assert [verdict.who for verdict in window.presenter.current.judgements.verdicts.values()] == [
        "Ann"
    ]
    assert window.message_bar.isHidden()
    verdicts.judge(Verdict.SUSPICIOUS, np.array([1]))
    assert window.message_bar.isHidden()
    assert store.value("reviewer") == "Ann"


def test_changes_beside_the_file_are_not_shown_as_saved(late_saves_listed, qtbot, tmp_path):
    (label,) = late_saves_listed.findChildren(SavedLabel)
    path = tmp_path / "essays.neardup"
    qtbot.waitUntil(lambda: label.text().startswith("saved"))
    with closing(sqlite3.connect(path, isolation_level=None)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT * FROM review").fetchall()
        for row in (0, 1):  # who reads keeps nobody from deciding more
            late_saves_listed.presenter.verdicts.judge(Verdict.CONFIRMED, np.array([row]))
            qtbot.waitUntil(lambda: not late_saves_listed.presenter.decisions.saver.has_unsaved)
        assert has_pending(path)
        assert label.text().startswith("saving")
    qtbot.waitUntil(lambda: label.text().startswith("saved"))
    assert not has_pending(path)
    shutil.copy(path, tmp_path / "copy.neardup")
    assert len(state_in(tmp_path / "copy.neardup").judgements.verdicts) == 2


def test_an_export_has_the_verdicts_and_notes_of_now(late_saves_listed, tmp_path, qtbot):
    presenter = late_saves_listed.presenter
    presenter.verdicts.judge(Verdict.SUSPICIOUS, np.array([1]))
    presenter.verdicts.write_note("ask first", np.array([1, 2]))
    target = tmp_path / "pairs.csv"
    qtbot.waitUntil(lambda: not presenter.state.is_busy)
    qtbot.until(presenter.message_posted, presenter.exports.save, target)
    rows = rows_of_csv(target)
    assert [row["verdict"] for row in rows] == ["not reviewed", "suspicious", "not reviewed"]
    assert [row["note"] for row in rows] == ["", "ask first", "ask first"]
    assert [bool(row["when"]) for row in rows] == [False, True, True]


@pytest.fixture
def folder(tmp_path):
    return folder_with(
        tmp_path / "essays",
        {f"{number}.txt": TREES + f"Number {number}. " * number for number in range(1, 5)},
    )


@pytest.fixture
def reviews(tmp_path):
    return FolderReviews(tmp_path / "data" / "reviews")


@pytest.fixture
def make_desk(make_window, monkeypatch, qapp, store, reviews):
    """Windows that make reviews with their scans."""

    def build(application, _preferences):
        return build_window(application, Preferences(store), reviews)

    monkeypatch.setitem(make_window.__globals__, "build_window", build)
    return make_window


def opened(window, qtbot, folder):
    """Open a folder and wait until all of it is listed, saved and shown."""
    scan(window, folder, qtbot)
    quiet(window, qtbot)
    return window


def quiet(window, qtbot):
    presenter = window.presenter
    qtbot.waitUntil(
        lambda: (
            not presenter.state.is_busy
            and not presenter.state.is_scanning
            and not presenter.decisions.saver.has_unsaved
        )
    )


@pytest.fixture
def shown(qapp, store, reviews, make_window, monkeypatch):
    """The window as the program shows it; `make_window` gives back what all windows share."""
    monkeypatch.setattr(BugReporter, "install", lambda _self: None)
    monkeypatch.setattr(app, "load_language", lambda code: LONG)
    with spoken(language()):
        shown = ShownWindow(qapp, Preferences(store), reviews)
        yield shown
        shown.window.close()
        shown.window.deleteLater()
    shown.deleteLater()
    make_window()


def test_another_language_keeps_pair_tab_and_what_can_be_undone(shown, qtbot, folder, store):
    before = opened(shown.window, qtbot, folder)
    before._actions[Action.CONFIRM].trigger()
    qtbot.waitUntil(lambda: not before.presenter.decisions.saver.has_unsaved)
    before.pages.pairs.table.select_row(2)
    pair = before.pages.pairs.table.selected_key
    before.pages.tabs.setCurrentWidget(before.pages.groups)
    size = before.font().pointSizeF()

    before._menus.language_chosen.emit("de")
    qtbot.waitUntil(lambda: shown.window is not before)
    window = shown.window
    qtbot.waitUntil(lambda: window.pages.pairs.table.selected_key == pair)

    assert window.pages.tabs.currentWidget() is window.pages.groups
    assert window._actions[Action.UNDO].text().startswith("⟦")
    assert window.font().pointSizeF() == size
    assert Preferences(store).language == "de"
    quiet(window, qtbot)
    window._actions[Action.UNDO].trigger()
    qtbot.waitUntil(lambda: window.presenter.state.can_redo)
    assert not window.presenter.state.can_undo


def press(window, *keys):
    """Press keys; as a person does who reads, when the pair of the row is there."""
    table, pair = window.pages.pairs.table, window.presenter.pair
    for key in keys:
        table.emit_at_once()
        for _ in range(60_000):  # it is None, too, while a pair takes a while
            if pair.shown == table.selected_key or len(table.selected_rows) > 1:
                break
            QTest.qWait(5)
        QTest.keyClick(QApplication.focusWidget() or window, key)


def verdicts(window):
    model = window.presenter.pairs
    return [model.index(row, Column.VERDICT).data() for row in range(model.rowCount())]


def row(window):
    return window.pages.pairs.table.currentIndex().row()


def kept(path):
    with open_review(path) as opened:
        return opened.state


@pytest.fixture
def desk(make_desk, folder, qtbot):
    window = make_desk()
    with qtbot.waitActive(window):
        window.activateWindow()
    opened(window, qtbot, folder)
    window.pages.pairs.table.setFocus()
    return window


def test_a_key_leads_past_pairs_of_the_same_texts(make_desk, folder, qtbot):
    (folder / "copy of 4.txt").write_bytes((folder / "4.txt").read_bytes())
    window = make_desk()
    with qtbot.waitActive(window):
        window.activateWindow()
    opened(window, qtbot, folder)
    table, model = window.pages.pairs.table, window.presenter.pairs
    table.setFocus()
    twins = [
        row
        for row in range(model.rowCount())
        if "3.txt" in (names := model.key_at(row).names) and {"4.txt", "copy of 4.txt"} & {*names}
    ]
    assert twins == [twins[0], twins[0] + 1]
    table.select_row(twins[0])
    press(window, Qt.Key.Key_1)
    assert [verdicts(window)[row] for row in twins] == ["● confirmed"] * 2
    assert row(window) == (twins[1] + 1) % model.rowCount()


def test_keys_judge_and_lead_to_the_next_pair_that_waits(desk, folder, reviews, qtbot):
    location = reviews.of([folder])
    assert (location.path.name, location.exists) == ("essays.neardup", True)
    assert desk.presenter.state.saved.text == "saved · essays.neardup"
    assert desk.windowTitle() == "essays – Neardup"
    assert desk._preferences.recent == (str(folder),)

    press(desk, Qt.Key.Key_1, Qt.Key.Key_2, Qt.Key.Key_3)

    assert verdicts(desk) == ["● confirmed", "◐ suspicious", "○ not a match", "", "", ""]
    assert row(desk) == 3
    desk.pages.pairs.table.select_row(1)
    press(desk, Qt.Key.Key_0)
    assert verdicts(desk)[1] == ""
    assert row(desk) == 3
    quiet(desk, qtbot)
    state = kept(location.path)
    assert [entry.command.kind for entry in state.log] == ["judge"] * 4
    assert len(state.judgements.verdicts) == 3


def test_keys_judge_from_the_texts_and_not_in_a_field(desk, qtbot):
    desk.compare_pane.view.focus_texts()
    press(desk, Qt.Key.Key_1)
    assert verdicts(desk)[0] == "● confirmed"
    desk.search_field.setFocus()
    press(desk, Qt.Key.Key_2)

    assert desk.search_field.text() == "2"
    assert desk.presenter.pairs.verdicts.counts == [5, 1, 0, 0]


def test_everything_is_undone_and_redone_in_its_order(desk):
    table = desk.pages.pairs.table
    press(desk, Qt.Key.Key_1, Qt.Key.Key_2)
    undo = Qt.KeyboardModifier.ControlModifier
    redo = undo | Qt.KeyboardModifier.ShiftModifier
    for _ in range(2):
        QTest.keyClick(desk, Qt.Key.Key_Z, undo)
    assert verdicts(desk) == [""] * 6
    assert row(desk) == 0
    assert not desk.presenter.state.can_undo
    for _ in range(2):
        QTest.keyClick(desk, Qt.Key.Key_Z, redo)
    assert verdicts(desk)[:2] == ["● confirmed", "◐ suspicious"]
    assert not desk.presenter.state.can_redo
    for _ in range(2):
        desk.presenter.decisions.undo()

    # Several pairs are judged at once, and undone as one.
    table.selectAll()
    press(desk, Qt.Key.Key_3)
    assert verdicts(desk) == ["○ not a match"] * 6
    desk.presenter.decisions.undo()
    assert verdicts(desk) == [""] * 6

    # Rows can be chosen apart; after the last pair comes the first that waits.
    table.clearSelection()
    chosen = QItemSelectionModel.SelectionFlag.Select | QItemSelectionModel.SelectionFlag.Rows
    for pair_row in (0, 2):
        table.selectionModel().select(table.model().index(pair_row, 0), chosen)
    desk.pages.pairs.judge(Verdict.CONFIRMED)
    assert verdicts(desk) == ["● confirmed", "", "● confirmed", "", "", ""]
    assert row(desk) == 3
    for key in (Qt.Key.Key_1, Qt.Key.Key_2):
        table.select_row(5)
        press(desk, key)
        assert row(desk) == 1


def test_a_note_is_written_in_place(desk, folder, reviews, qtbot):
    press(desk, Qt.Key.Key_N)
    assert desk.pages.pairs.note_row.isVisible()
    QTest.keyClicks(QApplication.focusWidget(), "Ask 1 or 2 tutors")
    press(desk, Qt.Key.Key_Return)

    assert verdicts(desk)[0] == "✎"
    assert QApplication.focusWidget() is desk.pages.pairs.table
    press(desk, Qt.Key.Key_N)
    QTest.keyClicks(QApplication.focusWidget(), "nothing")
    press(desk, Qt.Key.Key_Escape)
    assert desk.pages.pairs.note_row.isHidden()
    quiet(desk, qtbot)
    (note,) = kept(reviews.of([folder]).path).judgements.notes.values()
    assert note.note == "Ask 1 or 2 tutors"


def test_chips_count_and_filter(desk):
    press(desk, Qt.Key.Key_1, Qt.Key.Key_2)
    row_of_filters = desk.pages.pairs.filter_row
    chips = row_of_filters._verdicts
    assert [chip.text() for chip in chips] == [
        "not reviewed 4", "confirmed 1", "suspicious 1", "not a match 0",
    ]  # fmt: skip
    assert row_of_filters._count.text() == "2 of 6 judged"

    chips[0].click()
    assert desk.presenter.pairs.rowCount() == 4
    desk.pages.pairs.table.select_row(1)
    desk.pages.pairs.judge(Verdict.CONFIRMED)
    assert desk.presenter.pairs.rowCount() == 3  # it is reviewed now
    assert row(desk) == 1


def test_the_folder_opened_again_goes_on_with_its_review(desk, make_desk, folder, tmp_path, qtbot):
    earlier = folder_with(tmp_path / "last year", {"1.txt": "Nobody has copied this sentence."})
    settled(desk, qtbot, lambda: desk.presenter.folders.add(Role.REFERENCE, earlier))
    press(desk, Qt.Key.Key_1)
    desk.close()
    messages = []
    window = make_desk()
    window.presenter.message_posted.connect(lambda message: messages.append(message.text))
    opened(window, qtbot, folder)

    assert verdicts(window)[0] == "● confirmed"
    assert messages == ["Continuing the review of “essays and 1 more”. 1 pair judged so far."]
    window.presenter.decisions.undo()
    assert verdicts(window)[0] == ""


def test_two_documents_opened_again_from_the_menu_are_read_again(make_desk, folder, qtbot):
    """The menu names their review, as there is no folder to name."""
    documents, window = (folder / "1.txt", folder / "2.txt"), make_desk()
    after(window, qtbot, lambda: window.presenter.open_folders(documents))
    quiet(window, qtbot)
    review = window._preferences.recent[0]
    window.close()
    documents[1].write_text(f"{TREES} Somebody has written more.")
    again = make_desk()
    after(again, qtbot, lambda: again.files.open_recent(review))
    quiet(again, qtbot)

    assert documents[1].read_text() in again.presenter.current.result.scan.texts
    assert "1 changed" in shown_message(again)


def test_a_verdict_on_copies_counts_as_the_list_does(make_desk, folder, qtbot):
    (folder / "copy.txt").write_bytes((folder / "1.txt").read_bytes())
    window, messages = make_desk(), []
    opened(window, qtbot, folder)
    press(window, *[Qt.Key.Key_1] * 3)
    quiet(window, qtbot)
    count = window.pages.pairs.filter_row._count.text()
    window.close()
    again = make_desk()
    again.presenter.message_posted.connect(lambda message: messages.append(message.text))
    opened(again, qtbot, folder)

    assert again.pages.pairs.filter_row._count.text() == count
    judged = count.partition(" ")[0]
    assert int(judged) > len(again.presenter.current.judgements.verdicts)
    assert messages == [f"Continuing the review of “essays”. {judged} pairs judged so far."]

    (folder / "1.txt").write_text((folder / "1.txt").read_text() + " And more.")
    after(again, qtbot, again.presenter.rescan)
    quiet(again, qtbot)
    fewer = again.pages.pairs.filter_row._count.text().partition(" ")[0]
    assert 0 < int(fewer) < int(judged)  # those of the earlier text wait to be confirmed
    table = again.pages.pairs.table
    width = table.columnWidth(Column.VERDICT)
    edited = [row for row, verdict in enumerate(verdicts(again)) if "earlier text" in verdict]
    for row in edited:
        table.select_row(row)
        press(again, Qt.Key.Key_1)
    table.resize(table.width() + 1, table.height())
    assert edited
    assert not any("earlier text" in verdict for verdict in verdicts(again))
    assert table.columnWidth(Column.VERDICT) == width  # as long as the list is the same one
    for _ in edited:
        again.presenter.decisions.undo()
    assert again.pages.pairs.filter_row._count.text().partition(" ")[0] == fewer
    again.close()
    last = make_desk()
    last.presenter.message_posted.connect(lambda message: messages.append(message.text))
    opened(last, qtbot, folder)
    assert last.pages.pairs.filter_row._count.text().partition(" ")[0] == fewer
    assert messages[-1].startswith(f"Continuing the review of “essays”. {fewer} pair")


def test_verdicts_that_wait_are_told_from_none(desk, make_desk, folder, qtbot):
    press(desk, Qt.Key.Key_1)
    quiet(desk, qtbot)
    (judged,) = desk.presenter.decisions.judged_pairs
    documents = desk.presenter.current.result.documents
    both = [doc.path for doc in documents if text_key(doc) in judged]
    both[0].write_text(f"{both[0].read_text()} And more.")
    after(desk, qtbot, desk.presenter.rescan)
    quiet(desk, qtbot)
    desk.close()
    messages, window = [], make_desk()
    window.presenter.message_posted.connect(lambda message: messages.append(message.text))
    opened(window, qtbot, folder)
    assert messages == [
        "Continuing the review of “essays”. 1 verdict on an earlier text waits to be confirmed."
    ]
    press(window, Qt.Key.Key_Down, Qt.Key.Key_2)
    quiet(window, qtbot)
    window.close()
    messages, window = [], make_desk()
    window.presenter.message_posted.connect(lambda message: messages.append(message.text))
    opened(window, qtbot, folder)
    judged, waits = "1 pair judged so far.", "1 verdict on an earlier text waits to be confirmed."
    assert messages == [f"Continuing the review of “essays”. {judged} {waits}"]


def test_verdicts_on_texts_that_are_gone_are_told_from_none():
    assert str(JudgedSoFar(0, 0, 0)) == "No pair judged so far."
    gone = str(JudgedSoFar(2, 0, 0))
    assert gone == "2 pairs were judged, but their texts were changed or are gone."


def test_two_documents_named_by_themselves_are_compared(make_desk, folder, reviews, qtbot):
    both = [folder / "1.txt", folder / "2.txt"]
    window = make_desk()
    qtbot.until(window.presenter.pair.compared, window.presenter.open_paths, both)
    quiet(window, qtbot)

    assert window.presenter.pairs.rowCount() == 1
    names = [side.name for side in window.compare_pane.view._comparison.sides]
    assert sorted(names) == ["1.txt", "2.txt"]
    assert window._preferences.recent == (str(reviews.of(both).path),)
    (recent,) = window._menus._recent.actions()
    assert recent.text() == "1.txt and 1 more"  # where the review lies, nobody has chosen
    assert window.files._last_folder() == folder

    changed = qtbot.until(window.presenter.pairs.dataChanged, press, window, Qt.Key.Key_1)
    assert changed[0].column() == Column.RANK  # where the whole row is drawn as a card
    quiet(window, qtbot)
    window.close()
    both[1].unlink()
    again = make_desk()
    links = again.pages.start.findChildren(LinkLabel)
    assert "1.txt and 1 more" in {link.text() for link in links}
    messages = []
    again.presenter.message_posted.connect(lambda message: messages.append(message.text))
    qtbot.until(again.presenter.pair.compared, again.presenter.open_paths, both)
    quiet(again, qtbot)
    assert verdicts(again)[0] == "● confirmed"
    assert messages == [
        "“2.txt” no longer exists. This is its review as last saved. 1 pair judged so far."
    ]


def test_a_review_begun_anew_keeps_the_one_before(desk, folder, reviews, qtbot):
    press(desk, Qt.Key.Key_1)
    quiet(desk, qtbot)
    before = desk.presenter.review.path
    qtbot.until(desk.presenter.pair.compared, desk.presenter.opening.start_anew)
    quiet(desk, qtbot)

    assert verdicts(desk) == [""] * 6
    assert reviews.of([folder]).path.name == "essays 2.neardup"
    assert len(kept(before).judgements.verdicts) == 1


def test_the_review_of_a_folder_that_is_gone_is_shown(desk, make_desk, folder, qtbot):
    press(desk, Qt.Key.Key_1)
    desk.close()
    folder.rename(folder.with_name("elsewhere"))
    window = opened(make_desk(), qtbot, folder)

    assert shown_message(window).startswith("“essays” no longer exists.")
    assert verdicts(window)[0] == "● confirmed"


@pytest.mark.parametrize("opened_as", ["essays", "elsewhere"])
def test_the_review_of_a_folder_that_was_found_elsewhere_goes_on(
    desk, make_desk, folder, qtbot, opened_as
):
    press(desk, Qt.Key.Key_1)
    quiet(desk, qtbot)
    found = folder.rename(folder.with_name("elsewhere"))
    after(desk, qtbot, desk.presenter.rescan)
    after(desk, qtbot, lambda: desk.presenter.find_folder(found))
    quiet(desk, qtbot)
    desk.close()
    window = opened(make_desk(), qtbot, folder.with_name(opened_as))

    assert verdicts(window)[0] == "● confirmed"
    assert window.presenter.current.folders == (found,)
    assert window.presenter.current.result.missing == 0


def test_unsaved_decisions_are_saved_when_there_is_room(desk, folder, reviews, qtbot, monkeypatch):
    full = Mock(side_effect=ReviewError("“essays.neardup” could not be saved: the disk is full."))

    monkeypatch.setattr(decision_session, "TRY_AGAIN", 50)
    desk.presenter.decisions.saver._again.setInterval(50)
    with monkeypatch.context() as without_room:
        without_room.setattr("core.review.extend_log", full)
        press(desk, Qt.Key.Key_1, Qt.Key.Key_2)
        qtbot.waitUntil(lambda: desk.presenter.decisions.saver.has_failed)
        assert "the disk is full. Your decisions are kept in memory" in shown_message(desk)
        assert desk.presenter.state.saved.text == "not saved · essays.neardup"
        desk.close()
        assert desk.isVisible()
        assert "would be lost" in shown_message(desk)
    quiet(desk, qtbot)

    assert shown_message(desk) == "All your decisions are saved now."
    assert desk.presenter.state.saved.text == "saved · essays.neardup"
    assert len(kept(reviews.of([folder]).path).judgements.verdicts) == 2


def test_work_goes_on_without_a_writable_data_folder(make_desk, folder, tmp_path, qtbot):
    (tmp_path / "data").write_text("a file where a folder should be")
    window = make_desk()
    scan(window, folder, qtbot)
    window.pages.pairs.judge(Verdict.CONFIRMED)

    assert verdicts(window)[0] == "● confirmed"
    assert "Your decisions are kept until you close Neardup" in shown_message(window)
    assert window.presenter.state.saved.text == "not saved"
    window.close()
    assert "would be lost" in shown_message(window)

    (tmp_path / "data").unlink()
    window.presenter.review._again.start(0)
    quiet(window, qtbot)
    assert shown_message(window) == "All your decisions are saved now."
    assert window.presenter.state.saved.text == "saved · essays.neardup"


def test_a_second_window_reads_and_sees_what_the_first_decides(desk, make_desk, folder, qtbot):
    second_desk = make_desk()
    qtbot.until(second_desk.presenter.pair.compared, second_desk.presenter.open_folders, [folder])
    assert second_desk.presenter.state.saved.text == "read-only · essays.neardup"
    second_desk.pages.pairs.judge(Verdict.SUSPICIOUS)
    assert "Nothing was saved" in shown_message(second_desk)
    assert verdicts(second_desk) == [""] * 6

    desk.pages.pairs.judge(Verdict.CONFIRMED)
    qtbot.waitUntil(lambda: verdicts(second_desk)[0] == "● confirmed")


def test_a_folder_goes_on_with_a_review_saved_elsewhere(desk, make_desk, folder, tmp_path, qtbot):
    with qtbot.waitSignal(desk.presenter.review.message_posted):
        desk.presenter.save_review(tmp_path / "autumn.neardup")
    press(desk, Qt.Key.Key_1)
    quiet(desk, qtbot)
    assert desk.presenter.state.saved.text == "saved · autumn.neardup"
    desk.close()

    window = opened(make_desk(), qtbot, folder)
    assert window.presenter.review.path == tmp_path / "autumn.neardup"
    assert verdicts(window)[0] == "● confirmed"


def test_a_damaged_review_stays_and_another_begins(desk, make_desk, folder, reviews, qtbot):
    path = desk.presenter.review.path
    desk.close()
    path.write_bytes(b"something else")
    window = opened(make_desk(), qtbot, folder)

    assert "A new review of the folder was started" in shown_message(window)
    assert path.read_bytes() == b"something else"
    assert window.presenter.review.path.name == "essays 2.neardup"


@pytest.mark.parametrize("name", ["essays 2", "报告" * 100, "a:b", "😀" * 60, "aux.2026"])
def test_any_folder_has_its_review(reviews, tmp_path, name):
    folders = [tmp_path / name[:80]]
    path = reviews.of(folders).path
    assert len(path.name.encode()) < 200
    assert not path.name.startswith("aux")  # a device of Windows, whatever follows
    path.parent.mkdir(parents=True)
    path.touch()
    second = reviews.anew(folders)
    second.touch()

    assert reviews.of(folders).path == second
    assert reviews.anew(folders) != second
    assert reviews.of([tmp_path / "another"]).path.parent != path.parent


def test_undo_waits_for_what_changes_the_list(desk, folder, qtbot):
    for file in folder.iterdir():
        if file.name == "1.txt":
            file.unlink()
    qtbot.until(desk.presenter.ended, desk.presenter.rescan)
    quiet(desk, qtbot)
    desk.presenter.missing.remove_all()
    desk.pages.pairs.judge(Verdict.CONFIRMED)  # while the list is being made
    quiet(desk, qtbot)
    assert desk.presenter.pairs.rowCount() == 3

    desk.presenter.decisions.undo()
    desk.presenter.decisions.undo()
    quiet(desk, qtbot)
    assert desk.presenter.pairs.rowCount() == 6
    assert desk.presenter.pairs.verdicts.counts[0] == 6


def test_decisions_are_signed_with_the_name_that_was_entered(desk, make_desk, folder, qtbot):
    field = desk.side_panels.reviewer._field
    field.setFocus()
    QTest.keyClicks(field, "Ann Teacher 2")
    press(desk, Qt.Key.Key_Return)
    desk.pages.pairs.judge(Verdict.CONFIRMED)

    assert desk.presenter.current.log[-1].who == "Ann Teacher 2"
    assert verdicts(desk)[0] == "● confirmed"
    desk.close()
    assert make_desk().presenter.current.who == "Ann Teacher 2"


def test_the_search_field_is_visible_in_a_narrow_window(desk, qtbot):
    desk.resize(960, 640)
    qtbot.waitUntil(desk.search_field.isVisible)
    right = desk.search_field.mapTo(desk, desk.search_field.rect().topRight())
    assert right.x() < desk.width()


def test_decisions_are_kept_where_another_window_saved(make_desk, folder, reviews, qtbot):
    path = reviews.of([folder]).path
    path.parent.mkdir(parents=True)
    window = make_desk()
    presenter = window.presenter

    def decide(result):
        if presenter.current.log or not result.complete:
            return
        key = PairKey.of(*result.documents[:2])
        presenter.decisions.decide(*judge(presenter.current.judgements, [key], Verdict.CONFIRMED))

    with ReviewLock(path) as lock:
        assert lock.may_save
        presenter.listed.connect(decide)
        presenter.open_folders([folder])
        qtbot.waitUntil(lambda: presenter.review.path is not None)
        quiet(window, qtbot)
        window_path = path.with_stem("essays (window 2)")
        assert presenter.review.path == window_path
        assert presenter.state.saved.text == f"saved · {window_path.name}"
        assert not path.exists()
        assert "meanwhile created the review “essays.neardup”" in shown_message(window)
        assert len(kept(window_path).judgements.verdicts) == 1
    assert reviews.of([folder]).path == path
