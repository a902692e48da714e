"""The tab of the groups: rows, opened and closed, followed, filtered, read pair by pair."""

import random

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QAbstractItemModelTester

from core.documents.properties import SESSIONS
from core.scan.file_order import FileOrder, Indication, order_trees
from core.scan.judgements import Judgements, Verdict
from neardup_gui.models.groups import (
    DrawnEdge,
    GroupColumn,
    GroupRole,
    OrderDrawing,
    RowKind,
    group_list,
    order_drawing,
)
from neardup_gui.models.pairs.columns import Role
from neardup_gui.views.order_tree import OrderTreeView
from tests.engine.scan.test_properties import word_file
from tests.gui.documents.test_documents import words
from tests.gui.everywhere.walking import tab_title, table_in_front

LEFT_BUTTON = Qt.MouseButton.LeftButton


@pytest.fixture
def folder(tmp_path):
    """A group of 15, one of three texts with copies of two of them, and a loner."""
    rng = random.Random(1)
    folder = tmp_path / "essays"
    folder.mkdir()
    large, small, centre = words(rng, 200), words(rng, 150), words(rng, 30)
    for number in range(15):
        (folder / f"large {number:02}.txt").write_text(f"{large} {words(rng, 5 * number)}")
    for name in ("mid & <b>", "mid copy 1", "mid copy 2"):
        (folder / f"{name}.txt").write_text(f"{small} {centre}")
    for name in ("near", "near copy"):
        (folder / f"{name}.txt").write_text(f"{small} {' '.join(centre.split()[:20])}")
    (folder / "weak.txt").write_text(f"{' '.join(small.split()[:90])} {centre}")
    (folder / "alone.txt").write_text(words(rng, 100))
    return folder


@pytest.fixture
def scanned(window, folder, qtbot):
    with qtbot.waitSignals([window.presenter.ended, window.presenter.groups.grouped]):
        window.presenter.open_folders([folder])
    qtbot.waitUntil(lambda: window.presenter.groups.model.total == 2)
    return window


@pytest.fixture
def model(scanned):
    return scanned.presenter.groups.model


@pytest.fixture
def table(scanned, qtbot):
    table = table_in_front(scanned, scanned.pages.groups, qtbot)
    table.setFocus()
    return table


def shown(model, column=GroupColumn.DOCUMENT):
    return [model.index(row, column).data() for row in range(model.rowCount())]


def read_names(window):
    return {pane.accessibleName()[8:] for pane in window.compare_pane.view.panes}


def kinds(model):
    return [model.row_at(row).kind for row in range(model.rowCount())]


def test_large_groups_are_closed_and_copies_folded(scanned, model):
    assert tab_title(scanned, scanned.pages.groups) == "Groups 2"
    assert kinds(model) == [
        RowKind.GROUP, RowKind.GROUP, RowKind.FOLD, RowKind.MEMBER, RowKind.FOLD, RowKind.MEMBER
    ]  # fmt: skip
    assert shown(model)[1:] == [
        "mid & <b>.txt", "and 2 exact copies", "near copy.txt", "and 1 exact copy", "weak.txt"
    ]  # fmt: skip
    assert shown(model, GroupColumn.OVERLAP)[:2] == ["15 documents", "6 documents"]
    assert shown(model, GroupColumn.JUDGED) == ["0 of 105", "0 of 15", "", "", "", ""]
    description = model.index(0, GroupColumn.DOCUMENT).data(int(Qt.ItemDataRole.AccessibleTextRole))
    assert description.startswith("group 1, centre, large")
    assert description.endswith(", closed")
    assert model.index(2, GroupColumn.DOCUMENT).data(int(GroupRole.OPEN)) is False
    assert model.index(0, GroupColumn.DOCUMENT).data(Role.ALIKE) == model.listed.names.alike

    # What is counted of a group are the pairs within.
    result = scanned.presenter.current.result
    for row, group in enumerate(model.listed.groups):
        within = set(group.documents)
        pairs = [
            number
            for number, both in enumerate(zip(result.pairs.a, result.pairs.b, strict=True))
            if within >= set(both)
        ]
        assert sorted(model.pairs_of(row).tolist()) == pairs
    assert group_list(result, Judgements()).groups == model.listed.groups

    scanned.search_field.setText("WEAK")
    assert shown(model) == ["mid & <b>.txt", "weak.txt"]
    scanned.search_field.setText("mid &")
    assert len(shown(model)) == 5
    scanned.search_field.setText("nowhere")
    assert model.rowCount() == 0
    scanned.pages.groups.filter_cleared.emit()
    assert model.rowCount() == 6

    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    for row in (0, 0, 2, 5, 1):
        model.turn(row)
    model.set_filter("copy")
    model.set_filter("")
    model.set_verdicts(scanned.presenter.pairs.verdicts)
    listed = model.listed
    model.clear()
    model.set_groups(listed)
    del tester


