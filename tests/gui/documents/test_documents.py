"""The tab of the documents: sorted, filtered, read by themselves, and from there pair by pair."""

import random
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QItemSelectionModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QMenu

from core.base.wording import LANGUAGE_NAMES, UNKNOWN
from core.scan.judgements import Verdict
from core.settings import ScanSettings
from neardup_gui.jobs.tasks import TaskKind
from neardup_gui.models.documents import (
    DocumentColumn,
    DocumentList,
    DocumentsModel,
    language_choice,
    with_languages,
)
from neardup_gui.models.pairs.columns import Role
from neardup_gui.models.reports import ReportWish
from neardup_gui.presenter import document_session
from neardup_gui.window.actions import Action
from tests.engine.scan.test_properties import word_file
from tests.gui.everywhere.walking import after, tab_title, table_in_front
from tests.texts import folder_with, words

TOOL_TIP = Qt.ItemDataRole.ToolTipRole
ASCENDING, DESCENDING = Qt.SortOrder.AscendingOrder, Qt.SortOrder.DescendingOrder


@pytest.fixture
def folder(tmp_path):
    """One essay of which two parts stand in others, one of them by the name of an attack."""
    rng = random.Random(1)
    first, second = words(rng, 60), words(rng, 60)
    return folder_with(
        tmp_path / "essays",
        {
            "own.txt": f"{words(rng, 30)} {first} {words(rng, 90)} {second} {words(rng, 30)}",
            "a & <b>.txt": f"{first} {words(rng, 60)}",
            "both.txt": f"{second} {words(rng, 40)} {first}",
            "中文.txt": "".join(chr(rng.randrange(0x4E00, 0x9000)) for _ in range(90)),
            "other.txt": words(rng, 500),
        },
    )


@pytest.fixture
def scanned(window, folder, qtbot):
    after(window, qtbot, lambda: window.presenter.open_folders([folder]))
    return window


@pytest.fixture
def table(scanned, qtbot):
    table = table_in_front(scanned, scanned.pages.documents, qtbot)
    table.setFocus()
    return table


ENGLISH = "The council decided that the old bridge is not torn down but open for those who walk. "
GERMAN = "Der Rat hat beschlossen, dass die alte Brücke nicht abgerissen wird, sondern für alle "


@pytest.fixture
def speaking(window, tmp_path, qtbot):
    """The table of a folder of documents in several languages."""
    folder = folder_with(
        tmp_path / "speaking",
        {"a.txt": ENGLISH * 3, "b.txt": ENGLISH * 2, "c.txt": GERMAN, "d.txt": "Ab 1 2 3 " * 9},
    )
    after(window, qtbot, lambda: window.presenter.open_folders([folder]))
    table = table_in_front(window, window.pages.documents, qtbot)
    table.sortByColumn(DocumentColumn.NAME, ASCENDING)
    return table


def languages(table):
    return shown(table._documents, DocumentColumn.LANGUAGE)


def choose_language(table, rows, *path):
    """Choose in the menu of some rows, by the words of its entries."""
    table.clearSelection()
    for row in rows:
        index = table.model().index(row, 0)
        flags = QItemSelectionModel.SelectionFlag
        table.selectionModel().select(index, flags.Select | flags.Rows)
    top = table.make_menu()
    menu = next(menu for menu in top.findChildren(QMenu) if menu.title().startswith(path[-2]))
    actions = menu.actions()
    next(action for action in actions if action.text().startswith(path[-1])).trigger()
    top.deleteLater()


def offered(table):
    top = table.make_menu()
    menu = next(menu for menu in top.findChildren(QMenu) if menu.title().startswith("Language"))
    actions = menu.actions()
    texts = [action.text() for action in actions if not action.isSeparator()]
    checked = [action.text() for action in actions if action.isChecked()]
    top.deleteLater()
    return menu.title(), texts, checked


def shown(model, column=DocumentColumn.NAME):
    return [model.index(row, column).data() for row in range(model.rowCount())]


def select(table, name):
    table.select_row(shown(table._documents).index(name))


