"""Verdicts on the selection of the page in front, notes, undo and signing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Protocol, runtime_checkable

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QAbstractSpinBox, QWidget

from core.base.messages import gettext
from core.scan.judgements import Verdict
from neardup_gui.models.window_state import WindowState
from neardup_gui.models.words.numbers import tool_tip
from neardup_gui.models.words.passages import BY_VERDICT, MEANINGS, name_of
from neardup_gui.models.words.sentences import signed_by
from neardup_gui.models.words.verdicts import MARKS
from neardup_gui.views.passages import PassagesPage
from neardup_gui.views.shell.dialogs import ask_for_signature
from neardup_gui.window.navigation import Lists
from neardup_gui.window.parts import Focus, KeptKeys, Part, Shared


class UndoActions(Part):
    """Undoes changes of the threshold while its page is in front or its panel has the focus.

    Where the panel has nothing to undo, as after a click into it, and after a decision that came
    later than the last change in it, they are of what was decided.
    """

    def __init__(self, shared: Shared, focus: Focus, actions: tuple[QAction, QAction]) -> None:
        super().__init__(shared)
        pages = shared.pages
        self._focus = focus
        self._at_steps: list[int] = []  # entries of the log when each change of it began
        self._undone: list[bool] = []  # whether each undone step was one of the threshold
        self._panel = shared.side_panels.threshold
        self._model = shared.side_panels.model
        self._undo, self._redo = actions
        keys = [*self._undo.shortcuts(), *self._redo.shortcuts()]
        kept = KeptKeys(keys, (QAbstractSpinBox,), self)
        kept.listen(self._panel)
        pages.curve_made.connect(kept.listen)
        self._model.history_changed.connect(self._on_history_changed)
        self._presenter.folders_opened.connect(self._model.forget_steps)
        pages.tabs.currentChanged.connect(self.take_state)
        focus.moved.connect(self.take_state)

    def undo(self) -> None:
        """Undo the last step."""
        self._undone.append(self._undoes_threshold)
        if self._undoes_threshold:
            self._model.undo()
        else:
            self._presenter.decisions.undo()

    def redo(self) -> None:
        """Redo the step that was undone last."""
        redoes_threshold = self._redoes_threshold
        del self._undone[-1:]
        if redoes_threshold:
            self._model.redo()
        else:
            self._presenter.decisions.redo()

    def at_focus(self, state: WindowState) -> WindowState:
        """A state of the window with what can be undone at the focus."""
        if self._undoes_threshold:
            state = replace(state, can_undo=self._model.can_undo)
        if self._redoes_threshold:
            state = replace(state, can_redo=self._model.can_redo)
        return state

    def take_state(self) -> None:
        """Enable undo and redo for the focus."""
        state = self.at_focus(self._presenter.state)
        self._undo.setEnabled(state.can_undo)
        self._redo.setEnabled(state.can_redo)

    def _on_history_changed(self) -> None:
        steps = self._model.steps
        del self._at_steps[steps:]
        self._at_steps += [len(self._presenter.current.log)] * (steps - len(self._at_steps))
        self.take_state()

    @property
    def _undoes_threshold(self) -> bool:
        """Whether the last decision is no later than the last change of the threshold."""
        entries = self._at_steps[-1] if self._at_steps else 0
        last = self._presenter.decisions.last
        return self._is_of_panel(last is None or last.id <= entries, can=self._model.can_undo)

    @property
    def _redoes_threshold(self) -> bool:
        """Whether a step of the threshold was undone last."""
        is_last = self._undone[-1:] == [True] or not self._presenter.state.can_redo
        return self._is_of_panel(is_last, can=self._model.can_redo)

    def _is_of_panel(self, is_last: bool, *, can: bool) -> bool:
        in_panel = is_last and self._focus.is_in(self._panel)
        return self._pages.is_curve_open or (can and in_panel)


@runtime_checkable
class JudgingPage(Protocol):
    """A page whose rows can be judged."""

    def judge(self, verdict: Verdict) -> None:
        """Give the selection a verdict, and go to the next row without one."""


@runtime_checkable
class NotingPage(Protocol):
    """A page whose rows can have notes."""

    def write_note(self) -> None:
        """Let the user write a note on the selection."""


class Judging(Part):
    """Judges on the page in front; with the focus in the texts, on that of the pairs if need be."""

    def __init__(
        self, shared: Shared, lists: Lists, actions: Mapping[Verdict, QAction], note: QAction
    ) -> None:
        super().__init__(shared)
        self._lists = lists
        self._pair = shared.presenter.pair
        self._actions = {
            action: (verdict, action.text(), action.toolTip())
            for verdict, action in actions.items()
        }
        self._note = note
        self._may_judge = False
        shared.pages.tabs.currentChanged.connect(self._name_actions)
        lists.focus.moved.connect(self._offer)
        self._pair.opened.connect(self._offer)
        holders = shared.compare_pane.document.holders.rows
        holders.selectionModel().currentRowChanged.connect(self._offer)

    def judge(self, verdict: Verdict) -> None:
        """Give the selection a verdict; a pair whose texts are not in sight is shown first.

        A key that is held down, or pressed while texts are loading, judges nothing unread.
        """
        page = self._page()
        pairs = self._pages.pairs
        is_single = page is pairs and len(pairs.table.selected_rows) == 1
        if is_single and self._pair.shown != pairs.table.selected_key:
            if self._pair.wanted != pairs.table.selected_key:
                pairs.emit_selection()
            return
        if isinstance(page, JudgingPage):
            page.judge(verdict)

    def write_note(self) -> None:
        """Write a note on the selection."""
        page = self._page()
        if isinstance(page, NotingPage):
            page.write_note()

    def take_state(self) -> None:
        """Follow another state of the window."""
        self._may_judge = self._note.isEnabled()
        self._offer()

    def _offer(self) -> None:
        """Offer verdicts, and notes, where there are rows that take them."""
        page = self._page()
        is_of_pair = page is not self._pages.documents or len(self._lists.pairs_in_front()) > 0
        may_judge = self._may_judge and is_of_pair
        for action in self._actions:
            action.setEnabled(may_judge and isinstance(page, JudgingPage))
        self._note.setEnabled(may_judge and isinstance(page, NotingPage))

    def _page(self) -> QWidget:
        page = self._pages.tabs.currentWidget()
        if isinstance(page, JudgingPage) or not self._lists.focus.is_in(self._compare_pane):
            return page
        return self._pages.pairs

    def _name_actions(self) -> None:
        """Name the actions by their meaning on the page in front: for passages, or for pairs."""
        self._offer()
        of_passage = isinstance(self._pages.tabs.currentWidget(), PassagesPage)
        for action, (verdict, text, tip) in self._actions.items():
            meaning = BY_VERDICT[verdict]
            label = name_of(meaning) if of_passage else text
            mark = "" if of_passage else MARKS[verdict]
            hint = tool_tip(f"{tip.replace(text, label)}\n{gettext(MEANINGS[meaning])}")
            action.setToolTip(hint if of_passage else tip)
            action.setText(label)
            action.setIconText(f"{mark} {label}".strip())


SIGNED = ("judge", "judge passage")  # commands whose author a report names


class Signing(Part):
    """Asks once, at the first verdict, for the name to sign with, if none is set."""

    def __init__(self, shared: Shared) -> None:
        super().__init__(shared)
        self._decisions = shared.presenter.decisions
        self._decisions.judged.connect(self._on_judged)

    def _on_judged(self) -> None:
        preferences, last = self._preferences, self._decisions.last
        if last is None or last.command.kind not in SIGNED:
            return
        if preferences.reviewer or preferences.signature_asked:
            return
        preferences.signature_asked = True
        self._shared.message_bar.show_message(signed_by(last.who))

    def ask(self) -> None:
        """Ask for the name, and sign the last verdict again."""
        last = self._decisions.last
        name = ask_for_signature(self._window, last.who if last else "")
        if not name:
            return
        self._side_panels.set_reviewer(name)
        if last is not None and last.who != name and last == self._decisions.last:
            self._decisions.decide(last.command, last.inverse)
