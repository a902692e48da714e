"""The commands on the folders of a scan: another role, off the list, on it again.

A folder that is taken off leaves its documents in the review, removed, so that it can be put back.
Folders are named by their absolute paths.

The command "language": the language of texts, as a user says it.

    {"said": [{"is": "de", "texts": [key, ...]}, ...]}

Its inverse gives each text the language it had before; "is" is null where there was none, so that
the language recognised from the text counts.

The command "centre": a group is made around another document.

    {"group": key, "centre": key}

Both are texts. A group is identified by the text at its centre when another one was first
chosen; where "centre" is null, the choice is taken back.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.base.patterns import lazy_pattern
from core.base.wording import printable_name
from core.documents.model import (
    Absence,
    AbsenceKind,
    Document,
    DocumentKey,
    FolderRoles,
    Role,
    check_roles,
)
from core.errors import FolderError
from core.review.packing import encoded
from core.review.validation import check_folder
from core.scan.folders import deleted, folder_number, relocated, roles_of, with_folders
from core.scan.history import Command, HistoryEntry, text_keys
from core.scan.judgements import Judgements, JudgementsDraft
from core.scan.rescan import today
from core.scan.state import ScanState

if TYPE_CHECKING:
    from core.review.decisions import Draft

CODE = lazy_pattern("[a-z]{2,3}")


def say_language(
    judgements: Judgements, texts: Iterable[str], language: str | None
) -> tuple[Command, Command]:
    """Say which language texts are in.

    Args:
        judgements: As they are.
        texts: The keys of the texts.
        language: A code, or that of `core.text.languages.UNKNOWN`; None for the language
            recognised from the text.

    Returns:
        The command and its inverse.
    """
    texts = list(dict.fromkeys(texts))
    before: dict[str | None, list[str]] = {}
    for text in texts:
        before.setdefault(judgements.languages.get(text), []).append(text)
    return Command("language", _data({language: texts})), Command("language", _data(before))


def fold_language(draft: JudgementsDraft, entry: HistoryEntry) -> None:
    """Carry out `say_language`.

    Raises:
        KeyError, TypeError, ValueError: The data cannot be so.
    """
    for statement in entry.command.data["said"]:
        language, texts = statement["is"], text_keys(statement["texts"])
        if language is not None and not CODE.fullmatch(language):
            raise ValueError("A language is none.")
        if language is None:
            for text in texts:
                draft.languages.pop(text, None)
        else:
            draft.languages.update(dict.fromkeys(texts, language))


def _data(statements: Mapping[str | None, list[str]]) -> dict[str, Any]:
    return {"said": [{"is": language, "texts": texts} for language, texts in statements.items()]}


def choose_centre(judgements: Judgements, now: str, wanted: str) -> tuple[Command, Command]:
    """Make a group around another document.

    Args:
        judgements: As they are.
        now: The text in the centre of the group.
        wanted: The text that is to be the centre.

    Returns:
        The command and its inverse.
    """
    chosen = judgements.centres
    group = next((group for group, centre in chosen.items() if centre == now), now)
    before = Command("centre", {"group": group, "centre": chosen.get(group)})
    return Command("centre", {"group": group, "centre": wanted}), before


def fold_centre(draft: JudgementsDraft, entry: HistoryEntry) -> None:
    """Carry out `choose_centre`.

    Raises:
        KeyError, ValueError: The data cannot be so.
    """
    (group,), centre = text_keys([entry.command.data["group"]]), entry.command.data["centre"]
    if centre is None:
        draft.centres.pop(group, None)
    else:
        (draft.centres[group],) = text_keys([centre])


RemovalAndUndo = tuple[Command, Command | None]  # a command and its inverse


def remove(documents: Collection[Document]) -> RemovalAndUndo:
    """Take missing documents off the list."""
    keys = {"documents": _keys(documents)}
    return Command("remove", keys), Command("bring back", keys)


def bring_back(documents: Collection[Document]) -> RemovalAndUndo:
    """Put documents on the list again."""
    keys = {"documents": _keys(documents)}
    return Command("bring back", keys), Command("remove", keys)


def delete_removed() -> RemovalAndUndo:
    """Forget the documents that are off the list; nothing brings them back."""
    return Command("delete removed", {}), None


def found_elsewhere(folder: Path, location: Path) -> RemovalAndUndo:
    """A folder of the scan has moved."""
    moved = Command("found elsewhere", {"folder": str(folder), "place": str(location)})
    back = Command("found elsewhere", {"folder": str(location), "place": str(folder)})
    return moved, back


def carry_mark(draft: Draft, data: Mapping[str, Any], *, removed: bool) -> None:
    """Carry out `remove`, or `bring_back`."""
    for number in draft.numbers_of(data):
        draft.mark(number, removed=removed)


def carry_delete(draft: Draft, _data: Mapping[str, Any]) -> None:
    """Carry out `delete_removed`."""
    draft.change(deleted)


def carry_found_elsewhere(draft: Draft, data: Mapping[str, Any]) -> None:
    """Carry out `found_elsewhere`."""
    folder, location = (_path(data, name) for name in ("folder", "place"))
    draft.change(lambda state: relocated(state, folder, location))


def _path(data: Mapping[str, Any], name: str) -> Path:
    path = data.get(name)
    if not isinstance(path, str):
        raise TypeError(f"A command has no {name}.")
    check_folder(encoded(path), encoded(path))
    return Path(path)


RoleAndUndo = tuple[Command, Command]  # a command and its inverse

NO_FOLDER = ""  # stands for the role of a folder in another one that has no role itself


def give_role(state: ScanState, folder: Path, role: Role) -> RoleAndUndo:
    """Give a folder of a scan another role; a folder or file in it becomes a folder of the scan.

    Raises:
        FolderError: It is no folder of the scan, or nothing would be left to review.
    """
    roles, number = roles_of(state), folder_number(state, folder)
    if number is None and FolderRoles(state.folders).folder_of(os.path.abspath(folder)) is None:
        raise FolderError(
            "“{folder}” is neither a folder of this review nor in one.",
            folder=printable_name(str(folder)),
        )
    check_roles(*_changed(state, folder, role))
    data = {"folder": os.path.abspath(folder)}
    before = NO_FOLDER if number is None else str(roles[number])
    return Command("role", {**data, "role": str(role)}), Command("role", {**data, "role": before})


def take_off(state: ScanState, folder: Path) -> RoleAndUndo:
    """Take a folder off a scan, with the documents that are in no other.

    Raises:
        FolderError: It is no folder of the scan, or nothing would be left to review.
    """
    number = folder_number(state, folder)
    if number is None:
        raise FolderError(
            "“{folder}” is no folder of this review.", folder=printable_name(str(folder))
        )
    folders, roles = _changed(state, folder, None)
    check_roles(folders, roles)
    left = FolderRoles(folders, roles)
    removed = [
        document
        for document in state.documents
        if left.folder_of(document.location) is None and not document.is_removed
    ]
    data = {
        "folder": os.path.abspath(folder),
        "role": str(roles_of(state)[number]),
        "position": number,
        "since": today().isoformat(),
        "documents": _keys(document for document in removed if document.absence is None),
        "missing": _keys(document for document in removed if document.absence is not None),
    }
    return Command("take folder off", data), Command("put folder back", data)


def carry_role(draft: Draft, data: Mapping[str, Any]) -> None:
    """Carry out `give_role`."""
    folder, role = _path(data, "folder"), data.get("role")
    wanted = None if role == NO_FOLDER else Role(str(role))
    draft.give_folders(lambda state: _changed(state, folder, wanted))


def carry_take_off(draft: Draft, data: Mapping[str, Any]) -> None:
    """Carry out `take_off`."""
    folder, since = _path(data, "folder"), date.fromisoformat(str(data.get("since")))
    for number in draft.numbers_of(data):
        if draft.documents[number].absence is None:
            absence = Absence(AbsenceKind.NOT_READ, since, removed=True)
            draft.documents[number] = draft.documents[number]._replace(absence=absence)
    carry_mark(draft, {"documents": data.get("missing")}, removed=True)
    draft.change(lambda state: with_folders(state, *_changed(state, folder, None)))


def carry_put_back(draft: Draft, data: Mapping[str, Any]) -> None:
    """Undo `take_off`."""
    folder, role, position = (
        _path(data, "folder"),
        Role(str(data.get("role"))),
        data.get("position"),
    )
    if not isinstance(position, int):
        raise TypeError("A command has no position.")
    for number in draft.numbers_of(data):
        if draft.documents[number].is_removed:
            draft.documents[number] = draft.documents[number]._replace(absence=None)
    carry_mark(draft, {"documents": data.get("missing")}, removed=False)
    draft.change(lambda state: with_folders(state, *_changed(state, folder, role, position)))


def _changed(
    state: ScanState, folder: Path, role: Role | None, position: int | None = None
) -> tuple[Sequence[Path], Sequence[Role]]:
    """The folders of a scan and their roles, with a folder in this role; None removes it."""
    both = list(zip(state.folders, roles_of(state), strict=True))
    number = folder_number(state, folder)
    if number is not None:
        folder = both.pop(number)[0]
    if role is not None:
        insertion = position if number is None else number
        both.insert(len(both) if insertion is None else insertion, (folder, role))
    return [path for path, _ in both], [known_role for _, known_role in both]


def _keys(documents: Iterable[Document]) -> list[list[str]]:
    return [list(DocumentKey.of(document)) for document in documents]
