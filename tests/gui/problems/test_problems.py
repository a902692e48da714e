"""The page of problems: groups by what happened, and what can be done about them."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QItemSelectionModel, QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QLineEdit

from core.documents.model import Document, Problem, ProblemCode
from core.documents.problems import GroupKind, count_problems
from neardup_gui.models.problems import MANY, REMEDIES, ProblemsModel, Remedy, grouped
from neardup_gui.models.window_state import WindowState
from neardup_gui.views.problems import PasswordRow, ProblemsPage

EMPTY = Problem("essays/empty.txt", ProblemCode.EMPTY, "The file is empty.")
LOCKED = Problem("b.pdf", ProblemCode.ENCRYPTED, "Locked with a password.")
LOCKED_TOO = Problem("a.pdf", ProblemCode.ENCRYPTED, "Locked with a password.")
DENIED = Problem("<b>bold</b>.txt", ProblemCode.NO_PERMISSION, "The file may not be read.")
PICTURE = Problem("photo.jpg", ProblemCode.BINARY, "This is a JPEG image, not a text.")
PROBLEMS = [EMPTY, LOCKED, LOCKED_TOO, DENIED, PICTURE]
REMARKED = Document(
    location="/folder/c.docx", name="c.docx", size=9, modified_ns=1, file_hash="1", kind="docx",
    encoding="", characters=90, remarks=("3 tracked deletions are left out.", "So is a picture."),
)  # fmt: skip


@pytest.fixture
def model(qapp):
    model = ProblemsModel()
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal, model)
    model.set_groups(grouped(PROBLEMS, [REMARKED]))
    return model


@pytest.fixture
def view(qtbot, model):
    return qtbot.shown(ProblemsPage(model), 900, 500)


def heading(model, title):
    row = model.row_of((title, ""))
    assert row is not None, title
    return row


def choose(view, title, name=""):
    view.table.select_row(view._model.row_of((title, name)))


def turn(view, title):
    view._model.turn(heading(view._model, title))


def open_groups(model):
    headings = filter(model.is_heading, range(model.rowCount()))
    return {model.row_at(row).group.title for row in headings if model.is_open(row)}


def menu_texts(view):
    return [action.text() for action in view.table.make_menu().actions() if action.text()]


def test_every_remedy_belongs_to_a_group():
    assert REMEDIES.keys() <= {str(kind) for kind in GroupKind}


def test_files_are_grouped_by_what_happened_the_most_urgent_first(model):
    headings = filter(model.is_heading, range(model.rowCount()))

    assert [model.index(row, 0).data() for row in headings] == [
        "Locked with a password", "No permission to read", "Without text", "Not documents",
        "Read, with remarks",
    ]  # fmt: skip


def test_the_files_of_a_group_are_in_order_with_their_sentences(model):
    first = heading(model, "Locked with a password") + 1
    cells = [[model.index(first + row, column).data() for column in (0, 1)] for row in (0, 1)]

    assert cells == [[LOCKED_TOO.name, LOCKED_TOO.detail], [LOCKED.name, LOCKED.detail]]


def test_a_document_shows_all_its_remarks(model):
    remarks = heading(model, "Read, with remarks")
    model.turn(remarks)

    assert model.index(remarks + 1, 1).data() == " ".join(REMARKED.remarks)


def test_pictures_and_remarks_are_no_alarm(model):
    calm = {group.title for group in model.groups if group.is_calm}

    assert calm == {"Not documents", "Read, with remarks"}
    assert count_problems(PROBLEMS) == (4, 1)
    assert count_problems([PICTURE]) == (0, 1)
    assert count_problems([PICTURE._replace(name="notes.pdf")]) == (1, 0)


def test_headings_say_everything_to_a_screen_reader(model):
    index = model.index(heading(model, "Locked with a password"), 0)
    words = index.data(Qt.ItemDataRole.AccessibleTextRole)

    assert words.startswith("Locked with a password: 2 files, open. ")
    model.turn(index.row())
    words = index.data(Qt.ItemDataRole.AccessibleTextRole)
    assert words.startswith("Locked with a password: 2 files, closed. ")


def test_calm_and_large_groups_are_closed_at_first(view, model):
    many = [LOCKED._replace(name=f"{number}.pdf") for number in range(MANY + 1)]
    model.set_groups(grouped([*many, EMPTY, PICTURE], [REMARKED]))

    assert open_groups(model) == {"Without text"}


def test_the_same_problems_again_keep_the_selection(view, model):
    choose(view, "Locked with a password", "b.pdf")
    model.set_groups(grouped(list(PROBLEMS), [REMARKED]))

    assert view.table.current.file.name == "b.pdf"


def test_other_problems_keep_what_is_selected_opened_and_closed(view, model):
    choose(view, "Locked with a password", "b.pdf")
    turn(view, "Not documents")
    turn(view, "Without text")
    model.set_groups(grouped(PROBLEMS[:-2], []))
    model.set_groups(grouped([PICTURE, *PROBLEMS], []))

    assert view.table.current.file.name == "b.pdf"
    assert "Not documents" in open_groups(model)
    assert "Without text" not in open_groups(model)


def test_names_are_plain_text_in_tool_tips(model):
    file = model.row_of(("No permission to read", DENIED.name))

    assert "&lt;b&gt;" in model.index(file, 0).data(Qt.ItemDataRole.ToolTipRole)


def test_selected_rows_are_copied_as_text(view, model, qtbot):
    flags = QItemSelectionModel.SelectionFlag.Select | QItemSelectionModel.SelectionFlag.Rows
    choose(view, "Without text")
    row = model.row_of(("Locked with a password", "b.pdf"))
    view.table.selectionModel().select(model.index(row, 0), flags)
    view.table.setFocus()

    qtbot.keyClick(view.table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)

    assert QGuiApplication.clipboard().text() == (
        "b.pdf\tLocked with a password.\nessays/empty.txt\tThe file is empty."
    )


def test_a_heading_stands_for_all_its_files(view, qtbot):
    choose(view, "Locked with a password")

    assert qtbot.until(view.table.paths_wanted, view.table._copy_paths) == [["a.pdf", "b.pdf"]]


@pytest.mark.parametrize(
    ("words", "signal"), [("Open b.pdf", "file_wanted"), ("Show b.pdf in folder", "folder_wanted")]
)
def test_a_file_and_its_folder_are_asked_for_by_name(view, qtbot, words, signal):
    choose(view, "Locked with a password", "b.pdf")
    (action,) = (each for each in view.table.make_menu().actions() if each.text() == words)

    assert qtbot.until(getattr(view.table, signal), action.trigger) == ["b.pdf"]


def test_enter_opens_a_file_and_follows_the_link_of_a_heading(view, qtbot):
    choose(view, "Without text", EMPTY.name)
    announced = qtbot.until(view.table.file_wanted, qtbot.keyClick, view.table, Qt.Key.Key_Return)
    assert announced == [EMPTY.name]

    choose(view, "Locked with a password")
    qtbot.keyClick(view.table, Qt.Key.Key_Return)
    assert view.password_row.isVisible()


def test_space_opens_and_closes_a_group(view, qtbot):
    choose(view, "Not documents")

    for opened in (True, False):
        qtbot.keyClick(view.table, Qt.Key.Key_Space)
        assert view._model.is_open(view.table.current_row) is opened


def test_right_opens_a_group_and_then_goes_into_it_and_left_leaves_it(view, qtbot, model):
    choose(view, "Not documents")
    row = view.table.current_row
    rows = []
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Left, Qt.Key.Key_Left):
        qtbot.keyClick(view.table, key)
        rows.append((view.table.current_row - row, model.is_open(row)))

    assert rows == [(0, True), (1, True), (0, True), (0, False)]


def test_letters_stay_keys_of_the_window(view, qtbot, model):
    choose(view, "Locked with a password")
    qtbot.keyClick(view.table, Qt.Key.Key_N)

    assert view.table.current_row == heading(model, "Locked with a password")


def test_a_click_on_a_heading_opens_it_and_one_on_its_link_follows_it(view, qtbot, model):
    row = heading(model, "Locked with a password")
    link = view.table.link_rect(row)
    point = QPoint(view.table.visualRect(model.index(row, 0)).left() + 5, link.center().y())

    qtbot.mouseClick(view.table.viewport(), Qt.MouseButton.LeftButton, pos=point)
    assert not model.is_open(row)
    qtbot.mouseClick(view.table.viewport(), Qt.MouseButton.LeftButton, pos=link.center())
    assert view.password_row.isVisible()
    assert not model.is_open(row)


def test_the_link_stays_when_there_is_little_room(view, model, qtbot):
    view.resize(430, 400)
    link = view.table.link_rect(heading(model, "Locked with a password"))

    width = view.table.fontMetrics().horizontalAdvance(Remedy.UNLOCK)
    assert width <= link.width()
    assert link.right() <= view.table.viewport().width()


def test_a_limit_that_was_met_can_be_changed(view, model, qtbot):
    files = [
        Problem("a.doc", ProblemCode.TIMEOUT, "Slow.", "memory_bytes"),
        Problem("b.doc", ProblemCode.TIMEOUT, "Slow.", "seconds"),
    ]
    model.set_groups(grouped(files, []))

    for chosen, limit in (("", "memory_bytes"), ("b.doc", "seconds")):
        choose(view, "Took too long", chosen)
        assert "Try again with other limits…" in menu_texts(view)
        assert qtbot.until(view.remedy_wanted, view.table._follow_remedy) == [Remedy.LIMITS, limit]


def test_where_no_limit_was_met_none_is_offered(view, model):
    deep = Problem("a.eml", ProblemCode.TOO_DEEP, "The parts are nested more than 50 deep.")
    model.set_groups(grouped([deep], []))
    view.table.select_row(0)

    assert "Try again with other limits…" not in menu_texts(view)


def test_scans_can_be_read_where_tesseract_is_installed(view, model, qtbot):
    model.set_groups(grouped([Problem("scan.pdf", ProblemCode.NO_TEXT_LAYER, "No text.")], []))
    choose(view, "No text: scans")

    for installed, used, remedy in (
        (True, False, Remedy.OCR),
        (True, True, Remedy.LANGUAGES),
        (False, True, Remedy.GET_OCR),
    ):
        model.set_ocr(installed=installed, used=used)
        assert str(remedy) in menu_texts(view)
        assert qtbot.until(view.remedy_wanted, view.table._follow_remedy) == [remedy, ""]


def test_text_that_does_not_fit_is_given_in_full_below(view, model):
    long = REMARKED._replace(remarks=("It goes on. " * 40,))
    model.set_groups(grouped([EMPTY], [long]))

    choose(view, "Without text", EMPTY.name)
    assert view._whole.isHidden()
    turn(view, "Read, with remarks")
    choose(view, "Read, with remarks", "c.docx")
    assert view._whole.text() == f"c.docx: {long.remarks[0]}"


def test_nothing_to_say_is_reported_once_all_files_were_read(view, model):
    done = WindowState(has_folder=True, is_complete=True)
    view.take_state(done)
    assert not view.empty_sentence
    view.take_state(replace(done, is_scanning=True))
    model.set_groups(())
    assert not view.empty_sentence
    view.take_state(done)

    assert view.empty_sentence == "All files were read without problems."


def test_tab_leaves_the_table(view):
    assert not view.table.tabKeyNavigation()
    assert view.table.accessibleName()


@pytest.fixture
def row(qtbot):
    row = PasswordRow()
    row.start()
    qtbot.shown(row)
    row.activateWindow()
    return row


def test_a_password_is_hidden_until_it_is_to_be_seen(row):
    assert row._field.echoMode() == QLineEdit.EchoMode.Password
    row._reveal.click()
    assert row._field.echoMode() == QLineEdit.EchoMode.Normal
    assert row._reveal.text() == "Hide"
    row._reveal.click()
    assert row._field.echoMode() == QLineEdit.EchoMode.Password


def test_a_password_is_entered_with_enter(row, qtbot):
    assert not row._take.isEnabled()
    qtbot.keyClicks(row._field, "secret")

    assert qtbot.until(row.entered, qtbot.keyClick, row._field, Qt.Key.Key_Return) == ["secret"]


def test_no_password_is_tried_while_a_scan_runs(row, qtbot):
    qtbot.keyClicks(row._field, "secret")
    row.set_busy(True)

    with qtbot.assertNotEmitted(row.entered):
        qtbot.keyClick(row._field, Qt.Key.Key_Return)
    row.set_busy(False)
    assert row._take.isEnabled()


def test_a_password_that_goes_away_is_forgotten(row, qtbot):
    qtbot.keyClicks(row._field, "secret")
    row._reveal.click()

    qtbot.until(row.cancelled, qtbot.keyClick, row._field, Qt.Key.Key_Escape)

    assert row.isHidden()
    row.start()
    assert row._field.text() == ""
    assert row._field.echoMode() == QLineEdit.EchoMode.Password


def test_a_wrong_password_can_be_typed_over(row, qtbot):
    qtbot.keyClicks(row._field, "wrong")
    row.show_outcome("This password is wrong.", opened=False)

    assert row._problem.text() == "This password is wrong."
    assert row._field.selectedText() == "wrong"
    row.show_outcome("The password opened 1 file.", opened=True)
    assert row._field.text() == ""
