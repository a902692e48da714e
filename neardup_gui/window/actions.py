"""Every action of the window: its words, its keys, its menu, and when it can be used.

What is not in this table has no key; what is in it appears in a menu and on the sheet of all keys.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum, auto

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction, QKeySequence

from neardup_gui.views.shell.keys_dialog import KeyGroup

__all__ = ["MENUS", "SPECS", "Action", "ActionSpec", "Actions", "Menu", "WindowState"]


class Action(StrEnum):
    """The actions, by name."""

    OPEN_FOLDER = auto()
    OPEN_REVIEW = auto()
    OPEN_SAMPLE = auto()
    RESCAN = auto()
    CANCEL = auto()
    SAVE_REVIEW = auto()
    SAVE_REVIEW_AS = auto()
    TAKE_OVER = auto()
    REMOVE_MISSING = auto()
    BRING_BACK = auto()
    DELETE_REMOVED = auto()
    EXPORT = auto()
    EXPORT_CURVE = auto()
    QUIT = auto()
    NEXT_PAIR = auto()
    PREVIOUS_PAIR = auto()
    READ_PAIR = auto()
    BACK = auto()
    NEXT_PASSAGE = auto()
    PREVIOUS_PASSAGE = auto()
    SWAP_SIDES = auto()
    SCROLL_TOGETHER = auto()
    OPEN_FILE_A = auto()
    OPEN_FILE_B = auto()
    SHOW_FILE_A = auto()
    SHOW_FILE_B = auto()
    FIND = auto()
    FIND_IN_TEXTS = auto()
    FIND_NEXT = auto()
    FIND_PREVIOUS = auto()
    NEXT_PANE = auto()
    CONTEXT_MENU = auto()
    RESET_LAYOUT = auto()
    LARGER_TEXT = auto()
    SMALLER_TEXT = auto()
    NORMAL_TEXT = auto()
    SORT_RANK = auto()
    SORT_DOCUMENT_A = auto()
    SORT_DOCUMENT_B = auto()
    SORT_RESEMBLANCE = auto()
    SORT_A_IN_B = auto()
    SORT_B_IN_A = auto()
    SORT_LONGEST_RUN = auto()
    SORT_SHARED = auto()
    SORT_FOUND_BY = auto()
    MANUAL = auto()
    ALL_KEYS = auto()
    ABOUT = auto()


class Menu(StrEnum):
    """The menus, from left to right."""

    FILE = "&File"
    REVIEW = "&Review"
    VIEW = "&View"
    SORT = "S&ort by"  # in the View menu
    HELP = "&Help"


@dataclass(frozen=True, slots=True)
class WindowState:
    """All that decides which actions can be used."""

    has_folder: bool = False
    is_scanning: bool = False
    is_busy: bool = False
    is_complete: bool = False
    has_list: bool = False
    has_missing: bool = False
    has_removed: bool = False
    has_pairs: bool = False
    has_pair: bool = False
    is_taken: bool = False


def always(_state: WindowState) -> bool:
    """Can be used at any time."""
    return True


def with_folder(state: WindowState) -> bool:
    """Needs a folder, and no scan of it under way."""
    return state.has_folder and not state.is_scanning


def with_any_folder(state: WindowState) -> bool:
    """Needs a folder, whatever is done with it."""
    return state.has_folder


def while_busy(state: WindowState) -> bool:
    """Needs something that can be stopped."""
    return state.is_busy


def with_scan(state: WindowState) -> bool:
    """Needs a finished scan, with pairs or without."""
    return state.is_complete and not state.is_scanning


def while_taken(state: WindowState) -> bool:
    """Needs a review that another program may save."""
    return state.is_taken and not state.is_scanning


def with_missing(state: WindowState) -> bool:
    """Needs documents that are not there any more."""
    return state.has_missing and state.is_complete and not state.is_scanning


def with_removed(state: WindowState) -> bool:
    """Needs documents that were taken off the list."""
    return state.has_removed and state.is_complete and not state.is_scanning


def with_pairs(state: WindowState) -> bool:
    """Needs a pair in the table."""
    return state.has_pairs


def with_result(state: WindowState) -> bool:
    """Needs what a scan found, be it nothing, and no scan under way."""
    return state.has_list and not state.is_busy


def with_pair(state: WindowState) -> bool:
    """Needs an open pair."""
    return state.has_pair


@dataclass(frozen=True, slots=True)
class ActionSpec:
    """What is known of an action; `elsewhere` names keys that its widget handles by itself."""

    menu: Menu
    text: str
    keys: tuple[str, ...] = ()
    enabled: Callable[[WindowState], bool] = always
    elsewhere: str = ""
    checkable: bool = False
    local: bool = False  # its keys count only where it is added
    separator: bool = False  # a line above it


SPECS: dict[Action, ActionSpec] = {
    Action.OPEN_FOLDER: ActionSpec(Menu.FILE, "&Open folder…", ("Ctrl+O",)),
    Action.OPEN_REVIEW: ActionSpec(Menu.FILE, "Open re&view…", ("Ctrl+Shift+O",)),
    Action.OPEN_SAMPLE: ActionSpec(Menu.FILE, "Open the &sample corpus"),
    Action.RESCAN: ActionSpec(Menu.FILE, "&Rescan", ("F5",), with_folder, separator=True),
    Action.CANCEL: ActionSpec(Menu.FILE, "&Cancel", ("Ctrl+.",), while_busy),
    Action.SAVE_REVIEW: ActionSpec(
        Menu.FILE, "Save rev&iew", ("Ctrl+S",), with_scan, separator=True
    ),
    Action.SAVE_REVIEW_AS: ActionSpec(Menu.FILE, "Save review &as…", ("Ctrl+Shift+S",), with_scan),
    Action.TAKE_OVER: ActionSpec(Menu.FILE, "&Take over the review", (), while_taken),
    Action.EXPORT: ActionSpec(Menu.FILE, "&Export…", ("Ctrl+E",), with_result, separator=True),
    Action.EXPORT_CURVE: ActionSpec(
        Menu.FILE, "Export c&urve as picture…", ("Ctrl+Shift+E",), with_any_folder
    ),
    Action.QUIT: ActionSpec(Menu.FILE, "&Quit", ("Ctrl+Q",), separator=True),
    Action.NEXT_PAIR: ActionSpec(
        Menu.REVIEW, "&Next pair", ("Ctrl+F8",), with_pairs, "Down in the table"
    ),
    Action.PREVIOUS_PAIR: ActionSpec(
        Menu.REVIEW, "&Previous pair", ("Ctrl+F7",), with_pairs, "Up in the table"
    ),
    Action.READ_PAIR: ActionSpec(
        Menu.REVIEW, "&Read the pair", ("Return", "Enter"), with_pair, local=True
    ),
    Action.BACK: ActionSpec(Menu.REVIEW, "&Back to the table", ("Esc",), with_pair, local=True),
    Action.NEXT_PASSAGE: ActionSpec(
        Menu.REVIEW, "Next p&assage", ("Alt+Down", "F8"), with_pair, separator=True
    ),
    Action.PREVIOUS_PASSAGE: ActionSpec(
        Menu.REVIEW, "Previous pa&ssage", ("Alt+Up", "F7"), with_pair
    ),
    Action.SWAP_SIDES: ActionSpec(Menu.REVIEW, "S&wap sides", ("X",), with_pair),
    Action.SCROLL_TOGETHER: ActionSpec(
        Menu.REVIEW, "Scroll &together", ("S",), with_pair, checkable=True
    ),
    Action.OPEN_FILE_A: ActionSpec(
        Menu.REVIEW, "&Open file A", ("Ctrl+Shift+A",), with_pair, separator=True
    ),
    Action.OPEN_FILE_B: ActionSpec(Menu.REVIEW, "Open f&ile B", ("Ctrl+Shift+B",), with_pair),
    Action.SHOW_FILE_A: ActionSpec(Menu.REVIEW, "Show A in fol&der", (), with_pair),
    Action.SHOW_FILE_B: ActionSpec(Menu.REVIEW, "Show B in fo&lder", (), with_pair),
    Action.FIND: ActionSpec(Menu.REVIEW, "&Find…", ("Ctrl+F",), with_pairs, separator=True),
    Action.FIND_IN_TEXTS: ActionSpec(
        Menu.REVIEW, "Find in both te&xts…", ("Ctrl+Shift+F",), with_pair
    ),
    Action.FIND_NEXT: ActionSpec(Menu.REVIEW, "Find n&ext", ("F3",), with_pair),
    Action.FIND_PREVIOUS: ActionSpec(Menu.REVIEW, "Find pre&vious", ("Shift+F3",), with_pair),
    Action.NEXT_PANE: ActionSpec(Menu.VIEW, "&Next pane", ("F6",)),
    Action.CONTEXT_MENU: ActionSpec(
        Menu.VIEW, "&Menu of the selection", ("Shift+F10",), elsewhere="Menu"
    ),
    Action.RESET_LAYOUT: ActionSpec(Menu.VIEW, "&Reset layout"),
    Action.LARGER_TEXT: ActionSpec(Menu.VIEW, "&Larger text", ("Ctrl++", "Ctrl+="), separator=True),
    Action.SMALLER_TEXT: ActionSpec(Menu.VIEW, "&Smaller text", ("Ctrl+-",)),
    Action.NORMAL_TEXT: ActionSpec(Menu.VIEW, "N&ormal text size", ("Ctrl+0",)),
    Action.SORT_RANK: ActionSpec(Menu.SORT, "&Rank", ("Ctrl+1",), with_pairs),
    Action.SORT_DOCUMENT_A: ActionSpec(Menu.SORT, "Document &A", ("Ctrl+2",), with_pairs),
    Action.SORT_DOCUMENT_B: ActionSpec(Menu.SORT, "Document &B", ("Ctrl+3",), with_pairs),
    Action.SORT_RESEMBLANCE: ActionSpec(Menu.SORT, "R&esemblance", ("Ctrl+4",), with_pairs),
    Action.SORT_A_IN_B: ActionSpec(Menu.SORT, "A &in B", ("Ctrl+5",), with_pairs),
    Action.SORT_B_IN_A: ActionSpec(Menu.SORT, "B i&n A", ("Ctrl+6",), with_pairs),
    Action.SORT_LONGEST_RUN: ActionSpec(Menu.SORT, "&Longest run", ("Ctrl+7",), with_pairs),
    Action.SORT_SHARED: ActionSpec(Menu.SORT, "&Shared", ("Ctrl+8",), with_pairs),
    Action.SORT_FOUND_BY: ActionSpec(Menu.SORT, "&Found by", ("Ctrl+9",), with_pairs),
    Action.MANUAL: ActionSpec(Menu.HELP, "&Manual"),
    Action.ALL_KEYS: ActionSpec(Menu.HELP, "All &keys", ("F1", "?")),
    Action.ABOUT: ActionSpec(Menu.HELP, "&About Neardup"),
    Action.REMOVE_MISSING: ActionSpec(
        Menu.REVIEW, "Remove &missing documents", (), with_missing, separator=True
    ),
    Action.BRING_BACK: ActionSpec(Menu.REVIEW, "Brin&g back removed documents", (), with_removed),
    Action.DELETE_REMOVED: ActionSpec(
        Menu.REVIEW, "Delete removed do&cuments for good", (), with_removed
    ),
}
MENUS = tuple(Menu)


class Actions(QObject):
    """The actions as Qt knows them."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._actions = {name: self._make(spec) for name, spec in SPECS.items()}

    def __getitem__(self, name: Action) -> QAction:
        return self._actions[name]

    def of_menu(self, menu: Menu) -> list[tuple[QAction, bool]]:
        """The actions of a menu in their order, and whether a line stands above them."""
        return [
            (self._actions[name], spec.separator)
            for name, spec in SPECS.items()
            if spec.menu is menu
        ]

    def enable(self, state: WindowState) -> None:
        """Enable what can be used in this state."""
        for name, spec in SPECS.items():
            self._actions[name].setEnabled(spec.enabled(state))

    def keys(self) -> list[KeyGroup]:
        """Every key, by menu, as the sheet of all keys shows them."""
        groups = []
        for menu in MENUS:
            lines = [
                (_keys_in_words(spec), _plain(spec.text))
                for spec in SPECS.values()
                if spec.menu is menu and spec.keys
            ]
            groups.append(KeyGroup(_plain(menu), lines))
        return groups

    def _make(self, spec: ActionSpec) -> QAction:
        action = QAction(spec.text, self)
        action.setIconText(_plain(spec.text))
        action.setShortcuts([QKeySequence(key) for key in spec.keys])
        action.setCheckable(spec.checkable)
        action.setChecked(spec.checkable)
        # On every system a menu shows its keys, and the system's own Quit stays where it is.
        action.setShortcutVisibleInContextMenu(True)
        action.setMenuRole(QAction.MenuRole.NoRole)
        if spec.local:
            action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        action.setToolTip(_tip(spec))
        return action


def _plain(text: str) -> str:
    return text.replace("&", "")


def _keys_in_words(spec: ActionSpec) -> str:
    native = QKeySequence.SequenceFormat.NativeText
    keys = [QKeySequence(key).toString(native) for key in spec.keys]
    return ", ".join([*keys, *([spec.elsewhere] if spec.elsewhere else [])])


def _tip(spec: ActionSpec) -> str:
    title = _plain(spec.text).rstrip("…")
    return f"{title} ({_keys_in_words(spec)})" if spec.keys else title
