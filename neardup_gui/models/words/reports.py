"""What is said of a report that was written, and while it is."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import Protocol

from core.base.wording import counted, readable_size
from neardup_gui.models.window_state import WindowState
from neardup_gui.models.words.message import CopyOffer, Message, OpenOffer
from neardup_gui.models.words.progress import ProgressLine

NOT_WRITTEN = "The report could not be written. No file was written."
IS_THE_REPORT = "The key to the names needs a file of its own. No file was written."
CANCELLED = "The report was cancelled. No file was written."
GROUP = 16  # digits of a seal


class Saved(Protocol):
    """A report that was written."""

    @property
    def path(self) -> Path:
        """Where it is."""

    @property
    def pairs(self) -> int:
        """Of how many pairs it is."""

    @property
    def size(self) -> int:
        """Bytes of its file."""

    @property
    def seal(self) -> str:
        """What tells whether the file is changed; "" for none."""

    @property
    def key(self) -> Path | None:
        """Where the key to its names is; None where all names are told."""


def saved(report: Saved, outdated: str) -> Message:
    """A report is there; `outdated` says that other settings were chosen since, or is empty."""
    path, key = report.path, report.key
    what = counted(report.pairs, "pair") if report.pairs else "a report without pairs"
    text = f"Saved {what} to {path.name}, {readable_size(report.size)}."
    kept = f"The key to the names is in {key.name}: keep it apart." if key else ""
    seal = f"Note its seal elsewhere: {_in_groups(report.seal)}" if report.seal else ""
    links: list[tuple[str, object]] = [
        ("Open", OpenOffer(path)),
        ("Show in folder", path),
        ("Copy path", CopyOffer(os.path.abspath(path))),
    ]
    if report.seal:
        links.append(("Copy seal", CopyOffer(report.seal)))
    return Message(" ".join(filter(None, (text, kept, seal, outdated))), links=tuple(links))


def _in_groups(seal: str) -> str:
    """A seal as it is easily read, and broken into lines; checks take it so, too."""
    return " ".join(seal[start : start + GROUP] for start in range(0, len(seal), GROUP))


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
