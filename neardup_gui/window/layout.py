"""The arrangement of the panes: on the start page, at work, after a reset, next time."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from PySide6.QtCore import QByteArray, QMargins, QObject, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QApplication, QMainWindow, QToolBar, QWidget

from neardup_gui.environment.preferences import Preferences
from neardup_gui.environment.theme import Scheme, Theme
from neardup_gui.views.compare.header import DotPlot
from neardup_gui.views.widgets.containers import Dock, FoldedDock, size_within_screen
from neardup_gui.views.widgets.labels import letter_width

SMALLEST = 6.0


class Appearance(QObject):
    """Applies and remembers the appearance of the application.

    Signals:
        text_resizing: The text is about to get another size.
        text_resized: It has it.
    """

    text_resizing = Signal()
    text_resized = Signal()

    def __init__(self, application: QApplication, preferences: Preferences) -> None:
        super().__init__(application)
        self._application = application
        self._preferences = preferences
        self._theme = Theme(application)
        self._normal = application.font().pointSizeF()

    @property
    def scheme(self) -> Scheme:
        """The chosen colours."""
        return self._theme.scheme

    def apply(self) -> None:
        """Apply the remembered appearance."""
        self._theme.apply(self._preferences.scheme)
        self._apply_text_size()

    def set_window(self, window: QWidget) -> None:
        """Apply the appearance to a new window."""
        self._theme.set_window(window)

    def leave(self) -> None:
        """Reset the text to the system's size, for the next window."""
        font = QFont(self._application.font())
        font.setPointSizeF(self._normal)
        self._application.setFont(font)
        self._theme.deleteLater()
        self.deleteLater()

    def set_scheme(self, scheme: Scheme) -> None:
        """Use other colours."""
        self._preferences.scheme = scheme
        self._theme.apply(scheme)

    def enlarge_text(self) -> None:
        """Make the text one point larger."""
        self._set_text_size(self._preferences.text_size + 1)

    def shrink_text(self) -> None:
        """Make the text one point smaller."""
        self._set_text_size(self._preferences.text_size - 1)

    def reset_text(self) -> None:
        """Give the text the system's size."""
        self._set_text_size(0)

    def _set_text_size(self, size: int) -> None:
        self.text_resizing.emit()
        self._preferences.text_size = size
        self._apply_text_size()
        self.text_resized.emit()

    def _apply_text_size(self) -> None:
        font = QFont(self._application.font())
        font.setPointSizeF(max(self._normal + self._preferences.text_size, SMALLEST))
        self._application.setFont(font)


LOW = 600  # the height of a window in which the texts get the air of the bars around them
AIR = 2  # above and below what is in them then


class BarsOfLowWindow:
    """Bars that give way to the texts where a window is low, as on a screen at 200 %."""

    def __init__(self, bars: Sequence[QWidget], dot_plot: DotPlot) -> None:
        self._bars, self._dot_plot = bars, dot_plot
        self._margins: list[QMargins] = []  # in a window that is not low

    def fit(self, height: int) -> None:
        """Follow the height of the window."""
        is_low = height < LOW
        if is_low == bool(self._margins):
            return
        self._dot_plot.set_low(is_low=is_low)
        layouts = [layout for bar in self._bars if (layout := bar.layout()) is not None]
        before = self._margins
        self._margins = [layout.contentsMargins() for layout in layouts] if is_low else []
        for layout, margins in zip(layouts, before or self._margins, strict=True):
            air = margins.top(), margins.bottom()
            top, bottom = (min(side, AIR) for side in air) if is_low else air
            layout.setContentsMargins(margins.left(), top, margins.right(), bottom)


