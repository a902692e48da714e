"""The folders of a scan as the setup lists them: what each is for, how many documents it has."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from core.base.wording import count, counted, printable_name
from core.documents.model import Role
from neardup_gui.models.words.numbers import shown_path

# What a folder can be for, as a title, and what that means.
ROLES: dict[Role, tuple[str, str]] = {
    Role.REVIEW: ("To review", "Compared with each other and with references"),
    Role.REFERENCE: ("Reference", "Compared with what is to review, never with each other"),
    Role.TEMPLATE: ("Template", "Its text counts nowhere"),
}
ORDER = {role: place for place, role in enumerate(ROLES)}


class Addition(NamedTuple):
    """Something that can be added to the folders.

    Attributes:
        title: In a menu.
        role: What it is for.
        question: The title of the dialog that asks which.
        is_file: Whether it is a single file.
    """

    title: str
    role: Role
    question: str
    is_file: bool = False


ADDITIONS = (
    Addition("To review…", Role.REVIEW, "Which folder is to review?"),
    Addition("Reference…", Role.REFERENCE, "Which folder is a reference?"),
    Addition("Template folder…", Role.TEMPLATE, "Which folder holds the templates?"),
    Addition("Template file…", Role.TEMPLATE, "Which file is the template?", is_file=True),
)


class FolderLine(NamedTuple):
    """A folder.

    Attributes:
        path: Where it is.
        role: What it is for.
        title: That in words; "" where the line before says the same.
        text: Its name, and how many documents it has: "essays (212)".
        heard: The same for people who hear it.
        explanation: The whole path.
    """

    path: Path
    role: Role
    title: str
    text: str
    heard: str
    explanation: str


def folder_lines(
    folders: Sequence[Path], roles: Sequence[Role], documents: Sequence[int]
) -> list[FolderLine]:
    """The folders, those to review first.

    Args:
        folders: Where they are.
        roles: What they are for.
        documents: How many documents each has; empty while that is not known.
    """
    names = _names(folders)
    numbers = [*documents, *[-1] * (len(folders) - len(documents))]
    lines: list[FolderLine] = []
    order = sorted(range(len(folders)), key=lambda number: ORDER[roles[number]])
    for number in order:
        role, name = roles[number], names[number]
        title = ROLES[role][0]
        is_first = not lines or lines[-1].role is not role
        holds = f", {counted(numbers[number], 'document')}" if numbers[number] >= 0 else ""
        is_plain = numbers[number] < 0 or (role is Role.TEMPLATE and numbers[number] == 1)
        text = name if is_plain else f"{name} ({count(numbers[number])})"
        heard = f"{name}, {title.lower()}{holds}"
        path = shown_path(folders[number])
        lines.append(
            FolderLine(folders[number], role, title if is_first else "", text, heard, path)
        )
    return lines


def _names(folders: Sequence[Path]) -> list[str]:
    """The names of folders; where two have the same, with the folder that each is in."""
    plain = [printable_name(folder.name or str(folder)) for folder in folders]
    same = Counter(plain)
    return [
        f"{printable_name(folder.parent.name)}/{name}" if same[name] > 1 else name
        for folder, name in zip(folders, plain, strict=True)
    ]
