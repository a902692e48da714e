"""What was found out about a report, as named tuples."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple, TypeAlias


class Topic(StrEnum):
    """What a finding is about; the value is how it is read."""

    SEAL = "seal"
    FILES = "files"
    PAIRS = "pairs"
    GROUPS = "groups"
    PASSAGES = "passages"
    SET_ASIDE = "text set aside"
    JUDGED = "judged passages"
    LANGUAGES = "languages"
    PROBLEMS = "files without text"
    COUNTS = "counts"
    VERDICTS = "verdicts and notes"
    REVIEW = "log of the review"
    PAGE = "what the page shows"


class Outcome(StrEnum):
    """What became of a thing that was checked."""

    DIFFERS = "differs"  # the report says something else than the files do
    MISSING = "missing"  # the report tells of something that is not there
    MORE = "more"  # there is something that the report does not tell
    REMARK = "remark"  # no contradiction, but worth knowing


class Finding(NamedTuple):
    """A thing that does not agree.

    Attributes:
        topic: What it is about.
        outcome: What is wrong with it.
        what: The file, pair or number, by the names of the report.
        written: What the report says; "" where that says nothing.
        found: What the files say; "" where that says nothing.
    """

    topic: Topic
    outcome: Outcome
    what: str
    written: str = ""
    found: str = ""

    @property
    def contradicts(self) -> bool:
        """Whether the report cannot be right beside these files."""
        return self.outcome is not Outcome.REMARK


class TopicCount(NamedTuple):
    """How much the report tells of a topic, how much of that agrees, and what was not compared."""

    topic: Topic
    checked: int
    agreed: int
    skipped: int = 0


Checked: TypeAlias = tuple[TopicCount, Sequence[Finding]]


class Verification(NamedTuple):
    """What a check of a report found out.

    Attributes:
        kind: Of the report: "html", "json" or "pdf".
        seal: The seal that the file must have as it is now.
        counts: How much was checked.
        findings: What does not agree, by topic.
        not_checked: Sentences on what this check cannot tell.
        covers_pages: Whether what a reader sees was compared, and not the record alone.
    """

    kind: str
    seal: str
    counts: tuple[TopicCount, ...]
    findings: tuple[Finding, ...]
    not_checked: tuple[str, ...]
    covers_pages: bool = True

    @property
    def agrees(self) -> bool:
        """Whether nothing contradicts the report."""
        return not any(one.contradicts for one in self.findings)
