"""The compare view with its find bar, or one document by itself in its place."""

from __future__ import annotations

from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from neardup_gui.models.passages.looked_up import PassagePlace
from neardup_gui.views.compare.find_bar import FindBar
from neardup_gui.views.compare.view import CompareView
from neardup_gui.views.documents.view import DocumentView
from neardup_gui.views.shell.focus_ring import has_focus


class ComparePane(QWidget):
    """Two texts side by side; the find bar appears below them when it is asked for.

    Attributes:
        view: The two texts.
        document: One document by itself.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.view = CompareView()
        self.document = DocumentView()
        self._find_bar = FindBar()
        pair = QWidget()
        column = QVBoxLayout(pair)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.view, 1)
        column.addWidget(self._find_bar)
        self._views = QStackedWidget()
        self._views.addWidget(pair)
        self._views.addWidget(self.document)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self._views)
        self._find_bar.phrase_changed.connect(self.view.find_text)
        self._find_bar.next_wanted.connect(self.view.find_next)
        self._find_bar.previous_wanted.connect(self.view.find_previous)
        self._find_bar.closed.connect(self.view.focus_texts)
        self.view.found.connect(self._find_bar.show_place)

    @property
    def entry(self) -> QWidget:
        """Where the keyboard enters."""
        return self.document.entry if self.shows_document else self.view.entry

    @property
    def shows_document(self) -> bool:
        """Whether one document is shown, and not a pair."""
        return self._views.currentWidget() is self.document

    def show_document(self, *, alone: bool) -> None:
        """Show one document by itself, or the pair."""
        focused = has_focus(self._views.currentWidget())
        self._views.setCurrentIndex(int(alone))
        if focused:
            self.entry.setFocus()

    def begin_find(self) -> None:
        """Show the find bar, ready to be typed into."""
        self.show_document(alone=False)
        self._find_bar.begin()

    def find_next(self) -> None:
        """Go on to the next place, or ask what to look for."""
        if self._find_bar.phrase:
            self.view.find_next()
        else:
            self.begin_find()

    def find_previous(self) -> None:
        """Go back to the place before, or ask what to look for."""
        if self._find_bar.phrase:
            self.view.find_previous()
        else:
            self.begin_find()

    def show_place(self, place: PassagePlace) -> None:
        """Bring a passage that many documents share in sight, also where it is set aside."""
        if place.passage is not None:
            self.view.select_passage(place.passage)
            return
        for pane in self.view.panes:
            pane.reveal_place(place)
