"""Containers of widgets: flowing rows, docked or folded panes, tabs; and throttled calls."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial

from PySide6 import QtGui
from PySide6.QtCore import (
    QEvent,
    QMargins,
    QObject,
    QPoint,
    QPointF,
    QRect,
    QRectF,
    QSize,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtWidgets import (
    QAbstractButton,
    QDockWidget,
    QLabel,
    QLayout,
    QLayoutItem,
    QListWidget,
    QScrollArea,
    QSplitter,
    QStyle,
    QTabBar,
    QTabWidget,
    QToolBar,
    QToolTip,
    QWidget,
)

from core.base.messages import gettext
from neardup_gui.environment.theme import colors, smooth_painter
from neardup_gui.views.widgets.labels import LinkLabel, bold, letter_width, mirrored
from neardup_gui.views.widgets.layouts import row_in

ROOM_SHARE = 0.9  # of the screen: Qt puts a window over another as if it had no title


def size_within_screen(window: QWidget, wanted: QSize, share: float = ROOM_SHARE) -> QSize:
    """The size of a window, limited to its screen with room for a frame."""
    room = window.screen().availableGeometry().size() * share
    return wanted.boundedTo(room)


def bring_forward(window: QWidget) -> None:
    """Show a window in front of all others, and activate it."""
    window.show()
    window.raise_()
    window.activateWindow()


LOOKS = {QEvent.Type.PaletteChange, QEvent.Type.FontChange, QEvent.Type.StyleChange}


class FollowsLooks:
    """A widget that is arranged or painted again when the colours or the text size change."""

    def changeEvent(self, event: QEvent) -> None:
        """Do so after such a change."""
        super().changeEvent(event)  # type: ignore[misc]
        if event.type() in LOOKS:
            self.follow_looks()

    def follow_looks(self) -> None:
        """Arrange or paint it again."""
        raise NotImplementedError


class FollowsSize(FollowsLooks):
    """A widget that is arranged again when its size changes, too."""

    def resizeEvent(self, event: QtGui.QResizeEvent) -> None:
        """Do so after such a change."""
        super().resizeEvent(event)  # type: ignore[misc]
        self.follow_looks()


class LineAbove(QWidget):
    """A part of a pane below a thin line."""

    def paintEvent(self, _event: QtGui.QPaintEvent) -> None:
        """Draw the line."""
        QtGui.QPainter(self).fillRect(QRect(0, 0, self.width(), 1), colors().border)


class HasHints(QWidget):
    """A widget that explains in a tool tip what is under the mouse."""

    def event(self, event: QEvent) -> bool:
        """Show the tool tip, or hide it where there is nothing to explain."""
        if isinstance(event, QtGui.QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            QToolTip.showText(event.globalPos(), self.hint_at(event.pos().toPointF()), self)
            return True
        return super().event(event)

    def hint_at(self, position: QPointF) -> str:
        """The words about this position; empty if there are none."""
        raise NotImplementedError


class FlowLayout(QLayout):
    """Places its items in the direction of reading, line by line, all lines equally high."""

    def __init__(
        self,
        across: int,
        down: int,
        parent: QWidget | None = None,
        widgets: Iterable[QWidget] = (),
        *,
        ending: bool = False,
    ) -> None:
        """`across` and `down` are the gaps between items and between lines.

        With `ending`, the last item stands at the far end where it shares a line with others.
        """
        super().__init__(parent)
        self._ending = ending
        self._across, self._down = across, down
        self._items: list[QLayoutItem] = []
        self.setContentsMargins(0, 0, 0, 0)
        for widget in widgets:
            self.addWidget(widget)

    def addItem(self, item: QLayoutItem) -> None:
        """Add one item at the end."""
        self._items.append(item)

    def count(self) -> int:
        """How many items there are."""
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        """An item, or None past the end, as Qt asks for."""
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        """Remove an item."""
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        """It takes no more room than it needs."""
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        """The height depends on how many lines are needed."""
        return True

    def heightForWidth(self, width: int) -> int:
        """Height of all lines."""
        margins = self.contentsMargins()
        across, down = margins.left() + margins.right(), margins.top() + margins.bottom()
        return self._arrange(QRect(0, 0, width - across, 0), moving=False) + down

    def setGeometry(self, rect: QRect) -> None:
        """Move the items to their places."""
        super().setGeometry(rect)
        self._arrange(rect.marginsRemoved(self.contentsMargins()), moving=True)

    def sizeHint(self) -> QSize:
        """All in one line."""
        sizes = [item.sizeHint() for item in self._items if not item.isEmpty()]
        width = sum(size.width() for size in sizes) + self._across * max(len(sizes) - 1, 0)
        height = max((size.height() for size in sizes), default=0)
        return QSize(width, height).grownBy(self.contentsMargins())

    def minimumSize(self) -> QSize:
        """As wide as the widest item."""
        sizes = [item.sizeHint() for item in self._items]
        width = max((size.width() for size in sizes), default=0)
        height = max((size.height() for size in sizes), default=0)
        return QSize(width, height).grownBy(self.contentsMargins())

    def _arrange(self, rect: QRect, *, moving: bool) -> int:
        x, y = rect.x(), rect.y()
        shown = [item for item in self._items if not item.isEmpty()]
        height = max((item.sizeHint().height() for item in shown), default=0)
        parent = self.parentWidget()
        direction = Qt.LayoutDirection.LeftToRight if parent is None else parent.layoutDirection()
        for item in shown:
            size = item.sizeHint()
            if x > rect.x() and x + size.width() > rect.right() + 1:
                x, y = rect.x(), y + height + self._down
            if self._ending and x > rect.x() and item is self._items[-1]:
                x = rect.right() + 1 - size.width()
            if moving:
                geometry = QRect(QPoint(x, y + (height - size.height()) // 2), size)
                item.setGeometry(QStyle.visualRect(direction, rect, geometry))
            x += size.width() + self._across
        return y + height - rect.y()


MOST_LINKS = 4


class LinkRow(QWidget):
    """The links of a message, and the widgets after them.

    Signals:
        clicked: The target of a link.

    Attributes:
        links: As many as there can be; those without words are hidden.
    """

    clicked = Signal(object)

    def __init__(self, *after: QWidget) -> None:
        super().__init__()
        self.links = [LinkLabel() for _ in range(MOST_LINKS)]
        self._targets: list[object] = []
        for index, link in enumerate(self.links):
            link.clicked.connect(partial(self._on_clicked, index))
        FlowLayout(14, 4, self, (*self.links, *after))

    def show_links(self, links: Sequence[tuple[str, object]]) -> None:
        """Show these, each with its words and its target."""
        self._targets = [target for _, target in links]
        for index, link in enumerate(self.links):
            link.setText(links[index][0] if index < len(links) else "")
            link.setVisible(bool(link.text()))

    def _on_clicked(self, index: int) -> None:
        self.clicked.emit(self._targets[index])


class PopupList(QListWidget):
    """A list that opens below a button.

    Esc closes it, and a click beside it; it is gone when it is closed.
    """

    def __init__(self, name: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._parent = parent
        self.setWindowFlags(Qt.WindowType.Popup)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setAccessibleName(name)
        self.setUniformItemSizes(True)

    def open_at(self, corner: QPoint, size: QSize) -> None:
        """Open with its upper left corner at a point, moved onto the screen."""
        screen = self._parent.screen().availableGeometry()
        left = max(screen.left(), min(corner.x(), screen.right() - size.width()))
        height = min(size.height(), screen.bottom() - corner.y())
        self.setGeometry(left, corner.y(), size.width(), height)
        self.show()
        self.setFocus()

    def event(self, event: QEvent) -> bool:
        """Keep Esc from the window below; a click beside the list closes it."""
        kind = event.type()
        if isinstance(event, QtGui.QKeyEvent) and kind == QEvent.Type.ShortcutOverride:
            event.setAccepted(event.key() == Qt.Key.Key_Escape)
            return True
        if isinstance(event, QtGui.QMouseEvent) and kind == QEvent.Type.MouseButtonPress:
            self.close()  # what is in the list goes to its viewport
            return True
        return super().event(event)

    def keyPressEvent(self, event: QtGui.QKeyEvent) -> None:
        """Close the list on Esc, which Qt's lists ignore."""
        if event.key() == Qt.Key.Key_Escape:
            self.close()
        else:
            super().keyPressEvent(event)


