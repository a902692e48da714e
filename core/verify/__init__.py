"""Whether a report says what the files say: everything that can be recomputed is.

    report ─▶ its record ─▶ claims ─▶ the same scan of the same files ─▶ a second record ─▶ compared

What no file can tell, who judged what and when, is held against the log in the record, against a
review where there is one, and against a seal that somebody noted elsewhere.
"""

from __future__ import annotations

from core.verify.comparison import Finding, Outcome, Topic, Verification
from core.verify.verification import verify

__all__ = ["Finding", "Outcome", "Topic", "Verification", "verify"]
