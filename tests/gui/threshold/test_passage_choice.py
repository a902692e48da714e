"""What only its passage lists is a choice; what found nothing can be exported all the same."""

import json
import random
import threading

import pytest
from PySide6.QtCore import Qt

from core.evidence.store import EvidenceStore
from core.scan import ingest
from core.scan.flow import FIRST_PREVIEW
from neardup_gui.models.pairs.columns import Column, Role
from neardup_gui.window.actions import Action
from tests.gui.everywhere.walking import after, choose_bands
from tests.gui.window.test_window import save_report
from tests.texts import folder_with

NET = 300  # seconds
WORDS = [f"word{number}" for number in range(4000)]


@pytest.fixture
def folder(tmp_path):
    """Two pairs that are alike, and three that share a page only."""
    folder = folder_with(tmp_path / "essays")
    chance = random.Random(3)

    def words(count):
        return chance.choices(WORDS, k=count)

    essay, unrelated, page = words(300), words(300), words(50)
    texts = {
        "a1": essay,
        "a2": [*essay[:250], *words(50)],
        "b1": unrelated,
        "b2": [*unrelated, *words(5)],
        **{f"page{number}": [*words(1500), *page, *words(1500)] for number in range(3)},
    }
    for name, words_of_text in texts.items():
        (folder / f"{name}.txt").write_text(" ".join(words_of_text))
    return folder


def titles(window):
    pages = window.pages
    return [pages.tabs.tabText(pages.tabs.indexOf(page)) for page in (pages.pairs, pages.problems)]


def scan(window, qtbot, folder):
    return qtbot.until(window.presenter.ended, window.presenter.open_folders, [folder])[0]


def choose(window, qtbot):
    """A click on the choice; what the status bar says then."""
    return qtbot.until(window.presenter.ended, window.side_panels.threshold.passages.click)[0]


def marks(window):
    """What takes the place of the bar in each row in which something was found."""
    model = window.presenter.pairs
    cells = (model.index(row, Column.RESEMBLANCE) for row in range(model.rowCount()))
    return [mark for cell in cells if (mark := cell.data(Role.MARK)) != "not listed"]


def test_what_only_its_passage_lists_is_told_apart_and_can_be_left_out(window, folder, qtbot):
    message = scan(window, qtbot, folder)
    box = window.side_panels.threshold.passages
    assert message == "7 documents, 5 pairs share text"
    assert marks(window) == [""] * 2 + ["passage only"] * 3
    assert (box.text(), box.isChecked()) == ("Also list 3 that share a passage", True)

    message = choose(window, qtbot)

    assert message == "7 documents, 2 pairs share text"
    assert marks(window) == [""] * 2
    assert window.pages.tabs.tabText(0) == "Pairs 2"
    assert (box.text(), box.isChecked()) == ("Also list 3 that share a passage", False)
    assert window.side_panels.setup.settings == window.presenter.current.settings
    assert not window.presenter.current.settings.list_passages

    choose(window, qtbot)
    assert len(marks(window)) == 5

    (folder / "page2.txt").unlink()
    after(window, qtbot, window.presenter.rescan)
    assert len(marks(window)) == 5
    assert box.text() == "Also list 1 that shares a passage"  # of those that the forecast counts
    listed = window.side_panels.threshold._forecast._labels[2].text()
    assert "3</b> pairs of 6 documents that are there, 1 pair by a passage only" in listed


def test_the_choice_asks_the_engine_nothing(window, folder, qtbot, monkeypatch):
    scan(window, qtbot, folder)
    calls = []
    monkeypatch.setattr(EvidenceStore, "_measure", lambda *_: calls.append("measured"))
    monkeypatch.setattr("core.scan.scan.PairLister", lambda *_: calls.append("listed"))

    choose(window, qtbot)
    choose(window, qtbot)

    assert calls == []
    assert len(marks(window)) == 5


def test_the_list_gets_shorter_where_the_threshold_rises(window, folder, qtbot):
    scan(window, qtbot, folder)
    choose(window, qtbot)
    rows = []
    for floor in (0.1, 0.9, 1.0):
        qtbot.until(window.presenter.listed, choose_bands, window.presenter, 64, 2, floor)
        rows.append(window.presenter.pairs.pair_count)

    assert rows == [2, 1, 0]
    assert "No two documents have a resemblance of 1.00 or more." in window.pages.pairs._reason
    assert "5 more share a passage of 30 words" in window.pages.pairs._reason


def test_the_preset_for_the_same_text_lists_no_passages(window, folder, qtbot):
    scan(window, qtbot, folder)
    preset = window.side_panels.setup._preset
    with qtbot.waitSignal(window.presenter.ended):
        preset.setCurrentText("Same text again")
        preset.activated.emit(preset.currentIndex())

    assert not window.side_panels.threshold.passages.isChecked()
    assert marks(window) == [""]


def test_a_review_keeps_the_choice(window, folder, qtbot, tmp_path):
    scan(window, qtbot, folder)
    choose(window, qtbot)
    with qtbot.waitSignal(window.presenter.message_posted):
        window.presenter.save_review(tmp_path / "a.neardup")
    scan(window, qtbot, folder)
    choose(window, qtbot)
    assert window.side_panels.threshold.passages.isChecked()

    after(window, qtbot, lambda: window.presenter.open_review(tmp_path / "a.neardup"))

    assert not window.side_panels.threshold.passages.isChecked()
    assert marks(window) == [""] * 2


