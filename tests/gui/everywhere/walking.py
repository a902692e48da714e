"""States of the window, and a mouse and a screen reader that go over all of it."""

import numpy as np
from PySide6.QtCore import (
    QAbstractItemModel,
    QAbstractListModel,
    QEvent,
    QMimeData,
    QPoint,
    QPointF,
    Qt,
    QUrl,
)
from PySide6.QtGui import (
    QAccessible,
    QDragEnterEvent,
    QDropEvent,
    QEnterEvent,
    QHelpEvent,
    QMouseEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QAbstractScrollArea,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QFrame,
    QHeaderView,
    QLabel,
    QLineEdit,
    QMenu,
    QMenuBar,
    QPushButton,
    QScrollBar,
    QTabBar,
    QToolButton,
    QToolTip,
    QWidget,
)
from shiboken6 import isValid

from core.settings import ScanSettings
from neardup_gui.environment.bug_reports import BugReporter
from neardup_gui.models.pairs.columns import PairFilter
from neardup_gui.window.actions import Action


def scan(window, folder, qtbot, settings=None):
    """Scan, and open the first pair."""
    if settings is not None:
        window.side_panels.setup.set_settings(settings)
        window.presenter.scans.change_settings(settings)
    qtbot.until(window.presenter.pair.compared, window.presenter.open_folders, [folder])
    quiet(window, qtbot)
    return window


def shown_message(window):
    return window.message_bar.accessibleName()


def after(window, qtbot, act):
    """Do something and wait until nothing runs; the sentence that it ends with."""
    return qtbot.until(window.presenter.ended, act)[0]


def quiet(window, qtbot):
    qtbot.waitUntil(lambda: not window.presenter.state.is_busy)


def settled(window, qtbot, act):
    """Do something and wait until nothing runs, nor what follows it."""
    after(window, qtbot, act)
    quiet(window, qtbot)


def table_in_front(window, page, qtbot):
    """The table of a page, whose tab is opened, once its first row is the current one."""
    window.pages.tabs.setCurrentWidget(page)
    qtbot.waitUntil(lambda: page.table.current_row == 0)
    return page.table


def tab_title(window, page):
    return window.pages.tabs.tabText(window.pages.tabs.indexOf(page))


def choose_bands(presenter, bands, rows, floor):
    """Use other bands, rows and threshold."""
    settings = presenter.current.settings
    changed = settings.with_changes(bands=bands, rows=rows, min_resemblance=floor)
    presenter.scans.change_settings(changed)


def drop(window, *items):
    """Drop files, by their paths, or a text; whether the window takes them."""
    data = QMimeData()
    if isinstance(items[0], str):
        data.setText(items[0])
    else:
        data.setUrls([QUrl.fromLocalFile(str(path)) for path in items])
    point, copy = QPoint(200, 200), Qt.DropAction.CopyAction
    buttons, keys = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    entered = QDragEnterEvent(point, copy, data, buttons, keys)
    QApplication.sendEvent(window, entered)
    if entered.isAccepted():
        event = QDropEvent(QPointF(point), copy, data, buttons, keys, QEvent.Type.Drop)
        QApplication.sendEvent(window, event)
    return entered.isAccepted()


STATES, LOOKS = [], []


def state(function):
    """A state of the window, after all that stand above it."""
    STATES.append(function)
    return function


def look(function):
    """What is done to a window with a list, after all that stands above it."""
    LOOKS.append(function)
    return function


@look
def pairs(window):
    pass


@look
def finding(window):
    window._actions[Action.FIND_IN_TEXTS].trigger()


@look
def differences(window):
    window._actions[Action.DIFFERENCES].trigger()


@look
def why(window):
    window._actions[Action.DIFFERENCES].trigger()
    window._actions[Action.WHY].trigger()


@look
def turned_round(window):
    window._actions[Action.SWAP_SIDES].trigger()
    window.pages.pairs.table.sort_by(3)


@look
def menus(window):
    window.menuBar().actions()[1].menu().popup(QPoint(10, 10))


@look
def editing(window):
    window.side_panels.setup._edit.click()
    window.side_panels.reading.edit()
    window.side_panels.setup._naming.start()


@look
def outdated(window):
    window.presenter.scans.change_settings(window.presenter.current.settings.with_changes(k=4))


@look
def filtered(window):
    window.presenter.pairs.set_filter(PairFilter("μισό", 0.1, 0.1))
    window.search_field.setText("μισό")


@look
def all_filtered_away(window):
    window.search_field.setText("κανένα όνομα")


@look
def problems(window):
    window.pages.tabs.setCurrentWidget(window.pages.problems)
    model = window.presenter.problems
    for row in reversed(range(model.rowCount())):
        if not model.is_open(row):
            model.turn(row)


@look
def large_text(window):
    for _ in range(4):
        window._actions[Action.LARGER_TEXT].trigger()
    window.resize(700, 500)


@look
def start_page_with_recent(window):
    window.pages._stack.setCurrentIndex(0)


@look
def all_settings(window):
    window.pages._stack.setCurrentIndex(1)
    window.search_field.clear()
    window.resize(1600, 1000)
    window.side_panels._toggle.clicked.emit()


