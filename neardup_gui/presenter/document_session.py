"""The documents of the shown list, and the document that is open on its own.

the tab is open, a list ─▶ COUNT ─▶ the table of documents
a language is chosen ─▶ a decision ─▶ COUNT, of languages alone
a row ─▶ ALONE ─▶ its text ─▶ how far it is compared ─▶ its text, marked

The groups of the shown list: made again for another list or another centre.

a list, a centre ─▶ GROUP ─▶ the table of groups ◀── verdicts on pairs
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QObject, Signal

from core.base.tasks import stop_if_cancelled
from core.documents.model import DocumentKey, text_key
from core.scan.judgements import Judgements, earlier_texts
from neardup_gui.jobs.tasks import TaskKind, current_task
from neardup_gui.models.documents import (
    DocumentList,
    DocumentReading,
    DocumentsModel,
    document_list,
    with_languages,
    with_properties,
)
from neardup_gui.models.groups import GroupList, GroupsModel, OrderDrawing
from neardup_gui.models.scan_result import ScanResult
from neardup_gui.models.setup import ExclusionState
from neardup_gui.models.words import sentences
from neardup_gui.models.words.sentences import Message, with_difference
from neardup_gui.presenter.follower import Follower
from neardup_gui.presenter.window_context import Context, Session

if TYPE_CHECKING:
    from core.exclusions.rules import ExclusionRules
    from core.scan.document_list import SharedParts
    from core.scan.properties import FolderProperties


LATER = 150  # milliseconds: dragging the threshold stays smooth
COMPARED_AT_ONCE = 4_000_000  # characters, about a second


class GroupSession(Session):
    """Fills the table of groups, and changes their centres.

    Attributes:
        model: The table.

    Signals:
        grouped: The number of groups; None before they are made.
    """

    grouped = Signal(object)

    def __init__(self, context: Context, parent: QObject | None = None) -> None:
        super().__init__(context, parent)
        self._groups = Follower(
            self._tasks, TaskKind.GROUP, self._listed, self._group, self, later=LATER, forgets=False
        )
        self._groups.value_changed.connect(self._show)
        self._groups.open()
        self.take, self.forget = self._groups.refresh, self._groups.forget
        self.model = GroupsModel(self)
        self._pairs.judged.connect(self._on_judged)
        self._decisions.undo_state_changed.connect(self._groups.refresh)

    @property
    def is_up_to_date(self) -> bool:
        """Whether the groups are those of the list, so that their pairs can be judged."""
        result = self._groups.result
        return result is not None and result is self._current.result

    def _listed(self) -> tuple[object, ...] | None:
        result = self._current.result
        if result is None:
            return None
        return result, self._current.judgements.centres, self._current.file_properties

    def _group(
        self, result: ScanResult, _centres: object, properties: FolderProperties | None
    ) -> Callable[[], object]:
        return partial(make_groups, result, self._current.judgements, properties)

    def _show(self, listed: GroupList | None) -> None:
        if listed is None:
            self.model.clear()
            self.grouped.emit(None)
        else:
            self.model.set_groups(listed, self._pairs.verdicts)
            self.grouped.emit(len(listed.groups))

    def choose_centre(self, document: int) -> None:
        """Make a document the centre of its group."""
        from core.review.folder_roles import choose_centre

        result, listed = self._groups.result, self.model.listed
        if result is None or not self.is_up_to_date or listed.group_of[document] < 0:
            return
        judgements = self._current.judgements
        group = listed.groups[int(listed.group_of[document])]
        now, wanted = (text_key(result.documents[number]) for number in (group.centre, document))
        # The chosen centre may be an earlier text of the document.
        known = [now, *(text.text for text in earlier_texts(judgements.earlier, now))]
        chosen = set(judgements.centres.values())
        now = next((text for text in known if text in chosen), now)
        self._decisions.decide(*choose_centre(judgements, now, wanted))

    def _on_judged(self) -> None:
        if self.is_up_to_date:
            self.model.set_verdicts(self._pairs.verdicts)


class ExclusionSession(Session):
    """Changes the rules of the present list.

    Signals:
        changed: The `ExclusionState` to show.
    """

    changed = Signal(object)

    def __init__(self, context: Context, parent: QObject | None = None) -> None:
        super().__init__(context, parent)
        self._state = ExclusionState()
        self._taken: ExclusionState | None = None  # that of the list

    def take(self, result: ScanResult) -> None:
        """Show the rules of a list; a preview has none that can be changed."""
        if not result.complete:
            self.forget()
        # It is the same where the list was made again for another threshold.
        elif not self._current.waiting and result.exclusions is not self._taken:
            self._taken = result.exclusions
            self._show(self._taken)

    def forget(self) -> None:
        """Show no rules: there is no list that could be changed."""
        self._taken = None
        self._show(ExclusionState())

    def set_rule(self, rule: str, value: int) -> None:
        """Set something aside, or let it count again; of common passages in how many documents."""
        rules = self._state.rules
        if rules is not None:
            wanted = value if rule == sentences.COMMON else bool(value)
            self._decide(rules.with_changes(**{rule: wanted}), sentences.rule_changed(rule, value))

    def set_very_common(self) -> None:
        """Set aside passages that are in so many documents that they pair none by themselves."""
        from core.candidates.sorted_keys import DOCUMENT_LIMIT

        self.set_rule(sentences.COMMON, DOCUMENT_LIMIT)

    def set_aside(self, text: str) -> None:
        """Set a passage aside wherever its words stand."""
        from core.exclusions.repeated import has_words
        from core.exclusions.rules import Phrase

        before = self._state.rules
        if before is None:
            return
        if not text or not has_words(text):
            self.message_posted.emit(sentences.nothing_chosen(text))
            return
        try:
            rules = before.with_phrases([Phrase(text)])
        except ValueError as error:
            self.message_posted.emit(Message(str(error), warning=True))
            return
        self._decide(rules, sentences.chosen())

    def count_chosen(self) -> None:
        """Let all chosen passages count again."""
        rules = self._state.rules
        if rules is not None and rules.phrases:
            words = sentences.counts_again(len(rules.phrases))
            self._decide(rules.with_changes(phrases=()), words)

    def _decide(self, rules: ExclusionRules, text: str) -> None:
        from core.review.verdicts import set_aside

        before = self._state.rules
        if before is None or rules == before:
            return
        if self._decisions.decide(*set_aside(before, rules), says=with_difference(text)):
            self._taken = None
            self._show(self._state._replace(rules=rules))
        else:
            self.changed.emit(self._state)  # the box that was pressed goes back

    def _show(self, state: ExclusionState) -> None:
        self._state = state
        self.changed.emit(state)


class DocumentSession(Session):
    """Counts and reads documents while their tab is open.

    Attributes:
        model: The table.

    Signals:
        read: A `DocumentReading`, with its parts or before they are known.
        measured: How far it has been compared with the others, in words.
        left: No document is read any more.
    """

    read = Signal(object)
    measured = Signal(str)
    left = Signal()

    def __init__(self, context: Context, parent: QObject | None = None) -> None:
        super().__init__(context, parent)
        self._wanted: DocumentKey | None = None
        self._measured: tuple[ScanResult, int, float] | None = None  # the share in others
        self.model = DocumentsModel(self)
        self._counts = Follower(
            self._tasks, TaskKind.COUNT, self._listed, self._count, self, forgets=False
        )
        self._counts.value_changed.connect(self._show)
        self._reading = Follower(
            self._tasks,
            TaskKind.ALONE,
            self._document,
            lambda result, number: partial(read_document, result, number),
            self,
            forgets=False,
        )
        self._reading.value_changed.connect(self._on_read)
        self._reading.previewed.connect(self._on_previewed)
        self._decisions.undo_state_changed.connect(self._counts.refresh)

    def set_open(self, *, is_open: bool) -> None:
        """The tab of documents was opened or closed."""
        self._counts.set_open(is_open)
        self._reading.set_open(is_open)

    def take(self, _result: ScanResult | None = None) -> None:
        """Follow another list, or more properties of its documents."""
        self._counts.refresh()
        self._reading.refresh()

    def forget(self) -> None:
        """Clear all for another folder."""
        self._wanted = self._measured = None
        self._counts.forget()
        self._reading.forget()

    def choose(self, key: DocumentKey) -> None:
        """Open a document on its own."""
        self._wanted = key
        self._reading.refresh()

    def say_language(self, documents: Sequence[int], language: str | None) -> None:
        """Set the language of documents; None to detect it from their texts."""
        from core.review.folder_roles import say_language

        result = self._counts.result
        if result is None or result is not self._current.result:
            return
        texts = [text_key(result.documents[number]) for number in documents]
        self._decisions.decide(*say_language(self._current.judgements, texts, language))

    # The table

    def _listed(self) -> tuple[object, ...] | None:
        result = self._current.result
        if result is None:
            return None
        return result, self._current.judgements.languages, self._current.file_properties

    def _count(
        self, result: ScanResult, _languages: object, properties: FolderProperties | None
    ) -> Callable[[], object]:
        counted = self.model.listed if result is self._counts.result else None
        return partial(list_documents, self._current.up_to_date(result), counted, properties)

    def _show(self, listed: DocumentList | None) -> None:
        if listed is None:
            self.model.clear()
        else:
            self.model.set_documents(listed)
            self._show_measured()

    def _show_measured(self) -> None:
        """Show the measured share in the row of the document, as above its text."""
        if self._measured is not None and self._measured[0] is self._counts.result:
            self.model.set_measured(*self._measured[1:])

    # The document that is read

    def _document(self) -> tuple[ScanResult, int] | None:
        result, key = self._current.result, self._wanted
        if result is None or key is None:
            return None
        number = result.names.find(key)
        return (result, number) if number is not None else None

    def _on_read(self, reading: DocumentReading | None) -> None:
        if reading is None:
            self._wanted = None
            self.left.emit()
            return
        result = self._current.result
        if reading.parts is not None and result is not None:
            self._measured = result, reading.document, reading.parts.share
            self._show_measured()
        self.read.emit(reading)

    def _on_previewed(self, value: DocumentReading | str) -> None:
        if isinstance(value, str):
            self.measured.emit(value)
        else:
            self.read.emit(value)


def make_groups(
    result: ScanResult, judgements: Judgements, properties: FolderProperties | None
) -> GroupList:
    """Group the documents of a list, around the centres that were chosen."""
    from core.reports.properties_words import order_in_words
    from core.scan.file_order import direct_origins, order_trees, orders_within
    from neardup_gui.models.groups import group_list, order_drawing

    stop_if_cancelled()
    listed = group_list(result, judgements)
    if properties is None:
        return listed
    names = result.names.shown
    origins: dict[int, tuple[Sequence[int], str]] = {}
    trees: dict[int, OrderDrawing] = {}
    for number, group in enumerate(listed.groups):
        stop_if_cancelled()
        orders = orders_within(properties, group.documents)
        words = {order: "\n".join(order_in_words(order, names.__getitem__)) for order in orders}
        for document, before in direct_origins(orders).items():
            of_document = (
                words[order]
                for order in orders
                if order.later == document and order.earlier in before
            )
            origins[document] = before, "\n".join(of_document)
        if of_group := order_trees(orders):
            trees[number] = order_drawing(of_group, names, words.__getitem__)
    return replace(listed, origins=origins, trees=trees)


def list_documents(
    result: ScanResult, counted: DocumentList | None, properties: FolderProperties | None
) -> DocumentList:
    """Compute the columns of each document; of an unfinished scan only the names.

    The share of each that is in others is measured where that is quick, else estimated.
    `counted` are the columns of the same list, where only languages have changed.
    """
    from core.scan.document_list import document_columns, shared_parts
    from core.scan.judgements import language_of

    state = result.state
    if state is None:
        return DocumentList(result.documents, result.names, result.settings)
    if counted is None:
        columns = document_columns(state, result.pair_list.pairs)
        shares = {}
        if _characters_to_compare(result) <= COMPARED_AT_ONCE:
            listed = state._replace(settings=result.settings)
            for document in range(len(result.documents)):
                parts = shared_parts(result.scan, listed, result.pairs, document)
                shares[document] = parts.share
        counted = document_list(result, columns, shares)
    languages = [language_of(document, state.judgements) for document in state.documents]
    detected = [document.language for document in state.documents]
    counted = with_languages(counted, languages, detected)
    return with_properties(counted, properties) if properties else replace(counted, of_files={})


def _characters_to_compare(result: ScanResult) -> int:
    """The characters to compare when each document is compared with those of its pairs."""
    lengths = np.array([document.characters for document in result.documents], dtype=np.int64)
    pairs = result.pairs
    return int(lengths.sum() + 2 * (lengths[pairs.a] + lengths[pairs.b]).sum())


def read_document(result: ScanResult, document: int) -> DocumentReading:
    """Lay out a document and compare it with all others.

    Previews are a `DocumentReading` with the bare text, then progress of the comparison in words.
    """
    from core.scan.document_list import shared_parts
    from neardup_gui.models.documents import comparing, read_alone

    text = result.scan.texts[document]
    exclusions = result.scan.exclusions_of(document, document)[0]
    bare = read_alone(result, document, text, exclusions)
    stop_if_cancelled()
    if result.state is None:
        return bare
    current_task().preview(bare)

    def preview(parts: SharedParts) -> None:
        current_task().preview(comparing(parts.compared, parts.total))

    state = result.state._replace(settings=result.settings)
    parts = shared_parts(result.scan, state, result.pairs, document, on_progress=preview)
    return read_alone(result, document, text, exclusions, parts)
