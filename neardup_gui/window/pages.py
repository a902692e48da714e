"""The middle of the window: the start page, or the tabs of results; messages below them."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QStackedWidget, QWidget

from core.base.messages import N_, gettext
from core.base.wording import count
from neardup_gui.models.scan_result import ScanResult
from neardup_gui.models.threshold import ThresholdModel
from neardup_gui.presenter.presenter import Presenter
from neardup_gui.views.documents import DocumentsPage
from neardup_gui.views.groups import GroupsPage
from neardup_gui.views.pairs.page import PairsPage
from neardup_gui.views.passages import PassagesPage
from neardup_gui.views.problems import ProblemsPage
from neardup_gui.views.shell.message_bar import MessageBar, has_focus
from neardup_gui.views.shell.search_row import SearchRow
from neardup_gui.views.shell.start_page import StartPage
from neardup_gui.views.widgets.containers import FlatTabs, VerticalScrollArea
from neardup_gui.views.widgets.layouts import column_in

if TYPE_CHECKING:
    from neardup_gui.views.workbench.settings_page import WorkbenchPage


@runtime_checkable
class LeadingPage(Protocol):
    """A page whose current row chooses what is read below."""

    @property
    def entry(self) -> QWidget:
        """The widget that takes the focus."""

    def step(self, rows: int) -> None:
        """Move this many rows down."""

    def emit_selection(self) -> None:
        """Show the content of the current row again."""


CURVE = N_("Curve")  # the title of the curve's tab
# What the other tabs list, in their order.
EXPLAINED = (
    N_("Pairs of documents that share text. The pair that shares most comes first."),
    N_("Documents that share text with one another. The largest group comes first."),
    N_("Each shared passage, with all documents that contain it."),
    N_("Each document, and how much of it also appears in others."),
    N_("Files that could not be read in full, and why."),
)


class Pages(QWidget):
    """Owns the pages. A page in a tab has an `entry`, the widget that takes the focus.

    Attributes:
        lists: The pages of rows: their files are opened, their filter is cleared in one place.

    Signals:
        curve_made: The `WorkbenchPage`: it was made, as somebody wants to see it.
    """

    curve_made = Signal(object)

    def __init__(
        self, presenter: Presenter, message_bar: MessageBar, threshold: ThresholdModel
    ) -> None:
        super().__init__()
        self.start = StartPage()
        self.pairs = PairsPage(presenter.pairs)
        self.groups = GroupsPage(presenter.groups.model)
        self.passages = PassagesPage(presenter.passages.model, presenter.passages.holders)
        self.documents = DocumentsPage(presenter.documents.model)
        self.problems = ProblemsPage(presenter.problems)
        self._threshold = threshold
        self._made_curve: WorkbenchPage | None = None
        self._before_curve = QWidget()  # the tab until its page is made
        self.search_row = SearchRow()
        self.message_bar = message_bar
        self.tabs = FlatTabs(gettext("Lists"))
        self.lists = (self.pairs, self.groups, self.passages, self.documents)
        for page, words in zip((*self.lists, self.problems), EXPLAINED, strict=True):
            self.tabs.setTabToolTip(self.tabs.addTab(page, ""), gettext(words))
        self.tabs.addTab(self._before_curve, gettext(CURVE))
        self.name_tabs(None)
        presenter.groups.grouped.connect(partial(self._name, self.groups, gettext("Groups")))
        self._name(self.groups, gettext("Groups"), None)
        presenter.passages.listed.connect(partial(self._name, self.passages, gettext("Passages")))
        self._name(self.passages, gettext("Passages"), None)
        self.pairs.table.outdated_changed.connect(self._on_pairs_faded)
        self.tabs.currentChanged.connect(self._on_tab_changed)
        self._stack = QStackedWidget()
        self._stack.addWidget(VerticalScrollArea(self.start, centred=True))
        self._stack.addWidget(self.tabs)
        # The bar is below: the rows stay under the mouse when it comes.
        column_in(self, self.search_row, (self._stack, 1), message_bar, margins=0, spacing=0)

    @property
    def curve(self) -> WorkbenchPage:
        """The page of the curve, a third of the window's widgets; made when first wanted."""
        if self._made_curve is None:
            from neardup_gui.views.workbench.settings_page import WorkbenchPage

            self._made_curve = WorkbenchPage(self._threshold)
            index, current = self.tabs.indexOf(self._before_curve), self.tabs.currentIndex()
            had_focus = has_focus(self._before_curve)
            with QSignalBlocker(self.tabs):
                self.tabs.removeTab(index)
                self.tabs.insertTab(index, self._made_curve, gettext(CURVE))
                self.tabs.setCurrentIndex(current)
            self._before_curve.deleteLater()
            self.curve_made.emit(self._made_curve)
            if had_focus:  # else the focus went to the message bar
                self._made_curve.entry.setFocus()
        return self._made_curve

    @property
    def is_curve_open(self) -> bool:
        """Whether the page of the curve is in front."""
        return self._made_curve is not None and self.tabs.currentWidget() is self._made_curve

    def set_outdated(self, *, is_outdated: bool) -> None:
        """Show whether a newer list is being made."""
        for page in (self.pairs, self.groups, self.passages):
            page.table.set_outdated(is_outdated=is_outdated)

    def _on_pairs_faded(self) -> None:
        if self.pairs.table.is_outdated:
            self._name(self.pairs, gettext("Pairs …"), None)
        else:
            self.name_tabs(self._listed)

    def name_tabs(self, result: ScanResult | None) -> None:
        """Show on the tabs the number of each; no number while nothing is listed."""
        self._listed = result
        self._name(self.pairs, gettext("Pairs"), self.pairs.listed if result else None)
        self._name(self.documents, gettext("Documents"), len(result.documents) if result else None)
        problems = result.pair_list.problem_counts.problems if result else 0
        self._name(self.problems, gettext("Problems"), problems or None, warning=problems > 0)

    def _name(
        self, page: QWidget, title: str, number: int | None, *, warning: bool = False
    ) -> None:
        words = title if number is None else f"{title} {count(number)}"
        self.tabs.set_title(page, words, warning=warning)

    @property
    def leading(self) -> LeadingPage:
        """The open page, or that of the pairs if its rows open nothing."""
        page = self.tabs.currentWidget()
        return page if isinstance(page, LeadingPage) else self.pairs

    @property
    def entry(self) -> QWidget:
        """The widget of the page in front that takes the focus."""
        if self.is_curve_open:
            return self.curve.entry
        is_problems = self.tabs.currentWidget() is self.problems
        return self.problems.entry if is_problems else self.leading.entry

    def _on_tab_changed(self) -> None:
        if self.tabs.currentWidget() is self._before_curve:
            _ = self.curve
        self.leading.emit_selection()

    def show_tabs(self) -> None:
        """Leave the start page; nothing is listed yet."""
        self.problems.forget()
        self.name_tabs(None)
        page = self._stack.currentWidget()
        if page is not None and page is not self.tabs:
            self._stack.removeWidget(page)  # its width would still count
            page.deleteLater()  # with all that it would follow
