"""Overview and Reading: the same list, selection and texts, laid out in two ways.

In *Overview* the table stands above the texts. In *Reading* the texts have the window: the table is
a slim column of cards beside them, verdicts and note are below.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QPalette
from PySide6.QtWidgets import QLabel, QSizePolicy, QToolBar

from core.base.messages import gettext, ngettext
from neardup_gui.models.scan_result import TWO, ScanResult
from neardup_gui.models.words.sentences import without_mnemonic
from neardup_gui.views.widgets.buttons import ToolButton
from neardup_gui.views.widgets.rows_table import fade
from neardup_gui.window.layout import WindowLayout
from neardup_gui.window.pages import EXPLAINED
from neardup_gui.window.parts import Part, Shared

SIDE = 12


class ReadingBar(QToolBar):
    """One line above the cards and the texts: how many pairs there are, and the way back."""

    def __init__(self, report: QAction, reading: QAction) -> None:
        super().__init__(gettext("Reading bar"))
        self.setObjectName("reading_bar")
        self.setMovable(False)
        self.toggleViewAction().setVisible(False)  # it comes and goes with the mode
        self._summary = QLabel(textFormat=Qt.TextFormat.PlainText)
        self._summary.setForegroundRole(QPalette.ColorRole.PlaceholderText)
        self._summary.setToolTip(gettext(EXPLAINED[0]))
        self._summary.setContentsMargins(SIDE, 0, 0, 0)
        self._summary.setMinimumWidth(1)
        self._summary.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.addWidget(self._summary)
        self.addWidget(ToolButton(report))
        self.addWidget(ToolButton(reading))

    def set_outdated(self, *, is_outdated: bool) -> None:
        """Whether others are counted than the pairs that are shown."""
        fade(self._summary, faded=is_outdated)

    def show_numbers(self, documents: int, verdicts: Sequence[int]) -> None:
        """Say how many documents to review there are, and how many pairs."""
        waiting, judged = verdicts[0], sum(verdicts[1:])
        parts = (
            ngettext("{n} document", "{n} documents", documents),
            ngettext("{n} to look at", "{n} to look at", waiting),
            ngettext("{n} judged", "{n} judged", judged),
        )
        self._summary.setText(" · ".join(parts))
        self._summary.setAccessibleName(self._summary.text())


class ReadingMode(Part):
    """Goes from one way to look to the other, and remembers which was the last."""

    def __init__(
        self,
        shared: Shared,
        layout: WindowLayout,
        reading: QAction,
        differences: QAction,
        bar: ReadingBar,
    ) -> None:
        super().__init__(shared)
        self._layout, self._action, self._bar = layout, reading, bar
        self._differences = differences
        self._opens_two = self._opened_versions = False
        presenter, pairs = shared.presenter, shared.pages.pairs
        pane = shared.compare_pane
        pairs.table.opened.connect(self.open)
        pairs.table.left.connect(self.leave)
        pane.judging_bar.note.written.connect(presenter.verdicts.write_note)
        presenter.pair.opened.connect(self._show_note)
        presenter.pairs.judged.connect(self._follow)
        presenter.pairs.modelReset.connect(self._follow)
        presenter.listed.connect(self._on_listed)
        pairs.table.outdated_changed.connect(self._on_faded)

    @property
    def is_on(self) -> bool:
        """Whether the texts have the window."""
        return self._action.isChecked()

    def open(self) -> None:
        """Read the selected pair in the whole window; in Reading, lead into its texts."""
        table = self._pages.pairs.table
        table.select_row(table.current_row)  # of several: a verdict is on the one that is read
        self._action.setChecked(True)
        self._compare_pane.entry.setFocus()

    def leave(self) -> None:
        """Lead back to the row in the table."""
        self._action.setChecked(False)
        self._pages.pairs.table.setFocus()

    def set_on(self, wanted: bool) -> None:
        """Give the texts the window, or the table its place above them."""
        bar = self._compare_pane.judging_bar
        table = self._pages.pairs.table
        if wanted:
            self._pages.tabs.setCurrentWidget(self._pages.pairs)
            table.select_row(table.current_row)  # of several: a verdict is on the one that is read
        tabs = self._pages.tabs
        for part in (tabs.tabBar(), tabs.cornerWidget()):
            part.setHidden(wanted)
        self._layout.set_reading(wanted)
        self._pages.pairs.show_cards(bar.note if wanted else None)
        bar.setVisible(wanted)
        self._preferences.reading_mode = wanted
        self._action.setIconText(
            gettext("Overview") if wanted else without_mnemonic(self._action.text())
        )
        table.setFocus()
        table.scrollTo(table.currentIndex())

    def _on_faded(self) -> None:
        is_outdated = self._pages.pairs.table.is_outdated
        self._bar.set_outdated(is_outdated=is_outdated)
        self._compare_pane.view.header.set_outdated(is_outdated=is_outdated)

    def _follow(self) -> None:
        model, result = self._presenter.pairs, self._presenter.current.result
        documents = result.pair_list.document_counts.to_review if result else 0
        self._bar.show_numbers(documents, model.counts)
        self._show_note()

    def _show_note(self, *_opened: object) -> None:
        pair, pairs = self._presenter.pair.shown, self._presenter.pairs
        number = None if pair is None else pairs.number_of(pair)
        if number is None:
            self._compare_pane.judging_bar.note.stand("", None)
        else:
            note, rows = pairs.verdicts.note(number), np.array([number], dtype=np.int64)
            self._compare_pane.judging_bar.note.stand(note, rows)

    def begin(self) -> None:
        """Other folders are opened: look at them as at the last ones."""
        self._opens_two = True
        if self._opened_versions:
            self._opened_versions = False
            self._differences.setChecked(False)
        self._action.setChecked(self._preferences.reading_mode)

    def _on_listed(self, result: ScanResult) -> None:
        """Two documents open straight into their comparison, two versions with their changes."""
        if not result.complete or not self._opens_two:
            return
        self._opens_two = False
        if len(result.documents) != TWO:
            return
        if not self.is_on:
            self._action.setChecked(True)
            self._preferences.reading_mode = False  # nobody chose it
        if result.is_of_two_versions and not self._differences.isChecked():
            self._opened_versions = True
            self._differences.setChecked(True)