SIZE = (1440, 900)
FRAME_SHARE = 0.95  # of the screen: room for the window's frame
SIDE_WIDTH = 355
FOLD_BELOW = 1280  # the width of a window whose panel gives its room to the list and the texts
COMPARE_SHARE = 0.56
CARDS_WIDTH, CARD_LETTERS = 280, 34  # of the list beside the texts; letters count for larger text
CARDS_SHARE = 0.28  # of the width of the window, at most
ANY_WIDTH = (1 << 24) - 1  # Qt's number for no limit
TEXT_SHARE = 0.45  # of the height of the window, at least
# Where panes stand, from where one begins to read.
LTR, RTL = Qt.LayoutDirection.LeftToRight, Qt.LayoutDirection.RightToLeft
VERSIONS = {LTR: (3, 4), RTL: (4, 3)}  # of an arrangement in this direction; of one in the other
STRIPS = {LTR: Qt.ToolBarArea.LeftToolBarArea, RTL: Qt.ToolBarArea.RightToolBarArea}
BEFORE = {LTR: Qt.DockWidgetArea.LeftDockWidgetArea, RTL: Qt.DockWidgetArea.RightDockWidgetArea}
AFTER = {LTR: BEFORE[RTL], RTL: BEFORE[LTR]}
SETTLE = 60  # milliseconds until everything has its new size of text
LATER = 100  # milliseconds after which an arrangement that rests is written down


