"""What decides which actions can be used."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SavedState:
    """Whether the present review is saved: its line at the bottom of the window, and a warning."""

    text: str = ""
    warning: bool = False


@dataclass(frozen=True, slots=True)
class WindowState:
    """All that decides which actions can be used."""

    has_folder: bool = False
    is_scanning: bool = False
    is_busy: bool = False
    is_listing: bool = False
    is_complete: bool = False
    has_list: bool = False
    has_missing: bool = False
    has_removed: bool = False
    has_pairs: bool = False
    has_pair: bool = False
    has_passages: bool = False
    is_taken: bool = False
    is_of_folder: bool = False
    is_of_run: bool = False
    reads_properties: bool = True
    can_undo: bool = False
    can_redo: bool = False
    saved: SavedState = SavedState()

    @property
    def has_scan(self) -> bool:
        """There is a finished scan, with pairs or without, and none under way."""
        return self.is_complete and not self.is_scanning
