"""Passages drawn under the visible lines of a text; only what can be seen is looked up."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPen, QPolygonF

from core.evidence.hunks import ChangeKind
from neardup_gui.environment.theme import PassageColor, colors
from neardup_gui.models.compare.passage_mark import PassageMark
from neardup_gui.models.compare.side import Side
from neardup_gui.views.compare.lines import VisibleBlock, pieces, x_of

UNDERLINE_DASHES: tuple[tuple[float, ...], ...] = ((), (4, 2), (1, 1.5), (5, 2, 1, 2))
CHANGE_DASHES: dict[ChangeKind, tuple[float, ...]] = {
    ChangeKind.EXCHANGED: (3, 1.5),
    ChangeKind.MOVED: (1, 1.5),
    ChangeKind.REPEATED_A: (5, 2, 1, 2),
    ChangeKind.REPEATED_B: (5, 2, 1, 2),
}
STRIKE_HEIGHT = 0.3  # of the letters above the base line
GAP_SIZE = 4.5
WAVE_WIDTH, WAVE_HEIGHT, WAVE_STEP = 1.4, 3.0, 3.0  # below words that stand for others
BAR_WIDTH = 3.0
BAR_GAP = 12.0


def passage_color(mark: PassageMark) -> PassageColor:
    """The colours of a passage, or of a change, in the scheme in use."""
    if mark.kind is not None:
        return change_color(mark.kind)
    if mark.step:
        return step_color(mark.step)
    palette = colors().passages
    return palette[mark.hue % len(palette)]


def step_color(step: int) -> PassageColor:
    """The colours of a part by how many documents share it: one hue, the stronger the more."""
    steps = colors().steps
    return steps[min(step, len(steps)) - 1]


def change_color(kind: ChangeKind) -> PassageColor:
    """The colours of a kind of change in the scheme in use."""
    changes = colors().changes
    others = {
        ChangeKind.ONLY_A: changes.only_a,
        ChangeKind.ONLY_B: changes.only_b,
        ChangeKind.EXCHANGED: changes.exchanged,
    }
    return others.get(kind, changes.moved)


def underline_pen(mark: PassageMark, width: float) -> QPen:
    """The underline that tells a passage from others without its hue."""
    pen = QPen(passage_color(mark).line, width)
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    dashes = UNDERLINE_DASHES[mark.underline % len(UNDERLINE_DASHES)]
    if mark.kind is not None:
        dashes = CHANGE_DASHES.get(mark.kind, ())
    if dashes:
        pen.setDashPattern(list(dashes))
    return pen


def draw_badge(
    painter: QPainter, room: QRectF, mark: PassageMark, font: QFont, ring: QColor | None = None
) -> None:
    """The number of a passage on its hue; a circle, or a pill for long numbers."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(ring, 1.5) if ring else Qt.PenStyle.NoPen)
    painter.setBrush(passage_color(mark).line)
    radius = room.height() / 2
    painter.drawRoundedRect(room, radius, radius)
    painter.setFont(font)
    painter.setPen(colors().on_passage if mark.kind is None else colors().base)
    painter.drawText(room, Qt.AlignmentFlag.AlignCenter, mark.badge)
    painter.restore()


def draw_wave(painter: QPainter, rect: QRectF, y: float) -> None:
    """A zigzag from the left of a rectangle to its right."""
    steps = max(round(rect.width() / WAVE_STEP), 1)
    xs = [rect.left() + rect.width() * step / steps for step in range(steps + 1)]
    heights = (WAVE_HEIGHT / 2, -WAVE_HEIGHT / 2)
    points = [QPointF(x, y + heights[step % 2]) for step, x in enumerate(xs)]
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.drawPolyline(points)
    painter.restore()


