"""One pair side by side: header, texts, rulers and the bands between them.

Both texts are searched for a phrase part by part on the UI thread, with the event loop between, so
that 5 MB hold nothing up.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QObject, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QShowEvent
from PySide6.QtWidgets import QLabel, QLineEdit, QStackedLayout, QStackedWidget, QWidget

from core.base.messages import gettext
from core.base.wording import count
from core.text.lines_and_phrases import Phrase
from neardup_gui.models.compare.comparison import Comparison
from neardup_gui.models.compare.side import FoundSpans, Side
from neardup_gui.models.passages import PassageLocation
from neardup_gui.models.setup import whole_words
from neardup_gui.views.compare.drawer import WithDrawer
from neardup_gui.views.compare.header import CompareHeader
from neardup_gui.views.compare.judging_bar import JudgingBar
from neardup_gui.views.compare.text_pane import TextPane
from neardup_gui.views.compare.texts import PairTexts
from neardup_gui.views.documents import DocumentView
from neardup_gui.views.shell.message_bar import has_focus
from neardup_gui.views.widgets.labels import LinkLabel, SentencePage
from neardup_gui.views.widgets.layouts import RULE, column_in, row_in, rule

FINDING_AT_ONCE = 0.008  # seconds without the event loop


class Finder(QObject):
    """Steps through the matches of a phrase, text A first.

    Signals:
        match_reached: A place to go to: the text, 0 or 1, and from where to where in its source.
        counted: Which place it is, of how many so far, and whether these are all.
        marked: The `FoundSpans` of both texts.
    """

    match_reached = Signal(int, int, int)
    counted = Signal(int, int, bool)
    marked = Signal(object)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._comparison: Comparison | None = None
        self._phrase = ""
        self._spans: Sequence[list[tuple[int, int]]] = ([], [])
        self._shown: tuple[list[FoundSpans], list[FoundSpans]] = ([], [])
        self._at = -1
        self._steps = 0  # to make once the first match is found
        self._search: Iterator[None] | None = None
        self._timer = QTimer(self, interval=0)
        self._timer.timeout.connect(self._go_on)

    def set_comparison(self, comparison: Comparison | None) -> None:
        """Search another pair for the same phrase."""
        self._comparison = comparison
        self._begin()

    def find(self, phrase: str) -> None:
        """Go to the first match of a phrase, and emit its number and the count."""
        self._phrase = phrase
        self._begin(steps=1)

    def step(self, by: int) -> None:
        """Go to the next match, or back with -1; the first follows the last."""
        count = self._count
        if count:
            self._at = (self._at + by) % count
            first = len(self._spans[0])
            side = int(self._at >= first)
            self.match_reached.emit(side, *self._spans[side][self._at - side * first])
        elif self._search is not None:
            self._steps = by
            return
        self._emit_count()

    @property
    def _count(self) -> int:
        return sum(map(len, self._spans))

    def _emit_count(self) -> None:
        count = self._count
        self.counted.emit(self._at % count + 1 if count else 0, count, self._search is None)

    def _begin(self, steps: int = 0) -> None:
        self._spans, self._shown = ([], []), ([], [])
        self._at, self._steps = -1, steps
        self._search = None
        if self._comparison is not None and self._phrase.strip():
            self._search = self._run(self._comparison, Phrase(self._phrase))
        self._go_on()

    def _go_on(self) -> None:
        """Search for a few milliseconds."""
        until = time.monotonic() + FINDING_AT_ONCE
        while self._search is not None:
            if next(self._search, self) is self:
                self._search = None
            elif time.monotonic() >= until:
                break
        if self._search is None:
            self._timer.stop()
            self.marked.emit([FoundSpans.joined(parts) for parts in self._shown])
        elif not self._timer.isActive():
            self._timer.start()
        if self._steps and (self._count or self._search is None):
            steps, self._steps = self._steps, 0
            self.step(steps)
        elif self._at >= 0:
            self._emit_count()

    def _run(self, comparison: Comparison, phrase: Phrase) -> Iterator[None]:
        """Search both texts, part by part."""
        for index, side in enumerate(comparison.sides):
            for spans in phrase.spans(side.text.source):
                if spans:
                    self._spans[index].extend(spans)
                    self._shown[index].append(FoundSpans.of(side.text, *zip(*spans, strict=True)))
                yield


AT_ONCE = 100  # milliseconds in which changes may replace passages without a message


class CompareView(QWidget):
    """Shows a comparison, and moves from passage to passage.

    Passages are counted from 0 in signals and slots; `shown` carries the `Comparison`,
    `differences_wanted` whether the user wants changes to be shown, and not what is shared.
    """

    differences_wanted = Signal(bool)
    back_requested = Signal()
    shown = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._shared: Comparison | None = None  # of the open pair
        self._comparison: Comparison | None = (
            None  # the one that is shown: of passages or of changes
        )
        self._differences = False
        self._slow = QTimer(self, singleShot=True, interval=AT_ONCE)
        self._to_reveal = False
        self._focused_pane = 0  # of the earlier pair, while another is loading
        self.header = CompareHeader()
        self._texts = PairTexts()
        self.panes = self._texts.panes
        self._steps = self._texts.steps
        self.finder = Finder(self)
        self._lay_out()
        self._connect()
        self.clear()

    def _lay_out(self) -> None:
        pair = QWidget()
        texts = (WithDrawer(self._texts, self.header.drawer), 1)
        column_in(pair, self.header, rule(), texts, margins=0, spacing=0)
        self._page_without_pair = SentencePage()
        self._pages = QStackedLayout(self)
        self._pages.addWidget(self._page_without_pair)
        self._pages.addWidget(pair)

    def _connect(self) -> None:
        self._texts.moved.connect(self._on_moved)
        self.header.chips.passage_chosen.connect(self._steps.select)
        self.header.differences_wanted.connect(self.differences_wanted)
        self.header.passages_wanted.connect(self._on_passages_wanted)
        self.header.dot_plot.passage_chosen.connect(self.select_passage)
        self._slow.timeout.connect(self.header.say_finding)
        self._steps.moved_to.connect(self.header.set_current)
        self.header.dot_plot.position_chosen.connect(self._on_positions_chosen)
        self.finder.match_reached.connect(self._on_match_reached)
        self.finder.marked.connect(self._texts.show_found)

    @property
    def entry(self) -> QWidget:
        """The widget that takes the focus: the text at the left."""
        return self.panes[0] if self._pages.currentIndex() else self._page_without_pair

    def focus_texts(self) -> None:
        """Focus the texts, or the page shown instead."""
        self.entry.setFocus()

    def minimumSizeHint(self) -> QSize:
        """The size of the full header and of some text."""
        width = max(self.width(), 1)
        texts = self.panes[0].minimumSizeHint().height()
        height = self.header.height_at(width) + RULE + texts
        return QSize(super().minimumSizeHint().width(), height)

    def show_comparison(self, comparison: Comparison) -> None:
        """Show a pair, scrolled to its strongest passage or first change."""
        focused = self._page_without_pair.hasFocus()
        self._shared = comparison
        self._pages.setCurrentIndex(1)
        self.header.show_comparison(comparison)
        self._comparison = shown = self._wanted(comparison)
        self.header.show_marks(shown)
        self._texts.show_comparison(shown)
        self.finder.set_comparison(shown)
        if focused:
            self.panes[self._focused_pane].setFocus()
        self._to_reveal = not self.isVisible()
        if not self._to_reveal:
            self._reveal_strongest_passage()
        self.shown.emit(comparison)

    def set_differences(self, wanted: bool) -> None:
        """Show the changes, once they are known, or the passages, at the same position."""
        self._differences = wanted
        self.header.show_mode(differences=wanted)
        self._show_again()

    def show_changes(self, changes: Comparison) -> None:
        """Take the changes of the shown pair."""
        if self._shared is not None:
            self._shared = replace(self._shared, changes=changes)
            self._show_again()

    def _wanted(self, shared: Comparison) -> Comparison:
        """The comparison to show of a pair, as far as it is known."""
        if self._differences and shared.changes is None:
            self._slow.start()
        else:
            self._slow.stop()
        return shared.changes if self._differences and shared.changes else shared

    def _show_again(self) -> None:
        """Show the other of both comparisons, at the same position."""
        if self._shared is None or self._comparison is None:
            return
        before, self._comparison = self._comparison, self._wanted(self._shared)
        self.header.show_marks(self._comparison)
        if self._comparison is not before:
            self._texts.show_in_place(self._comparison)
            self.finder.set_comparison(self._comparison)

    def show_loading(self, names: tuple[str, str]) -> None:
        """Show that another pair is loading, and remember the focus for it."""
        focused = [index for index, pane in enumerate(self.panes) if pane.hasFocus()]
        if not self._page_without_pair.hasFocus():  # it has the focus since an earlier pair
            self._focused_pane = focused[0] if focused else 0
        self._leave(gettext("Loading {a} and {b}…", a=names[0], b=names[1]))
        if focused:
            self._page_without_pair.setFocus()

    def clear(self, why: str = "") -> None:
        """Show no pair."""
        self._leave(why or gettext("Choose a pair to read it side by side."))

    def _leave(self, sentence: str) -> None:
        self._shared = self._comparison = None
        self._slow.stop()
        self._texts.clear()
        self.finder.set_comparison(None)
        self._page_without_pair.say(sentence)
        self._pages.setCurrentIndex(0)

    def select_passage(self, passage: int) -> None:
        """Bring a shared passage and its counterpart opposite each other.

        While changes are shown, it is not numbered: only scroll to it.
        """
        if self._shared is None:
            return
        if self._comparison is self._shared:
            self._steps.select(passage)
        else:
            side = self._shared.sides[0]
            self.panes[0].scroll_to_share(side.extents[passage][0] / max(side.text.length, 1))

    def _on_passages_wanted(self) -> None:
        self.differences_wanted.emit(False)
        if self._comparison is not None and self._comparison.marks:
            self.select_passage(0)

    def step_passage(self, by: int) -> None:
        """Go to the next passage, in the order of the text at the left, or back with -1."""
        self._steps.step(by)

    def set_synchronized(self, together: bool) -> None:
        """Scroll the texts together, or each by itself."""
        self._texts.steps.together = together
        if together:
            self._texts.steps.follow(0)

    def swap_sides(self) -> None:
        """Exchange left and right; passages keep their numbers."""
        if self._shared is not None:
            current = self._steps.current
            self.show_comparison(self._shared.swapped())
            if current is not None:
                self._steps.select(current)

    @property
    def selected_pane(self) -> TextPane | None:
        """The text with a selection, the focused one first."""
        ordered = sorted(self.panes, key=lambda pane: not pane.hasFocus())
        return next((pane for pane in ordered if pane.selection()), None)

    @property
    def selected_words(self) -> str:
        """The selected text, extended to whole words; empty for none."""
        pane = self.selected_pane
        selected = pane.selection() if pane else None
        if selected is None:
            return ""
        side, start, end = selected
        return whole_words(side.text.source, start, end)

    def copy_quotation(self) -> None:
        """Copy the selection, with its document and page."""
        if self.selected_pane is not None:
            self.selected_pane.copy_quotation()

    def reveal_word(self, word: str) -> None:
        """Scroll to the first match of a word in each text."""
        if self._comparison is not None:
            for pane, side in zip(self.panes, self._comparison.sides, strict=True):
                escaped = re.escape(word).replace(r"\ ", r"[ \t\xa0]")
                pattern = rf"(?<!\w){escaped}(?!\w)"
                match = re.search(pattern, side.text.source, re.IGNORECASE)
                if match:
                    pane.reveal_source(*match.span())

    def _reveal_strongest_passage(self) -> None:
        self._steps.select_strongest()
        self._texts.follow_panes()

    def _on_moved(self) -> None:
        if self._comparison is None or self._shared is None:
            return
        sides = zip(self._texts.spans, self._comparison.sides, self._shared.sides, strict=True)
        a, b = (_scaled(span, shown, of) for span, shown, of in sides)
        self.header.dot_plot.set_window(a, b)
        self.header.show_pages(self._texts.pages)

    def _on_positions_chosen(self, a: float, b: float) -> None:
        self.panes[0].scroll_to_share(a)
        if not self._texts.steps.together:
            self.panes[1].scroll_to_share(b)

    def _on_match_reached(self, side: int, start: int, end: int) -> None:
        self.panes[1 - side].show_current_match()
        self.panes[side].show_current_match((start, end))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc closes the drawer, then leaves the differences, then returns to the table."""
        if event.key() != Qt.Key.Key_Escape:
            super().keyPressEvent(event)
        elif self.header.drawer.content is not None:
            self.header.drawer.close_content()
        elif self._differences:
            self.differences_wanted.emit(False)
        else:
            self.back_requested.emit()

    def showEvent(self, event: QShowEvent) -> None:
        """Scroll to the strongest passage, which is possible only now."""
        super().showEvent(event)
        if self._to_reveal:
            self._to_reveal = False
            self._reveal_strongest_passage()


