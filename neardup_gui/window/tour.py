"""Opens the guided tour, with the text that is at hand."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from core.base.assets import resource
from neardup_gui.views.widgets.containers import bring_forward
from neardup_gui.window.parts import Part, Shared

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QAction

    from neardup_gui.models.compare.comparison import Comparison
    from neardup_gui.models.tour.steps import Excerpt, TourState
    from neardup_gui.presenter.tour_session import TourSession
    from neardup_gui.views.tour.page import StepPage, TourWindow
    from neardup_gui.window.help import Help


class Tour(Part):
    """Makes its window and its session when the tour is first asked for."""

    def __init__(self, shared: Shared, text_sizes: Sequence[QAction], explanations: Help) -> None:
        super().__init__(shared)
        presenter, self._view = shared.presenter, shared.compare_pane.view
        self._text_sizes = text_sizes
        self._comparison: Comparison | None = None
        self._made: tuple[TourWindow, TourSession] | None = None
        explanations.tour_wanted.connect(self.open)
        shared.pages.start.tour.clicked.connect(self.open)
        shared.side_panels.setup.length.clicked.connect(self.explain_length)
        presenter.pair.compared.connect(self._on_compared)
        presenter.pair.failed.connect(self._forget)
        presenter.folders_opened.connect(self._forget)

    def open(self) -> None:
        """Show the tour from its beginning, or where it was left."""
        from neardup_gui.models.tour.steps import TourState

        if self._made is None:
            self._begin(TourState())
        self._bring_forward()

    def explain_length(self) -> None:
        """Show what k does to the text at hand, with the settings chosen."""
        from neardup_gui.models.tour.steps import Step, TourState

        shown = self._begin(TourState.of(self._side_panels.setup.settings, self._excerpt()))
        shown.go_to(Step.SHINGLES)
        self._bring_forward()

    def _begin(self, state: TourState) -> TourWindow:
        self._made = self._made or self._make()
        shown, session = self._made
        session.begin(state)
        return shown

    def _make(self) -> tuple[TourWindow, TourSession]:
        from neardup_gui.presenter.tour_session import TourSession
        from neardup_gui.views.tour.page import TourWindow

        shown = TourWindow(self._window)
        session = TourSession(self._presenter.tasks, resource("sample"), self)
        shown.addActions(self._text_sizes)
        shown.step_opened.connect(session.open_step)
        shown.page_made.connect(partial(_connect, session))
        session.changed.connect(shown.show_state)
        session.computed.connect(shown.show_shown)
        session.failed.connect(shown.show_problem)
        session.unexpected_error.connect(self._presenter.unexpected_error)
        return shown, session

    def _excerpt(self) -> Excerpt:
        """What is selected in the texts, else the document that is read."""
        from neardup_gui.models.tour.steps import Excerpt

        if words := self._view.selected_words:
            return Excerpt(text=words)
        if self._comparison is None:
            return Excerpt()
        side = self._comparison.sides[0]
        return Excerpt(side.name, document=side.text.source)

    def _on_compared(self, comparison: Comparison) -> None:
        self._comparison = comparison

    def _forget(self) -> None:
        self._comparison = None

    def _bring_forward(self) -> None:
        if self._made is not None:
            bring_forward(self._made[0])


def _connect(session: TourSession, page: StepPage) -> None:
    page.knobs.moved.connect(session.move)
    page.knobs.unit_chosen.connect(session.choose_unit)
    page.knobs.text.textEdited.connect(session.type_text)
