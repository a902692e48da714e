"""Controls of settings: kind, bounds and words follow from what a setting says of itself."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QWidget

from core.base.setting import Setting
from neardup_gui.views.widgets.controls import CheckBox, ComboBox, TextField
from neardup_gui.views.widgets.number_box import NumberBox

MOST_COUNTED = 2**31  # larger numbers are no matter of steps: they are typed as text

Report = Callable[[object], object]


def control_of(setting: Setting, report: Report) -> QWidget:
    """A control for a setting, without a value; `report` is told what the user chooses."""
    if setting.choices:
        control: QWidget = _combo(setting, report)
    elif setting.is_switch:
        control = _check(setting, report)
    elif setting.is_number and setting.widest_bounds[1] < MOST_COUNTED:
        control = _number(setting, report)
    else:
        control = _text(report)
    if not isinstance(control, CheckBox):
        counted = f", in {setting.unit}" if setting.unit else ""
        control.setAccessibleName(f"{setting.heading}{counted}")
    control.setToolTip(setting.tip)
    return control


def show_value(control: QWidget, value: object) -> None:
    """Show a value without telling anyone."""
    with QSignalBlocker(control):
        match control:
            case ComboBox():
                control.setCurrentIndex(control.findData(value))
            case CheckBox():
                control.setChecked(bool(value))
            case NumberBox():
                control.setValue(float(str(value)))
            case TextField():
                control.setText(str(value))


def _combo(setting: Setting, report: Report) -> ComboBox:
    combo = ComboBox()
    for value, name in (setting.choices or {}).items():
        combo.addItem(name, value)
    combo.currentIndexChanged.connect(lambda _index: report(combo.currentData()))
    return combo


def _check(setting: Setting, report: Report) -> CheckBox:
    check = CheckBox(setting.heading)
    check.toggled.connect(report)
    return check


def _number(setting: Setting, report: Report) -> NumberBox:
    """A box for a number; bounds that follow from other settings are left to the sentence."""
    box = NumberBox(0)
    box.setRange(*setting.widest_bounds)
    box.valueChanged.connect(lambda value: report(round(value)))
    return box


def _text(report: Report) -> TextField:
    field = TextField()
    field.editingFinished.connect(partial(_report_text, field, report))
    return field


def _report_text(field: TextField, report: Report) -> None:
    if field.isModified():
        field.setModified(False)
        report(field.text())
