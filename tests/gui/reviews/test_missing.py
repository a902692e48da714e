"""Documents that a rescan misses: marked, asked about, removed, brought back, found again."""

import json
import math
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton

from core.documents.discovery import find_documents
from core.documents.model import Problem, ProblemCode
from core.evidence.pairs import pair_codes
from core.reports.curve.forecast_words import forecast
from core.reports.curve.state import ThresholdState
from core.reports.formats import write_report
from core.reports.from_scan import report_of
from core.review import open_review, save_review
from core.scan import flow
from core.scan.part_of_run import PartOfRun, RunFacts
from core.settings import DEFAULT_PRESET, ScanSettings
from neardup_gui.models.pairs.columns import Column, Role
from neardup_gui.models.threshold import position_words
from neardup_gui.models.words import sentences
from neardup_gui.models.workbench.settings_table import (
    SettingColumn,
    setting_rows,
    summary,
    why_no_map,
)
from neardup_gui.views.pairs.page import OutdatedRow
from neardup_gui.views.setup.panel import RescanRow
from neardup_gui.views.threshold.panel import ThresholdPanel
from neardup_gui.views.widgets.controls import Caption
from neardup_gui.views.widgets.labels import LinkLabel
from neardup_gui.window import files
from neardup_gui.window.actions import Action
from tests.gui.everywhere.walking import after, quiet, scan, settled, shown_message
from tests.reviews import state_in
from tests.texts import TREES, folder_with


@pytest.fixture
def folder(tmp_path):
    texts = {f"{number}.txt": TREES + f"Number {number}. " * number for number in range(1, 9)}
    return folder_with(tmp_path / "essays", texts)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "autumn.neardup"


@pytest.fixture
def scanned(window, folder, path, qtbot):
    """The folder scanned and saved as a review."""
    scan(window, folder, qtbot)
    qtbot.until(window.presenter.review.message_posted, window.presenter.save_review, path)
    quiet(window, qtbot)
    return window


def rescan(window, qtbot):
    settled(window, qtbot, window._actions[Action.RESCAN].trigger)


def rescan_without(window, qtbot, folder, *names):
    """Rescan a folder once these files, or all of them, are gone."""
    for path in [folder / name for name in names] or folder.iterdir():
        path.unlink()
    rescan(window, qtbot)


def choose(window, qtbot, text):
    """Click on a link of the message bar."""
    link = next(link for link in links(window) if link.text() == text)
    qtbot.mouseClick(link, Qt.MouseButton.LeftButton)


def links(window):
    return [label for label in window.message_bar.findChildren(LinkLabel) if not label.isHidden()]


def marks(window):
    """The marks of the documents in the rows of the table."""
    model = window.presenter.pairs
    return {
        model.index(row, column).data(int(Role.MARK))
        for row in range(model.rowCount())
        for column in (Column.DOCUMENT_A, Column.DOCUMENT_B)
    }


def saved(path):
    """The names of the documents in the review, with the kind of their absence."""
    with open_review(path) as review:
        return {
            document.name: document.absence and document.absence.kind.value
            for document in review.state.documents
        }


def test_an_empty_folder_is_asked_about_and_nothing_is_saved(scanned, folder, path, qtbot):
    before = path.read_bytes()
    folder.rename(folder.parent / "elsewhere")
    folder.mkdir()

    rescan(scanned, qtbot)

    assert shown_message(scanned) == "8 of 8 files missing from “essays”. Has the folder moved?"
    assert [link.text() for link in links(scanned)][:3] == ["Find it…", "Keep them", "Remove them"]
    assert scanned.presenter.pairs.rowCount() == 28
    assert all(mark.startswith("gone since ") for mark in marks(scanned))
    assert path.read_bytes() == before
    assert scanned.presenter.state.saved.text == f"not saved · {path.name}"


def test_files_that_vanish_during_a_first_scan_are_reported(window, folder, qtbot, monkeypatch):
    def find_and_lose(*folders, **options):
        found = find_documents(*folders, **options)
        for number in (3, 4):
            (folder / f"{number}.txt").unlink(missing_ok=True)
        return found

    monkeypatch.setattr("core.scan.flow.find_documents", find_and_lose)
    scan(window, folder, qtbot)

    assert (
        shown_message(window) == "2 files gave no text and were not compared; Problems lists them."
    )
    (rescan_link, _dismiss) = links(window)
    assert rescan_link.text() == "Rescan"


def test_keeping_saves_the_marks(scanned, folder, path, qtbot):
    rescan_without(scanned, qtbot, folder)

    choose(scanned, qtbot, "Keep them")
    quiet(scanned, qtbot)

    assert set(saved(path).values()) == {"gone"}
    assert scanned.presenter.state.saved.text == f"saved · {path.name}"
    assert scanned.message_bar.isHidden()
    rescan(scanned, qtbot)
    assert (
        shown_message(scanned) == "8 of 8 files still missing from “essays”. Has the folder moved?"
    )


