"""The ranked table of pairs."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QMenu, QWidget

from neardup_gui.models.pairs.columns import Column
from neardup_gui.models.pairs.table import PairsModel
from neardup_gui.models.scan_result import ListedPair
from neardup_gui.models.table_model import ASCENDING, DESCENDING
from neardup_gui.views.pairs.column_widths import ColumnWidths
from neardup_gui.views.pairs.delegates import MutedDelegate, NameDelegate, ResemblanceDelegate
from neardup_gui.views.pairs.rank_delegate import RankDelegate, picture_room
from neardup_gui.views.widgets.rows_table import RowsTable


class PairsTable(RowsTable):
    """One row a pair.

    Signals:
        pair_selected: The `ListedPair` of another pair, once the selection rests.
        pair_hidden: A filter hides the pair that was selected; it is selected again without.
    """

    pair_selected = Signal(object)
    pair_hidden = Signal()

    def __init__(self, model: PairsModel, parent: QWidget | None = None) -> None:
        super().__init__(model, Column.DOCUMENT_A, parent)
        self._pairs = model
        self._told: ListedPair | None = None
        self.setAccessibleName("Pairs of documents")
        self.rested.connect(self._tell)
        self.setSortingEnabled(True)
        self.sortByColumn(Column.RANK, ASCENDING)

    def _set_up(self) -> None:
        super()._set_up()
        self._widths = ColumnWidths(self)
        names, muted = NameDelegate(self), MutedDelegate(self)
        for column, delegate in (
            (Column.RANK, RankDelegate(self)),
            (Column.DOCUMENT_A, names),
            (Column.DOCUMENT_B, names),
            (Column.RESEMBLANCE, ResemblanceDelegate(self)),
            (Column.FOUND_BY, muted),
        ):
            self.setItemDelegateForColumn(column, delegate)

    @property
    def selected_key(self) -> ListedPair | None:
        """The selected pair, also while a filter hides it."""
        key: ListedPair | None = self._key
        return key

    def sort_by(self, column: Column) -> None:
        """Order by a column, as a click on its title does: once more turns the order round."""
        header = self.horizontalHeader()
        order = DESCENDING if self._pairs.columns[column].words.largest_first else ASCENDING
        if header.sortIndicatorSection() == column:
            turned = {ASCENDING: DESCENDING, DESCENDING: ASCENDING}
            order = turned[header.sortIndicatorOrder()]
        self.sortByColumn(column, order)
        self.scrollTo(self.currentIndex())

    def forget_selection(self) -> None:
        """Select nothing and order by rank, for a new folder."""
        self.sortByColumn(Column.RANK, ASCENDING)
        self._told = None
        super().forget_selection()

    def tell_at_once(self) -> None:
        """Say which pair is selected, without waiting for whether the selection rests."""
        self._settled.stop()
        self._tell()

    def tell_again(self) -> None:
        """Say which pair is selected, also if it was said before."""
        self._told = None
        self.tell_at_once()

    def _on_lost(self) -> None:
        if self._told is not None and self._pairs.find(self._told) is not None:
            self._told = None
            self._settled.stop()
            self.pair_hidden.emit()

    def _tell(self) -> None:
        if self._key is not None and self._key != self._told:
            self._told = self._key
            self.pair_selected.emit(self._key)

    def make_menu(self) -> QMenu:
        """What can be done with the selected pair and its files."""
        menu = super().make_menu()
        if self._key:
            self._offer_report(menu, "Report of this pair…", self._key)
        for name in self._key.names if self._key else ():
            self._offer_file(menu, name)
        return menu

    # Widths

    def _measure_columns(self) -> None:
        self._widths.measure(picture_room(self.verticalHeader().defaultSectionSize()))

    def _fit_names(self) -> None:
        self._widths.fit()

    def _on_section_resized(self, section: int, _before: int, after: int) -> None:
        self._widths.follow(section, after)
