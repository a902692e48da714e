"""The finding above the texts of a pair: the number, a sentence, and links to more."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence

from PySide6.QtCore import QObject, QRect, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from core.base.messages import N_, gettext, ngettext
from core.base.wording import count
from core.evidence.measures import Fact
from neardup_gui.environment.theme import colors
from neardup_gui.models.compare.comparison import MOST_FACTS, SharingDocument
from neardup_gui.models.words.numbers import tool_tip
from neardup_gui.views.widgets import labels
from neardup_gui.views.widgets.containers import FollowsSize

FACT_GAP = 14
NUMBER_SHARE = 0.85  # of the line, at most, for the number before the sentence
TAG = re.compile("<[^>]*>")
WHY, WHY_OPEN = N_("Why this pair"), N_("Hide why")


class FactLabels(QObject):
    """The numbers of a pair, each with its name, and its meaning in the tool tip.

    Where they are `brief`, those that a number is made of are left out: a sentence beside it says
    them.

    Signals:
        passages_wanted: The user wants to see the passages that the overlap counts.
    """

    passages_wanted = Signal()

    def __init__(self, parent: QWidget, *, brief: bool = False) -> None:
        super().__init__(parent)
        self._brief = brief
        self._facts: Sequence[Fact] = ()
        self.labels = [QLabel(parent) for _ in range(MOST_FACTS)]
        for label in self.labels:
            label.setTextFormat(Qt.TextFormat.RichText)
            label.setForegroundRole(QPalette.ColorRole.PlaceholderText)
            label.linkActivated.connect(self.passages_wanted)
            label.hide()

    @property
    def count(self) -> int:
        """How many numbers of the pair are known."""
        return len(self._facts)

    def show_facts(self, facts: Sequence[Fact]) -> None:
        """Set the numbers of another pair, all hidden at first."""
        self._facts = facts
        self.colour()
        for label, fact in zip(self.labels, facts, strict=False):
            label.setToolTip(tool_tip(fact.meaning))

    def colour(self) -> None:
        """Write the numbers, the link in the colour of the theme."""
        for label, fact in zip(self.labels, self._facts, strict=False):
            number = labels.in_its_direction(label, fact.brief if self._brief else fact.value)
            value = html.escape(number)
            if fact.column == "overlap":
                value = f"<a href='passages' style='color: {colors().accent.name()}'>{value}</a>"
            label.setText(f"{fact.name} {value}")


class FindingRow(FollowsSize, QWidget):
    """One line: the main number, a sentence on what both texts share, and links to more."""

    help_page = "numbers"

    def __init__(self) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.sentence = labels.CutLabel(self)
        self.numbers = FactLabels(self, brief=True)
        self.also = labels.LinkLabel("", self)
        self.properties = labels.LinkLabel("", self)
        self.why = labels.LinkLabel(gettext(WHY), self)
        self.show_properties(())

    def show_finding(
        self, sentence: str, facts: Sequence[Fact], also: Sequence[SharingDocument]
    ) -> None:
        """Show the finding of another pair."""
        documents = len({sharer.name for sharer in also})
        self.also.setText(gettext("Also in {number}…", number=count(documents)))
        shares = ngettext(
            "A or B shares text with {n} other document",
            "A or B shares text with {n} other documents",
            documents,
        )
        self.also.setToolTip(gettext("{sentence}: read one of these pairs", sentence=shares))
        self.also.setAccessibleName(shares)
        self.also.setVisible(documents > 0)
        self.sentence.show_sentence(sentence)
        self.sentence.setAccessibleName(sentence)
        self.numbers.show_facts(facts)
        self._arrange()

    def show_properties(self, rare: Sequence[str]) -> None:
        """Show a link to rare properties that both files share, if there are any."""
        words = ngettext("{n} shared file property", "{n} shared file properties", len(rare))
        self.properties.setText(words)
        self.properties.setToolTip(tool_tip("\n".join(rare)))
        self.properties.setVisible(bool(rare))
        self._arrange()

    def sizeHint(self) -> QSize:
        """One line."""
        return QSize(200, self.why.sizeHint().height())

    def follow_looks(self) -> None:
        """Write the number in other colours, and share the width again."""
        self.numbers.colour()
        self._arrange()

    def _arrange(self) -> None:
        height, gap = self.height(), FACT_GAP
        links = [link for link in (self.properties, self.also, self.why) if not link.isHidden()]
        room = self.width() - sum(link.sizeHint().width() + gap for link in links)
        number, x = self.numbers.labels[0], 0  # the drawer has all of them
        width = number.sizeHint().width()
        number.setVisible(self.numbers.count > 0 and width + gap <= NUMBER_SHARE * room)
        if not number.isHidden():
            number.setGeometry(labels.mirrored(self, QRect(0, 0, width, height)))
            x = width + gap
        wanted = self.sentence.fontMetrics().horizontalAdvance(self.sentence.text()) + 2
        width = max(min(wanted, room - x), 0)
        self.sentence.setGeometry(labels.mirrored(self, QRect(x, 0, width, height)))
        x += width
        for link in links:
            rect = QRect(x + gap, 0, link.sizeHint().width(), height)
            link.setGeometry(labels.mirrored(self, rect))
            x += gap + link.sizeHint().width()


FEWEST_LETTERS = 16  # of a cut sentence; fewer are of no use


class ElidedSentence(QLabel):
    """A sentence beside the chips; in little room plain and cut at its end, or hidden."""

    def __init__(self) -> None:
        super().__init__(textFormat=Qt.TextFormat.RichText)
        self.setForegroundRole(QPalette.ColorRole.PlaceholderText)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw as much as fits."""
        if "<" in self.text() and self.sizeHint().width() <= self.width():
            super().paintEvent(event)
            return
        words = " ".join(html.unescape(TAG.sub("", self.text())).split())
        painter = QPainter(self)
        painter.setPen(colors().muted)
        metrics = self.fontMetrics()
        shown = metrics.elidedText(words, Qt.TextElideMode.ElideRight, self.width())
        if shown != words and self.width() < FEWEST_LETTERS * labels.letter_width(metrics):
            return
        painter.drawText(self.rect(), int(Qt.AlignmentFlag.AlignVCenter), shown)
