"""What the documents of a folder are for: reviewed, compared against, or set aside.

A document has the role of the innermost folder, of those that were given, that it is in. So an
assignment that lies beside the essays can be a template, and a folder of last year's essays, in the
folder to review, a reference.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from core.base.wording import printable_name
from core.errors import FolderError

if TYPE_CHECKING:
    from core.documents.model import Document


class Role(StrEnum):
    """What a folder, and every document in it, is for; as it is stored and in words."""

    REVIEW = "to review"
    REFERENCE = "reference"  # compared with the documents to review, never among themselves
    TEMPLATE = "template"  # its text is set aside everywhere, and it is compared with nothing


class FolderRoles:
    """The roles of folders, to be asked for those of documents.

    Attributes:
        roles: By folder.
        has_others: Whether any of them is not to review.
    """

    def __init__(self, folders: Sequence[Path], roles: Sequence[Role] = ()) -> None:
        """Folders whose role is not given are to review."""
        missing = max(0, len(folders) - len(roles))
        self.roles = (*roles[: len(folders)], *[Role.REVIEW] * missing)
        self.has_others = any(role is not Role.REVIEW for role in self.roles)
        self._places = _places(folders)
        self._around: dict[str, tuple[str, int | None]] = {}

    def folder_of(self, location: str) -> int | None:
        """Which of the folders a file is in, the innermost of several; None for none."""
        name = location.rfind(os.sep) + 1
        folder = location[:name]
        if folder not in self._around:
            self._around[folder] = self._in_folder(os.path.abspath(folder))
        start, number = self._around[folder]
        return self._places.get(start + location[name:], number)

    def of(self, document: Document) -> Role:
        """The role of a document; one that is in none of the folders keeps its own."""
        number = self.folder_of(str(document.path))
        return document.role if number is None else self.roles[number]

    def assigned(self, documents: Iterable[Document]) -> Iterator[Document]:
        """The documents with their roles; one that has its role is the very same value."""
        for one in documents:
            is_plain = not self.has_others and one.role is Role.REVIEW
            role = Role.REVIEW if is_plain else self.of(one)
            yield one if one.role is role else replace(one, role=role)

    def _in_folder(self, folder: str) -> tuple[str, int | None]:
        """What the places of the files in a folder start with, and which folder they are in."""
        at = folder
        while at not in self._places and at != (above := os.path.split(at)[0]):
            at = above
        return os.path.join(folder, ""), self._places.get(at)


def _places(folders: Sequence[Path]) -> dict[str, int]:
    """Numbers of folders by absolute path, also by that which leads there from another of them."""
    tops = [(os.path.abspath(folder), os.path.realpath(folder)) for folder in folders]
    places: dict[str, int] = {}
    for number, (given, real) in enumerate(tops):
        places.setdefault(given, number)
        for top, real_top in tops:
            if real.startswith(os.path.join(real_top, "")):
                places.setdefault(os.path.join(top, os.path.relpath(real, real_top)), number)
    return places


def templates_among(documents: Iterable[Document]) -> list[int]:
    """The numbers of the documents that are templates and on the list."""
    return [
        number
        for number, one in enumerate(documents)
        if one.role is Role.TEMPLATE and not one.is_removed
    ]


def check_roles(folders: Sequence[Path], roles: Sequence[Role]) -> None:
    """Refuse folders and roles with which nothing can be compared.

    Raises:
        FolderError: A folder has two roles, or none is to review.
    """
    known: dict[str, Role] = {}
    for folder, role in zip(folders, FolderRoles(folders, roles).roles, strict=True):
        before = known.setdefault(os.path.realpath(folder), role)
        if before is not role:
            raise FolderError(
                f"{_shown(folder)} is given twice, as {_as_what(before)} and as {_as_what(role)}. "
                "Give it one of these roles."
            )
    if Role.REVIEW not in known.values():
        raise FolderError(
            "No folder is to review, and references and templates are compared with nothing by "
            "themselves. Add a folder to review."
        )


def check_found(
    folders: Sequence[Path],
    roles: FolderRoles,
    found: Iterable[str],
    known: Collection[Path] = (),
) -> None:
    """Refuse folders of which one has nothing in it that its role needs.

    Args:
        folders: The folders.
        roles: Theirs; where all are to review, nothing is asked of them.
        found: Where files were found.
        known: Folders that may be empty.

    Raises:
        FolderError: There is nothing to review, or nothing in a reference or template.
    """
    if not roles.has_others:
        return
    used = {roles.folder_of(location) for location in found}
    for number, (folder, role) in enumerate(zip(folders, roles.roles, strict=True)):
        is_needed = role is not Role.REVIEW and folder not in known
        if is_needed and number not in used and number == _first(folders, number):
            raise FolderError(f"{_shown(folder)} holds no file that could be {_as_what(role)}.")
    own = [number for number, role in enumerate(roles.roles) if role is Role.REVIEW]
    if not used.intersection(own) and not any(folders[number] in known for number in own):
        raise FolderError(
            "There is no file to review, and references and templates are compared with nothing "
            "by themselves."
        )


def _first(folders: Sequence[Path], number: int) -> int:
    """The first of the folders that is the same as one of them."""
    places = [os.path.realpath(folder) for folder in folders]
    return places.index(places[number])


def nested_in_words(folders: Sequence[Path], roles: Sequence[Role]) -> Iterator[str]:
    """A sentence on each folder that lies in one with another role."""
    both = list(zip(folders, FolderRoles(folders, roles).roles, strict=True))
    for folder, role in both:
        around = [
            (len(os.path.realpath(top)), top, other)
            for top, other in both
            if os.path.realpath(folder).startswith(os.path.join(os.path.realpath(top), ""))
        ]
        if around:
            _, top, other = max(around, key=lambda one: one[0])
            if other is not role:
                what = "it" if folder.is_file() else "what is in it"
                yield (
                    f"{_shown(folder)} lies in {_shown(top)}: {what} is {_as_what(role)}, "
                    f"not {_as_what(other)}."
                )


def _as_what(role: Role) -> str:
    return role if role is Role.REVIEW else f"a {role}"


def _shown(folder: Path) -> str:
    return f"“{printable_name(folder.name or str(folder))}”"
