"""The fields of how files are read: archives, scans, and every limit with unit and default."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QGridLayout, QWidget

from neardup_gui.models.setup.reading_settings import (
    LIMIT_ROWS,
    LimitRow,
    ReadingField,
    ReadingValues,
)
from neardup_gui.models.words.numbers import count
from neardup_gui.views.setup.rows import LABEL_WIDTH, muted_label
from neardup_gui.views.widgets.controls import Caption, CheckBox, NumberBox, Problem, TextField

__all__ = ["ReadingForm"]

NUMBER_WIDTH = 66
LAST_COLUMN = 3
GET_TESSERACT = (
    "Tesseract, a free program that reads pictures of text, is not installed. Install “tesseract” "
    "or “tesseract-ocr” from the packages of your system, and the languages you need."
)
ARCHIVES_TIP = (
    "Documents in ZIP and tar archives are read as if the archive were a folder, one level deep"
)
OCR_TIP = "Pages that are pictures are read with Tesseract; slow, and marked as such"
LANGUAGES_TIP = "Languages of the scans, by Tesseract's short names: eng, or deu+eng"


class ReadingForm(QWidget):
    """One row for each limit, and the choices above them.

    Signals:
        field_changed: The name of a choice and its new value.
        limit_changed: The name of a limit and its new value in its unit.
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
        self._archives = CheckBox("Open ZIP and tar archives")
        self._archives.setToolTip(ARCHIVES_TIP)
        self._archives.toggled.connect(partial(self.field_changed.emit, ReadingField.ARCHIVES))
        self._ocr = CheckBox("Read scans with Tesseract")
        self._ocr.toggled.connect(partial(self.field_changed.emit, ReadingField.OCR))
        self._languages = TextField()
        self._languages.setAccessibleName("Languages of scans")
        self._languages.setToolTip(LANGUAGES_TIP)
        self._languages.editingFinished.connect(self._on_languages_entered)
        self._missing = Caption()
        self._missing.setText(GET_TESSERACT)
        self._problem = Problem()
        self._boxes: dict[str, NumberBox] = {}
        self._defaults: dict[str, Caption] = {}
        self._lay_out()

    def _lay_out(self) -> None:
        wide = LAST_COLUMN + 1
        self._grid.addWidget(self._archives, 0, 0, 1, wide)
        self._grid.addWidget(self._ocr, 1, 0, 1, wide)
        self._grid.addWidget(self._missing, 2, 0, 1, wide)
        self._grid.addWidget(muted_label("Languages", self._languages), 3, 0)
        self._grid.addWidget(self._languages, 3, 1, 1, LAST_COLUMN)
        self._grid.addWidget(self._problem, 4, 0, 1, wide)
        for number, row in enumerate(LIMIT_ROWS):
            self._add_limit(5 + number, row)

    def _add_limit(self, place: int, row: LimitRow) -> None:
        box = NumberBox(0)
        box.setRange(1, row.high)
        box.setGroupSeparatorShown(True)
        box.setMinimumWidth(NUMBER_WIDTH)
        box.setAccessibleName(f"{row.title}, in {row.unit}")
        box.setToolTip(f"{row.meaning} From 1 to {count(row.high)} {row.unit}.")
        box.valueChanged.connect(partial(self._on_limit_changed, row.field))
        default = Caption()
        default.setWordWrap(False)
        self._boxes[row.field], self._defaults[row.field] = box, default
        self._grid.addWidget(muted_label(row.title, box), place, 0)
        self._grid.addWidget(box, place, 1)
        self._grid.addWidget(default, place, 2, 1, 2)

    def show_values(self, values: ReadingValues) -> None:
        """Show values without telling anyone."""
        for check, on in ((self._archives, values.archives), (self._ocr, values.ocr)):
            with QSignalBlocker(check):
                check.setChecked(on)
        self._languages.setText(values.ocr_languages)
        self._languages.setEnabled(values.ocr)
        for row in LIMIT_ROWS:
            box, limit = self._boxes[row.field], values.limits[row.field]
            with QSignalBlocker(box):
                box.setValue(limit.value)
            self._defaults[row.field].setText(f"{row.unit} · default {count(limit.default)}")

    def show_tesseract(self, *, installed: bool) -> None:
        """Whether scans can be read on this computer."""
        self._missing.setVisible(not installed)
        self._ocr.setToolTip(OCR_TIP if installed else GET_TESSERACT)

    def show_problem(self, sentence: str) -> None:
        """Say why the last change cannot be."""
        self._problem.show_sentence(sentence)

    def focus_first(self) -> QWidget:
        """Lead to the first choice."""
        self._archives.setFocus(Qt.FocusReason.ShortcutFocusReason)
        return self

    def focus_limit(self, field: str) -> QWidget:
        """Lead to a limit, ready to be typed over."""
        box = self._boxes[field]
        box.setFocus(Qt.FocusReason.ShortcutFocusReason)
        box.selectAll()
        return box

    def focus_languages(self) -> QWidget:
        """Lead to the languages of scans, ready to be typed over."""
        self._languages.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._languages.selectAll()
        return self._languages

    def _on_limit_changed(self, field: str, value: float) -> None:
        self.limit_changed.emit(field, round(value))

    def _on_languages_entered(self) -> None:
        if self._languages.isModified():
            self._languages.setModified(False)
            self.field_changed.emit(ReadingField.LANGUAGES, self._languages.text())
