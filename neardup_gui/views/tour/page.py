"""One step of the tour: what it explains, what can be moved, what comes out."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QEvent, QRect, QRectF, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import (
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QShortcut,
)
from PySide6.QtWidgets import (
    QAbstractButton,
    QBoxLayout,
    QDialog,
    QLabel,
    QSizePolicy,
    QWidget,
)

from core.base.messages import N_, gettext
from core.base.wording import count
from neardup_gui.environment.theme import colors
from neardup_gui.models.compare.comparison import SignatureGrid
from neardup_gui.models.tour.steps import Knob, Sets, Shown, Step, TourState
from neardup_gui.views.threshold.panel import NumberRow
from neardup_gui.views.tour.chart import ChartView, MarkedText, Picture, RowList
from neardup_gui.views.widgets.buttons import PushButton
from neardup_gui.views.widgets.containers import (
    FlatTabs,
    Scrolled,
    mirrored_margins,
    size_within_screen,
)
from neardup_gui.views.widgets.controls import Caption, ComboBox, TextField
from neardup_gui.views.widgets.labels import ScaledLabel, letter_width, mirrored
from neardup_gui.views.widgets.layouts import column_in, column_of, grid_in, row_of

CELL, LARGEST = 0.6, 1.7  # of the height of letters
APART = 0.35  # between bands, of a cell
BAR_LINES = 2.2


class SetsView(Picture):
    """Two sets as one bar: what is in one only, in both, in the other only, as wide as it is."""

    def __init__(self) -> None:
        super().__init__(gettext("Two sets of shingles"))
        self._sets: Sets | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_sets(self, sets: Sets | None) -> None:
        """Show other sets, or none."""
        self._sets = sets
        self.describe(_words(sets) if sets else "")

    def sizeHint(self) -> QSize:
        """The bar, and a line of words above and below."""
        line = self.fontMetrics().height()
        return QSize(20 * line, round((BAR_LINES + 3) * line))

    def minimumSizeHint(self) -> QSize:
        """Words stand below each other where it is narrow."""
        return QSize(10 * self.fontMetrics().height(), self.sizeHint().height())

    def draw(self, painter: QPainter) -> None:
        """Draw the bar and what its parts are."""
        if self._sets is None:
            return
        now, sets, line = colors(), self._sets, self.fontMetrics().height()
        whole = max(sets.only_a + sets.both + sets.only_b, 1)
        a, b = sets.names
        parts = (
            (sets.only_a, _only(a, sets.only_a), now.track, Qt.AlignmentFlag.AlignLeft),
            (
                sets.both,
                gettext("both: {number}", number=count(sets.both)),
                now.accent,
                Qt.AlignmentFlag.AlignHCenter,
            ),
            (sets.only_b, _only(b, sets.only_b), now.raised, Qt.AlignmentFlag.AlignRight),
        )
        left = 0.0
        for number, words, color, side in parts:
            width = self.width() * number / whole
            bar = QRectF(left, 1.5 * line, width, BAR_LINES * line)
            painter.fillRect(bar, color)
            painter.setPen(QPen(now.border, 1))
            painter.drawRect(bar.adjusted(0.5, 0.5, -0.5, -0.5))
            painter.setPen(now.text)
            top = 0.0 if side is Qt.AlignmentFlag.AlignHCenter else (BAR_LINES + 1.7) * line
            painter.drawText(QRectF(0, top, self.width(), 1.3 * line), int(side), words)
            left += width


def _words(sets: Sets) -> str:
    a, b = sets.names
    return gettext(
        "Only in {a} {only_a}, in both {both}, only in {b} {only_b}.",
        a=a,
        b=b,
        only_a=count(sets.only_a),
        both=count(sets.both),
        only_b=count(sets.only_b),
    )


def _only(name: str, number: int) -> str:
    return gettext("only {name}: {number}", name=name, number=count(number))


class CellsView(Picture):
    """A column for each band, a cell for each row; equal values are filled, met bands framed."""

    def __init__(self) -> None:
        super().__init__(gettext("Signature"))
        self._grid: SignatureGrid | None = None
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def show_grid(self, grid: SignatureGrid | None) -> None:
        """Show other values, or none."""
        self._grid = grid
        self.describe(grid.caption if grid else "")

    def hasHeightForWidth(self) -> bool:
        """Bands go on in the next line."""
        return True

    def heightForWidth(self, width: int) -> int:
        """All lines."""
        if self._grid is None:
            return 0
        across, cell = self._shape(width)
        lines = -(-len(self._grid.bands) // across)
        return round(lines * self._line_height(cell) + 2)

    def sizeHint(self) -> QSize:
        """As high as in its width."""
        return QSize(40 * self.fontMetrics().height(), self.heightForWidth(max(self.width(), 1)))

    def minimumSizeHint(self) -> QSize:
        """A few bands beside one another."""
        return QSize(10 * self.fontMetrics().height(), self.heightForWidth(max(self.width(), 1)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """In another width it has other lines."""
        super().resizeEvent(event)
        self.updateGeometry()

    def draw(self, painter: QPainter) -> None:
        """Draw the cells, then the frames."""
        if self._grid is None:
            return
        now = colors()
        across, cell = self._shape(self.width())
        for number, band in enumerate(self._grid.bands):
            line, column = divmod(number, across)
            left = column * cell * (1 + APART) + 2
            top = line * self._line_height(cell) + 2
            for row, same in enumerate(band):
                area = QRectF(left, top + row * cell, cell - 1.5, cell - 1.5)
                painter.fillRect(area, now.accent if same else now.track)
            if number in self._grid.met:
                painter.setPen(QPen(now.text, 2))
                frame = QRectF(left - 2, top - 2, cell + 2.5, len(band) * cell + 2.5)
                painter.drawRect(frame)

    def _line_height(self, cell: float) -> float:
        rows = len(self._grid.bands[0]) if self._grid else 1
        return (rows + APART) * cell + 2

    def _shape(self, width: int) -> tuple[int, float]:
        """How many bands stand beside one another, and how large a cell is.

        In as few lines as leave the cells large enough to be told apart.
        """
        number, line = len(self._grid.bands) if self._grid else 1, self.fontMetrics().height()
        for lines in range(1, number + 1):
            across = -(-number // lines)
            cell = (width - 4) / across / (1 + APART)
            if cell >= CELL * line:
                return across, min(cell, LARGEST * line)
        return 1, CELL * line


UNITS = {"word": N_("words"), "char": N_("characters")}
MOST_LETTERS = 5000  # of what is typed


class Knobs(QWidget):
    """A row for each number of a step.

    Signals:
        moved: A `Knob` and its new value.
        unit_chosen: "word" or "char".

    Attributes:
        text: The field of the user's own text.
        unit: The choice of words or characters.
        rows: By number.
    """

    moved = Signal(object, float)
    unit_chosen = Signal(str)

    def __init__(self, step: Step) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._grid = grid_in(self, margins=0, spacing=(12, 8), wide=1)
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
        label = QLabel(gettext("Your text"))
        label.setBuddy(self.text)
        self.text.setAccessibleName(gettext("Your text"))
        self.text.setMaxLength(MOST_LETTERS)
        self.text.editingFinished.connect(self._on_text_left)
        self._grid.addWidget(label, 0, 0)
        self._grid.addWidget(self.text, 0, 1, 1, 2)
        for unit, name in UNITS.items():
            self.unit.addItem(gettext(name), unit)
        self.unit.setAccessibleName(gettext("Shingles of"))
        self.unit.currentIndexChanged.connect(self._on_unit_changed)
        of = QLabel(gettext("Shingles of"))
        of.setBuddy(self.unit)
        self._grid.addWidget(of, 1, 0)
        self._grid.addWidget(self.unit, 1, 1, Qt.AlignmentFlag.AlignLeft)

    def _add_row(self, knob: Knob) -> None:
        words, place = knob.value, self._grid.rowCount()
        row = NumberRow(gettext(words.title), gettext(words.tip), words.decimals, self)
        row.value_changed.connect(partial(self.moved.emit, knob))
        for column, widget in enumerate((row.label, row.slider, row.box)):
            self._grid.addWidget(widget, place, column)
        self.rows[knob] = row

    def _on_text_left(self) -> None:
        if not self.text.text().strip():
            self.text.setText(self.text.placeholderText())

    def _on_unit_changed(self) -> None:
        self.unit_chosen.emit(self.unit.currentData())


HEADING, TEXT = 1.7, 1.15
LINE = 92  # letters: longer lines are hard to read
SIDE_BY_SIDE = 100  # letters: in less room pictures stand below one another
MARGIN = 26
BAR = 4


class Finding(ScaledLabel):
    """What came out, beside a bar; read aloud when it changes."""

    def __init__(self) -> None:
        super().__init__(TEXT)
        self.setContentsMargins(mirrored_margins(self, 3 * BAR, 2, 0, 2))
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the bar before the words."""
        super().paintEvent(event)
        bar = mirrored(self, QRect(0, 0, BAR, self.height()))
        QPainter(self).fillRect(bar, colors().accent)