def test_a_rescan_before_the_answer_knows_what_was_there(scanned, folder, path, qtbot):
    moved = folder.rename(folder.parent / "elsewhere")
    folder.mkdir()
    rescan(scanned, qtbot)
    folder.rmdir()
    moved.rename(folder)
    rescan_without(scanned, qtbot, folder, "2.txt")

    assert shown_message(scanned).startswith("Files since the last scan: 1 gone (2.txt).")
    assert sorted(saved(path).values(), key=str) == [None] * 7 + ["gone"]


def test_removing_is_undone(scanned, folder, path, qtbot):
    rescan_without(scanned, qtbot, folder)

    settled(scanned, qtbot, lambda: choose(scanned, qtbot, "Remove them"))

    assert scanned.presenter.pairs.rowCount() == 0
    assert shown_message(scanned).startswith("8 documents are removed from the list.")
    assert len(saved(path)) == 8
    result = scanned.presenter.current.result
    assert sentences.no_pairs(result).startswith("8 documents are removed from the list.")
    assert sentences.summary(result) == "0 documents, 8 removed from the list, nothing found"
    settled(scanned, qtbot, lambda: choose(scanned, qtbot, "Undo"))
    assert scanned.presenter.pairs.rowCount() == 28
    assert set(saved(path).values()) == {"gone"}


def test_the_threshold_speaks_of_the_documents_that_are_there(scanned, folder, qtbot):
    rescan_without(scanned, qtbot, folder, "1.txt", "2.txt")
    documents = scanned.presenter.current.result.folder
    rescan_without(scanned, qtbot, folder)
    none = scanned.presenter.current.result

    listed = "".join(run.text for run in forecast_of(documents)[2])
    assert listed == "Lists 15 pairs of 6 documents that are there."
    missed = "".join(run.text for run in forecast_of(none.folder)[0])
    assert missed == (
        "No two different documents are there to compare. The pairs in the list are of documents "
        "that are gone or were not read."
    )
    assert why_no_map(scanned.side_panels.model, None) == missed
    assert not forecast_of(none.folder)[1]
    assert len(none.pairs) == 28
    assert none.notes[0].startswith("None of the documents is there.")


def forecast_of(folder):
    settings = DEFAULT_PRESET.settings
    state = ThresholdState(64, 2, settings.min_resemblance, settings.signature_size)
    return forecast(state, folder)


def test_another_folder_that_is_opened_meanwhile_is_what_is_shown(scanned, folder, tmp_path, qtbot):
    rescan_without(scanned, qtbot, folder, "1.txt", "2.txt")
    second_folder = folder_with(tmp_path / "other")
    listings = []
    scanned.presenter.listed.connect(listings.append)

    scanned.presenter.missing.remove_all()
    settled(scanned, qtbot, lambda: scanned.presenter.open_folders([second_folder]))

    assert {listing.scan.folders for listing in listings} == {(second_folder,)}


def test_what_was_removed_comes_back_in_another_window(scanned, folder, path, make_window, qtbot):
    rescan_without(scanned, qtbot, folder, "1.txt", "2.txt")
    assert not scanned._actions[Action.BRING_BACK].isEnabled()
    settled(scanned, qtbot, scanned._actions[Action.REMOVE_MISSING].trigger)
    scanned.close()

    window = make_window()
    with qtbot.waitSignal(window.presenter.pair.compared):
        after(window, qtbot, lambda: window.presenter.open_paths([path]))
    assert window.presenter.pairs.rowCount() == 15
    settled(window, qtbot, window._actions[Action.BRING_BACK].trigger)

    assert window.presenter.pairs.rowCount() == 28
    settled(window, qtbot, window._actions[Action.REMOVE_MISSING].trigger)
    settled(window, qtbot, window._actions[Action.DELETE_REMOVED].trigger)
    assert sorted(saved(path)) == [f"{number}.txt" for number in range(3, 9)]
    assert not window._actions[Action.BRING_BACK].isEnabled()


def test_a_folder_is_found_elsewhere(scanned, folder, path, qtbot, monkeypatch):
    moved = folder.rename(folder.parent / "elsewhere")
    (moved / "8.txt").write_text(TREES + "Another end.")
    (moved / "7.txt").rename(moved / "seven.txt")
    rescan(scanned, qtbot)
    assert shown_message(scanned).startswith(
        "“essays” can’t be opened. Its 8 files are still in the list"
    )
    monkeypatch.setattr(files.dialogs, "ask_for_folder", lambda *_: moved)

    settled(scanned, qtbot, lambda: choose(scanned, qtbot, "Find it…"))

    assert shown_message(scanned) == (
        "Files since the last scan: 1 changed, 1 moved (7.txt is now seven.txt)."
    )
    assert scanned.presenter.current.folders == (moved,)
    assert scanned.presenter.pairs.rowCount() == 28
    assert marks(scanned) == {""}
    assert sorted(saved(path)) == sorted(entry.name for entry in moved.iterdir())
    assert state_in(path).folders == (moved,)