def test_keys_open_close_and_read(scanned, model, table, qtbot):
    press = lambda *keys: [qtbot.keyClick(table, key) for key in keys]  # noqa: E731
    press(Qt.Key.Key_Right)
    assert kinds(model)[:3] == [RowKind.GROUP, RowKind.MEMBER, RowKind.MEMBER]
    press(Qt.Key.Key_Down, Qt.Key.Key_Left)
    assert table.current_row == 0
    press(Qt.Key.Key_Left)
    assert model.rowCount() == 6
    press(Qt.Key.Key_End, Qt.Key.Key_Up)
    assert model.row_at(table.current_row).kind is RowKind.FOLD
    press(Qt.Key.Key_Return)
    assert shown(model)[4:] == [
        "and 1 exact copy", "near.txt", "weak.txt"
    ]  # fmt: skip
    press(Qt.Key.Key_Down)
    qtbot.waitUntil(lambda: read_names(scanned) == {"mid & <b>.txt", "near.txt"})
    press(Qt.Key.Key_Return)
    assert scanned.compare_pane.view.panes[0].hasFocus()
    qtbot.keyClick(scanned.compare_pane.view.panes[0], Qt.Key.Key_Escape)
    assert table.hasFocus()


def test_what_is_open_and_chosen_stays_over_a_rescan(scanned, model, table, folder, qtbot):
    model.turn(0)
    table.select_row(5)
    name = model.name_of(5)
    (folder / "0 first.txt").write_text("Something else that comes first by its name.")
    qtbot.until(scanned.presenter.ended, scanned.presenter.rescan)
    qtbot.waitUntil(lambda: len(model.listed.names) == 23)
    assert model.is_open(0)
    assert model.name_of(table.current_row) == name


def text(model, row, column):
    return model.index(row, column).data()


def test_rows_are_judged_with_every_pair_they_stand_for(scanned, model, table, qtbot):
    result, judgements = scanned.presenter.current.result, scanned.presenter.current
    first = [n for n, name in enumerate(result.names.shown) if name.startswith("large")]
    within = np.isin(result.pairs.a, first) & np.isin(result.pairs.b, first)

    # One verdict judges every pair of a group, and is undone as one.
    scanned.judging.judge(Verdict.CONFIRMED)
    verdicts = scanned.presenter.pairs.verdicts.verdict
    assert (verdicts > 0).tolist() == within.tolist()
    assert text(model, 0, GroupColumn.JUDGED) == "105 of 105"
    assert text(model, 0, GroupColumn.VERDICT) == "● confirmed"
    assert len(judgements.log) == 1
    assert table.current_row == 1
    scanned.presenter.decisions.undo()
    assert text(model, 0, GroupColumn.JUDGED) == "0 of 105"
    assert not scanned.presenter.pairs.verdicts.verdict.any()

    # A member is judged by its pair with the centre.
    table.select_row(5)
    scanned.judging.judge(Verdict.NOT_A_MATCH)
    assert text(model, 5, GroupColumn.VERDICT) == "○ not a match"
    # Pairs of copies have the same texts, and so the same verdict.
    assert text(model, 1, GroupColumn.JUDGED) == "3 of 15"
    assert text(model, 1, GroupColumn.VERDICT) == ""
    assert table.current_row == 0
    tip = model.index(1, GroupColumn.JUDGED).data(int(Qt.ItemDataRole.ToolTipRole))
    assert "A verdict on the group judges all 15 listed pairs in it" in tip

    table.select_row(5)
    scanned.judging.write_note()
    field = scanned.pages.groups.note_row._field
    assert field.hasFocus()
    qtbot.keyClicks(field, "Look <again>")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert text(model, 5, GroupColumn.VERDICT).endswith("✎")
    assert table.hasFocus()

    # The fold of copies stands for their pairs.
    table.select_row(4)
    scanned.judging.judge(Verdict.SUSPICIOUS)
    model.turn(4)
    assert text(model, 5, GroupColumn.VERDICT) == "◐ suspicious"


