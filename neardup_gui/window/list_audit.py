"""The page where the list is tested: what its buttons do, what it and the curve show."""

from __future__ import annotations

from PySide6.QtCore import QObject, Slot

from neardup_gui.models.scan_result import ListedPair
from neardup_gui.models.threshold.model import ThresholdModel
from neardup_gui.presenter.audit_session import AuditTold
from neardup_gui.presenter.presenter import Presenter
from neardup_gui.views.workbench.page import WorkbenchPage
from neardup_gui.window.navigation import Navigation


class ListAudit(QObject):
    """Joins the page to the session, and what was measured to the curve."""

    def __init__(
        self,
        page: WorkbenchPage,
        threshold: ThresholdModel,
        presenter: Presenter,
        navigation: Navigation,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._view = page.audit
        self._threshold = threshold
        self._presenter = presenter
        self._navigation = navigation
        session = presenter.workbench.audit
        self._view.prove_clicked.connect(session.prove)
        self._view.plant_clicked.connect(session.plant)
        self._view.cancel_clicked.connect(session.cancel)
        self._view.pair_opened.connect(self._on_pair_opened)
        session.progressed.connect(self._view.show_progress)
        session.told.connect(self._on_told)

    @Slot(object)
    def _on_told(self, told: AuditTold) -> None:
        self._view.show_told(told.offer, told.shown, is_kept=told.is_kept)
        self._threshold.set_audit_points(told.shown.points if told.shown else ())

    @Slot(object)
    def _on_pair_opened(self, pair: ListedPair) -> None:
        """Read a pair that is not listed, where pairs are read."""
        self._navigation.go_to_table()
        self._presenter.pair.open_documents(pair)
        self._navigation.read_pair()
