"""The tab of the documents: sorted, filtered, read by themselves, and from there pair by pair."""

import random

import numpy as np
import pytest
from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtTest import QAbstractItemModelTester

from core.scan.judgements import Verdict
from core.settings import ScanSettings
from neardup_gui.models.documents.columns import DocumentColumn
from neardup_gui.models.documents.listed import DocumentList
from neardup_gui.models.documents.table import DocumentsModel

ASCENDING, DESCENDING = Qt.SortOrder.AscendingOrder, Qt.SortOrder.DescendingOrder


def words(rng, count):
    return " ".join(
        "".join(rng.choices("abcdefghijklmnop", k=rng.randint(3, 9))) for _ in range(count)
    )


@pytest.fixture
def folder(tmp_path):
    """One essay of which two parts stand in others, one of them by the name of an attack."""
    rng = random.Random(1)
    folder = tmp_path / "essays"
    folder.mkdir()
    one, two = words(rng, 60), words(rng, 60)
    texts = {
        "own.txt": f"{words(rng, 30)} {one} {words(rng, 90)} {two} {words(rng, 30)}",
        "a & <b>.txt": f"{one} {words(rng, 60)}",
        "both.txt": f"{two} {words(rng, 40)} {one}",
        "中文.txt": "".join(chr(rng.randrange(0x4E00, 0x9000)) for _ in range(90)),
        "other.txt": words(rng, 500),
    }
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def scanned(window, folder, qtbot):
    with qtbot.waitSignal(window.presenter.ended):
        window.presenter.open_folders([folder])
    return window


@pytest.fixture
def table(scanned, qtbot):
    scanned.pages.tabs.setCurrentWidget(scanned.pages.documents)
    table = scanned.pages.documents.table
    table.setFocus()
    qtbot.waitUntil(lambda: table.current_row == 0)
    return table


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


def test_nothing_is_counted_before_the_tab_is_opened(scanned, qtbot):
    assert scanned.pages.tabs.title_of(scanned.pages.documents) == "Documents 5"
    assert scanned.presenter.documents.model.total == 0


def test_documents_are_listed_with_their_numbers(table):
    model = table._documents
    assert shown(model) == ["a & <b>.txt", "both.txt", "other.txt", "own.txt", "中文.txt"]
    assert shown(model, DocumentColumn.WORDS) == ["120", "160", "500", "270", "90"]
    assert shown(model, DocumentColumn.PAIRS) == ["2", "2", "0", "2", "0"]
    assert shown(model, DocumentColumn.HIGHEST)[2] == ""
    assert table.isColumnHidden(DocumentColumn.SET_ASIDE)
    assert table.isColumnHidden(DocumentColumn.ROLE)
    table.sortByColumn(DocumentColumn.WORDS, DESCENDING)
    assert shown(model)[:2] == ["other.txt", "own.txt"]


def test_the_search_field_filters(scanned, table):
    scanned.search_field.setText("O")
    assert shown(table._documents) == ["both.txt", "other.txt", "own.txt"]
    scanned.search_field.setText("nothing like this")
    assert shown(table._documents) == []
    scanned.pages.documents.filter_cleared.emit()
    assert len(shown(table._documents)) == 5


def test_a_document_is_read_with_its_parts(scanned, view, folder):
    assert view._sentence.text() == "44% of its words stand in 2 other documents."
    assert scanned.compare_pane.shows_document
    assert view.pane.accessibleName() == "Text of own.txt"
    own = (folder / "own.txt").read_text()
    side = view._reading.side
    assert [mark.badge for mark in view._reading.marks] == ["2", "1"]
    marked = [side.text.source_span(*extent) for extent in side.extents]
    assert all(own[start:end].count(" ") == 59 for start, end in marked)
    assert view.holders._caption.text() == "This part stands in 2 other documents"
    names = [one.name for one in view.holders._model.holders]
    assert names == ["both.txt", "a & <b>.txt"]


def test_keys_lead_from_part_to_part_to_a_pair_and_back(scanned, view, table, qtbot):
    qtbot.keyClick(table, Qt.Key.Key_Return)
    assert view.pane.hasFocus()
    view.next_passage()
    assert view._current == 1
    assert [one.name for one in view.holders._model.holders] == ["both.txt"]
    view.previous_passage()
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


