"""The drawer at the right of the texts: why a pair is listed, its documents' other pairs."""

from __future__ import annotations

import html
from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, QRect, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel, QListWidget, QStackedWidget, QWidget

from core.base.messages import gettext
from core.base.wording import share
from core.reports.report_choice import CAUTION
from neardup_gui.environment.theme import colors
from neardup_gui.models.compare.comparison import PropertiesOfPair, SharingDocument
from neardup_gui.views.widgets.containers import CloseButton, FollowsSize, PaneTitle
from neardup_gui.views.widgets.controls import Caption
from neardup_gui.views.widgets.labels import READABLE, letter_width, mirrored
from neardup_gui.views.widgets.layouts import column_in, row_of

LETTERS = 36  # of a line
SIDE, AIR = 12, 6
LEAST_TEXTS = 1.3  # of the width of the drawer that both texts have beside it; else it covers them
FOLLOWED = (QEvent.Type.ShowToParent, QEvent.Type.HideToParent, QEvent.Type.LayoutRequest)


class Drawer(QWidget):
    """Shows one of its contents, or is closed; it takes width from the texts, not height.

    Signals:
        opened: The content that is open now, None where it was closed.
    """

    opened = Signal(object)

    def __init__(self, contents: Sequence[tuple[str, QWidget]]) -> None:
        super().__init__()
        self._titles = {content: title for title, content in contents}
        self._title = PaneTitle("")
        close = CloseButton(gettext("the drawer"))
        close.setToolTip(gettext("Close (Esc)"))
        close.clicked.connect(self.close_content)
        self._stack = QStackedWidget()
        for content in self._titles:
            self._stack.addWidget(content)
        head = row_of(self._title, 1, close)
        column_in(self, head, (self._stack, 1), margins=(SIDE, AIR, AIR, 0), spacing=AIR)
        self.setAutoFillBackground(True)  # it may lie over the texts
        self.hide()

    @property
    def content(self) -> QWidget | None:
        """The content that is open, or None."""
        return None if self.isHidden() else self._stack.currentWidget()

    def toggle(self, content: QWidget) -> None:
        """Open a content instead of another, or close it."""
        if self.content is content:
            self.close_content()
            return
        self._title.setText(self._titles[content])
        self.setAccessibleName(self._titles[content])
        self._stack.setCurrentWidget(content)
        self.show()
        self.opened.emit(content)

    def close_content(self) -> None:
        """Give the texts their width back."""
        if not self.isHidden():
            self.hide()
            self.opened.emit(None)

    @property
    def least_width(self) -> int:
        """The width of the longest line that cannot be broken; 0 if nothing is open."""
        shown = self._stack.currentWidget()
        if self.isHidden() or shown is None:
            return 0
        return shown.minimumSizeHint().width() + SIDE + AIR

    @property
    def wanted_width(self) -> int:
        """A width for lines that are easy to read, or of the longest that cannot be broken."""
        return max(LETTERS * letter_width(self.fontMetrics()) + SIDE + AIR, self.least_width)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc closes it."""
        if event.key() == Qt.Key.Key_Escape:
            self.close_content()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw a line towards the texts."""
        QPainter(self).fillRect(QRect(0, 0, 1, self.height()), colors().border)


class WithDrawer(FollowsSize, QWidget):
    """Texts and the drawer at their right: beside them, or over them where room is short."""

    def __init__(self, texts: QWidget, drawer: Drawer) -> None:
        super().__init__()
        self._texts, self._drawer = texts, drawer
        for part in (texts, drawer):  # the drawer is the upper one
            part.setParent(self)
        drawer.installEventFilter(self)

    def minimumSizeHint(self) -> QSize:
        """The size that the texts need, or the words of the drawer, which may lie over them."""
        return self._texts.minimumSizeHint().expandedTo(QSize(self._drawer.least_width, 0))

    def sizeHint(self) -> QSize:
        """The size of the texts."""
        return self._texts.sizeHint()

    def event(self, event: QEvent) -> bool:
        """Update after the texts or the drawer need other sizes: there is no layout to do it."""
        if event.type() == QEvent.Type.LayoutRequest:
            self.updateGeometry()
        return super().event(event)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        """Follow the drawer, which opens, closes, or has other words."""
        if event.type() in FOLLOWED:
            self.updateGeometry()
            self.follow_looks()
        return False

    def follow_looks(self) -> None:
        """Share the room."""
        drawer = 0 if self._drawer.isHidden() else min(self._drawer.wanted_width, self.width())
        rest = self.width() - drawer
        texts = rest if rest >= LEAST_TEXTS * drawer else self.width()
        for part, left, width in ((self._texts, 0, texts), (self._drawer, rest, drawer)):
            part.setGeometry(mirrored(self, QRect(left, 0, width, self.height())))


class PropertiesPanel(QWidget):
    """The properties of both documents' files, and those that they share."""

    help_page = "file-properties"

    def __init__(self) -> None:
        super().__init__()
        self._words = QLabel(wordWrap=True, textInteractionFlags=READABLE)
        self._words.setTextFormat(Qt.TextFormat.RichText)
        self._words.setAccessibleName(gettext("File properties"))
        caption = Caption(gettext(CAUTION))
        column_in(self, self._words, caption, 1, margins=(0, 2), spacing=AIR)
        self.show_properties(None)

    def show_properties(self, properties: PropertiesOfPair | None) -> None:
        """Show the properties of another pair; None while they are read."""
        if properties is None:
            self._words.setText(gettext("Reading the properties of files…"))
            return
        if properties.why_none:
            self._words.setText(html.escape(properties.why_none))
            return
        sections = (
            (gettext("Shared"), properties.shared),
            ("A", properties.a),
            ("B", properties.b),
        )
        paragraph = '<p dir="{}" style="margin: {}px 0 0">{}</p>'
        direction = "rtl" if self.isRightToLeft() else "ltr"
        self._words.setText(
            "".join(
                paragraph.format(direction, 2 * AIR, f"<b>{html.escape(title)}</b>")
                + "".join(paragraph.format(direction, AIR, html.escape(line)) for line in lines)
                for title, lines in sections
            )
        )


class OtherPairsList(QListWidget):
    """The other pairs of both documents; Enter or a click reads one.

    Signals:
        pair_wanted: A `ListedPair`.
    """

    pair_wanted = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._also: Sequence[SharingDocument] = ()
        self.setAccessibleName(gettext("Other documents that share text with A or B"))
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.setFrameShape(QListWidget.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.itemActivated.connect(self._on_chosen)
        self.itemClicked.connect(self._on_chosen)

    def show_also(self, also: Sequence[SharingDocument]) -> None:
        """List the other pairs of another pair's documents."""
        self._also = also
        self.clear()
        height = 2 * self.fontMetrics().lineSpacing() + AIR
        for sharer in also:
            side = "AB"[sharer.side]
            shared = gettext("not measured with {side}", side=side)
            if sharer.overlap >= 0:
                shared = gettext(
                    "{share} shared with {side}", share=share(sharer.overlap), side=side
                )
            self.addItem(f"{sharer.name}\n{shared}")
            self.item(self.count() - 1).setSizeHint(QSize(0, height))
        self.setCurrentRow(0)

    def _on_chosen(self) -> None:
        self.pair_wanted.emit(self._also[self.currentRow()].pair)
