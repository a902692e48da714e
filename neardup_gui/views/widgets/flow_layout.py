"""Small widgets in a row that goes on in the next line when there is no room."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QLayout, QLayoutItem, QWidget


class FlowLayout(QLayout):
    """Places its items from left to right, line by line, all lines equally high."""

    def __init__(
        self, across: int, down: int, parent: QWidget | None = None, *, ending: bool = False
    ) -> None:
        """`across` and `down` are the gaps between items and between lines.

        With `ending`, the last item stands at the right end where it shares a line with others.
        """
        super().__init__(parent)
        self._ending = ending
        self._across, self._down = across, down
        self._items: list[QLayoutItem] = []
        self.setContentsMargins(0, 0, 0, 0)

    def addItem(self, item: QLayoutItem) -> None:
        """Add one item at the end."""
        self._items.append(item)

    def count(self) -> int:
        """How many items there are."""
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        """An item, or None past the end, as Qt asks for."""
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        """Remove an item."""
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        """Takes no more room than it needs."""
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        """The height depends on how many lines are needed."""
        return True

    def heightForWidth(self, width: int) -> int:
        """Height of all lines."""
        margins = self.contentsMargins()
        across, down = margins.left() + margins.right(), margins.top() + margins.bottom()
        return self._place(QRect(0, 0, width - across, 0), moving=False) + down

    def setGeometry(self, rect: QRect) -> None:
        """Move the items to their places."""
        super().setGeometry(rect)
        self._place(rect.marginsRemoved(self.contentsMargins()), moving=True)

    def sizeHint(self) -> QSize:
        """All in one line."""
        sizes = [item.sizeHint() for item in self._items if not item.isEmpty()]
        width = sum(size.width() for size in sizes) + self._across * max(len(sizes) - 1, 0)
        return self._with_margins(width, max((size.height() for size in sizes), default=0))

    def minimumSize(self) -> QSize:
        """As wide as the widest item."""
        sizes = [item.sizeHint() for item in self._items]
        return self._with_margins(
            max((size.width() for size in sizes), default=0),
            max((size.height() for size in sizes), default=0),
        )

    def _with_margins(self, width: int, height: int) -> QSize:
        margins = self.contentsMargins()
        across, down = margins.left() + margins.right(), margins.top() + margins.bottom()
        return QSize(width + across, height + down)

    def _place(self, rect: QRect, *, moving: bool) -> int:
        x, y = rect.x(), rect.y()
        shown = [item for item in self._items if not item.isEmpty()]
        height = max((item.sizeHint().height() for item in shown), default=0)
        for item in shown:
            size = item.sizeHint()
            if x > rect.x() and x + size.width() > rect.right() + 1:
                x, y = rect.x(), y + height + self._down
            if self._ending and x > rect.x() and item is self._items[-1]:
                x = rect.right() + 1 - size.width()
            if moving:
                item.setGeometry(QRect(QPoint(x, y + (height - size.height()) // 2), size))
            x += size.width() + self._across
        return y + height - rect.y()
