"""Decisions in a review, as the window makes them."""

from contextlib import closing, contextmanager

from core.review import extend_log, open_review
from core.review.decisions import reversal
from core.scan.flow import scan
from core.scan.history import UndoStacks, entry_after
from core.scan.scan import Scan


def state_in(path):
    """What a review holds, but for its texts, which are read while it is open."""
    with open_review(path) as review:
        return review.state


def scanned_state(folders, settings, **options):
    """The state of a scan, with its pairs measured."""
    with closing(scan(folders, settings, **options)) as result:
        result.pairs()
        return result.state


def list_of(state, settings=None):
    """The list of a state."""
    with closing(Scan.restored(state)) as restored:
        return restored.list_pairs(settings)


@contextmanager
def opened_scan(path):
    """The scan of a review that is open for this block."""
    with open_review(path) as review, closing(Scan.restored(review.state)) as restored:
        yield restored


def undo(entries, who=""):
    """The entry that undoes the last decision; None where nothing can be undone."""
    return reversal(entries, UndoStacks(entries).to_undo, who)


def redo(entries, who=""):
    """The entry that redoes the last decision that was undone."""
    return reversal(entries, UndoStacks(entries).to_redo, who)


class ReviewLog:
    """The log of a review, as far as is known; each decision is in the file at once."""

    def __init__(self, path, entries=()):
        self.path, self.entries = path, tuple(entries)

    def append(self, command, inverse, *, who=""):
        return self.extend([entry_after(self.entries, command, inverse, who=who)])

    def undo(self):
        return self.extend(filter(None, [undo(self.entries)]))

    def redo(self):
        return self.extend(filter(None, [redo(self.entries)]))

    def extend(self, entries):
        appended = extend_log(self.path, self.entries, list(entries))
        self.entries = (*self.entries, *appended.entries)
        return appended
