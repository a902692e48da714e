"""Rests the mouse on everything a window shows, and reads what a screen reader would."""

from PySide6.QtCore import QAbstractItemModel, QAbstractListModel, QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QAccessible, QHelpEvent, QMouseEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QComboBox,
    QHeaderView,
    QMenu,
    QMenuBar,
    QTabBar,
    QToolTip,
    QWidget,
)
from shiboken6 import isValid

ROLES = [*range(16), *range(256, 276)]  # those of Qt, and those of ours
TEXTS = (
    QAccessible.Text.Name,
    QAccessible.Text.Description,
    QAccessible.Text.Value,
    QAccessible.Text.Help,
    QAccessible.Text.Accelerator,
)
STEPS = 4  # places across a widget and down it
MOST_CELLS = 60  # of a table, told to a screen reader
# Of Python and of Qt, and ours that Qt only hands on.
OWN = ("str", "int", "float", "bool", "NoneType", "SortOrder", "Thumbnail")


def widgets_of(window):
    """A window and all that can be seen in it."""
    return [window, *(one for one in window.findChildren(QWidget) if one.isVisible())]


def hover(window):
    """Rest on everything; the number of widgets."""
    widgets = widgets_of(window)
    for widget in widgets:
        if not isValid(widget):  # a menu that another one closed
            continue
        for place in places(widget):
            rest_on(widget, place)
        for kind in (QEvent.Type.Enter, QEvent.Type.Leave):
            QApplication.sendEvent(widget, QEvent(kind))
        listen(widget)
        if isinstance(widget, QAbstractItemView) and not isinstance(widget, QHeaderView):
            read_cells(widget)
        if isinstance(widget, QComboBox):
            assert strangers(widget.model()) == []
        if isinstance(widget, QMenuBar | QMenu):
            read_actions(widget)
    QApplication.processEvents()
    return len(widgets)


def places(widget):
    """Where the mouse rests: in a grid, and on every tab and title."""
    size = widget.size()
    for across in range(STEPS):
        for down in range(STEPS):
            yield QPoint(
                round((across + 0.5) * size.width() / STEPS),
                round((down + 0.5) * size.height() / STEPS),
            )
    if isinstance(widget, QTabBar):
        yield from (widget.tabRect(number).center() for number in range(widget.count()))


def rest_on(widget, place):
    """Move there and stay; what is shown then."""
    QToolTip.showText(QPoint(), "")
    there = widget.mapToGlobal(place)
    none = Qt.MouseButton.NoButton
    moved = QMouseEvent(
        QEvent.Type.MouseMove, QPointF(place), QPointF(there), none, none,
        Qt.KeyboardModifier.NoModifier,
    )  # fmt: skip
    QApplication.sendEvent(widget, moved)
    for kind in (QEvent.Type.ToolTip, QEvent.Type.QueryWhatsThis):
        QApplication.sendEvent(widget, QHelpEvent(kind, place, there))
    return QToolTip.text()


def listen(widget):
    """Ask what a screen reader asks, of a widget and of the first of its parts."""
    told = QAccessible.queryAccessibleInterface(widget)
    assert told is not None, widget
    for one in [told, *(told.child(n) for n in range(min(told.childCount(), MOST_CELLS)))]:
        if one is not None and one.isValid():
            for text in TEXTS:
                one.text(text)
            one.role()
            one.state()
            one.rect()
    for text in (widget.toolTip(), widget.whatsThis(), widget.statusTip()):
        assert isinstance(text, str)


def read_cells(view):
    """Every role of every cell and title; rest on every cell."""
    model = view.model()
    if model is None:
        return
    assert strangers(model) == []
    for index in cells(model):
        view.scrollTo(index)
        place = view.visualRect(index).center()
        if view.viewport().rect().contains(place):
            rest_on(view.viewport(), place)


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
        (*place, type(value))
        for place, value in roles_of(model)
        if type(value).__name__ not in OWN and not type(value).__module__.startswith("PySide6.")
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
