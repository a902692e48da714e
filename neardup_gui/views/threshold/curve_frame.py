"""The place of the curve: empty until the plotting package is loaded, then with a plot in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from neardup_gui.environment.theme import on_paper
from neardup_gui.models.threshold.state import FolderPairs, ThresholdState
from neardup_gui.models.threshold.words import place_words

if TYPE_CHECKING:
    from neardup_gui.models.threshold.judged_so_far import Steps
    from neardup_gui.views.threshold.plot import CurvePlot

__all__ = ["CurveFrame"]

HEIGHT = 200
PICTURE = QSize(720, 420)  # of the curve where it stands alone


class CurveFrame(QWidget):
    """Keeps what the plot shows, for when it is there and for pictures of it.

    Signals:
        threshold_dragged: The resemblance that the line was dragged to.
    """

    threshold_dragged = Signal(float)

    def __init__(self, state: ThresholdState) -> None:
        super().__init__()
        self.plot: CurvePlot | None = None
        self._state = state
        self._description = ""
        self._pinned: ThresholdState | None = None
        self._folder: FolderPairs | None = None
        self._logarithmic = True
        self._confirmed: Steps | None = None
        self.setFixedHeight(HEIGHT)
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)

    def draw(self) -> None:
        """Put the plot into its place; to be called when the plotting package is loaded."""
        if self.plot is None:
            self.plot = self._new_plot(self)
            self.plot.threshold_dragged.connect(self.threshold_dragged)
            self._layout.addWidget(self.plot)
            self._fill(self.plot)

    def show_state(self, state: ThresholdState, description: str) -> None:
        """Show a curve, and say what it shows."""
        self._state, self._description = state, description
        if self.plot:
            self._draw_state(self.plot)

    def show_folder(self, folder: FolderPairs | None, *, logarithmic: bool) -> None:
        """Show the pairs of a folder behind the curve, or none."""
        self._folder, self._logarithmic = folder, logarithmic
        if self.plot:
            self._draw_bars(self.plot)

    def pin(self, state: ThresholdState | None) -> None:
        """Keep a curve, dashed, to compare others with it; or none."""
        self._pinned = state
        self.draw()
        if self.plot:
            self.plot.pin(state)

    def show_confirmed(self, steps: Steps | None) -> None:
        """Show how likely a pair is confirmed, or nothing."""
        self._confirmed = steps
        if self.plot:
            self.plot.show_confirmed(steps)

    def picture(self, title: str, *, drawn: bool) -> bytes:
        """The curve for paper and screen: made of lines, as SVG, or of pixels, as PNG.

        It has the same size however narrow the panel is, and the colours of paper.
        """
        with on_paper():
            plot = self._new_plot(None)
            plot.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen)
            plot.resize(PICTURE)
            plot.entitle(title, "pairs found")
            self._fill(plot)
            plot.show()  # without it nothing is laid out
            picture = plot.picture(drawn=drawn)
            plot.close()
            plot.deleteLater()
            return picture

    def _fill(self, plot: CurvePlot) -> None:
        plot.pin(self._pinned)
        plot.show_confirmed(self._confirmed)
        self._draw_bars(plot)
        self._draw_state(plot)

    def _draw_bars(self, plot: CurvePlot) -> None:
        bars = self._folder.bars if self._folder else None
        plot.show_bars(bars, logarithmic=self._logarithmic)

    def _draw_state(self, plot: CurvePlot) -> None:
        plot.show_state(self._state)
        plot.describe(self._description)

    def _new_plot(self, parent: QWidget | None) -> CurvePlot:
        from neardup_gui.views.threshold.plot import CurvePlot  # noqa: PLC0415 - half a second

        return CurvePlot(self._hint_at, parent)

    def _hint_at(self, resemblance: float) -> str:
        return place_words(self._state, self._folder, resemblance)
