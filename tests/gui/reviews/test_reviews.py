"""Reviews in the window: saved, opened again, taken up by a rescan that reads only what changed."""

import gc
import os
import shutil
import threading
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt

import core.review
from core.base.files import is_program
from core.base.tasks import cancelled_by
from core.errors import ReviewError, ScanCancelledError
from core.review import open_review
from core.scan.judgements import PairRows, Verdict
from core.settings import DEFAULT_PRESET
from neardup_gui.jobs import pairs as judged
from neardup_gui.jobs.scans import scan_folders
from neardup_gui.jobs.tasks import Task, TaskKind, running
from neardup_gui.models.folder_reviews import is_chosen
from neardup_gui.models.words import sentences
from neardup_gui.views.threshold.panel import JudgedBox
from neardup_gui.views.widgets.labels import LinkLabel
from neardup_gui.window import files
from neardup_gui.window.actions import Action
from tests.gui.everywhere.walking import after, choose_bands, drop, shown_message, tab_title
from tests.reviews import state_in
from tests.texts import TREES, folder_with, rows_of_csv


@pytest.fixture
def scanned(window, tmp_path, qtbot):
    for number in range(2):
        (tmp_path / f"{number}.txt").write_text("the sea is wide and the wind is strong " * 20)
    qtbot.until(window.presenter.pair.compared, window.presenter.open_folders, [tmp_path])
    return window


def test_what_the_user_never_chose_is_opened_after_a_question(scanned, opened_files):
    name = scanned.file_opener._names[0]
    path = scanned.presenter.current.location_of(name).path
    scanned._preferences.store.remove("folders/chosen")
    for action, expected in ((Action.OPEN_FILE_A, path), (Action.SHOW_FILE_A, path.parent)):
        opened_files.clear()
        scanned._actions[action].trigger()

        assert opened_files == []
        question = scanned.message_bar.accessibleName()
        assert question.startswith(f"Open “{expected.name}”?")
        assert question.endswith(f"It is in “{expected.parent}”.")
        scanned.message_bar.answers.links[0].clicked.emit()
        assert opened_files == [str(expected)]
        assert not scanned.message_bar.isVisible()
        scanned.file_opener.open_anyway()  # the answer holds once
        assert opened_files == [str(expected)]


def test_programs_are_asked_about_and_keys_answer(scanned, opened_files, monkeypatch, qtbot):
    monkeypatch.setattr("neardup_gui.window.files.is_program", lambda _path: True)
    table, bar = scanned.pages.pairs.table, scanned.message_bar
    scanned.activateWindow()
    table.setFocus()
    qtbot.waitUntil(table.hasFocus)

    scanned._actions[Action.OPEN_FILE_A].trigger()
    qtbot.waitUntil(bar._close.hasFocus)
    assert "a program or a shortcut" in bar.accessibleName()
    qtbot.keyClick(bar._close, Qt.Key.Key_Escape)
    assert (bar.isVisible(), table.hasFocus(), opened_files) == (False, True, [])

    scanned._actions[Action.OPEN_FILE_A].trigger()
    qtbot.keyClick(bar._close, Qt.Key.Key_Backtab, Qt.KeyboardModifier.ShiftModifier)
    qtbot.keyClick(bar.answers.links[0], Qt.Key.Key_Return)
    assert (bar.isVisible(), table.hasFocus(), len(opened_files)) == (False, True, 1)


def test_a_question_about_a_very_long_path_says_its_name_and_why():
    path = Path("/", *(["folder" * 40] * 16), f"{'name' * 60}.exe")

    question = sentences.asks_to_run(path).text

    assert question.startswith("Open “name")
    assert ".exe”? Judging by its name, it is a program" in question
    assert len(question) < 500


def test_chosen_are_folders_and_what_is_in_them(tmp_path):
    inside, outside = tmp_path / "inside", tmp_path / "outside"
    for folder in (inside / "sub", outside):
        folder.mkdir(parents=True)
    (inside / "way out").symlink_to(outside)
    chosen = [str(inside)]

    assert is_chosen(inside, chosen)
    assert is_chosen(inside / "sub" / "a.txt", chosen)
    for path in (
        outside / "a.txt",
        inside / "way out" / "a.txt",
        inside / ".." / "outside" / "a.txt",
        tmp_path / "inside-not",
        Path("//server/share/a.txt"),
        Path("-a.txt"),
        Path("http://example.org/a.txt"),
    ):
        assert not is_chosen(path, chosen)
    assert not is_chosen(inside, [])


