"""The page of the pairs: filter row, table, and words where there is nothing to show."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from neardup_gui.models.pairs.table import PairsModel
from neardup_gui.models.words.verdicts import Verdict
from neardup_gui.views.pairs.filter_row import FilterRow
from neardup_gui.views.pairs.note_row import NoteRow
from neardup_gui.views.pairs.outdated_row import OutdatedRow
from neardup_gui.views.pairs.seen_rows import SeenRows
from neardup_gui.views.pairs.table import PairsTable
from neardup_gui.views.widgets.link_label import LinkLabel
from neardup_gui.views.widgets.selected_rows import rows_of

__all__ = ["PairsPage"]


class PairsPage(QWidget):
    """Shows the table, or a sentence when no row is left.

    Signals:
        filter_changed: A `PairFilter` for the model.
        filter_cleared: The user wants to see every pair again.
        verdict_given: A verdict, and on which of the pairs listed.
        note_written: A note, and on which of them.
    """

    filter_changed = Signal(object)
    filter_cleared = Signal()
    verdict_given = Signal(object, object)
    note_written = Signal(str, object)

    def __init__(self, model: PairsModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self._reason = ""
        self.outdated_row = OutdatedRow()
        self.filter_row = FilterRow()
        self.table = PairsTable(model)
        self.note_row = NoteRow()
        self.seen_rows = SeenRows(self.table)
        # Over the table, not in its place: the table keeps the focus that it has.
        self._empty = EmptyState()
        over = QVBoxLayout(self.table.viewport())
        over.setContentsMargins(0, 0, 0, 0)
        over.addWidget(self._empty)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.outdated_row)
        column.addWidget(self.filter_row)
        column.addWidget(self.table, 1)
        column.addWidget(self.note_row)
        self.filter_row.filter_changed.connect(self.filter_changed)
        self.filter_row.cleared.connect(self.filter_cleared)
        self.filter_row.left.connect(self.table.setFocus)
        self._empty.clear_clicked.connect(self.filter_cleared)
        self.note_row.written.connect(self.note_written)
        model.modelReset.connect(self._on_reset)
        model.judged.connect(self._show_counts)
        self._on_reset()

    @property
    def entry(self) -> QWidget:
        """Where the keyboard enters."""
        return self.table

    def judge(self, verdict: Verdict) -> None:
        """Give the selected pairs a verdict, and select the next that waits for one."""
        rows = rows_of(self.table.selectionModel())
        if not len(rows):
            return
        pairs = self._model.pairs_in(rows)
        onward = self._model.next_open(int(rows[-1]) + 1, but=pairs)
        key = None if onward is None else self._model.key_at(onward)
        self.verdict_given.emit(verdict, pairs)
        if key is not None and self.table.select_key(key):
            self.table.tell_at_once()

    def write_note(self) -> None:
        """Let the user write a note on the selected pairs."""
        rows = rows_of(self.table.selectionModel())
        if len(rows):
            pairs = self._model.pairs_in(rows)
            self.note_row.begin(self._model.verdicts.note(int(pairs[0])), pairs)

    def step(self, rows: int) -> None:
        """Select the pair so many rows further down."""
        self.table.step(rows)

    def tell_selection(self) -> None:
        """Show the selected pair again."""
        if self.table.selected_key is not None:
            self.table.pair_selected.emit(self.table.selected_key)

    @property
    def empty_sentence(self) -> str:
        """What stands in the place of the pairs; empty when there are some."""
        return "" if self._empty.isHidden() else self._empty.sentence

    def set_reason(self, sentence: str) -> None:
        """What to say when there are no pairs at all."""
        self._reason = sentence
        self._on_reset()

    def _show_counts(self) -> None:
        model = self._model
        self.filter_row.show_count(
            model.rowCount(), model.total, model.verdicts.counts, model.verdicts.new_count
        )

    def _on_reset(self) -> None:
        shown, total = self._model.rowCount(), self._model.total
        self._show_counts()
        self.filter_row.setEnabled(total > 0)
        self._empty.setVisible(shown == 0)
        if shown:
            return
        hidden = total > 0
        self._empty.show_text("The filter hides every pair." if hidden else self._reason, hidden)


class EmptyState(QWidget):
    """A sentence in the middle of an empty place, and the way out."""

    clear_clicked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._sentence = QLabel(wordWrap=True)
        self._sentence.setTextFormat(Qt.TextFormat.PlainText)
        self._sentence.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._clear = LinkLabel("Clear filter")
        self._clear.clicked.connect(self.clear_clicked)
        column = QVBoxLayout(self)
        column.setContentsMargins(40, 12, 40, 12)
        column.addStretch(1)
        column.addWidget(self._sentence)
        column.addWidget(self._clear, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addStretch(1)

    @property
    def sentence(self) -> str:
        """What is said."""
        return self._sentence.text()

    def show_text(self, sentence: str, can_clear: bool) -> None:
        """Show a sentence, with the link that clears the filter or without."""
        self._sentence.setText(sentence)
        self._clear.setVisible(can_clear)
