"""What is known of an action, and the parts of the window that do what actions say."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

from PySide6.QtGui import QKeySequence

from core.scan.judgements import Verdict
from neardup_gui.models.window_state import WindowState

if TYPE_CHECKING:
    from PySide6.QtWidgets import QMainWindow, QWidget

    from neardup_gui.presenter.presenter import Presenter
    from neardup_gui.window.appearance import Appearance
    from neardup_gui.window.file_opener import FileOpener
    from neardup_gui.window.files import Files
    from neardup_gui.window.help import Help
    from neardup_gui.window.layout import WindowLayout
    from neardup_gui.window.navigation import Navigation
    from neardup_gui.window.reports import Reports
    from neardup_gui.window.setting_aside import SettingAside
    from neardup_gui.window.side_panels import SidePanels
    from neardup_gui.window.undoing import Undoing
    from neardup_gui.window.workbench import Workbench


class Judging(Protocol):
    """Gives what is chosen on the page in front a verdict, or a note."""

    def judge(self, verdict: Verdict) -> None:
        """Give it a verdict."""

    def write_note(self) -> None:
        """Let the user write a note on it."""


class Menu(StrEnum):
    """The menus, from left to right."""

    FILE = "&File"
    REVIEW = "&Review"
    VIEW = "&View"
    SORT = "S&ort by"  # in the View menu
    HELP = "&Help"


@dataclass(frozen=True, kw_only=True)
class WindowParts:
    """The parts of a window that do what its actions say."""

    window: QMainWindow
    presenter: Presenter
    files: Files
    file_opener: FileOpener
    navigation: Navigation
    reports: Reports
    judging: Judging
    setting_aside: SettingAside
    side_panels: SidePanels
    undoing: Undoing
    workbench: Workbench
    layout: WindowLayout
    appearance: Appearance
    help: Help


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
        within: The widget that its keys count in; everywhere where there is none.
        separator: Whether a line is above it in the menu.
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
    separator: bool = False
    tool_group: int = 0
    mark: str = ""

    @property
    def title(self) -> str:
        """The text without its mark."""
        return self.text.replace("&", "")

    @property
    def keys_in_words(self) -> str:
        """The keys as this system writes them."""
        native = QKeySequence.SequenceFormat.NativeText
        keys = [QKeySequence(key).toString(native) for key in self.keys]
        return ", ".join([*keys, *([self.elsewhere] if self.elsewhere else [])])

    @property
    def tip(self) -> str:
        """What a tool tip says."""
        title = self.title.rstrip("…")
        return f"{title} ({self.keys_in_words})" if self.keys else title
