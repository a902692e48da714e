"""A word and a number in a frame with round ends, which is on or off."""

from __future__ import annotations

from PySide6 import QtGui
from PySide6.QtCore import QEvent, QRect, QRectF, QSize, Qt
from PySide6.QtWidgets import QAbstractButton, QApplication, QPushButton, QToolButton

from core.base.messages import gettext
from neardup_gui.environment.theme import colors, mix, smooth_painter
from neardup_gui.views.widgets.labels import paint_focus, scaled

CORNER = 5
RING = 2
PUSH_BUTTON_AIR = 18
LEAST_WIDTH = 170


class PushButton(QPushButton):
    """Filled when it is what most people want, outlined when it is the other choice."""

    def __init__(self, text: str, *, filled: bool = False) -> None:
        super().__init__(text)
        self._filled = filled
        self.setAutoDefault(True)

    def set_filled(self, filled: bool) -> None:
        """Whether it is what most people want."""
        self._filled = filled
        self.update()

    def sizeHint(self) -> QSize:
        """Room for the words, some air and the ring of the focus."""
        metrics = self.fontMetrics()
        width = metrics.horizontalAdvance(self.text()) + 2 * PUSH_BUTTON_AIR
        return QSize(max(width, LEAST_WIDTH), metrics.height() + PUSH_BUTTON_AIR + 2 * RING)

    def paintEvent(self, _event: QtGui.QPaintEvent) -> None:
        """Draw the button."""
        now = colors()
        painter = smooth_painter(self)
        outer = QRectF(self.rect())
        if self.hasFocus():
            painter.setPen(QtGui.QPen(mix(now.accent, now.base, 0.55), RING))
            inset = RING / 2
            painter.drawRoundedRect(
                outer.adjusted(inset, inset, -inset, -inset), CORNER + RING, CORNER + RING
            )
        filled = self._filled and self.isEnabled()
        ground = now.accent if filled else now.base
        if self.isEnabled() and (self.isDown() or self.underMouse()):
            ground = mix(ground, now.text, 0.92 if filled else 0.94)
        painter.setPen(QtGui.QPen(now.accent if filled else mix(now.muted, now.base, 0.5), 1))
        painter.setBrush(ground)
        inset = RING + 1.5
        painter.drawRoundedRect(outer.adjusted(inset, inset, -inset, -inset), CORNER, CORNER)
        text = now.text if self.isEnabled() else now.muted
        painter.setPen(now.on_accent if filled else text)
        painter.drawText(self.rect(), int(Qt.AlignmentFlag.AlignCenter), self.text())


TOOL_BUTTON_SIDE = 10
GAP = 6
HINT_SCALE = 0.86


