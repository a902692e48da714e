"""Small controls, drawn as quietly as the panel around them."""

from __future__ import annotations

import math

from PySide6 import QtGui
from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSpinBox,
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QFrame,
    QLineEdit,
    QPlainTextEdit,
    QSizePolicy,
    QSlider,
    QStyle,
    QStyleOptionSlider,
    QWidget,
)

from core.base.messages import gettext
from neardup_gui.environment.theme import colors, mix, see_through, smooth_painter
from neardup_gui.models.number_entry import NumberRange, read_number
from neardup_gui.views.widgets.containers import mirrored_margins
from neardup_gui.views.widgets.labels import (
    READABLE,
    LinkLabel,
    ScaledLabel,
    letter_width,
    mirrored,
)

FIELD_FRAME_CORNER = 4.0


class KeepsWheel:
    """A field over which the wheel counts only where the focus is; else the panel scrolls."""

    def wheelEvent(self, event: QtGui.QWheelEvent) -> None:
        """Use the wheel, unless it turns on its way over a panel."""
        if self.hasFocus():  # type: ignore[attr-defined]
            super().wheelEvent(event)  # type: ignore[misc]
        else:
            event.ignore()


def paint_frame(
    painter: QtGui.QPainter,
    area: QRectF,
    *,
    focused: bool,
    filled: bool = True,
    corner: float = FIELD_FRAME_CORNER,
) -> None:
    """A field that can be filled in."""
    now = colors()
    painter.setRenderHint(QtGui.QPainter.RenderHint.Antialiasing)
    width = 2.0 if focused else 1.0
    painter.setPen(QtGui.QPen(now.accent if focused else mix(now.muted, now.window, 0.45), width))
    painter.setBrush(now.base if filled else Qt.BrushStyle.NoBrush)
    inset = width / 2
    painter.drawRoundedRect(area.adjusted(inset, inset, -inset, -inset), corner, corner)


class NumberBox(KeepsWheel, QDoubleSpinBox):
    """A number without buttons: arrow keys and the wheel step it, Enter takes what was typed.

    Comma and point are the same, whatever the locale. What cannot be read is not taken.

    Signals:
        enter_pressed: Enter, after the number was taken.
        refused: A sentence: what was typed is no number for this field, which stays as it was.
    """

    enter_pressed = Signal()
    refused = Signal(str)

    def __init__(
        self,
        decimals: int,
        name: str = "",
        most: float = 1,
        *,
        step: float | None = None,
        suffix: str = "",
    ) -> None:
        """From 0 to `most`; the name is for who hears it."""
        super().__init__(suffix=suffix)
        self.setDecimals(decimals)
        self.setRange(0, most)
        self.setSingleStep(10.0**-decimals if step is None else step)
        self.setAccessibleName(name)
        self.setButtonSymbols(QAbstractSpinBox.ButtonSymbols.NoButtons)
        self.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.setKeyboardTracking(False)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.lineEdit().returnPressed.connect(self.enter_pressed)

    def paintEvent(self, _event: QtGui.QPaintEvent) -> None:
        """Draw the frame; the number is a widget of its own."""
        painter = QtGui.QPainter(self)
        paint_frame(painter, QRectF(self.rect()), focused=self.hasFocus())

    def validate(self, text: str, position: int) -> tuple[QtGui.QValidator.State, str, int]:
        """Whether a text is a number of this field; all else may still become one."""
        try:
            self._read(text)
        except ValueError:
            return QtGui.QValidator.State.Intermediate, text, position
        return QtGui.QValidator.State.Acceptable, text, position

    def valueFromText(self, text: str) -> float:
        """The number that a text means, in any habit of writing."""
        return self._read(text)

    def fixup(self, text: str) -> str:
        """Say why a text is not taken; Qt then puts the old number back."""
        try:
            self._read(text)
        except ValueError as problem:
            stays = gettext(
                "“{name}” stays {value}.",
                name=self.accessibleName(),
                value=self.textFromValue(self.value()),
            )
            self.refused.emit(f"{problem} {stays}")
        return text

    def _read(self, text: str) -> float:
        typed = text.strip().removesuffix(self.suffix().strip())
        return read_number(typed, NumberRange(self.minimum(), self.maximum(), self.decimals()))

    def textFromValue(self, value: float) -> str:
        """No more decimals than the number and its step need."""
        decimals = min(self.decimals(), _decimals(self.singleStep()))
        while decimals < self.decimals() and round(value, decimals) != value:
            decimals += 1
        return self.locale().toString(value, "f", decimals)


def _decimals(step: float) -> int:
    """How many decimals a step has: 0 for 1, 2 for 0.01."""
    return max(0, -math.floor(math.log10(step) + 1e-9))


LETTERS = 36
LEAVING = (Qt.Key.Key_Escape, Qt.Key.Key_Down, Qt.Key.Key_Return, Qt.Key.Key_Enter)


