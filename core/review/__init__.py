"""The review file: one SQLite database (.neardup) that keeps a scan, and later what was decided.

    ScanState ─▶ save_review ─▶ FILE.neardup ─▶ open_review ─▶ Review.state, a ScanState

One program at a time may save a review: who holds its `ReviewLock`. Anybody may read along.

    ScanState.log ─▶ extend_log ─▶ FILE.neardup             decisions, saved as they are made

Saving writes what is new, in one transaction: a process that is killed leaves the old state or the
new one. When it is said to be saved, the one file is complete; who has a review open does nothing
to it in between. Opening needs none of the documents that were scanned, and no permission to write.
Every row has a checksum, so that a damaged file is told from a whole one and never half believed.
"""

from __future__ import annotations

from core.review.loading import Review, is_up_to_date, open_review
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