class StepPage(QWidget):
    """Shows a step; its `knobs` say what the user moves."""

    def __init__(self, step: Step) -> None:
        super().__init__()
        self.step = step
        self.knobs = Knobs(step)
        self.finding = Finding()
        self.chart, self.sets, self.cells = ChartView(), SetsView(), CellsView()
        self.rows, self.marked = RowList(), MarkedText()
        self._rows_title, self._marked_title = Caption(), Caption()
        self._wide: list[QLabel] = []
        self._pictures = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._lay_out()
        self.show_shown(Shown(finding=gettext("Reading the sample corpus…")))

    def show_shown(self, shown: Shown) -> None:
        """Show what came out."""
        self.finding.setText(shown.finding)
        self.chart.show_chart(shown.chart)
        self.sets.show_sets(shown.sets)
        self.cells.show_grid(shown.grid)
        self.rows.show_rows(shown.rows_title, shown.rows)
        self.marked.show_marked(shown.marked)
        marked = shown.marked.title if shown.marked else ""
        for label, title in ((self._rows_title, shown.rows_title), (self._marked_title, marked)):
            label.setText(title)
            label.setVisible(bool(title))
        self._beside.setVisible(bool(shown.rows or shown.marked))
        self.knobs.show_sentence(shown.sentence)

    def show_problem(self, sentence: str) -> None:
        """Say why there is nothing to show."""
        self.finding.setText(sentence)

    def _lay_out(self) -> None:
        heading = ScaledLabel(HEADING, gettext(self.step.value.heading))
        text = ScaledLabel(TEXT, gettext(self.step.value.text))
        self._wide = [text, self.finding]
        parts = (heading, text, self.knobs, self.finding, self.sets, self.cells)
        column = column_in(self, *parts, margins=(MARGIN, MARGIN - 8), spacing=12)
        self._beside = QWidget()
        beside = (self._rows_title, self.rows, self._marked_title, self.marked)
        column_in(self._beside, *beside, margins=0, spacing=4)
        self._pictures.setSpacing(20)
        self._pictures.addWidget(self.chart, 5)
        self._pictures.addWidget(self._beside, 4)
        column.addLayout(self._pictures, 1)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the size of the text."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put pictures beside or below one another."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        letter = letter_width(self.fontMetrics())
        for label in self._wide:
            label.setMaximumWidth(round(TEXT * LINE * letter))
        self.knobs.setMaximumWidth(round(TEXT * LINE * letter))
        narrow = self.width() < SIDE_BY_SIDE * letter
        way = QBoxLayout.Direction.TopToBottom if narrow else QBoxLayout.Direction.LeftToRight
        if self._pictures.direction() != way:
            self._pictures.setDirection(way)