def test_a_row_is_read_and_its_group_made_around_it_and_back(scanned, model, table, qtbot):
    scanned.pages.pairs.filter_row._resemblance.setValue(1)  # which hides the pair among pairs
    table.select_row(5)
    qtbot.waitUntil(lambda: read_names(scanned) == {"mid & <b>.txt", "weak.txt"})

    centre = "Make it the centre of its group"
    table.select_row(0)
    assert centre not in [a.text() for a in table.make_menu().actions()]
    table.select_row(5)
    actions = {action.text(): action for action in table.make_menu().actions()}
    assert "Open weak.txt" in actions
    qtbot.until(scanned.presenter.groups.grouped, actions[centre].trigger)
    assert shown(model)[1] == "weak.txt"
    assert table.current_row == 1
    assert model.listed.groups[1].is_chosen
    qtbot.until(scanned.presenter.groups.grouped, scanned.presenter.decisions.undo)
    assert shown(model)[1] == "mid & <b>.txt"


def test_nothing_is_judged_in_groups_of_another_list(scanned, model, table, qtbot, monkeypatch):
    monkeypatch.setattr(scanned.presenter.groups._groups, "_latest", None)
    scanned.judging.judge(Verdict.CONFIRMED)
    assert not scanned.presenter.pairs.verdicts.verdict.any()
    assert table.current_row == 0


def test_it_says_from_which_document_another_may_have_come(window, tmp_path, qtbot):
    for name, sessions, saver, day in (
        ("first", r"\rsid47", "Ada", 4),
        ("then", r"\rsid47\rsid48", "Bo", 8),
    ):
        info = rf"{{\info{{\author Ada}}{{\operator {saver}}}{{\revtim\yr2026\mo3\dy{day}}}}}"
        info += r"{\*\generator Microsoft Word}"
        text = " ".join(f"word{number}" for number in range(190 + day))
        (tmp_path / f"{name}.rtf").write_text(rf"{{\rtf1{{\*\rsidtbl {sessions}}}{info}{text}}}")
    table, model = window.pages.groups.table, window.presenter.groups.model
    assert table.isColumnHidden(GroupColumn.ORIGIN)

    window.presenter.open_folders([tmp_path])

    qtbot.waitUntil(lambda: not table.isColumnHidden(GroupColumn.ORIGIN))
    rows = [(model.name_of(row), model.index(row, GroupColumn.ORIGIN)) for row in range(2)]
    cells = {name: (cell.data(), cell.data(Qt.ItemDataRole.ToolTipRole)) for name, cell in rows}
    assert cells["first.rtf"][0] == ""
    assert cells["then.rtf"][0] == "first.rtf"
    assert "then.rtf has all editing sessions of first.rtf, and more." in cells["then.rtf"][1]
    assert "Consistent with: then.rtf came from first.rtf." in cells["then.rtf"][1]


@pytest.fixture
def family(window, tmp_path, qtbot):
    """A group of three Word files, of which two came from the first, and one that has no order."""
    folder = tmp_path / "essays"
    folder.mkdir()
    text = words(random.Random(2), 200)
    for day, (name, sessions) in enumerate({"a": "1", "b": "12", "c": "13", "x": "9"}.items()):
        data = word_file(
            f"{text}\n{name}",
            [f"00AAAAA{session}" for session in sessions],
            app="<Application>Microsoft Office Word</Application>",
            created="2025-03-01T06:00:01Z",
            modified=f"2025-03-0{day + 2}T06:00:01Z",
        )
        (folder / f"{name}.docx").write_bytes(data)
    words_of_others = words(random.Random(3), 200)
    for name in ("y.txt", "z.txt"):
        (folder / name).write_text(f"{words_of_others} {name}")
    with qtbot.waitSignals([window.presenter.ended, window.presenter.groups.grouped]):
        window.presenter.open_folders([folder])
    qtbot.waitUntil(lambda: bool(window.presenter.groups.model.listed.trees), timeout=20_000)
    window.pages.tabs.setCurrentWidget(window.pages.groups)
    return window


def choose(window, name):
    model = window.presenter.groups.model
    window.pages.groups.table.select_row(shown(model).index(name))


def opened_order(window, name, qtbot):
    """The window with the picture, opened from the menu of a row."""
    page = window.pages.groups
    choose(window, name)
    action = next(a for a in page.table.make_menu().actions() if a.text().startswith("Which came"))
    action.trigger()
    qtbot.waitUntil(lambda: page.order is not None and page.order.isVisible())
    return page.order


