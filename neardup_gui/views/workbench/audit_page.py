"""The audit of the list: two buttons, progress, and results in words and tables."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from core.base.messages import N_, gettext, ngettext
from core.base.progress_lines import ProgressLine
from neardup_gui.models.workbench.audit_table import (
    COLUMNS,
    AuditOffer,
    AuditShown,
    AuditTable,
    AuditTableKind,
)
from neardup_gui.views.shell.status import ProgressRow
from neardup_gui.views.widgets.buttons import PushButton
from neardup_gui.views.widgets.containers import (
    FlatTabs,
    FlowLayout,
    TurningSplitter,
    VerticalScrollArea,
)
from neardup_gui.views.widgets.labels import PLAIN, READABLE, CutLabel, ScaledLabel
from neardup_gui.views.widgets.layouts import column_in, row_in, split
from neardup_gui.views.widgets.rows_table import NameDelegate, RowsTable

HEADING = 1.25  # times the size of the text
SHARES = (2, 3)  # of the width, of words and of tables
SIDE, AIR = 14, 10
NAMES = {AuditTableKind.PAIRS: (1, 2), AuditTableKind.COPIES: (1,), AuditTableKind.PASSAGES: (0,)}
NOT_KEPT = N_("The result isn’t saved because this review is read-only.")


class AuditPage(QWidget):
    """Asks for audits of the list, and shows the results of the last one.

    Attributes:
        prove: Pressed, all pairs are to be compared.
        plant: Pressed, edited copies are to be searched for.
        running: How far a test is; it can be cancelled there.

    Signals:
        pair_opened: The `ListedPair` that the user wants to read.
    """

    help_page = "audit"
    pair_opened = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.prove = PushButton(gettext("Prove this list is complete"), filled=True)
        self.plant = PushButton(gettext("Test with planted copies"))
        self._offer = _Words()
        self.running = ProgressRow(gettext("Cancel the test"))
        self._heading = ScaledLabel(HEADING)
        self._when = _Words()
        self._sentences = _Words()
        self._changes_title = QLabel(gettext("Settings that would miss fewer pairs"))
        self._changes = _Words()
        self.tables = FlatTabs(gettext("Test results"))
        self._models = {kind: AuditTable(kind, self) for kind in AuditTableKind}
        self._pages: dict[AuditTableKind, _TablePage] = {}  # made for the first audit that is shown
        self._lay_out()
        self.show_progress(None)
        self._show_result(None, is_kept=True)

    def _lay_out(self) -> None:
        words = QWidget()
        buttons = FlowLayout(AIR, AIR, widgets=(self.prove, self.plant))
        parts = (self._offer, self.running, self._heading, self._when, self._sentences)
        changes = (self._changes_title, self._changes)
        column_in(words, buttons, *parts, *changes, 1, margins=(SIDE, AIR), spacing=AIR)
        row_in(
            self,
            split(TurningSplitter(), (VerticalScrollArea(words), self.tables), SHARES),
            margins=0,
        )

    def _make_pages(self) -> None:
        for kind, model in self._models.items():
            page = self._pages[kind] = _TablePage(kind, model)
            self.tables.addTab(page, gettext(kind))
        self._pages[AuditTableKind.PAIRS].table.opened.connect(self._on_opened)

    @property
    def entry(self) -> QWidget:
        """The widget that takes the focus."""
        return self.prove if self.prove.isEnabled() else self.plant

    def show_audit(self, offer: AuditOffer, shown: AuditShown | None, *, is_kept: bool) -> None:
        """Show how the list can be audited, and the last audit."""
        self.prove.setEnabled(offer.may_prove)
        self.plant.setEnabled(offer.may_plant)
        self.prove.set_filled(offer.proves)
        self.plant.set_filled(offer.may_plant and not offer.proves)
        self._offer.show_sentences((offer.words,))
        self._show_result(shown, is_kept=is_kept)

    def show_progress(self, line: ProgressLine | None) -> None:
        """Show the progress of an audit; None if none runs."""
        self.running.setVisible(line is not None)
        if line is not None:
            self.running.show_line(line)

    def _show_result(self, shown: AuditShown | None, *, is_kept: bool) -> None:
        has_result = shown is not None
        for part in (self._heading, self._when, self._sentences, self.tables):
            part.setVisible(has_result)
        has_changes = shown is not None and bool(shown.changes)
        self._changes_title.setVisible(has_changes)
        self._changes.setVisible(has_changes)
        if shown is None:
            return
        if not self._pages:
            self._make_pages()
        self._heading.setText(shown.heading)
        self._when.show_sentences((shown.when, *([] if is_kept else [gettext(NOT_KEPT)])))
        self._when.set_quiet(is_quiet=shown.is_current)
        self._sentences.show_sentences(shown.sentences)
        self._changes.show_sentences(shown.changes)
        for index, (kind, page) in enumerate(self._pages.items()):
            rows = shown.tables.get(kind, ())
            self._models[kind].show_rows(rows)
            page.show_left_out(shown.left_out.get(kind, 0))
            self.tables.setTabVisible(index, bool(rows))

    def _on_opened(self) -> None:
        table = self._pages[AuditTableKind.PAIRS].table
        self.pair_opened.emit(self._models[AuditTableKind.PAIRS].row_at(table.current_row).pair)


class _Words(QLabel):
    """Sentences that can be selected, below each other."""

    def __init__(self) -> None:
        super().__init__(wordWrap=True, textFormat=PLAIN, textInteractionFlags=READABLE)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)

    def show_sentences(self, sentences: Sequence[str]) -> None:
        """Show other sentences."""
        self.setText("\n".join(sentences))
        self.setAccessibleName(" ".join(sentences))

    def set_quiet(self, *, is_quiet: bool) -> None:
        """Draw them in a lighter colour, as secondary text."""
        role = QPalette.ColorRole.PlaceholderText if is_quiet else QPalette.ColorRole.WindowText
        self.setForegroundRole(role)


class _TablePage(QWidget):
    """A table, and below it how many rows are not kept."""

    def __init__(self, kind: AuditTableKind, model: AuditTable) -> None:
        super().__init__()
        self.table = _Table(kind, model)
        self._note = CutLabel()
        self._note.setContentsMargins(SIDE, 0, SIDE, 0)
        column_in(self, (self.table, 1), self._note, margins=0)

    def show_left_out(self, number: int) -> None:
        """Show how many more rows there would be."""
        self._note.setVisible(number > 0)
        self._note.show_sentence(
            ngettext(
                "and {n} more (not stored individually)",
                "and {n} more (not stored individually)",
                number,
            )
        )


class _Table(RowsTable):
    """A table in which one row can be selected."""

    name_letters = 12

    def __init__(self, kind: AuditTableKind, model: AuditTable) -> None:
        super().__init__(model, COLUMNS[kind][1], gettext(kind), single=True)
        for column in NAMES.get(kind, ()):
            self.setItemDelegateForColumn(column, NameDelegate(self))
        model.modelReset.connect(self._clear_current)

    def _clear_current(self) -> None:
        self.setCurrentIndex(QModelIndex())
