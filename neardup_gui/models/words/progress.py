"""The messages about a review that is opened and saved, and a report that is written."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from core.base.messages import N_, gettext, ngettext
from core.base.progress_lines import ProgressLine
from core.base.tasks import Stage
from core.base.wording import printable_name, readable_size
from neardup_gui.models.reports import SavedReport
from neardup_gui.models.window_state import SavedState, WindowState
from neardup_gui.models.words.sentences import CopyOffer, Message, Offer, OpenOffer

# The values of `core.review.Access`.
TAKEN = "taken"
FORBIDDEN = "forbidden"
UNGUARDED = "unguarded"


@dataclass(frozen=True, slots=True)
class ReviewAccess:
    """The rights to the review of a window.

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
    """The message about an opened review: what was changed, who may save it."""
    text = " ".join(filter(None, (*notes, _about(path, access))))
    return Message(text, warning=True) if text else None


def not_saved(path: Path, access: ReviewAccess) -> Message:
    """The message that a review to save is read-only."""
    why = _why(path, access)
    if access.is_taken:
        advice = gettext(
            "Nothing was saved. “Save review as…” writes a separate file; “Take over” reopens this "
            "one once it is closed there."
        )
        link = gettext("Take over")
        return Message(f"{why} {advice}", warning=True, link=link, target=Offer.TAKE_OVER)
    advice = gettext("Nothing was saved. “Save review as…” writes a separate file.")
    return Message(f"{why} {advice}", warning=True)


def review_created_beside(taken: Path, kept: Path) -> Message:
    """The message that another window created the folder's review; decisions are in `kept`."""
    text = gettext(
        "Another Neardup has meanwhile created the review “{review}” of this folder. Your "
        "decisions are kept in “{file}”.",
        review=printable_name(taken.name),
        file=printable_name(kept.name),
    )
    return Message(text, warning=True, link=gettext("Show in folder"), target=kept)


def free_again(path: Path) -> Message:
    """The message that no other program has the review open now."""
    text = gettext(
        "“{file}” is no longer open in another Neardup. “Take over” reopens it as saved there, so "
        "that you can edit it.",
        file=path.name,
    )
    return Message(text, link=gettext("Take over"), target=Offer.TAKE_OVER)


def saved_state(
    path: Path | None, access: ReviewAccess, *, has_failed: bool, has_unsaved: bool, is_saving: bool
) -> SavedState:
    """Whether the review is saved, and where: "saved · essays.neardup", "saving · essays.neardup".

    It is saved when its one file has everything and is not being written: a copy is complete then.
    """
    if path is None:
        if has_failed or has_unsaved:
            return SavedState(gettext("not saved"), warning=has_failed)
        return SavedState()
    name = printable_name(path.name)
    if access.is_read_only:
        return SavedState(gettext("read-only · {file}", file=name), warning=True)
    if is_saving and not has_failed:
        return SavedState(gettext("saving · {file}", file=name))
    if has_failed or has_unsaved:  # a rescan is not saved before a question about it is answered
        return SavedState(gettext("not saved · {file}", file=name), warning=has_failed)
    return SavedState(gettext("saved · {file}", file=name))


def _about(path: Path, access: ReviewAccess) -> str:
    if access.is_read_only:
        return " ".join((_why(path, access), gettext("It is read-only here.")))
    if access.kind == UNGUARDED:
        return gettext(
            "The folder of “{file}” doesn’t support file locking, so Neardup can’t tell whether "
            "the review is open elsewhere. The last save wins.",
            file=path.name,
        )
    return ""


def _why(path: Path, access: ReviewAccess) -> str:
    name = path.name
    if not access.is_taken:
        return gettext("You don’t have permission to write to “{file}” or its folder.", file=name)
    if not access.holder:
        return gettext("“{file}” is open in another Neardup.", file=name)
    return gettext(
        "“{file}” is open in another Neardup ({holder}).", file=name, holder=access.holder
    )


NOT_WRITTEN = N_("The report could not be saved. No file was written.")
IS_THE_REPORT = N_("The key to the names needs a separate file. No file was written.")
CANCELLED = N_("The report was cancelled. No file was written.")
GROUP = 16  # digits of a seal


def saved(report: SavedReport, outdated: str) -> Message:
    """The message that a report was written; `outdated` says if other settings are chosen."""
    path, key = report.path, report.key
    file, size = path.name, readable_size(report.size)
    sentences = [
        ngettext(
            "Saved {n} pair to {file}, {size}.",
            "Saved {n} pairs to {file}, {size}.",
            report.pairs,
            file=file,
            size=size,
        )
        if report.pairs
        else gettext("Saved a report without pairs to {file}, {size}.", file=file, size=size)
    ]
    links: list[tuple[str, object]] = [
        (gettext("Open"), OpenOffer(path)),
        (gettext("Show in folder"), path),
        (gettext("Copy path"), CopyOffer(os.path.abspath(path))),
    ]
    if key:
        sentences.append(
            gettext(
                "The key to the names is in {file}. Keep it separate from the report.",
                file=key.name,
            )
        )
    if report.note:
        sentences.append(report.note)
    if report.seal:
        seal = _in_groups(report.seal)
        sentences.append(
            gettext(
                "Its seal shows later whether the record in it was changed; it does not cover the "
                "pages. Note it somewhere else: {seal}",
                seal=seal,
            )
            if path.suffix.lower() == ".pdf"
            else gettext(
                "Its seal shows later whether the file was changed. Note it somewhere else: {seal}",
                seal=seal,
            )
        )
        links.append((gettext("Copy seal"), CopyOffer(report.seal)))
    if outdated:
        sentences.append(outdated)
    return Message(" ".join(sentences), links=tuple(links))


def _in_groups(seal: str) -> str:
    """A seal in groups of digits, which are easy to read; checks accept it so."""
    return " ".join(seal[start : start + GROUP] for start in range(0, len(seal), GROUP))


def saving(line: ProgressLine) -> ProgressLine:
    """The progress line of a report that is being written."""
    return replace(line, stage=gettext(Stage.WRITE))


def why_not(state: WindowState, *, is_writing: bool) -> str:
    """Why no report can be written at the moment; empty if one can."""
    if is_writing:
        return gettext("A report is being written.")
    if not state.has_list:
        return gettext("Open a folder first. There is no list yet.")
    if state.is_busy:
        return gettext("Wait until the list is complete, or cancel the scan.")
    return ""