def test_a_question_waits_behind_other_messages(scanned, folder, qtbot):
    rescan_without(scanned, qtbot, folder)
    question = shown_message(scanned)
    scanned._actions[Action.ABOUT].trigger()
    assert shown_message(scanned) != question

    scanned.message_bar.dismiss()
    assert shown_message(scanned) == question
    scanned.message_bar.dismiss()
    assert scanned.message_bar.isHidden()


def test_few_files_that_are_gone_are_reported_and_saved(scanned, folder, path, qtbot):
    rescan_without(scanned, qtbot, folder, "3.txt")

    assert shown_message(scanned).startswith("Files since the last scan: 1 gone (3.txt).")
    assert saved(path)["3.txt"] == "gone"
    settled(scanned, qtbot, lambda: choose(scanned, qtbot, "Remove missing documents"))
    assert scanned.presenter.pairs.rowCount() == 21


def test_the_open_pair_says_since_when_its_file_is_gone(scanned, folder, qtbot):
    key = scanned.pages.pairs.table.selected_key
    (folder / key.a.name).unlink()

    qtbot.until(scanned.presenter.pair.compared, rescan, scanned, qtbot)

    assert scanned.pages.pairs.table.selected_key == key
    names = scanned.compare_pane.view.header._names._documents
    assert names[0].mark.text().startswith("gone since ")
    assert names[0].mark.isVisible()
    assert not names[1].mark.isVisible()
    scanned.compare_pane.view.header._names.resize(90, 24)
    assert names[0].mark.text() == "gone"


def test_a_cancelled_rescan_leaves_everything_as_it_was(scanned, folder, path, qtbot):
    before = path.read_bytes()
    for file in folder.iterdir():
        file.unlink()
    scanned._actions[Action.RESCAN].trigger()
    after(scanned, qtbot, scanned.presenter.cancel)

    assert marks(scanned) == {""}
    assert path.read_bytes() == before


def test_what_is_removed_is_saved_as_an_entry_of_the_log(scanned, folder, path, qtbot):
    rescan_without(scanned, qtbot, folder, "1.txt")

    settled(scanned, qtbot, scanned._actions[Action.REMOVE_MISSING].trigger)
    assert saved(path)["1.txt"] == "gone"
    assert [entry.command.kind for entry in log(path)] == ["rescan", "remove"]
    settled(scanned, qtbot, scanned._actions[Action.UNDO].trigger)
    assert [entry.command.kind for entry in log(path)] == ["rescan", "remove", "bring back"]
    assert [entry.reverses for entry in log(path)] == [0, 0, 2]
    assert (facts(path)["log"], facts(path)["contained"]) == (3, 3)  # the scan is saved with it

    rescan(scanned, qtbot)
    assert [entry.command.kind for entry in log(path)] == ["rescan", "remove", "bring back"]
    assert (facts(path)["log"], facts(path)["contained"]) == (3, 3)


def log(path):
    return state_in(path).log


def facts(path):
    with closing(sqlite3.connect(path)) as connection:
        return json.loads(connection.execute("SELECT facts FROM review").fetchone()[0])


@pytest.fixture
def part_window(tmp_path, make_window, qtbot):
    """On one pair of three documents of a run that read them from another file system.

    A row of it gave no text, and an earlier version has called the list complete.
    """
    texts = {f"{number}.txt": TREES + f"Number {number}. " * number for number in range(3)}
    result = flow.scan([folder_with(tmp_path / "essays", texts)], ScanSettings(reworked="off"))
    pairs = result.list_pairs().every.take([0])
    documents = [
        document._replace(location=f"s3a:/bucket/{document.name}")
        for document in result.state.documents
    ]
    part = PartOfRun(
        RunFacts("archive", 3, 3, 0.1),
        tuple(document.name for document in documents),
        pair_codes(pairs.a, pairs.b),
        pairs.found_by,
        pairs.estimate,
    )
    state = result.state._replace(documents=documents, part=part, folders=(Path("s3a://bucket"),))
    state = state._replace(problems=[Problem("7", ProblemCode.EMPTY, "It is empty.")])
    result.close()
    path = tmp_path / "part.neardup"
    assert save_review(path, state) == ()
    window = make_window()
    qtbot.until(window.presenter.pair.compared, window.presenter.open_review, path)
    return window


