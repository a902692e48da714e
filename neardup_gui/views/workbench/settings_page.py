"""The page of the settings: a table of those worth comparing beside a map of all."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING

from PySide6 import QtGui
from PySide6.QtCore import QEvent, QPointF, QSize, Qt, QTimer, Signal
from PySide6.QtWidgets import QLabel, QMenu, QSplitter, QWidget

from core.base.messages import gettext
from core.reports.curve.state import ThresholdState
from neardup_gui.environment.theme import smooth_painter
from neardup_gui.models.table_model import ASCENDING
from neardup_gui.models.threshold import ThresholdModel
from neardup_gui.models.workbench import settings_table
from neardup_gui.models.workbench.buckets import PassageLengths, passage_words
from neardup_gui.views.widgets import labels
from neardup_gui.views.widgets.containers import (
    FlatTabs,
    FollowsLooks,
    Throttle,
    TurningSplitter,
    scrolled,
)
from neardup_gui.views.widgets.controls import Caption
from neardup_gui.views.widgets.layouts import column_in, row_in, row_of, split
from neardup_gui.views.workbench.audit_page import AuditPage
from neardup_gui.views.workbench.buckets_page import BucketsPage
from neardup_gui.views.workbench.large_curve import LargeCurve
from neardup_gui.views.workbench.pair_page import PairPage, StatesTable

if TYPE_CHECKING:
    from neardup_gui.views.workbench.map_plot import MapPlot


LEAST_LETTERS = 12  # of notes; longer ones widen their column


class SettingsTable(StatesTable):
    """A row for each setting that is worth comparing.

    Signals:
        pinned: The `ThresholdState` whose curve is to be kept, or kept no longer.
        dropped: The `ThresholdState` whose curve is to be kept no longer.
    """

    pinned = Signal(object)
    dropped = Signal(object)

    def __init__(self, model: settings_table.SettingsModel) -> None:
        what = settings_table.SettingColumn.WHAT
        super().__init__(model, what, gettext("Settings"))
        self._settings = model
        self.horizontalHeader().setSortIndicator(what, ASCENDING)
        self.setSortingEnabled(True)
        self.show_columns()

    def show_columns(self) -> None:
        """Only those that say something of such signatures; notes are not cut."""
        without = self._settings.columns_without_use
        for column in settings_table.SettingColumn:
            self.setColumnHidden(column, column in without)
        metrics = self.fontMetrics()
        notes = (row.kinds_in_words for row in self._settings.shown())
        widest = max(map(metrics.horizontalAdvance, notes), default=0)
        self.name_letters = max(LEAST_LETTERS, -(-widest // labels.letter_width(metrics)))
        self._fit_names()

    def follow_looks(self) -> None:
        """Follow the size of the text: the notes are as wide as their letters now."""
        super().follow_looks()
        self.show_columns()

    def select(self, state: ThresholdState) -> None:
        """Make the row of a setting the current one, where it has a row."""
        row = self._settings.row_of(state.key)
        if row is None:
            self.forget_selection()
        elif row != self.current_row:
            self.select_row(row)

    def copy(self) -> None:
        """Put the table into the clipboard, for a spreadsheet."""
        QtGui.QGuiApplication.clipboard().setText(
            settings_table.as_text(self._settings.shown(), "\t")
        )

    def keyPressEvent(self, event: QtGui.QKeyEvent) -> None:
        """Space pins, Delete unpins, Ctrl+C copies the table."""
        if event.matches(QtGui.QKeySequence.StandardKey.Copy):
            self.copy()
        elif event.key() == Qt.Key.Key_Delete:
            self._pass_current(self.dropped.emit)
        elif event.key() == Qt.Key.Key_Space:
            self._pass_current(self.pinned.emit)
        else:
            super().keyPressEvent(event)

    def make_menu(self) -> QMenu:
        """The menu of the current row."""
        menu = super().make_menu()
        if self.current is not None:
            name = self.current.name
            kept = self._settings.threshold.keeps(self.current)
            menu.addAction(
                gettext("Unpin {setting}", setting=name)
                if kept
                else gettext("Pin the curve of {setting}", setting=name),
                partial(self._pass_current, self.pinned.emit),
            )
            menu.addSeparator()
        menu.addAction(gettext("Copy the table"), self.copy)
        return menu


FRAME = 2  # pixels around the plot, of the frame that shows the focus
KEY_STEPS = {Qt.Key.Key_Left: -1, Qt.Key.Key_Down: 1, Qt.Key.Key_Right: 1, Qt.Key.Key_Up: -1}
FAR = 1 << 20  # more than there are settings
TAKING = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class MapView(FollowsLooks, QWidget):
    """Draws the settings it is given; mouse and keys choose among them.

    Signals:
        hovered: The `ThresholdState` under the mouse, or None.
        setting_focused: The `ThresholdState` that the keys have reached.
        setting_chosen: The `ThresholdState` that the user wants to use.
        pinned: The `ThresholdState` whose curve is to be pinned or unpinned.
    """

    hovered = Signal(object)
    setting_focused = Signal(object)
    setting_chosen = Signal(object)
    pinned = Signal(object)

    def __init__(self) -> None:
        super().__init__(focusPolicy=Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setAccessibleName(gettext("Map of all settings"))
        self._map: settings_table.SettingsMap | None = None
        self._present: ThresholdState | None = None
        self._kept: tuple[ThresholdState, ...] = ()
        self._beside: ThresholdState | None = None
        self._hovered: int | None = None
        self._plot: MapPlot | None = None
        self._column = column_in(self, margins=FRAME)

    def sizeHint(self) -> QSize:
        """Somewhat wider than high."""
        return QSize(380, 220)

    def minimumSizeHint(self) -> QSize:
        """A size with room for a few numbers on both axes."""
        letters = self.fontMetrics().height()
        return QSize(13 * letters, 7 * letters)

    def show_map(
        self,
        settings_map: settings_table.SettingsMap,
        present: ThresholdState,
        kept: Iterable[ThresholdState],
        beside: ThresholdState | None,
    ) -> None:
        """Show all settings, and mark some."""
        if self._map is not settings_map:
            self._hovered = None
        self._map, self._present = settings_map, present
        self._kept, self._beside = tuple(kept), beside
        self._plot = self._plot or self._new_plot()
        self._plot.show_map(settings_map)
        self._draw_marks()

    # Paint

    def paintEvent(self, _event: QtGui.QPaintEvent) -> None:
        """Draw a frame around the map while it has the focus."""
        labels.paint_focus(smooth_painter(self), self)

    def follow_looks(self) -> None:
        """Draw the map in other colours or letters."""
        if self._plot:
            self._plot.apply_looks()

    def _new_plot(self) -> MapPlot:
        # Importing takes half a second; the task that counts the grid has done it on its thread.
        from neardup_gui.views.workbench.map_plot import MapPlot  # noqa: PLC0415

        plot = MapPlot(self)
        plot.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._column.addWidget(plot)
        return plot

    def _draw_marks(self) -> None:
        if self._map is None or self._plot is None:
            return
        states = [(state, settings_table.Mark(0, "d")) for state in self._kept]
        if self._beside is not None:
            states.append((self._beside, settings_table.Mark(0)))
        if self._present is not None:
            states.append((self._present, settings_table.Mark(0, filled=True)))
        marks = [(self._map.index_of(state), mark) for state, mark in states]
        marks.append((self._hovered, settings_table.Mark(0)))
        self._plot.show_marks([mark._replace(position=n) for n, mark in marks if n is not None])

    # Mouse and keys

    def mouseMoveEvent(self, event: QtGui.QMouseEvent) -> None:
        """Emit the setting under the mouse."""
        self._hover(self._under(event.position()))

    def leaveEvent(self, event: QEvent) -> None:
        """Emit that no setting is under the mouse."""
        super().leaveEvent(event)
        self._hover(None)

    def mousePressEvent(self, event: QtGui.QMouseEvent) -> None:
        """Take the setting under the mouse."""
        index = self._under(event.position())
        if event.button() == Qt.MouseButton.LeftButton and index is not None and self._map:
            self.setting_chosen.emit(self._map.setting(index))

    def keyPressEvent(self, event: QtGui.QKeyEvent) -> None:
        """Arrows, Home and End go along the efficient settings; Enter takes, Space pins."""
        settings_map, focused = self._map, self._beside or self._present
        key = Qt.Key(event.key())
        if settings_map is None or focused is None:
            super().keyPressEvent(event)
            return
        steps = {**KEY_STEPS, Qt.Key.Key_Home: -FAR, Qt.Key.Key_End: FAR}
        if key in steps:
            reached = settings_map.next_efficient(focused, steps[key])
            self.setting_focused.emit(settings_map.setting(reached))
            return
        index = settings_map.index_of(focused)
        if index is not None and key in TAKING:
            self.setting_chosen.emit(settings_map.setting(index))
        elif index is not None and key == Qt.Key.Key_Space:
            self.pinned.emit(settings_map.setting(index))
        else:
            super().keyPressEvent(event)

    def _under(self, position: QPointF) -> int | None:
        plot = self._plot
        return None if plot is None else plot.setting_at(position - QPointF(plot.pos()))

    def _hover(self, index: int | None) -> None:
        if index == self._hovered or self._map is None:
            return
        self._hovered = index
        self.setCursor(
            Qt.CursorShape.ArrowCursor if index is None else Qt.CursorShape.PointingHandCursor
        )
        self.hovered.emit(None if index is None else self._map.setting(index))
        self._draw_marks()


INTERVAL = 120  # milliseconds between two times that other curves are shown
RESTED = 150  # milliseconds after which numbers follow: who drags is not held up
SIDE = 15
WIDTH = 1000  # more than there is: only the shares count
SHARES = (2, 1)  # of the width, of the table and of the map


class SettingsPage(QWidget):
    """Shows what other settings would do; one can be looked at, pinned and used.

    Signals:
        scan_wanted: The `ThresholdState` that the user wants to use, and that needs a new scan.
        export_wanted: The table, as the bytes of a file.
    """

    scan_wanted = Signal(object)
    export_wanted = Signal(object)

    def __init__(self, threshold: ThresholdModel) -> None:
        super().__init__()
        self._threshold = threshold
        self.model = settings_table.SettingsModel(threshold, self)
        self.table = self.entry = SettingsTable(self.model)  # where the keyboard enters
        self.map = MapView()
        self._words = _WholeText(
            wordWrap=True, textFormat=labels.PLAIN, textInteractionFlags=labels.BY_MOUSE
        )
        self._read = _WholeCaption()
        self._legend = _WholeCaption(gettext(settings_table.LEGEND))
        self._copy = labels.LinkLabel(gettext("Copy table"))
        self._export = labels.LinkLabel(gettext("Export table…"))
        self._use, self._pin = (
            labels.LinkLabel(gettext("Use it")),
            labels.LinkLabel(gettext("Pin its curve")),
        )
        self._chosen: ThresholdState | None = None  # looked at last, in the table or on the map
        self._due = Throttle(INTERVAL, self)
        self._later = QTimer(self, singleShot=True, interval=RESTED)
        self._lay_out()
        self._connect()

    def showEvent(self, event: QtGui.QShowEvent) -> None:
        """Show what is known by now."""
        super().showEvent(event)
        self._refresh()
        self._look(self._chosen)

    def hideEvent(self, event: QtGui.QHideEvent) -> None:
        """The previewed setting is no longer drawn."""
        super().hideEvent(event)
        self._threshold.look_at(None)

    def _lay_out(self) -> None:
        links = row_of(self._use, self._pin, 1, self._copy, self._export, spacing=16)
        left, right = QWidget(), QWidget()
        column_in(left, self._words, (self.table, 1), links, margins=(SIDE, 8, 8, 6), spacing=6)
        below = (self._read, self._legend)
        column_in(right, (self.map, 1), *below, margins=(8, 8, SIDE, 6), spacing=6)
        self._right = right
        both = split(TurningSplitter(), (left, right), SHARES)
        both.setSizes([share * WIDTH for share in SHARES])
        row_in(self, both, margins=0)

    def _connect(self) -> None:
        threshold, table = self._threshold, self.table
        for signal in (threshold.changed, threshold.folder_changed):
            signal.connect(self._later.start)
        for signal in (threshold.grid_changed, threshold.kept_changed):
            signal.connect(self._due.call)
        self._later.timeout.connect(self._on_due)
        self._due.triggered.connect(self._on_due)
        table.setting_focused.connect(self._look)
        self.map.setting_focused.connect(self._look)
        self.map.hovered.connect(self._read_out)
        for view in (table, self.map):
            view.setting_chosen.connect(self._take)
            view.pinned.connect(self._turn_pin)
        table.dropped.connect(self._threshold.drop)
        self._use.clicked.connect(lambda: self._take(self._chosen))
        self._pin.clicked.connect(lambda: self._turn_pin(self._chosen))
        self._copy.clicked.connect(table.copy)
        self._export.clicked.connect(self._on_export_clicked)

    # What is shown

    def _on_due(self) -> None:
        if self.isVisible():
            self._later.stop()
            self._refresh()

    def _refresh(self) -> None:
        threshold = self._threshold
        self.model.refresh()
        self.table.show_columns()
        self._words.setText(self.model.words)
        why, settings_map = settings_table.why_no_map(threshold, self.model.map), self.model.map
        self._right.setVisible(not why and settings_map is not None)
        self._mark_map()
        self.map.setAccessibleDescription(settings_table.map_words(threshold, settings_map))
        self._show_links()

    def _mark_map(self) -> None:
        threshold, settings_map = self._threshold, self.model.map
        if settings_map is not None:
            self.map.show_map(settings_map, threshold.state, threshold.kept, threshold.beside)
        self._read_out(None)

    def _show_links(self) -> None:
        state = self._chosen
        is_pinned = state is not None and self._threshold.keeps(state)
        self._pin.setText(gettext("Unpin its curve") if is_pinned else gettext("Pin its curve"))
        self._pin.setEnabled(state is not None)
        self._use.setEnabled(state is not None)

    def _read_out(self, state: ThresholdState | None) -> None:
        """Show the forecast of a setting of the map: that under the mouse, else the one shown."""
        settings_map, threshold = self.model.map, self._threshold
        if settings_map is not None:
            index = settings_map.index_of(state or threshold.beside or threshold.state)
            if index is not None:
                self._read.setText(settings_table.position_words(settings_map, index))

    # What the user does

    def _look(self, state: ThresholdState | None) -> None:
        if state is not None and self.isVisible():
            self._chosen = state
            self.table.select(state)
            self._threshold.look_at(self._threshold.state.with_setting_of(state))
            self._mark_map()  # at once: an arrow key that is held goes on from there
            self._show_links()

    def _take(self, state: ThresholdState | None) -> None:
        if state is None:
            return
        now = self._threshold.state
        if state.distance is None and state.bands * state.rows > now.signature_size:
            self.scan_wanted.emit(state)
        else:
            self._threshold.change(now.with_setting_of(state))

    def _turn_pin(self, state: ThresholdState | None) -> None:
        if state is None:
            return
        if self._threshold.keeps(state):
            self._threshold.drop(state)
        else:
            self._threshold.keep(self._threshold.state.with_setting_of(state))

    def _on_export_clicked(self) -> None:
        self.export_wanted.emit(settings_table.as_text(self.model.shown()).encode("utf-8-sig"))


class _WholeText(QLabel):
    """Words that are never cut: a splitter asks for the least height only."""

    def minimumSizeHint(self) -> QSize:
        """As high as the lines are at this width."""
        hint = super().minimumSizeHint()
        return QSize(hint.width(), max(hint.height(), self.heightForWidth(self.width())))

    def resizeEvent(self, event: QtGui.QResizeEvent) -> None:
        """More or fewer lines need another height."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()


