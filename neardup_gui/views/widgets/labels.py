"""Labels: of one line or several, as links, larger, instead of a page; widths of letters."""

from __future__ import annotations

from unicodedata import combining

from PySide6.QtCore import QEvent, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QSizePolicy, QStyle, QWidget

from neardup_gui.environment.theme import colors, smooth_painter
from neardup_gui.models.words.numbers import tool_tip

MARGIN = 24
LEFT_TO_RIGHT, END_OF_IT = "\u2066", "\u2069"  # isolates (Unicode Standard Annex 9)


class SentencePage(QLabel):
    """A sentence on why there is nothing to read; takes the focus from hidden texts."""

    def __init__(self) -> None:
        super().__init__(wordWrap=True)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.setForegroundRole(self.palette().ColorRole.PlaceholderText)
        self.setMargin(MARGIN)
        # Long names are cut at the edge; they do not widen the window.
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)

    def say(self, sentence: str) -> None:
        """Show a sentence, also to a screen reader."""
        self.setText(sentence)
        self.setAccessibleName(sentence)


NARROWEST = 60
PLAIN = Qt.TextFormat.PlainText
BY_MOUSE = Qt.TextInteractionFlag.TextSelectableByMouse
READABLE = BY_MOUSE | Qt.TextInteractionFlag.TextSelectableByKeyboard


def mirrored(widget: QWidget, rect: QRect) -> QRect:
    """A rectangle within a widget, mirrored where text runs from right to left."""
    return QStyle.visualRect(widget.layoutDirection(), widget.rect(), rect)


def in_its_direction(widget: QWidget, text: str) -> str:
    """A path or number in left-to-right order, also where text runs from right to left.

    Also one with Arabic names in it: the folder stands before what is in it.
    """
    return f"{LEFT_TO_RIGHT}{text}{END_OF_IT}" if widget.isRightToLeft() else text


def label_of(control: QWidget, text: str) -> QLabel:
    """A label; its key leads to the control."""
    label = QLabel(text)
    label.setBuddy(control)
    return label


