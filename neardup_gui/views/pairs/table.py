"""The ranked table of pairs, and its rows as a slim column of cards."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import (
    QItemSelection,
    QLineF,
    QObject,
    QRect,
    QRectF,
    QSignalBlocker,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QAction, QFontMetrics, QKeyEvent, QMouseEvent, QPainter, QPen, QPixmap
from PySide6.QtWidgets import QMenu, QStyleOptionViewItem, QWidget

from core.base.messages import gettext, ngettext
from core.base.wording import count, share
from core.reports.pair_words import NOT_LISTED
from neardup_gui.environment.theme import colors, sharp_pixmap, smooth_painter
from neardup_gui.models.pairs.columns import (
    EASY_LETTERS,
    MOST_LETTERS,
    NAME_LETTERS,
    WEAK_TRACE,
    Column,
    Role,
    Thumbnail,
    longest_mark,
    more_copies,
)
from neardup_gui.models.pairs.table import PairsModel
from neardup_gui.models.scan_result import DocumentNames, ListedPair
from neardup_gui.models.table_model import ASCENDING, DESCENDING, DISPLAY, LEFT, RIGHT, Index
from neardup_gui.models.words import verdicts
from neardup_gui.models.words.documents import without_day
from neardup_gui.views.widgets import rows_table
from neardup_gui.views.widgets.labels import elided_name, letter_width

NAMES = (Column.DOCUMENT_A, Column.DOCUMENT_B)
CARD_LINES = 3
CARD_AIR, CARD_GAP = 7, 8
BAR_SHARE = 0.24  # of the width, at most
LEAST_BAR = 24  # pixels of which a length can be told


def card_height(metrics: QFontMetrics) -> int:
    """The height of a card."""
    return CARD_LINES * (metrics.height() + 2) + 2 * CARD_AIR


class CardDelegate(rows_table.RowDelegate):
    """Draws the whole row in the cell of the rank."""

    def _paint_content(
        self, painter: QPainter, option: QStyleOptionViewItem, index: Index, area: QRect
    ) -> None:
        painter.setFont(option.font)
        metrics, now = painter.fontMetrics(), colors()
        height = metrics.height() + 2
        top = area.top() + CARD_AIR
        lines = [
            QRect(area.left(), top + n * height, area.width(), height) for n in range(CARD_LINES)
        ]

        def of(column: Column, role: int = DISPLAY) -> object:
            return index.sibling(index.row(), column).data(role)

        names = [str(of(column) or "") for column in NAMES]
        verdict = str(of(Column.VERDICT) or "")[:1]
        widths = area.width() - metrics.horizontalAdvance(f" {verdict}".rstrip()), area.width()
        mark_a, mark_b = (
            rows_table.mark_beside(
                metrics, without_day(str(of(column, Role.MARK) or "")), name, width
            )
            for column, name, width in zip(NAMES, names, widths, strict=True)
        )
        marks = f"{mark_a} {verdict}".strip(), mark_b
        painter.setPen(now.muted)
        for line, mark in zip(lines, marks, strict=False):
            painter.drawText(line, RIGHT | rows_table.ONE_LINE, mark)
        rooms = [area.width() - metrics.horizontalAdvance(mark) - CARD_GAP for mark in marks]
        painter.setPen(now.text)
        alike = str(of(Column.DOCUMENT_A, Role.ALIKE) or "")
        for line, room, name, other_name in zip(lines, rooms, names, names[::-1], strict=False):
            shown = rows_table.in_its_direction(
                painter, elided_name(metrics, name, room, other_name, alike)
            )
            painter.drawText(line, LEFT | rows_table.ONE_LINE, shown)
        reason = of(Column.RESEMBLANCE, Role.MARK)
        says_more = reason in (gettext(WEAK_TRACE), gettext(NOT_LISTED))
        kind = reason if says_more else of(Column.OVERLAP, Role.KIND)
        words = gettext("{share} shared", share=of(Column.OVERLAP)), kind
        text = " · ".join(str(word) for word in words if word)
        self._paint_share(painter, lines[2], of(Column.OVERLAP, Role.VALUE), text)

    def _bar_room(self, metrics: QFontMetrics, width: int) -> int:
        """The width of the bar of every card, the same in all; 0 if there is no room."""
        longest_share = gettext("{share} shared", share=share(1.0))
        kinds = gettext("word for word"), gettext("reworked")
        longest = max(metrics.horizontalAdvance(f"{longest_share} · {kind}") for kind in kinds)
        room = min(round(BAR_SHARE * width), width - longest - CARD_GAP)
        return room if room >= LEAST_BAR else 0

    def _paint_share(self, painter: QPainter, line: QRect, value: object, words: str) -> None:
        """Draw the bar and the words; only the words if they need the whole line."""
        metrics = painter.fontMetrics()
        rest = line
        before = self._bar_room(metrics, line.width()) + CARD_GAP
        if before > CARD_GAP and metrics.horizontalAdvance(words) <= line.width() - before:
            rest = rows_table.visual(painter, line, line.adjusted(before, 0, 0, 0))
            if isinstance(value, float):
                bar = line.adjusted(0, 0, before - CARD_GAP - line.width(), 0)
                rows_table.paint_bar(painter, rows_table.visual(painter, line, bar), value)
        painter.setPen(colors().muted)
        shown = metrics.elidedText(words, Qt.TextElideMode.ElideRight, rest.width())
        painter.drawText(rest, LEFT | rows_table.ONE_LINE, shown)


SLACK = 2  # widths of letters are rounded
BAR_WIDTH = 84  # the bar and the gap before its number
IN_B, IN_A = Column["OVERLAP_A"], Column["OVERLAP_B"]
# The numbers of the pair that is read stand above its texts too.
GIVING_WAY = [column for column in reversed(Column) if column.words.gives_way]


class ColumnWidths(QObject):
    """Gives numbers the width of their text, and names the rest.

    Where the names would have less than they need, columns are left out, so that the verdict stays
    in sight; never the one that the table is ordered by. A column that the user widened takes of
    the names' room what they can spare, so that it leaves out none.
    """

    def __init__(self, table: PairsTable) -> None:
        super().__init__(table)
        self._table = table
        self._share = 0.5  # of the room for names that A has
        self._usual: dict[Column, int] = {}  # the widths of the texts
        self._chosen: dict[Column, int] = {}  # those by hand, in the order in which they were
        table.horizontalHeader().sortIndicatorChanged.connect(self.fit)

    def measure(self) -> None:
        """Follow the size of the text; `fit` comes next."""
        metrics, before = self._table.fontMetrics(), dict(self._usual)
        for column in Column:
            if column in (*NAMES, Column.RANK):
                continue
            sample = metrics.horizontalAdvance(column.sample)
            if column is Column.OVERLAP:
                sample += BAR_WIDTH
            width = max(metrics.horizontalAdvance(f"{column.title} ▾"), sample)
            self._usual[column] = width + SLACK + 2 * rows_table.PADDING
        if self._usual != before:
            self._chosen.clear()

    def fit(self) -> None:
        """Hide columns that do not fit; share the remaining width between both names."""
        header = self._table.horizontalHeader()
        if header.isHidden():  # cards have no columns
            return
        with QSignalBlocker(header):
            header.resizeSection(Column.RANK, self._rank_width())
            for column, usual in self._usual.items():
                header.setSectionHidden(column, False)  # a hidden one keeps its old width
                header.resizeSection(column, min(usual, self._chosen.get(column, usual)))
            verdict = max(header.sectionSize(Column.VERDICT), self._earlier_width())
            header.resizeSection(Column.VERDICT, verdict)
            self._leave_out()
            self._widen()
            room, least = self._room_for_names(), self._name_width(NAME_LETTERS)
            first = min(max(round(room * self._share), least), room - least)
            header.resizeSection(Column.DOCUMENT_A, first)
            header.resizeSection(Column.DOCUMENT_B, room - first)
        self._table.updateGeometries()
        self._table.viewport().update()

    def _rank_width(self) -> int:
        """The width of the highest rank, its mark and the picture beside them."""
        table = self._table
        sample = max(Column.RANK.sample, f"● {count(table.pair_count)}", key=len)
        picture = picture_room(table.verticalHeader().defaultSectionSize())
        number = table.fontMetrics().horizontalAdvance(sample)
        return number + picture + SLACK + 2 * rows_table.PADDING

    def _earlier_width(self) -> int:
        """The width of a verdict that waits to be confirmed, as far as there is room; else 0.

        It stays for as long as the list does: the columns do not jump when the last one is
        confirmed, and it has its room when that is undone.
        """
        if not self._table.had_earlier:
            return 0
        header, metrics = self._table.horizontalHeader(), self._table.fontMetrics()
        others = sum(map(header.sectionSize, (Column.RANK, Column.OVERLAP)))
        room = self._table.viewport().width() - others - 2 * self._name_width(NAME_LETTERS)
        text = metrics.horizontalAdvance(verdicts.widest(is_earlier=True))
        return min(text + SLACK + 2 * rows_table.PADDING, room)

    def _leave_out(self) -> None:
        """Hide columns that do not fit beside why a pair is listed, then that, before a number.

        It stands beside the resemblance if no name is cut for it. Names that are cut in any case
        have to be easy to read.
        """
        header, metrics = self._table.horizontalHeader(), self._table.fontMetrics()
        words = f"{Column.RESEMBLANCE.title} ▾", Column.RESEMBLANCE.sample
        title, number = map(metrics.horizontalAdvance, words)
        mark = metrics.horizontalAdvance(longest_mark()) + rows_table.BAR_GAP
        narrow, wide = max(title, number), max(title, number + mark)
        for column in GIVING_WAY:
            header.setSectionHidden(column, False)
        header.resizeSection(Column.RESEMBLANCE, wide + SLACK + 2 * rows_table.PADDING)
        for column in GIVING_WAY:
            self._hide_if_cramped(column)
        letters = self._table.names.letters
        least = letters if EASY_LETTERS < letters <= MOST_LETTERS else EASY_LETTERS
        is_cramped = self._room_left() < 2 * self._name_width(least)
        if is_cramped or header.isSectionHidden(Column.RESEMBLANCE):
            header.setSectionHidden(Column.RESEMBLANCE, False)
            header.resizeSection(Column.RESEMBLANCE, narrow + SLACK + 2 * rows_table.PADDING)
            self._hide_if_cramped(Column.RESEMBLANCE)

    def _hide_if_cramped(self, column: Column) -> None:
        header = self._table.horizontalHeader()
        least = min(column.words.gives_way, max(self._table.names.letters, NAME_LETTERS))
        # One direction means little without the other.
        alone = column is IN_B and header.isSectionHidden(IN_A)
        if alone or self._room_left() < 2 * self._name_width(least):
            header.setSectionHidden(column, column != header.sortIndicatorSection())

    def _widen(self) -> None:
        """Give columns the widths that the user chose, as far as the names can spare them."""
        header = self._table.horizontalHeader()
        spare = self._room_left() - 2 * self._name_width(NAME_LETTERS)
        for column, chosen in self._chosen.items():
            width = header.sectionSize(column)
            more = min(chosen - width, spare)
            if more > 0 and not header.isSectionHidden(column):
                header.resizeSection(column, width + more)
                spare -= more

    def follow(self, section: int, after: int) -> None:
        """Follow another width of a column."""
        column = [*Column][section]
        before = self._chosen.get(column)
        if column in NAMES:
            share = after / self._room_for_names()
            self._share = share if column is Column.DOCUMENT_A else 1 - share
        elif column is not Column.VERDICT or after >= self._earlier_width():
            self._chosen[column] = after
        self.fit()
        header = self._table.horizontalHeader()
        if before is not None and header.isSectionHidden(column):  # it has no room for more
            self._chosen[column] = before
            self.fit()
        if column in self._chosen:  # what could not be had is not kept
            self._chosen[column] = header.sectionSize(column)

    def follow_verdicts(self) -> None:
        """Make room for the first verdict of the list that is on an earlier text."""
        header = self._table.horizontalHeader()
        if header.sectionSize(Column.VERDICT) < self._earlier_width():
            self.fit()

    def _room_left(self) -> int:
        header = self._table.horizontalHeader()
        widths = (header.sectionSize(n) for n in range(len(Column)) if n not in NAMES)
        return self._table.viewport().width() - sum(widths)

    def _room_for_names(self) -> int:
        return max(self._room_left(), 2 * self._name_width(NAME_LETTERS))

    def _name_width(self, letters: int) -> int:
        """The width of a name of so many letters, in the size of the text."""
        return letter_width(self._table.fontMetrics(), letters) + 2 * rows_table.PADDING


GAP = 10
AIR = 6  # above and below the picture
INSET = 2.5
SHORTEST = 1.6  # of a line, in pixels
MOST = 600  # pixmaps that are kept


def picture_room(row_height: int) -> int:
    """The width of the picture of a row, with the gap before it."""
    return row_height - AIR + GAP


class RankDelegate(rows_table.MutedDelegate):
    """The number, and the picture after it; an empty square until it is drawn."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._pictures: dict[tuple[object, ...], QPixmap] = {}

    def _paint_content(
        self, painter: QPainter, option: QStyleOptionViewItem, index: Index, area: QRect
    ) -> None:
        edge = area.height() - AIR
        number = rows_table.visual(painter, area, area.adjusted(0, 0, -edge - GAP, 0))
        super()._paint_content(painter, option, index, number)
        thumbnail = index.data(Role.VALUE)
        ratio = painter.device().devicePixelRatio()
        picture = self._picture(thumbnail, edge, ratio)
        rect = QRect(area.right() - edge + 1, area.top() + AIR // 2, edge, edge)
        painter.drawPixmap(rows_table.visual(painter, area, rect).topLeft(), picture)

    def _picture(self, thumbnail: Thumbnail | None, edge: int, ratio: float) -> QPixmap:
        key = (None if thumbnail is None else thumbnail.lines.tobytes(), edge, ratio, colors().dark)
        if key not in self._pictures:
            if len(self._pictures) >= MOST:
                self._pictures.clear()
            self._pictures[key] = _drawn(thumbnail, edge, ratio)
        return self._pictures[key]


def _drawn(thumbnail: Thumbnail | None, edge: int, ratio: float) -> QPixmap:
    picture = sharp_pixmap(QSize(edge, edge), ratio)
    painter = smooth_painter(picture)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colors().raised)
    painter.drawRoundedRect(QRectF(0, 0, edge, edge), 3, 3)
    if thumbnail is not None:
        painter.setPen(QPen(colors().accent, 1.6))
        scale = edge - 2 * INSET
        painter.drawLines(
            [_line(*(INSET + scale * share for share in line)) for line in thumbnail.lines.tolist()]
        )
    painter.end()
    return picture


