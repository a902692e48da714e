"""The panel of how files are read: in plain words, and as fields."""

from __future__ import annotations

from collections.abc import Collection
from functools import partial

from PySide6.QtCore import QRect, QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QLabel, QWidget

from core.base.messages import N_, gettext, ngettext, pgettext
from core.base.setting import Setting, values_of
from core.base.wording import count
from core.documents.reading_settings import ReadingSettings
from neardup_gui.models import setup
from neardup_gui.models.words.sentences import FIXED
from neardup_gui.views.setup import panel
from neardup_gui.views.widgets.containers import FlowLayout, PaneTitle
from neardup_gui.views.widgets.controls import Caption, CheckBox, NumberBox, TextField
from neardup_gui.views.widgets.labels import LinkLabel
from neardup_gui.views.widgets.layouts import column_in, row_of

SIDE = 15
EXCLUSION_PANEL_NUMBER_WIDTH = 44
MOST_COMMON = 1_000_000
BOXES = (
    (
        "quotations",
        N_("Quotations"),
        N_("Block quotations, and text of five words or more in quotation marks"),
    ),
    (
        "bibliography",
        N_("Lists of references"),
        N_("Bibliographies, recognised by their heading in many languages or at the end of a text"),
    ),
    (
        "repeated",
        N_("Cover sheets, headings"),
        N_("Text at the start of several documents, and repeated headings"),
    ),
)
COMMON_TIP = N_("Ten or more words in a row that occur in at least this many documents")
HINT = N_("Text set aside is not counted. It stays visible, in grey.")
LATER = N_("Available once a folder has been compared.")


class SummaryCaption(Caption):
    """Always as high as the hint, so that nothing above moves under the mouse."""

    def __init__(self) -> None:
        super().__init__()
        self.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)

    def heightForWidth(self, width: int) -> int:
        """The height of the text and of the hint."""
        area = QRect(0, 0, width, 0)
        hint = self.fontMetrics().boundingRect(area, int(Qt.TextFlag.TextWordWrap), gettext(HINT))
        return max(super().heightForWidth(width), hint.height())


class ExclusionPanel(QWidget):
    """Shows and changes the rules for ignored text.

    Signals:
        rule_changed: The name of a rule, and 0, 1 or a number of documents.

    Attributes:
        drop: Pressed, chosen passages are to count again.
    """

    help_page = "aside"
    rule_changed = Signal(str, int)

    def __init__(self) -> None:
        super().__init__()
        self._boxes = {rule: self._box(rule, title, tip) for rule, title, tip in BOXES}
        self._is_common = CheckBox(gettext("Passages in at least"))
        self._is_common.setToolTip(gettext(COMMON_TIP))
        self._is_common.toggled.connect(self._on_common)
        self._common = NumberBox(0, gettext("Documents in which a passage is common"))
        self._common.setToolTip(gettext(COMMON_TIP))
        self._common.setRange(setup.FEWEST_COMMON, MOST_COMMON)
        self._common.setValue(setup.USUAL_COMMON)
        self._common.setFixedWidth(EXCLUSION_PANEL_NUMBER_WIDTH)
        self._common.valueChanged.connect(self._on_common)
        self._documents = QLabel(pgettext("in at least 5", "documents"))
        self._summary = SummaryCaption()
        self._chosen = Caption()
        self.drop = LinkLabel(gettext("Count them again"))
        self._lay_out()
        self.show_state(setup.ExclusionState())

    def _box(self, rule: str, title: str, tip: str) -> CheckBox:
        box = CheckBox(gettext(title))
        box.setToolTip(gettext(tip))
        box.toggled.connect(partial(self._on_toggled, rule))
        return box

    def _lay_out(self) -> None:
        title = PaneTitle(gettext("Set aside"))
        title.setToolTip(gettext(HINT))
        boxes = FlowLayout(24, 7, widgets=self._boxes.values())
        common = row_of(self._is_common, self._common, self._documents, 1, margins=0, spacing=6)
        chosen = row_of(self._chosen, self.drop, 1, margins=0, spacing=6)
        parts = (title, boxes, common, chosen, self._summary)
        column_in(self, *parts, margins=(SIDE, 0, SIDE, 4), spacing=7)

    def show_state(self, state: setup.ExclusionState) -> None:
        """Show the rules, without emitting signals."""
        rules = state.rules
        for rule, box in self._boxes.items():
            with QSignalBlocker(box):
                box.setChecked(rules is not None and getattr(rules, rule))
        common = rules.common if rules else 0
        with QSignalBlocker(self._is_common), QSignalBlocker(self._common):
            self._is_common.setChecked(common > 0)
            if common:
                self._common.setValue(common)
        for part in (*self._boxes.values(), self._is_common, self._common, self._documents):
            part.setEnabled(rules is not None)
        self._summary.setText(gettext(LATER) if rules is None else state.summary)
        chosen = len(rules.phrases) if rules else 0
        self._chosen.setText(ngettext("{n} chosen passage", "{n} chosen passages", chosen))
        self._chosen.setVisible(chosen > 0)
        self.drop.setVisible(chosen > 0)

    def _on_toggled(self, rule: str, checked: bool) -> None:
        self.rule_changed.emit(rule, int(checked))

    def _on_common(self) -> None:
        """Emit the rule of the box or its number, but no number while the box is off."""
        sender_is_number = self.sender() is self._common
        if not sender_is_number or self._is_common.isChecked():
            number = round(self._common.value()) if self._is_common.isChecked() else 0
            self.rule_changed.emit("common", number)


