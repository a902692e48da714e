"""The fields of how files are read: archives, scans, and every limit with unit and default."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QWidget

from core.base.setting import Setting, values_of
from core.base.wording import count
from core.documents.reading_settings import ReadingSettings
from neardup_gui.models.setup.reading_settings import LIMITS, READING
from neardup_gui.views.setup.rows import LABEL_WIDTH, muted_label
from neardup_gui.views.setup.setting_controls import control_of, show_value
from neardup_gui.views.widgets.controls import Caption, CheckBox, ProblemLabel, TextField
from neardup_gui.views.widgets.number_box import NumberBox

NUMBER_WIDTH = 66
LAST_COLUMN = 3
GET_TESSERACT = (
    "Tesseract, a free program that reads pictures of text, is not installed. Install “tesseract” "
    "or “tesseract-ocr” from the packages of your system, and the languages you need."
)


class ReadingForm(QWidget):
    """One row for each limit, and the choices above them.

    Signals:
        field_changed: The name of a choice and its new value.
        limit_changed: The name of a limit and its new value in its unit.

    Attributes:
        controls: Of the choices and the limits, by field.
    """

    field_changed = Signal(str, object)
    limit_changed = Signal(str, object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(8)
        self._grid.setVerticalSpacing(6)
        self._grid.setColumnMinimumWidth(0, LABEL_WIDTH)
        self._grid.setColumnStretch(LAST_COLUMN, 1)
        self.controls: dict[str, QWidget] = {}
        self._missing = Caption()
        self._missing.setText(GET_TESSERACT)
        self._problem = ProblemLabel()
        for name, setting in READING.items():
            self._add_choice(name, setting)
        self._grid.addWidget(self._problem, self._grid.rowCount(), 0, 1, LAST_COLUMN + 1)
        for name, setting in LIMITS.items():
            self._add_limit(name, setting)

    def _add_choice(self, name: str, setting: Setting) -> None:
        place = self._grid.rowCount()
        control = control_of(setting, partial(self.field_changed.emit, name))
        self.controls[name] = control
        if isinstance(control, CheckBox):
            self._grid.addWidget(control, place, 0, 1, LAST_COLUMN + 1)
        else:
            self._grid.addWidget(muted_label(setting.labelled, control), place, 0)
            self._grid.addWidget(control, place, 1, 1, LAST_COLUMN)
        if name == "ocr":
            self._grid.addWidget(self._missing, place + 1, 0, 1, LAST_COLUMN + 1)

    def _add_limit(self, name: str, setting: Setting) -> None:
        place = self._grid.rowCount()
        box = control_of(setting, partial(self.limit_changed.emit, name))
        if isinstance(box, NumberBox):
            box.setGroupSeparatorShown(True)
        box.setMinimumWidth(NUMBER_WIDTH)
        box.setToolTip(
            f"{setting.tip} From 1 to {count(int(setting.widest_bounds[1]))} {setting.unit}."
        )
        default = Caption()
        default.setText(f"{setting.unit} · default {count(setting.shown(setting.default))}")
        default.setWordWrap(False)
        self.controls[name] = box
        self._grid.addWidget(muted_label(setting.labelled, box), place, 0)
        self._grid.addWidget(box, place, 1)
        self._grid.addWidget(default, place, 2, 1, 2)

    def show_reading(self, reading: ReadingSettings) -> None:
        """Show settings without telling anyone."""
        values, limits = values_of(reading), values_of(reading.limits)
        for name, setting in READING.items():
            show_value(self.controls[name], values[name])
            self.controls[name].setEnabled(setting.has_meaning(reading))
        for name, setting in LIMITS.items():
            show_value(self.controls[name], setting.shown(limits[name]))

    def show_tesseract(self, *, installed: bool) -> None:
        """Whether scans can be read on this computer."""
        self._missing.setVisible(not installed)
        self.controls["ocr"].setToolTip(READING["ocr"].tip if installed else GET_TESSERACT)

    def show_problem(self, sentence: str) -> None:
        """Say why the last change cannot be."""
        self._problem.show_sentence(sentence)

    def focus_first(self) -> QWidget:
        """Lead to the first choice."""
        next(iter(self.controls.values())).setFocus(Qt.FocusReason.ShortcutFocusReason)
        return self

    def focus(self, field: str) -> QWidget:
        """Lead to a control, ready to be typed over."""
        control = self.controls[field]
        control.setFocus(Qt.FocusReason.ShortcutFocusReason)
        if isinstance(control, NumberBox | TextField):
            control.selectAll()
        return control