def _line(x: float, y: float, to_x: float, to_y: float) -> QLineF:
    """A line, lengthened to be visible if it is short."""
    line = QLineF(x, y, to_x, to_y)
    return line if line.length() >= SHORTEST else QLineF(x, y, x + SHORTEST, y + SHORTEST)


class PairsTable(rows_table.RowsTable):
    """One row per pair.

    Signals:
        pair_selected: The `ListedPair` of another pair, once the selection rests.
        pair_hidden: A filter hides the pair that was selected; it is selected again without.
        left_below: Down was pressed in the last row.
        left: Esc was pressed in the cards.
        document_wanted: The name of a document of which all pairs are wanted.
    """

    pair_selected = Signal(object)
    pair_hidden = Signal()
    left_below = Signal()
    left = Signal()
    document_wanted = Signal(str)

    def __init__(self, model: PairsModel) -> None:
        super().__init__(model, Column.DOCUMENT_A, gettext("Pairs of documents"))
        self._pairs = model
        self._emitted_pair: ListedPair | None = None
        self._offered: Sequence[QAction] = ()
        self._kept: npt.NDArray[np.int64] = np.zeros(0, dtype=np.int64)  # to select again
        model.refiltering.connect(self._keep_selection)
        model.judged.connect(self._widths.follow_verdicts)
        self.current_row_settled.connect(self._emit_pair)
        self.setSortingEnabled(True)
        self.sortByColumn(Column.RANK, ASCENDING)

    def _set_up(self) -> None:
        super()._set_up()
        self._cards = False
        self._widths = ColumnWidths(self)
        names, muted = rows_table.NameDelegate(self), rows_table.MutedDelegate(self)
        for column, delegate in (
            (Column.RANK, RankDelegate(self)),
            (Column.DOCUMENT_A, names),
            (Column.DOCUMENT_B, names),
            (Column.OVERLAP, rows_table.BarDelegate(self)),
            (Column.RESEMBLANCE, rows_table.BarDelegate(self)),
            (Column.FOUND_BY, muted),
        ):
            self.setItemDelegateForColumn(column, delegate)

    @property
    def names(self) -> DocumentNames:
        """The names of all documents."""
        model = self._table_model
        return model.names if isinstance(model, PairsModel) else DocumentNames(())

    @property
    def pair_count(self) -> int:
        """How many pairs have a rank."""
        model = self._table_model
        return model.pair_count if isinstance(model, PairsModel) else 0

    @property
    def had_earlier(self) -> bool:
        """Whether a verdict is on an earlier text, or was since the list was made."""
        model = self._table_model
        return isinstance(model, PairsModel) and model.verdicts.had_earlier

    @property
    def selected_key(self) -> ListedPair | None:
        """The selected pair, also while a filter hides it."""
        key: ListedPair | None = self._key
        return key

    def sort_by(self, column: Column) -> None:
        """Order by a column, as a click on its title does; again reverses the order."""
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
        self._emitted_pair = None
        super().forget_selection()

    def emit_at_once(self) -> None:
        """Emit the selected pair, without waiting until the selection rests."""
        self._settled.stop()
        self._emit_pair()

    def emit_again(self) -> None:
        """Emit the selected pair, even if it was emitted before."""
        self._emitted_pair = None
        self.emit_at_once()

    def _on_lost(self) -> None:
        if self._emitted_pair is not None and self._pairs.find(self._emitted_pair) is not None:
            self._emitted_pair = None
            self._settled.stop()
            self.pair_hidden.emit()

    def _emit_pair(self) -> None:
        if self._key is not None and self._key != self._emitted_pair:
            self._emitted_pair = self._key
            self.pair_selected.emit(self._key)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Right and Left unfold and fold the copies of a row; Down leaves the table at its end."""
        row, folds = self.current_row, {Qt.Key.Key_Right: True, Qt.Key.Key_Left: False}
        if row >= 0 and event.key() in folds and not event.modifiers():
            self._pairs.unfold_copies(row, unfolded=folds[Qt.Key(event.key())])
        elif self._cards and event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        elif event.key() == Qt.Key.Key_Down and row == self._pairs.rowCount() - 1:
            self.left_below.emit()
        else:
            super().keyPressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Unfold copies on a click on "+ 3 copies"."""
        super().mouseReleaseEvent(event)
        index = self.indexAt(event.position().toPoint())
        column = Column.RANK if self._cards else Column.DOCUMENT_B
        if index.column() == column and (more := self._pairs.copies_folded(index.row())):
            width = self.fontMetrics().horizontalAdvance(more_copies(more))
            if event.position().x() > self.visualRect(index).right() - rows_table.PADDING - width:
                self._pairs.unfold_copies(index.row(), unfolded=True)

    def _offer_copies(self, menu: QMenu) -> None:
        row = self.current_row
        if more := self._pairs.copies_folded(row):
            shows = menu.addAction(ngettext("Show {n} more copy", "Show {n} more copies", more))
            shows.triggered.connect(partial(self._pairs.unfold_copies, row, unfolded=True))
        elif self._pairs.has_copies(row):
            folds = menu.addAction(gettext("Fold copies"))
            folds.triggered.connect(partial(self._pairs.unfold_copies, row, unfolded=False))

    def offer(self, actions: Sequence[QAction]) -> None:
        """Add actions on the selected pair to its menu."""
        self._offered = actions

    def make_menu(self) -> QMenu:
        """The menu of the selected pair and its files."""
        menu = super().make_menu()
        if self._key:
            menu.addActions(self._offered)
            menu.addSeparator()
            for side, name in zip("AB", self._key.names, strict=True):
                every = menu.addAction(gettext("All pairs of document {side}", side=side))
                every.triggered.connect(partial(self.document_wanted.emit, name))
            for side, name in zip("AB", self._key.names, strict=True):
                document = menu.addMenu(gettext("Document {side}", side=side))
                if role := self._pairs.names.role_of(name):
                    self._offer_roles(document, name, role)
                self._offer_file(document, name)
            menu.addSeparator()
        if self._key and self.current_row >= 0:
            self._offer_copies(menu)
        if self._key:
            self._offer_report(menu, gettext("Report of this pair…"), self._key)
        return menu

    def minimumSizeHint(self) -> QSize:
        """The titles and a row and a half, which says that there are more; the texts have more."""
        hint, row = super().minimumSizeHint(), self.verticalHeader().defaultSectionSize()
        if self._cards:
            return hint
        least = self.horizontalHeader().sizeHint().height() + 3 * row // 2
        return QSize(hint.width(), min(hint.height(), least))

    # Widths

    def show_cards(self, *, shown: bool) -> None:
        """Draw each row as a card, or in columns; the selection stays."""
        if shown == self._cards:
            return
        self._cards = shown
        self.setItemDelegateForColumn(
            Column.RANK, CardDelegate(self) if shown else RankDelegate(self)
        )
        self.horizontalHeader().setHidden(shown)
        with QSignalBlocker(self.horizontalHeader()):  # nobody chooses these widths
            for column in Column:
                self.setColumnHidden(column, shown and column != Column.RANK)
        self._measure()
        self.scrollTo(self.currentIndex())

    def _measure(self) -> None:
        super()._measure()
        if self._cards:
            self.verticalHeader().setDefaultSectionSize(card_height(self.fontMetrics()))

    def _measure_columns(self) -> None:
        if not self._cards:
            self._widths.measure()

    def _keep_selection(self) -> None:
        self._kept = self._pairs.pairs_in(self.selected_rows)

    def _on_reset(self) -> None:
        super()._on_reset()
        if len(self._kept) > 1 and self.current_row >= 0:
            selection, rows = QItemSelection(), self._pairs.rows_of(self._kept)
            for run in np.split(rows, np.flatnonzero(np.diff(rows) > 1) + 1):
                first, last = (self._pairs.index(int(run[end]), 0) for end in (0, -1))
                selection.select(first, last)
            self.selectionModel().select(selection, rows_table.SELECT)
        self._kept = self._kept[:0]
        self._fit_names()  # other names need other room

    def _fit_names(self) -> None:
        if self._cards:
            self.setColumnWidth(Column.RANK, self.viewport().width())
        else:
            self._widths.fit()

    def _on_section_resized(self, section: int, _before: int, after: int) -> None:
        if not self._cards:
            self._widths.follow(section, after)
