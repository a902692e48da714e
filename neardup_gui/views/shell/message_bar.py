"""One sentence to the user, inside the window: no dialog to click away."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QApplication, QBoxLayout, QLabel, QSizePolicy, QWidget
from shiboken6 import isValid

from core.base.messages import gettext
from neardup_gui.environment.theme import colors
from neardup_gui.models.words.sentences import Message, Offer
from neardup_gui.views.widgets.containers import FollowsSize, LinkRow
from neardup_gui.views.widgets.labels import BY_MOUSE, PLAIN, LinkLabel, letter_width, mirrored


@runtime_checkable
class EntryPane(Protocol):
    """A pane that is entered elsewhere than at its first field.

    Not a focus proxy of Qt: Tab would go straight to it and pass over all that stands before it.
    """

    @property
    def entry(self) -> QWidget:
        """What gets the focus."""


def has_focus(pane: QWidget | None) -> bool:
    """Whether the focus is somewhere in a pane."""
    focused = QApplication.focusWidget()
    if focused is None or pane is None:
        return False
    return focused is pane or pane.isAncestorOf(focused)


def focus_next_pane(panes: Sequence[QWidget]) -> None:
    """Give the focus to the visible pane after the one that has it."""
    visible = [pane for pane in panes if pane.isVisible()]
    if not visible:
        return
    current = next((n for n, pane in enumerate(visible) if has_focus(pane)), -1)
    pane = visible[(current + 1) % len(visible)]
    entry = pane.entry if isinstance(pane, EntryPane) else _first_stop(pane)
    entry.setFocus(Qt.FocusReason.ShortcutFocusReason)


def _first_stop(pane: QWidget) -> QWidget:
    """The first widget in a pane that Tab would reach."""
    widget = pane.nextInFocusChain()
    while widget is not None and widget is not pane:
        if pane.isAncestorOf(widget) and _takes_focus(widget):
            return widget
        widget = widget.nextInFocusChain()
    return pane


def _takes_focus(widget: QWidget) -> bool:
    """Viewports say they do, but hand it on to their scroll area."""
    by_tab = widget.focusPolicy().value & Qt.FocusPolicy.TabFocus.value
    has_no_proxy = widget.focusProxy() is None
    return bool(by_tab) and has_no_proxy and widget.isVisible() and widget.isEnabled()


EDGE = 3
ENOUGH = 40  # characters of the sentence in a line, beside the answers
UNBROKEN = re.compile(r"\S{30,}")  # longer than the narrowest bar has room for
PIECE = re.compile(r".{8}")
BREAK = "\u200b"


class MessageBar(FollowsSize, QWidget):
    """Shows the newest message until it is dismissed or another comes; then a question returns.

    Signals:
        closed: The user wants to see nothing of it any more; another question may be asked.

    Attributes:
        answers: Clicked, what the message offers is wanted.
    """

    closed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._message = Message("")
        self._text = QLabel(wordWrap=True, textFormat=PLAIN, textInteractionFlags=BY_MOUSE)
        self._text.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._question: Message | None = None
        self._before: QWidget | None = None
        self._close = LinkLabel(gettext("Dismiss"))
        self._close.clicked.connect(self._on_closed)
        self.answers = LinkRow(self._close)
        for link in (*self.answers.links, self._close):
            link.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a click leaves the keyboard in the list
        self._row = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._row.setContentsMargins(EDGE + 12, 8, 12, 8)
        self._row.setSpacing(14)
        self._row.addWidget(self._text, 1)
        self._row.addWidget(self.answers)
        QApplication.instance().focusChanged.connect(self._remember_focus)  # type: ignore[union-attr]
        self.hide()

    def minimumSizeHint(self) -> QSize:
        """As wide as the widest answer: all of them stand below the sentence then."""
        margins = self._row.contentsMargins()
        width = self.answers.minimumSizeHint().width() + margins.left() + margins.right()
        return QSize(width, super().minimumSizeHint().height())

    def show_message(self, message: Message) -> None:
        """Show a message in place of the one before."""
        self._message = message
        self._text.setText(_breakable(message.text))
        self.setAccessibleName(message.text)
        self.answers.show_links(
            message.answers or message.links or ((message.link, message.target),)
        )
        if message.answers:
            self._question = message
        self.follow_looks()
        self.show()
        self.update()
        if message.urgent:
            self._take_focus()

    @property
    def has_question(self) -> bool:
        """Whether a question waits for an answer."""
        return self._question is not None

    def dismiss(self) -> None:
        """Take the message away; a question that it has covered is seen again."""
        if self._question is not None and self._question != self._message:
            self._give_back_focus()
            self.show_message(self._question)
            return
        self._question = None
        self._leave()

    def forget(self) -> None:
        """Take everything away, also a question; what is true of whatever is open stays."""
        self._question = None
        if not self._message.lasting:
            self._leave()

    def settle(self) -> None:
        """The question no longer needs an answer."""
        if self._question is not None and self._question == self._message:
            self._leave()
        self._question = None

    def withdraw(self, message: Message) -> None:
        """Take this message away, if it is the one that is shown."""
        if message == self._message:
            self.dismiss()

    def withdraw_offer(self, offer: Offer) -> None:
        """Take the message away that is shown, if it offers this."""
        if self._message.target == offer:
            self.dismiss()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the ground and an edge in the colour of the message."""
        now = colors()
        painter = QPainter(self)
        painter.fillRect(self.rect(), now.raised)
        edge = now.warning if self._message.warning else now.accent
        painter.fillRect(mirrored(self, QRect(0, 0, EDGE, self.height())), edge)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc dismisses."""
        if event.key() == Qt.Key.Key_Escape:
            self._on_closed()
            return
        super().keyPressEvent(event)

    def _take_focus(self) -> None:
        """Let the keyboard answer: Enter and Esc say no, Tab leads to the other answer."""
        self._close.setFocus(Qt.FocusReason.OtherFocusReason)

    def _remember_focus(self, before: QWidget | None, now: QWidget | None) -> None:
        """However the focus comes here, it goes back to where it was."""
        is_mine = now is not None and self.isAncestorOf(now)
        if is_mine and before is not None and not self.isAncestorOf(before):
            self._before = before

    def _leave(self) -> None:
        self._give_back_focus()
        self.hide()

    def _give_back_focus(self) -> None:
        before, self._before = self._before, None
        if before is not None and has_focus(self) and isValid(before):
            before.setFocus(Qt.FocusReason.OtherFocusReason)

    def follow_looks(self) -> None:
        """Let the answers stand below the sentence where it would have little room beside them."""
        beside = self.width() - self.answers.sizeHint().width()
        enough = beside >= ENOUGH * letter_width(self.fontMetrics())
        self._row.setDirection(
            QBoxLayout.Direction.LeftToRight if enough else QBoxLayout.Direction.TopToBottom
        )
        self._row.setSpacing(14 if enough else 4)
        centred = Qt.AlignmentFlag.AlignVCenter if enough else Qt.AlignmentFlag(0)
        self._row.setAlignment(self.answers, centred)

    def _on_closed(self) -> None:
        self.dismiss()
        if not self.has_question:
            self.closed.emit()


def _breakable(text: str) -> str:
    """Let long names be broken: Qt breaks lines between words only."""
    return UNBROKEN.sub(lambda long: PIECE.sub(lambda piece: piece[0] + BREAK, long[0]), text)
