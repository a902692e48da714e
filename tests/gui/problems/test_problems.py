"""The page of problems: groups by what happened, and what can be done about them."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QItemSelectionModel, QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QLineEdit

from core.documents.model import Document, Problem, ProblemCode
from core.documents.problems import GroupKind, count_problems
from neardup_gui.models.problems import REMEDIES, ProblemsModel, Remedy, grouped
from neardup_gui.models.window_state import WindowState
from neardup_gui.views.problems import MANY, PasswordRow, ProblemsView

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
    return qtbot.shown(ProblemsView(model), 900, 500)


def group(model, title):
    index = model.index_of(title)
    assert index.isValid(), title
    return index


def choose(view, title, name=""):
    view.tree.setCurrentIndex(view._model.index_of(title, name))


def menu_texts(view):
    return [action.text() for action in view.tree.make_menu().actions() if action.text()]


def test_every_remedy_belongs_to_a_group():
    assert REMEDIES.keys() <= {str(kind) for kind in GroupKind}


def test_files_are_grouped_by_what_happened_the_most_urgent_first(model):
    titles = [model.index(row, 0).data() for row in range(model.rowCount())]

    assert titles == [
        "Locked with a password", "No permission to read", "Without text", "Not documents",
        "Read, with remarks",
    ]  # fmt: skip


def test_the_files_of_a_group_are_in_order_with_their_sentences(model):
    locked = group(model, "Locked with a password")
    cells = [[model.index(row, column, locked).data() for column in (0, 1)] for row in (0, 1)]

    assert cells == [[LOCKED_TOO.name, LOCKED_TOO.detail], [LOCKED.name, LOCKED.detail]]


def test_a_document_shows_all_its_remarks(model):
    remarks = group(model, "Read, with remarks")

    assert model.index(0, 1, remarks).data() == " ".join(REMARKED.remarks)


def test_pictures_and_remarks_are_no_alarm(model):
    calm = {group.title for group in model.groups if group.is_calm}

    assert calm == {"Not documents", "Read, with remarks"}
    assert count_problems(PROBLEMS) == (4, 1)
    assert count_problems([PICTURE]) == (0, 1)
    assert count_problems([PICTURE._replace(name="notes.pdf")]) == (1, 0)


def test_headings_say_everything_to_a_screen_reader(model):
    words = group(model, "Locked with a password").data(Qt.ItemDataRole.AccessibleTextRole)

    assert words.startswith("Locked with a password: 2 files. ")


def test_calm_and_large_groups_are_closed_at_first(view, model):
    many = [LOCKED._replace(name=f"{number}.pdf") for number in range(MANY + 1)]
    model.set_groups(grouped([*many, EMPTY, PICTURE], [REMARKED]))

    opened = {
        heading.title
        for heading in model.groups
        if view.tree.isExpanded(model.index_of(heading.title))
    }
    assert opened == {"Without text"}


def test_the_same_problems_again_keep_the_selection(view, model):
    choose(view, "Locked with a password", "b.pdf")
    model.set_groups(grouped(list(PROBLEMS), [REMARKED]))

    assert view.tree.file.name == "b.pdf"


def test_other_problems_keep_what_is_selected_opened_and_closed(view, model):
    choose(view, "Locked with a password", "b.pdf")
    view.tree.expand(group(model, "Not documents"))
    view.tree.collapse(group(model, "Without text"))
    model.set_groups(grouped(PROBLEMS[:-2], []))
    model.set_groups(grouped([PICTURE, *PROBLEMS], []))

    assert view.tree.file.name == "b.pdf"
    assert view.tree.isExpanded(group(model, "Not documents"))
    assert not view.tree.isExpanded(group(model, "Without text"))


def test_names_are_plain_text_in_tool_tips(model):
    file = model.index_of("No permission to read", DENIED.name)

    assert "&lt;b&gt;" in file.data(Qt.ItemDataRole.ToolTipRole)


def test_selected_rows_are_copied_as_text(view, model, qtbot):
    flags = QItemSelectionModel.SelectionFlag.Select | QItemSelectionModel.SelectionFlag.Rows
    for index in (group(model, "Without text"), model.index_of("Locked with a password", "b.pdf")):
        view.tree.selectionModel().select(index, flags)
    view.tree.setFocus()

    qtbot.keyClick(view.tree, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)

    assert QGuiApplication.clipboard().text() == (
        "b.pdf\tLocked with a password.\nessays/empty.txt\tThe file is empty."
    )


def test_a_heading_stands_for_all_its_files(view, qtbot):
    choose(view, "Locked with a password")

    assert qtbot.until(view.tree.paths_wanted, view.tree._copy_path.trigger) == [["a.pdf", "b.pdf"]]


@pytest.mark.parametrize(
    ("action", "signal"), [("_open", "file_wanted"), ("_show", "folder_wanted")]
)
def test_a_file_and_its_folder_are_asked_for_by_name(view, qtbot, action, signal):
    choose(view, "Locked with a password", "b.pdf")

    assert qtbot.until(getattr(view.tree, signal), getattr(view.tree, action).trigger) == ["b.pdf"]


def test_enter_opens_a_file_and_follows_the_link_of_a_heading(view, qtbot):
    choose(view, "Without text", EMPTY.name)
    announced = qtbot.until(view.tree.file_wanted, qtbot.keyClick, view.tree, Qt.Key.Key_Return)
    assert announced == [EMPTY.name]

    choose(view, "Locked with a password")
    qtbot.keyClick(view.tree, Qt.Key.Key_Return)
    assert view.password_row.isVisible()


def test_space_opens_and_closes_a_group(view, qtbot):
    choose(view, "Not documents")
    index = view.tree.currentIndex()

    for opened in (True, False):
        qtbot.keyClick(view.tree, Qt.Key.Key_Space)
        assert view.tree.isExpanded(index) is opened


def test_letters_stay_keys_of_the_window(view, qtbot, model):
    choose(view, "Locked with a password")
    qtbot.keyClick(view.tree, Qt.Key.Key_N)

    assert view.tree.currentIndex() == model.index_of("Locked with a password")


def test_a_click_on_a_heading_opens_it_and_one_on_its_link_follows_it(view, qtbot, model):
    heading = group(model, "Locked with a password")
    link = view.tree.link_rect(heading)
    point = QPoint(view.tree.visualRect(heading).left() + 5, link.center().y())

    qtbot.mouseClick(view.tree.viewport(), Qt.MouseButton.LeftButton, pos=point)
    assert not view.tree.isExpanded(heading)
    qtbot.mouseClick(view.tree.viewport(), Qt.MouseButton.LeftButton, pos=link.center())
    assert view.password_row.isVisible()
    assert not view.tree.isExpanded(heading)


def test_the_link_stays_when_there_is_little_room(view, model, qtbot):
    view.resize(430, 400)
    link = view.tree.link_rect(group(model, "Locked with a password"))

    width = view.tree.fontMetrics().horizontalAdvance(Remedy.UNLOCK)
    assert width <= link.width()
    assert link.right() <= view.tree.viewport().width()


def test_a_limit_that_was_met_can_be_changed(view, model, qtbot):
    files = [
        Problem("a.doc", ProblemCode.TIMEOUT, "Slow.", "memory_bytes"),
        Problem("b.doc", ProblemCode.TIMEOUT, "Slow.", "seconds"),
    ]
    model.set_groups(grouped(files, []))

    for chosen, limit in (("", "memory_bytes"), ("b.doc", "seconds")):
        view.tree.setCurrentIndex(model.index_of("Took too long", chosen))
        assert "Try again with other limits…" in menu_texts(view)
        assert qtbot.until(view.remedy_wanted, view.tree._remedy.trigger) == [Remedy.LIMITS, limit]


def test_where_no_limit_was_met_none_is_offered(view, model):
    deep = Problem("a.eml", ProblemCode.TOO_DEEP, "The parts are nested more than 50 deep.")
    model.set_groups(grouped([deep], []))
    view.tree.setCurrentIndex(model.index(0, 0))

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
        assert qtbot.until(view.remedy_wanted, view.tree._remedy.trigger) == [remedy, ""]


def test_text_that_does_not_fit_is_given_in_full_below(view, model):
    long = REMARKED._replace(remarks=("It goes on. " * 40,))
    model.set_groups(grouped([EMPTY], [long]))

    choose(view, "Without text", EMPTY.name)
    assert view._whole.isHidden()
    choose(view, "Read, with remarks", "c.docx")
    assert view._whole.text() == f"c.docx: {long.remarks[0]}"


def test_nothing_to_say_is_reported_once_all_files_were_read(view, model):
    done = WindowState(has_folder=True, is_complete=True)
    view.take_state(done)
    assert view._nothing.isHidden()
    view.take_state(replace(done, is_scanning=True))
    model.set_groups(())
    assert view._nothing.isHidden()
    view.take_state(done)

    assert view._nothing.isVisible()


def test_tab_leaves_the_tree(view):
    assert not view.tree.tabKeyNavigation()
    assert view.tree.accessibleName()


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
    assert not row._try.isEnabled()
    qtbot.keyClicks(row._field, "secret")

    assert qtbot.until(row.entered, qtbot.keyClick, row._field, Qt.Key.Key_Return) == ["secret"]


def test_no_password_is_tried_while_a_scan_runs(row, qtbot):
    qtbot.keyClicks(row._field, "secret")
    row.set_busy(True)

    with qtbot.assertNotEmitted(row.entered):
        qtbot.keyClick(row._field, Qt.Key.Key_Return)
    row.set_busy(False)
    assert row._try.isEnabled()


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
