"""The fields of the setup panel: everything that a new scan may need to know."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from core.base.setting import Setting
from core.settings import ScanSettings
from neardup_gui.models.setup.scan_settings import ROWS
from neardup_gui.views.setup.rows import LABEL_WIDTH, muted_label
from neardup_gui.views.setup.setting_controls import control_of, show_value
from neardup_gui.views.widgets.controls import Caption, ProblemLabel
from neardup_gui.views.widgets.link_label import LinkLabel
from neardup_gui.views.widgets.number_box import NumberBox

NUMBER_WIDTH = 56
WITH_NOTES = ("reworked",)


class SetupForm(QWidget):
    """One row for each setting; a row that has no meaning is hidden.

    Signals:
        field_changed: The name of a setting and its new value.
        length_asked: The user wants to see what k does.

    Attributes:
        controls: By field.
    """

    field_changed = Signal(str, object)
    length_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(12)
        self._grid.setVerticalSpacing(6)
        self._grid.setColumnMinimumWidth(0, LABEL_WIDTH)
        self._grid.setColumnStretch(1, 1)
        self.controls: dict[str, QWidget] = {}
        self._labels: dict[str, QLabel] = {}
        self._notes: dict[str, Caption] = {}
        for field, setting in ROWS.items():
            self._add_row(field, setting)
        self._problem = ProblemLabel()
        self._grid.addWidget(self._problem, self._grid.rowCount(), 0, 1, 2)

    def _add_row(self, field: str, setting: Setting) -> None:
        row = self._grid.rowCount()
        control = control_of(setting, partial(self.field_changed.emit, field))
        label = muted_label(setting.labelled, control)
        self._grid.addWidget(label, row, 0)
        side = Qt.AlignmentFlag(0)
        if isinstance(control, NumberBox):
            control.setMinimumWidth(NUMBER_WIDTH)
            side = Qt.AlignmentFlag.AlignLeft
        self._grid.addWidget(control, row, 1, side)
        if field == "k":
            self._add_link(row + 1)
        self.controls[field], self._labels[field] = control, label
        if field in WITH_NOTES:
            self._notes[field] = Caption()
            self._grid.addWidget(self._notes[field], row + 1, 1)

    def _add_link(self, row: int) -> None:
        link = LinkLabel("What does k do?")
        link.clicked.connect(self.length_asked)
        self._grid.addWidget(link, row, 1, Qt.AlignmentFlag.AlignLeft)

    def show_settings(self, settings: ScanSettings) -> None:
        """Show values without telling anyone; hide what has no meaning, say what is needed."""
        values = settings.as_applied()
        for field, setting in ROWS.items():
            control = self.controls[field]
            show_value(control, values[field])
            for widget in (self._labels[field], control):
                widget.setVisible(settings.uses(field))
            if setting.needs:
                is_there = bool(values[setting.needs.field])
                control.setEnabled(is_there)
                control.setToolTip(setting.tip if is_there else setting.needs.tip)

    def show_note(self, field: str, sentences: str) -> None:
        """Say below a row what its value means."""
        self._notes[field].setText(sentences)
        self.controls[field].setAccessibleDescription(sentences)

    def show_problem(self, sentence: str) -> None:
        """Say below the fields why the last change cannot be."""
        self._problem.show_sentence(sentence)
