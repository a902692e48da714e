"""The menu of what the keyboard is on, where no key of the system asks for it."""

from __future__ import annotations

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QApplication


def open_context_menu() -> None:
    """Open the menu of the widget that has the focus, at its cursor or its current row."""
    widget = QApplication.focusWidget()
    if widget is None:
        return
    cursor = widget.inputMethodQuery(Qt.InputMethodQuery.ImCursorRectangle)
    place = cursor if isinstance(cursor, QRect) and cursor.isValid() else widget.rect()
    point = place.center()
    reason = QContextMenuEvent.Reason.Keyboard
    event = QContextMenuEvent(reason, point, widget.mapToGlobal(point))
    QApplication.sendEvent(widget, event)