class CutLabel(QLabel):
    """A sentence on one line, cut at its end; the tool tip has all of it."""

    elide = Qt.TextElideMode.ElideRight

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTextFormat(PLAIN)
        self.setMinimumWidth(NARROWEST)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)

    def show_sentence(self, sentence: str) -> None:
        """Show another sentence."""
        if sentence != self.text():
            self.setText(sentence)
            self.setToolTip(tool_tip(sentence))

    def event(self, event: QEvent) -> bool:
        """Show no tool tip where the sentence is not cut."""
        fits = self.fontMetrics().horizontalAdvance(self.text()) <= self.contentsRect().width()
        if event.type() == QEvent.Type.ToolTip and fits:
            return True
        return super().event(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw as much as fits."""
        painter = QPainter(self)
        painter.setPen(self.palette().color(self.foregroundRole()))
        area = self.contentsRect()
        shown = self.fontMetrics().elidedText(self.text(), self.elide, area.width())
        painter.drawText(area, int(Qt.AlignmentFlag.AlignVCenter), shown)


MIDDLE = Qt.TextElideMode.ElideMiddle
LEAST_FOLDER = "essay…abc/"  # less of a folder is no use
NO_FOLDER = "…/"


def bold(font: QFont) -> QFont:
    """The font in bold."""
    heavy = QFont(font)
    heavy.setWeight(QFont.Weight.DemiBold)
    return heavy


def scaled(font: QFont, factor: float) -> QFont:
    """The font in another size."""
    resized = QFont(font)
    resized.setPointSizeF(factor * font.pointSizeF())
    return resized


def cut(metrics: QFontMetrics, text: str, mode: Qt.TextElideMode, width: int) -> str:
    """As much of a text as fits; Qt counts half a ligature that it cuts, "ff", as nothing."""
    shown = metrics.elidedText(text, mode, width)
    room = width
    while room > 0 and (over := metrics.horizontalAdvance(shown) - width) > 0:
        room -= over
        shown = metrics.elidedText(text, mode, room)
    return shown


def elided_name(
    metrics: QFontMetrics, name: str, width: int, beside: str = "", alike: str = ""
) -> str:
    """As much of a name as fits: "essays/…/second version/okafor.odt".

    Names of documents begin with the folders they are in, and those of a folder begin alike: cut in
    the middle of all of it, every name would look the same. What sets it apart stays: from the
    names that begin `alike`, in folders and files, where there is room, or from the one `beside`
    it, "Contract…2013-06-20.md".
    """
    if metrics.horizontalAdvance(name) <= width:
        return name
    common, slash, alike = alike.rpartition("/")
    inner, room = name.removeprefix(common + slash), width - metrics.horizontalAdvance(NO_FOLDER)
    folder, slash_after, file = name.rpartition("/")
    file_beside = beside.rpartition("/")[2]
    is_usual = _stem(file) in (_stem(file_beside), _stem(alike))
    if inner != name and (is_usual or metrics.horizontalAdvance(file) <= room):
        beside = beside.removeprefix(common + slash)
        return NO_FOLDER + elided_name(metrics, inner, room, beside, alike)
    folder += slash_after
    if is_usual:  # the folder alone sets it apart
        most = max(width - metrics.horizontalAdvance(folder), width // 3)
        file = cut(metrics, file, MIDDLE, most)
        left = width - metrics.horizontalAdvance(file)
        return cut(metrics, folder, MIDDLE, left) + file
    left = width - metrics.horizontalAdvance(file)
    if folder and left >= metrics.horizontalAdvance(NO_FOLDER):
        has_room = left >= metrics.horizontalAdvance(LEAST_FOLDER)
        return (cut(metrics, folder, MIDDLE, left) if has_room else NO_FOLDER) + file
    start = _start_of_difference(file, alike)
    if start and metrics.horizontalAdvance("…" + file[start:]) <= width:
        return _with_rest(metrics, file, start, width)
    return _elided_file(metrics, file, width, file_beside)


def _stem(file: str) -> str:
    """The name of a file without the ending that tells its format."""
    return file.rpartition(".")[0] or file


def _elided_file(metrics: QFontMetrics, file: str, width: int, beside: str) -> str:
    """The name of a file without its middle, or without what it has in common with another."""
    shown = cut(metrics, file, MIDDLE, width)
    if not beside.startswith(shown.partition("…")[0]):
        return shown
    apart = _with_rest(metrics, file, _start_of_difference(file, beside), width)
    return apart if metrics.horizontalAdvance(apart) <= width else shown


def _with_rest(metrics: QFontMetrics, file: str, start: int, width: int) -> str:
    """The name of a file, shortened first before an offset, then after it."""
    before, rest = file[:start], file[start:]
    room = max(width - metrics.horizontalAdvance(rest), width // 4)
    before = cut(metrics, before, Qt.TextElideMode.ElideRight, room)
    return before + cut(metrics, rest, MIDDLE, width - metrics.horizontalAdvance(before))


def _start_of_difference(file: str, reference: str) -> int:
    """The start of the first word in which a name differs from the reference."""
    alike = (letter == another for letter, another in zip(file, reference, strict=False))
    start = next((n for n, same in enumerate(alike) if not same), min(len(file), len(reference)))
    while start and _is_within_word(file, start):
        start -= 1
    return start


def _is_within_word(text: str, offset: int) -> bool:
    letters = text[offset - 1 : offset + 1]
    return (len(letters) > 1 and all(map(str.isalnum, letters))) or bool(combining(letters[-1]))


def paint_focus(painter: QPainter, widget: QWidget, corner: float = 3) -> None:
    """Draw a frame around a widget that has the focus."""
    if widget.hasFocus():
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(colors().accent)
        frame = QRectF(widget.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        painter.drawRoundedRect(frame, corner, corner)


class LinkLabel(QAbstractButton):
    """Text in the colour of links; reached with Tab, pressed with Space, Enter or the mouse."""

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setText(text)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def setText(self, text: str) -> None:
        """Show a text as it is: "&" makes no key of the letter after it, as in other buttons."""
        super().setText(text.replace("&", "&&"))

    def text(self) -> str:
        """The text as it is shown."""
        return super().text().replace("&&", "&")

    def sizeHint(self) -> QSize:
        """As large as the text."""
        metrics = self.fontMetrics()
        return QSize(metrics.horizontalAdvance(self.text()) + 4, metrics.height() + 4)

    def minimumSizeHint(self) -> QSize:
        """Never cut off."""
        return self.sizeHint()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the text, underlined under the mouse, framed with the focus."""
        painter = smooth_painter(self)
        font = self.font()
        font.setUnderline(self.underMouse())
        painter.setFont(font)
        painter.setPen(colors().accent)
        painter.drawText(self.rect(), int(Qt.AlignmentFlag.AlignCenter), self.text())
        paint_focus(painter, self)

    def keyPressEvent(self, event: QEvent) -> None:
        """Enter presses it, as Space does."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):  # type: ignore[attr-defined]
            self.click()
            return
        super().keyPressEvent(event)  # type: ignore[arg-type]


class ScaledLabel(QLabel):
    """Plain text, a factor larger than the application's, broken into lines."""

    def __init__(self, factor: float, text: str = "") -> None:
        super().__init__(text, wordWrap=True, textFormat=PLAIN)
        self._factor = factor
        self._scale()
        QApplication.instance().fontChanged.connect(self._scale)  # type: ignore[union-attr]

    def _scale(self) -> None:
        font = QFont(self.font())
        font.setPointSizeF(self._factor * QApplication.font().pointSizeF())
        self.setFont(font)


SAMPLE = "the quick brown fox jumps over the lazy dog"


def letter_width(metrics: QFontMetrics, letters: int = 1) -> int:
    """The width of a letter in a text, or of several, in pixels.

    Qt's average is that of all characters of a font: where it has Chinese ones, twice as much.
    """
    return -(-letters * metrics.horizontalAdvance(SAMPLE) // len(SAMPLE))