NUMBER_WIDTH = 66
LAST_COLUMN = 3
GET_TESSERACT = N_(
    "Tesseract, a free text recognition program, is not installed. Install the package "
    "“tesseract” or “tesseract-ocr” with the languages you need."
)


class ReadingForm(panel.SettingsForm):
    """One row per limit, and the choices above them.

    Signals:
        limit_changed: The name of a limit and its new value in its unit.
    """

    limit_changed = Signal(str, object)

    def __init__(self) -> None:
        super().__init__(across=8, wide=LAST_COLUMN)
        self._fixed: Collection[str] = ()
        self._missing = Caption(gettext(GET_TESSERACT))
        for name, setting in setup.READING.items():
            self._add_choice(name, setting)
        self._grid.addWidget(self._problem, self._grid.rowCount(), 0, 1, LAST_COLUMN + 1)
        for name, setting in setup.LIMITS.items():
            self._add_limit(name, setting)

    def _add_choice(self, name: str, setting: Setting) -> None:
        row = self._grid.rowCount()
        control = panel.control_of(setting, partial(self.field_changed.emit, name))
        self.controls[name] = control
        if isinstance(control, CheckBox):
            self._grid.addWidget(control, row, 0, 1, LAST_COLUMN + 1)
        else:
            self._grid.addWidget(panel.muted_label(setting.labelled, control), row, 0)
            self._grid.addWidget(control, row, 1, 1, LAST_COLUMN)
        if name == "ocr":
            self._grid.addWidget(self._missing, row + 1, 0, 1, LAST_COLUMN + 1)

    def _add_limit(self, name: str, setting: Setting) -> None:
        row = self._grid.rowCount()
        box = panel.control_of(setting, partial(self.limit_changed.emit, name))
        if isinstance(box, NumberBox):
            box.setGroupSeparatorShown(True)
        box.setMinimumWidth(NUMBER_WIDTH)
        bounds = gettext(
            "From 1 to {most} {unit}.",
            most=count(int(setting.widest_bounds[1])),
            unit=setting.counted_in,
        )
        box.setToolTip(f"{setting.explained} {bounds}")
        usual = gettext("default {value}", value=count(setting.shown(setting.default)))
        default = Caption(f"{setting.counted_in} · {usual}")
        default.setWordWrap(False)
        self.controls[name] = box
        self._grid.addWidget(panel.muted_label(setting.labelled, box), row, 0)
        self._grid.addWidget(box, row, 1)
        self._grid.addWidget(default, row, 2, 1, 2)

    def show_reading(self, reading: ReadingSettings) -> None:
        """Show settings, without emitting signals."""
        values, limits = values_of(reading), values_of(reading.limits)
        for name, setting in setup.READING.items():
            panel.show_value(self.controls[name], values[name])
            is_free = name not in self._fixed
            self.controls[name].setEnabled(is_free and setting.has_meaning(reading))
        for name, setting in setup.LIMITS.items():
            panel.show_value(self.controls[name], setting.shown(limits[name]))

    def set_fixed(self, fields: Collection[str]) -> None:
        """Disable the choices, which are fixed for all users, and say so."""
        self._fixed = fields
        caption = Caption(gettext(FIXED))
        self._grid.addWidget(caption, self._grid.rowCount(), 0, 1, LAST_COLUMN + 1)

    def show_tesseract(self, *, installed: bool) -> None:
        """Show whether scans can be read on this computer."""
        self._missing.setVisible(not installed)
        self.controls["ocr"].setToolTip(
            setup.READING["ocr"].explained if installed else gettext(GET_TESSERACT)
        )

    def focus_first(self) -> None:
        """Focus the first choice."""
        next(iter(self.controls.values())).setFocus(Qt.FocusReason.ShortcutFocusReason)

    def focus(self, field: str) -> QWidget:
        """Focus a control, with its text selected."""
        control = self.controls[field]
        control.setFocus(Qt.FocusReason.ShortcutFocusReason)
        if isinstance(control, NumberBox | TextField):
            control.selectAll()
        return control


