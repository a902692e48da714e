"""How full the buckets are: sentences, a picture, and the fullest by name."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QAbstractItemView, QSplitter, QVBoxLayout, QWidget

from neardup_gui.models.workbench.buckets import (
    COUNTING,
    NOT_COUNTED,
    BucketColumn,
    BucketNumbers,
    BucketsModel,
    bucket_words,
    details_of,
)
from neardup_gui.views.pairs.delegates import RowDelegate
from neardup_gui.views.widgets.controls import Caption
from neardup_gui.views.widgets.rows_table import RowsTable
from neardup_gui.views.widgets.scaled_label import ScaledLabel
from neardup_gui.views.workbench.bucket_bars import BucketBars

SHARES = (1, 2)  # of the width, of the picture and of the table
SIDE, AIR = 12, 6


class _Names(RowDelegate):
    """Names, cut at their end."""

    def _shortened(self, metrics: QFontMetrics, text: str, width: int) -> str:
        return metrics.elidedText(text, Qt.TextElideMode.ElideRight, width)


class BucketsPage(QWidget):
    """Shows the buckets of a list.

    Attributes:
        table: The fullest.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = BucketsModel(self)
        self._words = ScaledLabel(1.0)
        self._words.setTextFormat(Qt.TextFormat.PlainText)
        self._words.setWordWrap(True)
        self._words.setContentsMargins(SIDE, AIR, SIDE, AIR)
        self._bars = BucketBars()
        self.table = RowsTable(self._model, BucketColumn.NAMES)
        self.table.setAccessibleName("The fullest buckets")
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.table.setItemDelegateForColumn(BucketColumn.NAMES, _Names(self.table))
        self._details = Caption()
        self._details.setContentsMargins(SIDE, AIR, SIDE, AIR)
        self._details.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._lay_out()
        self.table.rested.connect(self._show_details)
        self.show_numbers(None)

    def _lay_out(self) -> None:
        right = QWidget()
        rows = QVBoxLayout(right)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(0)
        rows.addWidget(self.table, 1)
        rows.addWidget(self._details)
        self._both = QSplitter(Qt.Orientation.Horizontal)
        self._both.setChildrenCollapsible(False)
        for place, (widget, share) in enumerate(zip((self._bars, right), SHARES, strict=True)):
            self._both.addWidget(widget)
            self._both.setStretchFactor(place, share)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._words)
        column.addWidget(self._both, 1)
        column.addStretch(0)

    def show_numbers(self, numbers: BucketNumbers | None) -> None:
        """Show the buckets of a list; None where there is none."""
        rows = numbers.rows if numbers else ()
        self._say(bucket_words(numbers) if numbers else NOT_COUNTED)
        self._bars.show_fills(numbers.fills if numbers else ())
        self._model.set_rows(rows)
        self._both.setVisible(bool(rows))
        if rows and self.table.current_row < 0:
            self.table.select_row(0)
        self._show_details()

    def show_counting(self) -> None:
        """Say that they are being counted; those of the list before stay until then."""
        if not self._model.rowCount():
            self._say(COUNTING)

    def _say(self, sentence: str) -> None:
        self._words.setText(sentence)
        self._words.setAccessibleName(sentence)

    def _show_details(self) -> None:
        row = self.table.current_row
        text = details_of(self._model.bucket(row)) if row >= 0 else ""
        self._details.setText(text)
        self._details.setVisible(bool(text))