def test_beside_the_parts_everybody_is_listed(view):
    view.pane.place_cursor(view._reading.side.text.length)
    assert view.holders._caption.text() == "Shared with 2 documents, all parts together"


def test_a_document_like_no_other_says_so(scanned, table, qtbot):
    view = scanned.compare_pane.document
    select(table, "中文.txt")
    qtbot.waitUntil(lambda: view._sentence.text() == "No other document shares a passage with it.")
    assert view.holders._caption.isHidden()


def test_the_pairs_have_their_texts_again_in_their_tab(scanned, view, qtbot):
    scanned.pages.tabs.setCurrentWidget(scanned.pages.pairs)
    assert not scanned.compare_pane.shows_document
    scanned.pages.tabs.setCurrentWidget(scanned.pages.documents)
    assert scanned.compare_pane.shows_document
    assert view._reading is not None


def test_opening_the_tab_leads_to_its_rows_and_not_into_the_text(scanned, view, table, qtbot):
    scanned.pages.tabs.setCurrentWidget(scanned.pages.pairs)
    view.pane.setFocus()  # it keeps that in mind, though it is hidden
    scanned.pages.pairs.table.setFocus()
    scanned.pages.tabs.setCurrentWidget(scanned.pages.documents)
    assert table.hasFocus()


def test_another_folder_forgets_the_document(scanned, view, tmp_path, qtbot):
    other = tmp_path / "other"
    other.mkdir()
    (other / "x.txt").write_text("Some words.")
    with qtbot.waitSignal(scanned.presenter.ended):
        scanned.presenter.open_folders([other])
    assert view._reading is None
    assert scanned.presenter.documents.model.total == 0


def test_a_rescan_reads_the_document_again(scanned, view, folder, qtbot):
    (folder / "new.txt").write_text((folder / "both.txt").read_text() + " more")
    with qtbot.waitSignal(scanned.presenter.ended):
        scanned.presenter.rescan()
    qtbot.waitUntil(lambda: view._sentence.text().endswith("3 other documents."))
    table = scanned.pages.documents.table
    assert table._documents.name_at(table.current_row) == "own.txt"


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


@pytest.mark.parametrize("column", [one for one in DocumentColumn if one.words.attribute])
@pytest.mark.parametrize("order", [ASCENDING, DESCENDING])
def test_sorting_keeps_equal_ones_in_the_order_of_their_names(qapp, many, column, order):
    model = DocumentsModel()
    model.set_documents(many)
    kept = QPersistentModelIndex(model.index(777, 0))
    model.sort(column, order)
    sign = 1 if order == ASCENDING else -1
    keys = many.numbers[column.words.attribute]
    expected = sorted(range(len(keys)), key=lambda number: (sign * int(keys[number]), number))
    assert [model.number_at(row) for row in range(model.rowCount())] == expected
    assert model.number_at(kept.row()) == 777


def test_the_model_keeps_qts_rules(table, qtbot):
    model = table._documents
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    listed = model.listed
    model.sort(DocumentColumn.PAIRS, DESCENDING)
    model.set_filter("o")
    model.clear()
    model.set_documents(listed)
    model.set_filter("")
    assert model.rowCount(QModelIndex()) == 5
    del tester


def test_a_key_judges_the_pair_that_is_read_or_that_of_the_holder(scanned, view, table, qtbot):
    presenter = scanned.presenter

    def judged():
        pairs, names = presenter.current.result.pairs, presenter.current.result.names.shown
        rows = np.flatnonzero(presenter.pairs.verdicts.verdict)
        return {frozenset((names[pairs.a[row]], names[pairs.b[row]])) for row in rows}

    table.setFocus()
    scanned._judging.judge(Verdict.CONFIRMED)
    assert judged() == set()
    view.holders.rows.setFocus()
    scanned._judging.judge(Verdict.CONFIRMED)
    assert judged() == {frozenset(("own.txt", "both.txt"))}
    qtbot.keyClick(view.holders.rows, Qt.Key.Key_Return)
    qtbot.waitUntil(scanned.compare_pane.view.panes[0].hasFocus)
    scanned._judging.judge(Verdict.SUSPICIOUS)
    assert frozenset(("own.txt", "a & <b>.txt")) in judged()
    assert len(presenter.current.log) == 2
