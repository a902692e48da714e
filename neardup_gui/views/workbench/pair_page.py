"""The page of the pair at hand: its signatures band by band, and its chance at other settings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from PySide6 import QtGui
from PySide6.QtCore import QPoint, QRectF, QSize, QStringListModel, Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QCompleter,
    QLabel,
    QMenu,
    QScrollArea,
    QSizePolicy,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from core.base.messages import N_, gettext
from core.reports.curve.state import ThresholdState
from neardup_gui.environment.theme import colors, mix
from neardup_gui.models.compare.comparison import SignatureGrid
from neardup_gui.models.table_model import RowColumns, RowsModel
from neardup_gui.models.threshold import ThresholdModel
from neardup_gui.models.words.numbers import full_name, tool_tip
from neardup_gui.models.workbench import chances
from neardup_gui.models.workbench.settings_table import Presets
from neardup_gui.views.widgets.containers import FollowsSize, Throttle, VerticalScrollArea
from neardup_gui.views.widgets.controls import Caption, ProblemLabel, TextField
from neardup_gui.views.widgets.labels import PLAIN, READABLE, LinkLabel, letter_width
from neardup_gui.views.widgets.layouts import column_in, column_of, row_of, split
from neardup_gui.views.widgets.rows_table import MutedDelegate, RowsTable

LARGEST, SMALLEST = 1.0, 0.42  # sides of a cell, in heights of a letter
APART = 2.2  # between columns of bands, in sides of a cell
LINE = 1.4  # from band to band, in sides of a cell
EDGE = 3  # around all of it: the frames of bands
STEPS = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1, Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}
TO_AGREEING = {Qt.Key.Key_PageUp: -1, Qt.Key.Key_PageDown: 1}


class Shape:
    """Where cells are: bands one below the other, in columns; long ones go on in the next line.

    Attributes:
        side: Of a cell, in pixels.
        across: Cells of a band in a line.
        lines: Lines of a band.
        down: Bands in a column.
        columns: Columns of bands.
    """

    def __init__(self, grid: SignatureGrid, side: int, room: QSize) -> None:
        """Lay out cells of a size, in as many columns as there is width for."""
        bands, rows = len(grid.bands), len(grid.bands[0])
        wide, high = max(room.width() - 2 * EDGE, side), max(room.height() - 2 * EDGE, side)
        self.side = float(side)
        self.across = max(1, min(rows, wide // side))
        self.lines = -(-rows // self.across)
        most = max(1, int((wide + APART * side) // ((self.across + APART) * side)))
        fitting = max(1, int(high // ((self.lines + LINE - 1) * side)))
        self.down = -(-bands // min(most, -(-bands // fitting), bands))
        self.columns = -(-bands // self.down)

    @property
    def line(self) -> float:
        """From line to line."""
        return self.side * LINE

    @property
    def band(self) -> float:
        """From band to band."""
        return self.lines * self.side + self.side * (LINE - 1)

    @property
    def width(self) -> float:
        """Of all columns."""
        return self.columns * (self.across * self.side + APART * self.side) - APART * self.side

    @property
    def height(self) -> float:
        """Of a column."""
        return self.down * self.band

    def corner(self, band: int) -> tuple[float, float]:
        """Where a band begins."""
        column, row = divmod(band, self.down)
        return EDGE + column * (self.across + APART) * self.side, EDGE + row * self.band


class BandGrid(QWidget):
    """Equal values, or bits that differ, are filled; bands that agree as a whole are framed.

    Arrow keys, Home and End go from band to band, Page Up and Page Down between those that agree.

    Attributes:
        current: The band of the keyboard, from 0.

    Signals:
        pointed: What is said of the band under the mouse or the keyboard.
    """

    pointed = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self._grid: SignatureGrid | None = None
        self.current = 0
        self._room = QSize(400, 200)
        self._shape: Shape | None = None
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        self.setAccessibleName(gettext("Signatures, band by band"))

    def show_grid(self, grid: SignatureGrid | None) -> None:
        """Show the signatures of another pair, or in other bands."""
        if grid == self._grid:
            return
        self._grid = grid
        self.current = min(self.current, len(grid.bands) - 1) if grid else 0
        self._fit()
        self._describe()

    def fit_into(self, room: QSize) -> None:
        """Use this much room, as far as cells can be seen then."""
        if room != self._room:
            self._room = room
            self._fit()

    def band_at(self, point: QPoint) -> int | None:
        """The band at a point."""
        shape, grid = self._shape, self._grid
        if shape is None or grid is None:
            return None
        column, x = divmod(point.x() - EDGE, (shape.across + APART) * shape.side)
        row = int((point.y() - EDGE) // shape.band)
        inside = 0 <= x < shape.across * shape.side and 0 <= row < shape.down
        band = int(column) * shape.down + row
        return band if inside and 0 <= band < len(grid.bands) else None

    def sizeHint(self) -> QSize:
        """As large as its cells."""
        if self._shape is None:
            return QSize(0, 0)
        return QSize(round(self._shape.width) + 2 * EDGE, round(self._shape.height) + 2 * EDGE)

    def minimumSizeHint(self) -> QSize:
        """High enough for all of it; what is around it scrolls."""
        return QSize(0, self.sizeHint().height())

    def _fit(self) -> None:
        """Find the largest cells with which everything has room; else the smallest."""
        grid, letter = self._grid, self.fontMetrics().height()
        self._shape = None
        if grid is not None:
            largest, smallest = round(LARGEST * letter), max(4, round(SMALLEST * letter))
            for side in range(largest, smallest - 1, -1):
                self._shape = Shape(grid, side, self._room)
                if self._shape.height + 2 * EDGE <= self._room.height():
                    break
        self.updateGeometry()
        self.update()

    def _describe(self) -> None:
        words = chances.grid_words(self._grid)
        if self._grid is None:
            self.setAccessibleDescription(words)
            self.pointed.emit("")
            return
        words_of_band = chances.band_words(self._grid, self.current)
        self.setAccessibleDescription(f"{words_of_band} {words}")
        self.pointed.emit(words_of_band if self.hasFocus() else words)

    def _go_to(self, band: int) -> None:
        if self._grid is not None:
            self.current = min(max(band, 0), len(self._grid.bands) - 1)
            self._describe()
            self.update()

    # Events

    def keyPressEvent(self, event: QtGui.QKeyEvent) -> None:
        """Move from band to band."""
        key, grid = Qt.Key(event.key()), self._grid
        if grid is None:
            super().keyPressEvent(event)
        elif key in STEPS:
            down = self._shape.down if self._shape else 1
            sideways = key in (Qt.Key.Key_Left, Qt.Key.Key_Right)
            self._go_to(self.current + STEPS[key] * (down if sideways else 1))
        elif key in TO_AGREEING:
            further = [
                band for band in grid.colliding if (band - self.current) * TO_AGREEING[key] > 0
            ]
            current = self.current
            self._go_to(min(further, key=lambda band: abs(band - current), default=current))
        elif key in (Qt.Key.Key_Home, Qt.Key.Key_End):
            self._go_to(0 if key == Qt.Key.Key_Home else len(grid.bands))
        else:
            super().keyPressEvent(event)

    def mouseMoveEvent(self, event: QtGui.QMouseEvent) -> None:
        """Say what is under the mouse."""
        band = self.band_at(event.position().toPoint())
        if self._grid is not None and band is not None:
            self.pointed.emit(chances.band_words(self._grid, band))
        super().mouseMoveEvent(event)

    def mousePressEvent(self, event: QtGui.QMouseEvent) -> None:
        """Take a band for the keyboard."""
        band = self.band_at(event.position().toPoint())
        if band is not None:
            self._go_to(band)
        super().mousePressEvent(event)

    def leaveEvent(self, event: object) -> None:
        """Say again what the keyboard is at, or all of it."""
        self._describe()
        super().leaveEvent(event)  # type: ignore[arg-type]

    def focusInEvent(self, event: QtGui.QFocusEvent) -> None:
        """Say which band it is."""
        super().focusInEvent(event)
        self._describe()

    def focusOutEvent(self, event: QtGui.QFocusEvent) -> None:
        """Say what all bands come to."""
        super().focusOutEvent(event)
        self._describe()

    def paintEvent(self, _event: QtGui.QPaintEvent) -> None:
        """Draw the cells, the frames, then the current band."""
        grid, shape = self._grid, self._shape
        if grid is None or shape is None:
            return
        painter, now = QtGui.QPainter(self), colors()
        quiet = mix(now.accent, now.base, 0.45)
        for number, band in enumerate(grid.bands):
            met = number in grid.colliding
            full = now.accent if met or grid.has_bits else quiet
            for index, same in enumerate(band):
                filled = same != grid.has_bits  # of bits, those that differ are of interest
                painter.fillRect(self._cell(shape, number, index), full if filled else now.track)
            if met:
                self._frame(painter, shape, number, len(band), QtGui.QPen(now.text, 1.2))
        if self.hasFocus():
            size = len(grid.bands[self.current])
            self._frame(painter, shape, self.current, size, QtGui.QPen(now.accent, 2))

    @staticmethod
    def _cell(shape: Shape, band: int, index: int) -> QRectF:
        x, y = shape.corner(band)
        line, column = divmod(index, shape.across)
        gap = 1 if shape.side < 10 else 2
        side = shape.side
        return QRectF(x + column * side, y + line * side, side - gap, side - gap)

    def _frame(
        self, painter: QtGui.QPainter, shape: Shape, band: int, values: int, pen: QtGui.QPen
    ) -> None:
        first = self._cell(shape, band, 0)
        last = self._cell(shape, band, min(values, shape.across) - 1)
        bottom = self._cell(shape, band, values - 1)
        painter.setPen(pen)
        frame = first.united(last).united(bottom)
        painter.drawRect(frame.adjusted(-1.5, -1.5, 1.5, 1.5))


NAME_FIELD_LETTERS = 26  # that have room at least


class NameField(TextField):
    """Takes a name as it is shown in the lists.

    Attributes:
        names_like: Gives names that contain a text.

    Signals:
        chosen: A name was picked, or entered with Enter.
    """

    chosen = Signal()

    def __init__(self, side: str) -> None:
        super().__init__()
        self.names_like: Callable[[str], Sequence[str]] = lambda _text: ()
        self._names = QStringListModel(self)
        completer = QCompleter(self._names, self)
        completer.setCompletionMode(QCompleter.CompletionMode.UnfilteredPopupCompletion)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self.setCompleter(completer)
        self.setPlaceholderText(gettext("Document {side}", side=side))
        self.setAccessibleName(self.placeholderText())
        self.setMinimumWidth(NAME_FIELD_LETTERS * letter_width(self.fontMetrics()) // 2)
        self.setAcceptDrops(False)
        self.textEdited.connect(self._offer)
        completer.activated.connect(self.chosen)
        self.returnPressed.connect(self.chosen)

    def show_name(self, name: str) -> None:
        """Show the name of another document, from its beginning."""
        self.setText(name)
        self.setCursorPosition(0)
        self.setToolTip(tool_tip(full_name(name)) if name else "")

    def _offer(self, text: str) -> None:
        self._names.setStringList(list(self.names_like(text)) if text else [])


class StatesTable(RowsTable):
    """A row for each setting; Enter or a double click uses it.

    Signals:
        setting_focused: The `ThresholdState` of the current row.
        setting_chosen: The one that the user wants to use.
    """

    setting_focused = Signal(object)
    setting_chosen = Signal(object)

    def __init__(self, model: RowsModel[Any, Any], what: RowColumns, name: str) -> None:
        """`what` is the column that says what is special about a setting."""
        super().__init__(model, what, name, single=True)
        self._states = model
        self.setItemDelegateForColumn(what, MutedDelegate(self, elide=Qt.TextElideMode.ElideRight))
        self.current_row_settled.connect(partial(self._pass_current, self.setting_focused.emit))
        self.opened.connect(partial(self._pass_current, self.setting_chosen.emit))

    @property
    def current(self) -> ThresholdState | None:
        """The setting of the current row."""
        row = self.current_row
        return self._states.row_at(row).state if 0 <= row < self._states.total else None

    def make_menu(self) -> QMenu:
        """The menu of the current row."""
        menu = super().make_menu()
        if self.current is not None:
            use = gettext("Use {setting}", setting=self.current.name)
            menu.addAction(use, partial(self._pass_current, self.setting_chosen.emit))
        return menu

    def _pass_current(self, receiver: Callable[[ThresholdState], object]) -> None:
        if self.current is not None:
            receiver(self.current)


class ChancesTable(StatesTable):
    """The chance of a pair at each setting."""

    name_letters = 12


INTERVAL = 60  # milliseconds: bands follow a hand that drags, and do not hold it up
RESTED = 150  # milliseconds after which the table of settings is made again
SIDE, GAP, AIR = 15, 8, 6
SHARES = (290, 250, 500)  # of the width, of words, grid and table
LETTERS = 17  # of the height that is wished for, in heights of a letter
COMPARING = N_("Comparing the signatures…")


class PairPage(QWidget):
    """Shows one pair at the settings of a model, and what others would make of it.

    Attributes:
        presets: Gives the starting points for such texts.

    Signals:
        documents_chosen: The names of two documents that the user wants to see.
        stepped: 1 for the next pair of the table, -1 for the one before.
        visibility_changed: Whether somebody looks at the page.
    """

    help_page = "why"
    documents_chosen = Signal(str, str)
    stepped = Signal(int)
    visibility_changed = Signal(bool)

    def __init__(self, threshold: ThresholdModel) -> None:
        super().__init__()
        self._threshold = threshold
        self.presets: Callable[[], Presets] = dict
        self._pair: chances.SignedPair | None = None
        self.fields = NameField("A"), NameField("B")
        self.chances = chances.ChancesModel(self)
        name = gettext("This pair at other settings")
        self.table = ChancesTable(self.chances, chances.ChanceColumn.WHAT, name)
        self.grid = BandGrid()
        self._area = GridArea(self.grid)
        self._words = QLabel(wordWrap=True, textFormat=PLAIN, textInteractionFlags=READABLE)
        self._problem, self._band = ProblemLabel(), Caption()
        self._due = Throttle(INTERVAL, self)
        self._later = QTimer(self, singleShot=True, interval=RESTED)
        self._lay_out()
        self._connect()
        self.show_pair(None)

    # What is shown

    def show_names(self, names: tuple[str, str]) -> None:
        """Another pair is at hand, and is being compared."""
        for field, name in zip(self.fields, names, strict=True):
            field.show_name(name)
        self._show(None, gettext(COMPARING))

    def show_pair(self, pair: chances.SignedPair | None) -> None:
        """Show a pair, or say that there is none."""
        if pair is not None and (self._pair is None or pair.key != self._pair.key):
            for field, name in zip(self.fields, pair.key.names, strict=True):
                field.show_name(name)
        self._show(pair, gettext(chances.NO_PAIR))

    def refuse(self, sentence: str) -> None:
        """Say why two documents cannot be shown."""
        self._problem.show_sentence(sentence)

    def _show(self, pair: chances.SignedPair | None, otherwise: str) -> None:
        self._pair = pair
        self._problem.show_sentence("")
        self._right.setVisible(pair is not None and pair.signature.same is not None)
        self._middle.setVisible(pair is not None and pair.signature.same is not None)
        if pair is None:
            self._words.setText(otherwise)
            self.grid.show_grid(None)
            self.chances.show_rows([])
        else:
            self._refresh()
            self._fill_table()

    def _refresh(self) -> None:
        pair, model = self._pair, self._threshold
        if pair is None:
            return
        self._words.setText("\n\n".join(chances.pair_words(pair, model.state)))
        self.grid.show_grid(pair.grid(pair.at(model.state)))

    def _fill_table(self) -> None:
        if self._pair is not None:
            self.chances.show_rows(chances.chance_rows(self._pair, self._threshold, self.presets()))

    # What the user does

    def _on_chosen(self) -> None:
        a, b = (field.text() for field in self.fields)
        if a and b:
            self.documents_chosen.emit(a, b)

    def _take(self, state: ThresholdState) -> None:
        now = self._threshold.state
        if self._pair is not None and self._pair.knows(now):
            self._threshold.change(now.with_setting_of(state))

    def _on_due(self) -> None:
        if self.isVisible():
            self._refresh()
            self._later.start()

    def sizeHint(self) -> QSize:
        """Some lines: the curve above needs the height more."""
        return QSize(super().sizeHint().width(), LETTERS * self.fontMetrics().height())

    def showEvent(self, event: QtGui.QShowEvent) -> None:
        """Have the pair compared, and show it at the settings of now."""
        super().showEvent(event)
        self.visibility_changed.emit(True)
        self._refresh()
        self._fill_table()

    def hideEvent(self, event: QtGui.QHideEvent) -> None:
        """The previewed setting is no longer drawn."""
        super().hideEvent(event)
        self._threshold.look_at(None)
        self.visibility_changed.emit(False)

    # Build

    def _lay_out(self) -> None:
        self._words.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._words.setContentsMargins(SIDE, AIR, GAP, AIR)
        self._words.setAccessibleName(gettext("This pair"))
        self._middle, self._right = QWidget(), QWidget()
        column_in(self._middle, (self._area, 1), self._band, margins=(GAP, AIR), spacing=AIR)
        column_in(self._right, (self.table, 1), margins=(GAP, AIR, SIDE, AIR), spacing=AIR)
        widgets = (VerticalScrollArea(self._words), self._middle, self._right)
        parts = split(QSplitter(Qt.Orientation.Horizontal), widgets, SHARES)
        parts.setSizes(SHARES)
        column_in(self, self._head(), (parts, 1), margins=0, spacing=0)

    def _head(self) -> QVBoxLayout:
        row = row_of(*((field, 1) for field in self.fields), spacing=GAP)
        for words, step in ((gettext("Previous pair"), -1), (gettext("Next pair"), 1)):
            link = LinkLabel(words)
            link.clicked.connect(lambda _checked=False, step=step: self.stepped.emit(step))
            row.addWidget(link)
        return column_of(row, self._problem, margins=(SIDE, GAP, SIDE, 2))

    def _connect(self) -> None:
        model = self._threshold
        for signal in (model.changed, model.kept_changed, model.grid_changed):
            signal.connect(self._due.call)
        self._due.triggered.connect(self._on_due)
        self._later.timeout.connect(self._fill_table)
        for field in self.fields:
            field.chosen.connect(self._on_chosen)
        self.grid.pointed.connect(self._band.setText)
        self.table.setting_focused.connect(model.look_at)
        self.table.setting_chosen.connect(self._take)


class GridArea(FollowsSize, QScrollArea):
    """The grid, as large as there is room; it scrolls where that is too little."""

    def __init__(self, grid: BandGrid) -> None:
        super().__init__()
        self._grid = grid
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWidget(grid)

    def follow_looks(self) -> None:
        """Fit the grid into the room that there is, for letters of this size."""
        room = self.maximumViewportSize()
        room.setWidth(room.width() - self.verticalScrollBar().sizeHint().width())
        self._grid.fit_into(room)
