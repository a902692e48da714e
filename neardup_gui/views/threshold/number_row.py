"""A value as a slider and as a number, side by side."""

from __future__ import annotations

from PySide6.QtCore import QObject, QSignalBlocker, Signal
from PySide6.QtWidgets import QLabel, QWidget

from neardup_gui.views.widgets.controls import ThinSlider
from neardup_gui.views.widgets.number_box import NumberBox

BOX_WIDTH = 56


class NumberRow(QObject):
    """Label, slider and number of one value; the owner lays them out.

    Signals:
        value_changed: The user moved the slider or entered a number.
    """

    value_changed = Signal(float)

    def __init__(
        self, title: str, tool_tip: str, decimals: int, parent: QWidget, *, finest: int = 0
    ) -> None:
        """A row whose slider steps by so many decimals; `finest` can be entered as a number."""
        super().__init__(parent)
        self._factor = 10**decimals
        self.label = QLabel(title)
        self.slider = ThinSlider()
        self.box = NumberBox(max(decimals, finest))
        self.box.setSingleStep(10.0**-decimals)
        self.box.setMinimumWidth(BOX_WIDTH)
        self.label.setBuddy(self.box)
        self.set_tool_tip(tool_tip)
        self.slider.setAccessibleName(f"{title}, slider")
        self.box.setAccessibleName(title)
        self.slider.valueChanged.connect(self._on_slider_changed)
        self.box.valueChanged.connect(self._on_box_changed)

    def set_range(self, low: float, high: float, slider_high: float | None = None) -> None:
        """What can be entered, and how far the slider goes."""
        end = high if slider_high is None else min(slider_high, high)
        if (self.box.minimum(), self.box.maximum()) == (low, high):
            return
        with QSignalBlocker(self.slider), QSignalBlocker(self.box):
            self.box.setRange(low, high)
            self.slider.setRange(round(low * self._factor), round(end * self._factor))

    def set_value(self, value: float) -> None:
        """Show a value without telling anyone."""
        with QSignalBlocker(self.slider), QSignalBlocker(self.box):
            self.box.setValue(value)
            self.slider.setValue(round(value * self._factor))
        self.slider.update()

    def set_tool_tip(self, tool_tip: str) -> None:
        """Explain the value otherwise."""
        for widget in (self.label, self.slider, self.box):
            widget.setToolTip(tool_tip)

    def set_visible(self, visible: bool) -> None:
        """Show the row, or take it away."""
        for widget in (self.label, self.slider, self.box):
            widget.setVisible(visible)

    def _on_slider_changed(self, steps: int) -> None:
        self.value_changed.emit(steps / self._factor)

    def _on_box_changed(self, value: float) -> None:
        self.value_changed.emit(value)
