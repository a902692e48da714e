"""The review of a window: its file, what is saved to it, and how long it stays open.

Save review, or a rescan that ended ─▶ SAVE ─▶ the file
a review that was opened ─▶ held, because its texts are read from it, until no job needs it
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from neardup_gui.jobs import work
from neardup_gui.jobs.crew import Crew
from neardup_gui.jobs.job import Kind
from neardup_gui.models import sentences
from neardup_gui.models.listing import Listing

if TYPE_CHECKING:
    from core.review import Review

__all__ = ["ReviewKeeper"]

READERS = (Kind.SCAN, Kind.OPEN, Kind.LIST, Kind.COMPARE, Kind.EXPORT, Kind.SAVE)


class ReviewKeeper(QObject):
    """Knows the file of the present review, saves to it, and closes what is no longer read.

    Signals:
        changed: The path of the present review, None when there is none.
        said: A `Message` for the message bar.
    """

    changed = Signal(object)
    said = Signal(object)

    def __init__(self, crew: Crew, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._crew = crew
        self._path: Path | None = None
        self._present: Review | None = None
        self._held: list[Review] = []
        self._asked = False
        self._is_of_present = True

    @property
    def path(self) -> Path | None:
        """The file of the present review, if it has one."""
        return self._path

    def hold(self, review: Review) -> None:
        """Close a review some day; may be called on any thread."""
        self._held.append(review)

    def enter(self, review: Review | None = None) -> None:
        """Something else is opened: a review, or folders that have none yet."""
        self._present = review
        self._path = review.path if review else None
        self._is_of_present = False
        self.changed.emit(self._path)

    def save(self, path: Path, listing: Listing) -> None:
        """Save as the user asked for, from now on to this file."""
        self._submit(path, listing, asked=True)

    def save_again(self, listing: Listing) -> None:
        """Save a new scan without being asked, if there is a file."""
        if self._path is not None:
            # A sentence for the user's own wish that this one takes the place of.
            asked = self._asked and self._crew.is_busy(Kind.SAVE)
            self._submit(self._path, listing, asked=asked)

    def take_saved(self, path: Path) -> None:
        """The file is there."""
        if self._is_of_present:
            self._path = path
            self.changed.emit(path)
        if self._asked:
            self.said.emit(sentences.review_saved(path))

    def tidy(self) -> None:
        """Close the reviews whose texts nothing reads any more."""
        if not self._crew.is_busy(*READERS):
            for review in [each for each in self._held if each is not self._present]:
                self._held.remove(review)
                review.close()

    def stop(self) -> None:
        """Close all reviews; to be called when nothing runs any more."""
        for review in self._held:
            review.close()
        self._held.clear()

    def _submit(self, path: Path, listing: Listing, *, asked: bool) -> None:
        if listing.state is None:
            return
        self._asked, self._is_of_present = asked, True
        self._crew.submit(Kind.SAVE, work.save_review(path, listing.state))
