"""The review file: one SQLite database (.neardup) that keeps a scan, and later decisions.

    ScanState ─▶ save_review ─▶ FILE.neardup ─▶ open_review ─▶ Review.state, a ScanState

One program at a time may save a review: the holder of its `ReviewLock`. Others may read meanwhile.

    ScanState.log ─▶ extend_log ─▶ FILE.neardup             decisions, saved as they are made

Saving writes what is new, in one transaction: a process that is killed leaves the old state or the
new one. Once a save is reported, the one file is complete; while a review is only open, nothing is
done to it. Opening needs none of the documents that were scanned, and no permission to write.
Every row has a checksum, so that damage is recognised and never half believed.

Names are loaded when they are first used: whether a review is up to date is known before all that
is needed to open it is imported.
"""

from __future__ import annotations

from core import loaded_when_used

TYPE_CHECKING = False  # as in `core`
if TYPE_CHECKING:
    from core.review.documents import is_up_to_date
    from core.review.loading import Review, open_review
    from core.review.lock import Access, ReviewLock, finish, is_free
    from core.review.log import Appended, entries_since, extend_log
    from core.review.saving import save_review

__all__ = [
    "Access",
    "Appended",
    "Review",
    "ReviewLock",
    "entries_since",
    "extend_log",
    "finish",
    "is_free",
    "is_up_to_date",
    "open_review",
    "save_review",
]

__getattr__ = loaded_when_used(
    __name__,
    {
        "core.review.documents": ("is_up_to_date",),
        "core.review.loading": ("Review", "open_review"),
        "core.review.lock": ("Access", "ReviewLock", "finish", "is_free"),
        "core.review.log": ("Appended", "entries_since", "extend_log"),
        "core.review.saving": ("save_review",),
    },
)