def mirrored_margins(widget: QWidget, left: int, top: int, right: int, bottom: int) -> QMargins:
    """Margins, mirrored where text runs from right to left, which Qt does not do."""
    if widget.isRightToLeft():
        left, right = right, left
    return QMargins(left, top, right, bottom)


def scrolled(content: QWidget) -> QScrollArea:
    """Content that scrolls in a small window, which it would else keep large."""
    room = QScrollArea()
    room.setWidgetResizable(True)
    room.setFrameShape(QScrollArea.Shape.NoFrame)
    room.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    room.setWidget(content)
    return room


BESIDE_A_TABLE = 140  # letters: the width in which a table has its columns beside something else


class TurningSplitter(QSplitter):
    """A table and what is beside it, or below it where both would be narrow."""

    def resizeEvent(self, event: QtGui.QResizeEvent) -> None:
        """Turn with the width."""
        super().resizeEvent(event)
        is_wide = event.size().width() >= letter_width(self.fontMetrics(), BESIDE_A_TABLE)
        self.setOrientation(Qt.Orientation.Horizontal if is_wide else Qt.Orientation.Vertical)


class VerticalScrollArea(QScrollArea):
    """Never narrower than its content, so that it scrolls up and down only.

    The room of its bar is always kept: a bar that comes and goes would break lines again, which
    changes the height, which lets the bar go and come.
    """

    def __init__(self, content: QWidget, *, centred: bool = False) -> None:
        """With `centred`, both sides have the room that the bar needs."""
        super().__init__()
        self._content = content
        self._left = self.verticalScrollBar().sizeHint().width() if centred else 0
        self.setViewportMargins(mirrored_margins(self, self._left, 0, 0, 0))
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.verticalScrollBar().rangeChanged.connect(self._on_range_changed)
        self._on_range_changed(0, 0)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setWidget(content)
        content.installEventFilter(self)

    def minimumSizeHint(self) -> QSize:
        """As wide as the content needs."""
        bar = self.verticalScrollBar().sizeHint().width()
        return QSize(self._content.minimumSizeHint().width() + bar + self._left, 80)

    def sizeHint(self) -> QSize:
        """All of the content."""
        wanted = self._content.sizeHint()
        bar = self.verticalScrollBar().sizeHint().width()
        return QSize(wanted.width() + bar + self._left, wanted.height())

    def _on_range_changed(self, _low: int, high: int) -> None:
        """Draw no bar that cannot move."""
        self.verticalScrollBar().setEnabled(high > 0)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the size of the content."""
        if event.type() == QEvent.Type.LayoutRequest:
            self.updateGeometry()
        return super().eventFilter(watched, event)


DOCK_SIDE = 20
ARM = 4
EDGE = 6  # between the button and the corner
STRIP = 8  # high enough to be dragged by
CLOSE_ROOM = DOCK_SIDE + 2 * EDGE  # what a content leaves free in its upper right corner


def _on_ground(button: QAbstractButton) -> tuple[QtGui.QPainter, QtGui.QColor]:
    """A painter, and the ink: on a ground and stronger under the mouse or with the focus."""
    now = colors()
    painter = smooth_painter(button)
    if not (button.underMouse() or button.hasFocus()):
        return painter, now.muted
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(now.raised)
    painter.drawRoundedRect(button.rect(), 4, 4)
    return painter, now.text


class CloseButton(QAbstractButton):
    """A small cross."""

    def __init__(self, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setToolTip(gettext("Close {pane} (the View menu shows it again)", pane=title))
        self.setAccessibleName(gettext("Close {pane}", pane=title))
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    def sizeHint(self) -> QSize:
        """A small square, a little higher than the letters."""
        side = min(max(DOCK_SIDE, self.fontMetrics().height()), CLOSE_ROOM - EDGE)
        return QSize(side, side)

    def paintEvent(self, _event: QtGui.QPaintEvent) -> None:
        """Draw the cross, stronger under the mouse or with the focus."""
        painter, ink = _on_ground(self)
        painter.setPen(QtGui.QPen(ink, 1.3))
        arm = ARM * self.width() / DOCK_SIDE
        cross = QRectF(-arm, -arm, 2 * arm, 2 * arm)
        cross.moveCenter(QRectF(self.rect()).center())
        painter.drawLine(cross.topLeft(), cross.bottomRight())
        painter.drawLine(cross.bottomLeft(), cross.topRight())


class PaneTitle(QLabel):
    """The title of a part of a pane."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.setFont(bold(self.font()))


