"""A plot of the curve that shows what a model holds."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QVBoxLayout, QWidget

from neardup_gui.environment.theme import on_paper
from neardup_gui.models.threshold.model import ThresholdModel
from neardup_gui.models.threshold.words import place_words
from neardup_gui.views.threshold.picture import Picture, picture_of
from neardup_gui.views.threshold.plot import CurvePlot

PICTURE = QSize(720, 420)  # of the curve where it stands alone


class CurveFrame(QWidget):
    """The curve in the panel; makes pictures of it."""

    def __init__(self, model: ThresholdModel) -> None:
        super().__init__()
        self._model = model
        self.plot = CurvePlot(self._hint_at, self)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.plot)
        self.plot.threshold_dragged.connect(model.change_floor)
        follow(self.plot, model)

    def describe(self, text: str) -> None:
        """Say in words what the picture shows, for those who cannot see it."""
        self.plot.describe(text)

    def picture(self, title: str, *, drawn: bool) -> bytes:
        """The curve for paper and screen: made of lines, as SVG, or of pixels, as PNG.

        It has the same size however narrow the panel is, and the colours of paper.
        """
        with on_paper():
            plot = CurvePlot(self._hint_at)
            plot.setFont(self.font())
            plot.resize(PICTURE)
            plot.entitle(title, "pairs found")
            show(plot, self._model)
            told = self.plot.accessibleDescription()
            picture = Picture(plot.draw, PICTURE, plot.accessibleName(), told)
            plot.deleteLater()
            return picture_of(picture, drawn=drawn)

    def _hint_at(self, resemblance: float) -> str:
        return place_words(self._model.state, self._model.folder, resemblance)


def follow(plot: CurvePlot, model: ThresholdModel) -> None:
    """Let a plot show what a model holds, now and whenever it changes; both live equally long."""
    model.changed.connect(partial(_show_state, plot, model))
    model.folder_changed.connect(partial(_show_bars, plot, model))
    plot.range_changed.connect(partial(_show_bars, plot, model))
    model.kept_changed.connect(partial(_show_kept, plot, model))
    model.judged_changed.connect(lambda: plot.show_others(confirmed=model.judged.steps))
    model.audit_changed.connect(lambda: plot.show_others(points=model.audit_points))
    model.pair_changed.connect(lambda: plot.show_others(pair=model.pair_at_hand))
    show(plot, model)


def show(plot: CurvePlot, model: ThresholdModel) -> None:
    """Let a plot show what a model holds now."""
    plot.show_others(
        confirmed=model.judged.steps, points=model.audit_points, pair=model.pair_at_hand
    )
    _show_bars(plot, model)
    _show_kept(plot, model)
    _show_state(plot, model)


def _show_state(plot: CurvePlot, model: ThresholdModel) -> None:
    if plot.data.beside != model.other_beside:
        _show_kept(plot, model)
    plot.show_state(model.state)


def _show_kept(plot: CurvePlot, model: ThresholdModel) -> None:
    plot.show_others(kept=model.kept, beside=model.other_beside)


def _show_bars(plot: CurvePlot, model: ThresholdModel) -> None:
    folder = model.folder
    bars = None if folder is None else folder.fine_bars if plot.is_close else folder.bars
    where = "" if folder is None else folder.where
    plot.show_others(bars=bars, where=where, logarithmic=model.logarithmic)