def test_programs_are_known_by_their_names():
    programs = ["a.desktop", "b.LNK", "c.pdf.exe", "d.sh", "f.url", "g.settingcontent-ms"]
    for name, expected in (
        *((name, True) for name in (*programs, "e.bat. ")),
        *((name, False) for name in ("a.txt", "b.docx", "c", "exe", "d.pdf", ".exe.txt")),
    ):
        assert is_program(Path("/docs") / name) == expected, name


SEA = (
    "Nobody in the harbour office could say when the buoy had been painted green, or by whom. "
    "The log of the pilot boat was silent, the ledger of the chandler had been eaten by mice, "
    "and the widow Tregear remembered only that it used to be a cheerful kind of orange. "
)


@pytest.fixture
def folder(tmp_path):
    texts = {
        "one.txt": TREES + SEA,
        "two.txt": TREES + SEA + "And that was all.",
        "three.txt": SEA,
        "empty.txt": "",
    }
    return folder_with(tmp_path / "essays", texts)


def scan(window, qtbot, folder):
    with qtbot.waitSignal(window.presenter.pair.compared):
        after(window, qtbot, lambda: window.presenter.open_folders([folder]))


def save(window, qtbot, path):
    qtbot.until(window.presenter.review.message_posted, window.presenter.save_review, path)


def open_again(window, qtbot, path):
    with qtbot.waitSignal(window.presenter.pair.compared):
        after(window, qtbot, lambda: window.presenter.open_paths([path]))


def rescan(window, qtbot):
    return after(window, qtbot, window._actions[Action.RESCAN].trigger)


def rows_shown(window):
    model = window.presenter.pairs
    return [
        [model.index(row, column).data() for column in range(model.columnCount())]
        for row in range(model.rowCount())
    ]


def text_shown(window, side):
    return window.compare_pane.view.panes[side].toPlainText()


def change_unseen(path, old, new):
    """Change a file without its size or time: only who reads it can know."""
    before = path.stat()
    text = path.read_text(encoding="utf-8")
    assert len(old) == len(new)
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


@pytest.fixture
def review(make_window, folder, tmp_path, qtbot):
    """A review of the folder, whose window was closed."""
    path = tmp_path / "autumn.neardup"
    window = make_window()
    scan(window, qtbot, folder)
    save(window, qtbot, path)
    window.close()
    return path


def test_a_rescan_reads_what_changed_an_opened_folder_all(window, folder, tmp_path, qtbot):
    scan(window, qtbot, folder)
    change_unseen(folder / "two.txt", "April", "March")
    (folder / "four.txt").write_text(TREES, encoding="utf-8")

    qtbot.until(window.presenter.pair.compared, rescan, window, qtbot)

    assert "April" in text_shown(window, 1)
    assert "four.txt" in window.presenter.current.result.names.shown
    assert list(tmp_path.rglob("*.neardup")) == []

    scan(window, qtbot, folder)

    assert "March" in text_shown(window, 1)


def test_a_rescan_takes_up_what_a_cancelled_scan_had_read(tmp_path):
    for number in range(1000):
        words = " ".join(f"{number}-{index}" for index in range(300))
        (tmp_path / f"{number:04}.txt").write_text(TREES if number in {3, 7} else words)
    shown = []
    with (
        pytest.raises(ScanCancelledError),
        cancelled_by(lambda: bool(shown)),
        running(Task(preview=shown.append)),
    ):
        scan_folders([tmp_path], DEFAULT_PRESET.settings)
    (partial,) = shown
    assert 500 <= len(partial.documents) < 1000
    change_unseen(tmp_path / "0003.txt", "April", "March")

    result = scan_folders([tmp_path], DEFAULT_PRESET.settings, previous=partial)
    result.scan.close()

    assert result.complete
    assert len(result.documents) == 1000
    assert "April" in result.scan.texts[result.names.index("0003.txt")]


