"""Which rows of a table can be seen, told when they have come to rest."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QTimer, Signal
from PySide6.QtWidgets import QTableView

SETTLE = 60  # milliseconds; rows that only pass are not looked at


class SeenRows(QObject):
    """Watches a table.

    Signals:
        seen: The first row in sight, and the one after the last.
    """

    seen = Signal(int, int)

    def __init__(self, table: QTableView) -> None:
        super().__init__(table)
        self._table = table
        self._timer = QTimer(self, singleShot=True, interval=SETTLE)
        self._timer.timeout.connect(self._tell)
        model = table.model()
        for changed in (
            table.verticalScrollBar().valueChanged,
            model.modelReset,
            model.layoutChanged,
        ):
            changed.connect(self._on_changed)
        table.viewport().installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """More or fewer rows come into sight with another size, or when the table is shown."""
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Show):
            self._timer.start()
        return super().eventFilter(watched, event)

    def _on_changed(self) -> None:
        self._timer.start()

    def _tell(self) -> None:
        first = self._table.rowAt(0)
        if first < 0 or not self._table.isVisible():
            return
        last = self._table.rowAt(self._table.viewport().height() - 1)
        self.seen.emit(first, self._table.model().rowCount() if last < 0 else last + 1)
