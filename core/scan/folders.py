"""The folders of a scan: what each is for, which documents it lost, and where it is now.

The file of a missing document may be deleted, or in a folder that is elsewhere. The list is changed
in `core.review.folder_roles`. A removed document stays in the state, and so in the review file,
until it is deleted.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from core.documents.model import AbsenceKind, Document, FolderRoles, Role
from core.scan.rescan import AbsolutePaths
from core.scan.state import ScanState


def roles_of(state: ScanState) -> tuple[Role, ...]:
    """The role of each folder."""
    return FolderRoles(state.folders, state.roles).roles


def folder_number(state: ScanState, folder: Path) -> int | None:
    """The index of a folder, however its path is written; None where it is none of them."""
    locations = [os.path.abspath(path) for path in state.folders]
    location = os.path.abspath(folder)
    return locations.index(location) if location in locations else None


def with_folders(state: ScanState, folders: Sequence[Path], roles: Sequence[Role]) -> ScanState:
    """The state with these folders, and its documents with the roles they have in them."""
    folder_roles = FolderRoles(folders, roles)
    return state._replace(
        folders=tuple(folders),
        roles=folder_roles.roles,
        documents=tuple(folder_roles.assigned(state.documents)),
    )


def with_earlier_roles(
    folders: Sequence[Path], roles: Sequence[Role], previous: ScanState | None
) -> tuple[list[Path], list[Role]]:
    """Folders with those of an earlier scan that are not to review, which keep their roles."""
    given = {os.path.realpath(folder) for folder in folders}
    earlier = zip(previous.folders, roles_of(previous), strict=True) if previous else ()
    kept = [
        (folder, role)
        for folder, role in earlier
        if role is not Role.REVIEW and os.path.realpath(folder) not in given
    ]
    return [*folders, *(path for path, _ in kept)], [*roles, *(kept_role for _, kept_role in kept)]


def missing(state: ScanState) -> list[Document]:
    """The listed documents that the last rescan did not meet."""
    return [
        document for document in state.documents if document.absence and not document.is_removed
    ]


def gone_for_sure(state: ScanState) -> list[Document]:
    """The missing documents that are gone from a folder in which others still are.

    An empty folder may be one that is not connected.
    """
    locations = AbsolutePaths()
    empty = tuple(locations.inside(folder) for folder in empty_folders(state))
    return [
        document
        for document in missing(state)
        if document.absence
        and document.absence.kind is AbsenceKind.GONE
        and not locations.of(document.location).startswith(empty)
    ]


def empty_folders(state: ScanState) -> Iterator[Path]:
    """The folders that had documents and have none any more."""
    locations = AbsolutePaths()
    present = [
        locations.of(document.location) for document in state.documents if document.absence is None
    ]
    lost = [locations.of(document.location) for document in missing(state)]
    for folder in state.folders:
        start = locations.inside(folder)
        if any(location.startswith(start) for location in lost) and not any(
            location.startswith(start) for location in present
        ):
            yield folder


def deleted(state: ScanState) -> ScanState:
    """The state without its removed documents."""
    rows = [number for number, document in enumerate(state.documents) if not document.is_removed]
    new_numbers = np.full(len(state.documents), -1, dtype=np.int64)
    new_numbers[rows] = np.arange(len(rows))
    evidence = state.evidence.renumbered(new_numbers, len(rows))
    return state.taken(rows)._replace(evidence=evidence)


def relocated(state: ScanState, folder: Path, new_folder: Path) -> ScanState:
    """The state with a folder at another location; its files are where they were in it.

    So are the folders in it that have a role by themselves.
    """
    locations, start = AbsolutePaths(), AbsolutePaths.inside(folder)

    def moved(path: str) -> str:
        location = locations.of(path)
        return str(new_folder / location[len(start) :]) if location.startswith(start) else path

    return state._replace(
        folders=tuple(
            new_folder if path == folder else Path(moved(str(path))) for path in state.folders
        ),
        documents=tuple(
            document._replace(location=moved(document.location)) for document in state.documents
        ),
    )
