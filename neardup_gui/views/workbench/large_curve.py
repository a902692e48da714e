"""The curve as large as there is room, and beside it what it means."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from core.reports.curve.forecast_words import forecast
from neardup_gui.environment.theme import on_paper
from neardup_gui.models.threshold.model import ThresholdModel
from neardup_gui.models.threshold.words import (
    beside_words,
    curve_words,
    marks_words,
    wish_words,
)
from neardup_gui.models.workbench.sheet_words import SheetWords
from neardup_gui.views.threshold.curve_frame import show
from neardup_gui.views.threshold.forecast_box import ForecastBox
from neardup_gui.views.threshold.picture import picture_of
from neardup_gui.views.threshold.plot import CurvePlot
from neardup_gui.views.widgets.controls import Caption
from neardup_gui.views.widgets.scrolled import Scrolled
from neardup_gui.views.workbench.curve_sheet import PLOT, sheet
from neardup_gui.views.workbench.large_controls import LargeControls
from neardup_gui.views.workbench.large_plot import LargePlot

SIDE = 15
NARROW = 640  # logical pixels; less has no room for words beside the curve
WORDS = 250
LEAST = (380, 240)
KEYS = (
    "Keys in the curve: ← → threshold, ↑ ↓ r, Shift+↑ ↓ b, Page ↑ ↓ threshold by 0.1. Wheel: "
    "threshold; with Shift r, with Ctrl zoom. The squares are the two wishes; drag them."
)
BIT_KEYS = (
    "Keys in the curve: ← → threshold, ↑ ↓ d, Page ↑ ↓ threshold by 0.1. Wheel: threshold; with "
    "Shift d, with Ctrl zoom."
)
POINT = "Point at the curve to read it."


class LargeCurve(QWidget):
    """Draws the threshold of a model, and changes it."""

    def __init__(self, model: ThresholdModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self.plot = LargePlot(model)
        self.controls = LargeControls(model, self.plot)
        self.forecast = ForecastBox()
        self.reading, self._marks, self._answer, self._keys = (Caption() for _ in range(4))
        self._beside = Caption()
        self._words = Scrolled(self._column())
        self._lay_out()
        self.plot.pointed.connect(lambda words: self.reading.setText(words or POINT))
        self.reading.setText(POINT)
        model.words_changed.connect(self._on_words_changed)
        model.folder_changed.connect(self._on_words_changed)
        model.wishes_changed.connect(self._show_answer)
        model.pair_changed.connect(self._show_beside)
        model.audit_changed.connect(self._show_beside)
        self._show_state()
        self._show_answer()

    @property
    def entry(self) -> QWidget:
        """Where the keyboard enters."""
        return self.plot

    def picture(self, words: SheetWords, *, drawn: bool) -> bytes:
        """What is in sight with its words, as SVG or PNG, in the colours of paper."""
        with on_paper():
            plot = CurvePlot(lambda _resemblance: "", counted=True)
            plot.setFont(self.font())
            plot.resize(PLOT)
            plot.entitle(words.caption, "pairs found")
            plot.show_range(self.plot.scale.low, self.plot.scale.high)
            show(plot, self._model)
            made = picture_of(sheet(plot, words, self.font()), drawn=drawn)
            plot.deleteLater()
            return made

    def showEvent(self, event: QShowEvent) -> None:
        """Say what is chosen by now: words that nobody sees are not laid out."""
        super().showEvent(event)
        self._show_state()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The words need room beside the curve; where there is none, the panel says them."""
        super().resizeEvent(event)
        narrow = event.size().width() < NARROW
        self._words.setHidden(narrow)
        self.controls.set_narrow(narrow)

    def _column(self) -> QWidget:
        column = QWidget()
        layout = QVBoxLayout(column)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        column.setMinimumWidth(WORDS)
        for words in (self.forecast, self._marks, self._answer, self._beside, self._keys):
            layout.addWidget(words)
        layout.addStretch(1)
        return column

    def _lay_out(self) -> None:
        middle = QHBoxLayout()
        middle.setSpacing(SIDE)
        middle.addWidget(self.plot, 1)
        middle.addWidget(self._words)
        column = QVBoxLayout(self)
        column.setContentsMargins(SIDE, 10, SIDE, 4)
        column.setSpacing(6)
        column.addWidget(self.controls)
        column.addLayout(middle, 1)
        column.addWidget(self.reading)
        self.reading.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        # Said here, as the words that give way where it is narrow would else keep it wide.
        self.setMinimumSize(*LEAST)
        self._words.setFixedWidth(WORDS + self._words.verticalScrollBar().sizeHint().width())

    def _on_words_changed(self) -> None:
        if self.isVisible():
            self._show_state()

    def _show_state(self) -> None:
        state = self._model.state
        words = forecast(state, self._model.folder)
        self.forecast.show_forecast(words)
        self._marks.setText(marks_words(state))
        self._keys.setText(KEYS if state.distance is None else BIT_KEYS)
        self._show_beside()

    def _show_answer(self) -> None:
        model = self._model
        words = wish_words(model.wishes, model.answer, model.state.signature_size)
        self._answer.setText(words)
        self._answer.setVisible(bool(words))

    def _show_beside(self) -> None:
        model = self._model
        beside = beside_words(model.state, model.pair_at_hand, model.audit_points)
        self._beside.setText(beside)
        self._beside.setVisible(bool(beside))
        told = self.forecast.accessibleDescription()
        self.plot.describe(" ".join(filter(None, (curve_words(model.state), told, beside))))
