"""The menu bar, made from the actions."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path, PurePath

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QDockWidget, QMainWindow, QMenu, QSizePolicy, QToolBar, QWidget

from core.base.messages import N_, gettext
from core.base.wording import printable_name, printable_path
from core.program.startup import languages, own_name
from neardup_gui.environment.theme import Scheme
from neardup_gui.models.window_state import WindowState
from neardup_gui.models.words.numbers import tool_tip
from neardup_gui.views.widgets.buttons import ToolButton
from neardup_gui.views.widgets.containers import FollowsSize
from neardup_gui.views.widgets.labels import in_its_direction, letter_width
from neardup_gui.window.actions import Action, ActionEntry, Menu, WindowParts

LONGEST_PATH = 80  # letters; a longer one would make a menu as wide as the screen


class Actions(QObject):
    """One `QAction` for each entry of the table."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._actions = {name: self._make(name.value) for name in Action}

    def __getitem__(self, name: Action) -> QAction:
        return self._actions[name]

    def connect_parts(self, parts: WindowParts) -> None:
        """Connect every action to the slot of its entry."""
        for name, action in self._actions.items():
            entry = name.value
            triggered = action.toggled if entry.checkable else action.triggered
            triggered.connect(entry.does(parts))
            if entry.within is not None:
                entry.within(parts).addAction(action)

    def of_menu(self, menu: Menu) -> list[tuple[QAction, ActionEntry]]:
        """The actions of a menu in their order, each with its entry."""
        return [
            (action, name.value)
            for name, action in self._actions.items()
            if name.value.menu is menu
        ]

    def enable(self, state: WindowState) -> None:
        """Enable the actions that can be used in a state."""
        for name, action in self._actions.items():
            action.setEnabled(name.value.enabled(state))

    def _make(self, entry: ActionEntry) -> QAction:
        action = QAction(gettext(entry.text), self)
        action.setIconText(f"{entry.mark} {entry.title}".strip())
        action.setShortcuts([QKeySequence(key) for key in entry.keys])
        action.setAutoRepeat(not entry.mark)  # holding a key judges one pair only
        action.setCheckable(entry.checkable)
        action.setChecked(entry.checkable and entry.is_on)
        # Menus show their keys on every system, and Quit stays in its menu.
        action.setShortcutVisibleInContextMenu(True)
        action.setMenuRole(QAction.MenuRole.NoRole)
        if entry.within is not None:
            action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        elif entry.everywhere:
            action.setShortcutContext(Qt.ShortcutContext.ApplicationShortcut)
        action.setToolTip(entry.tip)
        return action


AIR = 8  # between two widgets, at most
# Whether keys are shown, whether words are beside the signs of verdicts, and how many groups.
LEVELS = (
    (True, True, 4),
    *((False, True, n) for n in (4, 3, 2)),
    (False, False, 2),
    (False, True, 1),
)


class ToolBar(FollowsSize, QToolBar):
    """One row of buttons; Cancel is shown while something can be cancelled.

    Where there is little room the keys are left out, then one group after the other, the words of
    the verdicts before these; the first group and the search field are always in sight. The menus
    have every action.
    """

    def __init__(self, actions: Actions, search_field: QWidget) -> None:
        super().__init__(gettext("Tool bar"))
        self.setObjectName("tool_bar")
        self.setMovable(False)
        self.toggleViewAction().setEnabled(False)
        self._buttons: dict[ToolButton, int] = {}  # with the group of each
        self._groups_by_entry: dict[
            QAction, int
        ] = {}  # with its group: of buttons except Cancel, and separators
        self._search_field = search_field
        self._words: list[str] = []  # on the buttons
        group = 1
        for name in sorted(Action, key=lambda name: name.value.tool_group):
            if name.value.tool_group == 0:
                continue
            if name.value.tool_group != group:
                group = name.value.tool_group
                self._groups_by_entry[self.addSeparator()] = group
            button = ToolButton(actions[name])
            actions[name].changed.connect(self._on_changed)
            widget_action = self.addWidget(button)
            self._buttons[button] = group
            # When it is shown again, a button is enabled as its tool bar action is.
            widget_action.setEnabled(actions[name].isEnabled())
            actions[name].enabledChanged.connect(widget_action.setEnabled)
            if name is Action.CANCEL:
                self._cancel = button
                actions[name].enabledChanged.connect(widget_action.setVisible)
                actions[name].enabledChanged.connect(self.follow_looks)
            else:
                self._groups_by_entry[widget_action] = group
        space = QWidget()
        space.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.addWidget(space)
        self.addWidget(search_field)

    def _on_changed(self) -> None:
        """Fit again after another name only: actions are enabled many times a second."""
        words = [button.defaultAction().iconText() for button in self._buttons]
        if words != self._words:
            self._words = words
            self.follow_looks()

    def follow_looks(self) -> None:
        """Show on the buttons what there is room for."""
        for keys, words, groups in LEVELS:
            wanted = self._search_field.minimumSizeHint().width() + 4 * AIR
            for button, group in self._buttons.items():
                button.show_key(keys)
                button.show_mark_only(not words)
                if group <= groups and (button is not self._cancel or button.isEnabled()):
                    wanted += button.sizeHint().width() + AIR
            if wanted <= self.width():
                break
        for action, group in self._groups_by_entry.items():
            action.setVisible(group <= groups)


