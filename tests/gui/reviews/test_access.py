"""Two programs on one review: the second may read it, says so, and takes over when it is free."""

import sqlite3
import sys
from contextlib import closing
from unittest.mock import Mock

import pytest

from core.review import is_free, save_review
from core.review.sidecar_files import has_pending
from core.scan.flow import scan
from core.scan.in_memory import find_pairs
from core.scan.judgements import Verdict
from core.settings import ScanSettings
from neardup_gui.jobs import scans
from neardup_gui.jobs.locks import ReviewLocks
from neardup_gui.views.widgets.labels import LinkLabel
from neardup_gui.window import files
from neardup_gui.window.actions import Action
from tests.bench import crafted_reviews
from tests.gui.everywhere.walking import after, shown_message
from tests.reviews import state_in
from tests.texts import TREES


@pytest.fixture(scope="module")
def whole_review(tmp_path_factory):
    return crafted_reviews.whole_review(tmp_path_factory.mktemp("crafted"))


@pytest.fixture
def crafted(whole_review, tmp_path):
    """A function that makes one of them by its name."""

    def craft(name):
        path = tmp_path / "sent.neardup"
        crafted_reviews.craft(whole_review, path, dict(crafted_reviews.crafted())[name])
        return path

    return craft


def test_an_opened_pair_is_measured_again_and_then_all_are(window, qtbot, crafted, monkeypatch):
    """Nobody can change a review of ours so; if a defect of ours did, it would be seen here."""
    monkeypatch.setattr("core.review.documents.is_ours", lambda *_: True)
    after(window, qtbot, lambda: window.presenter.open_review(crafted("pairs one more shared")))
    result = window.presenter.current.result
    truth = find_pairs(list(result.scan.texts), result.scan.settings)
    right = sorted(truth.resemblance.tolist())
    assert sorted(result.pair_list.every.resemblance.tolist()) != right

    table = window.pages.pairs.table
    row = next(
        row
        for row in range(window.presenter.pairs.rowCount())
        if 0.2 < result.pairs.resemblance[window.presenter.pairs.pairs_in([row])][0] < 0.45
    )
    qtbot.until(window.presenter.pair.compared, table.select_row, row)
    qtbot.waitUntil(lambda: window.presenter.current.result is not result)

    assert "don’t match their texts" in window.message_bar.accessibleName()
    assert sorted(window.presenter.current.result.pair_list.every.resemblance.tolist()) == right


def saved(window, qtbot, act):
    qtbot.until(window.presenter.review.message_posted, act)


@pytest.fixture
def review(window, folder, tmp_path, qtbot):
    """A review that `window` has open."""
    path = tmp_path / "autumn.neardup"
    after(window, qtbot, lambda: window.presenter.open_folders([folder]))
    saved(window, qtbot, lambda: window.presenter.save_review(path))
    return path


def second(make_window, qtbot, review):
    window = make_window()
    after(window, qtbot, lambda: window.presenter.open_paths([review]))
    return window


def names_in(path):
    return [document.name for document in state_in(path).documents]


def click_link(window):
    (link,) = [
        label
        for label in window.message_bar.findChildren(LinkLabel)
        if label.text() == "Take over" and label.isVisible()
    ]
    link.clicked.emit()