def export(window, qtbot, path, monkeypatch):
    report = save_report(window, qtbot, monkeypatch, path)
    return report.text, path.read_text(encoding="utf-8-sig")


def test_a_scan_that_found_nothing_can_be_exported(window, tmp_path, qtbot, monkeypatch):
    folder = folder_with(tmp_path / "few")
    (folder / "one.txt").write_text("Some words about bridges and nothing else at all.")
    (folder / "two.txt").write_text("Other words, on trees, which nobody has counted yet.")
    (folder / "empty.txt").write_text("")
    assert scan(window, qtbot, folder) == "2 documents, nothing found"
    # The only pair is shown all the same; no number counts it as found.
    assert window.pages.tabs.tabText(0) == "Pairs 0"
    assert window.pages.pairs.filter_row._count.text() == "1 pair not listed"

    written = {}
    for ending in ("html", "csv", "json"):
        path = tmp_path / f"nothing.{ending}"
        message, written[ending] = export(window, qtbot, path, monkeypatch)
        assert message.startswith(f"Saved a report without pairs to nothing.{ending}, ")

    for words in ("no pair from 0.10 on.", "empty.txt", "b × r = 64 × 2"):
        assert words in written["html"]
    data = json.loads(written["json"])
    assert (data["documents"], data["pairs"]) == (2, [])
    assert [problem["path"] for problem in data["problems"]] == ["empty.txt"]
    assert data["settings"]["bands"] == 64
    assert written["csv"].splitlines()[0].startswith("doc_a,doc_b,")


def reading_held(monkeypatch):
    """No file is read from here on, until what is given back is called."""
    questioned, ingest_files = threading.Event(), ingest.ingest_files

    def wait_for_the_user(*arguments):
        questioned.wait(NET)
        return ingest_files(*arguments)

    monkeypatch.setattr("core.scan.flow.ingest_files", wait_for_the_user)
    return questioned.set


def test_nothing_of_another_folder_stays_after_cancelling(
    window, folder, tmp_path, qtbot, monkeypatch
):
    (folder / "empty.txt").write_text("")
    scan(window, qtbot, folder)
    assert titles(window) == ["Pairs 5", "Problems 1"]
    second_folder = folder_with(tmp_path / "other", {"one.txt": "Something else."})
    let_read = reading_held(monkeypatch)
    with qtbot.waitSignal(window.presenter.ended) as ended:
        window.presenter.open_folders([second_folder])
        window.presenter.cancel()
        let_read()

    assert ended.args[0] == "Cancelled"
    assert titles(window) == ["Pairs", "Problems"]
    assert window.presenter.problems.rowCount() == 0
    assert window.side_panels.model.folder is None
    assert window.side_panels.threshold.passages.text() == "Also list pairs that share a passage"
    assert not window.pages.pairs.filter_row._count.text()
    assert not window._actions[Action.EXPORT].isEnabled()


def test_a_cancelled_rescan_leaves_no_list_of_other_settings(window, folder, qtbot, monkeypatch):
    scan(window, qtbot, folder)
    let_read = reading_held(monkeypatch)
    presenter = window.presenter
    presenter.rescan()
    choose_bands(presenter, 64, 2, 0.9)
    presenter.rescan()
    presenter.cancel()
    let_read()

    qtbot.waitUntil(lambda: not presenter.state.is_busy)
    qtbot.waitUntil(lambda: presenter.current.result.settings == presenter.current.settings)

    assert marks(window) == [""] + ["passage only"] * 4
    assert window.side_panels.threshold.passages.text() == "Also list 4 that share a passage"


def test_a_report_of_a_cancelled_scan_says_so(window, tmp_path, qtbot, monkeypatch):
    folder = folder_with(tmp_path / "many")
    for number in range(1100):
        words = " ".join(f"{number}-{index}" for index in range(300))
        (folder / f"{number:04}.txt").write_text("the same words " * 99 if number < 2 else words)
    seen, ingest_files = threading.Event(), ingest.ingest_files

    def wait_for_the_window(*arguments):
        files = 0
        for batch in ingest_files(*arguments):
            if files >= FIRST_PREVIEW:
                seen.wait(NET)
            files += batch.files
            yield batch

    monkeypatch.setattr("core.scan.flow.ingest_files", wait_for_the_window)

    def cancel():
        window.presenter.cancel()
        seen.set()

    window.presenter.listed.connect(cancel)
    ended = qtbot.until(window.presenter.ended, window.presenter.open_folders, [folder])
    assert ended[0].startswith("Cancelled")
    result = window.presenter.current.result
    assert not result.complete

    _, written = export(window, qtbot, tmp_path / "some.json", monkeypatch)

    data = json.loads(written)
    assert data["documents"] == len(result.documents) < 1100
    assert data["notes"][0] == (
        "The scan was not finished. This is what was found among the first "
        f"{data['documents']:,} documents."
    )
    assert window.pages.tabs.tabText(0) == "Pairs 1"


def test_the_mark_is_explained_and_read_out(window, folder, qtbot):
    scan(window, qtbot, folder)
    model = window.presenter.pairs
    cell = model.index(model.pair_count - 1, Column.RESEMBLANCE)
    tip = cell.data(Qt.ItemDataRole.ToolTipRole)
    assert "Its resemblance is below 0.10, but the two share 30 words or more in a row." in tip
    assert cell.data(Qt.ItemDataRole.AccessibleTextRole) == f"{cell.data()}, passage only"
    first = model.index(0, Column.RESEMBLANCE)
    assert first.data(Qt.ItemDataRole.AccessibleTextRole) == first.data()