SCHEMES = {
    Scheme.SYSTEM: N_("As the &system"),
    Scheme.LIGHT: N_("&Light"),
    Scheme.DARK: N_("&Dark"),
}

LANGUAGE = N_("Language")  # in the View menu


class Menus(QObject):
    """Builds the menus and keeps those that change.

    Attributes:
        language: The menu of languages.

    Signals:
        language_chosen: The code of a language, "" for that of the system.
        recent_chosen: A `Path` from the menu of recent folders and reviews.
        scheme_chosen: A `Scheme`.
    """

    language_chosen = Signal(str)
    recent_chosen = Signal(object)
    scheme_chosen = Signal(object)

    def __init__(self, window: QMainWindow, actions: Actions, docks: Sequence[QDockWidget]) -> None:
        super().__init__(window)
        self._chosen_language = ""
        self._recent = QMenu(gettext("O&pen recent"), window, toolTipsVisible=True)
        self._recent.triggered.connect(lambda chosen: self.recent_chosen.emit(Path(chosen.data())))
        self._theme = QMenu(gettext("&Theme"), window)
        self._schemes = self._make_schemes()
        self.language = QMenu(gettext(LANGUAGE), window)
        self.language.aboutToShow.connect(self._list_languages)
        self.language.triggered.connect(lambda chosen: self.language_chosen.emit(chosen.data()))
        menus = {menu: QMenu(gettext(menu), window) for menu in Menu}
        menus[Menu.REVIEW].setToolTipsVisible(True)
        for menu, widget in menus.items():
            groups: dict[str, QMenu] = {}
            for action, entry in actions.of_menu(menu):
                if entry.separator or (entry.group and not groups):
                    widget.addSeparator()
                if entry.group and entry.group not in groups:
                    groups[entry.group] = widget.addMenu(gettext(entry.group))
                    groups[entry.group].setToolTipsVisible(True)
                groups.get(entry.group, widget).addAction(action)
        menus[Menu.FILE].insertMenu(actions[Action.OPEN_SAMPLE], self._recent)
        for menu in Menu:
            if menu is not Menu.SORT:
                window.menuBar().addMenu(menus[menu])
        view, first = menus[Menu.VIEW], actions[Action.RESET_LAYOUT]
        view.insertActions(first, [dock.toggleViewAction() for dock in docks])
        view.insertSeparator(docks[0].toggleViewAction())
        view.insertMenu(actions[Action.LARGER_TEXT], self._theme)
        view.insertMenu(actions[Action.LARGER_TEXT], self.language)
        view.insertMenu(first, menus[Menu.SORT])

    def set_recent(self, paths: Sequence[str], made: Collection[str] = ()) -> None:
        """Offer the folders and reviews that were open lately; reviews of scans by name."""
        self._recent.clear()
        self._recent.setEnabled(bool(paths))
        metrics = self._recent.fontMetrics()
        width = LONGEST_PATH * letter_width(metrics)
        for path in paths:
            full_path = printable_path(PurePath(path))
            name = printable_name(PurePath(path).stem) if path in made else full_path
            shown = metrics.elidedText(name, Qt.TextElideMode.ElideMiddle, width)
            # In a menu "&" marks a letter; in a path it is itself.
            action = self._recent.addAction(
                in_its_direction(self._recent, shown).replace("&", "&&")
            )
            action.setToolTip(tool_tip(full_path))
            action.setData(path)

    def set_language(self, code: str) -> None:
        """Mark the language that was chosen, "" for that of the system."""
        self._chosen_language = code

    def set_scheme(self, scheme: Scheme) -> None:
        """Mark the colours in use."""
        self._schemes[scheme].setChecked(True)

    def _make_schemes(self) -> dict[Scheme, QAction]:
        group = QActionGroup(self)
        group.triggered.connect(lambda chosen: self.scheme_chosen.emit(Scheme(chosen.data())))
        made = {}
        for scheme, text in SCHEMES.items():
            action = self._theme.addAction(gettext(text))
            action.setCheckable(True)
            action.setData(scheme.value)
            group.addAction(action)
            made[scheme] = action
        return made

    def _list_languages(self) -> None:
        """List each language by its own name; first that of the system, which may be another."""
        self.language.clear()
        self._add_language("", gettext(SCHEMES[Scheme.SYSTEM]))
        self.language.addSeparator()
        for code in languages():
            self._add_language(code, own_name(code))

    def _add_language(self, code: str, name: str) -> None:
        action = self.language.addAction(name)
        action.setCheckable(True)
        action.setChecked(code == self._chosen_language)
        action.setData(code)