def test_saving_asks_for_a_name_and_replaces_nothing(window, folder, tmp_path, qtbot, monkeypatch):
    suggestions = []
    names = iter(["autumn.neardup", "winter.neardup"])

    def answer(_parent, _title, suggestion, _kinds):
        suggestions.append(suggestion)
        return tmp_path / next(names), False  # the dialog added the ending

    monkeypatch.setattr(files.dialogs, "ask_where", answer)
    (tmp_path / "autumn.neardup").write_bytes(b"another one")
    scan(window, qtbot, folder)

    window._actions[Action.SAVE_REVIEW].trigger()
    assert "“autumn.neardup” already exists" in shown_message(window)
    assert (tmp_path / "autumn.neardup").read_bytes() == b"another one"
    assert not window.presenter.state.is_busy

    for _ in range(2):
        with qtbot.waitSignal(window.presenter.review.message_posted):
            qtbot.keyClick(window, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)

    assert suggestions == [tmp_path / "essays.neardup"] * 2
    assert (tmp_path / "winter.neardup").is_file()
    assert window.windowTitle() == "winter.neardup – Neardup"
    assert shown_message(window) == "Saved the review to winter.neardup."


def test_saving_fails_is_cancelled_and_finished_by_closing(window, folder, tmp_path, qtbot):
    scan(window, qtbot, folder)
    target = tmp_path / "a.neardup"
    after(window, qtbot, lambda: window.presenter.save_review(tmp_path / "no" / "a.neardup"))
    assert "a.neardup" in shown_message(window)
    assert window.presenter.review.path is None

    def save_and_cancel():
        window.presenter.save_review(target)
        window.presenter.cancel()

    after(window, qtbot, save_and_cancel)
    assert "cancelled" in shown_message(window)
    assert not target.exists()
    assert window.presenter.review.path is None

    window.presenter.save_review(target)
    window.close()
    assert len(state_in(target).documents) == 3
    assert not window.presenter.tasks.is_busy(TaskKind.SAVE)


def test_save_as_goes_on_in_the_other_file(window, review, tmp_path, qtbot, monkeypatch):
    second_review, copy = tmp_path / "spring.neardup", tmp_path / "copy.neardup"
    monkeypatch.setattr(files.dialogs, "ask_where", lambda *_: (second_review, True))
    open_again(window, qtbot, review)

    with qtbot.waitSignal(window.presenter.review.message_posted):
        window._actions[Action.SAVE_REVIEW_AS].trigger()

    assert window.presenter.review.path == second_review
    window.presenter.save_review(copy)  # and another review is opened meanwhile
    after(window, qtbot, lambda: window.presenter.open_paths([review]))
    assert window.presenter.review.path == review
    for path in (second_review, copy):
        with open_review(path) as saved, open_review(review) as original:
            assert list(saved.state.texts) == list(original.state.texts)


def test_an_opened_review_needs_none_of_its_files(make_window, review, folder, tmp_path, qtbot):
    window = make_window()
    shutil.rmtree(folder)

    open_again(window, qtbot, review)

    assert window.windowTitle() == "autumn.neardup – Neardup"
    assert len(rows_shown(window)) == 3
    assert "And that was all." in text_shown(window, 0) + text_shown(window, 1)
    assert tab_title(window, window.pages.problems) == "Problems 1"
    assert window.presenter.current.folders == (folder,)
    target = tmp_path / "pairs.csv"
    qtbot.until(window.presenter.message_posted, window.presenter.exports.save, target)
    assert len(rows_of_csv(target)) == window.presenter.pairs.rowCount()


def test_an_opened_review_shows_what_was_saved(make_window, folder, tmp_path, qtbot):
    first, path = make_window(), tmp_path / "a.neardup"
    scan(first, qtbot, folder)
    after(first, qtbot, lambda: choose_bands(first.presenter, 128, 1, 0.05))
    save(first, qtbot, path)

    second = make_window()
    open_again(second, qtbot, path)

    assert rows_shown(second) == rows_shown(first)
    assert second.presenter.current.settings == first.presenter.current.settings
    assert second.presenter.current.result.settings.bands == 128
    assert second.side_panels.setup._model.settings == first.presenter.current.settings


def test_a_rescan_of_a_review_reads_what_changed_and_is_saved(window, review, folder, qtbot):
    open_again(window, qtbot, review)
    change_unseen(folder / "two.txt", "April", "March")
    (folder / "four.txt").write_text(TREES, encoding="utf-8")

    rescan(window, qtbot)

    with open_review(review) as saved:
        names = [document.name for document in saved.state.documents]
        texts = dict(zip(names, saved.state.texts, strict=True))
    assert sorted(texts) == ["four.txt", "one.txt", "three.txt", "two.txt"]
    assert "April" in texts["two.txt"]
    assert shown_message(window) == "Files since the last scan: 1 added."