def _scaled(span: tuple[int, int], shown: Side, plotted: Side) -> tuple[int, int]:
    """A span of the shown text, scaled to the text of the plot, which has other gaps."""
    start, end = (position * plotted.text.length // max(shown.text.length, 1) for position in span)
    return start, end


class FindBar(QWidget):
    """A search field, the number of the match, and buttons for the others.

    Signals:
        phrase_changed: Another phrase to look for.
        stepped: Go to the next place, or back with -1.
        closed: The user is done.
    """

    phrase_changed = Signal(str)
    stepped = Signal(int)
    closed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._field = QLineEdit(
            placeholderText=gettext("Find in both texts"), clearButtonEnabled=True
        )
        self._field.setAccessibleName(gettext("Find in both texts"))
        self._field.setMinimumWidth(240)
        self._sought = ""
        self._count = QLabel()
        close = LinkLabel(gettext("Close"))
        following, before = LinkLabel(gettext("Next")), LinkLabel(gettext("Previous"))
        row_in(
            self, self._field, following, before, self._count, 1, close, margins=(14, 5), spacing=12
        )
        self._field.textChanged.connect(self._on_text_changed)
        for onward in (self._field.returnPressed, following.clicked):
            onward.connect(partial(self.stepped.emit, 1))
        before.clicked.connect(partial(self.stepped.emit, -1))
        close.clicked.connect(self._on_closed)
        self.hide()

    @property
    def phrase(self) -> str:
        """The phrase that is searched for."""
        return self._field.text()

    def begin(self) -> None:
        """Show the bar, and focus its field."""
        self.show()
        self._field.setFocus()
        self._field.selectAll()

    def look_for(self, phrase: str) -> None:
        """Show the bar with a phrase, and go to its first match."""
        self.show()
        self._field.setText(phrase)

    def show_phrase(self, phrase: str) -> None:
        """Find the phrase of the search in all texts, or stop it; the bar may be closed."""
        if phrase != self._sought and (phrase or self._field.text() == self._sought):
            self._field.setText(phrase)
        self._sought = phrase

    def begin_again(self) -> None:
        """Other texts are shown: go to the first match of the phrase searched for in all."""
        if self._sought and self._field.text() == self._sought:
            self.phrase_changed.emit(self._sought)

    def show_location(self, number: int, total: int, all_known: bool) -> None:
        """Show the number of the match in sight, from 1, and the count."""
        if not self.phrase:
            self._count.clear()
        elif not total:
            self._count.setText(
                gettext("not in these texts") if all_known else gettext("searching…")
            )
        else:
            shown = gettext("{place} of {places}", place=count(number), places=count(total))
            self._count.setText(shown if all_known else f"{shown}…")

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
    """Two texts side by side; the find bar appears below them when needed.

    Attributes:
        view: The two texts.
        document: One document by itself.
        find_bar: Below the texts, where it is asked for.
        judging_bar: Verdicts and note below the texts, where they have the whole window.
    """

    help_page = "reading"

    def __init__(self) -> None:
        super().__init__()
        self.view = CompareView()
        self.document = DocumentView()
        self.find_bar = FindBar()
        self.judging_bar = JudgingBar()
        pair = QWidget()
        column_in(pair, (self.view, 1), self.find_bar, self.judging_bar, margins=0, spacing=0)
        self._views = QStackedWidget()
        self._views.addWidget(pair)
        self._views.addWidget(self.document)
        column_in(self, self._views, margins=0)
        self.find_bar.phrase_changed.connect(self.view.finder.find)
        self.find_bar.stepped.connect(self.view.finder.step)
        self.find_bar.closed.connect(self.view.focus_texts)
        self.view.finder.counted.connect(self.find_bar.show_location)
        self.view.header.why_panel.word_wanted.connect(self.find_in_both)
        self.view.shown.connect(self.find_bar.begin_again)

    @property
    def entry(self) -> QWidget:
        """The widget that takes the focus."""
        return self.document.entry if self.shows_document else self.view.entry

    @property
    def above_texts(self) -> int:
        """The height of the widgets above the texts of a pair."""
        return self.view.header.height_at(self.view.header.width()) + RULE

    @property
    def shows_document(self) -> bool:
        """Whether one document is shown, and not a pair."""
        return self._views.currentWidget() is self.document

    def show_document(self, *, alone: bool) -> None:
        """Show a single document, or the pair."""
        focused = has_focus(self._views.currentWidget())
        self._views.setCurrentIndex(int(alone))
        if focused:
            self.entry.setFocus()

    def begin_find(self) -> None:
        """Show the find bar, and focus its field."""
        self.show_document(alone=False)
        self.find_bar.begin()

    def step_match(self, by: int) -> None:
        """Go to the next match, or back with -1, or ask for a phrase."""
        if self.find_bar.phrase:
            self.view.finder.step(by)
        else:
            self.begin_find()

    def find_in_both(self, word: str) -> None:
        """Scroll to the first match of a word in both texts."""
        self.find_bar.look_for(word)
        self.view.reveal_word(word)

    def show_location(self, location: PassageLocation) -> None:
        """Scroll to a passage that many documents share, even if it is set aside."""
        if location.passage is not None:
            self.view.select_passage(location.passage)
        if location.passage is None or location.within:
            for pane in self.view.panes:
                pane.reveal_location(location)
