"""Whether the window may save its review, in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from core.base.wording import printable_name
from neardup_gui.models.window_state import SavedState
from neardup_gui.models.words.message import Message, Offer

# The values of `core.review.Access`.
TAKEN = "taken"
FORBIDDEN = "forbidden"
UNGUARDED = "unguarded"


@dataclass(frozen=True, slots=True)
class ReviewAccess:
    """What may be done with the review of a window.

    Attributes:
        kind: The value of `core.review.Access`.
        holder: Who may save it instead, where that is known.
    """

    kind: str = "write"
    holder: str = ""

    @property
    def is_read_only(self) -> bool:
        """Whether it may be read only."""
        return self.kind in {TAKEN, FORBIDDEN}

    @property
    def is_taken(self) -> bool:
        """Whether another program may save it."""
        return self.kind == TAKEN


def opened(path: Path, access: ReviewAccess, notes: Sequence[str]) -> Message | None:
    """What there is to say of a review that was opened: what was changed, who may save it."""
    text = " ".join(filter(None, (*notes, _about(path, access))))
    return Message(text, warning=True) if text else None


def not_saved(path: Path, access: ReviewAccess) -> Message:
    """The review was to be saved, and may only be read."""
    reason = f"{_why(path, access)} Nothing was saved: “Save review as…” writes another file"
    if access.is_taken:
        return Message(
            f"{reason}, “Take over” opens this one again as soon as it is closed there.",
            warning=True,
            link="Take over",
            target=Offer.TAKE_OVER,
        )
    return Message(f"{reason}.", warning=True)


def begun_beside(taken: Path, own: Path) -> Message:
    """Another window has begun the review of the same folder; what was decided here is kept."""
    return Message(
        f"Another Neardup has made the review “{printable_name(taken.name)}” of this folder "
        f"meanwhile. What you decided here is kept in “{printable_name(own.name)}”.",
        warning=True,
        link="Show in folder",
        target=own,
    )


def free_again(path: Path) -> Message:
    """Nobody else may save the review any more."""
    return Message(
        f"“{path.name}” is not open in another Neardup any more. “Take over” opens it again, as "
        "it was saved there, and you can save it.",
        link="Take over",
        target=Offer.TAKE_OVER,
    )


def saved_state(
    path: Path | None, access: ReviewAccess, *, has_failed: bool, is_behind: bool, is_saving: bool
) -> SavedState:
    """Whether the review is saved, and where: "saved · essays.neardup", "saving · essays.neardup".

    It is saved when the one file has everything and nobody writes it: a copy of it is whole then.
    """
    if path is None:
        return (
            SavedState("not saved", warning=has_failed) if has_failed or is_behind else SavedState()
        )
    name = printable_name(path.name)
    if access.is_read_only:
        return SavedState(f"read only · {name}", warning=True)
    if has_failed:
        return SavedState(f"not saved · {name}", warning=True)
    return SavedState(f"{'saving' if is_behind or is_saving else 'saved'} · {name}")


def _about(path: Path, access: ReviewAccess) -> str:
    if access.is_read_only:
        return f"{_why(path, access)} Here it is read only."
    if access.kind == UNGUARDED:
        return (
            f"The folder of “{path.name}” keeps no locks: Neardup cannot see whether the review is "
            "open somewhere else. Who saves last wins."
        )
    return ""


def _why(path: Path, access: ReviewAccess) -> str:
    if access.is_taken:
        who = f" ({access.holder})" if access.holder else ""
        return f"“{path.name}” is open in another Neardup{who}."
    return f"“{path.name}” may not be written, or its folder."
