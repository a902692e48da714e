"""One line above the tabs: how many documents contain what is looked for, by name or by text."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from core.base.messages import gettext
from neardup_gui.views.widgets.buttons import FilterChip
from neardup_gui.views.widgets.labels import CutLabel
from neardup_gui.views.widgets.layouts import row_in

SIDE, AIR = 12, 2


class SearchRow(QWidget):
    """Shown while something is looked for.

    Attributes:
        names_only: Checked, the texts are left out.
    """

    def __init__(self) -> None:
        super().__init__()
        self._sentence = CutLabel()
        self.names_only = FilterChip(gettext("names only"))
        self.names_only.show_number("")
        row_in(self, (self._sentence, 1), self.names_only, margins=(SIDE, AIR))
        self.hide()

    @property
    def sentence(self) -> str:
        """The sentence; empty when nothing is searched for."""
        return "" if self.isHidden() else self._sentence.text()

    def show_sentence(self, sentence: str) -> None:
        """Say what contains it; nothing where nothing is looked for."""
        self._sentence.show_sentence(sentence)
        self.setVisible(bool(sentence))
