"""The mouse rests on everything, in every state of the window: no error, and an answer everywhere.

An exception in what Qt calls, or a warning of Qt, fails a test by itself (pytest-qt).
"""

import re
import subprocess
import sys
import threading
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QLocale, QPoint, Qt
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSpinBox,
    QApplication,
    QLabel,
    QTabBar,
    QToolTip,
    QWidget,
)
from shiboken6 import isValid

from core.commands.main import main
from core.scan import ingest
from neardup_gui.environment.theme import Scheme
from neardup_gui.models.pairs.columns import Column
from neardup_gui.views.shell.help_window import HelpWindow
from neardup_gui.views.shell.status import StatusLine
from neardup_gui.views.widgets.labels import CutLabel
from neardup_gui.views.widgets.rows_table import RowsTable
from neardup_gui.window.actions import Action
from neardup_gui.window.help import FIRST, page_about
from neardup_gui.window.reading_mode import ReadingBar
from tests.gui.everywhere.walking import (
    LOOKS,
    STATES,
    cells,
    hover,
    quiet,
    rest_on,
    scan,
    strangers,
    windows_shown,
)
from tests.made_up_language import write_folder

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", extend=True)

TOOL_TIP = Qt.ItemDataRole.ToolTipRole
DISPLAY = Qt.ItemDataRole.DisplayRole
HORIZONTAL = Qt.Orientation.Horizontal
HOLD = """
import sys
from core.review.lock import ReviewLock
lock = ReviewLock(sys.argv[1])
print(lock.access.value, flush=True)
sys.stdin.read()
"""


@pytest.fixture
def folder(tmp_path):
    return write_folder(tmp_path)


@pytest.fixture
def scanned(window, folder, qtbot):
    return scan(window, folder, qtbot)


def each_pair(window, qtbot):
    """Open every pair that is listed, one after the other."""
    table = window.pages.pairs.table
    for row in range(window.presenter.pairs.rowCount()):
        if table.currentIndex().row() != row:
            qtbot.until(window.presenter.pair.compared, table.select_row, row)
        yield row


def test_every_cell_and_every_point_of_the_curve_answers(scanned):
    model = scanned.presenter.pairs
    view = scanned.pages.pairs.table
    assert model.rowCount() > 4
    for row in range(model.rowCount()):
        for column in range(len(Column)):
            index = model.index(row, column)
            assert index.data(DISPLAY) or column == Column.VERDICT
            assert index.data(TOOL_TIP)
            view.scrollTo(index)
            assert rest_on(view.viewport(), view.visualRect(index).center())
    assert all(model.headerData(n, HORIZONTAL, TOOL_TIP) for n in range(len(Column)))
    assert strangers(model) == []

    problems = scanned.presenter.problems
    with_text = [index for index in cells(problems) if index.data(DISPLAY)]
    assert len(with_text) > 4
    assert all(index.data(TOOL_TIP) for index in with_text)
    assert strangers(problems) == []

    plot = scanned.side_panels.threshold.curve
    box = plot.scale.area.toRect()
    assert box.width() > 100
    for x in range(box.left() + 2, box.right() - 1, 3):
        for y in range(box.top() + 2, box.bottom() - 1, 20):
            assert "of pairs are found" in rest_on(plot, QPoint(x, y)), (x, y)


def test_every_chip_and_every_passage_in_the_texts_answers(scanned, qtbot):
    """And what a pair consists of, once it is read, are numbers of Python."""
    opened, seen = [], 0
    scanned.presenter.pair.compared.connect(opened.append)
    for _ in each_pair(scanned, qtbot):
        view = scanned.compare_pane.view
        chips = view.header.chips
        for rect, _ in chips._chips:
            assert "Passage" in rest_on(chips, rect.center().toPoint())
            seen += 1
        for pane in view.panes:
            pane.verticalScrollBar().setValue(0)
            hover(pane)
    assert seen > 5
    assert len(opened) > 3
    for comparison in opened:
        assert list(foreign(comparison)) == []


def foreign(value, path="pair"):
    """Numbers of NumPy in what is drawn; arrays may be in it."""
    if isinstance(value, np.generic):
        yield path, value
    elif isinstance(value, dict):
        yield from foreign([*value.items()], path)
    elif isinstance(value, list | tuple | set | frozenset):
        for number, item in enumerate(value):
            yield from foreign(item, f"{path}[{number}]")
    elif type(value).__module__.startswith(("core", "neardup_gui")):
        names = getattr(value, "__slots__", None) or vars(value)
        for name in names:
            yield from foreign(getattr(value, name), f"{path}.{name}")


NUMBER = re.compile(r"\d")
ABOUT_ALL = (StatusLine, ReadingBar)  # what there is of everything: the page to begin with


def numbers_shown(window):
    """Every widget beside the texts in which a number stands, with its words."""
    for widget in window.findChildren(QWidget):
        if not isValid(widget) or not widget.isVisible() or widget.isWindow():
            continue
        if isinstance(widget, QLabel | QAbstractButton | QAbstractSpinBox):
            words = re.sub("<[^>]*>", "", widget.text())
            if NUMBER.search(words):
                yield widget, words


def is_explained(widget):
    """Whether it, or what it stands in, has a tool tip, or is a sentence."""
    while not widget.isWindow():
        if isinstance(widget, CutLabel) or rest_on(widget, widget.rect().center()):
            return True
        widget = widget.parentWidget()
    return False