class DockTitle(QWidget):
    """The handle to drag a pane; a double click floats it. Without a text, a narrow strip."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.setCursor(Qt.CursorShape.SizeAllCursor if not text else Qt.CursorShape.ArrowCursor)
        if not text:
            self.setFixedHeight(STRIP)
            return
        row_in(self, PaneTitle(text), 1, margins=mirrored_margins(self, 15, 6, CLOSE_ROOM, 2))
        self.setMinimumHeight(DOCK_SIDE + 2 * EDGE)

    def sizeHint(self) -> QSize:
        """As high as it gets: a dock gives its title what it wishes for, not what it needs."""
        return super().sizeHint().expandedTo(self.minimumSize())


class Dock(QDockWidget):
    """Movable, closable, remembered by its name.

    The title stands in the View menu, the heading above the content: none where the content says
    by itself what it is. The button that closes it lies in the upper right corner (mirrored, in the
    left one), over a content that leaves it room.

    Signals:
        resized: It has another size.
    """

    help_page = "settings"
    resized = Signal()

    def __init__(
        self, name: str, title: str, content: QWidget, parent: QWidget, *, heading: str = ""
    ) -> None:
        super().__init__(title, parent)
        self.setObjectName(name)
        self.setTitleBarWidget(DockTitle(heading))
        self.setWidget(content)
        self._close = CloseButton(title, self)
        self._close.resize(self._close.sizeHint())
        self._close.clicked.connect(self.close)

    def set_closable(self, *, closable: bool) -> None:
        """Whether there is a button that closes it."""
        self._close.setVisible(closable)

    def resizeEvent(self, event: QtGui.QResizeEvent) -> None:
        """Keep the button in its corner."""
        super().resizeEvent(event)
        self._close.resize(self._close.sizeHint())
        size = self._close.size()
        corner = QRect(QPoint(self.width() - size.width() - EDGE, EDGE), size)
        self._close.setGeometry(mirrored(self, corner))
        self._close.raise_()
        self.resized.emit()


STRIP_AIR = 6


class FoldedDock(QToolBar):
    """A narrow strip instead of a hidden pane; a click on its title shows the pane."""

    def __init__(self, dock: QDockWidget, parent: QWidget) -> None:
        title = dock.windowTitle()
        super().__init__(title, parent)
        self.setObjectName(f"{dock.objectName()} folded")
        self.setMovable(False)
        self.toggleViewAction().setVisible(False)  # it follows the pane
        button = VerticalButton(title)
        button.clicked.connect(dock.toggleViewAction().trigger)
        self.addWidget(button)


class VerticalButton(QAbstractButton):
    """Text that runs from bottom to top."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.setText(text)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    def sizeHint(self) -> QSize:
        """Room for the words."""
        metrics = self.fontMetrics()
        across = metrics.height() + 2 * STRIP_AIR
        return QSize(across, metrics.horizontalAdvance(self.text()) + 4 * STRIP_AIR)

    def paintEvent(self, _event: QtGui.QPaintEvent) -> None:
        """Draw the words."""
        painter, ink = _on_ground(self)
        painter.setPen(ink)
        painter.translate(0, self.height())
        painter.rotate(-90)
        painter.drawText(
            QRect(0, 0, self.height(), self.width()), int(Qt.AlignmentFlag.AlignCenter), self.text()
        )


