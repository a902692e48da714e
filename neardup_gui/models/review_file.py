"""Which files are reviews; imports nothing, so that it can be asked before the window is up."""

from __future__ import annotations

from pathlib import Path

ENDING = ".neardup"


def is_review(path: Path) -> bool:
    """Whether a path is that of a review, there or not; a folder never is."""
    return path.suffix.lower() == ENDING and not path.is_dir()


def with_ending(path: Path) -> Path:
    """The path, with the ending of reviews if it has another or none."""
    return path if path.suffix.lower() == ENDING else path.with_name(path.name + ENDING)
