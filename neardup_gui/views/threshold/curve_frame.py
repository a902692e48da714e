"""The place of the curve: empty until the plotting package is loaded, then with a plot in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from neardup_gui.environment.theme import on_paper
from neardup_gui.models.threshold.model import ThresholdModel
from neardup_gui.models.threshold.words import place_words

if TYPE_CHECKING:
    from neardup_gui.views.threshold.plot import CurvePlot

__all__ = ["CurveFrame"]

PICTURE = QSize(720, 420)  # of the curve where it stands alone


class CurveFrame(QWidget):
    """Shows what a model holds, as soon as the plot is there, and makes pictures of it."""

    def __init__(self, model: ThresholdModel) -> None:
        super().__init__()
        self.plot: CurvePlot | None = None
        self._model = model
        self._description = ""
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        model.changed.connect(self._show_state)
        model.folder_changed.connect(self._show_folder)
        model.kept_changed.connect(self._show_kept)
        model.judged_changed.connect(self._show_judged)

    def draw(self) -> None:
        """Put the plot into its place; to be called when the plotting package is loaded."""
        if self.plot is None:
            self.plot = self._new_plot(self)
            self.plot.threshold_dragged.connect(self._model.change_floor)
            self._layout.addWidget(self.plot)
            self._fill(self.plot)

    def describe(self, text: str) -> None:
        """Say in words what the picture shows, for those who cannot see it."""
        self._description = text
        if self.plot:
            self.plot.describe(text)

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

    def _show_state(self) -> None:
        if self.plot:
            self.plot.show_state(self._model.state)

    def _show_folder(self) -> None:
        if self.plot:
            self._draw_bars(self.plot)

    def _show_kept(self) -> None:
        if self.plot:
            self.plot.show_kept(self._model.kept, self._model.other_beside)

    def _show_judged(self) -> None:
        if self.plot:
            self.plot.show_confirmed(self._model.judged.steps)

    def _fill(self, plot: CurvePlot) -> None:
        plot.show_kept(self._model.kept, self._model.other_beside)
        plot.show_confirmed(self._model.judged.steps)
        self._draw_bars(plot)
        plot.show_state(self._model.state)
        plot.describe(self._description)

    def _draw_bars(self, plot: CurvePlot) -> None:
        folder = self._model.folder
        plot.show_bars(folder.bars if folder else None, logarithmic=self._model.logarithmic)

    def _new_plot(self, parent: QWidget | None) -> CurvePlot:
        from neardup_gui.views.threshold.plot import CurvePlot  # noqa: PLC0415 - half a second

        return CurvePlot(self._hint_at, parent)

    def _hint_at(self, resemblance: float) -> str:
        return place_words(self._model.state, self._model.folder, resemblance)
