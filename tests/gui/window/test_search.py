"""The search field finds words in all texts; the window asks about versions and earlier years."""

import json
import shutil
from dataclasses import replace
from unittest.mock import Mock

import numpy as np
import pytest

from core.base.messages import gettext
from core.documents.submissions import earlier_years
from core.program.startup import NO_MEMORY
from core.reports.report_choice import Texts
from neardup_gui.jobs import scans
from neardup_gui.jobs.tasks import TaskKind
from neardup_gui.models.reports import ReportWish
from neardup_gui.models.scan_result import DocumentNames
from neardup_gui.models.words.sentences import Offer
from neardup_gui.presenter import search_session
from neardup_gui.presenter.search_session import search_texts
from tests.gui.everywhere.walking import after
from tests.texts import TREES, folder_with

OAK = "One oak stood apart. "
SHIPS = "هذا كِتاب قديم عن السفن والبحار البعيدة. " * 9
TEXTS = {
    "oak.txt": "No such tree is named in this one. " * 9,
    "one.txt": TREES + OAK,
    "two.txt": TREES + "And that was all.",
    "three.txt": "我写中文。" * 30,
    "five.txt": SHIPS,
    "six.txt": SHIPS + "تم",
}


@pytest.fixture
def searched(window, tmp_path, qtbot):
    """The window with some pairs listed."""
    scan(window, qtbot, folder_with(tmp_path / "essays", TEXTS))
    return window


def scan(window, qtbot, folder=None):
    """Scan a folder for the first time, or again; what is offered then."""
    messages = []
    window.presenter.message_posted.connect(messages.append)
    with qtbot.waitSignal(window.presenter.ended):
        window.presenter.open_folders([folder]) if folder else window.presenter.rescan()
    window.presenter.message_posted.disconnect(messages.append)
    return [answer for message in messages for _, answer in message.answers]


def search(window, qtbot, phrase):
    """The names of the documents that contain a phrase, once all texts are searched."""
    window.search_field.setText(phrase)
    later, tasks = window.presenter.search._later, window.presenter.tasks
    qtbot.waitUntil(lambda: not (later.isActive() or tasks.is_busy(TaskKind.SEARCH)))
    names = window.presenter.current.result.names
    return {names.shown[number] for number in np.flatnonzero(names.containing(phrase))}


def test_words_are_found_in_all_texts(searched, qtbot):
    assert search(searched, qtbot, "STOOD   apart") == {"one.txt"}
    assert search(searched, qtbot, "中文") == {"three.txt"}
    assert search(searched, qtbot, "كِتاب قديم") == {"five.txt", "six.txt"}
    pairs, documents = searched.presenter.pairs, searched.presenter.documents.model
    listed = [set(pairs.key_at(row).names) for row in range(pairs.rowCount())]
    assert listed
    assert all(both & {"five.txt", "six.txt"} for both in listed)
    searched.pages.tabs.setCurrentWidget(searched.pages.documents)
    qtbot.waitUntil(lambda: documents.rowCount() == 2)
    assert search(searched, qtbot, "nowhere at all") == set()
    assert pairs.rowCount() == documents.rowCount() == searched.presenter.groups.model.rowCount()


def test_names_are_found_at_once_and_alone_where_that_is_wanted(searched, qtbot):
    row = searched.pages.search_row
    searched.search_field.setText("oak")
    assert row.sentence == "1 name contains “oak” · searching the texts…"
    assert search(searched, qtbot, "oak") == {"oak.txt", "one.txt"}
    assert row.sentence == "1 name contains “oak” · 1 text contains “oak”"

    row.names_only.click()
    assert row.sentence == "1 name contains “oak”"
    assert search(searched, qtbot, "oak") == {"oak.txt"}
    searched.search_field.clear()
    assert row.isHidden()


