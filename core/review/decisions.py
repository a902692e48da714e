"""The commands of a review, and the state of a scan that they make.

A kind of command is its functions in a module of its own, and one line in `KINDS`: `carry` changes
documents and values derived from them, `fold` changes judgements, which is done at once. A save of
the scan keeps the effects; judgements are always made from the entire log. Commands that a newer
version has added stay in the log, and are not carried out.

While commands are carried out, many of them in little time, the scan is a `Draft`. The data of a
stored command is read when it is needed, and forgotten again: a log of 100,000 entries takes 30 MB
this way; as Python's objects it took 450 MB.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from core.base.memory import collector_paused
from core.base.tasks import WorkerPool
from core.documents.model import Document, DocumentKey, Documents, PairKey, Role, templates_among
from core.exclusions.rules import ExclusionRules
from core.review import folder_roles, kept_audits, verdicts
from core.review.sidecar_files import DAMAGE
from core.review.validation import json_of
from core.scan import rescan_changes
from core.scan.exclusions import with_rules
from core.scan.folders import with_folders
from core.scan.history import Command, HistoryEntry, entry_after
from core.scan.judgements import Judgements, JudgementsDraft
from core.scan.state import ScanState

# A save of the scan follows each, but where saves fail there are as many as the user decides.
MOST_VISITS = 1 << 24  # documents that they go through, all together
MOMENT = 1 << 15  # and as many more each, for its fixed cost


class StoredData(Mapping[str, Any]):
    """The data of a command; each question reads it, so who asks several takes `read_data` first.

    Attributes:
        packed: The complete command as JSON.

    Each question raises ValueError or TypeError where that is none.
    """

    __slots__ = ("packed",)

    def __init__(self, packed: bytes) -> None:
        self.packed = packed

    def __getitem__(self, key: str) -> Any:  # noqa: ANN401 - as JSON has it
        return self.read()[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self.read())

    def __len__(self) -> int:
        return len(self.read())

    def __eq__(self, other: object) -> bool:
        if isinstance(other, StoredData) and self.packed == other.packed:
            return True
        return isinstance(other, Mapping) and self.read() == read_data(other)

    def __hash__(self) -> int:
        raise TypeError("What a mapping says may be asked, not where it is put.")

    def read(self) -> dict[str, Any]:
        """All of it, made anew."""
        data = json_of(self.packed)
        if not isinstance(data, dict):
            raise TypeError("A command is no JSON object.")
        data.pop("kind", None)  # belongs to the command, not to its data
        return data


def read_data(data: Mapping[str, Any]) -> Mapping[str, Any]:
    """The data of a command, read for repeated use."""
    return data.read() if isinstance(data, StoredData) else data


class Draft:
    """A scan whose documents may still change.

    Attributes:
        documents: The documents, to be replaced in place.
        judgements: The judgements, to be changed in place.
        rules: What is set aside; applied and signed once, when all commands are carried out.
    """

    def __init__(self, state: ScanState) -> None:
        self._state = state
        self._index: Documents | None = None
        self._visits = 0
        self._is_assigned = True
        self.documents: list[Document] = list(state.documents)
        self.judgements = JudgementsDraft(state.judgements)
        self.rules = state.rules
        self._templates = _templates(state)

    def numbers_of(self, data: Mapping[str, Any]) -> Iterator[int]:
        """The numbers of the present documents that a command lists.

        Raises:
            TypeError, ValueError: It is no list of keys.
        """
        if self._index is None:
            self._index = Documents(self._state.documents)
        for key in _listed(data, "documents"):
            if not isinstance(key, list) or [type(part) for part in key] != [str, str, str]:
                raise ValueError("A document of a command is none.")
            number = self._index.number_of(DocumentKey(*key))
            if number is not None:
                yield number

    def mark(self, number: int, *, removed: bool) -> None:
        """Take an absent document off the list, or put it on it again."""
        document = self.documents[number]
        if document.absence is not None and document.absence.removed is not removed:
            absence = document.absence._replace(removed=removed)
            self.documents[number] = document._replace(absence=absence)

    def change(self, change: Callable[[ScanState], ScanState]) -> None:
        """Change all of it.

        Raises:
            ValueError: There were more such changes than a user makes.
        """
        self._visits += len(self.documents) + MOMENT
        if self._visits > MOST_VISITS:
            raise ValueError("There are too many such commands.")
        self._state = change(self._with_documents())
        self._index, self.documents = None, list(self._state.documents)
        self.judgements = JudgementsDraft(self._state.judgements)

    def give_folders(
        self, change: Callable[[ScanState], tuple[Sequence[Path], Sequence[Role]]]
    ) -> None:
        """Give it other folders or roles; documents get only the last ones."""
        folders, roles = change(self._state)
        self._state = self._state._replace(folders=tuple(folders), roles=tuple(roles))
        self._is_assigned = False

    def state(self) -> ScanState:
        """The state as it is by now.

        Raises:
            ReviewError: A text that must be signed again cannot be read.
        """
        state = self._with_documents()
        anew = _templates(state) != self._templates
        if self.rules == state.rules and not anew:
            return state
        with WorkerPool() as pool:
            return with_rules(state, self.rules, pool, anew=anew)

    def _with_documents(self) -> ScanState:
        state = self._state._replace(
            documents=tuple(self.documents), judgements=self.judgements.judgements()
        )
        if self._is_assigned:
            return state
        self._is_assigned = True
        return with_folders(state, state.folders, state.roles)


Carry = Callable[[Draft, Mapping[str, Any]], None]
Fold = Callable[[JudgementsDraft, HistoryEntry], None]


def _templates(state: ScanState) -> list[str]:
    """The texts of the templates of a scan, by their hashes."""
    return sorted(state.documents[number].text_hash for number in templates_among(state.documents))


def _listed(data: Mapping[str, Any], name: str) -> list[Any]:
    listed = data.get(name)
    if not isinstance(listed, list):
        raise TypeError(f"A command has no list of {name}.")
    return listed


class CommandKind(NamedTuple):
    """A kind of command by its effects.

    Attributes:
        carry: What it does with documents; None where nothing.
        fold: What it does with judgements; None where nothing.
        keys: The pairs whose judgements it changes; None where it may be any.
        rules: Gives the change of the rules of what is set aside from its data; None for none.
    """

    carry: Carry | None = None
    fold: Fold | None = None
    keys: Callable[[HistoryEntry], Iterable[PairKey]] | None = None
    rules: Callable[[Mapping[str, Any]], Mapping[str, Any]] | None = None


def _no_keys(_entry: HistoryEntry) -> Iterable[PairKey]:
    return ()


KINDS: dict[str, CommandKind] = {
    "remove": CommandKind(partial(folder_roles.carry_mark, removed=True)),
    "bring back": CommandKind(partial(folder_roles.carry_mark, removed=False)),
    "delete removed": CommandKind(folder_roles.carry_delete),
    "found elsewhere": CommandKind(folder_roles.carry_found_elsewhere),
    "role": CommandKind(folder_roles.carry_role),
    "take folder off": CommandKind(folder_roles.carry_take_off),
    "put folder back": CommandKind(folder_roles.carry_put_back),
    "judge": CommandKind(fold=verdicts.fold_judge, keys=verdicts.keys_of),
    "note": CommandKind(fold=verdicts.fold_note, keys=verdicts.keys_of),
    "random check": CommandKind(fold=verdicts.fold_check),
    "list pairs": CommandKind(fold=verdicts.fold_list_pairs, keys=_no_keys),
    "centre": CommandKind(fold=folder_roles.fold_centre, keys=_no_keys),
    "set aside": CommandKind(rules=lambda data: data),
    "language": CommandKind(fold=folder_roles.fold_language, keys=_no_keys),
    "audit": CommandKind(fold=kept_audits.fold_audit, keys=_no_keys),
    "rescan": CommandKind(fold=rescan_changes.fold_rescan),
    "seen": CommandKind(fold=rescan_changes.fold_seen),
    "judge passage": CommandKind(fold=verdicts.fold_passage, keys=verdicts.keys_of_passage),
    "set passage aside": CommandKind(
        fold=verdicts.fold_passage, keys=verdicts.keys_of_passage, rules=verdicts.rules_in
    ),
}


def carried_out(state: ScanState, entries: Sequence[HistoryEntry]) -> ScanState:
    """A state after commands; its log is not changed.

    Raises:
        ValueError: The data of a command cannot be so.
    """
    draft = Draft(state)
    for entry in entries:
        if entry.command.kind not in KINDS:
            continue
        kind, readable = KINDS[entry.command.kind], _read(entry)
        if kind.carry:
            kind.carry(draft, readable.command.data)
        if kind.rules:
            draft.rules = verdicts.rules_after(draft.rules, kind.rules(readable.command.data))
        if kind.fold:
            kind.fold(draft.judgements, readable)
    return draft.state()


def judged(judgements: Judgements, entries: Iterable[HistoryEntry]) -> Judgements:
    """Judgements after commands, whatever else these do.

    Raises:
        KeyError, TypeError, ValueError: The data of a command cannot be so.
    """
    draft = JudgementsDraft(judgements)
    with collector_paused():
        for entry in entries:
            kind = KINDS.get(entry.command.kind)
            if kind and kind.fold:
                kind.fold(draft, _read(entry))
    return draft.judgements()


def _read(entry: HistoryEntry) -> HistoryEntry:
    """An entry with the data of its command read, as it is needed more than once."""
    command = entry.command
    return entry._replace(command=command._replace(data=read_data(command.data)))


def rules_after(rules: ExclusionRules, entries: Iterable[HistoryEntry]) -> ExclusionRules:
    """The rules of what is set aside after commands, before documents are signed again.

    Raises:
        TypeError, ValueError: The data of a command cannot be so.
    """
    for entry in entries:
        kind = KINDS.get(entry.command.kind)
        if kind and kind.rules:
            rules = verdicts.rules_after(rules, kind.rules(_read(entry).command.data))
    return rules


def is_light(command: Command) -> bool:
    """Whether a command changes nothing but judgements, so that `judged` is all there is to do.

    An unknown one changes nothing.
    """
    kind = KINDS.get(command.kind)
    return kind is None or (kind.carry is None and kind.rules is None)


def keys_of(entries: Iterable[HistoryEntry]) -> list[PairKey] | None:
    """The pairs whose judgements entries change, in their order; None where it may be any."""
    keys: dict[PairKey, None] = {}
    for entry in entries:
        kind = KINDS.get(entry.command.kind)
        if kind and kind.fold:
            if kind.keys is None:
                return None
            keys.update(dict.fromkeys(kind.keys(entry)))
    return list(keys)


def decide(
    state: ScanState, command: Command, inverse: Command | None, *, who: str = ""
) -> ScanState:
    """A state after a command that is saved with it; `extend_log` saves one by itself."""
    return decided(state, [entry_after(state.log, command, inverse, who=who)])


def decided(state: ScanState, entries: Sequence[HistoryEntry]) -> ScanState:
    """A state after further entries, which are the next of its log."""
    return carried_out(state, entries)._replace(log=(*state.log, *entries))


def reversal(
    entries: Sequence[HistoryEntry], last: HistoryEntry | None, who: str = ""
) -> HistoryEntry | None:
    """The entry that reverses another one; None where no known command does."""
    if last is None or last.inverse is None or last.inverse.kind not in KINDS:
        return None
    entry = entry_after(entries, last.inverse, last.command, reverses=last.id, who=who)
    return entry if _makes_sense(entry) else None


def _makes_sense(entry: HistoryEntry) -> bool:
    """Whether the inverse of an entry is valid: a stored one was not checked before."""
    try:
        judged(Judgements(), [entry])
        read_data(entry.command.data)
    except DAMAGE:
        return False
    return True
