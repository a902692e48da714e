"""The section of the setup that says what is set aside: boxes, a number, and what they did."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QRect, QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from core.base.wording import counted
from neardup_gui.models.setup.aside import FEWEST_COMMON, USUAL_COMMON, AsideState
from neardup_gui.views.widgets.controls import Caption, CheckBox
from neardup_gui.views.widgets.dock import PaneTitle
from neardup_gui.views.widgets.link_label import LinkLabel
from neardup_gui.views.widgets.number_box import NumberBox

SIDE = 15
NUMBER_WIDTH = 44
MOST_COMMON = 1_000_000
BOXES = (
    (
        "quotations",
        "Quotations",
        "Text between quotation marks, from five words on, and block quotations",
    ),
    (
        "bibliography",
        "Lists of references",
        "Bibliographies under a heading of many languages, and at the end of a text",
    ),
    (
        "repeated",
        "Cover sheets, headings",
        "What stands at the start of several documents, and headings that repeat",
    ),
)
COMMON_TIP = "At least ten words in a row that stand in so many documents or more"
HINT = "What is set aside counts in no number. It stays visible, in grey."
LATER = "Can be chosen when a folder has been compared."


class Told(Caption):
    """Always as high as the hint: what stands above must not move under the mouse."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)

    def heightForWidth(self, width: int) -> int:
        """Room for what it says, and for the hint."""
        area = QRect(0, 0, width, 0)
        hint = self.fontMetrics().boundingRect(area, int(Qt.TextFlag.TextWordWrap), HINT)
        return max(super().heightForWidth(width), hint.height())


class AsidePanel(QWidget):
    """Shows and changes what is set aside.

    Signals:
        rule_changed: The name of a rule, and 0, 1 or a number of documents.
        chosen_dropped: Chosen passages are to count again.
        refused: A sentence: what was typed is no number of documents.
    """

    rule_changed = Signal(str, int)
    chosen_dropped = Signal()
    refused = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._boxes = {rule: self._box(rule, title, tip) for rule, title, tip in BOXES}
        self._is_common = CheckBox("Passages in at least")
        self._is_common.setToolTip(COMMON_TIP)
        self._is_common.toggled.connect(self._on_common)
        self._common = NumberBox(0)
        self._common.setAccessibleName("Documents in which a passage is common")
        self._common.setToolTip(COMMON_TIP)
        self._common.setRange(FEWEST_COMMON, MOST_COMMON)
        self._common.setValue(USUAL_COMMON)
        self._common.setFixedWidth(NUMBER_WIDTH)
        self._common.valueChanged.connect(self._on_common)
        self._common.refused.connect(self.refused)
        self._documents = QLabel("documents")
        self._told = Told()
        self._chosen = Caption()
        self._drop = LinkLabel("Let them count")
        self._drop.clicked.connect(self.chosen_dropped)
        self._lay_out()
        self.show_state(AsideState())

    def _box(self, rule: str, title: str, tip: str) -> CheckBox:
        box = CheckBox(title)
        box.setToolTip(tip)
        box.toggled.connect(partial(self._on_toggled, rule))
        return box

    def _lay_out(self) -> None:
        layout = QVBoxLayout(self)
        layout.setContentsMargins(SIDE, 0, SIDE, SIDE)
        layout.setSpacing(7)
        layout.addWidget(PaneTitle("Set aside"))
        for box in self._boxes.values():
            layout.addWidget(box)
        layout.addLayout(_row(self._is_common, self._common, self._documents))
        layout.addLayout(_row(self._chosen, self._drop))
        layout.addWidget(self._told)

    def show_state(self, state: AsideState) -> None:
        """Show what is set aside; nothing is reported."""
        for rule, box in self._boxes.items():
            with QSignalBlocker(box):
                box.setChecked(getattr(state, rule))
            box.setEnabled(state.can_change)
        with QSignalBlocker(self._is_common), QSignalBlocker(self._common):
            self._is_common.setChecked(state.common > 0)
            if state.common:
                self._common.setValue(state.common)
        for part in (self._is_common, self._common, self._documents):
            part.setEnabled(state.can_change)
        self._told.setText(state.told or (HINT if state.can_change else LATER))
        self._chosen.setText(counted(state.chosen, "chosen passage"))
        self._chosen.setVisible(state.chosen > 0)
        self._drop.setVisible(state.chosen > 0)

    def _on_toggled(self, rule: str, checked: bool) -> None:
        self.rule_changed.emit(rule, int(checked))

    def _on_common(self) -> None:
        """The box or its number; a number that nobody asked for says nothing."""
        sender_is_number = self.sender() is self._common
        if not sender_is_number or self._is_common.isChecked():
            number = round(self._common.value()) if self._is_common.isChecked() else 0
            self.rule_changed.emit("common", number)


def _row(*widgets: QWidget) -> QHBoxLayout:
    row = QHBoxLayout()
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(6)
    for widget in widgets:
        row.addWidget(widget)
    row.addStretch(1)
    return row