def has_page(widget, window):
    """Whether a page of help is about it, and not only that to begin with."""
    of_all = [area for kind in ABOUT_ALL for area in window.findChildren(kind)]
    return page_about(widget) != FIRST or any(area.isAncestorOf(widget) for area in of_all)


def unexplained(window):
    """Numbers in widgets without a tool tip, or without a page of help."""
    for widget, words in numbers_shown(window):
        if not is_explained(widget) or not has_page(widget, window):
            yield words
    for bar in filter(QWidget.isVisible, window.findChildren(QTabBar)):
        for tab in range(bar.count()):
            if NUMBER.search(bar.tabText(tab)) and not bar.tabToolTip(tab):
                yield bar.tabText(tab)


def unexplained_in_tables(window):
    """Titles and numbers of lists without a tool tip, lists without a page of help."""
    for table in filter(QWidget.isVisible, window.findChildren(RowsTable)):
        model = table.model()
        titles = (model.headerData(n, HORIZONTAL, TOOL_TIP) for n in range(model.columnCount()))
        if not all(titles) or not has_page(table, window):
            yield type(table).__name__
        for index in cells(model):
            if NUMBER.search(str(index.data(DISPLAY) or "")) and not index.data(TOOL_TIP):
                yield index.data(DISPLAY)


def test_every_number_says_what_it_is_and_has_a_page_of_help(scanned, qtbot):
    pages, actions = scanned.pages, scanned._actions
    seen = 0
    for look in (
        scanned.side_panels._toggle.clicked.emit,
        *(partial(pages.tabs.setCurrentIndex, n) for n in range(pages.tabs.count())),
        actions[Action.READING].trigger,
        actions[Action.WHY].trigger,
        actions[Action.DIFFERENCES].trigger,
    ):
        look()
        quiet(scanned, qtbot)
        QApplication.processEvents()
        seen += len(list(numbers_shown(scanned)))
        assert [*unexplained(scanned), *unexplained_in_tables(scanned)] == []
    assert seen > 100


def test_help_opens_at_what_a_tool_tip_explains(scanned, qtbot):
    scanned.pages.pairs.table.setFocus()
    QCursor.setPos(scanned.side_panels.threshold.mapToGlobal(QPoint(40, 40)))
    QToolTip.showText(QCursor.pos(), "resemblance", scanned)
    qtbot.waitUntil(QToolTip.isVisible)

    scanned._actions[Action.HELP].trigger()

    (shown,) = scanned.findChildren(HelpWindow)
    assert shown._view.name == "curve"


def rest_everywhere(window):
    """Rest the mouse on every window that is open, and close all but this one."""
    QApplication.processEvents()
    assert sum(map(hover, windows_shown())) > 10
    for top_window in windows_shown():
        if top_window is not window:
            top_window.close()
    QToolTip.hideText()


def test_nothing_breaks_where_the_mouse_rests(window, folder, qtbot):
    assert len(STATES) > 5
    for state in STATES:
        print(state.__name__)  # noqa: T201 - what broke
        state(window, folder, qtbot)
        rest_everywhere(window)


def test_nothing_breaks_whatever_is_looked_at(scanned, qtbot):
    assert len(LOOKS) > 5
    for look in LOOKS:
        print(look.__name__)  # noqa: T201 - what broke
        look(scanned)
        quiet(scanned, qtbot)
        rest_everywhere(scanned)


def test_nothing_breaks_while_a_scan_runs(window, folder, qtbot, monkeypatch):
    began, go_on = threading.Event(), threading.Event()
    ingest_files = ingest.ingest_files

    def held_up(*arguments, **options):
        began.set()
        go_on.wait(300)
        return ingest_files(*arguments, **options)

    monkeypatch.setattr("core.scan.flow.ingest_files", held_up)
    with qtbot.waitSignal(window.presenter.ended):
        window.presenter.open_folders([folder])
        try:
            qtbot.waitUntil(began.is_set)
            hover(window)
            assert window.presenter.state.is_scanning
        finally:
            go_on.set()


def test_nothing_breaks_in_a_review_that_another_program_holds(window, folder, qtbot):
    path = folder.parent / "autumn.neardup"
    assert main(["scan", str(folder), "--review", str(path), "--quiet"]) == 0
    command = [sys.executable, "-c", HOLD, str(path)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen(command, cwd=Path(__file__).parents[3], **pipes) as process:
        process.stdout.readline()
        qtbot.until(window.presenter.pair.compared, window.presenter.open_paths, [path])
        quiet(window, qtbot)
        assert window.presenter.state.is_taken

        hover(window)

        window.presenter.open_folders([folder])
        process.stdin.close()
    quiet(window, qtbot)


@pytest.mark.parametrize(("language", "scheme"), [("de_DE", Scheme.DARK), ("ar_EG", Scheme.LIGHT)])
def test_nothing_breaks_in_other_countries_and_in_the_dark(window, folder, qtbot, language, scheme):
    """The window writes numbers as in English; also if it did not, nothing would break."""
    QLocale.setDefault(QLocale(language))
    window.appearance.set_scheme(scheme)
    scan(window, folder, qtbot)
    window.side_panels.setup._edit.click()

    hover(window)
    window.pages.tabs.setCurrentIndex(1)
    hover(window)