SIZE = (1120, 800)
ON = "PgDown", "Alt+Right"  # a remote control sends the first
BACK = "PgUp", "Alt+Left"
WHOLE_SCREEN = "F11"
FOOT_SIDE = 24
HINT = N_("Page Down, Page Up: on and back · F11: whole screen · Ctrl++: larger")


class TourWindow(QDialog):
    """Seven steps as tabs; Esc closes it.

    Signals:
        step_opened: Another `Step` is in front.
    """

    step_opened = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self.setWindowTitle(gettext("Guided tour"))
        self.setModal(False)
        self.steps = FlatTabs(gettext("Steps of the tour"))
        self.pages = {step: StepPage(step) for step in Step}
        for step, page in self.pages.items():
            self.steps.addTab(Scrolled(page), f"{step.number}  {gettext(step.value.title)}")
        self._back, self._next = (
            PushButton(gettext("Back")),
            PushButton(gettext("Next"), filled=True),
        )
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
        self.resize(size_within_screen(self, QSize(*SIZE)))

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
        words = self._hint.fontMetrics().horizontalAdvance(gettext(HINT))
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
        self._hint.setText(gettext(HINT))
        for label in (self._place, self._hint):
            label.setAlignment(Qt.AlignmentFlag.AlignCenter)
        middle = column_of(self._place, self._hint, spacing=0)
        foot = row_of(
            self._back, (middle, 1), self._next, margins=(FOOT_SIDE, 8, FOOT_SIDE, 14), spacing=12
        )
        column_in(self, (self.steps, 1), foot, margins=(0, 6, 0, 0), spacing=0)

    def _on_step_opened(self) -> None:
        self._show_place()
        self.step_opened.emit(self.step)

    def _show_place(self) -> None:
        number = self.step.number
        self._place.setText(gettext("Step {number} of {all}", number=number, all=len(Step)))
        self._back.setEnabled(number > 1)
        self._next.setText(gettext("Next") if number < len(Step) else gettext("Close"))

    def _fill_screen(self) -> None:
        if self.isFullScreen():
            self.showNormal()
        else:
            self.showFullScreen()
