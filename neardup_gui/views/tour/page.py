"""The window of the tour: explanations, controls, and pictures of the results."""

from __future__ import annotations

from functools import partial
from itertools import pairwise

from PySide6 import QtGui
from PySide6.QtCore import (
    QModelIndex,
    QPersistentModelIndex,
    QPointF,
    QRect,
    QRectF,
    QSignalBlocker,
    QSize,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtWidgets import (
    QAbstractButton,
    QBoxLayout,
    QDialog,
    QFrame,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QSizePolicy,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTextEdit,
    QWidget,
)

from core.base.messages import N_, gettext, localized
from core.base.wording import RIGHT_TO_LEFT, count
from neardup_gui.environment.theme import colors, mix
from neardup_gui.models.tour import steps
from neardup_gui.views.threshold.panel import NumberRow
from neardup_gui.views.threshold.plot import PlotScale
from neardup_gui.views.widgets import containers
from neardup_gui.views.widgets.buttons import PushButton
from neardup_gui.views.widgets.controls import Caption, ComboBox, ReadOnlyText, TextField
from neardup_gui.views.widgets.labels import ScaledLabel, label_of, letter_width, mirrored
from neardup_gui.views.widgets.layouts import column_in, column_of, grid_in, row_of
from neardup_gui.views.widgets.pictures import Picture, SignaturePicture

LINES_HIGH = 15  # of text
LINES_WIDE = 24
SIGN = 0.26  # of the height of letters
SIGN_LINE = 1.6
AIR = 6


def tone_color(tone: steps.Tone) -> QtGui.QColor:
    """The hue of a series in the current scheme."""
    now = colors()
    return {
        steps.Tone.MAIN: now.accent,
        steps.Tone.OTHER: now.extra,
        steps.Tone.MISSED: now.missed,
        steps.Tone.EXTRA: now.extra,
        steps.Tone.QUIET: now.muted,
    }[tone]


def paint_sign(painter: QtGui.QPainter, tone: steps.Tone, center: QPointF, line: float) -> None:
    """Draw a disc, diamond, triangle, square or small ring, for text of this height."""
    radius = SIGN * line
    painter.setPen(QtGui.QPen(tone_color(tone), SIGN_LINE))
    painter.setBrush(colors().window if tone is not steps.Tone.MAIN else tone_color(tone))
    if tone is steps.Tone.QUIET:
        painter.drawEllipse(center, 0.6 * radius, 0.6 * radius)
    elif tone is steps.Tone.MAIN:
        painter.drawEllipse(center, radius, radius)
    else:
        corners = [center + QPointF(radius * x, radius * y) for x, y in CORNERS[tone]]
        painter.drawPolygon(corners)


class ChartView(Picture):
    """Draws a `Chart`; hue and sign together show the series of a point."""

    def __init__(self) -> None:
        super().__init__(gettext("Chart"))
        self._chart: steps.Chart | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def show_chart(self, chart: steps.Chart | None) -> None:
        """Draw another chart, or none."""
        self._chart = chart
        self.describe(chart.words if chart else "")

    def sizeHint(self) -> QSize:
        """The height of a number of text lines."""
        line = self.fontMetrics().height()
        return QSize(2 * LINES_WIDE * line, LINES_HIGH * line)

    def minimumSizeHint(self) -> QSize:
        """The least height at which signs do not cover each other."""
        line = self.fontMetrics().height()
        return QSize(LINES_WIDE * line // 2, LINES_HIGH * line)

    def draw(self, painter: QtGui.QPainter) -> None:
        """Draw axes, series, marks and legend."""
        if self._chart is not None:
            room = QRectF(self.rect()).adjusted(1, 1, -1, -1)
            _Drawing(painter, self._chart, room, QtGui.QFontMetricsF(self.font())).draw()


class _Drawing:
    """One painting of a chart."""

    def __init__(
        self,
        painter: QtGui.QPainter,
        chart: steps.Chart,
        room: QRectF,
        metrics: QtGui.QFontMetricsF,
    ) -> None:
        self._painter, self._chart, self._metrics = painter, chart, metrics
        self._line = metrics.height()
        ticks = max(metrics.horizontalAdvance(text) for _, text in self._y_ticks())
        self._room = room
        self._legend = self._legend_lines()
        above = (len(self._legend) + 1.7) * self._line
        self._plot = room.adjusted(ticks + 2 * AIR, above, -2 * AIR, -2.5 * self._line)
        self._at = PlotScale(self._plot, *chart.x_range, top=chart.top).point

    def draw(self) -> None:
        """Draw all of it, from the back to the front."""
        self._draw_axes()
        for series in self._chart.series:
            if series.bars:
                self._draw_bars(series)
        for mark in self._chart.marks:
            self._draw_mark(mark)
        for series in self._chart.series:
            if series.joined:
                self._draw_line(series)
            elif not series.bars:
                self._draw_signs(series)
        self._draw_legend()

    def _y_ticks(self) -> list[tuple[float, str]]:
        top = self._chart.top
        return [(y, localized(f"{y:g}")) for y in (0.0, top / 2, top)]

    def _draw_axes(self) -> None:
        now, painter, plot = colors(), self._painter, self._plot
        low = self._chart.x_range[0]
        for y, text in self._y_ticks():
            point = self._at(low, y)
            painter.setPen(QtGui.QPen(now.border, 1))
            painter.drawLine(point, QPointF(plot.right(), point.y()))
            painter.setPen(now.muted)
            self._write(text, QPointF(plot.left() - AIR, point.y()), Qt.AlignmentFlag.AlignRight)
        for x, text in self._chart.x_ticks:
            point = self._at(x, 0) + QPointF(0, 0.75 * self._line)
            self._write(text, point, Qt.AlignmentFlag.AlignHCenter)
        below = QPointF(plot.center().x(), plot.bottom() + 1.85 * self._line)
        self._write(self._chart.across, below, Qt.AlignmentFlag.AlignHCenter)
        above = QPointF(self._room.left(), plot.top() - 1.05 * self._line)
        self._write(self._chart.up, above, Qt.AlignmentFlag.AlignLeft)

    def _write(self, text: str, point: QPointF, side: Qt.AlignmentFlag) -> None:
        """Write a word, with its middle or one of its ends at a point."""
        width = self._metrics.horizontalAdvance(text) + 2
        left = {
            Qt.AlignmentFlag.AlignLeft: point.x(),
            Qt.AlignmentFlag.AlignHCenter: point.x() - width / 2,
            Qt.AlignmentFlag.AlignRight: point.x() - width,
        }[side]
        left = min(max(left, self._room.left()), self._room.right() - width)
        area = QRectF(left, point.y() - self._line / 2, width, self._line)
        self._painter.drawText(area, int(Qt.AlignmentFlag.AlignCenter), text)

    def _draw_mark(self, mark: steps.Mark) -> None:
        self._painter.setPen(QtGui.QPen(colors().text, 1.4, Qt.PenStyle.DashLine))
        foot = self._at(mark.x, 0)
        self._painter.drawLine(foot, QPointF(foot.x(), self._plot.top() - 0.45 * self._line))
        self._painter.setPen(colors().text)
        above = QPointF(foot.x(), self._plot.top() - 1.05 * self._line)
        above.setX(max(above.x(), self._room.left() + self._up_room(mark.name)))
        self._write(mark.name, above, Qt.AlignmentFlag.AlignHCenter)

    def _up_room(self, name: str) -> float:
        """The least x of a centred name beside the name of the y axis."""
        up = self._metrics.horizontalAdvance(self._chart.up)
        return up + 2 * AIR + self._metrics.horizontalAdvance(name) / 2

    def _draw_line(self, series: steps.Series) -> None:
        self._painter.setPen(QtGui.QPen(tone_color(series.tone), 2))
        self._painter.drawPolyline([self._at(x, y) for x, y in series.points])

    def _draw_bars(self, series: steps.Series) -> None:
        self._painter.setPen(Qt.PenStyle.NoPen)
        self._painter.setBrush(mix(tone_color(series.tone), colors().window, 0.55))
        width = 0.86 * self._plot.width() / max(len(series.points), 1)
        for x, y in series.points:
            top, foot = self._at(x, y), self._at(x, 0)
            self._painter.drawRect(QRectF(top.x() - width / 2, top.y(), width, foot.y() - top.y()))

    def _draw_signs(self, series: steps.Series) -> None:
        for index, (x, y) in enumerate(series.points):
            if series.spread:
                low, high = series.spread[index]
                self._painter.setPen(QtGui.QPen(tone_color(series.tone), 1.4))
                self._painter.drawLine(self._at(x, low), self._at(x, high))
            self._draw_sign(series.tone, self._at(x, y))

    def _draw_sign(self, tone: steps.Tone, center: QPointF) -> None:
        paint_sign(self._painter, tone, center, self._line)

    def _legend_lines(self) -> list[list[steps.Series]]:
        """The named series, as many on a line as fit."""
        lines, used = list[list[steps.Series]](), self._room.width()
        for series in {
            named_series.name: named_series
            for named_series in self._chart.series
            if named_series.name
        }.values():
            width = self._metrics.horizontalAdvance(series.name) + 3 * self._line
            if used + width > self._room.width():
                lines.append([])
                used = 0
            lines[-1].append(series)
            used += width
        return lines

    def _draw_legend(self) -> None:
        middle = self._line / 2
        for line in self._legend:
            left = self._room.left() + self._line / 2
            for series in line:
                self._draw_swatch(series, QPointF(left + self._line / 2, middle))
                self._painter.setPen(colors().text)
                point = QPointF(left + 1.4 * self._line, middle)
                self._write(series.name, point, Qt.AlignmentFlag.AlignLeft)
                left += self._metrics.horizontalAdvance(series.name) + 3 * self._line
            middle += self._line

    def _draw_swatch(self, series: steps.Series, center: QPointF) -> None:
        half = self._line / 2
        if series.bars:
            self._painter.setPen(Qt.PenStyle.NoPen)
            self._painter.setBrush(mix(tone_color(series.tone), colors().window, 0.55))
            self._painter.drawRect(QRectF(center.x() - half / 2, center.y() - half / 2, half, half))
        elif series.joined:
            self._painter.setPen(QtGui.QPen(tone_color(series.tone), 2))
            self._painter.drawLine(center - QPointF(half, 0), center + QPointF(half, 0))
        else:
            self._draw_sign(series.tone, center)


CORNERS: dict[steps.Tone, list[tuple[float, float]]] = {
    steps.Tone.OTHER: [(0, -1.2), (1.2, 0), (0, 1.2), (-1.2, 0)],
    steps.Tone.MISSED: [(0, -1.3), (1.2, 0.9), (-1.2, 0.9)],
    steps.Tone.EXTRA: [(-1, -1), (1, -1), (1, 1), (-1, 1)],
}


LIST_LINES = 9
TEXT_LINES = 8
BEFORE, TONE = Qt.ItemDataRole.UserRole, Qt.ItemDataRole.UserRole + 1
INSIDE = 8


class RowList(QListWidget):
    """Lines, each indented by the width of the words before it."""

    def __init__(self) -> None:
        super().__init__()
        self._rows: tuple[steps.Row, ...] = ()
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setItemDelegate(_RowDelegate(self))
        self.setTabKeyNavigation(False)
        self.setHorizontalScrollMode(QListWidget.ScrollMode.ScrollPerPixel)

    def show_rows(self, title: str, rows: tuple[steps.Row, ...]) -> None:
        """Show other lines, or none, in their direction of reading."""
        self.setVisible(bool(rows))
        self.setAccessibleName(title)
        if rows == self._rows:
            return
        current_row, self._rows = self.currentRow(), rows
        from_right = any(RIGHT_TO_LEFT.search(row.text) for row in rows)
        self.setLayoutDirection(
            Qt.LayoutDirection.RightToLeft if from_right else Qt.LayoutDirection.LeftToRight
        )
        self.clear()
        for row in rows:
            item = QListWidgetItem(row.text)
            item.setData(BEFORE, row.before)
            item.setData(TONE, row.tone)
            self.addItem(item)
        self.setCurrentRow(min(current_row, len(rows) - 1))

    def sizeHint(self) -> QSize:
        """The height of a few lines; more if there is room."""
        return QSize(200, LIST_LINES * round(1.5 * self.fontMetrics().height()))

    def minimumSizeHint(self) -> QSize:
        """The same: below it scrolls."""
        return QSize(100, self.sizeHint().height())


class _RowDelegate(QStyledItemDelegate):
    def sizeHint(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        """The width of the words and of those before them."""
        metrics = option.fontMetrics
        words = f"{index.data(BEFORE) or ''}{index.data()}"
        return QSize(
            metrics.horizontalAdvance(words) + 2 * INSIDE + metrics.height(),
            round(1.4 * metrics.height()),
        )

    def paint(
        self,
        painter: QtGui.QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        """Draw the sign of the line, and its words."""
        now, area, item_rect = colors(), QRect(option.rect), option.rect
        painter.setLayoutDirection(option.direction)
        metrics = option.fontMetrics
        if option.state & QStyle.StateFlag.State_HasFocus:
            painter.fillRect(area, now.selection)
        tone = index.data(TONE)
        area.adjust(INSIDE, 0, 0, 0)
        if isinstance(tone, steps.Tone):
            line = metrics.height()
            painter.setRenderHint(QtGui.QPainter.RenderHint.Antialiasing)
            sign = QRect(area.left(), area.top(), line, area.height())
            sign = QStyle.visualRect(option.direction, item_rect, sign)
            paint_sign(painter, tone, QRectF(sign).center(), line)
            area.adjust(round(1.3 * line), 0, 0, 0)
        area.adjust(metrics.horizontalAdvance(index.data(BEFORE) or ""), 0, 0, 0)
        painter.setPen(now.muted if tone is steps.Tone.QUIET else now.text)
        area = QStyle.visualRect(option.direction, item_rect, area)
        painter.drawText(area, int(Qt.AlignmentFlag.AlignVCenter), index.data())


class MarkedText(containers.FollowsLooks, ReadOnlyText):
    """A text with marked stretches."""

    def __init__(self) -> None:
        super().__init__()
        self._marked: steps.Marked | None = None

    def show_marked(self, marked: steps.Marked | None) -> None:
        """Show another text, or none, scrolled to the first marked stretch."""
        self.setVisible(marked is not None)
        if marked is None or marked == self._marked:
            return
        bar = self.verticalScrollBar()
        scrolled = bar.value()
        if self._marked is None or marked.text != self._marked.text:
            self.setPlainText(marked.text)
        first = self._marked is None
        self._marked = marked
        self.setAccessibleName(marked.title)
        self.follow_looks()
        bar.setValue(scrolled)
        if first:
            QTimer.singleShot(0, self, self._reveal)

    def sizeHint(self) -> QSize:
        """The height of a few lines."""
        return QSize(200, TEXT_LINES * round(1.3 * self.fontMetrics().height()))

    def minimumSizeHint(self) -> QSize:
        """The same: below it scrolls."""
        return QSize(100, self.sizeHint().height())

    def _reveal(self) -> None:
        """Scroll to the first marked stretch."""
        if self._marked and self._marked.spans:
            cursor = self.textCursor()
            cursor.setPosition(self._marked.spans[0][0])
            self.setTextCursor(cursor)
            self.centerCursor()

    def follow_looks(self) -> None:
        """Mark the stretches in the colours of the scheme."""
        if self._marked is None:
            return
        passage = colors().passages[0]
        look = QtGui.QTextCharFormat()
        look.setBackground(passage.fill)
        look.setUnderlineStyle(QtGui.QTextCharFormat.UnderlineStyle.SingleUnderline)
        look.setUnderlineColor(passage.line)
        selections = []
        for start, end in self._marked.spans:
            selection = QTextEdit.ExtraSelection()
            cursor = self.textCursor()
            cursor.setPosition(start)
            cursor.setPosition(end, cursor.MoveMode.KeepAnchor)
            selection.cursor, selection.format = cursor, look
            selections.append(selection)
        self.setExtraSelections(selections)


BAR_LINES = 2.2


class SetsView(Picture):
    """Two sets as one bar: in A only, in both, in B only, each as wide as its share."""

    def __init__(self) -> None:
        super().__init__(gettext("Two sets of shingles"))
        self._sets: steps.Sets | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_sets(self, sets: steps.Sets | None) -> None:
        """Show other sets, or none."""
        self._sets = sets
        self.describe(_words(sets) if sets else "")

    def sizeHint(self) -> QSize:
        """The size of the bar with a line of words above and below."""
        line = self.fontMetrics().height()
        return QSize(20 * line, round((BAR_LINES + 3) * line))

    def minimumSizeHint(self) -> QSize:
        """A width at which words stand below each other."""
        return QSize(10 * self.fontMetrics().height(), self.sizeHint().height())

    def draw(self, painter: QtGui.QPainter) -> None:
        """Draw the bar and the names of its parts."""
        if self._sets is None:
            return
        now, sets, line = colors(), self._sets, self.fontMetrics().height()
        total = max(sets.only_a + sets.both + sets.only_b, 1)
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
            width = self.width() * number / total
            bar = QRectF(left, 1.5 * line, width, BAR_LINES * line)
            painter.fillRect(bar, color)
            painter.setPen(QtGui.QPen(now.border, 1))
            painter.drawRect(bar.adjusted(0.5, 0.5, -0.5, -0.5))
            painter.setPen(now.text)
            top = 0.0 if side is Qt.AlignmentFlag.AlignHCenter else (BAR_LINES + 1.7) * line
            painter.drawText(QRectF(0, top, self.width(), 1.3 * line), int(side), words)
            left += width


def _words(sets: steps.Sets) -> str:
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


UNITS = {"word": N_("words"), "char": N_("characters")}
MOST_LETTERS = 5000  # of the typed text


class Knobs(QWidget):
    """A row per number of a step.

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

    def __init__(self, step: steps.Step) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._grid = grid_in(self, margins=0, spacing=(12, 8), wide=1)
        self.text, self.unit = TextField(), ComboBox()
        self.rows: dict[steps.Knob, NumberRow] = {}
        if step is steps.Step.SHINGLES:
            self._add_text()
        for knob in step.value.knobs:
            self._add_row(knob)

    def show_state(self, state: steps.TourState) -> None:
        """Show the chosen values without emitting signals."""
        for knob, row in self.rows.items():
            low, high = state.bounds(knob)
            row.set_range(low, high)
            row.set_value(state.value(knob))
        with QSignalBlocker(self.unit):
            self.unit.setCurrentIndex(self.unit.findData(state.settings.unit))

    def show_sentence(self, sentence: str) -> None:
        """Show the text that was cut; a text being typed stays."""
        self.text.setPlaceholderText(sentence)
        if not self.text.hasFocus() and self.text.text() != sentence:
            self.text.setText(sentence)
            self.text.setCursorPosition(0)

    def _add_text(self) -> None:
        self.text.setAccessibleName(gettext("Your text"))
        self.text.setMaxLength(MOST_LETTERS)
        self.text.editingFinished.connect(self._on_text_left)
        self._grid.addWidget(label_of(self.text, gettext("Your text")), 0, 0)
        self._grid.addWidget(self.text, 0, 1, 1, 2)
        for unit, name in UNITS.items():
            self.unit.addItem(gettext(name), unit)
        self.unit.setAccessibleName(gettext("Shingles of"))
        self.unit.currentIndexChanged.connect(self._on_unit_changed)
        self._grid.addWidget(label_of(self.unit, gettext("Shingles of")), 1, 0)
        self._grid.addWidget(self.unit, 1, 1, Qt.AlignmentFlag.AlignLeft)

    def _add_row(self, knob: steps.Knob) -> None:
        words, row_number = knob.value, self._grid.rowCount()
        row = NumberRow(gettext(words.title), gettext(words.tip), words.decimals, self)
        row.value_changed.connect(partial(self.moved.emit, knob))
        for column, widget in enumerate((row.label, row.slider, row.box)):
            self._grid.addWidget(widget, row_number, column)
        self.rows[knob] = row

    def _on_text_left(self) -> None:
        if not self.text.text().strip():
            self.text.setText(self.text.placeholderText())

    def _on_unit_changed(self) -> None:
        self.unit_chosen.emit(self.unit.currentData())


HEADING, TEXT = 1.7, 1.15
LINE = 92  # letters: longer lines are hard to read
SIDE_BY_SIDE = 100  # letters: with less room pictures are below each other
MARGIN = 26
BAR = 4


class Finding(ScaledLabel):
    """The result, beside a bar; read aloud when it changes."""

    def __init__(self) -> None:
        super().__init__(TEXT)
        self.setContentsMargins(containers.mirrored_margins(self, 3 * BAR, 2, 0, 2))
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def paintEvent(self, event: QtGui.QPaintEvent) -> None:
        """Draw the bar before the words."""
        super().paintEvent(event)
        bar = mirrored(self, QRect(0, 0, BAR, self.height()))
        QtGui.QPainter(self).fillRect(bar, colors().accent)


class StepPage(containers.FollowsSize, QWidget):
    """Shows a step; its `knobs` emit what the user moves."""

    def __init__(self, step: steps.Step) -> None:
        super().__init__()
        self.step = step
        self.knobs = Knobs(step)
        self.finding = Finding()
        self.chart, self.sets, self.cells = ChartView(), SetsView(), SignaturePicture()
        self.rows, self.marked = RowList(), MarkedText()
        self._rows_title, self._marked_title = Caption(), Caption()
        self._wide: list[QLabel] = []
        self._pictures = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._lay_out()
        self.show_shown(steps.Shown(finding=gettext("Reading the sample corpus…")))

    def show_shown(self, shown: steps.Shown) -> None:
        """Show the result."""
        self.finding.setText(shown.finding)
        self.chart.show_chart(shown.chart)
        self.sets.show_sets(shown.sets)
        self.cells.show_grid(shown.grid)
        self.rows.show_rows(shown.rows_title, shown.rows)
        self.marked.show_marked(shown.marked)
        marked = shown.marked.title if shown.marked else ""
        for label, title in ((self._rows_title, shown.rows_title), (self._marked_title, marked)):
            label.show_sentence(title)
        self._beside.setVisible(bool(shown.rows or shown.marked))
        self.knobs.show_sentence(shown.sentence)

    def show_problem(self, sentence: str) -> None:
        """Show why there is no result."""
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
        self.follow_looks()

    def follow_looks(self) -> None:
        """Use the width, in letters of this size."""
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
FULL_SCREEN = "F11"
FOOT_SIDE = 24
HINT = N_("Page Down, Page Up: on and back · F11: whole screen · Ctrl++: larger")


class TourWindow(QDialog):
    """Seven steps as tabs; Esc closes it. A page is made when its step is first in front.

    Signals:
        page_made: The `StepPage` of the step in front.
        step_opened: Another `Step` is in front.
    """

    help_page = "how"
    page_made = Signal(object)
    step_opened = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self.setWindowTitle(gettext("Guided tour"))
        self.steps = containers.FlatTabs(gettext("Steps of the tour"))
        self.pages: dict[steps.Step, StepPage] = {}
        for step in steps.Step:
            self.steps.addTab(QWidget(), f"{step.number}  {gettext(step.value.title)}")
        self._back = PushButton(gettext("Back"))
        self._next = PushButton(gettext("Next"), filled=True)
        self._step_label, self._hint = QLabel(), Caption()
        self._lay_out()
        self.steps.currentChanged.connect(self._on_step_opened)
        self._back.clicked.connect(self.go_back)
        self._next.clicked.connect(self.go_on)
        for keys, does in ((ON, self.go_on), (BACK, self.go_back)):
            for key in keys:
                QtGui.QShortcut(QtGui.QKeySequence(key), self).activated.connect(does)
        QtGui.QShortcut(QtGui.QKeySequence(FULL_SCREEN), self).activated.connect(self._fill_screen)
        self._show_step_number()
        self.steps.tabBar().setFocus()  # arrows lead from step to step
        self.resize(containers.size_within_screen(self, QSize(*SIZE)))

    @property
    def step(self) -> steps.Step:
        """The step in front."""
        return list(steps.Step)[self.steps.currentIndex()]

    def go_to(self, step: steps.Step) -> None:
        """Show a step."""
        self.steps.setCurrentIndex(step.number - 1)

    def go_on(self) -> None:
        """Show the next step; after the last one close."""
        if self.step.number == len(steps.Step):
            self.close()
        self.steps.setCurrentIndex(min(self.step.number, len(steps.Step) - 1))

    def go_back(self) -> None:
        """Show the step before."""
        self.steps.setCurrentIndex(max(self.step.number - 2, 0))

    def show_state(self, state: steps.TourState) -> None:
        """Show the chosen values in all steps."""
        if self.step not in self.pages:
            page = self.pages[self.step] = StepPage(self.step)
            column_in(self.steps.currentWidget(), containers.VerticalScrollArea(page), margins=0)
            for former, latter in pairwise((page.marked, self._back, self._next)):
                self.setTabOrder(former, latter)  # a page made late would come behind them
            self.page_made.emit(page)
        for page in self.pages.values():
            page.knobs.show_state(state)

    def show_shown(self, step: steps.Step, shown: steps.Shown) -> None:
        """Show the result of a step."""
        self.pages[step].show_shown(shown)

    def show_problem(self, sentence: str) -> None:
        """Show why the step in front has no result."""
        self.pages[self.step].show_problem(sentence)

    def resizeEvent(self, event: QtGui.QResizeEvent) -> None:
        """Show the hint only if it fits on one line."""
        super().resizeEvent(event)
        buttons = self._back.sizeHint().width() + self._next.sizeHint().width()
        words = self._hint.fontMetrics().horizontalAdvance(gettext(HINT))
        self._hint.setVisible(self.width() > buttons + words + 4 * FOOT_SIDE)

    def keyPressEvent(self, event: QtGui.QKeyEvent) -> None:
        """Enter presses only the focused button; Esc first leaves full screen."""
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
        for label in (self._step_label, self._hint):
            label.setAlignment(Qt.AlignmentFlag.AlignCenter)
        middle = column_of(self._step_label, self._hint, spacing=0)
        foot = row_of(
            self._back, (middle, 1), self._next, margins=(FOOT_SIDE, 8, FOOT_SIDE, 14), spacing=12
        )
        column_in(self, (self.steps, 1), foot, margins=(0, 6, 0, 0), spacing=0)

    def _on_step_opened(self) -> None:
        self._show_step_number()
        self.step_opened.emit(self.step)

    def _show_step_number(self) -> None:
        number = self.step.number
        self._step_label.setText(
            gettext("Step {number} of {all}", number=number, all=len(steps.Step))
        )
        self._back.setEnabled(number > 1)
        self._next.setText(gettext("Next") if number < len(steps.Step) else gettext("Close"))

    def _fill_screen(self) -> None:
        if self.isFullScreen():
            self.showNormal()
        else:
            self.showFullScreen()
