"""Decisions in a review, as the window makes them."""

from core.review import decisions, extend_log, open_review
from core.scan.history import entry_after


def state_in(path):
    """What a review holds, but for its texts, which are read while it is open."""
    with open_review(path) as review:
        return review.state


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
