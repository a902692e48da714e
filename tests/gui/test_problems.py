"""The table of problems."""

import pytest
from PySide6.QtCore import QItemSelectionModel, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QAbstractItemModelTester

from core.documents.model import Problem, ProblemCode
from neardup_gui.models.problems import ProblemsModel
from neardup_gui.views.problems_view import ProblemsView

PROBLEMS = [
    Problem("essays/empty.txt", ProblemCode.EMPTY, "The file is empty."),
    Problem("photo.jpg", ProblemCode.BINARY, "The file is not text."),
    Problem("<b>bold</b>.txt", ProblemCode.NO_PERMISSION, "The file may not be read."),
]


@pytest.fixture
def model(qapp):
    model = ProblemsModel()
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal, model)
    model.set_problems(PROBLEMS)
    return model


@pytest.fixture
def view(qtbot, model):
    view = ProblemsView(model)
    qtbot.addWidget(view)
    view.show()
    return view


def test_shows_names_and_sentences(model):
    cells = [[model.index(row, column).data() for column in range(2)] for row in range(3)]

    assert cells == [[problem.name, problem.detail] for problem in PROBLEMS]


def test_the_same_problems_again_keep_the_selection(view, model):
    view.selectRow(1)
    model.set_problems(list(PROBLEMS))

    assert view.currentIndex().row() == 1


def test_names_are_plain_text_in_tool_tips(model):
    assert "&lt;b&gt;" in model.index(2, 0).data(Qt.ItemDataRole.ToolTipRole)


def test_selected_rows_are_copied_as_text(view, model, qtbot):
    flags = QItemSelectionModel.SelectionFlag.Select | QItemSelectionModel.SelectionFlag.Rows
    view.setFocus()
    for row in (2, 0):
        view.selectionModel().select(model.index(row, 0), flags)

    view.actions()[0].trigger()

    assert QGuiApplication.clipboard().text() == (
        "essays/empty.txt\tThe file is empty.\n<b>bold</b>.txt\tThe file may not be read."
    )


def test_the_folder_of_a_file_is_asked_for_by_name(view, qtbot):
    view.selectRow(1)

    with qtbot.waitSignal(view.folder_wanted) as asked:
        view.actions()[1].trigger()

    assert asked.args == ["photo.jpg"]


def test_tab_leaves_the_table(view):
    assert not view.tabKeyNavigation()
    assert view.accessibleName()