def test_the_second_window_reads_only(
    window, make_window, review, folder, tmp_path, qtbot, monkeypatch
):
    second_window, before = second(make_window, qtbot, review), review.read_bytes()

    assert second_window.windowTitle() == "autumn.neardup (read-only) – Neardup"
    assert shown_message(second_window).startswith("“autumn.neardup” is open in another Neardup (")
    assert shown_message(second_window).endswith("It is read-only here.")
    assert len(second_window.presenter.current.result.pair_list.pairs) == 1
    assert second_window._actions[Action.TAKE_OVER].isEnabled()
    assert window.windowTitle() == "autumn.neardup – Neardup"
    assert not window._actions[Action.TAKE_OVER].isEnabled()

    second_window.message_bar.dismiss()
    after(second_window, qtbot, second_window._actions[Action.TAKE_OVER].trigger)  # too early
    assert "is open in another Neardup" in shown_message(second_window)
    assert second_window.windowTitle() == "autumn.neardup (read-only) – Neardup"

    copy = tmp_path / "winter.neardup"
    monkeypatch.setattr(files.dialogs, "ask_where", lambda *_: (copy, True))
    saved(second_window, qtbot, second_window._actions[Action.SAVE_REVIEW_AS].trigger)
    assert shown_message(second_window) == "Saved the review to winter.neardup."
    assert second_window.windowTitle() == "winter.neardup – Neardup"
    assert not second_window._actions[Action.TAKE_OVER].isEnabled()
    assert not is_free(copy)
    assert names_in(copy) == names_in(review)

    # Nor is a folder saved to a review that is open elsewhere.
    after(second_window, qtbot, lambda: second_window.presenter.open_folders([folder]))
    qtbot.until(second_window.presenter.message_posted, second_window.presenter.save_review, review)
    assert "is open in another Neardup" in shown_message(second_window)
    assert review.read_bytes() == before
    assert second_window.windowTitle() == "essays – Neardup"


def test_the_second_window_decides_and_saves_nothing(window, make_window, review, folder, qtbot):
    (folder / "three.txt").write_text(TREES + "Or nearly all.")
    after(window, qtbot, window.presenter.rescan)
    qtbot.waitUntil(lambda: len(names_in(review)) == 3)
    second_window = second(make_window, qtbot, review)
    table = second_window.pages.pairs.table
    assert len(second_window.presenter.current.result.pair_list.pairs) == 3
    table.select_row(0)
    qtbot.waitUntil(lambda: second_window.presenter.pair.shown == table.selected_key)

    second_window.judging.judge(Verdict.CONFIRMED)
    assert "Nothing was saved" in shown_message(second_window)
    assert table.current_row == 0
    assert second_window.presenter.pairs.verdicts.counts[0] == 3

    (folder / "four.txt").write_text(TREES + "Or all but this.")
    after(window, qtbot, window.presenter.rescan)
    qtbot.waitUntil(lambda: len(names_in(review)) == 4)
    second_window.message_bar.dismiss()
    second_window._actions[Action.SAVE_REVIEW].trigger()
    assert "Nothing was saved" in shown_message(second_window)
    assert not second_window.presenter.state.is_busy
    window.close()
    second_window.presenter.save_review(review)  # it is free now, and what it holds is newer
    assert "Nothing was saved" in shown_message(second_window)
    assert len(names_in(review)) == 4


def test_a_rescan_in_the_second_window_is_not_saved(make_window, review, folder, qtbot):
    second_window = second(make_window, qtbot, review)
    (folder / "three.txt").write_text(TREES + "Or nearly all.")

    saved(second_window, qtbot, second_window.presenter.rescan)

    assert "Nothing was saved" in shown_message(second_window)
    assert len(second_window.presenter.current.result.documents) == 3
    assert len(names_in(review)) == 2


def test_the_second_window_takes_over_what_was_saved(window, make_window, review, folder, qtbot):
    second_window = second(make_window, qtbot, review)
    (folder / "three.txt").write_text(TREES + "Or nearly all.")
    after(window, qtbot, window.presenter.rescan)
    qtbot.until(second_window.presenter.review.message_posted, window.close)
    assert "is no longer open in another Neardup" in shown_message(second_window)
    assert len(second_window.presenter.current.result.documents) == 2

    after(second_window, qtbot, lambda: click_link(second_window))

    assert second_window.windowTitle() == "autumn.neardup – Neardup"
    assert len(second_window.presenter.current.result.documents) == 3
    saved(second_window, qtbot, second_window._actions[Action.SAVE_REVIEW].trigger)
    assert shown_message(second_window) == "Saved the review to autumn.neardup."