class ReadingPanel(panel.EditablePanel):
    """Shows and changes how files are read; hidden while all is default and it is not opened.

    Signals:
        closed: The fields are closed by the user.
        reading_changed: The `ReadingSettings` after a change by the user.
    """

    help_page = "limits"
    closed = Signal()
    reading_changed = Signal(object)

    _model: setup.ReadingModel
    _form: ReadingForm

    def __init__(self) -> None:
        super().__init__(setup.ReadingModel(), ReadingForm())
        self._heading = PaneTitle(gettext("Reading files"))
        self._edit.setAccessibleName(gettext("Edit how files are read"))
        self._reset = LinkLabel(gettext("Reset limits"))
        self._lay_out()
        self._form.limit_changed.connect(self._on_limit_changed)
        self._reset.clicked.connect(self._on_reset_clicked)
        self._show()

    def _lay_out(self) -> None:
        links = row_of(self._edit, self._reset, 1, spacing=14)
        parts = (self._heading, self._summary, self._form, links, self.rescan)
        column_in(self, *parts, margins=(SIDE, 0, SIDE, SIDE), spacing=8)

    def set_reading(self, reading: ReadingSettings) -> None:
        """Show other settings, without emitting signals."""
        self._model.reading = reading
        self._show()

    def set_fixed(self, fields: Collection[str]) -> None:
        """Disable the choices, which are fixed for all users, and say so."""
        self._form.set_fixed(fields)

    def set_scanned(self, reading: ReadingSettings | None, *, is_of_run: bool = False) -> None:
        """Set how the files of the shown result were read, perhaps by a run; None: not known."""
        self.rescan.set_of_run(is_of_run=is_of_run)
        if self._model.set_scanned(reading):
            self._show()

    def edit(self) -> QWidget:
        """Open the fields; returns the widget to scroll to."""
        self._set_editing(editing=True)
        self._form.focus_first()
        return self

    def edit_field(self, field: str) -> QWidget:
        """Open the fields at one of them; returns the widget to scroll to."""
        self._set_editing(editing=True)
        return self._form.focus(field)

    def _show(self) -> None:
        self._form.show_reading(self._model.reading)
        super()._show()
        self._reset.setVisible(not self._model.limits_are_usual)
        self._show_self()

    def _show_self(self) -> None:
        model = self._model
        is_open = not self._form.isHidden()
        self.setVisible(is_open or not model.is_usual or model.needs_scan)

    def _set_editing(self, *, editing: bool) -> None:
        if editing:
            self._form.show_tesseract(installed=setup.tesseract_is_installed())
        # The row that a change brings has its room before: nothing moves under the mouse.
        policy = self.rescan.sizePolicy()
        policy.setRetainSizeWhenHidden(editing)
        self.rescan.setSizePolicy(policy)
        super()._set_editing(editing=editing)
        self._show_self()
        if not editing:
            self.closed.emit()

    def _report(self) -> None:
        self._show()
        self.reading_changed.emit(self._model.reading)

    def _on_limit_changed(self, field: str, value: int) -> None:
        self._model.change_limit(field, value)
        self._report()

    def _on_reset_clicked(self) -> None:
        self._model.reset_limits()
        self._edit.setFocus()
        self._report()
