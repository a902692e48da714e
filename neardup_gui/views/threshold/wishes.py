"""The other way round: two wishes, and the b and r that keep them."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from neardup_gui.models.threshold.wishes import Wishes
from neardup_gui.views.widgets.controls import Caption
from neardup_gui.views.widgets.link_label import LinkLabel
from neardup_gui.views.widgets.number_box import NumberBox


class WishesForm(QWidget):
    """Four numbers in a sentence, and the answer below.

    Signals:
        wished: The user asks which b and r keep these wishes; carries Wishes.
    """

    wished = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        usual = Wishes()
        self._catch = _share_box("Share to find, percent", usual.catch)
        self._catch_at = _resemblance_box("Find at resemblance", usual.catch_at)
        self._at_most = _share_box("Largest share to let through, percent", usual.at_most)
        self._at_most_at = _resemblance_box("Let through at resemblance", usual.at_most_at)
        self._ask = LinkLabel("Choose b and r")
        self._ask.setToolTip(
            "The cheapest b and r with b · r ≤ K that keep both wishes: those that let the fewest "
            "pairs through at the resemblance of the second one."
        )
        self._answer = Caption()
        self._answer.setAccessibleName("Answer to the wishes")
        self._answer.hide()
        self._lay_out()
        self._ask.clicked.connect(self._on_asked)
        for box in (self._catch, self._catch_at, self._at_most, self._at_most_at):
            box.enter_pressed.connect(self._on_asked)

    @property
    def wishes(self) -> Wishes:
        """The four numbers."""
        return Wishes(
            catch=self._catch.value() / 100,
            catch_at=self._catch_at.value(),
            at_most=self._at_most.value() / 100,
            at_most_at=self._at_most_at.value(),
        )

    def show_wishes(self, wishes: Wishes) -> None:
        """Show other wishes."""
        self._catch.setValue(100 * wishes.catch)
        self._catch_at.setValue(wishes.catch_at)
        self._at_most.setValue(100 * wishes.at_most)
        self._at_most_at.setValue(wishes.at_most_at)

    def show_answer(self, sentence: str) -> None:
        """Say which b and r keep the wishes, or why none do."""
        self._answer.setText(sentence)
        self._answer.setVisible(bool(sentence))

    def _lay_out(self) -> None:
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(6)
        grid.setVerticalSpacing(6)
        grid.setColumnStretch(4, 1)
        rows = (("Find", self._catch, self._catch_at), ("at most", self._at_most, self._at_most_at))
        for row, (word, share, resemblance) in enumerate(rows):
            first, second = QLabel(word), QLabel("at")
            first.setBuddy(share)
            second.setBuddy(resemblance)
            for column, widget in enumerate((first, share, second, resemblance)):
                grid.addWidget(widget, row, column)
        grid.addWidget(self._ask, 1, 4, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        grid.addWidget(self._answer, 2, 0, 1, 5)

    def _on_asked(self) -> None:
        self.wished.emit(self.wishes)


def _share_box(name: str, share: float) -> NumberBox:
    box = NumberBox(2)
    box.setRange(0, 100)
    box.setSingleStep(1)
    box.setSuffix("\N{NO-BREAK SPACE}%")
    box.setValue(100 * share)
    box.setAccessibleName(name)
    return box


def _resemblance_box(name: str, value: float) -> NumberBox:
    box = NumberBox(2)
    box.setRange(0, 1)
    box.setValue(value)
    box.setAccessibleName(name)
    return box
