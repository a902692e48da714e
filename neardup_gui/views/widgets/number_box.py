"""A field for a number."""

from __future__ import annotations

import math

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QValidator, QWheelEvent
from PySide6.QtWidgets import QAbstractSpinBox, QDoubleSpinBox, QWidget

from neardup_gui.models.number_entry import NumberRange, read_number
from neardup_gui.views.widgets.field_frame import paint_frame, takes_wheel


class NumberBox(QDoubleSpinBox):
    """A number without buttons: arrow keys and the wheel step it, Enter takes what was typed.

    Comma and point are the same, whatever the locale. What cannot be read is not taken.

    Signals:
        enter_pressed: Enter, after the number was taken.
        refused: A sentence: what was typed is no number for this field, which stays as it was.
    """

    enter_pressed = Signal()
    refused = Signal(str)

    def __init__(self, decimals: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setDecimals(decimals)
        self.setSingleStep(10.0**-decimals)
        self.setButtonSymbols(QAbstractSpinBox.ButtonSymbols.NoButtons)
        self.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.setKeyboardTracking(False)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.lineEdit().returnPressed.connect(self.enter_pressed)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the frame; the number is a widget of its own."""
        painter = QPainter(self)
        paint_frame(painter, QRectF(self.rect()), focused=self.hasFocus())

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Step the number only where the focus is; else the panel below scrolls."""
        if takes_wheel(self, event):
            super().wheelEvent(event)

    def validate(self, text: str, position: int) -> object:
        """Whether a text is a number of this field; all else may still become one."""
        try:
            self._read(text)
        except ValueError:
            return QValidator.State.Intermediate, text, position
        return QValidator.State.Acceptable, text, position

    def valueFromText(self, text: str) -> float:
        """The number that a text means, in any habit of writing."""
        return self._read(text)

    def fixup(self, text: str) -> str:
        """Say why a text is not taken; Qt then puts the old number back."""
        try:
            self._read(text)
        except ValueError as problem:
            stays = self.textFromValue(self.value())
            self.refused.emit(f"{problem} “{self.accessibleName()}” stays {stays}.")
        return text

    def _read(self, text: str) -> float:
        typed = text.strip().removesuffix(self.suffix().strip())
        return read_number(typed, NumberRange(self.minimum(), self.maximum(), self.decimals()))

    def textFromValue(self, value: float) -> str:
        """No more decimals than the number and its step need."""
        decimals = min(self.decimals(), _decimals(self.singleStep()))
        while decimals < self.decimals() and round(value, decimals) != value:
            decimals += 1
        return self.locale().toString(value, "f", decimals)


def _decimals(step: float) -> int:
    """How many decimals a step has: 0 for 1, 2 for 0.01."""
    return max(0, -math.floor(math.log10(step) + 1e-9))