def test_the_order_of_a_group_is_a_picture(family, qtbot):
    order = opened_order(family, "c.docx", qtbot)
    tree = order.tree
    model = family.presenter.groups.model
    drawing = model.drawing_at(family.pages.groups.table.current_row)
    assert [*zip(drawing.names, drawing.depths, strict=True)] == [
        ("a.docx", 0), ("b.docx", 1), ("c.docx", 1)
    ]  # fmt: skip
    assert order.words.text().endswith("Consistent with: c.docx came from a.docx.")

    qtbot.keyClick(tree, Qt.Key.Key_Up)
    assert order.words.text().endswith("Consistent with: b.docx came from a.docx.")
    assert tree.accessibleDescription() == order.words.text()
    qtbot.keyClick(tree, Qt.Key.Key_Return)
    table = family.pages.groups.table
    assert shown(model)[table.current_row] == "b.docx"


def test_the_keyboard_reaches_every_box_and_stays_there(family, qtbot):
    order = opened_order(family, "c.docx", qtbot)
    model, table = family.presenter.groups.model, family.pages.groups.table
    qtbot.keyClick(order.tree, Qt.Key.Key_Home)
    assert order.words.text() == "a.docx"
    qtbot.until(table.current_shown, qtbot.keyClick, order.tree, Qt.Key.Key_Return)
    assert shown(model)[table.current_row] == "a.docx"
    qtbot.keyClick(order.tree, Qt.Key.Key_Down)
    assert order.words.text().endswith("Consistent with: b.docx came from a.docx.")
    model.set_filter("docx")
    assert order.words.text().endswith("Consistent with: b.docx came from a.docx.")


def test_the_picture_comes_back_until_it_is_closed(family, qtbot):
    order = opened_order(family, "c.docx", qtbot)
    choose(family, "y.txt")
    qtbot.waitUntil(lambda: not order.isVisible())
    choose(family, "b.docx")
    qtbot.waitUntil(order.isVisible)
    order.close()
    qtbot.until(family.pages.groups.table.current_shown, choose, family, "c.docx")
    assert not order.isVisible()


def test_a_click_in_the_picture_says_why_and_leads_to_the_document(family, qtbot):
    order = opened_order(family, "b.docx", qtbot)
    tree, table = order.tree, family.pages.groups.table
    points = [QPoint(x, y) for y in range(0, tree.height(), 3) for x in range(0, tree.width(), 3)]
    box = next(point for point in points if tree.row_at(point.toPointF()) == 2)
    line = next(
        point for point in points
        if tree.row_at(point.toPointF()) is None and tree.edge_at(point.toPointF()) == 1
    )  # fmt: skip
    qtbot.mouseClick(tree, LEFT_BUTTON, pos=line)
    assert order.words.text().endswith("Consistent with: c.docx came from a.docx.")
    qtbot.mouseClick(tree, LEFT_BUTTON, pos=box)
    assert shown(family.presenter.groups.model)[table.current_row] == "c.docx"


def shown_picture(qtbot, drawing, document):
    tree = OrderTreeView()
    qtbot.addWidget(tree)
    tree.show_drawing(drawing, document)
    tree.resize(tree.sizeHint())
    return tree


def test_lines_that_cannot_meet_need_no_room_of_their_own(qtbot):
    def room(families):
        orders = [
            FileOrder(first + a, first + b, (Indication(SESSIONS, first + a),) * 2)
            for first in range(0, 4 * families, 4) for a in (0, 1) for b in (2, 3)
        ]  # fmt: skip
        drawing = order_drawing(order_trees(orders), "abcd" * families, repr)
        return shown_picture(qtbot, drawing, 0).width()

    assert room(20) == room(1)


def test_where_lines_run_together_the_nearest_end_counts(qtbot):
    edges = [DrawnEdge(0, row, 0, True, "") for row in (3, 1, 2)]
    tree = shown_picture(qtbot, OrderDrawing(range(4), "abcd", (0, 1, 1, 1), edges), 0)
    down = [tree.edge_at(QPointF(22, y)) for y in range(tree.height())]
    assert [edge for edge in dict.fromkeys(down) if edge is not None] == [1, 2, 0]


def test_the_picture_follows_the_list_and_goes_with_it(family, qtbot):
    order = opened_order(family, "b.docx", qtbot)
    choose(family, "c.docx")
    qtbot.waitUntil(lambda: "c.docx came from" in order.words.text())
    family.presenter.groups.model.clear()
    assert not order.isVisible()


def test_where_no_order_is_known_none_is_offered(scanned, table):
    assert not [a for a in table.make_menu().actions() if a.text().startswith("Which came")]
