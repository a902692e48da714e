"""A panel that scrolls when its pane is lower than it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtWidgets import QScrollArea, QWidget

__all__ = ["Scrolled"]


class Scrolled(QScrollArea):
    """Never narrower than its content, so that it scrolls up and down only."""

    def __init__(self, content: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._content = content
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setWidget(content)
        content.installEventFilter(self)

    def minimumSizeHint(self) -> QSize:
        """As wide as the content needs."""
        bar = self.verticalScrollBar().sizeHint().width()
        return QSize(self._content.minimumSizeHint().width() + bar, 80)

    def sizeHint(self) -> QSize:
        """All of the content."""
        wanted = self._content.sizeHint()
        return QSize(wanted.width() + self.verticalScrollBar().sizeHint().width(), wanted.height())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The content grew or shrank: so does this."""
        if event.type() == QEvent.Type.LayoutRequest:
            self.updateGeometry()
        return super().eventFilter(watched, event)