def test_a_rescan_reports_files_that_are_gone(window, review, folder, qtbot):
    open_again(window, qtbot, review)
    (folder / "three.txt").unlink()
    rescan(window, qtbot)
    stays = "Missing documents stay in the list, marked."
    assert shown_message(window) == f"Files since the last scan: 1 gone (three.txt). {stays}"

    (folder / "one.txt").unlink()
    (folder / "two.txt").write_bytes(b"")
    (folder / "four.txt").write_text(TREES, encoding="utf-8")
    rescan(window, qtbot)
    counted = "1 added, 1 gone (one.txt), 1 not read any more (two.txt)"
    assert shown_message(window) == f"Files since the last scan: {counted}. {stays}"

    (folder / "four.txt").rename(folder / "five.txt")
    rescan(window, qtbot)
    assert shown_message(window) == "Files since the last scan: 1 moved (four.txt is now five.txt)."

    rescan(window, qtbot)
    assert shown_message(window) == "No document has changed since the last scan."


def test_a_dropped_review_is_opened(window, review, qtbot):
    title = window.pages.start.title
    invitation = title.text()

    def drop_and_cancel():
        drop(window, review)
        assert title.text() == "Opening the review"
        window.presenter.cancel()

    after(window, qtbot, drop_and_cancel)
    assert title.text() == invitation

    after(window, qtbot, lambda: drop(window, review))

    assert window.presenter.review.path == review


def test_a_review_among_folders_is_answered_with_a_sentence(window, review, folder):
    window.presenter.open_paths([review, folder])

    assert "opened by itself" in shown_message(window)


def test_recent_reviews_stand_beside_recent_folders(make_window, review, folder, qtbot):
    window = make_window()
    links = {link.text() for link in window.pages.start.findChildren(LinkLabel)}
    assert {"autumn.neardup", "essays"} <= links

    link = next(
        each
        for each in window.pages.start.findChildren(LinkLabel)
        if each.text() == "autumn.neardup"
    )
    after(window, qtbot, link.click)

    assert window.presenter.review.path == review


def test_a_damaged_review_is_a_sentence_and_leaves_what_is_shown(window, folder, tmp_path, qtbot):
    scan(window, qtbot, folder)
    before = rows_shown(window)
    wrong = tmp_path / "wrong.neardup"
    wrong.write_bytes(b"this is no review at all" * 100)

    after(window, qtbot, lambda: window.presenter.open_paths([wrong]))

    assert "wrong.neardup" in shown_message(window)
    assert rows_shown(window) == before
    assert window.presenter.review.path is None
    assert window.windowTitle() == "essays – Neardup"


def test_notes_of_repair_are_reported(window, review, qtbot, monkeypatch):
    monkeypatch.setattr("core.review.documents.SIGNING", -1)  # as if signed by an older Neardup

    open_again(window, qtbot, review)

    assert "It was made again from the texts" in shown_message(window)
    assert rows_shown(window)


def test_opening_can_be_cancelled(window, review, folder, qtbot, monkeypatch):
    scan(window, qtbot, folder)
    original, opening = core.review.open_review, threading.Event()

    def open_when_cancelled(*arguments, **options):
        assert opening.wait(300)
        return original(*arguments, **options)

    monkeypatch.setattr(core.review, "open_review", open_when_cancelled)

    def open_and_cancel():
        window.presenter.open_paths([review])
        assert window._actions[Action.CANCEL].isEnabled()
        window.presenter.cancel()
        opening.set()

    after(window, qtbot, open_and_cancel)

    assert "was cancelled" in shown_message(window)
    assert window.presenter.review.path is None
    assert not window.presenter.state.is_busy


def test_a_folder_opened_meanwhile_wins_over_a_review(window, review, folder, qtbot):
    presenter = window.presenter
    presenter.open_review(review)
    after(window, qtbot, lambda: presenter.open_folders([folder]))

    assert presenter.review.path is None
    assert window.windowTitle() == "essays – Neardup"
    assert not presenter.state.is_busy


