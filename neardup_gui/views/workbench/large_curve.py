"""The curve as large as there is room."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from neardup_gui.models.threshold.forecast_words import forecast
from neardup_gui.models.threshold.model import ThresholdModel
from neardup_gui.models.threshold.words import curve_words, plain
from neardup_gui.views.threshold.curve_frame import CurveFrame

__all__ = ["LargeCurve"]

SIDE = 15


class LargeCurve(QWidget):
    """Draws the threshold of a model, and changes it."""

    def __init__(self, model: ThresholdModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self.frame = CurveFrame(model)
        self.frame.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        column = QVBoxLayout(self)
        column.setContentsMargins(SIDE, SIDE, SIDE, 4)
        column.addWidget(self.frame)
        model.changed.connect(self._describe)
        model.folder_changed.connect(self._describe)
        self._describe()

    def showEvent(self, event: QShowEvent) -> None:
        """Draw when it is looked at for the first time."""
        super().showEvent(event)
        self.frame.draw()

    @property
    def entry(self) -> QWidget:
        """Where the keyboard enters."""
        return self.frame

    def _describe(self) -> None:
        state = self._model.state
        words = plain(forecast(state, self._model.folder))
        self.frame.describe(f"{curve_words(state)} {words}")
