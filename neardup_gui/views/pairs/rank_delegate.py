"""The first cell of a pair: its rank, and its dot plot as a small picture."""

from __future__ import annotations

from PySide6.QtCore import QLineF, QObject, QRect, QRectF, Qt
from PySide6.QtGui import QPainter, QPen, QPixmap
from PySide6.QtWidgets import QStyleOptionViewItem

from neardup_gui.environment.theme import colors
from neardup_gui.models.pairs.cells import Role
from neardup_gui.models.pairs.thumbnails import Thumbnail
from neardup_gui.views.pairs.delegates import Index, MutedDelegate

GAP = 10
AIR = 6  # above and below the picture
INSET = 2.5
SHORTEST = 1.6  # of a line, in pixels
MOST = 600  # pixmaps that are kept


def picture_room(row_height: int) -> int:
    """How wide the picture of a row is, with the gap before it."""
    return row_height - AIR + GAP


class RankDelegate(MutedDelegate):
    """The number at the left, the picture at the right; an empty square until it is there."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._pictures: dict[tuple[object, ...], QPixmap] = {}

    def _paint_content(
        self, painter: QPainter, option: QStyleOptionViewItem, index: Index, area: QRect
    ) -> None:
        edge = area.height() - AIR
        number = area.adjusted(0, 0, -edge - GAP, 0)
        super()._paint_content(painter, option, index, number)
        thumbnail = index.data(int(Role.VALUE))
        ratio = painter.device().devicePixelRatio()
        picture = self._picture(thumbnail, edge, ratio)
        painter.drawPixmap(area.right() - edge + 1, area.top() + AIR // 2, picture)

    def _picture(self, thumbnail: Thumbnail | None, edge: int, ratio: float) -> QPixmap:
        key = (None if thumbnail is None else thumbnail.lines.tobytes(), edge, ratio, colors().dark)
        if key not in self._pictures:
            if len(self._pictures) >= MOST:
                self._pictures.clear()
            self._pictures[key] = _drawn(thumbnail, edge, ratio)
        return self._pictures[key]


def _drawn(thumbnail: Thumbnail | None, edge: int, ratio: float) -> QPixmap:
    picture = QPixmap(round(edge * ratio), round(edge * ratio))
    picture.setDevicePixelRatio(ratio)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colors().raised)
    painter.drawRoundedRect(QRectF(0, 0, edge, edge), 3, 3)
    if thumbnail is not None:
        painter.setPen(QPen(colors().accent, 1.6))
        scale = edge - 2 * INSET
        painter.drawLines(
            [_line(*(INSET + scale * share for share in line)) for line in thumbnail.lines.tolist()]
        )
    painter.end()
    return picture


def _line(x: float, y: float, to_x: float, to_y: float) -> QLineF:
    """A line that can be seen however short it is."""
    line = QLineF(x, y, to_x, to_y)
    return line if line.length() >= SHORTEST else QLineF(x, y, x + SHORTEST, y + SHORTEST)