@look
def reading(window):
    window.pages.tabs.setCurrentIndex(0)
    window._actions[Action.READING].trigger()


@look
def overview_again(window):
    window._actions[Action.READING].trigger()
    window.pages.tabs.setCurrentWidget(window.pages.groups)


@look
def passages(window):
    window.pages.tabs.setCurrentWidget(window.pages.passages)


@look
def documents(window):
    window.pages.tabs.setCurrentWidget(window.pages.documents)


@look
def curve(window):
    window._actions[Action.CURVE].trigger()


@look
def report(window):
    window._actions[Action.EXPORT].trigger()


@look
def tour(window):
    window._actions[Action.TOUR].trigger()


@state
def start_page(window, folder, qtbot):
    pass


@state
def about(window, folder, qtbot):
    window._actions[Action.ABOUT].trigger()


@state
def all_keys(window, folder, qtbot):
    window._actions[Action.ALL_KEYS].trigger()


@state
def help_pages(window, folder, qtbot):
    window._actions[Action.HELP].trigger()


@state
def bug_dialog(window, folder, qtbot):
    reporter = BugReporter(window)
    reporter.report(ValueError("made for the test"))
    qtbot.waitUntil(lambda: reporter._dialog is not None)


@state
def empty_folder(window, folder, qtbot):
    nothing = folder / "τίποτα"
    nothing.mkdir()
    qtbot.until(window.presenter.ended, window.presenter.open_folders, [nothing])


@state
def simhash(window, folder, qtbot):
    scan(window, folder, qtbot, ScanSettings(signature="simhash", max_distance=8, bag=True))


@state
def characters(window, folder, qtbot):
    settings = ScanSettings(unit="char", k=9, bands=42, rows=3, list_passages=True)
    scan(window, folder, qtbot, settings)


@state
def passages_only(window, folder, qtbot):
    scan(window, folder, qtbot, ScanSettings(min_resemblance=1.0))


@state
def missing_documents(window, folder, qtbot):
    scan(window, folder, qtbot, ScanSettings())
    with qtbot.waitSignal(window.presenter.review.message_posted):
        window.presenter.save_review(folder.parent / "φθινόπωρο.neardup")
    quiet(window, qtbot)
    (folder / "μισό.txt").unlink()
    qtbot.until(window.presenter.ended, window.presenter.rescan)
    quiet(window, qtbot)


def windows_shown():
    """All that are open; a tool tip may go at any moment."""
    return (
        widget
        for widget in QApplication.topLevelWidgets()
        if isValid(widget) and widget.isVisible()
    )


ROLES = [*range(16), *range(256, 276)]  # those of Qt, and those of ours
TEXTS = (
    QAccessible.Text.Name,
    QAccessible.Text.Description,
    QAccessible.Text.Value,
    QAccessible.Text.Help,
    QAccessible.Text.Accelerator,
)
LABEL = QAccessible.RelationFlag.Label
STEPS, MORE_STEPS = 3, 7  # places across a widget and down it; of one that draws its parts
UNIFORM = (QFrame, QLabel, QLineEdit, QPushButton, QScrollBar, QToolButton, QWidget)  # Qt's own
MOST_CELLS = 60  # of a table, told to a screen reader
# Of Python and of Qt, and ours that Qt only hands on.
PLAIN_TYPES = ("str", "int", "float", "bool", "NoneType", "SortOrder", "Thumbnail")


def widgets_of(window):
    """A window and all that can be seen in it."""
    return [window, *(widget for widget in window.findChildren(QWidget) if widget.isVisible())]


def hover(window):
    """Rest on everything; the number of widgets."""
    widgets = widgets_of(window)
    for widget in widgets:
        if not isValid(widget):  # a menu that another one closed
            continue
        for point in points_of(widget):
            rest_on(widget, point)
        middle = QPointF(widget.rect().center())
        for event in (QEnterEvent(middle, middle, middle), QEvent(QEvent.Type.Leave)):
            QApplication.sendEvent(widget, event)
        listen(widget)
        if isinstance(widget, QAbstractItemView) and not isinstance(widget, QHeaderView):
            read_cells(widget)
        if isinstance(widget, QComboBox):
            assert strangers(widget.model()) == []
        if isinstance(widget, QMenuBar | QMenu):
            read_actions(widget)
    QApplication.processEvents()
    return len(widgets)


def points_of(widget):
    """Where the mouse rests: in a grid, and on every tab and title.

    What has no answer of its own and no parts answers everywhere as in its middle.
    """
    size = widget.size()
    is_uniform = type(widget) in UNIFORM and not (
        isinstance(widget, QLabel) and "<a" in widget.text()
    )
    draws_parts = {"paintEvent", "event"} <= vars(type(widget)).keys()  # as Qt's own classes do
    steps = 1 if is_uniform else MORE_STEPS if draws_parts else STEPS
    for across in range(steps):
        for down in range(steps):
            yield QPoint(
                round((across + 0.5) * size.width() / steps),
                round((down + 0.5) * size.height() / steps),
            )
    if isinstance(widget, QTabBar):
        yield from (widget.tabRect(number).center() for number in range(widget.count()))