@pytest.fixture
def view(scanned, table, qtbot):
    """The view of own.txt, compared with all others."""
    view = scanned.compare_pane.document
    select(table, "own.txt")
    qtbot.waitUntil(lambda: view._sentence.text().startswith("44% of its words"))
    return view


def test_documents_are_listed_with_their_numbers_once_their_tab_is_opened(scanned, qtbot, request):
    assert tab_title(scanned, scanned.pages.documents) == "Documents 5"
    assert scanned.presenter.documents.model.total == 0

    table = request.getfixturevalue("table")
    model = table._documents
    every = ["both.txt", "a & <b>.txt", "own.txt", "other.txt", "中文.txt"]
    assert shown(model) == every
    assert model.index(0, 0).data(Role.ALIKE) == model.listed.names.alike
    assert shown(model, DocumentColumn.ELSEWHERE) == ["75%", "50%", "44%", "0%", "0%"]
    assert shown(model, DocumentColumn.HIGHEST) == ["75%", "50%", "44%", "", ""]
    assert shown(model, DocumentColumn.WORDS) == ["160", "120", "270", "500", "90"]
    assert shown(model, DocumentColumn.PAIRS) == ["2", "2", "2", "0", "0"]
    assert table.isColumnHidden(DocumentColumn.SET_ASIDE)
    assert table.isColumnHidden(DocumentColumn.ROLE)

    scanned.search_field.setText("O")
    assert shown(model) == ["both.txt", "own.txt", "other.txt"]
    scanned.search_field.setText("nothing like this")
    assert shown(model) == []
    scanned.pages.documents.filter_cleared.emit()
    assert len(shown(model)) == 5

    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    listed = model.listed
    table.sortByColumn(DocumentColumn.WORDS, DESCENDING)
    assert shown(model)[:2] == ["other.txt", "own.txt"]
    model.set_filter("o")
    model.clear()
    model.set_documents(listed)
    model.set_filter("")
    assert model.rowCount(QModelIndex()) == 5
    del tester


def test_of_large_folders_shares_are_estimates_until_a_document_is_read(
    scanned, monkeypatch, qtbot
):
    monkeypatch.setattr(document_session, "COMPARED_AT_ONCE", 0)
    table = table_in_front(scanned, scanned.pages.documents, qtbot)
    names, model = shown(table._documents), table._documents
    assert shown(model, DocumentColumn.ELSEWHERE)[names.index("both.txt")].startswith("≈ ")

    select(table, "own.txt")

    row = names.index("own.txt")
    qtbot.waitUntil(lambda: shown(model, DocumentColumn.ELSEWHERE)[row] == "44%")
    assert shown(model) == names


def test_others_are_in_the_order_of_the_shares_beside_them(view):
    for step in (0.1, -0.1):
        shares = {number: 0.5 + step * at for at, number in enumerate(view._reading.shares)}
        shown_shares = [other.share for other in replace(view._reading, shares=shares).everyone()]
        assert len(shown_shares) == 2
        assert shown_shares == sorted(shown_shares, reverse=True)


def test_a_document_is_read_with_its_parts(scanned, view, table, folder, tmp_path, qtbot):
    pane, tabs, pages = scanned.compare_pane, scanned.pages.tabs, scanned.pages
    assert view._sentence.text() == "44% of its words also occur in 2 other documents."
    row = shown(table._documents).index("own.txt")
    assert shown(table._documents, DocumentColumn.ELSEWHERE)[row] == "44%"
    assert pane.shows_document
    assert view.pane.accessibleName() == "Text of own.txt"
    text = (folder / "own.txt").read_text()
    side = view._reading.side
    assert [mark.badge for mark in view._reading.marks] == ["2", "1"]
    marked = [side.text.source_span(*extent) for extent in side.extents]
    assert all(text[start:end].count(" ") == 59 for start, end in marked)
    assert view.holders._caption.text() == "This part also occurs in 2 other documents"
    names = [holder.name for holder in view.holders._model.shown()]
    assert names == ["both.txt", "a & <b>.txt"]
    assert view.holders._model.index(0, 0).data(Role.ALIKE) == view._reading.names.alike
    view.pane.place_cursor(side.text.length)  # beside the parts
    assert view.holders._caption.text() == "Shared with 2 documents in all"

    # The pairs have their texts again in their tab; this one leads to its rows, not into the text.
    tabs.setCurrentWidget(pages.pairs)
    assert not pane.shows_document
    view.pane.setFocus()  # it keeps that in mind, though it is hidden
    pages.pairs.table.setFocus()
    tabs.setCurrentWidget(pages.documents)
    assert pane.shows_document
    assert view._reading is not None
    assert table.hasFocus()

    select(table, "中文.txt")
    none = "No other document shares a longer stretch of it word for word."
    qtbot.waitUntil(lambda: view._sentence.text() == none)
    assert view.holders._caption.isHidden()

    second_folder = folder_with(tmp_path / "other", {"x.txt": "Some words."})
    after(scanned, qtbot, lambda: scanned.presenter.open_folders([second_folder]))
    assert view._reading is None
    assert scanned.presenter.documents.model.total == 0


