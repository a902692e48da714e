"""The setup: what kind of documents, of which folders; the settings in words, and as fields."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from PySide6.QtCore import QPoint, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPaintEvent, QPalette
from PySide6.QtWidgets import (
    QAbstractButton,
    QGridLayout,
    QLabel,
    QMenu,
    QPushButton,
    QSizePolicy,
    QWidget,
)

from core.base.messages import N_, gettext, pgettext
from core.base.setting import Setting
from core.settings import ScanSettings
from neardup_gui.environment.theme import colors, smooth_painter
from neardup_gui.models import setup
from neardup_gui.models.pairs.table import ANOTHER_RUN
from neardup_gui.models.table_model import LEFT, RIGHT
from neardup_gui.models.words.numbers import tool_tip
from neardup_gui.models.words.sentences import FIXED
from neardup_gui.views.widgets import controls
from neardup_gui.views.widgets.containers import FlowLayout, PaneTitle, Throttle
from neardup_gui.views.widgets.labels import PLAIN, LinkLabel, elided_name, label_of
from neardup_gui.views.widgets.layouts import column_in, grid_in, grid_of, row_in, row_of
from neardup_gui.views.widgets.rows_table import offer_roles

LABEL_WIDTH = 94


def muted_label(title: str, buddy: QWidget) -> QLabel:
    """The label of a row, in a muted colour."""
    label = label_of(buddy, title)
    label.setForegroundRole(QPalette.ColorRole.PlaceholderText)
    return label


class Summary(QWidget):
    """The settings in plain words."""

    def __init__(self) -> None:
        super().__init__()
        self._grid = grid_in(self, margins=0, spacing=(12, 5), wide=1, least=LABEL_WIDTH)
        self._labels: dict[str, QLabel] = {}

    def show_lines(self, lines: tuple[tuple[str, str], ...]) -> None:
        """Show lines, each a label and a sentence."""
        for row, (title, text) in enumerate(lines):
            if title not in self._labels:
                label = QLabel(wordWrap=True, textFormat=PLAIN)
                if self.isRightToLeft():  # text in Latin letters is aligned with the others
                    absolute = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignAbsolute
                    label.setAlignment(absolute | Qt.AlignmentFlag.AlignVCenter)
                self._labels[title] = label
                self._grid.addWidget(muted_label(title, label), row, 0, Qt.AlignmentFlag.AlignTop)
                self._grid.addWidget(label, row, 1)
            self._labels[title].setText(text)


class NamingRow(controls.AskingRow):
    """Asks for the name of a new starting point."""

    def __init__(self) -> None:
        super().__init__(gettext("Name of the preset"), LinkLabel(gettext("Save")))
        self._field.setPlaceholderText(gettext("Name of the preset"))
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        for column, widget in enumerate((self._field, self._take, self._cancel)):
            grid.addWidget(widget, 0, column)
        grid.addWidget(self._problem, 1, 0, 1, 3)

    def show_problem(self, sentence: str) -> None:
        """Show why the name cannot be used."""
        self._problem.show_sentence(sentence)


class SharingRow(QWidget):
    """The links that share settings with other windows, people and programs.

    Attributes:
        load: From a file.
        save: To a file.
        lines: As lines to be run elsewhere.
    """

    def __init__(self) -> None:
        super().__init__()
        self.load = LinkLabel(gettext("Load settings…"))
        self.load.setToolTip(gettext("Use settings saved in a file"))
        self.save = LinkLabel(gettext("Save settings…"))
        self.save.setToolTip(
            gettext("Save the settings to a file, for others and for neardup scan --settings")
        )
        self.lines = LinkLabel(gettext("Copy for other tools…"))
        self.lines.setToolTip(
            gettext(
                "The same settings as lines for neardup scan, Python, datasketch, datatrove and "
                "text-dedup"
            )
        )
        FlowLayout(14, 2, self, (self.load, self.save, self.lines))


class RescanRow(QWidget):
    """The button to scan with these settings; the line above the list shows how it differs.

    Attributes:
        button: Scans again.
    """

    def __init__(self) -> None:
        super().__init__()
        self.button = QPushButton(gettext("Rescan to apply"))
        self._of_run = controls.Caption(gettext(ANOTHER_RUN))
        self._of_run.hide()
        row_in(self, (self.button, 0, Qt.AlignmentFlag.AlignLeft), self._of_run, margins=0)

    def set_of_run(self, *, is_of_run: bool) -> None:
        """Offer no scan for a run on a cluster."""
        self.button.setHidden(is_of_run)
        self._of_run.setVisible(is_of_run)


AIR = 3  # around a name, where the frame of the focus is drawn
ARROW = "▾"
NARROWEST = 80


class FolderButton(QAbstractButton):
    """The name of a folder; pressing it opens its menu."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setMinimumWidth(NARROWEST)
        self.line: setup.FolderLine | None = None

    def show_line(self, line: setup.FolderLine) -> None:
        """Show another folder."""
        self.line = line
        self.setText(line.text)
        self.setAccessibleName(line.heard)
        self.setToolTip(tool_tip(f"{line.explanation}\n{gettext(setup.ROLES[line.role][1])}"))
        self.update()

    def sizeHint(self) -> QSize:
        """The size of a line."""
        metrics = self.fontMetrics()
        width = metrics.horizontalAdvance(f"{self.text()} {ARROW}") + 2 * AIR
        return QSize(width, metrics.height() + 2 * AIR)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter and Down press it, as Space does."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Down):
            self.click()
            return
        super().keyPressEvent(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the name, and under the mouse or with the focus the mark of a menu."""
        now, painter, metrics = colors(), smooth_painter(self), self.fontMetrics()
        is_lit = self.isEnabled() and (self.underMouse() or self.hasFocus() or self.isDown())
        left = self.width() - 2 * AIR
        if is_lit:
            painter.setPen(now.accent if self.hasFocus() else now.muted)
            painter.drawRoundedRect(self.rect().toRectF().adjusted(0.5, 0.5, -0.5, -0.5), 3, 3)
            left -= metrics.horizontalAdvance(f" {ARROW}")
            area = self.rect().adjusted(AIR, 0, -AIR, 0)
            painter.drawText(area, RIGHT, ARROW)
        painter.setPen(now.text)
        area = self.rect().adjusted(AIR, 0, -AIR, 0)
        painter.drawText(area, LEFT, elided_name(metrics, self.text(), left))


class FolderList(QWidget):
    """Lists folders, and asks to add one, to change its role, to remove it.

    Signals:
        role_chosen: A folder as a `Path`, and its new `Role`.
        take_off_wanted: A folder as a `Path`.
        addition_wanted: An `Addition`.
    """

    role_chosen = Signal(object, object)
    take_off_wanted = Signal(object)
    addition_wanted = Signal(object)

    def __init__(self, field_before: QWidget) -> None:
        """Put the folders after another field in the order of Tab."""
        super().__init__()
        self._field_before = field_before
        self._grid = grid_in(self, margins=0, spacing=(12 - AIR, 0), wide=1, least=LABEL_WIDTH)
        self._rows: list[tuple[QLabel, FolderButton]] = []
        self._add = LinkLabel(gettext("Add a folder…"), self)
        self._add.setToolTip(gettext("More documents to review, references, or a template"))
        self._add.clicked.connect(self._open_additions)
        self.show_lines(())

    def show_lines(self, lines: Sequence[setup.FolderLine]) -> None:
        """Show other folders; without any, none can be added."""
        self.setVisible(bool(lines))
        while len(self._rows) > len(lines):
            for widget in self._rows.pop():
                widget.hide()
                widget.deleteLater()
        while len(self._rows) < len(lines):
            self._append_row()
        for (label, button), line in zip(self._rows, lines, strict=True):
            label.setText(line.title)
            button.show_line(line)
        self._grid.addWidget(self._add, len(lines), 1, Qt.AlignmentFlag.AlignLeft)
        if not lines:
            return
        before = self._field_before
        for after in (*(button for _, button in self._rows), self._add):
            QWidget.setTabOrder(before, after)
            before = after

    def make_menu(self, line: setup.FolderLine) -> QMenu:
        """The menu of a folder."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        offer_roles(menu, line.role, partial(self.role_chosen.emit, line.path))
        menu.addSeparator()
        off = menu.addAction(gettext("Remove from the list"))
        off.setEnabled(len(self._rows) > 1)
        off.triggered.connect(partial(self.take_off_wanted.emit, line.path))
        return menu

    def make_additions(self) -> QMenu:
        """The menu of what can be added."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for addition in setup.ADDITIONS:
            action = menu.addAction(gettext(addition.title))
            action.triggered.connect(partial(self.addition_wanted.emit, addition))
        return menu

    def _append_row(self) -> None:
        button = FolderButton(self)
        label = muted_label("", button)
        button.clicked.connect(lambda: self._open_menu(button))
        self._grid.addWidget(label, len(self._rows), 0)
        self._grid.addWidget(button, len(self._rows), 1)
        self._rows.append((label, button))
        for widget in (label, button):
            widget.show()  # Tab goes to it from now on

    def _open_menu(self, button: FolderButton) -> None:
        if button.line is not None:
            self.make_menu(button.line).popup(_below(button))

    def _open_additions(self) -> None:
        self.make_additions().popup(_below(self._add))


def _below(widget: QWidget) -> QPoint:
    return widget.mapToGlobal(QPoint(0, widget.height()))


MOST_COUNTED = 2**31  # larger numbers have no steps: they are typed as text

Report = Callable[[object], object]


def control_of(setting: Setting, report: Report) -> QWidget:
    """A control for a setting, without a value; `report` gets what the user chooses."""
    if setting.choices:
        control: QWidget = _combo(setting, report)
    elif setting.is_switch:
        control = _check(setting, report)
    elif setting.is_number and setting.widest_bounds[1] < MOST_COUNTED:
        control = _number(setting, report)
    else:
        control = _text(report)
    if not isinstance(control, controls.CheckBox):
        name = setting.heading
        if setting.unit:
            name = gettext("{setting}, in {unit}", setting=name, unit=setting.counted_in)
        control.setAccessibleName(name)
    control.setToolTip(setting.explained)
    return control


def show_value(control: QWidget, value: object) -> None:
    """Show a value, without emitting signals."""
    with QSignalBlocker(control):
        match control:
            case controls.ComboBox():
                control.setCurrentIndex(control.findData(value))
            case controls.CheckBox():
                control.setChecked(bool(value))
            case controls.NumberBox():
                control.setValue(float(str(value)))
            case controls.TextField():
                control.setText(str(value))


def _combo(setting: Setting, report: Report) -> controls.ComboBox:
    combo = controls.ComboBox()
    for value in setting.choices or ():
        combo.addItem(setting.format_value(value), value)
    combo.currentIndexChanged.connect(lambda _index: report(combo.currentData()))
    return combo


def _check(setting: Setting, report: Report) -> controls.CheckBox:
    check = controls.CheckBox(setting.heading)
    check.toggled.connect(report)
    return check


def _number(setting: Setting, report: Report) -> controls.NumberBox:
    """A box for a number; bounds that depend on other settings are checked on a change."""
    box = controls.NumberBox(0)
    box.setRange(*setting.widest_bounds)
    box.valueChanged.connect(lambda value: report(round(value)))
    return box


def _text(report: Report) -> controls.TextField:
    field = controls.TextField()
    field.editingFinished.connect(partial(_report_text, field, report))
    return field


def _report_text(field: controls.TextField, report: Report) -> None:
    if field.isModified():
        field.setModified(False)
        report(field.text())


SIDE = 15
MOST = 200  # characters


class ReviewerRow(QWidget):
    """A field; if it is empty, the user of the system is the reviewer.

    Signals:
        named: The name, when it is entered.
    """

    help_page = "deciding"
    named = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self._field = controls.TextField()
        self._field.setMaxLength(MOST)
        self._field.setAccessibleName(gettext("Reviewer"))
        self._field.setToolTip(
            gettext("Verdicts and notes are signed with this name, here and in reports")
        )
        title = muted_label(gettext("Revie&wer"), self._field)
        title.setMinimumWidth(LABEL_WIDTH)
        row_in(self, title, (self._field, 1), margins=(SIDE, 8), spacing=12)
        self._field.editingFinished.connect(self._emit_name)

    def show_name(self, name: str, user: str) -> None:
        """Show the name, or as a placeholder that of the user of the system."""
        self._field.setText(name)
        self._field.setPlaceholderText(user)

    def _emit_name(self) -> None:
        self.named.emit(self._field.text().strip())


NUMBER_WIDTH = 56
WITH_NOTES = ("reworked",)


class SettingsForm(QWidget):
    """Settings as fields.

    Signals:
        field_changed: The name of a setting and its new value.

    Attributes:
        controls: By field.
    """

    field_changed = Signal(str, object)

    def __init__(self, across: int, wide: int) -> None:
        """A grid with `across` pixels between its columns; `wide` takes the room that is left."""
        super().__init__()
        self._grid = grid_in(self, margins=0, spacing=(across, 6), wide=wide, least=LABEL_WIDTH)
        self.controls: dict[str, QWidget] = {}
        self._problem = controls.ProblemLabel()

    def show_problem(self, sentence: str) -> None:
        """Show why the last change was refused."""
        self._problem.show_sentence(sentence)


class EditablePanel(QWidget):
    """Settings in plain words, or as fields once Edit is pressed.

    Attributes:
        rescan: The way to a new scan with these settings.
    """

    def __init__(self, model: setup.SetupModel | setup.ReadingModel, form: SettingsForm) -> None:
        super().__init__()
        self._model, self._form = model, form
        self._summary, self.rescan = Summary(), RescanRow()
        self._edit = LinkLabel(pgettext("to change settings", "Edit"))
        form.hide()
        form.field_changed.connect(self._on_field_changed)
        self._edit.clicked.connect(lambda: self._set_editing(editing=form.isHidden()))

    def _show(self) -> None:
        self._form.show_problem("")
        self._summary.show_lines(self._model.summary)
        self.rescan.setVisible(self._model.needs_scan)

    def _set_editing(self, *, editing: bool) -> None:
        self._form.setVisible(editing)
        self._summary.setVisible(not editing)
        self._edit.setText(gettext("Done") if editing else pgettext("to change settings", "Edit"))

    def _on_field_changed(self, field: str, value: object) -> None:
        problem = self._model.change(field, value)
        if problem:
            self._form.show_problem(problem)
        else:
            self._report()

    def _report(self) -> None:
        """Show the settings after a change, and emit them."""
        raise NotImplementedError


class SetupForm(SettingsForm):
    """One row per setting; a row without meaning is hidden.

    Attributes:
        length: Pressed, the user wants to see what k does.
    """

    help_page = "settings"

    def __init__(self) -> None:
        super().__init__(across=12, wide=1)
        self.length = LinkLabel(gettext("What does k do?"))
        self._labels: dict[str, QLabel] = {}
        self._notes: dict[str, controls.Caption] = {}
        for field, setting in setup.ROWS.items():
            self._add_row(field, setting)
        self._grid.addWidget(self._problem, self._grid.rowCount(), 0, 1, 2)

    def _add_row(self, field: str, setting: Setting) -> None:
        row = self._grid.rowCount()
        control = control_of(setting, partial(self.field_changed.emit, field))
        label = muted_label(setting.labelled, control)
        self._grid.addWidget(label, row, 0)
        side = Qt.AlignmentFlag(0)
        if isinstance(control, controls.NumberBox):
            control.setMinimumWidth(NUMBER_WIDTH)
            side = Qt.AlignmentFlag.AlignLeft
        self._grid.addWidget(control, row, 1, side)
        if field == "k":
            self._grid.addWidget(self.length, row + 1, 1, Qt.AlignmentFlag.AlignLeft)
        self.controls[field], self._labels[field] = control, label
        if field in WITH_NOTES:
            self._notes[field] = controls.Caption()
            self._grid.addWidget(self._notes[field], row + 1, 1)

    def show_settings(self, settings: ScanSettings) -> None:
        """Show values, without signals; hide rows without meaning, and show what is needed."""
        values = settings.as_applied()
        for field, setting in setup.ROWS.items():
            control = self.controls[field]
            show_value(control, values[field])
            for widget in (self._labels[field], control):
                widget.setVisible(settings.uses(field))
            if setting.needs:
                is_met = bool(values[setting.needs.field])
                control.setEnabled(is_met)
                control.setToolTip(setting.explained if is_met else gettext(setting.needs.tip))

    def show_note(self, field: str, sentences: str) -> None:
        """Show below a row what its value means."""
        self._notes[field].setText(sentences)
        self.controls[field].setAccessibleDescription(sentences)


CUSTOM = N_("Custom")
CUSTOM_SETTINGS = N_("Your own settings")
SHOW_INTERVAL = 250  # milliseconds, while the threshold is dragged


class SetupPanel(EditablePanel):
    """Shows and changes what a scan compares: the kind of documents, and the folders.

    Attributes:
        folders: The folders, and what each is for.
        details: All settings, in words until Edit is pressed; below, or where the owner puts them.
        reading: Pressed, the user wants to see how files are read.
        sharing: The ways of these settings to a file and back.
        length: Pressed, the user wants to see what k does.

    Signals:
        setup_changed: The settings after a change by the user.
        preset_saved: The user keeps the settings under this name.
        preset_deleted: The user forgets one of the own starting points.
    """

    help_page = "folders"
    setup_changed = Signal(object)
    preset_saved = Signal(str)
    preset_deleted = Signal(str)

    _model: setup.SetupModel
    _form: SetupForm

    def __init__(self) -> None:
        super().__init__(setup.SetupModel(), SetupForm())
        self.setWindowTitle(gettext("Setup"))
        self._preset = controls.ComboBox()
        self._preset.setAccessibleName(gettext("Kind of documents"))
        self.details = QWidget()
        self.length = self._form.length
        self.folders = FolderList(self._preset)
        self._save = LinkLabel(gettext("Save as…"))
        self._delete = LinkLabel(gettext("Delete preset"))
        self.reading = LinkLabel(gettext("Reading files"))
        self.reading.setToolTip(gettext("Archives, scans, and limits for each file"))
        self.sharing = SharingRow()
        self._naming = NamingRow()
        self._fixed = controls.Caption(gettext(FIXED))
        self._fixed.hide()
        self._shown: tuple[str, tuple[setup.Choice, ...]] | None = None  # by the list of presets
        self._show_later = Throttle(SHOW_INTERVAL, self)
        self._lay_out()
        self._connect()
        self._show()

    @property
    def settings(self) -> ScanSettings:
        """The settings of the next scan."""
        return self._model.settings

    def set_settings(self, settings: ScanSettings) -> None:
        """Show other settings, without emitting signals."""
        self._model.settings = settings
        self._show()

    def set_fixed(self) -> None:
        """Disable the settings, which are fixed for all users, and say so."""
        for control in (self._preset, self._form, self.sharing.load):
            control.setEnabled(False)
        self._fixed.show()

    def follow(self, settings: ScanSettings) -> None:
        """Show settings that are being dragged elsewhere, a little later, without signals."""
        self._model.settings = settings
        self._show_later.call()

    def set_scanned(self, settings: ScanSettings | None, *, is_of_run: bool = False) -> None:
        """Set the settings of the shown result, perhaps of a run; None if there is no result."""
        self.rescan.set_of_run(is_of_run=is_of_run)
        if self._model.set_scanned(settings):
            self._show()

    def set_presets(self, stored: Sequence[Mapping[str, object]]) -> None:
        """Offer the user's presets, as returned by `presets`."""
        self._model.own_presets = stored
        self._show()

    def presets(self) -> tuple[dict[str, object], ...]:
        """The user's presets, to be stored."""
        return self._model.own_presets

    @property
    def known_presets(self) -> dict[str, ScanSettings]:
        """The settings of all starting points, by name."""
        return self._model.known

    def _lay_out(self) -> None:
        top = grid_of(spacing=(12, 4), wide=1, least=LABEL_WIDTH)
        top.addWidget(muted_label(gettext("Documents"), self._preset), 0, 0)
        top.addWidget(self._preset, 0, 1)
        parts = (top, self._fixed, self.folders, self.rescan, self.details)
        column_in(self, *parts, margins=(SIDE, 4, SIDE, 8), spacing=8)
        links = row_of(self._edit, self._save, self._delete, self.reading, 1, spacing=14)
        heading = PaneTitle(gettext("All settings"))
        below = (heading, self._summary, self._form, links, self._naming, self.sharing)
        column_in(self.details, *below, margins=(SIDE, 0, SIDE, SIDE), spacing=8)

    def _connect(self) -> None:
        self._preset.activated.connect(self._on_preset_chosen)
        self._save.clicked.connect(self._naming.start)
        self._delete.clicked.connect(self._on_delete_clicked)
        self._naming.entered.connect(self._on_named)
        self._naming.cancelled.connect(self._save.setFocus)
        self._show_later.triggered.connect(self._show_threshold)

    def _show(self) -> None:
        self._show_presets()
        self._form.show_settings(self._model.settings)
        self._form.show_note("reworked", setup.reworked_in_words(self._model.settings))
        super()._show()

    def _show_threshold(self) -> None:
        if self._model.settings.distance is None:
            self._show_presets()  # of bands and rows nothing else stands here
        else:
            self._show()

    def _show_presets(self) -> None:
        chosen, choices = self._model.chosen, self._model.choices
        if (chosen, choices) == self._shown:
            self._preset.setCurrentIndex(self._preset.findData(chosen))
            return
        self._shown = chosen, choices
        with QSignalBlocker(self._preset):
            self._preset.clear()
            for choice in choices:
                self._preset.addItem(choice.title, choice.name)
                index = self._preset.count() - 1
                self._preset.setItemData(index, choice.purpose, Qt.ItemDataRole.ToolTipRole)
            if not chosen:
                self._preset.addItem(gettext(CUSTOM), "")
            self._preset.setCurrentIndex(self._preset.findData(chosen))
        purpose = {choice.name: choice.purpose for choice in choices}
        self._preset.setToolTip(purpose.get(chosen, gettext(CUSTOM_SETTINGS)))
        saved = {choice.name for choice in choices if choice.is_user_preset}
        self._save.setVisible(not chosen)
        self._delete.setVisible(chosen in saved)

    def _report(self) -> None:
        self._show()
        self.setup_changed.emit(self._model.settings)

    def _on_preset_chosen(self, index: int) -> None:
        name = self._preset.itemData(index)
        if name and name != self._model.chosen:
            self._model.choose(name)
            self._report()

    def _on_named(self, name: str) -> None:
        problem = self._model.save(name)
        self._naming.show_problem(problem)
        if not problem:
            self._naming.hide()
            self._show()
            self._preset.setFocus()
            self.preset_saved.emit(self._model.chosen)

    def _on_delete_clicked(self) -> None:
        name = self._model.chosen
        self._model.delete(name)
        self._show()
        self._preset.setFocus()
        self.preset_deleted.emit(name)
