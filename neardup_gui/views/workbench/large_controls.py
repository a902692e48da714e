"""The line above the large curve: its numbers, and how it is looked at."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QLabel, QWidget

from core.reports.curve.state import FLOOR_DECIMALS
from core.settings.scan_settings import MAX_DISTANCE
from neardup_gui.models.threshold.model import ThresholdModel
from neardup_gui.views.threshold.plot import CurvePlot
from neardup_gui.views.widgets.controls import CheckBox
from neardup_gui.views.widgets.link_label import LinkLabel
from neardup_gui.views.widgets.number_box import NumberBox

WHERE_PEOPLE_WORK = 0.3  # resemblance
ZOOM_TIP = "Ctrl and the wheel zoom where the mouse is"


class LargeControls(QWidget):
    """Numbers at the left, zoom and scale at the right; below each other where it is narrow."""

    def __init__(self, model: ThresholdModel, plot: CurvePlot) -> None:
        super().__init__()
        self._model = model
        self.floor = _box("Listed from", FLOOR_DECIMALS, 0.01, 1.0)
        self.bands = _box("Bands b", 0, 1, 1)
        self.rows = _box("Rows r", 0, 1, 1)
        self.distance = _box("Distance d", 0, 1, MAX_DISTANCE)
        self._labels = {box: QLabel(box.accessibleName()) for box in self._boxes}
        self.logarithmic = CheckBox("Log scale")
        self.logarithmic.setToolTip("Bars by the logarithm of the number of pairs")
        self.everything, self.close_up = LinkLabel("All"), LinkLabel("0 to 0.3")
        for link in (self.everything, self.close_up):
            link.setToolTip(ZOOM_TIP)
        self._lay_out()
        self.everything.clicked.connect(lambda: plot.show_range(0.0, 1.0))
        self.close_up.clicked.connect(lambda: plot.show_range(0.0, WHERE_PEOPLE_WORK))
        self.floor.valueChanged.connect(model.change_floor)
        self.bands.valueChanged.connect(lambda bands: self._change("with_bands", bands))
        self.rows.valueChanged.connect(lambda rows: self._change("with_rows", rows))
        self.distance.valueChanged.connect(lambda d: self._change("with_distance", d))
        self.logarithmic.toggled.connect(model.set_logarithmic)
        model.changed.connect(self.show_state)
        model.folder_changed.connect(self._show_folder)
        self.show_state()
        self._show_folder()

    @property
    def _boxes(self) -> tuple[NumberBox, ...]:
        return self.floor, self.bands, self.rows, self.distance

    def set_narrow(self, narrow: bool) -> None:
        """Put both halves below each other, or beside."""
        kinds = QBoxLayout.Direction
        self._halves.setDirection(kinds.TopToBottom if narrow else kinds.LeftToRight)

    def show_state(self) -> None:
        """Show the numbers of the model; nothing is reported."""
        state = self._model.state
        bits = state.distance is not None
        if self.bands.maximum() != state.signature_size:
            for box in (self.bands, self.rows):
                with QSignalBlocker(box):
                    box.setRange(1, state.signature_size)
        values = (state.min_resemblance, state.bands, state.rows, state.distance or 0)
        for box, value in zip(self._boxes, values, strict=True):
            with QSignalBlocker(box):
                box.setValue(value)
        for box in self._boxes[1:]:
            hidden = bits is not (box is self.distance)
            box.setHidden(hidden)
            self._labels[box].setHidden(hidden)

    def _show_folder(self) -> None:
        self.logarithmic.setEnabled(self._model.folder is not None)
        with QSignalBlocker(self.logarithmic):
            self.logarithmic.setChecked(self._model.logarithmic)

    def _change(self, method: str, value: float) -> None:
        self._model.change(getattr(self._model.state, method)(round(value)))

    def _lay_out(self) -> None:
        numbers, views = QHBoxLayout(), QHBoxLayout()
        for box, label in self._labels.items():
            label.setBuddy(box)
            numbers.addWidget(label)
            numbers.addWidget(box)
            numbers.addSpacing(10)
        numbers.addStretch(1)
        views.setSpacing(14)
        views.addWidget(QLabel("Show"))
        for widget in (self.close_up, self.everything, self.logarithmic):
            views.addWidget(widget)
        views.addStretch(1)
        self._halves = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._halves.setContentsMargins(0, 0, 0, 0)
        self._halves.addLayout(numbers, 1)
        self._halves.addLayout(views)


def _box(name: str, decimals: int, step: float, high: float) -> NumberBox:
    box = NumberBox(decimals)
    box.setRange(0, high)
    box.setSingleStep(step)
    box.setAccessibleName(name)
    box.setMinimumWidth(56)
    return box
