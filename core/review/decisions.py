"""The commands of a review, and the state of a scan that they make.

A kind of command is its functions in a module of its own, and one line in `KINDS`: `carry` changes
documents and what is made of them, `fold` changes judgements, which is done at once. A save of the
scan keeps what was carried out; judgements are always made from the whole log. What a newer version
has added stays in the log, and is not carried out here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from core.aside.rules import AsideRules
from core.base.memory import collector_paused
from core.documents.model import PairKey
from core.review import audits, folder_roles, passages, verdicts
from core.review.believable import read_data
from core.review.draft import Carry, Draft, Fold
from core.review.refusals import DAMAGE
from core.scan import news
from core.scan.history import Command, HistoryEntry, UndoStacks, entry_after
from core.scan.judgements import Judgements, JudgementsDraft
from core.scan.state import ScanState


class CommandKind(NamedTuple):
    """A kind of command: what it does.

    Attributes:
        carry: What it does with documents; None where nothing.
        fold: What it does with judgements; None where nothing.
        keys: The pairs whose judgements it changes; None where it may be any.
        rules: What its data says of the rules of what is set aside; None where nothing.
    """

    carry: Carry | None = None
    fold: Fold | None = None
    keys: Callable[[HistoryEntry], Iterable[PairKey]] | None = None
    rules: Callable[[Mapping[str, Any]], Mapping[str, Any]] | None = None


def _no_keys(_entry: HistoryEntry) -> Iterable[PairKey]:
    return ()


KINDS: dict[str, CommandKind] = {
    "remove": CommandKind(folder_roles.carry_remove),
    "bring back": CommandKind(folder_roles.carry_bring_back),
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
    "audit": CommandKind(fold=audits.fold_audit, keys=_no_keys),
    "rescan": CommandKind(fold=news.fold_rescan),
    "seen": CommandKind(fold=news.fold_seen),
    "judge passage": CommandKind(fold=passages.fold_passage, keys=passages.keys_of),
    "set passage aside": CommandKind(
        fold=passages.fold_passage, keys=passages.keys_of, rules=passages.rules_in
    ),
}


def carried_out(state: ScanState, entries: Sequence[HistoryEntry]) -> ScanState:
    """A state after some commands; its log is not changed.

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
            draft.rules = passages.rules_after(draft.rules, kind.rules(readable.command.data))
        if kind.fold:
            kind.fold(draft.judgements, readable)
    return draft.state()


def judged(judgements: Judgements, entries: Iterable[HistoryEntry]) -> Judgements:
    """Judgements after some commands, whatever else these do.

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
    """An entry with the data of its command read: it is asked for more than once."""
    command = entry.command
    return entry._replace(command=command._replace(data=read_data(command.data)))


def rules_after(rules: AsideRules, entries: Iterable[HistoryEntry]) -> AsideRules:
    """What is set aside after some commands, before their documents are signed again.

    Raises:
        TypeError, ValueError: The data of a command cannot be so.
    """
    for entry in entries:
        kind = KINDS.get(entry.command.kind)
        if kind and kind.rules:
            rules = passages.rules_after(rules, kind.rules(_read(entry).command.data))
    return rules


def is_light(command: Command) -> bool:
    """Whether a command changes nothing but judgements, so that `judged` is all there is to do.

    One that is not known changes nothing here.
    """
    kind = KINDS.get(command.kind)
    return kind is None or (kind.carry is None and kind.rules is None)


def keys_of(entries: Iterable[HistoryEntry]) -> list[PairKey] | None:
    """The pairs whose judgements some entries change, in their order; None where it may be any."""
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
    """A state in which some entries more were decided, which are the next of its log."""
    return carried_out(state, entries)._replace(log=(*state.log, *entries))


def undo(entries: Sequence[HistoryEntry], who: str = "") -> HistoryEntry | None:
    """The entry that undoes what was done last; None where nothing can be undone."""
    return reversal(entries, UndoStacks(entries).to_undo, who)


def redo(entries: Sequence[HistoryEntry], who: str = "") -> HistoryEntry | None:
    """The entry that redoes what was undone last; None where nothing can be redone."""
    return reversal(entries, UndoStacks(entries).to_redo, who)


def reversal(
    entries: Sequence[HistoryEntry], last: HistoryEntry | None, who: str = ""
) -> HistoryEntry | None:
    """The entry that does the inverse of another one; None where there is none that is known."""
    if last is None or last.inverse is None or last.inverse.kind not in KINDS:
        return None
    entry = entry_after(entries, last.inverse, last.command, reverses=last.id, who=who)
    return entry if _makes_sense(entry) else None


def _makes_sense(entry: HistoryEntry) -> bool:
    """Whether what undoes an entry can be so: a stored one was not looked at before."""
    try:
        judged(Judgements(), [entry])
        read_data(entry.command.data)
    except DAMAGE:
        return False
    return True