def test_a_part_of_a_run_says_what_it_is(part_window, tmp_path, qtbot):
    presenter, page = part_window.presenter, tmp_path / "report.html"
    result = presenter.current.result
    session = presenter.workbench.audit
    offer, shown, _is_kept = qtbot.until(session.audit_changed, session.open)

    assert len(result.pair_list.pairs) == 1
    assert (offer.may_prove, offer.may_plant) == (False, False)
    assert offer.words.startswith("The list is a part of that of a run on a cluster")
    assert shown is None

    # What gave no text is no file.
    write_report(page, report_of(result.scan, result.pair_list))
    written, problems = page.read_text(encoding="utf-8"), presenter.problems
    tip = problems.index(0, 0).data(Qt.ItemDataRole.ToolTipRole)
    assert "Without text: 1 document. " in tip
    assert problems.headerData(0, Qt.Orientation.Horizontal) == "Document"
    assert problems.groups[0].remedy is None
    assert "1 document gave no text and was not compared; " in written
    assert "Documents that gave no text and were not compared." in written
    assert "in these documents" in written
    assert " the folder" not in written

    name = result.documents[0].name
    for opens in (part_window.file_opener.open_file, part_window.file_opener.show_folder):
        (message,) = qtbot.until(presenter.message_posted, opens, name)
        assert message.text.startswith(f"“{name}” is in “s3a://bucket")
        assert message.text.endswith("can’t open. Its text is in this review.")
        assert not message.link

    summary = part_window.status_line._summary
    assert "1 pair shares text · part of the run “archive”" in summary.text()
    assert "none be added" in qtbot.until(presenter.message_posted, presenter.rescan)[0].text


def test_what_its_curve_counts_is_reported_where_it_stands(part_window, qtbot):
    """A scan of the three documents lists three pairs; the list has the one that was imported."""
    curve, panel = part_window.pages.curve, part_window.findChild(ThresholdPanel)
    model, description = panel.model, panel._forecast.accessibleDescription()

    assert description.startswith(
        "Curves and forecasts are of the documents of this review alone, "
    )
    assert "Above 0.10, none of 3 pairs would be missed" in description
    assert "Lists 1 pair of 3 documents." in description
    assert panel.curve.where == "in these documents"
    sentences = [position_words(model.state, model.folder, number / 20) for number in range(20)]
    assert any(
        "1 pair listed" in sentence and sentence.endswith(" in these documents")
        for sentence in sentences
    )

    # No setting is said to list what was not imported.
    (before,) = setting_rows(model, {}, None)
    assert before.forecast.missed.expected >= 0
    assert math.isnan(before.forecast.listed)
    with qtbot.waitSignal(part_window.presenter.workbench.grid.value_changed, check_params_cb=bool):
        part_window.pages.tabs.setCurrentWidget(curve)
    rows = curve.settings.model.shown()
    assert len(rows) > 1
    assert {SettingColumn.LISTED.words.shown(row) for row in rows} == {"–"}
    assert any(row.forecast.missed.expected >= 0 for row in rows)
    curve.settings.scan_wanted.emit(ThresholdState(128, 2, 0.1, 256))
    text = summary(model, curve.settings.model.map, rows)
    assert "signatures than there are. Only another run on a cluster can follow." in text
    curve.below.setCurrentWidget(curve.passages)
    qtbot.waitUntil(lambda: "Guaranteed" in curve.passages._words.text())
    assert curve.passages._words.text().startswith(
        "Curves and forecasts are of the documents of this "
    )

    model.change(model.state.with_threshold(0.05))
    assert "The next list says how many pairs that is." in panel._forecast.accessibleDescription()


def test_no_scan_is_offered_that_only_another_run_can_do(part_window, qtbot):
    panels, presenter = part_window.side_panels, part_window.presenter
    setup, reading = panels.setup, panels.reading
    row = part_window.findChild(OutdatedRow)
    presenter.scans.change_settings(replace(presenter.current.settings, k=3))
    qtbot.waitUntil(lambda: row.sentence.startswith("Only another run on a cluster can follow. "))
    assert "k = 5 → words, k = 3" in row.sentence
    assert row._button.isHidden()

    setup.set_settings(setup.settings.with_changes(k=3))
    reading.edit_field("ocr")

    for panel in (setup, reading):
        row = panel.findChild(RescanRow)
        assert row.findChild(QPushButton).isHidden()
        assert row.findChild(Caption).text() == "Only another run on a cluster can follow."
        assert not row.findChild(Caption).isHidden()
    assert setup.findChild(RescanRow).isVisibleTo(setup)
    with qtbot.waitSignal(presenter.message_posted) as announced:
        part_window.pages.curve.settings.scan_wanted.emit(ThresholdState(128, 2, 0.1, 256))
    assert announced.args[0].text.endswith(" selected. Only another run on a cluster can follow.")
    assert not announced.args[0].link