def test_texts_are_searched_after_a_scan_only_where_one_runs(window, tmp_path, qtbot):
    row = window.pages.search_row
    window.search_field.setText("oak")
    assert row.sentence == "0 names contain “oak”"
    window.presenter.open_folders([folder_with(tmp_path / "essays", TEXTS)])
    window.search_field.setText("oak")
    assert row.sentence.endswith("texts are searched after the scan")
    qtbot.until(window.presenter.tasks.cancelled, window.presenter.cancel)
    assert row.sentence.endswith("contain “oak”")


@pytest.mark.parametrize(
    ("wish", "names_only", "expected"),
    [
        (ReportWish(ending=".json"), False, "documents containing “stood”"),
        (ReportWish(ending=".json"), True, "names containing “stood”"),
        (ReportWish(ending=".json", texts=Texts.NONE), False, "documents containing “…”"),
        (ReportWish(ending=".json", names=False), True, "names containing “…”"),
    ],
)
def test_a_report_says_what_was_searched(searched, tmp_path, qtbot, wish, names_only, expected):
    searched.pages.search_row.names_only.setChecked(names_only)
    search(searched, qtbot, "stood")
    reports = searched.presenter.exports
    qtbot.until(reports.ended, reports.save, tmp_path / "report.json", wish)
    shown = json.loads((tmp_path / "report.json").read_text("utf-8"))["shown"]
    assert shown.startswith(f"Only pairs with {expected}.")


def test_what_was_found_stays_until_another_phrase_or_list_is_searched(searched, qtbot):
    search(searched, qtbot, "stood apart")
    pairs, counts = searched.presenter.pairs, []
    assert pairs.rowCount()
    pairs.modelReset.connect(lambda: counts.append(pairs.rowCount()))
    pairs.layoutChanged.connect(lambda: counts.append(pairs.rowCount()))
    assert search(searched, qtbot, "one oak stood") == {"one.txt"}
    searched.presenter._show(
        replace(
            searched.presenter.current.result,
            names=DocumentNames(searched.presenter.current.result.documents),
        )
    )
    assert pairs.rowCount()
    assert search(searched, qtbot, "one oak stood") == {"one.txt"}
    assert not searched.presenter.current.result.names.in_texts.list_before
    assert counts
    assert all(counts)


def test_a_search_that_fails_says_so_and_leaves_what_names_have(searched, qtbot, monkeypatch):
    search(searched, qtbot, "stood apart")
    monkeypatch.setattr(search_session, "search_texts", Mock(side_effect=MemoryError))
    assert search(searched, qtbot, "one oak stood") == set()
    assert searched.presenter.pairs.rowCount() == 0
    assert gettext(NO_MEMORY) in searched.message_bar._text.text()


def test_all_pairs_of_a_document_are_no_pairs_whose_texts_have_its_name(window, tmp_path, qtbot):
    texts = {"a.txt": TREES, "b.txt": TREES + OAK, "c.txt": SHIPS + "a.txt", "d.txt": SHIPS}
    scan(window, qtbot, folder_with(tmp_path / "essays", texts))
    window.pages.pairs.table.document_wanted.emit("a.txt")
    assert search(window, qtbot, "a.txt") == {"a.txt"}


def test_a_longer_phrase_is_looked_for_where_its_beginning_is(searched, qtbot):
    assert search(searched, qtbot, "stood") == {"one.txt"}
    result = searched.presenter.current.result
    before = result.names.in_texts.documents
    assert result.names.containing("stood apart").tolist() == before.tolist()  # until it is known
    for among in (before, ~before):
        assert (search_texts(result.scan, "stood apart", among) == before & among).all()


def test_the_pair_shows_the_first_place_of_what_is_looked_for(searched, qtbot):
    search(searched, qtbot, "stood apart")
    pane = searched.compare_pane
    searched.pages.pairs.table.select_row(0)
    qtbot.waitUntil(lambda: pane.find_bar._count.text() == "1 of 1")
    assert sum(len(text._marks.matches) for text in pane.view.panes) == 1

    searched.search_field.clear()
    assert sum(len(text._marks.matches) for text in pane.view.panes) == 0


