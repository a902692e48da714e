"""What is said of decisions: done, undone, saved or not."""

from __future__ import annotations

from core.base.wording import count, counted
from neardup_gui.models.list_difference import ListDifference
from neardup_gui.models.words.message import Message, Offer

KINDS = {
    "remove": "documents are taken off the list",
    "bring back": "documents are on the list again",
    "found elsewhere": "a folder is where it was before",
    "role": "what a folder is for",
    "take folder off": "a folder is off the list",
    "put folder back": "a folder is on the list again",
    "set aside": "what is set aside",
    "language": "the language of documents",
    "judge passage": "what was said of a passage",
    "set passage aside": "what was said of a passage",
}


def done(text: str, *, can_undo: bool) -> Message:
    """Something that changed the list, which can be undone."""
    return Message(text, link="Undo" if can_undo else "", target=Offer.UNDO if can_undo else None)


def undone(kind: str) -> str:
    """The last decision is undone; `kind` is that of the command which did so."""
    return f"Undone: {KINDS[kind]}." if kind in KINDS else "Undone."


def redone(kind: str) -> str:
    """What was undone is done again."""
    return f"Done again: {KINDS[kind]}." if kind in KINDS else "Done again."


def difference_in_words(difference: ListDifference) -> str:
    """What became of the pairs of a list: "12 pairs left the list, 3 came."."""
    parts = []
    if difference.left:
        parts.append(f"{counted(difference.left, 'pair')} left the list")
    if difference.came:
        parts.append(f"{counted(difference.came, 'pair')} came to the list")
    if difference.changed:
        have = "has" if difference.changed == 1 else "have"
        parts.append(f"{counted(difference.changed, 'pair')} {have} another resemblance")
    if not parts:
        return "The list stays as it is."
    text = f"{', '.join(parts)}."
    return text[0].upper() + text[1:]


def not_saved(error: Exception) -> Message:
    """A decision is not in the file."""
    return Message(
        f"{error} What you decide is kept in memory, and saved as soon as that is possible.",
        warning=True,
    )


def saved_again() -> Message:
    """What waited is in the file."""
    return Message("Everything you decided is saved now.")


def would_be_lost() -> Message:
    """Something else is to be opened, or the window closed, and decisions are not saved."""
    return Message(
        "What you decided last is not saved yet, and would be lost. Make room on the disk, or use "
        "“Save review as…”. Do the same again to go on without it.",
        warning=True,
        urgent=True,
    )


def too_many(pairs: int, most: int) -> Message:
    """More pairs are selected than one decision can be about."""
    return Message(
        f"{counted(pairs, 'pair')} are too many for one verdict: select {count(most)} at most.",
        warning=True,
    )


def too_long(characters: int, most: int) -> Message:
    """A note that cannot be kept."""
    return Message(
        f"A note can have {count(most)} characters, not {count(characters)}. It was not saved.",
        warning=True,
    )
