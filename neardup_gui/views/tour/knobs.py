"""The numbers that can be moved in a step, and the text that is cut."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QGridLayout, QLabel, QSizePolicy, QWidget

from neardup_gui.models.tour.state import TourState
from neardup_gui.models.tour.steps import Knob, Step
from neardup_gui.views.threshold.number_row import NumberRow
from neardup_gui.views.widgets.controls import ComboBox, TextField

UNITS = {"word": "words", "char": "characters"}
MOST_LETTERS = 5000  # of what is typed


class Knobs(QWidget):
    """A row for each number of a step.

    Signals:
        moved: A `Knob` and its new value.
        unit_chosen: "word" or "char".
        text_typed: The user's own text.
    """

    moved = Signal(object, float)
    unit_chosen = Signal(str)
    text_typed = Signal(str)

    def __init__(self, step: Step, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(12)
        self._grid.setVerticalSpacing(8)
        self._grid.setColumnStretch(1, 1)
        self.text, self.unit = TextField(), ComboBox()
        self.rows: dict[Knob, NumberRow] = {}
        if step is Step.SHINGLES:
            self._add_text()
        for knob in step.value.knobs:
            self._add_row(knob)

    def show_state(self, state: TourState) -> None:
        """Show what was chosen without telling anyone."""
        for knob, row in self.rows.items():
            low, high = state.bounds(knob)
            row.set_range(low, high)
            row.set_value(state.value(knob))
        with QSignalBlocker(self.unit):
            self.unit.setCurrentIndex(self.unit.findData(state.settings.unit))

    def show_sentence(self, sentence: str) -> None:
        """Show the text that was cut; what the user is typing stays."""
        self.text.setPlaceholderText(sentence)
        if not self.text.hasFocus() and self.text.text() != sentence:
            self.text.setText(sentence)
            self.text.setCursorPosition(0)

    def _add_text(self) -> None:
        label = QLabel("Your text")
        label.setBuddy(self.text)
        self.text.setAccessibleName("Your text")
        self.text.setMaxLength(MOST_LETTERS)
        self.text.textEdited.connect(self.text_typed)
        self.text.editingFinished.connect(self._on_text_left)
        self._grid.addWidget(label, 0, 0)
        self._grid.addWidget(self.text, 0, 1, 1, 2)
        for unit, name in UNITS.items():
            self.unit.addItem(name, unit)
        self.unit.setAccessibleName("Shingles of")
        self.unit.currentIndexChanged.connect(self._on_unit_changed)
        of = QLabel("Shingles of")
        of.setBuddy(self.unit)
        self._grid.addWidget(of, 1, 0)
        self._grid.addWidget(self.unit, 1, 1, Qt.AlignmentFlag.AlignLeft)

    def _add_row(self, knob: Knob) -> None:
        words, place = knob.value, self._grid.rowCount()
        row = NumberRow(words.title, words.tip, words.decimals, self)
        row.value_changed.connect(partial(self.moved.emit, knob))
        for column, widget in enumerate((row.label, row.slider, row.box)):
            self._grid.addWidget(widget, place, column)
        self.rows[knob] = row

    def _on_text_left(self) -> None:
        if not self.text.text().strip():
            self.text.setText(self.text.placeholderText())

    def _on_unit_changed(self) -> None:
        self.unit_chosen.emit(self.unit.currentData())
