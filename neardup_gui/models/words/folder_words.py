"""What is said about the folders of a scan and what they are for."""

from __future__ import annotations

from pathlib import Path

from core.base.wording import printable_name
from core.documents.model import Role
from core.errors import FolderError
from neardup_gui.models.words.message import Message

DONE = {
    Role.REVIEW: "{name} is to review now.",
    Role.REFERENCE: "{name} is a reference now: what is in it is compared with the documents to "
    "review only.",
    Role.TEMPLATE: "{name} is a template now: its text counts nowhere.",
}


def changed(folder: Path, role: Role) -> str:
    """What a folder is for from now on."""
    return DONE[role].format(name=_shown(folder))


def taken_off(folder: Path) -> str:
    """A folder is not looked into any more."""
    return f"{_shown(folder)} is off the list. The review keeps its documents."


def is_listed(folder: Path) -> Message:
    """The folder is there already."""
    return Message(f"{_shown(folder)} is in the list of folders already.")


def refused(error: FolderError) -> Message:
    """Why folders cannot have these roles."""
    return Message(str(error), warning=True)


def wait() -> Message:
    """Nothing can be changed while a first scan runs, or the list after another change is made."""
    return Message("What folders are for can be changed as soon as all pairs are listed.")


def _shown(folder: Path) -> str:
    return f"“{printable_name(folder.name or str(folder))}”"
