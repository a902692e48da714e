"""The tool bar, made from the actions, with the search field at its end."""

from __future__ import annotations

from PySide6.QtCore import QEvent
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QToolBar, QWidget

from neardup_gui.views.widgets.tool_button import ToolButton
from neardup_gui.window.actions import Action
from neardup_gui.window.qt_actions import Actions

AIR = 8  # between two widgets, at most
FIRST = 1  # group, whose buttons are there in the narrowest window


class ToolBar(QToolBar):
    """One row of buttons; Cancel is there while there is something to cancel.

    Where there is little room the keys are left out, and then all groups but the first: the search
    field is always in sight. The menus have every action.
    """

    def __init__(self, actions: Actions, search_field: QWidget) -> None:
        super().__init__("Tool bar")
        self.setObjectName("tool_bar")
        self.setMovable(False)
        self.toggleViewAction().setEnabled(False)
        self._buttons: list[ToolButton] = []
        self._others: list[QAction] = []  # the places of what is not in the first group
        self._search_field = search_field
        self._words: list[str] = []  # on the buttons
        group = FIRST
        for name in sorted(Action, key=lambda name: name.value.tool_group):
            if name.value.tool_group == 0:
                continue
            if name.value.tool_group != group:
                group = name.value.tool_group
                self._others.append(self.addSeparator())
            button = ToolButton(actions[name])
            actions[name].changed.connect(self._on_changed)
            place = self.addWidget(button)
            self._buttons.append(button)
            if group != FIRST:
                self._others.append(place)
            if name is Action.CANCEL:
                actions[name].enabledChanged.connect(place.setVisible)
        space = QWidget()
        space.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.addWidget(space)
        self.addWidget(search_field)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave out what there is no room for."""
        super().resizeEvent(event)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:
        """Larger text needs more room."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._fit()

    def _on_changed(self) -> None:
        """Another name needs another width; what can be used changes many times a second."""
        words = [button.defaultAction().iconText() for button in self._buttons]
        if words != self._words:
            self._words = words
            self._fit()

    def _fit(self) -> None:
        for keys, others in ((True, True), (False, True), (False, False)):
            for button in self._buttons:
                button.show_key(keys)
            shown = self._buttons if others else self._buttons[: self._count_of_first()]
            wanted = sum(button.sizeHint().width() + AIR for button in shown)
            if wanted + self._search_field.minimumSizeHint().width() + 4 * AIR <= self.width():
                break
        for place in self._others:
            place.setVisible(others)

    def _count_of_first(self) -> int:
        own = {self.widgetForAction(place) for place in self._others}
        return sum(button not in own for button in self._buttons)
