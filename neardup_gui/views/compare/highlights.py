"""Passages drawn under the visible lines of a text; only these lines are looked up."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QPainter,
    QPen,
    QPolygonF,
    QTextBlock,
    QTextLayout,
    QTextLine,
)

from core.base.messages import N_, gettext, ngettext
from core.base.wording import comma_list, count, isolated
from core.evidence.passage import ChangeKind
from core.reports import pair_words
from neardup_gui.environment.theme import PassageColor, colors
from neardup_gui.models.compare.comparison import Comparison, ComparisonNumbers
from neardup_gui.models.compare.side import FoundSpans, PassageMark, Side, Spans, Substitution

MOST_REMARKS = 8
MOST_LETTERS = 80
CHANGE_TITLES = {
    ChangeKind.ONLY_A: N_("Only in A: {size}"),
    ChangeKind.ONLY_B: N_("Only in B: {size}"),
    ChangeKind.MOVED: N_("Moved: {size}"),
    ChangeKind.REPEATED_A: N_("Once more in A: {size}"),
    ChangeKind.REPEATED_B: N_("Once more in B: {size}"),
}


def passage_label(mark: PassageMark) -> str:
    """The text of a chip: "41 words", "654 words, 331 the same, moved", "oak → elm"."""
    if mark.kind is not None:
        return change_label(mark, mark.kind)
    return pair_words.passage_size(mark.length, mark.tokens, mark.unit, moved=mark.moved)


def change_label(mark: PassageMark, kind: ChangeKind) -> str:
    """The text of the chip of a change: its words, or their number if they are long."""
    if kind in pair_words.CHANGE_SIZES:
        return gettext(pair_words.CHANGE_SIZES[kind], size=_size(mark.length, mark.unit))
    if kind is ChangeKind.EXCHANGED:
        # The arrow points from A to B, also between words that run from right to left.
        return " → ".join(map(isolated, mark.words))
    return isolated(max(mark.words, key=len))


def change_title(mark: PassageMark, kind: ChangeKind) -> str:
    """A change in words: "Exchanged: 1 word in A, 2 words in B"."""
    a, b = (_size(number, mark.unit) for number in mark.counts)
    if kind is ChangeKind.EXCHANGED:
        return gettext("Exchanged: {a} in A, {b} in B", a=a, b=b)
    only = {ChangeKind.ONLY_A: a, ChangeKind.ONLY_B: b}
    size = only.get(kind, _size(mark.length, mark.unit))
    return gettext(CHANGE_TITLES[kind], size=size)


def _size(number: int, unit: str) -> str:
    if unit == "char":
        return ngettext("{n} character", "{n} characters", number)
    return ngettext("{n} word", "{n} words", number)


def passage_pages(mark: PassageMark) -> str:
    """The pages of a passage: "A p. 12, B p. 3"; empty if neither text has pages."""
    return comma_list(
        f"{side} {pages}" for side, pages in zip("AB", mark.pages, strict=True) if pages
    )


def passage_title(mark: PassageMark) -> str:
    """A passage by its number, length and pages."""
    if mark.step:
        documents = ngettext("In {n} other document", "In {n} other documents", mark.number)
        return "; ".join(filter(None, (documents, mark.pages[0])))
    if mark.kind is not None:
        return "; ".join(filter(None, (change_title(mark, mark.kind), passage_pages(mark))))
    facts = "; ".join(filter(None, (passage_label(mark), passage_pages(mark), mark.chance)))
    return gettext("Passage {number}: {facts}", number=mark.number, facts=facts)


def passage_line(mark: PassageMark) -> str:
    """The numbers of words of a passage; its length if all of them are the same."""
    if mark.kind is not None or mark.counts == (mark.tokens, mark.tokens) or not any(mark.counts):
        return passage_label(mark)
    numbers = (mark.tokens, mark.near, mark.exchanged, mark.moved_words)
    line = pair_words.passage_numbers(*mark.counts, *numbers, mark.unit)
    return f"{line} · " + gettext("moved") if mark.moved else line


def passage_sentence(comparison: Comparison, passage: int | None) -> str:
    """The details that neither chip nor finding show: "Passage 3 of 5 · 96 words in A, ..."."""
    if passage is None:
        size = sum(mark.tokens for mark in comparison.marks)
        passages = ngettext("{n} shared passage", "{n} shared passages", len(comparison.marks))
        return f"{passages} · " + ngettext("{n} the same in all", "{n} the same in all", size)
    mark = comparison.marks[passage]
    marks, line = len(comparison.marks), passage_line(mark)
    if marks == 1:
        return mark.chance
    number = gettext("Passage {number} of {all}", number=count(mark.number), all=count(marks))
    parts = (number, line if line != passage_label(mark) else "", mark.chance)
    return " · ".join(part for part in parts if part)


def exchange_title(exchange: Substitution, side: int) -> str:
    """Exchanged words of both texts: "Exchanged: “wanted”, in B “wished”"."""
    message = N_("Exchanged: “{here}”, in {side} “{there}”")
    if exchange.near:
        message = N_("Another form: “{here}”, in {side} “{there}”")
    here, there = _on_a_line(exchange.own_words), _on_a_line(exchange.other_words)
    return gettext(message, here=here, there=there, side="BA"[side])


def _on_a_line(words: str) -> str:
    """Words on one line, cut if they are long."""
    line = " ".join(words.split())
    return line if len(line) <= MOST_LETTERS else f"{line[: MOST_LETTERS - 1].rstrip()}…"


def remarks_in_lines(remarks: Sequence[str]) -> str:
    """Remarks, one per line; of very many the first, and the number of the rest."""
    more = len(remarks) - MOST_REMARKS
    lines = list(remarks[:MOST_REMARKS])
    if more > 0:
        lines.append(
            ngettext(
                "And {n} more; “Problems” lists them all.",
                "And {n} more; “Problems” lists them all.",
                more,
            )
        )
    return "\n".join(lines)


def quotation(words: str, name: str, pages: str) -> str:
    """Words with their source: “to be” (plays/hamlet.pdf, p. 12)."""
    return f"“{' '.join(words.split())}” ({', '.join(part for part in (name, pages) if part)})"


def no_passage_sentence(numbers: ComparisonNumbers) -> str:
    """Why nothing is marked in the texts."""
    return pair_words.no_passage_in_words(numbers.shortest_passage, numbers.passage_unit)


def chance_sentence(numbers: ComparisonNumbers) -> str:
    """From which length on shared text is marked."""
    return pair_words.chance_in_words(numbers.shortest_passage, numbers.passage_unit)


def short_ones(number: int) -> str:
    """The number of folded passages: "12 short ones"."""
    return ngettext("{n} short one", "{n} short ones", number)


FILL_RISE = 2.0


class VisibleBlock(NamedTuple):
    """A line of the source on the screen: its start in the text, and its y in the pane.

    The block is kept and its layout asked for again: a wrapper of a layout must not outlive it.
    """

    start: int
    length: int
    top: float
    height: float
    block: QTextBlock

    @property
    def layout(self) -> QTextLayout:
        """The lines of the block."""
        return self.block.layout()


class Drawing(NamedTuple):
    """The part of a text that is drawn, and its painter.

    Attributes:
        painter: On the pane.
        blocks: The lines of the source on the screen.
        clip: The part of the pane that is drawn.
        bidirectional: Whether some of the text runs from right to left.
    """

    painter: QPainter
    blocks: Sequence[VisibleBlock]
    clip: QRectF
    bidirectional: bool

    def pieces(self, block: VisibleBlock, span: tuple[int, int]) -> Iterator[tuple[QRectF, float]]:
        """The rectangles that a span of display positions covers in a block, line by line.

        Yields:
            A rectangle and the base line of the text in it.
        """
        start = max(span[0] - block.start, 0)
        end = min(span[1] - block.start, block.length)
        if start >= end:
            return
        layout = block.layout
        for number in range(layout.lineForTextPosition(start).lineNumber(), layout.lineCount()):
            line = layout.lineAt(number)
            top = block.top + line.y()
            if line.textStart() >= end or top > self.clip.bottom():
                return
            if top + line.height() < self.clip.top():
                continue
            first = max(start, line.textStart())
            last = min(end, line.textStart() + line.textLength())
            for left, right in _stretches(line, first, last, bidirectional=self.bidirectional):
                rect = QRectF(left, top - FILL_RISE, right - left, line.height() + FILL_RISE)
                yield rect, top + line.ascent()

    def frame(self, spans: Spans | FoundSpans, pen: QPen, rise: float) -> None:
        """Draw frames around spans, with the upper edge lowered by so much."""
        self.painter.setPen(pen)
        self.painter.setBrush(Qt.BrushStyle.NoBrush)
        for block in self.blocks:
            for start, stop, *_ in spans.between(block.start, block.start + block.length):
                for rect, _ in self.pieces(block, (start, stop)):
                    self.painter.drawRect(rect.adjusted(-0.5, rise, 0.5, -0.5))


def _stretches(
    line: QTextLine, start: int, end: int, *, bidirectional: bool
) -> Iterator[tuple[float, float]]:
    """The parts of a line that a range covers, left to right; several if directions mix."""
    natural = line.naturalTextRect()
    if start == line.textStart() and end == start + line.textLength():
        yield natural.left(), natural.right()
        return
    if not bidirectional:
        left, right = x_of(line, start), min(x_of(line, end), natural.right())
        if right > left:
            yield left, right
        return
    stretch: tuple[float, float] | None = None
    for left, right in sorted(_letter_boxes(line, start, end)):
        if right <= natural.left() or left >= natural.right():
            continue
        if stretch and left - stretch[1] < 0.5:
            stretch = (stretch[0], max(stretch[1], right))
            continue
        if stretch:
            yield stretch
        stretch = (left, right)
    if stretch:
        yield stretch


def x_of(line: QTextLine, position: int) -> float:
    """The x of the leading edge of a letter, from the left of its pane."""
    edge_and_position: tuple[float, int] = line.cursorToX(position)  # type: ignore[assignment]
    return edge_and_position[0]


def _letter_boxes(line: QTextLine, start: int, end: int) -> Iterator[tuple[float, float]]:
    """From left to right edge what letters of one direction after the other cover.

    The glyphs say so: where directions meet the text cursor has one place for two letters.
    """
    for run in line.glyphRuns(start, end - start):
        box = run.boundingRect()
        yield box.left(), box.right()


UNDERLINE_DASHES: tuple[tuple[float, ...], ...] = ((), (4, 2), (1, 1.5), (5, 2, 1, 2))
CHANGE_DASHES: dict[ChangeKind, tuple[float, ...]] = {
    ChangeKind.EXCHANGED: (3, 1.5),
    ChangeKind.MOVED: (1, 1.5),
    ChangeKind.REPEATED_A: (5, 2, 1, 2),
    ChangeKind.REPEATED_B: (5, 2, 1, 2),
}
STRIKE_HEIGHT = 0.3  # of the height of letters above the base line
GAP_SIZE = 4.5
WAVE_WIDTH, WAVE_HEIGHT, WAVE_STEP = 1.4, 3.0, 3.0  # below exchanged words
BAR_WIDTH = 3.0
BAR_GAP = 12.0


def passage_color(mark: PassageMark) -> PassageColor:
    """The colours of a passage, or of a change, in the current scheme."""
    if mark.kind is not None:
        return change_color(mark.kind)
    if mark.step:
        return step_color(mark.step)
    palette = colors().passages
    return palette[mark.hue % len(palette)]


def step_color(step: int) -> PassageColor:
    """The colours of a part by the number of documents that share it: a hue that gets stronger."""
    steps = colors().steps
    return steps[min(step, len(steps)) - 1]


def change_color(kind: ChangeKind) -> PassageColor:
    """The colours of a kind of change in the current scheme."""
    changes = colors().changes
    by_kind = {
        ChangeKind.ONLY_A: changes.only_a,
        ChangeKind.ONLY_B: changes.only_b,
        ChangeKind.EXCHANGED: changes.exchanged,
    }
    return by_kind.get(kind, changes.moved)


def underline_pen(mark: PassageMark, width: float) -> QPen:
    """The underline that distinguishes a passage without its hue."""
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

    def paint(self, drawing: Drawing) -> None:
        """Draw below the text."""
        self._current_lines = []
        painter, clip = drawing.painter, drawing.clip
        for block in drawing.blocks:
            if block.top > clip.bottom() or block.top + block.height < clip.top():
                continue
            end = block.start + block.length
            if block.start not in self._side.text.page_marks:
                self._draw_passages(drawing, block)
            for start, stop, owner in self._side.passages.between(block.start - 1, end + 1):
                if start == stop and block.start <= start <= end:
                    self._draw_gap(painter, block, start, owner)
                elif self._side.badges[owner][0] < self._side.badges[owner][1]:
                    self._draw_badge(painter, block, end, owner, clip)
        self._draw_bar(painter)

    def _draw_passages(self, drawing: Drawing, block: VisibleBlock) -> None:
        end = block.start + block.length
        for start, stop, owner in self._topmost(self._side.passages.between(block.start, end)):
            self._draw_passage(drawing, block, (start, stop), owner)
        for start, stop, owner in self._topmost(self._side.runs.between(block.start, end)):
            self._draw_run(drawing, block, (start, stop), owner)
        for start, stop, number in self._side.exchanges.between(block.start, end):
            self._draw_exchange(drawing, block, (start, stop), number)

    def _topmost(self, spans: Iterable[tuple[int, int, int]]) -> Iterator[tuple[int, int, int]]:
        """Of passages with the same span only the current one, or the last, which is on top.

        A sentence that the other text repeats ten thousand times has as many passages.
        """
        for (start, stop), same in groupby(spans, key=itemgetter(0, 1)):
            owners = [owner for _, _, owner in same]
            yield start, stop, self.current if self.current in owners else owners[-1]

    def _draw_bar(self, painter: QPainter) -> None:
        if self.current is not None and self._current_lines:
            first, last = self._current_lines[0], self._current_lines[-1]
            left = first.left() - BAR_GAP
            bar = QRectF(left, first.top(), BAR_WIDTH, last.bottom() - first.top())
            painter.fillRect(bar, passage_color(self._marks[self.current]).line)

    def _draw_passage(
        self, drawing: Drawing, block: VisibleBlock, span: tuple[int, int], owner: int
    ) -> None:
        color = passage_color(self._marks[owner])
        fill = color.fill if owner == self.current else color.gap
        for rect, _ in drawing.pieces(block, span):
            drawing.painter.fillRect(rect, fill)
            if owner == self.current:
                line = QRectF(block.layout.lineAt(0).x(), rect.top(), 0, rect.height())
                self._current_lines.append(line)

    def _draw_run(
        self, drawing: Drawing, block: VisibleBlock, span: tuple[int, int], owner: int
    ) -> None:
        mark = self._marks[owner]
        color = passage_color(mark)
        fill = color.strong if owner == self.current else color.fill
        drawing.painter.setPen(underline_pen(mark, 2.0))
        struck = mark.kind is ChangeKind.ONLY_A
        for rect, baseline in drawing.pieces(block, span):
            drawing.painter.fillRect(rect, fill)
            y = min(baseline + 3.0, rect.bottom() - 1.0)
            if struck:
                y = baseline - STRIKE_HEIGHT * (baseline - rect.top())
            drawing.painter.drawLine(QLineF(rect.left(), y, rect.right(), y))

    def _draw_exchange(
        self, drawing: Drawing, block: VisibleBlock, span: tuple[int, int], number: int
    ) -> None:
        """Draw a wave below exchanged words; forms of a word keep the passage's background."""
        instead = self._side.substitutions[number]
        color = passage_color(self._marks[instead.owner])
        fill = color.strong if instead.owner == self.current else color.fill
        drawing.painter.setPen(QPen(color.line, WAVE_WIDTH))
        for rect, baseline in drawing.pieces(block, span):
            if instead.near:
                drawing.painter.fillRect(rect, fill)
            draw_wave(drawing.painter, rect, min(baseline + 3.0, rect.bottom() - WAVE_HEIGHT))

    def _draw_gap(self, painter: QPainter, block: VisibleBlock, position: int, owner: int) -> None:
        """Draw a wedge below the line where words of the other text would be."""
        line = block.layout.lineForTextPosition(position - block.start)
        if not line.isValid():
            return
        x, base = x_of(line, position - block.start), block.top + line.y() + line.ascent()
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
        self, painter: QPainter, block: VisibleBlock, block_end: int, owner: int, clip: QRectF
    ) -> None:
        start, end = self._side.badges[owner]
        if not block.start <= start < block_end:
            return
        line = block.layout.lineForTextPosition(start - block.start)
        top = block.top + line.y()
        if top > clip.bottom() or top + line.height() < clip.top():
            return
        start_x = x_of(line, start - block.start)
        end_x = x_of(line, end - block.start)
        diameter = min(line.ascent() * 1.12, abs(end_x - start_x) - 3)
        stretch = 1.0 + 0.28 * (len(self._marks[owner].badge) - 1)
        width = min(diameter * stretch, abs(end_x - start_x) - 4)
        room = QRectF(0, 0, width, diameter)
        shift = width / 2 + 1 if end_x > start_x else -width / 2 - 1
        room.moveCenter(QPointF(start_x + shift, block.top + line.y() + line.ascent() * 0.64))
        ring = colors().text if owner == self.current else None
        draw_badge(painter, room, self._marks[owner], self.badge_font, ring)
