"""Joins the pair of the curve's page to the table of pairs and to the names of documents."""

from __future__ import annotations

from PySide6.QtCore import QObject

from neardup_gui.models.threshold.model import ThresholdModel
from neardup_gui.presenter.presenter import Presenter
from neardup_gui.views.workbench.page import WorkbenchPage
from neardup_gui.window.navigation import Navigation


class PairChoice(QObject):
    """The pair at hand is the one that is read, or two documents that were named."""

    def __init__(
        self,
        curve: WorkbenchPage,
        threshold: ThresholdModel,
        presenter: Presenter,
        navigation: Navigation,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._page, self._navigation = curve.pair, navigation
        self._session = session = presenter.workbench.signatures
        presenter.pair.opened.connect(session.take_opened)
        session.at_hand.connect(threshold.set_pair_at_hand)
        session.named.connect(self._page.show_names)
        session.told.connect(self._page.show_pair)
        self._page.looked.connect(session.set_open)
        self._page.documents_chosen.connect(self._on_documents_chosen)
        self._page.stepped.connect(self._on_stepped)
        self._page.presets = curve.settings.model.presets
        for field in self._page.fields:
            field.names_like = session.names_like

    def _on_documents_chosen(self, a: str, b: str) -> None:
        self._page.refuse(self._session.choose(a, b))

    def _on_stepped(self, rows: int) -> None:
        if rows > 0:
            self._navigation.next_pair()
        else:
            self._navigation.previous_pair()