class WindowLayout:
    """Arranges the docks of a window and remembers how the user rearranged them."""

    def __init__(
        self,
        window: QMainWindow,
        pages: QWidget,
        tool_bar: QToolBar,
        reading_bar: QToolBar,
        side: Dock,
        compare: Dock,
        preferences: Preferences,
        above_texts: Callable[[], int],
    ) -> None:
        """`above_texts` gives the height of the widgets above the texts."""
        self._window, self._pages = window, pages
        self._above_texts = above_texts
        self._tool_bar = tool_bar
        self._reading_bar = reading_bar
        self._overview: QByteArray | None = None  # the arrangement before the texts took the window
        self._side = side
        self._compare = compare
        self._preferences = preferences
        self._at_work = False
        self._side_width = SIDE_WIDTH
        self._share = COMPARE_SHARE
        self._moved = 0  # the height of the texts that the user dragged to
        self._gave_room = False  # the texts are hidden for now
        self._is_narrow = False
        self._folded = False  # the panel is hidden for now
        self._strip = FoldedDock(side, window)
        window.addToolBar(STRIPS[QApplication.layoutDirection()], self._strip)
        side.toggleViewAction().toggled.connect(self._on_side_toggled)
        compare.resized.connect(self._on_compare_resized)
        self._later = QTimer(window, singleShot=True, interval=LATER)
        self._later.timeout.connect(self.note)
        for dock in (side, compare):
            for changes in (dock.resized, dock.visibilityChanged, dock.dockLocationChanged):
                changes.connect(self.note_later)
        self._settled = QTimer(window, singleShot=True, interval=SETTLE)
        self._settled.timeout.connect(self._narrow_side)
        window.setCorner(Qt.Corner.BottomLeftCorner, Qt.DockWidgetArea.LeftDockWidgetArea)
        window.setCorner(Qt.Corner.BottomRightCorner, Qt.DockWidgetArea.RightDockWidgetArea)
        self._arrange()
        self._version, self._mirrored_version = VERSIONS[QApplication.layoutDirection()]
        self._start = QByteArray(window.saveState(self._version))
        self._show_panes(False)

    def restore_window(self) -> None:
        """Restore the window's position, within the present screen."""
        window = self._window
        is_known = window.restoreGeometry(QByteArray(self._preferences.geometry))
        room = window.screen().availableGeometry()
        if not is_known:
            window.resize(size_within_screen(window, QSize(*SIZE), FRAME_SHARE))
        elif not window.isMaximized() and not room.contains(window.geometry()):
            window.resize(size_within_screen(window, window.size(), FRAME_SHARE))
            left = min(max(window.x(), room.left()), room.right() + 1 - window.width())
            top = min(max(window.y(), room.top()), room.bottom() + 1 - window.height())
            window.move(left, top)

    def show_work(self) -> None:
        """Leave the start page, and restore the panes."""
        if self._at_work:
            return
        self._at_work = True
        size = self._window.size()
        remembered = QByteArray(self._preferences.layout)
        is_restored = self._window.restoreState(remembered, self._version)
        if not is_restored and self._window.restoreState(remembered, self._mirrored_version):
            is_restored = True
            self._mirror()
        if not is_restored:
            self.reset()
        self._fold_side_at_first()
        self._keep_size(size)
        height = self._compare.height()
        share = self._preferences.texts_share
        if is_restored and self._is_below and share:  # the last window may have been higher
            self._share, height = share, round(share * self._room)
        self._raise_texts(height)

    def _keep_size(self, size: QSize) -> None:
        """Restore the size of a narrow window, which grew while it held the panel."""
        layout = self._window.layout()
        if layout is not None:
            layout.activate()
            self._window.resize(size)

    def reset(self) -> None:
        """Reset the arrangement of the panes; the focus stays."""
        focused = self._window.focusWidget()
        if self._overview is not None:
            self._overview = self._start
            return
        self._window.restoreState(self._start, self._version)
        self._show_panes(True)
        self._fold_side_at_first()
        window, horizontal = self._window, Qt.Orientation.Horizontal
        window.resizeDocks([self._side], [SIDE_WIDTH], horizontal)
        self._moved, self._share = 0, COMPARE_SHARE
        self._raise_texts(round(window.height() * COMPARE_SHARE))
        if focused is not None:
            focused.setFocus()

    def set_reading(self, wanted: bool) -> None:
        """Give the texts the window, with the list in a slim column at their left; or undo that."""
        if not self._at_work or wanted == (self._overview is not None):
            return
        pages, compare = self._pages, self._compare
        if wanted:
            self._take_moved(self._room)
            self._overview = QByteArray(self._window.saveState(self._version))
            for pane in (self._tool_bar, self._side, self._strip):
                pane.hide()
            self._reading_bar.show()
            self._window.addDockWidget(AFTER[QApplication.layoutDirection()], compare)
            compare.set_closable(closable=False)
            compare.show()
            self._fit_cards()
            return
        before, self._overview = self._overview, None
        pages.setMinimumWidth(0)
        pages.setMaximumWidth(ANY_WIDTH)
        compare.set_closable(closable=True)
        if before is not None:
            self._window.restoreState(before, self._version)
        self._fold_side_at_first()
        # Only now a message is as wide as the table again, and as low.
        QTimer.singleShot(0, self._window, self._raise_to_share)

    def _raise_to_share(self) -> None:
        if self._overview is None:
            self._raise_texts(round(self._share * self._room))

    def _fit_cards(self) -> None:
        """Give the column the width that names need in the size of the text."""
        wanted = max(CARDS_WIDTH, CARD_LETTERS * letter_width(self._pages.fontMetrics()))
        self._pages.setFixedWidth(min(wanted, round(CARDS_SHARE * self._window.width())))

    @property
    def _room(self) -> int:
        """The height that the list and the texts share."""
        return self._compare.height() + self._pages.height()

    def _raise_texts(self, height: int) -> None:
        """Give the pane of the texts a height, and the texts at least their share of the window."""
        strip = self._compare.height() - self._compare.widget().height()
        least = strip + self._above_texts() + math.ceil(TEXT_SHARE * self._window.height())
        is_chosen = self._moved or self._share != COMPARE_SHARE  # by the user, now or last time
        wanted = height if is_chosen else max(height, least)
        self._window.resizeDocks([self._compare], [wanted], Qt.Orientation.Vertical)

    def give_room(self, wanted: bool) -> None:
        """Hide the texts while something needs the height of the window, then show them again."""
        shown = not self._compare.isHidden()
        if wanted and shown:
            self._gave_room = True
            self._compare.hide()
        elif not wanted and self._gave_room:
            self._gave_room = False
            self._compare.show()

    def _fold_side_at_first(self) -> None:
        self._is_narrow = False
        if self._window.width() >= FOLD_BELOW:
            self._unfold_side()
        self._fold_side()
        self._show_strip()

    def _fold_side(self) -> None:
        """Hide the panel where the window becomes narrow, show it again where it becomes wide."""
        is_narrow = self._window.width() < FOLD_BELOW
        if not self._at_work or self._overview is not None or is_narrow == self._is_narrow:
            return
        self._is_narrow = is_narrow
        if is_narrow and not self._side.isHidden() and not self._side.isFloating():
            self._side.hide()
            self._folded = True
        elif not is_narrow:
            self._unfold_side()

    def _unfold_side(self) -> None:
        if self._folded:
            self._side.show()

    def _on_side_toggled(self, shown: bool) -> None:
        """Keep the panel as the user showed or hid it."""
        if self._overview is not None:
            return
        self._folded = False
        self._strip.setVisible(self._at_work and not shown)

    def _show_strip(self) -> None:
        self._strip.setVisible(self._at_work and self._side.isHidden())

    def window_resized(self, gained: int) -> None:
        """Give the texts their share of the height that the window gained or lost."""
        self.note_later()
        if self._overview is not None:
            self._fit_cards()
            return
        self._fold_side()
        is_docked = self._compare.isVisible() and not self._compare.isFloating()
        if not (gained and self._is_below and is_docked):
            return
        room = self._room
        self._take_moved(room - gained)
        self._raise_texts(round(self._share * room))

    @property
    def _is_below(self) -> bool:
        """Whether the texts stand below the list."""
        area = self._window.dockWidgetArea(self._compare)
        return area is Qt.DockWidgetArea.BottomDockWidgetArea

    def _take_moved(self, room: int) -> None:
        """Take the share of a height that the user dragged the texts to."""
        if self._moved:
            self._share, self._moved = self._moved / max(room, 1), 0

    def _on_compare_resized(self) -> None:
        """Note the height: the user may be dragging the line between the table and the texts."""
        if QApplication.mouseButtons() & Qt.MouseButton.LeftButton:
            self._moved = self._compare.height()

    def text_resizing(self) -> None:
        """Remember the width of the panel, unless it is only the least that its text needs."""
        if self._side.width() > self._side.minimumSizeHint().width():
            self._side_width = self._side.width()

    def text_resized(self) -> None:
        """Widen the panel for larger text, and give the width back for smaller text."""
        self._settled.start()

    def _narrow_side(self) -> None:
        if self._overview is not None:
            self._fit_cards()
            return
        self._window.resizeDocks([self._side], [self._side_width], Qt.Orientation.Horizontal)

    def note_later(self, *_: object) -> None:
        """Note the arrangement once it rests."""
        self._later.start()

    def note(self) -> None:
        """Write the arrangement down, for a window that is killed: not while a line is dragged.

        Of the panes only while they all have their places: the overview is what is remembered.
        """
        if QApplication.mouseButtons() & Qt.MouseButton.LeftButton:
            self._later.start()
            return
        is_whole = self._overview is None and not self._gave_room and not self._folded
        of_panes = self._at_work and is_whole
        if of_panes:
            self._take_moved(self._room)
        self._write(self._geometry, of_panes=of_panes)

    def save(self) -> None:
        """Remember the arrangement of a window that is closed."""
        geometry = self._geometry
        if self._at_work:
            self.give_room(False)
            if self._overview is None:
                self._take_moved(self._room)
            self.set_reading(False)  # the overview is what is remembered
            self._unfold_side()
        self._write(geometry, of_panes=self._at_work)
        self._later.stop()

    @property
    def _geometry(self) -> bytes:
        return bytes(self._window.saveGeometry().data())

    def _write(self, geometry: bytes, *, of_panes: bool) -> None:
        now: dict[str, bytes | float] = {"geometry": geometry}
        if of_panes:
            layout = bytes(self._window.saveState(self._version).data())
            now |= {"texts_share": self._share, "layout": layout}
        for name, value in now.items():
            if value != getattr(self._preferences, name):
                setattr(self._preferences, name, value)

    def _mirror(self) -> None:
        """Exchange left and right: the language was one that is read from the other side."""
        sides = BEFORE[LTR], BEFORE[RTL]
        for dock in (self._side, self._compare):
            area = self._window.dockWidgetArea(dock)
            width = SIDE_WIDTH if dock.isHidden() else dock.width()
            if area in sides and not dock.isFloating():
                self._window.addDockWidget(sides[area is sides[0]], dock)
                self._window.resizeDocks([dock], [width], Qt.Orientation.Horizontal)
        self._window.addToolBar(STRIPS[QApplication.layoutDirection()], self._strip)

    def _arrange(self) -> None:
        self._window.addDockWidget(BEFORE[QApplication.layoutDirection()], self._side)
        self._window.addDockWidget(Qt.DockWidgetArea.BottomDockWidgetArea, self._compare)

    def _show_panes(self, shown: bool) -> None:
        for pane in (self._tool_bar, self._side, self._compare):
            pane.setVisible(shown)
        self._show_strip()