class TextField(QLineEdit):
    """A line of text in the frame that numbers have."""

    def __init__(self) -> None:
        super().__init__()
        self.setFrame(False)
        self.setTextMargins(6, 3, 6, 3)

    def paintEvent(self, event: QtGui.QPaintEvent) -> None:
        """Draw the text, then the frame."""
        super().paintEvent(event)
        painter = QtGui.QPainter(self)
        paint_frame(painter, QRectF(self.rect()), focused=self.hasFocus(), filled=False)


class ReadOnlyText(QPlainTextEdit):
    """Text to read, to select and to copy; Tab leaves it."""

    def __init__(self, name: str = "") -> None:
        super().__init__(readOnly=True)
        self.setAccessibleName(name)
        self.setTabChangesFocus(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setTextInteractionFlags(READABLE)

    def use_fixed_font(self) -> None:
        """Use a monospaced font in the present size of the text."""
        font = QtGui.QFontDatabase.systemFont(QtGui.QFontDatabase.SystemFont.FixedFont)
        font.setPointSizeF(self.window().font().pointSizeF())
        self.setFont(font)


class SearchField(TextField):
    """Every letter filters the table; Enter and Down lead into it, Esc clears the filter first.

    Signals:
        left: The user is done here.
    """

    left = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setPlaceholderText(gettext("Find in names and texts"))
        self.setAccessibleName(gettext("Find documents by name or text"))
        self.setTextMargins(6, 5, 6, 5)
        self.setClearButtonEnabled(True)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        # A folder dropped here is for the window, not a text.
        self.setAcceptDrops(False)

    def sizeHint(self) -> QSize:
        """Room for most names, in the size of the text."""
        width = LETTERS * letter_width(self.fontMetrics())
        return QSize(width, super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        """Half of it, in a narrow window."""
        return QSize(self.sizeHint().width() // 2, super().minimumSizeHint().height())

    def keyPressEvent(self, event: QtGui.QKeyEvent) -> None:
        """Lead back to the table."""
        if event.key() == Qt.Key.Key_Escape:
            self.clear()
        if event.key() in LEAVING:
            self.left.emit()
            return
        super().keyPressEvent(event)


CAPTION_SCALE = 0.92
BAR = 3
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

    def __init__(self, text: str = "") -> None:
        super().__init__(CAPTION_SCALE, text)
        self.setForegroundRole(QtGui.QPalette.ColorRole.PlaceholderText)

    def show_sentence(self, sentence: str) -> None:
        """Show a sentence; nothing when it is empty."""
        self.setText(sentence)
        self.setVisible(bool(sentence))


class ProblemLabel(Caption):
    """A sentence about what cannot be, with a bar in the colour of warnings; else nothing."""

    def __init__(self) -> None:
        super().__init__()
        self.setContentsMargins(mirrored_margins(self, BAR_ROOM, 0, 0, 0))
        self.setForegroundRole(QtGui.QPalette.ColorRole.WindowText)
        self.hide()

    def paintEvent(self, event: QtGui.QPaintEvent) -> None:
        """Draw the bar before the sentence."""
        super().paintEvent(event)
        bar = mirrored(self, QRect(0, 1, BAR, self.height() - 2))
        QtGui.QPainter(self).fillRect(bar, colors().warning)


class AskingRow(QWidget):
    """Asks for a line of text until it is taken or given up; Esc gives up.

    Signals:
        entered: What was typed.
        cancelled: Nothing is wanted after all.
    """

    entered = Signal(str)
    cancelled = Signal()

    def __init__(self, name: str, take: QAbstractButton) -> None:
        """The name of the field, for who hears it, and the button that takes what is in it."""
        super().__init__()
        self._field = TextField()
        self._field.setAccessibleName(name)
        self._take, self._cancel = take, LinkLabel(gettext("Cancel"))
        self._problem = ProblemLabel()
        self._field.returnPressed.connect(self._on_entered)
        take.clicked.connect(self._on_entered)
        self._cancel.clicked.connect(self.leave)
        leave = QtGui.QShortcut(QtGui.QKeySequence(Qt.Key.Key_Escape), self)
        leave.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        leave.activated.connect(self.leave)
        self.hide()

    def start(self) -> None:
        """Show the field, empty."""
        if self.isHidden():
            self._field.clear()
            self._problem.show_sentence("")
        self.show()
        self._field.setFocus()

    def leave(self) -> None:
        """Give up, and hide the field."""
        self.forget()
        self.cancelled.emit()

    def forget(self) -> None:
        """Clear and hide the field."""
        self._field.clear()
        self.hide()

    def _on_entered(self) -> None:
        if self._take.isEnabled():
            self._problem.show_sentence("")
            self.entered.emit(self._field.text())


class ThinSlider(KeepsWheel, QSlider):
    """A line with a knob; the part before the knob is filled."""

    def __init__(self) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def minimumSizeHint(self) -> QSize:
        """Narrow panels leave little room."""
        return QSize(60, super().minimumSizeHint().height())

    def paintEvent(self, _event: QtGui.QPaintEvent) -> None:
        """Draw groove, filled part, knob and focus."""
        now = colors()
        fill = now.accent if self.isEnabled() else now.muted
        middle = self._knob()
        painter = smooth_painter(self)
        painter.setPen(Qt.PenStyle.NoPen)
        groove = QRectF(0, middle.y() - GROOVE / 2, self.width(), GROOVE)
        painter.setBrush(now.track)
        painter.drawRoundedRect(groove, GROOVE / 2, GROOVE / 2)
        if self.layoutDirection() is Qt.LayoutDirection.RightToLeft:
            groove.setLeft(middle.x())
        else:
            groove.setRight(middle.x())
        painter.setBrush(fill)
        painter.drawRoundedRect(groove, GROOVE / 2, GROOVE / 2)
        if self.hasFocus():
            painter.setBrush(see_through(now.accent, 0.3))
            painter.drawEllipse(middle, FOCUS, FOCUS)
        painter.setPen(QtGui.QPen(fill, 2))
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


class ComboBox(KeepsWheel, QComboBox):
    """A choice in the frame that numbers have; long ones are cut at their end."""

    def __init__(self) -> None:
        super().__init__()
        self.setMinimumContentsLength(LEAST_LETTERS)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def paintEvent(self, _event: QtGui.QPaintEvent) -> None:
        """Draw frame, words and arrow."""
        painter = QtGui.QPainter(self)
        paint_frame(painter, QRectF(self.rect()), focused=self.hasFocus())
        painter.setPen(colors().text if self.isEnabled() else _faint())
        words = mirrored(self, self.rect().adjusted(SIDE, 0, -ARROW_ROOM, 0))
        shown = self.fontMetrics().elidedText(
            self.currentText(), Qt.TextElideMode.ElideRight, words.width()
        )
        painter.drawText(words, int(Qt.AlignmentFlag.AlignVCenter), shown)
        painter.setPen(QtGui.QPen(colors().muted, 1.5, c=Qt.PenCapStyle.RoundCap))
        arrow = QRect(self.width() - ARROW_ROOM, 0, ARROW_ROOM, self.height())
        middle = QRectF(mirrored(self, arrow)).center()
        painter.drawPolyline([middle + QPointF(*corner) for corner in ARROW])


class CheckBox(QCheckBox):
    """A box with a mark, as high as the letters; the style's own is hardly seen on a dark panel."""

    flags = int(Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextShowMnemonic)  # of its words

    def sizeHint(self) -> QSize:
        """Box and words."""
        metrics = self.fontMetrics()
        words = metrics.size(int(Qt.TextFlag.TextShowMnemonic), self.text()).width()
        return QSize(self._box_side() + BOX_GAP + words + 2, metrics.height() + BOX_AIR)

    def hitButton(self, point: QPoint) -> bool:
        """Box and words alike."""
        area = QRect(0, 0, min(self.sizeHint().width(), self.width()), self.height())
        return mirrored(self, area).contains(point)

    def _box_side(self) -> int:
        return max(LEAST_BOX, round(BOX_SCALE * self.fontMetrics().ascent()))

    def paintEvent(self, _event: QtGui.QPaintEvent) -> None:
        """Draw box, mark, text and focus."""
        side = self._box_side()
        top = (self.height() - side) // 2
        square = mirrored(self, QRect(0, top, side, side))
        box = QRectF(square).adjusted(0.5, 0.5, -0.5, -0.5)
        painter = QtGui.QPainter(self)
        paint_frame(painter, box, focused=self.hasFocus(), corner=BOX_CORNER)
        if self.isChecked():
            painter.setPen(QtGui.QPen(_ink(self), 2, c=Qt.PenCapStyle.RoundCap))
            corner, size = box.topLeft(), box.width()
            points = ((0.25, 0.52), (0.43, 0.70), (0.76, 0.30))
            painter.drawPolyline([corner + QPointF(x * size, y * size) for x, y in points])
        painter.setPen(colors().text if self.isEnabled() else _faint())
        text = mirrored(self, self.rect().adjusted(side + BOX_GAP, 0, 0, 0))
        painter.drawText(text, self.flags, self.text())


class WrappedCheckBox(CheckBox):
    """Its words go on in another line where there is little room, instead of asking for more."""

    flags = CheckBox.flags | int(Qt.TextFlag.TextWordWrap)

    def __init__(self, text: str) -> None:
        super().__init__(text)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def minimumSizeHint(self) -> QSize:
        """As high as one line; other widgets decide the width."""
        return QSize(0, self.sizeHint().height())

    def heightForWidth(self, width: int) -> int:
        """As high as the lines are at this width."""
        room = QRect(0, 0, width - self._box_side() - BOX_GAP, 1)
        return self.fontMetrics().boundingRect(room, self.flags, self.text()).height() + BOX_AIR


def _ink(widget: QWidget) -> QtGui.QColor:
    return colors().accent if widget.isEnabled() else _faint()


def _faint() -> QtGui.QColor:
    return mix(colors().text, colors().window, 0.45)
