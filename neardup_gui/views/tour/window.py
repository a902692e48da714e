"""The guided tour, in a window of its own, for one person or a lecture hall."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import QAbstractButton, QDialog, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from neardup_gui.models.tour.pictures import Shown
from neardup_gui.models.tour.state import TourState
from neardup_gui.models.tour.steps import Step
from neardup_gui.views.tour.page import StepPage
from neardup_gui.views.widgets.controls import Caption
from neardup_gui.views.widgets.flat_tabs import FlatTabs
from neardup_gui.views.widgets.push_button import PushButton
from neardup_gui.views.widgets.scrolled import Scrolled

SIZE = (1120, 800)
ON = "PgDown", "Alt+Right"  # a remote control sends the first
BACK = "PgUp", "Alt+Left"
WHOLE_SCREEN = "F11"
FOOT_SIDE = 24
HINT = "Page Down, Page Up: on and back · F11: whole screen · Ctrl++: larger"


class TourWindow(QDialog):
    """Seven steps as tabs; Esc closes it.

    Signals:
        step_opened: Another `Step` is in front.
        moved: A `Knob` and its new value.
        unit_chosen: "word" or "char".
        text_typed: The user's own text.
    """

    step_opened = Signal(object)
    moved = Signal(object, float)
    unit_chosen = Signal(str)
    text_typed = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self.setWindowTitle("Guided tour")
        self.setModal(False)
        self.steps = FlatTabs()
        self.steps.setAccessibleName("Steps of the tour")
        self.steps.tabBar().setAccessibleName("Steps of the tour")
        self.pages = {step: StepPage(step) for step in Step}
        for step, page in self.pages.items():
            self.steps.addTab(Scrolled(page), f"{step.number}  {step.value.title}")
            page.knobs.moved.connect(self.moved)
            page.knobs.unit_chosen.connect(self.unit_chosen)
            page.knobs.text_typed.connect(self.text_typed)
        self._back, self._next = PushButton("Back"), PushButton("Next", filled=True)
        self._place, self._hint = QLabel(), Caption()
        self._lay_out()
        self.steps.currentChanged.connect(self._on_step_opened)
        self._back.clicked.connect(self.go_back)
        self._next.clicked.connect(self.go_on)
        for keys, does in ((ON, self.go_on), (BACK, self.go_back)):
            for key in keys:
                QShortcut(QKeySequence(key), self).activated.connect(does)
        QShortcut(QKeySequence(WHOLE_SCREEN), self).activated.connect(self._fill_screen)
        self._show_place()
        self.steps.tabBar().setFocus()  # arrows lead from step to step
        room = self.screen().availableGeometry()
        self.resize(min(SIZE[0], room.width()), min(SIZE[1], room.height()))

    @property
    def step(self) -> Step:
        """The step in front."""
        return list(Step)[self.steps.currentIndex()]

    def go_to(self, step: Step) -> None:
        """Show a step."""
        self.steps.setCurrentIndex(step.number - 1)

    def go_on(self) -> None:
        """Show the next step; after the last one close."""
        if self.step.number == len(Step):
            self.close()
        self.steps.setCurrentIndex(min(self.step.number, len(Step) - 1))

    def go_back(self) -> None:
        """Show the step before."""
        self.steps.setCurrentIndex(max(self.step.number - 2, 0))

    def show_state(self, state: TourState) -> None:
        """Show what was chosen, in all steps."""
        for page in self.pages.values():
            page.knobs.show_state(state)

    def show_shown(self, step: Step, shown: Shown) -> None:
        """Show what came out of a step."""
        self.pages[step].show_shown(shown)

    def show_problem(self, sentence: str) -> None:
        """Say why the step in front shows nothing."""
        self.pages[self.step].show_problem(sentence)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give the hint only where it stands in one line."""
        super().resizeEvent(event)
        buttons = self._back.sizeHint().width() + self._next.sizeHint().width()
        words = self._hint.fontMetrics().horizontalAdvance(HINT)
        self._hint.setVisible(self.width() > buttons + words + 4 * FOOT_SIDE)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter presses the focused button and no other; Esc first leaves the whole screen."""
        if event.key() == Qt.Key.Key_Escape and self.isFullScreen():
            self.showNormal()
            return
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            focused = self.focusWidget()
            if isinstance(focused, QAbstractButton):
                focused.click()
            return
        super().keyPressEvent(event)

    def _lay_out(self) -> None:
        for button in (self._back, self._next):
            button.setAutoDefault(False)
        self._hint.setText(HINT)
        middle = QVBoxLayout()
        middle.setSpacing(0)
        for label in (self._place, self._hint):
            label.setAlignment(Qt.AlignmentFlag.AlignCenter)
            middle.addWidget(label)
        foot = QHBoxLayout()
        foot.setContentsMargins(FOOT_SIDE, 8, FOOT_SIDE, 14)
        foot.setSpacing(12)
        foot.addWidget(self._back)
        foot.addLayout(middle, 1)
        foot.addWidget(self._next)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 6, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.steps, 1)
        column.addLayout(foot)

    def _on_step_opened(self) -> None:
        self._show_place()
        self.step_opened.emit(self.step)

    def _show_place(self) -> None:
        number = self.step.number
        self._place.setText(f"Step {number} of {len(Step)}")
        self._back.setEnabled(number > 1)
        self._next.setText("Next" if number < len(Step) else "Close")

    def _fill_screen(self) -> None:
        if self.isFullScreen():
            self.showNormal()
        else:
            self.showFullScreen()