class _WholeCaption(Caption, _WholeText):
    """The same of smaller words."""


MARGIN_SIDE, AIR = 12, 8


class PassagesWords(QWidget):
    """Sentences, which a screen reader reads as well."""

    def __init__(self) -> None:
        super().__init__()
        self._words = labels.ScaledLabel(1.0)
        self._words.setTextInteractionFlags(labels.READABLE)
        self._words.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        column_in(self, self._words, 1, margins=(MARGIN_SIDE, AIR))
        self.show_lengths(None)

    def show_lengths(self, lengths: PassageLengths | None) -> None:
        """Show what passages list; None if there is no list."""
        sentences = passage_words(lengths)
        self._words.setText("\n".join(sentences))
        self._words.setAccessibleName(" ".join(sentences))


HEIGHT = 1000  # more than there is: only the shares count
HEIGHTS = (3, 2)  # of the height, of the curve and of what is below it


class WorkbenchPage(QWidget):
    """Shows the same threshold as the panel.

    Attributes:
        large: The curve.
        below: Tabs of what helps to choose.
        settings: What other settings would do.
        pair: The pair at hand.
        buckets: How full the buckets are.
        passages: What the least length of a passage guarantees.
        audit: Whether the list is complete.
    """

    help_page = "large-curve"

    def __init__(self, model: ThresholdModel) -> None:
        super().__init__()
        self.large = LargeCurve(model)
        self.entry = self.large.entry
        self.below = FlatTabs(gettext("Choosing settings"))
        self.settings, self.pair, self.buckets = SettingsPage(model), PairPage(model), BucketsPage()
        self.passages, self.audit = PassagesWords(), AuditPage()
        for page, title in (
            (self.settings, gettext("Settings")),
            (self.pair, gettext("This pair")),
            (self.buckets, gettext("Buckets")),
            (self.passages, gettext("Passages")),
            (self.audit, gettext("Audit")),
        ):
            self.below.addTab(page, title)
        both = split(QSplitter(Qt.Orientation.Vertical), (self.large, self.below), HEIGHTS)
        both.setSizes([share * HEIGHT for share in HEIGHTS])
        column_in(self, scrolled(both), margins=0)
