"""How full the buckets are: sentences, a picture, and the fullest buckets by name."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QSplitter, QWidget

from core.base.messages import N_, gettext
from neardup_gui.environment.theme import Colors, colors, mix
from neardup_gui.models.table_model import LEFT
from neardup_gui.models.words.numbers import tool_tip
from neardup_gui.models.workbench import buckets
from neardup_gui.views.widgets.containers import HasHints
from neardup_gui.views.widgets.controls import Caption
from neardup_gui.views.widgets.labels import ScaledLabel
from neardup_gui.views.widgets.layouts import column_in, split
from neardup_gui.views.widgets.rows_table import RowDelegate, RowsTable, in_its_direction

if TYPE_CHECKING:
    from core.candidates.bands import SizeClass

BAR_SIDE = 12
BAR_AIR = 6
GAP = 0.3  # of the room of a class, between it and the next
WIDEST = 64  # pixels of a class
FADED = 0.6  # of the hue of pairs compared in vain
LEAST = 0.5  # buckets; the start of a logarithmic bar
LEGEND = (N_("buckets"), N_("pairs"))
TITLE = N_("Documents in a bucket")
NOTE = N_("logarithmic")
CENTRE = int(Qt.AlignmentFlag.AlignCenter)


class BucketBars(HasHints):
    """Two bars per class of sizes, both by the logarithm of their number."""

    def __init__(self) -> None:
        super().__init__()
        self._fills: tuple[SizeClass, ...] = ()
        self.setAccessibleName(gettext("Buckets by the number of their documents"))

    def show_fills(self, fills: tuple[SizeClass, ...]) -> None:
        """Draw other buckets."""
        self._fills = fills
        self.setAccessibleDescription(
            "; ".join(buckets.fill_words(fill) for fill in fills if fill.buckets)
        )
        self.update()

    def sizeHint(self) -> QSize:
        """A size with room for a dozen classes."""
        return QSize(360, 180)

    def minimumSizeHint(self) -> QSize:
        """The least readable size."""
        line = self.fontMetrics().height()
        return QSize(12 * line, 5 * line)

    def hint_at(self, position: QPointF) -> str:
        """The numbers of a class."""
        fill = self._at(position.x())
        return tool_tip(buckets.fill_words(fill)) if fill else ""

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the bars, their key, and the sizes below."""
        now = colors()
        painter = QPainter(self)
        painter.fillRect(self.rect(), now.base)
        if not self._fills:
            return
        line = QFontMetrics(self.font()).height()
        self._paint_legend(painter, line)
        bottom = self.height() - 2 * line - BAR_AIR
        room = QRectF(
            BAR_SIDE, line + 2 * BAR_AIR, self.width() - 2 * BAR_SIDE, bottom - line - 2 * BAR_AIR
        )
        hues = _hues(now)
        tallest = max(max(bucket.buckets, bucket.pairs) for bucket in self._fills)
        for index, fill in enumerate(self._fills):
            left, width = self._span_of(index)
            bar = width * (1 - GAP) / 2
            for nth, number in enumerate((fill.buckets, fill.pairs)):
                height = room.height() * _height(number, tallest)
                painter.fillRect(
                    QRectF(left + nth * bar, room.bottom() - height, bar - 1, height), hues[nth]
                )
        painter.fillRect(QRectF(BAR_SIDE, room.bottom(), room.width(), 1), now.border)
        self._paint_sizes(painter, QRectF(0, bottom, self.width(), line))
        painter.setPen(now.muted)
        below = QRectF(BAR_SIDE, bottom + line, self.width() - 2 * BAR_SIDE, line)
        painter.drawText(below, LEFT, gettext(TITLE))

    def _paint_legend(self, painter: QPainter, line: int) -> None:
        now, metrics = colors(), QFontMetrics(self.font())
        left = BAR_SIDE
        for name, hue in zip(map(gettext, LEGEND), _hues(now), strict=True):
            painter.fillRect(QRectF(left, BAR_AIR + line / 4, line / 2, line / 2), hue)
            left += round(line * 0.8)
            width = metrics.horizontalAdvance(name)
            painter.setPen(now.muted)
            painter.drawText(QRectF(left, BAR_AIR, width + 2, line), LEFT, name)
            left += width + BAR_SIDE
        note = gettext(NOTE)
        room = QRectF(left, BAR_AIR, metrics.horizontalAdvance(note) + 2, line)
        painter.drawText(room, LEFT, note)

    def _paint_sizes(self, painter: QPainter, area: QRectF) -> None:
        """Paint the sizes that fit."""
        metrics = QFontMetrics(self.font())
        painter.setPen(colors().muted)
        until = -1.0
        for index, fill in enumerate(self._fills):
            left, width = self._span_of(index)
            name = buckets.size_name(fill)
            middle, words = left + width * (1 - GAP) / 2, metrics.horizontalAdvance(name)
            start = max(middle - words / 2, 0)
            if start > until:
                text = QRectF(start - 1, area.top(), words + 2, area.height())
                painter.drawText(text, CENTRE, in_its_direction(painter, name))
                until = start + words + BAR_AIR

    def _span_of(self, index: int) -> tuple[float, float]:
        """The left edge and the width of a class."""
        width = min((self.width() - 2 * BAR_SIDE) / max(len(self._fills), 1), WIDEST)
        return BAR_SIDE + index * width, width

    def _at(self, x: float) -> SizeClass | None:
        for index, fill in enumerate(self._fills):
            left, width = self._span_of(index)
            if left <= x < left + width:
                return fill
        return None


