"""The commands on the folders of a scan: another role, off the list, on it again.

A folder that is taken off leaves its documents in the review, removed, so that it can be put back.
Folders are named by their absolute paths.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

from core.base.wording import printable_name
from core.documents import Document
from core.documents.keys import DocumentKey
from core.documents.model import Absence, AbsenceKind
from core.documents.roles import FolderRoles, Role, check_roles
from core.errors import FolderError
from core.review.believable import check_folder
from core.review.draft import Draft
from core.review.packing import encoded
from core.scan.folders import place_in, roles_of, with_folders
from core.scan.history import Command
from core.scan.rescan import today
from core.scan.state import ScanState

Both = tuple[Command, Command]  # a command and what undoes it

NO_FOLDER = ""  # the role of a folder that lies in another one and has no role of its own


def give_role(state: ScanState, folder: Path, role: Role) -> Both:
    """Give a folder of a scan another role; one within it, or a file, becomes one of its own.

    Raises:
        FolderError: It is no folder of the scan, or nothing would be left to review.
    """
    roles, number = roles_of(state), place_in(state, folder)
    if number is None and FolderRoles(state.folders).folder_of(os.path.abspath(folder)) is None:
        raise FolderError(
            f"“{printable_name(str(folder))}” is neither a folder of this review nor in one."
        )
    check_roles(*_changed(state, folder, role))
    data = {"folder": os.path.abspath(folder)}
    before = NO_FOLDER if number is None else str(roles[number])
    return Command("role", {**data, "role": str(role)}), Command("role", {**data, "role": before})


def take_off(state: ScanState, folder: Path) -> Both:
    """Take a folder off a scan, with the documents that are in no other.

    Raises:
        FolderError: It is no folder of the scan, or nothing would be left to review.
    """
    number = place_in(state, folder)
    if number is None:
        raise FolderError(f"“{printable_name(str(folder))}” is no folder of this review.")
    folders, roles = _changed(state, folder, None)
    check_roles(folders, roles)
    left = FolderRoles(folders, roles)
    own = [
        one
        for one in state.documents
        if left.folder_of(str(one.path)) is None and not one.is_removed
    ]
    data = {
        "folder": os.path.abspath(folder),
        "role": str(roles_of(state)[number]),
        "position": number,
        "since": today().isoformat(),
        "documents": _keys(one for one in own if one.absence is None),
        "missing": _keys(one for one in own if one.absence is not None),
    }
    return Command("take folder off", data), Command("put folder back", data)


def carry_role(draft: Draft, data: Mapping[str, Any]) -> None:
    """Carry out `give_role`."""
    folder, role = _folder(data), data.get("role")
    wanted = None if role == NO_FOLDER else _role(role)
    draft.give_folders(lambda state: _changed(state, folder, wanted))


def carry_take_off(draft: Draft, data: Mapping[str, Any]) -> None:
    """Carry out `take_off`."""
    folder, since = _folder(data), date.fromisoformat(str(data.get("since")))
    for number in draft.numbers_of(data):
        if draft.documents[number].absence is None:
            absence = Absence(AbsenceKind.NOT_READ, since, removed=True)
            draft.documents[number] = replace(draft.documents[number], absence=absence)
    for number in draft.numbers_of({"documents": data.get("missing")}):
        draft.mark(number, removed=True)
    draft.change(lambda state: with_folders(state, *_changed(state, folder, None)))


def carry_put_back(draft: Draft, data: Mapping[str, Any]) -> None:
    """Undo `take_off`."""
    folder, role, position = _folder(data), _role(data.get("role")), data.get("position")
    if not isinstance(position, int):
        raise TypeError("A command has no position.")
    for number in draft.numbers_of(data):
        if draft.documents[number].is_removed:
            draft.documents[number] = replace(draft.documents[number], absence=None)
    for number in draft.numbers_of({"documents": data.get("missing")}):
        draft.mark(number, removed=False)
    draft.change(lambda state: with_folders(state, *_changed(state, folder, role, position)))


def _changed(
    state: ScanState, folder: Path, role: Role | None, position: int | None = None
) -> tuple[Sequence[Path], Sequence[Role]]:
    """The folders of a scan and their roles when one has this role; without it for None."""
    both = list(zip(state.folders, roles_of(state), strict=True))
    number = place_in(state, folder)
    if number is not None:
        folder = both.pop(number)[0]
    if role is not None:
        place = position if number is None else number
        both.insert(len(both) if place is None else place, (folder, role))
    return [one for one, _ in both], [one for _, one in both]


def _keys(documents: Iterable[Document]) -> list[list[str]]:
    return [list(DocumentKey.of(one)) for one in documents]


def _folder(data: Mapping[str, Any]) -> Path:
    path = data.get("folder")
    if not isinstance(path, str):
        raise TypeError("A command has no folder.")
    check_folder(encoded(path), encoded(path))
    return Path(path)


def _role(value: object) -> Role:
    """A stored role.

    Raises:
        ValueError: It is none.
    """
    return Role(str(value))
