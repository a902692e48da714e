"""What the parts of a window share: its widgets, and the presenter behind them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QObject, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QApplication, QMenu, QMenuBar, QWidget
from shiboken6 import isValid

from neardup_gui.environment.preferences import Preferences
from neardup_gui.presenter.presenter import Presenter
from neardup_gui.views.compare.view import ComparePane
from neardup_gui.views.shell.message_bar import MessageBar, has_focus
from neardup_gui.views.widgets.controls import SearchField
from neardup_gui.window.pages import Pages
from neardup_gui.window.side_panels import SidePanels


@dataclass(frozen=True)
class Shared:
    """The window, and what every part of it may need."""

    window: QWidget
    presenter: Presenter
    preferences: Preferences
    pages: Pages
    side_panels: SidePanels
    compare_pane: ComparePane
    search_field: SearchField
    message_bar: MessageBar


class KeptKeys(QObject):
    """Keeps fields from using keys that belong to actions, as they do on some systems."""

    def __init__(
        self, keys: Sequence[QKeySequence], fields: Sequence[type[QWidget]], parent: QObject
    ) -> None:
        super().__init__(parent)
        self._keys, self._fields = keys, fields

    def listen(self, container: QWidget) -> None:
        """Keep them from all fields within a widget."""
        for kind in self._fields:
            for field in container.findChildren(kind):
                field.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Leave them to the actions."""
        if (
            isinstance(event, QKeyEvent)
            and event.type() == QEvent.Type.ShortcutOverride
            and QKeySequence(event.keyCombination()) in self._keys
        ):
            event.ignore()
            return True
        return super().eventFilter(watched, event)


class Part(QObject):
    """Does one kind of thing in a window, and knows no other part that is not handed to it."""

    def __init__(self, shared: Shared) -> None:
        super().__init__(shared.window)
        self._shared = shared
        self._window = shared.window
        self._presenter = shared.presenter
        self._preferences = shared.preferences
        self._pages = shared.pages
        self._side_panels = shared.side_panels
        self._compare_pane = shared.compare_pane


class Focus(Part):
    """Knows which panes have the focus; a menu that is opened by keys takes it from none.

    Signals:
        moved: It is elsewhere.
    """

    moved = Signal()

    def __init__(self, shared: Shared) -> None:
        super().__init__(shared)
        holders = self._compare_pane.document.holders.rows
        self._panes = (self._side_panels.threshold, self._compare_pane, holders)
        self._focused: list[QWidget] = []
        QApplication.instance().focusChanged.connect(self._on_changed)  # type: ignore[union-attr]

    def is_in(self, pane: QWidget) -> bool:
        """Whether the panel of the threshold, the texts or the list beside a document has it."""
        return pane in self._focused

    def _on_changed(self, _before: QWidget | None, now: QWidget | None) -> None:
        if isinstance(now, (QMenuBar, QMenu)):
            return
        if isValid(self._pages.tabs):  # a window that is deleted loses the focus last
            self._focused = [pane for pane in self._panes if has_focus(pane)]
            self.moved.emit()