def _hues(now: Colors) -> tuple[QColor, QColor]:
    """The hues of buckets and of their pairs."""
    return now.bars, mix(now.extra, now.base, FADED)


def _height(number: int, tallest: int) -> float:
    if not number:
        return 0.0
    return math.log(number / LEAST) / math.log(max(tallest, 1) / LEAST)


SHARES = (1, 2)  # of the width, of the picture and of the table
SIDE, AIR = 12, 6


class BucketsPage(QWidget):
    """Shows the buckets of a list.

    Attributes:
        table: The fullest.
    """

    def __init__(self) -> None:
        super().__init__()
        self._model = buckets.BucketsModel(self)
        self._words = ScaledLabel(1.0)
        self._words.setContentsMargins(SIDE, AIR, SIDE, AIR)
        self._bars = BucketBars()
        name = gettext("The fullest buckets")
        self.table = RowsTable(self._model, buckets.BucketColumn.NAMES, name, single=True)
        names = RowDelegate(self.table, elide=Qt.TextElideMode.ElideRight)
        self.table.setItemDelegateForColumn(buckets.BucketColumn.NAMES, names)
        self._details = Caption()
        self._details.setContentsMargins(SIDE, AIR, SIDE, AIR)
        self._details.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._lay_out()
        self.table.current_row_settled.connect(self._show_details)
        self.show_numbers(None)

    def _lay_out(self) -> None:
        right = QWidget()
        column_in(right, (self.table, 1), self._details, margins=0, spacing=0)
        self._both = split(QSplitter(Qt.Orientation.Horizontal), (self._bars, right), SHARES)
        column_in(self, self._words, (self._both, 1), 0, margins=0, spacing=0)

    def show_numbers(self, numbers: buckets.BucketNumbers | None) -> None:
        """Show the buckets of a list; None if there is no list."""
        rows = numbers.rows if numbers else ()
        self._say(buckets.bucket_words(numbers))
        self._bars.show_fills(numbers.fill.classes if numbers else ())
        self._model.show_rows(rows)
        self._both.setVisible(bool(rows))
        if rows and self.table.current_row < 0:
            self.table.select_row(0)
        self._show_details()

    def show_counting(self) -> None:
        """Show that buckets are being counted; those of the list before stay until then."""
        if not self._model.rowCount():
            self._say(gettext(buckets.COUNTING))

    def _say(self, sentence: str) -> None:
        self._words.setText(sentence)
        self._words.setAccessibleName(sentence)

    def _show_details(self) -> None:
        row = self.table.current_row
        text = buckets.details_of(self._model.row_at(row)) if row >= 0 else ""
        self._details.show_sentence(text)
