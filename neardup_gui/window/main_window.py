"""The window: builds, lays out and connects; what happens is decided in the presenter."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtGui import QCloseEvent, QResizeEvent
from PySide6.QtWidgets import (
    QDockWidget,
    QMainWindow,
    QSizePolicy,
    QStackedWidget,
    QStatusBar,
    QToolBar,
    QVBoxLayout,
    QWidget,
)

from core import __version__
from neardup_gui.environment.preferences import Preferences
from neardup_gui.models.scan_result import ScanResult
from neardup_gui.models.words import sentences
from neardup_gui.models.words.message import Message, Offer
from neardup_gui.models.words.numbers import count
from neardup_gui.presenter.presenter import Presenter
from neardup_gui.views.compare.pane import ComparePane
from neardup_gui.views.pairs.page import PairsPage
from neardup_gui.views.problems.page import ProblemsView
from neardup_gui.views.shell.folder_drop import FolderDrop
from neardup_gui.views.shell.message_bar import MessageBar
from neardup_gui.views.shell.start_page import StartPage
from neardup_gui.views.shell.status import StatusLine
from neardup_gui.views.widgets.dock import Dock
from neardup_gui.views.widgets.flat_tabs import FlatTabs
from neardup_gui.views.widgets.scrolled import Scrolled
from neardup_gui.views.widgets.search_field import SearchField
from neardup_gui.views.widgets.tool_button import ToolButton
from neardup_gui.window.actions import Action, Actions, WindowState
from neardup_gui.window.appearance import Appearance
from neardup_gui.window.file_opener import FileOpener
from neardup_gui.window.files import Files
from neardup_gui.window.help import Help
from neardup_gui.window.layout import WindowLayout
from neardup_gui.window.menus import Menus
from neardup_gui.window.navigation import Navigation
from neardup_gui.window.outdated_notice import OutdatedNotice
from neardup_gui.window.problem_remedies import ProblemRemedies
from neardup_gui.window.refused_numbers import RefusedNumbers
from neardup_gui.window.side_panels import SidePanels

__all__ = ["MainWindow"]


class MainWindow(QMainWindow):
    """One window on one scan.

    Signals:
        closed: Everything is stopped and remembered.
    """

    closed = Signal()

    def __init__(
        self, presenter: Presenter, preferences: Preferences, appearance: Appearance
    ) -> None:
        super().__init__()
        self.presenter = presenter
        self._preferences = preferences
        self._appearance = appearance
        self._actions = Actions(self)
        self.setWindowTitle("Neardup")
        self._files = Files(presenter, preferences, self._actions, self)
        self._build()
        self._connect_actions()
        self._connect_views()
        self._connect_presenter()
        preferences.on_failure = self._on_settings_failed
        self._show_settings()
        self._show_state(presenter.state)

    # Build and lay out

    def _build(self) -> None:
        self.start_page = StartPage()
        self.pairs_page = PairsPage(self.presenter.pairs)
        self.pairs_page.outdated_row.offer(self._actions[Action.RESCAN])
        self._outdated_notice = OutdatedNotice(self.presenter, self.pairs_page.outdated_row, self)
        self.problems_view = ProblemsView(self.presenter.problems)
        self.compare_pane = ComparePane()
        self.side_panels = SidePanels(self.presenter, self._preferences, self)
        self.message_bar = MessageBar()
        self.search_field = SearchField()
        self.status_line = StatusLine()
        # In the order of the eye, which becomes the order of Tab.
        self._build_tool_bar()
        self._side_dock = Dock(
            "settings", "Threshold and setup", self.side_panels.content, self, heading="Threshold"
        )
        self._build_centre()
        self._compare_dock = Dock("compare", "Compare", self.compare_pane, self)
        docks: list[QDockWidget] = [self._side_dock, self._compare_dock]
        self._menus = Menus(self, self._actions, docks)
        self.navigation = Navigation(
            self._actions,
            tabs=self.tabs,
            pairs_page=self.pairs_page,
            compare_pane=self.compare_pane,
            search_field=self.search_field,
            docks=docks,
            message_bar=self.message_bar,
            window=self,
        )
        self._refused_numbers = RefusedNumbers(self.message_bar, self)
        self._help = Help(self._actions, self)
        self._file_opener = FileOpener(
            self.presenter, self._preferences, self._actions, self.compare_pane.view, self
        )
        self._file_opener.serve(self.pairs_page.table)
        self._file_opener.serve(self.problems_view)
        self.problems_view.paths_wanted.connect(self._file_opener.copy_paths)
        self._remedies = ProblemRemedies(
            self.presenter, self.problems_view, self.side_panels, self._side_dock, self
        )
        bar = QStatusBar()
        bar.setSizeGripEnabled(False)
        bar.addWidget(self.status_line, 1)
        self.setStatusBar(bar)
        self._drop = FolderDrop(self)
        self._layout = WindowLayout(
            self, self._tool_bar, self._side_dock, self._compare_dock, self._preferences
        )
        self._layout.restore_window()

    def _build_centre(self) -> None:
        self.tabs = FlatTabs()
        self.tabs.addTab(self.pairs_page, "Pairs")
        self.tabs.addTab(self.problems_view, "Problems")
        self._pages = QStackedWidget()
        self._pages.addWidget(Scrolled(self.start_page, centred=True))
        self._pages.addWidget(self.tabs)
        centre = QWidget()
        column = QVBoxLayout(centre)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.message_bar)
        column.addWidget(self._pages, 1)
        self.setCentralWidget(centre)

    def _build_tool_bar(self) -> None:
        self._tool_bar = QToolBar("Tool bar")
        self._tool_bar.setObjectName("tool_bar")
        self._tool_bar.setMovable(False)
        self._tool_bar.toggleViewAction().setEnabled(False)
        for name in (Action.OPEN_FOLDER, Action.RESCAN):
            self._tool_bar.addWidget(ToolButton(self._actions[name]))
        self._cancel_place = self._tool_bar.addWidget(ToolButton(self._actions[Action.CANCEL]))
        self._tool_bar.addSeparator()
        self._tool_bar.addWidget(ToolButton(self._actions[Action.EXPORT]))
        space = QWidget()
        space.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._tool_bar.addWidget(space)
        self._tool_bar.addWidget(self.search_field)
        self.addToolBar(self._tool_bar)

    # Connect

    def _connect_actions(self) -> None:
        slots = {
            Action.RESCAN: self.presenter.rescan,
            Action.CANCEL: self.presenter.cancel,
            Action.TAKE_OVER: self.presenter.take_over,
            Action.EXPORT_CURVE: partial(
                self._files.export_curve, self.side_panels.threshold.picture
            ),
            Action.REMOVE_MISSING: self.presenter.missing.remove_all,
            Action.BRING_BACK: self.presenter.missing.bring_back_all,
            Action.DELETE_REMOVED: self.presenter.missing.delete_removed,
            Action.QUIT: self.close,
            Action.SWAP_SIDES: self.presenter.pair.swap,
            Action.RESET_LAYOUT: self._layout.reset,
            Action.LARGER_TEXT: self._appearance.enlarge_text,
            Action.SMALLER_TEXT: self._appearance.shrink_text,
            Action.NORMAL_TEXT: self._appearance.reset_text,
            Action.ABOUT: self._on_about,
        }
        for name, slot in slots.items():
            self._actions[name].triggered.connect(slot)
        self._actions[Action.SCROLL_TOGETHER].toggled.connect(self._show_scrolling)
        self._appearance.text_resizing.connect(self._layout.text_resizing)
        self._appearance.text_resized.connect(self._layout.text_resized)

    def _connect_views(self) -> None:
        self.start_page.open_clicked.connect(self._files.open_folder)
        self.start_page.sample_clicked.connect(self._files.open_sample)
        self.start_page.recent_chosen.connect(self._files.open_recent)
        self._menus.recent_chosen.connect(self._files.open_recent)
        self._files.recent_changed.connect(self._menus.set_recent)
        self._files.recent_changed.connect(self.start_page.set_recent)
        self._files.named.connect(self.setWindowTitle)
        self._menus.scheme_chosen.connect(self._appearance.set_scheme)
        self._drop.hovered.connect(self.start_page.set_lit)
        self._drop.dropped.connect(self.presenter.open_paths)
        self.search_field.textChanged.connect(self.pairs_page.filter_row.set_text)
        self.pairs_page.filter_changed.connect(self.presenter.set_filter)
        self.pairs_page.filter_cleared.connect(self._on_filter_cleared)
        self.pairs_page.table.pair_selected.connect(self.presenter.open_pair)
        self.message_bar.link_clicked.connect(self._on_link_clicked)
        self.status_line.cancel_clicked.connect(self.presenter.cancel)
        scrolling = self._actions[Action.SCROLL_TOGETHER]
        self.status_line.scrolling_clicked.connect(scrolling.toggle)

    def _connect_presenter(self) -> None:
        presenter = self.presenter
        presenter.folders_opened.connect(self._on_folders_opened)
        presenter.listed.connect(self._on_listed)
        presenter.compared.connect(self.compare_pane.view.show_comparison)
        presenter.pair.loading.connect(self.compare_pane.view.show_loading)
        presenter.pair.failed.connect(self.compare_pane.view.clear)
        presenter.pair.swapped.connect(self.compare_pane.view.swap_sides)
        presenter.pair.lost.connect(self._on_pair_lost)
        presenter.progressed.connect(self.status_line.show_progress)
        presenter.ended.connect(self.status_line.show_summary)
        presenter.prepared.connect(self.status_line.show_aside)
        presenter.emptied.connect(self.pairs_page.set_reason)
        presenter.said.connect(self.message_bar.show_message)
        presenter.missing.settled.connect(self.message_bar.settle)
        presenter.state_changed.connect(self._show_state)

    # What the user does

    def _on_filter_cleared(self) -> None:
        self.search_field.clear()
        self.pairs_page.filter_row.clear()

    def _on_about(self) -> None:
        from core.documents.isolation.confinement import (  # noqa: PLC0415 - loads all readers
            confinement_here,
        )

        text = f"Neardup {__version__} finds near-duplicate documents. MIT licence."
        text += f" {confinement_here().sentence()}"
        self.message_bar.show_message(Message(text))

    def _on_link_clicked(self, target: object) -> None:
        if isinstance(target, Path):
            self._file_opener.show_path(target)
        elif target is Offer.OPEN_ANYWAY:
            self.message_bar.dismiss()
            self._file_opener.open_anyway()
        elif target is Offer.TAKE_OVER:
            self._actions[Action.TAKE_OVER].trigger()
        elif target is Offer.FIND_FOLDER:
            self._files.find_folder()
        elif isinstance(target, Offer):
            self.message_bar.settle()
            self.presenter.missing.answer(target)

    def _on_settings_failed(self, path: Path) -> None:
        self.message_bar.show_message(sentences.settings_not_saved(path))

    # What the presenter says

    def _on_folders_opened(self) -> None:
        self.message_bar.forget()
        self._on_filter_cleared()
        self.pairs_page.table.forget_selection()
        self.compare_pane.view.clear()
        self.problems_view.forget()
        self._name_tabs(None)
        self._pages.setCurrentWidget(self.tabs)
        self._layout.show_work()
        self.navigation.go_to_table()

    def _on_listed(self, result: ScanResult) -> None:
        self._name_tabs(result)
        if result.complete and self.pairs_page.table.selected_key is None:
            self.pairs_page.table.select_row(0)

    def _name_tabs(self, result: ScanResult | None) -> None:
        """Say on the tabs how many there are of each; nothing while nothing is listed."""
        pairs = f"Pairs {count(len(result.pairs))}" if result else "Pairs"
        self.tabs.set_title(self.pairs_page, pairs)
        problems = result.found.problem_counts.problems if result else 0
        title = f"Problems {count(problems)}" if problems else "Problems"
        self.tabs.set_title(self.problems_view, title, warning=problems > 0)

    def _on_pair_lost(self) -> None:
        self.compare_pane.view.clear()
        self.pairs_page.table.forget_selection()
        self.pairs_page.table.select_row(0)

    def _show_state(self, state: WindowState) -> None:
        self._actions.enable(state)
        self._cancel_place.setVisible(state.is_busy)
        self._show_scrolling()
        self.problems_view.password_row.set_busy(state.is_scanning)

    def _show_scrolling(self) -> None:
        together = self._actions[Action.SCROLL_TOGETHER].isChecked()
        self.status_line.show_scrolling(together=together, shown=self.presenter.state.has_pair)

    def _show_settings(self) -> None:
        self._files.tell_recent()
        self._menus.set_scheme(self._preferences.scheme)
        self.start_page.focus_first()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Share a new height between the table and the texts."""
        super().resizeEvent(event)
        if event.oldSize().isValid():
            self._layout.window_resized(event.size().height() - event.oldSize().height())

    def closeEvent(self, event: QCloseEvent) -> None:
        """Remember the window, stop the work, wait for its threads."""
        self._layout.save()
        self.hide()
        self.presenter.stop()
        self.closed.emit()
        super().closeEvent(event)