def test_keys_lead_from_part_to_part_to_a_pair_and_back(scanned, view, table, qtbot):
    qtbot.keyClick(table, Qt.Key.Key_Return)
    assert view.pane.hasFocus()
    view.step_passage(1)
    assert view._current == 1
    assert [holder.name for holder in view.holders._model.shown()] == ["both.txt"]
    view.step_passage(-1)
    assert view._current == 0
    qtbot.keyClick(view.pane, Qt.Key.Key_Return)
    assert view.holders.rows.hasFocus()
    qtbot.keyClick(view.holders.rows, Qt.Key.Key_Down)
    qtbot.keyClick(view.holders.rows, Qt.Key.Key_Return)
    texts = scanned.compare_pane.view.panes
    names = {"Text A: a & <b>.txt", "Text B: own.txt"}
    qtbot.waitUntil(lambda: {pane.accessibleName() for pane in texts} == names)
    assert not scanned.compare_pane.shows_document
    pane = scanned.compare_pane.view.panes[0]
    qtbot.waitUntil(pane.hasFocus)
    qtbot.keyClick(pane, Qt.Key.Key_Escape)
    assert scanned.compare_pane.shows_document
    assert view.holders.rows.hasFocus()
    qtbot.keyClick(view.holders.rows, Qt.Key.Key_Escape)
    assert view.pane.hasFocus()
    qtbot.keyClick(view.pane, Qt.Key.Key_Escape)
    assert table.hasFocus()


def test_a_rescan_reads_the_document_again(scanned, view, folder, qtbot):
    (folder / "new.txt").write_text((folder / "both.txt").read_text() + " more")
    qtbot.until(scanned.presenter.ended, scanned.presenter.rescan)
    qtbot.waitUntil(lambda: view._sentence.text().endswith("3 other documents."))
    table = scanned.pages.documents.table
    assert table._documents.name_at(table.current_row) == "own.txt"


def test_the_language_of_each_document_is_listed_and_any_can_be_chosen(speaking, qtbot):
    model = speaking._documents
    assert languages(speaking) == ["English", "English", "German", ""]
    assert not speaking.isColumnHidden(DocumentColumn.LANGUAGE)
    tips = [model.index(row, DocumentColumn.LANGUAGE).data(TOOL_TIP) for row in (2, 3)]
    assert "appears to be in German" in tips[0]
    assert "could not be detected" in tips[1]

    choose_language(speaking, [3], "Romanian", "Swedish")
    qtbot.waitUntil(lambda: languages(speaking)[3] == "Swedish")
    choose_language(speaking, [0], "Language", "Unknown")
    qtbot.waitUntil(lambda: languages(speaking)[0] == "")
    model.sort(DocumentColumn.LANGUAGE, DESCENDING)
    assert languages(speaking) == ["Swedish", "German", "English", ""]


