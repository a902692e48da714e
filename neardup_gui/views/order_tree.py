"""Which documents of a group came from which others, as a picture in its own window.

The list of groups is often a few rows high: there is no room in it for a picture.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from PySide6.QtCore import QLineF, QPoint, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPaintEvent, QPalette, QPen, QPolygonF
from PySide6.QtWidgets import QDialog, QLabel, QWidget

from core.base.messages import N_, gettext
from neardup_gui.environment.theme import colors, mix, smooth_painter
from neardup_gui.models.groups import OrderDrawing
from neardup_gui.models.words.numbers import tool_tip
from neardup_gui.views.widgets.containers import HasHints, scrolled, size_within_screen
from neardup_gui.views.widgets.labels import PLAIN, elided_name, mirrored
from neardup_gui.views.widgets.layouts import RULE, column_in, column_of, rule
from neardup_gui.views.widgets.rows_table import in_its_direction

AIR, PADDING = 5, 9  # of a box, above and below the name and beside it
GAP, EDGE = 8, 10  # between boxes, and around all of them
BESIDE = 16  # between lines that lead round the boxes
HEAD = 5  # of an arrow
NEAR = 5  # to a line, for the mouse to point at it
NARROWEST = 6  # heights of a letter: as wide is every box at least
WIDEST_NAME = 22  # heights of a letter, for a window that is as wide at least
MANY = 10_000  # pixels: room for any text
WHICH_CAME_FROM_WHICH = N_("Which came from which")
STEPS = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}


class OrderTreeView(HasHints):
    """Boxes with names; an arrow where the order of two documents is known, else a line.

    Up and Down, Home and End go from box to box, by each line that ends there; Enter selects the
    document of the box.

    Signals:
        pointed: What speaks for the line of the keyboard or the mouse.
        document_wanted: The number of a document that the user wants to see in the table.
    """

    pointed = Signal(str)
    document_wanted = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self._drawing = OrderDrawing((-1,), ("",), (0,), ())
        self._document = -1
        self._stops = [(0, -1)]  # rows, each with a line that ends there, or -1
        self._current = 0
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(gettext(WHICH_CAME_FROM_WHICH))

    def show_drawing(self, drawing: OrderDrawing, document: int) -> None:
        """Show what is known of a group, starting with the origin of one of its documents."""
        shown = self._document, self._current_document
        if drawing == self._drawing and document in shown:
            self._document = document
            self.update()
            return
        self._drawing, self._document = drawing, document
        documents, edges = drawing.documents, drawing.edges
        lines = [(edge.below, number) for number, edge in enumerate(edges)]
        roots = {*range(len(documents))}.difference(row for row, _ in lines)
        self._stops = sorted([*lines, *((row, -1) for row in roots)])
        nearest = min(
            lines,
            key=lambda line: (
                documents[line[0]] != document,
                documents[edges[line[1]].above] != document,
            ),
        )
        self._go_to(self._stops.index(nearest))
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        """The size of all rows, and of the widest name."""
        metrics = self.fontMetrics()
        ends = (
            self._start(row) + 2 * PADDING + metrics.horizontalAdvance(name)
            for row, name in enumerate(self._drawing.names)
        )
        return QSize(max(ends, default=0) + self._room_beside + EDGE, self._height)

    def minimumSizeHint(self) -> QSize:
        """All rows; what is around it scrolls."""
        deepest = max(map(self._start, range(len(self._drawing.names))), default=0)
        least = deepest + NARROWEST * self.fontMetrics().height() + self._room_beside + EDGE
        return QSize(least, self._height)

    @property
    def current_height(self) -> int:
        """The y at which the current line ends."""
        return self._boxes()[self._stops[self._current][0]].center().y()

    @property
    def _current_document(self) -> int:
        return self._drawing.documents[self._stops[self._current][0]]

    # Geometry, before it is mirrored for text from right to left

    @property
    def _pitch(self) -> int:
        return self.fontMetrics().height() + 2 * AIR + GAP

    @property
    def _height(self) -> int:
        return self._pitch * len(self._drawing.names) - GAP + 2 * EDGE

    @property
    def _room_beside(self) -> int:
        return BESIDE * max((edge.column for edge in self._drawing.edges), default=0)

    def _start(self, row: int) -> int:
        return EDGE + self._drawing.depths[row] * self._pitch * 3 // 4

    def _boxes(self) -> Sequence[QRect]:
        metrics, pitch = self.fontMetrics(), self._pitch
        most = self.width() - self._room_beside - EDGE
        boxes = []
        for row, name in enumerate(self._drawing.names):
            start = self._start(row)
            wanted = 2 * PADDING + metrics.horizontalAdvance(name) + 1
            size = QSize(min(wanted, most - start), pitch - GAP)
            boxes.append(QRect(QPoint(start, EDGE + pitch * row), size))
        return boxes

    def _lines(self) -> Iterator[Sequence[QPointF]]:
        """The corners of each line, from above to below."""
        boxes, is_mirrored = self._boxes(), self.isRightToLeft()
        widest = max((box.right() for box in boxes), default=0)
        for edge in self._drawing.edges:
            above, below = boxes[edge.above], boxes[edge.below]
            y = below.center().y()
            if edge.column:
                x, begin = widest + BESIDE * edge.column, above.center().y()
                corners = [(above.right(), begin), (x, begin), (x, y), (below.right() + 1, y)]
            else:
                x = above.left() + PADDING + 3
                corners = [(x, above.bottom() + 1), (x, y), (below.left(), y)]
            yield [QPointF(self.width() - x if is_mirrored else x, y) for x, y in corners]

    def edge_at(self, point: QPointF) -> int | None:
        """The line at a point; of several, the one that ends nearest."""
        near = {
            number: abs(corners[-1].y() - point.y())
            for number, corners in enumerate(self._lines())
            for start, end in pairwise(corners)
            if QRectF(start, end).normalized().adjusted(-NEAR, -NEAR, NEAR, NEAR).contains(point)
        }
        return min(near, key=near.__getitem__, default=None)

    def row_at(self, position: QPointF) -> int | None:
        """The box at a position."""
        point, boxes = position.toPoint(), enumerate(self._boxes())
        return next((row for row, box in boxes if mirrored(self, box).contains(point)), None)

    # Events

    def _go_to(self, stop: int) -> None:
        self._current = max(0, min(stop, len(self._stops) - 1))
        row, edge = self._stops[self._current]
        words = self._drawing.edges[edge].words if edge >= 0 else self._drawing.names[row]
        self.setAccessibleDescription(words)
        self.pointed.emit(words)
        self.update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move from box to box."""
        key = Qt.Key(event.key())
        if key in STEPS:
            self._go_to(self._current + STEPS[key])
        elif key in (Qt.Key.Key_Home, Qt.Key.Key_End):
            self._go_to(0 if key == Qt.Key.Key_Home else len(self._stops))
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.document_wanted.emit(self._current_document)
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Show the reasons for a clicked line; select the document of a clicked box."""
        super().mousePressEvent(event)
        row, edge = self.row_at(event.position()), self.edge_at(event.position())
        if row is not None:
            self.document_wanted.emit(self._drawing.documents[row])
        elif edge is not None:
            self._go_to([number for _, number in self._stops].index(edge))

    def hint_at(self, position: QPointF) -> str:
        """The reasons for a line, the full name of a box."""
        row, edge = self.row_at(position), self.edge_at(position)
        words = self._drawing.names[row] if row is not None else ""
        if row is None and edge is not None:
            words = self._drawing.edges[edge].words
        return tool_tip(words)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the lines, the current one last, and the boxes with their names."""
        painter, now = smooth_painter(self), colors()
        current_row, current_edge = self._stops[self._current]
        lines = enumerate(zip(self._drawing.edges, self._lines(), strict=True))
        for number, (edge, corners) in sorted(lines, key=lambda line: line[0] == current_edge):
            is_current = number == current_edge
            color = now.accent if is_current else now.muted
            painter.setPen(QPen(color, 2.0 if is_current and self.hasFocus() else 1.2))
            painter.drawPolyline(QPolygonF(corners))
            if edge.is_known:
                line = QLineF(corners[-1], corners[-2])
                back = HEAD if line.dx() > 0 else -HEAD
                tip = corners[-1]
                base = (QPointF(tip.x() + back, tip.y() + side) for side in (-HEAD, HEAD))
                painter.setBrush(color)
                painter.drawPolygon(QPolygonF([tip, *base]))
                painter.setBrush(Qt.BrushStyle.NoBrush)
        for row, (name, rect) in enumerate(zip(self._drawing.names, self._boxes(), strict=True)):
            box = mirrored(self, rect)
            is_current = self._drawing.documents[row] == self._document
            is_reached = self.hasFocus() and row == current_row
            frame = now.accent if is_current or is_reached else mix(now.muted, now.base, 0.6)
            painter.setPen(QPen(frame, 2.0 if is_reached else 1.0))
            painter.setBrush(now.selection if is_current else now.base)
            painter.drawRoundedRect(box.toRectF().adjusted(0.5, 0.5, -0.5, -0.5), 3, 3)
            painter.setPen(now.text)
            area = box.adjusted(PADDING, 0, -PADDING + 1, 0)
            shown = in_its_direction(painter, elided_name(self.fontMetrics(), name, area.width()))
            painter.drawText(area, int(Qt.AlignmentFlag.AlignVCenter), shown)


