"""Every action of the window: its words, its keys, its menu, when it can be used, what it does.

What is not in this table has no key; what is in it appears in a menu.
A new action is a new entry and the method that it names.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, StrEnum
from functools import partial
from operator import attrgetter
from typing import TYPE_CHECKING, Protocol

from PySide6.QtGui import QKeySequence

from core.base.messages import N_, gettext
from core.scan.judgements import Verdict
from neardup_gui.models.pairs.columns import Column
from neardup_gui.models.window_state import WindowState
from neardup_gui.models.words.sentences import without_mnemonic
from neardup_gui.models.words.verdicts import MARKS

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from neardup_gui.presenter.presenter import Presenter
    from neardup_gui.window.files import FileOpener, Files
    from neardup_gui.window.help import Help
    from neardup_gui.window.judging import Judging, UndoActions
    from neardup_gui.window.layout import Appearance, WindowLayout
    from neardup_gui.window.navigation import Navigation
    from neardup_gui.window.reading_mode import ReadingMode
    from neardup_gui.window.reports import Reports
    from neardup_gui.window.setup import ExclusionActions
    from neardup_gui.window.side_panels import SidePanels
    from neardup_gui.window.workbench import Workbench


class Menu(StrEnum):
    """The menus, from left to right."""

    FILE = N_("&File")
    REVIEW = N_("&Review")
    VIEW = N_("&View")
    SORT = N_("Sort &by")  # in the View menu
    HELP = N_("&Help")


class WindowParts(Protocol):
    """A window by the parts of it that do what its actions say."""

    presenter: Presenter
    files: Files
    file_opener: FileOpener
    navigation: Navigation
    reports: Reports
    judging: Judging
    exclusions: ExclusionActions
    side_panels: SidePanels
    undoing: UndoActions
    workbench: Workbench
    arrangement: WindowLayout
    appearance: Appearance
    help: Help
    reading_mode: ReadingMode

    def close(self) -> bool:
        """Close it."""


Slot = Callable[..., object]


@dataclass(frozen=True, slots=True, eq=False)
class ActionEntry:
    """What is known of an action.

    Attributes:
        menu: Where it is, in the order of the table.
        text: What it is called there; "&" marks a letter.
        does: What it does, as a method of one of the parts; one of a checkable action takes a bool.
        keys: All that trigger it.
        enabled: Whether it can be used in a state.
        elsewhere: Keys that its widget handles by itself, in words.
        checkable: Whether it is on or off.
        is_on: Whether a checkable one is on at first.
        within: The widget that its keys count in; the window where there is none.
        everywhere: Whether its keys count in every other window of ours, too.
        separator: Whether a line is above it in the menu.
        group: The menu within its menu that it is in; "" for none.
        tool_group: Where it is in the tool bar, with a line between groups; 0 is nowhere.
        mark: A sign before its words in the tool bar.
    """

    menu: Menu
    text: str
    does: Callable[[WindowParts], Slot]
    keys: tuple[str, ...] = ()
    enabled: Callable[[WindowState], bool] = lambda _state: True
    elsewhere: str = ""
    checkable: bool = False
    is_on: bool = True
    within: Callable[[WindowParts], QWidget] | None = None
    everywhere: bool = False
    separator: bool = False
    group: str = ""
    tool_group: int = 0
    mark: str = ""

    @property
    def title(self) -> str:
        """The text without its mark."""
        return without_mnemonic(gettext(self.text))

    @property
    def keys_in_words(self) -> str:
        """The keys as this system writes them."""
        native = QKeySequence.SequenceFormat.NativeText
        keys = [QKeySequence(key).toString(native) for key in self.keys]
        return ", ".join([*keys, *([gettext(self.elsewhere)] if self.elsewhere else [])])

    @property
    def tip(self) -> str:
        """What a tool tip says."""
        title = self.title.rstrip("…")
        return f"{title} ({self.keys_in_words})" if self.keys else title


has_pairs, has_pair = attrgetter("has_pairs"), attrgetter("has_pair")
has_scan = attrgetter("has_scan")  # a finished one, and none is under way


def can_judge(state: WindowState) -> bool:
    """There is something to judge."""
    return state.has_pairs or state.has_passages


def verdict(text: str, key: str, given: Verdict, *, tool_group: int = 0) -> ActionEntry:
    """An entry that gives a verdict, marked as everywhere."""
    return ActionEntry(
        Menu.REVIEW,
        text,
        lambda on: partial(on.judging.judge, given),
        (key,),
        can_judge,
        mark=MARKS[given],
        tool_group=tool_group,
    )


def sort(column: Column) -> ActionEntry:
    """An entry that orders the table."""
    text, key = column.words.sorts
    does = partial(_sorter, column)
    keys = (key,) if key else ()
    return ActionEntry(Menu.SORT, text or column.words.title, does, keys, has_pairs)


def _sorter(column: Column, parts: WindowParts) -> Slot:
    return partial(parts.navigation.table.sort_by, column)


PAIR, PASSAGE, FILES = N_("&Pair"), N_("P&assage"), N_("&Files of the pair")
SEARCH, REMOVED = N_("Fin&d"), N_("&Removed documents")


# fmt: off
class Action(Enum):
    """The actions, by name; those that sort are `SORT_` and the name of a column."""

    _ignore_ = "_members _column"
    _members = vars()

    OPEN_FOLDER = ActionEntry(
        Menu.FILE, N_("&Open folder…"), lambda on: on.files.open_folder, ("Ctrl+O",),
        tool_group=1)
    OPEN_DOCUMENTS = ActionEntry(
        Menu.FILE, N_("Compare two &documents…"), lambda on: on.files.open_documents)
    OPEN_REVIEW = ActionEntry(
        Menu.FILE, N_("Open re&view…"), lambda on: on.files.open_review, ("Ctrl+Shift+O",))
    OPEN_SAMPLE = ActionEntry(
        Menu.FILE, N_("Open the &sample corpus"), lambda on: on.files.open_sample)
    RESCAN = ActionEntry(
        Menu.FILE, N_("&Rescan"), lambda on: on.presenter.rescan, ("F5",),
        lambda state: state.has_folder and not state.is_scanning, separator=True, tool_group=1)
    CANCEL = ActionEntry(
        Menu.FILE, N_("&Cancel"), lambda on: on.presenter.cancel, ("Ctrl+.",),
        lambda state: state.is_busy, tool_group=1)
    SAVE_REVIEW = ActionEntry(
        Menu.FILE, N_("Save rev&iew"), lambda on: on.files.save_review, ("Ctrl+S",),
        has_scan, separator=True)
    SAVE_REVIEW_AS = ActionEntry(
        Menu.FILE, N_("Save review &as…"), lambda on: on.files.save_review_as, ("Ctrl+Shift+S",),
        has_scan)
    START_ANEW = ActionEntry(
        Menu.FILE, N_("Start a &new review"), lambda on: on.presenter.opening.start_anew, (),
        lambda state: state.has_scan and state.is_of_folder)
    TAKE_OVER = ActionEntry(
        Menu.FILE, N_("&Take over the review"), lambda on: on.presenter.take_over, (),
        lambda state: state.is_taken and not state.is_scanning)
    EXPORT = ActionEntry(
        Menu.FILE, N_("R&eport…"), lambda on: on.reports.open, ("Ctrl+E",),
        lambda state: state.has_list and not state.is_busy, separator=True, tool_group=4)
    CHECK_REPORT = ActionEntry(
        Menu.FILE, N_("Chec&k a report…"), lambda on: on.reports.checks.choose)
    EXPORT_CURVE = ActionEntry(
        Menu.FILE, N_("Export c&urve as image…"),
        lambda on: partial(on.files.export_curve, on.workbench.picture),
        ("Ctrl+Shift+E",), lambda state: state.has_folder)
    LOAD_SETTINGS = ActionEntry(
        Menu.FILE, N_("&Load settings…"), lambda on: on.workbench.sharing.load, separator=True)
    SAVE_SETTINGS = ActionEntry(
        Menu.FILE, N_("Save settin&gs…"), lambda on: on.workbench.sharing.save)
    LINES = ActionEntry(
        Menu.FILE, N_("Copy settings for ot&her tools…"),
        lambda on: on.workbench.sharing.show_lines)
    QUIT = ActionEntry(
        Menu.FILE, N_("&Quit"), lambda on: on.close, ("Ctrl+Q",), separator=True)
    CONFIRM = verdict(N_("Confirmed"), "1", Verdict.CONFIRMED, tool_group=2)
    SUSPECT = verdict(N_("Suspicious"), "2", Verdict.SUSPICIOUS, tool_group=2)
    REJECT = verdict(N_("Not a match"), "3", Verdict.NOT_A_MATCH, tool_group=2)
    UNREVIEW = verdict(N_("Not reviewed"), "0", Verdict.NOT_REVIEWED)
    NOTE = ActionEntry(
        Menu.REVIEW, N_("Note"), lambda on: on.judging.write_note, ("N",), can_judge, tool_group=3)
    UNDO = ActionEntry(
        Menu.REVIEW, N_("Undo"), lambda on: on.undoing.undo, ("Ctrl+Z",),
        lambda state: state.can_undo, separator=True, tool_group=3)
    REDO = ActionEntry(
        Menu.REVIEW, N_("Redo"), lambda on: on.undoing.redo,
        ("Ctrl+Shift+Z",), lambda state: state.can_redo)
    NEXT_PAIR = ActionEntry(
        Menu.REVIEW, N_("&Next pair"), lambda on: partial(on.navigation.step_pair, 1), ("Ctrl+F8",),
        has_pairs, N_("Down in the table"), group=PAIR)
    PREVIOUS_PAIR = ActionEntry(
        Menu.REVIEW, N_("&Previous pair"), lambda on: partial(on.navigation.step_pair, -1),
        ("Ctrl+F7",),
        has_pairs, N_("Up in the table"), group=PAIR)
    READ_PAIR = ActionEntry(
        Menu.REVIEW, N_("&Read this pair"), lambda on: on.reading_mode.open, ("Return", "Enter"),
        has_pair, within=lambda on: on.navigation.table, group=PAIR)
    BACK = ActionEntry(
        Menu.REVIEW, N_("&Back to the table"), lambda on: on.navigation.go_back, ("Esc",),
        has_pair, within=lambda on: on.navigation.texts, group=PAIR)
    NEXT_PASSAGE = ActionEntry(
        Menu.REVIEW, N_("Next p&assage"), lambda on: partial(on.navigation.step_passage, 1),
        ("Alt+Down", "F8"), has_pair, group=PASSAGE)
    PREVIOUS_PASSAGE = ActionEntry(
        Menu.REVIEW, N_("Previous pa&ssage"), lambda on: partial(on.navigation.step_passage, -1),
        ("Alt+Up", "F7"), has_pair, group=PASSAGE)
    SWAP_SIDES = ActionEntry(
        Menu.REVIEW, N_("S&wap sides"), lambda on: on.presenter.pair.swap, ("X",), has_pair,
        group=PAIR)
    SCROLL_TOGETHER = ActionEntry(
        Menu.REVIEW, N_("Scroll &together"),
        lambda on: on.navigation.texts.set_synchronized, ("S",), has_pair,
        checkable=True, group=PAIR)
    WHY = ActionEntry(
        Menu.REVIEW, N_("Wh&y this pair"), lambda on: on.navigation.texts.header.toggle_why, (),
        has_pair, group=PAIR)
    DIFFERENCES = ActionEntry(
        Menu.REVIEW, N_("S&how differences"), lambda on: on.presenter.pair.show_differences, ("D",),
        has_pair, checkable=True, is_on=False, group=PAIR)
    OPEN_FILE_A = ActionEntry(
        Menu.REVIEW, N_("&Open file A"), lambda on: partial(on.file_opener.open_side, 0),
        ("Ctrl+Shift+A",), has_pair, group=FILES)
    OPEN_FILE_B = ActionEntry(
        Menu.REVIEW, N_("Open f&ile B"), lambda on: partial(on.file_opener.open_side, 1),
        ("Ctrl+Shift+B",), has_pair, group=FILES)
    SHOW_FILE_A = ActionEntry(
        Menu.REVIEW, N_("Show A in fol&der"), lambda on: partial(on.file_opener.show_side, 0), (),
        has_pair, group=FILES)
    SHOW_FILE_B = ActionEntry(
        Menu.REVIEW, N_("Show B in fo&lder"), lambda on: partial(on.file_opener.show_side, 1), (),
        has_pair, group=FILES)
    PROPERTIES = ActionEntry(
        Menu.REVIEW, N_("File properties"),
        lambda on: on.navigation.texts.header.toggle_properties, (), has_pair, group=FILES)
    ADD_SHARING = ActionEntry(
        Menu.REVIEW, N_("Add pairs by file properties"), lambda on: on.presenter.add_sharing, (),
        lambda state: state.has_scan and state.reads_properties and not state.is_of_run,
        group=FILES)
    READ_PROPERTIES = ActionEntry(
        Menu.REVIEW, N_("Read file properties"), lambda on: on.presenter.set_reads_properties, (),
        checkable=True, group=FILES)
    FIND = ActionEntry(
        Menu.REVIEW, N_("&Find…"), lambda on: on.navigation.find, ("Ctrl+F",), has_pairs,
        group=SEARCH)
    FIND_IN_TEXTS = ActionEntry(
        Menu.REVIEW, N_("Find in both te&xts…"), lambda on: on.navigation.find_in_texts,
        ("Ctrl+Shift+F",), has_pair, group=SEARCH)
    FIND_NEXT = ActionEntry(
        Menu.REVIEW, N_("Find n&ext"), lambda on: partial(on.navigation.step_match, 1),
        ("F3",), has_pair, group=SEARCH)
    FIND_PREVIOUS = ActionEntry(
        Menu.REVIEW, N_("Find pre&vious"), lambda on: partial(on.navigation.step_match, -1),
        ("Shift+F3",), has_pair, group=SEARCH)
    COPY_WITH_SOURCE = ActionEntry(
        Menu.REVIEW, N_("Copy with so&urce"), lambda on: on.navigation.texts.copy_quotation, (),
        has_pair, group=PASSAGE)
    REPORT_PAIR = ActionEntry(
        Menu.REVIEW, N_("Report of this pair…"), lambda on: on.reports.open_pair, (), has_pair,
        group=PAIR)
    SET_ASIDE = ActionEntry(
        Menu.REVIEW, N_("Set aside everywhere"),
        lambda on: on.exclusions.exclude_selection, (),
        lambda state: state.has_pair and state.has_scan, group=PASSAGE)
    REMOVE_MISSING = ActionEntry(
        Menu.REVIEW, N_("Remove &missing documents"),
        lambda on: on.presenter.missing.remove_all, (),
        lambda state: state.has_missing and state.has_scan, group=REMOVED)
    BRING_BACK = ActionEntry(
        Menu.REVIEW, N_("Brin&g back removed documents"),
        lambda on: on.presenter.missing.bring_back_all, (),
        lambda state: state.has_removed and state.has_scan, group=REMOVED)
    DELETE_REMOVED = ActionEntry(
        Menu.REVIEW, N_("Delete removed do&cuments permanently"),
        lambda on: on.presenter.missing.delete_removed, (),
        lambda state: state.has_removed and state.has_scan, group=REMOVED)
    CURVE = ActionEntry(
        Menu.VIEW, N_("Full-width &curve"), lambda on: on.navigation.go_to_curve,
        ("Ctrl+L",), lambda state: state.has_folder)
    READING = ActionEntry(
        Menu.VIEW, N_("Rea&ding"), lambda on: on.reading_mode.set_on, ("Ctrl+R",),
        lambda state: state.has_folder, checkable=True, is_on=False)
    NEXT_PANE = ActionEntry(
        Menu.VIEW, N_("&Next pane"), lambda on: on.navigation.next_pane, ("F6",))
    CONTEXT_MENU = ActionEntry(
        Menu.VIEW, N_("Context &menu"), lambda on: on.navigation.open_context_menu,
        ("Shift+F10",), elsewhere=N_("Menu"))
    RESET_LAYOUT = ActionEntry(
        Menu.VIEW, N_("&Reset layout"), lambda on: on.arrangement.reset)
    LARGER_TEXT = ActionEntry(
        Menu.VIEW, N_("&Larger text"), lambda on: on.appearance.enlarge_text, ("Ctrl++", "Ctrl+="),
        separator=True)
    SMALLER_TEXT = ActionEntry(
        Menu.VIEW, N_("&Smaller text"), lambda on: on.appearance.shrink_text, ("Ctrl+-",))
    NORMAL_TEXT = ActionEntry(
        Menu.VIEW, N_("N&ormal text size"), lambda on: on.appearance.reset_text, ("Ctrl+0",))
    for _column in Column:
        _members[f"SORT_{_column.name}"] = sort(_column)
    TOUR = ActionEntry(
        Menu.HELP, N_("&Guided tour"), lambda on: on.help.tour_wanted.emit)
    HELP = ActionEntry(
        Menu.HELP, N_("Neardup &Help"), lambda on: on.help.show_help, ("F1",), everywhere=True)
    ALL_KEYS = ActionEntry(
        Menu.HELP, N_("All &keys"), lambda on: on.help.show_keys, ("?",))
    ABOUT = ActionEntry(
        Menu.HELP, N_("&About Neardup"), lambda on: on.help.announce_version)
# fmt: on

TEXT_SIZES = Action.LARGER_TEXT, Action.SMALLER_TEXT, Action.NORMAL_TEXT
VERDICTS = {
    Verdict.CONFIRMED: Action.CONFIRM,
    Verdict.SUSPICIOUS: Action.SUSPECT,
    Verdict.NOT_A_MATCH: Action.REJECT,
    Verdict.NOT_REVIEWED: Action.UNREVIEW,
}
