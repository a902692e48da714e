"""Two records of one report: what is written, and what the files give."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Any, NamedTuple, TypeAlias

from core.base.wording import count, printable_name
from core.evidence.measures import Where, columns_in
from core.reports.rows import JUDGED
from core.scan.judgements import Verdict
from core.verify.again import LISTS, Again, Claims, ranked


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


COUNTS = (
    "documents",
    "references",
    "templates",
    "all_pairs_compared",
    "pairs_before_filter",
    "pairs_from_threshold",
    "pairs_by_passage_only",
    "pairs_by_reworked_only",
)
SENTENCES = ("title", "subject", "result")
TOPICS = {
    "passages": Topic.PASSAGES,
    "set_aside": Topic.SET_ASIDE,
    "groups": Topic.GROUPS,
    "judged_passages": Topic.JUDGED,
    "languages": Topic.LANGUAGES,
    "problems": Topic.PROBLEMS,
    "other_files": Topic.PROBLEMS,
}
# Of a document: what its bytes decide, and what the reading of them decides.
OF_BYTES = ("sha256", "xxh3", "size")
OF_TEXT = ("text_sha256", "text_xxh3", "text_hash", "characters", "pages", "kind", "encoding")
OF_SCAN = ("part", "role", "state", "language", "members")
NUMBERS = columns_in(Where.FILES)
# What two texts decide by themselves, whatever else is in the folder.
OF_PAIR = tuple(one.column for one in NUMBERS if one.of_texts)
LONGEST = 200  # characters of a value that is shown

Row = Mapping[str, Any]


class Comparison:
    """Holds a written record against what the files give.

    Attributes:
        findings: All so far.
        unlike_pairs: The pairs that do not agree, or cannot be compared.
        unlike: Names of documents that are not as they were, or not there.
    """

    def __init__(self, claims: Claims, again: Again) -> None:
        self._claims, self._again = claims, again
        self._written, self._found = claims.record, again.record
        self._found_pairs = {
            _names(row): row for row in ranked(again.record, again.record["pairs"])
        }
        self.findings: list[Finding] = []
        self.unlike: set[str] = set()
        self.unlike_pairs: set[tuple[str, str]] = set()

    def compare(self) -> Iterator[Checked]:
        """Compare everything that the files decide, topic by topic."""
        yield self._checked(Topic.FILES, self._files(), len(self._claims.documents))
        yield self._checked(Topic.PAIRS, self._pairs(), len(self._claims.pairs))
        yield self._checked(Topic.VERDICTS, self._said(), len(self._judged()))
        for name, topic in TOPICS.items():
            findings = self._listed(topic, name, LISTS[name])
            yield self._checked(topic, findings, len(self._claims.rows(name)))
        yield self._checked(Topic.COUNTS, self._numbers(), len(COUNTS) + len(SENTENCES) + 1)

    def _checked(self, topic: Topic, found: Iterable[Finding], checked: int) -> Checked:
        """The findings of a topic, and how much of it agrees."""
        findings = list(found)
        wrong = {one.what for one in findings if one.contradicts and one.outcome != Outcome.MORE}
        # A file that came takes nothing from what agrees.
        of_files = topic is Topic.FILES
        remarked = {one.what for one in findings if not (one.contradicts or of_files)} - wrong
        self.findings += findings
        agreed, skipped = max(checked - len(wrong | remarked), 0), len(remarked)
        return TopicCount(topic, checked, agreed, skipped), findings

    def _files(self) -> Iterator[Finding]:
        found = {row["document"]: row for row in self._found["document_list"]}
        for row in self._claims.documents:
            name, own = row["document"], found.get(row["document"])
            if own is None:
                self.unlike.add(name)
                yield Finding(Topic.FILES, Outcome.MISSING, name)
                continue
            of_bytes = [*self._fields(name, row, own, OF_BYTES)]
            of_text = [*self._fields(name, row, own, OF_TEXT)]
            if of_bytes or of_text:
                self.unlike.add(name)
                yield (of_bytes or of_text)[0]
                continue
            yield from self._fields(name, row, own, OF_SCAN)
        for name in self._again.others:
            yield Finding(Topic.FILES, Outcome.REMARK, name)
        written = {row["document"] for row in self._claims.documents}
        if self._claims.is_of_all and not self._claims.is_cut:
            for name in found:
                if name not in written:
                    yield Finding(Topic.FILES, Outcome.MORE, name)

    def _fields(
        self, name: str, written: Row, found: Row, names: Sequence[str]
    ) -> Iterator[Finding]:
        """The fields of a document that differ, an unknown hash being no contradiction."""
        for field in names:
            one, other = written.get(field), found[field]
            if one != other and not (one == "" and field in {"sha256", "xxh3", "text_hash"}):
                what = f"{name}, {field}"
                yield Finding(Topic.FILES, Outcome.DIFFERS, what, _shown(one), _shown(other))

    def _pairs(self) -> Iterator[Finding]:
        found = self._found_pairs
        for row in self._claims.pairs:
            names = _names(row)
            own = found.get(names)
            if self.unlike & set(names) or (own is None and self._is_listed_by_others(row)):
                self.unlike_pairs.add(names)
                yield Finding(Topic.PAIRS, Outcome.REMARK, _pair(names))
            elif own is None:
                self.unlike_pairs.add(names)
                yield Finding(Topic.PAIRS, Outcome.MISSING, _pair(names))
            else:
                differ = [*self._columns(names, row, own, self._compared)]
                if differ:
                    self.unlike_pairs.add(names)
                yield from differ
        yield from self._order()
        yield from self._more_pairs()

    def _is_listed_by_others(self, row: Row) -> bool:
        """Whether a pair may be gone because other documents are not as they were.

        What is common in a folder decides which passages of a pair below the threshold list it.
        """
        told, least = row.get("resemblance"), self._again.report.settings.min_resemblance
        return bool(self.unlike) and isinstance(told, int | float) and told < least

    @property
    def _compared(self) -> tuple[str, ...]:
        """The columns that must be as they were: beside other documents only the pair's own."""
        return OF_PAIR if self.unlike else (*(one.column for one in NUMBERS), "rank")

    def _columns(
        self, names: tuple[str, str], written: Row, found: Row, columns: Sequence[str]
    ) -> Iterator[Finding]:
        for column in columns:
            one, other = written.get(column), found[column]
            if one != other:
                what = f"{_pair(names)}, {column}"
                topic = Topic.VERDICTS if column in JUDGED else Topic.PAIRS
                yield Finding(topic, Outcome.DIFFERS, what, _shown(one), _shown(other))

    def _order(self) -> Iterator[Finding]:
        rows = self._again.rows[self._again.rows >= 0]
        if self._claims.record["shown"] and self._claims.choice.scope == "shown":
            return  # the user's own order
        if not self.unlike and (rows[1:] <= rows[:-1]).any():
            yield Finding(
                Topic.PAIRS, Outcome.DIFFERS, "order of the pairs", "another", "worst first"
            )

    def _more_pairs(self) -> Iterator[Finding]:
        """The pairs that a report of all pairs leaves out."""
        if not self._claims.is_of_all or self._claims.is_cut:
            return
        told = set(self._again.rows.tolist())
        key = {row: pair for row, pair in enumerate(self._again.listed) if row not in told}
        for pair in key.values():
            yield Finding(Topic.PAIRS, Outcome.MORE, _pair(pair))

    def _said(self) -> Iterator[Finding]:
        """Verdicts and notes in the table against those that the log gives."""
        for row in self._judged():
            yield from self._columns(_names(row), row, self._found_pairs[_names(row)], JUDGED)

    def _judged(self) -> list[Row]:
        """The pairs of which the log can say what was judged."""
        if not self._claims.has_log:
            return []
        return [
            row
            for row in self._claims.pairs
            if _names(row) in self._found_pairs and not self.unlike & set(_names(row))
        ]

    def _listed(self, topic: Topic, name: str, keys: Sequence[str]) -> Iterator[Finding]:
        """A list of rows, by what they are about."""
        found = {tuple(row[key] for key in keys): row for row in self._found[name]}
        written = {
            tuple(_shown(row.get(key)) for key in keys): row for row in self._claims.rows(name)
        }
        for about, row in written.items():
            what = _pair(about) if len(about) == 2 else about[0]
            if about in found and row == found[about]:
                continue
            if self.unlike:  # what is rare or common in a folder changes with its documents
                yield Finding(topic, Outcome.REMARK, what)
            elif about not in found:
                yield Finding(topic, Outcome.MISSING, what)
            else:
                yield Finding(topic, Outcome.DIFFERS, what, *_unlike_part(row, found[about]))
        if not self.unlike:
            for about in found:
                if about not in written:
                    what = _pair(about) if len(about) == 2 else about[0]
                    yield Finding(topic, Outcome.MORE, what)

    def _numbers(self) -> Iterator[Finding]:
        outcome = Outcome.REMARK if self.unlike else Outcome.DIFFERS
        for name in COUNTS:
            one, other = self._written.get(name), self._found[name]
            if one != other:
                yield Finding(Topic.COUNTS, outcome, name, _shown(one), _shown(other))
        for name in SENTENCES:
            one, other = self._written.get(name), self._found[name]
            if one != other:
                yield Finding(Topic.COUNTS, outcome, name, _shown(one), _shown(other))
        verdicts = self._written.get("verdicts")
        counted = dict.fromkeys(self._found["verdicts"], 0)
        for row in self._claims.pairs:
            # A verdict on an earlier text waits.
            verdict = (
                row.get("verdict") if row.get("changed_since") is None else Verdict.NOT_REVIEWED
            )
            if verdict in counted:
                counted[verdict] += 1
        if verdicts != counted and not self._claims.is_cut:
            yield Finding(
                Topic.COUNTS, Outcome.DIFFERS, "verdicts", _shown(verdicts), _shown(counted)
            )


def _names(row: Row) -> tuple[str, str]:
    return row["doc_a"], row["doc_b"]


def _pair(names: tuple[str, ...]) -> str:
    return " and ".join(names)


def _unlike_part(written: Row, found: Row) -> tuple[str, str]:
    """The first part in which two rows differ."""
    for name, other in found.items():
        one = written.get(name)
        if one == other:
            continue
        if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
            both = next(pair for pair in zip(one, other, strict=True) if pair[0] != pair[1])
            if isinstance(both[0], dict) and isinstance(both[1], dict):
                return _unlike_part(both[0], both[1])
            return f"{name}: {_shown(both[0])}", f"{name}: {_shown(both[1])}"
        return f"{name}: {_shown(one)}", f"{name}: {_shown(other)}"
    return "more than these files give", ""


def _shown(value: object) -> str:
    """A value in a sentence."""
    text = "nothing" if value is None else str(value)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"