def move(widget, point):
    """Move the mouse to a place of a widget; where that is on the screen."""
    global_point, none = widget.mapToGlobal(point), Qt.MouseButton.NoButton
    moved = QMouseEvent(
        QEvent.Type.MouseMove, QPointF(point), QPointF(global_point), none, none,
        Qt.KeyboardModifier.NoModifier,
    )  # fmt: skip
    QApplication.sendEvent(widget, moved)
    return global_point


def rest_on(widget, point):
    """Move there and stay; what is shown then."""
    QToolTip.showText(QPoint(), "")
    global_point = move(widget, point)
    for kind in (QEvent.Type.ToolTip, QEvent.Type.QueryWhatsThis):
        QApplication.sendEvent(widget, QHelpEvent(kind, point, global_point))
    return QToolTip.text()


def listen(widget):
    """Ask what a screen reader asks, of a widget and of the first of its parts."""
    interface = QAccessible.queryAccessibleInterface(widget)
    assert interface is not None, widget
    if is_reached_by_tab(widget):
        assert interface.text(QAccessible.Text.Name), widget
        # On Linux Qt gives the value of a choice as its name; what it is about is its label.
        if isinstance(widget, QComboBox):
            assert widget.accessibleName()
            assert any(relation & LABEL for _, relation in interface.relations()), widget
    for accessible in [
        interface,
        *(interface.child(n) for n in range(min(interface.childCount(), MOST_CELLS))),
    ]:
        if accessible is not None and accessible.isValid():
            for text in TEXTS:
                accessible.text(text)
            accessible.role()
            accessible.state()
            accessible.rect()
    for text in (widget.toolTip(), widget.whatsThis(), widget.statusTip()):
        assert isinstance(text, str)


def is_reached_by_tab(widget):
    parts_of = QComboBox | QAbstractSpinBox | QAbstractScrollArea
    return widget.focusPolicy() & Qt.FocusPolicy.TabFocus and not isinstance(
        widget.parent(), parts_of
    )


def read_cells(view):
    """Every role of every cell and title; rest on every cell."""
    model = view.model()
    if model is None:
        return
    assert strangers(model) == []
    for index in cells(model):
        view.scrollTo(index)
        point = view.visualRect(index).center()
        if view.viewport().rect().contains(point):
            rest_on(view.viewport(), point)


def cells(model, parent=None):
    """Every cell, those below others too."""
    parents = [] if parent is None else [parent]
    for row in range(model.rowCount(*parents)):
        for column in range(columns_of(model, parents)):
            index = model.index(row, column, *parents)
            yield index
            if QAbstractItemModel.hasChildren(model, index):  # tables keep theirs to themselves
                yield from cells(model, index)


def columns_of(model, parents):
    """How many columns there are; Qt keeps to itself that a list has one."""
    return 1 if isinstance(model, QAbstractListModel) else model.columnCount(*parents)


def roles_of(model):
    """Every answer of a model: of its cells, then of its titles."""
    for index in cells(model):
        for role in ROLES:
            yield (index.row(), index.column(), role), model.data(index, role)
    for orientation in Qt.Orientation:
        for section in range(columns_of(model, ())):
            for role in ROLES:
                yield (orientation, section, role), model.headerData(section, orientation, role)


def strangers(model):
    """Answers that are neither Python's nor Qt's: Qt refuses some of them, or crashes."""
    return [
        (*value_path, type(value))
        for value_path, value in roles_of(model)
        if type(value).__name__ not in PLAIN_TYPES
        and not type(value).__module__.startswith("PySide6.")
    ]


def read_actions(menu):
    """What every entry says, those of menus below too; rest on those that are shown."""
    for action in menu.actions():
        for text in (action.text(), action.toolTip(), action.statusTip(), action.whatsThis()):
            assert isinstance(text, str)
        assert action.isSeparator() or action.text()
        rest_on(menu, menu.actionGeometry(action).center())
        if action.menu() is not None:
            read_actions(action.menu())


def mouse(plot, kind, place, *, held=False, button=Qt.MouseButton.LeftButton):
    """A mouse over a plot of the curve, at a resemblance and a probability."""
    none = Qt.MouseButton.NoButton
    where = plot.scale.point(*place)
    changed = none if kind is QEvent.Type.MouseMove else button
    down = button if held else none
    QApplication.sendEvent(
        plot,
        QMouseEvent(
            kind, where, plot.mapToGlobal(where), changed, down, Qt.KeyboardModifier.NoModifier
        ),
    )


def drag(plot, start, end):
    """Press, move in steps and let go, as a hand does."""
    mouse(plot, QEvent.Type.MouseButtonPress, start, held=True)
    for share in np.linspace(0, 1, 20):
        place = tuple((1 - share) * a + share * b for a, b in zip(start, end, strict=True))
        mouse(plot, QEvent.Type.MouseMove, place, held=True)
    mouse(plot, QEvent.Type.MouseButtonRelease, end)
