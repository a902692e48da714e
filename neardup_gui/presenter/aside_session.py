"""Rules of what is set aside: shown, changed as decisions, and told what they did to the list."""

from __future__ import annotations

from operator import is_
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from neardup_gui.models.list_difference import ListDifference
from neardup_gui.models.scan_result import ScanResult
from neardup_gui.models.setup.aside import AsideState, aside_state
from neardup_gui.models.words import aside
from neardup_gui.models.words.decided import difference_in_words
from neardup_gui.models.words.message import Message
from neardup_gui.presenter.current import Current
from neardup_gui.presenter.decision_session import DecisionSession

if TYPE_CHECKING:
    from core.aside.rules import AsideRules


class AsideSession(QObject):
    """Changes the rules of the present list.

    Signals:
        changed: The `AsideState` to show.
        said: A `Message` for the message bar.
    """

    changed = Signal(object)
    said = Signal(object)

    def __init__(
        self, current: Current, decisions: DecisionSession, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._current = current
        self._decisions = decisions
        self._state = AsideState()
        self._found: tuple[object, ...] | None = None  # what is shown is told from
        self._rules: AsideRules | None = None  # also those of which the list is not yet made

    def take(self, result: ScanResult) -> None:
        """Show the rules of a list; a preview has none that can be changed."""
        state = result.state
        if state is None:
            self.forget()
        elif not self._current.waiting:
            known, self._found = self._found, (state.rules, state.set_aside, state.documents)
            if known is not None and all(map(is_, known, self._found)):
                return  # the list was made again for another threshold
            self._rules = state.rules
            lengths = [one.characters for one in state.documents]
            self._show(aside_state(state.rules, state.set_aside, lengths))

    def forget(self) -> None:
        """There is no list that could be changed."""
        self._rules = self._found = None
        self._show(AsideState())

    def set_rule(self, rule: str, value: int) -> None:
        """Set something aside, or let it count again; of common passages in how many documents."""
        if self._rules is not None:
            wanted = value if rule == aside.COMMON else bool(value)
            self._decide(
                self._rules.with_changes(**{rule: wanted}), aside.rule_changed(rule, value)
            )

    def set_aside(self, text: str) -> None:
        """Set a passage aside wherever its words stand."""
        from core.aside.repeated import has_words  # noqa: PLC0415 - slow to import
        from core.aside.rules import Phrase  # noqa: PLC0415

        if self._rules is None:
            return
        if not text or not has_words(text):
            self.said.emit(aside.NO_WORDS if text else aside.NOTHING_CHOSEN)
            return
        try:
            rules = self._rules.with_phrases([Phrase(text)])
        except ValueError as error:
            self.said.emit(Message(str(error), warning=True))
            return
        self._decide(rules, aside.CHOSEN)

    def count_chosen(self) -> None:
        """Let all chosen passages count again."""
        if self._rules is not None and self._rules.phrases:
            number = len(self._rules.phrases)
            self._decide(self._rules.with_changes(phrases=()), aside.counts_again(number))

    def _decide(self, rules: AsideRules, text: str) -> None:
        from core.review.passages import set_aside  # noqa: PLC0415 - slow to import

        if self._rules is None or rules == self._rules:
            return

        def says(difference: ListDifference) -> str:
            return f"{text} {difference_in_words(difference)}"

        if self._decisions.decide(*set_aside(self._rules, rules), says=says):
            self._rules, self._found = rules, None
            self._show(self._state.with_rules(rules))
        else:
            self.changed.emit(self._state)  # the box that was pressed goes back

    def _show(self, state: AsideState) -> None:
        self._state = state
        self.changed.emit(state)
