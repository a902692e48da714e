"""What is said of a report that was written, and while it is."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from core.base.wording import counted, readable_size
from neardup_gui.models.window_state import WindowState
from neardup_gui.models.words.message import FileOffer, Message
from neardup_gui.models.words.progress import ProgressLine

__all__ = ["CANCELLED", "NOT_WRITTEN", "saved", "saving", "why_not"]

NOT_WRITTEN = "The report could not be written. No file was written."
CANCELLED = "The report was cancelled. No file was written."


def saved(path: Path, pairs: int, size: int, outdated: str) -> Message:
    """A report is there; `outdated` says that other settings were chosen since, or is empty."""
    what = counted(pairs, "pair") if pairs else "a report without pairs"
    text = f"Saved {what} to {path.name}, {readable_size(size)}. {outdated}".strip()
    links = (
        ("Open", FileOffer(path)),
        ("Show in folder", path),
        ("Copy path", FileOffer(path, copies=True)),
    )
    return Message(text, links=links)


def saving(line: ProgressLine) -> ProgressLine:
    """The line of a report that is being written."""
    return replace(line, stage="Writing the report")


def why_not(state: WindowState, *, is_writing: bool) -> str:
    """Why no report can be written at the moment; empty where one can."""
    if is_writing:
        return "A report is being written."
    if not state.has_list:
        return "Open a folder first: there is no list yet."
    return "Wait until the list is finished, or cancel what runs." if state.is_busy else ""
