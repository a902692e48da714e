"""What the verdicts given so far say of what is still unread; nothing before there are enough."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from neardup_gui.models.threshold.judged_so_far import JudgedSoFar
from neardup_gui.views.widgets.controls import Caption
from neardup_gui.views.widgets.dock import PaneTitle
from neardup_gui.views.widgets.link_label import LinkLabel

TIP = (
    "The line with steps in the picture: how likely a pair is confirmed, by its resemblance, as "
    "your verdicts say (isotonic regression). The limit holds as long as more alike pairs are "
    "confirmed more often."
)


class JudgedBox(QWidget):
    """Sentences, and a random check of what is unread.

    Signals:
        check_wanted: A random check is to be drawn.
        check_shown: Its pairs are to be shown.
    """

    check_wanted = Signal()
    check_shown = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words, self._check = Caption(), Caption()
        for label in (self._words, self._check):
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._words.setToolTip(TIP)
        self._draw = LinkLabel("Check 30 at random")
        self._draw.setToolTip("Draw 30 unread pairs: what they are bounds what the others can be")
        self._show = LinkLabel("Show the check")
        links = QHBoxLayout()
        links.setSpacing(16)
        links.addWidget(self._draw)
        links.addWidget(self._show)
        links.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        heading = PaneTitle("Judged so far")
        heading.setContentsMargins(0, 0, 0, 0)
        for widget in (heading, self._words, self._check):
            column.addWidget(widget)
        column.addLayout(links)
        self._draw.clicked.connect(self.check_wanted)
        self._show.clicked.connect(self.check_shown)
        self.show_judged(JudgedSoFar())

    @property
    def words(self) -> str:
        """What is said, a sentence a line."""
        return "\n".join(filter(None, (self._words.text(), self._check.text())))

    def show_judged(self, judged: JudgedSoFar) -> None:
        """Say what the verdicts say by now."""
        self._words.setText("\n".join(judged.words))
        self._check.setText(judged.check)
        self._check.setVisible(bool(judged.check))
        done, drawn = judged.checked
        self._show.setVisible(bool(drawn))
        self._draw.setVisible(judged.can_check and done == drawn)
        self.setVisible(bool(judged.words))
