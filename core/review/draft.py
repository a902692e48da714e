"""The state of a scan while commands are carried out, many of them in little time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from core.documents.model import Document, DocumentKey, Documents, Role, templates_among
from core.scan.history import HistoryEntry
from core.scan.judgements import JudgementsDraft
from core.scan.setting_aside import with_rules
from core.scan.state import ScanState
from core.scan.submissions import with_folders

# A save of the scan follows each, but where that fails there are as many as the user has decided.
MOST_VISITS = 1 << 24  # documents that they go through, all together
MOMENT = 1 << 15  # and as many more each, for what it takes with few documents too


class Draft:
    """A scan whose documents may still change.

    Attributes:
        documents: The documents, to be replaced in place.
        judgements: What is judged, to be changed in place.
        rules: What is set aside; found and signed once, when all commands are carried out.
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
        """The documents that a command lists, of those that are here.

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
        """Take a document that is not there off the list, or put it on it again."""
        document = self.documents[number]
        if document.absence is not None and document.absence.removed is not removed:
            absence = document.absence._replace(removed=removed)
            self.documents[number] = replace(document, absence=absence)

    def change(self, change: Callable[[ScanState], ScanState]) -> None:
        """Change all of it.

        Raises:
            ValueError: That was done more often than anybody does.
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
        """Give it other folders, or these other roles; documents learn of the last ones only."""
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
        return with_rules(state, self.rules, anew=anew)

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
