"""A chart that is drawn as large as there is room, and read from afar."""

from __future__ import annotations

from PySide6.QtCore import (
    QEvent,
    QModelIndex,
    QPersistentModelIndex,
    QPointF,
    QRect,
    QRectF,
    QSize,
    Qt,
    QTimer,
)
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent, QPen, QTextCharFormat
from PySide6.QtWidgets import (
    QFrame,
    QListWidget,
    QListWidgetItem,
    QPlainTextEdit,
    QSizePolicy,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTextEdit,
    QWidget,
)

from core.base.messages import gettext, localized
from core.base.wording import RIGHT_TO_LEFT
from neardup_gui.environment.theme import colors, mix
from neardup_gui.models.tour.steps import Chart, Mark, Marked, Row, Series, Tone
from neardup_gui.views.widgets.labels import READABLE

CORNER = 3


class Picture(QWidget):
    """Is drawn, and reached with Tab, so that a screen reader says what it shows."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    def describe(self, words: str) -> None:
        """Say what is shown; where nothing is said there is nothing."""
        self.setVisible(bool(words))
        self.setAccessibleDescription(words)
        self.updateGeometry()
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw it, and a frame with the focus."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.save()
        self.draw(painter)
        painter.restore()
        if self.hasFocus():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(colors().accent, 1))
            frame = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
            painter.drawRoundedRect(frame, CORNER, CORNER)

    def draw(self, painter: QPainter) -> None:
        """Draw what is shown."""
        raise NotImplementedError


LINES_HIGH = 15  # of text
LINES_WIDE = 24
SIGN = 0.26  # of the height of letters
SIGN_LINE = 1.6
AIR = 6


def tone_color(tone: Tone) -> QColor:
    """The hue of a series in the scheme in use."""
    now = colors()
    return {
        Tone.MAIN: now.accent,
        Tone.OTHER: now.extra,
        Tone.MISSED: now.missed,
        Tone.EXTRA: now.extra,
        Tone.QUIET: now.muted,
    }[tone]


def paint_sign(painter: QPainter, tone: Tone, place: QPointF, line: float) -> None:
    """A disc, a diamond, a triangle, a square, or a small ring, for letters of this height."""
    radius = SIGN * line
    painter.setPen(QPen(tone_color(tone), SIGN_LINE))
    painter.setBrush(colors().window if tone is not Tone.MAIN else tone_color(tone))
    if tone is Tone.QUIET:
        painter.drawEllipse(place, 0.6 * radius, 0.6 * radius)
    elif tone is Tone.MAIN:
        painter.drawEllipse(place, radius, radius)
    else:
        corners = [place + QPointF(radius * x, radius * y) for x, y in CORNERS[tone]]
        painter.drawPolygon(corners)


class ChartView(Picture):
    """Draws a `Chart`; hue and sign say together which series a point is of."""

    def __init__(self) -> None:
        super().__init__(gettext("Chart"))
        self._chart: Chart | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def show_chart(self, chart: Chart | None) -> None:
        """Draw another chart, or none."""
        self._chart = chart
        self.describe(chart.words if chart else "")

    def sizeHint(self) -> QSize:
        """Some lines of text high."""
        line = self.fontMetrics().height()
        return QSize(2 * LINES_WIDE * line, LINES_HIGH * line)

    def minimumSizeHint(self) -> QSize:
        """Lower than that signs would cover one another."""
        line = self.fontMetrics().height()
        return QSize(LINES_WIDE * line // 2, LINES_HIGH * line)

    def draw(self, painter: QPainter) -> None:
        """Draw axes, series, marks and legend."""
        if self._chart is not None:
            room = QRectF(self.rect()).adjusted(1, 1, -1, -1)
            _Drawing(painter, self._chart, room, QFontMetricsF(self.font())).draw()


class _Drawing:
    """One painting of a chart."""

    def __init__(
        self, painter: QPainter, chart: Chart, room: QRectF, metrics: QFontMetricsF
    ) -> None:
        self._painter, self._chart, self._metrics = painter, chart, metrics
        self._line = metrics.height()
        ticks = max(metrics.horizontalAdvance(text) for _, text in self._y_ticks())
        self._room = room
        self._legend = self._legend_lines()
        above = (len(self._legend) + 1.7) * self._line
        self._plot = room.adjusted(ticks + 2 * AIR, above, -2 * AIR, -2.5 * self._line)

    def draw(self) -> None:
        """All of it, from the back to the front."""
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

    def _at(self, x: float, y: float) -> QPointF:
        low, high = self._chart.x_range
        across = (x - low) / (high - low)
        return QPointF(
            self._plot.left() + across * self._plot.width(),
            self._plot.bottom() - y / self._chart.top * self._plot.height(),
        )

    def _draw_axes(self) -> None:
        now, painter, plot = colors(), self._painter, self._plot
        low = self._chart.x_range[0]
        for y, text in self._y_ticks():
            place = self._at(low, y)
            painter.setPen(QPen(now.border, 1))
            painter.drawLine(place, QPointF(plot.right(), place.y()))
            painter.setPen(now.muted)
            self._write(text, QPointF(plot.left() - AIR, place.y()), Qt.AlignmentFlag.AlignRight)
        for x, text in self._chart.x_ticks:
            place = self._at(x, 0) + QPointF(0, 0.75 * self._line)
            self._write(text, place, Qt.AlignmentFlag.AlignHCenter)
        below = QPointF(plot.center().x(), plot.bottom() + 1.85 * self._line)
        self._write(self._chart.across, below, Qt.AlignmentFlag.AlignHCenter)
        above = QPointF(self._room.left(), plot.top() - 1.05 * self._line)
        self._write(self._chart.up, above, Qt.AlignmentFlag.AlignLeft)

    def _write(self, text: str, place: QPointF, side: Qt.AlignmentFlag) -> None:
        """A word in one line, its middle or one of its ends at a place."""
        width = self._metrics.horizontalAdvance(text) + 2
        left = {
            Qt.AlignmentFlag.AlignLeft: place.x(),
            Qt.AlignmentFlag.AlignHCenter: place.x() - width / 2,
            Qt.AlignmentFlag.AlignRight: place.x() - width,
        }[side]
        left = min(max(left, self._room.left()), self._room.right() - width)
        area = QRectF(left, place.y() - self._line / 2, width, self._line)
        self._painter.drawText(area, int(Qt.AlignmentFlag.AlignCenter), text)

    def _draw_mark(self, mark: Mark) -> None:
        self._painter.setPen(QPen(colors().text, 1.4, Qt.PenStyle.DashLine))
        foot = self._at(mark.x, 0)
        self._painter.drawLine(foot, QPointF(foot.x(), self._plot.top() - 0.45 * self._line))
        self._painter.setPen(colors().text)
        above = QPointF(foot.x(), self._plot.top() - 1.05 * self._line)
        above.setX(max(above.x(), self._room.left() + self._up_room(mark.name)))
        self._write(mark.name, above, Qt.AlignmentFlag.AlignHCenter)

    def _up_room(self, name: str) -> float:
        """From the left to where the middle of a name can stand beside that of the y axis."""
        up = self._metrics.horizontalAdvance(self._chart.up)
        return up + 2 * AIR + self._metrics.horizontalAdvance(name) / 2

    def _draw_line(self, series: Series) -> None:
        self._painter.setPen(QPen(tone_color(series.tone), 2))
        self._painter.drawPolyline([self._at(x, y) for x, y in series.points])

    def _draw_bars(self, series: Series) -> None:
        self._painter.setPen(Qt.PenStyle.NoPen)
        self._painter.setBrush(mix(tone_color(series.tone), colors().window, 0.55))
        width = 0.86 * self._plot.width() / max(len(series.points), 1)
        for x, y in series.points:
            top, foot = self._at(x, y), self._at(x, 0)
            self._painter.drawRect(QRectF(top.x() - width / 2, top.y(), width, foot.y() - top.y()))

    def _draw_signs(self, series: Series) -> None:
        for place, (x, y) in enumerate(series.points):
            if series.spread:
                low, high = series.spread[place]
                self._painter.setPen(QPen(tone_color(series.tone), 1.4))
                self._painter.drawLine(self._at(x, low), self._at(x, high))
            self._draw_sign(series.tone, self._at(x, y))

    def _draw_sign(self, tone: Tone, place: QPointF) -> None:
        paint_sign(self._painter, tone, place, self._line)

    def _legend_lines(self) -> list[list[Series]]:
        """The named series, as many in a line as there is room for."""
        lines, used = list[list[Series]](), self._room.width()
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
                place = QPointF(left + 1.4 * self._line, middle)
                self._write(series.name, place, Qt.AlignmentFlag.AlignLeft)
                left += self._metrics.horizontalAdvance(series.name) + 3 * self._line
            middle += self._line

    def _draw_swatch(self, series: Series, place: QPointF) -> None:
        half = self._line / 2
        if series.bars:
            self._painter.setPen(Qt.PenStyle.NoPen)
            self._painter.setBrush(mix(tone_color(series.tone), colors().window, 0.55))
            self._painter.drawRect(QRectF(place.x() - half / 2, place.y() - half / 2, half, half))
        elif series.joined:
            self._painter.setPen(QPen(tone_color(series.tone), 2))
            self._painter.drawLine(place - QPointF(half, 0), place + QPointF(half, 0))
        else:
            self._draw_sign(series.tone, place)


CORNERS: dict[Tone, list[tuple[float, float]]] = {
    Tone.OTHER: [(0, -1.2), (1.2, 0), (0, 1.2), (-1.2, 0)],
    Tone.MISSED: [(0, -1.3), (1.2, 0.9), (-1.2, 0.9)],
    Tone.EXTRA: [(-1, -1), (1, -1), (1, 1), (-1, 1)],
}


LIST_LINES = 9
TEXT_LINES = 8
BEFORE, TONE = Qt.ItemDataRole.UserRole, Qt.ItemDataRole.UserRole + 1
INSIDE = 8


class RowList(QListWidget):
    """Lines, each as far in as the words before it are wide."""

    def __init__(self) -> None:
        super().__init__()
        self._rows: tuple[Row, ...] = ()
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setItemDelegate(_RowDelegate(self))
        self.setTabKeyNavigation(False)
        self.setHorizontalScrollMode(QListWidget.ScrollMode.ScrollPerPixel)

    def show_rows(self, title: str, rows: tuple[Row, ...]) -> None:
        """Show other lines, or none, in the direction that they are read in."""
        self.setVisible(bool(rows))
        self.setAccessibleName(title)
        if rows == self._rows:
            return
        place, self._rows = self.currentRow(), rows
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
        self.setCurrentRow(min(place, len(rows) - 1))

    def sizeHint(self) -> QSize:
        """Some lines; more where there is room."""
        return QSize(200, LIST_LINES * round(1.5 * self.fontMetrics().height()))

    def minimumSizeHint(self) -> QSize:
        """The same: below it scrolls."""
        return QSize(100, self.sizeHint().height())

    def changeEvent(self, event: QEvent) -> None:
        """Lines are as wide as their letters."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self.scheduleDelayedItemsLayout()


