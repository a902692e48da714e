"""What was found out about a report, as named tuples."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import NamedTuple, TypeAlias

from core.base.wording import count, printable_name


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


MOST = 20  # contradictions of a topic that are named
REMARKS = 3  # remarks of a topic that are named
OTHERS = {Topic.SEAL: "not", Topic.REVIEW: "the review says"}
VERBS = {
    Outcome.MISSING: "is in the report, and these files do not give it",
    Outcome.MORE: "is not in the report",
    Outcome.REMARK: "cannot be compared: documents are not as they were",
}


def verdict_in_words(found: Verification) -> str:
    """The whole in one sentence."""
    if found.agrees and not found.covers_pages:
        return (
            "The record in the report agrees with these files. What its pages show was not "
            "compared."
        )
    if found.agrees:
        return "The report agrees with these files."
    wrong = Counter(one.topic for one in found.findings if one.contradicts)
    parts = ", ".join(f"{topic} ({count(number)})" for topic, number in wrong.items())
    return f"The report does not agree with these files: {parts}."


def verification_in_words(found: Verification) -> Iterator[str]:
    """All of it, a line each: what was checked, what does not agree, what cannot be told.

    Between these parts is an empty line.
    """
    yield verdict_in_words(found)
    yield from found.not_checked
    for one in found.counts:
        if not one.checked:
            continue
        skipped = f", {count(one.skipped)} not compared" if one.skipped else ""
        yield (
            f"  {str(one.topic).capitalize()}: {count(one.agreed)} of {count(one.checked)} "
            f"agree{skipped}"
        )
    if found.findings:
        yield ""
    for topic in Topic:
        yield from _of_topic([one for one in found.findings if one.topic is topic])
    yield ""
    yield f"Seal: {found.seal}"


def _of_topic(findings: list[Finding]) -> Iterator[str]:
    """What contradicts the report, then what is only worth knowing, so that it hides nothing."""
    wrong = [one for one in findings if one.contradicts]
    remarks = [one for one in findings if not one.contradicts]
    yield from _named(wrong, MOST, "more")
    yield from _named(remarks, REMARKS, "more that do not contradict the report")


def _named(findings: list[Finding], most: int, others: str) -> Iterator[str]:
    for one in findings[:most]:
        yield f"{str(one.topic).capitalize()}: {finding_in_words(one)}"
    if len(findings) > most:
        yield f"{str(findings[0].topic).capitalize()}: and {count(len(findings) - most)} {others}"


def finding_in_words(one: Finding) -> str:
    """One thing that does not agree."""
    what = printable_name(one.what)
    if one.topic is Topic.COUNTS:
        what = what.replace("_", " ")
    if one.written or one.found:
        written, found = printable_name(one.written), printable_name(one.found)
        other = OTHERS.get(one.topic, "this check says")
        return f"{what}: the report says “{written}”, {other} “{found}”"
    if one.topic is Topic.REVIEW:
        return f"{what} is in the report and not in the review"
    if one.outcome is Outcome.MISSING and one.topic is Topic.FILES:
        return f"{what} is not among these files"
    if one.outcome is Outcome.REMARK and one.topic is Topic.FILES:
        return f"{what} is there and not in the report"
    if one.outcome is Outcome.DIFFERS:
        return f"{what} differs"
    return f"{what} {VERBS[one.outcome]}"
