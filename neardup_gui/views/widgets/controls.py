"""Small controls, drawn as quietly as the panel around them."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QPainter,
    QPaintEvent,
    QPalette,
    QPen,
    QWheelEvent,
)
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QLineEdit,
    QSlider,
    QStyle,
    QStyleOptionSlider,
    QWidget,
)

from neardup_gui.environment.theme import colors, mix
from neardup_gui.views.widgets.field_frame import paint_frame, takes_wheel
from neardup_gui.views.widgets.scaled_label import ScaledLabel

CAPTION_SCALE = 0.92
BAR = 3.0
BAR_ROOM = 10
GROOVE = 4.0
KNOB = 6.0  # radius
FOCUS = 9.0  # radius
SIDE = 9  # between a frame and its words
LEAST_LETTERS = 8
ARROW = (-3.5, -1.5), (0.0, 2.0), (3.5, -1.5)
ARROW_ROOM = 24
BOX_SCALE = 1.1  # of a check box, to the height of letters
LEAST_BOX = 13
BOX_CORNER = 2.5
BOX_GAP = 6  # between it and its words
BOX_AIR = 4


class Caption(ScaledLabel):
    """Secondary text: smaller and muted, in both schemes."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(CAPTION_SCALE, parent=parent)
        self.setForegroundRole(QPalette.ColorRole.PlaceholderText)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(True)


class ProblemLabel(Caption):
    """A sentence about what cannot be, with a bar in the colour of warnings; else nothing."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setContentsMargins(BAR_ROOM, 0, 0, 0)
        self.setForegroundRole(QPalette.ColorRole.WindowText)
        self.hide()

    def show_sentence(self, sentence: str) -> None:
        """Show a sentence; nothing when it is empty."""
        self.setText(sentence)
        self.setVisible(bool(sentence))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the bar before the sentence."""
        super().paintEvent(event)
        QPainter(self).fillRect(QRectF(0, 1, BAR, self.height() - 2), colors().warning)


class TextField(QLineEdit):
    """A line of text in the frame that numbers have."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFrame(False)
        self.setTextMargins(6, 3, 6, 3)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the text, then the frame."""
        super().paintEvent(event)
        painter = QPainter(self)
        paint_frame(painter, QRectF(self.rect()), focused=self.hasFocus(), filled=False)


class ThinSlider(QSlider):
    """A line with a knob; the part before the knob is filled."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Move the knob only where the focus is; else the panel below scrolls."""
        if takes_wheel(self, event):
            super().wheelEvent(event)

    def minimumSizeHint(self) -> QSize:
        """Narrow panels leave little room."""
        return QSize(60, super().minimumSizeHint().height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw groove, filled part, knob and focus."""
        now = colors()
        fill = now.accent if self.isEnabled() else now.muted
        middle = self._knob()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        groove = QRectF(0, middle.y() - GROOVE / 2, self.width(), GROOVE)
        painter.setBrush(now.track)
        painter.drawRoundedRect(groove, GROOVE / 2, GROOVE / 2)
        groove.setRight(middle.x())
        painter.setBrush(fill)
        painter.drawRoundedRect(groove, GROOVE / 2, GROOVE / 2)
        if self.hasFocus():
            ring = now.accent.toRgb()
            ring.setAlphaF(0.3)
            painter.setBrush(ring)
            painter.drawEllipse(middle, FOCUS, FOCUS)
        painter.setPen(QPen(fill, 2))
        painter.setBrush(fill if self.isSliderDown() else now.base)
        painter.drawEllipse(middle, KNOB, KNOB)

    def _knob(self) -> QPointF:
        """The middle of the handle, where the style expects the mouse."""
        option = QStyleOptionSlider()
        self.initStyleOption(option)
        handle = self.style().subControlRect(
            QStyle.ComplexControl.CC_Slider, option, QStyle.SubControl.SC_SliderHandle, self
        )
        middle = QRectF(handle).center()
        inside = min(max(middle.x(), FOCUS), self.width() - FOCUS)
        return QPointF(inside, self.height() / 2)


class ComboBox(QComboBox):
    """A choice in the frame that numbers have; long ones are cut at their end."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setMinimumContentsLength(LEAST_LETTERS)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Choose another one only where the focus is; else the panel below scrolls."""
        if takes_wheel(self, event):
            super().wheelEvent(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw frame, words and arrow."""
        painter = QPainter(self)
        paint_frame(painter, QRectF(self.rect()), focused=self.hasFocus())
        painter.setPen(colors().text if self.isEnabled() else _faint())
        words = self.rect().adjusted(SIDE, 0, -ARROW_ROOM, 0)
        shown = self.fontMetrics().elidedText(
            self.currentText(), Qt.TextElideMode.ElideRight, words.width()
        )
        painter.drawText(words, int(Qt.AlignmentFlag.AlignVCenter), shown)
        painter.setPen(QPen(colors().muted, 1.5, c=Qt.PenCapStyle.RoundCap))
        middle = QPointF(self.width() - ARROW_ROOM / 2, self.height() / 2)
        painter.drawPolyline([middle + QPointF(*corner) for corner in ARROW])


class CheckBox(QCheckBox):
    """A box with a mark, as high as the letters; the style's own is hardly seen on a dark panel."""

    def sizeHint(self) -> QSize:
        """Box and words."""
        metrics = self.fontMetrics()
        words = metrics.size(int(Qt.TextFlag.TextShowMnemonic), self.text()).width()
        return QSize(self._box_side() + BOX_GAP + words + 2, metrics.height() + BOX_AIR)

    def minimumSizeHint(self) -> QSize:
        """Never cut off."""
        return self.sizeHint()

    def hitButton(self, point: QPoint) -> bool:
        """Box and words alike."""
        return QRect(QPoint(), self.sizeHint().boundedTo(self.size())).contains(point)

    def _box_side(self) -> int:
        return max(LEAST_BOX, round(BOX_SCALE * self.fontMetrics().ascent()))

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw box, mark, text and focus."""
        side = self._box_side()
        top = (self.height() - side) // 2
        box = QRectF(0, top, side, side).adjusted(0.5, 0.5, -0.5, -0.5)
        painter = QPainter(self)
        paint_frame(painter, box, focused=self.hasFocus(), corner=BOX_CORNER)
        if self.isChecked():
            painter.setPen(QPen(_ink(self), 2, c=Qt.PenCapStyle.RoundCap))
            corner, size = box.topLeft(), box.width()
            points = ((0.25, 0.52), (0.43, 0.70), (0.76, 0.30))
            painter.drawPolyline([corner + QPointF(x * size, y * size) for x, y in points])
        painter.setPen(colors().text if self.isEnabled() else _faint())
        text = self.rect().adjusted(side + BOX_GAP, 0, 0, 0)
        flags = Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextShowMnemonic
        painter.drawText(text, int(flags), self.text())


def _ink(widget: QWidget) -> QColor:
    return colors().accent if widget.isEnabled() else _faint()


def _faint() -> QColor:
    return mix(colors().text, colors().window, 0.45)