class ToolButton(QToolButton):
    """Follows an action: its text, a key of one letter or digit, whether it can be used."""

    def __init__(self, action: QtGui.QAction) -> None:
        super().__init__()
        self._shows_key = True
        self._shows_mark_only = False
        self._size: QSize | None = None  # layouts ask for it some hundred times
        self.setDefaultAction(action)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAutoRaise(True)

    def show_key(self, shown: bool) -> None:
        """Whether a single letter or digit is written beside the word; the tool tip has any key."""
        if shown != self._shows_key:
            self._shows_key = shown
            self._size = None
            self.updateGeometry()
            self.update()

    def show_mark_only(self, mark_only: bool) -> None:
        """Whether of a sign and words only the sign is shown; the tool tip has the words."""
        if mark_only != self._shows_mark_only:
            self._shows_mark_only = mark_only
            self._size = None
            self.updateGeometry()
            self.update()

    @property
    def width_without_key(self) -> int:
        """How wide it is with its words alone."""
        return self.fontMetrics().horizontalAdvance(self._title()) + 2 * TOOL_BUTTON_SIDE

    def sizeHint(self) -> QSize:
        """Room for both."""
        if self._size is None:
            hint = QtGui.QFontMetrics(self._hint_font()).horizontalAdvance(self._hint())
            width = self.width_without_key + hint + (GAP if hint else 0)
            self._size = QSize(width, self.fontMetrics().height() + 12)
        return self._size

    def actionEvent(self, event: QtGui.QActionEvent) -> None:
        """Have another size with another word or key."""
        self._size = None
        super().actionEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        """Have another size in another font."""
        self._size = None
        super().changeEvent(event)

    def paintEvent(self, _event: QtGui.QPaintEvent) -> None:
        """Draw the word and its key."""
        now = colors()
        painter = smooth_painter(self)
        self._paint_ground(painter)
        enabled = self.isEnabled()
        painter.setPen(now.text if enabled else mix(now.text, now.window, 0.45))
        area = self.rect().adjusted(TOOL_BUTTON_SIDE, 0, -TOOL_BUTTON_SIDE, 0)
        vertical = Qt.AlignmentFlag.AlignVCenter
        painter.drawText(area, int(Qt.AlignmentFlag.AlignLeft | vertical), self._title())
        painter.setFont(self._hint_font())
        painter.setPen(now.muted if enabled else mix(now.muted, now.window, 0.5))
        painter.drawText(area, int(Qt.AlignmentFlag.AlignRight | vertical), self._hint())

    def _paint_ground(self, painter: QtGui.QPainter) -> None:
        now = colors()
        if self.isDown() or (self.underMouse() and self.isEnabled()):
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(now.raised)
            painter.drawRoundedRect(self.rect(), 5, 5)
        paint_focus(painter, self, 5)

    def _title(self) -> str:
        title = self.defaultAction().iconText()
        mark, space, _words = title.partition(" ")
        return mark if self._shows_mark_only and space and len(mark) == 1 else title

    def _hint(self) -> str:
        if not self._shows_key:
            return ""
        key = self.defaultAction().shortcut().toString(QtGui.QKeySequence.SequenceFormat.NativeText)
        return key if len(key) == 1 else ""

    def _hint_font(self) -> QtGui.QFont:
        return scaled(self.font(), HINT_SCALE)


def open_context_menu() -> None:
    """Open the menu of the widget that has the focus, at its cursor or its current row."""
    widget = QApplication.focusWidget()
    if widget is None:
        return
    cursor = widget.inputMethodQuery(Qt.InputMethodQuery.ImCursorRectangle)
    rect = cursor if isinstance(cursor, QRect) and cursor.isValid() else widget.rect()
    point = rect.center()
    reason = QtGui.QContextMenuEvent.Reason.Keyboard
    event = QtGui.QContextMenuEvent(reason, point, widget.mapToGlobal(point))
    QApplication.sendEvent(widget, event)


SIDE, AIR = 10, 3
FOCUS = 2.0


class FilterChip(QAbstractButton):
    """Checked, it stands out by its frame and its ground, not by its colour alone."""

    def __init__(self, word: str) -> None:
        super().__init__()
        self._word = word
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.show_number("0")

    def show_number(self, number: str) -> None:
        """Say how many there are."""
        self.setText(f"{self._word} {number}".rstrip())
        self.setAccessibleName(gettext("Show {pairs}", pairs=self.text()))

    def sizeHint(self) -> QSize:
        """Room for the words."""
        metrics = self.fontMetrics()
        width = metrics.horizontalAdvance(self.text()) + 2 * SIDE
        return QSize(width, metrics.height() + 2 * AIR)

    def minimumSizeHint(self) -> QSize:
        """Never cut off."""
        return self.sizeHint()

    def paintEvent(self, _event: QtGui.QPaintEvent) -> None:
        """Draw the frame and the words."""
        now = colors()
        painter = smooth_painter(self)
        frame = QRectF(self.rect()).adjusted(1, 1, -1, -1)
        thick = FOCUS if self.hasFocus() or self.isChecked() else 1.0
        ink = now.accent if self.hasFocus() or self.isChecked() else now.border
        painter.setPen(QtGui.QPen(ink, thick))
        ground = mix(now.accent, now.base, 0.12) if self.isChecked() else now.base
        painter.setBrush(ground if self.isEnabled() else now.window)
        painter.drawRoundedRect(frame, frame.height() / 2, frame.height() / 2)
        words = now.accent if self.isChecked() else now.text
        painter.setPen(words if self.isEnabled() else mix(now.text, now.window, 0.45))
        painter.drawText(self.rect(), int(Qt.AlignmentFlag.AlignCenter), self.text())