def test_a_review_is_closed_with_its_scan_and_its_window(window, review, folder, qtbot):
    open_again(window, qtbot, review)
    texts = window.presenter.current.result.scan.texts
    rescan(window, qtbot)
    assert TREES in texts[0]
    scan(window, qtbot, folder)
    with pytest.raises(ReviewError, match="was closed"):
        texts[0]

    open_again(window, qtbot, review)
    texts = window.presenter.current.result.scan.texts
    window.close()
    with pytest.raises(ReviewError, match="was closed"):
        texts[0]


def test_all_objects_are_looked_through_on_the_thread_of_qt(window, folder, review, qtbot):
    """A thread that freed objects of Qt waited for the window, and the window for it, for ever."""
    threads = []

    def note(phase, of):
        if phase == "start" and of["generation"] == 2:
            threads.append(threading.current_thread())

    gc.callbacks.append(note)
    try:
        after(window, qtbot, lambda: window.presenter.open_folders([folder]))
        open_again(window, qtbot, review)
    finally:
        gc.callbacks.remove(note)
    assert len(threads) >= 2
    assert set(threads) == {threading.main_thread()}


def test_short_memory_is_announced(window, folder, qtbot, monkeypatch):
    for target in ("core.base.memory.text_memory", "core.scan.scan.text_memory"):
        monkeypatch.setattr(target, lambda: 500)
    heard = []
    window.presenter.message_posted.connect(
        lambda message: heard.append((window.presenter.current.result is None, message.text))
    )

    after(window, qtbot, lambda: window.presenter.open_folders([folder]))

    before_anything_is_listed, text = heard[0]
    assert before_anything_is_listed
    assert "are kept in a temporary file" in text
    assert rows_shown(window)


WORDS = [f"word{number}" for number in range(400)]


@pytest.fixture
def judging(window, tmp_path, qtbot):
    """Ten documents that all share something: 45 pairs, and 25 of them judged."""
    folder = folder_with(tmp_path / "essays")
    for number in range(10):
        words = [f"own{number}x{index}" for index in range(20 * number)]
        (folder / f"essay{number}.txt").write_text(" ".join([*WORDS[:150], *words]))
    after(window, qtbot, lambda: window.presenter.open_folders([folder]))
    verdicts = window.presenter.verdicts
    assert len(window.presenter.current.result.pair_list.pairs) == 45
    verdicts.judge(Verdict.CONFIRMED, np.arange(12))
    verdicts.judge(Verdict.NOT_A_MATCH, np.arange(12, 25))
    box = window.side_panels.threshold.findChild(JudgedBox)
    qtbot.waitUntil(lambda: "25 pairs judged, 12 confirmed." in box.words)
    return window


def test_words_come_with_enough_verdicts_and_go_with_them(judging, qtbot):
    box, pairs = judging.side_panels.threshold.findChild(JudgedBox), judging.presenter.pairs
    assert "Resemblance alone would have predicted" in box.words
    assert "unread" not in box.words  # 25 verdicts say too little of the other 20
    box.draw.click()
    qtbot.waitUntil(lambda: "Random check: 0 of 20 judged." in box.words)
    box.show_check.click()
    assert pairs.rowCount() == 20
    assert set(pairs.shown_rows().tolist()) == set(range(25, 45))
    judging.presenter.verdicts.judge(Verdict.NOT_A_MATCH, np.arange(25, 45))
    qtbot.waitUntil(lambda: "Random check: 0 of 20 confirmed." in box.words)
    judging.presenter.decisions.undo()
    judging.presenter.decisions.undo()
    qtbot.waitUntil(lambda: "Random check" not in box.words)
    judging.presenter.decisions.undo()
    qtbot.waitUntil(box.isHidden)


def test_another_thread_thinks_and_only_of_other_verdicts(judging, qtbot, monkeypatch):
    threads, results = [], []
    think = judged.judged_so_far

    def thinking(*columns):
        threads.append(threading.current_thread())
        return think(*columns)

    monkeypatch.setattr(judged, "judged_so_far", thinking)
    session = judging.presenter.verdicts.so_far
    session.value_changed.connect(results.append)
    judging.presenter.pairs.modelReset.emit()  # other rows of the same list
    qtbot.waitUntil(lambda: not session._later.isActive())
    assert results == []
    with qtbot.waitSignal(session.value_changed):
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