def test_texts_whose_files_are_gone_are_searched_in_the_review(searched, tmp_path, qtbot):
    path = tmp_path / "saved.neardup"
    qtbot.until(searched.presenter.review.saved, searched.presenter.save_review, path)
    shutil.rmtree(tmp_path / "essays")
    qtbot.until(searched.presenter.listed, searched.presenter.open_review, path)
    assert search(searched, qtbot, "中文") == {"three.txt"}


def test_versions_of_one_document_are_asked_about_once(window, tmp_path, qtbot):
    texts = {f"lease v{n}.txt": TREES + f"Clause {n}. " * n for n in (1, 2, 3)}
    assert scan(window, qtbot, folder_with(tmp_path / "lease", texts)) == [Offer.SHOW_DIFFERENCES]
    window.message_bar.answers.clicked.emit(Offer.SHOW_DIFFERENCES)
    assert window.compare_pane.view._differences
    assert scan(window, qtbot) == []

    texts = {"plan v1.txt": TREES, "plan v2.txt": SHIPS, "plan v3.txt": OAK * 30}  # by name only
    assert scan(window, qtbot, folder_with(tmp_path / "plan", texts)) == []


@pytest.mark.parametrize("is_answered", [True, False])
def test_the_next_question_follows_the_first(window, tmp_path, qtbot, is_answered):
    texts = {f"lease v{n}.txt": TREES + f"Clause {n}. " * n for n in (1, 2, 3)}
    folder_with(tmp_path / "2024", texts)
    folder = folder_with(tmp_path / "2025", texts)
    assert scan(window, qtbot, folder) == [Offer.SHOW_DIFFERENCES]
    bar = window.message_bar
    bar.answers.links[0].click() if is_answered else bar._close.click()
    assert bar.answers._targets == [Offer.USE_EARLIER]
    assert bar.isVisible()
    bar._close.click()
    assert not bar.isVisible()


def test_a_question_waits_while_documents_are_missing(window, tmp_path, qtbot):
    names = [f"{who}_assignsubmission_file_{n}.txt" for who in ("Ada_1", "Sam_2") for n in "ab"]
    folder = folder_with(tmp_path / "essays", {name: TREES + name for name in names})
    assert scan(window, qtbot, folder) == [Offer.JOIN_SUBMISSIONS]
    (folder / names[0]).rename(tmp_path / "lost.txt")
    assert scan(window, qtbot) == []
    window.message_bar._close.click()
    (tmp_path / "lost.txt").rename(folder / names[0])
    assert scan(window, qtbot) == [Offer.JOIN_SUBMISSIONS]


@pytest.mark.parametrize("opened", ["", "2025"])
def test_an_earlier_year_becomes_a_reference(window, tmp_path, qtbot, opened):
    for year in ("2024", "2025"):
        folder_with(tmp_path / "essays" / year, {"a.txt": TREES, "b.txt": TREES + year})
    assert scan(window, qtbot, tmp_path / "essays" / opened) == [Offer.USE_EARLIER]

    after(window, qtbot, lambda: window.message_bar.answers.clicked.emit(Offer.USE_EARLIER))
    assert [str(role) for role in window.presenter.current.roles] == ["to review", "reference"]
    assert window.presenter.current.folders[1].name == "2024"
    assert window.presenter.pairs.pair_count == 5  # the two of 2024 are not compared


@pytest.mark.parametrize("name", ["essay 2024 student{}.txt", "student{} 2024/essay.txt"])
def test_looking_for_earlier_years_takes_few_steps_in_large_folders(tmp_path, name, monkeypatch):
    paths = [str(tmp_path / name.format(number)) for number in range(200)]
    calls = []
    monkeypatch.setattr(
        scans, "earlier_years", lambda *names: calls.append(names) or earlier_years(*names)
    )
    assert scans._earlier_years([tmp_path], paths) == ()
    assert len(calls) <= 2
