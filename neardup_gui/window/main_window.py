"""The window: builds, lays out and connects; what happens is decided in the presenter."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import NamedTuple

from PySide6.QtCore import Signal
from PySide6.QtGui import QCloseEvent, QMoveEvent, QResizeEvent
from PySide6.QtWidgets import QDialog, QDockWidget, QMainWindow, QWidget

from core.base.messages import N_, gettext
from core.settings import ScanSettings
from neardup_gui.environment.preferences import Preferences
from neardup_gui.models.pairs.table import outdated_sentence
from neardup_gui.models.scan_result import ListedPair, ScanResult
from neardup_gui.models.window_state import WindowState
from neardup_gui.models.words import sentences
from neardup_gui.models.words.sentences import CopyOffer, Message, Offer, OpenOffer
from neardup_gui.presenter.presenter import Presenter
from neardup_gui.views.compare.view import ComparePane
from neardup_gui.views.shell.message_bar import MessageBar
from neardup_gui.views.shell.start_page import FolderDrop
from neardup_gui.views.shell.status import StatusBar, StatusLine
from neardup_gui.views.widgets.buttons import ToolButton
from neardup_gui.views.widgets.containers import Dock
from neardup_gui.views.widgets.controls import NumberBox, SearchField
from neardup_gui.window.actions import TEXT_SIZES, VERDICTS, Action
from neardup_gui.window.files import FileOpener, Files
from neardup_gui.window.help import Help
from neardup_gui.window.judging import Judging, Signing, UndoActions
from neardup_gui.window.layout import Appearance, BarsOfLowWindow, WindowLayout
from neardup_gui.window.menus import Actions, Menus, ToolBar
from neardup_gui.window.navigation import Lists, Navigation, Search
from neardup_gui.window.pages import Pages
from neardup_gui.window.parts import Focus, Part, Shared
from neardup_gui.window.reading_mode import ReadingBar, ReadingMode
from neardup_gui.window.reports import Reports
from neardup_gui.window.setup import ExclusionActions, FolderRequests, ProblemRemedies
from neardup_gui.window.side_panels import SidePanels
from neardup_gui.window.tour import Tour
from neardup_gui.window.workbench import Workbench


class Answers(Part):
    """Follows the links of the message bar; a message goes when its link was followed."""

    def __init__(
        self, shared: Shared, files: Files, file_opener: FileOpener, signing: Signing, help_: Help
    ) -> None:
        super().__init__(shared)
        presenter, self._bar = shared.presenter, shared.message_bar
        self._file_opener = file_opener
        self._stays = {Offer.TAKE_OVER: presenter.take_over, Offer.FIND_FOLDER: files.find_folder}
        self._goes: dict[Offer, Callable[[], object]] = {
            Offer.OPEN_ANYWAY: file_opener.open_anyway,
            Offer.UNDO: presenter.decisions.undo,
            Offer.START_ANEW: presenter.opening.start_anew,
            Offer.RESCAN: presenter.rescan,
            Offer.SIGN: signing.ask,
            Offer.SET_COMMON_ASIDE: presenter.exclusions.set_very_common,
            Offer.SET_MOST_ASIDE: presenter.set_in_most_aside,
            Offer.JOIN_SUBMISSIONS: presenter.join_submissions,
            Offer.SHOW_DIFFERENCES: partial(shared.compare_pane.view.differences_wanted.emit, True),
            Offer.USE_EARLIER: presenter.use_earlier,
            Offer.READ_LICENCES: help_.show_licences,
        }
        self._bar.answers.clicked.connect(self._on_link_clicked)
        self._bar.closed.connect(presenter.ask_next)
        presenter.decisions.decided.connect(partial(self._bar.withdraw_offer, Offer.UNDO))

    def _on_link_clicked(self, target: object) -> None:
        if isinstance(target, Path | OpenOffer | CopyOffer):
            self._file_opener.follow(target)
        elif not isinstance(target, Offer):
            return
        elif target in self._stays:
            self._stays[target]()
        elif target in self._goes:
            self._bar.dismiss()
            is_answered = not self._bar.has_question
            self._goes[target]()
            if is_answered:
                self._presenter.ask_next()
        else:
            self._bar.settle()
            self._presenter.missing.answer(target)


class OutdatedNotice(Part):
    """Shows whether the settings or the files changed since the list was made."""

    def __init__(self, shared: Shared) -> None:
        super().__init__(shared)
        presenter = shared.presenter
        for changes in (
            presenter.scans.settings_changed,
            presenter.reading.changed,
            presenter.listed,
            presenter.state_changed,
        ):
            changes.connect(self._on_changed)

    def _on_changed(self) -> None:
        """Update the notice; empty while a scan runs, which updates the list itself."""
        presenter, result = self._presenter, self._presenter.current.result
        of_run = result is not None and result.is_of_run
        changes = () if presenter.state.is_scanning else presenter.current.changes_since
        row = self._pages.pairs.outdated_row
        row.show_sentence(outdated_sentence(changes, is_of_run=of_run), is_of_run=of_run)


class RefusedNumbers(Part):
    """Shows in the message bar why a field refused its text, until a number is entered."""

    def __init__(self, shared: Shared) -> None:
        super().__init__(shared)
        self._bar = shared.message_bar
        self._refusal = Message("")
        self._listen(shared.window)
        shared.pages.curve_made.connect(self._listen)

    def _listen(self, container: QWidget) -> None:
        for box in container.findChildren(NumberBox):
            box.refused.connect(self._on_refused)
            box.valueChanged.connect(self._on_taken)

    def _on_refused(self, sentence: str) -> None:
        self._refusal = Message(sentence, warning=True)
        self._bar.show_message(self._refusal)

    def _on_taken(self) -> None:
        self._bar.withdraw(self._refusal)


PAIR_HIDDEN = N_("The filter hides the pair that was read here. Clear it, or choose another pair.")


class WindowSnapshot(NamedTuple):
    """What another window needs to show the same as this one.

    Attributes:
        paths: The review, or folders that have none.
        settings: The settings that are chosen.
        pair: The pair that is selected.
        tab: The index of the tab in front.
        search: The text of the search field.
    """

    paths: tuple[Path, ...]
    settings: ScanSettings
    pair: ListedPair | None
    tab: int
    search: str


class MainWindow(QMainWindow):
    """One window on one scan.

    Signals:
        language_chosen: The code of another language for this window, "" for that of the system.
    """

    language_chosen = Signal(str)

    def __init__(
        self, presenter: Presenter, preferences: Preferences, appearance: Appearance
    ) -> None:
        super().__init__()
        self.presenter = presenter
        self._preferences = preferences
        self.appearance = appearance
        self._destination: WindowSnapshot | None = None
        self._actions = Actions(self)
        self.setWindowTitle("Neardup")
        self._build()
        self._build_parts()
        bars = self.pages.pairs.filter_row, self.message_bar
        self._bars = BarsOfLowWindow(bars, self.compare_pane.view.header.dot_plot)
        self._connect_actions()
        self._connect_views()
        self._connect_presenter()
        preferences.on_failure = self._on_settings_failed
        self._show_settings()
        self._show_state(presenter.state)
        appearance.set_window(self)

    # Build and lay out

    def _build(self) -> None:
        self.message_bar = MessageBar()
        self.side_panels = SidePanels(self.presenter, self._preferences, self)
        self.pages = Pages(self.presenter, self.message_bar, self.side_panels.model)
        self.compare_pane = ComparePane()
        self.search_field = SearchField()
        self.status_line = StatusLine()
        # In the order of the eye, which becomes the order of Tab.
        self._tool_bar = ToolBar(self._actions, self.search_field)
        self.addToolBar(self._tool_bar)
        self._reading_bar = ReadingBar(self._actions[Action.EXPORT], self._actions[Action.READING])
        self.addToolBar(self._reading_bar)
        self._reading_bar.hide()
        title = gettext("Settings")
        self._side_dock = Dock("settings", title, self.side_panels.content, self, heading=title)
        self.setCentralWidget(self.pages)
        self._compare_dock = Dock("compare", gettext("Compare"), self.compare_pane, self)
        self._menus = Menus(self, self._actions, self._docks)
        self._drop = FolderDrop(self)
        self.setStatusBar(StatusBar(self.status_line))

    def _build_parts(self) -> None:
        """Build the parts that act on the widgets; sizes are restored after docks are placed."""
        actions, pages = self._actions, self.pages
        shared = Shared(
            self,
            self.presenter,
            self._preferences,
            pages,
            self.side_panels,
            self.compare_pane,
            self.search_field,
            self.message_bar,
        )
        self.files = Files(shared)
        FolderRequests(shared)
        pages.pairs.outdated_row.offer(actions[Action.RESCAN])
        OutdatedNotice(shared)
        keys = actions[Action.EXPORT].shortcuts()
        self.navigation = Navigation(shared, self._docks, keys)
        focus = Focus(shared)
        lists = Lists(shared, focus)
        lists.reading_wanted.connect(self.navigation.read_pair)
        for panel in (self.side_panels.setup, self.side_panels.reading):
            # The button goes: without this the next field gets its focus, and the keys of verdicts.
            panel.rescan.button.clicked.connect(self.navigation.enter_tab)
        Search(shared)
        RefusedNumbers(shared)
        text_sizes = [actions[size] for size in TEXT_SIZES]
        self.help = Help(text_sizes, self)
        pages.start.first_steps.clicked.connect(self.help.show_first_steps)
        of_sides = (
            (actions[Action.OPEN_FILE_A], actions[Action.SHOW_FILE_A]),
            (actions[Action.OPEN_FILE_B], actions[Action.SHOW_FILE_B]),
        )
        self.file_opener = FileOpener(shared, of_sides)
        Answers(shared, self.files, self.file_opener, Signing(shared), self.help)
        for page in pages.lists:
            self.file_opener.serve(page.table)
        self.file_opener.serve(pages.problems.table)
        pages.problems.table.paths_wanted.connect(self.file_opener.copy_paths)
        ProblemRemedies(shared, self._side_dock)
        verdicts = {given: actions[name] for given, name in VERDICTS.items()}
        self.judging = Judging(shared, lists, verdicts, actions[Action.NOTE])
        self.exclusions = ExclusionActions(shared)
        self.exclusions.offer(actions[Action.SET_ASIDE])
        self.undoing = UndoActions(shared, focus, (actions[Action.UNDO], actions[Action.REDO]))
        self.arrangement = WindowLayout(
            self,
            self.pages,
            self._tool_bar,
            self._reading_bar,
            self._side_dock,
            self._compare_dock,
            self._preferences,
            lambda: self.compare_pane.above_texts,
        )
        self.arrangement.restore_window()
        judging = (Action.CONFIRM, Action.SUSPECT, Action.REJECT)
        self.compare_pane.judging_bar.offer(
            [actions[name] for name in judging], actions[Action.NEXT_PAIR]
        )
        on_pairs = [*verdicts.values(), actions[Action.NOTE]]
        pages.pairs.table.offer(on_pairs)
        pages.tabs.setCornerWidget(ToolButton(actions[Action.READING]))
        self.reading_mode = ReadingMode(
            shared,
            self.arrangement,
            actions[Action.READING],
            actions[Action.DIFFERENCES],
            self._reading_bar,
        )
        self.navigation.left_reading = self.reading_mode.leave
        self.workbench = Workbench(shared, self.arrangement, self.navigation, self.files)
        self.reports = Reports(shared, self.files, self.file_opener)
        Tour(shared, text_sizes, self.help)

    @property
    def _docks(self) -> list[QDockWidget]:
        return [self._side_dock, self._compare_dock]

    @property
    def snapshot(self) -> WindowSnapshot:
        """What the window shows now."""
        presenter, review = self.presenter, self.presenter.review.path
        return WindowSnapshot(
            paths=(review,) if review else presenter.current.folders,
            settings=presenter.current.settings,
            pair=self.pages.pairs.table.selected_key,
            tab=self.pages.tabs.currentIndex(),
            search=self.search_field.text(),
        )

    def go_to(self, destination: WindowSnapshot) -> None:
        """Open what another window had open, and show the same pair, tab and search."""
        self._destination = destination
        if destination.paths:
            self.presenter.open_paths(destination.paths)

    # Connect

    def _connect_actions(self) -> None:
        self._actions.connect_parts(self)
        self._actions[Action.SCROLL_TOGETHER].toggled.connect(self._show_scrolling)
        self.appearance.text_resizing.connect(self.arrangement.text_resizing)
        self.appearance.text_resized.connect(self.arrangement.text_resized)

    def _connect_views(self) -> None:
        self.files.serve(self.pages.start)
        self._menus.recent_chosen.connect(self.files.open_recent)
        self.files.recent_changed.connect(self._menus.set_recent)
        self.files.named.connect(self.setWindowTitle)
        self._menus.scheme_chosen.connect(self.appearance.set_scheme)
        self._menus.language_chosen.connect(self.language_chosen)
        self._drop.hovered.connect(self.pages.start.set_lit)
        self._drop.dropped.connect(self.presenter.open_paths)
        self.search_field.textChanged.connect(self.pages.pairs.filter_row.set_text)
        check = self.side_panels.threshold.judged.show_check
        check.clicked.connect(self.pages.pairs.filter_row.show_check)
        for page in self.pages.lists:
            page.filter_cleared.connect(self._on_filter_cleared)
        self.pages.pairs.filter_row.filter_changed.connect(self.presenter.pairs.set_filter)
        self.pages.pairs.verdict_given.connect(self.presenter.verdicts.judge)
        self.pages.pairs.note_row.written.connect(self.presenter.verdicts.write_note)
        self.pages.pairs.filter_row.seen.clicked.connect(self.presenter.verdicts.mark_seen)
        self.pages.pairs.filter_row.sharing.clicked.connect(self.presenter.add_sharing)
        self.pages.pairs.table.pair_hidden.connect(self._on_pair_hidden)
        self.status_line.cancel.clicked.connect(self.presenter.cancel)
        scrolling = self._actions[Action.SCROLL_TOGETHER]
        self.status_line.scrolling.clicked.connect(scrolling.toggle)
        reads_properties = self._actions[Action.READ_PROPERTIES]
        reads_properties.setChecked(self._preferences.reads_properties)
        reads_properties.toggled.connect(partial(setattr, self._preferences, "reads_properties"))
        differences = self._actions[Action.DIFFERENCES]
        differences.toggled.connect(self.compare_pane.view.set_differences)
        self.compare_pane.view.differences_wanted.connect(differences.setChecked)

    def _connect_presenter(self) -> None:
        presenter = self.presenter
        presenter.folders_opened.connect(self._on_folders_opened)
        presenter.listed.connect(self._on_listed)
        self.pages.pairs.seen_rows.seen.connect(presenter.thumbnails.show_rows)
        presenter.thumbnails.drawn.connect(self.pages.pairs.table.viewport().update)
        presenter.pair.compared.connect(self.compare_pane.view.show_comparison)
        self.compare_pane.view.header.why_opened.connect(presenter.why.set_open)
        for reasons_changed in (presenter.why.previewed, presenter.why.value_changed):
            reasons_changed.connect(self.compare_pane.view.header.why_panel.show_rare)
        header = self.compare_pane.view.header
        presenter.properties_changed.connect(header.show_properties)
        presenter.pair.changes_ready.connect(self.compare_pane.view.show_changes)
        presenter.pair.loading.connect(self.compare_pane.view.show_loading)
        presenter.pair.failed.connect(self.compare_pane.view.clear)
        presenter.pair.swapped.connect(self.compare_pane.view.swap_sides)
        presenter.pair.lost.connect(self._on_pair_lost)
        presenter.progressed.connect(self.status_line.show_progress)
        presenter.ended.connect(self.status_line.show_summary)
        presenter.prepared.connect(self.status_line.note.show_sentence)
        presenter.emptied.connect(self.pages.pairs.set_reason)
        presenter.message_posted.connect(self.message_bar.show_message)
        self.help.message_posted.connect(self.message_bar.show_message)
        presenter.verdicts.row_wanted.connect(self.pages.pairs.table.select_row)
        presenter.missing.question_settled.connect(self.message_bar.settle)
        presenter.state_changed.connect(self._show_state)
        presenter.state_changed.connect(self.pages.start.take_state)

    # The user's actions

    def _on_filter_cleared(self) -> None:
        self.search_field.clear()
        self.pages.pairs.filter_row.clear()

    def _on_settings_failed(self, path: Path) -> None:
        self.message_bar.show_message(sentences.settings_not_saved(path))

    # Signals of the presenter

    def _on_folders_opened(self) -> None:
        self.message_bar.forget()
        self._on_filter_cleared()
        self.pages.pairs.table.forget_selection()
        self.compare_pane.view.clear()
        self.pages.show_tabs()
        self.arrangement.show_work()
        self.reading_mode.begin()
        self.navigation.go_to_table()

    def _on_listed(self, result: ScanResult) -> None:
        self.pages.name_tabs(result)
        if result.complete and self._destination is not None:
            self._arrive(self._destination)
        if result.complete and self.pages.pairs.table.selected_key is None:
            self.pages.pairs.table.select_row(0)

    def _arrive(self, destination: WindowSnapshot) -> None:
        self._destination = None
        if destination.settings != self.presenter.current.settings:
            self.side_panels.take(destination.settings)
        self.search_field.setText(destination.search)
        row = None if destination.pair is None else self.presenter.pairs.row_of(destination.pair)
        if row is not None:
            self.pages.pairs.table.select_row(row)
        self.pages.tabs.setCurrentIndex(destination.tab)

    def _on_pair_hidden(self) -> None:
        """Close a pair that no row shows: keys would judge another one."""
        if self.pages.leading is self.pages.pairs:
            self.presenter.pair.forget()
            is_hidden = self.pages.pairs.table.selected_key is not None
            self.compare_pane.view.clear(gettext(PAIR_HIDDEN) if is_hidden else "")

    def _on_pair_lost(self) -> None:
        self.compare_pane.view.clear()
        self.pages.pairs.table.forget_selection()
        self.pages.pairs.table.select_row(0)

    def _show_state(self, state: WindowState) -> None:
        self._actions.enable(self.undoing.at_focus(state))
        self.judging.take_state()
        self._show_scrolling()
        self.pages.problems.take_state(state)
        self.pages.set_outdated(is_outdated=state.is_listing)
        self.status_line.saved.show_state(state.saved)
        self._menus.language.setEnabled(not state.is_busy)

    def _show_scrolling(self) -> None:
        together = self._actions[Action.SCROLL_TOGETHER].isChecked()
        self.status_line.scrolling.setVisible(self.presenter.state.has_pair and not together)

    def _show_settings(self) -> None:
        self.files.emit_recent()
        self._menus.set_scheme(self._preferences.scheme)
        self._menus.set_language(self._preferences.language)
        self.pages.start.open.setFocus()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Share a new height between the table and the texts."""
        super().resizeEvent(event)
        self._bars.fit(event.size().height())
        if event.oldSize().isValid():
            self.arrangement.window_resized(event.size().height() - event.oldSize().height())

    def moveEvent(self, event: QMoveEvent) -> None:
        """Remember where the window is."""
        super().moveEvent(event)
        self.arrangement.note_later()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Remember the window, stop the work, wait for its threads."""
        if not self.presenter.opening.may_leave():
            event.ignore()
            return
        self.side_panels.remember()
        self.files.remember_opened()
        self.arrangement.save()
        self._preferences.save()
        self.hide()
        self.presenter.stop()
        self.appearance.leave()
        for shown in self.findChildren(QDialog):
            shown.close()
        super().closeEvent(event)
