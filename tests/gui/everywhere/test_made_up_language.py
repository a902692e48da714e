"""In a made-up language no screen of the window shows plain English."""

import re

import pytest
from PySide6.QtCore import QBuffer, QPoint, Qt
from PySide6.QtGui import QAction
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QGroupBox,
    QHeaderView,
    QLabel,
    QLineEdit,
    QMenu,
    QTabBar,
    QTextBrowser,
    QWidget,
)

from core.base.wording import LANGUAGE_NAMES
from core.program.startup import languages, own_name
from neardup_gui.models.groups import GroupColumn
from neardup_gui.models.words.sentences import no_file
from neardup_gui.views.problems import heading_parts
from neardup_gui.views.widgets.containers import CloseButton
from neardup_gui.views.widgets.rows_table import mark_room
from tests.gui.everywhere.walking import (
    LOOKS,
    STATES,
    cells,
    columns_of,
    quiet,
    scan,
    windows_shown,
)
from tests.made_up_language import LONG, MIRRORED, english_words, spoken, write_folder

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", extend=True)

ROLES = (
    Qt.ItemDataRole.DisplayRole,
    Qt.ItemDataRole.ToolTipRole,
    Qt.ItemDataRole.AccessibleTextRole,
    Qt.ItemDataRole.AccessibleDescriptionRole,
)
MOST_CELLS = 2000  # of a table
LONG_ROW = 2000  # pixels: all chips have room
MARK = 14  # pixels from the edge of a row to the middle of what opens it
# The program's name, those of keys, of Qt's own buttons, of languages; what is left of the names
# of files where they are painted in pieces.
NAMES = (
    "Neardup", "Alt", "Ctrl", "Shift", "Return", "Enter", "Esc", "Menu", "Del", "Space", "Page",
    "Home", "End", "Ins", "Up", "Down", "PgUp", "PgDown", "Scroll", "Left", "Right",
    "Close", "Show", "Details", "amp", "mp", "txt", "bin", "docx", "neardup", "eng",
    *LANGUAGE_NAMES.values(), *map(own_name, languages()),
)  # fmt: skip
DRAWN = re.compile(r"<text\b[^>]*>(.*?)</text>", re.DOTALL)


@pytest.fixture
def folder(tmp_path):
    return write_folder(tmp_path)


@pytest.fixture(autouse=True)
def language(monkeypatch):
    monkeypatch.setenv("LOGNAME", "Ελένη")  # the user of the system, whose name the window shows
    with spoken(LONG):
        yield


def texts_of(widget):
    """What one widget says."""
    yield widget.toolTip()
    yield widget.statusTip()
    yield widget.whatsThis()
    yield widget.accessibleName()
    yield widget.accessibleDescription()
    if widget.isWindow():
        yield widget.windowTitle()
    if isinstance(widget, QAbstractButton | QLabel):
        yield widget.text()
    elif isinstance(widget, QLineEdit):
        yield widget.placeholderText()
    elif isinstance(widget, QGroupBox):
        yield widget.title()
    elif isinstance(widget, QAbstractSpinBox):
        yield widget.text()
    elif isinstance(widget, QComboBox):
        yield from (widget.itemText(number) for number in range(widget.count()))
    elif isinstance(widget, QTabBar):
        for number in range(widget.count()):
            yield widget.tabText(number)
            yield widget.tabToolTip(number)


def texts_of_model(view):
    """What a table says in its first cells and in its titles."""
    model = view.model()
    for number, index in enumerate(cells(model)):
        if number == MOST_CELLS:
            break
        yield from (index.data(role) for role in ROLES)
    for orientation in Qt.Orientation:
        for section in range(columns_of(model, ())):
            yield from (model.headerData(section, orientation, role) for role in ROLES)


def drawn(window):
    """All texts that a window paints, also by itself."""
    picture, generator = QBuffer(), QSvgGenerator()
    generator.setOutputDevice(picture)
    generator.setSize(window.size())
    window.render(generator)
    return DRAWN.findall(bytes(picture.data()).decode())


def shown_by(window):
    """All texts that a window shows or gives to a screen reader, with the widget of each."""
    for text in drawn(window):
        yield type(window).__name__, text
    for widget in [window, *window.findChildren(QWidget)]:
        if widget is not window and not widget.isVisible():
            continue
        name = type(widget).__name__
        yield from ((name, text) for text in texts_of(widget))
        is_table = isinstance(widget, QAbstractItemView) and not isinstance(widget, QHeaderView)
        if is_table and widget.model() is not None:
            yield from ((name, text) for text in texts_of_model(widget))
    for action in window.findChildren(QAction):
        if type(action.parent()).__module__.startswith("pyqtgraph"):
            continue  # its menus are switched off
        for text in (action.text(), action.toolTip()):
            yield "QAction", text
    for menu in window.findChildren(QMenu):
        yield "QMenu", menu.title()


