"""The page of the curve in its window: how it is opened, and where its numbers come from."""

from __future__ import annotations

from PySide6.QtCore import QObject

from neardup_gui.window.layout import WindowLayout
from neardup_gui.window.navigation import Navigation
from neardup_gui.window.pages import Pages
from neardup_gui.window.side_panels import SidePanels

__all__ = ["Workbench"]


class Workbench(QObject):
    """Opens the page and gives it the height of the window."""

    def __init__(
        self,
        pages: Pages,
        side_panels: SidePanels,
        layout: WindowLayout,
        navigation: Navigation,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._pages = pages
        self._layout = layout
        pages.tabs.currentChanged.connect(self._on_tab_changed)
        side_panels.threshold.large_wanted.connect(navigation.go_to_curve)

    def _on_tab_changed(self) -> None:
        self._layout.give_room(self._pages.tabs.currentWidget() is self._pages.curve)
