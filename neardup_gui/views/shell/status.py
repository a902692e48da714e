"""The line at the bottom: what is being done, how far it is, how long still; then what came out."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPaintEvent, QPalette
from PySide6.QtWidgets import QLabel, QSizePolicy, QStatusBar, QWidget

from core.base.messages import gettext
from core.base.progress_lines import ProgressLine
from neardup_gui.environment.theme import colors, smooth_painter
from neardup_gui.models.window_state import SavedState
from neardup_gui.models.words.numbers import tool_tip
from neardup_gui.views.widgets.containers import FlowLayout, FollowsLooks
from neardup_gui.views.widgets.labels import PLAIN, CutLabel, LinkLabel, elided_name, letter_width
from neardup_gui.views.widgets.layouts import row_in

NAME_LETTERS = 36  # of what is said of the review
BAR_WIDTH, LEAST_BAR = 190, 60
NARROWEST = 1  # of words that may be cut: for the moment of a message they do not widen the window


class ThinBar(QWidget):
    """A quiet progress bar; without a share it shows an empty track."""

    def __init__(self) -> None:
        super().__init__()
        self._share = 0.0
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.setMinimumWidth(LEAST_BAR)

    def set_share(self, share: float | None) -> None:
        """How much is done, 0 to 1."""
        self._share = min(max(share or 0.0, 0.0), 1.0)
        self.update()

    def sizeHint(self) -> QSize:
        """Long and low."""
        return QSize(BAR_WIDTH, 8)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the track and the part that is done."""
        painter = smooth_painter(self)
        painter.setPen(Qt.PenStyle.NoPen)
        area = QRectF(0, 1, self.width(), 6)
        painter.setBrush(colors().track)
        painter.drawRoundedRect(area, 3, 3)
        if self._share > 0:
            area.setWidth(max(area.width() * self._share, 6))
            painter.setBrush(colors().accent)
            painter.drawRoundedRect(area, 3, 3)


class ProgressRow(QWidget):
    """How far some work is, and a link that cancels it."""

    def __init__(self, cancel: str = "") -> None:
        super().__init__()
        self._words, self._bar = QLabel(textFormat=PLAIN), ThinBar()
        self.cancel = LinkLabel(cancel or gettext("Cancel"))
        FlowLayout(14, 4, self, (self._words, self._bar, self.cancel))

    def show_line(self, line: ProgressLine) -> None:
        """Show how far it is."""
        words = " · ".join(filter(None, (line.stage, line.amount, line.left)))
        self._words.setText(words)
        self._bar.set_share(line.share)
        self._bar.setAccessibleName(words)


class SavedLabel(FollowsLooks, CutLabel):
    """Whether the review is saved, and where; a warning stands out."""

    def __init__(self) -> None:
        super().__init__()
        self._state = SavedState()
        self.hide()

    def show_state(self, state: SavedState) -> None:
        """Show it, cut in its middle where the name is long; nothing where there is no file."""
        if state == self._state:
            return
        self._state = state
        room = NAME_LETTERS * letter_width(self.fontMetrics())
        self.setText(elided_name(self.fontMetrics(), state.text, room))
        self.setToolTip(tool_tip(state.text))
        self.setForegroundRole(
            QPalette.ColorRole.WindowText if state.warning else QPalette.ColorRole.PlaceholderText
        )
        self.follow_looks()
        self.setVisible(bool(state.text))

    def follow_looks(self) -> None:
        """As wide as the words, where there is room."""
        self.setMaximumWidth(max(self.sizeHint().width(), self.minimumWidth()))


class StatusLine(QWidget):
    """Progress while work runs, a summary afterwards.

    Attributes:
        cancel: Pressed, the work is to stop.
        scrolling: Pressed, the texts are to scroll together again; there while they do not.
        note: Something small at the right end.
        saved: Whether the review is saved, and where.
    """

    def __init__(self) -> None:
        super().__init__()
        self._stage, self._amount, self._left = CutLabel(), CutLabel(), CutLabel()
        self._bar = ThinBar()
        self._bar.setMaximumWidth(BAR_WIDTH)
        self._bar.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.cancel = LinkLabel(gettext("Cancel"))
        self._summary, self.note, self.saved = CutLabel(), CutLabel(), SavedLabel()
        self.scrolling = LinkLabel(gettext("Texts scroll separately"))
        self.scrolling.setToolTip(gettext("Scroll together (S)"))
        self.scrolling.hide()
        running = (self._stage, self._bar, self._amount, self._left, self.cancel)
        row = row_in(self, *running, margins=(12, 3), spacing=14)
        row.setStretchFactor(self._bar, 1)  # of little room these two give away theirs
        row.addStrut(self.cancel.sizeHint().height())  # no link that comes makes it higher
        row.addWidget(self._summary, 1)
        row.addStretch(0)  # takes the room where no summary does
        row.addWidget(self.note)
        row.addWidget(self.scrolling)
        row.addWidget(self.saved, 2)
        for label in (self._stage, self._amount, self._left, self.note):
            label.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
            label.setMinimumWidth(NARROWEST)
        self._running = running
        self.show_summary("")

    def show_progress(self, line: ProgressLine) -> None:
        """Show running work."""
        self._summary.hide()  # first: room for both would widen the window
        self._stage.show_sentence(line.stage)
        self._bar.set_share(line.share)
        self._bar.setAccessibleName(f"{line.stage}: {line.amount}")
        self._amount.show_sentence(line.amount)
        self._left.show_sentence(line.left)
        for widget in self._running:
            widget.show()
        self._left.setVisible(bool(line.left))

    def show_summary(self, sentence: str) -> None:
        """Show what came out; nothing runs."""
        for widget in self._running:
            widget.hide()
        self._summary.show_sentence(sentence)
        self._summary.show()


class StatusBar(QStatusBar):
    """The line in the whole width of the window."""

    def __init__(self, line: StatusLine) -> None:
        super().__init__()
        self.setSizeGripEnabled(False)
        self.addWidget(line, 1)