class OrderWindow(QDialog):
    """The picture, and below it the reasons for one of its lines; Esc closes it."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(gettext(WHICH_CAME_FROM_WHICH))
        self.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
        self.is_wanted = False  # if there is something to show
        self.tree = OrderTreeView()
        self.words = QLabel(wordWrap=True, textFormat=PLAIN)
        self.words.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._area = scrolled(self.tree)
        self._area.viewport().setBackgroundRole(QPalette.ColorRole.Base)
        column_in(
            self,
            (self._area, 1),
            rule(),
            column_of(self.words, margins=(EDGE, AIR, EDGE, EDGE)),
            margins=0,
            spacing=0,
        )
        self.tree.pointed.connect(self._on_pointed)

    def show_drawing(self, drawing: OrderDrawing | None, document: int) -> None:
        """Show what is known of the group of a document; hide the window if nothing is."""
        if drawing is None:
            self.hide()
            return
        self.is_wanted = True
        self.tree.show_drawing(drawing, document)
        if self.isHidden():
            self._fit([edge.words for edge in drawing.edges])
            self.show()

    def done(self, result: int) -> None:
        """Note that the user closed the window; if hidden otherwise, it comes back."""
        self.is_wanted = False
        super().done(result)

    def _fit(self, sentences: Sequence[str]) -> None:
        """The size of the full picture and of the longest sentence."""
        metrics, wanted = self.words.fontMetrics(), self.tree.sizeHint()
        least = WIDEST_NAME * self.fontMetrics().height()
        width = min(max(wanted.width(), least), 2 * least)
        room = QRect(0, 0, width - 2 * EDGE, MANY)
        wraps = int(Qt.TextFlag.TextWordWrap)
        heights = (metrics.boundingRect(room, wraps, words).height() for words in sentences)
        words = max(heights, default=0)
        self.words.setMinimumHeight(words)
        height = wanted.height() + words + AIR + EDGE + RULE
        self.resize(size_within_screen(self, QSize(width, height)))

    def _on_pointed(self, words: str) -> None:
        self.words.setText(words)
        self._area.ensureVisible(0, self.tree.current_height, 0, self._area.height() // 4)
