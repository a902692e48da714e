"""Signals that come faster than anyone can use them: the last one always arrives."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer, Signal


class Throttle(QObject):
    """Lets a call through at once, then at most one in every interval.

    Signals:
        triggered: Do it now.
    """

    triggered = Signal()

    def __init__(self, milliseconds: int, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._waiting = False
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(milliseconds)
        self._timer.timeout.connect(self._on_timeout)

    def call(self) -> None:
        """Ask for it; several calls within an interval become one."""
        if self._timer.isActive():
            self._waiting = True
            return
        self._timer.start()
        self.triggered.emit()

    def _on_timeout(self) -> None:
        if self._waiting:
            self._waiting = False
            self._timer.start()
            self.triggered.emit()
