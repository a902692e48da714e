"""The tool bar, made from the actions, with the search field at its end."""

from __future__ import annotations

from PySide6.QtWidgets import QSizePolicy, QToolBar, QWidget

from neardup_gui.views.widgets.tool_button import ToolButton
from neardup_gui.window.actions import Action
from neardup_gui.window.qt_actions import Actions

__all__ = ["ToolBar"]


class ToolBar(QToolBar):
    """One row of buttons; Cancel is there while there is something to cancel."""

    def __init__(self, actions: Actions, search_field: QWidget) -> None:
        super().__init__("Tool bar")
        self.setObjectName("tool_bar")
        self.setMovable(False)
        self.toggleViewAction().setEnabled(False)
        group = 1
        for name in sorted(Action, key=lambda name: name.value.tool_group):
            if name.value.tool_group == 0:
                continue
            if name.value.tool_group != group:
                group = name.value.tool_group
                self.addSeparator()
            place = self.addWidget(ToolButton(actions[name]))
            if name is Action.CANCEL:
                actions[name].enabledChanged.connect(place.setVisible)
        space = QWidget()
        space.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.addWidget(space)
        self.addWidget(search_field)
