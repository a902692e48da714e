"""A panel that scrolls when its pane is lower than it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtWidgets import QScrollArea, QWidget


class Scrolled(QScrollArea):
    """Never narrower than its content, so that it scrolls up and down only.

    The room of its bar is always kept: a bar that comes and goes would break lines again, which
    changes the height, which lets the bar go and come.
    """

    def __init__(
        self, content: QWidget, parent: QWidget | None = None, *, centred: bool = False
    ) -> None:
        """With `centred`, as much room is kept at the left as for the bar at the right."""
        super().__init__(parent)
        self._content = content
        self._left = self.verticalScrollBar().sizeHint().width() if centred else 0
        self.setViewportMargins(self._left, 0, 0, 0)
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.verticalScrollBar().rangeChanged.connect(self._on_range_changed)
        self._on_range_changed(0, 0)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setWidget(content)
        content.installEventFilter(self)

    def minimumSizeHint(self) -> QSize:
        """As wide as the content needs."""
        bar = self.verticalScrollBar().sizeHint().width()
        return QSize(self._content.minimumSizeHint().width() + bar + self._left, 80)

    def sizeHint(self) -> QSize:
        """All of the content."""
        wanted = self._content.sizeHint()
        bar = self.verticalScrollBar().sizeHint().width()
        return QSize(wanted.width() + bar + self._left, wanted.height())

    def _on_range_changed(self, _low: int, high: int) -> None:
        """A bar that cannot move is not drawn."""
        self.verticalScrollBar().setEnabled(high > 0)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The content grew or shrank: so does this."""
        if event.type() == QEvent.Type.LayoutRequest:
            self.updateGeometry()
        return super().eventFilter(watched, event)