def test_a_window_lets_go_of_its_review(window, make_window, review, folder, tmp_path, qtbot):
    saved(window, qtbot, lambda: window.presenter.save_review(tmp_path / "winter.neardup"))
    assert is_free(review)
    assert not is_free(tmp_path / "winter.neardup")

    after(window, qtbot, lambda: window.presenter.open_folders([folder]))
    assert is_free(tmp_path / "winter.neardup")
    second_window = second(make_window, qtbot, review)
    assert second_window.windowTitle() == "autumn.neardup – Neardup"


def test_a_review_from_which_texts_are_read_is_not_let_go(window, review, tmp_path, qtbot):
    """Another program could save it without them."""
    after(window, qtbot, lambda: window.presenter.open_paths([review]))
    saved(window, qtbot, lambda: window.presenter.save_review(tmp_path / "winter.neardup"))

    assert not is_free(review)
    assert not is_free(tmp_path / "winter.neardup")
    after(window, qtbot, lambda: window.presenter.open_paths([tmp_path / "winter.neardup"]))
    qtbot.waitUntil(lambda: is_free(review))


def test_a_save_that_another_program_holds_up_is_reported(window, review, qtbot, monkeypatch):
    monkeypatch.setattr("core.review.database.PATIENCE", 0.05)
    with closing(sqlite3.connect(review, isolation_level=None)) as writer:
        writer.execute("BEGIN")
        writer.execute("SELECT * FROM review").fetchall()
        saved(window, qtbot, lambda: window.presenter.save_review(review))
        assert shown_message(window).startswith(
            "Saved the review to autumn.neardup. The save of “autumn.neardup” is safe, but not"
        )
        assert has_pending(review)
    # The other program had not to write, and so leaves it to us.
    window.close()
    assert not has_pending(review)
    assert is_free(review)


def test_what_is_no_review_is_not_held(window, tmp_path, qtbot):
    path = tmp_path / "letter.neardup"
    path.write_bytes(b"Dear Ann")

    after(window, qtbot, lambda: window.presenter.open_review(path))

    assert "not a review" in shown_message(window)
    assert list(tmp_path.glob("letter*")) == [path]


@pytest.mark.skipif(sys.platform == "win32", reason="permissions are others there")
def test_a_review_without_permission_is_read_only(window, make_window, review, qtbot, monkeypatch):
    window.close()
    monkeypatch.setattr("core.review.lock.may_write", lambda _path: False)

    second_window = second(make_window, qtbot, review)

    assert "(read-only)" in second_window.windowTitle()
    assert shown_message(second_window) == (
        "You don’t have permission to write to “autumn.neardup” or its folder. It is read-only "
        "here."
    )
    assert not second_window._actions[Action.TAKE_OVER].isEnabled()
    second_window._actions[Action.SAVE_REVIEW].trigger()
    assert "“Save review as…” writes a separate file." in shown_message(second_window)


def test_a_folder_without_locks_is_said_to_be(window, make_window, review, qtbot, monkeypatch):
    no_locks = Mock(side_effect=OSError(37, "No locks available"))

    window.close()
    monkeypatch.setattr("core.review.lock.lock", no_locks)

    second_window = second(make_window, qtbot, review)

    assert "doesn’t support file locking" in shown_message(second_window)
    assert second_window.windowTitle() == "autumn.neardup – Neardup"
    saved(second_window, qtbot, second_window._actions[Action.SAVE_REVIEW].trigger)
    assert shown_message(second_window) == "Saved the review to autumn.neardup."


def test_a_review_that_another_program_saves_while_it_is_opened_is_opened_again(tmp_path):
    folder, path = tmp_path / "essays", tmp_path / "essays.neardup"
    folder.mkdir()

    def save(text):
        for name in ("one", "two"):
            (folder / f"{name}.txt").write_text(f"{text} {name}")
        made = scan([folder], ScanSettings())
        made.list_pairs()
        save_review(path, made.state)
        made.close()

    held = []

    def hold(review):
        if not held:
            save("The survey was carried out a second time in part")
        held.append(review)

    save("The survey was carried out in part")
    opened = scans.open_review(path, ReviewLocks(), hold)

    assert opened.review is held[-1]
    assert "second time" in opened.result.scan.texts[0]
    opened.result.scan.close()
    for review in held:
        review.close()
