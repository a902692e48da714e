"""What is said and asked about documents that are not there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.base.wording import count, counted, printable_name
from core.scan import changes
from neardup_gui.models.words.message import Message, Offer

if TYPE_CHECKING:
    from core.scan.changes import Changes, LostFolder

ANSWERS = (
    ("Find it…", Offer.FIND_FOLDER),
    ("Keep them", Offer.KEEP_MISSING),
    ("Remove them", Offer.REMOVE_MISSING),
)


def rescanned(found: Changes) -> Message:
    """What a rescan found, and what becomes of what it did not find."""
    text = changes.in_words(found, count)
    missed = bool(found.gone or found.not_read)
    if missed:
        text += " What is missing stays in the list, marked."
    link = "Remove what is gone" if found.gone else ""
    return Message(text, missed, link, Offer.REMOVE_MISSING if found.gone else None)


def question(lost: LostFolder) -> Message:
    """What to do about a folder that lost more than a few files."""
    folder = f"“{printable_name(lost.folder.name or str(lost.folder))}”"
    files = f"{count(len(lost.names))} of {counted(lost.of, 'file', 'files')}"
    verb = "is" if lost.of == 1 else "are"
    still = "" if lost.is_new else "still "
    text = f"{files} of {folder} {verb} {still}gone. Is the folder elsewhere?"
    if lost.reason:
        kept = counted(lost.of, "file is", "files are")
        text = f"{folder} cannot be looked into. Its {kept} in the list as before. Is it elsewhere?"
    answers = ANSWERS if lost.is_new else (ANSWERS[0], ANSWERS[2])
    return Message(text, warning=True, answers=answers)


def removed(documents: int) -> str:
    """Documents that were taken off the list."""
    return (
        f"{_documents(documents)} taken off the list. The review keeps them until you delete them."
    )


def brought_back(documents: int) -> str:
    """Documents that were put on the list again."""
    return f"{_documents(documents)} on the list again."


def deleted(documents: int) -> str:
    """Documents that are not in the review any more."""
    return f"{_documents(documents)} deleted from the review."


def _documents(number: int) -> str:
    return counted(number, "document is", "documents are")
