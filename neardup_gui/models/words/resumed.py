"""What is said when the review of a folder goes on, or another one begins."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from core.base.wording import counted, printable_name
from neardup_gui.models.words.message import Message, Offer

ANEW = "Start anew"


def goes_on(
    folders: Sequence[Path], gone: Sequence[Path], judged: int, lost: Path | None
) -> Message:
    """The review of folders goes on.

    Args:
        folders: What was opened.
        gone: Those of them that are not there.
        judged: How many pairs were judged.
        lost: The file that the review was saved as, where that is not there.
    """
    name = printable_name(folders[0].name or str(folders[0]))
    so_far = f"{counted(judged, 'pair')} judged so far" if judged else "no pair judged so far"
    if gone:
        missing = printable_name(gone[0].name or str(gone[0]))
        text = f"The folder “{missing}” is not there any more. Its review is shown as it was saved"
        return Message(f"{text}: {so_far}.", warning=True)
    text = f"The review of “{name}” goes on: {so_far}."
    if lost is not None:
        text = (
            f"The review of “{name}” was saved as “{printable_name(lost.name)}”, which is not "
            f"there now. It goes on as it was before that: {so_far}."
        )
    return Message(text, lost is not None, ANEW, Offer.START_ANEW)


def not_resumed(error: Exception) -> Message:
    """The review of a folder cannot be opened."""
    return Message(f"{error} It stays as it is; a new review of the folder begins.", warning=True)


def begun_anew(before: Path | None) -> Message:
    """Another review of the same folder begins."""
    if before is None:
        return Message("A new review begins.")
    text = f"A new review begins. The one before is kept: “{printable_name(before.name)}”."
    return Message(text, link="Show in folder", target=before)
