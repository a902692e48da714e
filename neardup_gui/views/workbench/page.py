"""The page of the curve: large above, and below it what helps to choose."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QScrollArea, QSplitter, QVBoxLayout, QWidget

from neardup_gui.models.threshold.model import ThresholdModel
from neardup_gui.models.workbench.passage_lengths import PassageLengths, passage_words
from neardup_gui.views.widgets.flat_tabs import FlatTabs
from neardup_gui.views.widgets.scaled_label import ScaledLabel
from neardup_gui.views.workbench.audit_page import AuditPage
from neardup_gui.views.workbench.buckets_page import BucketsPage
from neardup_gui.views.workbench.large_curve import LargeCurve
from neardup_gui.views.workbench.pair_page import PairPage
from neardup_gui.views.workbench.settings_page import SettingsPage

SIDE, AIR = 12, 8


class PassagesWords(QWidget):
    """Sentences, which a screen reader reads as well."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words = ScaledLabel(1.0)
        self._words.setTextFormat(Qt.TextFormat.PlainText)
        self._words.setWordWrap(True)
        self._words.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self._words.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        column = QVBoxLayout(self)
        column.setContentsMargins(SIDE, AIR, SIDE, AIR)
        column.addWidget(self._words)
        column.addStretch(1)
        self.show_lengths(None)

    @property
    def text(self) -> str:
        """What is said."""
        return self._words.text()

    def show_lengths(self, told: PassageLengths | None) -> None:
        """Say what passages list; None where there is no list."""
        self._words.setText("\n".join(passage_words(told)))
        self._words.setAccessibleName(" ".join(passage_words(told)))


HEIGHT = 1000  # more than there is: only the shares count
SHARES = (3, 2)  # of the height, of the curve and of what is below it


class WorkbenchPage(QWidget):
    """Shows the same threshold as the panel.

    Attributes:
        large: The curve.
        below: Tabs of what helps to choose.
        settings: What other settings would do.
        pair: The pair at hand.
        buckets: How full the buckets are.
        passages: What the least length of a passage guarantees.
        audit: Whether the list is complete.
    """

    def __init__(self, model: ThresholdModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.large = LargeCurve(model)
        self.below = FlatTabs()
        self.below.setAccessibleName("What helps to choose")
        self.below.tabBar().setAccessibleName("What helps to choose")
        self.settings = SettingsPage(model)
        self.below.addTab(self.settings, "Settings")
        self.pair = PairPage(model)
        self.below.addTab(self.pair, "This pair")
        self.buckets = BucketsPage()
        self.below.addTab(self.buckets, "Buckets")
        self.passages = PassagesWords()
        self.below.addTab(self.passages, "Passages")
        self.audit = AuditPage()
        self.below.addTab(self.audit, "Audit")
        both = QSplitter(Qt.Orientation.Vertical)
        both.setChildrenCollapsible(False)
        for place, (widget, share) in enumerate(zip((self.large, self.below), SHARES, strict=True)):
            both.addWidget(widget)
            both.setStretchFactor(place, share)
        both.setSizes([share * HEIGHT for share in SHARES])
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(_scrolled(both))

    @property
    def entry(self) -> QWidget:
        """Where the keyboard enters."""
        return self.large.entry


def _scrolled(content: QWidget) -> QScrollArea:
    """Content that scrolls in a small window, which it would else keep large."""
    room = QScrollArea()
    room.setWidgetResizable(True)
    room.setFrameShape(QFrame.Shape.NoFrame)
    room.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    room.setWidget(content)
    return room