class _RowDelegate(QStyledItemDelegate):
    def sizeHint(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        """The words, and those before them."""
        metrics = option.fontMetrics
        words = f"{index.data(BEFORE) or ''}{index.data()}"
        return QSize(
            metrics.horizontalAdvance(words) + 2 * INSIDE + metrics.height(),
            round(1.4 * metrics.height()),
        )

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        """Draw the sign of the line, and its words."""
        now, area, whole = colors(), QRect(option.rect), option.rect
        painter.setLayoutDirection(option.direction)
        metrics = option.fontMetrics
        if option.state & QStyle.StateFlag.State_HasFocus:
            painter.fillRect(area, now.selection)
        tone = index.data(TONE)
        area.adjust(INSIDE, 0, 0, 0)
        if isinstance(tone, Tone):
            line = metrics.height()
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            sign = QRect(area.left(), area.top(), line, area.height())
            sign = QStyle.visualRect(option.direction, whole, sign)
            paint_sign(painter, tone, QRectF(sign).center(), line)
            area.adjust(round(1.3 * line), 0, 0, 0)
        area.adjust(metrics.horizontalAdvance(index.data(BEFORE) or ""), 0, 0, 0)
        painter.setPen(now.muted if tone is Tone.QUIET else now.text)
        area = QStyle.visualRect(option.direction, whole, area)
        painter.drawText(area, int(Qt.AlignmentFlag.AlignVCenter), index.data())


class MarkedText(QPlainTextEdit):
    """A text to be read, with stretches that are marked."""

    def __init__(self) -> None:
        super().__init__()
        self._marked: Marked | None = None
        self.setReadOnly(True)
        self.setTabChangesFocus(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setTextInteractionFlags(READABLE)

    def show_marked(self, marked: Marked | None) -> None:
        """Show another text, or none; the first marked stretch is in sight."""
        self.setVisible(marked is not None)
        if marked is None or marked == self._marked:
            return
        bar = self.verticalScrollBar()
        place = bar.value()
        if self._marked is None or marked.text != self._marked.text:
            self.setPlainText(marked.text)
        first = self._marked is None
        self._marked = marked
        self.setAccessibleName(marked.title)
        self._mark()
        bar.setValue(place)
        if first:
            QTimer.singleShot(0, self, self._reveal)

    def changeEvent(self, event: QEvent) -> None:
        """Follow the scheme."""
        super().changeEvent(event)
        if event.type() in {QEvent.Type.PaletteChange, QEvent.Type.FontChange}:
            self._mark()

    def sizeHint(self) -> QSize:
        """Some lines."""
        return QSize(200, TEXT_LINES * round(1.3 * self.fontMetrics().height()))

    def minimumSizeHint(self) -> QSize:
        """The same: below it scrolls."""
        return QSize(100, self.sizeHint().height())

    def _reveal(self) -> None:
        """Lead to the first marked stretch, which may be far down."""
        if self._marked and self._marked.spans:
            cursor = self.textCursor()
            cursor.setPosition(self._marked.spans[0][0])
            self.setTextCursor(cursor)
            self.centerCursor()

    def _mark(self) -> None:
        if self._marked is None:
            return
        passage = colors().passages[0]
        look = QTextCharFormat()
        look.setBackground(passage.fill)
        look.setUnderlineStyle(QTextCharFormat.UnderlineStyle.SingleUnderline)
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