def test_a_language_is_corrected_undone_and_kept_by_a_rescan(window, speaking, tmp_path, qtbot):
    assert offered(speaking) == (
        "Language: English",
        ["English", "German", "Unknown", "Another language"],
        ["English"],
    )

    choose_language(speaking, [1, 3], "Language", "German")
    qtbot.waitUntil(lambda: languages(speaking) == ["English", "German", "German", "German"])
    speaking.select_row(3)
    assert offered(speaking)[1][-1] == "Detected: Unknown"
    tip = speaking._documents.index(3, DocumentColumn.LANGUAGE).data(TOOL_TIP)
    assert "German, set manually." in tip

    window.presenter.decisions.undo()
    qtbot.waitUntil(lambda: languages(speaking) == ["English", "English", "German", ""])
    window.presenter.decisions.redo()
    qtbot.waitUntil(lambda: languages(speaking) == ["English", "German", "German", "German"])

    (tmp_path / "speaking" / "d.txt").rename(tmp_path / "speaking" / "0.txt")
    after(window, qtbot, window.presenter.rescan)
    qtbot.waitUntil(lambda: shown(speaking._documents)[0] == "0.txt")
    assert languages(speaking) == ["German", "English", "German", "German"]

    choose_language(speaking, [0, 2], "Language", "As detected")
    qtbot.waitUntil(lambda: languages(speaking) == ["", "English", "English", "German"])


def test_the_open_pair_is_laid_out_again_in_the_chosen_language(window, speaking, qtbot):
    pair = window.presenter.pair
    window.presenter.open_pair(window.presenter.pairs.key_at(0))
    qtbot.waitUntil(lambda: pair.opened_pair is not None)
    assert pair.opened_pair.languages == ("en", "en")

    choose_language(speaking, [3], "Language", "German")  # it is in no pair
    assert pair.opened_pair.languages == ("en", "en")
    qtbot.until(pair.compared, choose_language, speaking, [1], "Language", "German")
    assert pair.opened_pair.languages == ("en", "de")
    qtbot.until(pair.compared, window.presenter.decisions.undo)
    assert pair.opened_pair.languages == ("en", "en")


def test_every_language_is_in_one_part_of_the_menu():
    listed = with_languages(DocumentList([FakeDocument("a")]), [UNKNOWN], [UNKNOWN])
    choice = language_choice(listed, [0])
    codes = [language.code for _, part in choice.all for language in part]
    assert sorted(codes) == sorted(LANGUAGE_NAMES)
    assert choice.title == "Language: Unknown"
    assert choice.detected is None


def test_where_no_language_is_known_none_is_shown(window, tmp_path, qtbot):
    folder = folder_with(tmp_path / "lists", {"list.txt": "Ab 1 2 3 " * 9})
    after(window, qtbot, lambda: window.presenter.open_folders([folder]))
    table = table_in_front(window, window.pages.documents, qtbot)
    assert table.isColumnHidden(DocumentColumn.LANGUAGE)


@pytest.fixture
def many():
    """50,000 documents with numbers."""
    chance = np.random.default_rng(1)
    names = [f"n{number:05}" for number in range(50_000)]
    documents = [FakeDocument(name) for name in names]
    numbers = {
        column.words.attribute: chance.integers(0, 500, len(names))
        for column in DocumentColumn
        if column.words.attribute
    }
    return DocumentList(documents, FakeNames(names), ScanSettings(), numbers)


class FakeDocument:
    def __init__(self, name):
        self.name, self.remarks, self.role = name, (), "to review"


class FakeNames:
    def __init__(self, names):
        self.shown, self.marks, self.paths = names, {}, names

    def containing(self, text):
        return np.array([text in name for name in self.shown])


@pytest.mark.parametrize("column", [column for column in DocumentColumn if column.words.attribute])
@pytest.mark.parametrize("order", [ASCENDING, DESCENDING])
def test_sorting_keeps_equal_ones_in_the_order_of_their_names(qapp, many, column, order):
    model = DocumentsModel()
    model.set_documents(many)
    model.sort(DocumentColumn.NAME)
    kept = QPersistentModelIndex(model.index(777, 0))
    model.sort(column, order)
    sign = 1 if order == ASCENDING else -1
    keys = many.numbers[column.words.attribute]
    after = many.numbers["role"] * (column is DocumentColumn.ELSEWHERE) > 0

    def key_of(number):
        return after[number], sign * int(keys[number]), number

    expected = sorted(range(len(keys)), key=key_of)
    assert [model.number_at(row) for row in range(model.rowCount())] == expected
    assert model.number_at(kept.row()) == 777


