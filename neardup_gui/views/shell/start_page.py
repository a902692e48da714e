"""The page without a folder: open one, the sample, the tour, or recent work."""

from __future__ import annotations

from collections.abc import Collection
from functools import partial
from pathlib import Path, PurePath

from PySide6.QtCore import QEvent, QObject, QRectF, Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QPaintEvent, QPalette, QPen
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from core.base.messages import gettext
from core.base.wording import printable_path
from neardup_gui.environment.theme import colors, mix, smooth_painter
from neardup_gui.models.window_state import WindowState
from neardup_gui.models.words.numbers import tool_tip
from neardup_gui.views.widgets import labels
from neardup_gui.views.widgets.buttons import PushButton
from neardup_gui.views.widgets.containers import FollowsLooks
from neardup_gui.views.widgets.layouts import column_in, grid_in, row_of


class FolderDrop(QObject):
    """Watches a window for drops.

    Signals:
        hovered: Whether something that can be dropped is over the window.
        dropped: The paths of what was dropped.
    """

    hovered = Signal(bool)
    dropped = Signal(object)

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        window.setAcceptDrops(True)
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take drags with local files."""
        if isinstance(event, QDragEnterEvent) and event.type() == QEvent.Type.DragEnter:
            if not _paths(event):
                return False
            event.setDropAction(Qt.DropAction.CopyAction)
            event.accept()
            self.hovered.emit(True)
            return True
        if event.type() == QEvent.Type.DragLeave:
            self.hovered.emit(False)
        elif isinstance(event, QDropEvent) and event.type() == QEvent.Type.Drop:
            self.hovered.emit(False)
            event.acceptProposedAction()
            self.dropped.emit(_paths(event))
            return True
        return super().eventFilter(watched, event)


def _paths(event: QDropEvent) -> list[Path]:
    return [Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()]


LETTERS = 94  # the page is as wide as so many of them
RADIUS = 10
TITLE_SCALE = 1.6
FOCUS_ROOM = 2  # links keep it around their words
SHOWN_RECENT = 6
LONGEST_NAME = 48  # letters of a recent one; a longer name would widen the window


class DropFrame(QWidget):
    """A dashed frame to drop folders on; it lights up under a dragged folder."""

    def __init__(self) -> None:
        super().__init__()
        self._lit = False

    def set_lit(self, lit: bool) -> None:
        """Show that a drop would be taken."""
        self._lit = lit
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the frame."""
        now = colors()
        painter = smooth_painter(self)
        pen = QPen(now.accent if self._lit else mix(now.muted, now.window, 0.55), 1.5)
        pen.setDashPattern([5, 4])
        painter.setPen(pen)
        painter.setBrush(now.selection if self._lit else now.base)
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), RADIUS, RADIUS)


class StartPage(FollowsLooks, QWidget):
    """The first page of a window.

    Signals:
        recent_chosen: A recent folder or review, as text.

    Attributes:
        open: Choose a folder in a dialog.
        sample: Look at the corpus that comes with the application.
        tour: See in seven steps how documents are found.
        first_steps: Read how to begin.
        title: What to do, or what is being done.
    """

    recent_chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self._frame = self._make_frame()
        self._recent_title = QLabel(gettext("Recent"))
        self._recent = QWidget()
        self._recent_rows = grid_in(self._recent, margins=0, spacing=(16, 2), wide=1)
        self._lay_out()
        self.set_recent(())

    def set_lit(self, lit: bool) -> None:
        """Show that a dragged folder would be taken."""
        self._frame.set_lit(lit)

    def take_state(self, state: WindowState) -> None:
        """Say that a review is being opened: scans begin elsewhere."""
        self.title.setText(
            gettext("Opening the review")
            if state.is_scanning
            else gettext("Drop a folder here, or two documents")
        )

    def set_recent(self, paths: tuple[str, ...], made: Collection[str] = ()) -> None:
        """Offer the folders and reviews that were open lately; reviews of scans by name."""
        while (item := self._recent_rows.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.deleteLater()
        for row, path in enumerate(paths[:SHOWN_RECENT]):
            self._add_recent(row, path, is_made=path in made)
        self._recent.setVisible(bool(paths))
        self._recent_title.setVisible(bool(paths))

    def _add_recent(self, row: int, name: str, *, is_made: bool) -> None:
        path = PurePath(name)
        shown = path.stem if is_made else path.name or name
        link = labels.LinkLabel(_shortened(printable_path(PurePath(shown))))
        link.setToolTip(tool_tip(printable_path(path)))
        link.setAccessibleName(gettext("Open {path}", path=printable_path(path)))
        link.clicked.connect(partial(self.recent_chosen.emit, name))
        parent = "" if is_made else printable_path(path.parent)
        folder = ElidedLabel(labels.in_its_direction(self, parent))
        self._recent_rows.addWidget(link, row, 0, Qt.AlignmentFlag.AlignLeft)
        self._recent_rows.addWidget(folder, row, 1)

    def _make_frame(self) -> DropFrame:
        frame = DropFrame()
        self.title = title = labels.ScaledLabel(TITLE_SCALE)
        self.take_state(WindowState())
        below = QLabel(
            gettext("Neardup finds documents that share text, and shows you where."), wordWrap=True
        )
        self.open = PushButton(gettext("Open a folder…"), filled=True)
        self.sample = PushButton(gettext("Look at the sample"))
        self.tour = PushButton(gettext("Take the tour"))
        for label in (title, below):
            label.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.first_steps = labels.LinkLabel(gettext("First review in five minutes"))
        column = column_in(frame, title, below, margins=(24, 44), spacing=8)
        column.addSpacing(16)
        column.addLayout(row_of(1, self.open, self.sample, self.tour, 1, spacing=10))
        column.addWidget(self.first_steps, 0, Qt.AlignmentFlag.AlignHCenter)
        return frame

    def _lay_out(self) -> None:
        self._inner = inner = QWidget()
        self.follow_looks()
        inner.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        private = QLabel(
            gettext("Everything stays on this computer. Your files are never changed.")
        )
        private.setForegroundRole(QPalette.ColorRole.PlaceholderText)
        self._recent_title.setFont(labels.bold(self.font()))
        self._recent_title.setContentsMargins(FOCUS_ROOM, 0, 0, 0)
        column = column_in(
            inner, self._frame, (private, 0, Qt.AlignmentFlag.AlignHCenter), margins=0, spacing=8
        )
        column.addSpacing(20)
        column.addWidget(self._recent_title)
        column.addWidget(self._recent)
        middle = row_of(1, (inner, 100), 1)
        column_in(self, 2, middle, 3, margins=24)

    def follow_looks(self) -> None:
        """Limit the width to lines that are easy to read."""
        narrowest = self._frame.minimumSizeHint().width()
        self._inner.setMaximumWidth(
            max(LETTERS * labels.letter_width(self.fontMetrics()), narrowest)
        )


class ElidedLabel(labels.CutLabel):
    """Secondary text that is cut in the middle if it does not fit."""

    elide = Qt.TextElideMode.ElideMiddle

    def __init__(self, text: str) -> None:
        super().__init__()
        self.setText(text)
        self.setForegroundRole(QPalette.ColorRole.PlaceholderText)


def _shortened(name: str) -> str:
    """A name, without its middle if it is very long."""
    half = LONGEST_NAME // 2
    return name if len(name) <= LONGEST_NAME else f"{name[:half]}…{name[1 - half :]}"
