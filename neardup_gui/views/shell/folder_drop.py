"""Folders dropped anywhere on the window."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QWidget


class FolderDrop(QObject):
    """Watches a window for drops.

    Signals:
        hovered: Whether something that can be dropped is over the window.
        dropped: The paths of what was dropped, files too: the answer to those is a sentence.
    """

    hovered = Signal(bool)
    dropped = Signal(object)

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        window.setAcceptDrops(True)
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take drags with local files."""
        if isinstance(event, QDragEnterEvent) and event.type() == QEvent.Type.DragEnter:
            if not _paths(event):
                return False
            event.setDropAction(Qt.DropAction.CopyAction)
            event.accept()
            self.hovered.emit(True)
            return True
        if event.type() == QEvent.Type.DragLeave:
            self.hovered.emit(False)
        elif isinstance(event, QDropEvent) and event.type() == QEvent.Type.Drop:
            self.hovered.emit(False)
            event.acceptProposedAction()
            self.dropped.emit(_paths(event))
            return True
        return super().eventFilter(watched, event)


def _paths(event: QDropEvent) -> list[Path]:
    return [Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()]
