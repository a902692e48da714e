"""The middle of the window: the start page, or the tabs of what was found; messages below them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, runtime_checkable

from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from neardup_gui.models.scan_result import ScanResult
from neardup_gui.models.threshold import ThresholdModel
from neardup_gui.models.words.tab_titles import (
    CURVE_TITLE,
    TabTitle,
    documents_title,
    groups_title,
    pairs_title,
    passages_title,
    problems_title,
)
from neardup_gui.presenter.presenter import Presenter
from neardup_gui.views.documents import DocumentsPage
from neardup_gui.views.groups import GroupsPage
from neardup_gui.views.pairs.page import PairsPage
from neardup_gui.views.passages import PassagesPage
from neardup_gui.views.problems import ProblemsView
from neardup_gui.views.shell.message_bar import MessageBar
from neardup_gui.views.shell.start_page import StartPage
from neardup_gui.views.widgets.containers import FlatTabs, Scrolled
from neardup_gui.views.workbench.settings_page import WorkbenchPage


@runtime_checkable
class LeadingPage(Protocol):
    """A page whose current row says what is read below."""

    @property
    def entry(self) -> QWidget:
        """Where the keyboard enters."""

    def step(self, rows: int) -> None:
        """Go so many rows further down."""

    def tell_selection(self) -> None:
        """Show again what the current row is about."""


Titled = Callable[[ScanResult | None], TabTitle]


class Pages(QWidget):
    """Owns the pages. A page in a tab has an `entry`, the widget where the keyboard enters."""

    def __init__(
        self, presenter: Presenter, message_bar: MessageBar, threshold: ThresholdModel
    ) -> None:
        super().__init__()
        self.start = StartPage()
        self.pairs = PairsPage(presenter.pairs)
        self.groups = GroupsPage(presenter.groups.model)
        self.passages = PassagesPage(presenter.passages.model, presenter.passages.holders)
        self.documents = DocumentsPage(presenter.documents.model)
        self.problems = ProblemsView(presenter.problems)
        self.curve = WorkbenchPage(threshold)
        self.message_bar = message_bar
        self.tabs = FlatTabs()
        self._titles: dict[QWidget, Titled] = {
            self.pairs: pairs_title,
            self.documents: documents_title,
            self.problems: problems_title,
        }
        for page in (self.pairs, self.groups, self.passages, self.documents, self.problems):
            self.tabs.addTab(page, "")
        self.tabs.addTab(self.curve, CURVE_TITLE)
        self.name_tabs(None)
        self._name_groups(None)
        presenter.groups.grouped.connect(self._name_groups)
        self.tabs.currentChanged.connect(self._on_tab_changed)
        self._name_passages(None)
        presenter.passages.listed.connect(self._name_passages)
        self._stack = QStackedWidget()
        self._stack.addWidget(Scrolled(self.start, centred=True))
        self._stack.addWidget(self.tabs)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._stack, 1)
        column.addWidget(message_bar)  # below: the rows stay under the mouse when it comes

    def name_tabs(self, result: ScanResult | None) -> None:
        """Say on the tabs how many there are of each."""
        for page, title in self._titles.items():
            text, warning = title(result)
            self.tabs.set_title(page, text, warning=warning)

    @property
    def leading(self) -> LeadingPage:
        """The open page, or that of the pairs where it leads nowhere."""
        page = self.tabs.currentWidget()
        return page if isinstance(page, LeadingPage) else self.pairs

    def _on_tab_changed(self) -> None:
        self.leading.tell_selection()

    def _name_groups(self, number: int | None) -> None:
        self.tabs.set_title(self.groups, groups_title(number).text)

    def _name_passages(self, number: int | None) -> None:
        self.tabs.set_title(self.passages, passages_title(number).text)

    def show_tabs(self) -> None:
        """Leave the start page; nothing is listed yet."""
        self.problems.forget()
        self.name_tabs(None)
        self._stack.setCurrentWidget(self.tabs)
