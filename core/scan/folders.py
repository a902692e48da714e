"""The folders of a scan and their roles, changed without reading a file."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from core.documents.roles import FolderRoles, Role
from core.scan.state import ScanState


def roles_of(state: ScanState) -> tuple[Role, ...]:
    """What each folder is for."""
    return FolderRoles(state.folders, state.roles).roles


def place_in(state: ScanState, folder: Path) -> int | None:
    """Which of the folders this is, wherever they are looked at from; None for none."""
    places = [os.path.abspath(one) for one in state.folders]
    place = os.path.abspath(folder)
    return places.index(place) if place in places else None


def with_folders(state: ScanState, folders: Sequence[Path], roles: Sequence[Role]) -> ScanState:
    """The state with these folders, and its documents with the roles they have in them."""
    found = FolderRoles(folders, roles)
    return state._replace(
        folders=tuple(folders),
        roles=found.roles,
        documents=tuple(found.assigned(state.documents)),
    )


def with_earlier_roles(
    folders: Sequence[Path], roles: Sequence[Role], previous: ScanState | None
) -> tuple[list[Path], list[Role]]:
    """Folders with those of an earlier scan that are not to review: they stay what they are."""
    given = {os.path.realpath(folder) for folder in folders}
    earlier = zip(previous.folders, roles_of(previous), strict=True) if previous else ()
    kept = [
        (folder, role)
        for folder, role in earlier
        if role is not Role.REVIEW and os.path.realpath(folder) not in given
    ]
    return [*folders, *(one for one, _ in kept)], [*roles, *(one for _, one in kept)]
