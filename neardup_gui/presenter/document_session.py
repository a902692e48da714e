"""The documents of the list that is shown, and the one that is read by itself.

the tab is open, a list ─▶ COUNT ─▶ the table of documents
a language is said ─▶ a decision ─▶ COUNT, of languages alone
a row ─▶ ALONE ─▶ its text ─▶ how far it is compared ─▶ its text, marked

The groups of the list that is shown: made again when it is another, or a centre was chosen.

a list, a centre ─▶ GROUP ─▶ the table of groups ◀── what is said of pairs
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import is_
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from core.documents.model import DocumentKey, text_key
from core.scan.judgements import earlier_texts
from neardup_gui.jobs.documents import list_documents, make_groups, read_document
from neardup_gui.jobs.tasks import JobKind, JobQueues
from neardup_gui.models.documents import (
    DocumentList,
    DocumentReading,
    DocumentsModel,
    Measured,
)
from neardup_gui.models.groups import GroupList, GroupsModel
from neardup_gui.models.pairs.table import PairsModel
from neardup_gui.models.scan_result import ListDifference, ScanResult
from neardup_gui.models.setup import AsideState, aside_state
from neardup_gui.models.words import sentences
from neardup_gui.models.words.sentences import Message, difference_in_words
from neardup_gui.presenter.current import Current
from neardup_gui.presenter.decision_session import DecisionSession

if TYPE_CHECKING:
    from core.aside.rules import AsideRules

NO_CENTRES: Mapping[str, str] = {}
LATER = 150  # milliseconds: who drags the threshold is not held up


class GroupSession(QObject):
    """Fills the table of groups, and decides what is in their middle.

    Attributes:
        model: The table.

    Signals:
        grouped: The number of groups; None before they are made.
    """

    grouped = Signal(object)

    def __init__(
        self,
        queues: JobQueues,
        current: Current,
        pairs: PairsModel,
        decisions: DecisionSession,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._queues = queues
        self._current = current
        self._pairs = pairs
        self._decisions = decisions
        self._centres = NO_CENTRES  # that the groups are made with, or will be
        self._shown: ScanResult | None = None  # the list that they are of
        self._later = QTimer(self, singleShot=True, interval=LATER)
        self._later.timeout.connect(self._group)
        self.model = GroupsModel(self)
        pairs.judged.connect(self._on_judged)
        decisions.told.connect(self._on_decided)

    @property
    def is_up_to_date(self) -> bool:
        """Whether the groups are those of the list, so that their pairs can be judged."""
        return self._shown is not None and self._shown is self._current.result

    def take(self, result: ScanResult) -> None:
        """Group the documents of another list, soon where another one may follow at once."""
        self._queues.drop(JobKind.GROUP)  # it is of pairs that are not listed any more
        before = self._shown
        follows = before is not None and before.scan is result.scan
        self._later.start(LATER if follows else 0)

    def _group(self) -> None:
        result, judgements = self._current.result, self._current.judgements
        if result is None:
            return
        self._centres = judgements.centres

        def show(listed: GroupList) -> None:
            self._shown = result
            self.model.set_groups(listed, self._pairs.verdicts)
            self.grouped.emit(len(listed.groups))

        self._queues.submit(JobKind.GROUP, make_groups(result, judgements), show)

    def forget(self) -> None:
        """Another folder: there are no groups yet."""
        self._later.stop()
        self._queues.drop(JobKind.GROUP)
        self._shown = None
        self.model.clear()
        self.grouped.emit(None)

    def choose_centre(self, document: int) -> None:
        """Make the group of a document around it."""
        from core.review.folder_roles import choose_centre  # noqa: PLC0415 - slow to import

        result, listed = self._shown, self.model.listed
        if result is None or not self.is_up_to_date or listed.group_of[document] < 0:
            return
        judgements = self._current.judgements
        group = listed.groups[int(listed.group_of[document])]
        now, wanted = (text_key(result.documents[one]) for one in (group.centre, document))
        # What was chosen may be an earlier text of the document.
        known = [now, *(one.text for one in earlier_texts(judgements.earlier, now))]
        chosen = set(judgements.centres.values())
        now = next((text for text in known if text in chosen), now)
        self._decisions.decide(*choose_centre(judgements, now, wanted))

    def _on_judged(self) -> None:
        if self.is_up_to_date:
            self.model.set_verdicts(self._pairs.verdicts)

    def _on_decided(self) -> None:
        result = self._current.result
        if result is not None and self._current.judgements.centres != self._centres:
            self._later.start(0)


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
            wanted = value if rule == sentences.COMMON else bool(value)
            self._decide(
                self._rules.with_changes(**{rule: wanted}), sentences.rule_changed(rule, value)
            )

    def set_aside(self, text: str) -> None:
        """Set a passage aside wherever its words stand."""
        from core.aside.repeated import has_words  # noqa: PLC0415 - slow to import
        from core.aside.rules import Phrase  # noqa: PLC0415

        if self._rules is None:
            return
        if not text or not has_words(text):
            self.said.emit(sentences.NO_WORDS if text else sentences.NOTHING_CHOSEN)
            return
        try:
            rules = self._rules.with_phrases([Phrase(text)])
        except ValueError as error:
            self.said.emit(Message(str(error), warning=True))
            return
        self._decide(rules, sentences.CHOSEN)

    def count_chosen(self) -> None:
        """Let all chosen passages count again."""
        if self._rules is not None and self._rules.phrases:
            number = len(self._rules.phrases)
            self._decide(self._rules.with_changes(phrases=()), sentences.counts_again(number))

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


class DocumentSession(QObject):
    """Counts and reads while somebody looks, and not before.

    Attributes:
        model: The table.

    Signals:
        read: A `DocumentReading`, with its parts or before they are known.
        measured: How far it is compared with others, in words.
        left: No document is read any more.
    """

    read = Signal(object)
    measured = Signal(str)
    left = Signal()

    def __init__(
        self,
        queues: JobQueues,
        current: Current,
        decisions: DecisionSession,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._decisions = decisions
        self._languages: Mapping[str, str] = {}  # that were said when the table was filled
        self._queues = queues
        self._current = current
        self._is_open = False
        self._counted: ScanResult | None = None
        self._wanted: DocumentKey | None = None
        self._shown: tuple[ScanResult, int] | None = None
        self._measured: tuple[ScanResult, int, float] | None = None  # how much stands in others
        self.model = DocumentsModel(self)
        queues.previewed.connect(self._on_previewed)
        decisions.told.connect(self._on_decided)

    def set_open(self, *, is_open: bool) -> None:
        """The tab is looked at from now on, or not any more."""
        self._is_open = is_open
        if is_open:
            self._count()
            self._read()
        else:
            self._queues.drop(JobKind.COUNT, JobKind.ALONE)

    def take(self, _result: ScanResult) -> None:
        """Another list is shown."""
        if self._is_open:
            self._count()
            self._read()

    def forget(self) -> None:
        """Another folder: nothing is listed yet."""
        self._queues.drop(JobKind.COUNT, JobKind.ALONE)
        self._counted = self._wanted = self._shown = self._measured = None
        self.model.clear()
        self.left.emit()

    def choose(self, key: DocumentKey) -> None:
        """Read a document by itself."""
        self._wanted = key
        self._read()

    def say_language(self, documents: Sequence[int], language: str | None) -> None:
        """Say in which language documents are; None for what is told from their texts."""
        from core.review.folder_roles import say_language  # noqa: PLC0415 - slow to import

        if self._counted is not self._current.result or self._counted is None:
            return
        texts = [text_key(self._counted.documents[number]) for number in documents]
        self._decisions.decide(*say_language(self._current.judgements, texts, language))

    def _on_decided(self) -> None:
        if self._is_open:
            self._count()

    def _count(self) -> None:
        result, said = self._current.result, self._current.judgements.languages
        is_counted = result is self._counted
        if result is None or (is_counted and said == self._languages):
            return

        def show(listed: DocumentList) -> None:
            self._counted, self._languages = result, said
            self.model.set_documents(listed)
            self._tell_measured()

        counted = self.model.listed if is_counted else None
        work = list_documents(self._current.up_to_date(result), counted)
        self._queues.submit(JobKind.COUNT, work, show)

    def _read(self) -> None:
        result, key = self._current.result, self._wanted
        if result is None or key is None or not self._is_open:
            return
        number = result.names.documents.number_of(key)
        if number is None:
            number = result.names.index(key.name)
        if number is None:
            self._wanted = self._shown = None
            self.left.emit()
        elif self._shown != (result, number):
            self._queues.submit(JobKind.ALONE, read_document(result, number), self._on_read)

    def _on_read(self, reading: DocumentReading) -> None:
        result = self._current.result
        self._shown = (result, reading.document) if result else None
        if reading.parts is not None and result is not None:
            self._measured = result, reading.document, reading.parts.share
            self._tell_measured()
        self.read.emit(reading)

    def _tell_measured(self) -> None:
        """The row of the document that is read says what stands above its text."""
        if self._measured is not None and self._measured[0] is self._counted:
            self.model.set_measured(*self._measured[1:])

    @Slot(object, object)
    def _on_previewed(self, kind: JobKind, value: object) -> None:
        if kind is not JobKind.ALONE:
            return
        if isinstance(value, Measured):
            self.measured.emit(value.in_words)
        else:
            self._shown = None
            self.read.emit(value)