def test_columns_show_the_properties_of_files(window, tmp_path, qtbot):
    folder = folder_with(tmp_path / "essays", {"plain.txt": ENGLISH})
    for name, author, minutes, created in (
        ("a", "Bo", 9, "2025-03-01T06:00:01Z"),
        ("b", "ada", 610, "2025-03-01T10:00:01+05:30"),
        ("c", "Cy", -1, ""),
    ):
        app = f"<TotalTime>{minutes}</TotalTime>"
        values = {"lastModifiedBy": author, "created": created}
        (folder / f"{name}.docx").write_bytes(word_file(ENGLISH * 3, [], app=app, **values))
    after(window, qtbot, lambda: window.presenter.open_folders([folder]))
    qtbot.waitUntil(lambda: window.presenter.current.result.scan.file_properties is not None)
    window.pages.tabs.setCurrentWidget(window.pages.documents)
    table = window.pages.documents.table
    column = DocumentColumn.SAVED_BY
    qtbot.waitUntil(lambda: "ada" in shown(table._documents, column))

    table.sortByColumn(column, ASCENDING)
    assert shown(table._documents, column) == ["", "ada", "Bo", "Cy"]
    assert shown(table._documents, DocumentColumn.MINUTES) == [
        "",
        "610",
        "9",
        "-1 (cannot be true)",
    ]
    table.sortByColumn(DocumentColumn.MINUTES, DESCENDING)
    assert shown(table._documents, DocumentColumn.MINUTES)[:2] == ["610", "9"]
    table.sortByColumn(DocumentColumn.CREATED, DESCENDING)
    assert shown(table._documents, column)[:2] == ["Bo", "ada"]
    assert not table.isColumnHidden(column)

    # What a report reads for itself stays there.
    presenter, report = window.presenter, tmp_path / "report.json"
    window._actions[Action.READ_PROPERTIES].setChecked(False)
    qtbot.waitUntil(lambda: not any(shown(table._documents, column)))
    with qtbot.waitSignal(presenter.exports.ended):
        presenter.exports.save(report, ReportWish(file_properties=True))
    assert '"ada"' in report.read_text("utf-8")
    assert presenter.current.file_properties is None
    presenter.documents.take()
    qtbot.waitUntil(lambda: not presenter.tasks.is_busy(TaskKind.COUNT))
    assert not any(shown(table._documents, column))


def test_a_key_judges_the_pair_that_is_read_or_that_of_the_holder(scanned, view, table, qtbot):
    presenter = scanned.presenter

    def judged():
        pairs, names = presenter.current.result.pairs, presenter.current.result.names.shown
        rows = np.flatnonzero(presenter.pairs.verdicts.verdict)
        return {frozenset((names[pairs.a[row]], names[pairs.b[row]])) for row in rows}

    confirm, note = (scanned._actions[name] for name in (Action.CONFIRM, Action.NOTE))
    table.setFocus()
    assert not confirm.isEnabled()
    assert not note.isEnabled()
    scanned.judging.judge(Verdict.CONFIRMED)
    assert judged() == set()
    view.holders.rows.setFocus()
    view.holders.rows.forget_selection()
    assert not confirm.isEnabled()
    view.holders.rows.select_row(0)
    scanned.menuBar().setFocus()
    assert confirm.isEnabled()
    assert note.isEnabled()
    confirm.trigger()
    assert judged() == {frozenset(("own.txt", "both.txt"))}
    qtbot.keyClick(view.holders.rows, Qt.Key.Key_Return)
    qtbot.waitUntil(scanned.compare_pane.view.panes[0].hasFocus)
    qtbot.waitUntil(scanned._actions[Action.SUSPECT].isEnabled)
    scanned._actions[Action.SUSPECT].trigger()
    assert frozenset(("own.txt", "a & <b>.txt")) in judged()
    assert len(presenter.current.log) == 2
    presenter.pair.forget()
    assert not confirm.isEnabled()