def is_help(window):
    """Pages of help are texts, not messages."""
    return window.findChild(QTextBrowser) is not None


def is_cut_from(text, path):
    """Whether a text is a path without its middle: how much is cut depends on the font."""
    start, cut, end = text.partition("…")
    return bool(cut) and path.startswith(start) and path.endswith(end)


def english(window, folder):
    """What is shown in plain English, of all windows."""
    QApplication.processEvents()
    left = set()
    for shown in windows_shown():
        for widget, text in shown_by(shown) if not is_help(shown) else ():
            visible = str(text or "").replace(str(folder.parent), "")
            if is_cut_from(visible, str(folder)):  # a path in a menu
                continue
            if english_words(visible, *NAMES):
                left.add(f"{widget}: {visible}")
        if shown is not window:
            shown.close()
    return sorted(left)


def test_no_state_of_the_window_shows_english(window, folder, qtbot):
    for state in STATES:
        state(window, folder, qtbot)
        assert english(window, folder) == [], state.__name__


def test_a_window_with_a_list_shows_no_english(window, folder, qtbot):
    scan(window, folder, qtbot)
    left = {}
    for look in LOOKS:
        look(window)
        quiet(window, qtbot)
        left |= {text: look.__name__ for text in english(window, folder) if text not in left}
    assert left == {}


def test_no_mark_of_direction_is_shown_as_an_escape(make_window, folder, qtbot):
    with spoken(MIRRORED):
        window = scan(make_window(), folder, qtbot)
        window.presenter.message_posted.emit(no_file("two words.txt"))
        assert "two words" in window.message_bar.accessibleName()
        left = {}
        for look in LOOKS:
            look(window)
            quiet(window, qtbot)
            for widget, text in shown_by(window):
                if "\\u20" in str(text):
                    left[text] = f"{widget}, {look.__name__}"
        assert left == {}


def test_panes_change_sides_with_the_language(make_window, folder, qtbot):
    for chosen in (MIRRORED, LONG, MIRRORED):
        with spoken(chosen):
            window = scan(make_window(), folder, qtbot)
            panel, table = window._side_dock, window.pages.pairs.table
            panel_is_right = panel.x() > table.mapTo(window, QPoint()).x()
            assert panel_is_right is chosen.runs_from_right
            assert 300 < panel.width() < 500
            window.close()


def test_the_window_is_mirrored_in_right_to_left_languages(make_window, folder, qtbot):
    with spoken(MIRRORED):
        window = scan(make_window(), folder, qtbot)
        panel, table = window._side_dock, window.pages.pairs.table
        assert panel.x() > table.mapTo(window, table.rect().topLeft()).x()
        first, second = window.compare_pane.view.panes
        assert first.mapTo(window, first.pos()).x() > second.mapTo(window, second.pos()).x()
        a, b = (labels.name for labels in window.compare_pane.view.header._names._documents)
        assert a.x() > b.x()
        box = window.side_panels.exclusions._is_common
        assert box.hitButton(QPoint(box.width() - 2, box.height() // 2))
        close = panel.findChild(CloseButton)
        assert close.geometry().center().x() < panel.width() / 2
        chips = window.compare_pane.view.header.chips
        chips.resize(LONG_ROW, chips.height())
        assert chips._chips[0][0].right() == LONG_ROW - 1

        tabs, problems = window.pages.tabs, window.pages.problems.table
        tabs.setCurrentWidget(window.pages.problems)
        model, direction = problems.model(), problems.layoutDirection()
        row, (group, _) = problems.visualRect(model.index(0, 0)), model.row_at(0)
        parts = heading_parts(row, problems.font(), group, "link", direction)
        assert parts.title.right() == row.right() - mark_room(problems.fontMetrics())
        assert parts.title.left() > parts.number.right() > parts.link.right()
        tabs.setCurrentWidget(window.pages.groups)
        groups, table = window.presenter.groups.model, window.pages.groups.table
        qtbot.waitUntil(lambda: groups.total > 0)
        for _ in range(2):  # the mark closes the group, and opens it again
            was_open = groups.is_open(0)
            area = table.visualRect(groups.index(0, GroupColumn.DOCUMENT))
            mark = QPoint(area.right() - MARK, area.center().y())
            qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=mark)
            assert groups.is_open(0) is not was_open