class Highlights:
    """Draws the passages of one text."""

    def __init__(self, side: Side, marks: Sequence[PassageMark], badge_font: QFont) -> None:
        self._side = side
        self._marks = marks
        self.badge_font = badge_font
        self._current_lines: list[QRectF] = []
        self.current: int | None = None

    def paint(self, painter: QPainter, blocks: Sequence[VisibleBlock], clip: QRectF) -> None:
        """Draw below the text; `clip` is the part of the pane to draw."""
        self._current_lines = []
        for block in blocks:
            if block.top > clip.bottom() or block.top + block.height < clip.top():
                continue
            end = block.start + block.length
            if block.start not in self._side.text.page_marks:
                self._draw_passages(painter, block, clip)
            for start, stop, owner in self._side.passages.between(block.start - 1, end + 1):
                if start == stop and block.start <= start <= end:
                    self._draw_gap(painter, block, start, owner)
                elif self._side.badges[owner][0] < self._side.badges[owner][1]:
                    self._draw_badge(painter, block, end, owner)
        self._draw_bar(painter)

    def _draw_passages(self, painter: QPainter, block: VisibleBlock, clip: QRectF) -> None:
        end = block.start + block.length
        for start, stop, owner in self._side.passages.between(block.start, end):
            self._draw_passage(painter, block, (start, stop), owner, clip)
        for start, stop, owner in self._side.runs.between(block.start, end):
            self._draw_run(painter, block, (start, stop), owner, clip)
        for start, stop, number in self._side.exchanges.between(block.start, end):
            self._draw_exchange(painter, block, (start, stop), number, clip)

    def _draw_bar(self, painter: QPainter) -> None:
        if self.current is not None and self._current_lines:
            first, last = self._current_lines[0], self._current_lines[-1]
            left = first.left() - BAR_GAP
            bar = QRectF(left, first.top(), BAR_WIDTH, last.bottom() - first.top())
            painter.fillRect(bar, passage_color(self._marks[self.current]).line)

    def _draw_passage(
        self,
        painter: QPainter,
        block: VisibleBlock,
        span: tuple[int, int],
        owner: int,
        clip: QRectF,
    ) -> None:
        color = passage_color(self._marks[owner])
        fill = color.fill if owner == self.current else color.gap
        for rect, _ in self._pieces(block, span, clip):
            painter.fillRect(rect, fill)
            if owner == self.current:
                line = QRectF(block.layout.lineAt(0).x(), rect.top(), 0, rect.height())
                self._current_lines.append(line)

    def _draw_run(
        self,
        painter: QPainter,
        block: VisibleBlock,
        span: tuple[int, int],
        owner: int,
        clip: QRectF,
    ) -> None:
        mark = self._marks[owner]
        color = passage_color(mark)
        fill = color.strong if owner == self.current else color.fill
        painter.setPen(underline_pen(mark, 2.0))
        struck = mark.kind is ChangeKind.ONLY_A
        for rect, baseline in self._pieces(block, span, clip):
            painter.fillRect(rect, fill)
            y = min(baseline + 3.0, rect.bottom() - 1.0)
            if struck:
                y = baseline - STRIKE_HEIGHT * (baseline - rect.top())
            painter.drawLine(QLineF(rect.left(), y, rect.right(), y))

    def _draw_exchange(
        self,
        painter: QPainter,
        block: VisibleBlock,
        span: tuple[int, int],
        number: int,
        clip: QRectF,
    ) -> None:
        """Words that stand for others: a wave below them; forms of one word as dark as it."""
        instead = self._side.instead[number]
        color = passage_color(self._marks[instead.owner])
        fill = color.strong if instead.owner == self.current else color.fill
        painter.setPen(QPen(color.line, WAVE_WIDTH))
        for rect, baseline in self._pieces(block, span, clip):
            if instead.near:
                painter.fillRect(rect, fill)
            draw_wave(painter, rect, min(baseline + 3.0, rect.bottom() - WAVE_HEIGHT))

    def _draw_gap(self, painter: QPainter, block: VisibleBlock, place: int, owner: int) -> None:
        """Where words of the other text would stand: a wedge below the line."""
        line = block.layout.lineForTextPosition(place - block.start)
        if not line.isValid():
            return
        x, base = x_of(line, place - block.start), block.top + line.y() + line.ascent()
        size = GAP_SIZE * (1.4 if owner == self.current else 1.0)
        wedge = QPolygonF(
            [QPointF(x, base), QPointF(x + size, base + size), QPointF(x - size, base + size)]
        )
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(passage_color(self._marks[owner]).line)
        painter.drawPolygon(wedge)
        painter.restore()
        if owner == self.current:
            top = QRectF(block.layout.lineAt(0).x(), block.top + line.y(), 0, line.height())
            self._current_lines.append(top)

    def _draw_badge(
        self, painter: QPainter, block: VisibleBlock, block_end: int, owner: int
    ) -> None:
        start, end = self._side.badges[owner]
        if not block.start <= start < block_end:
            return
        line = block.layout.lineForTextPosition(start - block.start)
        one = x_of(line, start - block.start)
        other = x_of(line, end - block.start)
        diameter = min(line.ascent() * 1.12, abs(other - one) - 3)
        stretch = 1.0 + 0.28 * (len(self._marks[owner].badge) - 1)
        width = min(diameter * stretch, abs(other - one) - 4)
        room = QRectF(0, 0, width, diameter)
        shift = width / 2 + 1 if other > one else -width / 2 - 1
        room.moveCenter(QPointF(one + shift, block.top + line.y() + line.ascent() * 0.64))
        ring = colors().text if owner == self.current else None
        draw_badge(painter, room, self._marks[owner], self.badge_font, ring)

    def _pieces(
        self, block: VisibleBlock, span: tuple[int, int], clip: QRectF
    ) -> Iterator[tuple[QRectF, float]]:
        return pieces(block, span, clip, bidirectional=self._side.text.bidirectional)