TAB_SIDE = 15
AIR = 15
UNDERLINE = 2


class FlatTabBar(QTabBar):
    """Draws the words and a line below the open one."""

    def __init__(self) -> None:
        super().__init__()
        self.setDrawBase(False)
        self.setExpanding(False)

    def tabSizeHint(self, index: int) -> QSize:
        """Room for the words in bold, so that nothing moves when a tab is opened."""
        metrics = QtGui.QFontMetrics(bold(self.font()))
        return QSize(
            metrics.horizontalAdvance(self.tabText(index)) + 2 * TAB_SIDE, metrics.height() + AIR
        )

    def minimumTabSizeHint(self, index: int) -> QSize:
        """Words are never cut off."""
        return self.tabSizeHint(index)

    def paintEvent(self, _event: QtGui.QPaintEvent) -> None:
        """Draw the tabs."""
        now = colors()
        painter = QtGui.QPainter(self)
        painter.fillRect(self.rect(), now.window)
        painter.fillRect(0, self.height() - 1, self.width(), 1, now.border)
        for index in range(self.count()):
            area, current = self.tabRect(index), index == self.currentIndex()
            marked = bool(self.tabData(index))
            painter.setFont(bold(self.font()) if current else self.font())
            painter.setPen(now.warning if marked else now.text if current else now.muted)
            painter.drawText(area, int(Qt.AlignmentFlag.AlignCenter), self.tabText(index))
            if current:
                line = now.accent if self.hasFocus() else now.text
                painter.fillRect(
                    area.left() + TAB_SIDE,
                    area.bottom() - UNDERLINE,
                    area.width() - 2 * TAB_SIDE,
                    UNDERLINE,
                    line,
                )


class FlatTabs(QTabWidget):
    """Pages below flat tabs, each with its number in the title; `name` is for screen readers."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setTabBar(FlatTabBar())
        self.setDocumentMode(True)
        self.setAccessibleName(name)
        self.tabBar().setAccessibleName(name)

    def paintEvent(self, _event: QtGui.QPaintEvent) -> None:
        """Draw the line under the tabs on, below what stands beside them."""
        bar = self.tabBar()
        if not bar.isHidden():
            line = QRect(0, bar.geometry().bottom(), self.width(), 1)
            QtGui.QPainter(self).fillRect(line, colors().border)

    def set_title(self, page: QWidget, title: str, *, warning: bool = False) -> None:
        """Name the tab of a page; a warning is drawn in the warning colour."""
        index = self.indexOf(page)
        self.setTabText(index, title)
        self.tabBar().setTabData(index, warning)


class Throttle(QObject):
    """Makes the first call at once, then at most one per interval.

    Signals:
        triggered: Do it now.
    """

    triggered = Signal()

    def __init__(self, milliseconds: int, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._waiting = False
        self._timer = QTimer(self, singleShot=True, interval=milliseconds)
        self._timer.timeout.connect(self._on_timeout)

    def call(self) -> None:
        """Request a call; several within an interval become one."""
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
