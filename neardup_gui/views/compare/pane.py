"""The compare view with its find bar, or one document by itself in its place."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QStackedWidget, QVBoxLayout, QWidget

from core.base.wording import count
from neardup_gui.models.passages.looked_up import PassagePlace
from neardup_gui.views.compare.view import CompareView
from neardup_gui.views.documents.view import DocumentView
from neardup_gui.views.shell.focus_ring import has_focus
from neardup_gui.views.widgets.link_label import LinkLabel


class FindBar(QWidget):
    """A field, which of how many places is shown, and the ways to the others.

    Signals:
        phrase_changed: Another phrase to look for.
        next_wanted, previous_wanted: Go to another place.
        closed: The user is done.
    """

    phrase_changed = Signal(str)
    next_wanted = Signal()
    previous_wanted = Signal()
    closed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._field = QLineEdit(placeholderText="Find in both texts", clearButtonEnabled=True)
        self._field.setAccessibleName("Find in both texts")
        self._field.setMinimumWidth(240)
        self._count = QLabel()
        close = LinkLabel("Close")
        following, before = LinkLabel("Next"), LinkLabel("Previous")
        row = QHBoxLayout(self)
        row.setContentsMargins(14, 5, 14, 5)
        row.setSpacing(12)
        for widget in (self._field, following, before, self._count):
            row.addWidget(widget)
        row.addStretch(1)
        row.addWidget(close)
        self._field.textChanged.connect(self._on_text_changed)
        self._field.returnPressed.connect(self.next_wanted)
        following.clicked.connect(self.next_wanted)
        before.clicked.connect(self.previous_wanted)
        close.clicked.connect(self._on_closed)
        self.hide()

    @property
    def phrase(self) -> str:
        """What is looked for."""
        return self._field.text()

    def begin(self) -> None:
        """Show the bar, ready to be typed into."""
        self.show()
        self._field.setFocus()
        self._field.selectAll()

    def show_place(self, place: int, places: int, all_known: bool) -> None:
        """Say which place of how many is in sight; `place` counts from 1."""
        if not self.phrase:
            self._count.clear()
        elif not places:
            self._count.setText("not in these texts" if all_known else "searching…")
        else:
            more = "" if all_known else "…"
            self._count.setText(f"{count(place)} of {count(places)}{more}")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc closes the bar."""
        if event.key() == Qt.Key.Key_Escape:
            self._on_closed()
            return
        super().keyPressEvent(event)

    def _on_text_changed(self, text: str) -> None:
        if not text:
            self._count.clear()
        self.phrase_changed.emit(text)

    def _on_closed(self) -> None:
        self.hide()
        self.closed.emit()


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
