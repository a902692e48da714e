"""Leads what is set aside from the setup and the texts to the decisions, and shows it there."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction

from neardup_gui.models.setup import whole_words
from neardup_gui.presenter.document_session import AsideSession
from neardup_gui.presenter.presenter import Presenter
from neardup_gui.views.compare.view import CompareView
from neardup_gui.views.setup.reading_panel import AsidePanel
from neardup_gui.views.shell.message_bar import MessageBar


class SettingAside(QObject):
    """Connects the section of the setup, the selection in the texts, and the decisions."""

    def __init__(
        self,
        presenter: Presenter,
        panel: AsidePanel,
        view: CompareView,
        bar: MessageBar,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._view = view
        self._session = session = AsideSession(presenter.current, presenter.decisions, self)
        session.changed.connect(panel.show_state)
        session.said.connect(bar.show_message)
        panel.rule_changed.connect(session.set_rule)
        panel.chosen_dropped.connect(session.count_chosen)
        presenter.listed.connect(session.take)
        presenter.folders_opened.connect(session.forget)

    def offer(self, action: QAction) -> None:
        """Put the action into the menus of the texts."""
        for pane in self._view.panes:
            pane.addAction(action)

    def set_selection_aside(self) -> None:
        """Set what is selected in the texts aside, wherever it stands."""
        pane = self._view.selected_pane
        selected = pane.selection() if pane else None
        text = ""
        if selected is not None:
            side, start, end = selected
            text = whole_words(side.text.source, start, end)
        self._session.set_aside(text)
