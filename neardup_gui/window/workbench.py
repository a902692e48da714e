"""The page of the curve in its window: how it is opened, and where its numbers come from."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from neardup_gui.environment.preferences import Preferences
from neardup_gui.models.workbench.sheet_words import sheet_words
from neardup_gui.presenter.presenter import Presenter
from neardup_gui.window.files import Files
from neardup_gui.window.layout import WindowLayout
from neardup_gui.window.list_audit import ListAudit
from neardup_gui.window.navigation import Navigation
from neardup_gui.window.pages import Pages
from neardup_gui.window.pair_choice import PairChoice
from neardup_gui.window.settings_choice import SettingsChoice
from neardup_gui.window.settings_sharing import SettingsSharing
from neardup_gui.window.side_panels import SidePanels


class Workbench(QObject):
    """Opens the page and gives it the height of the window.

    Attributes:
        sharing: The settings, for other places.
    """

    def __init__(
        self,
        presenter: Presenter,
        pages: Pages,
        side_panels: SidePanels,
        layout: WindowLayout,
        navigation: Navigation,
        files: Files,
        preferences: Preferences,
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._presenter = presenter
        self._pages = pages
        self._side_panels = side_panels
        self._files = files
        self.sharing = SettingsSharing(presenter, side_panels, preferences, window)
        self._layout = layout
        pages.tabs.currentChanged.connect(self._on_tab_changed)
        side_panels.threshold.large_wanted.connect(navigation.go_to_curve)
        presenter.workbench.plane.told.connect(side_panels.model.set_plane)
        pages.curve.below.currentChanged.connect(self._on_tab_changed)
        buckets = presenter.workbench.buckets
        buckets.told.connect(pages.curve.buckets.show_numbers)
        buckets.began.connect(pages.curve.buckets.show_counting)
        ListAudit(pages.curve, side_panels.model, presenter, navigation, self)
        presenter.workbench.lengths.told.connect(pages.curve.passages.show_lengths)
        SettingsChoice(pages.curve.settings, side_panels, presenter, files, self)
        PairChoice(pages.curve, side_panels.model, presenter, navigation, self)

    def picture(self, *, drawn: bool) -> bytes:
        """The curve that is in front, as SVG or PNG: the large one with its words, or the small."""
        panels, page = self._side_panels, self._pages.curve
        if self._pages.tabs.currentWidget() is not page:
            return panels.threshold.picture(drawn=drawn)
        words = sheet_words(self._files.subject, panels.model, panels.setup.settings)
        return page.large.picture(words, drawn=drawn)

    def _on_tab_changed(self) -> None:
        is_open = self._pages.tabs.currentWidget() is self._pages.curve
        self._layout.give_room(is_open)
        if is_open:
            self._presenter.workbench.plane.open()
            self._presenter.workbench.audit.open()
        page, sessions = self._pages.curve, self._presenter.workbench
        seen = page.below.currentWidget() if is_open else None
        sessions.buckets.set_open(seen is page.buckets)
        sessions.lengths.set_open(seen is page.passages)
