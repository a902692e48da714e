"""Reviews: decisions as the window makes them, and reviews that somebody crafted."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType

from core.review import decisions, extend_log
from core.scan.history import entry_after

BENCH = str(Path(__file__).parent / "bench")


def crafted_and_whole(folder: Path) -> tuple[ModuleType, Path]:
    """The functions that craft reviews, and the path of a whole review made in a folder."""
    sys.path.insert(0, BENCH)
    try:
        import crafted_reviews
    finally:
        sys.path.remove(BENCH)
    crafted_reviews.make_documents(folder / "docs")
    crafted_reviews.make_review(folder / "docs", folder / "whole.neardup")
    return crafted_reviews, folder / "whole.neardup"


class ReviewLog:
    """The log of a review, as far as is known; each decision is in the file at once."""

    def __init__(self, path, entries=()):
        self.path, self.entries = path, tuple(entries)

    def append(self, command, inverse, *, who=""):
        return self.extend([entry_after(self.entries, command, inverse, who=who)])

    def undo(self):
        return self.extend(filter(None, [decisions.undo(self.entries)]))

    def redo(self):
        return self.extend(filter(None, [decisions.redo(self.entries)]))

    def extend(self, entries):
        appended = extend_log(self.path, self.entries, list(entries))
        self.entries = (*self.entries, *appended.entries)
        return appended
